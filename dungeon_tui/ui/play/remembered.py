"""Toggles that carry over from one game to the next, except those that show what you are to find out."""

from collections.abc import Iterable

from dungeon_tui.core.toml_positions import Keys
from dungeon_tui.storage.settings import Preferences, Value
from dungeon_tui.ui.play.features import Switch
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.part import Part


class Remembered:
    """A game's toggles, stored in the settings."""

    def __init__(self, preferences: Preferences, view: GameView, parts: Iterable[Part]) -> None:
        self._preferences, self._game = preferences, view.game.name
        named = [(name, toggle) for part in parts for name, toggle in part.toggles().items()]
        switches = (each for each in view.all_features(Switch) if not each.is_answer)
        named += [(each.key.id, each.toggle) for each in switches if each.toggle is not None]
        self._toggles = {self._path(name, toggle.setting): toggle for name, toggle in named}
        self._noted: dict[Keys, Value] = {}

    def recall(self) -> list[str]:
        """Applies the stored toggles; returns the problems found in them."""
        own, faults = self._preferences.settings.games.get(self._game, {}), []
        for path, value in ({self._path(name): value for name, value in own.items()} | self._shared()).items():
            if path not in self._toggles:
                names = ", ".join(key[-1] for key in self._toggles if len(key) > 1)
                what = f"this game remembers no {path[-1]}; it does {names}"
                faults.append(self._preferences.trouble(path, what, at_key=True))
                continue
            try:
                self._toggles[path].turn_to(value)
            except ValueError as error:
                faults.append(self._preferences.trouble(path, f"{path[-1]}: {error}"))
        self._noted = self._now()
        return faults

    def follow(self) -> None:
        """Applies settings that changed outside the game."""
        changed = {path: value for path, value in self._shared().items() if self._noted[path] != value}
        for path, value in changed.items():
            self._toggles[path].turn_to(value)
        self._noted |= changed

    def note(self) -> None:
        now = self._now()
        if now != self._noted:
            changes: dict[Keys, Value | None] = {
                path: value for path, value in now.items() if self._noted.get(path) != value
            }
            self._noted = now
            self._preferences.change(changes)

    def _path(self, name: str, setting: str = "") -> Keys:
        return (setting,) if setting else ("games", self._game, name)

    def _shared(self) -> dict[Keys, Value]:
        """Toggles that mirror a general setting, so they have no entry in the game's own table."""
        shared: dict[Keys, Value] = {("speed",): self._preferences.settings.speed}
        return {path: value for path, value in shared.items() if path in self._toggles}

    def _now(self) -> dict[Keys, Value]:
        return {path: toggle.value() for path, toggle in self._toggles.items()}
