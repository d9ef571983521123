"""The options that name or generate a level: one table for each game.

The command `GAME play`, the forms of the menu, share codes, dailies and the library read and spell levels with it. A
level's text is the name of a shipped level, or nothing, followed by options: "ring --coverage 90".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from random import randrange
from types import MappingProxyType
from typing import Any

FIRST_DAY = date(2000, 1, 1)
"""The first day that has dailies."""

MOST_SEED = 10**18 - 1
ANY, EXISTING, NEW = "any", "existing", "new"
"""The levels that an option is for: any, only named, only generated."""


class UnknownLevelError(ValueError):
    """Raised when options name no level of this program."""


# -- kinds of values


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value; the functions below make them."""

    metavar: str  # stands for the value in a command line
    allowed: str  # in words for the help; empty if the metavar says it all
    read: Callable[[str], Any]  # of a text; raises ValueError, which names the allowed values
    spell: Callable[[Any], str | None] = str  # the text that is read as a value; None: there is none
    bounds: tuple[int, int] | None = None  # of a number
    titles: Mapping[str, str] = field(default_factory=dict)  # of words: each one's words for people
    more: str = ""  # what else a command accepts, in words


def number(least: int, most: int) -> Kind:
    """A whole number within bounds, inclusive."""
    allowed = f"{least:,} to {most:,}"

    def read(text: str) -> int:
        if not re.fullmatch(r"[+-]?[0-9]{1,19}", text, re.ASCII):
            raise ValueError(f"{text!r} is not a whole number from {allowed}")
        if not least <= int(text) <= most:
            raise ValueError(f"{int(text):,} is not in the range {allowed}")
        return int(text)

    return Kind("N", allowed, read, bounds=(least, most))


def decimal(least: int, most: int) -> Kind:
    """A number within bounds, inclusive; may have decimal places and a percent sign."""
    allowed = f"{least} to {most}"

    def read(text: str) -> Fraction:
        digits = text.removesuffix("%")
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,20})?", digits, re.ASCII):
            raise ValueError(f"{text!r} is not a number from {allowed}, as in 33.3")
        if not least <= Fraction(digits) <= most:
            raise ValueError(f"{text} is not in the range {allowed}")
        return Fraction(digits)

    return Kind("N", allowed, read, lambda value: f"{float(value):.15g}")


def one_of(titles: Mapping[str, str] | Collection[str], more: str = "") -> Kind:
    """One of some words, each with its label; `more` says what else the command accepts."""
    words = dict(titles) if isinstance(titles, Mapping) else {word: word for word in titles}
    shown = ", ".join(words)

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"{text!r} is none of {shown}")
        return text

    def spell(value: str) -> str | None:
        return value if value in words else None

    if more or len(shown) > 40:
        return Kind("NAME", f"{shown}, {more}" if more else shown, read, spell, titles=words, more=more)
    return Kind(f"[{'|'.join(words)}]", "", read, spell, titles=words)


def word(metavar: str = "ID", allowed: str = "") -> Kind:
    """A word, such as an id."""

    def read(text: str) -> str:
        if not re.fullmatch(r"[\w.%-]+", text, re.ASCII):
            raise ValueError(f"{text!r} is no word of letters, digits, '.', '%' and '-'")
        return text

    return Kind(metavar, allowed, read)


def _read_seed(text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text, re.ASCII):
        raise ValueError(f"{text!r} is not a whole number of up to 18 digits")
    return int(text)


def _read_flag(text: str) -> bool:
    if text:
        raise ValueError(f"it takes no value, as {text!r}")
    return True


def read_day(text: str) -> date:
    """The day of a text such as "2026-11-21". Raises ValueError if there is no such day, or it is before FIRST_DAY."""
    try:
        day = date.fromisoformat(text) if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else None
    except ValueError:
        day = None
    if day is None:
        raise ValueError(f"{text!r} is no date: YEAR-MONTH-DAY, as in 2026-11-21")
    if day < FIRST_DAY:
        raise ValueError(f"{text} is too early: the first daily is that of {FIRST_DAY}")
    return day


SEED_KIND = Kind("S", "", _read_seed)
FLAG = Kind("", "", _read_flag, lambda value: "")  # on if present
SWITCH = replace(FLAG)  # with an opposite, `--no-NAME`
DAY = Kind("YYYY-MM-DD", "", read_day)


# -- forms for generated levels


@dataclass(frozen=True, slots=True)
class Choice:
    """A field with a list of values."""

    label: str
    values: tuple[tuple[str, str], ...]  # labels and texts; the first is the default

    @property
    def usual(self) -> str:
        """The first value's label."""
        return self.values[0][0]

    def arguments(self, value: str) -> str:
        """The text behind a label."""
        return dict(self.values)[value]


