"""Keys and commands: footer, help, settings and the command palette are made from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, runtime_checkable

from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.keys import format_key
from textual.screen import Screen

MOVES, ADVICE, TURNS, LOOKING, GAME = "Moving", "Help while you play", "Turns", "Looking", "The game"
SECTIONS = (MOVES, ADVICE, TURNS, LOOKING, GAME)
MOVE_KEYS = {
    "up": "up,w,k,8", "down": "down,s,j,2", "left": "left,a,h,4", "right": "right,d,l,6",
    "up-left": "y,home,7", "up-right": "u,pageup,9", "down-left": "b,end,1", "down-right": "n,pagedown,3",
}  # fmt: skip
"""Keys that move, by direction, as Textual names them."""


@dataclass(frozen=True, slots=True)
class Key:
    """A command's keys and words."""

    id: str  # the name by which settings rebind it and messages name it
    keys: str  # as Textual names them
    shown: str  # as people read them
    label: str  # one or two words for the footer and the palette
    help: str
    section: str
    footer: int = 0  # its place in the footer, from 1 on; the last ones give way first
    bound_to: str = ""  # an action of Textual's own; empty: the command of this id

    @property
    def action(self) -> str:
        """The action's name and parameters, as Textual runs it."""
        return self.bound_to or f"command('{self.id}')"

    def binding(self) -> Binding:
        """The key as Textual binds it."""
        return Binding(self.keys, self.action, self.label, show=False, key_display=self.shown, id=self.id)


QUIT = Key("app.quit", "ctrl+q,ctrl+c", "ctrl+q", "Quit", "leave the app, wherever you are", GAME, bound_to="quit")
"""Bound on every screen, before its own keys."""

Words = Mapping[str, tuple[str, str] | None]
"""A game's own words for shared keys, by id: label and help; None: the game has no such key."""


@dataclass(frozen=True, slots=True)
class Command:
    """A key and the deed it does."""

    key: Key
    run: Callable[[], object]


def in_order(commands: Iterable[Command], words: Words) -> list[Command]:
    """The commands sorted by section, with a game's own words; those whose words are None are left out."""
    told = []
    for command in commands:
        named = words.get(command.key.id, (command.key.label, command.key.help))
        if named is not None:
            told.append(replace(command, key=replace(command.key, label=named[0], help=named[1])))
    return sorted(told, key=lambda command: SECTIONS.index(command.key.section))


def footer_of(keys: Iterable[Key]) -> list[Key]:
    """The keys that the footer shows, in its order."""
    return sorted((key for key in keys if key.footer), key=lambda key: key.footer)


_NAMED = re.compile(r"\{([a-z][\w.-]*)\}")


def with_key_names(text: str, names: Mapping[str, str]) -> str:
    """The text with the names of keys in place of their ids in braces; unknown ids stay.

    >>> with_key_names("{help} lists the keys; {this} stays.", {"help": "?"})
    '? lists the keys; {this} stays.'
    """
    return _NAMED.sub(lambda found: names.get(found[1], found[0]), text) if "{" in text else text


_SHOWN = {
    "enter": "Enter", "escape": "Esc", "tab": "Tab", "space": "space", "home": "Home", "end": "End", "pageup": "PgUp",
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


def as_bound(screen: Screen[Any], keys: Iterable[Key]) -> tuple[Key, ...]:
    """The keys of a screen as they are bound now; those whose commands can't be run now as they are by default."""
    bound: dict[str, list[str]] = {}
    for name, active in screen.active_bindings.items():
        if active.binding.id is not None:
            bound.setdefault(active.binding.id, []).append(name)
    return tuple(_rebound(key, bound.get(key.id, ())) for key in keys)


def _rebound(key: Key, names: Collection[str]) -> Key:
    if not names or (set(names) <= set(key.keys.split(",")) and len(names) == key.keys.count(",") + 1):
        return key
    return replace(key, keys=",".join(names), shown=" ".join(map(shown_key, names)))


def key_names(screen: Screen[Any], keys: Collection[Key]) -> dict[str, str]:
    """The name of the key for each command of a screen, by the command's id, as it is bound now."""
    return {key.id: key.shown.split()[0] for key in as_bound(screen, keys)}


@runtime_checkable
class HasKeys(Protocol):
    """A screen with a table of keys."""

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys of all its commands."""
        ...

    def spell(self, text: str) -> str:
        """The text with names of keys for ids in braces, in characters that this terminal can show."""
        ...


class KeyCommands(Provider):
    """Offers the keys of the screen below the palette."""

    async def discover(self) -> Hits:
        """Yields all commands of the screen, for before anything is typed."""
        for key, shown in self._keys():
            yield DiscoveryHit(f"{key.label} ({shown})", partial(self._run, key), help=key.help)

    async def search(self, query: str) -> Hits:
        """Yields the commands of the screen that match the typed text, each with its score."""
        matcher = self.matcher(query)
        for key, shown in self._keys():
            name = f"{key.label}: {key.help}"
            if (score := matcher.match(name)) > 0:
                # A command's name counts more than its help: "back" is Back before "turn back".
                score += 2 * matcher.match(key.label)
                yield Hit(score, matcher.highlight(name), partial(self._run, key), help=shown)

    def _keys(self) -> list[tuple[Key, str]]:
        screen = self.screen
        if not isinstance(screen, HasKeys):
            return []
        return [(key, screen.spell(key.shown)) for key in as_bound(screen, screen.keys) if key.id != "palette"]

    async def _run(self, key: Key) -> None:
        await self.screen.run_action(key.action)
