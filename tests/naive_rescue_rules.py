"""A slow, obvious twin of the rescue: walks played by plain sums, no engine."""

from dataclasses import dataclass, field

Grid = list[list[int]]


@dataclass
class Rescue:
    """A grid and a walk; `do` changes it."""

    grid: Grid
    initial: int = 0
    cells: list[tuple[int, int]] = field(default_factory=list)

    def healths(self) -> list[int]:
        """His health before the first cell, and after each one that he entered."""
        healths = [self.initial]
        for row, col in self.cells:
            healths.append(healths[-1] + self.grid[row][col])
        return healths

    def end(self) -> str:
        if self.cells and self.healths()[-1] <= 0:
            return "died"
        return "saved" if self.cells and self.cells[-1] == (len(self.grid) - 1, len(self.grid[0]) - 1) else ""

    def do(self, action: str) -> bool:
        """Does what a recording's line says; False, and nothing, if it can't be done now."""
        if self.end():
            return False
        word, _, number = action.partition(" ")
        if word == "health":
            if self.cells or not 1 <= int(number) < 2**63:
                return False
            self.initial = int(number)
            self.cells.append((0, 0))
            return True
        if not self.cells:
            return False
        row, col = self.cells[-1]
        row, col = (row + 1, col) if word == "down" else (row, col + 1)
        if row == len(self.grid) or col == len(self.grid[0]):
            return False
        self.cells.append((row, col))
        return True
