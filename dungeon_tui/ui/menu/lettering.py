"""The name, drawn: letters of pixels in half blocks, two rows of pixels a line of the terminal; and who is in it."""

from __future__ import annotations

from textual.content import Content

from dungeon_tui.ui.palette import Meaning

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


FIGURES = ("monster", Meaning.FOE), ("hero", Meaning.YOU), ("treasure", Meaning.PRIZE)
"""The sprites beside it."""


def drawn_name() -> Content:
    """The program's name, 51 columns in three lines."""
    parts: list[Content | str] = []
    for upper, lower in zip(_PIXELS[::2], _PIXELS[1::2], strict=True):
        line = "".join(_BLOCKS.get(above + below, " ") for above, below in zip(upper, lower, strict=True))
        parts += [Content.styled(line[:_FIRST], "$you"), Content.styled(line[_FIRST:], "$prize"), "\n"]
    return Content.assemble(*parts[:-1])
