"""docs/examples/roguelike.py, played by a bot without a screen."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from dungeon_tui.engine import distance_map

FILE = Path(__file__).parents[2] / "docs" / "examples" / "roguelike.py"


@pytest.fixture(scope="module")
def roguelike():
    pytest.importorskip("curses")
    spec = importlib.util.spec_from_file_location("roguelike", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", range(4))
def test_a_bot_brings_the_amulet_home(roguelike, seed):
    game = roguelike.Game(seed)
    game.act(".")
    seen = []
    while game.player != game.goal and len(seen) < 300:
        near = [key for key, step in roguelike.KEYS.items() if tuple(np.add(game.player, step)) in game.goblins]
        game.act(near[0] if near else "g")
        seen.append(np.count_nonzero(~game.unseen))
    assert game.player == game.stairs
    assert game.health > 0
    assert seen == sorted(seen)
    assert "@" in game.draw()


@pytest.mark.parametrize(("health", "hits"), [(3, 4), (1, 0)])
def test_goblins_chase_and_flee_when_hurt(roguelike, health, hits):
    game = roguelike.Game(1)
    game.act(".")
    goblin = tuple(np.argwhere(game.view & (distance_map(game.floor, [game.player]) == 2))[0])
    game.goblins = {goblin: health}
    for _ in range(5):
        game.act(".")
    assert game.health == 10 - hits


def test_the_page_speaks_of_so_few_lines():
    assert len(FILE.read_text("utf-8").splitlines()) < 70