@dataclass(frozen=True, slots=True)
class NumberField:
    """A field for a whole number."""

    label: str
    option: str  # its name among the options
    least: int
    most: int
    usual: str = ""  # empty: optional
    if_empty: str = ""  # placeholder of an optional field
    drawn_below: int = 0  # an empty field gets a random number below this, unless 0

    def arguments(self, value: str) -> str:
        """The option with a number; empty if there is none. Raises ValueError if it is invalid."""
        if not value and self.drawn_below:
            value = str(randrange(self.drawn_below))
        if not value and self.if_empty:
            return ""
        if not re.fullmatch(r"-?[0-9]{1,18}", value, re.ASCII) or not self.least <= int(value) <= self.most:
            raise ValueError(f"{self.label.lower()}: a number from {self.least:,} to {self.most:,}")
        return f"--{self.option} {int(value)}"


Field = Choice | NumberField


@dataclass(frozen=True, slots=True)
class Form:
    """Fields that together name a level."""

    title: str
    fields: tuple[Field, ...]
    spell: Callable[[str], str]  # options -> the same in their one spelling; raises ValueError
    note: str = ""  # what these levels are
    aim: str = ""  # of a score that counts over all of them

    @property
    def usual(self) -> tuple[str, ...]:
        """The initial values."""
        return tuple(field.usual for field in self.fields)

    def filled(self, values: Sequence[str]) -> str:
        """The text that names a level for some values. Raises ValueError, which names the invalid field."""
        parts = [field.arguments(value) for field, value in zip(self.fields, values, strict=True)]
        return self.spell(" ".join(filter(None, parts)))


