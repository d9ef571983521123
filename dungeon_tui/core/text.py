"""Text from outside, made safe to print."""

import unicodedata


def named(character: str) -> str:
    r"""A character for a message: itself if it is visible, else its name.

    >>> named("x"), named("\x1b")
    ("'x'", 'control character (U+001B)')
    """
    if character.isprintable() and character != " " and character.isascii():
        return f"'{character}'"
    code = f"U+{ord(character):04X}"
    if unicodedata.category(character) == "Cc":
        return f"control character ({code})"
    shown = f"'{character}' " if character.isprintable() else ""
    return f"{shown}{code} ({unicodedata.name(character, 'unnamed')})"


def printable(text: str) -> str:
    r"""The text with escapes for everything unprintable, line ends included.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )


def one_line(text: str) -> str:
    r"""The text on one line: white space as single blanks, escapes for everything else unprintable.

    >>> one_line("no\n  \x1b[31msuch thing")
    'no \\x1b[31msuch thing'
    """
    return printable(" ".join(text.split()))
