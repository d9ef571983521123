"""What levels are worth: hand-made levels, the naive twin on random ones, and the words."""

from threading import Event

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.ai import worth
from dungeon_tui.games.crawler.ai.worth import MOST_LINES, Certificate, Certifier, played
from dungeon_tui.games.crawler.model.dungeon import load_dungeon
from dungeon_tui.games.crawler.model.level import Level
from dungeon_tui.games.crawler.model.state import Status
from tests import naive_certificate
from tests.games.crawler.pictures import level_of, levels


@pytest.mark.parametrize("picture", ["o@-?", "o-+! @$++ ----"])  # it is in the way; its copies lie beyond the wall
def test_an_amulet_is_needed_where_nothing_else_leads_out(picture: str) -> None:
    assert Certifier(level_of(picture), 1).certify().amulet_needed


def test_solutions_are_counted_to_a_cap() -> None:
    hall = level_of(" ".join(["o" + 12 * "-", *[13 * "-"] * 11, 12 * "-" + "?"]))
    assert Certifier(hall).solutions(24) == MOST_LINES  # 24! / (12! * 12!) = 2,704,156
    assert Certifier(hall).certify().values()["shortest_solutions"] == MOST_LINES


LEVELS = st.sampled_from([b"-?", b"-!$", b"-!$?"]).flatmap(lambda given: levels(b"-------++$@MM?!", given=given))


@given(LEVELS, st.integers(0, 1))
def test_random_levels_are_worth_what_the_naive_twin_says(level: Level, cap: int) -> None:
    try:
        expected = naive_certificate.facts(level, cap, 3000)
        without_amulets = naive_certificate.facts(level, 0, 3000)
        brought = naive_certificate.facts(level, cap, 3000, brought=1)
        matter = naive_certificate.monsters_that_matter(level, cap, 3000)
    except naive_certificate.TooManyStatesError:
        assume(False)
    found = Certifier(level, cap).certify()
    assert (found.moves, found.solutions, found.most_treasure) == expected
    assert found.can_be_won is (expected.moves is not None)
    assert found.amulet_needed is (expected.moves is not None and without_amulets.moves is None)
    assert found.needs_treasure_brought is (expected.moves is None and brought.moves is not None)
    assert found.monsters_that_matter == tuple(matter)
    assert all(found.values()["proven"].values())
    if found.with_treasure_brought is not None:
        assert_bringing(found.with_treasure_brought, level, cap)
    if found.moves is not None:
        assert played(level, found.commands).status in (Status.ESCAPED, Status.OUT_OF_LEVELS)
        assert len(found.commands) == found.moves == found.lower_bound


def assert_bringing(found: Certificate, level: Level, cap: int) -> None:
    expected = naive_certificate.facts(level, cap, 3000, brought=1)
    assert (found.moves, found.solutions, found.most_treasure) == (*expected[:2], (expected.most_treasure or 0) - 1)
    assert found.monsters_that_matter == tuple(naive_certificate.monsters_that_matter(level, cap, 3000, brought=1))
    assert (found.brings_treasure, found.needs_treasure_brought) == (True, False)
    assert all(found.values()["proven"].values())


def halls() -> Level:
    """Takes some ten thousand states."""
    return level_of("o---M---$- --+---+--- -$------+M --+--$--?- M-----+--- --+---$--- @-------M- --+---+--!")


def test_what_the_limits_leave_open_is_no_fact() -> None:
    stop = Event()
    stop.set()
    for limited in (Certifier(halls(), stop=stop), Certifier(halls(), most_states=0)):
        found = limited.certify()
        assert not any(found.values()["proven"].values())
        assert found.can_be_won is None
        assert found.moves is None
        assert found.lower_bound is not None


def test_a_line_that_was_found_in_no_time_is_a_fact_but_not_that_none_is_shorter() -> None:
    found = Certifier(halls(), deadline=0).certify()
    assert found.can_be_won
    assert found.moves is not None
    assert not found.is_shortest
    assert found.solutions is found.monsters_that_matter is found.most_treasure is None


def test_the_most_treasure_of_a_level_that_is_too_large_is_open() -> None:
    large = Level("large", np.full((300, 300), ord("-"), np.uint8), Cell(0, 0))
    assert Certifier(large, 0).most_treasure(3) == (3, False)
    assert Certifier(large, 0).solutions(10) is None


def test_counting_ends_where_memory_states_or_time_do(monkeypatch: pytest.MonkeyPatch) -> None:
    level = load_dungeon("mirrors").levels[2]
    assert Certifier(level).solutions(69) == 786
    assert Certifier(level, most_states=100).solutions(69) is None
    assert Certifier(level, deadline=0).solutions(69) is None
    monkeypatch.setattr(worth, "MEMORY", 1 << 19)
    assert Certifier(level).solutions(69) is None
