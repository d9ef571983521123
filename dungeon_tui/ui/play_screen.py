"""The screen of every game: keys become actions, turns become rows, facts and messages. It decides nothing."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from time import monotonic
from typing import Any, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.screen import Screen
from textual.timer import Timer

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import Change, ChangeKind, Turn, TurnController
from dungeon_tui.ui.commands import KeyCommands
from dungeon_tui.ui.dialogs import Answer, ChoiceDialog
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.help_screen import HelpScreen
from dungeon_tui.ui.key_bar import KeyBar
from dungeon_tui.ui.keys import Key, keys_for
from dungeon_tui.ui.map_view import CellLayer, Layer, MapSource, MapView
from dungeon_tui.ui.message_log import Line, MessageLog
from dungeon_tui.ui.overlay import SPEEDS, DistanceField, Overlay
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.side_panel import Facts, SidePanel, StatusLine

TRAVEL_PAUSE = 0.03  # seconds a step
FLASH_TIME = 0.5  # seconds
MAX_FRAMES = 20  # a second, of what grows

CHOOSING = (
    Binding("enter", "confirm", show=False, id="choose.confirm"),
    Binding("tab", "next_place(1)", show=False, id="choose.next", priority=True),
    Binding("shift+tab", "next_place(-1)", show=False, id="choose.previous", priority=True),
)


class PlayScreen(Screen[None]):
    """What all games share. A game derives its screen and says what its states look like."""

    EIGHT_WAYS: ClassVar[bool] = False
    DISTANCE_KINDS: ClassVar[tuple[str, ...]] = ("walking",)
    COMMANDS = {KeyCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-tall")]
    BINDINGS = [*(key.binding() for key in keys_for(eight_ways=False)), *CHOOSING]
    DEFAULT_CSS = """
    PlayScreen { layout: vertical; background: $map-back; }
    PlayScreen #board { height: 1fr; }
    PlayScreen MapView { width: 1fr; height: 1fr; }
    PlayScreen.-narrow SidePanel { display: none; }
    PlayScreen.-wide StatusLine { display: none; }
    PlayScreen.-short MessageLog { height: 1; }
    """

    def __init__(
        self, game: Game, opening: Opening, controller: TurnController[Any, Any, Any], glyphs: Glyphs = UNICODE
    ) -> None:
        super().__init__()
        self.game = game
        self.opening = opening
        self.controller = controller
        self.glyphs = glyphs
        self.keys = keys_for(self.EIGHT_WAYS)
        self._began = monotonic()
        self._shown_layers: set[str] = set()
        self._flash: Layer | None = None
        self._route_layer: Layer | None = None
        self._cursor: Cell | None = None
        self._purpose = ""  # of the cursor: "travel" or "inspect"
        self.overlay = Overlay(self.DISTANCE_KINDS, glyphs)
        self._ticker: Timer | None = None
        self._journey = 0  # raised by every key: whoever travels sees it and stops

    # -- what a game says of its states

    @abstractmethod
    def picture(self, state: Any) -> MapSource:
        """The map."""

    @abstractmethod
    def focus_cell(self, state: Any) -> Cell:
        """Where the player is."""

    @abstractmethod
    def changed_rows(self, before: Any, after: Any) -> Iterable[int] | None:
        """The rows in which two states' maps differ; None: any."""

    @abstractmethod
    def facts(self, turn: Turn[Any, Any]) -> Facts:
        """How the game stands."""

    @abstractmethod
    def story(self, turn: Turn[Any, Any]) -> Iterable[Line]:
        """What happened in a turn."""

    @abstractmethod
    def action_towards(self, direction: Direction | None) -> Any:
        """The action that goes there, or stays."""

    @abstractmethod
    def make_layer(self, name: str, state: Any) -> Layer:
        """One of the layers that keys switch: "sight", "danger"."""

    @abstractmethod
    def cell_text(self, state: Any, cell: Cell) -> str:
        """What a cell is, in words."""

    @abstractmethod
    def places(self, state: Any) -> Sequence[tuple[str, Cell]]:
        """Where one may want to go: glyphs and cells, the nearest first."""

    @abstractmethod
    def route(self, state: Any, cell: Cell) -> Sequence[Any] | str:
        """The actions that lead to a cell, or why none do. Runs in a thread."""

    @abstractmethod
    def reason_to_stop(self, before: Any, after: Any) -> str:
        """Why a journey ends here; empty: it goes on."""

    @abstractmethod
    def distance_key(self, state: Any) -> Hashable:
        """What the distances depend on: while it stays equal, so do they."""

    @abstractmethod
    def distances(self, state: Any, kind: str) -> DistanceField:
        """The distances from the player. Runs in a thread."""

    @abstractmethod
    def hint(self, state: Any) -> str:
        """A hint for the level."""

    @abstractmethod
    def legend(self) -> Sequence[tuple[str, str]]:
        """The glyphs and their names."""

    @abstractmethod
    def ending(self, state: Any, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Title and text of the dialogue at the end."""

    @abstractmethod
    def flash_layer(self, turn: Turn[Any, Any]) -> Layer | None:
        """What a turn lets flash once; None: nothing."""

    def greeting(self) -> Iterable[Line]:
        """The first messages."""
        return ()

    # -- the widgets

    def compose(self) -> ComposeResult:
        """Map and panel, then the lines below."""
        with Horizontal(id="board"):
            yield MapView(frame=self.glyphs.frame, id="map")
            yield SidePanel(id="panel")
        yield StatusLine(self.glyphs, id="status")
        yield MessageLog(id="log")
        yield KeyBar([self._bar_entry(key) for key in self.keys if key.in_footer], id="keys")

    def on_mount(self) -> None:
        """Shows the first turn."""
        self.map = self.query_one(MapView)
        self.log_lines = self.query_one(MessageLog)
        self.controller.observe(self._on_change)
        self.log_lines.new_turn()
        for line in self.greeting():
            self.log_lines.say(line)
        self._show(None)
        self.call_after_refresh(self.map.zoom, None)

    def say(self, text: str, meaning: Meaning = Meaning.NOTE) -> None:
        """A message."""
        self.log_lines.say(Line(self.glyphs.plain(text), meaning))

    # -- turns

    def _on_change(self, change: Change[Any, Any]) -> None:
        before, after = change.before.state, change.after.state
        self.log_lines.new_turn()
        if change.kind in (ChangeKind.APPLIED, ChangeKind.REDONE):
            for line in self.story(change.after):
                self.log_lines.say(line)
            self._start_flash(change.after)
        elif change.kind is ChangeKind.UNDONE:
            self.say(f"Taken back: {change.after.ply} {'move' if change.after.ply == 1 else 'moves'} so far.")
        else:
            self.say("Back at the start of the level.")
        self._show(self.changed_rows(before, after))
        outcome = self.controller.outcome
        if change.kind is ChangeKind.APPLIED and outcome is not None:
            self._show_ending(outcome)

    def _show(self, changed_rows: Iterable[int] | None) -> None:
        """Shows the present turn."""
        state = self.controller.state
        if self.overlay.needs(self.distance_key(state)):
            self._compute_distances()
        rows = None if changed_rows is None else {*changed_rows}
        focus = self._cursor or self.focus_cell(state)
        self.map.show(self.picture(state), focus, self._layers(state), rows)
        facts = self.facts(self.controller.turn)
        self.query_one(SidePanel).show(facts)
        self.query_one(StatusLine).show(facts)

    def _layers(self, state: Any) -> list[Layer]:
        layers: list[Layer] = []
        if (distances := self.overlay.layer()) is not None:
            layers.append(distances)
        layers += [self.make_layer(name, state) for name in ("sight", "danger") if name in self._shown_layers]
        if self._route_layer is not None:
            layers.append(self._route_layer)
        if self._flash is not None:
            layers.append(self._flash)
        if self._cursor is not None:
            cursor = CellLayer()
            cursor.mark(self._cursor, None, None, Tint.CURSOR)
            layers.append(cursor)
        return layers

    def _start_flash(self, turn: Turn[Any, Any]) -> None:
        if self.app.animation_level != "none" and (flash := self.flash_layer(turn)) is not None:
            self._flash = flash
            self.set_timer(FLASH_TIME, self._end_flash)

    def _end_flash(self) -> None:
        self._flash = None
        self._show(())

    def _apply(self, action: Any) -> None:
        if self.controller.outcome is not None:
            self.say("The game is over: undo, restart or leave.")
        else:
            self.controller.apply(action)

    # -- actions, by the table of keys

    def action_move(self, name: str) -> None:
        """A step, or the cursor's."""
        self._interrupt()
        direction = Direction[name]
        if self._cursor is None:
            self._apply(self.action_towards(direction))
            return
        source = self.picture(self.controller.state)
        cell = self._cursor.neighbour(direction)
        if cell.is_inside(source.height, source.width):
            self._put_cursor(cell)

    def action_stay(self) -> None:
        """A turn without a step."""
        self._interrupt()
        if self._cursor is None:
            self._apply(self.action_towards(None))

    def action_undo(self) -> None:
        """Takes a turn back."""
        self._interrupt()
        self._drop_cursor()
        if not self.controller.undo():
            self.say("This is the start: nothing to take back.")

    def action_redo(self) -> None:
        """Plays a turn again that was taken back."""
        self._interrupt()
        self._drop_cursor()
        if not self.controller.redo():
            self.say("Nothing was taken back.")

    def action_restart(self) -> None:
        """Back to the start of the level; undo is no use here, but redo is."""
        self._interrupt()
        self._drop_cursor()
        if not self.controller.restart():
            self.say("This is the start of the level.")

    def action_toggle_layer(self, name: str) -> None:
        """Switches a layer."""
        self._interrupt()
        self._shown_layers ^= {name}
        what = {"sight": "Lines of sight", "danger": "Danger"}[name]
        self.say(f"{what}: {'shown' if name in self._shown_layers else 'hidden'}.")
        self._show(())

    def action_hint(self) -> None:
        """Says the level's hint."""
        self._interrupt()
        self.say(self.hint(self.controller.state), Meaning.PRIZE)

    def action_zoom(self, steps: int) -> None:
        """Larger or smaller cells; 0: as they fit."""
        self._interrupt()
        self.map.zoom(steps or None)

    def action_help(self) -> None:
        """The help page."""
        self._interrupt()
        package = self.game.load("__init__")
        rules = (package.__doc__ or "").strip()
        self.app.push_screen(HelpScreen(self.game.title, rules, self.legend(), self.keys))

    @work
    async def action_leave(self) -> None:
        """Leaves the cursor, or the game; asks when moves would be lost."""
        self._interrupt()
        if self._cursor is not None:
            self._drop_cursor()
            self._show(())
            return
        moves = self.controller.turn.ply
        is_kept = getattr(self.app, "is_recording", False)
        if moves and self.controller.outcome is None and not is_kept:
            question = ChoiceDialog(
                "Leave the game?",
                f"{moves} {'move' if moves == 1 else 'moves'} would be lost.",
                [Answer("y", "Leave", "leave"), Answer("n", "Stay", "stay")],
            )
            if await self.app.push_screen_wait(question) != "leave":
                return
        self._leave()

    def _leave(self) -> None:
        self.dismiss()

    # -- distances

    def action_cycle_overlay(self) -> None:
        """The next way to draw distances."""
        self._interrupt()
        self.overlay.cycle()
        self.say(self.overlay.legend() or "Distances: hidden.")
        self._show(None)

    def action_next_kind(self) -> None:
        """The other kind of distances."""
        self._interrupt()
        if not self.overlay.next_kind():
            self.say("There is one kind of distances in this game.")
            return
        if not self.overlay.is_on:
            self.overlay.cycle()
        self.say(f"Distances: {self.overlay.kind}.")
        self._show(None)

    def action_watch_overlay(self) -> None:
        """Lets the frontier grow from the player; again: shows all."""
        self._interrupt()
        if self.overlay.frontier is None:
            self.overlay.start()
            self.say("The frontier grows: p pauses, [ and ] step, { and } change the speed, O ends it.")
            self._tick()
        else:
            self.overlay.stop()
        self._show(None)

    def action_play_pause(self) -> None:
        """Pauses the frontier, or lets it go on."""
        if self.overlay.frontier is None:
            self.say("Nothing is running; O lets the distances grow.")
            return
        self.overlay.is_running = not self.overlay.is_running
        self._tick()
        self._show(())

    def action_step_frontier(self, steps: int) -> None:
        """One step on or back."""
        self.overlay.is_running = False
        self.overlay.advance(steps)
        self._show(None)

    def action_change_speed(self, places: int) -> None:
        """Watches faster or more slowly."""
        self.say(f"{self.overlay.change_speed(places)} steps a second.")
        self._tick()
        self._show(())

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
            self._show(None)
        elif self._ticker is not None:
            self._ticker.stop()

    @work(exclusive=True, group="distances")
    async def _compute_distances(self) -> None:
        state, kind = self.controller.state, self.overlay.kind
        key = self.distance_key(state)
        field = await asyncio.to_thread(self.distances, state, kind)
        if self.distance_key(self.controller.state) == key and self.overlay.kind == kind:
            self.overlay.take(field, key)
            self._show(None)

    # -- choosing a cell

    def action_travel(self) -> None:
        """Chooses a cell to walk to."""
        self._choose("travel", "Where to? Move the mark, Tab: the next place, Enter: go, Esc: stay here.")

    def action_inspect(self) -> None:
        """Chooses a cell to read."""
        self._choose("inspect", "Inspecting: move the mark, Tab: the next place, Esc: back.")

    def action_confirm(self) -> None:
        """Takes the cell under the cursor."""
        cell = self._cursor
        if cell is None:
            return
        if self._purpose == "travel":
            self._drop_cursor()
            self._show(())
            self.travel_to(cell)
        else:
            self.say(self.cell_text(self.controller.state, cell))

    def action_next_place(self, steps: int) -> None:
        """Moves the cursor to the next place of interest."""
        if self._cursor is None:
            return
        cells = [cell for _, cell in self.places(self.controller.state)]
        if not cells:
            self.say("There is nothing of note on this map.")
            return
        at = cells.index(self._cursor) if self._cursor in cells else (-1 if steps > 0 else 0)
        self._put_cursor(cells[(at + steps) % len(cells)])

    def _choose(self, purpose: str, text: str) -> None:
        self._interrupt()
        self._purpose = purpose
        self.log_lines.new_turn()
        self.say(text)
        self._put_cursor(self._cursor or self.focus_cell(self.controller.state))

    def _put_cursor(self, cell: Cell) -> None:
        self._cursor = cell
        self._hover(cell)
        self._show(())

    def _drop_cursor(self) -> None:
        if self._cursor is not None:
            self._cursor = None
            self._hover(None)

    # -- travel

    @on(MapView.CellClicked)
    def _clicked(self, message: MapView.CellClicked) -> None:
        self._interrupt()
        self._drop_cursor()
        if self.controller.outcome is None:
            self.travel_to(message.cell)

    @work(exclusive=True, group="travel")
    async def travel_to(self, cell: Cell) -> None:
        """Walks to a cell, step by step, until something comes up."""
        journey = self._journey
        start = self.controller.state
        route = await asyncio.to_thread(self.route, start, cell)
        if self._journey != journey or self.controller.state is not start:
            return
        if isinstance(route, str):
            self.say(route)
            return
        if self.reason_to_stop(None, start) and len(route) > 1:
            route = route[:1]
            self.say(f"{self.reason_to_stop(None, start)} One step at a time.")
        for number, action in enumerate(route):
            if self._journey != journey or self.controller.outcome is not None:
                return
            before = self.controller.state
            after = self.controller.apply(action).state
            reason = self.reason_to_stop(before, after)
            if reason and number + 1 < len(route):
                self.say(f"{reason} You stop.", Meaning.FOE)
                return
            await asyncio.sleep(TRAVEL_PAUSE if self.app.animation_level != "none" else 0)

    def _interrupt(self) -> None:
        self._journey += 1

    # -- the mouse, and keys that mean nothing

    @on(MapView.CellHovered)
    def _hovered(self, message: MapView.CellHovered) -> None:
        if self._cursor is None:
            self._hover(message.cell)

    def _hover(self, cell: Cell | None) -> None:
        text = "" if cell is None else self.glyphs.plain(self.cell_text(self.controller.state, cell))
        self.query_one(SidePanel).hover(text)
        self.query_one(StatusLine).hover(text)

    def on_key(self, event: events.Key) -> None:
        """A key without a meaning, or a place's glyph while a cell is chosen."""
        if event.character is None or not event.is_printable:
            return
        if self._cursor is not None:
            cells = [cell for glyph, cell in self.places(self.controller.state) if glyph == event.character]
            if cells:
                at = cells.index(self._cursor) if self._cursor in cells else -1
                self._put_cursor(cells[(at + 1) % len(cells)])
                return
        if event.key not in self.active_bindings:
            self.log_lines.new_turn()
            self.say(f"'{event.character}' does nothing here; ? lists the keys.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a cell is chosen, ? and ! are places to go, not help."""
        if action == "help" and self._cursor is not None:
            return False
        if action in ("next_place", "confirm"):
            return self._cursor is not None
        return True

    # -- the end

    @work
    async def _show_ending(self, outcome: Outcome) -> None:
        title, text = self.ending(self.controller.state, outcome, monotonic() - self._began)
        answers = [Answer("u", "Undo", "undo"), Answer("r", "Restart", "restart"), Answer("q", "Leave", "leave")]
        if outcome.is_win:
            answers.reverse()
        match await self.app.push_screen_wait(ChoiceDialog(title, self.glyphs.plain(text), answers)):
            case "undo":
                self.action_undo()
            case "restart":
                self.action_restart()
            case _:
                self._leave()

    def _bar_entry(self, key: Key) -> tuple[str, str, str]:
        shown = self.glyphs.plain(key.shown.split()[0])
        return shown, key.label, key.action
