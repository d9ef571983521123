"""The fewest moves out of dungeons: small cases, and the naive twin on random ones."""

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.ai import solver
from dungeon_tui.games.crawler.ai.solver import Escape, Solver
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, alone, load_dungeon, pack_level, shipped
from dungeon_tui.games.crawler.model.level import MAX_CELLS, Level
from dungeon_tui.games.crawler.model.state import Action, State, Status
from tests.games.crawler.pictures import dungeon_of, levels, played
from tests.naive_escape import doublings, fewest_moves
from tests.processes import call, interrupt


def escape(
    state: State,
    treasure: int = 1,
    *,
    by_door: bool = False,
    max_doublings: int | None = None,
    memory: int = solver.MEMORY,
    **limits: Any,
) -> Escape:
    """The answer of a solver that was asked nothing before."""
    asked = Solver(state.dungeon, by_door=by_door, max_doublings=max_doublings, memory=memory)
    return asked.escape(state, treasure, **limits)


def assert_it_is_what_it_says(
    start: State, found: Escape, max_doublings: int | None = None, by_door: bool = False
) -> None:
    """Plays the line by the rules."""
    if found.moves is None:
        return
    state = start
    for number, letters in enumerate(found.commands, start.number):
        assert state.number == number
        for letter in letters:
            state, _ = rules.step(state, Action(letter))
            assert max_doublings is None or doublings(state, start) <= max_doublings
    assert state.status is Status.ESCAPED or (by_door and state.status is Status.OUT_OF_LEVELS)
    assert (state.moves - start.moves, state.treasure) == (found.moves, found.treasure)
    assert found.treasure >= found.wanted


SMALL = b"------++$@M?!"


@st.composite
def dungeons(draw: st.DrawFn, some: bytes = SMALL) -> Dungeon:
    """Up to two levels of up to 4 x 4 with everything in them; mostly, something leads on and there is treasure."""
    last = draw(levels(some, given=b"-!$@"))
    made = (draw(levels(some, given=b"-?$")), last) if draw(st.booleans()) else (last,)
    return Dungeon("drawn", made, level_count=len(made), cell_limit=draw(st.sampled_from([20, 40, MAX_CELLS])))


@st.composite
def moments(draw: st.DrawFn, some: bytes = SMALL) -> State:
    """A random dungeon after some random moves."""
    state = rules.start(draw(dungeons(some)))
    for action in draw(st.lists(st.sampled_from(Action), max_size=12)):
        after, _ = rules.step(state, action)
        if after.status is Status.PLAYING:
            state = after
    return state


@settings(max_examples=5 * settings().max_examples)
@given(moments() | moments(b"-----+++@$MMMM?!"), st.integers(0, 4), st.integers(0, 1), st.booleans())
def test_random_dungeons_take_as_many_moves_as_by_the_naive_twin(
    state: State, asked: int, cap: int, by_door: bool
) -> None:
    asked = asked if by_door else max(asked, 1)
    found = escape(state, asked, by_door=by_door, max_doublings=cap)
    moves, least = fewest_moves(state, asked, cap, 3000, by_door)
    assert found.is_proven
    if moves is not None or least == -1:
        assert found.moves == moves
    else:
        assert found.moves is None or found.moves >= least
    assert_it_is_what_it_says(state, found, cap, by_door)
    for treasure, fewest in found.pareto_front:
        assert fewest_moves(state, treasure, cap, 3000, by_door)[0] in (fewest, None)


def test_two_amulets_and_four_copies_of_one_treasure() -> None:
    start = rules.start(dungeon_of("+$+!@- +--o-@"))
    found = escape(start, 4, max_doublings=2)
    assert (found.moves, found.lower_bound) == (19, 19)
    assert fewest_moves(start, 4, 2, 60_000)[0] == 19
    assert_it_is_what_it_says(start, found, 2)


def test_behind_an_amulet_the_way_goes_on_from_another_item() -> None:
    found = escape(rules.start(dungeon_of("!+-- $+@o $+@-")), 4, max_doublings=2)
    assert (found.moves, found.is_proven) == (11, True)
    assert found.states <= 85


MOST_STATES = {"tutorial": 244, "easy": 189, "hard": 14_375, "mirrors": 661, "gauntlet": 3323, "toll": 567}


