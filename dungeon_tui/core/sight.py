"""Sight along rows and columns."""

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell, Direction


def rays(board: Board, cell: Cell, wall: int) -> dict[Direction, bytes]:
    """The tiles visible from a cell in each direction, up to the first wall or the edge."""
    row, col = cell
    tiles = board.array()
    ends = bytes([wall])
    line, column = tiles[row].tobytes(), tiles[:, col].tobytes()
    return {
        Direction.UP: column[row - 1 :: -1].partition(ends)[0] if row else b"",
        Direction.DOWN: column[row + 1 :].partition(ends)[0],
        Direction.LEFT: line[col - 1 :: -1].partition(ends)[0] if col else b"",
        Direction.RIGHT: line[col + 1 :].partition(ends)[0],
    }
