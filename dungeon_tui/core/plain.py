"""Without a screen: reading commands a character or a word at a time, printing what is safe, failing in one line."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NoReturn, TextIO

from dungeon_tui.core.text import one_line, printable
from dungeon_tui.core.turns import TurnController

LONGEST_MESSAGE = 1000  # characters of a line on standard error
FAREWELL = "Thank you for playing!\n"


_begin: ContextVar[Callable[[TurnController[Any, Any, Any], Mapping[str, str]], object]] = ContextVar("begin")


@contextmanager
def told_of_games(begin: Callable[[TurnController[Any, Any, Any], Mapping[str, str]], object]) -> Iterator[None]:
    """Has a function told of games that are begun without a screen within the block: the game, the players by seat."""
    token = _begin.set(begin)
    try:
        yield
    finally:
        _begin.reset(token)


def begins(game: TurnController[Any, Any, Any], players: Mapping[str, str] | None = None) -> None:
    """Tells that a game is played from its present turn on; whoever keeps games follows it."""
    if begin := _begin.get(None):
        begin(game, players or {})


def read_command(source: TextIO) -> str:
    """Reads up to the next character that is not blank, and returns that; empty at the end of the input."""
    while (character := source.read(1)).isspace():
        pass
    return character


def read_word(source: TextIO) -> str:
    """Reads the next word and the blank after it; returns the word, empty at the end of the input."""
    word = read_command(source)
    while word and (character := source.read(1)) and not character.isspace():
        word += character
    return word


def read_line(source: TextIO) -> str:
    """Reads the next line; returns it without the blanks around it, empty if blank or at the end of the input."""
    return source.readline().strip()


def ask(question: str, source: TextIO, out: TextIO, read: Callable[[TextIO], str] = read_word) -> str:
    """Prints a question and returns the answer read; an empty one means that they leave, and prints the farewell."""
    out.write(question)
    out.flush()
    answer = read(source)
    if not answer:
        out.write(FAREWELL)
    return answer


def in_columns(rows: Sequence[Sequence[str]], sides: str) -> str:
    r"""Lines of text with the rows in columns, aligned by `sides` ("<" or ">" a column); empty columns are left out.

    >>> in_columns([("room", "cost"), ("a", "12")], "<>")
    'room  cost\na       12\n'
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        [f"{text:{side}{width}}" for text, side, width in zip(row, sides, widths, strict=True) if width] for row in rows
    )
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


class PrintableStream(io.TextIOBase):
    """The one door for text to standard output and standard error: all but line ends and tabs is printable.

    Attributes:
        stream: the stream behind the door, for those who draw on a terminal.
        longest: characters of a line; longer ones lose their middle. None: lines of any length stay whole.
    """

    def __init__(self, stream: TextIO, longest: int | None = None) -> None:
        self.stream = stream
        self.longest = longest

    def write(self, text: str) -> int:
        """Writes a text, with escapes for what could steer a terminal; returns how many characters that were."""
        text = _lines_printable(text)
        if self.longest is not None and len(text) > self.longest:
            text = "\n".join(_shortened(line, self.longest) for line in text.split("\n"))
        return self.stream.write(text)

    def flush(self) -> None:
        """Flushes the stream behind the door."""
        self.stream.flush()

    def isatty(self) -> bool:
        """True if the stream behind the door is a terminal."""
        return self.stream.isatty()

    def fileno(self) -> int:
        """The descriptor of the stream behind the door."""
        return self.stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the stream behind the door."""
        return self.stream.encoding


@contextmanager
def printable_streams() -> Iterator[None]:
    """Lets nothing but printable text, line ends and tabs through standard output and error while the block runs."""
    before = sys.stdout, sys.stderr
    for stream in before:  # a name that the terminal can't spell is no reason to end
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", newline="\n")  # the same transcript everywhere
    sys.stdout, sys.stderr = PrintableStream(sys.stdout), PrintableStream(sys.stderr, LONGEST_MESSAGE)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _shortened(line: str, longest: int) -> str:
    half = (longest - 5) // 2
    return line if len(line) <= longest else f"{line[:half]} ... {line[-half:]}"


def _lines_printable(text: str) -> str:
    """The text with escapes for all that isn't printable, but for line ends and tabs."""
    if text.isprintable():
        return text
    return "".join(part if part in "\n\t" else printable(part) for part in re.split(r"([\n\t])", text))


def fail(message: str) -> NoReturn:
    """Ends the process: one line on standard error, exit status 1."""
    print(one_line(message), file=sys.stderr)
    sys.exit(1)
