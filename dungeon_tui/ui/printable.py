"""The one door for text to the screen: nothing that a name or a file holds can steer the terminal."""

from __future__ import annotations

from operator import itemgetter

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter


class PrintableFilter(LineFilter):
    """Filter of every line that is painted: characters that can't be seen keep their cells, as U+FFFD.

    Names are written out where they come in (core.level.printable); this holds for those that were forgotten.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments, of the same widths."""
        if "".join(map(_TEXT, segments)).isprintable():
            return segments
        return [Segment(_visible(text), style, control) for text, style, control in segments]


_TEXT = itemgetter(0)  # of a segment


def _visible(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" * cell_len(sign) for sign in text)


_TEXT = itemgetter(0)
PRINTABLE = PrintableFilter()
