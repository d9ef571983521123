"""The crawler's share of the editor: its tiles, files, questions to the solver, and words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.crawler.ai import solver
from dungeon_tui.games.crawler.ai.par import point_text
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.check import Oddity, has_neighbour
from dungeon_tui.games.crawler.model.dungeon import Dungeon, alone
from dungeon_tui.games.crawler.model.level import (
    ADVENTURER,
    AMULET,
    DOOR,
    MONSTER,
    MOST_BYTES,
    OPEN,
    PILLAR,
    TILE_NAMES,
    TREASURE,
    WAY_OUT,
    Level,
    level_text,
    read_level,
)
from dungeon_tui.games.crawler.view.advice.hints import line_layer
from dungeon_tui.games.crawler.view.editor import judge
from dungeon_tui.games.crawler.view.editor.judge import Verdict
from dungeon_tui.games.crawler.view.picture import MEANINGS, Picture
from dungeon_tui.ui.editor.craft import Brush, Craft, Draft, Effort, Line
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Layer, MapSource

TILES = " ".join(map(chr, TILE_NAMES))


class CrawlerCraft(Craft):
    """Levels of the crawler."""

    word = "level"
    file_note = "A dungeon's levels are NAME1.txt, NAME2.txt ..."
    help = """The keys of the tiles paint, and choose the brush; the mouse paints with it.
A moment after each change the solver says in how few moves the level can be left, or that it can't be won.
Tiles that are odd are marked: treasure that can't be reached, a monster beside the start.
Since `+` and `-` are tiles here, {editor.larger} and {editor.smaller} zoom; since `?` is one, {editor.help} helps."""
    brushes = {
        OPEN: Brush("floor", "minus,space,full_stop", "- space"),
        PILLAR: Brush("pillar", "plus,number_sign", "+ #"),
        TREASURE: Brush("treasure", "dollar_sign", "$"),
        AMULET: Brush("amulet", "quotation_mark", '"'),
        MONSTER: Brush("monster", "M,m", "M"),
        DOOR: Brush("door", "question_mark", "?"),
        WAY_OUT: Brush("way out", "exclamation_mark", "!"),
        ADVENTURER: Brush("start", "at,o", "@ o"),
    }
    pieces = (ADVENTURER,)
    ground = blank = OPEN
    first_brush = PILLAR
    most_side, most_bytes = 999_999, MOST_BYTES
    names = TILE_NAMES | {ADVENTURER: "the start"}
    meanings = MEANINGS
    counted = {TREASURE: "Treasure", AMULET: "Amulets", MONSTER: "Monsters", DOOR: "Doors", WAY_OUT: "Ways out"}
    line_label, line_help = "Line out", "a shortest line out; again: more treasure"
    next_line = "With more treasure"
    longer = judge.LONG

    @property
    def effort(self) -> Effort:  # type: ignore[override]
        """Limits of a usual search."""
        return judge.EFFORT

    def empty(self) -> Draft:
        """An empty level."""
        return Draft(Board.of(np.full((10, 20), OPEN, np.uint8)), {ADVENTURER: Cell(1, 1)}, self)

    def read(self, file: LevelFile) -> Draft:
        """The draft of a level file. Raises LevelError."""
        level = read_level(file)
        return Draft(Board.of(level.tiles), {ADVENTURER: level.start}, self)

    def text(self, draft: Draft) -> str:
        """The text of a draft's file."""
        return level_text(draft.level())

    def tiles_of(self, text: str) -> ByteGrid:
        """(height, width) uint8 tiles of a text: rows of them, or a whole level file.

        Raises:
            ValueError: the text is neither; the message says what would be right.
        """
        try:
            return read_level(LevelFile("<pasted>", text.encode())).tiles
        except (LevelError, UnicodeEncodeError):
            rows = ["".join(line.split()) for line in text.splitlines() if line.strip()]
        if not rows or len({*map(len, rows)}) > 1 or not {*map(ord, "".join(rows))} <= {*TILE_NAMES, ADVENTURER}:
            raise ValueError(f"rows of tiles can be pasted, all as long, of {TILES}")
        tiles = np.frombuffer("".join(rows).encode(), np.uint8).reshape(len(rows), -1).copy()
        tiles[tiles == ADVENTURER] = OPEN
        return tiles

    def level(self, draft: Draft, file: str) -> Level:
        """The level as the game takes it, a copy; `file` names it."""
        return Level(file, draft.board.copy(), draft.start)

    def play(self, draft: Draft, name: str) -> tuple[Dungeon, Mapping[str, str]]:
        """The level by itself."""
        return alone(draft.level(name)), {}

    def is_prepared(self) -> bool:
        """True if an earlier start has compiled the solver."""
        return solver.is_prepared()

    @property
    def prepare(self) -> Callable[..., Iterator[object]]:
        """Compiles or loads the solver."""
        return judge.preparing

    def question(self, draft: Draft, file: str, effort: Effort, known: Verdict) -> tuple[Any, ...]:
        """A search that goes on behind the lines that are known."""
        return judge.judging, draft.level(file), has_neighbour(file, 1), effort, known.par

    def unknown(self, oddities: Sequence[Oddity] = ()) -> Verdict:
        """A verdict without lines."""
        return Verdict(tuple(oddities))

    def reopened(self, verdict: Verdict) -> Verdict:
        """The verdict, its search not over."""
        return replace(verdict, is_over=False)

    def told(self, verdict: Verdict) -> str:
        """The first lines and the last, and what is open."""
        return judge.told(verdict)

    def news(self, verdict: Verdict, known: Verdict) -> str:
        """The news of a longer search."""
        return judge.news(verdict, known.par)

    def no_more_lines(self, verdict: Verdict) -> str:
        """The reason for there being no other line."""
        return judge.no_more_lines(verdict)

    def line(self, draft: Draft, verdict: Verdict, number: int, glyphs: Glyphs) -> Line:
        """A shortest line out."""
        point = verdict.par.points[number]
        commands = point.commands[0]
        states = list(rules.moments(rules.start(alone(draft.level())), commands))

        def picture(moment: int) -> tuple[MapSource, Cell, Layer]:
            state = states[moment]
            source = Picture(state.board, state.adventurer, glyphs)
            return source, state.adventurer, line_layer(state, commands[moment:], glyphs)

        return Line(number, f"{sentence(point_text(point))} {commands}", states, picture)

    def picture(self, draft: Draft, glyphs: Glyphs) -> MapSource:
        """The draft's board."""
        return Picture(draft.board, draft.start, glyphs)

    def more(self, verdict: Verdict) -> tuple[tuple[str, str], ...]:
        """The fewest moves with each treasure."""
        points = [(f"{point.treasure:,}", counted(point.moves, "move")) for point in verdict.par.points]
        return (("Treasure", "fewest moves"), *points) if len(points) > 1 else ()


CRAFT = CrawlerCraft()
