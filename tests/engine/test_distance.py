import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dungeon_tui.core.grid import EIGHT_WAYS
from dungeon_tui.engine import (
    STAY,
    STEPS,
    UNREACHED,
    WEIGHTS,
    NoPathError,
    distance_map,
    downhill,
    path,
    tunnelling_distance_map,
)
from tests import naive_distance as naive

SIZES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=26)


@st.composite
def walks(draw):
    """A random map with one to four goals on open cells."""
    height, width = draw(SIZES)
    share = draw(st.sampled_from([0.35, 0.5, 0.7, 0.95]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    passable = rng.random((height, width)) < share
    goals = np.column_stack([rng.integers(height, size=4), rng.integers(width, size=4)])[: draw(st.integers(1, 4))]
    passable[tuple(goals.T)] = True
    return passable, goals


@st.composite
def digs(draw):
    """A random hardness map, a table of weights and one to four goals that can be entered."""
    passable, goals = draw(walks())
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    hardness = np.where(passable & (rng.random(passable.shape) < 0.5), 0, rng.integers(0, 256, passable.shape))
    hardness[rng.random(passable.shape) < 0.1] = 255
    weights = draw(
        st.one_of(
            st.sampled_from(sorted(WEIGHTS)),
            st.integers(0, 9).map(lambda top: rng.integers(0, top + 1, 256)),
            st.just(rng.integers(0, 256, 256)),
        )
    )
    table = np.array(WEIGHTS[weights] if isinstance(weights, str) else weights)
    if not isinstance(weights, str):
        weights[0] = table[0] = max(1, table[0])
    hardness[tuple(goals.T)] = 0
    return hardness.astype(np.uint8), goals, weights, table


@given(walks(), st.booleans())
def test_walking_equals_the_slow_twin(walk, diagonal):
    passable, goals = walk
    ref = naive.distance_map(passable.tolist(), goals.tolist(), diagonal)
    got = distance_map(passable, goals, diagonal=diagonal)
    assert got.dtype == np.int32
    assert got.tolist() == ref


@given(digs(), st.booleans())
@settings(max_examples=300)
def test_tunnelling_equals_the_slow_twin(dig, diagonal):
    hardness, goals, weights, table = dig
    ref = naive.tunnelling_distance_map(hardness.tolist(), goals.tolist(), table.tolist(), diagonal)
    got = tunnelling_distance_map(hardness, goals, weights=weights, diagonal=diagonal)
    assert got.dtype == np.int32
    assert got.tolist() == ref
