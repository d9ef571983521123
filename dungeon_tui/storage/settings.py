"""The player's settings: one table of all there are, and the file in which they are kept.

Whatever that file holds, it is read: what is wrong is told with its place and left out, and the rest holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dungeon_tui.core.files import read_regular, set_aside
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.core.toml_places import Keys, leaves, offsets, read_toml
from dungeon_tui.storage.places import settings_home

FILE = "settings.toml"
MOST_BYTES = 64 * 2**10
MOST_TROUBLES = 20  # that are told of one file
_LONGEST = 60  # characters of a text, and of a name in a message
_LONGEST_COMMAND = 1000

Value = str | bool


@dataclass(frozen=True, slots=True)
class Setting:
    """The words on one setting, as the reader, the screen, the docs and the doctor know it."""

    title: str
    help: str
    choices: tuple[Value, ...] = ()  # the values it may have; none: whoever uses them knows more


def _one_of(default: Value, choices: Sequence[Value], title: str, help: str) -> Any:
    return field(default=default, metadata={"setting": Setting(title, help, tuple(choices))})


def _table(title: str, help: str) -> Any:
    return field(default_factory=dict, metadata={"setting": Setting(title, help)})


@dataclass(frozen=True)
class Settings:
    """All settings, by their names in the file. This table is all that the program knows of them."""

    theme: str = _one_of(
        "dungeon-dark", (), "Theme", "The colours: ours, two of them for the colour-blind, or one of Textual's."
    )
    glyphs: str = _one_of(
        "auto", ("auto", "unicode", "ascii"), "Characters",
        "The characters that maps and frames are drawn with; auto: ASCII where the terminal has no others."
        " A game that is open keeps its own.",
    )  # fmt: skip
    moves: str = _one_of(
        "all", ("all", "wasd", "hjkl", "arrows"), "Keys that move",
        "The letters that move, beside the arrows and the number pad: w a s d and h j k l (with y u b n), one of the"
        " two, or none. The others are free for keys of your own.",
    )  # fmt: skip
    zoom: str = _one_of(
        "fit", ("fit", "1", "2", "3", "5", "7", "11"), "Zoom",
        "The columns of a cell when a game opens; fit: as large as the map allows.",
    )  # fmt: skip
    sprites: bool = _one_of(
        True, (True, False), "Drawn tiles",
        "Where cells are large, what stands on them is drawn; off: it is spelt. In ASCII it always is.",
    )  # fmt: skip
    animation: bool = _one_of(
        True, (True, False), "Animation", "Journeys, answers and changes are shown step by step; off: at once."
    )
    speed: str = _one_of(
        "5", ("1", "2", "5", "10", "20", "50", "100", "200", "500"), "Speed",
        "The moves a second when a game plays by itself. The keys that change it in a game change it here.",
    )  # fmt: skip
    hints: str = _one_of(
        "at once", ("at once", "ask first", "never"), "Hints",
        "The key for hints gives one at once; asks first, once in each game; or never gives any.",
    )  # fmt: skip
    lost: str = _one_of(
        "asked", ("at once", "asked", "never"), "A game that is lost",
        "It can't be won any more: that is told at once, when you ask, or never. A key of the crawler changes it too.",
    )  # fmt: skip
    bell: bool = _one_of(False, (True, False), "Bell", "The terminal rings when a move can't be played.")
    keys: Mapping[str, str] = _table(
        "Single keys", 'The keys of a command by its id, such as "move.up" = "up,i"; they replace all it had.'
    )
    programs: Mapping[str, str] = _table(
        "Programs",
        'Your own players by name: mine = "java -cp build Bridge" is @mine wherever the chase takes a strategy.',
    )
    games: Mapping[str, Mapping[str, Value]] = _table(
        "As you left it", "The lines, marks and numbers that were shown in each game last; the program notes them."
    )


TABLE: Mapping[str, Setting] = {each.name: each.metadata["setting"] for each in fields(Settings)}
"""The settings by name, in their order."""
SINGLE = tuple(name for name in TABLE if name not in ("keys", "programs", "games"))
"""Names of the settings that have one value."""


class SettingError(LevelError):
    """A setting that can't be used, and is left out; says where it stands, and what would be right."""


