"""Grid text -> Level, and back. The format: docs/games/rescue.md."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.text import named
from dungeon_tui.core.words import counted

Grid = NDArray[np.signedinteger[Any]]

MOST_BYTES = 24 * 2**20  # of a file
LEAST, MOST = -(2**63), 2**63 - 1  # a cell's value

_EMPTY = "the grid is empty: it needs at least one row of whole numbers"
_NO_JSON = "this is no JSON list of rows: [[1, 2], [3, 4]]"
_NUMBER = re.compile(r"[+-]?[0-9]+")
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_JSON_ORDER = frozenset("||[ |[[ [[w ,[w [w, [w] ,w, ,w] w,w w], w]] ],[ ]]|".split())
"""Each valid part of a JSON grid after two others; w is a word, | stands for either end."""

_TEXT_PART = re.compile(r"\r(?!\Z)|,|[^\s,]+")
_JSON_PART = re.compile(r'[\[\],]|"(?:[^"\\]|\\.)*+"?|[{}:]|[^ \t\r\n\[\]{},:"]+')

# Of valid files.
_TEXT_BYTES = b"+-0123456789, \t\r\n"
_BLANK = re.compile(r"[^\S\r\n]")
_WRONG_COMMA = re.compile(rb",[ \t]*(?:,|\r?$)|^[ \t]*,", re.MULTILINE)
_JSON_CELL = r"\s*+-?(?:0|[1-9]\d*+)\s*+"
_JSON_ROW = rf"\s*+\[{_JSON_CELL}(?:,{_JSON_CELL})*+\]\s*+"
_JSON_GRID = re.compile(rf"\s*+\[{_JSON_ROW}(?:,{_JSON_ROW})*+\]\s*+".encode())
_LAST_COMMA = re.compile(rb",\s*+\]")  # which _JSON_GRID lets pass before Python 3.11.5
_JSON_AS_TEXT = bytes.maketrans(b"[,\r\n]", b"    \n")

Fault = Callable[[int, str], LevelError]


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """A grid and the task on it."""

    name: str
    grid: Grid  # (rows, cols) int32 or int64, read-only: change of the knight's health on entering
    lesson: str = ""  # one line
    fee: int | None = None  # gold for a power-up in a purchase; None: no purchase, right and down only
    purse: int = 0  # gold to spend in a purchase

    @property
    def princess(self) -> Cell:
        """The last cell."""
        return Cell(self.grid.shape[0] - 1, self.grid.shape[1] - 1)


def read_level(file: LevelFile, name: str = "") -> Level:
    """The grid of a file: rows of numbers with blanks or commas, or a JSON list of lists. Raises LevelError."""
    file.refuse_what_is_not_text()
    data = file.data[file.text_start :]
    is_json = re.match(rb"\s*\[", data) is not None
    grid = _read(data, is_json)
    if grid is None:
        raise _first_error(file.name, data.decode(), is_json)
    if np.iinfo(np.int32).min <= grid.min() and grid.max() <= np.iinfo(np.int32).max:
        grid = grid.astype(np.int32)
    grid.setflags(write=False)
    return Level(name or file.name, grid)


def level_text(level: Level) -> str:
    """Text of a grid's file, which `read_level` reads; aligned unless that would exceed MOST_BYTES."""
    width = max(len(str(value)) for value in (level.grid.min(), level.grid.max()))
    form = f"%{width}d" if (width + 1) * level.grid.size <= MOST_BYTES else "%d"
    line = " ".join([form] * level.grid.shape[1]) + "\n"
    return "".join([line % tuple(row.tolist()) for row in level.grid])


def _read(data: bytes, is_json: bool) -> Grid | None:
    """The grid; None if the text has an error."""
    if is_json:
        if not _JSON_GRID.fullmatch(data) or _LAST_COMMA.search(data):
            return None
        data = data.translate(_JSON_AS_TEXT)
    else:
        if not data.isascii() or data.translate(None, _TEXT_BYTES):
            data = _BLANK.sub(" ", data.decode()).encode()
        if data.translate(None, _TEXT_BYTES) or not data.strip() or _WRONG_COMMA.search(data):
            return None
    try:
        return np.loadtxt(BytesIO(data.replace(b",", b" ")), np.int64, comments=None, ndmin=2)
    except ValueError:  # ragged, or beyond 64 bits
        return None


def _first_error(name: str, text: str, is_json: bool) -> LevelError:
    def fault(at: int, message: str) -> LevelError:
        return LevelError(message, name, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))

    find = _json_error if is_json else _text_error
    return find(text, fault) or fault(0, "this is no grid")


def _text_error(text: str, fault: Fault) -> LevelError | None:
    begin = rows = cols = 0
    while begin <= len(text):
        end = text.find("\n", begin)
        line = text[begin : end if end >= 0 else len(text)]
        count, before, at = 0, "", begin
        for found in _TEXT_PART.finditer(line):
            part, at = found[0], begin + found.start()
            if part == "\r":
                return fault(at, f"{named(part)} alone does not end a row: a line feed does")
            if part == "," and before in ("", ","):
                return fault(at, "a number is missing before this comma")
            if part != "," and (problem := _problem(part)):
                return fault(at, problem)
            count += part != ","
            before = part
        if before == ",":
            return fault(at, "a number is missing after this comma")
        rows, cols = rows + (count > 0), cols or count
        if count not in (0, cols):
            return fault(begin, _ragged(rows, count, cols))
        begin += len(line) + 1
    return None if rows else fault(len(text), _EMPTY)


def _json_error(text: str, fault: Fault) -> LevelError | None:
    begin = rows = cols = count = 0
    before = "||"
    parts = ((found[0], found.start()) for found in _JSON_PART.finditer(text))
    for part, at in chain(parts, [("|", len(text))]):
        kind = part if part in "[],|" else "w"
        if before + kind not in _JSON_ORDER:
            return fault(at, _NO_JSON)
        if kind == "[":
            begin, count = at, 0
        elif kind == "w" and (problem := _problem(part, _JSON_NUMBER)):
            return fault(at, problem)
        elif before[1] + kind == "w]":
            rows, cols = rows + 1, cols or count
            if count != cols:
                return fault(begin, _ragged(rows, count, cols))
        count += kind == "w"
        before = before[1] + kind
    return None


def _ragged(row: int, count: int, cols: int) -> str:
    return f"row {row} holds {counted(count, 'number')}, the first {cols}: all must have the same length"


def _problem(word: str, number: re.Pattern[str] = _NUMBER) -> str:
    if not number.fullmatch(word):
        return f"{named(word) if len(word) == 1 else repr(word[:38])} is not a whole number"
    value = int(word.lstrip("+-").lstrip("0")[:20] or 0) * (-1 if word[0] == "-" else 1)
    return "" if LEAST <= value <= MOST else f"{word[:40]} is beyond 64 bits: values are from {LEAST} to {MOST}"
