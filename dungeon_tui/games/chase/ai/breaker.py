"""Search for the smallest board on which a program throws a result away: small boards in order, others, and shrinking.

One stream grows boards site by site from rooms and loops and gives those on which one wrong step costs most; the other
takes larger ones from the generator. What beats the program is made smaller for as long as it still does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count, permutations, product
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.core.random import Random
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.judge import Game, Verdict, chase
from dungeon_tui.games.chase.ai.player import Player
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.generator import LEAST_SIDE, generate
from dungeon_tui.games.chase.model.level import CORRIDOR, ROOM, WALL, Level
from dungeon_tui.games.chase.model.players import KINDS
from dungeon_tui.games.chase.model.state import Side, Status

MOVES = 4  # of the monster, a site of the board: time enough for a mistake to show
_MOST_GROWN = 800  # shapes of a size that larger ones grow from, taken by chance where there are more
_MOST_TRIED = 400  # boards of a size, those first on which most can go wrong
_LARGEST = 9  # rows, and columns, of boards by chance
_PATIENCE = 1.0  # seconds at least, in which a smaller board than the one found is looked for
_SHARE = 3  # of the time, for the boards in order; one for those by chance
_HEAD_START = 1.0  # seconds of that one

Site = tuple[int, int, int]  # row, column, tile
Shape = tuple[Site, ...]
_STEPS = tuple(way.value for way in EIGHT_WAYS)
_PILLAR = ((0, 1, ROOM), (1, 0, ROOM), (1, 2, ROOM), (2, 1, ROOM))
_SQUARE = ((0, 0, CORRIDOR), (0, 1, CORRIDOR), (1, 0, CORRIDOR), (1, 1, CORRIDOR))
_RING = tuple((row, col, CORRIDOR) for row in range(3) for col in range(3) if (row, col) != (1, 1))
_SEEDS = {Side.MONSTER: (((0, 0, ROOM),), ((0, 0, CORRIDOR),)), Side.ROGUE: (_PILLAR, _SQUARE, _RING)}
_APART = ((0, 0, ROOM), (0, 2, ROOM))  # no way leads from one to the other


@dataclass(frozen=True, slots=True)
class Search:
    """A search for a board that beats a program, as far as it has come."""

    side: Side
    tried: int = 0  # boards
    size: int = 0  # sites of the board found; without one those up to which small boards were tried in order
    game: Game | None = None  # on the smallest board found
    verdict: Verdict | None = None  # on that chase


def search(
    program: Player, opponent: Player, seconds: float, seed: int = 0, tell: Callable[[str], object] = lambda text: None
) -> Search:
    """Looks for the smallest board on which a program loses what could be won, for some seconds at most.

    Once it has found one it goes on for as long again, but ends when all that is smaller has been tried.

    Args:
        program: whose moves are judged.
        opponent: plays exactly.
        seconds: after which no further board is tried.
        seed: of the boards that are made by chance, and of the chases.
        tell: is told now and then how far it is, in words.
    """
    side, random = program.side, Random(seed)
    streams = (_in_order(side, random), _by_chance(side, random))
    began, spent, end = monotonic(), [0.0, _HEAD_START], monotonic() + seconds
    found = Search(side)

    def beats(level: Level) -> bool:
        nonlocal found, end
        if monotonic() > end:
            return False
        game, verdict = chase(level, program, opponent, seed)
        found = replace(found, tried=found.tried + 1)
        is_beaten = verdict.is_lost and (verdict.outcome != Status.EVADED.value or _goes_round(game))
        if is_beaten and (found.game is None or size_of(level) < found.size):
            found = replace(found, size=size_of(level), game=game, verdict=verdict)
            now = monotonic()
            end = min(began + seconds, now + max(_PATIENCE, now - began))
        return is_beaten

    while (now := monotonic()) < end:
        which = int(spent[0] > _SHARE * spent[1])
        level = next(streams[which], None)
        if level is None or (which == 0 and found.game is not None and size_of(level) >= found.size):
            break
        if which == 0 and found.game is None:
            found = replace(found, size=size_of(level) - 1)
        tell(f"{found.tried} boards tried" + ("" if found.game is None else f", beaten on {found.size} sites"))
        while level is not None and beats(level):
            level = next(filter(beats, _smaller(level, side)), None)
        spent[which] += monotonic() - now
    return found


def _goes_round(game: Game) -> bool:
    """True if a chase has come to a position again: who plays by the position alone would go on so for ever."""
    positions = [(turn.state.monster, turn.state.rogue) for turn in game.turn.line()[::2]]
    return positions.count(positions[-1]) > 1


def size_of(level: Level) -> int:
    """Number of a board's sites."""
    return int((level.tiles != WALL).sum())


def _level(sites: Shape, monster: Cell, rogue: Cell) -> Level:
    """The board of sites, moved into its corner."""
    top, left = min(site[0] for site in sites), min(site[1] for site in sites)
    size = 1 + max(max(row - top, col - left) for row, col, _ in sites)
    tiles = np.full((size, size), WALL, np.uint8)
    for row, col, tile in sites:
        tiles[row - top, col - left] = tile
    tiles.setflags(write=False)
    monster, rogue = (Cell(cell.row - top, cell.col - left) for cell in (monster, rogue))
    return Level("smallest", tiles, monster, rogue, moves=MOVES * len(sites))


def _is_winning(level: Level, side: Side) -> bool:
    """True if the side wins where it doesn't err."""
    return (solver.value(rules.start(level)) == UNREACHED) == (side is Side.ROGUE)


