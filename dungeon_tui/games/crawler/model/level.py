"""Parses and writes level files; docs/games/crawler.md has the format."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.text import named

MAX_CELLS = 2_147_483_647
OPEN, PILLAR, TREASURE, AMULET, MONSTER, DOOR, WAY_OUT = b"-+$@M?!"
ADVENTURER = ord("o")  # drawn, never stored

TILE_NAMES = {
    OPEN: "open floor",
    PILLAR: "wall",
    TREASURE: "treasure",
    AMULET: "amulet",
    MONSTER: "monster",
    DOOR: "door to the next level",
    WAY_OUT: "gate out of the dungeon",
}
FALSE_DOOR = "false door: it ends the game"

MAX_SIDE = 999_999
MOST_BYTES = 64 * 2**20  # of a file

_TILES = bytes(TILE_NAMES)
_TILE_CLASS = b"[" + b"".join(re.escape(bytes([tile])) for tile in _TILES) + b"]"
_BLANKS = b" \t\n\r\v\f"
_NO_CHARACTER = _BLANKS + bytes(range(0x80, 0xC0))  # blanks, and continuation bytes of UTF-8
_NUMBER = re.compile(rb"[+-]?[0-9]+")
_WORD = re.compile(rb"[^ \t\n\r\v\f]+")
_NUMBER_THEN_TILE = re.compile(rb"[+-]?[0-9]+(?=" + _TILE_CLASS + rb")")
_NOT_A_TILE = re.compile(rb"[^ \t\n\r\v\f\x80-\xbf" + _TILE_CLASS[1:])
_MOST_LISTED = 10_000  # errors of one kind
_BLOCK = 2**16  # bytes searched in one step
_Problem = tuple[int, str]  # byte offset, message


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """One level as in its file."""

    file: str
    tiles: ByteGrid  # (height, width) uint8, read-only: the tiles' ASCII codes
    start: Cell


@dataclass(frozen=True, slots=True)
class Parsed:
    """A level or its errors, and the position of its tiles."""

    level: Level | None
    errors: tuple[LevelError, ...]
    tiles_at: int = 0  # byte offset of the first tile


def read_level(file: LevelFile) -> Level:
    """The level in a file. Raises LevelError, which names the first error and its position."""
    parsed = parse_level(file, most_errors=1)
    if parsed.level is None:
        raise parsed.errors[0]
    return parsed.level


def parse_level(file: LevelFile, most_errors: int = _MOST_LISTED) -> Parsed:
    """The level of a file, or all its errors; at most `most_errors` for unknown tiles."""
    try:
        file.refuse_what_is_not_text()
    except LevelError as error:
        return Parsed(None, (error,))
    # The numbers: size and start.
    problems: list[_Problem] = []
    numbers, at = _read_numbers(file, problems)
    if numbers is None:
        return Parsed(None, _errors(file, problems))
    (_, rows), (cols_at, cols), (row_at, row), (col_at, col) = numbers
    # Numbers that contradict each other; the rest is checked without them.
    if rows is not None and cols is not None and rows * cols > MAX_CELLS:
        size = f"{rows:,} x {cols:,} is {rows * cols:,} tiles"
        problems.append((cols_at, f"the level is too large: {size}, at most {MAX_CELLS:,} are possible"))
        cols = None
    if rows is not None and row is not None and row >= rows:
        problems.append((row_at, f"start row {row} is off the map: its rows are 0 to {rows - 1}"))
        row = None
    if cols is not None and col is not None and col >= cols:
        problems.append((col_at, f"start column {col} is off the map: its columns are 0 to {cols - 1}"))
        col = None
    if rows is None or cols is None:
        return Parsed(None, _errors(file, problems), at)

    # The tiles, and the one at the start.
    tiles = file.data[at:].translate(None, _NO_CHARACTER)
    problems.extend(_tile_problems(file, at, tiles, rows * cols, most_errors))
    if row is not None and col is not None and row * cols + col < len(tiles):
        tile = tiles[row * cols + col]
        if tile != OPEN and tile in TILE_NAMES:
            here = f"start row {row}, column {col} is on '{chr(tile)}' ({TILE_NAMES[tile]})"
            problems.append((row_at, f"{here}; it must be on an open tile '-'"))
    if problems or row is None or col is None:
        return Parsed(None, _errors(file, problems), at)
    grid = np.frombuffer(tiles, np.uint8).reshape(rows, cols)
    return Parsed(Level(file.name, grid, Cell(row, col)), (), at)


def _errors(file: LevelFile, problems: Sequence[_Problem]) -> tuple[LevelError, ...]:
    offsets = sorted({offset for offset, _ in problems})
    positions = dict(zip(offsets, file.positions(offsets), strict=True))
    return tuple(LevelError(message, file.name, *positions[offset]) for offset, message in problems)


def level_text(level: Level) -> str:
    """Text of a level's file, with blanks between the tiles."""
    height, width = level.tiles.shape
    rows = (" ".join(row.tobytes().decode("ascii")) for row in level.tiles)
    return f"{height} {width}\n{level.start.row} {level.start.col}\n" + "\n".join(rows) + "\n"


