"""What is said of a level that is being drawn: sentences, and how the judgement grows."""

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.crawler.ai.par import Par
from dungeon_tui.games.crawler.model.level import OPEN, TREASURE, WAY_OUT, Level, read_level
from dungeon_tui.games.crawler.view.editor import CRAFT, CrawlerCheck, judging
from dungeon_tui.ui.editor.craft import Effort
from dungeon_tui.ui.editor.draft import drawing_of
from dungeon_tui.ui.editor.judge import Judge
from tests.ui.driving import level_text

ROOM = ("--+$-", "-o$--", "+++-?")


UNKNOWN = Par()


def level(*rows: str) -> Level:
    return read_level(LevelFile("drawn.txt", level_text(*rows).encode()))


def judged(
    *rows: str, seconds: float = 60, lines: int = 9, is_followed: bool = False, known: Par = UNKNOWN
) -> list[CrawlerCheck]:
    return list(judging(level(*rows), is_followed, Effort(seconds, lines), known, lambda *_: None))


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


def test_a_longer_search_goes_on_behind_what_is_proven() -> None:
    short = judged(*ROOM, lines=1)[-1]
    first, *_, last = judged(*ROOM, known=short.par)
    assert (first.par, first.is_over) == (short.par, False)
    assert last.par.points[0] is short.par.points[0]
    assert [(point.moves, point.treasure) for point in last.par.points] == [(4, 1), (6, 2)]
    assert CRAFT.news(last, short) != CRAFT.news(last, last)


async def test_a_longer_search_is_run_where_one_has_come_to_its_end() -> None:
    judge = Judge(CRAFT, lambda: None, lambda text: None)
    draft = drawing_of(CRAFT, LevelFile("drawn.txt", level_text(*ROOM).encode())).draft
    judge.start()
    try:
        for effort, lines in (Effort(60, 1), 1), (CRAFT.longer, 2), (None, 2):
            judge.take(draft, effort)
            await judge.search(draft, "drawn.txt", effort)
            assert (len(judge.check.par.points), judge.check.is_over, judge.trouble) == (lines, True, "")
    finally:
        judge.end()


def test_amulets_make_more_treasure_than_there_is() -> None:
    last = judged("o@$?", "----", lines=2)[-1]
    assert last.all_treasure == 0
    assert [(point.moves, point.treasure) for point in last.par.points] == [(3, 1), (5, 2)]


def test_a_large_level_is_not_searched() -> None:
    tiles = np.full((1000, 1000), OPEN, np.uint8)
    tiles[0, 1:3] = TREASURE, WAY_OUT
    *_, last = judging(Level("large", tiles, Cell(0, 0)), False, Effort(60, 9), UNKNOWN, print)
    assert (last.is_won, last.is_over, last.ended, last.states) == (None, True, "size", 0)
