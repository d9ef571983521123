"""The crawler's levels, as its editor draws them: tiles, files, words, lines out, and the game to try them in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid
from dungeon_tui.core.files import check_writable
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.session import Session
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import capitalised, counted, sentence
from dungeon_tui.games.crawler import GAME
from dungeon_tui.games.crawler.ai.par import Par, result_text
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import (
    ADVENTURER,
    AMULET,
    DOOR,
    MONSTER,
    OPEN,
    PILLAR,
    TILE_NAMES,
    TREASURE,
    WAY_OUT,
    Level,
    level_text,
    read_level,
)
from dungeon_tui.games.crawler.model.state import State, Status
from dungeon_tui.games.crawler.view.editor.draft import Draft, Drawing, refuse_size
from dungeon_tui.games.crawler.view.editor.judge import Verdict
from dungeon_tui.games.crawler.view.editor.pen import Brush, Pen
from dungeon_tui.games.crawler.view.screen import CrawlerView
from dungeon_tui.games.crawler.view.words import treasures
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.side_panel import Facts

BRUSHES = (
    Brush(OPEN, "floor", "minus,space,full_stop", "- space"),
    Brush(PILLAR, "pillar", "plus,number_sign", "+ #"),
    Brush(TREASURE, "treasure", "dollar_sign", "$"),
    Brush(AMULET, "amulet", "at", "@"),
    Brush(MONSTER, "monster", "M,m", "M"),
    Brush(DOOR, "door", "question_mark", "?"),
    Brush(WAY_OUT, "way out", "exclamation_mark", "!"),
    Brush(ADVENTURER, "start", "o", "o"),
)
TILES = " ".join(map(chr, TILE_NAMES))
HELP = """The keys of the tiles paint, and choose the brush; the mouse paints with it.
A moment after each change the solver says in how few moves the level can be left, or that it can't be won.
Tiles that are odd are marked: treasure that can't be reached, a monster beside the start.
Since `+` and `-` are tiles here, {editor.larger} and {editor.smaller} zoom; since `?` is one, {editor.help} helps."""
LEGEND = [*((chr(tile), name) for tile, name in TILE_NAMES.items()), ("o", "where you start")]
_COUNTED = {TREASURE: "Treasure", AMULET: "Amulets", MONSTER: "Monsters", DOOR: "Doors", WAY_OUT: "Ways out"}
_NAMES = TILE_NAMES | {ADVENTURER: "the start"}
_NEW = Level("", np.full((10, 20), OPEN, np.uint8), Cell(1, 1))


# -- files


def open_drawing(file: str = "") -> Drawing:
    """The drawing of a file; of one that is not there, or where none is named, an empty level.

    Raises:
        LevelError: the file is no level, or one too large to draw.
        UnwritableError: the file is not there and can't be written.
    """
    if file == "-":
        raise LevelError("a level is drawn in a file, not on standard input: name one", "<stdin>")
    if file and os.path.exists(file):
        return drawing_of(read_level_file(file))
    if file:
        check_writable(Path(file))
    return Drawing(_draft(_NEW), file)


def drawing_of(source: LevelFile) -> Drawing:
    """The drawing of a file that was read. Raises LevelError as `open_drawing` does."""
    level = read_level(source)
    try:
        refuse_size(*level.tiles.shape)
    except ValueError as error:
        raise source.error(0, str(error)) from None
    return Drawing(_draft(level), source.name, source.data)


def _draft(level: Level) -> Draft:
    return Draft(Board.of(level.tiles), OPEN, {ADVENTURER: level.start})


def level_of(draft: Draft, file: str) -> Level:
    """The level as the game takes it, a copy; `file` names it."""
    return Level(file, draft.board.copy(), draft.start)


def file_text(draft: Draft) -> str:
    """The level file of a draft."""
    return level_text(level_of(draft, ""))


def tiles_of(text: str) -> ByteGrid:
    """(height, width) uint8 tiles of a text: rows of them, or a whole level file.

    Raises:
        ValueError: the text is neither; the message says what would be right.
    """
    try:
        return read_level(LevelFile("<pasted>", text.encode())).tiles
    except (LevelError, UnicodeEncodeError):
        rows = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    if not rows or len({*map(len, rows)}) > 1 or not {*map(ord, "".join(rows))} <= {*_NAMES}:
        raise ValueError(f"rows of tiles can be pasted, all as long, of {TILES}")
    tiles = np.frombuffer("".join(rows).encode(), np.uint8).reshape(len(rows), -1).copy()
    tiles[tiles == ADVENTURER] = OPEN
    return tiles


# -- words


@lru_cache(maxsize=1)
def _counts(draft: Draft) -> tuple[tuple[str, str], ...]:
    tiles = draft.board.array()
    numbers = {name: np.count_nonzero(tiles == tile) for tile, name in _COUNTED.items()}
    return tuple((name, f"{number:,}") for name, number in numbers.items() if number)


def facts(name: str, is_saved: bool, pen: Pen, verdict: Verdict) -> Facts:
    """The panel's rows for a level of this name."""
    draft, here = pen.draft, pen.cursor.place
    state = "" if is_saved else "not saved"
    size = f"{draft.height} x {draft.width}"
    points = [(f"{point.treasure:,}", counted(point.moves, "move")) for point in verdict.par.points]
    return Facts(
        title=printable(name),
        subtitle=state,
        rows=(
            ("Brush", pen.brushes[pen.brush].name),
            ("Cursor", here),
            ("Start", draft.start.place),
            ("Size", size),
            *_counts(draft),
        ),
        short=(*([state] if state else []), size, f"{here}: {_NAMES[draft[pen.cursor]]}"),
        more=(("Treasure", "fewest moves"), *points) if len(points) > 1 else (),
    )


def notes(verdict: Verdict) -> Iterator[str]:
    """The panel's notes on all that is odd about the level."""
    for oddity in verdict.oddities:
        count = f" ({counted(oddity.cells.size, 'tile')})" if oddity.cells.size > 1 else ""
        yield f"Odd: {oddity.message}{count}."


def cell_text(draft: Draft, cell: Cell, verdict: Verdict | None = None) -> str:
    """A cell's place, its tile, and what is odd about it."""
    flat = cell.row * draft.width + cell.col
    odd = [sentence(oddity.message) for oddity in (verdict.oddities if verdict else ()) if flat in oddity.cells]
    return " ".join([f"{capitalised(cell.place)}: {_NAMES[draft[cell]]}.", *odd])


# -- the game


def moments(draft: Draft, commands: str) -> list[State]:
    """The states that a line passes, from the start on."""
    return list(rules.moments(rules.start(alone(level_of(draft, ""))), commands))


async def game_of(draft: Draft, name: str, glyphs: Glyphs) -> PlayScreen:
    """A screen that plays the level by itself."""
    controller = TurnController(rules, alone(level_of(draft, name)))
    view = CrawlerView(GAME, glyphs)
    await in_background(view.prepare, controller.state)
    return PlayScreen(view, Session(controller), loses_nothing=True)


def result_of(state: State, par: Par | None) -> str:
    """The result of a game that was left by a way out or a door, beside par where that is known; else empty."""
    if state.status not in (Status.ESCAPED, Status.OUT_OF_LEVELS):
        return ""
    played = f"{counted(state.moves, 'move')} with {treasures(state.treasure)}."
    return f"You left: {result_text(par, state.treasure, state.moves) or played}"
