"""Toggles that carry over from one game to the next, except those that show what you are to find out."""

from collections.abc import Iterable

from dungeon_tui.storage.settings import Preferences, Value
from dungeon_tui.ui.play.features import Switch
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.part import Part


class Remembered:
    """A game's toggles, stored in the settings."""

    def __init__(self, preferences: Preferences, view: GameView, parts: Iterable[Part]) -> None:
        self._preferences, self._game = preferences, view.game.name
        self._toggles = {name: toggle for part in parts for name, toggle in part.toggles().items()}
        switches = (each for each in view.all_features(Switch) if not each.is_answer)
        self._toggles |= {each.key.id: each.toggle for each in switches if each.toggle is not None}
        self._noted: dict[str, Value] = {}

    def recall(self) -> list[str]:
        """Applies the stored toggles; returns the problems found in them."""
        faults = []
        for name, value in self._preferences.settings.games.get(self._game, {}).items():
            path = "games", self._game, name
            if name not in self._toggles:
                what = f"this game remembers no {name}; it does {', '.join(self._toggles)}"
                faults.append(self._preferences.trouble(path, what, at_key=True))
                continue
            try:
                self._toggles[name].turn_to(value)
            except ValueError as error:
                faults.append(self._preferences.trouble(path, f"{name}: {error}"))
        self._noted = self._now()
        return faults

    def note(self) -> None:
        """Stores the toggles that have changed."""
        before, self._noted = self._noted, self._now()
        changed = {name: value for name, value in self._noted.items() if before.get(name) != value}
        if changed:
            self._preferences.change({("games", self._game, name): value for name, value in changed.items()})

    def _now(self) -> dict[str, Value]:
        return {name: toggle.value() for name, toggle in self._toggles.items()}
