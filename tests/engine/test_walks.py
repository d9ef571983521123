from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.engine.walks import (
    METHODS,
    cheapest_costs,
    cheapest_walk,
    count_walks,
    first_steps,
)
from tests import naive_walks as naive

EXACT = [
    "frontier",
    "states",
    pytest.param("programme", marks=pytest.mark.skipif(find_spec("highspy") is None, reason="highspy is optional")),
]


@st.composite
def tasks(draw, most=8, large=True):
    """A map of any kind of costs, joined or not, with parallel edges and loops, and a walk over it."""
    nodes = draw(st.integers(1, most))
    kinds = [(1, 1), (0, 0), (0, 1), (0, 3), (2, 9)] + ([(0, 2**40)] if large else [])
    costs, lengths = draw(st.sampled_from(kinds)), draw(st.sampled_from(kinds))
    node_costs = draw(st.lists(st.integers(*costs), min_size=nodes, max_size=nodes))
    any_node = st.integers(0, nodes - 1)
    tree = [(draw(st.integers(0, node - 1)), node, draw(st.integers(*lengths))) for node in range(1, nodes)]
    if draw(st.integers(0, 3)) == 0:
        tree = tree[1:]
    more = draw(st.lists(st.tuples(any_node, any_node, st.integers(*lengths)), max_size=nodes))
    end = draw(st.one_of(st.none(), any_node))
    return (
        tree + more,
        node_costs,
        draw(any_node),
        draw(st.integers(0, nodes)),
        end,
        draw(st.sets(any_node, max_size=2)),
    )


def arguments(task):
    """A task's arrays, and its options by name."""
    edges, node_costs, start, needed, end, seen = task
    indptr, indices, edge_costs = naive.compressed(len(node_costs), edges)
    return (indptr, indices, edge_costs, node_costs, start), {"needed": needed, "end": end, "seen": seen}


def check_walk(walk, edges, node_costs, start, needed, end, seen):
    """That a walk is one, costs what it says, does what was asked and does not go on then."""
    nodes = walk.nodes.tolist()
    assert nodes[0] == start
    assert naive.cost_of(nodes, edges, node_costs) == walk.cost
    assert walk.seen == len({*nodes, *seen})
    over = [naive.is_over((node, frozenset({*nodes[: at + 1], *seen})), needed, end) for at, node in enumerate(nodes)]
    assert over.index(True) == len(nodes) - 1
    assert 0 <= walk.lower_bound <= walk.cost
    assert walk.is_proven == (walk.lower_bound == walk.cost)


def check_against_twin(walk, task):
    """That no walk is cheaper."""
    edges, _, start, *_, seen = task
    best = naive.least_cost(*task)
    assert walk.is_proven
    assert walk.cost == best
    assert walk.method in METHODS
    if best is None:
        assert walk.nodes.tolist() == []
        assert walk.seen == len(naive.reachable(start, edges) | seen)
    else:
        check_walk(walk, *task)


@given(tasks())
@settings(max_examples=400, deadline=None)
def test_the_cost_equals_the_slow_twins(task):
    graph, options = arguments(task)
    check_against_twin(cheapest_walk(*graph, **options), task)


@pytest.mark.parametrize("method", EXACT)
def test_every_solver_alone_equals_the_slow_twin(method):
    @given(tasks(7, large=method != "programme"))
    @settings(max_examples=60 if method == "programme" else 250, deadline=None)
    def compare(task):
        graph, options = arguments(task)
        check_against_twin(cheapest_walk(*graph, **options, method=method), task)

    compare()


@given(tasks())
@settings(max_examples=100, deadline=None)
def test_greedy_walks_are_walks_and_their_bound_is_one(task):
    graph, options = arguments(task)
    walk = cheapest_walk(*graph, **options, method="greedy")
    best = naive.least_cost(*task)
    if best is None:
        assert walk.cost is None
    else:
        check_walk(walk, *task)
        assert walk.lower_bound <= best <= walk.cost


@given(tasks(7))
@settings(max_examples=150, deadline=None)
def test_returning_is_ending_where_it_began(task):
    graph, options = arguments(task)
    there = cheapest_walk(*graph, **{**options, "end": task[2]})
    back = cheapest_walk(*graph, **{**options, "end": None}, returns=True)
    assert (there.cost, there.nodes.tolist(), there.seen) == (back.cost, back.nodes.tolist(), back.seen)


@given(tasks(6))
@settings(max_examples=150, deadline=None)
def test_the_first_steps_equal_the_slow_twins(task):
    graph, options = arguments(task)
    assert first_steps(*graph, **options).tolist() == naive.first_steps(*task)


@given(tasks(6), st.sampled_from([1, 2, 5, 10**6]))
@settings(max_examples=250, deadline=None)
def test_the_number_of_walks_equals_the_slow_twins(task, cap):
    graph, options = arguments(task)
    assert count_walks(*graph, **options, cap=cap) == min(cap, naive.count_walks(*task))


@given(tasks(6), st.booleans())
@settings(max_examples=150, deadline=None)
def test_the_costs_of_each_number_of_nodes_equal_the_slow_twins(task, is_wide):
    graph, options = arguments(task)
    del options["needed"]
    edges, node_costs, start, _, end, seen = task
    with pytest.MonkeyPatch.context() as patch:
        if is_wide:
            patch.setattr("dungeon_tui.engine._walks_answers.MAX_WIDTH", -1)
        costs = cheapest_costs(*graph, **options)
    assert costs.dtype == np.int64
    right = [naive.least_cost(edges, node_costs, start, k, end, seen) for k in range(len(node_costs) + 1)]
    assert costs.tolist() == [cost for cost in right if cost is not None]
