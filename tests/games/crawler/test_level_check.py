"""What is said of a level that is being drawn: sentences, and how the judgement grows."""

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.crawler.model.level import OPEN, TREASURE, WAY_OUT, Level, read_level
from dungeon_tui.games.crawler.view.editor import CRAFT, CrawlerCheck, judging
from tests.ui.driving import level_text

ROOM = ("--+$-", "-o$--", "+++-?")


def level(*rows: str) -> Level:
    return read_level(LevelFile("drawn.txt", level_text(*rows).encode()))


def judged(*rows: str, lines: int = 9, is_followed: bool = False) -> list[CrawlerCheck]:
    return list(judging(level(*rows), is_followed, lines, lambda *_: None))


def test_the_judgement_grows_line_by_line() -> None:
    first, *_, last = checks = judged(*ROOM)
    assert (first.par.points, first.is_over, first.is_won) == ((), False, None)
    assert CRAFT.check_text(first) == ""
    assert [len(check.par.points) for check in checks] == [0, 1, 2, 2]
    assert [check.is_over for check in checks] == [False, False, False, True]
    assert last.is_won
    assert last.par.is_all
    assert [(point.moves, point.treasure) for point in last.par.points] == [(4, 1), (6, 2)]


LOST = (("o-$", "-M-"), ("o-!",), ("o!+$",), ("o$+?",), ("oM$?", "M+++"))


def test_why_a_level_can_not_be_won_is_said_where_it_is_known() -> None:
    found = [judged(*rows)[-1] for rows in LOST]
    assert [each.is_won for each in found] == [False] * len(LOST)
    assert len({CRAFT.check_text(each) for each in found}) == len(LOST)


def test_what_is_odd_about_the_level_comes_with_the_judgement() -> None:
    assert judged("o-$", "-M-")[-1].oddities[0].bar
    assert judged("o-$!")[-1].oddities == ()
    assert [oddity.cells.tolist() for oddity in judged("o-$!", is_followed=True)[-1].oddities] == [[3]]


def test_amulets_make_more_treasure_than_there_is() -> None:
    last = judged("o@$?", "----", lines=2)[-1]
    assert last.all_treasure == 0
    assert [(point.moves, point.treasure) for point in last.par.points] == [(3, 1), (5, 2)]


def test_a_large_level_is_not_searched() -> None:
    tiles = np.full((1000, 1000), OPEN, np.uint8)
    tiles[0, 1:3] = TREASURE, WAY_OUT
    *_, last = judging(Level("large", tiles, Cell(0, 0)), False, 9, print)
    assert (last.is_won, last.is_over, last.ended, last.states) == (None, True, "size", 0)
