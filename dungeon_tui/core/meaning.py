"""The meanings that colour glyphs, messages and backgrounds; ui/palette.py has the colours."""

from enum import IntEnum


class _Colour(IntEnum):
    css: str  # its name in themes and style sheets

    def __init__(self, _: int) -> None:
        self.css = self.name.lower().replace("_", "-")


class Meaning(_Colour):
    """Meanings of glyphs and messages."""

    FLOOR = 0
    YOU = 1
    FOE = 2
    PRIZE = 3
    MAGIC = 4
    DOOR = 5
    WAY_OUT = 6
    WALL = 7
    PATH = 8
    UNSEEN = 9
    NOTE = 10
    ROCK_NOTE = 11
    REMEMBERED = 12
    REMEMBERED_WALL = 13
    SLIGHT_FOE = 14
    SLIGHT_PRIZE = 15


class Tint(_Colour):
    """Meanings of backgrounds."""

    NONE = 0
    SIGHT = 1
    DANGER = 2
    SAFE = 3
    PATH = 4
    FRESH = 5
    CURSOR = 6
    FRONTIER = 7
    FOE = 8
    LIT = 9
    STONE = 10
    WORN = 11
    TORCH = 12
    HEAT_0 = 13  # the darkest; the brighter ones, up to HEATS of them, are the numbers that follow
