"""The parts of the play screen, and the screen as they see it: messages, work in threads, the few things they ask."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.options import UnknownLevelError
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import sentence
from dungeon_tui.engine.kernel_cache import Compiling
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.settings import Preferences
from dungeon_tui.ui.background import COMPILING, ResultT, in_background
from dungeon_tui.ui.keys import MOVE_KEYS, Command, Key, KeyScreen, as_bound
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import OneLife, Toggle
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.widgets.dialogs import Answer
from dungeon_tui.ui.widgets.message_log import LogLine, MessageLog
from dungeon_tui.ui.widgets.side_panel import SidePanel, StatusLine

BUSY_MESSAGE_DELAY_S = 0.3
THINKING = "Thinking ..."
ANSWER_COMES = " Your answer comes next."
_WIDE_COLUMNS = 100  # of a terminal that has room for the panel beside any map
COLUMNS_BESIDE = 30  # of panel and log beside the map of a narrow terminal
_VERY_WIDE_COLUMNS, _COLUMNS_ASIDE = 150, 36  # of a terminal with room for a dialog beside any map, and of the dialog
_MENU_HIDDEN_S = 0.2  # between two levels; most open sooner


class Stage(KeyScreen[Opening | None]):
    """Holds the game and its widgets, logs messages, and runs functions in threads."""

    rows = 0  # height of the map
    is_beside = False  # panel and log share the column beside the map
    is_hovering = False  # the description of a cell is shown
    play: Callable[..., None]  # plays a person's action and lets the others answer; logs the reason if it is illegal
    end_choosing: Callable[[], None]  # stops choosing a cell, and hides the way there
    share_lines: Callable[[], None]  # divides the height among the widgets

    def __init__(self, view: GameView, session: Session, journal: Journal | None, preferences: Preferences) -> None:
        super().__init__()
        self.view, self.glyphs = view, view.glyphs
        self.session, self.controller = session, session.controller
        self.journal, self.preferences = journal, preferences
        self.visit = 0  # incremented by every key; older work in progress then stops
        self.map = MapView(frame=self.glyphs.frame, ways=self.glyphs.pointers, id="map")
        self.panel = SidePanel(has_large_numbers=not self.glyphs.is_ascii, id="panel")
        self.status = StatusLine(self.glyphs, id="status")
        self.messages = MessageLog(id="log")
        self._life = view.feature(OneLife)
        self.is_agreed = self._is_helped = False  # to see solutions in this game
        self._asked: tuple[str, Any] | None = None  # the key that asked last, and at which turn

    # -- what the screen does for its parts

    def refresh_turn(self) -> None:
        """Draws the current turn: map, facts and keys."""

    def refresh_facts(self) -> None:
        """Redraws the facts and leaves the map where you scrolled it."""

    def forget_advice(self) -> None:
        """Drops layers, hints and judgements: they are of other players, or drawn elsewhere."""

    def hover(self, cell: Cell | None) -> None:
        """Shows the description of a cell in the panel or status line, with its overlay number; None clears it."""

    # -- the game and the terminal

    @property
    def is_narrow(self) -> bool:
        """True if the side panel does not fit beside every map."""
        return self.app.size.width < _WIDE_COLUMNS

    @property
    def has_panel(self) -> bool:
        return self.is_beside or not self.is_narrow

    @property
    def is_final(self) -> bool:
        """True if this game allows no undo."""
        life = self._life
        return life is not None and not self.session.is_replay and life.applies(self.session.state)

    def would_lose(self, action: Any) -> bool:
        """True if an action is legal, ends the game and doesn't win it."""
        state, rules = self.session.state, self.controller.rules
        if rules.objection(state, action) is not None:
            return False
        after, _ = rules.step(state, action)
        return (end := rules.outcome(after)) is not None and not self.view.is_won(after, end, self.session.persons)

    @property
    def is_animated(self) -> bool:
        return self.app.animation_level != "none"

    def columns_aside(self) -> int:
        """Columns beside the map that a dialog may cover; 0 if they are too few."""
        return COLUMNS_BESIDE if self.is_beside else _COLUMNS_ASIDE if self.app.size.width >= _VERY_WIDE_COLUMNS else 0

    def rows_to_keep_visible(self) -> range:
        """Screen rows around the player, which a dialog should leave visible."""
        return self.map.lines_around(self.view.focus_cell(self.session.state))

    def begin_again(self) -> bool:
        """Opens the level as another game with the same players; False if only this screen has the level."""
        session = self.session
        if session.is_replay or not session.arguments:
            return False
        try:
            opening = self.view.game.levels().named(session.arguments)
        except UnknownLevelError:  # of an imported game
            return False
        self.open_instead(replace(opening, players=session.players))
        return True

    def open_instead(self, opening: Opening) -> None:
        """Opens another level, without a glance at the menu."""
        self.app.delay_update(_MENU_HIDDEN_S)
        self.dismiss(opening)

    def mark_helped(self, by: str) -> None:
        """Records that the player saw part of a solution, `by` "a hint"; the result will say so."""
        self._is_helped = True
        if self.journal is not None:
            self.journal.mark_helped(by)

    def asks_first(self, key: Key, *, gives_solution: bool = True) -> bool:
        """True, with a warning, if the player is to press a key again before it shows a solution, or counts as help."""
        session, asked = self.session, (key.id, self.session.turn)
        is_again = self._asked == asked
        last = session.line.turns[-1] if session.variation is None else session.last
        is_over = session.controller.rules.outcome(last.state) is not None
        is_unused = key.id in self.view.unused_keys(session.state)  # there is nothing to show
        is_told = self._is_helped and (self.is_agreed or not gives_solution)
        if session.is_replay or not session.has_person or is_over or is_unused or is_told:
            return False
        self.is_agreed = is_again and gives_solution
        self._asked = None if is_again else asked
        if not is_again:
            what = "gives the solution away, and counts" if gives_solution else "counts"
            self.say(f"This {what} as help: {{{key.id}}} again shows it.", transient=True)
        return not is_again

    def withdraw(self) -> bool:
        """True if a key has asked the player at this turn: its next press asks again."""
        asked, self._asked = self._asked, None
        return asked is not None and asked[1] is self.session.turn

    def answer(self, name: str, label: str) -> Answer:
        """A dialog's answer that stands for a command, by its keys; by the default ones if those would move."""
        key = next(key for key in self.keys if key.id == name)
        (bound,) = as_bound(self, [key])
        would_move = not {*bound.names}.isdisjoint(",".join(MOVE_KEYS.values()).split(","))
        return Answer(key.keys if would_move else bound.keys, label, name)

    # -- messages

    def say(self, text: str, meaning: Meaning = Meaning.NOTE, *, transient: bool = False) -> None:
        """Logs a message of the program (not the game); a transient one disappears with the next message or turn."""
        self.say_line(LogLine(text, meaning, is_transient=transient, is_aside=True))

    def say_line(self, line: LogLine, instead_of: str = "") -> None:
        """Logs a line in full, replacing the last message if that reads `instead_of`."""
        self.messages.say(replace(line, text=self.spell(line.text)), self.spell(instead_of) if instead_of else "")
        self.share_lines()

    def say_goal(self, goal: str, instead_of: str = "") -> None:
        """Logs a goal, unless the panel or the status line shows it."""
        if not self.has_panel and goal.removesuffix(".") not in self.status.line(self.view.facts(self.session.turn)):
            self.say_line(LogLine(goal, Meaning.WAY_OUT, is_aside=True), instead_of)

    def say_error(self, error: ValueError) -> None:
        self.say(sentence(str(error)), Meaning.FOE)

    def say_illegal(self, error: IllegalActionError) -> None:
        """Logs the reason an action is illegal and dims earlier messages."""
        self.messages.new_turn(is_played=False)
        self.say(sentence(str(error)), transient=True)
        if self.preferences.settings.bell:
            self.app.bell()

    # -- work in threads

    def load_kernels(self) -> None:
        """Begins to load the game's kernels; `in_thread` waits for them."""
        self._kernels = asyncio.ensure_future(in_background(self.view.load_kernels, self.session.state))

    async def in_thread(self, function: Callable[..., ResultT], *arguments: object) -> ResultT | None:
        """Runs the function in a thread; logs a ValueError and returns None."""
        try:
            with self.busy_message():
                await asyncio.shield(self._kernels)
                return await in_background(function, *arguments)
        except ValueError as error:
            self.say_error(error)
            return None

    async def thought(self, function: Callable[..., ResultT], *arguments: object) -> ResultT | None:
        """As `in_thread`, with a message if it takes long."""
        with self.busy_message(THINKING):
            return await self.in_thread(function, *arguments)

    @contextmanager
    def busy_message(self, usual: str = "") -> Iterator[None]:
        """Shows `usual`, or that kernels are compiling, if the block takes longer than a moment."""
        shown = ""

        def tell() -> None:
            nonlocal shown
            text = f"{COMPILING}{ANSWER_COMES * bool(usual)}" if Compiling.depth else usual
            if text and text != shown:
                shown = text
                if not "".join(self.messages.texts[-1:]).startswith(text):  # two blocks may wait for the same thing
                    self.say(text, transient=True)

        timer = self.set_interval(BUSY_MESSAGE_DELAY_S, tell)
        try:
            yield
        finally:
            timer.stop()
            if shown:
                self.messages.end_transient(shown)


