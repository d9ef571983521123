"""Distances over the map: what is drawn of them, when they are computed, how they grow."""

from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.words import LETTERS
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.crawler.view import screen as crawler_screen
from dungeon_tui.ui.glyphs import UNICODE
from dungeon_tui.ui.map.distance_layer import DistanceField, DistanceLayer, OverlayStyle
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import HEATS, Meaning, Tint
from dungeon_tui.ui.play.features import Numbers
from dungeon_tui.ui.play.overlay import SPEEDS, Distances
from dungeon_tui.ui.play.screen import PlayScreen
from tests.games.delve.drawn import state_of
from tests.ui.driving import Opened, do, glyphs, opened, paint, playing, tinted, wait_until, write_dungeon

TILES = ("o" + "-" * 66 + "$-M", "-+" * 10 + "-" * 50, "+" * 69 + "-")  # further than there are letters


def crawling(tmp_path: Path, rows: tuple[str, ...] = TILES, **options: Any) -> Opened:
    return playing(write_dungeon(tmp_path, rows), **options)


def delving(*rows: str, **options: Any) -> Opened:
    state = state_of(*rows)
    return opened("delve", state.level, state=state, **options)


def unpainted(screen: PlayScreen) -> list[Row]:
    """The map's rows without layers."""
    source = screen.view.picture(screen.controller.state)
    return [source.row(number, 0, source.width) for number in range(source.height)]


async def computed(pilot: Pilot[Any], screen: PlayScreen, times: int) -> None:
    """The distances have been computed so often, and no more is under way."""
    await wait_until(pilot, lambda: screen.distances.computed >= times)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    assert screen.distances.computed == times


STYLES = [OverlayStyle.LETTERS, OverlayStyle.DIGITS, OverlayStyle.HEAT, OverlayStyle.ARROWS]


@pytest.mark.parametrize("keys", ["ooo", "t"])
async def test_unseen_cells_are_not_given_away(keys: str) -> None:
    async with delving("@..X...", "XX.X...", "XX.%..5") as (pilot, screen):
        plain = unpainted(screen)
        await pilot.press(*keys)
        await computed(pilot, screen, 1)
        unseen = [(row, col) for row in range(5) for col in range(9) if plain[row].meanings[col] == Meaning.UNSEEN]
        assert {(1, 6), (3, 7)} < set(unseen)
        drawn = paint(screen)
        assert {(drawn[row].glyphs[col], drawn[row].tints[col]) for row, col in unseen} == {(" ", Tint.NONE)}
        screen.hover(Cell(1, 6))
        assert "away" not in str(screen.panel.render())


# -- when they are computed


async def test_looking_around_computes_nothing(tmp_path: Path) -> None:
    async with delving("@...>.3", "%%  X..") as (pilot, screen):
        await pilot.press("o")
        await computed(pilot, screen, 1)
        await do(pilot, *".vxv+-", "zoom.fit", "g", "right", "escape", *"/k", "overlay.watch", *"p]}")
        await do(pilot, "overlay.watch")
        await pilot.resize_terminal(90, 25)
        await pilot.press("o", "o")
        await computed(pilot, screen, 1)
        assert screen.controller.state.turns == 1
    async with crawling(tmp_path, ("o----",)) as (pilot, screen):
        await pilot.press("o")
        await computed(pilot, screen, 1)
        await pilot.press("e", "up", "v", "x", "o", "backspace", "ctrl+y")
        await computed(pilot, screen, 1)
        assert screen.controller.turn.ply == 2


async def test_a_step_computes_once(tmp_path: Path) -> None:
    async with crawling(tmp_path, ("-o---", "-----")) as (pilot, screen):
        await pilot.press("o")
        await computed(pilot, screen, 1)  # by a worker: kernels may have to be compiled
        screen.moves.move(Direction.DOWN)
        assert screen.distances.computed == 2  # at once
        for times, key in enumerate(("up", "right", "left", "backspace", "r"), 3):
            await pilot.press(key)
            await computed(pilot, screen, times)
            row, col = screen.controller.state.adventurer
            expected = [LETTERS[abs(row - at) + abs(col - to)] for at in range(2) for to in range(5)]
            expected[row * 5 + col] = "@"
            assert "".join(glyphs(screen)) == "".join(expected)


async def test_worn_rock_computes_anew() -> None:
    """The tunneller wears rock in its turn, so that the map has changed though the player waits."""
    async with delving("@X", "XX", "6 ", "  ") as (pilot, screen):
        await pilot.press("f", "t")
        await computed(pilot, screen, 1)
        before = screen.controller.state.hardness
        await pilot.press("full_stop")
        assert screen.controller.state.hardness is before  # no way leads to the player
        await computed(pilot, screen, 1)
    async with delving("@ ", "  ", "6X", "XX") as (pilot, screen):
        await pilot.press("f", "t")
        await computed(pilot, screen, 1)
        await pilot.press("full_stop")
        await computed(pilot, screen, 2)


