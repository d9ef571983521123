"""The screen of every game: keys become actions, turns become rows, facts and messages. It decides nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import Change, ChangeKind, Turn, TurnController
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.engine.kept import Compiling
from dungeon_tui.storage.journal import Journal
from dungeon_tui.ui.background import COMPILING, ResultT, in_background
from dungeon_tui.ui.keys import (
    GAME,
    LOOKING,
    MOVE_KEYS,
    MOVES,
    Command,
    Key,
    KeyCommands,
    as_bound,
    footer_of,
    in_order,
    key_names,
    with_key_names,
)
from dungeon_tui.ui.map.minimap import MiniMap
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.analysis import Analysis, AnalysisBoard
from dungeon_tui.ui.play.ending import Ending
from dungeon_tui.ui.play.fate import Fate
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.ghost import Ghost
from dungeon_tui.ui.play.hints import A_MOMENT, Hints
from dungeon_tui.ui.play.layers import Layers
from dungeon_tui.ui.play.learn import Learn
from dungeon_tui.ui.play.line_view import LineView
from dungeon_tui.ui.play.motion import Motion
from dungeon_tui.ui.play.overlay import Distances
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.remembered import Remembered
from dungeon_tui.ui.play.replay import ONE_LIFE, Replay
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.play.sharing import Sharing
from dungeon_tui.ui.play.travel import Travel
from dungeon_tui.ui.preferences import Preferences
from dungeon_tui.ui.widgets.dialogs import LineDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.key_bar import Entry, KeyBar
from dungeon_tui.ui.widgets.message_log import Line, MessageLog
from dungeon_tui.ui.widgets.side_panel import SidePanel, StatusLine
from dungeon_tui.ui.widgets.timeline import ROOMY, Timeline

TOLD_AGAIN = 3  # turns, where a game goes on
_MOST_LINES = 4  # of messages
_GREETING = 3  # lines, in which the goal stays in sight above a greeting
_COUNT = " (99 times)"  # may follow a message
THINKING = "Thinking ..."
NO_DIAGONALS = "There are no diagonal moves in this game."

STEP_KEYS = {
    "UP": Key("move.up", MOVE_KEYS["up"], "↑ w k 8", "Up", "move up", MOVES),
    "DOWN": Key("move.down", MOVE_KEYS["down"], "↓ s j 2", "Down", "move down", MOVES),
    "LEFT": Key("move.left", MOVE_KEYS["left"], "← a h 4", "Left", "move left", MOVES),
    "RIGHT": Key("move.right", MOVE_KEYS["right"], "→ d l 6", "Right", "move right", MOVES),
}
DIAGONAL_STEP_KEYS = {
    "UP_LEFT": Key("move.up-left", MOVE_KEYS["up-left"], "y 7", "Up left", "move up left", MOVES),
    "UP_RIGHT": Key("move.up-right", MOVE_KEYS["up-right"], "u 9", "Up right", "move up right", MOVES),
    "DOWN_LEFT": Key("move.down-left", MOVE_KEYS["down-left"], "b 1", "Down left", "move down left", MOVES),
    "DOWN_RIGHT": Key("move.down-right", MOVE_KEYS["down-right"], "n 3", "Down right", "move down right", MOVES),
}
DIAGONAL_KEYS = frozenset(name for key in DIAGONAL_STEP_KEYS.values() for name in key.keys.split(","))
STAY_KEY = Key("stay", "e,full_stop,5", "e . 5", "Stay", "stay where you are for a turn", MOVES)
_ZOOMS = (
    (Key("zoom.in", "plus,equals_sign", "+", "Larger", "larger cells", LOOKING), 1),
    (Key("zoom.out", "minus", "-", "Smaller", "smaller cells", LOOKING), -1),
    (Key("zoom.fit", "0", "0", "Fit", "cells as large as the map allows", LOOKING), None),
)
_HELP = Key("help", "question_mark", "?", "Help", "this page", GAME, 1)
_PALETTE = Key(
    "palette", "ctrl+p", "ctrl+p", "Commands", "find a command by its name", GAME, bound_to="app.command_palette"
)
_CHOOSING = (
    Key("choose.confirm", "enter", "Enter", "Take", "while a cell is chosen: take it", MOVES, bound_to="confirm"),
    Key("choose.next", "tab", "Tab", "Next place", "while a cell is chosen: the next place", MOVES,
        bound_to="next_place(1)"),
    Key("choose.previous", "shift+tab", "shift+Tab", "Place before", "while a cell is chosen: the place before", MOVES,
        bound_to="next_place(-1)"),
)  # fmt: skip
_LEAVE = Key("leave", "q,escape", "q", "Leave", "leave the game", GAME, 2)


class _NoRules:
    """Rules of no game, to ask a screen for its keys."""

    def start(self, level: object, seed: int) -> None:
        """The state of a game that nobody plays."""


def keys_of(view: GameView) -> tuple[Key, ...]:
    """The keys of a game's screen, whatever is played; those for choosing a cell too."""
    rules: Any = _NoRules()
    strategies = view.feature(features.Strategies)
    session = Session(TurnController(rules, None), None if strategies is None else strategies.seats)
    return *PlayScreen(view, session).keys, *_CHOOSING


