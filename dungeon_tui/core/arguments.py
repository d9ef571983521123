"""Arguments that name a level of this program, as `GAME play` has them: a shipped one's name, or options that make one.

Reading them opens no file: a name is only ever that of a level that the project ships.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date

FIRST_DAY = date(2000, 1, 1)
"""The first day that has dailies."""


class UnknownLevelError(ValueError):
    """Raised where arguments name no level of this program."""


def spelled(name: str = "", options: Mapping[str, object] | None = None) -> str:
    """The text of arguments: a name, if there is one, and the options that differ from None and False.

    >>> spelled("ring", {"coverage": 90, "fog": True, "end": None}), spelled("", {"seed": -5})
    ('ring --coverage 90 --fog', '--seed -5')
    """
    words = [name] if name else []
    for option, value in (options or {}).items():
        if value is not None and value is not False:
            words += [f"--{option}"] if value is True else [f"--{option}", str(value)]
    return " ".join(words)


def with_options(text: str, options: Mapping[str, object]) -> str:
    """Arguments with some options more, in place of those that they had.

    >>> with_options("ring --monster bfs --seed 3", {"monster": "you", "rogue": "perfect"})
    'ring --monster you --seed 3 --rogue perfect'
    """
    given = Arguments(text)
    return spelled(given.name, {**given.options, **options})


def daily(day: date) -> str:
    """The arguments that name a game's daily level of a day.

    >>> daily(date(2026, 11, 22))
    '--date 2026-11-22'
    """
    return spelled("", {"date": day})


def read_day(text: str) -> date:
    """The day of a text as "2026-11-21".

    Raises:
        ValueError: there is no such day, or it comes before FIRST_DAY; the message says so.
    """
    try:
        day = date.fromisoformat(text) if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else None
    except ValueError:
        day = None
    if day is None:
        raise ValueError(f"{text!r} is no date: YEAR-MONTH-DAY, as in 2026-11-21")
    if day < FIRST_DAY:
        raise ValueError(f"{text} is too early: the first daily is that of {FIRST_DAY}")
    return day


class Arguments:
    """A name and options, each taken once by the game that they belong to; what is left at the end is an error."""

    def __init__(self, text: str) -> None:
        words = text.split()
        self.name = words.pop(0) if words and not words[0].startswith("--") else ""
        self._options: dict[str, str] = {}
        while words:
            option = words.pop(0)
            if not option.startswith("--") or option[2:] in self._options:
                raise UnknownLevelError(f"{option} can't stand in arguments here")
            self._options[option[2:]] = words.pop(0) if words and not words[0].startswith("--") else ""

    @property
    def options(self) -> dict[str, object]:
        """The options not taken yet, in their order; True for one without a value."""
        return {option: value or True for option, value in self._options.items()}

    def __contains__(self, option: object) -> bool:
        return option in self._options

    def text(self, option: str, pattern: str = r"[\w.%-]+") -> str | None:
        """The value of an option that matches a pattern as a whole; None without the option."""
        value = self._options.pop(option, None)
        if value is not None and not re.fullmatch(pattern, value, re.ASCII):
            raise UnknownLevelError(f"--{option} can't be {value!r}")
        return value

    def choice(self, option: str, known: Collection[str], default: str) -> str:
        """The value of an option, one of those known."""
        value = self.text(option) or default
        if value not in known:
            raise UnknownLevelError(f"--{option} can't be {value!r}: there are {', '.join(known)}")
        return value

    def number(self, option: str, default: int, least: int | None = None, most: int | None = None) -> int:
        """The value of an option as a whole number within bounds, both included."""
        value = self.text(option, r"-?[0-9]{1,19}")
        number = default if value is None else int(value)
        if (least is not None and number < least) or (most is not None and number > most):
            raise UnknownLevelError(f"--{option} can't be {number:,} here: from {least:,} to {most:,}")
        return number

    def flag(self, option: str) -> bool:
        """True if an option is there, which has no value."""
        return self.text(option, "") is not None

    def day(self) -> date | None:
        """The day of the option `date`, of which the daily level is meant; None without it."""
        value = self.text("date")
        return None if value is None else read_day(value)

    def end(self) -> None:
        """Raises UnknownLevelError if an option was not taken."""
        for option in self._options:
            raise UnknownLevelError(f"--{option} makes no level here")
