"""The pen: every key and stroke of the mouse as a change of the drawing, with a word on it. Knows no screen."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np

from dungeon_tui.core.board import ByteGrid, FlatCells
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.crawler.model.level import ADVENTURER, DOOR, OPEN, PILLAR, TILE_NAMES, WAY_OUT
from dungeon_tui.games.crawler.view.editor.draft import Draft, Drawing
from dungeon_tui.games.crawler.view.editor.shapes import cut_out, edge, flooded, rectangle, segment, tiles_of

BRUSHES = TILE_NAMES | {OPEN: "floor", DOOR: "door", WAY_OUT: "way out", ADVENTURER: "start"}
_SIDES = {
    Direction.UP: ("row", "at the top"),
    Direction.DOWN: ("row", "at the bottom"),
    Direction.LEFT: ("column", "on the left"),
    Direction.RIGHT: ("column", "on the right"),
}


class Mode(Enum):
    """Meanings of the arrow keys; the values say how each begins."""

    DRAW = ""  # they move the cursor
    BRUSH = "The brush is down: arrows paint."
    RECTANGLE = "A rectangle: arrows stretch it, a tile fills it, {editor.edge} its edge."
    RESIZE = "Resize: an arrow adds a line on that side, shift takes one away."


class Said(NamedTuple):
    """A message."""

    text: str
    is_trouble: bool = False  # nothing, or not all, was done


_ONE_START = Said("There is one start only: choose a tile to fill with.")


class Pen:
    """A drawing with its cursor, brush and mode."""

    def __init__(self, drawing: Drawing) -> None:
        self.brush = PILLAR
        self.mode = Mode.DRAW
        self.copied: ByteGrid | None = None
        self._stroke: tuple[Draft, int, Cell] | None = None  # draft before it, tile, cell of the mouse
        self.draw(drawing)

    def draw(self, drawing: Drawing) -> None:
        """Goes on with another drawing, from beside its start: nothing can be painted on the start itself."""
        self.drawing = drawing
        start = self.draft.start
        beside = map(start.neighbour, (Direction.RIGHT, Direction.LEFT, Direction.DOWN, Direction.UP))
        self.cursor = self.corner = next(filter(self._has, beside), start)  # the two corners of the rectangle

    @property
    def draft(self) -> Draft:
        """The present draft."""
        return self.drawing.present

    def _has(self, cell: Cell) -> bool:
        return cell.is_inside(self.draft.height, self.draft.width)

    # -- changes

    def change(self, drawing: Drawing) -> None:
        """Takes the drawing on or back; the cursor stays on its tile, as far as that is there."""
        before, after = self.draft, drawing.present
        self.drawing = drawing
        down = right = 0
        if (after.height, after.width) != (before.height, before.width):
            down, right = after.start.row - before.start.row, after.start.col - before.start.col
        self.cursor = _inside(Cell(self.cursor.row + down, self.cursor.col + right), after)
        self.corner = _inside(self.corner, after)

    def _paint(self, cells: FlatCells, tile: int, since: Draft | None = None) -> None:
        """Paints cells; the start is put on the last of them. `since` as `Drawing.changed` takes it."""
        if tile == ADVENTURER:
            draft = (since or self.draft).with_start(Cell(*divmod(int(cells[-1]), self.draft.width)))
        else:
            draft = self.draft.painted(cells, tile)
        self.change(self.drawing.changed(draft, since))

    def _here(self) -> FlatCells:
        return rectangle(self.draft.width, self.cursor, self.cursor)

    def chosen(self) -> FlatCells:
        """The cells of the rectangle."""
        return rectangle(self.draft.width, self.corner, self.cursor)

    def tile(self, tile: int) -> Said | None:
        """Makes a tile the brush, and stamps it."""
        self.brush = tile
        return self.stamp()

    def stamp(self) -> Said | None:
        """Paints the cursor's cell, or the rectangle."""
        if self.mode is Mode.RECTANGLE and self.corner != self.cursor:
            return self._paint_rectangle(self.chosen(), "Filled")
        if self.mode is not Mode.BRUSH:
            self.end()
        self._paint(self._here(), self.brush)
        if self.cursor == self.draft.start and self.brush not in (OPEN, ADVENTURER):
            return Said("The adventurer starts here, on open floor: {editor.start} puts the start elsewhere.", True)
        return None

    def erase(self) -> Said | None:
        """Paints open floor, whatever the brush is."""
        brush, self.brush = self.brush, OPEN
        said = self.stamp()
        self.brush = brush
        return said

    def edge(self) -> Said:
        """Paints the rectangle's edge."""
        if self.mode is not Mode.RECTANGLE:
            return Said("There is no rectangle: {editor.rectangle} begins one, so do shift+arrows.")
        return self._paint_rectangle(edge(self.draft.width, self.corner, self.cursor), "Edge")

    def _paint_rectangle(self, cells: FlatCells, what: str) -> Said:
        self.end()
        if self.brush == ADVENTURER:
            return _ONE_START
        height, width = (abs(one - other) + 1 for one, other in zip(self.corner, self.cursor, strict=True))
        self._paint(cells, self.brush)
        return Said(f"{what}: {height} x {width}, {BRUSHES[self.brush]}.")

    def copy(self) -> Said:
        """Keeps the tiles of the rectangle, or the cursor's."""
        one = self.corner if self.mode is Mode.RECTANGLE else self.cursor
        self.copied = tiles = cut_out(self.draft.board, one, self.cursor)
        self.end()
        size = f"{tiles.shape[0]} x {tiles.shape[1]}"
        return Said(f"Copied: {size}. {{editor.paste}} pastes with its upper left corner at the cursor.")

    def paste(self, text: str = "") -> Said:
        """Stamps the tiles of a text, or those that were copied last."""
        self.end()
        try:
            self.copied = tiles_of(text) if text else self.copied
        except ValueError as error:
            return Said(sentence(str(error)), True)
        if self.copied is None:
            return Said("Nothing was copied: {editor.rectangle} chooses a rectangle, {editor.copy} copies it.")
        height, width = self.draft.room(self.cursor, self.copied)
        left_out = self.copied.size - height * width
        told = f"; {counted(left_out, 'tile')} beyond the edge had no room" if left_out else ""
        self.change(self.drawing.changed(self.draft.stamped(self.cursor, self.copied)))
        return Said(f"Pasted: {height} x {width}{told}.", left_out > 0)

    def fill(self) -> Said | None:
        """Paints the connected area of the cursor's tile."""
        self.end()
        if self.brush == ADVENTURER:
            return _ONE_START
        self._paint(flooded(self.draft.board, self.cursor), self.brush)
        return None

    def start(self) -> None:
        """Puts the start at the cursor."""
        self.end()
        self._paint(self._here(), ADVENTURER)

    def pick(self) -> None:
        """Makes the cursor's tile the brush."""
        self.end()
        self.brush = self.draft[self.cursor]

    def next_brush(self, places: int) -> None:
        """Goes along the palette."""
        tiles = list(BRUSHES)
        self.brush = tiles[(tiles.index(self.brush) + places) % len(tiles)]

    def clear(self) -> Said:
        """Paints open floor everywhere."""
        self.end()
        self._paint(np.arange(self.draft.height * self.draft.width), OPEN)
        return Said("Cleared; undo brings all back.")

    def undo(self) -> Said:
        """Takes the last change back."""
        return self._go_in_time(self.drawing.undone(), "Taken back.", "There is nothing to take back.")

    def redo(self) -> Said:
        """Makes it again."""
        return self._go_in_time(self.drawing.redone(), "Made again.", "There is nothing to make again.")

    def _go_in_time(self, drawing: Drawing, said: str, otherwise: str) -> Said:
        text = otherwise if drawing is self.drawing else said
        self.change(drawing)
        return Said(text)

    # -- modes, and the arrows

    def begin(self, mode: Mode) -> Said | None:
        """Begins a mode; the same one again ends it."""
        if self.mode is mode:
            self.end()
            return None
        self.mode, self.corner = mode, self.cursor
        if mode is Mode.BRUSH:
            self._paint(self._here(), self.brush)
        return Said(mode.value + " {editor.end} ends it.")

    def end(self) -> None:
        """Gives the arrows back to the cursor."""
        self.mode = Mode.DRAW

    def go(self, direction: Direction) -> Said | None:
        """Moves the cursor, which paints with the brush down and stretches a rectangle; or adds a line to the map."""
        if self.mode is Mode.RESIZE:
            return self._push(direction, 1)
        self._move(self.cursor.neighbour(direction))
        return None

    def stretch(self, direction: Direction) -> Said | None:
        """Stretches a rectangle, which begins if there is none; or takes a line from the map."""
        if self.mode is Mode.RESIZE:
            return self._push(direction, -1)
        said = None if self.mode is Mode.RECTANGLE else self.begin(Mode.RECTANGLE)
        self._move(self.cursor.neighbour(direction))
        return said

    def jump(self, direction: Direction) -> None:
        """Moves the cursor to an edge of the map."""
        if self.mode is Mode.RESIZE:
            self.end()
        far = max(self.draft.height, self.draft.width)
        self._move(_inside(self.cursor.neighbour(direction, far), self.draft))

    def _move(self, cell: Cell) -> None:
        if self._has(cell):
            before, self.cursor = self.cursor, cell
            if self.mode is Mode.BRUSH and before != cell:
                self._paint(segment(self.draft.width, before, cell)[1:], self.brush)

    def _push(self, side: Direction, lines: int) -> Said:
        try:
            draft = self.draft.pushed(side, lines)
        except ValueError as error:
            return Said(sentence(str(error)), True)
        what, where = _SIDES[side]
        self.change(self.drawing.changed(draft))
        return Said(f"One {what} {'more' if lines > 0 else 'fewer'} {where}: {draft.height} x {draft.width}.")

    # -- the mouse

    def press(self, cell: Cell, *, is_eraser: bool) -> None:
        """Begins a stroke: of the brush, of the floor, of the start if it lies there; or a rectangle."""
        self.cursor = cell
        if self.mode is Mode.RECTANGLE:
            self.corner = cell
        else:
            tile = ADVENTURER if cell == self.draft.start else OPEN if is_eraser else self.brush
            self._stroke = self.draft, tile, cell
        self.drag(cell)

    def drag(self, cell: Cell) -> None:
        """Takes the stroke on to a cell; the mouse may have jumped there."""
        self.cursor = cell
        if self._stroke is not None:
            since, tile, before = self._stroke
            self._stroke = since, tile, cell
            self._paint(segment(self.draft.width, before, cell), tile, since)

    def release(self) -> None:
        """Ends the stroke."""
        self._stroke = None


def _inside(cell: Cell, draft: Draft) -> Cell:
    return Cell(min(max(cell.row, 0), draft.height - 1), min(max(cell.col, 0), draft.width - 1))
