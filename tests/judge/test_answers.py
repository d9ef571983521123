"""Whatever a program prints, the judge has a word on it; and answers are found in many words."""

import string
from functools import cache
from itertools import islice
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.catalogue import find_games
from dungeon_tui.core.random import Random
from dungeon_tui.games.expedition.ai.judged import read_answer as read_walk
from dungeon_tui.games.rescue.ai.judged import read_answer as read_health
from dungeon_tui.judge.breaker import cases
from dungeon_tui.judge.problem import Case, Problem

GAMES = {game.name: game for game in find_games() if game.problem_in and not hasattr(game.commands(), "JUDGE")}
WORDS = [
    "cost", "walk:", "path:", "health", "Level 1", "impossible", "(0, 0)", "->", "null", "\n", "R D", "7", "-1", ":",
]  # fmt: skip
JUNK = st.one_of(
    st.text(),
    st.text(string.printable),
    st.lists(st.sampled_from([*WORDS, "9" * 5000, "٣", "\x00"])).map(" ".join),
    st.lists(st.text("0123456789@X. -", min_size=80, max_size=80), min_size=21, max_size=43).map("\n".join),
    st.dictionaries(
        st.sampled_from(["cost", "walk", "initial_health", "path"]),
        st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists),
    ).map(lambda values: __import__("json").dumps(values)),
)


@cache
def problem(game: str) -> Problem:
    found: Problem = GAMES[game].problem()
    return found


@pytest.mark.parametrize("game", GAMES)
@given(output=JUNK, seed=st.integers(0, 3), size=st.integers(1, 6))
def test_any_output_is_judged(game: str, output: str, seed: int, size: int) -> None:
    case = problem(game).made(Random(seed), size)
    objection = problem(game).objection(case, output)
    if objection is not None:
        assert objection.expected is not None
        assert objection.got is not None


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), size=st.integers(1, 12))
def test_simpler_cases_are_no_larger_and_come_to_an_end(game: str, seed: int, size: int) -> None:
    judged = problem(game)
    case = judged.made(Random(seed), size)
    seen = set[Any]()
    for _ in range(200):
        simpler = [one for one in judged.smaller(case) if (one.given, one.files) != (case.given, case.files)]
        assert all(one.size <= case.size for one in simpler)
        if not simpler:
            break
        seen.add((case.given, case.files))
        case = simpler[seed % len(simpler)]
        assert (case.given, case.files) not in seen
        assert judged.objection(case, "") is not None
    else:
        pytest.fail("it goes on for ever")


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        ("7", (7, None)),
        ("Minimum health: 7\n", (7, None)),
        ("The least health (HP) of the 3 x 3 grid is 7.\n", (7, None)),
        ("grid 3 x 3\nresult = 7\nPath: (0, 0) -> (0, 1) -> (1, 1)\n", (7, [(0, 0), (0, 1), (1, 1)])),
        ("7\npath: R D D", (7, [(0, 0), (0, 1), (1, 1), (2, 1)])),
        ('{"initial_health": 7, "path": [[0, 0]]}', (7, [(0, 0)])),
        ("no idea", (None, None)),
        ("7.5", (None, None)),
    ],
)
def test_the_health_is_found_in_many_words(output: str, answer: object) -> None:
    assert read_health(output) == answer


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        ("12\n", (12, None)),
        ("12\na b a\n", (12, ["a", "b", "a"])),
        ("Total cost of the walk: 12", (12, None)),
        ("Walk: a -> b\nCost: 12\n", (12, ["a", "b"])),
        ("cost: 12, path: great hall, cellar", (12, ["great hall", "cellar"])),
        ('12\n["a", "b"]', (12, ["a", "b"])),
        ('{"cost": 12, "walk": [1, 2]}', (12, ["1", "2"])),
        ("impossible", (None, None)),
    ],
)
def test_the_walk_is_found_in_many_words(output: str, answer: object) -> None:
    assert read_walk(output) == answer


def test_cases_are_different_and_end_where_no_more_are_made() -> None:
    few = SimpleNamespace(made=lambda chance, size: Case("random", size, b"x" * (size + chance.below(2))))
    assert {case.given for case in cases(cast(Problem, few), Random(5), 1)} == {b"x", b"xx"}
    assert not [*cases(cast(Problem, few), Random(5), 0)]
    many = SimpleNamespace(made=lambda chance, size: Case("random", size, b"%d" % chance.word()))
    assert [case.size for case in islice(cases(cast(Problem, many), Random(5), 3), 9)] == [1, 1, 2, 1, 2, 3, 1, 2, 3]


@pytest.mark.parametrize("line", ["path: D X", "path: R R D X", "R R D X", "[[-1,-1]]", "U D R", "RRUU", "path: D"])
def test_a_path_that_leads_elsewhere_is_wrong(line: str) -> None:
    case = problem("rescue").read("classic")
    right = problem("rescue").right(case)
    assert problem("rescue").objection(case, f"{right}\n") is None
    objection = problem("rescue").objection(case, f"{right}\n{line}\n")
    assert objection is not None
    assert objection.is_answer


@given(seed=st.integers(0, 50), size=st.integers(1, 64))
def test_grids_keep_within_the_bounds(seed: int, size: int) -> None:
    bounded = GAMES["rescue"].problem(low=-7, high=3, rows=4, cols=5)
    rows = [[*map(int, line.split())] for line in bounded.made(Random(seed), size).text.splitlines()]
    assert len(rows) <= 4
    assert all(len(row) <= 5 and all(-7 <= number <= 3 for number in row) for row in rows)


def test_shipped_grids_beyond_the_bounds_count_only_when_asked() -> None:
    names = [{case.name for case in GAMES["rescue"].problem(low=low).shipped()} for low in (-1000, -(10**18))]
    assert names[0] < names[1]
    with pytest.raises(ValueError, match="0 must be among them"):
        GAMES["rescue"].problem(low=1)
