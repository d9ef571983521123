"""Places of values in a JSON text: for messages that name line and column."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

Path = tuple[str | int, ...]
"""Keys and indices that lead to a value: ("nodes", 3, "cost")."""

_PART = re.compile(r'[\[\]{}:,]|"(?:[^"\\]|\\.)*+"|[^\s\[\]{}:,"]+')


def offset_of(text: str, path: Path) -> int:
    """The offset, in characters, of the value at a path, or of the innermost one around it that is there.

    Args:
        text: JSON that parses.
        path: keys and indices.

    >>> offset_of('{"a": [1, 22]}', ("a", 1)), offset_of('{"a": [1, 22]}', ("a", 7))
    (10, 6)
    """
    found = 0
    for place, offset in _places(text):
        if place == path:
            return offset
        if place == path[: len(place)]:
            found = offset
    return found


def _places(text: str) -> Iterator[tuple[Path, int]]:
    """Every value's path and offset, outer ones first."""
    around: list[list[str | int]] = []  # per open bracket the kind, and the key or index that comes next
    is_key = False
    for part in _PART.finditer(text):
        sign = part[0]
        if sign in "]}":
            around.pop()
            is_key = False
        elif sign == ",":
            is_key = around[-1][0] == "{"
            if not is_key:
                around[-1][1] = int(around[-1][1]) + 1
        elif sign == ":":
            is_key = False
        elif is_key:
            around[-1][1] = json.loads(sign)
        else:
            yield tuple(key for _, key in around), part.start()
            if sign in "[{":
                around.append([sign, 0 if sign == "[" else ""])
                is_key = sign == "{"
