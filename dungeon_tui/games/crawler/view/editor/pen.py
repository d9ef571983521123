"""Drawing: keys and mouse become changes of a draft, each of which is judged a moment later."""

from __future__ import annotations

from functools import partial

import numpy as np
from textual import events, on, work

from dungeon_tui.core.board import ByteGrid, FlatCells
from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.crawler.model.level import ADVENTURER, OPEN
from dungeon_tui.games.crawler.view.editor.draft import Draft, Drawing, size_of
from dungeon_tui.games.crawler.view.editor.keys import Mode
from dungeon_tui.games.crawler.view.editor.shapes import cut_out, edge, flooded, line, rectangle, text_of, tiles_of
from dungeon_tui.games.crawler.view.editor.view import DraftScreen
from dungeon_tui.games.crawler.view.editor.words import BRUSHES
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.drawing import DrawView
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.widgets.dialogs import LineDialog

LEFT_BUTTON, MIDDLE_BUTTON = 1, 2
_MODES = {
    Mode.BRUSH: "The brush is down: arrows paint.",
    Mode.RECTANGLE: "A rectangle: arrows stretch it, a tile fills it, e its edge.",
    Mode.RESIZE: "Resize: an arrow adds a line on that side, shift takes one away.",
}
_ONE_START = "There is one start only: choose a tile to fill with."
_SIDES = {
    Direction.UP: ("row", "at the top"),
    Direction.DOWN: ("row", "at the bottom"),
    Direction.LEFT: ("column", "on the left"),
    Direction.RIGHT: ("column", "on the right"),
}


