"""The name, drawn: letters of pixels in half blocks, two rows of pixels a line of the terminal; and who is in it."""

from __future__ import annotations

from collections.abc import Mapping

from rich.segment import Segment, SegmentLines
from textual.content import Content

from dungeon_tui.ui.map import sprites
from dungeon_tui.ui.palette import Meaning, Tint, cell_style

_PIXELS = """
...# .... .... .... .... .... .... .... .#.. .... #
.### #..# ###. .### .##. .##. ###. .... ###. #..# .
#..# #..# #..# #..# ##.# #..# #..# .... .#.. #..# #
#..# #..# #..# #..# #.## #..# #..# .... .#.. #..# #
.### .### #..# .### .##. .##. #..# .... ..## .### #
.... .... .... .##. .... .... .... #### .... .... .
""".split("\n")[1:-1]
"""`dungeon_tui`, letter by letter."""

_BLOCKS = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}
_FIRST = 7 * 5  # columns of its first word


def drawn_name() -> Content:
    """The program's name, 51 columns in three lines."""
    parts: list[Content | str] = []
    for upper, lower in zip(_PIXELS[::2], _PIXELS[1::2], strict=True):
        line = "".join(_BLOCKS.get(above + below, " ") for above, below in zip(upper, lower, strict=True))
        parts += [Content.styled(line[:_FIRST], "$you"), Content.styled(line[_FIRST:], "$prize"), "\n"]
    return Content.assemble(*parts[:-1])


def drawn_figures(colours: Mapping[str, str]) -> SegmentLines:
    """A monster after a hero after a treasure, 22 columns in three lines, in a theme's colours."""
    figures = (("monster", Meaning.FOE), ("hero", Meaning.YOU), ("treasure", Meaning.PRIZE))
    lines = []
    for number in range(3):
        line: list[Segment] = []
        for name, meaning in figures:
            line += [*sprites.line(name, 6, 3, number, cell_style(colours, meaning, Tint.NONE)), Segment("  ")]
        lines.append(line[:-1])
    return SegmentLines(lines, new_lines=True)
