"""The lines of a cell: each is a text as wide as the cell, or a slice of a sprite.

What cells are decorated with is laid out here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from dungeon_tui.ui.map import sprites
from dungeon_tui.ui.map.source import CellText, Row, Slice, Sprite
from dungeon_tui.ui.palette import BOLD, Meaning, Tint

LIVING = (Meaning.YOU, Meaning.FOE, Meaning.SLIGHT_FOE)
HIGH = 4  # lines of a cell, from which on what lives breathes and arrows are drawn
_WALLS = (Meaning.WALL, Meaning.REMEMBERED_WALL)
_UPRIGHT, _LYING = "│|", "─-"
CROSS = "×"  # beside what stands on a deadly cell
TOKEN = "▐ ▌"  # around the letter of a piece on small cells; without the first on those of two columns

Lines = tuple[str | Slice, ...]


class CellSize(NamedTuple):
    """The size of cells, and what has room in them."""

    cols: int
    lines: int
    columns: int  # of texts
    has_sprites: bool
    is_tiny: bool  # drawn in blocks and letters of one line

    @property
    def times(self) -> int:
        """The size of digits, in 3 x 5 pixels; 0: text."""
        if not self.has_sprites or self.columns == 1:
            return 0
        return min(self.lines // 6, (self.cols - 2) // (4 * (self.columns - 1) - 1))  # with a gap of 2

    @property
    def above(self) -> int:
        """Lines of a sprite with a text below it; 0 if there is no room."""
        return sprites.above_text(self.cols, self.lines, self.times)

    @property
    def fits_sprites(self) -> bool:
        return self.has_sprites and sprites.fits(self.cols, self.lines)

    def drawn(self, sprite: Sprite, room: int) -> Lines:
        """A sprite in the middle of some lines, as large with a text below it as without; arrows are smaller."""
        high = HIGH * max(1, room // 6) if _is_arrow(sprite) else room
        if self.columns > 1 and self.above:
            high = min(self.above, HIGH) if _is_arrow(sprite) else self.above
        return tuple(Slice(sprite, high, line - (room - high) // 2) for line in range(room))

    def written(self, text: str, sign: str = "") -> Lines:
        """A text in the middle, in large digits if there is room; `sign` in the line above it if there are two."""
        alone = min(self.lines // HIGH, (self.cols - 1) // max(1, 4 * len(text.strip()) - 1))  # with a gap
        rows = sprites.enlarged(text, self.cols, self.times or alone * (self.has_sprites and self.columns == 1))
        before = (self.lines - len(rows) + (len(rows) == 1)) // 2
        blanks = [" " * self.cols] * self.lines
        return (*[sign.center(self.cols)] * before, *rows, *blanks)[: self.lines]

    def spelt(self, glyph: str, meaning: int) -> Lines:
        """A glyph: walls fill the cell, lines go through it, others stand in its middle."""
        middle, beside = glyph.rjust(self.cols // 2 + 1).ljust(self.cols), " " * self.cols
        if len(glyph) == self.cols or meaning in _WALLS:
            middle = beside = glyph * (self.cols // len(glyph))
        elif glyph in _LYING and meaning == Meaning.PATH:
            middle = glyph * self.cols
        elif glyph in _UPRIGHT:
            beside = glyph.center(self.cols)
        return tuple(middle if line == self.lines // 2 else beside for line in range(self.lines))


def parts_of(cells: Row, line: int, size: CellSize, named: Mapping[tuple[str, int], Sprite]) -> list[str | Slice]:
    """The texts and slices that the cells of a row show on a line."""
    if size.cols == 1:
        parts: list[str | Slice] = [*cells.glyphs]
        for index, text in cells.texts.items():
            short = _shortened(text, 1)
            parts[index] = short.center(1) if len(short) <= 1 else parts[index]
        for index, part in cells.slices.items() if size.has_sprites else ():
            parts[index] = part
        return parts
    looks = zip(cells.glyphs, cells.meanings, strict=True)
    return [
        lines_of(*look, cells.tints[index] == Tint.SIGHT, cells.texts.get(index), named.get(look), size)[line]
        for index, look in enumerate(looks)
    ]


@lru_cache(maxsize=8192)
def lines_of(
    glyph: str, meaning: int, in_sight: bool, text: CellText | None, sprite: Sprite | None, size: CellSize
) -> Lines:
    """All lines of a cell."""
    sign = sprites.TINY.get(sprite.name, "") if sprite is not None and size.is_tiny else ""
    sign = (sign[:2] if size.cols == 2 else sign[2:]) or glyph
    is_spelt = sprite is not None and size.fits_sprites and size.lines < sprite.least
    if is_spelt or (size.is_tiny and sprite is not None and sign == glyph and meaning in BOLD):
        sign = TOKEN.replace(" ", glyph)[max(0, 3 - size.cols) :]
    drawn = _sprite(glyph, in_sight, text, sprite, size) if size.fits_sprites and not is_spelt else None
    if text is None and glyph in sprites.SIGNS and size.lines >= HIGH:
        return size.written(glyph)
    if text is None or (size.is_tiny and meaning in LIVING):  # a tint is left of a text without room
        return size.spelt(sign, meaning) if drawn is None else size.drawn(drawn, size.lines)
    number = _number(meaning, text, drawn, size)
    is_above = drawn is not None and drawn.name not in sprites.GROUNDS and len(number) <= size.cols
    if drawn is not None and is_above and not number:  # what is drawn says it all
        return size.drawn(drawn, size.lines)
    if drawn is not None and is_above and size.above:
        if glyph in sprites.ARROWS and not (_is_arrow(drawn) or drawn.second):  # no room for two
            number += sprites.arrows(str(text))
        rows = sprites.enlarged(number, size.cols, size.times)
        return (*size.drawn(drawn, size.above), *rows, *[" " * size.cols] * size.lines)[: size.lines]
    written = _shortened(text, size.cols)
    if len(written) > size.cols:
        return size.spelt(sign, meaning)
    return size.written(written, sprites.SLIM.get(drawn.name, "") if drawn is not None and size.lines == 2 else "")


def _sprite(glyph: str, in_sight: bool, text: CellText | None, named: Sprite | None, size: CellSize) -> Sprite | None:
    """The sprite for a glyph, None if it is spelt; of arrows, two if the text has more."""
    if in_sight and glyph in _UPRIGHT + _LYING:
        return Sprite("floor")  # a tint is enough; lines would be stripes
    if size.lines < HIGH:
        return None if named is not None and _is_arrow(named) else named
    if glyph not in sprites.ARROWS or (named is not None and text is None):
        return named
    if named is not None and not _is_arrow(named):
        return named._replace(second=sprites.ARROWS[glyph]) if size.times else named  # else beside its number
    arrows = sprites.arrows(str(text or "")) or glyph
    return sprites.ARROWS[arrows[0]]._replace(second=sprites.ARROWS[arrows[1]] if len(arrows) > 1 else None)


def _is_arrow(sprite: Sprite) -> bool:
    return sprite.name in sprites.ARROW_NAMES


def _number(meaning: int, text: CellText, sprite: Sprite | None, size: CellSize) -> str:
    """The text below a sprite: the number with its mark, without it if that is too long, below arrows nothing."""
    if not size.above and size.columns == 1 and meaning in LIVING:
        return ""  # no room below what lives for the mark of a move: a tint is left
    number = f"{text.number}{text.mark}".strip()
    if len(number) <= size.cols:
        return number
    return "" if sprite is not None and _is_arrow(sprite) else text.number.strip()


def _shortened(text: CellText, cols: int) -> str:
    """All of a text, else its ways (of a path that comes back its numbers, which say more), else the rest."""
    whole, number = str(text), text.number.strip()
    if len(whole) <= cols:
        return whole
    if "," in number and len(number) < cols:
        return number
    return sprites.arrows(whole) or f"{text.before}{text.number}{text.ways}"
