"""The app: the menu, and the play screens that it opens. The heavy parts load behind the first frame."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from operator import itemgetter
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

from rich.cells import cell_len
from rich.segment import Segment
from textual import work
from textual.app import App, SystemCommand
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
from dungeon_tui.engine.kept import Compiling
from dungeon_tui.storage.library import LazyLibrary
from dungeon_tui.storage.settings import Settings
from dungeon_tui.ui import late
from dungeon_tui.ui.background import COMPILING, in_background
from dungeon_tui.ui.glyphs import ASCII, UNICODE
from dungeon_tui.ui.keymap import checked, keymap
from dungeon_tui.ui.keys import QUIT
from dungeon_tui.ui.palette import DARK, LIGHT, themes
from dungeon_tui.ui.preferences import FollowsSettings, Preferences
from dungeon_tui.ui.widgets.dialogs import ChoiceDialog

if TYPE_CHECKING:
    from dungeon_tui.storage.shelf import Waiting
    from dungeon_tui.ui.menu.home import HomeScreen
    from dungeon_tui.ui.menu.sources import Look, Sources
    from dungeon_tui.ui.play.screen import PlayScreen

MOST_FAULTS = 3  # of the settings, told at once
CHECK_DELAY = 0.5  # seconds after the first frame
WARM_UP_DELAY = 0.8  # seconds after the first frame
GLIMPSE = 0.3  # seconds
MOST_LEFT = 3  # recordings that are told by name
COMPILING_ALL = "Compiling, this first time only, some 20 seconds: {} of {}, {}"


class WaitingScreen(ModalScreen[None]):
    """The screen while a level is read: at first the one below, which most levels don't outlast."""

    BINDINGS = [Binding("q,escape", "app.stop_waiting", show=False, id="waiting.leave")]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._heading = printable(title)

    def compose(self) -> Any:
        """Yields one line: the title of what is opened."""
        yield Static(f"Opening {self._heading} ...", markup=False)

    def on_mount(self) -> None:
        """Shows itself after a moment, and has the line say, after a while, why it takes so long."""
        self.set_timer(GLIMPSE, lambda: self.add_class("-shown"))
        self.set_interval(GLIMPSE, self._explain)

    def _explain(self) -> None:
        why = f"{COMPILING} " if Compiling.depth else ""
        self.query_one(Static).update(f"Opening {self._heading} ...\n\n{why}q leaves.")


_TEXT = itemgetter(0)  # of a segment


class PrintableFilter(LineFilter):
    """The one door for text to the screen: characters that can't be seen keep their cells, as U+FFFD.

    Names are written out where they come in (core.level.printable); this holds for those that were forgotten.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments, of the same widths, with U+FFFD for characters that can't be seen."""
        if "".join(map(_TEXT, segments)).isprintable():
            return segments
        return [Segment(_visible(text), style, control) for text, style, control in segments]


