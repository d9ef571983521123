"""Problems that programs are judged by: inputs, the right answer of each, and the objection to an output."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from dungeon_tui.core.random import Random


@dataclass(frozen=True, slots=True)
class Case:
    """One input of a program."""

    name: str  # "shipped/classic"
    size: int  # in the problem's unit
    given: bytes  # on standard input
    files: tuple[tuple[str, bytes], ...] = ()  # name and content, in the folder that the program runs in

    @property
    def is_text(self) -> bool:
        """True if the input is text and not bytes."""
        return all(_decoded(content) is not None for content in (self.given, *dict(self.files).values()))

    @property
    def text(self) -> str:
        """The input as a text; bytes that are none in base64, and files before the input, each after its name."""
        parts = (*self.files, ("standard input", self.given))
        texts = [(name, _decoded(content) or base64.b64encode(content).decode()) for name, content in parts]
        return "\n".join(f"{name}:\n{text}" for name, text in texts) if self.files else texts[0][1]


@dataclass(frozen=True, slots=True)
class Objection:
    """The reason why an output is not right; `expected` and `got` are values that JSON has."""

    expected: Any
    got: Any
    drawing: str = ""  # lines that show the difference
    is_answer: bool = True  # False: there is no answer, or no sense in it


class Problem(Protocol):
    """A problem with one right answer for each input. It is picklable."""

    @property
    def unit(self) -> str:
        """The noun that sizes count: cell, room."""
        ...

    @property
    def largest(self) -> int:
        """The size up to which cases are made."""
        ...

    def shipped(self) -> list[Case]:
        """The cases that a program is judged by where nobody names others."""
        ...

    def read(self, file: str) -> Case:
        """The case of a file, or of a shipped level's name. Raises LevelError if it can't be read."""
        ...

    def made(self, random: Random, size: int) -> Case:
        """A case by chance, of this size as nearly as can be."""
        ...

    def smaller(self, case: Case) -> Iterator[Case]:
        """Cases a little simpler than this one, the simplest ones first; going on with any of them comes to an end."""
        ...

    def right(self, case: Case) -> Any:
        """The right answer, as an objection shows it."""
        ...

    def objection(self, case: Case, output: str) -> Objection | None:
        """The reason why the output of a program on the case is not right; None where it is."""
        ...


def parts(length: int) -> Iterator[slice]:
    """Parts of a sequence to leave out, halves first, then ever smaller ones, single places last.

    >>> [(part.start, part.stop) for part in parts(3)]
    [(0, 1), (1, 2), (2, 3)]
    """
    for step in sorted({length // 2, length // 4, length // 8, 1} - {0}, reverse=True):
        yield from (slice(place, place + step) for place in range(0, length, step))


def _decoded(content: bytes) -> str | None:
    """The text; None where the bytes are none."""
    try:
        return None if b"\0" in content else content.decode()
    except UnicodeDecodeError:
        return None
