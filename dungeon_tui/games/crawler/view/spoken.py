"""The crawler for those who don't look: what is around, who sees you, the nearest thing, the next commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.spoken import Spoken, Surroundings, in_runs
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, MONSTER, OPEN, PILLAR, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.state import (
    ACTION_OF,
    Action,
    AmuletTaken,
    DoorTaken,
    Escaped,
    State,
    TreasureTaken,
)
from dungeon_tui.games.crawler.view import late
from dungeon_tui.games.crawler.view.words import SIDES, WAYS, goal, treasures

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.solver import Planner

COMMANDS = "wasdeqr"
_KEYS = "w a s d: up, left, down, right; e: stay; r: restart the level; q: leave."
_NAMES = {
    PILLAR: "pillar",
    TREASURE: "treasure",
    AMULET: "amulet",
    MONSTER: "monster",
    DOOR: "door",
    WAY_OUT: "way out",
}
_AIMS = {TreasureTaken: "a treasure", AmuletTaken: "an amulet", DoorTaken: "the door", Escaped: "the way out"}
_STAYS = {action.value: WAYS.get(action, "stay") for action in Action}


def spoken(dungeon: Dungeon, board: Callable[[State], str]) -> Spoken[State]:
    """The answers in words of one dungeon, and the map as the transcript prints it."""
    planner = cache(partial(late.planner, dungeon))
    return Spoken(
        keys=_KEYS,
        look=look,
        who=who,
        near=lambda state, word: surroundings(state).near(word),
        hint=lambda state: _hint(state, planner()),
        board=board,
        commands=COMMANDS,
    )


def surroundings(state: State) -> Surroundings:
    """The level around the adventurer."""
    tiles = state.board.copy()

    def name(cell: Cell) -> str:
        return _NAMES.get(int(tiles[cell]), "") if cell.is_inside(*tiles.shape) else "edge"

    def steps(cell: Cell) -> Iterable[Cell]:
        if cell != state.adventurer and tiles[cell] in (MONSTER, DOOR, WAY_OUT):
            return ()  # nobody goes further
        return [beside for beside in map(cell.neighbour, FOUR_WAYS) if name(beside) not in ("edge", "pillar")]

    places = np.argwhere((tiles != OPEN) & (tiles != PILLAR)).tolist()
    things = [(_NAMES[int(tiles[row, col])], Cell(row, col)) for row, col in places]
    keys = {way: ACTION_OF[way].value for way in FOUR_WAYS}
    return Surroundings(state.adventurer, name, things, steps, keys)


def look(state: State) -> str:
    """The level's goal, treasure and moves so far, and what is around."""
    figures = f"Level {state.number}, {treasures(state.treasure)}, {counted(state.moves, 'move')}."
    return f"{surroundings(state).look()} {figures} {goal(state)}"


def who(state: State) -> str:
    """The monsters that see the adventurer, and the commands after which he would be dead."""
    told = [
        f"{counted(len(distances), 'monster')} {SIDES[way]}, {counted(distances[0], 'step')} away."
        for way, (_, distances) in rules.sight_lines(state).items()
        if distances
    ]
    cells = rules.deadly_cells(state)
    deadly = [_STAYS[action.value] for action in Action if rules.destination(state, action) in cells]
    return " ".join([*told, *([f"Deadly now: {', '.join(deadly)}."] if deadly else [])])


def _hint(state: State, planner: Planner) -> str:
    """The commands up to the next thing on the shortest line out, and how long that line is."""
    aim = state.dungeon.least_treasure
    found = planner.escape(state, aim, planner.patience(state, aim))
    if found.moves is None:
        sure = "There is no way out from here: that is proven."
        return f"{sure} undo, or restart." if found.is_proven else "No way out was found in time; hint searches longer."
    moment, keys, thing = state.apart(), "", None
    for key in found.commands[0]:
        moment, events = rules.step(moment, rules.read_action(key))
        keys += key
        if thing := next((_AIMS[type(event)] for event in events if type(event) in _AIMS), None):
            break
    proof = "none is shorter" if found.is_proven else "the best way found"
    total = f"{counted(found.moves, 'move')} out, with {treasures(found.treasure)}: {proof}."
    return f"Type {keys}: {in_runs(keys, _STAYS)}, to {thing}. {total}"
