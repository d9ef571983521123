"""Sprites: pictures for large cells in half blocks, two rows of pixels per line of the terminal.

A sprite is a file in art/ with grids of 8 x 8, 6 x 6, 4 x 4 and perhaps 5 x 4 pixels, separated by blank lines. Letters
are colours: `a` the cell's ink, `l` lighter, `d` darker, `w` white or pale, `k` nearly black, `.` the ground.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

from rich.segment import Segment, SegmentLines
from rich.style import Style
from textual.color import Color
from textual.strip import Strip

from dungeon_tui.ui.map.source import Slice, Sprite
from dungeon_tui.ui.palette import PICTURE_INKS, Meaning

SIZES = 8, 6, 4  # pixels per side
_WIDE = 5  # pixels of a grid of 4 lines
_SIDES = {size * times: size for size in reversed(SIZES) for times in (1, 2, 3, 4)}  # of the largest sprite that fits

_FOLDER = Path(__file__).parent / "art"
_LETTERS = frozenset(".adlwk")
_BLACK, _WHITE = Color(0, 0, 0), Color(255, 255, 255)
_UPPER = "▀"

_NAMES = {
    ("@", Meaning.YOU): "hero",
    ("$", Meaning.PRIZE): "treasure",
    ('"', Meaning.MAGIC): "amulet",
    ("?", Meaning.DOOR): "door",
    ("∩", Meaning.DOOR): "door",
    ("!", Meaning.WAY_OUT): "way-out",
    ("Ω", Meaning.WAY_OUT): "way-out",
    (">", Meaning.DOOR): "stairs-down",
    ("<", Meaning.DOOR): "stairs-up",
    ("░", Meaning.WALL): "wall",
    ("·", Meaning.FLOOR): "floor",
    ("#", Meaning.FLOOR): "corridor",
    ("M", Meaning.FOE): "monster",
}
SHARED: Mapping[tuple[str, int], Sprite] = {look: Sprite(name) for look, name in _NAMES.items()}
"""Sprites of all games by glyph and meaning; maps may have more."""

TINY = {"wall": "▀▀▀▀▀", "floor": "     ", "corridor": " ▪ ▪ "}
"""Sprites of one line, two columns wide and then three, for maps that are drawn on all cells."""

SLIM = {"trap": "▟▙", "trap-low": "▗▖", "power-up": "▜▛", "power-up-low": "▝▘", "princess": "▙▟"}
"""Signs of one line, above the text of a cell of two lines."""

ARROWS, STEPS = (
    {
        glyph: Sprite(sprite, turns)
        for sprite, glyphs in ((name, "↑→↓←"), (f"{name}-diagonal", "↖↗↘↙"), ("wait", "○"))
        for turns, glyph in enumerate(glyphs)
    }
    for name in ("arrow", "step")
)
"""Sprites of steps by glyph, large and small."""
ARROW_NAMES = frozenset(sprite.name for sprite in (*ARROWS.values(), *STEPS.values()))

_FONT = """
... ... aaa .a. aaa aaa a.a aaa aaa aaa aaa aaa .a.a. ...a... a...a a.a.a
.a. ... a.a aa. ..a ..a a.a a.. a.. ..a a.a a.a aaaaa aaaaaaa .a.a. .aaa.
aaa aaa a.a .a. aaa aaa aaa aaa aaa ..a aaa aaa aaaaa ..aaa.. ..a.. aaaaa
.a. ... a.a .a. a.. ..a ..a ..a a.a .a. a.a ..a .aaa. .aa.aa. .a.a. .aaa.
... ... aaa aaa aaa aaa ..a aaa aaa .a. aaa aaa ..a.. .a...a. a...a a.a.a
"""
SIGNS = "★×*"  # drawn as large as digits if they stand alone
_DIGITS = dict(zip(f"+-0123456789♥{SIGNS}", zip(*map(str.split, _FONT.strip().splitlines()), strict=True), strict=True))
_HALVES = {"..": " ", ".a": "▄", "a.": _UPPER, "aa": "█"}  # by the upper and the lower pixel
_NUMBER = re.compile(r"\s*([^\d+-]*?)\s*([+-]?\d+)(\D*| ?\(.*\))")  # with what stands before and after it
GROUNDS = frozenset(("floor", "corridor"))  # a text replaces these
_PALE = *GROUNDS, "rock"  # their darker pixels stay pale on light ground
Grid = tuple[str, ...]


@cache
def grids(sprite: Sprite) -> dict[int, Grid]:
    """The grids of a sprite by size, with its digit if there is room. Raises ValueError if bad."""
    text = (_FOLDER / f"{sprite.name}.txt").read_text("ascii")
    found = {len(block.split()[0]): tuple(block.split()) for block in text.strip().split("\n\n")}
    for size in SIZES:
        grid = found.get(size, ())
        if len(grid) != size or any(len(row) != size or not _LETTERS.issuperset(row) for row in grid):
            letters = " ".join(sorted(_LETTERS))
            raise ValueError(f"{sprite.name}.txt: a sprite has {size} x {size} pixels, each of them one of {letters}")
        for _ in range(sprite.turns):
            grid = tuple(map("".join, zip(*grid[::-1], strict=True)))
        found[size] = _numbered(grid, _DIGITS[sprite.digit], bool(sprite.above)) if sprite.digit else grid
    return found


def _numbered(grid: Grid, digit: Grid, has_text: bool) -> Grid:
    """The frame of a grid, around a digit of 3 x 5 pixels if there is room."""
    top, left = len(grid) // 2 - 2, len(grid) // 2 - 1
    rows = [row[0] + len(row[1:-1]) * "." + row[-1] for row in grid]
    for at in range(5 if len(grid) > SIZES[1 if has_text else 2] else 0):
        rows[top + at] = rows[top + at][:left] + digit[at] + rows[top + at][left + 3 :]
    return (grid[0], *rows[1:])


def arrows(text: str) -> str:
    """The arrows in a text, at most two."""
    return "".join(filter(ARROWS.__contains__, text))[:2]


@cache
def fits(columns: int, lines: int) -> bool:
    """True if sprites fit on cells of this size."""
    return columns >= 2 * lines and 2 * lines in _SIDES


@cache
def above_text(columns: int, lines: int, times: int = 0) -> int:
    """Lines of a sprite in a cell with text below it, digits `times` 3 x 5 pixels large; 0 if there is no room.

    >>> [above_text(2 * lines, lines, lines // 6) for lines in (2, 3, 4, 6, 8, 12)]
    [0, 2, 3, 3, 4, 6]
    """
    return next((upper for upper in range(lines - (3 * times or 1), 1, -1) if fits(columns, upper)), 0)


@cache
def enlarged(text: str, columns: int, times: int) -> tuple[str, ...]:
    r"""The lines of a cell's text, with a number drawn in digits `times` 3 x 5 pixels large if there is room.

    >>> print(*(f"|{line}|" for line in enlarged("-47!", 13, 1)), sep="\n")
    |     ▄ ▄ ▄▄▄ |
    | ▄▄▄ █▄█   █ |
    |       █  █ !|
    """
    match = _NUMBER.fullmatch(text) if times else None
    sign = text.strip() if times and text.strip() in SIGNS else ""
    before, number, after = match.groups() if match else ("", sign, "")
    if after[:1] == "♥" and len(before) + times * (4 * len(number) + 5) + len(after) <= columns:
        number, after = number + "♥", after[1:]
    rows = [".".join(row) for row in zip(*map(_DIGITS.__getitem__, number), strict=True)]
    width = times * len(rows[0]) if rows else columns
    if len(before) + width + len(after) > columns:
        after = after.strip()
    if not rows or len(before) + width + len(after) > columns:
        return (text.center(columns),)
    rows = [row for row in ("." * len(rows[0]), *rows) for _ in range(times)]
    rows = rows[times // 2 :] + rows[: times // 2]  # a gap above, and below large digits
    left = max(len(before), min((columns - width) // 2, columns - width - len(after)))
    lines = []
    for at, (upper, lower) in enumerate(zip(rows[::2], rows[1::2], strict=True)):
        line = "".join(times * _HALVES[top + low] for top, low in zip(upper, lower, strict=True))
        ends = before * (at == 3 * times // 2), after * (at == 3 * times - 1)
        lines.append(f"{ends[0]:>{left}}{line}{ends[1]}".ljust(columns))
    return tuple(lines)


def picture(figures: Iterable[tuple[str, Meaning]], colours: Mapping[str, str], ground: str) -> SegmentLines:
    """Sprites of 6 x 3 cells side by side, with a theme's colours of the map, on its colour `ground`."""
    back = colours[ground] if colours[ground].startswith("#") else colours["map-back"]  # not a terminal's own colour
    styles = [(name, Style(color=colours[meaning.css], bgcolor=back)) for name, meaning in figures]
    gap = Segment("  ", Style(bgcolor=back))
    lines = [
        [part for name, style in styles for part in (*line(Slice(Sprite(name), 3, number), 6, style), gap)]
        for number in range(3)
    ]
    return SegmentLines(lines, new_lines=True)


def line(shown: Slice, columns: int, style: Style, is_low: bool = False) -> list[Segment]:
    """A line of a cell with a sprite in its middle; `is_low`: the other frame, a pixel lower."""
    sprite, lines, number, column = shown
    if column is not None:
        return [*Strip(_line(sprite, 2 * lines, lines, number, style)).crop(column, column + 1)]
    if not 0 <= number < lines:
        return [Segment(" " * columns, style)]
    if sprite.above and not number:
        _, ground = _colours(style)
        ink = (_WHITE if ground.brightness < 0.5 else _BLACK).rich_color
        return [Segment(sprite.above[:columns].center(columns), Style(color=ink, bgcolor=ground.rich_color))]
    if sprite.second is not None:
        return _pair(sprite, sprite.second, columns, lines, number, style)
    segments = _line(sprite, columns, lines, number, style, is_low)
    if number < len(sprite.signs):
        return [*Strip(segments).crop(0, columns - 1), Segment(sprite.signs[number], style)]
    return segments


def over(drawn: Sequence[Segment], ground: Sequence[Segment], blank: Style) -> list[Segment]:
    """Segments over those of a ground, which shows where they have the colour of a blank."""
    found = []
    chars, below = ([(char, style or Style()) for text, style, _ in part for char in text] for part in (drawn, ground))
    for (char, style), (_, low) in zip(chars, below, strict=True):
        if char in (" ", _UPPER):
            upper, lower = (style.bgcolor if char == " " else style.color), style.bgcolor
            upper = low.color or low.bgcolor if upper == blank.bgcolor else upper
            char, style = _UPPER, Style(color=upper, bgcolor=low.bgcolor if lower == blank.bgcolor else lower)
        found.append(Segment(char, style))
    return found


def _pair(first: Sprite, second: Sprite, columns: int, lines: int, number: int, style: Style) -> list[Segment]:
    """A line of two small sprites: the second one is dim, to the right and lower."""
    ink, ground = _colours(style)
    width = columns // 2
    high = 4 if min(width, 2 * lines) >= 8 else 2  # those of 6 pixels would touch
    parts = list[Segment]()
    for sprite, at, share in ((first, number, 0), (second, number - (lines - high), 0.5)):
        inked = Style(color=ink.blend(ground, share).rich_color, bgcolor=ground.rich_color)
        parts += line(Slice(sprite._replace(second=None), high, at), width, inked)
    return [*parts, Segment(" " * (columns - 2 * width), Style(bgcolor=ground.rich_color))]


def _colours(style: Style) -> tuple[Color, Color]:
    ink, ground = (Color.from_rich_color(color) for color in (style.color, style.bgcolor))
    return ink, ground


def _line(sprite: Sprite, columns: int, lines: int, number: int, style: Style, is_low: bool = False) -> list[Segment]:
    ink, ground = _colours(style)
    blank = Style(bgcolor=ground.rich_color)
    side = 2 * lines
    times = side // _SIDES[side]
    found = grids(sprite)
    grid = found[_WIDE if side < _WIDE < columns and _WIDE in found else _SIDES[side]]
    width = times * len(grid[0])
    if is_low:
        middle = len(grid) // 2
        grid = "." * len(grid[0]), *grid[:middle], *grid[middle + 1 :]
    ink = Color.parse(PICTURE_INKS.get(ink.hex.lower(), ink.hex))
    is_dark = ground.brightness < 0.5  # on light ground pale pixels would vanish, as on a white figure
    inks = {
        "a": ink,
        "l": ink.blend(_WHITE, 0.45),
        "d": ink.blend(ground, 0.5) if is_dark or sprite.name.startswith(_PALE) else ink.blend(_BLACK, 0.4),
        "w": (ink.blend(ground, 0.6) if ink == _WHITE else _WHITE) if is_dark else ink.blend(_WHITE, 0.7),
        "k": ground.blend(_BLACK, 0.3 if is_dark else 0.12)
        if is_dark or sprite.name == "wall"
        else ink.blend(_BLACK, 0.75),
        ".": ground,
    }
    upper, lower = (grid[(2 * number + half) // times] for half in (0, 1))
    before, after = (columns - width) // 2, columns - width - (columns - width) // 2
    segments = [Segment(" " * before, blank)] if before else []
    is_small = len(grid) <= SIZES[1 if sprite.above else 2]  # too small to draw a digit
    is_text = sprite.digit and is_small and number == lines - 1
    for (top, bottom), run in groupby(zip(upper, lower, strict=True)):  # few segments make few bytes
        if is_text and top == bottom == ".":
            segments.append(Segment(sprite.digit.center(times * len(list(run))), style))
            continue
        pixel = Style(color=inks[top].rich_color, bgcolor=inks[bottom].rich_color)
        segments.append(Segment((" " if top == bottom else _UPPER) * times * len(list(run)), pixel))
    return [*segments, *([Segment(" " * after, blank)] if after else [])]
