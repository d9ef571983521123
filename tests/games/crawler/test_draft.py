"""A level under the pen: shapes beside slow and obvious twins, painting, resizing, undo, keys and strokes, its file."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.board import Board
from dungeon_tui.core.files import UnwritableError
from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.crawler import GAME
from dungeon_tui.games.crawler.model.level import ADVENTURER, OPEN, TILE_NAMES, TREASURE, read_level
from dungeon_tui.games.crawler.model.level import level_text as level_file
from dungeon_tui.games.crawler.view.editor import CRAFT
from dungeon_tui.ui.editor import craft
from dungeon_tui.ui.editor.craft import Draft, drawing_of, open_drawing
from dungeon_tui.ui.editor.opening import editor_opening
from dungeon_tui.ui.editor.pen import Pen, Said, flooded, segment
from tests.ui.driving import level_text

ROOM = ("-----", "-o-$-", "----!")


def drawn(*rows: str) -> Draft:
    return drawing_of(CRAFT, LevelFile("drawn.txt", level_text(*rows).encode())).draft


def rows_of(draft: Draft) -> list[str]:
    rows = [bytes(row).decode() for row in draft.board.copy()]
    row, col = draft.start
    assert rows[row][col] == "-"
    rows[row] = f"{rows[row][:col]}o{rows[row][col + 1 :]}"
    return rows


def at(draft: Draft, *cells: tuple[int, int]) -> np.ndarray:
    return np.array([row * draft.width + col for row, col in cells], np.intp)


# -- shapes, and tiles as text

SIZES = st.tuples(st.integers(1, 7), st.integers(1, 7))


@st.composite
def boards(draw: st.DrawFn, tiles: bytes = bytes(TILE_NAMES)) -> Board:
    height, width = draw(SIZES)
    data = draw(st.lists(st.sampled_from(tiles), min_size=height * width, max_size=height * width))
    return Board.of(np.array(data, np.uint8).reshape(height, width))


def cell_of(draw: st.DrawFn, board: Board) -> Cell:
    return Cell(draw(st.integers(0, board.height - 1)), draw(st.integers(0, board.width - 1)))


@given(st.data(), boards(tiles=b"-+"))
def test_a_flood_takes_all_that_hangs_together(data: st.DataObject, board: Board) -> None:
    origin = cell_of(data.draw, board)
    found, waiting = {origin}, [origin]
    while waiting:
        cell = waiting.pop()
        for other in map(cell.neighbour, FOUR_WAYS):
            if other.is_inside(board.height, board.width) and other not in found and board[other] == board[origin]:
                found.add(other)
                waiting.append(other)
    flat = flooded(board, origin).tolist()
    assert len(flat) == len(set(flat))
    assert {Cell(*divmod(cell, board.width)) for cell in flat} == found


@given(st.data(), boards())
def test_a_line_has_no_gaps_and_keeps_near_the_straight_one(data: st.DataObject, board: Board) -> None:
    one, other = cell_of(data.draw, board), cell_of(data.draw, board)
    cells = [divmod(cell, board.width) for cell in segment(board.width, one, other).tolist()]
    assert (cells[0], cells[-1]) == (one, other)
    assert len(set(cells)) == len(cells)
    for (row, col), (next_row, next_col) in pairwise(cells):
        assert max(abs(row - next_row), abs(col - next_col)) == 1
    rows, cols = other.row - one.row, other.col - one.col
    for row, col in cells:
        assert abs((row - one.row) * cols - (col - one.col) * rows) <= max(abs(rows), abs(cols)) / 2


# -- drafts


def test_sizes_as_people_type_them() -> None:
    draft = drawn("o-", "-$")
    for text in ("1 x 3", "1x3", "1 3", " 1,3 ", "1 × 3"):
        assert rows_of(draft.resized(text)) == ["o--"]
    for text in ("12", "a x b", "12 x 30 x 4", "-1 x 3", "²x3"):
        with pytest.raises(ValueError, match="12 x 30"):
            draft.resized(text)
    for text in ("0 x 4", "99999999999 x 4"):
        with pytest.raises(ValueError, match=r"needs a row|too large"):
            draft.resized(text)


# -- files


def test_a_file_is_opened_as_it_is_and_begun_where_it_is_not_there(tmp_path: Path) -> None:
    path, new = tmp_path / "mine.txt", tmp_path / "new.txt"
    path.write_text("2 3\n0 1\n--M +$!")
    drawing = open_drawing(CRAFT, str(path))
    assert rows_of(drawing.draft) == ["-oM", "+$!"]
    assert (drawing.file, drawing.known) == (str(path), path.read_bytes())
    begun = editor_opening(GAME, str(new)).load()
    assert (begun.file, begun.known) == (str(new), None)
    assert (begun.draft.height, begun.draft.width) == (10, 20)
    assert list(tmp_path.iterdir()) == [path]
    assert editor_opening(GAME).load().file == ""


def test_what_can_not_be_drawn_is_said_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("2 3\n0 1\n--M +$x")
    for name, error in (
        (path, LevelError), ("-", LevelError), (tmp_path, LevelError), (tmp_path / "none" / "x.txt", UnwritableError),
        ("a\0b", UnwritableError),
    ):  # fmt: skip
        with pytest.raises(error):
            open_drawing(CRAFT, str(name))
    monkeypatch.setattr(craft, "MOST_TILES", 5)
    path.write_text("2 3\n0 1\n--M +$!")
    with pytest.raises(LevelError, match="2 x 3"):
        open_drawing(CRAFT, str(path))


# -- keys


def pen_on(*rows: str) -> Pen:
    """A pen with its cursor on the start."""
    pen = Pen(drawn(*rows))
    pen.cursor = pen.corner = pen.draft.start
    return pen


def press(pen: Pen, keys: str) -> Said | None:
    """Presses keys; returns the message of the last one."""
    deeds = {name: each.run for each in pen.commands() for name in each.key.keys.split(",")}
    deeds["escape"] = pen.end  # the screen's key: a line that is shown ends with it, too
    said = None
    for key in keys.split():
        said = deeds[key]()
    assert said is None or isinstance(said, Said)
    return said


@pytest.mark.parametrize(
    ("key", "tile"),
    [
        ("minus", "-"), ("space", "-"), ("plus", "+"), ("number_sign", "+"), ("dollar_sign", "$"),
        ("quotation_mark", "@"), ("M", "M"), ("question_mark", "?"), ("exclamation_mark", "!"),
    ],
)  # fmt: skip
def test_the_keys_of_the_tiles_paint_and_choose_the_brush(key: str, tile: str) -> None:
    pen = pen_on(*ROOM)
    press(pen, f"right right {key}")
    assert rows_of(pen.draft) == ["-----", f"-o-{tile}-", "----!"]
    press(pen, "left enter")
    assert rows_of(pen.draft) == ["-----", f"-o{tile}{tile}-", "----!"]


@pytest.mark.parametrize(
    ("before", "keys", "after"),
    [
        (("oM$",), "right right delete", ("oM-",)),
        (("o--",), "right right o", ("--o",)),
        (("o-",), "M", ("o-",)),
        # the brush is down
        (ROOM, "tab tab b down right right", ("-----", "-o-$-", "-@@@!")),
        (ROOM, "tab tab b down right right b up", ("-----", "-o-$-", "-@@@!")),
        (ROOM, "tab tab b down right right b up backspace", ("-----", "-o-$-", "-@@-!")),
        (ROOM, "i b down home home down end", ("-----", "---$-", "----o")),
        (ROOM, "i b down home home down end backspace", ("-----", "---$-", "o---!")),
        # fill, erase, pick, clear
        (("o+--", "-+-$"), "end quotation_mark left f", ("o+@@", "-+@$")),
        (("o+--", "-+-$"), "f", ("o+--", "++-$")),
        (("o+--", "-+-$"), "i f", ("o+--", "-+-$")),
        (("o+--", "-+-$"), "i v right down enter", ("o+--", "-+-$")),
        (("o+--", "-+-$"), "i v right e", ("o+--", "-+-$")),
        (("o+--", "-+-$"), "C", ("o---", "----")),
        (("o+--", "-+-$"), "C backspace", ("o+--", "-+-$")),
        (("o---", "----"), "right b M right", ("oMM-", "----")),
        # rectangles
        (("o---", "----"), "right v right plus down M", ("o++-", "--M-")),
        (("o--", "---", "---"), "down v right down plus", ("o--", "++-", "++-")),
        (("--o", "---", "---"), "down v left down plus", ("--o", "-++", "-++")),
        (("o++", "+++", "---"), "v right down delete", ("o-+", "--+", "---")),
        (("o--", "---", "---"), "right shift+down shift+down shift+right e", ("o++", "-++", "-++")),
        (("---", "---", "o--"), "shift+up shift+up shift+right shift+right e", ("+++", "+-+", "o++")),
        (("o-",), "e", ("o-",)),
        # undo and redo
        (("o-",), "backspace", ("o-",)),
        (("o--",), "right plus right M backspace ctrl+z", ("o--",)),
        (("o--",), "right plus right M backspace ctrl+z ctrl+y ctrl+y", ("o+M",)),
        (("o--",), "right plus backspace M ctrl+y", ("oM-",)),
        (("o--",), "ctrl+y", ("o--",)),
        # resizing
        (("o$", "-!"), "r up left down right", ("----", "-o$-", "--!-", "----")),
        (("o$", "-!"), "r up left down right shift+up shift+right", ("-o$", "--!", "---")),
        (("$-M", "-o-", "+-@"), "r shift+left shift+down", ("-M", "o-")),
        (("o$", "-!"), "r shift+up", ("o$", "-!")),
        (("o$", "-!"), "r up left escape down backspace backspace", ("o$", "-!")),
    ],
)
def test_what_keys_draw(before: tuple[str, ...], keys: str, after: tuple[str, ...]) -> None:
    pen = pen_on(*before)
    first = pen.draft
    said = press(pen, keys)
    assert rows_of(pen.draft) == list(after)
    assert (pen.draft is first) is (after == before)
    refused = {"M", "r shift+up"}
    assert (said is not None and said.is_trouble) is (keys in refused)


def test_the_cursor_stays_on_the_map() -> None:
    pen = pen_on(*ROOM)
    for keys, cell in (
        ("up w k", (0, 1)), ("left a h", (0, 0)), ("end", (0, 4)), ("right d l", (0, 4)), ("pagedown", (2, 4)),
        ("down s j", (2, 4)), ("home", (2, 0)), ("pageup", (0, 0)),
    ):  # fmt: skip
        press(pen, keys)
        assert pen.cursor == cell
    assert press(pen, "backspace") == press(pen_on("o"), "backspace")  # nothing was drawn


def test_the_cursor_stays_on_its_tile_while_the_map_is_resized() -> None:
    pen = pen_on("---", "-o-", "---")
    for keys, cell in (("r up left left", (2, 3)), ("backspace backspace", (2, 1)), ("ctrl+y ctrl+y", (2, 3))):
        press(pen, keys)
        assert pen.cursor == cell
    press(pen, "home r pageup r shift+up shift+left shift+up shift+left")
    assert rows_of(pen.draft) == ["-o-", "---"]
    assert pen.cursor == (0, 0)


def test_the_brush_is_picked_and_chosen_along_the_palette() -> None:
    pen = pen_on("o$M")
    for keys, brush in (("i", ADVENTURER), ("tab", OPEN), ("right i", TREASURE), ("right i shift+tab", ord("@"))):
        press(pen, keys)
        assert pen.brush == brush
    press(pen, "x")
    assert (rows_of(pen.draft), pen.brush) == (["o$-"], ord("@"))


def test_copying_and_pasting() -> None:
    pen = pen_on("o$-M", "-+--", "----")
    assert press(pen, "V") is not None  # nothing was copied
    press(pen, "right v down c right V")
    assert rows_of(pen.draft) == ["o$-M", "-+$-", "--+-"]
    press(pen, "home pageup V")  # the start stays
    assert rows_of(pen.draft) == ["o$-M", "++$-", "--+-"]


def test_what_is_pasted_over_the_edge_is_counted() -> None:
    pen = pen_on("o$$$", "-+++")
    press(pen, "right v end down c home")
    said = press(pen, "end V")
    assert said.is_trouble
    assert "5 tiles" in said.text
    assert rows_of(pen.draft) == ["o$$$", "-++$"]


# -- the mouse


def drag(pen: Pen, *cells: tuple[int, int], is_eraser: bool = False) -> list[str]:
    pen.press(Cell(*cells[0]), is_eraser=is_eraser)
    for cell in cells[1:]:
        pen.drag(Cell(*cell))
    pen.release()
    return rows_of(pen.draft)


def test_a_stroke_of_the_mouse_is_one_change() -> None:
    pen = pen_on("o-----", "------")
    assert drag(pen, (1, 0), (1, 1), (1, 4)) == ["o-----", "+++++-"]  # it jumped
    assert drag(pen, (1, 1), (1, 3), is_eraser=True) == ["o-----", "+---+-"]
    assert pen.cursor == (1, 3)
    press(pen, "backspace")
    assert rows_of(pen.draft) == ["o-----", "+++++-"]
    pen.drag(Cell(0, 5))  # without a button
    press(pen, "backspace")
    assert rows_of(pen.draft) == ["o-----", "------"]


# -- all of it, by chance

KEYS = "up down left right plus M f i o b v r e C c V backspace backspace ctrl+y shift+left shift+down enter".split()


@given(st.lists(st.sampled_from(KEYS), max_size=40))
def test_undo_undoes_everything_and_every_draft_comes_back_from_its_text(keys: list[str]) -> None:
    pen = pen_on("-----", "-o-$-", "-M--!")
    first = pen.draft
    seen = {first: rows_of(first)}
    for key in keys:
        press(pen, key)
        # Whatever was read in between, a draft stays what it was.
        assert seen.setdefault(pen.draft, rows_of(pen.draft)) == rows_of(pen.draft)
        assert pen.draft[pen.cursor] in CRAFT.brushes
    last, draft = rows_of(pen.draft), pen.draft
    level = read_level(LevelFile("level.txt", level_file(draft.level()).encode()))
    assert np.array_equal(level.tiles, draft.board.copy())
    assert level.start == draft.start
    changes = 0
    while pen.draft is not first:
        press(pen, "backspace")
        assert rows_of(pen.draft) == seen[pen.draft]
        changes += 1
    press(pen, "backspace")
    assert pen.draft is first
    for _ in range(changes):
        press(pen, "ctrl+y")
    assert rows_of(pen.draft) == last
