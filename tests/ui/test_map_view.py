"""The map widget by itself: what it builds, what it keeps, what it scrolls to."""

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.strip import Strip

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.map.geometry import ZOOMS
from dungeon_tui.ui.map.source import CellLayer, CellText, MapSource, Row, Sprite
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.palette import DARK, LIGHT, Meaning, Tint, cell_style, themes
from tests.ui.driving import mouse, running, wait_until


class Sheet(MapSource):
    """A map whose cells all look different as long as there are few; it notes what it is asked for."""

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width = height, width
        self.asked: list[tuple[int, int, int]] = []
        self.changed: set[int] = set()  # rows that look otherwise

    def row(self, row: int, start: int, stop: int) -> Row:
        self.asked.append((row, start, stop))
        glyphs = "".join(self.glyph(row, col) for col in range(start, stop))
        return Row(start, glyphs, bytes([Meaning.FOE if row in self.changed else Meaning.NOTE]) * (stop - start))

    def glyph(self, row: int, col: int) -> str:
        return chr(0x0400 + (row * self.width + col) % 0x80)


class Anything:
    """A layer that draws on every row."""

    def paint(self, row: int, cells: Row) -> None:
        cells.put(0, "#", Meaning.WALL)


class Frame(App[None]):
    """Nothing but a map."""

    def __init__(self) -> None:
        super().__init__()
        for theme in themes():
            self.register_theme(theme)
        self.theme = themes()[0].name
        self.heard: list[Cell | None] = []
        self.clicked: list[Cell] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DARK if self.current_theme.dark else LIGHT

    def compose(self) -> ComposeResult:
        yield MapView()

    def on_map_view_cell_hovered(self, message: MapView.CellHovered) -> None:
        self.heard.append(message.cell)

    def on_map_view_cell_clicked(self, message: MapView.CellClicked) -> None:
        self.clicked.append(message.cell)


@asynccontextmanager
async def map_of(
    sheet: Sheet, focus: tuple[int, int] = (0, 0), size: tuple[int, int] = (60, 20)
) -> AsyncIterator[tuple[Pilot[None], MapView, Frame]]:
    app = Frame()
    async with running(app, size=size) as pilot:
        view = app.query_one(MapView)
        view.show(sheet, Cell(*focus))
        await pilot.pause()
        yield pilot, view, app


def lines_of(view: MapView) -> list[Strip]:
    return [view.render_line(y) for y in range(view.size.height)]


def texts_of(view: MapView) -> list[str]:
    return ["".join(segment.text for segment in strip) for strip in lines_of(view)]


def rows_of_lines(view: MapView) -> Iterator[tuple[int, int | None]]:
    """(line of the widget, row of the map there)."""
    for y in range(view.size.height):
        cells = {view.cell_at(Offset(x, y)) for x in range(view.size.width)} - {None}
        yield y, next(iter(cells)).row if cells else None


@pytest.mark.parametrize("zoom", range(len(ZOOMS)))
async def test_rows_that_did_not_change_keep_their_strips(zoom: int) -> None:
    sheet = Sheet(6, 8)
    async with map_of(sheet) as (_, view, _app):
        view.zoom(-len(ZOOMS))
        view.zoom(len(ZOOMS) - 1 - zoom)
        before = lines_of(view)
        sheet.asked.clear()
        sheet.changed |= {2, 4}
        view.show(sheet, Cell(0, 0))
        after = lines_of(view)
        assert len({row for row, _, _ in sheet.asked}) == len(sheet.asked)  # each row is built once
        for y, row in rows_of_lines(view):
            if row is not None:
                assert (before[y] == after[y]) == (row not in (2, 4)), (y, row)
                assert (before[y] is after[y]) == (row not in (2, 4)) or y in (0, 10, 19)  # arrows lie over them


async def test_a_row_that_changed_out_of_view_is_painted_when_it_comes_into_view_again() -> None:
    sheet = Sheet(100, 8)
    async with map_of(sheet) as (_, view, _app):
        view.zoom(-len(ZOOMS))
        before = lines_of(view)
        view.show(sheet, Cell(99, 0))
        lines_of(view)
        sheet.changed.add(2)
        view.show(sheet, Cell(99, 0))
        view.show(sheet, Cell(0, 0))
        rows = dict(rows_of_lines(view))
        assert [rows[y] for y, line in enumerate(lines_of(view)) if line != before[y]] == [2]