def _sites(tiles: NDArray[np.uint8]) -> Shape:
    return tuple((row, col, int(tiles[row, col])) for row, col in np.argwhere(tiles != WALL).tolist())


# -- boards in order of their size


def _in_order(side: Side, random: Random) -> Iterator[Level]:
    """Boards on which the side wins, from the smallest on; of each size those first on which most can go wrong."""
    if side is Side.ROGUE:
        yield _level(_APART, Cell(0, 0), Cell(0, 2))
    shapes = set[Shape]()
    for size in count(1):
        shapes |= {_turned_least(shape) for shape in _SEEDS[side] if len(shape) == size}
        boards = sorted(
            (danger, random.word(), level)
            for shape in sorted(shapes)
            for danger, level in _starts(_turns(shape)[random.below(8)], side)
        )  # the least first
        for _, _, level in boards[: -1 - _MOST_TRIED : -1]:
            yield level
        shapes = {grown for shape in shapes for grown in _grown(shape)}
        if len(shapes) > _MOST_GROWN:
            shapes = set(sorted(shapes, key=lambda _: random.word())[:_MOST_GROWN])


def _starts(shape: Shape, side: Side) -> Iterator[tuple[int, Level]]:
    """Boards of a shape on which the side wins, each with its danger; every room has a purpose.

    A room that leads nowhere a corridor would not is one only to have the monster or the rogue stand there. Danger is
    for the monster the moves until the capture; for the rogue the most replies that lose, after any of its moves.
    """
    rooms = [Cell(row, col) for row, col, tile in shape if tile == ROOM]
    alone = {cell for cell in rooms if not any(cell.neighbour(way) in rooms for way in EIGHT_WAYS[4:])}
    if len(rooms) < 2 or len(alone) > 2:
        return
    level = _level(shape, rooms[0], rooms[1])
    graph, table = solver.move_graph(level), solver.solve(level)
    top, left = min(site[0] for site in shape), min(site[1] for site in shape)
    for monster, rogue in permutations(rooms, 2):
        if not alone <= {monster, rogue}:
            continue
        hunter, prey = (graph.site(Cell(cell.row - top, cell.col - left)) for cell in (monster, rogue))
        value = int(table[prey, hunter])
        if (value == UNREACHED) != (side is Side.ROGUE):
            continue
        replies = table[graph.moves(prey)][:, graph.moves(hunter)]
        danger = value if side is Side.MONSTER else int((replies < UNREACHED).sum(axis=0).max())
        if danger:
            yield danger, _level(shape, monster, rogue)


def _grown(shape: Shape) -> Iterator[Shape]:
    """The shape with one more site, to which a move leads; turned so that equal ones are equal."""
    tiles = {(row, col): tile for row, col, tile in shape}
    for cell in {(row + down, col + right) for row, col in tiles for down, right in _STEPS} - tiles.keys():
        around = [(abs(down) + abs(right), tiles.get((cell[0] + down, cell[1] + right))) for down, right in _STEPS]
        is_beside = any(tile is not None for steps, tile in around if steps == 1)
        for tile in (ROOM, CORRIDOR):
            if is_beside or (tile == ROOM and (2, ROOM) in around):
                yield _turned_least((*shape, (*cell, tile)))


def _turns(shape: Shape) -> list[Shape]:
    """The shape turned and mirrored in all eight ways, each in the upper left corner."""
    turned = []
    for rows, cols in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        for one in ([(rows * r, cols * c, t) for r, c, t in shape], [(cols * c, rows * r, t) for r, c, t in shape]):
            top, left = min(site[0] for site in one), min(site[1] for site in one)
            turned.append(tuple(sorted((row - top, col - left, tile) for row, col, tile in one)))
    return turned


def _turned_least(shape: Shape) -> Shape:
    return min(_turns(shape))


# -- boards by chance, and smaller ones


def _by_chance(side: Side, random: Random) -> Iterator[Level]:
    """Boards of the generator on which the side wins, without end."""
    while True:
        made = generate(random.word(), random.between(LEAST_SIDE, _LARGEST), random.choice(KINDS))
        ends = (made.monster, made.rogue) if random.below(2) else (made.rogue, made.monster)
        level = _level(_sites(made.tiles), *ends)
        if _is_winning(level, side):
            yield level


def _smaller(level: Level, side: Side) -> Iterator[Level]:
    """Boards with fewer sites on which the side still wins: without a row or a column, without a site."""
    for sites, monster, rogue in _reduced(level):
        if len(sites) < size_of(level) and _is_winning(smaller := _level(sites, monster, rogue), side):
            yield smaller


def _reduced(level: Level) -> Iterator[tuple[Shape, Cell, Cell]]:
    monster, rogue = level.monster, level.rogue
    for axis, line in product((0, 1), range(level.size)):
        if line not in (monster[axis], rogue[axis]):
            one, other = (
                Cell(*(at - (along == axis and at > line) for along, at in enumerate(end))) for end in (monster, rogue)
            )
            yield _sites(np.delete(level.tiles, line, axis)), one, other
    for row, col, _ in (sites := _sites(level.tiles)):
        left, cell = tuple(site for site in sites if site[:2] != (row, col)), Cell(row, col)
        if cell not in (monster, rogue):
            yield left, monster, rogue
            continue
        for to in rules.neighbours(level, cell)[1:]:  # whoever stood there takes a step first
            if to not in (monster, rogue):
                stepped = tuple((*site[:2], ROOM if site[:2] == to else site[2]) for site in left)
                yield stepped, *((to, rogue) if cell == monster else (monster, to))
