"""The parts that are loaded late, behind the first frame or where they are asked for: one function for each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.ui.glyphs import Glyphs

if TYPE_CHECKING:
    from datetime import date

    from textual.driver import Driver
    from textual.screen import Screen

    from dungeon_tui.core.rules import Outcome
    from dungeon_tui.core.session import Session
    from dungeon_tui.core.toml_places import Keys
    from dungeon_tui.storage.journal import Journal
    from dungeon_tui.storage.library import LazyLibrary, Resumed
    from dungeon_tui.storage.results import Level, Record, Result
    from dungeon_tui.storage.settings import Settings, Value
    from dungeon_tui.storage.shelf import Waiting
    from dungeon_tui.ui.keymap import KeyTable
    from dungeon_tui.ui.menu.home import HomeScreen
    from dungeon_tui.ui.menu.sources import Look, Sources
    from dungeon_tui.ui.play.features import Strategies
    from dungeon_tui.ui.play.game_view import GameView
    from dungeon_tui.ui.play.screen import PlayScreen
    from dungeon_tui.ui.preferences import Preferences
    from dungeon_tui.ui.snapshot import Drawn


def look(glyphs: Glyphs, has_sprites: bool) -> Look:
    """The manner in which the menu's screens are drawn."""
    from dungeon_tui.ui.menu.sources import Look

    return Look(glyphs, has_sprites)


def sources(
    lazy_library: LazyLibrary,
    choose: Callable[[Game, Opening], object],
    waiting: Callable[[], Awaitable[Waiting | None]],
) -> Sources:
    """The answers to the menu's questions; `choose` is called with what was chosen."""
    from functools import partial

    from dungeon_tui.ui.menu.sources import Sources

    return Sources(
        choose, waiting, partial(records, lazy_library), partial(day_results, lazy_library), decoded, beginning
    )


def home_screen(
    games: Sequence[Game], sources: Sources, levels: Callable[[Game | date | None], object], look: Look
) -> HomeScreen:
    """A new home screen of some games; `levels` opens the list of a game's levels, of a day's, or of all."""
    from dungeon_tui.ui.menu.home import HomeScreen

    return HomeScreen(games, sources, levels, look)


def levels_screen(what: Game | date | None, games: Sequence[Game], sources: Sources, look: Look) -> Screen[None]:
    """A new list of a game's levels, of a day's, or of all that there are."""
    from dungeon_tui.ui.menu.levels import LevelsScreen

    if isinstance(what, Game):
        return LevelsScreen(what.title, [what], sources, look)
    return LevelsScreen("All levels" if what is None else f"Daily {what}", games, sources, look, what)


def decoded(code: str) -> tuple[Game, Opening]:
    """The opening that a share code names; ValueError if it names none."""
    from dungeon_tui.core.codes import decode, opening_of

    return opening_of(decode(code))


def beginning(game: Game, opening: Opening, glyphs: Glyphs) -> Drawn | None:
    """The map on which an opening begins, as `snapshot.beginning`; for a thread."""
    from dungeon_tui.ui.snapshot import beginning as drawn

    return drawn(game, opening, glyphs)


def day_results(lazy_library: LazyLibrary, day: date) -> tuple[Mapping[str, Result], int]:
    """The results of a day's dailies by game, and the days in a row up to it; for a thread."""
    from dungeon_tui.storage import results
    from dungeon_tui.storage.library import LibraryError

    library = lazy_library.get()
    try:
        if library is None:
            return {}, 0
        return results.daily_results(library, day), results.statistics(library, day).dailies.present
    except LibraryError:
        return {}, 0


def records(lazy_library: LazyLibrary) -> Mapping[Level, Record]:
    """Records of all levels that were played, for a thread; none where no library can be read."""
    from dungeon_tui.storage import results
    from dungeon_tui.storage.library import LibraryError

    library = lazy_library.get()
    try:
        return {} if library is None else results.records(library)
    except LibraryError:
        return {}


def statistics_screen(games: Sequence[Game], lazy_library: LazyLibrary, glyphs: Glyphs) -> Callable[[], Screen[None]]:
    """Sums up the library, for a thread; returns a function that makes the screen of it, for the app's.

    Raises:
        ValueError: it can't be read; the message says why.
    """
    from datetime import date

    from dungeon_tui.storage.results import statistics
    from dungeon_tui.ui.menu.statistics import StatisticsScreen

    library, today = lazy_library.get(), date.today()
    if library is None:
        raise ValueError(lazy_library.trouble)
    found = statistics(library, today)
    return lambda: StatisticsScreen(found, {game.name: game.title for game in games}, today, glyphs)