@pytest.mark.parametrize("name", shipped())
def test_shipped_dungeons_are_won_at_least_as_fast_as_by_their_authors(name: str) -> None:
    dungeon = load_dungeon(name)
    found = escape(rules.start(dungeon))
    assert found.is_proven
    assert found.moves is not None
    solutions = [note.solution for note in dungeon.sidecar.notes]
    assert found.moves <= sum(map(len, solutions))
    assert_it_is_what_it_says(rules.start(dungeon), found)
    assert found.states <= MOST_STATES[name]  # a weaker heuristic looks at more


def test_a_level_that_never_ends_is_not_called_impossible() -> None:
    """The way out lies above the corridor, if copies of both are looked at, and nothing lies above the first."""
    state = rules.start(dungeon_of("o@@$ ++++ !---"))
    found = escape(state, memory=1 << 28)
    assert found.ended in ("memory", "size")
    assert found.moves is None
    assert not found.is_proven
    assert escape(state, max_doublings=3).is_proven


def test_what_lies_on_a_board_that_is_too_large_to_search_is_not_called_impossible() -> None:
    tiles = np.full((200, 200), ord("+"), np.uint8)
    tiles[0, [0, 198, 199]] = list(b"?-@")
    state = rules.start(alone(Level("large", tiles, Cell(0, 198))))
    assert played(state, "dd").status is Status.OUT_OF_LEVELS
    found = escape(state, 0, by_door=True)
    assert (found.moves, found.lower_bound, found.is_proven, found.ended) == (None, 1, False, "size")
    assert Solver(state.dungeon, by_door=True).is_lost(state) is None


def test_no_copy_helps_where_pillars_shut_the_level_off_on_all_sides() -> None:
    found = escape(rules.start(dungeon_of("++++++ +o@@$+ ++++++ +-!--+ ++++++")))
    assert found.moves is None
    assert found.is_proven


def test_time_and_a_stop_end_the_search_without_a_claim() -> None:
    state = rules.start(load_dungeon("hard"))
    stop = threading.Event()
    stop.set()
    limits: dict[str, dict[str, Any]] = {"time": {"time_limit": 0}, "memory": {"memory": 0}, "stopped": {"stop": stop}}
    for why, limit in limits.items():
        found = escape(state, **limit)
        assert found.ended == why
        assert (found.moves is None) == (why == "stopped")  # some line is dived for, unless nobody wants it any more
        assert found.lower_bound is not None
        assert found.lower_bound <= 163
        assert not found.is_proven
        assert_it_is_what_it_says(state, found)


def test_where_the_shortest_line_is_not_found_in_time_some_line_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "_STATES_BEFORE_ANY_LINE", 0)
    monkeypatch.setattr(solver, "SLICE", 500)
    state, stop = rules.start(alone(load_dungeon("hard").levels[3])), threading.Event()
    told: list[int] = []

    def progress(asked: int, states: int, bound: int) -> None:
        told.append(states)
        if len(told) == 40:
            stop.set()

    found = escape(state, 6, stop=stop, progress=progress)
    assert found.ended == "stopped"
    assert found.moves is not None
    assert found.lower_bound is not None
    assert 39 <= found.lower_bound <= 40 <= found.moves
    assert_it_is_what_it_says(state, found)


def test_the_search_reports_its_progress() -> None:
    told: list[tuple[int, int, int]] = []
    found = escape(rules.start(load_dungeon("hard")), 2, progress=lambda *values: told.append(values))
    assert {asked for asked, _, _ in told} == {1, 2}
    assert [states for _, states, _ in told] == sorted(states for _, states, _ in told)
    assert all(bound <= (found.moves or 0) for _, _, bound in told)


@pytest.mark.parametrize(("pictures", "most"), [(("$o$!",), 2), (("$o$?", "o$-!"), 3), (("$o@$!",), 7)])
def test_no_search_is_begun_for_more_treasure_than_a_level_can_hold(pictures: tuple[str, ...], most: int) -> None:
    start = rules.start(dungeon_of(*pictures))
    assert escape(start, most).moves == fewest_moves(start, most, 1, 50_000)[0]
    found = escape(start, 255)
    assert (found.moves, found.is_proven) == (None, True)
    assert len(found.pareto_front) <= most


@pytest.mark.parametrize(
    ("picture", "letters", "treasure", "refused"),
    [("o$!", "", 0, "at least 1, not 0"), ("o$!", "dd", 1, r"the game is over \(escaped\)"), ("o-!", "", 1, "another")],
)
def test_impossible_searches_are_refused(picture: str, letters: str, treasure: int, refused: str) -> None:
    state, other = rules.start(dungeon_of(picture)), dungeon_of("o$!")
    with pytest.raises(ValueError, match=refused):
        Solver(other if refused == "another" else state.dungeon).escape(played(state, letters), treasure)


