"""Until when a game could have been won, and what planning keeps."""

from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.last_chance import LastChance, last_chance
from dungeon_tui.games.crawler.ai.solver import Planner, Solver
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import load_dungeon
from tests.games.crawler.pictures import dungeon_of, played


@given(st.integers(0, 60), st.integers(1, 60))
def test_halving_finds_what_looking_at_all_turns_does(open_turns: int, lost_turns: int) -> None:
    fates = [False] * open_turns + [True] * lost_turns
    asked: list[int] = []

    def is_lost(state: Any) -> bool:
        asked.append(state)
        return fates[state]

    found = last_chance(range(len(fates)), is_lost)
    assert found == LastChance(open_turns - 1 if open_turns else None, True)
    assert len(asked) <= len(fates).bit_length()


@given(st.lists(st.sampled_from([False, None]), max_size=30), st.lists(st.sampled_from([True, None]), max_size=20))
def test_where_some_are_not_known_it_promises_no_more_than_that(
    first: list[bool | None], then: list[bool | None]
) -> None:
    fates = [*first, *then, True]
    found = last_chance(range(len(fates)), lambda state: fates[state])
    if found.ply is not None:
        assert fates[found.ply] is False
    if found.is_exact:
        assert fates[0 if found.ply is None else found.ply + 1] is True


@pytest.mark.parametrize(
    ("levels", "is_left_by_door"),
    [(("o?", "o$!"), False), (("o?", "o$?!"), False), (("o-?",), True), (("o?", "o?"), True), (("o!?", "o?"), False)],
)
def test_the_last_door_counts_where_no_level_ever_had_a_way_out(levels: tuple[str, ...], is_left_by_door: bool) -> None:
    made = dungeon_of(*levels)
    assert (made.is_left_by_door, made.least_treasure) == (is_left_by_door, int(not is_left_by_door))


def test_the_moments_of_a_line_are_at_hand() -> None:
    made = dungeon_of("o-$?", "o-!")
    planner, state = Planner(made), rules.start(made)
    assert planner.escape(state, 1).commands == ("ddd", "dd")
    state = played(state, "dd")
    found = planner.escape(state, 1, time_limit=0.0)
    assert (found.commands, found.is_proven) == (("d", "dd"), True)
    assert planner.is_lost(state, 0.0) is False
    assert planner.is_lost(played(state, "ddd"), 0.0) is False


def test_what_is_impossible_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = dungeon_of("o-$!")
    planner, state = Planner(made), rules.start(made)
    found = planner.escape(state, 2)
    assert (found.moves, found.is_proven) == (None, True)
    monkeypatch.setattr(Solver, "escape", None)
    assert planner.escape(state, 2) is found
    assert planner.escape(played(state, "a"), 2) is found  # the same position


def test_an_answer_for_want_of_time_is_given_again_until_there_is_more() -> None:
    made = load_dungeon("hard")
    planner, state = Planner(made), rules.start(made)
    found = planner.escape(state, 7, time_limit=0.0)
    assert (found.ended, found.is_proven) == ("time", False)
    assert planner.escape(state, 7, time_limit=0.0) is found
    assert planner.escape(state, 7, time_limit=5.0).is_proven


@pytest.mark.slow
def test_what_is_known_of_a_way_out_stays_known() -> None:
    """A line that was found in haste is an answer, whoever asks after it, there and anywhere on it."""
    made = load_dungeon("hard")
    planner, state = Planner(made), rules.start(made)
    assert planner.is_lost(state) is False
    found = planner.escape(state, 1, time_limit=0.0)
    assert not found.is_proven
    assert found.moves is not None
    letters = "".join(found.commands)
    for made_moves in range(len(letters)):
        later = planner.escape(played(state, letters[:made_moves]), 1, time_limit=0.0)
        assert later.moves is not None
        assert later.moves <= len(letters) - made_moves
    assert planner.escape(state, 1).is_proven
    assert planner.escape(state, 1, time_limit=0.0).is_proven  # an answer given before overrules it no more


def test_a_search_that_was_stopped_is_forgotten() -> None:
    made = dungeon_of("o-$-M ----- @-+-!")
    planner, state = Planner(made), rules.start(made)
    stop = Event()
    stop.set()
    assert planner.escape(state, 3, stop=stop).ended == "stopped"
    assert planner.escape(state, 3, time_limit=0.0).ended == "time"
    assert planner.escape(state, 3).is_proven


def test_a_trap_is_lost() -> None:
    for board, is_trapped in (("o-$ -M- $-!", True), ("o+-$ -+-- M+-!", True), ("o$!", False)):
        state = rules.start(dungeon_of(board))
        assert rules.is_trapped(state) == is_trapped
        assert Planner(state.dungeon).is_lost(state) == is_trapped
