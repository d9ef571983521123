import json
from itertools import pairwise

import numpy as np
import pytest

from dungeon_tui.bench import CONTESTS, Contest, as_json, race, table
from dungeon_tui.bench.distance import cave, rooms
from dungeon_tui.bench.grid_dp import contests_of
from dungeon_tui.bench.pursuit import moves_of
from dungeon_tui.bench.race import agreed
from dungeon_tui.bench.walks import dungeon
from tests import naive_grid_dp as naive
from tests import naive_walks
from tests.naive_pursuit import board


def test_a_race_times_all_in_turn():
    turns = []
    contest = Contest("sums", "ten", {"ours": lambda: turns.append("a"), "theirs": lambda: turns.append("b")}, 10)
    result = race(contest, seconds=0.0)
    assert result.rounds == 5
    assert result.times_ours["ours"] == 1.0
    assert set(result.seconds) == {"ours", "theirs"}
    assert turns[:4] == ["a", "a", "b", "b"]
    told = json.loads(json.dumps(as_json([result])))
    assert told["results"][0]["kernel"] == "sums"
    assert set(told["results"][0]["ns_per_cell"]) == {"ours", "theirs"}
    assert "theirs" in table([result])
    assert "ns a cell" in table([result])


def test_what_has_no_cells_is_not_divided_by_them():
    result = race(Contest("walk", "home", {"ours": lambda: None}), seconds=0.0)
    assert "ns" not in table([result])
    assert as_json([result])["results"][0]["ns_per_cell"] is None


def test_who_finds_something_else_is_named():
    with pytest.raises(ValueError, match="theirs finds"):
        agreed({"ours": lambda: 1, "theirs": lambda: 2})


@pytest.mark.parametrize(
    ("topic", "case", "contestants", "cells"),
    [
        ("distance", "cave 21 x 80", {"ours"}, 21 * 80),
        ("pursuit", "rooms 21 x 80", {"ours", "numpy"}, None),
        ("least health", "1000 x 1000", {"ours", "numpy by diagonals"}, 10**6),
        ("walks", "16 rooms, 100 %", {"ours", "our programme, HiGHS"}, None),
    ],
)
def test_the_contestants_find_the_same(topic, case, contestants, cells):
    contest = next(CONTESTS[topic](True, False))  # building it compares all that are there
    assert (contest.case, contest.cells) == (case, cells)
    assert contestants <= set(contest.contestants)


@pytest.mark.parametrize("shape", [(1, 2), (40, 30), (30, 41), (3, 3)])
def test_least_healths_are_those_of_the_slow_twin(shape):
    grid = np.random.default_rng(2).integers(-9, 9, shape)
    health, way = contests_of(grid)
    assert {find() for find in health.contestants.values()} == {naive.need_table(grid.tolist())[0][0]}
    for trace in way.contestants.values():
        assert [tuple(cell) for cell in trace().tolist()] == naive.best_path(grid.tolist())


def test_maps_are_walled_and_the_same_for_the_same_seed():
    for make in cave, rooms:
        passable = make(30, 50, seed=4)
        assert (passable == make(30, 50, seed=4)).all()
        assert passable.any()
        assert not passable[[0, -1]].any()
        assert not passable[:, [0, -1]].any()


def test_the_moves_are_those_of_the_board():
    passable = np.random.default_rng(5).random((7, 9)) < 0.7
    indptr, indices = moves_of(passable)
    graph = board(["".join(row) for row in np.where(passable, ".", "#")])[1]
    assert [sorted(indices[start:end]) for start, end in pairwise(indptr)] == graph


def test_the_dungeons_are_joined_and_have_their_degree():
    for seed in range(5):
        indptr, indices = dungeon(30, 2.8, seed)
        edges = [(node, int(other), 0) for node in range(30) for other in indices[indptr[node] : indptr[node + 1]]]
        assert len(edges) == 84
        assert all(one != two and (two, one, 0) in edges for one, two, _ in edges)
        assert naive_walks.reachable(0, edges) == set(range(30))
    assert dungeon(9, 2.0, 1)[1].tolist() == dungeon(9, 2.0, 1)[1].tolist() != dungeon(9, 2.0, 2)[1].tolist()
