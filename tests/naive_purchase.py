"""A slow, obvious twin of purchases: every way with every health, by plain sums, no search that knows better."""

Grid = list[list[int]]
Cell = tuple[int, int]


def is_enough(grid: Grid, fee: int, health: int, gold: int, start: Cell = (0, 0)) -> bool:
    """Whether a knight who enters that cell with that health and so much gold for power-ups can reach the princess."""
    rows, cols = len(grid), len(grid[0])
    seen = set()
    waiting: list[tuple[Cell, int, int, frozenset[Cell]]] = [(start, health, gold, frozenset())]
    while waiting:
        (row, col), health, gold, gone = waiting.pop()
        value = 0 if (row, col) in gone else grid[row][col]
        health += value
        if value > 0:
            gold, gone = gold - fee, gone | {(row, col)}
        here = ((row, col), health, gold, gone)
        if health <= 0 or gold < 0 or here in seen:
            continue
        seen.add(here)
        if (row, col) == (rows - 1, cols - 1):
            return True
        for to in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            if 0 <= to[0] < rows and 0 <= to[1] < cols:
                waiting.append((to, health, gold, gone))
    return False


def least_gold(grid: Grid, fee: int) -> int:
    """The least gold that is enough, by trying each sum, however it is split."""
    total = 1
    while not any(is_enough(grid, fee, health, total - health) for health in range(1, total + 1)):
        total += 1
    return total
