"""Games of the library as list entries and as openings."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import Any

from dungeon_tui.core.catalogue import YOU, Game, Opening
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.recording import Recording, record
from dungeon_tui.core.text import printable
from dungeon_tui.storage.library import UNDER_WAY, WAITS, Library, StoredGame


class Standing(Enum):
    """The standing of a game."""

    GOES_ON = "goes on"
    WON = "won"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Item:
    """The list entry of a saved game, with the numbers of its wins and losses at any turn."""

    stored: StoredGame
    game: Game
    wins: int = 0
    losses: int = 0
    title: str = field(init=False)
    state: str = field(init=False)  # its end, or its current turn
    standing: Standing = field(init=False)
    players: str = field(init=False)
    words: str = field(init=False)  # in which a search looks

    def __post_init__(self) -> None:
        stored, game = self.stored, self.game
        standing = (Standing.WON if stored.is_won else Standing.LOST) if stored.outcome else Standing.GOES_ON
        title = printable(stored.title) or game.title
        is_won = standing is Standing.WON
        state = standing.value if is_won else printable(stored.outcome) or _now(stored)
        if self.wins > is_won:
            state = f"won {self.wins}x" + f", {state}" * (not is_won)
        elif self.losses > (standing is Standing.LOST):
            state = f"{state}, lost {self.losses}x"
        titled = ((seat, game.player_titles.get(player, player)) for seat, player in stored.players.items())
        players = printable(", ".join(f"{seat}: {player}" for seat, player in titled))
        words = f"{self.when} {game.title} {title} {standing.value} {state} {players}".lower()
        values = {"title": title, "state": state, "standing": standing, "players": players, "words": words}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def when(self) -> str:
        """The time of its last turn: "2026-11-22 20:15"."""
        return self.stored.played[:16]

    @property
    def facts(self) -> str:
        """Its state, time and players, in a line."""
        return ", ".join([self.state, self.when]) + (f"; {self.players}" if self.players else "")


def _now(stored: StoredGame) -> str:
    """The current turn; between several seats, which take turns, the person's moves, or the first side's."""
    seats = len(stored.players)
    persons = [index for index, player in enumerate(stored.players.values()) if player == YOU]
    first = persons[0] if len(persons) == 1 else 0
    return f"move {(stored.ply - first + seats - 1) // seats:,}" if seats else f"turn {stored.ply:,}"


def items(library: Library, games: Sequence[Game]) -> list[Item]:
    """All saved games, of some games, newest first."""
    by_name, ends = {game.name: game for game in games}, library.ends()
    return [
        Item(stored, by_name[stored.game], *ends.get(stored.id, ()))
        for stored in library.games()
        if stored.game in by_name
    ]


def waiting(library: Library, games: Collection[Game]) -> tuple[Item, Opening] | None:
    """The unfinished game, of some games, that was played last, and its opening, or None."""
    by_name = {game.name: game for game in games}
    found = (Item(stored, by_name[stored.game]) for stored in library.games(WAITS) if stored.game in by_name)
    item = next(found, None)
    return None if item is None else (item, opening(item, library))


def under_way(library: Library, game: Game, arguments: str) -> Opening | None:
    """The opening of the last unfinished game of a level, given as arguments of `GAME play`; None without one."""
    found = library.games(f"{UNDER_WAY} AND game = ? AND arguments = ?", game.name, arguments)
    return opening(Item(found[0], game), library) if found else None


def opening(item: Item, library: Library, at_start: bool = False) -> Opening:
    """The opening of a game: at its current turn, or as a replay from the start."""
    stored = item.stored
    load: Callable[[], Any] = partial(recording_of, item, library) if at_start else partial(library.resume, stored)
    return Opening(item.title, load, item.facts, stored.seed, arguments=stored.arguments)


def recording_of(item: Item, library: Library) -> Recording:
    """The recording of a game up to its current turn, or its last at the start. Raises LevelError if it can't."""
    stored, resumed = item.stored, library.resume(item.stored)
    if resumed.trouble:
        raise LevelError(resumed.trouble, str(library.path))
    turn = resumed.controller.turn
    if turn.parent is None:
        while turn.branches:
            turn = turn.branches[-1]
    made = record(resumed.controller, stored.game, stored.players, stored.title, item.when, turn)
    return replace(made, file="")
