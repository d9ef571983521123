import pytest

from dungeon_tui.core import recording
from dungeon_tui.core.catalogue import Game, find_game
from dungeon_tui.storage import library
from tests.storage.nim_game import GAME


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Nim, found among the games by its name."""
    for module in (library, recording):
        monkeypatch.setattr(module, "find_game", lambda name: GAME if name == GAME.name else find_game(name))
    return GAME
