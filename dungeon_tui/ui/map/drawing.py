"""A map to draw on with the mouse."""

from dataclasses import dataclass

from textual import events
from textual.message import Message

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.map.view import MapView


class DrawView(MapView):
    """A map view for strokes of the mouse."""

    @dataclass
    class Pressed(Message):
        """A button went down on a cell."""

        cell: Cell
        button: int
        is_shifted: bool

    @dataclass
    class Dragged(Message):
        """The mouse came to another cell, with the button still down."""

        cell: Cell

    class Released(Message):
        """The button came up, wherever that was."""

    _held: Cell | None = None  # where the mouse is, while a button is down

    def on_mouse_down(self, event: events.MouseDown) -> None:
        cell = self.cell_at(event.offset)
        if cell is not None and self._held is None:
            self._held = cell
            self.capture_mouse()
            self.post_message(self.Pressed(cell, event.button, event.shift))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._held is None:
            return
        if not event.button:  # released outside
            self._release()
        elif (cell := self.cell_at(event.offset)) is not None and cell != self._held:
            self._held = cell
            self.post_message(self.Dragged(cell))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self._release()

    def _release(self) -> None:
        if self._held is not None:
            self._held = None
            self.release_mouse()
            self.post_message(self.Released())
