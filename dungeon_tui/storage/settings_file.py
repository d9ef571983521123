"""Changes of the settings, written into their file beside all else that stands there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from dungeon_tui.core.files import UnwritableError, read_regular, set_aside, write_text
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.toml_places import Keys, leaves, read_toml
from dungeon_tui.storage.settings import MOST_BYTES, Settings, Value, named, values_of

_HEAD = (
    "# Settings of dungeon-tui; docs/settings.md describes them. The program changes values, and leaves all else.\n\n"
)


def keep(path: Path, settings: Settings, changes: Mapping[Keys, Value | None]) -> Path | None:
    """Writes changed values into the file, durably; comments and order survive.

    Args:
        path: the file; it is made where there is none.
        settings: as they are with the changes.
        changes: values by their paths; None: the value goes, so that the default holds.

    Returns:
        The path under which a file that can't be read or changed was set aside; a new one then holds all settings.
        Else None.

    Raises:
        UnwritableError: it can't be written; it is as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableError(path, error) from None
    aside = text = None
    if path.exists():
        text = _changed(path, changes)
        if text is None:
            aside = set_aside(path, "unreadable")
    if text is None:
        text = _with_values(LevelFile(str(path), _HEAD.encode()), {**values_of(settings), **changes}) or _HEAD
    try:
        write_text(path, text)
    except UnwritableError:
        if aside is not None:
            aside.rename(path)
        raise
    return aside


def _changed(path: Path, changes: Mapping[Keys, Value | None]) -> str | None:
    """The file's text with the changes; None if it can't be read."""
    try:
        return _with_values(read_level_file(path, MOST_BYTES, read_regular), changes)
    except LevelError:
        return None


def _with_values(file: LevelFile, changes: Mapping[Keys, Value | None]) -> str | None:
    """The text with the changes and nothing else changed; None if tomlkit can't do that.

    Raises:
        LevelError: it is no TOML.
    """
    before = dict(leaves(read_toml(file)))
    places = {named(full): full for full in before}
    wanted = {named(full): value for full, value in before.items()} | dict(changes)
    try:
        document = tomlkit.parse(file.data[file.text_start :].decode())
        for name, value in changes.items():
            _change(document, places.get(name, name), value)
        text = tomlkit.dumps(document)
        after = {named(full): value for full, value in leaves(read_toml(LevelFile(file.name, text.encode())))}
    except (TOMLKitError, LevelError, LookupError, ValueError, TypeError, AttributeError, RecursionError):
        return None  # what TOML's own reader takes and tomlkit doesn't
    return text if _same(after) == _same(wanted) and len(text.encode()) <= MOST_BYTES else None


def _change(document: tomlkit.TOMLDocument, path: Keys, value: Value | None) -> None:
    table: Any = document
    for key in path[:-1]:
        if key not in table:
            table.add(key, tomlkit.table())
        table = table[key]
    if value is not None:
        table[path[-1]] = value
    elif path[-1] in table:
        table.remove(path[-1])


def _same(values: Mapping[Keys, Any]) -> dict[Keys, str]:
    """Values to compare, those that are to go left out; nan is equal to itself, and 1 is not True."""
    return {path: repr(value) for path, value in values.items() if value is not None}
