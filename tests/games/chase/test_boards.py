"""The shipped boards: the values in their notes are true, and so is what each one says can be seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai.solver import move_values, path_lengths, solve
from dungeon_tui.games.chase.ai.solver import value as value_of
from dungeon_tui.games.chase.ai.strategies import STRATEGIES
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import read_board, shipped_names
from dungeon_tui.games.chase.model.level import CORRIDOR, ROOM, WALL, Level, level_text, read_level
from dungeon_tui.games.chase.model.state import Side, State
from tests.games.chase.boards import after

NAMES = shipped_names()
LIVES = "The rogue lives for ever"
CAPTURED = re.compile(r"The rogue is captured in ([1-9][0-9]*) monster moves")


def begin(name: str) -> State:
    return rules.start(read_board(name))


def pursue(state: State, monster: str, rogue: str, moves: int) -> State:
    """The chase between two strategies, up to its end or so many monster moves."""
    state = replace(state, level=replace(state.level, moves=moves))
    while rules.outcome(state) is None:
        state = after(state, STRATEGIES[state.side][monster if state.side is Side.MONSTER else rogue](state))
    return state


def steps(level: Level, start: Cell, to: Cell) -> int:
    """The length of a shortest way."""
    return path_lengths(level, to)(start)


def shortest_steps(state: State) -> list[Cell]:
    """The monster's first steps on shortest ways to the rogue."""
    away = steps(state.level, state.monster, state.rogue)
    return [to for to in move_values(state) if steps(state.level, to, state.rogue) == away - 1]


def saving(state: State) -> list[Cell]:
    """The moves after which the rogue is safe for ever."""
    return [to for to, value in move_values(state).items() if value == UNREACHED]


def replies(state: State) -> list[State]:
    """The position after each of the monster's first steps on a shortest way."""
    return [after(state, to) for to in shortest_steps(state)]


