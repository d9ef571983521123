"""The pen: turns keys and strokes of the mouse into changes of a draft. Knows no screen."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from dungeon_tui.core.board import Board, ByteGrid, FlatCells
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.ui.editor.craft import Craft, Draft
from dungeon_tui.ui.keys import Command, Key

_WAYS = (  # name, keys that move, keys that stretch
    (Direction.UP, "up", "up,w,k,8", "shift+up,K"),
    (Direction.DOWN, "down", "down,s,j,2", "shift+down,J"),
    (Direction.LEFT, "left", "left,a,h,4", "shift+left,H"),
    (Direction.RIGHT, "right", "right,d,l,6", "shift+right,L"),
)
_SIDES = {
    Direction.UP: ("row", "at the top"),
    Direction.DOWN: ("row", "at the bottom"),
    Direction.LEFT: ("column", "on the left"),
    Direction.RIGHT: ("column", "on the right"),
}


# -- shapes: (k,) distinct flat indices


def segment(width: int, one: Cell, other: Cell) -> FlatCells:
    """The cells of a straight line, on a board of `width` columns."""
    count = max(abs(one.row - other.row), abs(one.col - other.col)) + 1
    rows = np.rint(np.linspace(one.row, other.row, count)).astype(np.intp)
    return rows * width + np.rint(np.linspace(one.col, other.col, count)).astype(np.intp)


def rectangle(width: int, one: Cell, other: Cell) -> FlatCells:
    """The cells between two corners, row by row."""
    (top, bottom), (left, right) = sorted((one.row, other.row)), sorted((one.col, other.col))
    rows = np.arange(top, bottom + 1, dtype=np.intp)
    return (rows[:, np.newaxis] * width + np.arange(left, right + 1)).reshape(-1)


def edge(width: int, one: Cell, other: Cell) -> FlatCells:
    """The outermost cells of a rectangle."""
    corners = (one, Cell(one.row, other.col), other, Cell(other.row, one.col))
    sides = zip(corners, (*corners[1:], one), strict=True)
    return np.unique(np.concatenate([segment(width, *side) for side in sides]))


def flooded(board: Board, cell: Cell) -> FlatCells:
    """The connected area of one tile around a cell, four ways, in O(height * width)."""
    from dungeon_tui.engine import UNREACHED, distance_map  # here: it loads numba

    area = distance_map(board.array() == board[cell], [cell], diagonal=False) != UNREACHED
    return np.flatnonzero(area)


# -- the pen


class Mode(Enum):
    """The use of the arrow keys; the values are the messages at the start."""

    DRAW = ""  # they move the cursor
    BRUSH = "The brush is down: arrows paint."
    RECTANGLE = "A rectangle: arrows stretch it, a tile fills it, {editor.edge} its edge."
    RESIZE = "Resize: an arrow adds a line on that side, shift takes one away."


class Said(NamedTuple):
    """A message."""

    text: str
    is_trouble: bool = False  # not everything was done


Shape = Callable[["Pen"], FlatCells]
SHAPES: dict[str, Shape] = {
    "cell": lambda pen: rectangle(pen.draft.width, pen.cursor, pen.cursor),
    "rectangle": lambda pen: rectangle(pen.draft.width, pen.corner, pen.cursor),
    "edge": lambda pen: edge(pen.draft.width, pen.corner, pen.cursor),
    "area": lambda pen: flooded(pen.draft.board, pen.cursor),
    "all": lambda pen: np.arange(pen.draft.height * pen.draft.width),
}
"""Functions that return the flat indices of the cells that each tool paints."""


def commands(sections: Mapping[str, Sequence[tuple[Any, ...]]]) -> Iterator[Command]:
    """Yields a Command per row: its function, then the Key's id, keys, label, help, footer."""
    for section, rows in sections.items():
        for run, name, keys, label, help_text, *order in rows:
            yield Command(Key(f"editor.{name}", keys, label, help_text, section, *order), run)


