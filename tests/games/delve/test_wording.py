"""Every sentence that the delve can say, held in wording.txt; --update-golden writes the file anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.dungeon import read_level
from dungeon_tui.games.delve.model.state import (
    KINDS,
    Action,
    DungeonCleared,
    Monster,
    MonsterKilled,
    PlayerDied,
    RockWorn,
    StairsTaken,
    Status,
    Stayed,
)
from dungeon_tui.games.delve.view import transcript, words
from tests.games.delve.drawn import state_of
from tests.games.delve.test_dungeon import BROKEN, CROOKED, MANY
from tests.wording import usage_errors

PLAIN, DIGGER = Monster(1, KINDS[0], Cell(1, 1), 10), Monster(2, KINDS[12], Cell(1, 2), 15)
EVENTS = (
    Stayed(Cell(1, 1)),
    MonsterKilled(PLAIN, None),
    MonsterKilled(PLAIN, DIGGER),
    RockWorn(DIGGER, Cell(1, 2), 1),
    RockWorn(DIGGER, Cell(1, 2), 0),
    StairsTaken(True, 2),
    StairsTaken(False, 1),
    PlayerDied(Cell(1, 1), DIGGER),
    DungeonCleared(),
)


def sentences() -> Iterator[tuple[str, str]]:
    state = state_of("   .", "X@%.", " . 0")
    ends = [replace(state, status=status) for status in (Status.WON, Status.DIED)]
    for event in EVENTS:
        yield type(event).__name__, words.event_text(event)
    for action in (Action.UP, Action.RIGHT, Action.LEFT, Action.DESCEND, Action.ASCEND):
        yield f"refused {action.name}", str(rules.objection(state, action))
    for end in ends:
        yield f"refused when {end.status.value}", str(rules.objection(end, Action.STAY))
        yield f"outcome {end.status.value}", str(rules.outcome(end))
        yield f"ending {end.status.value}", " / ".join(words.ending(end)).replace("\n", " / ")
        yield f"farewell {end.status.value}", words.farewell(end)
    for cell in (Cell(9, 9), Cell(-1, 0), Cell(2, 2), Cell(1, 4), Cell(2, 3)):
        yield f"no route to {cell.place}", str(solver.route(state, cell))
    yield "farewell playing", words.farewell(state)
    yield "no route to what was seen", str(solver.route(state, Cell(1, 4), is_foggy=False))
    yield "explored", str(solver.explore_route(replace(state, seen=state.terrain)))
    yield "explored", str(solver.explore_route(replace(state, seen=state.seen.replace([10], [ord(".")]))))
    for cell in (Cell(2, 2), Cell(2, 3), Cell(1, 3), Cell(0, 0), Cell(3, 4)):
        yield "cell", words.cell_text(state, cell, is_foggy=False)
    yield "cell unseen", words.cell_text(state, Cell(3, 4))
    yield "sighting", words.sighting(DIGGER)
    yield "in sight", words.IN_SIGHT
    yield "arrival", words.arrival(state)
    for code in b"<>":
        yield "on stairs", words.on_stairs(code)
    yield "task", words.TASK
    yield "note", words.NOTE.format("the size field is little-endian")
    yield "lines of sight", words.SIGHT.format("·")
    yield "danger", words.DANGER.format("×")
    for hint in words.HINTS:
        yield "hint", hint
    yield "prompt", transcript.PROMPT.strip()
    yield "not understood", words.NOT_UNDERSTOOD
    yield "score", words.score(state)
    for name, file in CROOKED.items():
        for warning in read_level(LevelFile("x", file.data)).warnings:
            yield f"file, {name}", warning
    yield "file, many odd rooms", read_level(LevelFile("x", MANY)).warnings[-1]
    for name, data in BROKEN.items():
        with pytest.raises(LevelError) as refused:
            read_level(LevelFile("x", data))
        yield f"file, {name}", refused.value.message
    yield from usage_errors("games/delve/commands.py")


def test_wording(golden: Callable[[Path, str], None]) -> None:
    golden(Path(__file__).with_name("wording.txt"), "".join(f"{event}: {text}\n" for event, text in sentences()))
