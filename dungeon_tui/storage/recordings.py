"""The player's saved recordings: a folder of files, one for each game."""

import json
import os
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from dungeon_tui.core.files import is_gone, left_of, open_regular, read_file, read_regular, write_bytes, write_new
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.recording import (
    CUT_OFF,
    JsonLine,
    Recording,
    RecordingError,
    read_recording,
    record,
    recorded_game,
    recording_text,
)
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import reason
from dungeon_tui.storage.folders import home

CUT_SHORT = "saving was interrupted"
"""The state of a recording whose writer ended before it gave the file its name."""
SUFFIX = ".jsonl"
_TAIL = 4096  # bytes in which a closing line is looked for
_REMOVED = ".removed"  # after the number of the process that may still bring it back
_LONGEST_NAME = 40  # characters of game and title in a file's name


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved recording, described by its first and last line."""

    path: Path
    game: str = ""
    title: str = ""
    outcome: str = ""
    turns: int = 0
    date: str = ""  # "2025-03-01 20:15"
    players: Mapping[str, str] = field(default_factory=dict)  # by seat
    error: str = ""  # why it can't be read; empty: it can


def folder() -> Path:
    """The folder of saved recordings; it may not exist yet."""
    return home() / "recordings"


def save(
    controller: TurnController[Any, Any, Any],
    game: str,
    strategies: Mapping[str, str],
    title: str,
    turn: Turn[Any, Any] | None = None,
    arguments: str = "",
) -> Path:
    """Writes a recording up to a turn, by default the current one, to a new file; returns its path. Raises OSError."""
    now = datetime.now()
    recording = record(controller, game, strategies, title, now.strftime("%Y-%m-%d %H:%M"), turn, arguments)
    folder().mkdir(parents=True, exist_ok=True)
    return write_new(folder() / f"{_stem(game, title, now)}{SUFFIX}", recording_text(recording).encode())


def save_page(game: str, title: str, page: str) -> Path:
    """Writes a web page to a new file beside the recordings; returns its path. Raises OSError."""
    folder().mkdir(parents=True, exist_ok=True)
    return write_new(folder() / f"{_stem(game, title, datetime.now())}.html", page.encode())


def _stem(game: str, title: str, now: datetime) -> str:
    """The name of a new file without its ending: crawler-below-the-abbey-2025-03-01-201530."""
    date = f"{now:%Y-%m-%d}"
    words = re.sub(r"\W+", "-", f"{game} {title}".replace(date, " ").lower()).strip("-")
    return f"{words[:_LONGEST_NAME].rstrip('-')}-{date}-{now:%H%M%S}"


def saved(known: Collection[str] = ()) -> list[Saved]:
    """The saved recordings but the `known`, newest first, with broken ones and partial copies; reads two lines each."""
    try:
        paths = [
            path
            for path in folder().iterdir()
            if (path.suffix == SUFFIX or left_of(path) is not None) and path.name not in known
        ]
    except OSError:
        return []  # nothing was saved yet
    return sorted(map(look_into, paths), key=lambda each: (each.date, each.path.name), reverse=True)


def load(path: Path | str, game: str = "", read: Callable[[Path, int], bytes] = read_file) -> Recording:
    """Reads a recording with a function of core.files. Raises LevelError if it can't, or it is of another game."""
    recording = read_recording(read_level_file(path, read=read))
    if game and recording.game != game:
        raise RecordingError(f"a recording of {recording.game}, not of {game}", str(path))
    return recording


def look_into(path: Path) -> Saved:
    """Describes a recording by its first and last line; `error` says why it is broken."""
    date = ""
    try:
        with suppress(ValueError, OverflowError):  # beyond the year 9999, or before the year 1
            date = datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
        first, last = _ends(path)
        header = JsonLine(str(path), 1, first)
        name = recorded_game(header)
        closing = JsonLine(str(path), 1, last)
        if "outcome" not in closing.values:
            raise header.error(CUT_OFF)
        return Saved(
            path,
            game=name,
            title=header.get_if_there("title", str),
            outcome=closing.get("outcome", str),
            turns=closing.get("turns", int),
            date=header.get_if_there("saved", str) or date,
            players={str(seat): str(player) for seat, player in header.get_if_there("strategies", dict).items()},
        )
    except LevelError as error:
        return Saved(path, date=date, error=error.message)
    except (OSError, ValueError, MemoryError) as error:
        return Saved(path, date=date, error=f"can't be read: {reason(error)}")


def _ends(path: Path) -> tuple[str, str]:
    """The first line of a file, and the last one or 4096 bytes. Raises LevelError, OSError or ValueError."""
    with open_regular(path) as file:
        first = file.readline()
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _TAIL))
        last = file.read().rstrip().rpartition(b"\n")[2]
    LevelFile(str(path), first).refuse_what_is_not_text()
    return first.decode(), last.decode("utf-8", "replace")


def remove(path: Path) -> Path:
    """Removes a recording from the folder; returns its new path, which `forget_removed` deletes. Raises OSError."""
    return path.rename(path.with_name(f"{path.name}.{os.getpid()}{_REMOVED}"))


def forget_removed(ours: bool = False) -> None:
    """Deletes recordings removed by ended processes; `ours`: by this one, too. Raises the first OSError at the end."""
    failed: list[OSError] = []
    for path in folder().glob(f"*{_REMOVED}"):
        number = path.name.removesuffix(_REMOVED).rpartition(".")[2]
        is_left = not (number.isdecimal() and len(number) < 20) or is_gone(int(number))
        if is_left or (ours and int(number) == os.getpid()):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                failed.append(error)
    if failed:
        raise failed[0]


def retitle(path: Path, title: str) -> None:
    """Changes the title in a recording. Raises LevelError or UnwritableError."""
    data = read_level_file(path, read=read_regular).data
    first, line_end, rest = data.partition(b"\n")
    LevelFile(str(path), first).refuse_what_is_not_text()
    header = JsonLine(str(path), 1, first.decode())
    recorded_game(header)
    write_bytes(path, json.dumps({**header.values, "title": title}).encode() + line_end + rest)
