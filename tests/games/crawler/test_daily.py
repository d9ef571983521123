"""The dungeon of a day: three levels of their difficulties, each left as it must be."""

from datetime import date

from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.ai.daily import LEAVE_BY, daily_dungeon, daily_level, daily_seed, par
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, WAY_OUT

DAY = date(2026, 11, 21)


def test_the_date_is_the_seed_of_three_levels() -> None:
    dungeon = daily_dungeon(DAY)
    expected = {difficulty: daily_level(DAY, difficulty) for difficulty in LEAVE_BY}
    assert dungeon.levels == tuple(made.level for made in expected.values())
    assert [note.name for note in dungeon.notes] == ["Easy", "Normal", "Hard"]
    assert dungeon.title == "Daily 2026-11-21"
    assert counted(expected["hard"].moves, "move") in dungeon.sidecar.summary
    assert daily_seed(date(2026, 1, 2)) == 20260102
    for level, leave_by in zip(dungeon.levels, LEAVE_BY.values(), strict=True):
        assert {tile for tile in (DOOR, WAY_OUT, AMULET) if tile in level.tiles} == {leave_by}


def test_par_is_no_more_than_the_levels_take_one_by_one() -> None:
    dungeon = daily_dungeon(DAY)
    found = par(dungeon)
    assert found is not None
    assert sum(daily_level(DAY, each).moves for each in ("easy", "normal")) < found
    assert found <= sum(daily_level(DAY, each).moves for each in LEAVE_BY)
