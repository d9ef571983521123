"""The cells of a terminal: turns paint from Textual into the few bytes that differ from the last picture."""

import re
from functools import cache

from rich.cells import get_character_cell_size

_TOKEN = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[([\d;]*)m|(\r?\n)|([^\x00-\x1f\x7f]+)")
_NEAR = 4  # cells that take no more bytes than the sequence that skips them
_INVISIBLE = {"", "1", "2", "3"}  # attributes that a blank does not show: none, bold, dim, italic

Cell = tuple[str, str]  # a character and the numbers of its style; the right half of a wide character has ""
_UNKNOWN: Cell = ("", "unknown")


class Frame:
    """Two pictures of a terminal: as it should be, and as it is."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drops both pictures, so that everything drawn from now on is sent."""
        self._wanted: list[list[Cell]] = []
        self._sent: list[list[Cell]] = []
        self._changed: set[int] = set()
        self._row = self._col = 0

    def draw(self, text: str) -> bool:
        """Draws text with its moves and styles; returns False and draws nothing if it has other sequences."""
        tokens = list(_TOKEN.finditer(text))
        if sum(len(token[0]) for token in tokens) != len(text):
            return False
        style = ""
        for row, col, numbers, newline, characters in (token.groups() for token in tokens):
            if characters is not None:
                self._put(characters, style)
            elif numbers is not None:
                style = "" if numbers in ("", "0") else f"{style};{numbers}" if style else numbers
            elif newline is not None:
                self._row, self._col = self._row + 1, 0
            else:
                self._row, self._col = max(0, int(row) - 1), max(0, int(col) - 1)  # as terminals do
        return True

    def _put(self, characters: str, style: str) -> None:
        """Draws characters at the cursor, and moves it behind them."""
        cells: list[Cell] = []
        for character in characters:
            width = (
                1 if character < "\u0300" or "\u2500" <= character < "\u25a0" else get_character_cell_size(character)
            )
            if width == 0 and cells:  # an accent
                cells[-1] = (cells[-1][0] + character, style)
            elif width:
                cells.append((" ", _blank(style)) if character == " " else (character, style))
                cells += [("", style)] * (width - 1)

        start, end = self._col, self._col + len(cells)
        for picture in (self._wanted, self._sent):
            picture += ([] for _ in range(self._row + 1 - len(picture)))
            picture[self._row] += [_UNKNOWN] * (end - len(picture[self._row]))
        wanted = self._wanted[self._row]
        if wanted[start:end] != cells:
            wanted[start:end] = cells
            self._changed.add(self._row)
        self._col = end

    def update(self) -> str:
        """The bytes that make the terminal look as drawn; the style is the default one before and after."""
        parts: list[str] = []
        pen = ""
        for row in sorted(self._changed):
            wanted, sent, cursor = self._wanted[row], self._sent[row], -1
            for col, (character, style) in enumerate(wanted):
                if not character or (character, style) == sent[col]:
                    continue
                # Cells in between are written again if that is shorter than a move.
                between = wanted[cursor:col] if cursor >= 0 else []
                if cursor < 0:
                    parts.append(f"\x1b[{row + 1};{col + 1}H")
                elif len(between) <= _NEAR and all(_looks_right(each, pen) for each in between):
                    parts += [each[0] for each in between]
                else:
                    parts.append(f"\x1b[{col + 1}G")
                if not _looks_right((character, style), pen):
                    parts.append(_change(pen, style))
                    pen = style
                parts.append(character)
                cursor = col + 1
                while cursor < len(wanted) and wanted[cursor] == ("", style):
                    cursor += 1  # the right half
            sent[:] = wanted
        self._changed.clear()
        if parts:
            parts.append(("\x1b[m" if pen else "") + f"\x1b[{self._row + 1};{self._col + 1}H")
        return "".join(parts)


def _looks_right(cell: Cell, pen: str) -> bool:
    """True if a cell may be written with a pen of this style; a blank shows no foreground."""
    return cell[1] == pen or (cell[0] == " " and cell[1] == _blank(pen))


@cache
def _parts(style: str) -> tuple[str, str, str]:
    numbers, attributes, front, back = style.split(";"), [], "", ""
    while numbers:
        number = numbers.pop(0)
        if number in ("38", "48"):
            length = 2 if numbers[:1] == ["5"] else 4
            colour = ";".join([number, *numbers[:length]])
            numbers = numbers[length:]
            front, back = (colour, back) if number == "38" else (front, colour)
        elif number[:-1] in ("3", "9"):
            front = number
        elif number[:-1] in ("4", "10"):
            back = number
        elif number not in ("", "0"):
            attributes.append(number)
    return ";".join(attributes), front, back


@cache
def _blank(style: str) -> str:
    """The style of a blank, without its invisible parts."""
    attributes, _, back = _parts(style)
    return back if attributes in _INVISIBLE else style


@cache
def _change(before: str, after: str) -> str:
    (attributes, front, back), (new_attributes, new_front, new_back) = _parts(before), _parts(after)
    if attributes != new_attributes:
        numbers = ["0" if before else "", new_attributes, new_front, new_back]
    else:
        numbers = [new_front or "39"] * (front != new_front) + [new_back or "49"] * (back != new_back)
    return f"\x1b[{';'.join(filter(None, numbers))}m"