class PlayScreen(Stage):
    """Plays a game by keys and mouse."""

    COMMANDS = {KeyCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    BINDINGS = [replace(key.binding(), priority=key.id != "choose.confirm") for key in _CHOOSING]
    DEFAULT_CSS = """
    PlayScreen { layers: board below; background: $map-back; }
    PlayScreen #board { layer: board; }
    PlayScreen #below { layer: below; dock: bottom; height: auto; }
    PlayScreen #below KeyBar { dock: none; }
    PlayScreen MapView { width: 1fr; height: 1fr; }
    PlayScreen #side { width: auto; height: 1fr; background: $surface; }
    PlayScreen.-narrow #side { display: none; }
    PlayScreen.-wide StatusLine { display: none; }
    """

    def __init__(
        self,
        view: GameView,
        session: Session,
        journal: Journal | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        """Makes the parts of the screen, and the keys of this game.

        Args:
            view: the game's core and capabilities.
            session: the game that is played or replayed.
            journal: keeps the game; None: it is only tried out, or nothing can be kept.
            preferences: the settings to begin with and to note toggles in; None: the defaults, noted nowhere.
        """
        super().__init__()
        self.view = view
        self.session = session
        self.controller = session.controller
        self.glyphs = view.glyphs
        self.journal = journal
        self._preferences = preferences or Preferences()
        self._zoom = ""  # the setting that the map follows
        self.visit = 0  # raised by every key: work that was begun before it gives up
        self.map = MapView(frame=self.glyphs.frame, ways=self.glyphs.pointers, id="map")
        self.minimap = None if self.glyphs.is_ascii else MiniMap(self.map)  # half blocks
        self.panel = SidePanel(has_large_numbers=not self.glyphs.is_ascii, id="panel")
        self.status = StatusLine(self.glyphs, id="status")
        self.messages = MessageLog(id="log")
        self._key_bar = KeyBar((), id="keys")
        self._board = Horizontal(id="board")
        self._rows = 0  # of the map
        self._timeline_lines = 0
        self._is_stretched = False  # the log takes lines from the map
        self._life = view.feature(features.OneLife)
        self._usual_keys: tuple[tuple[str, ...], bool] | None = (
            None  # what the footer depends on; None: other keys are in it
        )
        feature = view.feature
        self._warnings = feature(features.Warnings)
        self._wide_cells = feature(features.WideCells)
        self._asked = view.all_features(features.Asked)
        self._specials = {special.key.id for special in view.all_features(features.Special)}
        # The parts, each handed those it builds on.
        self.seats = Seats(self, feature(features.Strategies))
        self.distances = Distances(self, feature(features.Numbers))
        self.toggles = Layers(self, view.all_features(features.ToggledLayer))
        hints, fate = feature(features.Hints), feature(features.Fate)
        self.hints = None if hints is None else Hints(self, hints, self._preferences)
        self.travel = Travel(self, feature(features.Journeys), self.seats)
        self.replay = Replay(self, self.seats, self.distances)
        analysis = feature(Analysis)  # type: ignore[type-abstract]
        self.board = (
            None if analysis is None else AnalysisBoard(self, analysis, self.seats, self.replay, self.distances)
        )
        self.fate = None if fate is None else Fate(self, fate, self.replay)
        self.learn = None if self.board is None else Learn(self, self.board, self.hints, self.seats)
        self.ending = Ending(self, self.replay, self.board, self.learn, self.fate)
        self.line_view = LineView(self, self.seats, self.replay, self.board, self.learn)
        # Above distances, layers and warnings, in the order in which they draw, and speak up.
        shown = (self.hints, self.replay, self.board, self.learn, self.fate, self.ending, self.travel, self.line_view)
        self.ghost = Ghost(self)
        self.motion = Motion(self, feature(features.Motions))
        upper = (self.ghost, *shown, self.seats, Sharing(self), self.motion)
        self._upper: list[Part] = [part for part in upper if part is not None]
        parts = (self.distances, self.toggles, *self._upper)
        self._remembered = Remembered(self._preferences, view, parts, self.seats)
        self._commands = {command.key.id: command for command in self._all_commands()}
        self.keys = tuple(command.key for command in self._commands.values())
        # Textual binds keys to classes; these are the game's own.
        for name, bindings in BindingsMap(key.binding() for key in self.keys).key_to_bindings.items():
            self._bindings.key_to_bindings[name] = bindings
        self._bound = self._others = frozenset(self._bindings.key_to_bindings)  # names of keys; those of no command
        self._others -= {name for key in self.keys for name in key.keys.split(",")}

    def _all_commands(self) -> list[Command]:
        """The commands of the screen, of its parts and of the game's own, by section."""
        view = self.view
        steps = STEP_KEYS | (DIAGONAL_STEP_KEYS if view.feature(features.Diagonals) is not None else {})
        own = [Command(key, partial(self.move, Direction[name])) for name, key in steps.items()]
        own.append(Command(STAY_KEY, partial(self.move, None)))
        own += [Command(each.key, partial(self.play, each.action)) for each in view.all_features(features.Special)]
        own += [Command(each.key, partial(self.ask, each)) for each in self._asked]
        own += [Command(each.key, partial(self._switch, each)) for each in view.all_features(features.Switch)]
        own += [Command(each.key, partial(self._open_page, each)) for each in view.all_features(features.Page)]
        for part in (self.distances, self.toggles, *self._upper):
            own += part.commands()
        own += [Command(key, partial(self.map.zoom, places)) for key, places in _ZOOMS]
        own += [
            Command(_HELP, self._help),
            Command(_PALETTE, lambda: self.app.action_command_palette()),
            Command(_LEAVE, self._leave_or_drop),
        ]
        words = view.feature(features.KeyWords)
        return in_order(own, {} if words is None else words.words)

    # -- the widgets

    def compose(self) -> ComposeResult:
        """Yields map and panel, then the lines below: status, timeline, messages, keys."""
        with self._board:
            yield self.map
            with Vertical(id="side"):
                yield self.panel
                if self.minimap is not None:
                    yield self.minimap
        with Vertical(id="below"):
            yield self.status
            yield self.line_view.widget
            yield self.messages
            yield self._key_bar

    def on_mount(self) -> None:
        """Shows the present turn, and begins once it is painted."""
        self.set_class(self.is_narrow, "-narrow")  # Textual sets it after the first frame
        self._loading = asyncio.ensure_future(in_background(self.view.load_kernels, self.session.state))
        self.messages.new_turn()
        self.say(self.view.facts(self.controller.first).goal, Meaning.WAY_OUT)
        for line in self.view.greeting(self.controller.level):
            self.tell(line)
        if self.journal is not None:
            self.journal.on_trouble, self.journal.on_behind = self._warn, self._wait_for_library
            if not self.session.is_looking_back:
                self._tell_again()
        if self.session.trouble and not self.session.is_replay:
            self._warn(self.session.trouble)
        for fault in self._remembered.recall():
            self.tell(Line(sentence(fault), Meaning.DOOR))
        self._note_keys()
        self._draw_as_set()
        self.refresh_turn()
        self.controller.observe(self._on_change)
        self.call_after_refresh(self._zoom_as_set)
        self.call_after_refresh(self._begin)

    def settings_changed(self) -> None:
        """Follows the settings: names of keys, zoom, speed, and when a lost game is told of."""
        if not self.is_mounted:
            return
        if self._remembered.follow() and self.fate is not None:
            self.fate.watch()
        self._note_keys()
        self._draw_as_set()
        if self._zoom != self._preferences.settings.zoom:
            self._zoom_as_set()
        self._usual_keys = None
        self.refresh_turn(())

    def _note_keys(self) -> None:
        self._bound = self._others | {name for key in as_bound(self, self.keys) for name in key.keys.split(",")}

    def _draw_as_set(self) -> None:
        is_plain = self.glyphs.is_ascii or self.app.no_color  # half blocks are nothing but colours
        self.map.draw_sprites(self._preferences.settings.sprites and not is_plain)
        self.map.breathe(self.is_animated)

    def _zoom_as_set(self) -> None:
        self._zoom = self._preferences.settings.zoom
        self.map.zoom_to(None if self._zoom == "fit" else int(self._zoom))

    def _begin(self) -> None:
        if self.hints is not None:
            self.hints.begin()
        if self.session.is_replay:
            self.replay.begin()
        elif not self.session.has_person:
            keys = "{play} pauses, {step.back} {step.on} step, {slower} and {faster} change the speed"
            self.mention(f"They play on their own: {keys}, {{players}}: who plays.")
            self.seats.play_on()
        else:
            if self.session.players:
                self.say(f"{self.seats.who()} {{players}}: who plays.")
                self.seats.answer()
            self.ending.tell_if_cut_off()

    def _tell_again(self) -> None:
        """Tells the last turns of a game that goes on."""
        for turn in self.session.turn.line()[1:][-TOLD_AGAIN:]:
            self.messages.new_turn()
            for line in self.view.story(turn):
                self.tell(line)

    def mark_helped(self) -> None:
        """Notes that something was shown that gives the solution away: results tell it."""
        if self.journal is not None:
            self.journal.mark_helped()

    def _warn(self, trouble: str) -> None:
        self.say(trouble, Meaning.FOE)

    def _wait_for_library(self, text: str) -> None:
        self._warn(text)
        self.set_timer(A_MOMENT, self._catch_up)

    def _catch_up(self) -> None:
        assert self.journal is not None
        self.journal.keep()
        if self.journal.is_behind:
            self.set_timer(A_MOMENT, self._catch_up)

    def on_unmount(self) -> None:
        """Ends all that the view has started, and the journal, unless an error or a signal ends the app."""
        self._loading.cancel()
        self.view.close()
        if self.journal is not None and not self.app.return_code:
            self.journal.on_trouble = partial(self.app.notify, severity="error", timeout=15, markup=False)
            self.ending.keep()
            self.journal.close()

    @property
    def is_narrow(self) -> bool:
        """True if there is no room for the panel."""
        return self.app.size.width < 100

    @property
    def is_final(self) -> bool:
        """True if nothing is taken back in this game."""
        life = self._life
        return life is not None and not self.session.is_replay and life.applies(self.session.state)

    @property
    def has_sprites(self) -> bool:
        """True if what stands on large cells is drawn."""
        return self.map.has_sprites

    @property
    def is_animated(self) -> bool:
        """True if moves may be shown one after the other, with pauses."""
        return self.app.animation_level != "none"

    @on(events.Resize)
    def _share_lines(self) -> None:
        """Sets heights: so many lines of messages that the map's size never depends on what is shown below it.

        The timeline takes its lines from the messages, a long message and a long text about a cell as well; those that
        there are too few of lie over the map's last lines.
        """
        height = self.app.size.height
        is_narrow = self.is_narrow
        fixed = 2 if is_narrow else 1  # the status line, the keys
        most = 1 if height < 24 else 7 if height >= ROOMY else 4
        spare = height - fixed - self._rows
        room = most if spare < 1 else min(most, spare)
        shown = self.line_view.lines(height) if self.line_view.is_on else 0
        if shown != self._timeline_lines:
            self._timeline_lines = shown
            self.line_view.widget.set_class(shown > 0, "-shown")
            self.line_view.widget.styles.height = shown
        taken = self.status.wanted_lines() - 1 if is_narrow else 0
        wanted = min(self.messages.wanted_lines(), _MOST_LINES, height // 4)
        left = room - shown - taken
        self._is_stretched, lines = wanted > left, max(left, wanted)
        if is_narrow:
            self.status.styles.height = 1 + taken
            self.status.put_goal_first(self.session.turn.parent is None and not shown and lines < _GREETING)
        self._set_height(self.messages, lines)
        self._set_height(self._board, max(1, height - fixed - room))
        self.map.keep_clear(max(0, shown + taken + lines - room))

    @staticmethod
    def _set_height(widget: Widget, lines: int) -> None:
        if widget.styles.height is None or widget.styles.height.value != lines:
            widget.styles.height = lines

    # -- messages

    def spell(self, text: str) -> str:
        """The text with names of keys for ids in braces, in characters that this terminal can show."""
        if "{" in text:
            text = with_key_names(text, key_names(self, self.keys))
        return self.glyphs.plain(text) if self.glyphs.is_ascii else text

    def say(self, text: str, meaning: Meaning = Meaning.NOTE) -> None:
        """Adds a message to the log: the program's, not the game's."""
        self.tell(Line(text, meaning, is_aside=True))

    def mention(self, text: str) -> None:
        """Adds a passing message, a prompt or a refusal: it is removed with the next message or turn."""
        self.tell(Line(text, is_passing=True, is_aside=True))

    def tell(self, line: Line, instead_of: str = "") -> None:
        """Adds a message, in place of the last one if that says `instead_of`, and makes room for all of it."""
        text = self.spell(line.text)
        self.messages.say(replace(line, text=text), self.spell(instead_of))
        if self._is_stretched or len(text) + len(_COUNT) >= self.size.width:
            self._share_lines()

    def refuse(self, error: IllegalActionError) -> None:
        """Says why a move can't be played; the messages before are dimmed."""
        self.messages.new_turn()
        self.say(sentence(str(error)))
        if self._preferences.settings.bell:
            self.app.bell()

    # -- work in threads

    async def in_thread(self, function: Callable[..., ResultT], *arguments: object) -> ResultT | None:
        """The function's result, computed in a thread; None where it raises ValueError, which the log tells."""
        try:
            with self.told_to_take_long():
                await asyncio.shield(self._loading)
                return await in_background(function, *arguments)
        except ValueError as error:
            self.say(sentence(str(error)), Meaning.FOE)
            return None

    async def thought(self, function: Callable[..., ResultT], *arguments: object) -> ResultT | None:
        """The function's result, computed in a thread, with a message while it takes long; None as for `in_thread`."""
        with self.told_to_take_long(THINKING):
            return await self.in_thread(function, *arguments)

    @contextmanager
    def told_to_take_long(self, usual: str = "") -> Iterator[None]:
        """Says `usual`, or that kernels are compiled, while the block runs, but not in its first moment."""
        said = ""

        def tell() -> None:
            nonlocal said
            text = COMPILING if Compiling.depth else usual
            if text and text != said:
                said = text
                if self.messages.texts[-1:] != [text]:  # where one waits for two things
                    self.mention(text)

        timer = self.set_interval(A_MOMENT, tell)
        try:
            yield
        finally:
            timer.stop()
            if said:
                self.messages.end_passing(said)

    # -- the scene

    def refresh_turn(self, changed_rows: Iterable[int] | None = None) -> None:
        """Shows the present turn: map, facts and keys; `changed_rows`: of the map, to be repainted; None: all."""
        self._show_turn(changed_rows)
        self._remembered.note()

    def _show_turn(self, changed_rows: Iterable[int] | None) -> None:
        session = self.session
        if self.journal is not None:
            self.journal.keep()  # where redo leads, and who plays, may have changed without a turn
        turn = session.turn
        state = turn.state
        if self.distances.is_on:
            self.distances.compute(is_same_map=changed_rows is not None)
        has_verdicts = self.board is not None and self.board.is_on
        is_learning = self.learn is not None and self.learn.is_on and self.learn.lesson is not None
        self.line_view.is_on = has_verdicts or is_learning or session.is_replay or not session.has_person
        picture = self.view.picture(state)
        self._rows = picture.height
        self._share_lines()
        scene = self._scene(turn)
        if (frame := self.motion.before()) is not None and turn.parent is not None:
            before = turn.parent.state
            self.map.show(self.view.picture(before), self.view.focus_cell(before), [frame.layer])
        else:
            self.map.show(picture, scene.focus, scene.layers, changed_rows, scene.columns)
        self._show_facts(scene)
        if not self.travel.is_on:
            self.show_keys(None)

    def refresh_facts(self) -> None:
        """Shows the facts of the present turn anew; the map stays where somebody may have scrolled it."""
        self._show_facts(self._scene(self.session.turn))

    def _scene(self, turn: Turn[Any, Any]) -> Scene:
        columns = 1 if self._wide_cells is None else self._wide_cells.columns(turn.state)
        scene = Scene(turn, self.view.focus_cell(turn.state), columns)
        warnings = self._warnings
        if self.distances.is_on:
            self.distances.show(scene)
        if warnings is not None:
            scene.notes += warnings.remarks(turn.state)
        if self.toggles.is_on:
            self.toggles.show(scene)
        if warnings is not None and (layer := warnings.layer(turn.state)) is not None:
            scene.layers.append(layer)
        for part in self._upper:
            if part.is_on:
                part.show(scene)
        return scene

    def _show_facts(self, scene: Scene) -> None:
        facts = self.view.facts(scene.turn)
        alerts = [self.spell(alert) for alert in scene.alerts] if scene.alerts else []
        notes = [self.spell(note) for note in scene.notes if note]
        self.panel.show(facts, (*map(sentence, alerts), *notes))
        self.status.show(facts, tuple(alerts))

    def spared_lines(self) -> range:
        """The lines of the terminal on and around which the player stands: a dialogue should not cover them."""
        return self.map.lines_around(self.view.focus_cell(self.session.state))

    def hover(self, cell: Cell | None) -> None:
        """Shows the words for a cell beside the map, or in the status line; None: none."""
        text = "" if cell is None else self.spell(self.cell_text(cell))
        if self.panel.hover(text) | self.status.hover(text):
            self._share_lines()

    def cell_text(self, cell: Cell) -> str:
        """A cell in words, with its number in the overlay."""
        text = self.view.cell_text(self.session.state, cell)
        number = self.distances.cell_text(cell)
        return f"{text}, {number}" if number else text

    def show_keys(self, entries: Sequence[Entry] | None) -> None:
        """Shows other keys in the footer; None: the usual ones, with a timeline its own first."""
        if entries is not None:
            self._usual_keys = None
            self._key_bar.show(entries)
            return
        first = self.line_view.first_keys() if self.line_view.is_on else ()
        if (usual := (first, self.is_final)) != self._usual_keys:
            self._usual_keys = usual
            mine = [self._commands[name].key for name in first if name in self._commands]
            keys = mine + [key for key in footer_of(self.keys) if key not in mine]
            if self.is_final:
                keys = [key for key in keys if key.id not in ("undo", "restart")]
            names = key_names(self, self.keys)
            self._key_bar.show([(self.glyphs.plain(names[key.id]), key.label, key.action) for key in keys])

    # -- turns

    def _on_change(self, change: Change[Any, Any]) -> None:
        session = self.session
        if not self.travel.is_on:
            self.hover(None)  # the text of a cell may no longer hold
        self.messages.new_turn()
        told: list[str] = []
        is_played = change.kind in (ChangeKind.APPLIED, ChangeKind.REDONE)
        self.motion.start(change.after if is_played else None)
        if is_played:
            for line in self.view.story(change.after):
                self.tell(line)
                told.append(line.text)
        elif session.is_looking_back:
            if not self.line_view.is_on:
                self.mention(f"{self.replay.place()}.")
        elif change.kind is ChangeKind.UNDONE:
            self.say(f"Undone: {counted(change.after.ply, 'move')} so far.")
        elif change.kind is ChangeKind.RESTARTED:
            self.say("Back at the start of the level.")
        self._show_turn(self.view.changed_rows(change.before.state, change.after.state))
        if self.fate is not None and self.fate.is_watched():
            self.fate.watch()
        if is_played and (outcome := session.outcome) is not None:
            if not session.is_looking_back and session.has_person:
                self.ending.tell_end(outcome)
            elif outcome.reason not in told:
                self.say(f"The end: {outcome.reason}")
        elif is_played and self.ending.may_offer_end:
            self.ending.offer_end()

    # -- commands

    def action_command(self, name: str) -> None:
        """Runs the command of this id; one that waits for something is cancelled when it is run again."""
        self.interrupt()
        deed = self._commands[name].run()
        if isinstance(deed, Coroutine):
            self.run_worker(deed, group=name, exclusive=True)

    def interrupt(self) -> None:
        """Ends journeys, and forgets a move that waits: a key was pressed."""
        self.visit += 1
        self.seats.waiting = None

    def move(self, direction: Direction | None) -> None:
        """Plays a step in a direction, None: stays; while a cell is being chosen, chooses its neighbour.

        Where a question comes before any move, asks that instead.
        """
        if self.travel.is_on:
            if direction is not None:
                self.travel.move_cursor(direction)
        elif self.seats.is_answering:
            self.seats.waiting = partial(self.move, direction)  # one: keys that are held down come early
        elif first := self._first_question():
            self.ask(first)
        else:
            try:
                action = self.view.action_towards(self.session.state, direction)
            except IllegalActionError as error:
                self.refuse(error)
            else:
                self.play(action)

    def end_choosing(self) -> None:
        """Ends the choosing of a cell, if there is any."""
        self.travel.drop()

    def play(self, action: Any) -> None:
        """Plays a person's move, and lets the others answer; a move against the rules is refused in the log."""
        session, seats = self.session, self.seats
        if self.learn is not None and self.learn.is_on and self.learn.lesson is not None:
            self.run_worker(self.learn.attempt(action), group="learn", exclusive=True)
        elif session.outcome is not None:
            self.mention("The game is over: undo, restart or leave." if not self.is_final else ONE_LIFE)
        elif session.is_looking_back and self.is_final:
            self.mention(ONE_LIFE)
        elif (session.is_persons_turn and not seats.is_answering) or seats.take_over(action):
            try:
                session.play(action)
            except IllegalActionError as error:
                self.refuse(error)
                return
            if seats.is_on:
                seats.answer()

    def _first_question(self) -> features.Asked | None:
        """The question that comes before any move, if it has still to be asked."""
        return next((asked for asked in self._asked if asked.comes_first(self.session.state)), None)

    @work(exclusive=True, group="question")
    async def ask(self, asked: features.Asked) -> None:
        """Asks for a number or a text, and plays the action that it stands for; or says why that can't be asked."""
        self.end_choosing()
        state = self.session.state
        question = asked.question(state)
        if isinstance(question, str):
            self.mention(question)
            return
        answer = partial(asked.answer, state)
        typed = await self.app.push_screen_wait(
            LineDialog(question.title, self.spell(question.text), question.placeholder, check=answer)
        )
        if typed is not None and self.session.state is state:
            self.play(answer(typed))

    def action_confirm(self) -> None:
        """Takes the chosen cell; where none is chosen, asks the question that comes before any move, if any does."""
        self.interrupt()
        if self.travel.is_on:
            self.travel.confirm()
        elif first := self._first_question():
            self.ask(first)

    def action_next_place(self, steps: int) -> None:
        """Chooses the next cell of interest on the map; -1: the one before."""
        self.travel.next_place(steps)

    def _switch(self, switch: features.Switch) -> None:
        self.end_choosing()
        self.say(switch.switch(self.session.state))
        self.toggles.forget()
        if self.hints is not None:
            self.hints.forget()
        if self.board is not None:
            self.board.forget()
        if self.fate is not None:
            self.fate.watch()
        self.refresh_turn()

    def _open_page(self, page: features.Page) -> None:
        self.end_choosing()
        self.seats.stop()
        opened = page.open(self.session.state)
        if isinstance(opened, str):
            self.mention(opened)
            return
        if page.is_answer:
            self.mark_helped()
        self.app.push_screen(opened)

    def _help(self) -> None:
        game = self.view.game
        keys = as_bound(self, self.keys)
        page = HelpScreen(
            game.title,
            game.rules_text,
            self.view.legend(),
            keys,
            self.glyphs,
            goal=self.view.facts(self.session.turn).goal,
            drawn=self.map.sprite_names if self.has_sprites else None,
        )
        self.app.push_screen(page)

    def _leave_or_drop(self) -> None:
        """Ends the choosing of a cell or a lesson; else leaves the game."""
        if self.travel.is_on:
            self.end_choosing()
            self.refresh_turn(())
        elif self.learn is not None and self.learn.lesson is not None:
            self.learn.end()
        else:
            self.dismiss()

    # -- keys without a meaning, and the mouse

    def on_key(self, event: events.Key) -> None:
        """Ends a journey, whatever the key; says if it means nothing; while a cell is chosen, goes to a glyph typed."""
        self.interrupt()
        if (event.key in self._bound and not self.travel.is_on) or event.key in self.active_bindings:
            return
        if event.key in DIAGONAL_KEYS and not (self.travel.is_on and event.key.isdigit()):  # a place may be a digit
            self.mention(NO_DIAGONALS)
        elif event.character is not None and event.is_printable:
            if self.travel.is_on:
                event.stop()  # once it is chosen, the key would mean the stairs again
                self.travel.jump_to(event.character)
            else:
                self.mention(f"'{event.character}' does nothing here; {{help}} lists the keys.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """True if an action may run now: while a cell is chosen, not help or special keys, since ? < > are places then.

        Tab only while one is chosen; Enter then, or where a question comes before any move.
        """
        is_choosing = self.travel.is_on
        if action == "command":
            return not is_choosing or not (parameters[0] == "help" or parameters[0] in self._specials)
        if action == "confirm":
            return is_choosing or self._first_question() is not None
        if action == "next_place":
            return is_choosing
        return True

    @on(MapView.CellHovered)
    def _hovered(self, message: MapView.CellHovered) -> None:
        if not self.travel.is_on:
            self.hover(message.cell)

    @on(MapView.Viewed)
    def _viewed(self) -> None:
        if self.minimap is not None:
            self.minimap.follow()

    @on(MapView.CellClicked)
    def _clicked(self, message: MapView.CellClicked) -> None:
        self.interrupt()
        self.end_choosing()
        if self.session.is_looking_back:  # it would begin another line before one knows
            self.mention(
                "You are looking back: a click plays nothing. A key plays on from here; so does {travel}, then Enter."
            )
        elif self.session.outcome is None:
            self.travel.travel_to(message.cell)

    @on(Timeline.Sought)
    def _sought(self, message: Timeline.Sought) -> None:
        self.interrupt()
        self.replay.seek(message.ply)
