"""The drawing: no two boxes overlap, every corridor joins its boxes and runs through no other one."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.games.expedition.model.dungeon import read_map
from dungeon_tui.games.expedition.model.level import Corridor, Level, Room
from dungeon_tui.games.expedition.model.maps import neighbours
from dungeon_tui.games.expedition.model.options import lessons, tasks
from dungeon_tui.games.expedition.view.drawing import (
    DOWN,
    LEFT,
    LONGEST_LABEL,
    RIGHT,
    UP,
    Drawing,
    box_text,
    drawing_of,
    first_step,
    label_of,
)
from dungeon_tui.games.expedition.view.slots import placed, snapped
from tests.games.expedition.maps import level_of, levels

PLACES = st.floats(-50, 50) | st.integers(0, 4).map(float)


@st.composite
def placed_levels(draw: st.DrawFn) -> Level:
    """Maps whose rooms lie anywhere, on each other too."""
    level = draw(levels(most=9))
    events = st.sampled_from([(), ("trap",), ("darkness", "curio")])
    return replace(
        level,
        rooms=tuple(
            replace(room, position=(draw(PLACES), draw(PLACES)), events=draw(events), label=draw(st.text(max_size=20)))
            for room in level.rooms
        ),
        corridors=tuple(replace(corridor, events=draw(events)) for corridor in level.corridors),
    )


def check(level: Level, drawing: Drawing) -> None:
    """All that a drawing promises."""
    taken: set[Cell] = set()
    for room, box in enumerate(drawing.boxes):
        cells = {Cell(row, col) for row in range(box.row, box.bottom + 1) for col in range(box.col, box.right + 1)}
        assert not cells & taken
        assert all(cell.is_inside(drawing.height, drawing.width) and box.holds(cell) for cell in cells)
        assert box.width >= len(box_text(level, room)) + 4
        taken |= cells
    frames = set(taken)
    for corridor, line in zip(level.corridors, drawing.lines, strict=True):
        first, *between, last = line.cells
        for room, end, beside in ((corridor.ends[0], first, between[0]), (corridor.ends[1], last, between[-1])):
            box = drawing.boxes[room]
            assert box.holds(end)
            assert not box.holds(beside)
            assert end not in {(row, col) for row in (box.row, box.bottom) for col in (box.col, box.right)}
        assert all(cell.is_inside(drawing.height, drawing.width) for cell in between)
        assert not frames & set(between)
        for one, two in pairwise(line.cells):
            assert abs(one.row - two.row) + abs(one.col - two.col) == 1
        check_sides(line.cells, line.sides)
        assert not frames & {cell for cell, _ in line.marks}


def check_sides(cells: tuple[Cell, ...], sides: tuple[int, ...]) -> None:
    """Each cell goes on to the ones before and after it, and nowhere else."""
    ways = {UP: (-1, 0), DOWN: (1, 0), LEFT: (0, -1), RIGHT: (0, 1)}
    for at, (cell, side) in enumerate(zip(cells, sides, strict=True)):
        towards = {(cell.row + rows, cell.col + cols) for bit, (rows, cols) in ways.items() if side & bit}
        assert towards == {tuple(each) for each in (*cells[max(0, at - 1) : at], *cells[at + 1 : at + 2])}


@settings(max_examples=10)
@given(level=placed_levels())
def test_any_map_with_places_is_drawn_as_promised(level: Level) -> None:
    check(level, drawing_of(level))


@settings(max_examples=15)
@given(level=levels(most=9))
def test_any_map_without_places_is_drawn_as_promised_and_alike_each_time(level: Level) -> None:
    drawing = drawing_of(level)
    check(level, drawing)
    again = drawing_of(replace(level, name="again"))
    assert (again.boxes, again.lines) == (drawing.boxes, drawing.lines)


@pytest.mark.parametrize("name", lessons())
def test_shipped_maps_have_all_their_costs_and_no_line_over_another(name: str) -> None:
    level = read_map(name)
    drawing = drawing_of(level)
    check(level, drawing)
    for corridor, line in zip(level.corridors, drawing.lines, strict=True):
        assert "".join(char for _, char in line.marks).lstrip("^~&") == str(corridor.cost or "")
    upright: set[Cell] = set()
    level_ones: set[Cell] = set()
    for line in drawing.lines:
        for cell, side in zip(line.cells[1:-1], line.sides[1:-1], strict=True):
            if side & (UP | DOWN):
                assert cell not in upright
                upright.add(cell)
            if side & (LEFT | RIGHT):
                assert cell not in level_ones
                level_ones.add(cell)


@pytest.mark.parametrize("chapter", ["routes", "exploring"])
def test_each_level_fits_a_small_screen_and_is_larger_on_a_large_one(chapter: str) -> None:
    for level in map(read_map, tasks(chapter)):
        small, large = drawing_of(level, (80, 18)), drawing_of(level, (168, 55))
        assert (small.width <= 80, small.height <= 18) == (True, True), level.name
        assert small.boxes[0].height < large.boxes[0].height
        assert large.width <= 168
        assert large.height <= 55
        check(level, large)
        for room, there in enumerate(neighbours(level)) if level.is_fogged else ():  # fog hides where the map ends
            assert (small.width, small.height) == (78, 15)
            for other in there:  # the arrow key of the side with the door
                way = tuple(Direction)[first_step(small.cells_between(room, other))]
                assert small.room_towards(room, way) == other, level.name


def test_a_room_with_many_corridors_has_a_place_for_each() -> None:
    rooms = tuple(Room(number, str(number)) for number in range(30))
    level = Level("star", rooms, tuple(Corridor((0, number), 3) for number in range(1, 30)), 0)
    drawing = drawing_of(level)
    check(level, drawing)
    assert len({line.cells[0] for line in drawing.lines}) == 29


def test_a_preview_shows_the_whole_map_without_texts_if_they_don_t_fit() -> None:
    drawing = drawing_of(read_map("the-old-fortress"), (38, 18), is_preview=True)
    assert (drawing.width, drawing.height) <= (38, 18)
    assert all(box.col < drawing.text_col(room) - 2 < box.right for room, box in enumerate(drawing.boxes))  # the party
    assert drawing_of(read_map("the-old-fortress"), (38, 18)).width > 38


@given(points=st.lists(st.tuples(PLACES, PLACES), min_size=1, max_size=30))
def test_snapped_points_have_slots_of_their_own_without_gaps(points: list[tuple[float, float]]) -> None:
    slots = snapped(points)
    assert len(set(slots)) == len(points)
    for axis in (0, 1):
        values = {slot[axis] for slot in slots}
        assert values == set(range(len(values)))


@pytest.mark.parametrize("corridors", ["ab bc cd de", "ab ac ad ae af", "ab bc cd de ef fa", "ab bc de ef ad be cf"])
def test_rooms_without_places_lie_in_columns_by_corridors_from_the_start(corridors: str) -> None:
    level = level_of(corridors)
    cols = [col for _, col in placed(level)]
    assert cols[level.start] == 0
    assert all(abs(cols[one] - cols[two]) < 2 for one, two in (corridor.ends for corridor in level.corridors))


@given(text=st.text(max_size=40))
def test_labels_take_a_column_a_character(text: str) -> None:
    label = label_of(Room("a", text))
    assert len(label) <= LONGEST_LABEL
    assert label == text or len(text) > LONGEST_LABEL or not text.isascii()
