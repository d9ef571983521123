"""The contact sheet of all screens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SHEET = Path(__file__).parents[2] / "docs" / "pictures" / "sheet.py"


def test_a_sheet_shows_what_it_names(tmp_path: Path) -> None:
    subprocess.run([sys.executable, SHEET, tmp_path, "all levels", "80x24", "ascii"], check=True)
    (picture,) = tmp_path.glob("*.svg")
    assert "The&#160;first&#160;lesson" in picture.read_text(encoding="utf-8")
    assert picture.name in (tmp_path / "index.html").read_text(encoding="utf-8")
