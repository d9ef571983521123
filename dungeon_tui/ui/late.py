"""The parts that are loaded late, behind the first frame or where they are asked for: one function for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Event
from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.ui.glyphs import Glyphs

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.screen import Screen

    from dungeon_tui.ui.menu.screen import MenuScreen
    from dungeon_tui.ui.play.game_view import GameView
    from dungeon_tui.ui.play.screen import PlayScreen


def menu_screen(games: Sequence[Game], choose: Callable[[Game, Opening], object], glyphs: Glyphs) -> MenuScreen:
    """A new menu of some games and their saved recordings; `choose` is called with what was chosen."""
    from dungeon_tui.ui.menu.screen import MenuScreen

    return MenuScreen(games, choose, _saved_openings, glyphs)


def _saved_openings(games: Sequence[Game]) -> list[tuple[Game, Opening]]:
    from dungeon_tui.storage.recordings import openings

    return openings(games)


def screen_maker(
    game: Game, opening: Opening, glyphs: Glyphs, is_recording: bool
) -> Callable[[], PlayScreen | Screen[Any]]:
    """Loads an opening, which may take a while: for a thread. Returns a function that makes its screen, for the app's.

    Raises:
        ValueError: it can't be opened; the message says why.
    """
    from dungeon_tui.core.recording import Recording, open_replay
    from dungeon_tui.core.session import Replay, Session
    from dungeon_tui.core.turns import TurnController
    from dungeon_tui.ui.play.features import Strategies
    from dungeon_tui.ui.play.screen import PlayScreen

    loaded = opening.load()
    if opening.screen is not None:
        make = opening.screen
        return lambda: make(loaded, glyphs)
    players, replay = opening.players, None
    if isinstance(loaded, Recording):
        controller, trouble = open_replay(loaded)
        players, replay = loaded.strategies, Replay(loaded.file, loaded.title, trouble)
    else:
        controller = TurnController(game.rules(), loaded, opening.seed)
    view: GameView = game.view()(game, glyphs)
    view.prepare(controller.state)
    strategies = view.feature(Strategies)
    session = Session(controller, None if strategies is None else strategies.seats, players, replay)
    return lambda: PlayScreen(view, session, loses_nothing=is_recording)


def warm_up(
    progress: Callable[[int, int, str], None], leaving: Event, more: Mapping[str, Callable[[], object]]
) -> None:
    """Compiles the engine's kernels and `more`; tells `progress` how far it is, ends early once `leaving` is set."""
    from dungeon_tui.engine.warmup import warm_up as compile_kernels

    compile_kernels(progress, leaving, more)


def terminal_driver() -> type[Driver]:
    """The class of our driver of POSIX terminals; Windows lacks what it imports."""
    from dungeon_tui.ui.terminal import TerminalDriver

    return TerminalDriver
