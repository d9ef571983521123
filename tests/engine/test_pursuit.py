import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.engine import UNREACHED, solve_pursuit
from tests import naive_pursuit as naive


@st.composite
def graphs(draw):
    """Moves both ways or one way, with or without staying, a site's own moves in any order, some twice."""
    sites = draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    edges = rng.random((sites, sites)) < draw(st.sampled_from([0.1, 0.25, 0.4, 0.7, 1.0]))
    if draw(st.booleans()):
        edges |= edges.T
    staying = edges.any(axis=1)
    if draw(st.booleans()):
        staying[:] = False
    edges[~staying, ~staying] = True
    graph = [rng.permutation(np.flatnonzero(row)).tolist() for row in edges]
    if draw(st.booleans()):
        graph[0].append(graph[0][0])
    return graph


@st.composite
def boards(draw):
    """The move graph of a small board with some rock."""
    height, width = draw(st.tuples(st.integers(1, 5), st.integers(1, 5)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rock = rng.random((height, width)) < draw(st.sampled_from([0.0, 0.2, 0.4]))
    rock[0, 0] = False
    return naive.board(["".join(row) for row in np.where(rock, "#", ".")], draw(st.booleans()))[1]


def big_board(height, width, share=1.0, diagonal=True, seed=0):
    open_cells = np.random.default_rng(seed).random((height, width)) < share
    return naive.compressed(naive.board(["".join(row) for row in np.where(open_cells, ".", "#")], diagonal)[1])


@given(st.one_of(graphs(), boards()))
@settings(max_examples=5 * settings().max_examples)
def test_values_equal_the_slow_twin(graph):
    pursuing, _ = naive.solve_pursuit(graph)
    arrays = naive.compressed(graph)
    moves = solve_pursuit(*arrays)
    assert moves.dtype == np.int32
    assert dict(np.ndenumerate(moves)) == pursuing
    assert naive.unanswered(graph, map(tuple, np.argwhere(moves == UNREACHED))) is None


def check_values(indptr, indices, moves):
    """Every value, from its neighbours' values only."""
    indptr, indices = np.asarray(indptr), np.asarray(indices)
    sites = len(indptr) - 1
    evading = np.array([moves[indices[indptr[v] : indptr[v + 1]]].max(axis=0) for v in range(sites)])
    np.fill_diagonal(evading, 0)
    best = np.array([evading[:, indices[indptr[v] : indptr[v + 1]]].min(axis=1) for v in range(sites)]).T
    right = np.where(best == UNREACHED, UNREACHED, best + 1)
    np.fill_diagonal(right, 0)
    assert np.array_equal(moves, right)


@given(st.integers(60, 200), st.floats(0.5, 6), st.integers(0, 2**32))
@settings(max_examples=25)
def test_larger_random_graphs_agree_with_themselves(sites, degree, seed):
    edges = np.random.default_rng(seed).random((sites, sites)) < degree / sites
    edges |= np.eye(sites, dtype=np.bool_)
    graph = naive.compressed([np.flatnonzero(row).tolist() for row in edges])
    moves = solve_pursuit(*graph)
    check_values(*graph, moves)
    shuffle = np.random.default_rng(seed).permutation(sites)
    edges = edges[np.ix_(shuffle, shuffle)]
    again = solve_pursuit(*naive.compressed([np.flatnonzero(row).tolist() for row in edges]))
    assert np.array_equal(again, moves[np.ix_(shuffle, shuffle)])


def test_a_long_row_in_any_order():
    sites = 4200  # whose words fill more than one word themselves
    names = np.random.default_rng(1).permutation(sites)
    graph = [[]] * sites
    for place, name in enumerate(names):
        graph[name] = names[max(0, place - 1) : place + 2].tolist()
    moves = solve_pursuit(*naive.compressed(graph))
    places = np.arange(sites)
    for evader, name in enumerate(names):
        right = np.where(places < evader, sites - 1 - places, places)
        right[max(0, evader - 1) : evader + 2] = 1
        right[evader] = 0
        assert np.array_equal(moves[name, names], right)


def test_a_single_site_and_none():
    assert solve_pursuit([0, 1], [0]).tolist() == [[0]]
    assert solve_pursuit([0], []).shape == (0, 0)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_any_integers_read_only_strided_or_in_lists(dtype):
    indptr, indices = (np.array(numbers) for numbers in big_board(3, 4))
    ref = solve_pursuit(indptr, indices)
    frozen = indptr.astype(dtype), indices.astype(dtype)
    for numbers in frozen:
        numbers.flags.writeable = False
    strided = tuple(np.repeat(numbers, 2)[::2] for numbers in frozen)
    for arrays in frozen, strided, (indptr.tolist(), indices.tolist()):
        assert np.array_equal(solve_pursuit(*arrays), ref)


@pytest.mark.parametrize(
    ("indptr", "indices", "message"),
    [
        ([], [], r"indptr must have at least one entry, 0"),
        ([1], [], r"indptr\[0\] must be 0, not 1"),
        ([0, 1], [0, 0], r"indptr\[1\] must be the number of indices, 2, not 1"),
        ([0, 2, 1, 3], [0, 1, 2], r"indptr\[2\] must be at least indptr\[1\], 2, not 1"),
        ([0, 1, 1], [0], r"site 1 has no moves"),
        ([0, 1, 2], [0, 2], r"indices\[1\] must be a site from 0 to 1, not 2"),
        ([0, 1, 2], [-1, 0], r"indices\[0\] must be a site from 0 to 1, not -1"),
        ([0, 1], [2**40], r"indices\[0\] must be a site from 0 to 0, not 1099511627776"),
        (
            np.array([0, 1], np.uint64),
            np.array([2**64 - 1], np.uint64),
            r"indices\[0\] must be .* not 18446744073709551615",
        ),
        (np.array([0, 2, 1], np.uint8), [0], r"indptr\[2\] must be at least indptr\[1\], 2, not 1"),
        ([0.0, 1.0], [0], r"indptr must be integers, not float64"),
        ([0, 1], [False], r"indices must be integers, not bool"),
        ([[0, 1]], [0], r"indptr must have one dimension, not 2"),
        ([0, 1], 0, r"indices must have one dimension, not 0"),
    ],
)
def test_what_is_no_graph_is_refused_by_its_entry(indptr, indices, message):
    with pytest.raises(ValueError, match=message):
        solve_pursuit(indptr, indices)


def test_too_many_sites_are_refused_with_what_the_most_take():
    with pytest.raises(ValueError, match=r"5001 sites .* 5000, .* 105 MiB"):
        solve_pursuit(np.arange(5002), np.arange(5001))
