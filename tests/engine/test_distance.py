import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dungeon_tui.engine import (
    UNREACHED,
    WEIGHTS,
    cost_distance_map,
    distance_map,
    distance_maps,
    flee_map,
    tunnelling_distance_map,
)
from dungeon_tui.engine.distance.waves import walking_distances
from tests import naive_distance as naive

SIZES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=26)


@st.composite
def walks(draw):
    """A random map with one to four goals on open cells."""
    height, width = draw(SIZES)
    share = draw(st.sampled_from([0.35, 0.5, 0.7, 0.95, 1.0]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    passable = rng.random((height, width)) < share
    goals = np.column_stack([rng.integers(height, size=4), rng.integers(width, size=4)])
    goals = goals[: draw(st.integers(1, 4))]
    passable[tuple(goals.T)] = True
    return passable, goals


@st.composite
def digs(draw):
    """A random hardness map, weights by name or as a table, the table, and goals that can be entered."""
    passable, goals = draw(walks())
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    table = draw(
        st.one_of(
            st.sampled_from(sorted(WEIGHTS)),
            st.integers(1, 9).map(lambda top: rng.integers(0, top + 1, 256)),
            st.just(rng.integers(0, 256, 256)),
        )
    )
    weights = table
    table = WEIGHTS[table] if isinstance(table, str) else table
    hardness = np.where(passable & (rng.random(passable.shape) < 0.5), 0, rng.integers(0, 256, passable.shape))
    hardness[rng.random(passable.shape) < 0.1] = 255
    enterable = np.flatnonzero(table)
    if len(enterable) == 0:
        table[7], enterable = 1, [7]
    hardness[tuple(goals.T)] = rng.choice(enterable, len(goals))
    return hardness.astype(np.uint8), goals, weights, table


@given(walks(), st.booleans())
@settings(max_examples=3 * settings().max_examples)
def test_walking_equals_the_slow_twin(walk, diagonal):
    passable, goals = walk
    ref = naive.distance_map(passable.tolist(), goals.tolist(), diagonal)
    got = distance_map(passable, goals, diagonal=diagonal)
    assert got.dtype == np.int32
    assert got.tolist() == ref
    walking_distances(passable, goals, diagonal, got)  # for large maps
    assert got.tolist() == ref


@given(digs(), st.booleans())
@settings(max_examples=5 * settings().max_examples)
def test_tunnelling_equals_the_slow_twin(dig, diagonal):
    hardness, goals, weights, table = dig
    ref = naive.tunnelling_distance_map(hardness.tolist(), goals.tolist(), table.tolist(), diagonal)
    got = tunnelling_distance_map(hardness, goals, weights=weights, diagonal=diagonal)
    assert got.dtype == np.int32
    assert got.tolist() == ref


@given(walks())
def test_read_only_and_strided_arrays_and_lists_are_the_same_map(walk):
    passable, goals = walk
    ref = distance_map(passable, goals)
    hardness = np.where(passable, 0, 200).astype(np.uint8)
    rock = tunnelling_distance_map(hardness, goals)
    frozen, strided = passable.copy(), np.zeros((2 * passable.shape[0], 3 * passable.shape[1]), np.bool_)
    frozen.flags.writeable = False
    strided[::2, ::3] = passable
    for grid in frozen, strided[::2, ::3], np.asfortranarray(passable):
        assert np.array_equal(distance_map(grid, goals), ref)
        assert np.array_equal(tunnelling_distance_map(np.where(grid, 0, 200).astype(np.uint8), goals), rock)
    few = goals.astype(np.uint8)
    few.flags.writeable = False
    for cells in few, goals[::-1], goals.tolist():
        assert np.array_equal(distance_map(passable, cells), ref)
    hardness.flags.writeable = False
    assert np.array_equal(tunnelling_distance_map(hardness, few), rock)
    assert np.array_equal(tunnelling_distance_map(hardness[::-1][::-1], few), rock)


def test_steps_are_diagonal_by_default():
    corner = np.array([[0, 0]])
    assert distance_map(np.ones((2, 2), bool), corner)[1, 1] == 1
    assert tunnelling_distance_map(np.zeros((2, 2), np.uint8), corner)[1, 1] == 1


def test_the_named_tables():
    assert [WEIGHTS["ranges"][hardness] for hardness in (0, 1, 84, 85, 170, 171, 254, 255)] == [1, 1, 1, 2, 2, 3, 3, 0]
    assert [WEIGHTS["div85"][hardness] for hardness in (0, 84, 85, 169, 170, 254, 255)] == [1, 1, 2, 2, 3, 3, 0]
    assert [WEIGHTS["div60"][hardness] for hardness in (0, 59, 60, 239, 240, 254, 255)] == [1, 1, 2, 4, 5, 5, 0]
    assert all(not table.flags.writeable for table in WEIGHTS.values())


def test_a_corridor_longer_than_sixteen_bits():
    length = 70_000
    passable = np.ones((1, length), np.bool_)
    rock = np.full((1, length), 254, np.uint8)
    steps = np.arange(length, dtype=np.int64)
    for grid_of, turn in (lambda grid: grid, lambda row: row), (lambda grid: grid.T, lambda row: row[:, None]):
        goal = np.array([[0, 0]])
        assert np.array_equal(distance_map(grid_of(passable), goal), np.atleast_2d(turn(steps)))
        assert np.array_equal(tunnelling_distance_map(grid_of(rock), goal), np.atleast_2d(turn(3 * steps)))
        heavy = tunnelling_distance_map(grid_of(rock), goal, weights="div60")
        assert np.array_equal(heavy, np.atleast_2d(turn(5 * steps)))


def test_a_distance_that_fits_nowhere_is_refused():
    cost = np.full((1, 140), 65535, np.uint16)
    assert cost_distance_map(cost[:, :128], [(0, 0)], orthogonal=255)[0, 127] == 127 * 255 * 65535
    with pytest.raises(ValueError, match="a distance would be 2147483647 or more"):
        cost_distance_map(cost, [(0, 0)], orthogonal=255)


@given(
    walks(), st.booleans(), st.sampled_from([0, 1, 2]), st.integers(0, 12), st.lists(st.integers(-9, 30), min_size=4)
)
def test_starts_corners_and_limits_equal_the_slow_twin(walk, diagonal, open_corners, limit, start):
    passable, goals = walk
    start = start[: len(goals)]
    values: dict[tuple[int, int], int] = {}
    for cell, value in zip(map(tuple, goals.tolist()), start, strict=True):
        values[cell] = min(value, values.get(cell, value))
    ref = naive.rescanned(passable.tolist(), values, diagonal, open_corners, limit)
    corners = ["cut", "touch", "square"][open_corners]
    got = distance_map(passable, goals, diagonal=diagonal, start=start, corners=corners, max_distance=limit)
    assert got.tolist() == ref


@given(walks(), st.booleans(), st.sampled_from([0, 1, 2]), st.sampled_from([0, 0.5, 1, 1.2, 2.75, 9]))
def test_fleeing_equals_the_slow_twin(walk, diagonal, open_corners, factor):
    passable, goals = walk
    ref = naive.flee_map(passable.tolist(), goals.tolist(), factor, diagonal, open_corners)
    corners = ["cut", "touch", "square"][open_corners]
    assert flee_map(passable, goals, factor=factor, diagonal=diagonal, corners=corners).tolist() == ref


@given(
    walks(), st.integers(0, 4), st.integers(0, 4), st.sampled_from([(3, np.uint8), (200, np.uint8), (65535, np.uint16)])
)
def test_costs_equal_the_slow_twin(walk, orthogonal, diagonal, kind):
    passable, goals = walk
    largest, dtype = kind
    rng = np.random.default_rng(orthogonal + 5 * diagonal)
    cost = np.where(passable, rng.integers(1, largest + 1, passable.shape), 0).astype(dtype)
    ref = naive.cost_distance_map(cost.tolist(), goals.tolist(), orthogonal, diagonal)
    assert cost_distance_map(cost, goals, orthogonal=orthogonal, diagonal=diagonal).tolist() == ref


@given(walks(), st.booleans())
def test_a_map_of_start_values_equals_the_slow_twin(walk, diagonal):
    passable, goals = walk
    rng = np.random.default_rng(len(goals))
    values = np.where(rng.random(passable.shape) < 0.3, rng.integers(-50, 50, passable.shape), UNREACHED)
    values[tuple(goals.T)] = 7
    ref = naive.rescanned(passable.tolist(), dict(np.ndenumerate(values)), diagonal)
    assert distance_map(passable, None, start=values, diagonal=diagonal).tolist() == ref
    those = distance_map(passable, goals, start=[7] * len(goals))
    assert np.array_equal(distance_map(passable, goals, start=values), those)


@given(walks(), st.booleans())
def test_many_maps_are_the_single_ones(walk, diagonal):
    passable, goals = walk
    sets = [goals, goals[:1], goals[-1:].tolist()] * 2
    got = distance_maps(passable, sets, diagonal=diagonal)
    assert np.array_equal(got, [distance_map(passable, each, diagonal=diagonal) for each in sets])
    with pytest.raises(ValueError, match=r"goal \(-1, 3\) lies off the grid"):
        distance_maps(passable, [goals, np.array([(-1, 3)])])


def test_no_sets_make_no_maps():
    assert distance_maps(np.ones((3, 4), np.bool_), []).shape == (0, 3, 4)


def test_many_large_maps_are_the_single_ones():
    passable = np.random.default_rng(4).random((630, 650)) < 0.8
    sets = [cells[None] for cells in np.argwhere(passable)[::60_000]]  # for several threads
    assert np.array_equal(distance_maps(passable, sets), [distance_map(passable, each) for each in sets])


def test_a_given_array_is_filled():
    passable, goals = np.ones((3, 4), np.bool_), np.array([[0, 0]])
    out = np.zeros((3, 4), np.int32)
    assert distance_map(passable, goals, out=out) is out
    assert np.array_equal(out, distance_map(passable, goals))
    both = np.zeros((2, 3, 4), np.int32)
    assert distance_maps(passable, [goals, goals], out=both) is both
    assert np.array_equal(both, [out, out])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"start": [1, 2]}, "an integer for each of 1 goals"),
        ({"start": [0.5]}, "an integer for each of 1 goals"),
        ({"start": [2**40]}, "start values must lie from"),
        ({"start": np.zeros((4, 3), int)}, "an integer for each of 1 goals, or for each cell"),
        ({"corners": "round"}, "corners must be one of cut, touch, square, not 'round'"),
        ({"out": np.zeros((3, 4), np.int64)}, "out must be an int32 array"),
        ({"out": np.zeros((4, 3), np.int32).T}, "out must be contiguous"),
    ],
)
def test_a_wrong_option_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        distance_map(np.ones((3, 4), np.bool_), np.array([[0, 0]]), **arguments)


