import numpy as np
import pytest

from dungeon_tui.bench import CONTESTS
from dungeon_tui.bench.grid_dp import contests, contests_of
from tests import naive_grid_dp as naive


@pytest.mark.parametrize("shape", [(1, 2), (40, 30), (30, 41), (3, 3)])
def test_the_contestants_find_the_same(shape):
    grid = np.random.default_rng(2).integers(-9, 9, shape)
    health, way = contests_of(grid)  # building them compares all that are there
    assert {"ours", "numpy by diagonals"} <= set(health.contestants)
    needed = naive.need_table(grid.tolist())[0][0]
    assert {find() for find in health.contestants.values()} == {needed}
    for trace in way.contestants.values():
        found, path = trace()
        assert found == needed
        assert [tuple(cell) for cell in path.tolist()] == naive.best_path(grid.tolist())


def test_the_contests_are_held():
    assert [(contest.kernel, contest.case) for contest in contests(True, False)] == [
        ("least health", "1000 x 1000"),
        ("least health, with path", "1000 x 1000"),
    ]
    assert "least health" in CONTESTS
