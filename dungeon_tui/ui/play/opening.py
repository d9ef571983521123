"""Opens levels, games and recordings on the play screen."""

from collections.abc import Callable
from typing import Any

from textual.screen import Screen

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.recording import Recording, open_replay
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.session import Replay, Session
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import LazyLibrary, LibraryError, Resumed
from dungeon_tui.storage.settings import Preferences
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.features import Strategies
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.screen import PlayScreen


def screen_maker(
    game: Game,
    opening: Opening,
    glyphs: Glyphs,
    lazy_library: LazyLibrary | None = None,
    preferences: Preferences | None = None,
) -> Callable[[], PlayScreen | Screen[Any]]:
    """Loads a level, and returns a function that makes its screen, for the app's thread. Raises ValueError."""
    loaded = opening.load()
    if opening.screen is not None:
        make = opening.screen
        return lambda: make(loaded, glyphs)
    players, replay, title, arguments = opening.players, None, opening.title, opening.arguments
    # A stored game, a recording, or a new game.
    resumed = loaded if isinstance(loaded, Resumed) else None
    if resumed is not None:
        controller, players = resumed.controller, resumed.stored.players
    elif isinstance(loaded, Recording):
        controller, trouble = open_replay(loaded)
        players, replay = loaded.strategies, Replay(loaded.file, loaded.title, trouble)
        title, arguments = loaded.title or title, loaded.arguments
    else:
        controller = TurnController(game.rules(), loaded, opening.seed)
        controller.apply_texts(opening.actions)
    # Prepare the view, and compile its kernels, outside the app's thread.
    view: GameView = game.view()(game, glyphs)
    view.prepare(controller.state)
    if view.moves_by_kernels:
        view.load_kernels(controller.state)
    # Seat the players.
    strategies = view.feature(Strategies)
    session = Session(controller, None if strategies is None else strategies.seats, players, replay, arguments)
    session.own_name = view.turn_name
    if resumed is not None:
        session.trouble = resumed.trouble or resumed.notice

    def is_won(state: Any, outcome: Outcome) -> bool:
        return view.is_won(state, outcome, session.persons)

    # Save the game in the library, if there is one.
    journal = None
    if lazy_library is not None and (library := lazy_library.get()) is not None:
        day = "" if opening.day is None else opening.day.isoformat()
        names = {"title": title, "arguments": opening.arguments, "daily": day}
        try:
            journal = Journal(library, game, session, is_won, resumed=resumed, **names)
        except LibraryError as error:
            lazy_library.trouble = f"This game is not saved: {error}"
    return lambda: PlayScreen(view, session, journal, preferences)
