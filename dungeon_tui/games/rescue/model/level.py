"""Grid text -> Level, and back. The format: docs/games/rescue.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.text import named, printable
from dungeon_tui.core.words import counted

Grid = NDArray[np.signedinteger[Any]]
_Bytes = NDArray[np.uint8]
_Places = NDArray[np.intp]
_Flags = NDArray[np.bool_]

MOST_BYTES = 24 * 2**20  # of a file
LEAST, MOST = -(2**63), 2**63 - 1  # a cell's value

_EMPTY = "the grid is empty: a row of whole numbers is the least"
_NO_ROW = "a row must be a list of whole numbers: [[1, 2], [3, 4]]"
_BLOCK = 2**17  # bytes read at once: few enough to stay in the processor's cache
_LONG = 18  # digits: any number of so many fits 64 bits
_NUMBER = re.compile(r"[+-]?[0-9]+")
_JSON_PART = re.compile(r'"(?:[^"\\]|\\.)*+"?|[{}:]|[^\s\[\]{},:"]+')
_WIDE_BLANKS = [blank.encode() for blank in "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"]
_WIDE_BLANKS += [chr(blank).encode() for blank in range(0x2000, 0x200B)]

_DIGIT, _SIGN, _OTHER, _BLANK, _COMMA, _END, _OPEN, _STRAY, _EDGE = range(9)
"""Kinds of bytes. The first three are parts of words; from the comma on each is an event, as is a word.