@pytest.mark.parametrize("goal", [(-1, 0), (0, -1), (3, 0), (0, 5), (2**40, 0), (0, -(2**63))])
def test_a_goal_off_the_grid_is_named(goal):
    for goals in [goal], [(1, 1), goal]:
        with pytest.raises(ValueError, match=rf"goal \({goal[0]}, {goal[1]}\) lies off the grid of 3 x 5"):
            distance_map(np.ones((3, 5), np.bool_), np.array(goals))
        for weights in "ranges", "div60":
            with pytest.raises(ValueError, match=rf"goal \({goal[0]}, {goal[1]}\) lies off the grid of 3 x 5"):
                tunnelling_distance_map(np.zeros((3, 5), np.uint8), np.array(goals), weights=weights)


def test_a_goal_in_a_wall_is_named():
    passable = np.ones((3, 5), np.bool_)
    passable[2, 4] = False
    with pytest.raises(ValueError, match=r"goal \(2, 4\) lies in a wall"):
        distance_map(passable, np.array([[0, 0], [2, 4]]))
    hardness = np.where(passable, 7, 255).astype(np.uint8)
    for weights in "ranges", "div60":
        with pytest.raises(ValueError, match=r"goal \(2, 4\) lies on a cell that nothing enters"):
            tunnelling_distance_map(hardness, np.array([[0, 0], [2, 4]]), weights=weights)


