"""The dungeon of a day: three levels that keep what their grades promise, by certificates of their own."""

from datetime import date

import numpy as np
import pytest

from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.ai import daily
from dungeon_tui.games.crawler.ai.challenge import NoChallengeError
from dungeon_tui.games.crawler.ai.daily import GRADES, daily_dungeon, daily_level, daily_seed, par
from dungeon_tui.games.crawler.ai.worth import Certifier
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, MONSTER, OPEN, WAY_OUT, Level

DAYS = [date(2026, 11, 21), date(2026, 11, 22), date(2000, 1, 1)]


@pytest.mark.parametrize("day", DAYS, ids=str)
@pytest.mark.parametrize("difficulty", GRADES)
def test_a_level_keeps_what_its_grade_promises(day: date, difficulty: str) -> None:
    made, grade = daily_level(day, difficulty), GRADES[difficulty]
    certificate = Certifier(made.level).certify()
    assert (certificate.moves, certificate.is_shortest) == (made.moves, True)
    assert grade.moves[0] <= made.moves <= grade.moves[1]
    assert certificate.monsters_that_matter is not None
    assert len(certificate.monsters_that_matter) >= grade.matter
    tiles = np.where(made.level.tiles == MONSTER, np.uint8(OPEN), made.level.tiles)
    alone = Certifier(Level("lonely", tiles, made.level.start)).certify()
    assert alone.moves is not None
    assert grade.detour[0] <= made.moves - alone.moves <= grade.detour[1]
    assert made.level.tiles.shape == (grade.spec.rows, grade.spec.cols)
    leaves = {tile for tile in (DOOR, WAY_OUT, AMULET) if tile in made.level.tiles}
    assert leaves == {grade.spec.leave_by}


def test_the_date_is_the_seed_of_three_levels() -> None:
    dungeon = daily_dungeon(DAYS[0])
    expected = [daily_level(DAYS[0], difficulty) for difficulty in GRADES]
    assert dungeon.levels == tuple(made.level for made in expected)
    assert [note.name for note in dungeon.notes] == ["Easy", "Normal", "Hard"]
    assert dungeon.title == "Daily 2026-11-21"
    assert counted(expected[-1].moves, "move") in dungeon.sidecar.summary
    assert daily_seed(date(2026, 1, 2)) == 20260102


def test_par_is_no_more_than_the_levels_take_one_by_one() -> None:
    dungeon = daily_dungeon(DAYS[0])
    found = par(dungeon)
    assert found is not None
    assert sum(daily_level(DAYS[0], each).moves for each in ("easy", "normal")) < found
    assert found <= sum(daily_level(DAYS[0], each).moves for each in GRADES)


def test_a_level_that_cannot_be_proven_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily.Solver.__init__, "__kwdefaults__", {"by_door": False, "max_doublings": None, "memory": 0})
    daily_level.cache_clear()
    with pytest.raises(NoChallengeError, match="memory"):
        daily_level(DAYS[0], "hard")
    daily_level.cache_clear()
