"""Distances over a graph, and its folding, beside their slow twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.engine import UNREACHED, fold_graph, graph_distances
from tests.naive_chase import core
from tests.naive_pursuit import compressed


def naive_distances(neighbours: list[list[int]], source: int, before: list[int] | None = None) -> list[int]:
    distance = [UNREACHED] * len(neighbours)
    before = before or distance.copy()
    reached, steps = {source}, 0
    while reached:
        for node in reached:
            distance[node] = steps
        steps += 1
        reached = {
            other
            for node in reached
            for other in neighbours[node]
            if distance[other] == UNREACHED and steps < before[other]
        }
    return distance


GRAPHS = st.integers(1, 8).flatmap(
    lambda nodes: st.lists(st.lists(st.integers(0, nodes - 1), max_size=4), min_size=nodes, max_size=nodes)
)


@pytest.mark.parametrize(
    ("indptr", "indices", "source", "what"),
    [
        ([0, 1], [0], 1, "source 1"),
        ([0, 1], [1], 0, r"indices\[0\] must be a node from 0 to 0, not 1"),
    ],
)
def test_what_is_no_graph_is_refused(indptr: list[int], indices: list[int], source: int, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        graph_distances(indptr, indices, source)


@given(neighbours=GRAPHS, data=st.data())
def test_distances_and_deadlines_are_those_of_the_twin(neighbours: list[list[int]], data: st.DataObject) -> None:
    source = data.draw(st.integers(0, len(neighbours) - 1))
    nodes = len(neighbours)
    before = data.draw(st.none() | st.lists(st.integers(0, 9), min_size=nodes, max_size=nodes))
    indptr, indices = (np.array(part, np.int64) for part in compressed(neighbours))
    indptr.setflags(write=False)
    deadlines = None if before is None else np.array(before, np.int32)
    found = graph_distances(indptr, indices, source, before=deadlines)
    assert found.tolist() == naive_distances(neighbours, source, before)


@pytest.mark.parametrize("before", [np.zeros(2, np.int32), np.zeros(1, np.int64)])
def test_deadlines_are_int32_one_for_each_node(before: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"before must be int32 of the shape \(1,\)"):
        graph_distances([0, 1], [0], 0, before=before)


LINKS = st.integers(1, 9).flatmap(
    lambda nodes: st.sets(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1))).map(
        lambda pairs: [
            sorted({node} | {b for a, b in pairs if a == node} | {a for a, b in pairs if b == node})
            for node in range(nodes)
        ]
    )
)


@given(links=LINKS)
def test_folding_leaves_a_core_in_which_nobody_sees_all_that_another_sees(links: list[list[int]]) -> None:
    image = fold_graph(*compressed(links)).tolist()
    left = set(image)
    assert all(image[node] == node for node in left)
    assert all(image[other] in links[image[node]] for node in range(len(links)) for other in links[node])
    seen = {node: left & set(links[node]) for node in left}
    assert not any(seen[node] <= seen[other] for node in left for other in seen[node] - {node})
    assert len(left) == len(core({node: set(others) for node, others in enumerate(links)}))


def test_loops_of_nodes_to_themselves_make_no_difference() -> None:
    links = [[1, 3], [0, 2], [1, 3], [0, 2, 4], [3]]
    with_themselves = [sorted([node, *others]) for node, others in enumerate(links)]
    assert fold_graph(*compressed(links)).tolist() == [0, 1, 2, 3, 3]
    assert fold_graph(*compressed(with_themselves)).tolist() == [0, 1, 2, 3, 3]


def test_what_is_no_graph_is_not_folded() -> None:
    with pytest.raises(ValueError, match=r"indptr\[1\] must be the number of indices"):
        fold_graph([0, 2], [0])