class Pen:
    """A draft with its history, the cursor, the brush, and the meaning of the arrow keys."""

    def __init__(self, draft: Draft) -> None:
        self.brush = draft.craft.first_brush
        self.mode = Mode.DRAW
        self._copied: ByteGrid | None = None
        self._stroke: tuple[Draft, int, Cell] | None = None  # draft before it, tile, cell of the mouse
        self.draw(draft)

    def draw(self, draft: Draft) -> None:
        """Starts a new history; the cursor goes beside the player's piece, which can't be painted over."""
        self._drafts, self._at = [draft], 0  # with undone ones; index of the current one
        beside = (draft.start.neighbour(way) for way in (Direction.RIGHT, Direction.LEFT, Direction.DOWN, Direction.UP))
        self.cursor: Cell = next((cell for cell in beside if cell == draft.nearest(cell)), draft.start)
        self.corner: Cell = self.cursor  # the other one of the rectangle

    @property
    def draft(self) -> Draft:
        return self._drafts[self._at]

    @property
    def craft(self) -> Craft:
        return self.draft.craft

    def commands(self) -> Iterator[Command]:
        """Yields the commands; each returns a message to show, or None."""
        craft = self.craft
        floor = craft.brushes[craft.blank].name
        tiles = [(code, brush) for code, brush in craft.brushes.items() if brush.keys and code not in craft.pieces]
        return commands({
            "Moving": [
                *((partial(self.go, way), name, keys, name.capitalize(), f"the cursor goes {name}")
                  for way, name, keys, _ in _WAYS),
                (partial(self.jump, Direction.LEFT), "first", "home", "Row's start", "to the start of the row"),
                (partial(self.jump, Direction.RIGHT), "last", "end", "Row's end", "to the end of the row"),
                (partial(self.jump, Direction.UP), "top", "pageup", "Top", "to the top of the column"),
                (partial(self.jump, Direction.DOWN), "bottom", "pagedown", "Bottom", "to its bottom"),
            ],
            "Painting": [
                *((partial(self.tile, code), f"tile.{chr(code)}", keys, name.capitalize(), f"paint {name}")
                  for code, (name, keys) in tiles),
                (self.stamp, "stamp", "enter,5", "Paint", "paint with the brush; so does the mouse"),
                (self.erase, "erase", "delete,x", "Erase", f"{floor}; the right mouse button, too"),
                *((partial(self.use, "cell", code), name, keys, name.capitalize(),
                   f"put {craft.names[code]} here; it can be dragged, too", 9)
                  for code in craft.pieces for name, keys in [craft.brushes[code]]),
                (partial(self.begin, Mode.BRUSH), "brush", "b", "Brush",
                 "paint while moving, until pressed again", 6),
                (partial(self.begin, Mode.RECTANGLE), "rectangle", "v", "Rectangle",
                 "choose a rectangle; a tile fills it", 7),
                *((partial(self.stretch, way), f"stretch.{name}", keys, f"Stretch {name}",
                   f"rectangle {name}wards") for way, name, _, keys in _WAYS),
                (self.edge, "edge", "e", "Edge", "the brush along the rectangle's edge"),
                (self.copy, "copy", "c", "Copy", "copy the rectangle, or the tile"),
                (self.paste, "paste", "V", "Paste", "paste it here"),
                (partial(self.use, "area"), "fill", "f", "Fill",
                 "the brush on all like this that hangs together", 10),
                (self.pick, "pick", "i", "Pick", "the tile here becomes the brush"),
                (partial(self.next_brush, 1), "next-tile", "tab", "Next brush", "the next tile of the palette"),
                (partial(self.next_brush, -1), "previous-tile", "shift+tab", "Last brush", "one before"),
            ],
            "Changes": [
                (self.undo, "undo", "backspace,ctrl+z", "Undo", "take the last change back", 5),
                (self.redo, "redo", "ctrl+y", "Redo", "make it again"),
                (partial(self.begin, Mode.RESIZE), "resize", "r", "Resize",
                 "arrows add a line there, shift+arrows take one away", 8),
                (self.clear, "clear", "C", "Clear", f"{floor} everywhere"),
            ],
        })  # fmt: skip

    # -- changes

    def change(self, draft: Draft, since: Draft | None = None) -> None:
        """Appends a draft to the history; all changes since the draft `since` are undone together."""
        if draft is self.draft:
            return
        before = self._drafts[: self._at + 1]
        if since is not None and since in before[-2:-1]:  # the stroke goes on
            before.pop()
        drafts = before if draft is before[-1] else [*before, draft]  # it may come back to its beginning
        self._take(drafts, len(drafts) - 1)

    def _take(self, drafts: list[Draft], at: int) -> None:
        """Switches to a draft of the history; the cursor stays on its tile."""
        before, after = self.draft, drafts[at]
        self._drafts, self._at = drafts, at
        down = right = 0
        if (after.height, after.width) != (before.height, before.width):
            down, right = after.start.row - before.start.row, after.start.col - before.start.col
        self.cursor = after.nearest(Cell(self.cursor.row + down, self.cursor.col + right))
        self.corner = after.nearest(self.corner)

    def undo(self) -> Said:
        if not self._at:
            return Said("There is nothing to undo.")
        self._take(self._drafts, self._at - 1)
        return Said("Undone.")

    def redo(self) -> Said:
        if self._at + 1 == len(self._drafts):
            return Said("There is nothing to redo.")
        self._take(self._drafts, self._at + 1)
        return Said("Done again.")

    # -- tools

    def use(self, tool: str, code: int | None = None) -> Said | None:
        """Paints the cells of a tool with a tile; by default the brush's."""
        code = self.brush if code is None else code
        cells = SHAPES[tool](self)
        if tool != "cell" or self.mode is not Mode.BRUSH or code in self.craft.pieces:
            self.mode = Mode.DRAW
        name = self.craft.brushes[code].name
        if tool != "cell" and code in self.craft.pieces:
            return Said(f"There is one {name} only: choose a tile to fill with.")
        self.change(self.draft.painted(cells, code))
        under = self.draft[self.cursor]
        if tool == "cell" and under in self.craft.pieces and code not in (under, self.craft.ground):
            there = self.craft.brushes[under].name
            return Said(f"The {there} is here: {{editor.{there}}} puts it elsewhere.", True)
        if tool in ("rectangle", "edge"):
            height, width = (abs(one - other) + 1 for one, other in zip(self.corner, self.cursor, strict=True))
            done = "Edge" if tool == "edge" else "Filled"
            return Said(f"{done}: {height} x {width}, {name}.")
        return None

    def tile(self, tile: int) -> Said | None:
        self.brush = tile
        return self.stamp()

    def stamp(self, code: int | None = None) -> Said | None:
        """Paints the rectangle or the cursor's cell with a tile; by default the brush's."""
        is_stretched = self.mode is Mode.RECTANGLE and self.corner != self.cursor
        return self.use("rectangle" if is_stretched else "cell", code)

    def erase(self) -> Said | None:
        return self.stamp(self.craft.blank)

    def edge(self) -> Said | None:
        if self.mode is not Mode.RECTANGLE:
            return Said("There is no rectangle: {editor.rectangle} begins one, and so do shift+arrows.")
        return self.use("edge")

    def clear(self) -> Said:
        self.use("all", self.craft.blank)
        return Said("Cleared; undo brings everything back.")

    def copy(self) -> Said:
        one = self.corner if self.mode is Mode.RECTANGLE else self.cursor
        self.mode = Mode.DRAW
        (top, bottom), (left, right) = sorted((one.row, self.cursor.row)), sorted((one.col, self.cursor.col))
        self._copied = tiles = self.draft.board.array()[top : bottom + 1, left : right + 1].copy()
        size = f"{tiles.shape[0]} x {tiles.shape[1]}"
        return Said(f"Copied: {size}. {{editor.paste}} pastes with its upper left corner at the cursor.")

    def paste(self) -> Said:
        """Pastes the copied tiles to the right of and below the cursor."""
        self.mode, tiles = Mode.DRAW, self._copied
        if tiles is None:
            return Said("Nothing was copied: {editor.rectangle} chooses a rectangle, {editor.copy} copies it.")
        row, col = self.cursor
        fitting = tiles[: self.draft.height - row, : self.draft.width - col]
        height, width = fitting.shape
        left_out = tiles.size - fitting.size
        lost = f"; {counted(left_out, 'tile')} beyond the edge had no room" if left_out else ""
        cells = rectangle(self.draft.width, self.cursor, Cell(row + height - 1, col + width - 1))
        self.change(self.draft.painted(cells, fitting.reshape(-1)))
        return Said(f"Pasted: {height} x {width}{lost}.", left_out > 0)

    def pick(self) -> None:
        self.mode = Mode.DRAW
        self.brush = self.draft[self.cursor]

    def next_brush(self, steps: int) -> None:
        codes = list(self.craft.brushes)
        self.brush = codes[(codes.index(self.brush) + steps) % len(codes)]

    # -- modes, and the arrows

    def begin(self, mode: Mode) -> Said | None:
        if self.mode is mode:
            self.mode = Mode.DRAW
            return None
        self.mode, self.corner = mode, self.cursor
        if mode is Mode.BRUSH:
            self.change(self.draft.painted(SHAPES["cell"](self), self.brush))
        return Said(mode.value + " {editor.end} ends it.")

    def end(self) -> None:
        self.mode = Mode.DRAW

    def go(self, direction: Direction) -> Said | None:
        """Moves the cursor, which may paint or stretch a rectangle; while resizing it adds a line there."""
        if self.mode is Mode.RESIZE:
            return self._push(direction, 1)
        self._move(self.cursor.neighbour(direction))
        return None

    def stretch(self, direction: Direction) -> Said | None:
        """Stretches or begins a rectangle; while resizing it takes a line away."""
        if self.mode is Mode.RESIZE:
            return self._push(direction, -1)
        said = None if self.mode is Mode.RECTANGLE else self.begin(Mode.RECTANGLE)
        self._move(self.cursor.neighbour(direction))
        return said

    def jump(self, direction: Direction) -> None:
        """Moves the cursor to the edge of the map; ends resizing."""
        if self.mode is Mode.RESIZE:
            self.mode = Mode.DRAW
        self._move(self.cursor.neighbour(direction, max(self.draft.height, self.draft.width)))

    def _move(self, cell: Cell) -> None:
        before, self.cursor = self.cursor, self.draft.nearest(cell)
        if self.mode is Mode.BRUSH and self.cursor != before:
            self.change(self.draft.painted(segment(self.draft.width, before, self.cursor)[1:], self.brush))

    def _push(self, side: Direction, lines: int) -> Said:
        what, where = _SIDES[side]
        try:
            draft = self.draft.framed(**{where.split()[-1]: lines})
        except ValueError as error:
            return Said(sentence(str(error)), True)
        self.change(draft)
        return Said(f"One {what} {'more' if lines > 0 else 'fewer'} {where}: {draft.height} x {draft.width}.")

    # -- the mouse

    def press(self, cell: Cell, *, is_eraser: bool) -> None:
        """Begins a stroke that paints, erases or drags a piece; or a rectangle."""
        self.cursor = cell
        if self.mode is Mode.RECTANGLE:
            self.corner = cell
        else:
            under = self.draft[cell]
            tile = under if under in self.craft.pieces else self.craft.blank if is_eraser else self.brush
            self._stroke = self.draft, tile, cell
        self.drag(cell)

    def drag(self, cell: Cell) -> None:
        self.cursor = cell
        if self._stroke is not None:
            since, tile, before = self._stroke
            self._stroke = since, tile, cell
            draft = since if tile in self.craft.pieces else self.draft  # a piece leaves what it passes
            self.change(draft.painted(segment(draft.width, before, cell), tile), since)

    def release(self) -> None:
        self._stroke = None
