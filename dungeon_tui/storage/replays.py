"""The saved recordings as openings, for the menu."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from dungeon_tui.core.catalogue import Game, Opening, Preview
from dungeon_tui.core.level import LevelError, printable
from dungeon_tui.core.words import counted
from dungeon_tui.storage.recordings import Saved, load, saved


def openings(games: Sequence[Game]) -> list[tuple[Game, Opening]]:
    """Openings of the saved recordings of these games, the newest first; unreadable ones count as of the first game."""
    by_name = {game.name: game for game in games}
    return [
        (game, _opening(each, game))
        for each in saved()
        if (game := games[0] if each.error else by_name.get(each.game)) is not None
    ]


def _opening(found: Saved, game: Game) -> Opening:
    if found.error:
        preview = partial(_complain, found)
        return Opening(printable(found.path.stem), partial(load, found.path), "can't be read", preview=preview)
    facts = f"{found.outcome}, {counted(found.turns, 'turn')}, {found.date}"
    if found.players:
        facts += f"; {', '.join(f'{seat}: {player}' for seat, player in found.players.items())}"
    return Opening(
        f"{game.title}: {printable(found.title or found.path.stem)}",
        partial(load, found.path, game.name),
        printable(facts),
        preview=partial(_card, found),
    )


def _card(found: Saved) -> list[Preview]:
    return [Preview("A recording", printable(str(found.path)), [])]


def _complain(found: Saved) -> list[Preview]:
    raise LevelError(found.error, str(found.path))
