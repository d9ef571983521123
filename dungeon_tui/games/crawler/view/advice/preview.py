"""A preview of the doubled level while the adventurer is next to an amulet."""

from dataclasses import dataclass

from dungeon_tui.core.adventure import Doubled, DoublingRefused
from dungeon_tui.core.grid import Direction
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.events import Died
from dungeon_tui.games.crawler.model.level import AMULET, PILLAR
from dungeon_tui.games.crawler.model.state import ACTION_OF, State, Status
from dungeon_tui.games.crawler.view.picture import level_picture, mark_ray, shown_tiles
from dungeon_tui.games.crawler.view.words import SIDES
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer, MapSource, Row
from dungeon_tui.ui.palette import Meaning, Tint

MOST_CELLS = 1 << 20  # limit on the doubled level, which each step next to an amulet computes in a millisecond
_AMULET = bytes([AMULET])
_MEANING_TABLE = bytes(Meaning.REMEMBERED_WALL if code == PILLAR else Meaning.REMEMBERED for code in range(256))


@dataclass(frozen=True, slots=True)
class Preview:
    """The consequences of one step onto an amulet."""

    before: State
    side: Direction  # from the adventurer to the amulet
    after: State | None  # after the doubling and the monsters' moves; None if it doesn't double or is too large to show
    why_not: str = ""
    seers: tuple[tuple[Direction, int], ...] = ()  # copied monsters that would see the adventurer: direction, steps

    @property
    def text(self) -> str:
        """Sentence on the consequences of taking the amulet."""
        which = f"The amulet {SIDES[self.side]}"
        if self.after is None:
            return f"{which} {self.why_not}."
        seers = f"; {counted(len(self.seers), 'copied monster')} would see you and come closer" if self.seers else ""
        return f"{which} would double the level{seers}."


def preview(state: State) -> Preview | None:
    """Preview of an adjacent amulet, or None; doesn't compute levels that are too large to show."""
    board = state.board
    if state.status is not Status.PLAYING:
        return None
    for side, ray in board.rays(state.adventurer, PILLAR).items():
        if ray[:1] != _AMULET:
            continue
        size = f"{2 * board.width} wide, {2 * board.height} high"
        if MOST_CELLS < 4 * board.height * board.width <= state.dungeon.cell_limit:
            return Preview(state, side, None, f"would double the level to {size}, too large for a preview")
        after, events = rules.step(state, ACTION_OF[side])
        for event in events:
            match event:
                case Died():
                    return Preview(state, side, None, "is within a monster's reach: taking it now is deadly")
                case DoublingRefused(limit=limit):
                    return Preview(state, side, None, f"would do nothing: {size} is above the limit of {limit:,} cells")
                case Doubled():
                    return Preview(state, side, after, seers=_seers(state, after))
    return None


class GhostPicture(MapSource):
    """The current map, and dimly beyond its edges the cells of the doubled level."""

    def __init__(self, shown: Preview, glyphs: Glyphs) -> None:
        assert shown.after is not None
        self._present = level_picture(shown.before, glyphs)
        self.landmarks, self.sprites = self._present.landmarks, self._present.sprites
        self._board, self.is_drawn = shown.after.board, True
        self.height, self.width = self._board.height, self._board.width
        self.there = shown.before.board.height, shown.before.board.width
        self._table = shown_tiles(glyphs)

    def row(self, row: int, start: int, stop: int) -> Row:
        """Cells of a row: the current map's, beyond it the doubled level's."""
        edge = self._present.width if row < self._present.height else 0
        codes = self._board.row(row, start, stop)
        cells = Row(start, codes.decode("ascii").translate(self._table), codes.translate(_MEANING_TABLE))
        if start < edge:
            present = self._present.row(row, start, min(stop, edge))
            count = len(present.glyphs)
            cells.glyphs[:count], cells.meanings[:count] = present.glyphs, present.meanings
            cells.tints[:count] = present.tints
        return cells


def mark_ghosts(layer: CellLayer, shown: Preview, glyphs: Glyphs) -> None:
    """Marks the copied monsters that would see the adventurer, and their lines of sight beyond the map."""
    if shown.after is None:
        return
    height, width = shown.before.board.height, shown.before.board.width
    board, origin = shown.after.board, shown.after.adventurer
    for direction, distance in shown.seers:
        present = height - origin.row if direction is Direction.DOWN else width - origin.col
        mark_ray(layer, board, origin, direction, range(present, distance), glyphs)
        layer.mark(origin.neighbour(direction, distance), None, Meaning.FOE, Tint.SIGHT)


def _seers(before: State, after: State) -> tuple[tuple[Direction, int], ...]:
    board = before.board
    return tuple(
        (direction, distance)
        for direction, (_, distances) in rules.sight_lines(after).items()
        for distance in distances
        if not after.adventurer.neighbour(direction, distance).is_inside(board.height, board.width)
    )
