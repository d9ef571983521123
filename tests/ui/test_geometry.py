"""Where cells lie: arithmetic, on maps and widgets of any size."""

from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.map.geometry import ZOOMS, Geometry, zooms_for

LENGTHS = st.integers(1, 120)
SIZES = st.tuples(LENGTHS, LENGTHS)
ZOOM = st.none() | st.integers(0, len(ZOOMS) - 1)


def fits(map_size: tuple[int, int], size: tuple[int, int], zoom: int, edge: int, side: int) -> bool:
    """Whether all cells can be painted."""
    columns, lines = ZOOMS[zoom]
    return map_size[1] * columns + 2 * side <= size[0] and map_size[0] * lines + 2 * edge <= size[1]


@st.composite
def geometries(draw: st.DrawFn) -> Geometry:
    return Geometry.fit(*draw(SIZES), *draw(SIZES), draw(ZOOM))


@given(geometry=geometries(), data=st.data())
def test_a_cell_is_found_where_it_is_painted(geometry: Geometry, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, geometry.rows - 1))
    col = data.draw(st.integers(0, geometry.cols - 1))
    for line in range(geometry.cell_lines):
        for column in range(geometry.cell_cols):
            place = geometry.side + col * geometry.cell_cols + column, geometry.first_line(row) + line
            assert geometry.cell_at(*place) == Cell(row, col)


@given(geometry=geometries(), column=st.integers(-9, 900), line=st.integers(-9, 400))
def test_off_the_map_and_on_its_frame_there_is_no_cell(geometry: Geometry, column: int, line: int) -> None:
    edge, side = geometry.edge, geometry.side
    is_on_map = side <= column < geometry.map_width - side and edge <= line < geometry.map_height - edge
    assert (geometry.cell_at(column, line) is not None) == is_on_map


@given(map_size=SIZES, size=SIZES)
def test_the_largest_cells_that_fit_are_chosen(map_size: tuple[int, int], size: tuple[int, int]) -> None:
    geometry = Geometry.fit(*map_size, *size)
    large, small = (sum(lines >= least for _, lines in ZOOMS) for least in (3, 2))  # for a sprite above text; for one
    fitting = [
        (zoom, edge, side)
        for zooms in (range(large), range(large, small), range(small, len(ZOOMS)))
        for edge, side in ((1, 1), (0, 0))
        for zoom in zooms
        if fits(map_size, size, zoom, edge, side)
    ]
    least = len(ZOOMS) - 1, 1, int(map_size[1] * ZOOMS[-1][0] != size[0])  # a frame beside it, if it hides no column
    assert (geometry.zoom, geometry.edge, geometry.side) == [*fitting, least][0]


@given(map_size=SIZES, size=SIZES, columns=st.integers(1, 25))
def test_texts_have_room_unless_smaller_cells_are_chosen(
    map_size: tuple[int, int], size: tuple[int, int], columns: int
) -> None:
    geometry = Geometry.fit(*map_size, *size, None, columns)
    assert geometry.cell_cols >= columns
    zooms = zooms_for(columns)
    assert zooms[geometry.zoom] == (geometry.cell_cols, geometry.cell_lines)
    assert zooms[-1] == (1, 1)
    roomy = [zoom for zoom in zooms if zoom[0] >= columns]
    is_whole = geometry.map_width <= size[0] and geometry.map_height <= size[1]
    assert is_whole or (geometry.cell_cols, geometry.cell_lines) == roomy[-1]
    for place, (cell_cols, cell_lines) in enumerate(zooms):
        chosen = Geometry.fit(*map_size, *size, place, columns)
        assert (chosen.cell_cols, chosen.cell_lines, chosen.zoom) == (cell_cols, cell_lines, place)


@given(geometry=geometries())
def test_the_margins_are_alike_on_both_sides(geometry: Geometry) -> None:
    for before, length, room in (
        (geometry.left, geometry.map_width, geometry.width),
        (geometry.top, geometry.map_height, geometry.height),
    ):
        if length <= room:
            assert 0 <= room - length - 2 * before <= 1
        else:
            assert before == 0


