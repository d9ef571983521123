"""The screen that shows a game: map, panel, messages, layers and distances over the map. It plays nothing."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import partial
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.timer import Timer

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import TurnController
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.commands import KeyCommands
from dungeon_tui.ui.game_view import GameView
from dungeon_tui.ui.help_screen import HelpScreen
from dungeon_tui.ui.key_bar import Entry, KeyBar
from dungeon_tui.ui.keys import footer_of, keys_for
from dungeon_tui.ui.map_source import CellLayer, Layer
from dungeon_tui.ui.map_view import MapView
from dungeon_tui.ui.message_log import Line, MessageLog
from dungeon_tui.ui.overlay import SPEEDS, Overlay
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.side_panel import SidePanel, StatusLine

MAX_FRAMES = 20  # a second, of what grows
AT_ONCE = 1 << 20  # cells whose distances take a few milliseconds


class MapScreen(Screen[None]):
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
        self.keys = keys_for(view.uses)
        self.overlay = Overlay(view.DISTANCE_KINDS, view.glyphs)
        self.shown_layers: set[str] = set()
        self._made: dict[str, tuple[Any, Layer]] = {}
        self.flash: Layer | None = None
        self.cursor: Cell | None = None
        self._ticker: Timer | None = None
        self._compiled: set[tuple[str, bool]] = set()  # whose kernels have run
        self._computing: Hashable = None  # what the distances are that a worker computes

    # -- the widgets

    def compose(self) -> ComposeResult:
        """Map and panel, then the lines below."""
        with Horizontal(id="board"):
            yield MapView(frame=self.glyphs.frame, id="map")
            yield SidePanel(id="panel")
        yield StatusLine(self.glyphs, id="status")
        yield MessageLog(id="log")
        yield KeyBar(self.footer(), id="keys")

    def on_mount(self) -> None:
        """Shows the first turn."""
        self.map = self.query_one(MapView)
        self.panel = self.query_one(SidePanel)
        self.status = self.query_one(StatusLine)
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
        """Four lines of messages, unless the map needs them; one in a terminal of under 24 lines.

        A long text about a cell takes lines from the messages, so that the map stays where it is.
        """
        below = 1 if self.has_class("-wide") else 2  # the status line, the keys
        spare = self.size.height - below - rows
        lines = 1 if self.size.height < 24 else 4 if spare < 1 else min(4, spare)
        taken = 0 if self.has_class("-wide") else min(self.status.wanted_lines() - 1, lines)
        self.status.styles.height = 1 + taken
        lines -= taken
        if self.messages.styles.height is None or self.messages.styles.height.value != lines:
            self.messages.styles.height = lines

    def say(self, text: str, meaning: Meaning = Meaning.NOTE) -> None:
        """A message."""
        self.messages.say(Line(self.glyphs.plain(text), meaning))

    def interrupt(self) -> None:
        """A key was pressed: what runs by itself ends."""

    # -- what is shown

    def show_turn(self, changed_rows: Iterable[int] | None = None) -> None:
        """Shows the present turn; `changed_rows` as for MapView.show."""
        view, state = self.view, self.controller.state
        picture = view.picture(state)
        if self.overlay.needs(view.distance_key(state)):
            if changed_rows is None:
                self.overlay.forget()  # this may be another map, of another size
            self._keep_computing(picture.height * picture.width)
        self._share_lines(picture.height)
        self.map.show(picture, self.cursor or view.focus_cell(state), self._layers(state), changed_rows)
        facts = view.facts(self.controller.turn)
        notes = [self.overlay.legend(), *(view.layer_note(name) for name in view.LAYERS if name in self.shown_layers)]
        self.panel.show(facts, tuple(self.glyphs.plain(note) for note in notes if note))
        self.status.show(facts)

    def _layers(self, state: Any) -> list[Layer]:
        layers: list[Layer] = []
        if (distances := self.overlay.layer()) is not None:
            layers.append(distances)
        for name in self.view.LAYERS:
            if name in self.shown_layers:
                if self._made.get(name, (None, None))[0] is not state:  # once a state, not at each repaint
                    self._made[name] = (state, self.view.make_layer(name, state))
                layers.append(self._made[name][1])
        if self.flash is not None:
            layers.append(self.flash)
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
            self.say("There is no such thing in this game.")
            return
        self.shown_layers ^= {name}
        said = f"{what}: {'shown' if name in self.shown_layers else 'hidden'}."
        if name in self.shown_layers and self.has_class("-narrow"):  # no panel that would say what the marks mean
            said = self.view.layer_note(name) or said
        self.say(said)
        self.show_turn(())

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
            text = self.view.cell_text(self.controller.state, cell)
            distance = None if self.view.TELLS_DISTANCES else self.overlay.at(cell.row, cell.col)
            if distance is not None:
                text += f", {distance} away"
        self.panel.hover(self.glyphs.plain(text))
        self.status.hover(self.glyphs.plain(text))
        self._share_lines(self.view.picture(self.controller.state).height)

    @on(MapView.CellHovered)
    def _hovered(self, message: MapView.CellHovered) -> None:
        if self.cursor is None:
            self.hover(message.cell)

    # -- distances

    def action_cycle_overlay(self) -> None:
        """The next way to draw distances."""
        self.interrupt()
        self.overlay.cycle()
        self.say(self.overlay.note())
        self.show_turn()

    def action_next_kind(self) -> None:
        """The other kind of distances."""
        self.interrupt()
        if not self.overlay.next_kind():
            self.say("There is one kind of distances in this game.")
            return
        if not self.overlay.is_on:
            self.overlay.cycle()
        self.say(self.overlay.note())
        self.show_turn()

    def action_watch_overlay(self) -> None:
        """Lets the frontier grow from the player; again: shows all."""
        self.interrupt()
        if self.overlay.frontier is None:
            self.overlay.start()
            self.say("The frontier grows: p pauses, [ ] step, { } change the speed, O ends it.")
            self._tick()
        else:
            self.overlay.stop()
            self.say(self.overlay.note())
        self.show_turn(())

    def action_play_pause(self) -> None:
        """Pauses the frontier, or lets it go on."""
        if self.overlay.frontier is None:
            self.say("Nothing is running; O lets the distances grow.")
            return
        self.overlay.is_running = not self.overlay.is_running
        self.say(self.overlay.progress())
        self._tick()
        self.show_turn(())

    def action_step_frontier(self, steps: int) -> None:
        """One step on or back."""
        if self.overlay.frontier is None:
            self.say("Nothing is running; O lets the distances grow.")
            return
        self.overlay.is_running = False
        self.overlay.advance(steps)
        self.show_turn(())

    def action_change_speed(self, places: int) -> None:
        """Watches faster or more slowly."""
        self.say(f"{self.overlay.change_speed(places)} steps a second.")
        self._tick()
        self.show_turn(())

    def _tick(self) -> None:
        """Keeps the timer at the speed that was chosen."""
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        if self.overlay.is_running:
            per_second = SPEEDS[self.overlay.speed]
            frames = min(per_second, MAX_FRAMES)
            self._ticker = self.set_interval(1 / frames, partial(self._grow, max(1, per_second // frames)))

    def _grow(self, steps: int) -> None:
        if self.overlay.is_running:
            self.overlay.advance(steps)
            self.show_turn(())
        elif self._ticker is not None:
            self._ticker.stop()

    def _keep_computing(self, cells: int) -> None:
        """Computes distances: at once where that takes a moment, else by a worker that is not busy with them yet."""
        state = self.controller.state
        kind, has_arrows, key = self.overlay.kind, self.overlay.has_arrows, self.view.distance_key(state)
        wanted = kind, has_arrows, key
        if (kind, has_arrows) in self._compiled and cells <= AT_ONCE:
            self.overlay.take(self.view.distances(state, kind, has_arrows), key)
        elif wanted != self._computing:
            self._computing = wanted
            self._compute_distances(state, *wanted)

    @work(exclusive=True, group="distances")
    async def _compute_distances(self, state: Any, kind: str, has_arrows: bool, key: Hashable) -> None:
        field = await in_background(self.view.distances, state, kind, has_arrows)
        self._computing = None
        self._compiled.add((kind, has_arrows))
        if self.view.distance_key(self.controller.state) == key and self.overlay.kind == kind:
            self.overlay.take(field, key)
            self.show_turn(())

    def footer(self) -> list[Entry]:
        """The keys of the footer."""
        return [(self.glyphs.plain(key.shown.split()[0]), key.label, key.action) for key in footer_of(self.keys)]