@dataclass(slots=True)
class Scene:
    """One turn as it will be drawn. The parts add to it in order."""

    turn: Turn[Any, Any]
    focus: Cell  # the map scrolls to keep it visible
    columns: int  # least width of a cell
    is_analysed: bool = False  # the analysis marks the cells of moves
    layers: list[Layer] = field(default_factory=list)  # the last is drawn on top
    notes: list[str] = field(default_factory=list)  # shown in the panel below the facts
    alerts: list[str] = field(default_factory=list)  # short warnings


class Part:
    """One concern of the play screen. Decisions about the game belong to the session and the view."""

    is_on = False  # True while `show` has something to draw

    def __init__(self, stage: Stage) -> None:
        self._stage, self._session, self._view, self._say = stage, stage.session, stage.view, stage.say

    def _start(self, work: Any, *arguments: Any, group: str, exclusive: bool = False) -> None:
        """Runs an async function as a worker.

        The worker makes the coroutine when it begins: none stays unawaited if the screen closes before.
        """
        self._stage.run_worker(partial(work, *arguments), group=group, exclusive=exclusive)

    def commands(self) -> Sequence[Command]:
        """The part's keys with the functions they call; none by default."""
        return ()

    def toggles(self) -> Mapping[str, Toggle]:
        """The part's values that carry over to the next game, by key id; none by default."""
        return {}

    def show(self, scene: Scene) -> None:
        """Adds layers, notes and alerts to the scene. Called only while `is_on`."""

    def hide(self) -> None:
        """Ends what `show` draws."""
        self.is_on = False

    def close(self) -> bool:
        """Closes what is open, as Esc does; False if nothing is."""
        if is_open := self.is_on:
            self.hide()
            self._stage.refresh_turn()
        return is_open
