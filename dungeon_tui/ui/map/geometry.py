"""Places of a map's cells in a widget: cell size, frame, margins, scrolling. Arithmetic only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dungeon_tui.core.grid import Cell

Zooms = tuple[tuple[int, int], ...]

ZOOMS: Zooms = ((11, 5), (7, 3), (5, 2), (3, 1), (2, 1), (1, 1))  # columns and lines a cell, the largest first


def zooms_for(columns: int) -> Zooms:
    """The sizes of cells whose texts take so many columns, the largest first; in the last ones they have no room.

    0 columns: the map is a drawing, whose characters stay as they are.

    >>> zooms_for(4), zooms_for(0)
    (((11, 5), (7, 3), (5, 2), (4, 1), (3, 1), (2, 1), (1, 1)), ((1, 1),))
    """
    if not columns:
        return ((1, 1),)
    roomy = {(max(cols, columns), lines) for cols, lines in ZOOMS}
    small = {(cols, lines) for cols, lines in ZOOMS if lines == 1}
    return tuple(sorted(roomy | small, key=lambda size: (size[1], size[0]), reverse=True))


@dataclass(frozen=True)  # without slots: derived figures are kept
class Geometry:
    """A map of rows and columns, in cells of some columns and lines, in a widget of some width and height."""

    rows: int
    cols: int
    width: int  # of the widget, in columns
    height: int  # of the widget, in lines
    cell_cols: int
    cell_lines: int
    edge: int  # 1 with a frame, 0 without
    columns: int = 1  # that the text of a cell takes
    there: tuple[int, int] | None = None  # (rows, columns) that keep their place, and what is beyond is cut off

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
        """The largest cells with which the map fits, or those chosen (a place in `zooms_for(columns)`).

        Where it doesn't fit as a whole, those with which what is there does. A map that fits only without a frame has
        none; one that does not fit at all has the smallest cells that hold their texts.
        """
        all_zooms = zooms_for(columns)
        zooms = [size for size in all_zooms if size[0] >= columns] if zoom is None else [all_zooms[zoom]]
        for part in (None, there) if there else (None,):
            fitted_rows, fitted_cols = part or (rows, cols)
            for edge in (1, 0):
                for cell_cols, cell_lines in zooms:
                    if fitted_cols * cell_cols + 2 * edge <= width and fitted_rows * cell_lines + 2 * edge <= height:
                        return cls(rows, cols, width, height, cell_cols, cell_lines, edge, columns, part)
        return cls(rows, cols, width, height, *zooms[-1], edge=1, columns=columns, there=there)

    @cached_property
    def zoom(self) -> int:
        """The cell size's place in `zooms_for(columns)`."""
        return zooms_for(self.columns).index((self.cell_cols, self.cell_lines))

    @cached_property
    def map_width(self) -> int:
        """Columns of the map with its frame."""
        return self.cols * self.cell_cols + 2 * self.edge

    @cached_property
    def map_height(self) -> int:
        """Lines of the map with its frame."""
        return self.rows * self.cell_lines + 2 * self.edge

    @cached_property
    def left(self) -> int:
        """Blank columns before a map of which what is there is narrower than the widget."""
        return max(0, self._spare[0] // 2)

    @cached_property
    def top(self) -> int:
        """Blank lines above a map of which what is there is lower than the widget."""
        return max(0, self._spare[1] // 2)

    @cached_property
    def _spare(self) -> tuple[int, int]:
        """Columns and lines of the widget that what is there leaves over; below 0, that it lacks."""
        rows, cols = self.there or (self.rows, self.cols)
        frame = 2 * self.edge
        return self.width - cols * self.cell_cols - frame, self.height - rows * self.cell_lines - frame

    def cell_at(self, column: int, line: int) -> Cell | None:
        """The cell at a place of the map, its frame included; None off the map."""
        cell = Cell((line - self.edge) // self.cell_lines, (column - self.edge) // self.cell_cols)
        return cell if cell.is_inside(self.rows, self.cols) else None

    def first_line(self, row: int) -> int:
        """The first line of a row, on the map with its frame."""
        return row * self.cell_lines + self.edge

    def followed(self, cell: Cell, left: int, top: int, always: bool) -> tuple[int, int]:
        """The place to scroll to, so that the cell's middle lies in the widget's once it has come near an edge of it.

        Args:
            cell: what to follow.
            left: columns scrolled so far.
            top: lines scrolled so far.
            always: even if the cell is not near an edge.
        """
        x, y = self.left + cell.col * self.cell_cols + self.edge, self.top + self.first_line(cell.row)
        side, end = self.width // 6, self.height // 6
        # What is there stays where it is as long as it fits, and the cell is not beyond the widget.
        stays = self._spare[0] >= 0 and x + self.cell_cols <= self.width
        stays_upright = self._spare[1] >= 0 and y + self.cell_lines <= self.height
        if always or not left + side <= x < left + self.width - side - self.cell_cols:
            left = 0 if stays else x + self.cell_cols // 2 - self.width // 2
        if always or not top + end <= y < top + self.height - end - self.cell_lines:
            top = 0 if stays_upright else y + self.cell_lines // 2 - self.height // 2
        most_left, most_top = self.left + self.map_width - self.width, self.top + self.map_height - self.height
        return max(0, min(left, most_left)), max(0, min(top, most_top))
