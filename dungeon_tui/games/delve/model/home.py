"""The course's own place for a dungeon, and writing where nothing may be lost."""

from __future__ import annotations

from pathlib import Path

from dungeon_tui.core.files import UnwritableError, write_bytes
from dungeon_tui.games.delve.model.dungeon import write_level
from dungeon_tui.games.delve.model.level import Level


def home() -> Path:
    """The file in which the course's programs keep their dungeon."""
    return Path.home() / ".rlg327" / "dungeon"


def keep(level: Level, target: Path | None) -> Path | None:
    """Writes a level to a file, or with None to the course's own place.

    Returns:
        Where what lay in that place is kept; None where nothing did, or where the file lies elsewhere.

    Raises:
        LevelError: the level can't be written in the course's layout.
        UnwritableError: the file can't be written.
    """
    data = write_level(level)
    path = home() if target is None else target
    try:
        if target is None:
            path.parent.mkdir(exist_ok=True)
        is_home = path.resolve() == home().resolve()  # however it is named
        backup = _back_up(path) if is_home and path.exists() else None
        write_bytes(path, data)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise UnwritableError(path, error) from None
    return backup


def _back_up(path: Path) -> Path:
    """Keeps the file as NAME.bak, or NAME.bak2, NAME.bak3 ...: a backup is never overwritten."""
    data = path.read_bytes()
    number = 1
    while True:
        backup = path.with_name(f"{path.name}.bak{number if number > 1 else ''}")
        try:
            with backup.open("xb") as copy:
                copy.write(data)
        except FileExistsError:
            number += 1
            continue
        return backup