_END ends a row, _OPEN is a bracket that opens, _STRAY is never right, _EDGE stands for either end of a JSON text.
"""
_WORD = _OTHER  # as an event


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """A grid as its file gives it."""

    name: str
    grid: Grid  # (rows, cols) int32 or int64, read-only: what entering a cell adds to the knight's health
    lesson: str = ""  # one line
    fee: int | None = None  # gold for a power-up in a purchase; None: it is none, he walks right or down only
    purse: int = 0  # gold for all of a purchase
    is_guessed: bool = False  # only the least health is asked for


def read_level(file: LevelFile, name: str = "") -> Level:
    """The grid of a file: rows of whole numbers parted by blanks or commas, or a JSON list of lists.

    Raises:
        LevelError: it is no grid; the message tells the first fault and its place.

    Cost:
        O(file) time, and at most 20 bytes of memory a byte.
    """
    file.refuse_what_is_not_text()
    is_json = re.compile(rb"\s*\[").match(file.data, file.text_start) is not None
    grid = _Reading(file, _JSON if is_json else _TEXT).grid()
    grid.setflags(write=False)
    return Level(name or file.name, grid)


def level_text(level: Level) -> str:
    """Text of a grid's file, from which `read_level` reads the numbers again.

    Its columns are aligned, unless one wide number would make it larger than what is read by blanks alone.
    """
    width = max(len(str(value)) for value in (level.grid.min(), level.grid.max()))
    form = f"%{width}d" if (width + 1) * level.grid.size <= MOST_BYTES else "%d"
    line = " ".join([form] * level.grid.shape[1]) + "\n"
    return "".join([line % tuple(row.tolist()) for row in level.grid])


# -- what may stand where


@dataclass(frozen=True, eq=False, slots=True)
class _Format:
    """Rules of one of the two notations, and how it tells of what breaks them."""

    kinds: _Bytes  # (256,) kind of each byte
    edge: int  # the event that either end of the text is
    is_right: _Flags  # (9, 9, 9): whether an event may follow two others
    fault: Callable[[LevelFile, int, tuple[int, int, int]], LevelError]  # for an event at a byte offset that may not
    is_number: re.Pattern[str]
    row_begin: bytes  # what a row is preceded by, or begins with
    cut: re.Pattern[bytes]  # behind it no word goes on


def _kinds(**members: bytes) -> _Bytes:
    table = np.full(256, _OTHER, np.uint8)
    kinds = {"blank": _BLANK, "end": _END, "open": _OPEN, "stray": _STRAY}
    for kind, bytes_ in (_DIGIT, b"0123456789"), (_SIGN, b"+-"), (_COMMA, b","):
        table[[*bytes_]] = kind
    for name, bytes_ in members.items():
        table[[*bytes_]] = kinds[name]
    return table


def _text_fault(file: LevelFile, at: int, events: tuple[int, int, int]) -> LevelError:
    if events[2] == _STRAY:
        return file.error(at, f"{named(chr(13))} alone ends no row: a line feed does")
    if events[2] == _COMMA:
        return file.error(at, "a number is missing before this comma")
    return file.error(file.data.rfind(b",", 0, at), "a number is missing after this comma")


def _json_fault(file: LevelFile, at: int, events: tuple[int, int, int]) -> LevelError:
    *before, event = events
    is_row_due = before in ([_EDGE, _OPEN], [_END, _COMMA])
    if before == [_EDGE, _OPEN] and event == _END:
        return file.error(file.text_start, _EMPTY)
    if is_row_due and event == _WORD:
        return file.error(at, _NO_ROW)
    if before[1] == _OPEN and event == _END:
        return file.error(file.data.rfind(b"[", 0, at), "this row is empty: a row holds one number at least")
    if before[1] in (_OPEN, _COMMA) and event == _OPEN:
        return file.error(at, "[ is not a whole number")
    if before == [_END, _END]:
        return file.error(at, "not JSON: extra data")
    due = "a comma or a bracket" if before[1] in (_WORD, _END) else "a row in brackets" if is_row_due else "a number"
    return file.error(at, f"not JSON: {due} must stand here")


def _text_rules() -> _Flags:
    is_right = np.ones((9, 9, 9), bool)
    is_right[:, :, _STRAY] = False
    for pair in (_END, _COMMA), (_COMMA, _COMMA), (_COMMA, _END):
        is_right[:, pair[0], pair[1]] = False
    return is_right


def _json_rules() -> _Flags:
    is_right = np.zeros((9, 9, 9), bool)
    codes = {"w": _WORD, ",": _COMMA, "]": _END, "[": _OPEN, "|": _EDGE}
    for triple in "||[ |[[ [[w ,[w [w, [w] ,w, ,w] w,w w], w]] ],[ ]]|".split():
        is_right[tuple(codes[sign] for sign in triple)] = True
    return is_right


_TEXT = _Format(
    kinds=_kinds(blank=b" \t\v\f\x1c\x1d\x1e\x1f", end=b"\n", stray=b"\r"),
    edge=_END,
    is_right=_text_rules(),
    fault=_text_fault,
    is_number=_NUMBER,
    row_begin=b"\n",
    cut=re.compile(rb"[ \t\n,]|" + b"|".join(_WIDE_BLANKS)),
)
_JSON = _Format(
    kinds=_kinds(blank=b" \t\n\r", end=b"]", open=b"["),
    edge=_EDGE,
    is_right=_json_rules(),
    fault=_json_fault,
    is_number=re.compile(r"-?(?:0|[1-9][0-9]*)"),
    row_begin=b"[",
    cut=re.compile(rb"[ \t\n,\[\]]"),
)


# -- reading


@dataclass(slots=True)
class _Reading:
    """One reading of one file, a block after the other."""

    file: LevelFile
    format: _Format
    rows: int = 0  # that have ended
    cols: int = 0  # of the first one
    _here: int = 0  # numbers in a row that has not ended yet
    _before: tuple[int, int] = field(init=False)  # the last two events

    def __post_init__(self) -> None:
        self._before = (self.format.edge, self.format.edge)

    def grid(self) -> Grid:
        """All the numbers; LevelError at the first fault."""
        parts = list(self._parts())
        if not self.rows:
            raise self.file.error(len(self.file.data), _EMPTY)
        return np.concatenate(parts).reshape(self.rows, self.cols)

    def _parts(self) -> Iterator[Grid]:
        data, at = self.file.data, self.file.text_start
        while at < len(data):
            cut = self.format.cut.search(data, at + _BLOCK)
            end = cut.end() if cut else len(data)
            block = data[at:end]
            yield self._values(at, _with_plain_blanks(block, end == len(data)) if self.format is _TEXT else block)
            at = end

    def _values(self, at: int, block: bytes) -> Grid:
        """The numbers of a block that begins at a byte offset, as int32 where they fit."""
        kinds = self.format.kinds[np.frombuffer(block, np.uint8)]
        is_part = kinds <= _OTHER
        is_event = kinds >= _COMMA
        is_event[0] |= is_part[0]
        is_event[1:] |= is_part[1:] & ~is_part[:-1]
        places = np.flatnonzero(is_event)
        events = np.maximum(kinds[places], _WORD)
        if at + len(block) == len(self.file.data):
            places, events = np.append(places, len(block)), np.append(events, np.uint8(self.format.edge))
        is_word = events == _WORD
        words = places[is_word]
        is_part[:-1] &= ~is_part[1:]
        word_ends = np.flatnonzero(is_part) + 1
        values, wrong_word = _numbers(block, kinds, words, word_ends, self.format is _JSON)
        self._check(at, places, events, is_word, -1 if wrong_word < 0 else int(words[wrong_word]))
        fits = not len(values) or (np.iinfo(np.int32).min <= values.min() and values.max() <= np.iinfo(np.int32).max)
        return values.astype(np.int32) if fits else values

    def _check(self, at: int, places: _Places, events: _Bytes, is_word: _Flags, wrong: int) -> None:
        """Counts the rows; raises the first fault of a block: an event, a row's length or the word at `wrong`."""
        chain = np.concatenate([np.array(self._before, np.uint8), events])
        misplaced = np.flatnonzero(~self.format.is_right[chain[:-2], chain[1:-1], chain[2:]])[:1].tolist()
        ends = np.flatnonzero(events == _END)
        words_before = np.cumsum(is_word)
        counts = np.diff(words_before[ends], prepend=0)
        counts[:1] += self._here
        rows = np.flatnonzero(counts)
        self.cols = self.cols or int(counts[rows[0]]) if rows.size else self.cols
        ragged = rows[counts[rows] != self.cols][:1].tolist()
        faults: list[tuple[int, LevelError]] = []  # by place; of two at one place the first one counts
        for event in misplaced:
            first, second, third = chain[event : event + 3].tolist()
            place = int(places[event])
            faults.append((place, self.format.fault(self.file, at + place, (first, second, third))))
        if wrong >= 0:
            faults.append((wrong, self.file.error(at + wrong, self._problem(at + wrong))))
        for row in ragged:
            place, number = int(places[ends[row]]), self.rows + int(np.searchsorted(rows, row)) + 1
            faults.append((place, self._ragged(at + place, number, int(counts[row]))))
        if faults:
            raise min(faults, key=itemgetter(0))[1]
        self._here = int(is_word.sum()) - (int(words_before[ends[-1]]) if ends.size else -self._here)
        self.rows += len(rows)
        self._before = (int(chain[-2]), int(chain[-1]))

    def _problem(self, at: int) -> str:
        """The reason why the word at an offset is no value."""
        text = self.file.data[at : at + 2**10].decode("utf-8", "ignore")
        part = _JSON_PART.match(text) if self.format is _JSON else re.match(r"[^\s,]+", text)
        word = part[0] if part else text[:1]
        if self.format is _JSON and word[0] in '"{}:tfn':  # no number, not even a fraction
            return f"{printable(word[:40])} is not a whole number"
        if not _NUMBER.fullmatch(word):
            return f"{named(word) if len(word) == 1 else repr(word[:38])} is not a whole number"
        if not self.format.is_number.fullmatch(word):
            return f"not JSON: {word[:40]} begins with a plus sign or a zero"
        return f"{word[:40]} is beyond 64 bits: values are from {LEAST} to {MOST}"

    def _ragged(self, end: int, row: int, here: int) -> LevelError:
        """For a row that ends at an offset: its number, from 1, and its length."""
        begin = self.file.data.rfind(self.format.row_begin, 0, end)
        at = begin + 1 if self.format is _TEXT else begin
        message = f"row {row} holds {counted(here, 'number')}, the first one {self.cols}: all must be of one length"
        return self.file.error(max(at, self.file.text_start), message)


