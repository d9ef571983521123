"""Games of the library and recordings of the folder, as list entries and as openings."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.files import left_of, read_regular
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.recording import UNFINISHED, Recording, record, reexecute
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import counted
from dungeon_tui.storage.library import WAITS, Library, StoredGame
from dungeon_tui.storage.recordings import CUT_SHORT, Saved, load, saved


class Standing(Enum):
    """The standing of a game, by which lists are filtered."""

    GOES_ON = "goes on"
    WON = "won"
    LOST = "lost"
    OVER = "over"  # of a recording, which doesn't say who won
    BROKEN = "can't be read"


@dataclass(frozen=True, slots=True)
class Item:
    """A saved game, or a recording of the folder."""

    source: StoredGame | Saved
    game: Game | None  # None: it can't be read, or the game isn't there
    title: str
    state: str  # its end, or its current turn
    when: str  # "2026-11-22 20:15"
    standing: Standing
    players: str = ""
    ends: Collection[Standing] = ()  # all that it came to, at any turn
    words: str = field(init=False)  # in which a search looks

    def is_like(self, standings: Collection[Standing]) -> bool:
        """True if it stands, or once ended, in one of these ways."""
        return self.standing in standings or any(end in standings for end in self.ends)

    def __post_init__(self) -> None:
        game = self.game.title if self.game is not None else ""
        words = f"{self.when} {game} {self.title} {self.state} {self.players}".lower()
        object.__setattr__(self, "words", words)

    @property
    def facts(self) -> str:
        """Its state, number of turns, time and players, in a line."""
        turns, parts = self.source.turns, [self.state]
        if isinstance(self.source, Saved):
            parts += [counted(turns, "turn")] if turns else []
        elif turns != self.source.ply:  # on other branches, too
            parts.append(f"{turns:,} played in all")
        parts.append(self.when)
        return ", ".join(parts) + (f"; {self.players}" if self.players else "")


def items(library: Library | None, games: Sequence[Game]) -> list[Item]:
    """All games and recordings of some games, newest first, without recordings of games that the library has."""
    by_name = {game.name: game for game in games}
    stored = library.games() if library is not None else []
    ends = library.ends() if library is not None else {}
    listed = [stored_item(each, by_name[each.game], *ends.get(each.id, ())) for each in stored if each.game in by_name]
    for each in saved({each.source for each in stored if each.source}):
        if each.error or each.game in by_name:
            listed.append(_saved_item(each, by_name.get(each.game)))
    return sorted(listed, key=lambda item: item.when, reverse=True)


def stored_item(stored: StoredGame, game: Game | None, wins: int = 0, losses: int = 0) -> Item:
    """The entry of a saved game, with its numbers of wins and other ends; earlier ends come first in its state."""
    standing = (Standing.WON if stored.is_won else Standing.LOST) if stored.outcome else Standing.GOES_ON
    title = printable(stored.title) or (game.title if game is not None else stored.game)
    state = printable(stored.outcome) or f"turn {stored.ply:,}"
    if wins > (standing is Standing.WON):
        state = f"won {wins}x, {state}"
    elif losses > (standing is Standing.LOST):
        state = f"lost {losses}x, {state}"
    ends = [end for end, number in ((Standing.WON, wins), (Standing.LOST, losses)) if number]
    return Item(stored, game, title, state, stored.played[:16], standing, _players(stored.players), ends)


def _saved_item(found: Saved, game: Game | None) -> Item:
    name = left_of(found.path)
    stem = printable(Path(name or found.path.name).stem)
    cut_short = f"{CUT_SHORT}; " if name is not None else ""
    if found.error or game is None:
        return Item(found, None, stem, f"{cut_short}can't be read", found.date, Standing.BROKEN)
    is_over = found.outcome != UNFINISHED
    standing = Standing.OVER if is_over else Standing.GOES_ON
    state = cut_short + (printable(found.outcome) if is_over else f"turn {found.turns:,}")
    title = printable(found.title) or stem
    return Item(found, game, title, state, printable(found.date), standing, _players(found.players))


def _players(by_seat: Any) -> str:
    return printable(", ".join(f"{seat}: {player}" for seat, player in by_seat.items()))


@dataclass(frozen=True, slots=True)
class Waiting:
    """The unfinished game that was played last."""

    item: Item
    opening: Opening
    was_interrupted: bool  # it was not left in order


def waiting(library: Library, games: Collection[Game]) -> Waiting | None:
    """The unfinished game, of some games, that was played last, or None."""
    by_name = {game.name: game for game in games}
    stored = next((stored for stored in library.games(WAITS) if stored.game in by_name), None)
    if stored is None:
        return None
    item = stored_item(stored, by_name[stored.game])
    return Waiting(item, opening(item, library), stored.was_interrupted)


def under_way(library: Library, game: Game, arguments: str) -> Opening | None:
    """The unfinished game played last of the level that these arguments of `GAME play` open, or None."""
    found = library.games(f"({WAITS}) AND game = ? AND arguments = ?", game.name, arguments)
    return opening(stored_item(found[0], game), library) if found else None


def opening(item: Item, library: Library | None, at_start: bool = False) -> Opening:
    """The opening of a game or recording: at its current turn, or as a replay from the start."""
    source = item.source
    if isinstance(source, Saved):
        read = partial(load, source.path, source.game, read_regular)
        return Opening(item.title, read, item.facts, is_at_end=not at_start)
    assert library is not None
    load_it: Callable[[], Any] = partial(recording_of, item, library) if at_start else partial(library.resume, source)
    return Opening(item.title, load_it, item.facts, source.seed, arguments=source.arguments)


def recording_of(item: Item, library: Library | None) -> Recording:
    """The recording of a game up to its current turn, or its last at the start. Raises LevelError if it can't."""
    source = item.source
    if isinstance(source, Saved):
        return load(source.path, source.game, read_regular)
    assert library is not None
    resumed = library.resume(source)
    if resumed.trouble:
        raise LevelError(resumed.trouble, str(library.path))
    turn = resumed.controller.turn
    if turn.parent is None:
        turn = last_of(turn)
    made = record(resumed.controller, source.game, source.players, source.title, source.played[:16], turn)
    return replace(made, file="")


def played(item: Item, library: Library | None) -> tuple[TurnController[Any, Any, Any], str]:
    """A game or recording replayed to its current turn, and what went wrong. Raises LevelError without a start."""
    if isinstance(item.source, StoredGame):
        assert library is not None
        resumed = library.resume(item.source)
        return resumed.controller, resumed.trouble
    recording = recording_of(item, library)
    controller, verdict = reexecute(recording)
    if controller is None:
        raise LevelError(verdict.message, recording.file, verdict.line or 1)
    return controller, "" if verdict.is_ok else verdict.message


def last_of(turn: Turn[Any, Any]) -> Turn[Any, Any]:
    """The last turn that redo leads to."""
    while turn.branches:
        turn = turn.branches[-1]
    return turn
