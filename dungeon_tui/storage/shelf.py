"""Games of the library as openings: to be gone on with, or looked at from their start."""

from __future__ import annotations

from functools import partial

from dungeon_tui.core.catalogue import Game, Opening, find_game
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.storage.library import WAITS, KeptGame, Library


def unfinished(library: Library) -> KeptGame | None:
    """The game that was played last of those that wait to be gone on with; None if there is none."""
    return next((kept for kept in library.games(WAITS) if find_game(kept.game) is not None), None)


def facts(kept: KeptGame) -> str:
    """A game's state in a line: its end or turn, when it was played, and by whom."""
    state = kept.outcome or f"turn {kept.ply:,}"
    turns = f", {counted(kept.turns, 'turn')}" if kept.turns != kept.ply else ""
    players = "; " + ", ".join(f"{seat}: {player}" for seat, player in kept.players.items()) if kept.players else ""
    return printable(f"{state}{turns}, {kept.played[:16]}{players}")


def opening(library: Library, kept: KeptGame) -> tuple[Game, Opening]:
    """The opening that goes on with a game at its present turn.

    Raises:
        LookupError: it is of a game that isn't there.
    """
    game = find_game(kept.game)
    if game is None:
        raise LookupError(f"there is no game {kept.game!r}")
    title = printable(kept.title) or game.title
    return game, Opening(title, partial(library.resume, kept), facts(kept), kept.seed, arguments=kept.arguments)
