"""Recordings and pages of games as files in the player's folder."""

import re
from datetime import datetime
from pathlib import Path
from typing import Any

from dungeon_tui.core.files import write_new
from dungeon_tui.core.level import read_level_file
from dungeon_tui.core.recording import Recording, RecordingError, read_recording, record, recording_text
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import Turn
from dungeon_tui.storage.folders import home

SUFFIX = ".jsonl"
_LONGEST_NAME = 40  # characters of game and title in a file's name


def folder() -> Path:
    """The folder of recordings and pages; it may not exist yet."""
    return home() / "recordings"


def save(session: Session, game: str, title: str, turn: Turn[Any, Any] | None = None) -> Path:
    """Writes a recording up to a turn, by default the last to keep, to a new file; returns its path. Raises OSError."""
    saved, turn = f"{datetime.now():%Y-%m-%d %H:%M}", turn or session.turn_to_keep
    return write(record(session.controller, game, session.players, title, saved, turn, session.arguments))


def write(recording: Recording) -> Path:
    """Writes a recording to a new file; returns its path. Raises OSError."""
    return _write_new(recording.game, recording.title, SUFFIX, recording_text(recording))


def save_page(game: str, title: str, page: str) -> Path:
    """Writes a web page to a new file beside the recordings; returns its path. Raises OSError."""
    return _write_new(game, title, ".html", page)


def _write_new(game: str, title: str, suffix: str, text: str) -> Path:
    """Writes a new file, such as crawler-below-the-abbey-2025-03-01-201530.jsonl."""
    now = datetime.now()
    words = re.sub(r"\W+", "-", f"{game} {title}".replace(f"{now:%Y-%m-%d}", " ").lower()).strip("-")
    stem = f"{words[:_LONGEST_NAME].rstrip('-')}-{now:%Y-%m-%d-%H%M%S}"
    folder().mkdir(parents=True, exist_ok=True)
    return write_new(folder() / f"{stem}{suffix}", text.encode())


def load(path: Path | str, game: str = "") -> Recording:
    """Reads a recording. Raises LevelError if it can't, or it is of another game."""
    recording = read_recording(read_level_file(path))
    if game and recording.game != game:
        raise RecordingError(f"a recording of {recording.game}, not of {game}", str(path))
    return recording
