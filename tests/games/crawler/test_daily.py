"""The dungeon of a day: three levels of their difficulties, each left as it must be."""

from datetime import date

from dungeon_tui.games.crawler.ai.daily import LEAVE_BY, daily_dungeon, daily_level, par

DAY = date(2026, 11, 21)


def test_par_is_no_more_than_the_levels_take_one_by_one() -> None:
    dungeon = daily_dungeon(DAY)
    found = par(dungeon)
    assert found is not None
    assert sum(daily_level(DAY, each).moves for each in ("easy", "normal")) < found
    assert found <= sum(daily_level(DAY, each).moves for each in LEAVE_BY)
