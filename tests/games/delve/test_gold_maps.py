"""The course's own distance maps, cell by cell, by the slow twin and by the engine.

The gold files draw the player as `0` or `@` and immutable cells as blank or `X`: those two are set aside.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import read_level_file
from dungeon_tui.engine import UNREACHED, WEIGHTS, distance_map, tunnelling_distance_map
from dungeon_tui.games.delve.model.dungeon import read_level
from dungeon_tui.games.delve.model.level import ROCK, Level, terrain
from tests import naive_distance as naive
from tests.processes import call

SAMPLES = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "delve"
LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
FILES = [("s2016-2656732493", "div60", True), ("s2017-01", "ranges", False), ("s2019-00", "div85", False)]
IDS = [name for name, _, _ in FILES]

Distances = NDArray[np.int32]


def by_twin(level: Level, player: Cell, weights: str) -> tuple[Distances, Distances]:
    hardness, table = level.hardness.tolist(), WEIGHTS[weights].tolist()
    passable = [[cell == 0 for cell in row] for row in hardness]
    return (
        np.array(naive.distance_map(passable, [player])),
        np.array(naive.tunnelling_distance_map(hardness, [player], table)),
    )


def by_engine(level: Level, player: Cell, weights: str) -> tuple[Distances, Distances]:
    goal = np.array([player])
    return distance_map(level.hardness == 0, goal), tunnelling_distance_map(level.hardness, goal, weights=weights)


def by_command(level: Level, player: Cell, weights: str) -> tuple[Distances, Distances]:
    """The distances that `delve distances` tells."""
    path, at = SAMPLES / f"{level.name.rpartition('/')[2]}", "{},{}".format(*player)
    found = []
    for kind in ((), ("--tunnelling", "--weights", weights)):
        told = json.loads(call("delve", "distances", str(path), "--at", at, *kind, "--json").stdout)
        rows = [[UNREACHED if steps is None else steps for steps in row] for row in told["distances"]]
        found.append(np.array(rows, np.int32))
    return found[0], found[1]


def read_gold(name: str) -> tuple[Level, Cell, list[list[str]]]:
    """The level, its player, and the gold file's blocks: the dungeon, the walkers' and the tunnellers' map."""
    if not SAMPLES.is_dir():
        pytest.skip("the gold maps in ../shared/data/delve are not here")
    level = read_level(read_level_file(SAMPLES / f"{name}.rlg327"))
    height, width = level.hardness.shape
    lines = (SAMPLES / f"{name}.gold.txt").read_text().splitlines()
    lines = [line for line in lines if len(line) == width]
    blocks = [lines[start : start + height] for start in range(0, 3 * height, height)]
    row = next(row for row, line in enumerate(blocks[0]) if "@" in line)
    return level, Cell(row, blocks[0][row].index("@")), blocks


@pytest.mark.parametrize("maps", [by_twin, by_engine, by_command])
@pytest.mark.parametrize(("name", "weights", "has_letters"), FILES, ids=IDS)
def test_gold_maps_come_out_equal(
    name: str, weights: str, has_letters: bool, maps: Callable[..., tuple[Distances, Distances]]
) -> None:
    level, player, (_, *golden) = read_gold(name)
    looks = terrain(level)
    compared = 0
    for distances, gold in zip(maps(level, player, weights), golden, strict=True):
        for row, line in enumerate(gold):
            for col, glyph in enumerate(line):
                if level.hardness[row, col] == 255 or (row, col) == player:
                    continue
                distance = int(distances[row, col])
                is_shown = distance != UNREACHED and (distance < len(LETTERS) or not has_letters)
                digit = LETTERS[distance] if has_letters and is_shown else str(distance)[-1]
                assert glyph == (digit if is_shown else chr(looks[row, col])), (row, col, distance)
                compared += 1
    assert compared == 2 * (np.count_nonzero(level.hardness != 255) - 1)


@pytest.mark.parametrize("name", IDS)
def test_the_dungeon_looks_as_the_course_draws_it(name: str) -> None:
    level, player, (drawn, *_) = read_gold(name)
    if level.player is not None:
        assert level.player == player
    grid = terrain(level)
    assert grid[player] != ROCK
    grid[player] = ord("@")
    assert [bytes(row).decode() for row in grid] == drawn
