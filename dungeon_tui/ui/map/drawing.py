"""A map to draw on: it says where a mouse button goes down, where it is dragged to, and when it comes up."""

from __future__ import annotations

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
        """Begins a stroke, if the mouse is on the map: holds the mouse, and posts Pressed."""
        cell = self.cell_at(event.offset)
        if cell is not None and self._held is None:
            self._held = cell
            self.capture_mouse()
            self.post_message(self.Pressed(cell, event.button, event.shift))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Posts Dragged when a stroke comes to another cell; MapView's own on_mouse_move runs as well."""
        if self._held is None:
            return
        if not event.button:  # it came up where nobody told us
            self._release()
        elif (cell := self.cell_at(event.offset)) is not None and cell != self._held:
            self._held = cell
            self.post_message(self.Dragged(cell))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Ends the stroke: lets the mouse go, and posts Released."""
        self._release()

    def _release(self) -> None:
        if self._held is not None:
            self._held = None
            self.release_mouse()
            self.post_message(self.Released())
