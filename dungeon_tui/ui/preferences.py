"""The settings while the app runs: changed in one place and saved at once."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from dungeon_tui.core.files import UnwritableError
from dungeon_tui.core.text import printable
from dungeon_tui.core.toml_positions import Keys
from dungeon_tui.core.words import reason
from dungeon_tui.storage.settings import Loaded, Settings, Value, keep, settings_path, with_value, without

_NAMED = 4  # themes that a message names

Changes = Mapping[Keys, Value | None]  # None: the default
Keep = Callable[[Settings, Changes], Path | None]


def keep_settings(settings: Settings, changes: Changes) -> Path | None:
    """Writes changes into the player's file, as `storage.settings.keep`. Raises OSError without a home folder."""
    return keep(settings_path(), settings, changes)


@runtime_checkable
class FollowsSettings(Protocol):
    """A screen that shows settings, or names of keys."""

    def settings_changed(self) -> None: ...


class Preferences:
    """The settings in force."""

    def __init__(self, loaded: Loaded | None = None, keep: Keep | None = None) -> None:
        """Begins with loaded settings, or the defaults; without `keep` changes are not saved."""
        self._loaded, self._keep = loaded, keep
        self._is_reported = False  # that changes can't be saved
        self.settings = Settings() if loaded is None else loaded.settings
        self.troubles: list[str] = [] if loaded is None else [str(trouble) for trouble in loaded.troubles]
        self.changed: Callable[[Settings], None] = lambda before: None  # called after each change
        self.tell: Callable[[str], None] = lambda text: None  # shows a message

    def change(self, changes: Changes) -> None:
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
            there = f"{', '.join(themes[:_NAMED])} and {len(themes) - _NAMED} more in the list of settings"
            found.append(self.trouble(("theme",), f"there is no theme {printable(theme)!r}; there are {there}"))
        for game, own in self.settings.games.items():
            if game not in games:
                what = f"there is no game {printable(game)!r}; there are {', '.join(games)}"
                found.append(self.trouble(("games", game, next(iter(own))), what, at_key=True))
        return found

    def trouble(self, path: Keys, message: str, *, at_key: bool = False) -> str:
        """The message for a value that only its user can check, with its position in the file."""
        return message if self._loaded is None else str(self._loaded.error(path, message, at_key=at_key))
