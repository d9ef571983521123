"""The settings while the app runs: read by those who follow them, changed in one place, kept at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from dungeon_tui.core.files import UnwritableError
from dungeon_tui.core.text import printable
from dungeon_tui.core.toml_places import Keys
from dungeon_tui.core.words import reason
from dungeon_tui.storage.settings import Loaded, Settings, Value, with_value, without

_NAMED = 4  # themes that a message names

Keep = Callable[[Settings, Mapping[Keys, Value | None]], Path | None]
"""Writes changes of the settings; returns the path under which an unreadable file was set aside, if one was."""


@runtime_checkable
class FollowsSettings(Protocol):
    """A screen that shows settings, or names of keys."""

    def settings_changed(self) -> None:
        """Shows what follows from the settings as they are now."""
        ...


def _nothing(before: Settings) -> None:
    return


def _nobody(text: str) -> None:
    return


class Preferences:
    """The settings in force. Without a file they are those of this run."""

    def __init__(self, loaded: Loaded | None = None, keep: Keep | None = None) -> None:
        """Begins with settings as they were read.

        Args:
            loaded: the settings, and what is wrong with their file; None: the defaults.
            keep: writes changes; None: nothing is kept.
        """
        self._loaded = loaded
        self._keep = keep
        self._is_unkept = False  # and that was told
        self.settings = Settings() if loaded is None else loaded.settings
        self.troubles: list[str] = [] if loaded is None else [str(trouble) for trouble in loaded.troubles]
        self.changed: Callable[[Settings], None] = _nothing  # called after each change, with the settings before it
        self.tell: Callable[[str], None] = _nobody  # told where a file was set aside, or can't be written

    def change(self, changes: Mapping[Keys, Value | None]) -> None:
        """Gives settings other values, None: the default; and keeps them. What is as it was is not written."""
        before = self.settings
        for path, value in changes.items():
            self.settings = without(self.settings, path) if value is None else with_value(self.settings, path, value)
        if self.settings == before:
            return
        self.changed(before)
        if self._keep is None:
            return
        try:
            aside = self._keep(self.settings, changes)
        except (UnwritableError, OSError) as error:
            if not self._is_unkept:
                why = str(error) if isinstance(error, UnwritableError) else reason(error)
                self.tell(f"These settings last only until you leave, since they can't be saved: {why}")
            self._is_unkept = True
            return
        if aside is not None:
            self.tell(
                f"The settings' file could not be read. It is kept as {printable(str(aside))}; a new one is begun."
            )

    def faults(self, themes: Sequence[str], games: Collection[str]) -> list[str]:
        """Texts on a theme and games that there are not; `themes` and `games` name those there are, our own first."""
        found = []
        if (theme := self.settings.theme) not in themes:
            there = f"{', '.join(themes[:_NAMED])} and {len(themes) - _NAMED} more in the list of settings"
            found.append(self.trouble(("theme",), f"there is no theme {printable(theme)!r}; there are {there}"))
        for game, own in self.settings.games.items():
            if game not in games:
                what = f"there is no game {printable(game)!r}; there are {', '.join(games)}"
                found.append(self.trouble(("games", game, next(iter(own))), what, at_key=True))
        return found

    def key_fault(self, name: str, why: str) -> str:
        """The text on keys that a command can't have, with their place in the file."""
        return self.trouble(("keys", name), why)

    def trouble(self, path: Keys, message: str, *, at_key: bool = False) -> str:
        """The text on a value of which only its use shows that it is wrong, with its place in the file."""
        return message if self._loaded is None else str(self._loaded.error(path, message, at_key=at_key))