@given(moments(), st.lists(st.sampled_from(Action), max_size=8), st.booleans())
def test_a_second_search_gives_the_same_answer(state: State, actions: list[Action], by_door: bool) -> None:
    asked = Solver(state.dungeon, by_door=by_door, max_doublings=2)
    for action in (None, *actions):
        after = state if action is None else rules.step(state, action)[0]
        if after.status is Status.PLAYING and after.board.height <= 8:
            state = after
        again, anew = asked.escape(state), escape(state, by_door=by_door, max_doublings=2)
        assert (again.moves, again.is_proven) == (anew.moves, anew.is_proven)
        assert_it_is_what_it_says(state, again, 2, by_door)


def test_along_the_best_line_nothing_is_searched_again() -> None:
    state = rules.start(load_dungeon("easy"))
    asked = Solver(state.dungeon)
    found = asked.escape(state)
    assert found.states > 0
    letters = "".join(found.commands)
    for made, letter in enumerate(letters):
        rest = asked.escape(state)
        assert ("".join(rest.commands), rest.lower_bound, rest.treasure) == (
            letters[made:],
            len(letters) - made,
            found.treasure,
        )
        assert rest.pareto_front[-1] == (1, len(letters) - made)
        assert made == 0 or rest.states == 0
        assert asked.is_lost(state) is False
        state = played(state, letter)


@settings(max_examples=3 * settings().max_examples)
@given(moments(), st.integers(0, 1), st.booleans())
def test_a_lost_position_is_lost_for_the_naive_twin(state: State, cap: int, by_door: bool) -> None:
    is_lost = Solver(state.dungeon, by_door=by_door, max_doublings=cap).is_lost(state)
    moves, least = fewest_moves(state, 0 if by_door else 1, cap, 3000, by_door)
    assert is_lost is not None
    if moves is not None or least == -1:
        assert is_lost is (moves is None)


def test_a_position_is_not_called_lost_for_want_of_time() -> None:
    state = rules.start(load_dungeon("hard"))
    stop = threading.Event()
    stop.set()
    assert Solver(state.dungeon).is_lost(state, time_limit=0) is None
    assert Solver(state.dungeon).is_lost(state, stop=stop) is None
    assert Solver(state.dungeon, memory=0).is_lost(state) is None
    endless = rules.start(dungeon_of("o@@$ ++++ !---"))
    assert Solver(endless.dungeon, memory=1 << 26).is_lost(endless, time_limit=0.5) is None
    assert Solver(state.dungeon).is_lost(state) is False


def written(folder: Path, *pictures: str) -> str:
    for file in pack_level(dungeon_of(*pictures)).files:
        (folder / file.name).write_bytes(file.data)
    return str(folder / "picture")


def test_the_answer_as_json(tmp_path: Path) -> None:
    done = call("crawler", "solve", written(tmp_path, "$o?", "o$!"), "2", "--treasure", "2", "--json")
    assert json.loads(done.stdout) == {
        "moves": 5,
        "treasure": 2,
        "commands": ["add", "dd"],
        "proven_minimal": True,
        "lower_bound": 5,
        "frontier": [{"treasure": 1, "moves": 3}, {"treasure": 2, "moves": 5}],
    }
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_proven_answer_is_a_point_of_its_own_even_if_less_treasure_is_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    prefix = written(tmp_path, "$o$$$!")
    found = escape(rules.start(load_dungeon(prefix)), 4)
    monkeypatch.setattr(Solver, "escape", lambda *_, **__: replace(found, pareto_front=((1, 4),), ended="time"))
    answer = json.loads(call("crawler", "solve", prefix, "--treasure", "4", "--json").stdout)
    assert answer["frontier"] == [{"treasure": 1, "moves": 4}, {"treasure": 4, "moves": 6}]
    monkeypatch.setattr(Solver, "escape", lambda *_, **__: replace(found, pareto_front=(), lower_bound=5, ended="time"))
    assert json.loads(call("crawler", "solve", prefix, "--treasure", "4", "--json").stdout)["frontier"] == []


def test_ctrl_c_shows_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    solver.prepare()
    interrupt(monkeypatch, Solver, "escape")
    done = call("crawler", "solve", "hard", "--json")
    assert not json.loads(done.stdout)["proven_minimal"]
    assert done.stderr == b"Stopped: this is what was known.\n"
    assert done.returncode == 130
