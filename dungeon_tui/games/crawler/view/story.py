"""The screen's narrator: a turn's events and the threats that come up, as coloured messages."""

from __future__ import annotations

from collections.abc import Iterator

from dungeon_tui.core.rules import Event
from dungeon_tui.core.turns import Turn
from dungeon_tui.games.crawler.model.rules import threats
from dungeon_tui.games.crawler.model.state import (
    Action,
    AmuletTaken,
    Died,
    DoorTaken,
    Doubled,
    Escaped,
    MonstersAdvanced,
    State,
    TreasureTaken,
)
from dungeon_tui.games.crawler.view.words import sentences, threat_text
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.widgets.message_log import Line

_MEANINGS: dict[type[Event], Meaning] = {
    TreasureTaken: Meaning.PRIZE,
    AmuletTaken: Meaning.MAGIC,
    Doubled: Meaning.MAGIC,
    MonstersAdvanced: Meaning.FOE,
    Died: Meaning.FOE,
    DoorTaken: Meaning.DOOR,
    Escaped: Meaning.WAY_OUT,
}
_AWHILE = 12  # turns after which a threat that was gone is told again


def told_events(turn: Turn[State, Action]) -> Iterator[Line]:
    """A turn's events."""
    for event in turn.events:
        meaning = _MEANINGS.get(type(event), Meaning.NOTE)
        yield from (Line(text, meaning) for text in sentences(event, turn.state.dungeon))


def told_threats(turn: Turn[State, Action]) -> Iterator[Line]:
    """The threats from now on: each once, however often one steps into a monster's sight and out again."""
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
