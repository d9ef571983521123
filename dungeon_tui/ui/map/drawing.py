"""A map to draw on: it says where a mouse button goes down, where it is dragged to, and when it comes up."""

from __future__ import annotations

from textual import events
from textual.message import Message

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.map.view import MapView


class DrawView(MapView):
    """A map view for strokes of the mouse."""

    ALLOW_SELECT = False

    class Pressed(Message):
        """A button went down on a cell."""

        def __init__(self, cell: Cell, button: int, is_shifted: bool) -> None:
            super().__init__()
            self.cell, self.button, self.is_shifted = cell, button, is_shifted

    class Dragged(Message):
        """The mouse came to another cell, with the button still down."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    class Released(Message):
        """The button came up, wherever that was."""

    _held: Cell | None = None  # where the mouse is, while a button is down

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A stroke begins."""
        cell = self.cell_at(event.offset)
        if cell is not None and self._held is None:
            self._held = cell
            self.capture_mouse()
            self.post_message(self.Pressed(cell, event.button, event.shift))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """It goes on; the base's own on_mouse_move runs as well, by Textual's custom."""
        if self._held is None:
            return
        if not event.button:  # it came up where nobody told us
            self._release()
            return
        cell = self.cell_at(event.offset)
        if cell is not None and cell != self._held:
            self._held = cell
            self.post_message(self.Dragged(cell))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """It ends."""
        if self._held is not None:
            self._release()

    def _release(self) -> None:
        self._held = None
        self.release_mouse()
        self.post_message(self.Released())
