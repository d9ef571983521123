import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.engine import field_of_view
from tests import naive_sight as naive


@st.composite
def views(draw):
    """A random map, a cell on it, and a radius or none."""
    height, width = draw(st.integers(1, 24)), draw(st.integers(1, 24))
    share = draw(st.sampled_from([0.3, 0.6, 0.85, 1.0]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    origin = draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))
    return rng.random((height, width)) < share, origin, draw(st.none() | st.integers(0, 12))


@given(views())
def test_the_view_equals_the_slow_twin(view):
    transparent, origin, radius = view
    before = transparent.copy()
    got = field_of_view(transparent, origin, radius=radius)
    assert got.dtype == np.bool_
    assert set(map(tuple, np.argwhere(got).tolist())) == naive.field_of_view(transparent.tolist(), origin, radius)
    assert np.array_equal(transparent, before)


def test_strided_and_read_only_maps_are_seen_alike():
    rng = np.random.default_rng(5)
    wide = rng.random((60, 90)) < 0.8
    for grid in wide[::2, ::3], np.asfortranarray(wide), wide[::-1]:
        frozen = np.ascontiguousarray(grid)
        frozen.flags.writeable = False
        assert np.array_equal(field_of_view(grid, (7, 9)), field_of_view(frozen, (7, 9)))


def test_a_row_with_many_gaps_is_seen_through_each():
    comb = np.ones((150, 301), np.bool_)
    comb[4, ::2] = False
    view = field_of_view(comb, (149, 150))
    assert set(map(tuple, np.argwhere(view).tolist())) == naive.field_of_view(comb.tolist(), (149, 150))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.ones((2, 3), np.bool_), (2, 0)), r"origin \(2, 0\) lies off the grid of 2 x 3"),
        ((np.ones((2, 3), np.uint8), (0, 0)), "array of bool"),
        ((np.ones(3, np.bool_), (0, 0)), "array of bool"),
        (([[True]], (0, 0)), "array of bool"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        field_of_view(*arguments)
    with pytest.raises(ValueError, match="radius must be at least 0, not -1"):
        field_of_view(np.ones((1, 1), np.bool_), (0, 0), radius=-1)
