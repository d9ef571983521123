"""Without a screen: reading commands a character or a word at a time, white space aside, and failing in one line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NoReturn, TextIO

from dungeon_tui.core.level import one_line

FAREWELL = "Thank you for playing!\n"


def read_command(source: TextIO) -> str:
    """The next character that is not blank; empty at the end of the input."""
    while (character := source.read(1)).isspace():
        pass
    return character


def read_word(source: TextIO) -> str:
    """The next word; empty at the end of the input."""
    word = read_command(source)
    while word and (character := source.read(1)) and not character.isspace():
        word += character
    return word


def read_line(source: TextIO) -> str:
    """The next line, without the blanks around it; empty at the end of the input."""
    return source.readline().strip()


def ask(question: str, source: TextIO, out: TextIO, read: Callable[[TextIO], str] = read_word) -> str:
    """Asks a person; returns the answer, or after the farewell an empty one if they leave."""
    out.write(question)
    out.flush()
    answer = read(source)
    if not answer:
        out.write(FAREWELL)
    return answer


def in_columns(rows: Sequence[Sequence[str]], sides: str) -> str:
    r"""The rows in columns, each to its side; empty columns are left out.

    >>> in_columns([("room", "cost"), ("a", "12")], "<>")
    'room  cost\na       12\n'
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        [f"{text:{side}{width}}" for text, side, width in zip(row, sides, widths, strict=True) if width] for row in rows
    )
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


def fail(message: str) -> NoReturn:
    """Ends the process: one line on standard error, exit status 1."""
    print(one_line(message), file=sys.stderr)
    sys.exit(1)
