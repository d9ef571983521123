"""Numbers with their unit, and messages as sentences."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "move"), counted(2, "move")
    ('1 move', '2 moves')
    """
    return f"{number} {what}" + ("" if number == 1 else "s")


def sentence(text: str) -> str:
    """What went wrong, as people are told.

    >>> sentence("the door is shut"), sentence("Too late!")
    ('The door is shut.', 'Too late!')
    """
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
