"""Keys and commands: footer, help, settings and the command palette are made from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, runtime_checkable

from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.screen import Screen

MOVES, ADVICE, TURNS, LOOKING, GAME = "Moving", "Help while you play", "Turns", "Looking", "The game"
SECTIONS = (MOVES, ADVICE, TURNS, LOOKING, GAME)


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


def key_names(screen: Screen[Any], keys: Collection[Key]) -> dict[str, str]:
    """The name of the key for each command of a screen, by the command's id, as it is bound now."""
    names = {key.id: key.shown.split()[0] for key in keys}
    for _, binding, _, _ in screen.active_bindings.values():
        key = next((key for key in keys if key.id == binding.id), None)
        if key is not None and binding.key not in key.keys.split(","):  # somebody has rebound it
            names[key.id] = screen.app.get_key_display(binding)
    return names


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
        return [(key, screen.spell(key.shown)) for key in screen.keys if key.id != "palette"]

    async def _run(self, key: Key) -> None:
        await self.screen.run_action(key.action)
