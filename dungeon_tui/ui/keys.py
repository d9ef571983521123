"""Keys and commands, from which footer, help, settings and the command palette are made."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.keys import _character_to_key, format_key
from textual.screen import Screen

from dungeon_tui.core.text import printable
from dungeon_tui.storage.settings import Settings
from dungeon_tui.ui.glyphs import Glyphs

ResultT = TypeVar("ResultT")

MOVES, ADVICE, TURNS, LOOKING, GAME = "Moving", "Help while you play", "Turns", "Looking", "The game"
SECTIONS = (MOVES, ADVICE, TURNS, LOOKING, GAME)
MOVE_KEYS = {
    "up": "up,w,k,8", "down": "down,s,j,2", "left": "left,a,h,4", "right": "right,d,l,6",
    "up-left": "y,home,7", "up-right": "u,pageup,9", "down-left": "b,end,1", "down-right": "n,pagedown,3",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Key:
    """A command's keys and words."""

    id: str  # in settings and messages
    keys: str  # as Textual names them; empty: the command is only in the palette
    label: str  # one or two words for the footer and the palette
    help: str
    section: str
    footer: int = 0  # position in the footer, from 1; the last ones are dropped first
    bound_to: str = ""  # an action of Textual's; empty: the command of this id
    shown: str = ""  # as people read them; by default all

    def __post_init__(self) -> None:
        object.__setattr__(self, "shown", self.shown or " ".join(map(shown_key, self.names)))

    @property
    def action(self) -> str:
        return self.bound_to or f"command('{self.id}')"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.keys.split(",")) if self.keys else ()

    def binding(self) -> Binding:
        """The key as Textual binds it. A command without a key gets an impossible one, which settings can rebind."""
        keys = self.keys or f"unbound-{self.id}"
        return Binding(keys, self.action, self.label, show=False, key_display=self.shown, id=self.id)


QUIT = Key(
    "app.quit", "ctrl+q,ctrl+c", "Quit", "leave the app, wherever you are", GAME, bound_to="quit", shown="ctrl+q"
)

Words = Mapping[str, tuple[str, str] | None]  # labels and helps of shared keys in a game, by id; None: no such key


@dataclass(frozen=True, slots=True)
class Command:
    """A key and its function."""

    key: Key
    run: Callable[[], object]


def in_order(commands: Iterable[Command], words: Words) -> list[Command]:
    """The commands by section, with a game's own words and without those that it lacks."""
    found = []
    for command in commands:
        named = words.get(command.key.id, (command.key.label, command.key.help))
        if named is not None:
            found.append(replace(command, key=replace(command.key, label=named[0], help=named[1])))
    return sorted(found, key=lambda command: SECTIONS.index(command.key.section))


def footer_of(keys: Iterable[Key]) -> list[Key]:
    """The keys of the footer, in order."""
    return sorted((key for key in keys if key.footer and key.keys), key=lambda key: key.footer)


_NAMED = re.compile(r"\{([a-z][\w.-]*)\}")


def names_key(text: str) -> bool:
    """True if a text contains a key's id in braces."""
    return bool(_NAMED.search(text))


def with_key_names(text: str, names: Mapping[str, str]) -> str:
    """Replaces ids in braces with the names of keys; unknown ids stay.

    >>> with_key_names("{help} lists the keys; {this} stays.", {"help": "?"})
    '? lists the keys; {this} stays.'
    """
    return _NAMED.sub(lambda found: names.get(found[1], found[0]), text) if "{" in text else text


_SHOWN = {
    "enter": "Enter", "escape": "Esc", "tab": "Tab", "space": "Space", "home": "Home", "end": "End", "pageup": "PgUp",
    "pagedown": "PgDn", "insert": "Ins", "delete": "Del",
}  # fmt: skip


def shown_key(name: str) -> str:
    """A key as people read it.

    >>> shown_key("question_mark"), shown_key("ctrl+left"), shown_key("f2"), shown_key("pageup")
    ('?', 'ctrl+←', 'F2', 'PgUp')
    """
    *held, bare = name.split("+")
    shown = _SHOWN.get(bare) or (bare.upper() if re.fullmatch(r"f\d+", bare) else format_key(bare))
    return "+".join([*held, shown])


def first_shown(keys: str) -> str:
    """The first of some keys, as people read it; empty without one.

    >>> first_shown("escape,q"), first_shown("")
    ('Esc', '')
    """
    return shown_key(keys.partition(",")[0]) if keys else ""


