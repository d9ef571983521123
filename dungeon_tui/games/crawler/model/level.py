"""Level text -> Level, and back. The format: docs/games/crawler.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile, named

OPEN, PILLAR, TREASURE, AMULET, MONSTER, DOOR, WAY_OUT = b"-+$@M?!"
ADVENTURER = ord("o")  # drawn, never stored

TILE_NAMES = {
    OPEN: "open floor",
    PILLAR: "pillar",
    TREASURE: "treasure",
    AMULET: "amulet",
    MONSTER: "monster",
    DOOR: "door to the next level",
    WAY_OUT: "way out of the dungeon",
}

MAX_SIDE = 999_999
MAX_CELLS = 2_147_483_647

_TILES = bytes(TILE_NAMES)
_TILE_CLASS = b"[" + b"".join(re.escape(bytes([tile])) for tile in _TILES) + b"]"
_BLANKS = b" \t\n\r\v\f"
_NO_CHARACTER = _BLANKS + bytes(range(0x80, 0xC0))  # blanks, and what only continues a character of several bytes
_NUMBER = re.compile(rb"[+-]?[0-9]+")
_WORD = re.compile(rb"[^ \t\n\r\v\f]+")
_NUMBER_THEN_TILE = re.compile(rb"[+-]?[0-9]+(?=" + _TILE_CLASS + rb")")
_NOT_A_TILE = re.compile(rb"[^ \t\n\r\v\f\x80-\xbf" + _TILE_CLASS[1:])
_MOST_LISTED = 10_000  # errors of one kind


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """One level as its file gives it."""

    file: str
    tiles: ByteGrid  # (height, width) uint8, read-only: the tiles' ASCII codes
    start: Cell


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a file's text came to: a level or errors, and where its tiles begin."""

    level: Level | None
    errors: tuple[LevelError, ...]
    tiles_at: int = 0  # byte offset of the first tile


def read_level(file: LevelFile) -> Level:
    """Reads a level.

    Raises:
        LevelError: the first thing that is wrong with it.
    """
    parsed = parse_level(file)
    if parsed.level is None:
        raise parsed.errors[0]
    return parsed.level


def parse_level(file: LevelFile) -> Parsed:
    """Reads a level and lists all that is wrong with it."""
    try:
        file.refuse_what_is_not_text()
    except LevelError as error:
        return Parsed(None, (error,))
    errors: list[LevelError] = []
    at = file.text_start
    numbers: list[tuple[int, int | None]] = []  # offset, value
    for what in ("rows", "columns", "start row", "start column"):
        offset, at, value = _read_number(file, at, what, errors)
        if offset == len(file.data):
            return Parsed(None, tuple(errors))
        numbers.append((offset, value))
    (_, rows), (cols_at, cols), (row_at, row), (col_at, col) = numbers
    if rows is not None and cols is not None and rows * cols > MAX_CELLS:
        size = f"{rows:,} x {cols:,} is {rows * cols:,} tiles"
        errors.append(file.error(cols_at, f"the level is too large: {size}, at most {MAX_CELLS:,} are possible"))
        cols = None
    if rows is not None and row is not None and row >= rows:
        errors.append(file.error(row_at, f"start row {row} is off the map: its rows are 0 to {rows - 1}"))
        row = None
    if cols is not None and col is not None and col >= cols:
        errors.append(file.error(col_at, f"start column {col} is off the map: its columns are 0 to {cols - 1}"))
        col = None
    if rows is None or cols is None:
        return Parsed(None, tuple(errors), at)

    tiles = file.data[at:].translate(None, _NO_CHARACTER)
    errors.extend(_tile_errors(file, at, tiles, rows * cols))
    if row is not None and col is not None and row * cols + col < len(tiles):
        tile = tiles[row * cols + col]
        if tile != OPEN and tile in TILE_NAMES:
            here = f"start row {row}, column {col} is on '{chr(tile)}' ({TILE_NAMES[tile]})"
            errors.append(file.error(row_at, f"{here}; it must be on an open tile '-'"))
    if errors or row is None or col is None:
        return Parsed(None, tuple(errors), at)
    grid = np.frombuffer(tiles, np.uint8).reshape(rows, cols)
    return Parsed(Level(file.name, grid, Cell(row, col)), (), at)


