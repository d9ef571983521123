"""The keys of all screens. Imports them all: load it in a thread."""

from typing import Any

from dungeon_tui.core.catalogue import Game, find_games
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import TurnController
from dungeon_tui.ui import settings_screen
from dungeon_tui.ui.editor.opening import editor_opening
from dungeon_tui.ui.keys import QUIT, Key, KeyTable
from dungeon_tui.ui.menu import games, home, levels
from dungeon_tui.ui.play.features import Journeys, Page, Strategies
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.play.travel import CHOOSING, PLAN


def key_tables() -> tuple[KeyTable, ...]:
    """The keys of the menu, the games and their pages and editors."""
    tables = [
        KeyTable("The menu", home.KEYS),
        KeyTable("Levels", levels.KEYS),
        KeyTable("Games", games.KEYS),
        KeyTable("The settings", settings_screen.KEYS),
    ]
    for game in find_games():
        view: GameView = game.view()(game)
        journeys = view.feature(Journeys)
        plan = [PLAN] * (journeys is not None and journeys.sketch is not None and journeys.begin is None)
        tables.append(KeyTable(game.title, (*keys_of(game), *CHOOSING, *plan)))
        tables += [KeyTable(f"{game.title}: {page.key.label}", tuple(page.keys())) for page in view.all_features(Page)]
        if game.editor_note:
            opening = editor_opening(game)
            assert opening.screen is not None
            tables.append(KeyTable(opening.title, opening.screen(opening.load(), view.glyphs).keys))
    return tuple(KeyTable(table.title, (*table.keys, QUIT)) for table in tables)


class _NoRules:
    """Stands in for a game's rules when only the keys of its screen are needed."""

    def start(self, level: object, seed: int) -> None: ...


def keys_of(game: Game) -> tuple[Key, ...]:
    """The keys of a game's screen, except those for choosing a cell."""
    rules: Any = _NoRules()
    view: GameView = game.view()(game)
    strategies = view.feature(Strategies)
    return PlayScreen(view, Session(TurnController(rules, None), None if strategies is None else strategies.seats)).keys
