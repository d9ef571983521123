"""Toggles that carry over from one game to the next."""

from collections.abc import Callable, Iterable
from functools import partial

from dungeon_tui.core.toml_positions import Keys
from dungeon_tui.storage.settings import Preferences, Value
from dungeon_tui.ui.play.features import Switch
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.overlay import SPEEDS
from dungeon_tui.ui.play.part import Part
from dungeon_tui.ui.play.seats import Seats


class Remembered:
    """A game's toggles, stored in the settings."""

    def __init__(self, preferences: Preferences, view: GameView, parts: Iterable[Part], seats: Seats) -> None:
        self._preferences = preferences
        self._game = view.game.name
        self._parts = [part for part in parts if type(part).toggles is not Part.toggles]
        self._seats = seats
        self._switches = {
            (switch.setting,) if switch.setting else self._path(switch.key.id): switch
            for switch in view.all_features(Switch)
            if switch.position is not None
        }
        self._noted: dict[Keys, Value] = {}

    def recall(self) -> list[str]:
        """Applies the stored toggles; returns the problems found in them."""
        own = self._preferences.settings.games.get(self._game, {})
        stored = {self._path(name): value for name, value in own.items()}
        setters, faults = self._setters(), []
        for path, value in (stored | self._shared()).items():
            if path not in setters:
                names = ", ".join(key[-1] for key in setters if len(key) > 1)
                what = f"this game remembers no {path[-1]}; it does {names}"
                faults.append(self._preferences.trouble(path, what, at_key=True))
                continue
            try:
                setters[path](value)
            except ValueError as error:
                faults.append(self._preferences.trouble(path, f"{path[-1]}: {error}"))
        self._noted = self._now()
        return faults

    def follow(self) -> bool:
        """Applies settings that changed outside the game; True if any did."""
        setters = self._setters()
        changed = {path: value for path, value in self._shared().items() if self._noted[path] != value}
        for path, value in changed.items():
            setters[path](value)
        self._noted |= changed
        return bool(changed)

    def note(self) -> None:
        now = self._now()
        if now != self._noted:
            changes: dict[Keys, Value | None] = {
                path: value for path, value in now.items() if self._noted.get(path) != value
            }
            self._noted = now
            self._preferences.change(changes)

    def _path(self, name: str) -> Keys:
        return "games", self._game, name

    def _shared(self) -> dict[Keys, Value]:
        """Toggles that mirror a general setting, so they have no entry in the game's own table."""
        settings = self._preferences.settings
        shared: dict[Keys, Value] = {("speed",): settings.speed}
        return shared | ({("lost",): settings.lost} if ("lost",) in self._switches else {})

    def _now(self) -> dict[Keys, Value]:
        now = {self._path(name): value for part in self._parts for name, value in part.toggles().items()}
        for path, switch in self._switches.items():
            if switch.position is not None:
                now[path] = switch.position()
        now["speed",] = str(SPEEDS[self._seats.pace])
        return now

    def _setters(self) -> dict[Keys, Callable[[Value], None]]:
        setters: dict[Keys, Callable[[Value], None]] = {
            self._path(name): partial(part.turn_to, name) for part in self._parts for name in part.toggles()
        }
        setters |= {path: switch.turn_to for path, switch in self._switches.items() if switch.turn_to is not None}
        setters["speed",] = self._set_pace
        return setters

    def _set_pace(self, value: Value) -> None:
        self._seats.pace = SPEEDS.index(int(value))
