"""Shapes on boards, beside slow and obvious twins; tiles as text."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.games.crawler.model.level import TILE_NAMES
from dungeon_tui.games.crawler.view.editor.shapes import cut_out, edge, flooded, rectangle, segment, text_of, tiles_of

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
def test_rectangles_and_their_edges(data: st.DataObject, board: Board) -> None:
    one, other = cell_of(data.draw, board), cell_of(data.draw, board)
    (top, bottom), (left, right) = sorted((one.row, other.row)), sorted((one.col, other.col))
    inside = [(row, col) for row in range(top, bottom + 1) for col in range(left, right + 1)]
    assert [divmod(cell, board.width) for cell in rectangle(board.width, one, other).tolist()] == inside
    outermost = {(row, col) for row, col in inside if row in (top, bottom) or col in (left, right)}
    assert {divmod(cell, board.width) for cell in edge(board.width, one, other).tolist()} == outermost


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


# -- tiles as text


@given(st.data(), boards())
def test_what_is_cut_out_comes_back_from_its_text(data: st.DataObject, board: Board) -> None:
    one, other = cell_of(data.draw, board), cell_of(data.draw, board)
    tiles = cut_out(board, one, other)
    assert [board[Cell(*divmod(cell, board.width))] for cell in rectangle(board.width, one, other).tolist()] == list(
        tiles.reshape(-1)
    )
    assert np.array_equal(tiles_of(text_of(tiles)), tiles)


def test_texts_of_many_kinds_are_tiles() -> None:
    for text in ("-+\n$o", " - +\r\n\r\n $ -\n", "2 2\n0 0\n- + $ -"):
        assert text_of(tiles_of(text)) == "- +\n$ -\n"


@pytest.mark.parametrize("text", ["", " \n", "-+\n$", "hello", "2 2\n0 0\n- +", "-\u2588", "\ud800"])
def test_other_texts_are_not(text: str) -> None:
    with pytest.raises(ValueError, match="rows of tiles can be pasted"):
        tiles_of(text)
