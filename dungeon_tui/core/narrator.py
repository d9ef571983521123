"""Events in words: one table for each game, used by transcripts, the log and animations."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dungeon_tui.core.meaning import Meaning
from dungeon_tui.core.rules import Event


@dataclass(frozen=True, slots=True)
class Telling:
    """The sentences, colour and animation of a kind of event."""

    text: str | Callable[[Any, Any], str | Iterable[str]] = ""
    """The event and the state after its turn -> sentences; a str is formatted with both; empty: no sentence."""
    meaning: Meaning = Meaning.NOTE
    motion: Literal["", "step", "struck", "sparkling", "opening"] = ""
    """The motion on the map: the player's step, or one at the event's cell or where the player went."""


Table = Mapping[type[Event], Telling]


def event_texts(table: Table, event: Event, state: Any) -> Iterator[tuple[str, Meaning]]:
    """The sentences of an event, each with its meaning; none if it is not in the table."""
    if (telling := table.get(type(event))) is None:
        return
    text = telling.text.format(event, state) if isinstance(telling.text, str) else telling.text(event, state)
    for each in [text] if isinstance(text, str) else text:
        if each:
            yield each, telling.meaning


def sentences(table: Table, event: Event, state: Any) -> list[str]:
    """The sentences of an event."""
    return [text for text, _ in event_texts(table, event, state)]
