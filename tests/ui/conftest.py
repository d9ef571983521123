"""Whatever is saved, is saved elsewhere than in the home of who runs the tests."""

from pathlib import Path

import pytest

from dungeon_tui.storage.recordings import HOME


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    return tmp_path / "home"
