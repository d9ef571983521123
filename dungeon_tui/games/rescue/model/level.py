"""Grid text -> Level, and back. The format: docs/games/rescue.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.text import named, printable
from dungeon_tui.core.words import counted, midway

Grid = NDArray[np.signedinteger[Any]]

LEAST, MOST = -(2**63), 2**63 - 1  # a cell's value

_EMPTY = "the grid is empty: a row of whole numbers is the least"
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
    """The grid of a file: rows of whole numbers parted by blanks or commas, or a JSON list of lists.

    Raises:
        LevelError: it is no grid; the message tells the first fault and its place.

    Cost:
        O(cells) time; one array of the grid's size more than the result.
    """
    file.refuse_what_is_not_text()
    start = file.text_start
    is_json = file.data[start:].lstrip()[:1] == b"["
    grid = np.stack(_json_rows(file, start) if is_json else _text_rows(file, start))
    grid.setflags(write=False)
    return Level(name or file.name, grid)


def level_text(level: Level) -> str:
    """Text of a grid's file, its columns aligned, from which `read_level` reads the numbers again."""
    width = max(len(str(value)) for value in (level.grid.min(), level.grid.max()))
    line = " ".join([f"%{width}d"] * level.grid.shape[1]) + "\n"
    return "".join([line % tuple(row.tolist()) for row in level.grid])


def _smallest(row: NDArray[np.int64]) -> Grid:
    """The row as int32 if its values fit, else as it is."""
    info = np.iinfo(np.int32)
    return row.astype(np.int32) if info.min <= row.min() and row.max() <= info.max else row


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
                raise file.error(at, _ragged(len(rows) + 1, len(values), len(rows[0])))
            rows.append(_smallest(values))
        at += len(line) + 1
    if not rows:
        raise file.error(len(file.data), _EMPTY)
    return rows


def _numbers(file: LevelFile, at: int, text: str) -> Iterator[int]:
    """The values of a row that needs a closer look. Raises LevelError at what is no number."""
    if "\r" in text:  # other white space parts numbers; this may be meant to end the row
        offset = at + len(text[: text.index("\r")].encode())
        raise file.error(offset, f"{named(chr(13))} alone ends no row: a line feed does")
    was_comma = True
    for word in _WORD.finditer(text):
        is_comma = word[0] == ","
        problem = _problem(word[0]) if not is_comma else "a number is missing before this comma" if was_comma else ""
        if problem:
            raise file.error(at + len(text[: word.start()].encode()), problem)
        if not is_comma:
            yield _value(word[0])
        was_comma = is_comma
    if was_comma:
        raise file.error(at + len(text.rstrip().encode()) - 1, "a number is missing after this comma")


def _problem(word: str) -> str:
    """The reason why a word is no value; empty if it is one."""
    if not _NUMBER.fullmatch(word):
        return f"{named(word) if len(word) == 1 else repr(word[:38])} is not a whole number"
    is_one = LEAST <= _value(word) <= MOST
    return "" if is_one else f"{word[:40]} is beyond 64 bits: values are from {LEAST} to {MOST}"


def _value(word: str) -> int:
    digits = word.lstrip("+-").lstrip("0")
    return int(digits[:20] or "0") * (-1 if word.startswith("-") else 1)  # 20 digits are beyond 64 bits


def _ragged(row: int, here: int, first: int) -> str:
    return f"row {row} holds {counted(here, 'number')}, the first one {first}: all must be of one length"


# -- JSON


def _json_rows(file: LevelFile, start: int) -> list[Grid]:
    text = file.data[start:].decode()
    try:
        rows = _parsed(text)
    except json.JSONDecodeError as error:
        offset = start + len(text[: error.pos].encode())
        raise file.error(offset, f"not JSON: {midway(error.msg)}") from None
    except RecursionError:
        raise file.error(start, "not a grid: the brackets are nested too deeply") from None
    if not rows:
        raise file.error(start, _EMPTY)
    with suppress(OverflowError):
        if all(isinstance(row, list) and {*map(type, row)} == {int} and len(row) == len(rows[0]) for row in rows):
            return [_smallest(np.array(row, np.int64)) for row in rows]
    offset, problem = _first_problem(text)
    raise file.error(start + len(text[:offset].encode()), problem)


def _parsed(text: str) -> list[Any]:
    try:
        return list(json.loads(text))
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python reads no number of thousands of digits
        return list(json.loads(text, parse_int=str))


def _first_problem(text: str) -> tuple[int, str]:
    """The first fault of well-formed JSON that is no grid: its offset in the text, and its description."""
    lengths: list[int] = []  # of the rows so far
    row_at = -1  # where the present one begins; -1 between rows
    for part in islice(_JSON_PART.finditer(text), 1, None):
        word, at = part[0], part.start()
        if word in ",:":
            continue
        if row_at < 0:
            if word != "[":
                return at, "a row must be a list of whole numbers: [[1, 2], [3, 4]]"
            row_at = at
            lengths.append(0)
        elif word != "]":
            is_other = word[0] in '"[{tfn'  # no number, not even a fraction
            problem = f"{printable(word[:40])} is not a whole number" if is_other else _problem(word)
            if problem:
                return at, problem
            lengths[-1] += 1
        elif not lengths[-1]:
            return row_at, "this row is empty: a row holds one number at least"
        elif lengths[-1] != lengths[0]:
            return row_at, _ragged(len(lengths), lengths[-1], lengths[0])
        else:
            row_at = -1
    raise AssertionError("a grid without errors was taken for one with some")
