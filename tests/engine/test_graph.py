"""Distances over a graph, beside networkx-free breadth first search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.engine import UNREACHED, graph_distances


def naive_distances(neighbours: list[list[int]], source: int) -> list[int]:
    distance = [UNREACHED] * len(neighbours)
    reached, steps = {source}, 0
    while reached:
        for node in reached:
            distance[node] = steps
        steps += 1
        reached = {other for node in reached for other in neighbours[node] if distance[other] == UNREACHED}
    return distance


GRAPHS = st.integers(1, 8).flatmap(
    lambda nodes: st.lists(st.lists(st.integers(0, nodes - 1), max_size=4), min_size=nodes, max_size=nodes)
)


@given(neighbours=GRAPHS, data=st.data())
def test_distances_are_those_of_the_twin(neighbours: list[list[int]], data: st.DataObject) -> None:
    source = data.draw(st.integers(0, len(neighbours) - 1))
    indptr = np.cumsum([0, *map(len, neighbours)])
    indices = np.array([other for others in neighbours for other in others], np.int64)
    indptr.setflags(write=False)
    assert graph_distances(indptr, indices, source).tolist() == naive_distances(neighbours, source)


@pytest.mark.parametrize(
    ("indptr", "indices", "source", "what"),
    [
        ([0, 1], [0], 1, "source 1"),
        ([0, 2], [0], 0, "indptr must run from 0"),
        ([1, 1], [0], 0, "indptr must run from 0"),
        ([0, 2, 1], [0], 0, "must not fall"),
        ([0, 1], [1], 0, "indices must be"),
        ([0, 1], [-1], 0, "indices must be"),
    ],
)
def test_what_is_no_graph_is_refused(indptr: list[int], indices: list[int], source: int, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        graph_distances(indptr, indices, source)