async def test_another_sprite_for_the_same_glyph_repaints_all() -> None:
    sheet = Sheet(2, 2)
    async with map_of(sheet) as (_, view, _app):
        view.draw_sprites(True)
        before = lines_of(view)
        other = Sheet(2, 2)
        other.sprites = {(sheet.glyph(1, 1), int(Meaning.NOTE)): Sprite("hero")}
        view.show(other, Cell(0, 0))
        assert lines_of(view) != before


async def test_rows_of_a_layer_are_painted_with_it_and_again_without_it() -> None:
    sheet = Sheet(6, 8)
    async with map_of(sheet) as (_, view, _app):
        plain = texts_of(view)
        layer = CellLayer()
        layer.mark(Cell(3, 5), "X", Meaning.FOE, Tint.DANGER)
        layer.mark(Cell(3, 99), "Y", Meaning.FOE, Tint.DANGER)  # off the map: passed over
        below = CellLayer()
        below.mark(Cell(3, 5), "B", Meaning.FOE, Tint.SIGHT)
        view.show(sheet, Cell(0, 0), (below, layer))
        marked = texts_of(view)
        (y,) = [y for y in range(len(plain)) if plain[y] != marked[y]]
        assert view.cell_at(Offset(marked[y].index("X"), y)) == Cell(3, 5)
        assert not {"B", "Y"} & set("".join(marked))
        view.show(sheet, Cell(0, 0))
        assert texts_of(view) == plain
        view.show(sheet, Cell(0, 0), (Anything(),))
        assert sum("#" in line for line in texts_of(view)) >= 6
        view.show(sheet, Cell(0, 0))
        assert texts_of(view) == plain


@pytest.mark.parametrize("zoom", range(len(ZOOMS)))
async def test_a_click_meets_the_cell_that_is_painted_there(zoom: int) -> None:
    sheet = Sheet(8, 12)
    async with map_of(sheet, (7, 11)) as (_, view, _app):
        view.zoom(-len(ZOOMS))
        view.zoom(len(ZOOMS) - 1 - zoom)
        assert view.cell_size == ZOOMS[zoom]
        glyph_of = {sheet.glyph(row, col): Cell(row, col) for row in range(8) for col in range(12)}
        seen = set()
        for y, text in enumerate(texts_of(view)):
            assert len(text) == 60
            for x, character in enumerate(text):
                cell = view.cell_at(Offset(x, y))
                if character in glyph_of:
                    assert cell == glyph_of[character]
                    seen.add(cell)
                elif character in "┌─┐│└┘":
                    assert cell is None
        assert seen
        if ZOOMS[zoom] <= (4, 2):
            assert len(seen) == 8 * 12


async def test_only_what_is_seen_is_built() -> None:
    sheet = Sheet(1000, 1000)
    async with map_of(sheet, (500, 500)) as (_, view, _app):
        lines_of(view)
        sheet.asked.clear()
        view.show(sheet, Cell(500, 500))
        lines = lines_of(view)
        assert len(lines) == 20
        assert len(sheet.asked) == 20
        assert all(stop - start <= 61 for _, start, stop in sheet.asked)
        assert all(strip.cell_length == 60 for strip in lines)
        rows = [row for row, _, _ in sheet.asked]
        assert rows == list(range(rows[0], rows[0] + 20))
        assert 500 in rows


def place(view: MapView, cell: Cell) -> tuple[int, int]:
    """Where a cell is painted; the cells are one column and line each."""
    left, top = view.scroll_offset
    return cell.col + 1 - left, cell.row + 1 - top


@pytest.mark.parametrize(("rows", "cols"), [(0, 1), (0, -1), (1, 0), (-1, 0)])
async def test_the_map_scrolls_near_its_edge_and_not_at_every_step(rows: int, cols: int) -> None:
    sheet = Sheet(1000, 1000)
    async with map_of(sheet, (500, 500)) as (_, view, _app):
        cell, scrolls = Cell(500, 500), []
        for step in range(60):
            cell = Cell(cell.row + rows, cell.col + cols)
            before = view.scroll_offset
            view.show(sheet, cell)
            x, y = place(view, cell)
            assert 10 <= x < 50
            assert 3 <= y < 17
            if view.scroll_offset != before:
                scrolls.append(step)
        assert 1 <= len(scrolls) <= 12
        assert all(later - earlier >= 5 for earlier, later in pairwise(scrolls))