def list_keys(screen: str, section: str, up: str = "up", down: str = "down") -> tuple[Key, ...]:
    """The keys that move through a list; the action `move` of the screen runs the list's own actions."""
    ways = {
        "up": (up, "the line before", "cursor_up"),
        "down": (down, "the next line", "cursor_down"),
        "page-up": ("pageup", "a page up", "page_up"),
        "page-down": ("pagedown", "a page down", "page_down"),
        "first": ("home", "the first line", "first"),
        "last": ("end", "the last line", "last"),
    }

    def key(name: str, keys: str, text: str, way: str) -> Key:
        label = name.replace("-", " ").capitalize()
        return Key(f"{screen}.{name}", keys, label, text, section, bound_to=f"move('{way}')")

    return tuple(key(name, *parts) for name, parts in ways.items())


def as_bound(screen: Screen[Any], keys: Iterable[Key]) -> tuple[Key, ...]:
    """The keys of a screen as they are bound now; disabled ones as by default."""
    bound: dict[str, list[str]] = {}
    for name, active in screen.active_bindings.items():
        if active.binding.id is not None:
            bound.setdefault(active.binding.id, []).append(name)
    return tuple(_rebound(key, bound.get(key.id, ())) for key in keys)


def footer(
    screen: Screen[Any], keys: Iterable[Key], plain: Callable[[str], str], **labels: str
) -> list[tuple[str, str, str]]:
    """The footer for a KeyBar: keys as bound now, spelled by `plain`; `labels` replace labels by action."""
    shown = footer_of(as_bound(screen, keys))
    return [(plain(key.shown), labels.get(key.action, key.label), key.action) for key in shown]


def _rebound(key: Key, names: Collection[str]) -> Key:
    if not names or set(names) == {*key.names} or set(names) == {f"unbound-{key.id}"}:
        return key
    return replace(key, keys=",".join(names), shown="")


def key_names(screen: Screen[Any], keys: Collection[Key]) -> dict[str, str]:
    """Names of the keys of a screen as they are bound now, by id."""
    return {key.id: name_of(key) for key in as_bound(screen, keys)}


def name_of(key: Key) -> str:
    """The name of a command's first key; without a key, how to find the command.

    >>> name_of(Key("curve", "", "Curve", "plot how it goes", LOOKING))
    'ctrl+p Curve'
    """
    return key.shown.split()[0] if key.shown else f"ctrl+p {key.label}"


class KeyScreen(Screen[ResultT]):
    """A screen with a table of keys."""

    keys: tuple[Key, ...] = ()
    glyphs: Glyphs

    def spell(self, text: str) -> str:
        """Replaces command ids in braces with key names; ASCII only if the terminal requires it."""
        return self.glyphs.plain(with_key_names(text, key_names(self, self.keys)) if "{" in text else text)


class KeyCommands(Provider):
    """Offers the commands of a screen in the palette."""

    async def discover(self) -> Hits:
        for key, shown in self._keys():
            yield DiscoveryHit(f"{key.label} ({shown})" if shown else key.label, partial(self._run, key), help=key.help)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for key, shown in self._keys():
            name = f"{key.label}: {key.help}"
            if (score := matcher.match(name)) > 0:
                score += 2 * matcher.match(key.label)  # "back" finds Back before "turn back"
                yield Hit(score, matcher.highlight(name), partial(self._run, key), help=shown)

    def _keys(self) -> list[tuple[Key, str]]:
        screen = self.screen
        if not isinstance(screen, KeyScreen):
            return []
        return [(key, screen.spell(key.shown)) for key in as_bound(screen, screen.keys) if self.is_offered(key)]

    def is_offered(self, key: Key) -> bool:
        """False for keys to leave out."""
        return key.id != "palette"

    async def _run(self, key: Key) -> None:
        await self.screen.run_action(key.action)


# -- keys as settings bind them: presets of letters that move, and keys of single commands

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
    """The id of a command whose key an earlier command of a screen has, with a message; None if no key is shared."""
    for table in tables:
        taken: dict[str, Key] = {}
        for key in sorted(table.keys, key=lambda key: order.get(key.id, 0)):
            for name in filter(None, bound.get(key.id, key.keys).split(",")):
                other = taken.setdefault(name, key)
                if other.id != key.id and key.id in order:
                    whose = f"belongs to {other.label} ({other.id}) already, in {table.title}"
                    return key.id, f"the key {shown_key(name)} {whose}"
    return None
