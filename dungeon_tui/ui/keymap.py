"""Keys as settings bind them: presets of letters that move, and keys of single commands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from textual.keys import _character_to_key

from dungeon_tui.core.text import printable
from dungeon_tui.storage.settings import Settings
from dungeon_tui.ui.keys import MOVE_KEYS, Key, shown_key

_LETTERS = {"all": "wasdhjklyubn", "wasd": "wasd", "hjkl": "hjklyubn", "arrows": ""}
_MOVERS = ("move", "menu", "editor", "settings")  # ids begin so


@dataclass(frozen=True, slots=True)
class KeyTable:
    """The keys of one screen."""

    title: str
    keys: tuple[Key, ...]


def preset(moves: str) -> dict[str, str]:
    """Keys of the commands that move, by id, with the letters of one preset; empty if they keep all letters.

    >>> preset("wasd")["move.up"], preset("arrows")["move.up-left"], preset("all")
    ('up,w,8', 'home,7', {})
    """
    freed = set(_LETTERS["all"]) - set(_LETTERS[moves])
    if not freed:
        return {}
    return {
        f"{mover}.{name}": ",".join(key for key in keys.split(",") if key not in freed)
        for name, keys in MOVE_KEYS.items()
        for mover in _MOVERS
    }


def keymap(settings: Settings) -> dict[str, str]:
    """Keys by id, for the commands whose keys the settings change."""
    return preset(settings.moves) | {name: long_names(keys) for name, keys in settings.keys.items()}


def long_names(keys: str) -> str:
    """Keys as Textual names them.

    >>> long_names("?,up,ctrl+u")
    'question_mark,up,ctrl+u'
    """
    return ",".join(_character_to_key(key) if len(key) == 1 else key for key in keys.split(","))


def checked(settings: Settings, tables: Sequence[KeyTable]) -> tuple[dict[str, str], dict[str, str]]:
    """The keymap without invalid keys, and the reasons by id. Of two commands with a key the first keeps it."""
    known = {key.id for table in tables for key in table.keys}
    refused = {
        name: f"there is no command {printable(name)!r}; the settings' screen lists them under Single keys"
        for name in settings.keys
        if name not in known
    }
    while True:
        own = {name: keys for name, keys in settings.keys.items() if name not in refused}
        bound = keymap(replace(settings, keys=own))
        found = _first_conflict(tables, bound, {name: number for number, name in enumerate(own, 1)})
        if found is None:
            return bound, refused
        refused[found[0]] = found[1]


def _first_conflict(
    tables: Sequence[KeyTable], bound: Mapping[str, str], order: Mapping[str, int]
) -> tuple[str, str] | None:
    """The id of the later of two commands with the same key on a screen, with a message; None if there is none."""
    for table in tables:
        taken: dict[str, Key] = {}
        for key in sorted(table.keys, key=lambda key: order.get(key.id, 0)):
            for name in filter(None, bound.get(key.id, key.keys).split(",")):
                other = taken.setdefault(name, key)
                if other.id != key.id and key.id in order:
                    whose = f"belongs to {other.label} ({other.id}) already, in {table.title}"
                    return key.id, f"the key {shown_key(name)} {whose}"
    return None