def level_text(level: Level) -> str:
    """The level's file again, with blanks between the tiles."""
    height, width = level.tiles.shape
    rows = (" ".join(row.tobytes().decode("ascii")) for row in level.tiles)
    return f"{height} {width}\n{level.start.row} {level.start.col}\n" + "\n".join(rows) + "\n"


def tile_offsets(file: LevelFile, tiles_at: int) -> NDArray[np.intp]:
    """(tiles,) byte offsets in the file of all tiles in their order, and of what may follow them."""
    body = np.frombuffer(file.data, np.uint8, offset=tiles_at)
    is_blank = np.zeros(256, bool)
    is_blank[list(_NO_CHARACTER)] = True
    return tiles_at + np.flatnonzero(~is_blank[body])


def _read_number(file: LevelFile, at: int, what: str, errors: list[LevelError]) -> tuple[int, int, int | None]:
    """(offset, end, value) of the next number; where it is wrong, no value and one error more.

    Tiles may follow the last of the four without a blank; the others stand apart.
    """
    name = f"the number of {what}" if what in _SIZES else what
    word = _WORD.search(file.data, at)
    if word is None:
        end = len(file.data)
        errors.append(file.error(end, f"{name} is missing"))
        return end, end, None
    offset, end = word.span()
    if what == "start column" and (number := _NUMBER_THEN_TILE.match(file.data, offset)):
        end = number.end()
    text = file.data[offset:end].decode("utf-8")
    if not _NUMBER.fullmatch(text.encode("utf-8")):
        shown = named(text) if len(text) == 1 else repr(text)[:40]
        errors.append(file.error(offset, f"{what} must be a whole number, not {shown}"))
        return offset, end, None
    digits = text.lstrip("+-").lstrip("0")
    value = int(digits[:7] or "0") * (-1 if text.startswith("-") else 1)  # 7 digits are above every limit
    least = 1 if what in _SIZES else 0
    if not least <= value <= MAX_SIDE:
        problem = "0" if value == 0 else "negative" if value < 0 else f"above {MAX_SIDE:,}"
        errors.append(file.error(offset, f"{name} is {problem}; it must be from {least} to {MAX_SIDE:,}"))
        return offset, end, None
    return offset, end, value


_SIZES = ("rows", "columns")


def _tile_errors(file: LevelFile, at: int, tiles: bytes, wanted: int) -> Iterator[LevelError]:
    """Unknown tiles, too few tiles, anything after the last."""
    last_at = None if len(tiles) <= wanted else int(tile_offsets(file, at)[wanted])
    if tiles.translate(None, _TILES):
        for count, found in enumerate(_NOT_A_TILE.finditer(file.data, at, last_at or len(file.data))):
            if count == _MOST_LISTED:
                yield file.error(found.start(), f"and more unknown tiles: {_MOST_LISTED} are listed")
                break
            character = file.character(found.start())
            shown = named(character)
            what = shown if shown.startswith("control character") else f"unknown tile {shown}"
            hint = "; the adventurer is not stored, the start gives the cell" if character == "o" else ""
            yield file.error(found.start(), f"{what}: the tiles are {_TILE_LIST}{hint}")
    if last_at is not None:
        extra = named(file.character(last_at))
        yield file.error(last_at, f"{extra} after the last tile: the level has {wanted:,} tiles and nothing more")
    elif len(tiles) < wanted:
        yield file.error(len(file.data), f"too few tiles: {wanted:,} are announced, {len(tiles):,} are here")


_TILE_LIST = " ".join(chr(tile) for tile in _TILES)
