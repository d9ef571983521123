"""Toggles that come back: each game begins with them as the last one of its kind was left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from dungeon_tui.core.toml_places import Keys
from dungeon_tui.storage.settings import Value
from dungeon_tui.ui.play.features import Switch
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.overlay import SPEEDS
from dungeon_tui.ui.play.part import Part
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.preferences import Preferences

Turn = Callable[[Value], None]


class Remembered:
    """The toggles of a game's screen, by their places among the settings."""

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
        """Turns all toggles to where settings have them; returns what is wrong with these."""
        kept = {self._path(name): value for name, value in self._preferences.settings.games.get(self._game, {}).items()}
        turns, said = self._turns(), []
        for path, value in (kept | self._shared()).items():
            try:
                turns[path](value)
            except KeyError:
                there = ", ".join(key[-1] for key in turns if len(key) > 1)
                what, is_key = f"this game remembers no {path[-1]}; it does {there}", True
            except ValueError as error:
                what, is_key = f"{path[-1]}: {error}", False
            else:
                continue
            said.append(self._preferences.trouble(path, what, at_key=is_key))
        self._noted = self._now()
        return said

    def follow(self) -> bool:
        """Turns what settings outside of the game have changed; True if there was any."""
        turns = self._turns()
        changed = {path: value for path, value in self._shared().items() if self._noted[path] != value}
        for path, value in changed.items():
            turns[path](value)
        self._noted |= changed
        return bool(changed)

    def note(self) -> None:
        """Keeps the toggles that were turned since."""
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
        """The settings that toggles of this game are; they have no place of their own in its table."""
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

    def _turns(self) -> dict[Keys, Turn]:
        turns: dict[Keys, Turn] = {
            self._path(name): partial(part.turn_to, name) for part in self._parts for name in part.toggles()
        }
        turns |= {path: switch.turn_to for path, switch in self._switches.items() if switch.turn_to is not None}
        turns["speed",] = self._set_pace
        return turns

    def _set_pace(self, value: Value) -> None:
        self._seats.pace = SPEEDS.index(int(value))
