"""The folders of the program's files."""

import os
from collections.abc import Callable
from errno import ENOENT
from pathlib import Path

from platformdirs import user_config_dir, user_data_dir

HOME = "DUNGEON_TUI_HOME"
"""The environment variable that names another home than the user's data folder."""


def home() -> Path:
    """The folder of everything except settings; it may not exist yet. Raises OSError without a home directory."""
    return _folder(user_data_dir)


def settings_home() -> Path:
    """The folder of the settings. Raises OSError without a home directory."""
    return _folder(user_config_dir)


def _folder(of_user: Callable[..., str]) -> Path:
    if named := os.environ.get(HOME):
        return Path(named)
    try:
        folder = of_user("dungeon_tui", appauthor=False)
    except RuntimeError:
        folder = "~"
    if folder.startswith("~"):  # no home directory; older versions of platformdirs return this
        raise FileNotFoundError(ENOENT, f"there is no home directory, and {HOME} is not set")
    return Path(folder)
