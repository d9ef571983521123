"""Every sentence that the delve can say, held in wording.txt; --update-golden writes the file anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.turns import Turn
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.ai.plan import plan
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.dungeon import read_level
from dungeon_tui.games.delve.model.level import AMULET, HEARTS, STAIRS_DOWN, STAIRS_UP
from dungeon_tui.games.delve.model.state import (
    KINDS,
    Action,
    AmuletBroughtUp,
    AmuletTaken,
    DungeonCleared,
    HeartGained,
    Monster,
    MonsterKilled,
    PlayerDied,
    PlayerHit,
    RockWorn,
    StairsTaken,
    Status,
    Stayed,
)
from dungeon_tui.games.delve.view import transcript, words
from dungeon_tui.games.delve.view.analysis import DelveAnalysis, verdict
from dungeon_tui.ui.glyphs import UNICODE
from tests.games.delve.drawn import state_of
from tests.games.delve.test_dungeon import BROKEN, CROOKED, MANY
from tests.wording import usage_errors

PLAIN, DIGGER = Monster(1, KINDS[0], Cell(1, 1), 10), Monster(2, KINDS[12], Cell(1, 2), 15)
EVENTS = (
    Stayed(Cell(1, 1)),
    MonsterKilled(PLAIN, None),
    MonsterKilled(PLAIN, DIGGER),
    MonsterKilled(PLAIN, PLAIN),
    RockWorn(DIGGER, Cell(1, 2), 1),
    RockWorn(DIGGER, Cell(1, 2), 0),
    StairsTaken(True, 2),
    StairsTaken(False, 1),
    PlayerHit(Cell(1, 1), DIGGER, 2),
    HeartGained(3),
    AmuletTaken(Cell(1, 1)),
    AmuletBroughtUp(),
    PlayerDied(Cell(1, 1), DIGGER),
    DungeonCleared(),
)

HINTED = (
    (("@0.",), False),
    (("@.......0",), False),
    (("@.#.....0",), False),
    (("#......@0", "..", ".."), False),
    (("@.>.....0",), False),
    (("@X", ".2"), False),
    (("@", "X", "X", " ", "6"), False),
    (("@X", " ", "6"), False),
    (("@..>", "XXXX", "0"), False),
    (("@...", "XX.X", "X0.."), False),
    (("@.", "XX", "0X"), True),
)


def sentences() -> Iterator[tuple[str, str]]:
    state = state_of("   .", "X@%.", " . 0")
    ends = [replace(state, status=status) for status in (Status.WON, Status.DIED)]
    for event in EVENTS:
        yield type(event).__name__, words.event_text(event)
        if (named := words.event_text(event, words.the)) != words.event_text(event):
            yield type(event).__name__, named
    for action in (Action.UP, Action.RIGHT, Action.LEFT, Action.DESCEND, Action.ASCEND):
        yield f"refused {action.name}", str(rules.objection(state, action))
    for end in ends:
        yield f"refused when {end.status.value}", str(rules.objection(end, Action.STAY))
        yield f"outcome {end.status.value}", str(rules.outcome(end))
        yield f"goal when {end.status.value}", words.goal(end)
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
    yield "arrival", words.arrival(state)
    fair = replace(state, level=replace(state.level, rules=HEARTS), hearts=2)
    for depth in (1, *words.NEWS):
        yield "arrival", words.arrival(replace(fair, depth=depth))
        yield "goal", words.goal(replace(fair, depth=depth))
    yield "goal with the amulet", words.goal(replace(fair, has_amulet=True))
    for status in (Status.WON, Status.DIED):
        by = (replace(DIGGER, cell=fair.player),) if status is Status.DIED else ()
        end = replace(fair, status=status, monsters=by)
        yield f"outcome {status.value}", str(rules.outcome(end))
        yield f"ending {status.value}", " / ".join(words.ending(end))
        yield f"judged {status.value}", verdict(end)
    yield "judged by the course's rules", verdict(state)
    yield "judged", verdict(fair)
    yield "no way on", str(DelveAnalysis(UNICODE).why(Turn(ends[0])))
    yield "score", words.score(fair)
    for abilities in range(16):
        monster = Monster(1, KINDS[abilities], Cell(1, 4), 8)
        yield f"monster {words.letter(monster)}", f"{words.the(monster)}: {words.knowledge(state, monster)}"
    for moved in (replace(PLAIN, cell=Cell(2, 4)), replace(PLAIN, last_seen=Cell(2, 2))):
        yield "monster", words.knowledge(state, moved)
    yield "monster", words.knowledge(replace(state, has_amulet=True), PLAIN)
    yield "sounds", words.sounds(state, (replace(PLAIN, cell=Cell(3, 4)), replace(DIGGER, cell=Cell(1, 4))))
    for code in (STAIRS_DOWN, STAIRS_UP, AMULET):
        yield "found", words.found(code)
    for glyph, what in words.legend():
        yield f"legend {glyph}", what
    for code in b"<>":
        yield "on stairs", words.on_stairs(code)
    yield "greeting", words.FIGHTING
    yield "note", words.NOTE.format("the size field is little-endian")
    yield "lines of sight", words.SIGHT.format("·")
    yield "danger", words.DANGER.format("×")
    for rows, fog in HINTED:
        hinted = state_of(*rows)
        hinted = replace(hinted, seen=hinted.terrain) if fog else hinted
        for step in range(3):
            yield f"hint {step}", words.hint(hinted, plan(hinted), step)
    yield "coming", words.coming(hinted := state_of("@2", speeds=(20,)), hinted.monsters[0])
    yield "hint 0", words.hint(hinted := state_of("#.@.2", speeds=(20,)), plan(hinted), 0)
    yield "threat", words.threat(DIGGER)
    yield "can hit", words.can_hit(DIGGER)
    yield "hearts left", words.hearts_left(fair)
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
