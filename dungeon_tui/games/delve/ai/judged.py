"""The delve as a problem for programs: a dungeon file in, the distances of walkers and tunnellers out."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile, read_level_file
from dungeon_tui.core.random import Random
from dungeon_tui.core.words import LETTERS, counted
from dungeon_tui.engine import UNREACHED, distance_map, tunnelling_distance_map
from dungeon_tui.games.delve.model.dungeon import HEIGHT, MOST_BYTES, WIDTH, read_level, write_level
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import IMMUTABLE, OPEN, Level, Room, place_player
from dungeon_tui.judge.problem import Case, Objection

MAPS = "walkers", "tunnellers"
_SHIPPED = 5  # dungeons, from seed 1 on
_EDGES = 1, 84, 85, 86, 170, 171, 254  # hardnesses around which the weights change
_SENTINEL = 255  # numbers from here on mean "unreached" for unreachable cells
_AROUND = 6  # cells drawn on each side of a difference
_TITLE = re.compile("[0-9A-WYZa-wyz]")  # not in a dungeon's first row, which is immutable
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)

Words = Sequence[Sequence[str]]
Distances = NDArray[np.int32]


class DelveProblem:
    """Dungeons, and their two distance maps."""

    unit = "cell"
    largest = 60

    def shipped(self) -> list[Case]:
        return [_case(f"shipped/seed-{seed}", generate(seed)) for seed in range(1, _SHIPPED + 1)]

    def read(self, file: str) -> Case:
        """The dungeon of a file; adds a player if it has none."""
        stored = read_level_file(file, MOST_BYTES)
        level = read_level(stored)
        if level.player is None:
            return _case(f"inputs/{file}", level)
        return Case(f"inputs/{file}", _size(level.hardness), stored.data)

    def made(self, random: Random, size: int) -> Case:
        height = random.between(1, random.between(1, min(size, HEIGHT - 2)))
        width = min(-(-size // height), WIDTH - 2)
        among = (0, 0, *_EDGES, random.between(1, 254), random.between(1, 254))
        kinds = [random.choice(among) for _ in range(random.between(1, 6))]  # few kinds give long paths
        cells = np.array([random.choice(kinds) for _ in range(height * width)], np.uint8).reshape(height, width)
        at = Cell(random.below(height), random.below(width))
        cells[at] = OPEN
        top, left = random.between(1, HEIGHT - 1 - height), random.between(1, WIDTH - 1 - width)
        hardness = np.full((HEIGHT, WIDTH), IMMUTABLE, np.uint8)
        hardness[top : top + height, left : left + width] = cells
        return _case("random", _level_of(hardness, Cell(top + at.row, left + at.col)))

    def smaller(self, case: Case) -> Iterator[Case]:
        """The dungeon with parts made immutable, then with rock opened."""
        level = _level(case)
        assert level.player is not None
        row, col = level.player
        parts: list[Any] = [np.s_[:row], np.s_[row + 1 :], np.s_[:, :col], np.s_[:, col + 1 :]]
        parts += [np.s_[each] for each in range(HEIGHT) if each != row]
        parts += [np.s_[:, each] for each in range(WIDTH) if each != col]
        cells = [tuple(cell) for cell in np.argwhere(level.hardness != IMMUTABLE).tolist()]
        parts += [cell for cell in cells if cell != level.player]
        changes = [(part, IMMUTABLE) for part in parts] + [(cell, OPEN) for cell in cells]
        for part, value in changes:
            hardness = level.hardness.copy()
            hardness[part] = value
            if not np.array_equal(hardness, level.hardness) and _size(hardness) <= case.size:
                yield _case(case.name, _level_of(hardness, level.player))

    def right(self, case: Case) -> str:
        """Both maps as numbers; -1 for unreachable cells."""
        grids = (np.where(each == UNREACHED, -1, each).tolist() for each in _distances(case))
        return "\n".join("".join(" ".join(map(str, row)) + "\n" for row in grid) for grid in grids)

    def objection(self, case: Case, output: str) -> Objection | None:
        """The output doesn't have two maps of the dungeon's size, or a cell has another distance."""
        level, right = _level(case), _distances(case)
        found = read_maps(output, *level.hardness.shape)
        if isinstance(found, str):
            return Objection(self.right(case), found, "", is_answer=False)
        for name, distances, words in zip(MAPS, right, found, strict=True):
            wrong = min((_differences(level, distances, words, alphabet) for alphabet in _ALPHABETS), key=len)
            if wrong:
                cell = wrong[0]
                expected = f"{_shown(int(distances[cell]))} at {cell.text} of the {name}' map"
                more = f", and {len(wrong) - 1} more cells" if len(wrong) > 1 else ""
                got = f"{words[cell.row][cell.col]!r}{more}"
                return Objection(expected, got, _drawing(level, distances, words, cell))
        return None


# -- reading what a program prints


def read_maps(output: str, height: int, width: int) -> tuple[Words, Words] | str:
    """The words or characters of both maps' cells in an output, or a phrase if it has no such maps."""
    if not output.strip():
        return "no output"
    lines = [line.rstrip("\r") for line in output.removesuffix("\n").split("\n")]
    numbers = [line.split() for line in lines if len(line.split()) == width and len(line) > width]
    if len(numbers) >= height:
        return _last_two(_blocks(numbers, height), height, width)
    for extra in range(3):  # lines between maps: a title before each, an empty line after each but the last
        step = height + extra
        whole = [*lines, ""] if extra and len(lines) % step == step - 1 else lines
        if len(whole) % step == 0:
            maps = [block[int(extra > 0 and _TITLE.search(block[0]) is not None) :] for block in _blocks(whole, step)]
            return _last_two([[[*line.ljust(width)] for line in each[:height]] for each in maps], height, width)
    return f"{counted(len(lines), 'line')}, not two maps of {counted(height, 'row')}"


