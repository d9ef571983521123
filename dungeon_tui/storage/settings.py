"""The player's settings: one table, their file, and those in force. Faults are reported with line and column."""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from dungeon_tui.core.files import UnwritableError, make_folder, read_regular, set_aside, write_text
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.core.toml_positions import Keys, leaves, offsets, read_toml
from dungeon_tui.core.words import reason
from dungeon_tui.storage.folders import settings_home

FILE = "settings.toml"
MOST_BYTES = 64 * 2**10
_HEAD = "# Settings of dungeon-tui; docs/settings.md describes them. The program changes values and keeps the rest.\n\n"
MAX_FAULTS = 20  # reported of one file
_MAX_LENGTH = 60  # characters of a text, and of a name in a message
_MAX_COMMAND = 1000

_NAMED_THEMES = 4  # in a message

Value = str | bool
Changes = Mapping[Keys, Value | None]  # None: the default


@dataclass(frozen=True, slots=True)
class Setting:
    """The words for one setting, on its screen, in the docs and in messages."""

    title: str
    help: str
    choices: tuple[Value, ...] = ()  # the valid values; none: its user checks it


def _one_of(default: Value, choices: tuple[Value, ...], title: str, help: str) -> Any:
    return field(default=default, metadata={"setting": Setting(title, help, choices)})


def _table(title: str, help: str) -> Any:
    return field(default_factory=dict, metadata={"setting": Setting(title, help)})


@dataclass(frozen=True)
class Settings:
    """All settings, by their names in the file."""

    theme: str = _one_of(
        "dungeon-dark", (), "Theme", "The colours: ours, two of them for colour-blind eyes, or one of Textual's."
    )
    glyphs: str = _one_of(
        "auto", ("auto", "unicode", "ascii"), "Characters",
        "The characters of maps and frames; auto: ASCII if the terminal has no others."
        " Applies to the next game you open.",
    )  # fmt: skip
    moves: str = _one_of(
        "all", ("all", "wasd", "hjkl", "arrows"), "Keys that move",
        "The letters that move, in addition to the arrows and the number pad: w a s d and h j k l (with y u b n), one"
        " of the two, or none. You can give the other letters to commands.",
    )  # fmt: skip
    zoom: str = _one_of(
        "fit", ("fit", "1", "2", "3", "5", "7", "11"), "Zoom",
        "The width of a cell in columns when a game opens; fit: as large as the map allows.",
    )  # fmt: skip
    sprites: bool = _one_of(
        True, (True, False), "Drawn tiles",
        "Draw tiles as pictures on large cells; off: as characters, as ASCII always does.",
    )  # fmt: skip
    animation: bool = _one_of(
        True, (True, False), "Animation", "Show journeys, answers and changes step by step; off: immediately."
    )
    speed: str = _one_of(
        "5", ("1", "2", "5", "10", "20", "50", "100", "200", "500"), "Speed",
        "Moves a second when a game plays by itself. While turns play, { and } change it here.",
    )  # fmt: skip
    hints: str = _one_of(
        "ask first", ("ask first", "at once", "never"), "Hints",
        "Ask before a hint counts as help, give it at once, or never give any.",
    )  # fmt: skip
    lost: str = _one_of(
        "asked", ("at once", "asked", "never"), "Say a game is lost",
        "When the crawler says that a game can't be won any more. "
        "Routes, exploring, the chase's tasks and the deep's lessons always say it.",
    )  # fmt: skip
    bell: bool = _one_of(False, (True, False), "Bell", "Ring the terminal's bell when a move is illegal.")
    keys: Mapping[str, str] = _table(
        "Single keys", 'The keys of a command by its id, such as "move.up" = "up,i"; they replace its default keys.'
    )
    programs: Mapping[str, str] = _table(
        "Programs",
        'Your own strategies of the chase by name: mine = "java -cp build Bridge" is @mine in every command.',
    )
    games: Mapping[str, Mapping[str, Value]] = _table(
        "Overlays left on", "What each game last showed on its map; the program writes this."
    )


TABLE: Mapping[str, Setting] = {each.name: each.metadata["setting"] for each in fields(Settings)}
"""The settings by name, in their order."""
SINGLE = tuple(name for name in TABLE if name not in ("keys", "programs", "games"))
"""Names of the settings that have one value."""


@dataclass(frozen=True)
class Loaded:
    """The settings of a file, and its faults."""

    file: LevelFile
    settings: Settings = field(default_factory=Settings)
    troubles: tuple[LevelError, ...] = ()

    def error(self, path: Keys, message: str, *, at_key: bool = False) -> LevelError:
        """The error at a value or at its key; at the start of the file if the value isn't there."""
        key, value = self._positions.get(path, (0, 0))
        before = self._text[: key if at_key else value]
        return self.file.error(self.file.text_start + len(before.encode()), message)

    @cached_property
    def _text(self) -> str:
        return self.file.data[self.file.text_start :].decode()

    @cached_property
    def _positions(self) -> dict[Keys, tuple[int, int]]:
        try:
            return {named(path): position for path, position in offsets(self._text).items()}
        except RecursionError:  # brackets as deep as TOML's own reader just takes
            return {}