async def test_the_wheel_looks_around_and_the_next_step_comes_back() -> None:
    sheet = Sheet(1000, 1000)
    async with map_of(sheet, (500, 500)) as (pilot, view, _app):
        x, y = view.scroll_offset
        for event, columns, lines in (
            (events.MouseScrollDown, 0, 3),
            (events.MouseScrollUp, 0, -3),
            (events.MouseScrollRight, 6, 0),
            (events.MouseScrollLeft, -6, 0),
        ):
            for _ in range(2):
                await mouse(pilot, event, view, (0, 0))
            x, y = x + 2 * columns, y + 2 * lines
            assert view.scroll_offset == (x, y), event
        for _ in range(6):
            await mouse(pilot, events.MouseScrollDown, view, (0, 0))
        assert place(view, Cell(500, 501))[1] < 0  # out of sight
        view.show(sheet, Cell(500, 501))
        assert place(view, Cell(500, 501)) == (31, 10)  # upright it was near no edge


async def test_the_mouse_is_heard_once_a_cell_and_when_it_leaves() -> None:
    sheet = Sheet(4, 4)
    async with map_of(sheet) as (pilot, view, app):
        where = {view.cell_at(Offset(x, y)): (x, y) for x in range(view.size.width) for y in range(view.size.height)}
        x, y = where[Cell(2, 1)]
        await pilot.hover(MapView, (x, y))
        await pilot.hover(MapView, (x - 1, y))  # the same cell: cells are seven columns wide
        await pilot.hover(MapView, where[Cell(3, 3)])
        await pilot.hover(MapView, (0, 0))
        assert app.heard == [Cell(2, 1), Cell(3, 3), None]
        await pilot.click(MapView, (x, y))
        await pilot.click(MapView, (0, 0))
        assert app.clicked == [Cell(2, 1)]


async def test_another_theme_paints_all_anew() -> None:
    sheet = Sheet(4, 4)
    async with map_of(sheet) as (pilot, view, app):
        before = lines_of(view)
        colours = {segment.style for strip in before for segment in strip}
        app.theme = "dungeon-light"
        await pilot.pause()
        after = {segment.style for strip in lines_of(view) for segment in strip}
        assert colours.isdisjoint(after)


async def test_other_ground_shows_the_edge_of_a_map_without_a_frame() -> None:
    grounds = {}
    for width in (58, 60):
        async with map_of(Sheet(3, width)) as (_, view, _):
            is_framed = any("┌" in text for text in texts_of(view))
            grounds[is_framed] = {segment.style and segment.style.bgcolor for segment in view.render_line(0)}
    assert grounds[True].isdisjoint(grounds[False])


def styles_of(view: MapView) -> dict[str, Any]:
    meanings = {meaning.name: cell_style(view.app.theme_variables, meaning, Tint.NONE) for meaning in Meaning}
    tints = {f"tint {tint.name}": cell_style(view.app.theme_variables, Meaning.NOTE, tint).bgcolor for tint in Tint}
    assert None not in meanings.values()
    assert None not in tints.values()
    return meanings | tints


@pytest.mark.parametrize("theme", [theme.name for theme in themes()])
async def test_every_meaning_and_tint_looks_different(theme: str) -> None:
    async with map_of(Sheet(2, 2)) as (pilot, view, app):
        app.theme = theme
        await pilot.pause()
        styles = styles_of(view)
        assert len({str(style) for style in styles.values()}) == len(styles)
        for name, style in styles.items():
            if isinstance(name, str) and not name.startswith("tint") and name != "UNSEEN":
                assert style.color != style.bgcolor, name


async def test_walls_fill_a_large_cell_and_what_is_noted_on_rock_stands_in_its_middle() -> None:
    layer = CellLayer()
    layer.mark(Cell(0, 0), "8", Meaning.ROCK_NOTE, None)
    layer.mark(Cell(0, 1), "%", Meaning.WALL, None)
    async with map_of(Sheet(1, 2), size=(14, 5)) as (_, view, _app):
        view.show(Sheet(1, 2), Cell(0, 0), (layer,))
        assert (view.cell_size, "".join(texts_of(view)).count("8")) == ((6, 3), 1)
        assert "".join(texts_of(view)).count("%") == 18


@pytest.mark.parametrize(("size", "is_marked"), [((14, 5), True), ((10, 4), False)])
async def test_a_mark_on_your_cell_leaves_you_drawn(size: tuple[int, int], is_marked: bool) -> None:
    layer = CellLayer()
    layer.mark(Cell(0, 0), "@", Meaning.YOU, Tint.DANGER, CellText("×", "@"))
    async with map_of(Sheet(1, 2), size=size) as (_, view, _app):
        view.draw_sprites(True)
        view.show(Sheet(1, 2), Cell(0, 0), (layer,))
        text = "".join(texts_of(view))
        assert ("▀" in text, "@" in text, "×" in text) == (True, False, is_marked)


