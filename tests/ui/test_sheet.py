"""The contact sheet of all screens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SHEET = Path(__file__).parents[2] / "docs" / "pictures" / "sheet.py"


def test_a_sheet_is_the_same_twice(tmp_path: Path) -> None:
    words = ("all levels", "80x24", "ascii")
    for folder in ("one", "two"):
        subprocess.run([sys.executable, SHEET, tmp_path / folder, *words], check=True)
    pictures = sorted(each.name for each in (tmp_path / "one").glob("*.svg"))
    assert pictures == ["all-levels-80x24-ascii.svg"]
    for name in (*pictures, "index.html"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert all(name in (tmp_path / "one" / "index.html").read_text(encoding="utf-8") for name in pictures)
