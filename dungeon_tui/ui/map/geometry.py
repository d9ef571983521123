"""The arithmetic of a map in a widget: the size of its cells, where it stands, how it is scrolled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dungeon_tui.core.grid import Cell

Zooms = tuple[tuple[int, int], ...]

ZOOMS: Zooms = ((32, 16), (24, 12), (16, 8), (12, 6), (8, 4), (6, 3), (4, 2), (3, 1), (2, 1), (1, 1))
"""Columns and lines of a cell, the largest first."""


def zooms_for(columns: int) -> Zooms:
    """The possible sizes of cells, (columns, lines), largest first. The last have no room for `columns` of text."""
    if not columns:
        return ((1, 1),)
    roomy = {(max(cols, columns), lines) for cols, lines in ZOOMS}
    small = {(cols, lines) for cols, lines in ZOOMS if lines == 1}
    return tuple(sorted(roomy | small, key=lambda size: (size[1], size[0]), reverse=True))


@dataclass(frozen=True)  # no slots, for cached properties
class Geometry:
    """The arithmetic of a map in a widget."""

    rows: int
    cols: int
    width: int  # of the widget, in columns
    height: int  # of the widget, in lines
    cell_cols: int
    cell_lines: int
    edge: int  # lines of frame above and below the map: 1 or 0
    side: int  # columns of frame beside it: 1 or 0
    columns: int = 1  # that the text of a cell takes
    there: tuple[int, int] | None = None  # (rows, columns) of the existing part, which stays in view

    @classmethod
    def fit(
        cls,
        rows: int,
        cols: int,
        width: int,
        height: int,
        zoom: int | None = None,
        columns: int = 1,
        there: tuple[int, int] | None = None,
    ) -> Geometry:
        """The largest cells that fit the map, or the part in `there`, or those of `zoom`; without a frame if needed."""
        all_zooms = zooms_for(columns)
        zooms = [size for size in all_zooms if size[0] >= columns] if zoom is None else [all_zooms[zoom]]
        # Sprites above a number come before small sprites, and those before letters; a frame comes before larger cells.
        by_lines = [[size for size in zooms if min(size[1], 3) == lines] for lines in (3, 2, 1)]
        frames = (1, 1), (0, 0)  # edge and side: a frame is whole, or there is none
        kinds = [(*frame, size) for sizes in by_lines for frame in frames for size in sizes]
        for part in (None, there) if there else (None,):
            fitted_rows, fitted_cols = part or (rows, cols)
            for edge, side, (cell_cols, cell_lines) in kinds:
                if fitted_cols * cell_cols + 2 * side <= width and fitted_rows * cell_lines + 2 * edge <= height:
                    return cls(rows, cols, width, height, cell_cols, cell_lines, edge, side, columns, part)
        side = int((there or (rows, cols))[1] * zooms[-1][0] != width)  # no column is hidden by a frame
        return cls(rows, cols, width, height, *zooms[-1], edge=1, side=side, columns=columns, there=there)

    @cached_property
    def zoom(self) -> int:
        return zooms_for(self.columns).index((self.cell_cols, self.cell_lines))

    @cached_property
    def map_width(self) -> int:
        return self.cols * self.cell_cols + 2 * self.side

    @cached_property
    def map_height(self) -> int:
        return self.rows * self.cell_lines + 2 * self.edge

    @cached_property
    def size(self) -> tuple[float, int, int]:
        """(share of the map in view, lines a cell, lines of frame): of two layouts, the larger is better to look at."""
        return self.share, self.cell_lines, self.edge

    @cached_property
    def share(self) -> float:
        return min(1, self.width / self.map_width) * min(1, self.height / self.map_height)

    @cached_property
    def left(self) -> int:
        return self._before[0]

    @cached_property
    def top(self) -> int:
        return self._before[1]

    @cached_property
    def _before(self) -> tuple[int, int]:
        """Columns and lines before the map. They centre its existing part, if the rest then still fits."""
        whole = self.rows, self.cols
        spares = zip(self._spare(*(self.there or whole)), self._spare(*whole), strict=True)
        left, top = (max(0, spare // 2 if of_all < 0 else min(spare // 2, of_all)) for spare, of_all in spares)
        return left, top

    def _spare(self, rows: int, cols: int) -> tuple[int, int]:
        """Columns and lines that a map leaves free; negative if it lacks them."""
        lines = rows * self.cell_lines + 2 * self.edge
        return self.width - cols * self.cell_cols - 2 * self.side, self.height - lines

    def cell_at(self, column: int, line: int) -> Cell | None:
        """The cell at a column and line from the corner of the frame; None off the map."""
        cell = Cell((line - self.edge) // self.cell_lines, (column - self.side) // self.cell_cols)
        return cell if cell.is_inside(self.rows, self.cols) else None

    def first_line(self, row: int) -> int:
        return row * self.cell_lines + self.edge

    def first_column(self, col: int) -> int:
        return col * self.cell_cols + self.side

    def followed(
        self, cell: Cell, left: int, top: int, always: bool, covered: int = 0, is_gentle: bool = False
    ) -> tuple[int, int]:
        """The scroll offset that keeps a cell in view, centred near an edge or `always`; `covered`: hidden lines.

        `is_gentle`: instead of centring, keeps two fifths of the view on all sides of the cell, and scrolls no further.
        """
        height = self.height - covered
        x, y = self.left + self.first_column(cell.col), self.top + self.first_line(cell.row)
        # The existing part stays in place while it fits and the cell is in view.
        spare_columns, spare_lines = self._spare(*(self.there or (self.rows, self.cols)))
        left = _followed(left, x, self.cell_cols, self.width, spare_columns >= 0, always, is_gentle)
        top = _followed(top, y, self.cell_lines, height, spare_lines >= 0, always, is_gentle)
        most_left, most_top = self.left + self.map_width - self.width, self.top + self.map_height - height
        return max(0, min(left, most_left)), max(0, min(top, most_top))


def _followed(start: int, at: int, cell: int, length: int, fits: bool, always: bool, is_gentle: bool) -> int:
    """The scroll offset of one axis, for a cell `at` a column or line, of `length` columns or lines in view."""
    margin = 2 * length // 5 if is_gentle else length // 6
    if not always and start + margin <= at < start + length - margin - cell:
        return start
    if fits and at + cell <= length:
        return 0
    if is_gentle and not always:
        return min(max(start, at + cell + margin - length), at - margin)
    return at + cell // 2 - length // 2
