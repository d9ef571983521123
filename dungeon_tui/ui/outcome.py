"""Judges the ends of games without a screen."""

from collections.abc import Mapping, Sequence
from typing import Any

from dungeon_tui.core.catalogue import YOU, find_game
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import TurnController
from dungeon_tui.ui.play.features import Finale, Strategies
from dungeon_tui.ui.play.game_view import GameView


def judged(
    name: str, controller: TurnController[Any, Any, Any], players: Mapping[str, str]
) -> tuple[bool, Sequence[Score]]:
    """True if a person won, and the scores, at the current turn; False and none if no person played."""
    game, state, outcome = find_game(name), controller.state, controller.outcome
    if game is None or outcome is None:
        return False, ()
    view: GameView = game.view()(game)
    strategies, finale = view.feature(Strategies), view.feature(Finale)
    persons = tuple(seat for seat, player in players.items() if player == YOU)
    if strategies is not None and not persons:
        return False, ()
    is_won = outcome.is_win if strategies is None else strategies.is_won(state, outcome, persons)
    return is_won, () if finale is None else finale.scores(state)