def named(path: Keys) -> Keys:
    """The path of a value as settings name it. Ids contain dots, whether the file quotes them or not.

    >>> named(("keys", "move", "up")), named(("games", "crawler", "overlay", "kind"))
    (('keys', 'move.up'), ('games', 'crawler', 'overlay.kind'))
    """
    depth = {"keys": 1, "programs": 1, "games": 2}.get(path[0], 0)
    return path if len(path) <= depth + 1 else (*path[:depth], ".".join(path[depth:]))


def settings_path() -> Path:
    """The path of the settings file, which may not exist. Raises OSError if there is no home folder."""
    return settings_home() / FILE


def load_settings(path: Path) -> Loaded:
    """Reads the settings from a file; without one the defaults hold."""
    try:
        return parse(read_level_file(path, MOST_BYTES, read_regular))
    except LevelError as error:
        troubles = (LevelError(error.message, str(path)),) if path.exists() else ()
        return Loaded(LevelFile(str(path), b""), troubles=troubles)


def own_settings() -> Loaded | None:
    """The player's settings; None if there is no home folder."""
    try:
        return load_settings(settings_path())
    except OSError:
        return None


def own_programs() -> Mapping[str, str]:
    """Commands of the player's own programs by name; none if there is no home folder."""
    loaded = own_settings()
    return {} if loaded is None else loaded.settings.programs


def parse(file: LevelFile) -> Loaded:
    """Reads settings from a file's text; the `troubles` are in the order of the file."""
    try:
        tree = read_toml(file)
    except LevelError as error:
        trouble = LevelError(f"{error.message}; no setting of this file holds", file.name, error.line, error.column)
        return Loaded(LevelFile(file.name, b""), troubles=(trouble,))
    loaded, values = Loaded(file), dict[Keys, Value]()
    troubles: list[LevelError] = []
    for full, value in leaves(tree):
        path = named(full)
        try:
            values[path] = _checked(path, value)
        except KeyError as error:
            troubles.append(loaded.error(path, error.args[0], at_key=True))
        except ValueError as error:
            troubles.append(loaded.error(path, str(error)))
    troubles.sort(key=lambda trouble: (trouble.line, trouble.column))
    return Loaded(file, _settings(values), tuple(troubles[:MAX_FAULTS]))


def with_value(settings: Settings, path: Keys, value: object) -> Settings:
    """The settings with another value at a path. Raises KeyError, which lists the settings, or ValueError."""
    return _settings({**values_of(settings), path: _checked(path, value)})


def without(settings: Settings, path: Keys) -> Settings:
    """The settings with the default at a path."""
    return _settings({each: value for each, value in values_of(settings).items() if each != path})


def values_of(settings: Settings) -> dict[Keys, Value]:
    """All values that differ from the defaults, by their paths."""
    default = Settings()
    changed = {name: value for name in TABLE if (value := getattr(settings, name)) != getattr(default, name)}
    return dict(leaves(changed))


def _settings(values: Mapping[Keys, Value]) -> Settings:
    arguments: dict[str, Any] = {}
    for path, value in values.items():
        table = arguments
        for key in path[:-1]:
            table = table.setdefault(key, {})
        table[path[-1]] = value
    return Settings(**arguments)


def _checked(path: Keys, value: object) -> Value:
    """The value as settings store it; raises as `with_value`."""
    name, *rest = path
    shown = printable(".".join(path))[:_MAX_LENGTH]
    if name not in TABLE or (rest and name in SINGLE):
        raise KeyError(f"there is no setting {shown}; there are {', '.join(TABLE)}")
    if name == "keys":
        if len(rest) != 1:
            raise ValueError('keys holds ids and their keys: [keys], then "move.up" = "up,i"')
        return _keys(value)
    if name == "programs":
        if len(rest) != 1 or not isinstance(value, str) or not value.strip() or not _is_text(value, _MAX_COMMAND):
            raise ValueError('programs holds names and their commands: [programs], then mine = "./mine"')
        return value
    if name == "games":
        if len(rest) != 2:
            raise ValueError("games holds a table for each game: [games.crawler], then sight = true")
        if isinstance(value, bool) or _is_text(value):
            return value  # type: ignore[return-value]
        raise ValueError(f"{shown} must be true, false or a short text")
    return _choice(name, value)


def truth(value: Value) -> bool:
    """The value, if it is true or false. Raises ValueError otherwise."""
    if not isinstance(value, bool):
        raise ValueError("it is true or false")
    return value


def shown_value(value: Value) -> str:
    """A value as the file spells it.

    >>> shown_value(True), shown_value("at once")
    ('true', '"at once"')
    """
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


