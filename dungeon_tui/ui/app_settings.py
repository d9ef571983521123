"""Applies the settings to the app, and reports their faults."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from textual.screen import Screen

from dungeon_tui.core.catalogue import find_games
from dungeon_tui.storage.settings import Preferences, Settings
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import ASCII, UNICODE, Look
from dungeon_tui.ui.keys import KeyTable, checked, keymap
from dungeon_tui.ui.palette import themes

MAX_FAULTS = 3  # reported at once
CHECK_DELAY_S = 0.5  # after the first frame


@runtime_checkable
class FollowsSettings(Protocol):
    """A screen that shows settings, or names of keys."""

    def settings_changed(self) -> None: ...


def _key_tables() -> Sequence[KeyTable]:
    from dungeon_tui.ui.key_tables import key_tables  # loads all games

    return key_tables()


class AppSettings:
    """Theme, characters, animation and keys as the settings say."""

    def __init__(self, app: Any, preferences: Preferences, *, ascii_only: bool, changed: Callable[[], object]) -> None:
        self._app, self._preferences, self._ascii_only, self._changed = app, preferences, ascii_only, changed
        self._has_unicode = "utf" in (sys.stdout.encoding or "").lower()
        self._refused: dict[str, str] = {}  # ids of keys that can't be bound, with the reasons
        self._theme = ""
        self._is_animated = True
        self._faults = list(preferences.troubles)  # reported once there is a screen

    def begin(self) -> None:
        for name in [name for name, theme in self._app.available_themes.items() if theme.ansi]:
            self._app.unregister_theme(name)  # the terminal's own colours don't mix with those of the map
        for theme in themes():
            self._app.register_theme(theme)
        self._theme = self._app.theme = themes()[0].name
        self._faults += self._preferences.faults(self._theme_names(), [game.name for game in find_games()])
        self._apply()
        self._preferences.changed, self._preferences.tell = self._follow, self._notify

    @property
    def look(self) -> Look:
        glyphs = self._app.glyphs
        return Look(glyphs, self._preferences.settings.sprites and not glyphs.is_ascii and not self._app.no_color)

    def screen(self) -> Screen[None]:
        from dungeon_tui.ui.settings_screen import SettingsScreen

        return SettingsScreen(self._preferences, self._theme_names(), len(find_games()), _key_tables, self._app.glyphs)

    def keep_theme(self, name: str) -> None:
        """Stores a theme that was chosen elsewhere, such as in the command palette."""
        if name != self._theme:
            self._theme = name
            self._preferences.change({("theme",): name})

    def _theme_names(self) -> list[str]:
        ours = [theme.name for theme in themes()]
        return [*ours, *sorted(self._app.available_themes.keys() - {*ours})]

    def _apply(self) -> None:
        app, settings = self._app, self._preferences.settings
        if settings.theme in app.available_themes:
            self._theme = app.theme = settings.theme
        has_unicode = settings.glyphs == "unicode" or self._has_unicode
        app.glyphs = ASCII if self._ascii_only or settings.glyphs == "ascii" or not has_unicode else UNICODE
        if settings.animation != self._is_animated:
            self._is_animated = settings.animation
            app.animation_level = "full" if settings.animation else "none"

    def _follow(self, before: Settings) -> None:
        now = self._preferences.settings
        if replace(before, games=now.games) == now:  # a game stored its toggles
            return
        self._apply()
        self._changed()
        if (before.moves, before.keys) != (now.moves, now.keys):
            self.bind_keys()
        else:
            self._inform_screens()

    def bind_keys(self) -> None:
        """Binds the keys; keys of single commands are checked later in a thread, which loads all games."""
        settings = self._preferences.settings
        self._app.set_keymap({name: keys for name, keys in keymap(settings).items() if name not in self._refused})
        self._inform_screens()
        if settings.keys:
            self._app.set_timer(CHECK_DELAY_S, lambda: self._app.run_worker(self._check_keys, group="keys"))

    async def _check_keys(self) -> None:
        tables, settings = await in_background(_key_tables), self._preferences.settings
        bound, refused = checked(settings, tables)
        for name in refused.keys() - self._refused.keys():
            self._faults.append(self._preferences.trouble(("keys", name), refused[name]))
        self._refused = refused
        self._app.set_keymap(bound)
        self._inform_screens()
        self.report()

    def _inform_screens(self) -> None:
        for screen in self._app.screen_stack:
            if isinstance(screen, FollowsSettings):
                screen.settings_changed()

    def report(self) -> None:
        faults, self._faults = self._faults, []
        if faults:
            more = len(faults) - MAX_FAULTS
            rest = [f"{more} more: dungeon-tui doctor lists them"] if more > 0 else []
            self._notify("\n".join([*faults[:MAX_FAULTS], *rest]))

    def _notify(self, text: str) -> None:
        self._app.notify(text, title="Settings", severity="warning", timeout=15, markup=False)