@dataclass(frozen=True)
class Loaded:
    """The settings that a file holds, and what is wrong with it."""

    file: LevelFile
    settings: Settings = field(default_factory=Settings)
    troubles: tuple[SettingError, ...] = ()

    def error(self, path: Keys, message: str, *, at_key: bool = False) -> SettingError:
        """The error, to be told, that names the place of a value or of its key; the file's start if it isn't there."""
        key, value = self._places.get(path, (0, 0))
        before = self._text[: key if at_key else value]
        column = len(before) - before.rfind("\n")
        return SettingError(message, self.file.name, before.count("\n") + 1, column)

    @cached_property
    def _text(self) -> str:
        return self.file.data[self.file.text_start :].decode()

    @cached_property
    def _places(self) -> dict[Keys, tuple[int, int]]:
        """Offsets of keys and values, by the path as settings name it: keys of keys and games are one name each."""
        try:
            return {named(path): place for path, place in offsets(self._text).items()}
        except RecursionError:  # brackets as deep as TOML's own reader just takes
            return {}


def named(path: Keys) -> Keys:
    """The path of a value as settings name it: ids hold dots, whether the file quotes them or not.

    >>> named(("keys", "move", "up")), named(("games", "crawler", "overlay", "kind"))
    (('keys', 'move.up'), ('games', 'crawler', 'overlay.kind'))
    """
    depth = {"keys": 1, "programs": 1, "games": 2}.get(path[0], 0)
    return path if len(path) <= depth + 1 else (*path[:depth], ".".join(path[depth:]))


def settings_path() -> Path:
    """The path of the settings' file; it may not be there yet.

    Raises:
        OSError: nobody says where.
    """
    return settings_home() / FILE


def load_settings(path: Path) -> Loaded:
    """Reads the settings from a file; where there is none, the defaults hold."""
    try:
        return parse(read_level_file(path, MOST_BYTES, read_regular))
    except LevelError as error:
        nothing = LevelFile(str(path), b"")
        if not path.exists():
            return Loaded(nothing)
        return Loaded(nothing, troubles=(SettingError(error.message, str(path)),))


def own_programs() -> Mapping[str, str]:
    """Commands of the player's own programs by their names in the settings; none where nobody says where these lie."""
    try:
        return load_settings(settings_path()).settings.programs
    except OSError:
        return {}


def reset(path: Path) -> Path | None:
    """Sets the file aside, so that all defaults hold; returns its new path, None if there was no file.

    Raises:
        UnwritableError: it can't be renamed; it stays as it is.
    """
    return set_aside(path, "old") if path.exists() else None


def parse(file: LevelFile) -> Loaded:
    """Reads settings from a file's text; what is wrong is among the `troubles`, in the order of the file."""
    try:
        values = read_toml(file)
    except LevelError as error:
        trouble = SettingError(f"{error.message}; no setting of this file holds", file.name, error.line, error.column)
        return Loaded(LevelFile(file.name, b""), troubles=(trouble,))
    loaded, settings = Loaded(file), Settings()
    troubles: list[SettingError] = []
    for full, value in leaves(values):
        path = named(full)
        try:
            settings = with_value(settings, path, value)
        except KeyError as error:
            troubles.append(loaded.error(path, error.args[0], at_key=True))
        except ValueError as error:
            troubles.append(loaded.error(path, str(error)))
    troubles.sort(key=lambda trouble: (trouble.line, trouble.column))
    return Loaded(file, settings, tuple(troubles[:MOST_TROUBLES]))


def with_value(settings: Settings, path: Keys, value: object) -> Settings:
    """The settings with another value at a path, which is checked.

    Raises:
        KeyError: there is no such setting; its argument says which there are.
        ValueError: the value is none of those that the setting may have; says which these are.
    """
    name, *rest = path
    shown = printable(".".join(path))[:_LONGEST]
    if name not in TABLE or (rest and name in SINGLE):
        raise KeyError(f"there is no setting {shown}; there are {', '.join(TABLE)}")
    if name == "keys":
        if len(rest) != 1:
            raise ValueError('keys holds ids and their keys: [keys], then "move.up" = "up,i"')
        return replace(settings, keys={**settings.keys, rest[0]: _keys(value)})
    if name == "programs":
        if len(rest) != 1 or not isinstance(value, str) or not value.strip() or not _is_short(value, _LONGEST_COMMAND):
            raise ValueError('programs holds names and their commands: [programs], then mine = "./mine"')
        return replace(settings, programs={**settings.programs, rest[0]: value})
    if name == "games":
        if len(rest) != 2:
            raise ValueError("games holds a table for each game: [games.crawler], then sight = true")
        if not isinstance(value, bool | str) or not _is_short(value):
            raise ValueError(f"{shown} must be true, false or a short text")
        game, key = rest
        return replace(settings, games={**settings.games, game: {**settings.games.get(game, {}), key: value}})
    choice: Any = _choice(name, value)
    return replace(settings, **{name: choice})


