"""Numbers with their unit."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "move"), counted(2, "move")
    ('1 move', '2 moves')
    """
    return f"{number} {what}" + ("" if number == 1 else "s")
