"""Cells and directions; rows run down, columns run right, both counted from 0."""

from __future__ import annotations

from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Cell(NamedTuple):
    """A position on a grid.

    >>> Cell(2, 3).neighbour(Direction.UP)
    Cell(row=1, col=3)
    """

    row: int
    col: int

    @property
    def text(self) -> str:
        """The cell in words, counted from 1.

        >>> Cell(2, 3).text
        'row 3, column 4'
        """
        return f"row {self.row + 1}, column {self.col + 1}"

    def neighbour(self, direction: Direction, steps: int = 1) -> Cell:
        """The cell a number of steps away; it may lie off the grid.

        >>> Cell(2, 3).neighbour(Direction.LEFT, 2)
        Cell(row=2, col=1)
        """
        rows, cols = direction.value
        return Cell(self.row + steps * rows, self.col + steps * cols)

    def is_inside(self, height: int, width: int) -> bool:
        """True if the cell lies on a grid of this size."""
        return 0 <= self.row < height and 0 <= self.col < width


def cells_of(positions: NDArray[np.integer[Any]]) -> tuple[Cell, ...]:
    """The cells of an (n, 2) array of rows and columns."""
    rows, cols = positions.T.tolist()  # no list a cell: millions of them keep the garbage collector busy
    return tuple(map(Cell, rows, cols))


class Direction(Enum):
    """One step on a grid, as (rows, cols)."""

    UP = (-1, 0)
    DOWN = (1, 0)
    LEFT = (0, -1)
    RIGHT = (0, 1)
    UP_LEFT = (-1, -1)
    UP_RIGHT = (-1, 1)
    DOWN_LEFT = (1, -1)
    DOWN_RIGHT = (1, 1)

    @property
    def words(self) -> str:
        """The direction in words.

        >>> Direction.UP_LEFT.words
        'up-left'
        """
        return self.name.lower().replace("_", "-")


FOUR_WAYS = (Direction.UP, Direction.DOWN, Direction.LEFT, Direction.RIGHT)
EIGHT_WAYS = tuple(Direction)


def steps_along(path: NDArray[np.integer[Any]]) -> list[Direction]:
    """The steps between the cells of a path, an (n, 2) array."""
    cells = pairwise(path.tolist())
    return [Direction((there[0] - here[0], there[1] - here[1])) for here, there in cells]
