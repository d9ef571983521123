import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from dungeon_tui.core.grid import EIGHT_WAYS
from dungeon_tui.engine import (
    STEPS,
    UNREACHED,
    WEIGHTS,
    NoPathError,
    cost_distance_map,
    distance_map,
    downhill,
    farthest,
    path,
    path_to,
    tunnelling_distance_map,
)
from tests import naive_distance as naive

CORNERS = ["cut", "touch", "square"]
of_every_kind = pytest.mark.parametrize("kind", [*CORNERS, "tunnelling", "cost"])


@st.composite
def maps(draw, kind):
    """A map by a rule for corners, or of another function; what entering costs; which steps may be taken."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = draw(st.tuples(st.integers(1, 14), st.integers(1, 14)))
    hardness = np.where(rng.random(shape) < 0.5, 0, rng.integers(0, 256, shape)).astype(np.uint8)
    goal = rng.integers(shape[0]), rng.integers(shape[1])
    hardness[goal] = 0
    steps = {"diagonal": draw(st.booleans())}
    if kind in CORNERS:
        steps["corners"] = kind
        return distance_map(hardness == 0, [goal], **steps), (hardness == 0).astype(np.uint8), steps
    if kind == "tunnelling":
        name = draw(st.sampled_from(sorted(WEIGHTS)))
        return tunnelling_distance_map(hardness, [goal], weights=name, **steps), WEIGHTS[name][hardness], steps
    cost = rng.integers(0, draw(st.sampled_from([3, 60_000])), shape).astype(np.uint16)
    cost[goal] += 1
    steps = {"orthogonal": draw(st.integers(0, 4)), "diagonal": draw(st.integers(0, 4))}
    return cost_distance_map(cost, [goal], **steps), cost, steps


def test_steps_are_in_the_order_of_the_core():
    assert [tuple(step) for step in STEPS.tolist()] == [*(way.value for way in EIGHT_WAYS), (0, 0)]


@of_every_kind
@given(st.data(), st.integers(-(2**70), 2**70))
def test_downhill_goes_to_a_lowest_neighbour(kind, data, seed):
    distance, _, steps = data.draw(maps(kind))
    assert downhill(distance, seed=seed, **steps).tolist() == naive.downhill(distance.tolist(), seed, **steps)


@of_every_kind
@given(st.data(), st.integers(0, 2**64), st.booleans(), st.booleans())
def test_a_path_descends_to_a_goal(kind, data, seed, priced, straight):
    distance, cost, steps = data.draw(maps(kind))
    for start in np.ndindex(distance.shape):
        if distance[start] == UNREACHED:
            with pytest.raises(NoPathError, match=rf"\({start[0]}, {start[1]}\)"):
                path(distance, start, **steps)
            continue
        choices = {"cost": cost if priced else None, "seed": seed, "straight": straight, **steps}
        cells = path(distance, start, **choices)
        assert np.array_equal(cells, path(distance, start, **choices))
        assert tuple(cells[0]) == start
        along = distance[tuple(cells.T)]
        assert along[-1] == 0
        assert (np.diff(along) < 0).all()
        assert (np.abs(np.diff(cells, axis=0)).max(axis=1, initial=0) == 1).all()
        paid = 0
        for here, there in itertools.pairwise(cells.tolist()):
            factor = naive.step_factor(distance.tolist(), here, there, **steps)
            assert factor
            paid += factor * int(cost[tuple(there)])
        assert paid == distance[start] or not priced


@of_every_kind
@given(st.data(), st.integers(0, 99))
def test_a_path_takes_the_steps_downhill(kind, data, seed):
    distance, cost, steps = data.draw(maps(kind))
    for price in None, cost:
        best = downhill(distance, cost=price, seed=seed, **steps)
        for start in np.ndindex(distance.shape):
            if distance[start] != UNREACHED:
                cells = path(distance, start, cost=price, seed=seed, **steps)
                here, there = cells[:-1], cells[1:]
                assert np.array_equal(here + STEPS[best[tuple(here.T)]], there)


def test_the_seed_decides_between_equals_and_all_are_taken():
    distance = distance_map(np.ones((1, 3), np.bool_), [(0, 0), (0, 2)])
    taken = [int(downhill(distance, seed=seed)[0, 1]) for seed in range(200)]
    assert set(taken) == {2, 3}
    assert 70 < taken.count(2) < 130
    assert taken == [2 + naive.choice(seed, 1, 2) for seed in range(200)]


@given(st.integers(0, 2**32), st.sampled_from([0.5, 0.7, 1.0]), st.booleans(), st.sampled_from(CORNERS))
def test_a_path_in_one_call_is_that_on_the_goals_map(seed, share, diagonal, corners):
    steps = {"diagonal": diagonal, "corners": corners}
    rng = np.random.default_rng(seed)
    passable = rng.random(rng.integers(1, 40, 2)) < share
    goal, start = (tuple(int(rng.integers(side)) for side in passable.shape) for _ in range(2))
    passable[goal] = True
    for grid in passable, np.asfortranarray(passable), passable:
        try:
            ref = path(distance_map(grid, [goal], **steps), start, **steps)
        except NoPathError as error:
            with pytest.raises(NoPathError, match=re.escape(str(error))):
                path_to(grid, start, goal, **steps)
        else:
            assert np.array_equal(path_to(grid, start, goal, **steps), ref)


@pytest.mark.parametrize(
    ("start", "goal", "message"),
    [
        ((3, 0), (0, 0), r"start \(3, 0\) lies off the grid of 3 x 4"),
        ((0, 0), (0, -1), r"goal \(0, -1\) lies off the grid of 3 x 4"),
        ((0, 0), (1, 1), r"goal \(1, 1\) lies in a wall"),
    ],
)
def test_a_wrong_end_of_a_path_is_named(start, goal, message):
    passable = np.ones((3, 4), np.bool_)
    passable[1, 1] = False
    with pytest.raises(ValueError, match=message):
        path_to(passable, start, goal)


def test_a_long_way_takes_no_stack():
    distance = distance_map(np.ones((1, 70_000), np.bool_), [(0, 0)])
    assert np.array_equal(path(distance, (0, 69_999))[:, 1], np.arange(69_999, -1, -1))


def test_read_only_and_strided_maps():
    distance = distance_map(np.ones((6, 7), np.bool_), [(2, 3)])
    ref, way = downhill(distance), path(distance, (5, 6))
    wide = distance.astype(np.int64)
    wide.flags.writeable = False
    for same in wide, np.asfortranarray(distance), np.repeat(distance, 2, axis=1)[:, ::2]:
        assert np.array_equal(downhill(same), ref)
        assert np.array_equal(path(same, (5, 6)), way)


def test_mistakes_are_named():
    distance = np.array([[0, 1, 2]], np.int32)
    with pytest.raises(ValueError, match=r"start \(0, 3\) lies off the grid of 1 x 3"):
        path(distance, (0, 3))
    with pytest.raises(ValueError, match=r"start \(-1, 0\) lies off the grid"):
        path(distance, (-1, 0))
    with pytest.raises(ValueError, match=r"no neighbour of \(0, 2\) is lower"):
        path(np.array([[0, 3, 2]], np.int32), (0, 2))
    with pytest.raises(ValueError, match="distance must be"):
        downhill(distance.astype(float))
    with pytest.raises(ValueError, match="distance must be"):
        path(distance[0], (0, 0))
    with pytest.raises(ValueError, match="cost must be"):
        path(distance, (0, 2), cost=np.zeros((1, 2), np.uint8))
    with pytest.raises(ValueError, match="cost must be"):
        downhill(distance, cost=np.zeros((1, 3)))
    with pytest.raises(ValueError, match="corners must be one of cut, touch, square, not 'round'"):
        path(distance, (0, 2), corners="round")
    with pytest.raises(ValueError, match="diagonal must be from 0 to 255, not -1"):
        downhill(distance, diagonal=-1)


@given(hnp.arrays(np.int32, hnp.array_shapes(min_dims=2, max_dims=2), elements=st.sampled_from([0, 1, 7, UNREACHED])))
def test_the_farthest_distance_is_the_largest_that_is_reached(distance: NDArray[np.int32]) -> None:
    reached = distance[distance != UNREACHED]
    assert farthest(distance) == (reached.max() if reached.size else -1)


def test_straight_path_is_as_short_and_turns_once_in_an_open_hall() -> None:
    distance = distance_map(np.ones((20, 40), np.bool_), [(3, 36)])
    way = path(distance, (10, 2), straight=True)
    assert len(way) == len(path(distance, (10, 2)))
    steps = np.diff(way, axis=0)
    assert np.count_nonzero((steps[1:] != steps[:-1]).any(axis=1)) <= 2
