"""Numbers with units, names as words, messages as sentences or clauses, and events in words by a table."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from string import ascii_letters, digits
from typing import Any, Literal

from dungeon_tui.core.meaning import Meaning
from dungeon_tui.core.rules import Event

LETTERS = digits + ascii_letters  # a number from 0 to 61 in one character
_UNCOUNTED = "gold", "health"  # nouns without a plural
_FILE = re.compile(r"\S*([/\\]|\.\w|:\d)|[^:]+:\d+:")  # a text that begins with a file, or a position in one


def counted(number: int, what: str) -> str:
    """A number with its noun, in the plural if needed and if it has one.

    >>> counted(1, "move"), counted(2, "move"), counted(1234, "move")
    ('1 move', '2 moves', '1,234 moves')
    """
    return f"{number:,} {what}" + ("" if number == 1 or what in _UNCOUNTED else "s")


def duration(seconds: float) -> str:
    """A time in seconds, minutes or hours.

    >>> duration(59.9), duration(60), duration(3725)
    ('59 s', '1 min 0 s', '1 h 2 min')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, of_hour = divmod(minutes, 60)
    return f"{hours:,} h {of_hour} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def often(number: int) -> str:
    """A number of times, in words.

    >>> often(1), often(2), often(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(number) or counted(number, "time")


def turn_name(ply: int) -> str:
    """The name of a turn, by its ply.

    >>> turn_name(0), turn_name(3)
    ('the start', 'turn 3')
    """
    return f"turn {ply:,}" if ply else "the start"


def capitalised(text: str) -> str:
    """The text with a capital first letter.

    >>> capitalised("no way to C")
    'No way to C'
    """
    return text[:1].upper() + text[1:]


def midway(text: str) -> str:
    """The text with a small first letter, for the middle of a sentence.

    >>> midway("Expecting value")
    'expecting value'
    """
    return text[:1].lower() + text[1:]


def in_words(name: str) -> str:
    """A level's name as a title: blanks for hyphens, except in dates, and a capital first letter.

    >>> in_words("open-room"), in_words("daily-2026-11-22")
    ('Open room', 'Daily 2026-11-22')
    """
    return capitalised(re.sub(r"([0-9]{4}-[0-9]{2}-[0-9]{2})|-", lambda found: found[1] or " ", name))


def reason(error: Exception) -> str:
    """The reason in an error of the system, as a clause.

    >>> reason(FileNotFoundError(2, "No such file or directory")), reason(OSError())
    ('no such file or directory', 'unknown reason')
    """
    return midway(getattr(error, "strerror", None) or str(error) or "unknown reason")


def sentence(text: str) -> str:
    """A message as a sentence: with a full stop, and a capital first letter unless it begins with a file name.

    >>> sentence("the door is shut"), sentence("Too late!"), sentence("a/b1.txt:4:5: unknown tile 'x'")
    ('The door is shut.', 'Too late!', "a/b1.txt:4:5: unknown tile 'x'.")
    """
    return (text if _FILE.match(text) else capitalised(text)) + ("" if text.endswith((".", "!", "?")) else ".")


@dataclass(frozen=True, slots=True)
class Telling:
    """The sentences, colour and animation of a kind of event."""

    text: str | Callable[[Any, Any], str | Iterable[str]] = ""
    """The event and the state after its turn -> sentences; a str is formatted with both; empty: no sentence."""
    meaning: Meaning = Meaning.NOTE
    motion: Literal["", "step", "struck", "sparkling"] = ""
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
