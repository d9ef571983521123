"""Cells and directions."""

import numpy as np
import pytest

from dungeon_tui.core.grid import EIGHT_WAYS, FOUR_WAYS, Cell, Direction, cells_of


def test_rows_run_down_and_columns_run_right() -> None:
    around = [(1, 3), (3, 3), (2, 2), (2, 4), (1, 2), (1, 4), (3, 2), (3, 4)]
    assert [Cell(2, 3).neighbour(direction) for direction in EIGHT_WAYS] == around


def test_the_ways_are_in_the_order_up_down_left_right() -> None:
    assert FOUR_WAYS == (Direction.UP, Direction.DOWN, Direction.LEFT, Direction.RIGHT)
    assert EIGHT_WAYS[:4] == FOUR_WAYS
    assert len(set(EIGHT_WAYS)) == 8


@pytest.mark.parametrize(
    ("cell", "is_inside"),
    [((0, 0), True), ((1, 2), True), ((-1, 0), False), ((0, -1), False), ((2, 0), False), ((0, 3), False)],
)
def test_a_cell_is_inside_a_grid_of_2_x_3(cell: tuple[int, int], is_inside: bool) -> None:
    assert Cell(*cell).is_inside(2, 3) is is_inside


@pytest.mark.parametrize("places", [[], [(0, 3)], [(2, 1), (0, 0), (2, 1)]])
def test_cells_of_an_array(places: list[tuple[int, int]]) -> None:
    cells = cells_of(np.array(places, np.int32).reshape(-1, 2))
    assert cells == tuple(Cell(*place) for place in places)
    assert all(type(cell) is Cell and type(cell.row) is int for cell in cells)
