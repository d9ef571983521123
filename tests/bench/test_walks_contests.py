from dungeon_tui.bench import CONTESTS
from dungeon_tui.bench.walks import contests, dungeon
from tests import naive_walks as naive


def test_the_contestants_find_the_same_cost():
    contest = next(contests(True, False))  # building it compares all that are there
    assert {"ours", "our programme, HiGHS"} <= set(contest.contestants)
    assert len({solve() for solve in contest.contestants.values()}) == 1
    assert contest.cells is None
    assert "walks" in CONTESTS


def test_the_maps_are_joined_and_have_their_degree():
    for seed in range(5):
        indptr, indices = dungeon(30, 2.8, seed)
        edges = [(node, int(other), 0) for node in range(30) for other in indices[indptr[node] : indptr[node + 1]]]
        assert len(edges) == 84
        assert all(one != two and (two, one, 0) in edges for one, two, _ in edges)
        assert naive.reachable(0, edges) == set(range(30))
    assert dungeon(9, 2.0, 1)[1].tolist() == dungeon(9, 2.0, 1)[1].tolist() != dungeon(9, 2.0, 2)[1].tolist()
