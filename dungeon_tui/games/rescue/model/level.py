"""Grid text -> Level, and back. The format: docs/games/rescue.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.level import LevelError, LevelFile, named, printable
from dungeon_tui.core.words import counted, midway

Grid = NDArray[np.signedinteger[Any]]

LEAST, MOST = -(2**63), 2**63 - 1  # a cell's value

_SHORT = rb"[+-]?[0-9]{1,18}"  # fits 64 bits whatever it is
_PLAIN_ROW = re.compile(rb"[ \t]*" + _SHORT + rb"(?:(?:[ \t]*,[ \t]*|[ \t]+)" + _SHORT + rb")*[ \t]*")
_WORD = re.compile(r"[^\s,]+|,")
_NUMBER = re.compile(r"[+-]?[0-9]+")
_JSON_PART = re.compile(r'[\[\]{},:]|"(?:[^"\\]|\\.)*"|[^\s\[\]{},:"]+')


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """A grid as its file gives it."""

    name: str
    grid: Grid  # (rows, cols) int32 or int64, read-only: what entering a cell adds to the knight's health
    lesson: str = ""  # one line


def read_level(file: LevelFile, name: str = "") -> Level:
    """Reads a grid: rows of whole numbers parted by blanks or commas, or JSON.

    Raises:
        LevelError: the first thing that is wrong with it.

    Cost:
        O(cells) time; one array of the grid's size more than the result.
    """
    file.refuse_what_is_not_text()
    start = file.text_start
    is_json = file.data[start:].lstrip()[:1] == b"["
    rows = _json_rows(file, start) if is_json else _text_rows(file, start)
    return Level(name or file.name, _stacked(rows))


def level_text(level: Level) -> str:
    """The grid's file again, its columns aligned."""
    width = max(len(str(value)) for value in (level.grid.min(), level.grid.max()))
    line = " ".join([f"%{width}d"] * level.grid.shape[1]) + "\n"
    return "".join([line % tuple(row.tolist()) for row in level.grid])


def _stacked(rows: list[Grid]) -> Grid:
    grid = np.stack(rows)
    grid.setflags(write=False)
    return grid


def _smallest(row: NDArray[np.int64]) -> Grid:
    """The row in 32 bits, if it fits."""
    info = np.iinfo(np.int32)
    return row.astype(np.int32) if len(row) and info.min <= row.min() and row.max() <= info.max else row


# -- rows of numbers


def _text_rows(file: LevelFile, start: int) -> list[Grid]:
    rows: list[Grid] = []
    at = start
    for line in file.data[start:].split(b"\n"):
        text = line.removesuffix(b"\r")
        is_plain = _PLAIN_ROW.fullmatch(text)
        if is_plain or text.decode().strip():
            if is_plain:
                values = np.fromstring(text.replace(b",", b" ").decode(), np.int64, sep=" ")
            else:
                values = np.array([*_numbers(file, at, text.decode())], np.int64)
            if rows and len(values) != len(rows[0]):
                raise _ragged(file, at, len(rows) + 1, len(values), len(rows[0]))
            rows.append(_smallest(values))
        at += len(line) + 1
    if not rows:
        raise file.error(len(file.data), "the grid is empty: a row of whole numbers is the least")
    return rows


def _numbers(file: LevelFile, at: int, text: str) -> Iterator[int]:
    """The values of a row that needs a closer look. Raises LevelError at what is no number."""
    if "\r" in text:  # other white space parts numbers; this may be meant to end the row
        offset = at + len(text[: text.index("\r")].encode())
        raise file.error(offset, f"{named(chr(13))} alone ends no row: a line feed does")
    was_comma = True
    for word in _WORD.finditer(text):
        offset = at + len(text[: word.start()].encode())
        if word[0] == ",":
            if was_comma:
                raise file.error(offset, "a number is missing before this comma")
            was_comma = True
            continue
        was_comma = False
        yield _checked(file, offset, word[0])
    if was_comma:
        raise file.error(at + len(text.rstrip().encode()) - 1, "a number is missing after this comma")


def _checked(file: LevelFile, offset: int, word: str) -> int:
    if not _NUMBER.fullmatch(word):
        shown = named(word) if len(word) == 1 else repr(word[:38])
        raise file.error(offset, f"{shown} is not a whole number")
    digits = word.lstrip("+-").lstrip("0")
    value = int(digits[:20] or "0") * (-1 if word.startswith("-") else 1)  # 20 digits are beyond 64 bits
    if not LEAST <= value <= MOST:
        raise file.error(offset, f"{word[:40]} is beyond 64 bits: values are from {LEAST} to {MOST}")
    return value


def _ragged(file: LevelFile, at: int, row: int, here: int, first: int) -> LevelError:
    return file.error(
        at, f"row {row} holds {counted(here, 'number')}, the first one {first}: all must be of one length"
    )


# -- JSON


def _json_rows(file: LevelFile, start: int) -> list[Grid]:
    text = file.data[start:].decode()
    rows: list[Grid] = []
    passed = 0  # brackets and values before this row: a closer look begins there
    for row in _json_values(file, start, text):
        numbers = _plain_numbers(row)
        if numbers is None:
            numbers = _checked_numbers(file, row, islice(_json_places(text, start), passed, None))
        if rows and len(numbers) != len(rows[0]):
            row_at, _ = next(islice(_json_places(text, start), passed, None))
            raise _ragged(file, row_at, len(rows) + 1, len(numbers), len(rows[0]))
        rows.append(_smallest(numbers))
        passed += len(numbers) + 2
    if not rows:
        raise file.error(start, "the grid is empty: a row of whole numbers is the least")
    return rows


def _json_values(file: LevelFile, start: int, text: str) -> list[Any]:
    """What is in the outer list; fractions, and where a number is too long for Python all numbers, as text."""
    try:
        values = json.loads(text, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        offset = start + len(text[: error.pos].encode())
        raise file.error(offset, f"not JSON: {midway(error.msg)}") from None
    except ValueError:
        values = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except RecursionError:
        raise file.error(start, "not a grid: the brackets are nested too deeply") from None
    return list(values)


def _plain_numbers(row: Any) -> NDArray[np.int64] | None:
    """The values of a row that is nothing but whole numbers of 64 bits; None: it needs a closer look."""
    if not isinstance(row, list) or {*map(type, row)} != {int}:
        return None
    try:
        return np.array(row, np.int64)
    except OverflowError:
        return None


def _checked_numbers(file: LevelFile, row: Any, places: Iterator[tuple[int, str]]) -> NDArray[np.int64]:
    """The values of a row, looked at one by one. Raises LevelError at what is no row or no number."""
    row_at, _ = next(places)
    if not isinstance(row, list):
        raise file.error(row_at, "a row must be a list of whole numbers: [[1, 2], [3, 4]]")
    if not row:
        raise file.error(row_at, "this row is empty: a row holds one number at least")
    numbers = []
    for value, (offset, word) in zip(row, places, strict=False):
        if type(value) not in (int, str) or word.startswith('"'):
            raise file.error(offset, f"{printable(word[:40])} is not a whole number")
        numbers.append(_checked(file, offset, word))
    return np.array(numbers, np.int64)


def _json_places(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Offset and text of all brackets and values after the first bracket."""
    offset, at = start, 0
    for index, part in enumerate(_JSON_PART.finditer(text)):
        offset += len(text[at : part.start()].encode())
        at = part.start()
        if index and part[0] not in ",:":
            yield offset, part[0]
