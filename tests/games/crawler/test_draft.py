"""A level under the pen: painting, shapes, resizing, undo, and its file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.files import UnwritableError
from dungeon_tui.core.grid import FOUR_WAYS, Cell, Direction
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.crawler import GAME
from dungeon_tui.games.crawler.model.level import AMULET, MONSTER, OPEN, PILLAR, TILE_NAMES, TREASURE, read_level
from dungeon_tui.games.crawler.view.editor import draft as drafts
from dungeon_tui.games.crawler.view.editor.draft import (
    Draft,
    Drawing,
    drawing_of,
    new_drawing,
    open_drawing,
)
from dungeon_tui.games.crawler.view.editor.shapes import cut_out, flooded, rectangle
from tests.ui.driving import level_text


def drawn(*rows: str) -> Drawing:
    return drawing_of(LevelFile("drawn.txt", level_text(*rows).encode()))


def rows_of(draft: Draft) -> list[str]:
    rows = [bytes(row).decode() for row in draft.board.copy()]
    row, col = draft.start
    assert rows[row][col] == "-"
    rows[row] = f"{rows[row][:col]}o{rows[row][col + 1 :]}"
    return rows


def at(draft: Draft, *cells: tuple[int, int]) -> np.ndarray:
    return np.array([row * draft.width + col for row, col in cells], np.intp)


# -- painting


def test_painting_changes_the_cells_and_nothing_else() -> None:
    before = drawn("o--", "-M-").present
    after = before.painted(at(before, (0, 2), (1, 1)), PILLAR)
    assert rows_of(after) == ["o-+", "-+-"]
    assert rows_of(before) == ["o--", "-M-"]
    assert after.board.changed_cells(before.board).tolist() == [2, 4]


def test_painting_what_is_there_is_no_change() -> None:
    draft = drawn("o-+").present
    assert draft.painted(at(draft, (0, 2)), PILLAR) is draft
    assert draft.painted(at(draft, (0, 0)), OPEN) is draft


def test_the_start_stays_open_floor() -> None:
    draft = drawn("o-", "--").present
    assert draft.painted(at(draft, (0, 0)), MONSTER) is draft
    assert rows_of(draft.painted(rectangle(2, Cell(0, 0), Cell(1, 1)), MONSTER)) == ["oM", "MM"]


def test_the_start_moves_and_sweeps_the_floor() -> None:
    draft = drawn("o-", "-M").present
    assert rows_of(draft.with_start(Cell(1, 1))) == ["--", "-o"]
    assert draft.with_start(Cell(0, 0)) is draft


def test_a_stamp_is_cut_at_the_maps_edge_and_spares_the_start() -> None:
    draft = drawn("$M-", "---", "--o").present
    stamp = cut_out(draft.board, Cell(1, 1), Cell(0, 0))
    assert rows_of(draft.stamped(Cell(1, 1), stamp)) == ["$M-", "-$M", "--o"]
    assert rows_of(draft.stamped(Cell(2, 2), stamp)) == ["$M-", "---", "--o"]
    assert rows_of(draft.stamped(Cell(2, 1), stamp)) == ["$M-", "---", "-$o"]
    assert rows_of(draft.stamped(Cell(0, 1), stamp)) == ["$$M", "---", "--o"]


# -- the size


@pytest.mark.parametrize(
    ("side", "lines", "rows"),
    [
        (Direction.UP, 1, ["---", "$-M", "-o-", "+-@"]),
        (Direction.DOWN, 1, ["$-M", "-o-", "+-@", "---"]),
        (Direction.LEFT, 1, ["-$-M", "--o-", "-+-@"]),
        (Direction.RIGHT, 1, ["$-M-", "-o--", "+-@-"]),
        (Direction.UP, -1, ["-o-", "+-@"]),
        (Direction.DOWN, -1, ["$-M", "-o-"]),
        (Direction.LEFT, -1, ["-M", "o-", "-@"]),
        (Direction.RIGHT, -1, ["$-", "-o", "+-"]),
    ],
)
def test_rows_and_columns_come_and_go_at_every_side(side: Direction, lines: int, rows: list[str]) -> None:
    assert rows_of(drawn("$-M", "-o-", "+-@").present.pushed(side, lines)) == rows


def test_what_no_level_can_be_is_refused() -> None:
    draft = drawn("o-", "-$").present
    for side in (Direction.UP, Direction.LEFT):
        with pytest.raises(ValueError, match="the adventurer starts at row 0, column 0: put"):
            draft.pushed(side, -1)
    with pytest.raises(ValueError, match="needs a row and a column"):
        draft.framed(right=-2)
    with pytest.raises(ValueError, match="too large to draw: 2 x 1,000,000"):
        draft.framed(right=999_998)
    with pytest.raises(ValueError, match="at most 16,777,216 tiles"):
        draft.framed(bottom=4096 - 2, right=4097 - 2)
    assert draft.framed() is draft


def test_sizes_as_people_type_them() -> None:
    draft = drawn("o-", "-$").present
    for text in ("1 x 3", "1x3", "1 3", " 1,3 ", "1 × 3"):
        assert rows_of(draft.resized(text)) == ["o--"]
    for text in ("12", "a x b", "12 x 30 x 4", "-1 x 3", "²x3"):
        with pytest.raises(ValueError, match="give rows and columns: 12 x 30"):
            draft.resized(text)
    with pytest.raises(ValueError, match="needs a row"):
        draft.resized("0 x 4")
    with pytest.raises(ValueError, match="too large"):
        draft.resized("99999999999 x 4")


# -- the history

Change = tuple[str, int, int, int]
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["paint", "fill", "start", "grow", "shrink", "undo", "redo"]),
        st.integers(0, 99),
        st.integers(0, 99),
        st.sampled_from(list(TILE_NAMES)),
    ),
    max_size=30,
)


def apply(drawing: Drawing, change: Change) -> Drawing:
    what, one, other, tile = change
    draft = drawing.present
    cell = Cell(one % draft.height, other % draft.width)
    try:
        match what:
            case "paint":
                return drawing.changed(draft.painted(rectangle(draft.width, draft.start, cell), tile))
            case "fill":
                return drawing.changed(draft.painted(flooded(draft.board, cell), tile))
            case "start":
                return drawing.changed(draft.with_start(cell))
            case "grow" | "shrink":
                return drawing.changed(draft.pushed(FOUR_WAYS[one % 4], 1 if what == "grow" else -1))
            case "undo":
                return drawing.undone()
            case _:
                return drawing.redone()
    except ValueError:
        return drawing


@given(CHANGES)
def test_undo_undoes_everything_and_redo_makes_it_again(changes: list[Change]) -> None:
    first = drawing = new_drawing()
    seen = {first.present: rows_of(first.present)}
    for change in changes:
        drawing = apply(drawing, change)
        # Whatever was read in between, a draft stays what it was.
        assert seen.setdefault(drawing.present, rows_of(drawing.present)) == rows_of(drawing.present)
    last = rows_of(drawing.present)
    count = drawing.at
    while drawing.at:
        drawing = drawing.undone()
        assert rows_of(drawing.present) == seen[drawing.present]
    assert drawing.present is first.present
    assert drawing.is_saved
    assert drawing.undone() is drawing
    for _ in range(count):
        drawing = drawing.redone()
    assert rows_of(drawing.present) == last


@given(CHANGES)
def test_every_draft_comes_back_from_its_text(changes: list[Change]) -> None:
    drawing = new_drawing("level.txt")
    for change in changes:
        drawing = apply(drawing, change)
    level = read_level(LevelFile("level.txt", drawing.text().encode()))
    again = drawing_of(LevelFile("level.txt", drawing.text().encode()))
    assert np.array_equal(level.tiles, drawing.present.board.copy())
    assert level.start == drawing.present.start
    assert rows_of(again.present) == rows_of(drawing.present)
    assert again.is_saved


def strokes(drawing: Drawing, *cells: tuple[int, int]) -> Iterator[Drawing]:
    since = drawing.present
    for cell in cells:
        drawing = drawing.changed(drawing.present.painted(at(since, cell), PILLAR), since)
        yield drawing


def test_a_stroke_is_one_change() -> None:
    before = drawn("o---").changed(drawn("o--$").present)
    *_, after = strokes(before, (0, 0), (0, 1), (0, 1), (0, 2))
    assert rows_of(after.present) == ["o++$"]
    assert after.undone().present is before.present
    *_, again = strokes(after, (0, 3))
    assert rows_of(again.undone().present) == ["o++$"]
    assert again.undone().undone().present is before.present


def test_a_stroke_that_comes_back_was_none() -> None:
    before = drawn("o---").changed(drawn("o--$").present)
    since = before.present
    moved = before.changed(since.with_start(Cell(0, 1)), since)
    back = moved.changed(since.with_start(Cell(0, 0)), since)
    assert back.present is since
    assert back.undone().present is before.undone().present
    assert back.redone() is back


def test_a_new_change_forgets_what_was_undone() -> None:
    drawing = drawn("o---")
    painted = drawing.changed(drawing.present.painted(at(drawing.present, (0, 1)), TREASURE))
    other = painted.undone().changed(drawing.present.painted(at(drawing.present, (0, 2)), AMULET))
    assert other.redone() is other
    assert painted.undone().redone().present is painted.present


def test_what_is_saved_follows_undo() -> None:
    drawing = drawn("o---")
    assert drawing.is_saved
    painted = drawing.changed(drawing.present.painted(at(drawing.present, (0, 1)), TREASURE))
    assert not painted.is_saved
    kept = painted.kept("other.txt", b"data")
    assert (kept.is_saved, kept.file, kept.known) == (True, "other.txt", b"data")
    assert not kept.undone().is_saved
    assert kept.undone().redone().is_saved


# -- files


def test_a_file_is_opened_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("2 3\n0 1\n--M +$!")
    drawing = open_drawing(str(path))
    assert rows_of(drawing.present) == ["-oM", "+$!"]
    assert (drawing.file, drawing.known, drawing.is_saved) == (str(path), path.read_bytes(), True)


def test_a_file_that_is_not_there_is_begun(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    drawing = open_drawing(str(path))
    assert (drawing.file, drawing.known, drawing.is_saved) == (str(path), None, True)
    assert (drawing.present.height, drawing.present.width) == (10, 20)
    assert list(tmp_path.iterdir()) == []
    assert open_drawing().file == ""


def test_what_can_not_be_drawn_is_said_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("2 3\n0 1\n--M +$x")
    with pytest.raises(LevelError, match="unknown tile 'x'"):
        open_drawing(str(path))
    with pytest.raises(LevelError, match="not on standard input"):
        open_drawing("-")
    with pytest.raises(LevelError, match="can't be opened"):
        open_drawing(str(tmp_path))
    with pytest.raises(UnwritableError, match="no such file or directory"):
        open_drawing(str(tmp_path / "none" / "x.txt"))
    with pytest.raises(UnwritableError):
        open_drawing("a\0b")
    monkeypatch.setattr(drafts, "MOST_TILES", 5)
    path.write_text("2 3\n0 1\n--M +$!")
    with pytest.raises(LevelError, match="too large to draw: 2 x 3"):
        open_drawing(str(path))


def test_the_menu_and_the_command_line_open_a_drawing(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    assert isinstance(GAME.editor().load(), Drawing)
    assert GAME.editor(str(path)).load().file == str(path)
