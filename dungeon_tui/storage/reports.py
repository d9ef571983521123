"""Reports of errors in the program itself, for those who mend it."""

from __future__ import annotations

import platform
import traceback
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from dungeon_tui import __version__
from dungeon_tui.storage.places import home


def write_report(error: BaseException) -> Path:
    """Writes an error's traceback, the system and the versions to a new file; returns its path.

    Raises:
        OSError: it can't be written.
    """
    place = home() / "reports"
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.txt"
    system = f"dungeon-tui {__version__}, Textual {version('textual')}, Python {platform.python_version()}"
    path.write_text(
        f"{system}, {platform.platform()}\n\n{''.join(traceback.format_exception(error))}", "utf-8", "backslashreplace"
    )
    return path