class Gate:
    """Once shut, lets each computing wait until it may end, and notes what began."""

    def __init__(self) -> None:
        self.begun: list[Any] = []
        self.doors: list[Event] = []
        self._distances = crawler_screen.distances
        self._is_shut = False

    def shut(self) -> None:
        self._is_shut = True

    def __call__(self, state: Any, kind: str, has_arrows: bool) -> DistanceField:
        if self._is_shut:
            door = Event()
            self.doors.append(door)
            self.begun.append(state)
            assert door.wait(10)
        return self._distances(state, kind, has_arrows)

    def open(self) -> None:
        for door in self.doors:
            door.set()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """All distances of the crawler pass it."""
    gate = Gate()
    monkeypatch.setattr(crawler_screen, "distances", gate)
    return gate


async def test_distances_that_come_late_replace_no_newer_ones(tmp_path: Path, gate: Gate) -> None:
    async with crawling(tmp_path, ("o----",)) as (pilot, screen):
        gate.shut()
        await pilot.press("o")
        await wait_until(pilot, lambda: len(gate.begun) == 1)
        await pilot.press("right")
        await wait_until(pilot, lambda: len(gate.begun) == 2)
        gate.doors[1].set()
        await wait_until(pilot, lambda: screen.distances.computed == 1)
        assert glyphs(screen) == ["1@123"]
        gate.doors[0].set()
        await computed(pilot, screen, 1)
        assert glyphs(screen) == ["1@123"]


