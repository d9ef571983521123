import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.engine import minimum_health, minimum_health_path, need_table
from tests import naive_grid_dp as naive

SMALL = [st.integers(-1, 1), st.integers(-9, 9), st.integers(-9, 0), st.integers(-1000, 1000)]
HUGE = [
    st.sampled_from([-(2**63), 1 - 2**63, -1, 0, 1, 2**62, 2**63 - 1]),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-(2**61), 2**61),
    st.integers(-(2**59), 2**59),
]


def grids(rows, cols, kinds):
    """Grids as lists of rows, of values of one kind."""
    shapes = st.tuples(st.integers(1, rows), st.integers(1, cols), st.sampled_from(kinds))
    return shapes.flatmap(
        lambda shape: st.lists(
            st.lists(shape[2], min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
        )
    )


@st.composite
def larger_grids(draw):
    """Up to five strips of eight rows, all widths around them, either dtype, ties common or rare."""
    shape = draw(st.tuples(st.integers(1, 40), st.integers(1, 40)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    most = draw(st.sampled_from([1, 5, 1000, 2**31 - 1]))
    shift = draw(st.sampled_from([0, 0, most // 3]))
    dtype = draw(st.sampled_from([np.int32, np.int64]))
    return np.clip(rng.integers(-most, most, shape, endpoint=True) - shift, -(2**31), 2**31 - 1).astype(dtype)


def or_refusal(function, *arguments):
    """What a function returns, or None where the least health fits no 64 bits."""
    try:
        return function(*arguments)
    except ValueError as error:
        if "more than a signed 64-bit integer holds" not in str(error):
            raise
        return None


def fitting(health):
    return health if health < 2**63 else None


def check(grid):
    """All three functions, beside the slow twin; what fits no 64 bits is refused."""
    needs = naive.need_table(grid)
    assert or_refusal(minimum_health, grid) == fitting(needs[0][0])
    result = or_refusal(minimum_health_path, grid)
    assert (result and result[0]) == fitting(needs[0][0])
    if result is not None:
        assert [tuple(cell) for cell in result[1].tolist()] == naive.best_path(grid)
    table = or_refusal(need_table, grid)
    assert (None if table is None else table.tolist()) == (needs if max(map(max, needs)) < 2**63 else None)


@given(grids(5, 5, SMALL + HUGE))
@settings(max_examples=3 * settings().max_examples)
def test_no_way_takes_less(grid):
    check(grid)
    assert naive.need_of(grid, naive.best_path(grid)) == naive.minimum_health(grid) == naive.need_table(grid)[0][0]


@given(larger_grids())
@settings(max_examples=2 * settings().max_examples)
def test_the_strips_find_what_the_definition_says(grid):
    check(grid.tolist())
    assert minimum_health_path(grid)[1].tolist() == minimum_health_path(grid.tolist())[1].tolist()


@given(st.integers(44, 62), st.booleans(), st.integers(0, 2**32))
def test_strips_know_when_floats_are_too_few(bits, harsh, seed):
    check(np.random.default_rng(seed).integers(-(2**bits), 0 if harsh else 2**bits, (33, 45)).tolist())


@pytest.mark.parametrize(("rows", "cols"), [(200, 300), (301, 203), (16, 5000), (6000, 23), (1, 70000), (70000, 1)])
def test_large_boards(rows, cols):
    grid = np.random.default_rng(3).integers(-1000, 1000, (rows, cols))
    needs = need_table(grid)
    onward = np.full((rows + 1, cols + 1), 2**62)
    onward[-2, -1] = 1
    onward[:-1, :-1] = needs
    assert np.array_equal(needs, np.maximum(1, np.minimum(onward[1:, :-1], onward[:-1, 1:]) - grid))
    health, path = minimum_health_path(grid)
    assert minimum_health(grid) == health == needs[0, 0]
    assert health == max(1, 1 - int(np.cumsum(grid[path[:, 0], path[:, 1]]).min()))
    assert path[0].tolist() == [0, 0]
    assert path[-1].tolist() == [rows - 1, cols - 1]
    assert {tuple(step) for step in np.diff(path, axis=0).tolist()} <= {(0, 1), (1, 0)}


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">i8", "O"])
def test_every_integer_type(dtype):
    grid = np.random.default_rng(9).integers(-9, 9, (20, 33))
    grid = (grid - grid.min() if "u" in dtype else grid).astype(dtype)
    needs = naive.need_table([[int(value) for value in row] for row in grid])
    assert minimum_health(grid) == minimum_health_path(grid)[0] == needs[0][0]
    assert need_table(grid).tolist() == needs


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.int8])
def test_views_and_read_only_grids(dtype):
    whole = np.random.default_rng(7).integers(-9, 9, (60, 80)).astype(dtype)
    frozen = whole.copy()
    frozen.flags.writeable = False
    for view in (frozen, whole.T, whole[::-1, ::-1], whole[3::2, 5::3], np.asfortranarray(whole)):
        needs = naive.need_table(view.tolist())
        assert minimum_health(view) == needs[0][0]
        assert minimum_health_path(view)[0] == needs[0][0]
        assert need_table(view).tolist() == needs
    assert np.array_equal(whole, frozen)


def test_the_largest_needs():
    assert minimum_health([[-(2**63) + 2]]) == 2**63 - 1
    with pytest.raises(ValueError, match=f"is {2**63}, more than a signed 64-bit integer holds"):
        minimum_health([[-(2**63) + 1]])
    with pytest.raises(ValueError, match=str(2**64 + 1)):
        minimum_health_path([[-(2**63), -(2**63)]])
    detour = [[1, -(2**63)], [-1, -(2**63)], [-1, 0]]  # (0, 1) needs 2**64 + 1, but nobody has to go there
    assert minimum_health(detour) == 1 + 1
    assert minimum_health_path(detour)[1].tolist() == [[0, 0], [1, 0], [2, 0], [2, 1]]
    with pytest.raises(ValueError, match=rf"cell \(1, 1\) is {2**63 + 1}"):
        need_table(detour)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ([], "2 dimensions"),
        ([1, 2], "2 dimensions"),
        ([[[1]]], "2 dimensions"),
        ([[]], "at least one cell, not 1 x 0"),
        (np.empty((0, 3), np.int64), "at least one cell, not 0 x 3"),
        ([[1, 2], [3]], "rows|2 dimensions"),
        ([[1.0]], "float"),
        ([[True]], "bool"),
        ([[1, "2"]], r"str as in cell \(0, 1\)"),
        (np.ones((2, 2)), "integers, not float64"),
        (np.ones((2, 2), np.bool_), "integers, not bool"),
        (np.ones((2, 2), np.complex128), "integers, not complex128"),
        ([[0, 2**63]], rf"cell \(0, 1\) is {2**63}, which doesn't fit a signed 64-bit"),
        ([[0], [-(2**63) - 1]], r"cell \(1, 0\) is"),
        (np.array([[1, 2], [2**63, 4]], np.uint64), r"cell \(1, 0\) is"),
    ],
)
@pytest.mark.parametrize("function", [minimum_health, minimum_health_path, need_table])
def test_what_is_no_grid_is_refused(function, grid, message):
    with pytest.raises(ValueError, match=message):
        function(grid)
