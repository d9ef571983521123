"""What docs/from-tcod.md promises: the same maps and ways as tcod's, and every name that the page has."""

import importlib
import re
from pathlib import Path

import numpy as np
import pytest

from dungeon_tui.engine import UNREACHED, WEIGHTS, distance_map, tunnelling_distance_map

PAGE = Path(__file__).parents[2] / "docs" / "from-tcod.md"
MAPS = 1000


def random_cells(seed):
    """A map of random size with open cells, and a goal on one of them."""
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 41, 2))
    passable = rng.random(shape) < rng.choice([0.4, 0.6, 0.8, 1.0])
    goal = tuple(int(rng.integers(side)) for side in shape)
    passable[goal] = True
    return rng, passable, goal


def tcod_map(cost, goal, diagonal):
    """tcod's map, int32: the largest number stands where nothing leads."""
    tcod = pytest.importorskip("tcod.path", reason="tcod is not installed: nothing to compare with")
    distance = tcod.maxarray(cost.shape, dtype=np.int32)
    distance[goal] = 0
    tcod.dijkstra2d(distance, cost, 1, 1 if diagonal else 0, out=distance)
    return distance


@pytest.mark.parametrize("diagonal", [True, False])
def test_walking_maps_are_those_of_tcod(diagonal):
    for seed in range(MAPS):
        _, passable, goal = random_cells(seed)
        ours = distance_map(passable, np.array([goal]), diagonal=diagonal)
        assert np.array_equal(ours, tcod_map(passable.astype(np.int32), goal, diagonal)), seed


@pytest.mark.parametrize("diagonal", [True, False])
def test_tunnelling_maps_are_those_of_tcod_but_for_the_two_ends(diagonal):
    for seed in range(MAPS):
        rng, passable, goal = random_cells(seed)
        hardness = np.where(passable, 0, rng.integers(0, 256, passable.shape)).astype(np.uint8)
        weight = np.asarray(WEIGHTS["ranges"]).astype(np.int32)[hardness]
        ours = tunnelling_distance_map(hardness, np.array([goal]), diagonal=diagonal)
        entered = np.where(ours == UNREACHED, UNREACHED, ours + weight - weight[goal])
        assert np.array_equal(entered, tcod_map(weight, goal, diagonal)), seed


def test_the_page_names_what_is_there():
    names = re.findall(r"^\|[^|]+\| `(\w+)[(`]", PAGE.read_text("utf-8"), re.MULTILINE)
    engine = importlib.import_module("dungeon_tui.engine")
    assert len(names) > 5
    assert [name for name in names if not hasattr(engine, name)] == []


@pytest.mark.parametrize("module", ["path", "map"])
def test_the_page_has_a_row_for_every_function_of_tcod(module):
    tcod = pytest.importorskip(f"tcod.{module}", reason="tcod is not installed: nothing to compare with")
    rows = " ".join(re.findall(r"^\|([^|]+)\|", PAGE.read_text("utf-8"), re.MULTILINE))
    public = [
        name for name, it in vars(tcod).items() if name[0] != "_" and getattr(it, "__module__", "") == tcod.__name__
    ]
    assert len(public) > 1
    assert [name for name in public if not re.search(rf"\b{name}\b", rows)] == []
