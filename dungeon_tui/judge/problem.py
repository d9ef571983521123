"""The problems that programs are judged by: inputs, right answers, and objections to an output."""

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from dungeon_tui.core.random import Random


@dataclass(frozen=True, slots=True)
class Case:
    """One input for a program."""

    name: str  # "shipped/classic"
    size: int  # in the problem's unit
    given: bytes  # on standard input
    files: tuple[tuple[str, bytes], ...] = ()  # name and content, in the program's folder
    group: str = ""  # after three timeouts in a row the rest of the group is skipped
    about: Any = None  # for the problem itself

    @property
    def is_text(self) -> bool:
        """True if the input is text."""
        return all(_decoded(content) is not None for content in (self.given, *dict(self.files).values()))

    @property
    def text(self) -> str:
        """The input as text, binary content in base64; files come before the input, each after its name."""
        parts = (*self.files, ("standard input", self.given))
        texts = [(name, _decoded(content) or base64.b64encode(content).decode()) for name, content in parts]
        return "\n".join(f"{name}:\n{text}" for name, text in texts) if self.files else texts[0][1]


@dataclass(frozen=True, slots=True)
class Objection:
    """The fault in an output; `expected` and `got` are JSON values."""

    expected: Any
    got: Any
    drawing: str = ""  # lines that show the difference
    is_answer: bool = True  # False: no answer, or an unreadable one
    details: Mapping[str, Any] = field(default_factory=dict)  # more for `break --json`


class Inputs(Protocol):
    """Inputs of all sizes, for a search.

    A problem may also have `running`, a replacement for `verdicts.running`, and `least_tries`: how many smaller inputs
    to try after finding one; and `farthest`: the largest size that a search tries now and then.
    """

    @property
    def unit(self) -> str:
        """The noun that sizes count: cell, room."""

    @property
    def largest(self) -> int:
        """The largest size to make."""

    def made(self, random: Random, size: int) -> Case:
        """A random case of about this size."""

    def smaller(self, case: Case) -> Iterator[Case]:
        """Slightly simpler cases, the simplest first; repeating this must end."""


class Problem(Inputs, Protocol):
    """A problem with one right answer for each input. It is picklable."""

    def shipped(self) -> list[Case]:
        """The default cases."""

    def read(self, file: str) -> Case:
        """The case in a file or shipped level. Raises LevelError if it can't be read."""

    def right(self, case: Case) -> Any:
        """The right answer, as an objection shows it."""

    def objection(self, case: Case, output: str) -> Objection | None:
        """The fault in a program's output; None if it is right."""


def parts(length: int) -> Iterator[slice]:
    """Slices to remove from a sequence: halves first, then ever smaller ones, single items last.

    >>> [(part.start, part.stop) for part in parts(3)]
    [(0, 1), (1, 2), (2, 3)]
    """
    for step in sorted({length // 2, length // 4, length // 8, 1} - {0}, reverse=True):
        yield from (slice(start, start + step) for start in range(0, length, step))


def _decoded(content: bytes) -> str | None:
    """The text; None for binary content."""
    try:
        return None if b"\0" in content else content.decode()
    except UnicodeDecodeError:
        return None
