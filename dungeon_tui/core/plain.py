"""Reading commands without a screen: one character or one word at a time, white space aside."""

from __future__ import annotations

from typing import TextIO


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
