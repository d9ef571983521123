"""A game's view away from its screen: maps for previews, and the judgement of an end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import YOU, Game, Opening, find_game
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import capitalised
from dungeon_tui.storage.library import Library, Resumed
from dungeon_tui.storage.shelf import Item
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import MapSource
from dungeon_tui.ui.play.features import Strategies
from dungeon_tui.ui.play.game_view import GameView

if TYPE_CHECKING:
    from dungeon_tui.ui.map.view import MapView

MAX_TURNS = 20_000  # of a game that is replayed for its picture
WIDEST = 200  # columns of a map with texts
_ACROSS, _LARGEST = 9, 6  # cells, and columns of a cell, of a map that is larger than its preview


def columns_of(view: GameView, states: Sequence[Any], widest: int) -> int:
    """Columns per cell so that texts fit, 0 for a drawing; 1 if `widest` cells would need more than WIDEST columns."""
    columns = max(map(view.columns, states))
    return columns if widest * columns <= WIDEST else 1


@dataclass(frozen=True, slots=True)
class Drawn:
    """A map for a MapView."""

    source: MapSource
    focus: Cell
    columns: int  # a cell
    trouble: str = ""  # of the replay
    standing: str = ""  # of a saved game, in words

    def show_on(self, shown: MapView, is_card: bool = False) -> None:
        """Shows the map. If it does not fit (on a card: with pictures), shows the cells around the focus."""
        shown.zoom_to(None)
        shown.show(self.source, self.focus, columns=self.columns)
        if self.columns == 1 and shown.size:
            if not (shown.shows_all or is_card):
                shown.zoom_to(1)
            if not shown.shows_all and (is_card or not self.source.in_letters):
                shown.zoom_to(min(shown.size.width // _ACROSS, _LARGEST))


def _preview(game: Game, glyphs: Glyphs, space: tuple[int, int]) -> GameView:
    view: GameView = game.view()(game, glyphs)
    view.space, view.is_preview = space, True
    return view


def _drawn(view: GameView, state: Any, trouble: str = "") -> Drawn:
    view.prepare(state)
    picture = view.picture(state)
    return Drawn(picture, view.focus_cell(state), columns_of(view, [state], picture.width), trouble)


def beginning(game: Game, opening: Opening, glyphs: Glyphs, space: tuple[int, int] = (0, 0)) -> Drawn | None:
    """The map on which a person moves first, or a saved game's current one; None for an editor. Raises ValueError."""
    if opening.screen is not None:
        return None
    loaded, players = opening.load(), opening.players
    if isinstance(loaded, Resumed):
        controller, players = loaded.controller, loaded.stored.players
    else:
        controller = TurnController(game.rules(), loaded, opening.seed)
        controller.apply_texts(opening.actions)
    view = _preview(game, glyphs, space)
    strategies = view.feature(Strategies)
    view.persons = tuple(seat for seat, player in players.items() if player == YOU)
    if strategies is not None and YOU in players.values() and controller.outcome is None:
        player = players[strategies.seats.to_move(controller.state)]
        if player != YOU:
            controller.apply(strategies.choose(controller.state, player))
    drawn, facts = _drawn(view, controller.state), view.facts(controller.turn)
    parts = [part.rstrip(".") for part in facts.short if part] if isinstance(loaded, Resumed) else []
    return replace(drawn, standing=capitalised(f" {glyphs.bullet} ".join(parts)))


def position(item: Item, library: Library, glyphs: Glyphs, space: tuple[int, int] = (0, 0)) -> Drawn | None:
    """The map of a saved game at its current turn; None if it is too long to replay. Raises LevelError."""
    if item.stored.turns > MAX_TURNS:
        return None
    resumed = library.resume(item.stored)
    return _drawn(_preview(item.game, glyphs, space), resumed.controller.state, resumed.trouble)


def judged(
    name: str, controller: TurnController[Any, Any, Any], players: Mapping[str, str]
) -> tuple[bool, Sequence[Score]]:
    """True if a person won, and the scores, at the current turn; False and none if no person played."""
    game, state, outcome = find_game(name), controller.state, controller.outcome
    if game is None or outcome is None:
        return False, ()
    view: GameView = game.view()(game)
    persons = tuple(seat for seat, player in players.items() if player == YOU)
    if view.feature(Strategies) is not None and not persons:
        return False, ()
    return view.is_won(state, outcome, persons), view.scores(state)
