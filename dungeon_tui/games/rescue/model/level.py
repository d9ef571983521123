"""Grid text -> Level, and back. The format: docs/games/rescue.md."""

from __future__ import annotations

import json
import re
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
_Bytes = NDArray[np.uint8]
_Places = NDArray[np.intp]

MOST_BYTES = 24 * 2**20  # of a file
LEAST, MOST = -(2**63), 2**63 - 1  # a cell's value

_EMPTY = "the grid is empty: a row of whole numbers is the least"
_SHORT = 18  # characters: a number of so many fits 64 bits whatever it is
_DIGIT, _SIGN, _OTHER, _BLANK, _COMMA, _LINE_END = range(6)  # kinds of bytes: the first three are parts of words
_KINDS = np.full(256, _OTHER, np.uint8)
for _kind, _members in (_DIGIT, b"0123456789"), (_SIGN, b"+-"), (_COMMA, b","), (_LINE_END, b"\n"):
    _KINDS[[*_members]] = _kind
_KINDS[[byte for byte in range(128) if chr(byte).isspace() and byte != 10]] = _BLANK
_PLAIN = bytes.maketrans(b"\x1c\x1d\x1e\x1f", b"    ")  # white space that numpy takes for none
_WIDE_BLANKS = [blank.encode() for blank in "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"]
_WIDE_BLANKS += [chr(blank).encode() for blank in range(0x2000, 0x200B)]
_NUMBER = re.compile(r"[+-]?[0-9]+")
_JSON_PART = re.compile(r'[\[\]{},:]|"(?:[^"\\]|\\.)*+"|[^\s\[\]{},:"]+')


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
        O(file) time, and some 20 bytes of memory a byte.
    """
    file.refuse_what_is_not_text()
    start = file.text_start
    is_json = file.data[start:].lstrip()[:1] == b"["
    grid = _json_grid(file, start) if is_json else _text_grid(file, start)
    grid.setflags(write=False)
    return Level(name or file.name, grid)


def level_text(level: Level) -> str:
    """Text of a grid's file, its columns aligned, from which `read_level` reads the numbers again."""
    width = max(len(str(value)) for value in (level.grid.min(), level.grid.max()))
    line = " ".join([f"%{width}d"] * level.grid.shape[1]) + "\n"
    return "".join([line % tuple(row.tolist()) for row in level.grid])


def _smallest(grid: NDArray[np.int64]) -> Grid:
    """The grid as int32 if its values fit, else as it is."""
    info = np.iinfo(np.int32)
    return grid.astype(np.int32) if info.min <= grid.min() and grid.max() <= info.max else grid


# -- rows of numbers


def _text_grid(file: LevelFile, start: int) -> Grid:
    """All words and commas are found and judged at once, by arrays of places in the text."""
    data = _with_plain_blanks(file.data[start:])
    kinds = _KINDS[np.frombuffer(data, np.uint8)]
    begins = kinds <= _OTHER
    begins[1:] &= kinds[:-1] > _OTHER
    ends = kinds <= _OTHER
    ends[:-1] &= kinds[1:] > _OTHER
    words, word_ends = np.flatnonzero(begins), np.flatnonzero(ends) + 1
    line_ends = np.flatnonzero(kinds == _LINE_END)
    counts = np.bincount(np.searchsorted(line_ends, words), minlength=1)
    rows = np.flatnonzero(counts)
    ragged = rows[counts[rows] != counts[rows[:1]]]
    problem_at, problem = _first_problem_of(data, kinds, words, word_ends)
    if problem and not (ragged.size and ragged[0] < np.searchsorted(line_ends, problem_at)):
        raise file.error(start + problem_at, problem)
    if ragged.size:
        row = int(ragged[0])
        at = int(line_ends[row - 1]) + 1
        number = int(np.searchsorted(rows, row)) + 1
        raise file.error(start + at, _ragged(number, int(counts[row]), int(counts[rows[0]])))
    if not rows.size:
        raise file.error(len(file.data), _EMPTY)
    values = np.fromstring(data.replace(b",", b" ").decode(), np.int64, sep=" ")
    for number in np.flatnonzero(word_ends - words > _SHORT).tolist():
        values[number] = _value(data[words[number] : word_ends[number]].decode())
    return _smallest(values.reshape(len(rows), -1))


def _with_plain_blanks(data: bytes) -> bytes:
    """The text with a blank for each byte of other white space and of a line end's carriage return."""
    data = (data[:-1] + b" " if data.endswith(b"\r") else data).replace(b"\r\n", b" \n").translate(_PLAIN)
    for blank in () if data.isascii() else _WIDE_BLANKS:
        data = data.replace(blank, b" " * len(blank))
    return data


def _first_problem_of(data: bytes, kinds: _Bytes, words: _Places, word_ends: _Places) -> tuple[int, str]:
    """The first thing wrong with words and commas, and its place; empty where nothing is."""
    found: list[tuple[int, str]] = []
    is_odd = kinds == _OTHER
    is_odd |= kinds == _SIGN
    is_odd[words] &= (kinds[words] != _SIGN) | (word_ends - words == 1)
    odd = np.searchsorted(words, np.flatnonzero(is_odd)[:1], "right") - 1
    long = np.flatnonzero(word_ends - words > _SHORT)
    for number in (*long[long < (odd[0] if odd.size else len(words))], *odd):
        if problem := _problem(data[words[number] : word_ends[number]].decode()):
            found.append((int(words[number]), problem))
            break
    if b"\r" in data:
        found.append((data.index(b"\r"), f"{named(chr(13))} alone ends no row: a line feed does"))
    if b"," in data:
        is_event = kinds >= _COMMA
        is_event[words] = True
        events = np.flatnonzero(is_event)
        is_comma = kinds[events] == _COMMA
        is_word = np.concatenate([[False], kinds[events] <= _OTHER, [False]])
        first = events[is_comma & ~is_word[:-2]][:1].tolist()
        found += [(at, "a number is missing before this comma") for at in first]
        is_followed = is_word[2:] | np.append(is_comma[1:], False)
        last = events[is_comma & ~is_followed][:1].tolist()
        found += [(at, "a number is missing after this comma") for at in last]
    return min(found, key=lambda each: each[0], default=(0, ""))


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


def _json_grid(file: LevelFile, start: int) -> Grid:
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
            return _smallest(np.array(rows, np.int64))
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
