"""Where the cells of a map lie in a widget: cell size, frame, margins, scrolling. Arithmetic only."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
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

    @classmethod
    def fit(cls, rows: int, cols: int, width: int, height: int, zoom: int | None = None, columns: int = 1) -> Geometry:
        """The largest cells with which the map fits, or those chosen (a place in `zooms_for(columns)`).

        A map that fits only without a frame has none; one that does not fit at all has the smallest cells that hold
        their texts.
        """
        all_zooms = zooms_for(columns)
        zooms = [size for size in all_zooms if size[0] >= columns] if zoom is None else [all_zooms[zoom]]
        for edge in (1, 0):
            for cell_cols, cell_lines in zooms:
                if cols * cell_cols + 2 * edge <= width and rows * cell_lines + 2 * edge <= height:
                    return cls(rows, cols, width, height, cell_cols, cell_lines, edge, columns)
        return cls(rows, cols, width, height, *zooms[-1], edge=1, columns=columns)

    @property
    def zoom(self) -> int:
        """The cell size's place in `zooms_for(columns)`."""
        return zooms_for(self.columns).index((self.cell_cols, self.cell_lines))

    @property
    def map_width(self) -> int:
        """Columns of the map with its frame."""
        return self.cols * self.cell_cols + 2 * self.edge

    @property
    def map_height(self) -> int:
        """Lines of the map with its frame."""
        return self.rows * self.cell_lines + 2 * self.edge

    @property
    def left(self) -> int:
        """Blank columns before a map that is narrower than the widget."""
        return max(0, (self.width - self.map_width) // 2)

    @property
    def top(self) -> int:
        """Blank lines above a map that is lower than the widget."""
        return max(0, (self.height - self.map_height) // 2)

    def cell_at(self, column: int, line: int) -> Cell | None:
        """The cell at a place of the map, its frame included; None off the map."""
        cell = Cell((line - self.edge) // self.cell_lines, (column - self.edge) // self.cell_cols)
        return cell if cell.is_inside(self.rows, self.cols) else None

    def first_line(self, row: int) -> int:
        """The first line of a row, on the map with its frame."""
        return row * self.cell_lines + self.edge

    def followed(self, cell: Cell, left: int, top: int, always: bool) -> tuple[int, int]:
        """Where to scroll to, so that the cell's middle lies in the widget's once it has come near an edge of it.

        Args:
            cell: what to follow.
            left: columns scrolled so far.
            top: lines scrolled so far.
            always: even if the cell is not near an edge.
        """
        x, y = cell.col * self.cell_cols + self.edge, self.first_line(cell.row)
        side, end = self.width // 6, self.height // 6
        if always or not left + side <= x < left + self.width - side - self.cell_cols:
            left = max(0, min(x + self.cell_cols // 2 - self.width // 2, self.map_width - self.width))
        if always or not top + end <= y < top + self.height - end - self.cell_lines:
            top = max(0, min(y + self.cell_lines // 2 - self.height // 2, self.map_height - self.height))
        return left, top
