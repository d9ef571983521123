"""Reports of errors in the program itself."""

import platform
import traceback
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from dungeon_tui import __version__
from dungeon_tui.storage.folders import home


def write_report(error: BaseException) -> Path:
    """Writes an error's traceback, the system and the versions to a new file; returns its path. Raises OSError."""
    folder = home() / "reports"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.txt"
    system = f"dungeon-tui {__version__}, Textual {version('textual')}, Python {platform.python_version()}"
    path.write_text(
        f"{system}, {platform.platform()}\n\n{''.join(traceback.format_exception(error))}", "utf-8", "backslashreplace"
    )
    return path
