"""The kinds of monsters: one small function each, and one row in the table at the end.

The rules call a function once for each step of a monster. It returns the monster as it would be after the step: moved
or turned. It depends only on the tiles, the monsters and the adventurer's cell. It may ignore other monsters in the
way; the rules then stop the monster.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from dungeon_tui.core.grid import FOUR_WAYS, Cell, Direction
from dungeon_tui.games.deep.model.room import CHASM, NUMBERED_DOORS, OPEN, PILLAR, TREASURE, Monster, Room

_BLOCKED = bytes([PILLAR, CHASM]) + NUMBERED_DOORS


@dataclass(frozen=True, slots=True)
class Look:
    """A room as a monster sees it."""

    room: Room
    adventurer: Cell
    known: dict[tuple[int, int], int] = field(default_factory=dict)  # cached distances, shared for one turn

    def is_free(self, cell: Cell) -> bool:
        """True if a monster may step there: no pillar, chasm, numbered door or other monster."""
        if cell == self.adventurer:
            return True
        return self.room.tile(cell) not in _BLOCKED and self.room.monster_at(cell) is None

    def away(self, cell: Cell) -> int:
        """Steps from a cell to the adventurer, ignoring walls."""
        return abs(cell.row - self.adventurer.row) + abs(cell.col - self.adventurer.col)

    def sight(self, cell: Cell) -> Direction | None:
        """The direction along a row or a column in which the adventurer is seen from a cell, or None."""
        if self.adventurer.row != cell.row and self.adventurer.col != cell.col:
            return None
        for direction, ray in self.room.board.rays(cell, PILLAR).items():
            if 0 < (steps := self.away(cell)) <= len(ray) and cell.neighbour(direction, steps) == self.adventurer:
                return direction
        return None

    def distances(self) -> dict[tuple[int, int], int]:
        """Steps to the adventurer from each cell that has a path to it, ignoring other monsters."""
        if not self.known:
            self.known[self.adventurer] = 0
            height, width = self.room.board.height, self.room.board.width
            tiles, queue = self.room.board.copy().tobytes(), deque([(self.adventurer.row, self.adventurer.col)])
            while queue:
                row, col = queue.popleft()
                for onward in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
                    is_inside = 0 <= onward[0] < height and 0 <= onward[1] < width
                    if is_inside and onward not in self.known and tiles[onward[0] * width + onward[1]] not in _BLOCKED:
                        self.known[onward] = self.known[row, col] + 1
                        queue.append(onward)
        return self.known


Move = Callable[[Look, Monster], Monster]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of monsters; a campaign may have its own variants."""

    move: Move
    text: str  # its habit
    letter: str = ""  # on the map; for a campaign's kinds their first letter
    sprite: str = "monster"  # a file of ui/map/art
    noun: str = ""  # in sentences; empty: its name
    warning: str = ""  # text of a descent's level with such monsters
    steps: int = 1  # each turn
    heading: Direction | None = None  # initial
    wakes: int = 0  # distance to the adventurer at which it wakes; 0: always awake
    looks: int = OPEN  # the tile that it looks like while asleep; open floor: no disguise


def hunter(look: Look, monster: Monster) -> Monster:
    """A step towards the adventurer if in sight: the classic monster."""
    direction = look.sight(monster.cell)
    return monster if direction is None else monster._replace(cell=monster.cell.neighbour(direction))


def runner(look: Look, monster: Monster) -> Monster:
    """A step straight on; if blocked it turns round, and steps back if it can."""
    assert monster.heading is not None, "a runner runs somewhere"
    back = Direction((-monster.heading.value[0], -monster.heading.value[1]))
    for heading in (monster.heading, back):
        if look.is_free(ahead := monster.cell.neighbour(heading)):
            return monster._replace(cell=ahead, heading=heading)
    return monster._replace(heading=back)


def tracker(look: Look, monster: Monster) -> Monster:
    """A step that shortens the path to the adventurer, the first free one of up, down, left, right."""
    distances = look.distances()
    here = distances.get(monster.cell, 0)
    for cell in map(monster.cell.neighbour, FOUR_WAYS):
        if distances.get(cell, here) < here and look.is_free(cell):
            return monster._replace(cell=cell)
    return monster


_PATROL = "A patrol walks its beat to and fro and looks at nobody. Cross behind its back."
KINDS = {  # those told of first come last
    "up-down": Kind(
        runner, "walks up and down", "U", "patrol", "patrol", heading=Direction.DOWN, warning=_PATROL
    ),
    "left-right": Kind(
        runner, "walks left and right", "L", "patrol-across", "patrol", heading=Direction.RIGHT, warning=_PATROL
    ),
    "hunter": Kind(
        hunter, "comes when it sees you along a row or a column", "M",
        warning="Hunters come when they see you along a row or a column. Walls hide you.",
    ),
    "diagonal": Kind(
        runner, "runs to and fro across corners", "D", "patrol-diagonal", "runner", heading=Direction.DOWN_RIGHT,
        warning="Runners go from corner to corner. Count the steps before you cross.",
    ),
    "sprinter": Kind(
        hunter, "comes two steps a turn when it sees you", "S", "hunter", steps=2,
        warning="Sprinters that see you take two steps to your one. Stay behind walls.",
    ),
    "tracker": Kind(
        tracker, "comes round every corner, the shortest way", "T", "seer",
        warning="Something here knows the way to you. Keep moving: it catches those who stop.",
    ),
    "sleeper": Kind(
        tracker, "sleeps until you come near, then tracks you", "Z", "mole", wakes=3,
        warning="You hear snoring. Three steps away is near enough to wake the sleeper.",
    ),
    "mimic": Kind(
        hunter, "looks like treasure until you stand next to it, then comes along rows and columns", "C", "burrower",
        wakes=1, looks=TREASURE,
        warning="Some treasure here is a mimic. When it wakes, leave its row and its column.",
    ),
}  # fmt: skip
