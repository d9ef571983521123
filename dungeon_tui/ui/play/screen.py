"""The play screen of every game: turns keys into actions and turns into rows, facts and messages."""

from collections.abc import Coroutine, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.containers import Horizontal, Vertical

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import Change, ChangeKind, Turn
from dungeon_tui.core.words import sentence
from dungeon_tui.storage.journal import Aids, Journal
from dungeon_tui.storage.settings import Preferences
from dungeon_tui.ui.keys import GAME, MOVES, Command, Key, KeyCommands, as_bound, in_order
from dungeon_tui.ui.map.minimap import MiniMap
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.analysis import Analysis, AnalysisBoard
from dungeon_tui.ui.play.ending import STARS, Ending, stars_ask
from dungeon_tui.ui.play.fate import Fate
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.ghost import Ghost
from dungeon_tui.ui.play.hints import Hinting
from dungeon_tui.ui.play.layers import Layers
from dungeon_tui.ui.play.layout import Footer, Zoom, fits_beside, share_lines, space_for_map
from dungeon_tui.ui.play.learn import NOT_IN_A_LESSON, Learn
from dungeon_tui.ui.play.line_view import LineView, Story
from dungeon_tui.ui.play.motion import Motion
from dungeon_tui.ui.play.moves import DIAGONAL_KEYS, NO_DIAGONALS, Moves
from dungeon_tui.ui.play.overlay import Distances, pace_in
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.remembered import Remembered
from dungeon_tui.ui.play.replay import Replay
from dungeon_tui.ui.play.saving import Saving
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.play.travel import CHOOSING, PLAN, Signpost, Travel
from dungeon_tui.ui.widgets.dialogs import Answer, ChoiceDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.timeline import Timeline

_PALETTE = Key("palette", "ctrl+p", "Commands", "find a command by its name", GAME, bound_to="app.command_palette")
_SETTINGS = Key("settings", "comma", "Settings", "colours, keys and more", GAME, bound_to="app.settings")
_PAUSE = Key("pause", "escape", "Pause", "close the topmost thing, or pause", GAME)


class PlayCommands(KeyCommands):
    """Offers the keys that do something in this game."""

    def is_offered(self, key: Key) -> bool:
        unused = self.screen.unused_keys if isinstance(self.screen, PlayScreen) else ()
        return super().is_offered(key) and key.id not in unused