@pytest.fixture
def as_on_a_large_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker computes all distances."""
    monkeypatch.setattr("dungeon_tui.ui.play.overlay.MAX_CELLS_AT_ONCE", 0)


@pytest.mark.usefixtures("as_on_a_large_map")
async def test_another_map_is_not_painted_with_the_distances_of_the_last(tmp_path: Path, gate: Gate) -> None:
    async with crawling(tmp_path, ("o@-", "--+")) as (pilot, screen):
        await pilot.press("o")
        await computed(pilot, screen, 1)
        gate.shut()
        await pilot.press("right")
        await wait_until(pilot, lambda: gate.begun)
        await pilot.pause()
        for line in glyphs(screen):
            assert not set(line) & set("123456789")
        screen.hover(Cell(1, 1))
        assert "away" not in str(screen.panel.render())
        while screen.distances.computed < 2:
            gate.open()
            await pilot.pause()
        assert "1" in "".join(glyphs(screen))


# -- how they grow


async def test_the_frontier_waits_for_its_distances_and_comes_to_the_farthest_cell_by_itself(
    tmp_path: Path, gate: Gate
) -> None:
    async with crawling(tmp_path, ("o----",)) as (pilot, screen):
        overlay = screen.distances
        gate.shut()
        await do(pilot, "overlay.watch")
        await wait_until(pilot, lambda: gate.begun)
        screen.distances.advance(1)
        assert (overlay.style, overlay.is_running, overlay.frontier) == (OverlayStyle.DIGITS, True, 0)
        gate.open()
        for key, speed in (("left_curly_bracket", 0), ("right_curly_bracket", len(SPEEDS) - 1)) * 2:
            await pilot.press(*[key] * (len(SPEEDS) + 1))
            assert overlay.speed == speed
        await wait_until(pilot, lambda: overlay.frontier == 4)
        assert not overlay.is_running
        assert tinted(screen, Tint.FRONTIER) == {(0, 4)}
        assert glyphs(screen) == ["@1234"]
        assert len(gate.begun) == 1


# -- by themselves

STYLE = st.sampled_from(STYLES)
THINGS = (Meaning.FOE, Meaning.SLIGHT_FOE, Meaning.YOU, Meaning.PRIZE, Meaning.WAY_OUT)
MEANINGS = st.lists(st.sampled_from(list(Meaning)), min_size=1, max_size=12)


def field_of(row: list[int], kind: str = "walking") -> DistanceField:
    distance = np.array([row], np.int32)
    reached = [each for each in row if each != UNREACHED]
    return DistanceField(kind, distance, np.full((1, len(row)), 3, np.uint8), UNREACHED, max(reached, default=0))


@given(data=st.data(), meanings=MEANINGS, style=STYLE, frontier=st.none() | st.integers(0, 80))
def test_a_layer_draws_on_ground_only_and_no_further_than_the_frontier(
    data: st.DataObject, meanings: list[Meaning], style: OverlayStyle, frontier: int | None
) -> None:
    count = len(meanings)
    distances = data.draw(st.lists(st.integers(0, 80) | st.just(UNREACHED), min_size=count, max_size=count))
    start = data.draw(st.integers(0, count - 1))
    cells = Row(start, "?" * (count - start), bytes(meanings[start:]))
    DistanceLayer(field_of(distances), style, UNICODE, frontier).paint(0, cells)
    limit = UNREACHED - 1 if frontier is None else frontier
    for col in range(start, count):
        index, distance, meaning = col - start, distances[col], meanings[col]
        is_ground = meaning in (Meaning.FLOOR, Meaning.WALL, Meaning.REMEMBERED, Meaning.REMEMBERED_WALL)
        is_reached = distance <= limit and meaning != Meaning.UNSEEN
        is_letter = style is not OverlayStyle.LETTERS or distance < len(LETTERS)
        is_drawn = is_ground and is_reached and is_letter and style is not OverlayStyle.HEAT
        assert (cells.glyphs[index] != "?") == is_drawn
        note = Meaning.ROCK_NOTE if meaning in (Meaning.WALL, Meaning.REMEMBERED_WALL) else Meaning.PATH
        assert cells.meanings[index] == (note if is_drawn else meaning)
        if not is_reached:
            assert cells.tints[index] in (Tint.NONE, Tint.FOE)
        elif style is OverlayStyle.HEAT and meaning in THINGS:
            assert cells.tints[index] == Tint.NONE  # things keep their colour
        elif (style is OverlayStyle.HEAT and is_ground) or (style is not OverlayStyle.HEAT and distance == frontier):
            assert cells.tints[index] != Tint.NONE


def test_heat_is_even_and_bright_where_it_is_near() -> None:
    row = list(range(HEATS * 4 + 1))
    cells = Row(0, "." * len(row), bytes([Meaning.FLOOR]) * len(row))
    DistanceLayer(field_of(row), OverlayStyle.HEAT, UNICODE).paint(0, cells)
    tints = list(cells.tints)
    assert (tints[0], tints[-1]) == (Tint.HEAT_0 + 15, Tint.HEAT_0)
    assert tints == sorted(tints, reverse=True)
    assert set(tints) == set(range(Tint.HEAT_0, Tint.HEAT_0 + 16))
    alone = Row(0, ".", bytes([Meaning.FLOOR]))
    DistanceLayer(field_of([0]), OverlayStyle.HEAT, UNICODE).paint(0, alone)
    assert list(alone.tints) == [Tint.HEAT_0 + 15]


def overlay_of(*kinds: str) -> Distances:
    """An overlay on a stage that answers everything."""
    return Distances(Mock(glyphs=UNICODE, map=Mock(cell_size=(1,))), Numbers(kinds, lambda state: "elsewhere", Mock()))


def test_the_overlay_says_what_it_needs() -> None:
    overlay = overlay_of("walking", "tunnelling")
    assert (overlay.needs("here"), overlay.layer(), overlay.at(0, 0)) == (False, None, None)
    overlay.cycle()
    assert overlay.needs("here")
    assert "Computing ..." in overlay.legend()
    overlay.take(field_of([0, 1, UNREACHED]), "here")
    assert not overlay.needs("here")
    assert overlay.needs("there")
    assert [overlay.at(0, col) for col in range(3)] == [0, 1, None]
    assert overlay.layer() is not None
    overlay.next_kind()
    assert overlay.needs("here")
    assert overlay.layer() is None
    assert overlay.at(0, 1) is None
    overlay.take(field_of([0, 3, 4], "tunnelling"), "here")
    assert overlay.at(0, 2) == 4
    assert overlay.computed == 2


def test_another_style_ends_the_frontier() -> None:
    overlay = overlay_of("walking")
    overlay.watch()
    overlay.advance(1)  # nothing to grow over yet
    assert (overlay.frontier, overlay.is_running) == (0, True)
    overlay.take(field_of([0, 1, 2, 3]), "here")
    for steps, frontier, is_running in ((2, 2, True), (-9, 0, True), (2, 2, True), (1, 3, False), (-1, 2, False)):
        overlay.advance(steps)
        assert (overlay.frontier, overlay.is_running) == (frontier, is_running)
    assert overlay.legend().endswith(overlay.progress())
    overlay.cycle()
    assert overlay.frontier is None
    overlay.advance(1)
    assert overlay.frontier is None


def test_a_number_is_known_once_its_step_is_shown() -> None:
    overlay = overlay_of("walking")
    overlay.watch()
    overlay.take(replace(field_of([7, 8, 9]), order=np.array([[2, 1, 0]], np.int32)), "here")
    assert [overlay.at(0, col) for col in range(3)] == [None, None, 9]
    overlay.advance(1)
    assert [overlay.at(0, col) for col in range(3)] == [None, 8, 9]


async def test_an_overlay_stays_for_its_level_and_not_for_the_next(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o-?--", "-----"), ("o--!-", "-----"))) as (pilot, screen):
        await pilot.press("o", "d")
        await pilot.press("r")
        assert screen.distances.style is OverlayStyle.LETTERS
        await pilot.press("d", "d")
        assert screen.distances.style is OverlayStyle.NONE
