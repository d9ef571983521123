"""An expedition's map as characters for a map view, and walks drawn over it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from textwrap import wrap

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.expedition.model.maps import exits, neighbours
from dungeon_tui.games.expedition.model.state import State, reached, trails_of
from dungeon_tui.games.expedition.view import drawing
from dungeon_tui.games.expedition.view.drawing import Drawing
from dungeon_tui.games.expedition.view.guide import exits_in_words, is_scouting, known_bits
from dungeon_tui.games.expedition.view.router import Box
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer, MapSource, Row, Slice, Sprite
from dungeon_tui.ui.palette import Meaning, Tint

PARTY = "@"
SEEN, ASCII_SEEN = "✓", "x"

# Of corridors, by the sides that a cell touches: up 1, down 2, left 4, right 8, added.
_LINES, _ASCII_LINES = (np.array([ord(char) for char in chars]) for chars in (" ···│···│······╬", " ++|++++++++-+++"))
_WALLS, _ASCII_WALLS = "▄█▀", "-|-"  # above, beside and below a floor
_FURNITURE = {
    "bed": "Attic Burrow Camp Cell Chamber Cot Den Hollow Hut Loft Nest Nursery Ward",
    "well": "Cistern Court Courtyard Fountain Garth Pool Spring Well Yard",
    "table": "Bakery Desk Ink Forge Hall Hearth Inn Kitchen Mess Mill Oven Pantry Salon Shelf Smithy Store Study Table",
}
_COLOURS = {"bed": Meaning.MAGIC, "well": Meaning.YOU, "table": Meaning.DOOR}
_FURNITURE_OF = {room: (name, _COLOURS[name]) for name, rooms in _FURNITURE.items() for room in rooms.split()}
_COSTLY = 3  # to enter; written in a bright colour
_TORCHLIGHT, _EMBER = 0.5, 0.15  # reach of a full torch and of one burnt down, as shares of a drawing's width
_BRIGHT = 0.06  # share of lit cells around a cell that light it, too
_AS_ITS_ROOM, _WALL = 255, 254  # stand for the meaning of the room, and of its walls


@dataclass(frozen=True, eq=False, slots=True)
class Inks:
    """Everything that a drawing can show, by owner: the rooms, then the corridors."""

    sides: NDArray[np.int32]  # (k, 3) flat index in the picture, sides of a line without a mark, owner
    chars: NDArray[np.int32]  # (k, 4) flat index, character, meaning, owner
    floors: NDArray[np.int32]  # (k, 2) flat index of a cell in a room or on the way, owner
    signs: NDArray[np.int32]  # (rooms,) flat index of the sign for the party or a seen room
    ends: NDArray[np.int32]  # (corridors, 2) rooms


@lru_cache(maxsize=8)
def _inks(drawn: Drawing, glyphs: Glyphs) -> Inks:
    level, rooms = drawn.level, len(drawn.level.rooms)
    sides: list[tuple[int, ...]] = []
    chars: list[tuple[int, ...]] = []
    floors: list[tuple[int, ...]] = []
    signs: list[int] = []

    def index_of(row: int, col: int) -> int:
        return row * drawn.width + col

    # Rooms: the walls, then the floor, then the text.
    upper, upright, lower = map(ord, _ASCII_WALLS if glyphs.is_ascii else _WALLS)
    for owner, (room, box) in enumerate(zip(level.rooms, drawn.boxes, strict=True)):
        for row, wall in (box.row, upper), (box.bottom, lower):
            chars += [(index_of(row, col), wall, _WALL, owner) for col in range(box.col, box.right + 1)]
        for row in range(box.row + 1, box.bottom):
            chars += [(index_of(row, col), upright, _WALL, owner) for col in (box.col, box.right)]
            floors += [(index_of(row, col), owner) for col in range(box.col + 1, box.right)]
        text = drawing.box_text(level, owner) if drawn.has_text(owner) else ""
        first, lead = index_of(drawn.text_row(owner), box.col + 1), drawn.text_col(owner) - box.col - 1
        signs.append(first + max(0, lead - 2))
        cost_meaning = Meaning.DOOR if room.cost >= _COSTLY else Meaning.SLIGHT_PRIZE
        for at, char in enumerate((" " * lead + text).ljust(box.width - 2)):
            is_cost = at - lead >= text.rfind("+") and char != " "
            meaning = cost_meaning if is_cost else _AS_ITS_ROOM
            meaning = Meaning.WAY_OUT if at == lead and owner == level.goal else meaning
            chars.append((first + at, ord("?" if glyphs.is_ascii and not char.isascii() else char), meaning, owner))

    # Corridors, through the walls: upright ones are three columns wide where nothing is near.
    lines, boxed = {cell for line in drawn.lines for cell in line.cells}, {at for at, *_ in (*chars, *floors)}
    corners = {Cell(row, col) for box in drawn.boxes for row in (box.row, box.bottom) for col in (box.col, box.right)}
    for owner, line in enumerate(drawn.lines, rooms):
        marks = dict(line.marks)
        for cell, ways in zip(line.cells, line.sides, strict=True):
            sides += [(index_of(*cell), ways, owner)] * (cell not in marks)
            floors.append((index_of(*cell), owner))
            for side in (-1, 1) if ways & (drawing.UP | drawing.DOWN) else ():
                beside = Cell(cell.row, cell.col + side)
                is_free = index_of(*beside) not in boxed or cell in (line.cells[0], line.cells[-1])
                if is_free and beside not in corners and not lines & {beside, Cell(cell.row, beside.col + side)}:
                    floors.append((index_of(*beside), owner))
                    chars.append((index_of(*beside), ord(" "), Meaning.FLOOR, owner))
        for cell, char in marks.items():
            chars.append((index_of(*cell), ord(char), Meaning.SLIGHT_PRIZE, owner))
    ends = [corridor.ends for corridor in level.corridors]
    tables = ((sides, 3), (chars, 4), (floors, 2), (ends, 2))
    side_table, char_table, floor_table, end_table = (
        np.array(rows, np.int32).reshape(-1, columns) for rows, columns in tables
    )
    return Inks(side_table, char_table, floor_table, np.array(signs, np.int32), end_table)


def _glow(cells: NDArray[np.bool_], rows: int) -> NDArray[np.bool_]:
    """The cells, and those with many of them within a number of rows, or twice as many columns."""
    light = cells.astype(float)
    for axis, reach in enumerate((rows, 2 * rows)):
        padding = [(reach * (each == axis),) * 2 for each in (0, 1)]
        light = sliding_window_view(np.pad(light, padding, "edge"), 2 * reach + 1, axis).mean(axis=-1)
    return cells | (light > _BRIGHT)


class Picture(MapSource):
    """The known rooms and corridors, with the seen ones and the party marked."""

    sprites = {("brazier", int(Meaning.PRIZE)): Sprite("brazier")} | {
        (name, int(meaning)): Sprite(name) for name, own in _COLOURS.items() for meaning in (Meaning.PATH, own)
    }

    def __init__(self, state: State, drawn: Drawing, glyphs: Glyphs) -> None:
        """Draws a state; in fog a corridor with a seen room at an end, and the exits of each unseen room."""
        level, rooms = state.level, len(state.level.rooms)
        known, has_exits = known_bits(state), is_scouting(state)
        inks = _inks(drawn, glyphs)
        self.height, self.width = drawn.height, drawn.width

        # Decide which rooms and corridors to draw, and which were walked.
        here = reached(state)[-1].room
        edges = [Cell(box.middle.row, box.right) for room, box in enumerate(drawn.boxes) if known >> room & 1]
        self.landmarks = [(edge, edge, Meaning.WAY_OUT, "") for edge in edges]  # the arrows cover no name and no cost
        is_known, is_seen = (np.array([bits >> at & 1 for at in range(rooms)], bool) for bits in (known, state.seen))
        is_drawn = np.append(is_known, is_seen[inks.ends].any(axis=1) | (not has_exits))
        is_passed = np.append(is_seen, np.zeros(len(inks.ends), bool))
        for trail, after in pairwise(trails_of(state)):
            is_passed[rooms + neighbours(level)[trail.room][after.room]] = True

        # Write the texts and the walls.
        lines, texts, floors = (table[is_drawn[table[:, -1]]] for table in (inks.sides, inks.chars, inks.floors))
        chars, meanings = np.full(self.height * self.width, ord(" ")), np.zeros(self.height * self.width, np.uint8)
        own = np.where(is_passed, Meaning.PATH, Meaning.NOTE)
        own[here] = Meaning.YOU
        chars[texts[:, 0]] = texts[:, 1]
        stone = np.where(is_passed, Meaning.SLIGHT_PRIZE, Meaning.FLOOR)
        stone[here] = Meaning.DOOR
        text_meanings = np.where(texts[:, 2] == _AS_ITS_ROOM, own[texts[:, 3]], texts[:, 2])
        meanings[texts[:, 0]] = np.where(texts[:, 2] == _WALL, stone[texts[:, 3]], text_meanings)

        # Draw the corridors, with doors through the walls.
        sides = np.zeros(len(chars), np.int32)
        np.bitwise_or.at(sides, lines[:, 0], lines[:, 1])
        chars = np.where(sides > 0, (_ASCII_LINES if glyphs.is_ascii else _LINES)[sides], chars)
        meanings[lines[:, 0]] = np.where(is_passed[lines[:, 2]], Meaning.PATH, Meaning.FLOOR)

        # Add the signs: seen rooms, the party.
        chars[inks.signs[is_seen]] = ord(ASCII_SEEN if glyphs.is_ascii else SEEN)
        meanings[inks.signs[is_seen]] = own[:rooms][is_seen]
        is_blank = is_known & ~is_seen & has_exits
        for room in np.flatnonzero(is_blank).tolist():
            box, first, has_more = drawn.boxes[room], drawn.text_row(room) + 1, exits(level, state.seen, room) > 0
            parts = wrap(exits_in_words(state, room), box.width - 4)  # a blank at each wall
            for row, text in enumerate(parts * (len(parts) <= max(1, box.bottom - first)), first):
                start = row * self.width + box.col + (box.width - len(text)) // 2
                chars[start : start + len(text)] = [*map(ord, text)]
                meanings[start : start + len(text)] = Meaning.PRIZE if has_more else Meaning.SLIGHT_PRIZE

        # Let the party stand on the floor of a room, if sprites fit, and furnish large rooms.
        self._slices: dict[int, dict[int, Slice]] = defaultdict(dict)
        lines, party = drawn.sprite_lines, inks.signs[here]
        for room in np.flatnonzero(is_known & ~is_blank).tolist():
            things = [("hero", Meaning.YOU) if room == here else ("brazier", Meaning.PRIZE)] * int(is_seen[room])
            if lines > 2 and room == level.goal:  # in a smaller room furniture is a blot
                things.append(("stairs-down", Meaning.WAY_OUT))
            elif lines > 2 and (thing := _FURNITURE_OF.get(level.rooms[room].label)):
                things.append(thing if is_seen[room] else (thing[0], Meaning.PATH))
            for half, (sprite, meaning) in enumerate(things):
                cells = drawn.sprite_cells(room, half if lines < 3 or len(things) > 1 else 0.5)
                for number, cell in enumerate(cells):
                    self._slices[cell.row][cell.col] = Slice(Sprite(sprite), lines, *divmod(number, 2 * lines))
                    meanings[cell.row * self.width + cell.col] = meaning
                if cells and sprite == "hero":
                    party = cells[-lines].row * self.width + cells[-lines].col
        chars[party], meanings[party] = ord(PARTY), Meaning.YOU

        # In fog, light the ground near the party: less as the torch burns down. Darken what is out of sight.
        tints, shape = np.zeros(len(chars), np.uint8), (self.height, self.width)
        if has_exits:
            torch, middle = level.torch or 1, drawn.boxes[here].middle
            reach = self.width * (_EMBER + (_TORCHLIGHT - _EMBER) * max(0, torch - state.cost) / torch)
            away = [(2 * (box.middle.row - middle.row), box.middle.col - middle.col) for box in drawn.boxes]
            is_near = (np.hypot(*np.transpose(away)) < reach) | is_seen  # fires burn there
            is_lit = np.append(is_near, is_near[inks.ends].all(axis=1)) & is_drawn
            lit, shown = np.zeros((2, len(chars)), bool)
            for table in (texts, floors):
                lit[table[is_lit[table[:, -1]], 0]] = True
                shown[table[:, 0]] = True
            glow = _glow(lit.reshape(shape), drawn.boxes[0].height // 2 + 1).ravel()
            tints[glow & (lit | ~shown)] = Tint.LIT
            meanings[~shown | (~lit & (meanings == Meaning.FLOOR) & (sides == 0))] = Meaning.UNSEEN  # walls, too

        # Lay the floors.
        at, owners = floors.T
        cold = np.where(np.arange(len(is_drawn)) < rooms, Tint.PATH, Tint.STONE)
        lights = np.where(is_passed, Tint.WORN, cold)
        tints[at] = lights[owners]
        tints[at[owners == level.goal]] = Tint.SAFE
        tints[at[owners == here]] = Tint.TORCH
        self._chars = chars.astype("<u4").reshape(shape)
        self._meanings, self._tints = (each.reshape(shape) for each in (meanings, tints))

    def row(self, row: int, start: int, stop: int) -> Row:
        cells = slice(start, stop)
        glyphs = self._chars[row, cells].tobytes().decode("utf-32-le")
        painted = Row(start, glyphs, self._meanings[row, cells].tobytes())
        painted.tints[:] = self._tints[row, cells].tobytes()
        painted.slices = {col - start: part for col, part in self._slices[row].items() if start <= col < stop}
        return painted


def visits_texts(steps: Sequence[int], gaps: Sequence[int], cut: str = "…") -> list[str]:
    """The numbers of the steps that enter a room, in gaps of so many characters; with a sign for those that are cut.

    >>> visits_texts([14, 16, 18], [8, 8]), visits_texts([14, 16, 18], [1, 5, 2]), visits_texts([14, 16], [2, 1], "+")
    (['14,16,18', ''], ['', '14,16', '18'], ['14', '+'])
    """
    texts = list[str]()
    for gap in gaps:
        firsts = (",".join(map(str, steps[:count])) for count in range(1, len(steps) + 1))
        fitting = [text for text in firsts if len(text) <= gap]
        texts.append(fitting[-1] if fitting else "")
        steps = steps[len(fitting) :]
    return [*texts[:-1], texts[-1][: max(0, gaps[-1] - 1)] + cut] if steps else texts


def draw_walk(
    layer: CellLayer, drawn: Drawing, rooms: Sequence[int], glyphs: Glyphs, faults: Mapping[int, str], reached: int
) -> None:
    """Your walk: an arrow in each door that it leaves by, and numbers on the upper sides of rooms `reached`.

    A fault's sign is in the door, its arrow behind that if no cost is there. The map shows the corridors bright.
    """
    costs = {cell for line in drawn.lines for cell, _ in line.marks}
    for step, ends in sorted(enumerate(pairwise(rooms)), key=lambda each: faults.get(each[0], ">"), reverse=True):
        door, *between, _ = cells = drawn.cells_between(*ends)
        arrow, meaning = glyphs.pointers[drawing.first_step(cells)], Meaning.FOE if step in faults else Meaning.NOTE
        layer.mark(door, faults.get(step, arrow), meaning, Tint.DANGER if step in faults else None)
        if step in faults and between and between[0] not in costs:
            layer.mark(between[0], arrow, meaning, None)
    for cell, char in _numbers(drawn, [*enumerate(rooms[:reached])], glyphs, lambda box: (box.row,)):
        layer.mark(cell, char, Meaning.NOTE, None)


def draw_plan(
    drawn: Drawing, rooms: Sequence[int], glyphs: Glyphs, first: int = 0, *, is_under: bool = False
) -> CellLayer:
    """A plan: tinted corridors with an arrow in each door, and numbers, after `first`, on lower sides of the rooms.

    What doesn't fit there is on the upper ones, unless it `is_under` your walk.
    """
    layer, style = CellLayer(), (Meaning.WAY_OUT, Tint.SAFE)
    for ends in pairwise(rooms):
        door, *between, _ = cells = drawn.cells_between(*ends)
        layer.tint(between, Tint.SAFE)
        layer.mark(door, glyphs.pointers[drawing.first_step(cells)], *style)
    steps = [*enumerate(rooms, first)][1:]
    for cell, char in _numbers(drawn, steps, glyphs, lambda box: (box.bottom, box.row)[: 2 - is_under]):
        layer.mark(cell, char, *style)
    return layer


def _numbers(
    drawn: Drawing, steps: Sequence[tuple[int, int]], glyphs: Glyphs, sides: Callable[[Box], Sequence[int]]
) -> Iterator[tuple[Cell, str]]:
    """The visits of each room, on these rows of it, beside its doors, which may show costs; at need on a corner."""
    doors = {cell for line in drawn.lines for cell in (line.cells[0], line.cells[-1])}
    for room in {room for _, room in steps}:
        box, gaps = drawn.boxes[room], list[tuple[int, int, int]]()
        for row in sides(box):
            there = sorted(door.col for door in doors if door.row == row and box.col < door.col < box.right)
            gaps += [(row, left + 2, right - 1) for left, right in pairwise([box.col - 2, *there, box.right + 2])]
        visits = [step for step, other in steps if other == room]
        texts = visits_texts(visits, [end - start for _, start, end in gaps], "+" if glyphs.is_ascii else "…")
        for (row, start, end), text in zip(gaps, texts, strict=True):
            for col, char in enumerate(text, start + (len(text) < end - start)):
                yield Cell(row, col), char