def tile_offsets(file: LevelFile, tiles_at: int) -> NDArray[np.intp]:
    """(k,) byte offsets of a file's tiles in order, and of any characters after the last tile."""
    body = np.frombuffer(file.data, np.uint8, offset=tiles_at)
    is_blank = np.zeros(256, bool)
    is_blank[list(_NO_CHARACTER)] = True
    return tiles_at + np.flatnonzero(~is_blank[body])


def _tile_offset(file: LevelFile, tiles_at: int, number: int) -> int:
    """`tile_offsets(file, tiles_at)[number]`, without computing all of them."""
    for at in range(tiles_at, len(file.data), _BLOCK):
        block = LevelFile(file.name, file.data[at : at + _BLOCK])
        here = len(block.data.translate(None, _NO_CHARACTER))
        if number < here:
            return at + int(tile_offsets(block, 0)[number])
        number -= here
    raise IndexError(number)


def _read_numbers(file: LevelFile, problems: list[_Problem]) -> tuple[list[tuple[int, int | None]] | None, int]:
    """(offset, value) of the four numbers, with value None for a wrong one, or None if any is missing; end offset."""
    numbers = []
    at = file.text_start
    for what in ("rows", "columns", "start row", "start column"):
        name = f"the number of {what}" if what in _SIZES else what
        word = _WORD.search(file.data, at)
        if word is None:
            problems.append((len(file.data), f"{name} is missing"))
            return None, at
        offset, at = word.span()
        # Tiles may follow the last of the four without a blank; the others stand apart.
        if what == "start column" and (number := _NUMBER_THEN_TILE.match(file.data, offset)):
            at = number.end()
        value, problem = _read_number(file.data[offset:at].decode("utf-8"), what, name)
        if problem:
            problems.append((offset, problem))
        numbers.append((offset, value))
    return numbers, at


def _read_number(text: str, what: str, name: str) -> tuple[int | None, str]:
    if not _NUMBER.fullmatch(text.encode("utf-8")):
        shown = named(text) if len(text) == 1 else repr(text)[:40]
        return None, f"{what} must be a whole number, not {shown}"
    digits = text.lstrip("+-").lstrip("0")
    value = int(digits[:7] or "0") * (-1 if text.startswith("-") else 1)  # 7 digits are above every limit
    least = 1 if what in _SIZES else 0
    if not least <= value <= MAX_SIDE:
        problem = "0" if value == 0 else "negative" if value < 0 else f"above {MAX_SIDE:,}"
        return None, f"{name} is {problem}; it must be from {least} to {MAX_SIDE:,}"
    return value, ""


def _tile_problems(file: LevelFile, at: int, tiles: bytes, wanted: int, most: int) -> Iterator[_Problem]:
    last_at = None if len(tiles) <= wanted else _tile_offset(file, at, wanted)
    if tiles.translate(None, _TILES):
        for count, found in enumerate(_NOT_A_TILE.finditer(file.data, at, last_at or len(file.data))):
            if count == most:
                yield found.start(), f"more unknown tiles; only {most} are listed"
                break
            character = file.character(found.start())
            shown = named(character)
            what = shown if shown.startswith("control character") else f"unknown tile {shown}"
            hint = "; the adventurer is not stored, the start gives the cell" if character == "o" else ""
            yield found.start(), f"{what}: the tiles are {_TILE_LIST}{hint}"
    if last_at is not None:
        extra = named(file.character(last_at))
        yield last_at, f"{extra} after the last tile: the level has {wanted:,} tiles"
    elif len(tiles) < wanted:
        yield len(file.data), f"too few tiles: {wanted:,} expected, {len(tiles):,} found"


_SIZES = ("rows", "columns")
_TILE_LIST = " ".join(chr(tile) for tile in _TILES)
