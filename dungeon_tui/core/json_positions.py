"""JSON texts: their values, within memory limits, and the positions of values, for messages with line and column."""

import json
import re
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]
"""Keys and indices that lead to a value: ("nodes", 3, "cost")."""

_PART = re.compile(r'[\[\]{}:,]|"(?:[^"\\]|\\.)*+"|[^\s\[\]{}:,"]+')

_COSTS = {"[": 64, "{": 192, '"': 16, ",": 8}  # bytes of memory that a sign of structure stands for
_MOST = 20 * 2**20  # bytes that all values of a text may take, its characters aside: more than any of our files needs
_DECODER = json.JSONDecoder()
_SMALL = 2**16  # characters that aren't worth counting


def parsed(text: str) -> Any:
    """The value of a JSON text within 20 MB of memory. Raises JSONDecodeError, or ValueError if it is too much."""
    if len(text) > _SMALL and sum(text.count(sign) * cost for sign, cost in _COSTS.items()) > _MOST:
        raise ValueError("it holds too many values")
    try:
        value, end = _DECODER.raw_decode(text)
        if end == len(text):  # as nearly all lines of recordings; json.loads takes twice as long
            return value
    except (ValueError, RecursionError):
        pass  # blanks around the value, or an error that json.loads will report
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None
    except ValueError:  # Python reads no number of thousands of digits
        raise ValueError("a number in it is too long") from None


def offset_of(text: str, path: Path) -> int:
    """The offset, in characters, of the value at a path in valid JSON, or of the innermost existing value around it.

    >>> offset_of('{"a": [1, 22]}', ("a", 1)), offset_of('{"a": [1, 22]}', ("a", 7))
    (10, 6)
    """
    found = 0
    for other, offset in _positions(text):
        if other == path:
            return offset
        if other == path[: len(other)]:
            found = offset
    return found


def _positions(text: str) -> Iterator[tuple[Path, int]]:
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