async def test_danger_under_a_foe_leaves_its_colour() -> None:
    layer = CellLayer()
    layer.mark(Cell(0, 0), "M", Meaning.FOE, Tint.DANGER)
    async with map_of(Sheet(1, 2), size=(14, 5)) as (_, view, app):
        view.draw_sprites(True)
        view.show(Sheet(1, 2), Cell(0, 0), (layer,))
        styles = [segment.style for y in range(5) for segment in view.render_line(y) if segment.style is not None]
        inks = {ink for style in styles for ink in (style.color, style.bgcolor)}
        assert inks >= {cell_style(app.theme_variables, Meaning.FOE, Tint.NONE).color}


class Marked(Sheet):
    """A map with places, each of three cells."""

    def __init__(self, height: int, width: int, places: Iterable[Cell]) -> None:
        super().__init__(height, width)
        self.landmarks = [(cell, Cell(cell.row, cell.col + 2), Meaning.FOE, "") for cell in places]


async def test_arrows_point_to_places_out_of_sight() -> None:
    places = [Cell(row, col) for row in (5, 50, 95) for col in (5, 150, 295)]
    async with map_of(Marked(100, 300, places), (50, 150)) as (_, view, _app):
        view.zoom(-len(ZOOMS))  # a character a cell
        view.show(Marked(100, 300, places), Cell(50, 150))
        texts = texts_of(view)
        assert (texts[0][0], texts[0][-1], texts[-1][0], texts[-1][-1]) == ("↖", "↗", "↙", "↘")
        found = {(char, y, x) for y, text in enumerate(texts) for x, char in enumerate(text) if char in "↑↓←→"}
        assert {char for char, *_ in found} == {*"↑↓←→"}
        assert {(y, x) for char, y, x in found if char in "←→"} == {(y, x) for y in (10,) for x in (0, 59)}
        assert {y for char, y, _ in found if char in "↑↓"} == {0, 19}
        assert len({x for char, _, x in found if char in "↑↓"}) == 1
        arrow = next(segment for segment in lines_of(view)[0] if segment.text == "↖")
        assert arrow.style == cell_style(view.app.theme_variables, Meaning.FOE, Tint.NONE)
        view.show(Marked(100, 300, [Cell(50, 150)]), Cell(50, 150))
        assert not {*"↑↓←→↖↗↙↘"} & {*"".join(texts_of(view))}


class Scrolled(Sheet):
    """A map of which a few cells are enough."""

    part = 4, 6, 3


@pytest.mark.parametrize(
    ("size", "has_sprites", "cell"),
    [((60, 20), True, (8, 4)), ((60, 20), False, (1, 1)), ((44, 12), True, (6, 3)), ((30, 7), True, (1, 1))],
)
async def test_a_map_of_which_a_part_is_enough_is_drawn_large_if_that_part_fits(
    size: tuple[int, int], has_sprites: bool, cell: tuple[int, int]
) -> None:
    async with map_of(Scrolled(18, 38), (9, 19), size) as (_, view, _app):
        view.draw_sprites(has_sprites)
        assert view.cell_size == cell
        for col in (20, 37, 0, 19):
            view.show(Scrolled(18, 38), Cell(9, col))
            first, last = view.cells_in_view[1][0], view.cells_in_view[1][-1]
            third = 0 if view.shows_all else (last - first) // 3 - 1
            assert first == 0 or col - first >= third
            assert last >= 37 or last - col >= third


async def test_resizing_keeps_the_focus_in_view() -> None:
    sheet = Sheet(200, 300)
    focus = Cell(150, 250)
    async with map_of(sheet, tuple(focus)) as (pilot, view, _app):

        def is_in_view() -> bool:
            cells = (Offset(x, y) for x in range(view.size.width) for y in range(view.size.height))
            return any(view.cell_at(cell) == focus for cell in cells)

        for size in ((200, 60), (40, 10), (20, 5), (300, 100), (5, 3), (80, 24)):
            await pilot.resize_terminal(*size)
            await wait_until(pilot, lambda size=size: view.size == size and is_in_view())
            assert all(strip.cell_length == size[0] for strip in lines_of(view))