@pytest.mark.parametrize(
    ("goals", "message"),
    [
        (np.zeros((0, 2), np.int64), "at least one"),
        ([], "at least one"),
        (np.array([0, 0]), "shape"),
        (np.array([[0, 0, 0]]), "shape"),
        (np.array([[0.0, 0.0]]), "integers"),
        (np.array([[True, False]]), "integers"),
    ],
)
def test_goals_of_another_shape_or_type_are_refused(goals, message):
    with pytest.raises(ValueError, match=f"goals must .*{message}"):
        distance_map(np.ones((3, 5), np.bool_), goals)
    with pytest.raises(ValueError, match=f"goals must .*{message}"):
        tunnelling_distance_map(np.zeros((3, 5), np.uint8), goals)


@pytest.mark.parametrize(
    ("function", "grid", "message"),
    [
        (distance_map, np.ones((3, 5), np.uint8), "passable must be a .* array of bool, not uint8"),
        (distance_map, np.ones(5, np.bool_), "passable must be a .* array of bool, not bool of shape"),
        (distance_map, [[True]], "passable must be a .* array of bool, not list"),
        (distance_map, np.ones((0, 5), np.bool_), r"goal \(0, 0\) lies off the grid of 0 x 5"),
        (tunnelling_distance_map, np.zeros((3, 5), np.int64), "hardness must be a .* array of uint8, not int64"),
    ],
)
def test_grids_of_another_shape_or_type_are_refused(function, grid, message):
    with pytest.raises(ValueError, match=message):
        function(grid, np.array([[0, 0]]))


