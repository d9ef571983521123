"""The crawler's sentences: every event in words, for all narrators but the transcript's prescribed lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dungeon_tui.core.grid import Direction
from dungeon_tui.core.rules import Event, LevelBegun
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.rules import Threat
from dungeon_tui.games.crawler.model.state import (
    Action,
    AmuletTaken,
    Died,
    DoorTaken,
    Doubled,
    DoublingRefused,
    Escaped,
    MonstersAdvanced,
    State,
    Stayed,
    StayReason,
    TreasureTaken,
)

SIDES = {
    Direction.UP: "above",
    Direction.DOWN: "below",
    Direction.LEFT: "on the left",
    Direction.RIGHT: "on the right",
}
WAYS = {Action.UP: "up", Action.DOWN: "down", Action.LEFT: "left", Action.RIGHT: "right"}
_STOPPED_BY = {
    StayReason.CHOSEN: "You stay where you are.",
    StayReason.EDGE: "You bump into the edge of the map.",
    StayReason.PILLAR: "You bump into a pillar.",
    StayReason.MONSTER: "A monster bars the way.",
    StayReason.NO_TREASURE: "The way out stays shut: you need a treasure first.",
}


def goal(state: State) -> str:
    """Goal of this level in a sentence: whether treasure is still needed, and which way leads on."""
    tiles = state.board.array()
    has_gold = bool((tiles == TREASURE).any())
    if (tiles == WAY_OUT).any():
        return "Take some gold, then leave by the way out." if state.treasure == 0 else "Leave by the way out."
    if not (tiles == DOOR).any():
        return "There is no way on from this level."
    return "Take what gold you dare, and get to the door." if has_gold else "Get to the door."


_A = {TREASURE: "a treasure", AMULET: "an amulet", DOOR: "a door", WAY_OUT: "a way out"}
_LAST = {
    TREASURE: "the last treasure, and you have none",
    AMULET: "the last amulet, without which no way out can be reached",
    DOOR: "the last door",
    WAY_OUT: "the last way out",
}


def treasures(number: int) -> str:
    """A number of treasures in words: "1 treasure", "2 treasures"."""
    return counted(number, "treasure")


def sentences(event: Event, dungeon: Dungeon) -> Iterator[str]:
    """Sentences for an event, one or more; none for a plain step."""
    match event:
        case Stayed(reason=reason):
            yield _STOPPED_BY[reason]
        case TreasureTaken(treasure=treasure):
            yield f"Treasure! You have {treasures(treasure)} now."
        case AmuletTaken():
            yield "The amulet crumbles, and the ground begins to rumble."
        case Doubled(height=height, width=width):
            yield f"The level has doubled to {height} x {width}."
        case DoublingRefused(cells=cells, limit=limit):
            yield f"Nothing happens: {cells:,} cells would be above the limit of {limit:,}."
        case MonstersAdvanced(direction=direction, distances=distances, destroyed=destroyed):
            yield _advance_text(SIDES[direction], distances)
            yield from (f"It crushes {_A[tile]}." for tile in destroyed)
        case Died():
            yield "A monster catches you."
        case DoorTaken(left_behind=left):
            yield f"You go through the door{f', leaving {treasures(left)} behind' if left else ''}."
        case LevelBegun(number=number):
            name = dungeon.notes[number - 1].name
            yield f"Level {number}{': ' + name if name else ''}."
        case Escaped():
            yield "You have escaped the dungeon!"


def threat_text(state: State, threat: Threat) -> str:
    """A threat in words: the monster and its aim, or the player's moves that let it happen."""
    what = f"{_LAST[threat.tile]}: {threat.cell.place}."
    if Action.STAY in threat.actions:
        rows, cols = threat.cell.row - state.adventurer.row, threat.cell.col - state.adventurer.col
        ray = Direction(((rows > 0) - (rows < 0), (cols > 0) - (cols < 0)))  # on which cell and monster lie
        return f"The monster {SIDES[ray]} is about to break {what}"
    return f"If you go {either([WAYS[action] for action in threat.actions])}, a monster breaks {what}"


def either(words: Iterable[str]) -> str:
    """Words joined as a choice, one at least.

    >>> either(["up", "left", "right"])
    'up, left or right'
    """
    *rest, last = words
    return f"{', '.join(rest)} or {last}" if rest else last


def _advance_text(side: str, distances: tuple[int, ...]) -> str:
    nearest = distances[0] - 1
    steps = f"{counted(nearest, 'step')} away"
    if len(distances) == 1:
        return f"The monster {side} comes closer: {steps}." if nearest else f"The monster {side} pounces."
    return f"{len(distances)} monsters {side} come closer: the nearest {steps if nearest else 'pounces'}."
