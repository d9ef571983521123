"""Random boards on which a side wins with perfect play, and smaller ones."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.generator import LEAST_SIDE, generate
from dungeon_tui.games.chase.model.level import CORRIDOR, ROOM, WALL, Level
from dungeon_tui.games.chase.model.players import KINDS
from dungeon_tui.games.chase.model.state import Side

LARGEST = 40  # sites of a board
MOVES = 4  # monster moves for each site: enough for a mistake to show
_LARGEST_GROWN = 14  # sites; larger boards come from the generator
_LARGEST_SIDE = 9  # rows of the generator's boards
_MAX_TRIES = 20  # shapes

Site = tuple[int, int, int]  # row, column, tile
Shape = tuple[Site, ...]
_PILLAR = ((0, 1, ROOM), (1, 0, ROOM), (1, 2, ROOM), (2, 1, ROOM))
_SQUARE = ((0, 0, CORRIDOR), (0, 1, CORRIDOR), (1, 0, CORRIDOR), (1, 1, CORRIDOR))
_RING = tuple((row, col, CORRIDOR) for row in range(3) for col in range(3) if (row, col) != (1, 1))
_SEEDS: dict[Side, tuple[Shape, ...]] = {
    Side.MONSTER: (((0, 0, ROOM),), ((0, 0, CORRIDOR),)),
    Side.ROGUE: (_PILLAR, _PILLAR, _SQUARE, _RING),
}


def made(side: Side, random: Random, size: int) -> Level:
    """A random board of about `size` sites on which the side wins with perfect play."""
    for _ in range(_MAX_TRIES):
        # Large boards come from the generator, with either side on either start.
        if size > _LARGEST_GROWN:
            board = generate(random.word(), random.between(LEAST_SIDE, _LARGEST_SIDE), random.choice(KINDS))
            ends = (board.monster, board.rogue) if random.below(2) else (board.rogue, board.monster)
            level = _level(_sites(board.tiles), *ends)
            if is_winning(level, side):
                return level
            continue

        # Small ones grow site by site from a shape on which the side can win.
        seeds = [seed for seed in _SEEDS[side] if len(seed) <= size]
        if not seeds:
            break
        shape, tiles = random.choice(seeds), random.choice(((ROOM,), (ROOM, CORRIDOR)))
        while len(shape) < size:
            shape = _grown(shape, tiles, random)

        # Prefer the starts that offer the most chances to go wrong.
        starts = list(_starts(shape, side))
        if starts:
            most = max(danger for danger, _ in starts)
            return random.choice([level for danger, level in starts if danger == most or not random.below(4)])
    other = Cell(0, 2 if side is Side.ROGUE else 1)  # not connected if the rogue is to win
    return _level(((0, 0, ROOM), (*other, ROOM)), Cell(0, 0), other)


def smaller(level: Level, side: Side) -> Iterator[Level]:
    """Boards with one row, column or site less on which the side still wins."""
    for sites, monster, rogue in _reduced(level):
        if len(sites) < size_of(level) and is_winning(less := _level(sites, monster, rogue), side):
            yield less


def size_of(level: Level) -> int:
    """Number of a board's sites."""
    return int((level.tiles != WALL).sum())


def is_winning(level: Level, side: Side) -> bool:
    """True if the side wins with perfect play."""
    return (solver.value(rules.start(level)) == UNREACHED) == (side is Side.ROGUE)


def _level(sites: Shape, monster: Cell, rogue: Cell) -> Level:
    """The board of some sites, moved into the top left corner."""
    top, left = min(site[0] for site in sites), min(site[1] for site in sites)
    size = 1 + max(max(row - top, col - left) for row, col, _ in sites)
    tiles = np.full((size, size), WALL, np.uint8)
    for row, col, tile in sites:
        tiles[row - top, col - left] = tile
    tiles.setflags(write=False)
    monster, rogue = (Cell(cell.row - top, cell.col - left) for cell in (monster, rogue))
    return Level("smallest", tiles, monster, rogue, moves=MOVES * len(sites))


def _sites(tiles: NDArray[np.uint8]) -> Shape:
    return tuple((row, col, int(tiles[row, col])) for row, col in np.argwhere(tiles != WALL).tolist())


def _grown(shape: Shape, tiles: Sequence[int], random: Random) -> Shape:
    """The shape with one more site, which a move leads to."""
    known = {(row, col): tile for row, col, tile in shape}
    while True:
        row, col, _ = random.choice(shape)
        way = random.choice(EIGHT_WAYS).value
        cell, tile = (row + way[0], col + way[1]), random.choice(tiles)
        if cell not in known and (0 in way or tile == known[row, col] == ROOM):
            return (*shape, (*cell, tile))


def _starts(shape: Shape, side: Side) -> Iterator[tuple[int, Level]]:
    """Boards of a shape on which the side wins, each with its danger: the moves or replies that may go wrong."""
    rooms = [Cell(row, col) for row, col, tile in shape if tile == ROOM]
    if len(rooms) < 2:
        return
    level = _level(shape, rooms[0], rooms[1])
    graph, table = solver.move_graph(level), solver.solve(level)
    top, left = min(site[0] for site in shape), min(site[1] for site in shape)
    for monster, rogue in permutations(rooms, 2):
        hunter, prey = (graph.site(Cell(cell.row - top, cell.col - left)) for cell in (monster, rogue))
        value = int(table[prey, hunter])
        if (value == UNREACHED) != (side is Side.ROGUE):
            continue
        replies = table[graph.moves(prey)][:, graph.moves(hunter)]
        danger = value if side is Side.MONSTER else int((replies < UNREACHED).sum(axis=0).max())
        if danger:
            yield danger, _level(shape, monster, rogue)


def _reduced(level: Level) -> Iterator[tuple[Shape, Cell, Cell]]:
    monster, rogue = level.monster, level.rogue

    # Leave out a row or column that neither side stands in.
    for axis, line in product((0, 1), range(level.size)):
        if line not in (monster[axis], rogue[axis]):
            one, other = (
                Cell(*(at - (along == axis and at > line) for along, at in enumerate(end))) for end in (monster, rogue)
            )
            yield _sites(np.delete(level.tiles, line, axis)), one, other

    # Leave out a site.
    for row, col, _ in (sites := _sites(level.tiles)):
        left, cell = tuple(site for site in sites if site[:2] != (row, col)), Cell(row, col)
        if cell not in (monster, rogue):
            yield left, monster, rogue
            continue
        for to in rules.neighbours(level, cell)[1:]:  # the side on this site moves off it first
            if to not in (monster, rogue):
                stepped = tuple((*site[:2], ROOM if site[:2] == to else site[2]) for site in left)
                yield stepped, *((to, rogue) if cell == monster else (monster, to))