@pytest.mark.parametrize("weights", [[1] * 255, [256] * 256, [-1] * 256, [1.0] * 256, "div7"])
def test_weights_that_are_no_table_are_refused(weights):
    with pytest.raises(ValueError, match=r"weights must be 256 integers|no table .* 'div7'.* ranges, div85, div60"):
        tunnelling_distance_map(np.zeros((3, 5), np.uint8), np.array([[0, 0]]), weights=weights)


def test_any_byte_but_zero_is_passable():
    passable = np.array([[3, 0, 255, 128, 1, 2, 64, 4, 9]], np.uint8).view(np.bool_)
    assert distance_map(passable, [(0, 2)])[0].tolist() == [UNREACHED, UNREACHED, 0, 1, 2, 3, 4, 5, 6]


BOUNDS = """
import numpy as np
from dungeon_tui.engine import distance_map, downhill, path, path_to, tunnelling_distance_map
from dungeon_tui.engine.distance.waves import walking_distances

for height, width in (1, 1), (1, 9), (8, 8), (9, 17), (16, 7):
    passable, rock = np.ones((height, width), np.bool_), np.full((height, width), 200, np.uint8)
    corners = [(row, col) for row in (0, height - 1) for col in (0, width - 1)]
    for goals in corners, corners[:1], corners[-1:]:
        for diagonal in True, False:
            for distance in (
                distance_map(passable, goals, diagonal=diagonal),
                tunnelling_distance_map(rock, goals, diagonal=diagonal),
                tunnelling_distance_map(rock, goals, weights="div60", diagonal=diagonal),
            ):
                downhill(distance, diagonal=diagonal)
                path(distance, corners[-1], diagonal=diagonal)
            walking_distances(passable, np.array(goals), diagonal, distance)
            path_to(passable, corners[0], corners[-1], diagonal=diagonal)
"""


@pytest.mark.slow  # compiles all again
def test_no_kernel_leaves_its_arrays(tmp_path):
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", BOUNDS], check=True, env=environment, cwd=root)
