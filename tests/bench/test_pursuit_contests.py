from itertools import pairwise

import numpy as np

from dungeon_tui.bench import CONTESTS
from dungeon_tui.bench.pursuit import contests, moves_of
from tests.naive_pursuit import board


def test_the_contestants_find_the_same_values():
    contest = next(contests(True, False))  # building it compares all that are there
    assert {"ours", "numpy"} <= set(contest.contestants)
    values = [solve().tolist() for solve in contest.contestants.values()]
    assert all(theirs == values[0] for theirs in values)
    assert "pursuit" in CONTESTS


def test_the_moves_are_those_of_the_board():
    passable = np.random.default_rng(5).random((7, 9)) < 0.7
    indptr, indices = moves_of(passable)
    graph = board(["".join(row) for row in np.where(passable, ".", "#")])[1]
    assert [sorted(indices[start:end]) for start, end in pairwise(indptr)] == graph
