"""The chase's share of the editor: tiles, files, and how the chase ends on a board that is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid, FlatCells
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile, level_name
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.tasks import best_line, is_safe
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import (
    CORRIDOR,
    MAX_SIDE,
    MOST_BYTES,
    ROGUE,
    ROOM,
    TILE_NAMES,
    WALL,
    Level,
    level_text,
    read_level,
)
from dungeon_tui.games.chase.model.players import seats
from dungeon_tui.games.chase.model.state import Move, Side, State
from dungeon_tui.games.chase.view.picture import Picture, shown_tiles
from dungeon_tui.ui.editor.craft import Brush, Craft, Draft, DraftPicture, Effort, Line, OddCells
from dungeon_tui.ui.editor.draft import Drawing
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer, Layer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint

MONSTER = ord("M")  # in drafts, whatever its letter in the file
_SIDE = 12  # rows and columns of a new board


@dataclass(frozen=True, eq=False, slots=True)
class Verdict:
    """Verdict on a board: the end of the chase if neither side errs, as far as is known."""

    oddities: tuple[OddCells, ...] = ()
    is_checked: bool = False
    is_over: bool = False
    value: int | None = None  # monster moves until the capture; UNREACHED: never
    trouble: str = ""  # the reason for there being no value
    sites: FlatCells | None = None  # all of them, as rising flat indices; None: not known yet
    values: FlatCells | None = None  # by site, were the rogue there
    line: tuple[Cell, ...] = ()  # of best moves, the monster's and the rogue's in turn

    @property
    def is_all(self) -> bool:
        """True: a board is solved once and for all."""
        return True

    @property
    def is_won(self) -> bool | None:
        """True if the rogue is safe, False if it is captured, None if neither is known."""
        return None if self.value is None else self.value == UNREACHED

    @property
    def line_count(self) -> int:
        """Number of lines of best moves: one, once it is known."""
        return int(self.value is not None)


def judging(level: Level, width: int, tell: Callable[..., object]) -> Iterator[Verdict]:
    """Yields the sites of a board that are odd, then how the chase ends; for a process of its own.

    Args:
        level: the board, to which a drawing of so many columns was made square.
        width: columns of the drawing.
        tell: not called, since a board is solved in one go.
    """
    graph, state = solver.move_graph(level), rules.start(level)
    sites = (graph.cells[:, 0].astype(np.intp) * width + graph.cells[:, 1]).astype(np.intp)
    lost = np.minimum(graph.distances(level.monster), graph.distances(level.rogue)) == UNREACHED
    odd = (OddCells("neither side can get here", sites[lost]),) if lost.any() else ()
    verdict = Verdict(odd, is_checked=True)
    yield verdict
    try:
        values, _ = solver.capture_map(state, Side.ROGUE)
    except ValueError as error:
        yield replace(verdict, is_over=True, trouble=str(error))
        return
    line = tuple(action.to for action in best_line(state) if isinstance(action, Move))
    found = values[tuple(graph.cells.T)].astype(np.intp)
    yield replace(verdict, is_over=True, value=solver.value(state), sites=sites, values=found, line=line)


def preparing(tell: Callable[..., object]) -> Iterator[None]:
    """Loads or compiles the solver, as the first task of the judge's process; its answer means nothing."""
    solver.solve(CRAFT.level(CRAFT.empty(), ""))
    yield