class PenScreen(DraftScreen):
    """A draft that can be painted and resized."""

    def __init__(self, game: Game, drawing: Drawing, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, drawing, glyphs)
        self._stroke: tuple[Draft, int, Cell] | None = None  # before it, its tile, where the mouse is
        self._copied: ByteGrid | None = None

    # -- changes

    def change(self, drawing: Drawing) -> None:
        """Shows another drawing, if it is one, and has it judged."""
        before, after = self.draft, drawing.present
        self.drawing = drawing
        if after is before:
            self.show(())
            return
        if (after.height, after.width) != (before.height, before.width):
            # The cursor stays on its tile, as the start does.
            down, right = after.start.row - before.start.row, after.start.col - before.start.col
            self.cursor = Cell(self.cursor.row + down, self.cursor.col + right)
        self.cursor = _inside(self.cursor, after)
        self.corner = _inside(self.corner, after)
        self.think()
        cells = after.board.changed_cells(before.board)
        rows = None if cells is None else {*(cells // after.width).tolist(), before.start.row, after.start.row}
        self.show(rows)

    def paint(self, cells: FlatCells, tile: int, since: Draft | None = None) -> None:
        """Paints cells, given as flat indices; the adventurer starts on the last of them."""
        if tile == ADVENTURER:
            row, col = divmod(int(cells[-1]), self.draft.width)
            draft = (since or self.draft).with_start(Cell(row, col))
        else:
            draft = self.draft.painted(cells, tile)
        self.change(self.drawing.changed(draft, since))

    def end_mode(self) -> None:
        """The arrows move the cursor again."""
        if self.mode is not Mode.DRAW:
            was_line = self.mode is Mode.LINE
            self.mode = Mode.DRAW
            self.show(None if was_line else ())

    def action_paint(self, tile: int) -> None:
        """The key of a tile: the brush, and a stamp of it."""
        self.brush = tile
        self.action_stamp()

    def action_stamp(self) -> None:
        """The brush, on the cell or in the rectangle."""
        if self.mode is Mode.RECTANGLE and self.corner != self.cursor:
            self._paint_rectangle(rectangle(self.draft.width, self.corner, self.cursor), "Filled")
            return
        if self.mode is not Mode.BRUSH:
            self.end_mode()
        self.paint(rectangle(self.draft.width, self.cursor, self.cursor), self.brush)
        if self.cursor == self.draft.start and self.brush not in (OPEN, ADVENTURER):
            self.say("The adventurer starts here, on open floor: o puts the start elsewhere.", Meaning.FOE)

    def action_erase(self) -> None:
        """Open floor, whatever the brush is."""
        brush, self.brush = self.brush, OPEN
        self.action_stamp()
        self.choose_brush(brush)

    def action_edge(self) -> None:
        """The brush around the rectangle."""
        if self.mode is not Mode.RECTANGLE:
            self.say("There is no rectangle: v begins one, so do shift+arrows.")
            return
        self._paint_rectangle(edge(self.draft.width, self.corner, self.cursor), "Edge")

    def _paint_rectangle(self, cells: FlatCells, what: str) -> None:
        """The brush on cells of the rectangle, which ends with that."""
        self.end_mode()
        if self.brush == ADVENTURER:
            self.say(_ONE_START)
            return
        height, width = (abs(one - other) + 1 for one, other in zip(self.corner, self.cursor, strict=True))
        self.paint(cells, self.brush)
        self.say(f"{what}: {height} x {width}, {BRUSHES[self.brush]}.")

    def action_copy(self) -> None:
        """Keeps the rectangle, or the cell, to be pasted here or anywhere."""
        one = self.corner if self.mode is Mode.RECTANGLE else self.cursor
        self._copied = tiles = cut_out(self.draft.board, one, self.cursor)
        self.app.copy_to_clipboard(text_of(tiles))
        self.end_mode()
        self.say(f"Copied: {tiles.shape[0]} x {tiles.shape[1]}. V pastes with its upper left corner at the cursor.")

    def action_paste(self) -> None:
        """Stamps what was copied."""
        self.end_mode()
        if self._copied is None:
            self.say("Nothing was copied: v chooses a rectangle, c copies it.")
        else:
            height, width = self.draft.room(self.cursor, self._copied)
            left_out = self._copied.size - height * width
            told = f"; {counted(left_out, 'tile')} beyond the edge had no room" if left_out else ""
            self.change(self.drawing.changed(self.draft.stamped(self.cursor, self._copied)))
            self.say(f"Pasted: {height} x {width}{told}.", Meaning.FOE if left_out else Meaning.NOTE)

    def on_paste(self, event: events.Paste) -> None:
        """Stamps what the terminal pastes."""
        try:
            self._copied = tiles_of(event.text)
        except ValueError as error:
            self.say(sentence(str(error)), Meaning.FOE)
        else:
            self.action_paste()

    def action_fill(self) -> None:
        """The brush on all that looks like the cursor's cell and hangs together with it."""
        self.end_mode()
        if self.brush == ADVENTURER:
            self.say(_ONE_START)
        else:
            self.paint(flooded(self.draft.board, self.cursor), self.brush)

    def action_start(self) -> None:
        """The adventurer starts at the cursor."""
        self.end_mode()
        self.paint(rectangle(self.draft.width, self.cursor, self.cursor), ADVENTURER)

    def action_pick(self) -> None:
        """The brush is what is at the cursor."""
        self.end_mode()
        self.choose_brush(self.draft[self.cursor])

    def action_next_brush(self, places: int) -> None:
        """Another brush, along the palette."""
        brushes = list(BRUSHES)
        self.choose_brush(brushes[(brushes.index(self.brush) + places) % len(brushes)])

    def action_clear(self) -> None:
        """Open floor everywhere."""
        self.end_mode()
        if self.draft.height * self.draft.width > 1:
            self.paint(np.arange(self.draft.height * self.draft.width), OPEN)
        self.say("Cleared; undo brings all back.")

    def action_undo(self) -> None:
        """Takes the last change back."""
        self._go_in_time(self.drawing.undone(), "Taken back.", "There is nothing to take back.")

    def action_redo(self) -> None:
        """Makes it again."""
        self._go_in_time(self.drawing.redone(), "Made again.", "There is nothing to make again.")

    def _go_in_time(self, drawing: Drawing, said: str, otherwise: str) -> None:
        if self.mode is Mode.LINE:
            self.end_mode()
        text = otherwise if drawing is self.drawing else said
        self.change(drawing)
        self.say(text)

    # -- moving, and what the arrows do else

    def action_go(self, name: str) -> None:
        """The cursor, the brush, the rectangle's corner or the map's side."""
        direction = Direction[name]
        if self.mode is Mode.RESIZE:
            self._push(direction, 1)
            return
        if self.mode is Mode.LINE:
            self.end_mode()
        self._move(self.cursor.neighbour(direction))

    def action_stretch(self, name: str) -> None:
        """The rectangle's corner, or the map's side inwards."""
        direction = Direction[name]
        if self.mode is Mode.RESIZE:
            self._push(direction, -1)
            return
        if self.mode is not Mode.RECTANGLE:
            self.action_mode("RECTANGLE")
        self._move(self.cursor.neighbour(direction))

    def action_jump(self, name: str) -> None:
        """The cursor to an edge of the map."""
        last = Cell(self.draft.height - 1, self.draft.width - 1)
        row, col = self.cursor
        cells = {"UP": Cell(0, col), "DOWN": Cell(last.row, col), "LEFT": Cell(row, 0), "RIGHT": Cell(row, last.col)}
        if self.mode in (Mode.RESIZE, Mode.LINE):
            self.end_mode()
        self._move(cells[name])

    def _move(self, cell: Cell) -> None:
        self.hovered = None
        if cell == self.cursor or not cell.is_inside(self.draft.height, self.draft.width):
            self.show(())
            return
        before, self.cursor = self.cursor, cell
        if self.mode is Mode.BRUSH:
            self.paint(line(self.draft.width, before, cell)[1:], self.brush)
        else:
            self.show(())

    def _push(self, side: Direction, lines: int) -> None:
        try:
            draft = self.draft.pushed(side, lines)
        except ValueError as error:
            self.say(sentence(str(error)), Meaning.FOE)
            return
        what, where = _SIDES[side]
        self.change(self.drawing.changed(draft))
        self.say(f"One {what} {'more' if lines > 0 else 'fewer'} {where}: {draft.height} x {draft.width}.")

    def action_mode(self, name: str) -> None:
        """Begins to paint on the way, to choose a rectangle, to resize; the same key again ends it."""
        mode = Mode[name]
        if self.mode is mode:
            self.end_mode()
            return
        self.end_mode()
        self.mode, self.corner = mode, self.cursor
        if mode is Mode.BRUSH:
            self.paint(rectangle(self.draft.width, self.cursor, self.cursor), self.brush)
        self.say(f"{_MODES[mode]} Esc ends it.")
        self.show(())

    @work(exclusive=True, group="question")
    async def action_size(self) -> None:
        """Asks for rows and columns; the map grows or shrinks at the bottom and on the right."""
        self.end_mode()
        draft = self.draft
        dialog = LineDialog("Rows and columns", "The map grows or shrinks at the bottom and on the right.",
                            f"{draft.height} x {draft.width}", check=partial(_resized, draft))  # fmt: skip
        typed = await self.app.push_screen_wait(dialog)
        if typed is not None:
            self.change(self.drawing.changed(_resized(draft, typed)))

    # -- the mouse

    @on(DrawView.Pressed)
    def _pressed(self, message: DrawView.Pressed) -> None:
        """A stroke begins: of the brush, of the floor, of the start if it lies there; or of a rectangle."""
        if self.mode is Mode.LINE:
            self.end_mode()
            return
        self.cursor = cell = message.cell
        if message.button == MIDDLE_BUTTON:
            self.action_pick()
        elif self.mode is Mode.RECTANGLE:
            self.corner = cell
            self.show(())
        else:
            is_eraser = message.button != LEFT_BUTTON or message.is_shifted
            tile = ADVENTURER if cell == self.draft.start else OPEN if is_eraser else self.brush
            self._stroke = self.draft, tile, cell
            self._paint_on(cell)

    @on(DrawView.Dragged)
    def _dragged(self, message: DrawView.Dragged) -> None:
        self.cursor = message.cell
        if self._stroke is not None:
            self._paint_on(message.cell)
        else:
            self.show(())

    @on(DrawView.Released)
    def _released(self) -> None:
        self._stroke = None

    def _paint_on(self, cell: Cell) -> None:
        """The stroke goes on to a cell; the mouse may have jumped there."""
        if self._stroke is not None:
            since, tile, before = self._stroke
            self._stroke = since, tile, cell
            self.paint(line(self.draft.width, before, cell), tile, since)


def _resized(draft: Draft, typed: str) -> Draft:
    """The draft in a size that was typed. Raises ValueError, which says what is wrong with it."""
    height, width = size_of(typed)
    return draft.framed(bottom=height - draft.height, right=width - draft.width)


def _inside(cell: Cell, draft: Draft) -> Cell:
    return Cell(min(max(cell.row, 0), draft.height - 1), min(max(cell.col, 0), draft.width - 1))
