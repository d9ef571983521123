"""Boards under the pen: what is drawn is a board, the judge agrees with the solver, and it can be tried and saved."""

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import read_board
from dungeon_tui.games.chase.model.level import WALL, level_text, read_level
from dungeon_tui.games.chase.model.state import Status
from dungeon_tui.games.chase.view.editor import CRAFT, MONSTER, ROGUE, ChaseCheck, judging
from dungeon_tui.ui.editor.pen import Pen
from dungeon_tui.ui.glyphs import UNICODE
from dungeon_tui.ui.play.screen import PlayScreen
from tests.games.chase.boards import POCKET, RING, TOO_LARGE, board
from tests.games.crawler.test_draft import press
from tests.ui.driving import editing, wait_until

KEYS = "up down left right plus full_stop number_sign M at b v r e f C V c backspace ctrl+y shift+left enter".split()


def last(*rows: str) -> ChaseCheck:
    level = board(*rows)
    *_, check = judging(level, level.size, print)
    return check


@given(st.lists(st.sampled_from(KEYS), max_size=30))
def test_all_that_can_be_drawn_is_a_board(keys: list[str]) -> None:
    pen = Pen(CRAFT.empty())
    press(pen, " ".join(keys))
    draft = pen.draft
    level = read_level(LevelFile("drawn.txt", CRAFT.text(draft).encode()))
    assert (level.monster, level.rogue) == (draft.pieces[MONSTER], draft.pieces[ROGUE])
    assert np.array_equal(level.tiles[: draft.height, : draft.width], draft.board.array())
    assert (level.tiles[draft.height :] == WALL).all()
    assert (level.tiles[:, draft.width :] == WALL).all()


def test_letter_and_note_of_a_file_stay() -> None:
    data = b"2\n. K\n@ +\n\nA note.\n"
    draft = CRAFT.read(LevelFile("own.txt", data))
    assert CRAFT.text(draft).encode() == data
    pen = Pen(draft)
    press(pen, "up home M")
    assert CRAFT.text(pen.draft).encode() == b"2\nK .\n@ +\n\nA note.\n"


def test_a_piece_gives_way_to_nothing() -> None:
    pen = Pen(CRAFT.read(LevelFile("own.txt", level_text(board("M.", ".@")).encode())))
    pen.cursor = Cell(0, 0)
    before = pen.draft
    press(pen, "number_sign plus at C")
    assert pen.draft.pieces == before.pieces
    assert pen.draft.board[Cell(0, 0)] == pen.draft.board[Cell(1, 1)] == ord(".")
    assert pen.draft.board[Cell(0, 1)] == WALL


def test_safe_boards_captures_and_those_too_large() -> None:
    assert (last(*RING).value, last(*RING).is_won) == (UNREACHED, True)
    caught = last(*POCKET)
    assert caught.is_won is (solver.value(rules.start(board(*POCKET))) == UNREACHED)
    large = last(*TOO_LARGE)
    assert (large.is_over, large.value, large.line_count) == (True, None, 0)
    assert CRAFT.check_text(large)


def test_sites_that_nobody_reaches_are_odd() -> None:
    (odd,) = last("M@ .", "    ", "    ", "+   ").oddities
    assert odd.cells.tolist() == [3, 12]


def test_a_line_ends_in_the_capture() -> None:
    draft = CRAFT.read(LevelFile("own.txt", level_text(board("M..", "...", "..@")).encode()))
    *_, check = judging(draft.level(), draft.width, print)
    line = CRAFT.line(draft, check, 0, UNICODE)
    assert line.states[-1].status is Status.CAPTURED
    assert line.states[-1].monster_moves == check.value


async def test_a_board_is_drawn_judged_tried_and_saved(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    async with editing("chase", file) as (pilot, screen):
        await wait_until(pilot, lambda: screen.judge.check.is_won is False)
        screen.pen.cursor = Cell(5, 5)
        await pilot.press("number_sign", "right", "number_sign", "down", "number_sign", "left", "number_sign")
        await wait_until(pilot, lambda: screen.judge.check.is_won is True)
        assert CRAFT.here(screen.pen.draft, screen.judge.check, Cell(8, 2))
        await pilot.press("p")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert pilot.app.screen.session.controller.level.rogue == (8, 8)
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: file.exists() and screen.filing.is_saved)
    assert read_board(str(file)).tiles[5, 5] == WALL
