"""Files that the commands are given."""

from pathlib import Path

import pytest

from tests.games.chase.boards import written

OWN = """
import time

def stay(state):
    return state.site

def loud(state):
    print("noise")
    return state.site

def away(state):
    return 99, 99

def raises(state):
    raise RuntimeError("no idea")

def slow(state):
    time.sleep(0.02)
    return state.site

def endless(state):
    while True:
        pass

def first_site(state):
    from dungeon_tui.games.chase.model.rules import legal_actions
    return min(action.to for action in legal_actions(state))
"""


@pytest.fixture
def dead_end(tmp_path: Path) -> str:
    """A board on which the rogue is captured in 3."""
    return written(tmp_path / "dead-end.txt", "4\nM + + @\n\n\n. .\n\nNowhere to go.\n")


@pytest.fixture
def ring(tmp_path: Path) -> str:
    """A board of 8 sites on which the rogue is safe forever."""
    return written(tmp_path / "ring.txt", "3\nQ + +\n+   +\n+ + @\n")


@pytest.fixture
def own(tmp_path: Path) -> str:
    """Strategies of a player's own."""
    return written(tmp_path / "own.py", OWN)
