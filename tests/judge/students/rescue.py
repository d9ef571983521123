"""The least health of a grid, as a student might compute it; a word names the mistake to make."""

import sys

mistake = sys.argv[1] if len(sys.argv) > 1 else ""
grid = [[int(word) for word in line.split()] for line in sys.stdin if line.strip()]
rows, cols = len(grid), len(grid[0])
if mistake == "one-cell-crash":
    grid[0][1 if cols > 1 else -2 if rows == 1 else 0]
if mistake == "no-power-ups":
    grid = [[min(0, number) for number in row] for row in grid]
if mistake == "square-only":
    cols = rows


def forwards():
    """What the way asks for that has the largest sum, from the first cell on."""
    best = {}
    for r in range(rows):
        for c in range(cols):
            ways = [best[cell] for cell in ((r - 1, c), (r, c - 1)) if cell in best]
            total, low = max((total, low) for low, total in ways) if ways else (0, 0)
            total += grid[r][c]
            best[r, c] = min(low, total), total
    low, total = best[rows - 1, cols - 1]
    return max(1, 1 - (total if mistake == "final-sum" else low))


if mistake in ("largest-sum", "final-sum"):
    print(forwards())
    sys.exit()
need = [[0] * cols for _ in range(rows)]
path = {}
for row in reversed(range(rows)):
    for col in reversed(range(cols)):
        ahead = [(need[r][c], (r, c)) for r, c in ((row, col + 1), (row + 1, col)) if r < rows and c < cols]
        if mistake == "greedy":
            ahead.sort(key=lambda one: -grid[one[1][0]][one[1][1]])
        elif mistake != "right-first":
            ahead.sort(key=lambda one: one[0])
        least = ahead[0][0] if ahead else (0 if mistake == "last-cell" else 1)
        need[row][col] = max(0 if mistake == "zero-lives" else 1, least - grid[row][col])
        if mistake == "32-bits":
            need[row][col] = max(1, (need[row][col] + 2**31) % 2**32 - 2**31)
        path[row, col] = ahead[0][1] if ahead else None
if mistake == "silent":
    sys.exit()
if mistake == "crash-at-the-end":
    print(need[0][0])
    raise SystemExit(3)
print("Minimum health:", need[0][0])
if mistake == "wrong-path":
    print("Path:", "R " * (cols - 1) + "D " * (rows - 1))
else:
    cell, cells = (0, 0), []
    while cell is not None:
        cells.append(str(cell))
        cell = path[cell]
    print("Path:", " ".join(cells))
