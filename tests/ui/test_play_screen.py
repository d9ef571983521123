"""Travel, mouse, layouts and sizes of the play screen, shown by the crawler."""

import re
from pathlib import Path
from typing import Any

from textual.geometry import Offset
from textual.pilot import Pilot

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.play.features import Journeys
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.message_log import MessageLog
from dungeon_tui.ui.widgets.side_panel import SidePanel, StatusLine
from tests.ui import driving as ui

HALL = ("o-----------", "-++++++++++-", "-----------$")
GUARDED = ("o-----+", "+++-++-", "---M---")


def offset_of(screen: PlayScreen, cell: Cell) -> tuple[int, int]:
    """A place in the map widget where the cell is painted."""
    size = screen.map.size
    places = ((x, y) for y in range(size.height) for x in range(size.width))
    return next(place for place in places if screen.map.cell_at(Offset(*place)) == cell)


async def at_rest(pilot: Pilot[Any]) -> None:
    """All journeys are over."""
    await ui.wait_until(pilot, lambda: not [worker for worker in pilot.app.workers if worker.group == "travel"])


async def test_a_click_walks_to_a_cell_by_a_shortest_path_or_does_what_a_key_does(
    tmp_path: Path,
) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, HALL)) as (pilot, screen):
        await pilot.click(MapView, offset_of(screen, Cell(2, 11)))
        await ui.wait_until(pilot, lambda: ui.position(screen) == (2, 11))
        assert screen.controller.state.moves == 13
        assert screen.controller.state.treasure == 1
        await pilot.click(KeyBar, (1 + str(screen.query_one(KeyBar).render()).index("Undo"), 0))
        await ui.wait_until(pilot, lambda: screen.controller.turn.ply == 0)  # the whole walk
        await pilot.press("ctrl+y")
        assert screen.controller.turn.ply == 13


async def test_a_click_on_what_can_not_be_reached_says_why(tmp_path: Path) -> None:
    rows = ("o-+-", "M-++", "-!+$")
    async with ui.playing(ui.write_dungeon(tmp_path, rows)) as (pilot, screen):
        await ui.wait_until(pilot, lambda: ui.last_message(screen) == "No way out is left.")  # else it may come later
        for cell in (Cell(0, 0), Cell(0, 2), Cell(1, 0), Cell(2, 1), Cell(0, 3)):
            reason = screen.view.feature(Journeys).route(screen.controller.state, cell)
            assert isinstance(reason, str)
            await pilot.click(MapView, offset_of(screen, cell))
            await ui.wait_until(pilot, lambda reason=reason: ui.last_message(screen) == reason)
        before = list(screen.messages.texts)
        await pilot.click(MapView, (0, 0))  # beside the map
        await at_rest(pilot)
        assert screen.messages.texts == before
        assert screen.controller.turn.ply == 0


async def test_travel_stops_before_a_monsters_eyes_and_takes_no_step_that_loses(tmp_path: Path) -> None:
    deadly, last = ("o--$", "+M++"), "The next step would be your last."
    for rows, steps, said in (GUARDED, 2, "into a monster's sight."), (deadly, 0, last):
        async with ui.playing(ui.write_dungeon(tmp_path, rows)) as (pilot, screen):
            await pilot.press("g", *5 * ["right"], "enter")
            await ui.sees(pilot, said)
            assert screen.controller.turn.ply == steps


async def test_a_key_interrupts_a_journey(tmp_path: Path) -> None:
    name = ui.write_dungeon(tmp_path, ("o" + "-" * 400,))
    async with ui.playing(name, animated=True) as (pilot, screen):
        await ui.do(pilot, *3 * ["zoom.out"])
        await pilot.click(MapView, offset_of(screen, Cell(0, 60)))
        await ui.wait_until(pilot, lambda: screen.controller.turn.ply >= 2)
        await pilot.press("v")
        await at_rest(pilot)
        assert 1 <= ui.position(screen)[1] < 59


async def test_wide_narrow_and_short_layouts(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, HALL), (100, 24)) as (pilot, screen):
        for (width, height), (has_panel, log_lines) in {
            (100, 24): (True, 4),
            (99, 24): (False, 4),
            (99, 23): (False, 1),
            (100, 23): (True, 1),
            (300, 100): (True, 7),
            (40, 10): (False, 1),
        }.items():
            await ui.resize(pilot, width, height)
            assert bool(screen.query_one(SidePanel).size) == has_panel
            assert bool(screen.query_one(StatusLine).size) != has_panel
            is_low = height < 24  # a second message may have come
            assert log_lines <= screen.query_one(MessageLog).size.height <= log_lines + is_low
            assert "Treasure" in ui.shown(pilot.app) or "treasure 0" in ui.shown(pilot.app) or width < 60


async def test_a_narrow_terminal_has_panel_and_log_beside_a_map_that_is_larger_there(tmp_path: Path) -> None:
    square = ("o" + "-" * 10, *["-" * 11] * 10)
    async with ui.playing(ui.write_dungeon(tmp_path, square), (80, 24)) as (pilot, screen):
        log, footer = screen.query_one(MessageLog), screen.query_one(KeyBar)
        for size, is_beside in {(80, 24): True, (120, 24): False, (40, 24): False, (99, 30): True}.items():
            await ui.resize(pilot, *size)
            await ui.wait_until(
                pilot, lambda is_beside=is_beside: (log.region.x >= screen.map.region.right) == is_beside
            )
            assert bool(screen.panel.size) == (is_beside or size[0] >= 100)
            assert footer.region.width == size[0]
        assert screen.map.has_sprites


async def test_the_same_message_again_takes_one_line_and_the_footer_always_has_help_and_leave(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, (*HALL, "-----------?")), (80, 24)) as (pilot, screen):
        await pilot.press("up", "up", "up")
        assert screen.messages.texts.count(ui.last_message(screen)) == 1
        for width in (80, 60, 40, 30, 20):
            await ui.resize(pilot, width, 24)
            (line,) = ui.shown_lines(pilot.app)[-1:]
            assert re.search(r"\? Help +q Leave", line), width
        assert screen.query_one(KeyBar).size.width == 18


async def test_hovering_is_shown_in_the_status_line_where_there_is_no_panel(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, HALL), (80, 24)) as (pilot, screen):
        await pilot.hover(MapView, offset_of(screen, Cell(2, 11)))
        await ui.sees(pilot, "Row 3, column 12: treasure")
        await pilot.hover(MapView, (0, 0))
        await ui.sees_no(pilot, "Row 3")
        await ui.sees(pilot, "0 moves")