# -- options and their values


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a level."""

    name: str
    kind: Kind
    help: str  # the values that are allowed and the default follow
    default: Any = None
    usual: str = ""  # the default in words, if it is not a value
    levels: str = ANY  # EXISTING or NEW if it is for those only
    excludes: tuple[str, ...] = ()  # options that can't be combined with it; "*": none, nor a name
    is_local: bool = False  # a level with it has no name elsewhere
    is_positional: bool = False  # without "--", after the name

    @property
    def flag(self) -> str:
        """The option as typed."""
        return self.name.upper() if self.is_positional else f"--{self.name}"

    def read(self, text: str) -> Any:
        """The value of a text. Raises UnknownLevelError, which names the option and what is allowed."""
        try:
            return self.kind.read(text)
        except ValueError as error:
            raise UnknownLevelError(f"{self.flag}: {error}") from None

    def spell(self, value: Any) -> str:
        """The option with a value; empty for the default, or if the value has no spelling."""
        text = None if self.is_local or value == self.default else self.kind.spell(value)
        if value is False:
            return f"--no-{self.name}"
        return "" if text is None else f"--{self.name} {text}".rstrip()

    def ask(
        self,
        label: str = "",
        *,
        usual: str = "",
        least: int | None = None,
        most: int | None = None,
        offers: Mapping[str, Any] | None = None,
    ) -> Field:
        """The form field for this option, with another name, default or bounds; `offers` are values by label."""
        label = label or self.name.capitalize()
        offers = offers or {title: value for value, title in self.kind.titles.items()}
        if offers:
            values = ((words, "" if value is None else self.spell(value)) for words, value in offers.items())
            return Choice(label, tuple(values))
        if self.kind.bounds is None:
            return NumberField(label, self.name, 0, MOST_SEED, if_empty="random", drawn_below=1_000_000)
        usual = usual or ("" if self.default is None else str(self.default))
        low, high = self.kind.bounds
        return NumberField(
            label, self.name, low if least is None else least, high if most is None else most, usual, self.usual
        )


DAILY = Option("daily", FLAG, "The daily level of today", excludes=("*",))
DATE = Option("date", DAY, "The daily level of that day", excludes=("*",))
SEED = Option("seed", SEED_KIND, "Seed of a new level", usual="random", levels=NEW)


def can_not_be_combined(one: str, other: str) -> UnknownLevelError:
    """The error about two contradictory arguments."""
    return UnknownLevelError(f"{one} and {other} can't be combined")


@dataclass(frozen=True, slots=True)
class Given:
    """A name and options; `given["rows"]` is a value or the default."""

    table: Options
    name: str = ""
    values: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __bool__(self) -> bool:
        return bool(self.name or self.values)

    def __contains__(self, option: str) -> bool:
        return option in self.values

    def __getitem__(self, option: str) -> Any:
        return self.values[option] if option in self.values else self.table[option].default

    @property
    def day(self) -> date | None:
        """The day of the daily level; None for other levels."""
        day: date | None = self.values.get("date")
        return day

    @property
    def is_ours(self) -> bool:
        """True if the level is shipped or generated, not a file."""
        return not self.name or self.name in self.table.names()

    @property
    def lacks_seed(self) -> bool:
        """True if the level is to be generated and needs a seed."""
        has_seed = self.day is not None or "seed" in self or "seed" not in self.table
        return bool(self) and not has_seed and self.table.needs_seed(self)

    def combined(self, **more: Any) -> Given:
        """The same with some options added or replaced."""
        return replace(self, values={**self.values, **more})

    @property
    def arguments(self) -> str:
        """The text that names the level, in one spelling; empty if there is none, as for a file."""
        if not self.is_ours or any(self.table[option].is_local for option in self.values):
            return ""
        spelled = (option.spell(self.values[option.name]) for option in self.table.all if option.name in self)
        text = " ".join(filter(None, [self.name, *spelled]))
        return text or ("--seed 0" if self else "")


@dataclass(frozen=True, slots=True)
class Options:
    """A game's table of options.

    >>> table = Options("MAP", "A map", lambda: ["ring"], (SEED, Option("rooms", number(1, 9), "Rooms", 5, levels=NEW)))
    >>> table.read("--rooms 5 --seed 007").arguments, table.read("ring").arguments
    ('--seed 7', 'ring')
    >>> table.read("ring --rooms 3")
    Traceback (most recent call last):
    dungeon_tui.core.options.UnknownLevelError: --rooms and MAP can't be combined
    """

    argument: str  # its name among the command's arguments
    help: str  # of that argument
    names: Callable[[], Collection[str]]  # of the shipped levels
    own: tuple[Option, ...] = ()
    summary: str = "Play a level."
    has_dailies: bool = True
    needs_seed: Callable[[Given], bool] = lambda given: not given.name

    @property
    def all(self) -> tuple[Option, ...]:
        """The options, including those of daily levels."""
        return (*self.own, DAILY, DATE) if self.has_dailies else self.own

    def __contains__(self, name: str) -> bool:
        return any(option.name == name for option in self.all)

    def __getitem__(self, name: str) -> Option:
        return next(option for option in self.all if option.name == name)

    def given(self, name: str = "", values: Mapping[str, Any] | None = None) -> Given:
        """A name and options; `daily` becomes today's date. Raises UnknownLevelError if two contradict each other."""
        values = dict(values or {})
        flags = [*([self.argument] if name else []), *(self[option].flag for option in values)]
        for option in map(self.__getitem__, values):
            others = [flag for flag in flags if flag != option.flag]
            if option.levels == EXISTING and not name:
                raise UnknownLevelError(f"{option.flag} needs a {self.argument}")
            if option.levels == NEW and name:
                raise can_not_be_combined(option.flag, self.argument)
            for other in others:
                if "*" in option.excludes or other.removeprefix("--") in option.excludes:
                    raise can_not_be_combined(other, option.flag)
        if values.pop("daily", False):
            values["date"] = date.today()
        return Given(self, name, values)

    def read(self, text: str) -> Given:
        """The level that a text names; reads no file. Raises UnknownLevelError, which says why it names none."""
        words = text.split()
        name = words.pop(0) if words and not words[0].startswith("--") else ""
        if name and name not in self.names():
            raise UnknownLevelError(f"there is no {self.argument} called {name!r}")
        values: dict[str, Any] = {}
        while words:
            word = words.pop(0)
            flag = word.removeprefix("--")
            is_off = flag.startswith("no-") and flag not in self
            option = flag.removeprefix("no-") if is_off else flag
            if word == flag or option not in self or option in values or self[option].is_local or option == "daily":
                raise UnknownLevelError(f"{word} can't stand in a level's name")
            value = self[option].read(words.pop(0) if words and not words[0].startswith("--") else "")
            if is_off and self[option].kind is not SWITCH:
                raise UnknownLevelError(f"{word} can't stand in a level's name")
            values[option] = False if is_off else value
        if not name and not values:
            raise UnknownLevelError(f"name a {self.argument}, or options that make one")
        return self.given(name, values)

    def form(self, title: str, *fields: Field, note: str = "", aim: str = "") -> Form:
        """A form with these fields."""
        return Form(title, fields, lambda text: self.read(text).arguments, note, aim)


def daily(day: date) -> str:
    """The text that names a day's level.

    >>> daily(date(2026, 11, 22))
    '--date 2026-11-22'
    """
    return f"--date {day}"
