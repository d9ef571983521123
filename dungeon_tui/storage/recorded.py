"""The folder of recordings, which was all the library once, taken into the library that came after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from threading import Event
from typing import Any

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.files import read_regular
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.recording import reexecute
from dungeon_tui.core.scores import Score
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.exchange import Carried, CarriedEnd, Export, key_of, take_in
from dungeon_tui.storage.library import Library, packed
from dungeon_tui.storage.recordings import Saved, load, saved

Judge = Callable[[str, TurnController[Any, Any, Any], Mapping[str, str]], tuple[bool, Sequence[Score]]]
"""game, controller at the end, players by seat -> whether a person has won, and the scores."""


_DONE = 1  # the database's application_id, once the recordings were taken in; 0 before


def waits_for_recordings(library: Library) -> bool:
    """True if the folder's recordings were not taken into the library as yet.

    Raises:
        LibraryError: it can't be read.
    """
    with library.reading() as database:
        return not library.is_readonly and database.execute("PRAGMA application_id").fetchone()[0] != _DONE


def take_recordings(library: Library, judged: Judge, progress: Callable[[int, int], object], stop: Event) -> list[str]:
    """Takes the recordings of the folder into a library, once for all; the files stay, and broken ones are left.

    Args:
        library: where they are kept from now on.
        judged: says what ends are worth.
        progress: told how many of them are done, and how many there are.
        stop: ends it before the next recording, once set.

    Returns:
        A line for each recording that was left: its name, and why.

    Raises:
        LibraryError: it can't be written.
    """
    left: list[str] = []
    found = saved({kept.source for kept in library.games()})
    for number, each in enumerate(found):
        if stop.is_set():
            return left
        progress(number, len(found))
        try:
            game = _carried(each, judged)
        except (LevelError, MemoryError) as error:
            what = error.message if isinstance(error, LevelError) else "there is not enough memory for this"
            left.append(f"{printable(each.path.name)}: {what}")
        else:
            if game is not None:
                take_in(library, game)
    progress(len(found), len(found))
    with library.writing() as database:
        database.execute(f"PRAGMA application_id = {_DONE}")
    return left


def _carried(found: Saved, judged: Judge) -> Export | None:
    """A recording as a game of a library; None where nothing was played in it."""
    if found.error:
        raise LevelError(found.error, str(found.path))
    recording = load(found.path, read=read_regular)
    controller, verdict = reexecute(recording)
    if controller is None or not verdict.is_ok:
        raise LevelError(f"goes another way at {verdict.message}", str(found.path))
    if not recording.actions:
        return None
    game = find_game(recording.game)
    assert game is not None
    turns = len(recording.actions)
    outcome, at, players = controller.outcome, _time(found), dict(recording.strategies)
    is_won, scores = (False, ()) if outcome is None else judged(recording.game, controller, players)
    level = game.levels().pack_level(controller.level)
    key, _ = packed(level)
    values = {
        "key": key_of(read_regular(found.path)),
        "game": recording.game,
        "rules": recording.rules_version,
        "level": key,
        "seed": recording.seed,
        "title": printable(recording.title or found.path.stem),
        "arguments": "",
        "players": {str(seat): str(player) for seat, player in players.items()},
        "began": at,
        "played": at,
        "seconds": 0.0,
        "present": turns,
        "last": turns,
        "outcome": outcome.name if outcome is not None else "",
        "is_won": is_won,
        "is_helped": False,  # recordings don't say so
        "daily": "",
        "source": found.path.name,
        "checked": turns,
        "fingerprint": recording.last_hash,
    }
    carried = Carried(values, list(enumerate(recording.actions)))
    if outcome is not None:
        rows = tuple((score.aim, score.value, score.par, score.is_less_better) for score in scores)
        carried.ends.append(CarriedEnd(turns, at, outcome.name, is_won, False, False, 0.0, rows))
    return Export({key: level}, [carried])


def _time(found: Saved) -> str:
    """The time when a recording was saved, as the library writes it; now, where it doesn't say."""
    try:
        return datetime.fromisoformat(found.date).replace(tzinfo=None).isoformat(sep=" ", timespec="seconds")
    except ValueError:
        return datetime.now().isoformat(sep=" ", timespec="seconds")
