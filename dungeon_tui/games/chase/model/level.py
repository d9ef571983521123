"""Board text -> Level, and back. The format: docs/games/chase.md."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.text import named, printable
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.games.chase.model.players import CATCH

ROOM, CORRIDOR, WALL, ROGUE = b".+ @"
CAPTURE = "*"  # drawn where both stand
TILE_NAMES = {ROOM: "room", CORRIDOR: "corridor", WALL: "wall"}

MAX_SIDE = 4096
MOST_NOTE = 64 * 2**10  # bytes of a note
MOST_BYTES = 2 * (MAX_SIDE + 1) ** 2 + MOST_NOTE  # of a file
MOVES = 2000  # monster moves after which the rogue has evaded it

_COMMON = b".+ "  # sites without the monster or the rogue
_SIZE = re.compile(r"\+?0*([1-9][0-9]{0,3})")
_CHARACTERS = "'.' room, '+' corridor, ' ' wall, '@' the rogue, A to Z the monster"


@dataclass(frozen=True, slots=True)
class Task:
    """A goal for one side within the level's moves: to catch, to survive, or to be safe from exact play for good."""

    aim: str
    opponent: str  # a strategy's name

    @property
    def seat(self) -> str:
        """The side whose task it is."""
        return "monster" if self.aim == CATCH else "rogue"


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """A board, and how long a chase on it lasts."""

    name: str
    tiles: NDArray[np.uint8]  # (size, size), read-only: ROOM, CORRIDOR or WALL
    monster: Cell
    rogue: Cell
    letter: str = "M"  # the monster's
    note: str = ""  # the file's text below its rows
    moves: int = MOVES  # monster moves after which the rogue has evaded it
    task: Task | None = None
    is_safe: Callable[[Any], bool] | None = None  # True for a State in which exact play never captures; None: unknown

    @property
    def size(self) -> int:
        """Number of rows, and of columns."""
        return len(self.tiles)

    @property
    def lesson(self) -> str:
        """The first sentence or paragraph of the note, as one line, without the result it may begin with."""
        words: list[str] = []
        for line in self.note.split("\n"):
            words += line.split()
            if not line.strip() or line.rstrip().endswith((".", "!", "?")):
                break
        result, _, why = (text := " ".join(words)).partition(": ")
        return capitalised(why) if why and result.startswith("The rogue is ") else text

    def glyph_rows(self, monster: Cell, rogue: Cell) -> list[list[str]]:
        """The glyphs of all sites, row by row, with both sides; the rogue covers the monster."""
        rows = [[chr(tile) for tile in row] for row in self.tiles.tolist()]
        rows[monster.row][monster.col] = self.letter
        rows[rogue.row][rogue.col] = chr(ROGUE)
        return rows


def read_level(file: LevelFile, name: str = "") -> Level:
    """The board of a file, named after it unless a name is given. Raises LevelError with the first error's position."""
    file.refuse_what_is_not_text()
    start = file.text_start

    # The first line holds the number of rows.
    first, line_end, body = file.data[start:].removesuffix(b"\n").partition(b"\n")
    size = _read_size(file, start, first)
    lines = body.split(b"\n", size) if line_end else []
    if len(lines) < size:
        raise file.error(len(file.data), f"too few rows: {len(lines)} of the {size} announced")

    # Rows without pieces or errors are copied whole; the others are read site by site.
    tiles = np.full((size, size), WALL, np.uint8)
    found: dict[str, Cell] = {}  # rogue or monster
    letter = ""
    at = start + len(first) + 1
    for row, line in enumerate(lines[:size]):
        text = line.removesuffix(b"\r")
        sites = text[::2].rstrip(b" ")
        if len(sites) <= size and not sites.translate(None, _COMMON) and not text[1::2].strip(b" "):
            tiles[row, : len(sites)] = [*sites]
            at += len(line) + 1
            continue
        for col, character in _sites(file, at, text.decode("utf-8"), size):
            if character == "@" or "A" <= character <= "Z":
                who = "rogue" if character == "@" else "monster"
                if who in found:
                    raise file.error(at + 2 * col, f"{named(character)} is a second {who}; a board has one")
                found[who] = Cell(row, col)
                letter = letter if who == "rogue" else character
                tiles[row, col] = ROOM
            else:
                tiles[row, col] = ord(character)
        at += len(line) + 1
    for who, glyph in (("rogue", "'@'"), ("monster", "capital letter")):
        if who not in found:
            problem = f"the board has no {who}: there is no {glyph} in its {counted(size, 'row')}"
            raise file.error(min(at, len(file.data)), problem)
    tiles.setflags(write=False)

    # The rest is the note.
    note = lines[size] if len(lines) > size else b""
    if len(note) > MOST_NOTE:
        raise file.error(at, f"the note below the board is longer than {MOST_NOTE // 2**10} KB")
    note_lines = (printable(line.removesuffix("\r")) for line in note.decode("utf-8").split("\n"))
    return Level(name or file.name, tiles, found["monster"], found["rogue"], letter, "\n".join(note_lines).strip())


def level_text(level: Level) -> str:
    """The text of a board's file, which `read_level` reads; it leaves out the number of moves.

    Rows have all their 2N - 1 characters, since the assignment's own reader takes the one at 2j unchecked.
    """
    body = "\n".join(" ".join(row) for row in level.glyph_rows(level.monster, level.rogue))
    return f"{level.size}\n{body}\n" + (f"\n{level.note}\n" if level.note else "")


def _read_size(file: LevelFile, start: int, line: bytes) -> int:
    text = line.decode("utf-8").strip()
    digits = _SIZE.fullmatch(text)
    size = int(digits[1]) if digits else 0
    if not 1 <= size <= MAX_SIDE:
        at = start + (len(line) - len(line.lstrip()) if text else 0)
        raise file.error(at, f"the first line must be the number of rows, from 1 to {MAX_SIDE:,}, not {text!r:.40}")
    return size


def _sites(file: LevelFile, at: int, text: str, size: int) -> Iterator[tuple[int, str]]:
    """The columns and characters of a row's sites. Raises LevelError at the first error; all before it is ASCII."""
    for column, character in enumerate(text):
        if character == " ":
            continue
        if not (character in ".+@" or "A" <= character <= "Z"):
            what = named(character)
            what = what if what.startswith("control") else f"unknown character {what}"
            raise file.error(at + column, f"{what}: sites are {_CHARACTERS}")
        if column >= 2 * size:
            raise file.error(at + column, f"{named(character)} is beyond the {size} sites of its row")
        if column % 2:
            raise file.error(at + column, f"{named(character)} is between two sites: put only blanks there")
        yield column // 2, character