def test_every_board_is_listed_once() -> None:
    files = {path.stem for path in levels_folder("chase").glob("*.txt")}
    assert len(NAMES) == len(set(NAMES)) >= 16
    assert files == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_file_is_as_it_would_be_written_and_its_lesson_tells_the_exact_value(name: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    data = (levels_folder("chase") / f"{name}.txt").read_bytes()
    level = read_level(LevelFile(f"{name}.txt", data), name)
    assert level_text(level).encode() == data
    assert not re.search(rb"[ \t\r]\n", data)
    assert level.size <= 40
    assert all(0 < len(line) <= 76 for line in level.note.splitlines())
    assert level.lesson.endswith(".")
    value = value_of(rules.start(level))
    captured = CAPTURED.match(level.lesson)
    assert value == (int(captured[1]) if captured else UNREACHED)
    assert captured or level.lesson.startswith(LIVES)
    end = pursue(rules.start(level), "perfect", "perfect", 60)
    assert (end.status.value, end.monster_moves) == (("captured", value) if value <= 60 else ("evaded", 60))


def test_both_ends_are_shipped() -> None:
    values = [value_of(state) for state in map(begin, NAMES)]
    assert values.count(UNREACHED) >= 8
    assert len(values) - values.count(UNREACHED) >= 8
    assert max(value for value in values if value < UNREACHED) > 100


def whole_room(state: State) -> None:
    assert (state.level.tiles == ROOM).all()


def no_loop_anywhere(state: State) -> None:
    """Wherever both start, the rogue is lost."""
    assert (solve(state.level) < UNREACHED).all()


def disconnected(state: State) -> None:
    assert steps(state.level, state.monster, state.rogue) == UNREACHED
    corners = np.argwhere(state.level.tiles == CORRIDOR)
    assert (np.abs(np.diff(corners, axis=0)) == 1).all()  # they touch, but at their corners alone


def is_chased_for_ever(state: State) -> None:
    """Whoever chases, the rogue runs on."""
    for monster in ("greedy", "bfs", "perfect"):
        assert pursue(state, monster, "perfect", 100).status.value == "evaded"


def just_in_time(state: State) -> None:
    """To lose one move is to lose all: the first reply must be a step, and the only right one."""
    for reply in replies(state):
        assert len(saving(reply)) == 1
        assert saving(reply) != [reply.rogue]


def four_sites(state: State) -> None:
    """No wall is inside the loop, and with four rooms in place of its corridors there is no loop."""
    square = (slice(state.rogue.row - 1, state.rogue.row + 1), slice(state.rogue.col - 1, state.rogue.col + 1))
    assert (state.level.tiles[square] != WALL).all()
    tiles = state.level.tiles.copy()
    tiles[square] = ROOM
    no_loop_anywhere(rules.start(replace(state.level, tiles=tiles)))


def one_pillar(state: State) -> None:
    """Without its pillar the rogue is lost."""
    tiles = state.level.tiles.copy()
    tiles[state.rogue.row - 1, state.rogue.col] = ROOM
    no_loop_anywhere(rules.start(replace(state.level, tiles=tiles)))


def near_square_is_false(state: State) -> None:
    """Each step towards the near square loses; one towards the far one saves; it is farther away."""
    near, far = Cell(3, 1), Cell(3, 10)
    for reply in replies(state):
        values, here = move_values(reply), reply.rogue
        assert steps(state.level, here, near) < steps(state.level, here, far)
        assert all(values[to] < UNREACHED for to in values if to.col < here.col)
        assert values[Cell(here.row, here.col + 1)] == UNREACHED


def nearest_is_wrong(state: State) -> None:
    """At the fork, the way to the near loop loses and the way to the far one saves."""
    near, far = Cell(7, 2), Cell(7, 12)
    assert steps(state.level, state.rogue, near) < steps(state.level, state.rogue, far)
    for _ in range(10):
        state = replies(state)[0]
        if state.rogue == Cell(7, 6):
            break
        state = after(state, saving(state)[0])
    values = move_values(state)
    assert values[Cell(7, 5)] < UNREACHED
    assert values[Cell(7, 7)] == UNREACHED


def runs_in_vain(state: State) -> None:
    no_loop_anywhere(state)
    assert steps(state.level, state.monster, state.rogue) == 2


def gate_is_kept(state: State) -> None:
    """The monster stands nearer to the loop; were the rogue behind it, it would be safe."""
    mouth = Cell(4, 6)
    assert steps(state.level, state.monster, mouth) < steps(state.level, state.rogue, mouth)
    assert value_of(replace(state, rogue=Cell(0, 6))) == UNREACHED


def one_step_too_late(state: State) -> None:
    """The same dungeon and rogue; only the monster is a step nearer."""
    other = begin("just-in-time")
    assert (state.level.tiles == other.level.tiles).all()
    assert state.rogue == other.rogue
    assert steps(state.level, state.monster, other.monster) == 1


def toward_the_monster(state: State) -> None:
    for reply in replies(state):
        best = saving(reply)
        assert best
        here = steps(state.level, reply.rogue, reply.monster)
        assert all(steps(state.level, to, reply.monster) < here for to in best)


def stays_put(state: State) -> None:
    assert replies(state)
    assert all(saving(reply) == [reply.rogue] for reply in replies(state))


def every_first_step_is_safe(state: State) -> None:
    for to in move_values(state):
        moved = after(state, to)
        assert saving(moved) == list(move_values(moved))


def one_first_move_wins(state: State) -> None:
    values = move_values(state)
    assert len(values) == 5
    assert sum(value < UNREACHED for value in values.values()) == 1


def one_short_way_wins(state: State) -> None:
    values, short = move_values(state), shortest_steps(state)
    assert len(short) == 3
    assert sum(values[to] < UNREACHED for to in short) == 1
    assert pursue(state, "bfs", "perfect", 200).status.value == "evaded"


def no_short_way_wins(state: State) -> None:
    values = move_values(state)
    assert all(values[to] == UNREACHED for to in shortest_steps(state))
    assert pursue(state, "bfs", "perfect", 200).status.value == "evaded"


def through_the_gap(state: State) -> None:
    no_short_way_wins(state)
    values = move_values(state)
    best = [to for to, value in values.items() if value < UNREACHED]
    assert best == [Cell(9, 6)]
    assert state.level.tiles[best[0]] == CORRIDOR


def five_only_moves(state: State) -> None:
    """On whichever shortest ways the monster comes, five replies in a row are the only ones that save."""
    positions = [state]
    for _ in range(5):
        answered = [reply for position in positions for reply in replies(position)]
        assert all(len(saving(reply)) == 1 for reply in answered)
        saved = [after(reply, *saving(reply)) for reply in answered]
        positions = list({(each.monster, each.rogue): each for each in saved}.values())
    assert any(len(saving(reply)) > 1 for position in positions for reply in replies(position))


def sets_out_at_once(state: State) -> None:
    just_in_time(state)
    late = after(state, shortest_steps(state)[0], state.rogue)
    assert 50 < value_of(late) < UNREACHED


SEEN: dict[str, Callable[[State], None]] = {
    "open-room": whole_room,
    "four-dead-ends": no_loop_anywhere,
    "single-loop": is_chased_for_ever,
    "smallest-loop": four_sites,
    "single-pillar": one_pillar,
    "braid": no_loop_anywhere,
    "false-loop": near_square_is_false,
    "two-islands": disconnected,
    "snail-shell": no_loop_anywhere,
    "long-spiral": no_loop_anywhere,
    "comb": runs_in_vain,
    "gatekeeper": gate_is_kept,
    "just-in-time": just_in_time,
    "just-too-late": one_step_too_late,
    "toward-the-monster": toward_the_monster,
    "wrong-loop": nearest_is_wrong,
    "stand-still": stays_put,
    "figure-eight": every_first_step_is_safe,
    "no-time-to-lose": one_first_move_wins,
    "three-short-ways": one_short_way_wins,
    "long-way-round": no_short_way_wins,
    "bottleneck": through_the_gap,
    "five-good-moves": five_only_moves,
    "thirty-six-rooms": sets_out_at_once,
}


@pytest.mark.parametrize("name", NAMES)
def test_what_a_board_says_can_be_seen(name: str) -> None:
    SEEN[name](begin(name))
