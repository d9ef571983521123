"""The command palette: every key of the play screen by its name."""

from __future__ import annotations

from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from dungeon_tui.ui.play.keys import Key


class KeyCommands(Provider):
    """Offers what the table of keys holds."""

    async def discover(self) -> Hits:
        """All commands, before anything is typed."""
        for key in self._keys():
            yield DiscoveryHit(f"{key.label} ({self._spell(key.shown)})", partial(self._run, key), help=key.help)

    async def search(self, query: str) -> Hits:
        """The commands that match what was typed."""
        matcher = self.matcher(query)
        for key in self._keys():
            name = f"{key.label}: {key.help}"
            if (score := matcher.match(name)) > 0:
                # What a command is called counts more than what is said of it: "back" is Back before "turn back".
                score += 2 * matcher.match(key.label)
                yield Hit(score, matcher.highlight(name), partial(self._run, key), help=self._spell(key.shown))

    def _keys(self) -> tuple[Key, ...]:
        keys: tuple[Key, ...] = getattr(self.screen, "keys", ())
        return tuple(key for key in keys if key.id != "palette")

    def _spell(self, text: str) -> str:
        spelled: str = getattr(self.app, "spell", str)(text)
        return spelled

    async def _run(self, key: Key) -> None:
        await self.screen.run_action(key.action)
