"""Some line out of a level, found soon: whatever it is, the rules play it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.ai.search import dive, level_search
from dungeon_tui.games.crawler.ai.search.terrain import Terrain
from dungeon_tui.games.crawler.ai.solver import Solver, escape
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import DOOR, WAY_OUT, Level
from dungeon_tui.games.crawler.model.state import Action, State, Status
from tests.naive_escape import fewest_moves


def level_of(*rows: str) -> Level:
    return Level("x", np.frombuffer("".join(rows).encode(), np.uint8).reshape(len(rows), -1).copy(), Cell(0, 0))


def dived(level: Level, asked: int, goal: int = WAY_OUT) -> str | None:
    terrain = Terrain.of(level.tiles, 1 << 20)
    assert terrain is not None
    start = terrain.moment(level.tiles, level.start)
    assert start is not None
    return dive.dive(terrain.boards, terrain.ways, start, goal, asked)


def played(level: Level, commands: str) -> State:
    state = rules.start(alone(level))
    for letter in commands:
        state, _ = rules.step(state, Action(letter))
    return state


@given(st.lists(st.text("---+$$M@!?", min_size=4, max_size=4), min_size=2, max_size=4), st.integers(1, 2))
def test_a_line_holds_by_the_rules_and_none_is_shorter_than_the_shortest(rows: list[str], asked: int) -> None:
    level = level_of("-" + rows[0][1:], *rows[1:])
    line = dived(level, asked)
    fewest, _ = fewest_moves(rules.start(alone(level)), asked, 0, 20_000)
    if line is None:
        return
    end = played(level, line)
    assert end.status is Status.ESCAPED
    assert end.treasure >= asked
    assert fewest is not None
    assert len(line) >= fewest


def test_it_is_left_by_the_door_without_treasure() -> None:
    level = level_of("--$-?", "-----")
    line = dived(level, 0, DOOR)
    assert line is not None
    assert played(level, line).status is Status.OUT_OF_LEVELS
    assert len(line) == 4


def test_more_treasure_than_there_is_is_not_looked_for() -> None:
    assert dived(level_of("-$-!"), 2) is None


def test_no_amulet_is_stepped_on() -> None:
    assert dived(level_of("-$@!"), 1) is None


def open_level(size: int) -> Level:
    """Treasures, monsters, and amulets among which a search by bounds loses itself."""
    rng = np.random.default_rng(5)
    tiles = rng.choice(np.frombuffer(b"----------------+++$", np.uint8), (size, size))
    tiles[rng.integers(5, size - 5, 12), rng.integers(5, size - 5, 12)] = ord("M")
    tiles[rng.integers(5, size - 5, 4), rng.integers(5, size - 5, 4)] = ord("@")
    tiles[0, :2] = tiles[1, 0] = tiles[-1, -2] = tiles[-2, -1] = ord("-")
    tiles[-1, -1] = WAY_OUT
    return Level("x", tiles, Cell(0, 0))


def test_a_search_that_ends_without_a_line_dives_for_one() -> None:
    level = open_level(40)
    state = rules.start(alone(level))
    found = escape(state, 3, time_limit=0.0)
    assert found.ended == "time"
    assert found.moves is not None
    assert found.lower_bound is not None
    assert found.lower_bound <= found.moves
    assert played(level, found.commands[0]).treasure == found.treasure >= 3


def test_a_search_without_memory_dives_for_a_line() -> None:
    solver = Solver(alone(open_level(40)), memory=0)
    found = solver.escape(rules.start(solver.dungeon))
    assert found.ended == "memory"
    assert found.moves is not None


def test_haste_that_takes_long_dives() -> None:
    level = open_level(40)
    terrain = Terrain.of(level.tiles, 1 << 20)
    assert terrain is not None
    search = level_search.LevelSearch(terrain, terrain.moment(level.tiles, level.start), WAY_OUT, 8, None)
    while not search.has_hasted and search.best == level_search.NEVER:
        search.haste(4096, 1 << 30)
    assert search.best < level_search.NEVER
    assert played(level, search.commands).treasure >= 8
