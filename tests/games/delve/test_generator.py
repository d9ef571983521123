"""Generated dungeons: what is promised of each of them, and the same ones everywhere."""

from collections import deque

import numpy as np
import pytest

from dungeon_tui.games.delve.model.generator import generate, round_corners
from dungeon_tui.games.delve.model.level import Level


def check(level: Level, height: int = 21, width: int = 80) -> None:
    """Every promise, by plain loops over the cells."""
    hardness = level.hardness.tolist()
    assert level.hardness.shape == (height, width)
    assert level.hardness.dtype == np.uint8
    assert not level.hardness.flags.writeable
    border = {(row, col) for row in range(height) for col in (0, width - 1)}
    border |= {(row, col) for row in (0, height - 1) for col in range(width)}
    assert {(row, col) for row in range(height) for col in range(width) if hardness[row][col] == 255} == border

    share = max(height * width, 1680)
    assert 6 * share // 1680 <= len(level.rooms) <= 10 * share // 1680
    covered: dict[tuple[int, int], int] = {}
    for number, room in enumerate(level.rooms):
        assert room.height >= 3
        assert room.width >= 4
        for row in range(room.row, room.row + room.height):
            for col in range(room.col, room.col + room.width):
                assert hardness[row][col] == 0
                assert (row, col) not in covered
                covered[row, col] = number
    for (row, col), number in covered.items():
        for near in ((row + rows, col + cols) for rows in (-1, 0, 1) for cols in (-1, 0, 1)):
            assert covered.get(near, number) == number, "two rooms touch"

    opened = {(row, col) for row in range(height) for col in range(width) if hardness[row][col] == 0}
    start = next(iter(opened))
    reached, queue = {start}, deque([start])
    while queue:
        row, col = queue.popleft()
        for cell in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if cell in opened and cell not in reached:
                reached.add(cell)
                queue.append(cell)
    assert reached == opened
    for row, col in opened:
        for cols in (-1, 1):
            is_cut = (row + 1, col + cols) in opened and not {(row + 1, col), (row, col + cols)} & opened
            assert not is_cut, "a corner is cut"

    assert level.player in covered
    stairs = level.stairs_up + level.stairs_down
    assert level.stairs_up
    assert level.stairs_down
    assert set(stairs) <= covered.keys()
    assert len({*stairs, level.player}) == len(stairs) + 1
    assert len(opened) > len(covered), "no corridor"
    assert level.warnings == ()


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_every_dungeon_keeps_its_promises(first: int) -> None:
    for seed in range(first, first + 50):
        check(generate(seed))


@pytest.mark.parametrize(
    ("height", "width"), [(9, 16), (25, 6), (5, 500), (105, 160), pytest.param(500, 500, marks=pytest.mark.slow)]
)
def test_other_sizes_keep_them_too(height: int, width: int) -> None:
    for seed in range(1 if height * width > 100_000 else 5):
        check(generate(seed, height, width), height, width)


@pytest.mark.parametrize(
    ("height", "width", "message"),
    [(501, 80, "too many"), (21, 501, "too many"), (4, 80, "too few"), (8, 16, "too few"), (0, 0, "too few")],
)
def test_sizes_that_will_not_do_are_refused(height: int, width: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        generate(1, height, width)


@pytest.mark.parametrize("is_mirrored", [False, True])
@pytest.mark.parametrize("softer", [(1, 2), (2, 1)])
def test_the_softer_of_two_corners_is_opened_and_no_other_rock(softer: tuple[int, int], is_mirrored: bool) -> None:
    grid = np.full((4, 4), 90, np.uint8)
    grid[1, 1] = grid[2, 2] = 0
    grid[softer] = 80
    expected = np.where(grid == 80, 0, grid)
    mirrored = grid[:, ::-1] if is_mirrored else grid
    round_corners(mirrored)
    assert (grid == expected).all()
