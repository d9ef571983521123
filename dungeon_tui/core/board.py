"""A grid of bytes whose earlier versions stay readable, at the cost of the changes only.

Source:
    Henry Baker, "Shallow binding makes functional arrays fast" (1991): the current version holds the array; every
    other version holds its differences from the next version on the way there. Reading another version carries the
    array over to it, change by change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell, Direction

ByteGrid = NDArray[np.uint8]
FlatCells = NDArray[np.intp]


class _Store:
    """The one array that all versions of a board share."""

    __slots__ = ("flat", "grid", "lock", "view")

    def __init__(self, grid: ByteGrid) -> None:
        self.grid = grid
        self.flat = grid.reshape(-1)
        self.view = grid.view()
        self.view.flags.writeable = False
        self.lock = RLock()


class Board:
    """One version of a (height, width) uint8 grid; immutable from outside.

    One thread plays: only it may call `array`, `row`, `rays` and `replace`, which move the array between versions.
    `copy`, `board[cell]` and comparisons are safe in any thread.

    >>> old = Board.of(np.zeros((2, 3), np.uint8))
    >>> new = old.replace([4], [7])
    >>> new[Cell(1, 1)], old[Cell(1, 1)]
    (7, 0)
    """

    __slots__ = ("_next", "_store", "height", "width")

    def __init__(self, store: _Store) -> None:
        self._store = store
        self.height: int = store.grid.shape[0]
        self.width: int = store.grid.shape[1]
        # The next version on the way to the array, the cells that differ, and their bytes here;
        # None: this version holds the array.
        self._next: tuple[Board, FlatCells, NDArray[np.uint8]] | None = None

    @classmethod
    def of(cls, grid: ByteGrid) -> Board:
        """The first version, a copy of the (height, width) uint8 grid."""
        return cls(_Store(np.array(grid, dtype=np.uint8, order="C")))

    @classmethod
    def owning(cls, grid: ByteGrid) -> Board:
        """The first version, around a C-ordered uint8 grid that the caller no longer uses."""
        return cls(_Store(grid))

    def array(self) -> ByteGrid:
        """The (height, width) uint8 grid, read-only and not copied; valid until another version is made or read."""
        store = self._store
        with store.lock:
            if self._next is not None:
                self._take_array()
            return store.view

    def copy(self) -> ByteGrid:
        """A copy of the (height, width) uint8 grid; safe in any thread."""
        with self._store.lock:
            grid = self._store.grid.copy()
            flat = grid.reshape(-1)
            for cells, values in reversed(self._differences()):
                flat[cells] = values
            return grid

    def __getitem__(self, cell: Cell) -> int:
        row, col = cell
        if not (0 <= row < self.height and 0 <= col < self.width):
            raise IndexError(f"({row}, {col}) lies off the board of {self.height} x {self.width}")
        index = row * self.width + col
        store = self._store
        with store.lock:
            for cells, values in self._differences() if self._next is not None else ():
                found = np.flatnonzero(cells == index)
                if found.size:
                    return int(values[found[0]])
            return int(store.flat[index])

    def row(self, row: int, start: int = 0, stop: int | None = None) -> bytes:
        """The bytes of one row from column start up to column stop."""
        with self._store.lock:
            if self._next is not None:
                self._take_array()
            return self._store.view[row, start:stop].tobytes()

    def replace(self, cells: Sequence[int] | FlatCells, values: Sequence[int] | NDArray[np.uint8]) -> Board:
        """A new version with (k,) bytes at (k,) distinct flat indices, row * width + col, in O(k) time and memory."""
        store = self._store
        where = np.asarray(cells, dtype=np.intp)
        with store.lock:
            self._take_array()
            newer = Board(store)
            self._next = newer, where, store.flat[where]
            store.flat[where] = values
            return newer

    def rays(self, cell: Cell, wall: int) -> dict[Direction, bytes]:
        """The tiles visible from a cell in each direction, up to the first wall or the edge."""
        row, col = cell
        tiles = self.array()
        ends = bytes([wall])
        line, column = tiles[row].tobytes(), tiles[:, col].tobytes()
        return {
            Direction.UP: column[row - 1 :: -1].partition(ends)[0] if row else b"",
            Direction.DOWN: column[row + 1 :].partition(ends)[0],
            Direction.LEFT: line[col - 1 :: -1].partition(ends)[0] if col else b"",
            Direction.RIGHT: line[col + 1 :].partition(ends)[0],
        }

    def doubled(self) -> Board:
        """A separate board, twice as high and wide: four copies of this one."""
        height, width = self.height, self.width
        tiles = self.array()
        grid = np.empty((2 * height, 2 * width), np.uint8)
        for rows in (slice(height), slice(height, None)):
            for cols in (slice(width), slice(width, None)):
                grid[rows, cols] = tiles
        return Board.owning(grid)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self is other or np.array_equal(self.copy(), other.copy())

    __hash__ = None  # type: ignore[assignment]  # equal by content, and too large to hash each time

    def __reduce__(self) -> tuple[Callable[[ByteGrid], Board], tuple[ByteGrid]]:
        """For pickle: this version only."""
        return Board.owning, (self.copy(),)

    def _differences(self) -> list[tuple[FlatCells, NDArray[np.uint8]]]:
        """Cells and bytes in which each version differs from the next one on the way to the array."""
        found = []
        link = self._next
        while link is not None:
            version, cells, values = link
            found.append((cells, values))
            link = version._next
        return found

    def _take_array(self) -> None:
        """Carries the array over to this version, change by change."""
        way = [self]
        while (link := way[-1]._next) is not None:
            way.append(link[0])
        flat = self._store.flat
        for older in reversed(way[:-1]):
            assert older._next is not None
            newer, cells, values = older._next
            newer._next = older, cells, flat[cells]
            flat[cells] = values
            older._next = None