def waiting(games: Sequence[Game], lazy_library: LazyLibrary) -> Waiting | None:
    """The game that waits to be gone on with; None if there is none, or no library. For a thread."""
    from dungeon_tui.storage import shelf

    library = lazy_library.get()
    return None if library is None else shelf.waiting(library, games)


def games_screen(
    games: Sequence[Game],
    choose: Callable[[Game, Opening], object],
    lazy_library: LazyLibrary,
    look: Look,
) -> Screen[None]:
    """A new screen of all kept games and recordings of some games; `choose` is called with what was chosen."""
    from dungeon_tui.ui.menu.games import GamesScreen

    return GamesScreen(games, choose, lazy_library, look)


def take_recordings(lazy_library: LazyLibrary, progress: Callable[[int, int], object], stop: Event) -> list[str]:
    """Takes the folder's recordings into the library, unless they were; returns a line for each that was left.

    For a thread.

    Raises:
        ValueError: the library can't be written.
    """
    from dungeon_tui.storage.library import LibraryError
    from dungeon_tui.storage.recorded import take_recordings, waits_for_recordings

    library = lazy_library.get()
    try:
        if library is None or not waits_for_recordings(library):
            return []
        from dungeon_tui.ui.outcome import judged

        return take_recordings(library, judged, progress, stop)
    except LibraryError as error:
        raise ValueError(str(error)) from None


def screen_maker(
    game: Game, opening: Opening, glyphs: Glyphs, lazy_library: LazyLibrary, preferences: Preferences
) -> Callable[[], PlayScreen | Screen[Any]]:
    """Loads an opening, which may take a while: for a thread. Returns a function that makes its screen, for the app's.

    Raises:
        ValueError: it can't be opened; the message says why.
    """
    from dungeon_tui.core.recording import Recording, open_replay
    from dungeon_tui.core.session import Replay, Session
    from dungeon_tui.core.turns import TurnController
    from dungeon_tui.storage.library import Resumed
    from dungeon_tui.ui.play.features import Strategies
    from dungeon_tui.ui.play.screen import PlayScreen

    loaded = opening.load()
    if opening.screen is not None:
        make = opening.screen
        return lambda: make(loaded, glyphs)
    players, replay, title, arguments = opening.players, None, opening.title, opening.arguments
    resumed = loaded if isinstance(loaded, Resumed) else None
    if resumed is not None:
        controller, players = resumed.controller, resumed.kept.players
    elif isinstance(loaded, Recording):
        controller, trouble = open_replay(loaded)
        players, replay = loaded.strategies, Replay(loaded.file, loaded.title, trouble)
        title, arguments = loaded.title or title, loaded.arguments
    else:
        controller = TurnController(game.rules(), loaded, opening.seed)
        controller.apply_texts(opening.actions)
    view: GameView = game.view()(game, glyphs)
    _prepare(view, controller.state)
    strategies = view.feature(Strategies)
    session = Session(controller, None if strategies is None else strategies.seats, players, replay, arguments)
    day = "" if opening.day is None else opening.day.isoformat()
    if resumed is not None:
        session.trouble = resumed.trouble
    if opening.is_at_end:
        session.seek(len(session.line))
    journal = _journal(
        lazy_library, game, session, strategies, resumed, title=title, arguments=opening.arguments, daily=day
    )
    return lambda: PlayScreen(view, session, journal, preferences)


def trial_maker(game: Game, level: Any, players: Mapping[str, str], glyphs: Glyphs) -> Callable[[], PlayScreen]:
    """Prepares a level that is tried and kept nowhere: for a thread. Returns a function that makes its screen."""
    from dungeon_tui.core.session import Session
    from dungeon_tui.core.turns import TurnController
    from dungeon_tui.ui.play.features import Strategies
    from dungeon_tui.ui.play.screen import PlayScreen

    controller = TurnController(game.rules(), level)
    view: GameView = game.view()(game, glyphs)
    _prepare(view, controller.state)
    strategies = view.feature(Strategies)
    session = Session(controller, None if strategies is None else strategies.seats, players)
    return lambda: PlayScreen(view, session)


def _prepare(view: GameView, state: Any) -> None:
    view.prepare(state)
    if view.moves_by_kernels:
        view.load_kernels(state)


