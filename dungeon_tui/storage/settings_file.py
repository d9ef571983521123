"""Changes settings in their file and leaves everything else in it alone."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from dungeon_tui.core.files import UnwritableError, make_folder, read_regular, set_aside, write_text
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.toml_positions import Keys, leaves, read_toml
from dungeon_tui.storage.settings import MOST_BYTES, Settings, Value, named, values_of

_HEAD = "# Settings of dungeon-tui; docs/settings.md describes them. The program changes values and keeps the rest.\n\n"


def keep(path: Path, settings: Settings, changes: Mapping[Keys, Value | None]) -> Path | None:
    """Writes changes, keeping comments; None removes. Returns where a bad file went. Raises UnwritableError."""
    make_folder(path.parent)
    aside = text = None
    if path.exists():
        with suppress(LevelError):
            text = _with_values(read_level_file(path, MOST_BYTES, read_regular), changes)
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


def _with_values(file: LevelFile, changes: Mapping[Keys, Value | None]) -> str | None:
    """The text with only these changes; None if tomlkit can't do that. Raises LevelError if it is no TOML."""
    before = dict(leaves(read_toml(file)))
    full_names = {named(full): full for full in before}
    wanted = {named(full): value for full, value in before.items()} | dict(changes)
    try:
        document = tomlkit.parse(file.data[file.text_start :].decode())
        for name, value in changes.items():
            _change(document, full_names.get(name, name), value)
        text = tomlkit.dumps(document)
        after = {named(full): value for full, value in leaves(read_toml(LevelFile(file.name, text.encode())))}
    except (TOMLKitError, LevelError, LookupError, ValueError, TypeError, AttributeError, RecursionError):
        return None  # valid TOML that tomlkit rejects
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
    """Values for comparison, without removed ones; nan equals itself, and 1 is not True."""
    return {path: repr(value) for path, value in values.items() if value is not None}