def _with_plain_blanks(data: bytes, is_last: bool) -> bytes:
    """The text with a blank for each byte of white space beyond ASCII and of a line end's carriage return."""
    if b"\r" in data:
        data = (data[:-1] + b" " if is_last and data.endswith(b"\r") else data).replace(b"\r\n", b" \n")
    for blank in () if data.isascii() else _WIDE_BLANKS:
        data = data.replace(blank, b" " * len(blank))
    return data


def _numbers(
    block: bytes, kinds: _Bytes, words: _Places, word_ends: _Places, is_json: bool
) -> tuple[NDArray[np.int64], int]:
    """The words' values, and the index of the first word that is no value, -1 if all are."""
    digits_of = np.frombuffer(block, np.uint8) - np.uint8(ord("0"))
    is_signed = kinds[words] == _SIGN
    digits = word_ends - words - is_signed
    is_wrong = digits == 0
    odd = kinds == _OTHER
    odd |= kinds == _SIGN
    odd[words[is_signed]] = False
    if odd.any():
        is_wrong[np.searchsorted(words, odd.argmax(), "right") - 1] = True
    begins = np.minimum(words + is_signed, word_ends - 1)
    if is_json:
        is_wrong |= (digits > 1) & (digits_of[begins] == 0)
        is_wrong |= is_signed & (digits_of[words] == (ord("+") - ord("0")) % 256)
    if (digits > _LONG).any():  # zeros in front count for nothing
        long = np.flatnonzero(digits > _LONG)
        spans = zip(begins[long].tolist(), word_ends[long].tolist(), strict=True)
        digits[long] = [len(block[begin:end].lstrip(b"0")) or 1 for begin, end in spans]
        is_wrong |= digits > _LONG + 1
    sizes = np.zeros(len(words), np.uint64)
    for place in range(min(int(digits.max(initial=0)), _LONG + 1)):
        longer = slice(None) if place < digits.min() else np.flatnonzero(digits > place)
        sizes[longer] += digits_of[word_ends[longer] - 1 - place] * np.uint64(10**place)
    is_negative = is_signed & (digits_of[words] == (ord("-") - ord("0")) % 256)
    is_wrong |= sizes > np.uint64(MOST) + is_negative
    values = sizes.view(np.int64)
    np.negative(values, out=values, where=is_negative)
    wrong = np.flatnonzero(is_wrong)[:1].tolist()
    return values, wrong[0] if wrong else -1