class ChaseCraft(Craft):
    """Boards of the chase."""

    word = "board"
    file_note = "dungeon-tui chase play FILE opens it, too."
    help = """The keys of the tiles paint, and choose the brush; the mouse paints with it.
A moment after each change you are told in how many monster moves the rogue is captured, or that it is safe.
The rogue would be safe on the cells that are marked; the panel tells that of the cell at the cursor.
Boards are square: what is missing becomes wall when it is saved.
Since `+` is a tile here, {editor.larger} and {editor.smaller} zoom; {editor.help} helps."""
    brushes = {
        ROOM: Brush("room", "full_stop,minus", ". -"),
        CORRIDOR: Brush("corridor", "plus", "+"),
        WALL: Brush("wall", "number_sign,space", "# space"),
        MONSTER: Brush("monster", "M,m", "M"),
        ROGUE: Brush("rogue", "at,o", "@ o"),
    }
    pieces = (MONSTER, ROGUE)
    ground, blank, first_brush = ROOM, WALL, ROOM
    most_side, most_bytes = MAX_SIDE, MOST_BYTES
    names = TILE_NAMES | {MONSTER: "the monster", ROGUE: "the rogue"}
    meanings = {ROOM: Meaning.FLOOR, CORRIDOR: Meaning.FLOOR, WALL: Meaning.WALL, MONSTER: Meaning.FOE}
    counted = {ROOM: "Rooms", CORRIDOR: "Corridors"}
    line_label, line_help = "Best line", "the best moves of both sides, drawn"
    next_line = "Next line"
    effort = longer = Effort(60, 1)

    def empty(self) -> Draft:
        """A room with a wall around it."""
        tiles = np.full((_SIDE, _SIDE), WALL, np.uint8)
        tiles[2:-2, 2:-2] = ROOM
        return Draft(Board.of(tiles), {MONSTER: Cell(2, 2), ROGUE: Cell(_SIDE - 4, _SIDE - 4)}, self)

    def draft(self, level: Level, monster: Cell, rogue: Cell) -> Draft:
        """The draft of a board with both somewhere on it; both stand on rooms' sites."""
        return Draft(Board.of(level.tiles.copy()), {MONSTER: monster, ROGUE: rogue}, self, (level.letter, level.note))

    def read(self, file: LevelFile) -> Draft:
        """The draft of a board's file. Raises LevelError."""
        level = read_level(file)
        return self.draft(level, level.monster, level.rogue)

    def text(self, draft: Draft) -> str:
        """The text of a draft's file."""
        return level_text(draft.level())

    def tiles_of(self, text: str) -> ByteGrid:
        """(height, width) uint8 tiles of a text: rows of sites and blanks in turn, or a whole board.

        Raises:
            ValueError: the text is neither; the message says what would be right.
        """
        try:
            return read_level(LevelFile("<pasted>", text.encode())).tiles
        except (LevelError, UnicodeEncodeError):
            lines = text.splitlines()
        rows = [line[::2] for line in lines]
        width = max(map(len, rows), default=0)
        if not width or not {*"".join(rows)} <= {*".+ "} or any(line[1::2].strip() for line in lines):
            raise ValueError("rows of sites can be pasted, with a blank after each: . and +, and a blank for a wall")
        return np.frombuffer("".join(row.ljust(width) for row in rows).encode(), np.uint8).reshape(len(rows), width)

    def level(self, draft: Draft, file: str) -> Level:
        """The board, made square by walls below or on the right."""
        size = max(draft.height, draft.width)
        missing = (0, size - draft.height), (0, size - draft.width)
        tiles = np.pad(draft.board.array(), missing, constant_values=WALL)
        tiles.setflags(write=False)
        name = level_name(file) if file else "drawn"
        letter, note = draft.rest or (chr(MONSTER), "")
        return Level(name, tiles, draft.pieces[MONSTER], draft.pieces[ROGUE], letter, note)

    def play(self, draft: Draft, name: str) -> tuple[Level, Mapping[str, str]]:
        """The board, its rogue to be played against the usual monster."""
        return replace(draft.level(name), is_safe=is_safe), seats(None, None)

    @property
    def prepare(self) -> Callable[..., Iterator[object]]:
        """Loads or compiles the solver."""
        return preparing

    def question(self, draft: Draft, file: str, effort: Effort, known: Verdict) -> tuple[Any, ...]:
        """Sentence on the end of the chase."""
        return judging, draft.level(file), draft.width

    def unknown(self, oddities: Sequence[OddCells] = ()) -> Verdict:
        """A verdict without a value."""
        return Verdict(tuple(oddities))

    def reopened(self, verdict: Verdict) -> Verdict:
        """The verdict, not over."""
        return replace(verdict, is_over=False)

    def told(self, verdict: Verdict) -> str:
        """The value in words, and the number of sites on which the rogue is safe."""
        if verdict.values is None or verdict.value is None:
            return sentence(verdict.trouble) if verdict.trouble else ""
        safe = int((verdict.values == UNREACHED).sum())
        marked = f"safe on {safe:,} of {counted(verdict.values.size, 'cell')}" if safe else "safe nowhere"
        return f"{solver.value_text(verdict.value).capitalize()}; {marked}"

    def no_more_lines(self, verdict: Verdict) -> str:
        """The reason for there being no other line."""
        return sentence(verdict.trouble) if verdict.trouble else "The board is solved: these are the best moves."

    def line(self, draft: Draft, verdict: Verdict, number: int, glyphs: Glyphs) -> Line:
        """The best moves of both sides."""
        states: list[State] = [rules.start(draft.level())]
        for to in verdict.line:
            states.append(rules.step(states[-1], Move(to))[0])

        def picture(moment: int) -> tuple[MapSource, Cell, Layer]:
            layer = CellLayer()
            for ply in range(moment, len(verdict.line)):
                layer.mark(verdict.line[ply], None, None, Tint.PATH if ply % 2 else Tint.FOE)
            return Picture(states[moment], glyphs), states[moment].rogue, layer

        assert verdict.value is not None
        return Line(number, f"{solver.value_text(verdict.value).capitalize()}: best moves of both.", states, picture)

    def picture(self, draft: Draft, glyphs: Glyphs) -> MapSource:
        """The draft's board."""
        letter, _ = draft.rest or (chr(MONSTER), "")
        pieces = {MONSTER: (letter, Meaning.FOE), ROGUE: (chr(ROGUE), Meaning.YOU)}
        return DraftPicture(draft, shown_tiles(glyphs), pieces)

    def layers(self, draft: Draft, verdict: Verdict) -> Iterable[Layer]:
        """A tint on the sites on which the rogue would be safe."""
        layer = CellLayer()
        if verdict.sites is not None and verdict.values is not None:
            for flat in verdict.sites[verdict.values == UNREACHED].tolist():
                layer.mark(Cell(*divmod(flat, draft.width)), None, None, Tint.SAFE)
        return [layer]

    def here(self, draft: Draft, verdict: Verdict, cell: Cell) -> str:
        """The value if the rogue stood on a cell, in a few words; empty where it can't."""
        if verdict.sites is None or verdict.values is None or draft[cell] in (WALL, MONSTER):
            return ""
        value = int(verdict.values[np.searchsorted(verdict.sites, cell.row * draft.width + cell.col)])
        return "the rogue is safe" if value == UNREACHED else f"captured in {value}"


def drawing_of(state: State) -> Drawing:
    """The drawing of a position, a board without a file; of the start, where not both stand in rooms, and apart."""
    level, monster, rogue = state.level, state.monster, state.rogue
    if monster == rogue or level.tiles[monster] != ROOM or level.tiles[rogue] != ROOM:
        monster, rogue = level.monster, level.rogue
    return Drawing(CRAFT.draft(level, monster, rogue))


CRAFT = ChaseCraft()
