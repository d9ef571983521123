"""Games are saved elsewhere than in the home of whoever runs the tests; and recordings of nim can be read."""

from pathlib import Path

import pytest

from dungeon_tui.core import recording
from dungeon_tui.core.catalogue import find_game
from dungeon_tui.storage import library
from dungeon_tui.storage.places import HOME
from tests.ui.nim import GAME


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def readable(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (recording, library):
        monkeypatch.setattr(module, "find_game", lambda name: GAME if name == "nim" else find_game(name))