def _blocks(lines: Sequence[Any], height: int) -> list[Any]:
    return [lines[at : at + height] for at in range(0, len(lines), height)]


def _last_two(grids: Sequence[Words], height: int, width: int) -> tuple[Words, Words] | str:
    if len(grids) not in (2, 3):
        return f"{len(grids)} maps, not two"
    for grid in grids:
        if len(grid) != height or any(len(row) != width for row in grid):
            return f"a map that is not {height} x {width}"
    return grids[-2], grids[-1]


def _differences(level: Level, distances: Distances, words: Words, alphabet: str) -> list[Cell]:
    cells = zip(np.ndindex(distances.shape), distances.reshape(-1).tolist(), strict=True)
    return [
        Cell(row, col)
        for (row, col), distance in cells
        if not _is_right(level, Cell(row, col), distance, words[row][col], alphabet)
    ]


def _is_right(level: Level, cell: Cell, distance: int, word: str, alphabet: str) -> bool:
    if alphabet == "numbers":
        if not _INTEGER.fullmatch(word):
            return distance == UNREACHED or (word == "@" and cell == level.player)
        number = int(word)
        return number == distance or (distance == UNREACHED and (number < 0 or number >= _SENTINEL))
    if cell == level.player:
        return word in "@0"
    if level.hardness[cell] == IMMUTABLE:
        return word in "xX" or word not in LETTERS
    if distance == UNREACHED or (alphabet == "letters" and distance >= len(LETTERS)):
        return word not in LETTERS
    return word == (LETTERS[distance] if alphabet == "letters" else LETTERS[distance % 10])


_ALPHABETS = "numbers", "letters", "digits"


def _drawing(level: Level, distances: Distances, words: Words, cell: Cell) -> str:
    """Hardness, right and given distances of the cells around a cell, in columns."""
    height, width = level.hardness.shape
    rows = range(max(0, cell.row - _AROUND), min(height, cell.row + _AROUND + 1))
    cols = range(max(0, cell.col - _AROUND), min(width, cell.col + _AROUND + 1))
    used = [(row, col) for row in rows for col in cols if level.hardness[row, col] != IMMUTABLE]
    rows, cols = (range(min(each), max(each) + 1) for each in zip(*used, cell, strict=True))
    panes: dict[str, Callable[[Cell], str]] = {
        "hardness": lambda at: str(level.hardness[at]),
        "right": lambda at: "@" if at == level.player else _shown(int(distances[at])),
        "its": lambda at: words[at[0]][at[1]],
    }
    lines = [f"   rows {rows[0] + 1} to {rows[-1] + 1}, columns {cols[0] + 1} to {cols[-1] + 1}"]
    lines.append("   " + "   ".join(name.ljust(4 * len(cols)) for name in panes).rstrip())
    for row in rows:
        shown = ("".join(f"{word(Cell(row, col)):>4}" for col in cols) for word in panes.values())
        lines.append((" > " if row == cell.row else "   ") + "   ".join(shown))
    return "\n".join(lines)


def _shown(distance: int) -> str:
    return "-" if distance == UNREACHED else str(distance)


# -- cases


def _case(name: str, level: Level) -> Case:
    return Case(name, _size(level.hardness), write_level(place_player(level)))


def _level_of(hardness: ByteGrid, player: Cell) -> Level:
    return Level(hardness, (Room(player.row, player.col, 1, 1),), player, (), (), "S2019")


def _size(hardness: ByteGrid) -> int:
    return int(np.count_nonzero(hardness != IMMUTABLE))


@lru_cache(256)
def _level(case: Case) -> Level:
    return read_level(LevelFile(case.name, case.given))


@lru_cache(256)
def _distances(case: Case) -> tuple[Distances, Distances]:
    level = _level(case)
    goals = np.array([level.player])
    return distance_map(level.hardness == OPEN, goals), tunnelling_distance_map(level.hardness, goals)
