"""The app: the menu, and the play screens that it opens. The heavy parts load behind the first frame."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from operator import itemgetter
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

from rich.cells import cell_len
from rich.segment import Segment
from textual import events, work
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding
from textual.color import Color
from textual.command import CommandPalette
from textual.driver import Driver
from textual.filter import LineFilter
from textual.screen import ModalScreen, Screen
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.widgets import Static

from dungeon_tui.core.catalogue import Game, Opening, find_games
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import sentence
from dungeon_tui.engine.kernel_cache import Compiling
from dungeon_tui.storage.library import LazyLibrary
from dungeon_tui.storage.settings import Preferences
from dungeon_tui.ui import loading
from dungeon_tui.ui.app_settings import AppSettings
from dungeon_tui.ui.background import COMPILING, in_background
from dungeon_tui.ui.glyphs import UNICODE, Look
from dungeon_tui.ui.keys import QUIT
from dungeon_tui.ui.palette import DARK, LIGHT, themes
from dungeon_tui.ui.widgets.dialogs import ChoiceDialog

if TYPE_CHECKING:
    from dungeon_tui.ui.menu.home import HomeScreen
    from dungeon_tui.ui.menu.sources import Sources
    from dungeon_tui.ui.play.screen import PlayScreen

WARM_UP_DELAY_S = 0.8  # after the first frame
WAITING_SCREEN_DELAY_S = 0.3  # most levels open sooner
_TEXT = itemgetter(0)  # of a segment


class WaitingScreen(ModalScreen[None]):
    """Shown while a level is read; for the first moment it looks like the screen below."""

    BINDINGS = [Binding("q,escape", "app.stop_waiting", show=False, id="waiting.leave")]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._heading = printable(title)

    def compose(self) -> ComposeResult:
        yield Static(f"Opening {self._heading} ...", markup=False)

    def on_mount(self) -> None:
        self.set_interval(WAITING_SCREEN_DELAY_S, self._explain)

    def on_screen_suspend(self) -> None:
        self.remove_class("-shown")  # below a question

    def on_screen_resume(self) -> None:
        self.set_timer(WAITING_SCREEN_DELAY_S, lambda: self.set_class(self.is_current, "-shown"))

    def _explain(self) -> None:
        why = f"{COMPILING} " if Compiling.depth else ""
        text, line = f"Opening {self._heading} ...\n\n{why}q leaves.", self.query_one(Static)
        if line.content != text:
            line.update(text)


class PrintableFilter(LineFilter):
    """Replaces characters that can't be shown by U+FFFD: in names for which `printable` was forgotten."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if "".join(map(_TEXT, segments)).isprintable():
            return segments
        return [Segment(_visible(text), style, control) for text, style, control in segments]


