"""Grid text -> Level, and back. The format: docs/games/rescue.md."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import islice
from json import JSONDecodeError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.json_positions import offset_of, parsed
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.text import named
from dungeon_tui.core.words import counted

Grid = NDArray[np.signedinteger[Any]]

MOST_BYTES = 24 * 2**20  # of a file
LEAST, MOST = -(2**63), 2**63 - 1  # a cell's value

_EMPTY = "the grid is empty: it needs at least one row of whole numbers"
_NO_ROW = "a row must be a list of whole numbers: [[1, 2], [3, 4]]"
_NUMBER = re.compile(r"[+-]?[0-9]+")
_TEXT_PART = re.compile(r"\r(?!\Z)|,|[^\s,]+")

# Of valid files.
_TEXT_BYTES = b"+-0123456789, \t\r\n"
_BLANK = re.compile(r"[^\S\r\n]")
_WRONG_COMMA = re.compile(rb",[ \t]*(?:,|\r?$)|^[ \t]*,", re.MULTILINE)

_ROWS_A_BLOCK = 100

Fault = Callable[[int, str], LevelError]


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """A grid and the task on it."""

    name: str
    grid: Grid  # (rows, cols) int32 or int64, read-only: change of the knight's health on entering
    lesson: str = ""  # one line
    fee: int | None = None  # gold for a power-up in a purchase; None: no purchase, right and down only
    purse: int = 0  # gold to spend in a purchase
    is_guessed: bool = False  # the task is only to guess the least health


def read_level(file: LevelFile, name: str = "") -> Level:
    """The grid of a file: rows of numbers with blanks or commas, or a JSON list of lists. Raises LevelError."""
    file.refuse_what_is_not_text()
    data = file.data[file.text_start :]
    if re.match(rb"\s*\[", data):
        grid = _json_grid(file.name, data.decode())
    elif (found := _read(data)) is not None:
        grid = found
    else:
        raise _first_error(file.name, data.decode())
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


def _read(data: bytes) -> Grid | None:
    """The grid; None if the text has an error."""
    if not data.isascii() or data.translate(None, _TEXT_BYTES):
        data = _BLANK.sub(" ", data.decode()).encode()
    if data.translate(None, _TEXT_BYTES) or not data.strip() or _WRONG_COMMA.search(data):
        return None
    try:
        return np.loadtxt(BytesIO(data.replace(b",", b" ")), np.int64, comments=None, ndmin=2)
    except ValueError:  # ragged, or beyond 64 bits
        return None


def _json_grid(name: str, text: str) -> Grid:
    """The grid of a JSON list of lists of whole numbers. Raises LevelError."""

    def fault(message: str, *path: int) -> LevelError:
        return _fault(name, text, offset_of(text, path), message)

    try:
        rows = parsed(text)
    except JSONDecodeError as error:
        raise _fault(name, text, error.pos, f"not JSON: {error.msg}") from None
    except ValueError as error:
        raise _fault(name, text, 0, str(error)) from None
    if not rows:
        raise fault(_EMPTY)
    for number, row in enumerate(rows):
        if not isinstance(row, list) or not row:
            raise fault(_NO_ROW, number)
        for col, value in enumerate(row):
            if type(value) is not int or not LEAST <= value <= MOST:
                raise fault(f"a value is a whole number from {LEAST} to {MOST}", number, col)
        if len(row) != len(rows[0]):
            raise fault(_ragged(number + 1, len(row), len(rows[0])), number)
    return np.array(rows, np.int64)


def _fault(name: str, text: str, at: int, message: str) -> LevelError:
    return LevelError(message, name, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def _first_error(name: str, text: str) -> LevelError:
    # Skip blocks of valid rows, since a look at every word takes 20 times as long.
    begin = rows = cols = 0
    for end in islice((found.end() for found in re.finditer(r"\n", text)), 0, None, _ROWS_A_BLOCK):
        grid = _read(text[begin:end].encode())
        if grid is None or cols not in (0, grid.shape[1]):
            break
        begin, rows, cols = end, rows + len(grid), grid.shape[1]
    fault = partial(_fault, name, text)
    return _text_error(text, begin, rows, cols, fault) or fault(begin, "this is no grid")


def _text_error(text: str, begin: int, rows: int, cols: int, fault: Fault) -> LevelError | None:
    """The first error from a row's beginning on, after `rows` rows of `cols` numbers."""
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


def _ragged(row: int, count: int, cols: int) -> str:
    return f"row {row} holds {counted(count, 'number')}, the first {cols}: all must have the same length"


def _problem(word: str) -> str:
    if not _NUMBER.fullmatch(word):
        return f"{named(word) if len(word) == 1 else repr(word[:38])} is not a whole number"
    value = int(word.lstrip("+-").lstrip("0")[:20] or 0) * (-1 if word[0] == "-" else 1)
    return "" if LEAST <= value <= MOST else f"{word[:40]} is beyond 64 bits: values are from {LEAST} to {MOST}"