def _journal(
    lazy_library: LazyLibrary,
    game: Game,
    session: Session,
    strategies: Strategies | None,
    resumed: Resumed | None,
    **values: str,
) -> Journal | None:
    """A journal that keeps a session in the library; None where that can't be."""
    from dungeon_tui.storage.journal import Journal
    from dungeon_tui.storage.library import LibraryError

    def is_won(state: Any, outcome: Outcome) -> bool:
        return outcome.is_win if strategies is None else strategies.is_won(state, outcome, session.persons)

    library = lazy_library.get()
    if library is None:
        return None
    try:
        return Journal(library, game, session, is_won, resumed=resumed, **values)
    except LibraryError as error:
        lazy_library.trouble = f"This game is not kept: {error}"
        return None


def key_tables() -> tuple[KeyTable, ...]:
    """The keys of all screens that have such a table: the menu, the games and their own. For a thread."""
    from dungeon_tui.core.catalogue import find_games
    from dungeon_tui.ui.keymap import KeyTable
    from dungeon_tui.ui.keys import QUIT
    from dungeon_tui.ui.menu.games import KEYS as games_keys  # noqa: N811
    from dungeon_tui.ui.menu.home import KEYS
    from dungeon_tui.ui.menu.levels import KEYS as levels_keys  # noqa: N811
    from dungeon_tui.ui.play.features import Page
    from dungeon_tui.ui.play.screen import keys_of
    from dungeon_tui.ui.settings_screen import KEYS as settings_keys  # noqa: N811

    tables = [
        KeyTable("The menu", KEYS),
        KeyTable("Levels", levels_keys),
        KeyTable("Games and recordings", games_keys),
        KeyTable("The settings", settings_keys),
    ]
    for game in find_games():
        view: GameView = game.view()(game)
        tables.append(KeyTable(game.title, keys_of(view)))
        tables += [KeyTable(f"{game.title}: {page.key.label}", tuple(page.keys())) for page in view.all_features(Page)]
        if game.has_editor:
            opening = game.editor()
            assert opening.screen is not None
            tables.append(KeyTable(opening.title, opening.screen(opening.load(), view.glyphs).keys))
    return tuple(KeyTable(table.title, (*table.keys, QUIT)) for table in tables)


def settings_screen(preferences: Preferences, themes: Sequence[str], glyphs: Glyphs) -> Screen[None]:
    """A new screen of all settings; `themes` are the names of those there are."""
    from dungeon_tui.core.catalogue import find_games
    from dungeon_tui.ui.settings_screen import SettingsScreen

    return SettingsScreen(preferences, themes, len(find_games()), key_tables, glyphs)


def keep_settings(settings: Settings, changes: Mapping[Keys, Value | None]) -> Path | None:
    """Writes changed settings into the player's file, as `storage.settings_file.keep`; OSError if there is no place."""
    from dungeon_tui.storage.settings import settings_path
    from dungeon_tui.storage.settings_file import keep

    return keep(settings_path(), settings, changes)


def has_few_kernels() -> bool:
    """True if most kernels have yet to be compiled."""
    import dungeon_tui
    from dungeon_tui.engine.kept import kept_kernels

    return kept_kernels(Path(dungeon_tui.__file__).parent).are_few


async def compile_elsewhere(first: str, tell: Callable[[int, int, str], object]) -> None:
    """Compiles all kernels in another process, those of the game `first` first; ValueError if that can't be."""
    from dungeon_tui.workers import ProcessError, in_process

    try:
        async for _ in in_process(compile_kernels, first, tell=tell):
            pass
    except ProcessError as error:
        raise ValueError(str(error)) from None


def compile_kernels(first: str, tell: Callable[[int, int, str], None]) -> Iterator[bool]:
    """Compiles all kernels, for a process of its own; `tell` is told how far it is."""
    yield load_kernels(Event(), tell, first)


def load_kernels(leaving: Event, tell: Callable[[int, int, str], None] | None = None, first: str = "") -> bool:
    """Loads the engine's kernels and the games', or compiles them; True unless `leaving` was set before the end."""
    from dungeon_tui.core.catalogue import find_games
    from dungeon_tui.engine.warmup import warm_up

    return warm_up(tell, leaving, {game.title: game.compile_kernels for game in find_games()}, first)


def terminal_driver() -> type[Driver]:
    """The class of our driver of POSIX terminals; Windows lacks what it imports."""
    from dungeon_tui.ui.terminal import TerminalDriver

    return TerminalDriver
