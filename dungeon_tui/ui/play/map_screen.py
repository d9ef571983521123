"""The screen that shows a game: map, panel, messages, layers over the map. It plays nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.background import ResultT, in_background
from dungeon_tui.ui.map.source import CellLayer, Layer
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.commands import KeyCommands
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.keys import footer_of, keys_for
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import Entry, KeyBar
from dungeon_tui.ui.widgets.message_log import Line, MessageLog
from dungeon_tui.ui.widgets.side_panel import SidePanel, StatusLine
from dungeon_tui.ui.widgets.timeline import ROOMY, Timeline

_MOST_LINES = 4  # of messages


class MapScreen(Screen[str | None]):
    """Shows a controller's present turn, as a game's view says."""

    COMMANDS = {KeyCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    DEFAULT_CSS = """
    MapScreen { layout: vertical; background: $map-back; }
    MapScreen #board { height: 1fr; }
    MapScreen MapView { width: 1fr; height: 1fr; }
    MapScreen.-narrow SidePanel { display: none; }
    MapScreen.-wide StatusLine { display: none; }
    """

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any]) -> None:
        super().__init__()
        self.view = view
        self.controller = controller
        self.glyphs = view.glyphs
        self.keys = keys_for(view.uses, view.KEY_WORDS)
        self.shown_layers: set[str] = set()
        self._made: dict[str, tuple[Any, Layer]] = {}
        self.flash: Layer | None = None
        self.ending: Layer | None = None  # while a dialogue tells how it ended
        self.cursor: Cell | None = None

    # -- the widgets

    def compose(self) -> ComposeResult:
        """Map and panel, then the lines below."""
        with Horizontal(id="board"):
            yield MapView(frame=self.glyphs.frame, id="map")
            yield SidePanel(id="panel")
        yield StatusLine(self.glyphs, id="status")
        yield Timeline(self.glyphs, id="timeline")
        yield MessageLog(id="log")
        yield KeyBar(self.footer(), id="keys")

    def on_mount(self) -> None:
        """Shows the first turn."""
        self.map = self.query_one(MapView)
        self.panel = self.query_one(SidePanel)
        self.status = self.query_one(StatusLine)
        self.timeline = self.query_one(Timeline)
        self.messages = self.query_one(MessageLog)
        self.key_bar = self.query_one(KeyBar)
        self.messages.new_turn()
        for line in self.view.greeting(self.controller.level):
            self.messages.say(line)
        self.show_turn()
        self.call_after_refresh(self.map.zoom, None)

    def on_resize(self) -> None:
        """Shares the lines anew between map and messages."""
        self._share_lines(self.view.picture(self.controller.state).height)

    def _share_lines(self, rows: int) -> None:
        """Four lines of messages, two below a timeline, unless the map needs them; one in a terminal of under 24 lines.

        A message that is longer takes some from the map, as long as it is the last one of the present turn. A long text
        about a cell takes lines from the messages, so that the map stays where it is.
        """
        timeline = self.timeline_lines()
        self.timeline.set_class(timeline > 0, "-shown")
        self.timeline.styles.height = timeline
        below = timeline + (1 if self.has_class("-wide") else 2)  # the status line, the keys
        spare = self.size.height - below - rows
        most = 1 if self.size.height < 24 else 2 if timeline and self.size.height < ROOMY else _MOST_LINES
        lines = most if spare < 1 else min(most, spare)
        lines = max(lines, min(self.messages.wanted_lines(), _MOST_LINES, self.size.height // 4))
        taken = 0 if self.has_class("-wide") else min(self.status.wanted_lines() - 1, lines)
        self.status.styles.height = 1 + taken
        lines -= taken
        if self.messages.styles.height is None or self.messages.styles.height.value != lines:
            self.messages.styles.height = lines

    def say(self, text: str, meaning: Meaning = Meaning.NOTE) -> None:
        """A message."""
        self.tell(Line(self.glyphs.plain(text), meaning))

    def mention(self, text: str) -> None:
        """A message in passing, a prompt or a refusal: it goes with the next thing that is said or done."""
        self.tell(Line(self.glyphs.plain(text), is_passing=True))

    def tell(self, line: Line, instead_of: str = "") -> None:
        """A message as MessageLog.say takes it, and room for all of it."""
        self.messages.say(line, instead_of)
        self._share_lines(self.view.picture(self.controller.state).height)

    async def in_thread(self, function: Callable[..., ResultT], *arguments: object) -> ResultT | None:
        """The function's result, computed in a thread; what is wrong is said, and there is none."""
        try:
            return await in_background(function, *arguments)
        except ValueError as error:
            self.say(sentence(str(error)), Meaning.FOE)
            return None

    def timeline_lines(self) -> int:
        """How many lines the timeline takes; 0: it is not shown."""
        return 0

    def interrupt(self) -> None:
        """A key was pressed: what runs by itself ends."""

    # -- what is shown

    def show_turn(self, changed_rows: Iterable[int] | None = None) -> None:
        """Shows the present turn; `changed_rows` as for MapView.show."""
        view, state = self.view, self.controller.state
        picture = view.picture(state)
        self._share_lines(picture.height)
        layers = [*self.map_layers(state), *self._marks()]
        self.map.show(picture, self.focus_cell(state), layers, changed_rows, self.cell_columns(state))
        self.show_facts()

    def show_facts(self) -> None:
        """Shows what is known of the present turn beside the map, which stays where somebody may have scrolled it."""
        facts = self.view.facts(self.controller.turn)
        alerts = self.alerts()
        notes = [*map(sentence, alerts), *self.notes(self.controller.state)]
        self.panel.show(facts, tuple(self.glyphs.plain(note) for note in notes if note))
        self.status.show(facts, tuple(alerts))

    def keep_map_above(self, line: int | None) -> None:
        """Draws the map above a line of the screen, where it would reach below; None: wherever there is room."""
        if line is None:
            self.map.styles.max_height = None
        elif self.map.last_line >= line or self.map.styles.max_height is not None:
            self.map.styles.max_height = line

    def focus_cell(self, state: Any) -> Cell:
        """The cell to keep in view."""
        return self.cursor or self.view.focus_cell(state)

    def cell_columns(self, state: Any) -> int:
        """How wide a cell must be for its text."""
        return self.view.cell_columns(state)

    def alerts(self) -> list[str]:
        """What must not be overlooked, in a few words: before all else in the panel, or in the status line."""
        return []

    def notes(self, state: Any) -> list[str]:
        """What the panel says beside the facts, and of what is drawn over the map."""
        return [*self.view.remarks(state), *(self.view.layer_note(name) for name in self._layers_there(state))]

    def map_layers(self, state: Any) -> list[Layer]:
        """What is drawn over the map, the last one on top."""
        layers = list(self._layers_there(state).values())
        warning = self.view.warning_layer(state)
        return layers if warning is None else [*layers, warning]

    def _layers_there(self, state: Any) -> dict[str, Layer]:
        """Those that are shown, as far as they can be made of this state: once the game is over, some can't."""
        layers = {}
        for name in self.view.LAYERS:
            if name in self.shown_layers:
                with suppress(ValueError):
                    layers[name] = self.layer_of(name, state)
        return layers

    def layer_of(self, name: str, state: Any) -> Layer:
        """A layer, made once a state, not at each repaint. Raises ValueError where it can't be made."""
        if self._made.get(name, (None, None))[0] is not state:
            self._made[name] = (state, self.view.make_layer(name, state))
        return self._made[name][1]

    def _marks(self) -> list[Layer]:
        """What lies over all else."""
        layers: list[Layer] = []
        layers += [layer for layer in (self.ending, self.flash) if layer is not None]
        if self.cursor is not None:
            cursor = CellLayer()
            cursor.mark(self.cursor, None, None, Tint.CURSOR)
            layers.append(cursor)
        return layers

    def action_toggle_layer(self, name: str) -> None:
        """Switches a layer."""
        self.interrupt()
        what = self.view.LAYERS.get(name)
        if what is None:
            self.mention("There is no such thing in this game.")
            return
        if name in self.shown_layers:
            self.shown_layers.discard(name)
            self.say(f"{what}: hidden.")
        else:
            try:
                self.layer_of(name, self.controller.state)
            except ValueError as error:
                self.say(sentence(str(error)), Meaning.FOE)
                return
            self.shown_layers.add(name)
            self.announce_layer(name)
        self.show_turn(())

    def announce_layer(self, name: str) -> None:
        """Says that a layer is shown; where no panel does, what its marks mean."""
        note = self.view.layer_note(name) if self.has_class("-narrow") else ""
        self.say(note or f"{self.view.LAYERS[name]}: shown.")

    def action_hint(self) -> None:
        """Says the level's hint."""
        self.interrupt()
        self.say(self.view.hint(self.controller.state), Meaning.PRIZE)

    def action_zoom(self, steps: int) -> None:
        """Larger or smaller cells; 0: as they fit."""
        self.interrupt()
        self.map.zoom(steps or None)

    def action_help(self) -> None:
        """The help page."""
        self.interrupt()
        game = self.view.game
        self.app.push_screen(HelpScreen(game.title, game.rules_text, self.view.legend(), self.keys))

    def hover(self, cell: Cell | None) -> None:
        """Names a cell in the panel."""
        text = ""
        if cell is not None:
            text = self.cell_text(cell)
        self.panel.hover(self.glyphs.plain(text))
        self.status.hover(self.glyphs.plain(text))
        self._share_lines(self.view.picture(self.controller.state).height)

    def cell_text(self, cell: Cell) -> str:
        """What there is to say of a cell."""
        return self.view.cell_text(self.controller.state, cell)

    @on(MapView.CellHovered)
    def _hovered(self, message: MapView.CellHovered) -> None:
        if self.cursor is None:
            self.hover(message.cell)

    def footer(self) -> list[Entry]:
        """The keys of the footer."""
        return [(self.glyphs.plain(key.shown.split()[0]), key.label, key.action) for key in footer_of(self.keys)]
