"""Recordings of nim can be read."""

import pytest

from dungeon_tui.core import recording
from dungeon_tui.core.catalogue import find_game
from dungeon_tui.storage import library
from tests.ui.nim import GAME


@pytest.fixture(autouse=True)
def readable(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (recording, library):
        monkeypatch.setattr(module, "find_game", lambda name: GAME if name == "nim" else find_game(name))
