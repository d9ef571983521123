"""Forms that people fill in to have a level made: the options of `GAME play`, each with what it may be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import randrange


@dataclass(frozen=True, slots=True)
class Choice:
    """A field with some values to choose from."""

    label: str
    values: tuple[tuple[str, str], ...]  # words, and the arguments that they stand for; the first one is usual

    @property
    def usual(self) -> str:
        """The words to begin with."""
        return self.values[0][0]

    def arguments(self, value: str) -> str:
        """The arguments that a value's words stand for."""
        return dict(self.values)[value]


@dataclass(frozen=True, slots=True)
class Number:
    """A field for a whole number."""

    label: str
    option: str  # its name among the arguments
    least: int
    most: int
    usual: str = ""  # empty: it may be left out
    if_empty: str = ""  # the words for a field that is left empty, where it may be
    drawn_below: int = 0  # a field left empty is a number below this by chance; 0: it is left out

    def arguments(self, value: str) -> str:
        """The option with a number; empty if there is none. Raises ValueError if it can't be that."""
        if not value and self.drawn_below:
            value = str(randrange(self.drawn_below))
        if not value and self.if_empty:
            return ""
        if not re.fullmatch(r"-?[0-9]{1,18}", value, re.ASCII) or not self.least <= int(value) <= self.most:
            raise ValueError(f"{self.label.lower()}: a number from {self.least:,} to {self.most:,}")
        return f"--{self.option} {int(value)}"


SEED = Number("Seed", "seed", 0, 10**12, if_empty="by chance", drawn_below=1_000_000)

Field = Choice | Number


@dataclass(frozen=True, slots=True)
class Form:
    """Fields whose values together name a level.

    >>> form = Form("New level", (Choice("Rules", (("mild", ""), ("hard", "--rules hard"))), SEED))
    >>> form.filled(["hard", "7"])
    '--rules hard --seed 7'
    """

    title: str
    fields: tuple[Field, ...]

    @property
    def usual(self) -> tuple[str, ...]:
        """The values to begin with."""
        return tuple(field.usual for field in self.fields)

    def filled(self, values: Sequence[str]) -> str:
        """The arguments of `GAME play` for some values. Raises ValueError if one can't be; it names the field."""
        parts = [field.arguments(value) for field, value in zip(self.fields, values, strict=True)]
        return " ".join(filter(None, parts))