class PlayScreen(Stage):
    """Plays a game by keys and mouse."""

    COMMANDS = {PlayCommands}
    BINDINGS = [replace(key.binding(), priority=key.id != "choose.confirm") for key in (*CHOOSING, PLAN)]

    def __init__(
        self, view: GameView, session: Session, journal: Journal | None = None, preferences: Preferences | None = None
    ) -> None:
        """Builds the parts. Without a journal nothing is saved; without preferences the defaults hold."""
        super().__init__(view, session, journal, preferences or Preferences())
        feature = view.feature

        self._board, self._below = Horizontal(id="board"), Vertical(id="below")
        self.minimap = None if self.glyphs.is_ascii else MiniMap(self.map)  # half blocks

        # The parts; each gets the parts it depends on.
        self.seats = Seats(self, feature(features.Strategies))
        self.distances = Distances(self, feature(features.Numbers))
        self.toggles = Layers(self, view.all_features(features.ToggledLayer))
        self.hints = None if (hints := feature(features.Hints)) is None else Hinting(self, hints, self.distances)
        self.replay = Replay(self, self.seats, self.distances)
        analysis = feature(Analysis)  # type: ignore[type-abstract]
        self.board = (
            None
            if analysis is None
            else AnalysisBoard(self, analysis, self.seats, self.replay, self.distances, self.hints)
        )
        self.fate = None if (fate := feature(features.Fate)) is None else Fate(self, fate, self.replay, self.board)
        self.learn = None if self.board is None else Learn(self, self.board, self.hints, self.seats, self.replay)
        self.ending = Ending(self, self.replay, self.board, self.learn, self.fate)
        self.line_view = LineView(self, self.seats, self.replay, self.board, self.learn)
        self.share_lines = partial(share_lines, self, self._board, self._below, self.line_view)
        self._footer = Footer(self, self.line_view, self.fate)
        self.travel = Travel(self, feature(features.Journeys), self.seats, self._footer)
        self.signpost = Signpost(self, feature(features.Leads), self.travel)
        self.moves = Moves(self, self.travel, self.seats, self.learn, self.signpost)
        self.play, self.end_choosing = self.moves.play, self.signpost.hide
        self._saving, self._zoom = Saving(self), Zoom(self)
        self._story = Story(self, self.replay, self.line_view)
        self.motion, self.ghost = Motion(self, feature(features.Motions)), Ghost(self)

        # These draw above distances, layers and warnings, in this order.
        shown = (self.replay, self.board, self.hints, self.learn, self.fate, self.ending, self._saving, self.travel)
        upper = (self.ghost, self.signpost, *shown, self.line_view, self.seats, self.motion, self._zoom)
        self._upper: list[Part] = [part for part in upper if part is not None]
        parts = (self.distances, self.toggles, *self._upper)
        self._remembered = Remembered(self.preferences, view, parts)
        self._commands = {command.key.id: command for command in self._in_order(parts)}
        self.keys = tuple(command.key for command in self._commands.values())

        # Textual binds keys per class; a game's keys belong to this instance.
        self._bindings.key_to_bindings |= BindingsMap(key.binding() for key in self.keys).key_to_bindings
        self._bound = self._others = frozenset(self._bindings.key_to_bindings)  # `_others`: keys that run no command
        self._others -= {name for key in self.keys for name in key.names}

    def _in_order(self, parts: Sequence[Part]) -> list[Command]:
        return in_order(
            [
                *self.moves.commands(),
                *(command for part in parts for command in part.commands()),
                Command(Key("help", "question_mark", "Help", "this page", GAME, 1), self._help),
                Command(_SETTINGS, partial(self.run_action, _SETTINGS.action)),
                Command(_PALETTE, lambda: self.app.action_command_palette()),
                Command(Key("leave", "q", "Leave", "leave the game", GAME, 2), self._leave_or_drop),
                Command(_PAUSE, self._close_or_pause),
            ],
            self.view.key_words,
        )

    # -- the widgets

    def compose(self) -> ComposeResult:
        with self._board:
            yield self.map
            with Vertical(id="side"):
                yield self.panel
                if self.minimap is not None:
                    yield self.minimap
        with self._below:
            yield self.status
            yield self.line_view.widget
            yield self.messages
        yield self._footer

    def on_mount(self) -> None:
        self.load_kernels()
        self.view.space = space_for_map(self)
        self.is_beside = fits_beside(self, self.view.picture(self.session.state))
        self._zoom.draw_as_set()
        self._story.begin()
        self._saving.begin()
        self.toggles.begin()
        for fault in self._remembered.recall():
            self.say_line(LogLine(sentence(fault), Meaning.DOOR))
        self._note_keys()
        self.refresh_turn()
        self.controller.observe(self._on_change)
        self.seats.open()
        self.call_after_refresh(self._zoom.zoom_as_set)
        self.call_after_refresh(self._begin)

    def on_screen_resume(self) -> None:
        if not self.travel.is_on:
            self._footer.show_usual()

    on_screen_suspend = on_screen_resume

    def settings_changed(self) -> None:
        if not self.is_mounted:
            return
        self.seats.pace = pace_in(self.preferences.settings)
        if self.fate is not None:
            self.fate.watch()
        self._note_keys()
        self._zoom.draw_as_set()
        self._zoom.zoom_as_set()
        self.refresh_turn()
        if not self.travel.is_on:
            self._footer.show_usual(renamed=True)

    def _note_keys(self) -> None:
        self._bound = self._others | {name for key in as_bound(self, self.keys) for name in key.names}

    def _begin(self) -> None:
        if self.hints is not None:
            self.hints.begin()
        if self.session.is_replay:
            self.replay.begin()
        else:
            self.seats.begin()
            if self.fate is not None:
                self.fate.watch()
            if self.session.has_person:
                self.ending.tell_if_cut_off()

    def on_unmount(self) -> None:
        """Ends the view's work and, unless the app crashed or was killed, the journal."""
        self._kernels.cancel()
        self.view.close()
        if self.journal is not None and not self.app.return_code:
            self.journal.on_trouble = partial(self.app.notify, severity="error", timeout=15, markup=False)
            self.ending.keep()
            self.journal.close()

    def on_resize(self) -> None:
        self.is_beside = fits_beside(self, self.view.picture(self.session.state))
        had_panel = not self.has_class("-narrow")
        self.share_lines()
        if had_panel and self.messages.texts:
            self.say_goal(goal := self.view.facts(self.session.turn).goal, goal)
        if self.view.space != space_for_map(self):
            self.view.space = space_for_map(self)
            if not self.view.columns(self.session.state):  # a drawing to fit the screen, whose cells move
                self.forget_advice()
            self.refresh_turn()

    # -- the scene

    def refresh_turn(self) -> None:
        if self.journal is not None:
            self.journal.keep()  # redo and the players can change without a turn
        self._show_turn()
        self._remembered.note()

    def _show_turn(self) -> None:
        turn = self.session.turn
        state = turn.state
        if self.distances.is_on:
            self.distances.compute()
        self.line_view.update()
        picture = self.view.picture(state)
        self.rows = picture.height
        self.is_beside = fits_beside(self, picture)
        scene = self._scene(turn)
        self._show_facts(scene)
        self.map.show(picture, scene.focus, scene.layers, scene.columns)
        if not self.travel.is_on:
            self._footer.show_usual()

    def refresh_facts(self) -> None:
        self._show_facts(self._scene(self.session.turn))

    def _scene(self, turn: Turn[Any, Any]) -> Scene:
        view, state = self.view, turn.state
        is_analysed = self.board is not None and self.board.is_on and not self.board.is_hidden
        scene = Scene(turn, view.focus_cell(state), view.columns(state), is_analysed)
        if self.distances.is_on:
            self.distances.show(scene)
        if self.toggles.is_on:
            self.toggles.show(scene)
        if (layer := view.warning_layer(state)) is not None:
            scene.layers.append(layer)
        for part in self._upper:
            if part.is_on:
                part.show(scene)
        return scene

    def _show_facts(self, scene: Scene) -> None:
        self.view.used = Aids() if self.journal is None else self.journal.used(self.session.last)
        facts = self.view.facts(scene.turn)
        alerts = tuple(map(self.spell, scene.alerts))
        self.panel.show(facts, alerts, tuple(self.spell(note) for note in scene.notes if note))
        self.status.show(facts, alerts)
        self.messages.goal = self.spell(facts.goal)
        self.share_lines()  # the scene's verdicts may need a graph, its notes more lines

    def hover(self, cell: Cell | None) -> None:
        text, self.is_hovering = "", cell is not None
        if cell is not None:
            text, number = self.view.cell_text(self.travel.ahead, cell), self.distances.cell_text(cell)
            text = self.spell(f"{text}, {number}" if number else text)
        if self.panel.hover(text) | self.status.hover(text):
            self.share_lines()

    # -- turns

    def _on_change(self, change: Change[Any, Any]) -> None:
        session = self.session
        if self.is_hovering and not self.travel.is_on:
            self.hover(None)  # its description may be out of date
        is_played = change.kind in (ChangeKind.APPLIED, ChangeKind.REDONE)
        if self.is_animated:
            self.motion.start(change.after if is_played else None)
        if change.kind is ChangeKind.RESTARTED:  # without help, and with the first hint again
            self.distances.hide_answers()
            self.toggles.hide_answers()
            for part in filter(None, (self.board, self.hints)):
                part.hide()
        if self.hints is not None and change.kind is ChangeKind.APPLIED:
            self.hints.follow(change.after)
        if change.kind is ChangeKind.APPLIED and change.after.begins_level:
            self.distances.hide()  # they belong to the previous level
            if self.board is not None and self.board.is_preparing:  # you asked about that level
                self.board.toggle()
            if self.hints is not None:
                self.hints.begin()
        self.is_beside = fits_beside(self, self.view.picture(session.state))  # a panel shows the goal
        story = self._story.tell(change)
        self._show_turn()
        if self.fate is not None:
            self.fate.watch()
        if is_played and (outcome := session.outcome) is not None:
            self.distances.hide()  # the end has numbers of its own
            if not session.is_looking_back and session.has_person:
                self.ending.tell_end(outcome)
            elif (text := self.view.end_text(session.state, outcome)) not in story:
                self.say(f"The end: {text}")

    # -- commands

    def forget_advice(self) -> None:
        self.toggles.forget()
        if self.hints is not None:
            self.hints.hide()
        if self.board is not None:
            self.board.forget()
        if self.fate is not None:
            self.fate.watch()

    @property
    def unused_keys(self) -> set[str]:
        """Ids of keys that do nothing in this game: help and palette leave them out."""
        finals = ("undo", "redo", "restart") if self.is_final else ()
        return {*self.view.unused_keys(self.session.state), *finals}

    def _help(self) -> None:
        game, unused = self.view.game, self.unused_keys
        par = "at par (if no par is known, without help)" * self.view.has_par
        has_pictures = self.map.cell_size[0] > 1 or not self.view.columns(self.session.state)
        page = HelpScreen(
            game.title,
            f"{self.view.rules_text(self.session.state)}\n\n{STARS.format(*stars_ask(par, self.journal))}",
            self.view.legend(self.session.state),
            as_bound(self, [key for key in self.keys if key.id not in unused]),
            self.glyphs,
            goal=self.view.facts(self.session.turn).goal,
            drawn=self.map.drawn_sprites if self.map.has_sprites and has_pictures else None,
        )
        self.app.push_screen(page)

    def _leave_or_drop(self) -> None:
        in_lesson = self.learn is not None and self.learn.close()
        if not (self.travel.close() or in_lesson or self.seats.leave_variation()):
            self.dismiss()

    def _close_or_pause(self) -> None:
        self.messages.end_transient()
        # The first one that is open closes.
        later = (self._zoom, self.hints, self.signpost, self.seats, self.distances, self.board)
        parts = filter(None, (self.travel, self.learn, *later))
        if self.withdraw() or any(part.close() for part in parts):
            return
        if self.session.has_ended:
            self.ending.show_end()
        else:
            self._pause()

    @work(exclusive=True, group="question")
    async def _pause(self) -> None:
        self.seats.stop()
        answers = [
            *([] if self.is_final else [self.answer("restart", "Restart")]),
            self.answer("settings", "Settings"),
            self.answer("help", "Help"),
            self.answer("leave", "Leave"),
            Answer("space,up,down,left,right,w,a,s,d", "Resume", ""),
        ]
        goal = self.view.facts(self.session.turn).goal
        if name := await self.app.push_screen_wait(ChoiceDialog("Paused", goal, answers)):
            self.action_command(name)

    # -- keys and the mouse

    def action_command(self, name: str) -> None:
        command = self._commands[name]
        self.interrupt(keeps_moves=command.key.section == MOVES)
        if name == "undo" and self.travel.plan_less():
            return
        if self.learn is not None and name in self.learn.refused():
            self.say(NOT_IN_A_LESSON, transient=True)
        elif isinstance(running := command.run(), Coroutine):
            self.run_worker(running, group=name, exclusive=True)

    def interrupt(self, *, keeps_moves: bool = False) -> None:
        """Stops any journey and, unless it `keeps_moves`, drops queued moves; called for every key."""
        self.visit += 1
        self.messages.new_command()
        if not keeps_moves:
            self.seats.forget_waiting()

    def action_confirm(self) -> None:
        self.interrupt()
        if self.travel.is_on:
            self.travel.confirm()
        elif self.learn is not None and self.learn.is_over:
            self.learn.go(1)
        elif first := self.moves.first_question():
            self.moves.ask(first)

    def action_next_landmark(self, steps: int) -> None:
        self.travel.next_landmark(steps)

    def action_plan(self) -> None:
        self.travel.plan()

    def on_key(self, event: events.Key) -> None:
        if not self.is_active:  # the dialog that opened before this key came gets it
            self.app.screen.post_message(copy(event))
            event.stop()
            return
        self.interrupt(keeps_moves=event.key in self._bound)  # the command of that key drops them, if it isn't a move
        is_digit = self.travel.is_on and event.key.isdigit()  # which selects a numbered door before it moves the mark
        if is_digit and self.travel.cells_of(event.key):
            event.stop()
            self.travel.jump_to(event.key)
            return
        if event.key.isdigit() and not self.travel.is_on and (first := self.moves.first_question()):
            event.stop()  # also of the number pad's ways
            self.moves.ask(first, event.key)
            return
        if (event.key in self._bound and not self.travel.is_on) or event.key in self.active_bindings:
            return
        if event.key in DIAGONAL_KEYS and not is_digit:
            self.say(NO_DIAGONALS, transient=True)
        elif event.character is not None and event.is_printable:
            if self.travel.is_on:
                event.stop()  # otherwise the key would also take the stairs
                self.travel.jump_to(event.character)
            else:
                key = "Space" if event.character == " " else f"'{event.character}'"
                self.say(f"{key} does nothing here; {{help}} lists the keys.", transient=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disables special keys while you choose a cell: `<`, `>` and, if there are any, `?` select landmarks then."""
        is_choosing = self.travel.is_on
        if action == "command" and is_choosing:
            is_landmark = parameters[0] == "help" and self.travel.cells_of("?")
            return not (is_landmark or parameters[0] in self.moves.special_ids)
        if action == "confirm":
            is_over = self.learn is not None and self.learn.is_over
            return is_choosing or is_over or self.moves.first_question() is not None
        if action in ("next_landmark", "plan"):
            return is_choosing
        return True

    @on(MapView.CellHovered)
    def _hovered(self, message: MapView.CellHovered) -> None:
        if not self.travel.is_on or self.travel.sketch():
            self.hover(message.cell)

    @on(MapView.Viewed)
    def _viewed(self) -> None:
        if self.minimap is not None and (self.minimap.display or not self.map.shows_all):
            self.minimap.follow()

    @on(MapView.CellClicked)
    def _clicked(self, message: MapView.CellClicked) -> None:
        self.interrupt()
        if self.travel.plan(message.cell):
            return
        self.travel.hide()
        if self.session.is_looking_back:  # a click must not start a new branch by accident
            text = "You are looking back, so clicks don't move. Move with a key, or {travel}, then Enter."
            self.say(text, transient=True)
        elif self.session.outcome is None:
            self.travel.travel_to(message.cell)

    @on(Timeline.Sought)
    def _sought(self, message: Timeline.Sought) -> None:
        self.interrupt()
        self.replay.seek(message.ply)
