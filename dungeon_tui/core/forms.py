"""Forms for generated levels; core/options.py makes their fields from a game's options."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import randrange


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

    @property
    def usual(self) -> tuple[str, ...]:
        """The initial values."""
        return tuple(field.usual for field in self.fields)

    def filled(self, values: Sequence[str]) -> str:
        """The text that names a level for some values. Raises ValueError, which names the invalid field."""
        parts = [field.arguments(value) for field, value in zip(self.fields, values, strict=True)]
        return self.spell(" ".join(filter(None, parts)))