def _visible(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" * cell_len(sign) for sign in text)


class SolidBar(ScrollBarRender):
    """A scrollbar's thumb of whole cells: colour alone, so that ASCII terminals can draw it as well."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


ScrollBar.renderer = SolidBar


@runtime_checkable
class KeepsWork(Protocol):
    """A screen that may hold work of a person."""

    @property
    def would_lose(self) -> bool:
        """True if leaving now would lose such work."""
        ...

    @property
    def saved(self) -> str | None:
        """The file that it was saved to last; None if to none."""
        ...

    @property
    def told(self) -> str | None:
        """The saved file that people were told of last; None if of none."""
        ...

    async def may_leave(self) -> bool:
        """Asks, where work would be lost, whether to save it or lose it; True if the screen may be left."""
        ...


@runtime_checkable
class ListsLevels(Protocol):
    """A screen of the menu, to which one comes back from a level."""

    def mark(self, game: Game, arguments: str) -> None:
        """Highlights the level that these arguments of `GAME play` open."""

    def refuse(self, opening: Opening, trouble: str) -> object:
        """Says why an opening can't be played."""

    def draw_with(self, look: Look) -> None:
        """Draws in another manner from now on."""


class DungeonApp(App[str]):
    """Returns a message when something could not be opened."""

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
        preferences: Preferences | None = None,
    ) -> None:
        super().__init__()
        self._filters.append(PrintableFilter())
        self._game, self._opening, self._day = game, opening, day
        self._warms_up = warms_up
        self._leaving = Event()
        self.library = LazyLibrary()
        self._told = ""  # of the library's trouble
        self._games: tuple[Game, ...] = ()  # of the menu
        self._menu: HomeScreen | None = None
        self._sources: Sources | None = None
        self._shelf: Screen[None] | None = None  # all games and recordings
        self.played: PlayScreen | None = None  # what was played last
        self.saved: str | None = None  # the file that a level was saved to
        self.crash: Exception | None = None  # what ended the app, if something did that should not have
        self._takes_recordings = False
        self._is_quitting = False  # a screen asks whether it may be left
        self.preferences = preferences or Preferences()
        self._refused: dict[str, str] = {}  # ids of settings' keys that can't be, and why
        self._ascii_only, self._has_unicode = ascii_only, "utf" in (sys.stdout.encoding or "").lower()
        for theme in themes():
            self.register_theme(theme)
        self._set_theme = self.theme = themes()[0].name
        self._is_animated = True  # as far as settings say
        self._faults = list(self.preferences.troubles)  # to be told once there is a screen
        self._faults += self.preferences.faults(self._theme_names(), [game.name for game in find_games()])
        self._follow_settings()
        self.preferences.changed, self.preferences.tell = self._settings_changed, self._tell_of_settings

    # -- settings

    def _follow_settings(self) -> None:
        """Takes over theme, characters and animation."""
        settings = self.preferences.settings
        if settings.theme in self.available_themes:
            self._set_theme = self.theme = settings.theme
        has_unicode = settings.glyphs == "unicode" or self._has_unicode
        self.glyphs = ASCII if self._ascii_only or settings.glyphs == "ascii" or not has_unicode else UNICODE
        if settings.animation != self._is_animated:
            self._is_animated = settings.animation
            self.animation_level = "full" if settings.animation else "none"

    def watch_theme(self, name: str) -> None:
        """Keeps a theme that was chosen, wherever that was."""
        if name != self._set_theme:
            self._set_theme = name
            self.preferences.change({("theme",): name})

    def action_settings(self) -> None:
        """Opens the settings; does nothing where they are open."""
        if not any(screen.id == "settings" for screen in self.screen_stack):
            self.push_screen(late.settings_screen(self.preferences, self._theme_names(), self.glyphs))

    def _theme_names(self) -> list[str]:
        """The names of all themes, our own first."""
        ours = [theme.name for theme in themes()]
        return [*ours, *sorted(self.available_themes.keys() - {*ours})]

    @work(exclusive=True, group="statistics")
    async def action_statistics(self) -> None:
        """Opens the statistics, once they are summed up; where the library can't be read, says why."""
        try:
            make_screen = await in_background(late.statistics_screen, find_games(), self.library, self.glyphs)
        except ValueError as error:
            self.notify(sentence(str(error)), severity="error", markup=False)
            return
        if self.screen is self._menu:
            self.push_screen(make_screen())

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yields Textual's own commands for the palette, and the settings."""
        yield from super().get_system_commands(screen)
        yield SystemCommand("Settings", "Colours, characters, keys, and more", self.action_settings)

    def _settings_changed(self, before: Settings) -> None:
        now = self.preferences.settings
        if replace(before, games=now.games) == now:  # a game has noted its toggles
            return
        self._follow_settings()
        self.set_class(self.glyphs.is_ascii, "-ascii")
        for screen in self.screen_stack:
            if isinstance(screen, ListsLevels):
                screen.draw_with(self._look)
        if (before.moves, before.keys) != (now.moves, now.keys):
            self._bind_keys()
        else:
            self._tell_screens()

    def _bind_keys(self) -> None:
        """Binds keys as settings have them; single ones are checked in a thread, since that loads all games."""
        settings = self.preferences.settings
        bound = {name: keys for name, keys in keymap(settings).items() if name not in self._refused}
        self.set_keymap(bound)
        self._tell_screens()
        if settings.keys:
            self.set_timer(CHECK_DELAY, self._check_keys)

    @work(exclusive=True, group="keys")
    async def _check_keys(self) -> None:
        """Takes back the single keys that can't be, and says why."""
        tables, settings = await in_background(late.key_tables), self.preferences.settings
        bound, refused = checked(settings, tables)
        for name in refused.keys() - self._refused.keys():
            self._faults.append(self.preferences.key_fault(name, refused[name]))
        self._refused = refused
        self.set_keymap(bound)
        self._tell_screens()
        self._tell_faults()

    def _tell_screens(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, FollowsSettings):
                screen.settings_changed()

    def _tell_faults(self) -> None:
        faults, self._faults = self._faults, []
        if faults:
            more = len(faults) - MOST_FAULTS
            rest = [f"{more} more: dungeon-tui doctor lists them"] if more > 0 else []
            self.notify("\n".join([*faults[:MOST_FAULTS], *rest]), title="Settings", severity="warning", timeout=15,
                        markup=False)  # fmt: skip

    def _tell_of_settings(self, text: str) -> None:
        self.notify(text, title="Settings", severity="warning", timeout=15, markup=False)

    def get_driver_class(self) -> type[Driver]:
        """The terminal's driver, hardened where it is POSIX's own."""
        found = super().get_driver_class()
        return late.terminal_driver() if found.__name__ == "LinuxDriver" else found

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The palette's colours by name, dark or light as the theme, for themes that are not ours."""
        return DARK if self.current_theme.dark else LIGHT

    async def action_quit(self) -> None:
        """Leaves the app; where work would be lost, that is asked first. While that is asked: leaves at once."""
        if self._is_quitting:
            self.exit()
        else:
            self._quit()

    async def run_action(self, action: Any, *arguments: Any, **options: Any) -> bool:
        """Runs an action; True if there is one. Page keys do nothing in Textual's lists that have no lines or room."""
        try:
            return await super().run_action(action, *arguments, **options)
        except KeyError:
            if "page_" not in str(action):
                raise
            return True

    def end(self, return_code: int) -> None:
        """Ends the app without asking, with an exit status; may be called by a signal's handler."""
        if self._loop is None:
            sys.exit(return_code)
        self._loop.call_soon_threadsafe(partial(self.exit, return_code=return_code))

    def _handle_exception(self, error: Exception) -> None:
        # Textual prints pages of code here. Whoever ran the app tells of it in a few lines, and saves the game.
        if self.is_headless:
            super()._handle_exception(error)
        elif self.crash is None and not self._exit:  # screens that are left while they open find nothing any more
            self.crash, self._return_code = error, 1
            self._close_messages_no_wait()

    @work
    async def _quit(self) -> None:
        """Leaves the app, unless a screen that would lose work may not be left; the upper ones are asked first.

        One whose dialogue asks that already is not asked again.
        """
        self._is_quitting = True
        screens = list(reversed(self.screen_stack))
        is_asking = isinstance(screens[0], ChoiceDialog) and screens[0].is_leaving
        kept = [screen for screen in screens[2 if is_asking else 0 :] if isinstance(screen, KeepsWork)]
        try:
            for screen in kept:
                if screen.would_lose and not await screen.may_leave():
                    return
        finally:
            self._is_quitting = False
        self.saved = next((screen.saved for screen in screens if isinstance(screen, KeepsWork) and screen.saved), None)
        self.exit()

    def action_command_palette(self) -> None:
        """Opens the command palette, with a prompt in ASCII; does nothing if it is open."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder="Search for commands ..."))

    def on_mount(self) -> None:
        """Opens the menu, or at once what was asked for; loads the kernels a little later, if it is to."""
        self.set_class(self.glyphs.is_ascii, "-ascii")
        self._bind_keys()
        self._tell_faults()
        if self._game is not None and self._opening is not None:
            self._choose(self._game, self._opening)
        else:
            self._games = find_games()
            self._sources = late.sources(self.library, self._choose, self._waiting)
            self._menu = late.home_screen(self._games, self._sources, self._list_levels, self._look)
            self.push_screen(self._menu)
            if self._game is not None or self._day is not None:
                self._list_levels(self._game or self._day)

        if self._warms_up:
            self.set_timer(WARM_UP_DELAY, self._warm_up)

    @property
    def _look(self) -> Look:
        has_sprites = self.preferences.settings.sprites and not self.glyphs.is_ascii and not self.no_color
        return late.look(self.glyphs, has_sprites)

    def _list_levels(self, what: Game | date | None) -> None:
        """Opens the list of a game's levels, of a day's, or of all."""
        assert self._sources is not None
        self.push_screen(late.levels_screen(what, self._games, self._sources, self._look))

    def on_unmount(self) -> None:
        """Stops the loading before its next kernel."""
        self._leaving.set()

    @work(group="warm-up")
    async def _warm_up(self) -> None:
        """Loads all kernels in a thread, so that nobody waits for them later.

        Where they have yet to be compiled, another process does that before: it takes no time from the keys, and what
        somebody asks for now is compiled here at once.
        """

        def progress(done: int, total: int, name: str) -> None:
            self._tell_progress(COMPILING_ALL.format(done + 1, total, name) if done < total else "")

        try:
            if await in_background(late.has_few_kernels):
                await late.compile_elsewhere("" if self._game is None else self._game.title, progress)
                self._tell_progress("")
            await in_background(late.load_kernels, self._leaving)
        except ValueError as error:
            self._tell_progress(f"The engine can't be compiled: {error}")

    def _tell_progress(self, text: str) -> None:
        """Shows the progress of work in a thread, from that thread."""
        with suppress(RuntimeError):  # the app has gone meanwhile
            self.call_later(self._show_progress, text)

    def _show_progress(self, text: str) -> None:
        if self._menu is not None and self._menu.is_mounted:
            self._menu.show_progress(text)

    async def _waiting(self) -> Waiting | None:
        """The game that waits to be gone on with; recordings are taken into the library if they weren't as yet."""
        try:
            found = await in_background(late.waiting, self._games, self.library)
        except ValueError as error:
            self.library.trouble, found = str(error), None
        self.tell_trouble()
        if not self._takes_recordings:
            self._takes_recordings = True
            self._take_recordings()
        return found

    @work
    async def _take_recordings(self) -> None:
        def progress(done: int, total: int) -> None:
            self._tell_progress("" if done == total else f"Taking recordings into the library: {done:,} of {total:,}")

        try:
            left = await in_background(late.take_recordings, self.library, progress, self._leaving)
        except ValueError as error:
            left = [str(error)]
        if left:
            more = len(left) - MOST_LEFT
            lines = left[:MOST_LEFT] + ([f"and {more:,} more"] if more > 0 else [])
            title = "Recordings that stay in their folder"
            self.notify("\n".join(lines), title=title, severity="warning", timeout=10, markup=False)

    def action_games(self) -> None:
        """Opens the screen of all games and recordings."""
        self._shelf = late.games_screen(self._games, self._choose, self.library, self._look)
        self.push_screen(self._shelf)

    def _choose(self, game: Game, opening: Opening) -> None:
        """Says that a game is being opened, and opens it behind that."""
        self.push_screen(WaitingScreen(opening.title))
        self.call_after_refresh(self._open, game, opening)

    def action_stop_waiting(self) -> None:
        """Gives up what is being opened, and goes back to the menu; leaves the app if there is none."""
        self.workers.cancel_group(self, "opening")
        self._go_back()

    def _go_back(self) -> None:
        """Closes all screens above the menu; leaves the app if there is no menu."""
        if self._menu is None:
            self.exit()
        elif self._menu in self.screen_stack:
            self._close_games()

    def _close_games(self) -> None:
        """Closes all screens above the menu's, or all but the first where there is none."""
        while (
            len(self.screen_stack) > 1 and self.screen is not self._shelf and not isinstance(self.screen, ListsLevels)
        ):
            self.pop_screen()

    @work(exclusive=True, group="opening")
    async def _open(self, game: Game, opening: Opening) -> None:
        """Reads the level in a thread, then shows its screen; if it can't be read, the menu or the shell says why."""
        try:
            how = self.glyphs, self.library, self.preferences
            make_screen = await in_background(late.screen_maker, game, opening, *how)
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
        self.tell_trouble()

    def tell_trouble(self) -> None:
        """Says, once, what is wrong with the library."""
        if self.library.trouble != self._told:
            self._told = self.library.trouble
            self.notify(sentence(self._told), severity="error", markup=False)

    def _leave(self, screen: Any, result: str | Opening | None) -> None:
        """Goes on to the opening that a game ends with; or back, and says where it was saved, unless that was told."""
        if isinstance(result, Opening):
            self._close_games()
            if isinstance(self.screen, ListsLevels):
                self.screen.mark(screen.view.game, result.arguments)
            self._choose(screen.view.game, result)
            return
        self.saved = saved = result
        self._go_back()
        if saved is not None and not (isinstance(screen, KeepsWork) and saved == screen.told):
            self.notify(saved, title="Saved", markup=False)
