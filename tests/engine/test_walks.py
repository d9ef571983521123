import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.engine.walks import cheapest_walk
from tests import naive_walks as naive


@st.composite
def tasks(draw, most=8):
    """A map of any kind of costs, joined or not, with parallel edges and loops, and a walk over it."""
    nodes = draw(st.integers(1, most))
    costs = draw(st.sampled_from([(1, 1), (0, 0), (0, 1), (0, 3), (2, 9), (0, 2**40)]))
    node_costs = draw(st.lists(st.integers(*costs), min_size=nodes, max_size=nodes))
    lengths = draw(st.sampled_from([(0, 0), (1, 1), (0, 1), (0, 3), (0, 2**40)]))
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
        draw(st.integers(1, nodes)),
        end,
        draw(st.sets(any_node, max_size=2)),
    )


def check(walk, edges, node_costs, start, needed, end, seen):
    """That a walk is one, costs what it says and does what was asked; by the slow twin also that none is cheaper."""
    best = naive.least_cost(edges, node_costs, start, needed, end, seen)
    assert walk.is_proven
    assert walk.cost == best
    if best is None:
        assert walk.nodes.tolist() == []
        assert walk.seen == len(naive.reachable(start, edges) | seen)
        return
    nodes = walk.nodes.tolist()
    assert nodes[0] == start
    assert end in (None, nodes[-1])
    assert naive.cost_of(nodes, edges, node_costs) == walk.cost == walk.lower_bound
    assert walk.seen == len({*nodes, *seen}) >= needed


@given(tasks())
@settings(max_examples=400, deadline=None)
def test_the_cost_equals_the_slow_twins(task):
    edges, node_costs, start, needed, end, seen = task
    indptr, indices, edge_costs = naive.compressed(len(node_costs), edges)
    walk = cheapest_walk(indptr, indices, edge_costs, node_costs, start, needed=needed, end=end, seen=seen)
    check(walk, *task)
