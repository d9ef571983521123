import json

from dungeon_tui.bench import CONTESTS, Contest, as_json, race, table
from dungeon_tui.bench.distance import cave, contests, rooms


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


def test_the_contestants_find_the_same_distances():
    small = contests(True, False)
    walking, tunnelling = next(small), next(small)  # building them compares all that are installed
    assert "ours" in walking.contestants
    assert "ours" in tunnelling.contestants
    assert walking.cells == tunnelling.cells == 21 * 80
    assert "distance" in CONTESTS


def test_maps_are_walled_and_the_same_for_the_same_seed():
    for make in cave, rooms:
        passable = make(30, 50, seed=4)
        assert (passable == make(30, 50, seed=4)).all()
        assert passable.any()
        assert not passable[[0, -1]].any()
        assert not passable[:, [0, -1]].any()