def _choice(name: str, value: object) -> Value:
    choices = TABLE[name].choices
    if isinstance(value, int) and not isinstance(value, bool):  # 3 for "3"
        value = str(value) if abs(value) < 10**6 else ""
    if isinstance(value, bool | str) and value in choices:
        return value
    if not choices and value and _is_text(value):
        return str(value)
    wanted = " or ".join(map(shown_value, choices)) if choices else "a name in quotes"
    raise ValueError(f"{name} must be {wanted}")


def _is_text(value: object, most: int = _MAX_LENGTH) -> bool:
    return isinstance(value, str) and len(value) <= most and value.isprintable()


_NAMED = {
    "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete", "backspace", "enter",
    "tab", "escape", "space", *(f"f{number}" for number in range(1, 25)),
}  # fmt: skip
_SIGNS = {"slash", "backslash", "underscore", "minus", "plus"}  # not as Unicode names them
_HELD = re.compile(r"(?:(?:ctrl|shift|alt|super)\+)*+(?=.)")


def _keys(value: object) -> str:
    """A comma-separated list of keyboard keys, without blanks around them. Raises ValueError."""
    if not isinstance(value, str) or not value or not _is_text(value):
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


# -- changes in the file; everything else in it stays


def keep(path: Path, settings: Settings, changes: Changes) -> Path | None:
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


def _with_values(file: LevelFile, changes: Changes) -> str | None:
    """The text with only these changes; None if tomlkit can't do that. Raises LevelError if it is no TOML."""
    before = dict(leaves(read_toml(file)))
    full_names = {named(full): full for full in before}
    wanted = {named(full): value for full, value in before.items()} | dict(changes)
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(file.data[file.text_start :].decode())
        for name, value in changes.items():
            _change(document, full_names.get(name, name), value)
        text = tomlkit.dumps(document)
        after = {named(full): value for full, value in leaves(read_toml(LevelFile(file.name, text.encode())))}
    except (TOMLKitError, LevelError, LookupError, ValueError, TypeError, AttributeError, RecursionError):
        return None  # valid TOML that tomlkit rejects
    return text if _same(after) == _same(wanted) and len(text.encode()) <= MOST_BYTES else None


def _change(document: Any, path: Keys, value: Value | None) -> None:
    from tomlkit import table as new_table

    table = document
    for key in path[:-1]:
        if key not in table:
            table.add(key, new_table())
        table = table[key]
    if value is not None:
        table[path[-1]] = value
    elif path[-1] in table:
        table.remove(path[-1])


def _same(values: Mapping[Keys, Any]) -> dict[Keys, str]:
    """Values for comparison, without removed ones; nan equals itself, and 1 is not True."""
    return {path: repr(value) for path, value in values.items() if value is not None}


# -- while the app runs


class Preferences:
    """The settings in force."""

    def __init__(self, loaded: Loaded | None = None, *, is_saved: bool = False) -> None:
        """Begins with loaded settings, or the defaults; saves changes in the player's file if `is_saved`."""
        self._loaded, self._is_saved = loaded, is_saved
        self._is_reported = False  # that changes can't be saved
        self.settings = Settings() if loaded is None else loaded.settings
        self.troubles: list[str] = [] if loaded is None else [str(trouble) for trouble in loaded.troubles]
        self.changed: Callable[[Settings], None] = lambda before: None  # called after each change
        self.tell: Callable[[str], None] = lambda text: None  # shows a message

    def change(self, changes: Changes) -> None:
        """Applies changes, calls `changed`, and saves them. Calls `tell` if the file can't be read or written."""
        before = self.settings
        for path, value in changes.items():
            self.settings = without(self.settings, path) if value is None else with_value(self.settings, path, value)
        if self.settings == before:
            return
        self.changed(before)
        if not self._is_saved:
            return
        try:
            aside = keep(settings_path(), self.settings, changes)
        except (UnwritableError, OSError) as error:
            if not self._is_reported:
                why = str(error) if isinstance(error, UnwritableError) else reason(error)
                self.tell(f"These settings last only until you leave, since they can't be saved: {why}")
            self._is_reported = True
            return
        if aside is not None:
            self.tell(
                f"The settings file could not be read. It is now {printable(str(aside))}; all settings are reset."
            )

    def faults(self, themes: Sequence[str], games: Collection[str]) -> list[str]:
        """Messages for an unknown theme and unknown games, given all valid names."""
        found = []
        if (theme := self.settings.theme) not in themes:
            there = f"{', '.join(themes[:_NAMED_THEMES])} and {len(themes) - _NAMED_THEMES} more in the settings"
            found.append(self.trouble(("theme",), f"there is no theme {printable(theme)!r}; there are {there}"))
        for game, own in self.settings.games.items():
            if game not in games:
                what = f"there is no game {printable(game)!r}; there are {', '.join(games)}"
                found.append(self.trouble(("games", game, next(iter(own))), what, at_key=True))
        return found

    def trouble(self, path: Keys, message: str, *, at_key: bool = False) -> str:
        """The message for a value that only its user can check, with its position in the file."""
        return message if self._loaded is None else str(self._loaded.error(path, message, at_key=at_key))