def _visible(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" * cell_len(sign) for sign in text)


class SolidBar(ScrollBarRender):
    """Draws a scrollbar's thumb by colour alone, for ASCII terminals."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


ScrollBar.renderer = SolidBar


@runtime_checkable
class ListsLevels(Protocol):
    """A screen of the menu, to which you return from a level."""

    def mark(self, game: Game, arguments: str) -> None: ...  # highlights the level that these arguments open

    def refuse(self, opening: Opening, trouble: str) -> object: ...  # says why an opening can't be played

    def draw_with(self, look: Look) -> None: ...


@runtime_checkable
class HoldsWork(Protocol):
    """A screen with work that would be lost."""

    saved: str | None  # the file written last

    async def may_leave(self) -> bool: ...  # asks if anything is unsaved


class DungeonApp(App[str]):
    """Returns a message if something could not be opened."""

    TITLE = "dungeon_tui"
    CSS_PATH = "dungeon_tui.tcss"
    ENABLE_COMMAND_PALETTE = True
    ALLOW_SELECT = False  # Textual's selection fails on widgets that are being removed; and Ctrl-C leaves, not copies
    BINDINGS: ClassVar[list[Any]] = [replace(QUIT.binding(), priority=True)]

    def __init__(
        self,
        game: Game | None = None,
        opening: Opening | None = None,
        *,
        day: date | None = None,
        ascii_only: bool = False,
        warms_up: bool = False,
        asks: bool = False,
        preferences: Preferences | None = None,
    ) -> None:
        super().__init__()
        self._filters.append(PrintableFilter())
        self._game, self._opening, self._day = game, opening, day
        self._warms_up = warms_up
        self._asks = asks  # asks whether to continue a game of the opening's level
        self._leaving = Event()
        self.library = LazyLibrary()
        self._reported = ""  # the last reported trouble of the library
        self._games: tuple[Game, ...] = ()  # in the menu
        self._menu: HomeScreen | None = None
        self._sources: Sources | None = None
        self._shelf: Screen[None] | None = None  # all games
        self.played: PlayScreen | None = None  # the last game
        self.is_opening = False  # a level, which nobody sees yet
        self.saved: str | None = None  # the file that a level was saved to
        self.crash: Exception | None = None  # the error that ended the app
        self._is_quitting = False  # a screen asks whether it may be left
        self.glyphs = UNICODE
        self.preferences = preferences or Preferences()
        self._settings = AppSettings(self, self.preferences, ascii_only=ascii_only, changed=self._settings_changed)
        self._settings.begin()

    # -- settings

    def watch_theme(self, name: str) -> None:
        self._settings.keep_theme(name)

    def action_settings(self) -> None:
        if not any(screen.id == "settings" for screen in self.screen_stack):
            self.push_screen(self._settings.screen())

    def _settings_changed(self) -> None:
        self.set_class(self.glyphs.is_ascii, "-ascii")
        for screen in self.screen_stack:
            if isinstance(screen, ListsLevels):
                screen.draw_with(self._settings.look)

    # -- Textual's side

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Lists settings and themes if the screen has no key for them. Textual's own commands are found by name."""
        has_key = any(active.binding.action == "app.settings" for active in screen.active_bindings.values())
        if not has_key:
            yield SystemCommand("Settings", "Colours, characters, keys, and more", self.action_settings)
        for each in super().get_system_commands(screen):
            yield each._replace(discover=each.title == "Theme" and not has_key)
        for name in (theme.name for theme in themes()):
            yield SystemCommand(f"Theme: {name}", "use it", partial(setattr, self, "theme", name), discover=False)

    def get_driver_class(self) -> type[Driver]:
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":
            return found
        from dungeon_tui.ui.terminal import TerminalDriver  # Windows lacks what it imports

        return TerminalDriver

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DARK if self.current_theme.dark else LIGHT

    async def run_action(self, action: Any, *arguments: Any, **options: Any) -> bool:
        """Runs an action; True if there is one. Ignores page keys in empty lists, on which Textual fails."""
        try:
            return await super().run_action(action, *arguments, **options)
        except KeyError:
            if "page_" not in str(action):
                raise
            return True

    def action_command_palette(self) -> None:
        if not (self.is_opening or isinstance(self.screen, CommandPalette)):  # a level would cover it
            self.push_screen(CommandPalette(placeholder="Search for commands ..."))

    def on_mount(self) -> None:
        self.set_class(self.glyphs.is_ascii, "-ascii")
        self._settings.bind_keys()
        self._settings.report()
        if self._game is not None and self._opening is not None:
            self._choose(self._game, self._opening, asks=self._asks)
        else:
            self._open_menu()
            if self._game is not None or self._day is not None:
                self._list_levels(self._game or self._day)
        if self._warms_up:
            self.set_timer(WARM_UP_DELAY_S, self._warm_up)

    def on_unmount(self) -> None:
        self._leaving.set()

    # -- quitting

    async def action_quit(self) -> None:
        if self._is_quitting:
            self.exit()
        else:
            self._quit()

    @work
    async def _quit(self) -> None:
        """Leaves the app, unless you decide to stay on the screen with unsaved work."""
        self._is_quitting = True
        holder = next((screen for screen in self.screen_stack if isinstance(screen, HoldsWork)), None)
        is_asking = isinstance(self.screen, ChoiceDialog) and self.screen.is_leaving  # it need not ask again
        try:
            if holder is not None and not is_asking and not await holder.may_leave():
                return
        finally:
            self._is_quitting = False
        self.saved = None if holder is None else holder.saved
        self.exit()

    def end(self, return_code: int) -> None:
        """Ends the app without asking, with an exit status; may be called by a signal's handler."""
        if self._loop is None:
            sys.exit(return_code)
        self._loop.call_soon_threadsafe(partial(self.exit, return_code=return_code))

    def _handle_exception(self, error: Exception) -> None:
        # Textual prints pages of code here. `cli/app.py` reports the error in a few lines, and saves the game.
        if self.is_headless:
            super()._handle_exception(error)
        elif self.crash is None and not self._exit:  # screens that are left while they open find nothing any more
            self.crash, self._return_code = error, 1
            self._close_messages_no_wait()

    # -- the menu

    def _open_menu(self) -> None:
        from dungeon_tui.ui.menu.home import HomeScreen
        from dungeon_tui.ui.menu.sources import Sources

        self._games = find_games()
        self._sources = Sources(self._games, self.library, self._choose, self._report_trouble)
        self._menu = HomeScreen(self._games, self._sources, self._list_levels, self._settings.look)
        self.push_screen(self._menu)

    def _list_levels(self, what: Game | date | None) -> None:
        from dungeon_tui.ui.menu.levels import LevelsScreen

        assert self._sources is not None
        day = None if isinstance(what, Game) else what
        title = what.title if isinstance(what, Game) else f"Daily {day}" if day else "All levels"
        games = [what] if isinstance(what, Game) else self._games
        self.push_screen(LevelsScreen(title, games, self._sources, self._settings.look, day))

    def action_games(self) -> None:
        from dungeon_tui.ui.menu.games import GamesScreen

        self._shelf = GamesScreen(self._games, self._choose, self.library, self._settings.look)
        self.push_screen(self._shelf)

    @work(group="warm-up")
    async def _warm_up(self) -> None:
        def show(text: str) -> None:
            if self._menu is not None and self._menu.is_mounted:
                self._menu.show_progress(text)

        def report(text: str) -> None:
            with suppress(RuntimeError):  # the app has gone meanwhile
                self.call_later(show, text)

        await loading.warm_up("" if self._game is None else self._game.title, self._leaving, report)

    def _report_trouble(self) -> None:
        if self.library.trouble != self._reported:
            self._reported = self.library.trouble
            self.notify(sentence(self._reported), severity="error", markup=False)

    # -- opening a level, and coming back

    def _choose(self, game: Game, opening: Opening, asks: bool = False) -> None:
        self.is_opening = True
        waiting = WaitingScreen(opening.title)
        self.push_screen(waiting)
        self.call_after_refresh(self._open, game, opening, waiting, asks)

    @work(exclusive=True, group="opening")
    async def _open(self, game: Game, opening: Opening, waiting: WaitingScreen, asks: bool) -> None:
        """Reads the level in a thread, then shows its screen; if it can't be read, the menu or the shell says why."""
        if asks:
            from dungeon_tui.ui.menu.sources import Sources

            sources = Sources([game], self.library, self._choose, self._report_trouble)
            chosen = await sources.continued(self, game, opening)
            if chosen is None:
                self._go_back()
                return
            opening = chosen
        try:
            make_screen = await in_background(self._screen_maker, game, opening)
        except ValueError as error:
            if self._menu is None:
                self.exit(str(error), return_code=1)
            else:
                self._go_back()
                (self.screen if isinstance(self.screen, ListsLevels) else self._menu).refuse(opening, str(error))
            return
        screen = make_screen()
        self.played = None if opening.screen else cast("PlayScreen", screen)
        await self.push_screen(screen, partial(self._leave, screen))
        self.is_opening = False
        self._screen_stack.remove(waiting)  # Textual removes the topmost screen only
        await waiting.remove()
        self._report_trouble()

    def _screen_maker(self, game: Game, opening: Opening) -> Callable[[], Screen[Any]]:
        from dungeon_tui.ui.play.opening import screen_maker  # loads numpy

        return screen_maker(game, opening, self.glyphs, self.library, self.preferences)

    async def on_event(self, event: events.Event) -> None:
        """Handles an event. Drops keys while a level opens: nobody would see what they do."""
        is_early = isinstance(event, events.Key) and self.is_opening and event.key not in QUIT.names
        if not is_early or self.screen.is_modal:
            await super().on_event(event)

    def action_stop_waiting(self) -> None:
        self.workers.cancel_group(self, "opening")
        self._go_back()

    def _go_back(self) -> None:
        self.is_opening = False
        if self._menu is None:
            self.exit()
        elif self._menu in self.screen_stack:
            self._close_games()

    def _close_games(self) -> None:
        """Closes all screens above the menu's, or all but the first if there is no menu."""
        while (
            len(self.screen_stack) > 1 and self.screen is not self._shelf and not isinstance(self.screen, ListsLevels)
        ):
            self.pop_screen()

    def _leave(self, screen: Any, result: str | Opening | None) -> None:
        if isinstance(result, Opening):
            self._close_games()
            if isinstance(self.screen, ListsLevels):
                self.screen.mark(screen.view.game, result.arguments)
            self._choose(screen.view.game, result, asks=result.arguments != screen.session.arguments)
            return
        self.saved = result
        self._go_back()
        if result is not None:
            self.notify(result, title="Saved", markup=False)
