"""The shipped boards: the values in their notes are true."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.level import LevelFile
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai.solver import value as value_of
from dungeon_tui.games.chase.ai.strategies import STRATEGIES
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import read_board, shipped_names
from dungeon_tui.games.chase.model.level import level_text, read_level
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
