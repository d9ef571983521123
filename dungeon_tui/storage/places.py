"""Folders of all that the program keeps: the user's own, or another one that the environment names."""

from __future__ import annotations

import os
from collections.abc import Callable
from errno import ENOENT
from pathlib import Path

from platformdirs import user_config_dir, user_data_dir

HOME = "DUNGEON_TUI_HOME"
"""The environment variable that names another home than the user's data folder."""


def home() -> Path:
    """The path of the folder of all that the program keeps but settings; it may not be there yet.

    Raises:
        OSError: nobody says where.
    """
    return _folder(user_data_dir)


def settings_home() -> Path:
    """The path of the folder of the settings: the user's config folder, or what DUNGEON_TUI_HOME names.

    Raises:
        OSError: nobody says where.
    """
    return _folder(user_config_dir)


def _folder(of_user: Callable[..., str]) -> Path:
    if named := os.environ.get(HOME):
        return Path(named)
    try:
        place = of_user("dungeon_tui", appauthor=False)
    except RuntimeError:
        place = "~"
    if place.startswith("~"):  # the user has no home directory; older versions of platformdirs return what they have
        raise FileNotFoundError(ENOENT, f"there is no home directory, and {HOME} is not set")
    return Path(place)
