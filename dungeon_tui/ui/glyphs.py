"""The characters of maps and screens, in Unicode and in ASCII."""

from dataclasses import dataclass

from dungeon_tui.core.grid import EIGHT_WAYS, Cell, Direction


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters to draw with."""

    floor: str
    wall: str
    corridor: str
    door: str  # to the next level
    way_out: str
    rock: str
    frame: str  # corners and sides: top left, horizontal, top right, vertical, bottom left, bottom right
    horizontal: str
    vertical: str
    cross: str
    bullet: str
    ways: str  # up, down, left, right, then the diagonals from the top left
    ways_text: str  # what to call them
    stay: str  # beside the ways
    bars: str  # from low to full
    here: str  # the current turn
    fork: str  # a turn with several branches
    star: str
    is_ascii: bool = False

    def way(self, direction: Direction) -> str:
        """An arrow, or in ASCII mode a digit on the number pad.

        >>> UNICODE.way(Direction.LEFT), ASCII.way(Direction.DOWN_RIGHT)
        ('←', '3')
        """
        return self.ways[EIGHT_WAYS.index(direction)]

    @property
    def pointers(self) -> str:
        """The characters that point to something out of sight, in the order of `ways`: never digits."""
        return "AV<><><>" if self.is_ascii else self.ways

    def step(self, start: Cell, end: Cell) -> str:
        """The name of a step to a neighbour: an arrow, or in ASCII mode words; or "stay".

        >>> UNICODE.step(Cell(1, 1), Cell(0, 1)), ASCII.step(Cell(1, 1), Cell(0, 0)), ASCII.step(Cell(1, 1), Cell(1, 1))
        ('↑', 'up-left', 'stay')
        """
        if start == end:
            return "stay"
        way = Direction((end.row - start.row, end.col - start.col))
        return way.words if self.is_ascii else self.way(way)

    def plain(self, text: str) -> str:
        """The text, with arrows and the like replaced in ASCII mode."""
        return text.translate(_SPELLED) if self.is_ascii else text


@dataclass(frozen=True, slots=True)
class Look:
    """The way in which maps are drawn."""

    glyphs: Glyphs
    has_sprites: bool  # on cells that are large enough


UNICODE = Glyphs(
    "·", "░", "#", "∩", "Ω", "░", "┌─┐│└┘", "─", "│", "×", "·", "↑↓←→↖↗↙↘", "arrows", "○", "▁▂▃▄▅▆▇█", "●", "┬", "★"
)  # fmt: skip
ASCII = Glyphs(
    ".", "#", "#", "?", "!", ":", "+-+|++", "-", "|", "x", "-", "82467913", "the number pad's ways", "5", ".:#", "O",
    "+", "*", is_ascii=True,
)  # fmt: skip

_SPELLED = str.maketrans({
    "↑": "up", "↓": "down", "←": "left", "→": "right", "⌫": "bksp", "·": "-", "×": "x", "…": "...", "∞": "oo", "µ": "u",
    "●": "O", "┬": "+", "★": "*", "↖": "up-left", "↗": "up-right", "↙": "down-left", "↘": "down-right",
})  # fmt: skip
