"""The kinds of monsters: one small function each, and one line in the table at the foot.

A function is asked once for each step of a monster and says what it would like to be after it: elsewhere, turned
round, awake. It never asks who else stands there on the way to the adventurer; the rules hold it back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from dungeon_tui.core.grid import FOUR_WAYS, Cell, Direction
from dungeon_tui.core.sight import rays
from dungeon_tui.games.deep.model.room import CHASM, NUMBERED_DOORS, OPEN, PILLAR, TREASURE, Monster, Room

_BLOCKED = bytes([PILLAR, CHASM]) + NUMBERED_DOORS


@dataclass(frozen=True, slots=True)
class Look:
    """A room as a monster sees it."""

    room: Room
    adventurer: Cell
    known: dict[tuple[int, int], int] = field(
        default_factory=dict
    )  # distances, once they were asked for; one dict a turn

    def is_free(self, cell: Cell) -> bool:
        """True if a monster may step there: on floor, on what it destroys, on the adventurer; on no other monster."""
        if cell == self.adventurer:
            return True
        return self.room.tile(cell) not in _BLOCKED and self.room.monster_at(cell) is None

    def away(self, cell: Cell) -> int:
        """Steps from a cell to the adventurer, as if there were no walls."""
        return abs(cell.row - self.adventurer.row) + abs(cell.col - self.adventurer.col)

    def sight(self, cell: Cell) -> Direction | None:
        """The way along a row or a column on which the adventurer is seen from a cell; None where he is not."""
        if self.adventurer.row != cell.row and self.adventurer.col != cell.col:
            return None
        for direction, ray in rays(self.room.board, cell, PILLAR).items():
            if 0 < (steps := self.away(cell)) <= len(ray) and cell.neighbour(direction, steps) == self.adventurer:
                return direction
        return None

    def distances(self) -> dict[tuple[int, int], int]:
        """Steps to the adventurer from each cell of which a way leads to him, other monsters or not."""
        if not self.known:
            self.known[self.adventurer] = 0
            height, width = self.room.board.height, self.room.board.width
            tiles, queue = self.room.board.copy().tobytes(), deque([(self.adventurer.row, self.adventurer.col)])
            while queue:
                row, col = queue.popleft()
                for beside in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
                    is_inside = 0 <= beside[0] < height and 0 <= beside[1] < width
                    if is_inside and beside not in self.known and tiles[beside[0] * width + beside[1]] not in _BLOCKED:
                        self.known[beside] = self.known[row, col] + 1
                        queue.append(beside)
        return self.known


Move = Callable[[Look, Monster], Monster]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of monsters; a campaign may have its own, with other numbers."""

    move: Move
    text: str  # its habit
    steps: int = 1  # a turn
    heading: Direction | None = None  # at first
    wakes: int = 0  # asleep until the adventurer is so many steps away; 0: always awake
    looks: int = OPEN  # like this tile while it sleeps; open floor: like itself


def hunter(look: Look, monster: Monster) -> Monster:
    """A step towards the adventurer where it sees him: the classic monster."""
    direction = look.sight(monster.cell)
    return monster if direction is None else monster._replace(cell=monster.cell.neighbour(direction))


def runner(look: Look, monster: Monster) -> Monster:
    """A step straight on; where none is free it turns round, and steps back if it can."""
    assert monster.heading is not None, "a runner runs somewhere"
    back = Direction((-monster.heading.value[0], -monster.heading.value[1]))
    for heading in (monster.heading, back):
        if look.is_free(ahead := monster.cell.neighbour(heading)):
            return monster._replace(cell=ahead, heading=heading)
    return monster._replace(heading=back)


def tracker(look: Look, monster: Monster) -> Monster:
    """A step down the distances to the adventurer; of equal ones the first that is free: up, down, left, right."""
    distances = look.distances()
    here = distances.get(monster.cell, 0)
    for cell in map(monster.cell.neighbour, FOUR_WAYS):
        if distances.get(cell, here) < here and look.is_free(cell):
            return monster._replace(cell=cell)
    return monster


KINDS = {
    "hunter": Kind(hunter, "comes when it sees you along a row or a column"),
    "up-down": Kind(runner, "walks up and down", heading=Direction.DOWN),
    "left-right": Kind(runner, "walks left and right", heading=Direction.RIGHT),
    "diagonal": Kind(runner, "runs to and fro across corners", heading=Direction.DOWN_RIGHT),
    "sprinter": Kind(hunter, "comes two steps a turn when it sees you", steps=2),
    "tracker": Kind(tracker, "comes round every corner, the shortest way"),
    "sleeper": Kind(tracker, "sleeps until you come near, then tracks you", wakes=3),
    "mimic": Kind(hunter, "looks like treasure until you stand beside it", wakes=1, looks=TREASURE),
}
