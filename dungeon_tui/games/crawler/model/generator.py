"""Random levels: halls, rooms or houses, mostly mirrored, treasure in nooks, guards and watchmen.

Levels may be impossible to win; challenge.py selects. With integers only and a random generator of the project, a seed
gives the same level on every machine.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import FOUR_WAYS, Cell, Direction
from dungeon_tui.core.random import Random
from dungeon_tui.engine import UNREACHED, distance_map
from dungeon_tui.games.crawler.model.level import AMULET, MONSTER, OPEN, PILLAR, TREASURE, WAY_OUT, Level

Pillars = NDArray[np.bool_]

_LOOKS = 8  # random cells compared for each thing
_GUARDED = 3  # steps from a guard to what it guards
_PEACE = 4  # least number of steps from the start to a monster, ignoring pillars
_BLOCK = 6  # rows and columns of a house and a street
_HOUSES = (
    "##### #...# #.#.# #...# ##.##",  # a vault with a pillar to go round
    "##### #.#.# #.#.# #...# ##.##",
    "##.## #...# ..#.. #...# ##.##",
    "#.#.# ..... #.#.# ..... #.#.#",
    "###.# #...# ###.# #...# ###.#",
    "##### #...# #.#.# ..#.. ##.##",
)


@dataclass(frozen=True, slots=True)
class LevelSpec:
    """Size and contents of a level to generate."""

    rows: int
    cols: int
    monsters: int
    treasure: int
    amulets: int
    leave_by: int = WAY_OUT  # or DOOR
    has_vault: bool = False  # True to put the way out into a vault that only copies of the level open


@dataclass(frozen=True, slots=True)
class _Mirrors:
    left_right: bool
    up_down: bool

    def images(self, cell: Cell, rows: int, cols: int) -> list[Cell]:
        """The other cells that get the same thing as this one."""
        row, col = rows - 1 - cell.row, cols - 1 - cell.col
        found = [Cell(cell.row, col)] if self.left_right else []
        found += [Cell(row, cell.col)] if self.up_down else []
        found += [Cell(row, col)] if self.left_right and self.up_down else []
        return [image for image in dict.fromkeys(found) if image != cell]

    def mirror(self, pillars: Pillars) -> None:
        """Mirrors one half of the pillars onto the other, in place."""
        rows, cols = pillars.shape
        if self.left_right:
            pillars[:, cols - cols // 2 :] = pillars[:, : cols // 2][:, ::-1]
        if self.up_down:
            pillars[rows - rows // 2 :] = pillars[: rows // 2][::-1]


def generate(seed: int, spec: LevelSpec) -> Level | None:
    """A level with all things reachable on foot, by seed and spec; None if the pillars leave too little room."""
    # Pillars, the start, and a way out far from it. Cells that can't be reached become pillars.
    random = Random(seed)
    rows, cols = spec.rows, spec.cols
    mirrors = _Mirrors(*random.choice([(False, False), (True, False), (False, True), (True, True), (False, True)]))
    pillars = random.choice(_STYLES)(random, rows, cols)
    mirrors.mirror(pillars)
    vault = _dig_vault(random, pillars) if spec.has_vault else np.zeros_like(pillars)
    start = _start(random, pillars | vault)
    if start is None:
        return None
    distance = distance_map(~pillars & ~vault, np.array([start]), diagonal=False)
    is_reached = distance != UNREACHED
    pillars |= ~is_reached & ~vault
    if 2 * np.count_nonzero(is_reached) < rows * cols:
        return None
    way_out = _way_out(random, distance, is_reached, vault)
    is_before_it = ~pillars & ~vault  # the way out ends the level, so nothing may lie behind it
    is_before_it[way_out] = False
    is_reached = distance_map(is_before_it, np.array([start]), diagonal=False) != UNREACHED

    # Amulets, monsters and treasure.
    tiles = np.where(pillars, PILLAR, OPEN).astype(np.uint8)
    filler = _Filler(random, tiles, start, mirrors)
    tiles[way_out] = spec.leave_by
    is_put = (
        filler.fill(AMULET, spec.amulets, is_reached, _seclusion)
        and filler.fill(TREASURE, spec.treasure, is_reached, _seclusion)
        and filler.fill(MONSTER, spec.monsters // 2, is_reached & filler.is_peaceful(), _guard)
        and filler.fill(MONSTER, spec.monsters - spec.monsters // 2, is_reached & filler.is_peaceful(), _view)
    )
    tiles.setflags(write=False)
    return Level(f"seed-{seed}", tiles, start) if is_put else None


# Pillars


def _hall(random: Random, rows: int, cols: int) -> Pillars:
    down, across = random.between(2, 4), random.between(2, 4)
    height, width = random.between(1, down - 1), random.between(1, across - 1)
    pillars = np.zeros((rows, cols), bool)
    for row in range(1, rows - 1, down):
        for col in range(1, cols - 1, across):
            if random.below(6):
                pillars[row : min(row + min(height, 2), rows - 1), col : min(col + min(width, 2), cols - 1)] = True
    return pillars


def _rooms(random: Random, rows: int, cols: int) -> Pillars:
    """Nested rooms. Walls are on odd lines and gaps on even ones, so that no wall blocks a gap.

    Source:
        Jamis Buck, "Mazes for Programmers" (2015): recursive division.
    """
    pillars = np.zeros((rows, cols), bool)
    least = random.between(3, 5)
    waiting = [(0, 0, rows, cols)]
    while waiting:
        top, left, bottom, right = waiting.pop()
        is_upright = (right - left, random.below(2)) > (bottom - top, 0)
        low, high = (left, right) if is_upright else (top, bottom)
        lines = [line for line in range(low + least - 1, high - least + 1) if line % 2]
        if not lines:
            continue
        line = random.choice(lines)
        begin, end = (top, bottom) if is_upright else (left, right)
        gaps = [gap for gap in range(begin, end) if gap % 2 == 0]
        wall = pillars[begin:end, line] if is_upright else pillars[line, begin:end]
        wall[:] = True
        for _ in range(random.between(1, 2)):
            wall[random.choice(gaps) - begin] = False
        if is_upright:
            waiting += [(top, left, bottom, line), (top, line + 1, bottom, right)]
        else:
            waiting += [(top, left, line, right), (line + 1, left, bottom, right)]
    return pillars


def _houses(random: Random, rows: int, cols: int) -> Pillars:
    """Streets between houses: vaults, rounds about a pillar, colonnades and rows of cells."""
    pillars = np.zeros((rows, cols), bool)
    down, across = (rows + 1) // _BLOCK, (cols + 1) // _BLOCK
    top, left = (rows + 1 - _BLOCK * down) // 2, (cols + 1 - _BLOCK * across) // 2
    for row in range(top, top + _BLOCK * down, _BLOCK):
        for col in range(left, left + _BLOCK * across, _BLOCK):
            house = np.array([[letter == "#" for letter in line] for line in random.choice(_HOUSES).split()])
            pillars[row : row + _BLOCK - 1, col : col + _BLOCK - 1] = np.rot90(house, random.below(4))
    return pillars


_STYLES: tuple[Callable[[Random, int, int], Pillars], ...] = (_hall, _rooms, _houses, _houses, _houses)


def _dig_vault(random: Random, pillars: Pillars) -> Pillars:
    """Digs a vault at one side, open only across the level's edge, and clears the whole edge; returns its cells."""
    for edge in (pillars[0], pillars[-1], pillars[:, 0], pillars[:, -1]):
        edge[:] = False
    vault = np.zeros_like(pillars)
    turns = random.below(4)
    turned, inside = np.rot90(pillars, turns), np.rot90(vault, turns)
    rows, cols = turned.shape
    height, depth = random.between(1, max(1, rows // 4)), random.between(2, max(2, cols // 5))
    top = random.between(1, rows - 1 - height)
    turned[top - 1 : top + height + 1, cols - depth - 1 :] = True
    turned[top : top + height, cols - depth :] = False
    inside[top : top + height, cols - depth :] = True
    return vault


# Things


def _start(random: Random, blocked: Pillars) -> Cell | None:
    """A random free cell in the leftmost column that has one; None if all cells are blocked."""
    open_cols = np.flatnonzero((~blocked).any(axis=0))
    if open_cols.size == 0:
        return None
    col = int(open_cols[0])
    return Cell(random.choice(np.flatnonzero(~blocked[:, col]).tolist()), col)


def _way_out(random: Random, distance: NDArray[np.int32], is_reached: Pillars, vault: Pillars) -> Cell:
    """A cell of the vault, or without one a cell of the farthest eighth."""
    if vault.any():
        cells = np.argwhere(vault)
    else:
        cells = np.argwhere(is_reached & (distance > 0))
        order = np.argsort(-distance[tuple(cells.T)], kind="stable")
        cells = cells[order[: 1 + len(cells) // 8]]
    return Cell(*random.choice(cells.tolist()))


@dataclass(slots=True)
class _Filler:
    """The tiles, to be filled with things."""

    random: Random
    tiles: NDArray[np.uint8]
    start: Cell
    mirrors: _Mirrors

    def fill(self, tile: int, count: int, allowed: Pillars, worth: Callable[[NDArray[np.uint8], Cell], int]) -> bool:
        """Puts things on allowed cells, each on the best of a few, in mirrored pairs; False if there is no room."""
        while count > 0:
            is_free = allowed & (self.tiles == OPEN)
            is_free[self.start] = False
            free = np.flatnonzero(is_free)
            if free.size == 0:
                return False
            rows, cols = self.tiles.shape
            looks = [Cell(*divmod(int(free[self.random.below(free.size)]), cols)) for _ in range(_LOOKS)]
            cell = max(looks, key=lambda cell: worth(self.tiles, cell))
            images = [image for image in self.mirrors.images(cell, rows, cols) if is_free[image]]
            chosen = [cell, *images][:count]
            for each in chosen:
                self.tiles[each] = tile
            count -= len(chosen)
        return True

    def is_peaceful(self) -> Pillars:
        """(rows, cols) True for cells far from the start and out of its sight."""
        rows, cols = np.indices(self.tiles.shape)
        is_far: Pillars = np.abs(rows - self.start.row) + np.abs(cols - self.start.col) >= _PEACE
        for direction in FOUR_WAYS:
            for cell in _ray(self.tiles, self.start, direction):
                is_far[cell] = False
        return is_far


def _seclusion(tiles: NDArray[np.uint8], cell: Cell) -> int:
    """Score of a cell for treasure: more for adjacent pillars, less for things within two cells."""
    rows, cols = tiles.shape
    sides = [cell.neighbour(direction) for direction in FOUR_WAYS]
    walls = sum(side.is_inside(rows, cols) and bool(tiles[side] == PILLAR) for side in sides)
    near = _near(tiles, cell)
    return 2 * walls - 3 * int(np.count_nonzero((near != OPEN) & (near != PILLAR)))


def _view(tiles: NDArray[np.uint8], cell: Cell) -> int:
    """Score of a cell for a monster: the cells in its sight, less for monsters within two cells."""
    seen = sum(len(_ray(tiles, cell, direction)) for direction in FOUR_WAYS)
    return seen - 8 * int(np.count_nonzero(_near(tiles, cell) == MONSTER))


def _guard(tiles: NDArray[np.uint8], cell: Cell) -> int:
    """Score of a cell for a guard: the treasure close by in its sight, less for monsters within two cells."""
    seen = [tiles[each] for direction in FOUR_WAYS for each in _ray(tiles, cell, direction)[:_GUARDED]]
    return seen.count(TREASURE) - int(np.count_nonzero(_near(tiles, cell) == MONSTER))


def _near(tiles: NDArray[np.uint8], cell: Cell) -> NDArray[np.uint8]:
    return tiles[max(cell.row - 2, 0) : cell.row + 3, max(cell.col - 2, 0) : cell.col + 3]


def _ray(tiles: NDArray[np.uint8], cell: Cell, direction: Direction) -> list[Cell]:
    found = []
    while (cell := cell.neighbour(direction)).is_inside(*tiles.shape) and tiles[cell] != PILLAR:
        found.append(cell)
    return found