def without(settings: Settings, path: Keys) -> Settings:
    """The settings without what was set at a path: the default holds."""
    name, *rest = path
    if name == "keys":
        return replace(settings, keys={key: value for key, value in settings.keys.items() if key != rest[0]})
    if name == "programs":
        return replace(settings, programs={key: each for key, each in settings.programs.items() if key != rest[0]})
    if name == "games":
        game, key = rest
        own = {each: value for each, value in settings.games.get(game, {}).items() if each != key}
        others = {each: values for each, values in settings.games.items() if each != game}
        return replace(settings, games=others | ({game: own} if own else {}))
    return replace(settings, **{name: getattr(Settings(), name)})


def values_of(settings: Settings) -> dict[Keys, Value]:
    """All values that differ from the defaults, by their paths."""
    default = Settings()
    single = {(name,): getattr(settings, name) for name in SINGLE}
    found: dict[Keys, Value] = {path: value for path, value in single.items() if value != getattr(default, path[0])}
    found |= {("programs", key): value for key, value in settings.programs.items()}
    found |= {("keys", key): value for key, value in settings.keys.items()}
    found |= {("games", game, key): value for game, own in settings.games.items() for key, value in own.items()}
    return found


def truth(value: Value) -> bool:
    """The value, if it is true or false; else ValueError, which says so."""
    if not isinstance(value, bool):
        raise ValueError("it is true or false")
    return value


def shown_value(value: Value) -> str:
    """A value as people and the file read it.

    >>> shown_value(True), shown_value("at once")
    ('true', '"at once"')
    """
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


def _choice(name: str, value: object) -> Value:
    choices = TABLE[name].choices
    if isinstance(value, int) and not isinstance(value, bool):  # 3 for "3"
        value = str(value) if abs(value) < 10**6 else ""
    if not choices and isinstance(value, str) and value and _is_short(value):
        return value
    if isinstance(value, bool | str):
        for choice in choices:
            if choice == value and type(choice) is type(value):
                return choice
    wanted = " or ".join(map(shown_value, choices)) if choices else "a name in quotes"
    raise ValueError(f"{name} must be {wanted}")


def _is_short(value: Value, longest: int = _LONGEST) -> bool:
    return isinstance(value, bool) or (len(value) <= longest and value.isprintable())


_NAMED = {
    "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete", "backspace", "enter",
    "tab", "escape", "space", *(f"f{number}" for number in range(1, 25)),
}  # fmt: skip
_SIGNS = {"slash", "backslash", "underscore", "minus", "plus"}  # not as Unicode names them
_HELD = re.compile(r"(?:(?:ctrl|shift|alt|super)\+)*+(?=.)")


def _keys(value: object) -> str:
    """A comma-separated list of keyboard keys, without blanks around them; ValueError where one is no key."""
    if not isinstance(value, str) or not value or not _is_short(value):
        raise ValueError('keys are a text: "i" or "up,ctrl+u"; a comma among them is called comma')
    for key in value.split(","):
        bare = _HELD.sub("", key.strip(), count=1)
        is_sign = len(bare) == 1 and bare.isprintable() and bare != " "
        if not is_sign and bare not in _NAMED and bare not in _SIGNS and not _is_character(bare):
            raise ValueError(f"there is no key {printable(key)!r}; keys are called i, I, ?, f2, up, ctrl+u, comma")
    return ",".join(key.strip() for key in value.split(","))


def _is_character(name: str) -> bool:
    try:
        return name.islower() and bool(unicodedata.lookup(name.replace("_", " ")))
    except KeyError:
        return False
