"""The command palette: every key of the present screen by its name."""

from __future__ import annotations

from functools import partial
from typing import Protocol, runtime_checkable

from textual.command import DiscoveryHit, Hit, Hits, Provider

from dungeon_tui.ui.keys import Key


@runtime_checkable
class HasKeys(Protocol):
    """A screen with a table of keys."""

    @property
    def keys(self) -> tuple[Key, ...]:
        """The table."""
        ...

    def spell(self, text: str) -> str:
        """The text as this terminal can show it."""
        ...


class KeyCommands(Provider):
    """Offers the keys of the screen below the palette."""

    async def discover(self) -> Hits:
        """All commands, before anything is typed."""
        for key, shown in self._keys():
            yield DiscoveryHit(f"{key.label} ({shown})", partial(self._run, key), help=key.help)

    async def search(self, query: str) -> Hits:
        """The commands that match the typed text."""
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