def is_seen(geometry: Geometry, cell: Cell, left: int, top: int) -> bool:
    """Whether the whole cell is painted."""
    x, y = cell.col * geometry.cell_cols + geometry.side - left, geometry.first_line(cell.row) - top
    return 0 <= x <= geometry.width - geometry.cell_cols and 0 <= y <= geometry.height - geometry.cell_lines


@given(geometry=geometries(), data=st.data(), always=st.booleans())
def test_the_cell_that_is_followed_is_in_view(geometry: Geometry, data: st.DataObject, always: bool) -> None:
    cell = Cell(data.draw(st.integers(0, geometry.rows - 1)), data.draw(st.integers(0, geometry.cols - 1)))
    most = max(0, geometry.map_width - geometry.width), max(0, geometry.map_height - geometry.height)
    scrolled = data.draw(st.integers(0, most[0])), data.draw(st.integers(0, most[1]))
    left, top = geometry.followed(cell, *scrolled, always)
    assert 0 <= left <= most[0]
    assert 0 <= top <= most[1]
    if geometry.width >= geometry.cell_cols and geometry.height >= geometry.cell_lines:
        assert is_seen(geometry, cell, left, top)


@given(
    size=st.tuples(st.integers(60, 90), st.integers(30, 40)),
    zoom=st.integers(3, len(ZOOMS) - 1),  # those of which several fit
    step=st.sampled_from([(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)]),
)
def test_a_step_in_the_middle_scrolls_nothing(size: tuple[int, int], zoom: int, step: tuple[int, int]) -> None:
    geometry = Geometry.fit(200, 200, *size, zoom)
    at = geometry.followed(Cell(100, 100), 0, 0, True)
    assert at != (0, 0)
    assert geometry.followed(Cell(100 + step[0], 100 + step[1]), *at, False) == at


@given(map_size=SIZES, size=SIZES, beyond=st.tuples(st.integers(0, 60), st.integers(0, 60)))
def test_what_is_there_keeps_its_size_and_place_where_not_all_fits(
    map_size: tuple[int, int], size: tuple[int, int], beyond: tuple[int, int]
) -> None:
    alone = Geometry.fit(*map_size, *size)
    whole_size = map_size[0] + beyond[0], map_size[1] + beyond[1]
    whole, grown = Geometry.fit(*whole_size, *size), Geometry.fit(*whole_size, *size, there=map_size)
    if whole.map_width <= size[0] and whole.map_height <= size[1]:
        assert grown == whole
        return
    for name in ("cell_cols", "cell_lines", "edge"):
        assert getattr(grown, name) == getattr(alone, name)
    for where, spare in (("left", size[0] - grown.map_width), ("top", size[1] - grown.map_height)):
        place = getattr(alone, where)
        assert getattr(grown, where) == (place if spare < 0 else min(place, spare))
    last = Cell(map_size[0] - 1, map_size[1] - 1)
    left, top = grown.followed(last, 0, 0, True)
    if alone.map_width <= size[0]:
        assert left == 0
    if alone.map_height <= size[1]:
        assert top == 0
    if size[0] >= grown.cell_cols and size[1] >= grown.cell_lines:
        far = Cell(grown.rows - 1, grown.cols - 1)
        left, top = grown.followed(far, 0, 0, False)
        assert is_seen(grown, far, left - grown.left, top - grown.top)


def test_what_lies_beyond_is_scrolled_to_and_no_further() -> None:
    grown = Geometry.fit(40, 16, 40, 5, there=(3, 8))
    assert (grown.cell_cols, grown.left, grown.map_width) == (3, 7, 50)
    assert grown.followed(Cell(0, 7), 10, 0, False) == (10, 0)  # in view: what one looks at stays
    assert grown.followed(Cell(0, 15), 0, 0, False) == (17, 0)  # a cursor that went there
    assert grown.followed(Cell(0, 7), 0, 0, True) == (0, 0)
    alone = Geometry.fit(3, 8, 40, 5)
    assert alone.followed(Cell(0, 4), 10, 0, False) == (0, 0)
