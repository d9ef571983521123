"""Travel, mouse, layouts and sizes of the play screen, shown by the crawler."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Offset
from textual.pilot import Pilot

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.play.features import Journeys
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.message_log import MessageLog
from dungeon_tui.ui.widgets.side_panel import SidePanel, StatusLine
from tests.ui.driving import (
    last_message,
    playing,
    position,
    resize,
    sees,
    sees_no,
    shown,
    shown_lines,
    wait_until,
    words,
    write_dungeon,
)

HALL = ("o-----------", "-++++++++++-", "-----------$")
GUARDED = ("o-----+", "+++-++-", "---M---")


def offset_of(screen: PlayScreen, cell: Cell) -> tuple[int, int]:
    """A place in the map widget where the cell is painted."""
    size = screen.map.size
    places = ((x, y) for y in range(size.height) for x in range(size.width))
    return next(place for place in places if screen.map.cell_at(Offset(*place)) == cell)


async def at_rest(pilot: Pilot[Any]) -> None:
    """All journeys are over."""
    await wait_until(pilot, lambda: not [worker for worker in pilot.app.workers if worker.group == "travel"])


# -- travel


async def test_a_click_walks_to_a_cell_by_a_shortest_path(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, HALL)) as (pilot, screen):
        await pilot.click(MapView, offset_of(screen, Cell(2, 11)))
        await wait_until(pilot, lambda: position(screen) == (2, 11))
        assert screen.controller.state.moves == 13
        assert screen.controller.state.treasure == 1


async def test_a_click_on_what_can_not_be_reached_says_why(tmp_path: Path) -> None:
    rows = ("o-+-", "M-++", "-!+$")
    async with playing(write_dungeon(tmp_path, rows)) as (pilot, screen):
        for cell in (Cell(0, 0), Cell(0, 2), Cell(1, 0), Cell(2, 1), Cell(0, 3)):
            reason = screen.view.feature(Journeys).route(screen.controller.state, cell)
            assert isinstance(reason, str)
            await pilot.click(MapView, offset_of(screen, cell))
            await wait_until(pilot, lambda reason=reason: last_message(screen) == reason)
        before = list(screen.messages.texts)
        await pilot.click(MapView, (0, 0))  # beside the map
        await at_rest(pilot)
        assert screen.messages.texts == before
        assert screen.controller.turn.ply == 0


@pytest.mark.parametrize(
    ("rows", "keys", "steps"),
    [(GUARDED, 5 * ["right"], 3), (("o----M", "------"), ["down", "right", "right"], 1)],  # into sight, or in it
)
async def test_travel_stops_before_a_monsters_eyes(
    tmp_path: Path, rows: tuple[str, ...], keys: list[str], steps: int
) -> None:
    async with playing(write_dungeon(tmp_path, rows)) as (pilot, screen):
        await pilot.press("g", *keys, "enter")
        await wait_until(pilot, lambda: screen.controller.turn.ply == steps)
        await at_rest(pilot)
        assert screen.controller.turn.ply == steps


@pytest.mark.parametrize("key", ["v", "e", "i", "backspace", "question_mark"])
async def test_a_key_interrupts_a_journey(tmp_path: Path, key: str) -> None:
    name = write_dungeon(tmp_path, ("o" + "-" * 400,))
    async with playing(name, animated=True) as (pilot, screen):
        await pilot.click(MapView, offset_of(screen, Cell(0, 60)))
        await wait_until(pilot, lambda: screen.controller.turn.ply >= 2)
        await pilot.press(key)
        await at_rest(pilot)
        assert 1 <= position(screen)[1] < 59


async def test_another_click_turns_a_journey_elsewhere(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ("o" + "-" * 60, "-" * 61))
    async with playing(name, animated=True) as (pilot, screen):
        await pilot.click(MapView, offset_of(screen, Cell(0, 60)))
        await wait_until(pilot, lambda: screen.controller.turn.ply >= 2)
        await pilot.click(MapView, offset_of(screen, Cell(1, 1)))
        await at_rest(pilot)
        assert position(screen) == (1, 1)


# -- the mouse


async def test_hovering_names_the_tile(tmp_path: Path) -> None:
    rows = ("o-+$", "@M?!")
    async with playing(write_dungeon(tmp_path, rows)) as (pilot, screen):
        for row in range(2):
            for col in range(4):
                cell = Cell(row, col)
                await pilot.hover(MapView, offset_of(screen, cell))
                named = screen.view.cell_text(screen.controller.state, cell)
                assert f"Row {row + 1}, column {col + 1}" in named
                assert named in words(str(screen.panel.render()))
        await pilot.hover(MapView, (0, 0))
        assert "Row" not in str(screen.panel.render())


async def test_a_click_on_the_footer_does_what_the_key_does(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, HALL)) as (pilot, screen):
        await pilot.press("right")
        await pilot.click(KeyBar, (1 + str(screen.query_one(KeyBar).render()).index("Undo"), 0))
        await wait_until(pilot, lambda: screen.controller.turn.ply == 0)


# -- sizes

LONG = "Thirteen wandering watchmen whisper about extraordinarily uncomfortable corridors"
SIDECAR = f'title = "{LONG}"\nsummary = "{LONG}, {LONG}."\n[[levels]]\nname = "{LONG}"\nhint = "{LONG}."\n'
SIZES = [(80, 24), (300, 100), (120, 30), (100, 24), (99, 23), (60, 12), (40, 10), (25, 8), (20, 5), (80, 24)]


def whole_words(line: str, vocabulary: set[str]) -> bool:
    return all(word in vocabulary for word in line.split())


async def test_nothing_is_cut_in_the_middle_of_a_word_at_any_size(tmp_path: Path) -> None:
    """From 80 x 24 up, and down to windows that hold hardly a word."""
    name = write_dungeon(tmp_path, HALL, sidecar=SIDECAR)
    async with playing(name, (80, 24)) as (pilot, screen):
        await pilot.press("slash")
        await wait_until(pilot, lambda: "The author says" in last_message(screen))
        await pilot.press("i", "escape", "right", "m")
        facts = screen.view.facts(screen.controller.turn)
        texts = [*screen.messages.texts, facts.title, *facts.short, "· ..."]
        texts += [f"{entry[0]} {entry[1]}" for entry in screen.query_one(KeyBar)._entries]
        vocabulary = set(" ".join(texts).split())
        for width, height in SIZES:
            await resize(pilot, width, height)
            lines = shown_lines(pilot.app)
            for widget in (MessageLog, KeyBar, StatusLine):
                region = screen.query_one(widget).region
                for line in lines[region.y : region.bottom]:
                    assert whole_words(line, vocabulary), (width, height, widget, line)
            assert screen.query_one(KeyBar).region.height == 1
            assert screen.map.size.height >= 1


async def test_a_message_higher_than_the_log_shows_its_beginning(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, HALL, sidecar=SIDECAR)
    async with playing(name, (40, 12)) as (pilot, screen):
        await pilot.press("slash")

        def lines() -> list[str]:
            return shown_lines(pilot.app)[screen.query_one(MessageLog).region.y :][:3]

        await wait_until(pilot, lambda: lines()[0].split()[0] == "There" and lines()[2].endswith("..."))
        assert screen.query_one(MessageLog).size.height == 3


async def test_wide_narrow_and_short_layouts(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, HALL), (100, 24)) as (pilot, screen):
        for (width, height), (has_panel, log_lines) in {
            (100, 24): (True, 4),
            (99, 24): (False, 4),
            (99, 23): (False, 1),
            (100, 23): (True, 1),
            (300, 100): (True, 7),
            (40, 10): (False, 1),
        }.items():
            await resize(pilot, width, height)
            assert bool(screen.query_one(SidePanel).size) == has_panel
            assert bool(screen.query_one(StatusLine).size) != has_panel
            assert screen.query_one(MessageLog).size.height == log_lines
            assert "Treasure" in shown(pilot.app) or "0 treasures" in shown(pilot.app) or width < 60


async def test_the_same_message_again_is_counted_and_the_footer_always_has_help_and_leave(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, HALL), (80, 24)) as (pilot, screen):
        await pilot.press("up", "up", "up")
        await sees(pilot, f"{last_message(screen)} (3 times)")
        for width in (80, 60, 40, 30, 20):
            await resize(pilot, width, 24)
            (line,) = shown_lines(pilot.app)[-1:]
            assert re.search(r"\? Help +q Leave", line), width
        assert screen.query_one(KeyBar).size.width == 18


async def test_hovering_is_told_in_the_status_line_where_there_is_no_panel(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, HALL), (80, 24)) as (pilot, screen):
        await pilot.hover(MapView, offset_of(screen, Cell(2, 11)))
        await sees(pilot, "Row 3, column 12: treasure")
        await pilot.hover(MapView, (0, 0))
        await sees_no(pilot, "Row 3")
        await sees(pilot, "Level 1 of 1")


async def test_a_message_that_is_longer_takes_room_from_the_map_until_the_next_turn(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, HALL), (40, 12)) as (pilot, screen):
        for key in ("g", "i"):
            await pilot.press(key)
            await sees(pilot, last_message(screen))
            await pilot.press("escape")
        await pilot.press("right")
        assert screen.query_one(MessageLog).size.height == 1


async def test_resizing_while_playing_keeps_the_adventurer_in_sight(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, HALL)
    async with playing(name, (80, 24)) as (pilot, screen):
        screen.map.draw_sprites(False)
        for size in (*SIZES, (3, 3), (1, 1), (80, 24)):
            await resize(pilot, *size)
            await pilot.press("right", "left")
            if size[1] >= 5:
                map_lines = shown_lines(pilot.app)[: screen.map.size.height]
                assert any("@" in line[: screen.map.size.width] for line in map_lines), size
        assert screen.controller.turn.ply == 2 * (len(SIZES) + 3)
