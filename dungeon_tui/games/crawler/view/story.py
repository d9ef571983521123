"""What happens in the crawler's turns, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dungeon_tui.core.grid import Direction
from dungeon_tui.core.rules import LevelBegun
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, TREASURE, WAY_OUT
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
from dungeon_tui.games.crawler.model.threats import Threat, threats
from dungeon_tui.games.crawler.view.transcript import treasures
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.widgets.message_log import Line

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
_A = {TREASURE: "a treasure", AMULET: "an amulet", DOOR: "a door", WAY_OUT: "a way out"}
_LAST = {
    TREASURE: "the last treasure, and you have none",
    AMULET: "the last amulet, without which no way out can be reached",
    DOOR: "the last door",
    WAY_OUT: "the last way out",
}
_AWHILE = 12  # turns after which a threat that was gone is told again


def told_events(turn: Turn[State, Action]) -> Iterator[Line]:
    """A turn's events; plain steps need no words."""
    for event in turn.events:
        match event:
            case Stayed(reason=reason):
                yield Line(_STOPPED_BY[reason])
            case TreasureTaken(treasure=treasure):
                yield Line(f"Treasure! You have {treasures(treasure)} now.", Meaning.PRIZE)
            case AmuletTaken():
                yield Line("The amulet crumbles, and the ground begins to rumble.", Meaning.MAGIC)
            case Doubled(height=height, width=width):
                yield Line(f"The level has doubled to {height} x {width}.", Meaning.MAGIC)
            case DoublingRefused(cells=cells, limit=limit):
                yield Line(f"Nothing happens: {cells:,} cells would be above the limit of {limit:,}.")
            case MonstersAdvanced(direction=direction, distances=distances, destroyed=destroyed):
                yield Line(_advance_text(direction, distances), Meaning.FOE)
                for tile in destroyed:
                    yield Line(f"It crushes {_A[tile]}.", Meaning.FOE)
            case Died():
                yield Line("A monster has you.", Meaning.FOE)
            case DoorTaken(left_behind=left):
                rest = f", leaving {treasures(left)} behind" if left else ""
                yield Line(f"You go through the door{rest}.", Meaning.DOOR)
            case LevelBegun(number=number):
                name = turn.state.dungeon.note(number).name
                yield Line(f"Level {number}{': ' + name if name else ''}.")
            case Escaped():
                yield Line("You have escaped the dungeon!", Meaning.WAY_OUT)
            case _:
                pass


def told_threats(turn: Turn[State, Action]) -> Iterator[Line]:
    """What monsters are about to break from now on: once, however often one steps into their sight and out again."""
    present = threats(turn.state)
    told: set[tuple[int, int]] = set()
    before = turn.parent
    while present and before is not None and turn.ply - before.ply <= _AWHILE:
        if before.state.number != turn.state.number:
            break
        told.update(threat.cell for threat in threats(before.state))
        before = before.parent
    for threat in present:
        if threat.cell not in told:
            yield Line(threat_text(turn.state, threat), Meaning.FOE)


def threat_text(state: State, threat: Threat) -> str:
    """Who is about to break what, or what lets it happen."""
    what = f"{_LAST[threat.tile]}: {threat.cell.place}."
    if Action.STAY in threat.actions:
        return f"The monster {SIDES[_side(state, threat)]} is about to break {what}"
    ways = either([WAYS[action] for action in threat.actions])
    return f"If you go {ways}, a monster breaks {what}"


def either(words: Iterable[str]) -> str:
    """Some words as a choice.

    >>> either(["up", "left", "right"])
    'up, left or right'
    """
    *rest, last = words
    return f"{', '.join(rest)} or {last}" if rest else last


def _side(state: State, threat: Threat) -> Direction:
    """Where a monster that sees the adventurer comes from: the ray on which the threatened cell lies."""
    rows, cols = threat.cell.row - state.adventurer.row, threat.cell.col - state.adventurer.col
    return Direction(((rows > 0) - (rows < 0), (cols > 0) - (cols < 0)))


def _advance_text(direction: Direction, distances: tuple[int, ...]) -> str:
    side = SIDES[direction]
    nearest = distances[0] - 1
    steps = f"{counted(nearest, 'step')} away"
    if len(distances) == 1:
        return f"The monster {side} comes closer: {steps}." if nearest else f"The monster {side} pounces."
    return f"{len(distances)} monsters {side} come closer: the nearest {steps if nearest else 'pounces'}."
