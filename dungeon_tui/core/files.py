"""Writing files whole, and saying before the work whether they can be written."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from dungeon_tui.core.level import printable
from dungeon_tui.core.words import reason


class UnwritableError(Exception):
    """A file can't be written: which one, and why."""

    def __init__(self, path: Path, error: OSError | ValueError) -> None:
        super().__init__(f"{printable(str(path))}: can't be written: {reason(error)}")


def refuse_unwritable(path: Path, sources: Iterable[str | Path] = ()) -> None:
    """Better before the work than after it; nothing is changed.

    Args:
        path: what will be written.
        sources: what the work reads: files, FILE.py:FUNCTION, or names that are no files at all.

    Raises:
        UnwritableError: it can't be written, or is one of the sources.
    """
    try:
        for source in map(str, sources):
            if any(_are_same(path, name) for name in (source, source.rpartition(":")[0])):
                raise ValueError("it is read too; choose another name")
        if path.is_dir() or path.is_file():
            path.open("ab").close()
        if path.is_file() or not path.exists():
            part = _part(path)
            part.touch()
            part.unlink()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name, too
        raise UnwritableError(path, error) from None


def write_text(path: Path, text: str) -> None:
    """As `write_bytes`, in UTF-8, with the same line ends everywhere."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file whole, or leaves what was there.

    Raises:
        UnwritableError: it can't be written.
    """
    try:
        if path.exists() and not path.is_file():  # a pipe or a device: nothing to replace
            path.write_bytes(data)
            return
        part = _part(path)
        try:
            part.write_bytes(data)
            part.replace(path.resolve())
        finally:
            part.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise UnwritableError(path, error) from None


def _part(path: Path) -> Path:
    """Path at which a file is written before it replaces the one that is there; links stay links."""
    target = path.resolve()
    return target.with_name(f"{target.name}.{os.getpid()}.part")


def _are_same(path: Path, name: str) -> bool:
    with suppress(OSError, ValueError):
        return os.path.samefile(path, name)
    return False
