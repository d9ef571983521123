"""Files broken at random: by their bytes, their pages, their numbers, their lines and their structure."""

import json
import re
from collections.abc import Sequence
from copy import copy
from random import Random
from typing import Any

_PAGE = 4096  # bytes
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_NUMBERS = [b"0", b"-1", b"1e999", b"NaN", b"0.5", b"2147483648", b"9223372036854775808", b"9" * 5000, b"", b"\xd9\xa2"]
_INSERTS = [
    b"\0", b"\x1b]52;c;aGk=\x07", b"\xff", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n\n", b"\xe2\x80\xae", b"\xc2\x85", b'"',
    b"[" * 2000, b"{" * 50, b'{"a":' * 2000, b"a." * 2000, b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"&a;", b"<node/>",
    b"]]>", b"\\", b"null", b"true", b"[]", b"{}", b"-", b",", b"=", b"#", b"'''", b"\xf0\x9f\x90\x89",
]  # fmt: skip


def mutated(samples: Sequence[bytes], chance: Random) -> bytes:
    """One of the samples, broken in one to four places."""
    data = chance.choice(samples)
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        data = chance.choice(_WAYS)(data, samples, chance)
    return data


def _flip(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    if not data:
        return data
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def _cut(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    start, end = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
    return chance.choice([data[:start], data[start:], data[:start] + data[end:], data[:end] + data[start:]])


def _exchange_page(data: bytes, samples: Sequence[bytes], chance: Random) -> bytes:
    """Zeros a page of a database, or puts another one there."""
    other = chance.choice(samples)
    at, source = (_PAGE * chance.randrange(len(each) // _PAGE + 1) for each in (data, other))
    return data[:at] + chance.choice([bytes(_PAGE), other[source : source + _PAGE]]) + data[at + _PAGE :]


def _insert(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(_INSERTS) + data[at:]


def _renumber(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    numbers = list(_NUMBER.finditer(data))
    if not numbers:
        return data
    number = chance.choice(numbers)
    return data[: number.start()] + chance.choice(_NUMBERS) + data[number.end() :]


def _shuffle_lines(data: bytes, samples: Sequence[bytes], chance: Random) -> bytes:
    lines = data.split(b"\n")
    others = chance.choice(samples).split(b"\n")
    at = chance.randrange(len(lines))
    lines[at : at + chance.randrange(3)] = chance.choices(lines + others, k=chance.randrange(4))
    return b"\n".join(lines)


def _revalue(data: bytes, _: Sequence[bytes], chance: Random) -> bytes:
    """In a text of JSON values, one a line or one in all, one value is replaced by another kind of value."""
    lines = data.splitlines() if data.count(b"\n{") else [data]
    at = chance.randrange(len(lines)) if lines else 0
    try:
        value = json.loads(lines[at])
    except (IndexError, ValueError, RecursionError):
        return data
    lines[at] = json.dumps(_with_another(value, chance)).encode()
    return b"\n".join(lines)


def _with_another(value: Any, chance: Random) -> Any:
    if not value or not isinstance(value, dict | list) or chance.random() < 0.1:
        return chance.choice(_VALUES)
    key = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
    changed = copy(value)
    changed[key] = _with_another(value[key], chance)
    return changed


_VALUES = [
    None, True, 0, -1, 2**70, 1.5, 1e308, float("nan"), "", "x", "\x1b[2J", "\ud800", [], [[]], {}, {"a": []}, "1e9",
]  # fmt: skip
_WAYS = (_flip, _cut, _exchange_page, _insert, _renumber, _shuffle_lines, _revalue)
