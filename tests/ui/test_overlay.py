"""Distances over the map: what is drawn of them, when they are computed, how they grow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.words import LETTERS
from dungeon_tui.engine import STEPS, UNREACHED, WEIGHTS
from dungeon_tui.games.crawler.model.level import PILLAR
from dungeon_tui.games.crawler.view import screen as crawler_screen
from dungeon_tui.games.delve.model.level import OPEN
from dungeon_tui.ui.glyphs import ASCII, UNICODE
from dungeon_tui.ui.map.distance_layer import DistanceField, DistanceLayer, OverlayStyle
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import HEATS, Meaning, Tint
from dungeon_tui.ui.play.overlay import SPEEDS, Overlay
from dungeon_tui.ui.play.screen import PlayScreen
from tests.games.delve.drawn import state_of
from tests.naive_distance import distance_map as naive_distance_map
from tests.naive_distance import tunnelling_distance_map as naive_tunnelling_map
from tests.ui.driving import (
    Opened,
    last_message,
    opened,
    paint,
    playing,
    shown,
    tinted,
    wait_until,
    words,
    write_dungeon,
)

Distances = list[list[int]]

MONSTER = (3, 4)
LONG = 66  # further than there are letters
TILES = ("o" + "-" * LONG + "$-M", "-+" * 10 + "-" * 50, "+" * 69 + "-")
ROOMS = ("@" + "." * LONG + ">.3", "%% " * 10 + "." * 3 + "X" * 37, "XX" + " " * 66 + "..")


def crawling(tmp_path: Path, rows: tuple[str, ...] = TILES, **options: Any) -> Opened:
    return playing(write_dungeon(tmp_path, rows), **options)


def delving(*rows: str, **options: Any) -> Opened:
    state = state_of(*(rows or ROOMS))
    return opened("delve", state.level, state=state, **options)


def unpainted(screen: PlayScreen) -> list[Row]:
    """The map's rows without layers."""
    source = screen.view.picture(screen.controller.state)
    return [source.row(number, 0, source.width) for number in range(source.height)]


def lines(screen: PlayScreen) -> list[str]:
    return ["".join(row.glyphs) for row in paint(screen)]


async def computed(pilot: Pilot[Any], screen: PlayScreen, times: int) -> None:
    """The distances have been computed so often, and no more is under way."""
    await wait_until(pilot, lambda: screen.distances.overlay.computed >= times)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    assert screen.distances.overlay.computed == times


async def switch(pilot: Pilot[Any], screen: PlayScreen, style: OverlayStyle) -> None:
    """Presses o until distances are drawn so, and lets them be computed."""
    while screen.distances.overlay.style is not style:
        await pilot.press("o")
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def crawler_distances(screen: PlayScreen) -> Distances:
    """Four ways; pillars are all that stops."""
    state = screen.controller.state
    passable = (state.board.copy() != PILLAR).tolist()
    return naive_distance_map(passable, [tuple(state.adventurer)], diagonal=False)


def delve_distances(screen: PlayScreen, is_tunnelling: bool) -> Distances:
    """Eight ways, around the rock or through it."""
    state = screen.controller.state
    hardness = state.hardness.copy()
    if is_tunnelling:
        return naive_tunnelling_map(hardness.tolist(), [tuple(state.player)], WEIGHTS["ranges"].tolist())
    return naive_distance_map((hardness == OPEN).tolist(), [tuple(state.player)])


def cells_of(distances: Distances) -> Iterator[tuple[int, int, int]]:
    """(row, column, distance)."""
    for row, line in enumerate(distances):
        for col, distance in enumerate(line):
            yield row, col, distance


def check_style(screen: PlayScreen, distances: Distances, style: OverlayStyle, has_diagonals: bool) -> None:
    """Every cell shows what it should; whoever and whatever stands there stays."""
    plain, drawn = unpainted(screen), paint(screen)
    farthest = max(distance for _, _, distance in cells_of(distances) if distance < UNREACHED)
    assert farthest > len(LETTERS)
    ground = {Meaning.FLOOR, Meaning.WALL, Meaning.REMEMBERED, Meaning.REMEMBERED_WALL}
    for row, col, distance in cells_of(distances):
        was, glyph, tint = plain[row].glyphs[col], drawn[row].glyphs[col], drawn[row].tints[col]
        is_reached = distance < UNREACHED
        if style is OverlayStyle.HEAT and is_reached:
            assert tint == Tint.HEAT_0 + HEATS - 1 - distance * (HEATS - 1) // farthest
        elif plain[row].meanings[col] == Meaning.FOE and style is not OverlayStyle.HEAT:
            assert tint == Tint.FOE
        else:
            assert tint == Tint.NONE
        if plain[row].meanings[col] not in ground or not is_reached or style is OverlayStyle.HEAT:
            assert glyph == was
        elif style is OverlayStyle.LETTERS:
            assert glyph == (LETTERS[distance] if distance < len(LETTERS) else was)
        elif style is OverlayStyle.DIGITS:
            assert glyph == str(distance % 10)
        else:
            rows, cols = STEPS[UNICODE.ways.index(glyph)].tolist()
            assert has_diagonals or 0 in (rows, cols)
            around = STEPS.tolist() if has_diagonals else STEPS[:4].tolist()
            reachable = [
                distances[row + down][col + right]
                for down, right in around
                if 0 <= row + down < len(distances) and 0 <= col + right < len(distances[0])
            ]
            assert distances[row + rows][col + cols] == min(reachable) < distance


STYLES = [OverlayStyle.LETTERS, OverlayStyle.DIGITS, OverlayStyle.HEAT, OverlayStyle.ARROWS]
LEGENDS = {
    OverlayStyle.LETTERS: "0-9, a-z, A-Z for 0 to 61, beyond that the map.",
    OverlayStyle.DIGITS: "numbers, in small cells the last digits.",
    OverlayStyle.HEAT: "bright is near, dark is far.",
    OverlayStyle.ARROWS: "arrows lead towards you.",
}


@pytest.mark.parametrize("kind", ["four ways", "walking", "tunnelling"])
async def test_distances_in_every_style(tmp_path: Path, kind: str) -> None:
    is_crawler, is_tunnelling = kind == "four ways", kind == "tunnelling"
    size = (120, 30)
    async with crawling(tmp_path, size=size) if is_crawler else delving(size=size) as (pilot, screen):
        if not is_crawler:
            await pilot.press("f")
        plain = lines(screen)
        if is_tunnelling:
            await pilot.press("t", *"oooo")
            assert screen.distances.overlay.style is OverlayStyle.NONE
        distances = crawler_distances(screen) if is_crawler else delve_distances(screen, is_tunnelling)
        for style in STYLES:
            await switch(pilot, screen, style)
            check_style(screen, distances, style, has_diagonals=not is_crawler)
            signs = {glyph for line in lines(screen) for glyph in line}
            assert ({"o"} if is_crawler else {"@", ">", "3"}) <= signs
            told = f"Distances, {'walking' if is_crawler else kind}: {LEGENDS[style]}"
            assert last_message(screen) == told
            if is_crawler:
                assert screen.distances.overlay.computed == (2 if style is OverlayStyle.ARROWS else 1)
                assert f"{told} The farthest is 71." in words(str(screen.panel.render()))
        await pilot.press("o")
        assert lines(screen) == plain
        assert last_message(screen) == "Distances: hidden."
        assert "Distances" not in words(str(screen.panel.render()))


async def test_numbers_stand_whole_where_all_of_them_have_room(tmp_path: Path) -> None:
    async with crawling(tmp_path, ("o" + "-" * 11,), size=(80, 24)) as (pilot, screen):
        await switch(pilot, screen, OverlayStyle.DIGITS)
        assert screen.map.cell_size[0] == 5
        assert "1    2    3    4" in shown(pilot.app)
        assert "9   10   11" in shown(pilot.app)
        screen.map.zoom(-9)
        await pilot.pause()
        assert "o12345678901" in shown(pilot.app)


async def test_t_shows_the_other_kind_and_back() -> None:
    async with delving("@.%%", "%%%.", "XXX3") as (pilot, screen):
        await pilot.press("f", "t")  # shows distances where none were shown
        await computed(pilot, screen, 1)
        assert last_message(screen).startswith("Distances, tunnelling: 0-9")
        assert [row[1:5] for row in lines(screen)[1:3]] == ["@123", "1123"]
        await pilot.press("t")
        await computed(pilot, screen, 2)
        assert last_message(screen).startswith("Distances, walking")
        assert lines(screen)[1][1:3] == "@1"
        assert "@1" in words(shown(pilot.app)).replace(" ", "")
        assert lines(screen)[2][1] == lines(screen)[2][2] == lines(screen)[1][3]  # rock
        assert "Distances, walking" in words(str(screen.panel.render()))


async def test_unseen_cells_are_not_given_away() -> None:
    async with delving("@..X...", "XX.X...", "XX.%..5") as (pilot, screen):
        for kind in ("walking", "tunnelling"):
            assert screen.distances.overlay.kind == kind
            unseen = {
                (row, col)
                for row, line in enumerate(unpainted(screen))
                for col in range(9)
                if line.meanings[col] == Meaning.UNSEEN
            }
            assert {(1, 6), (3, 7)} < unseen
            for style in STYLES:
                await switch(pilot, screen, style)
                for row, col in unseen:
                    assert paint(screen)[row].glyphs[col] == " "
                    assert paint(screen)[row].tints[col] == Tint.NONE
            await pilot.hover("#map", (0, 0))
            screen.hover(Cell(1, 6))
            assert "Row 1, column 6: not seen yet" in str(screen.panel.render()).replace("\n", " ")
            assert "away" not in str(screen.panel.render())
            await pilot.press("t")


async def test_arrows_in_ascii(tmp_path: Path) -> None:
    async with crawling(tmp_path, ("---", "-o-", "---"), ascii_only=True) as (pilot, screen):
        await switch(pilot, screen, OverlayStyle.ARROWS)
        drawn = lines(screen)
        assert [drawn[1], drawn[0][1], drawn[2][1]] == ["6o4", "2", "8"]
        assert "".join(drawn).isascii()
        assert "the number pad's ways lead towards you" in last_message(screen)
    async with delving("...", ".@.", "...", "XX3", ascii_only=True) as (pilot, screen):
        await switch(pilot, screen, OverlayStyle.ARROWS)
        assert [line[1:4] for line in lines(screen)[1:4]] == ["321", "6@4", "987"]


# -- when they are computed


async def test_looking_around_computes_nothing(tmp_path: Path) -> None:
    async with delving() as (pilot, screen):
        await pilot.press("o")
        await computed(pilot, screen, 1)
        for key in (*".vxvff+-0i", "right", "escape", *"/kOp]}O"):
            await pilot.press(key)
        await pilot.resize_terminal(90, 25)
        await pilot.press("o", "o")
        await computed(pilot, screen, 1)
        assert screen.controller.state.turns == 1
    async with crawling(tmp_path, ("o----",)) as (pilot, screen):
        await pilot.press("o")
        await computed(pilot, screen, 1)
        await pilot.press("e", "up", "v", "x", "o", "o", "backspace", "ctrl+y")
        await computed(pilot, screen, 1)
        assert screen.controller.turn.ply == 2


async def test_a_step_computes_once(tmp_path: Path) -> None:
    async with crawling(tmp_path, ("-o---", "-----")) as (pilot, screen):
        await pilot.press("o")
        await computed(pilot, screen, 1)
        for times, key in enumerate(("right", "down", "left", "backspace", "r"), 2):
            await pilot.press(key)
            await computed(pilot, screen, times)
            row, col = screen.controller.state.adventurer
            expected = [LETTERS[abs(row - at) + abs(col - to)] for at in range(2) for to in range(5)]
            expected[row * 5 + col] = "o"
            assert "".join(lines(screen)) == "".join(expected)


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
        await wait_until(pilot, lambda: screen.distances.overlay.computed == 1)
        assert lines(screen) == ["1o123"]
        gate.doors[0].set()
        await computed(pilot, screen, 1)
        assert lines(screen) == ["1o123"]


@pytest.fixture
def as_on_a_large_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker computes all distances."""
    monkeypatch.setattr("dungeon_tui.ui.play.overlay.AT_ONCE", 0)


async def test_on_small_maps_distances_are_there_with_the_step(tmp_path: Path) -> None:
    async with crawling(tmp_path, ("o----",)) as (pilot, screen):
        await pilot.press("o")
        await computed(pilot, screen, 1)  # by a worker: kernels may have to be compiled
        screen.move(Direction.RIGHT)
        assert screen.distances.overlay.computed == 2
        assert lines(screen) == ["1o123"]


@pytest.mark.usefixtures("as_on_a_large_map")
async def test_a_step_taken_back_needs_no_distances_of_where_it_led(tmp_path: Path, gate: Gate) -> None:
    async with crawling(tmp_path, ("o----",)) as (pilot, screen):
        await pilot.press("o")
        await computed(pilot, screen, 1)
        gate.shut()
        await pilot.press("right")
        await wait_until(pilot, lambda: len(gate.begun) == 1)
        await pilot.press("backspace")
        gate.open()
        await computed(pilot, screen, 1)
        assert lines(screen) == ["o1234"]


async def test_what_is_being_computed_is_not_begun_again(tmp_path: Path, gate: Gate) -> None:
    async with crawling(tmp_path, ("o----",)) as (pilot, screen):
        gate.shut()
        await pilot.press("o", "v", "x", "i", "right", "escape", "o", "e", "right_curly_bracket")
        await wait_until(pilot, lambda: gate.begun)
        gate.open()
        await computed(pilot, screen, 1)
        assert len(gate.begun) == 1


@pytest.mark.usefixtures("as_on_a_large_map")
@pytest.mark.parametrize("keys", [("right",), ("right", "backspace")])
async def test_another_map_is_not_painted_with_the_distances_of_the_last(
    tmp_path: Path, gate: Gate, keys: tuple[str, ...]
) -> None:
    async with crawling(tmp_path, ("o@-", "--+")) as (pilot, screen):
        await pilot.press("o")
        await computed(pilot, screen, 1)
        gate.shut()
        await pilot.press(*keys)
        await wait_until(pilot, lambda: gate.begun)
        await pilot.pause()
        for line in lines(screen):
            assert not set(line) & set("123456789")
        screen.hover(Cell(1, 1))
        assert "away" not in str(screen.panel.render())
        while screen.distances.overlay.computed < 2:
            gate.open()
            await pilot.pause()
        assert "1" in "".join(lines(screen))


# -- how they grow


def frontier_of(distances: Distances, frontier: int) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The cells that it has reached, and those at its edge."""
    reached = {(row, col) for row, col, distance in cells_of(distances) if distance <= frontier}
    return reached, {(row, col) for row, col in reached if distances[row][col] == frontier}


async def test_the_frontier_grows_from_the_player_and_can_be_scrubbed() -> None:
    async with delving("@....", "%%%%.", "XXX3.") as (pilot, screen):
        await pilot.press("f", "t")
        await computed(pilot, screen, 1)
        plain = [row.glyphs for row in unpainted(screen)]
        distances = delve_distances(screen, is_tunnelling=True)
        await pilot.press("O", "p")
        assert screen.distances.overlay.frontier is not None
        assert not screen.distances.overlay.is_running
        assert last_message(screen) == f"The frontier is {screen.distances.overlay.frontier} away, paused."
        for _ in range(9):
            await pilot.press("left_square_bracket")
        farthest = max(distance for _, _, distance in cells_of(distances) if distance < UNREACHED)
        out, back = ["right_square_bracket"] * (farthest + 1), ["left_square_bracket"] * (farthest + 2)
        expected = [*range(farthest + 1), farthest, *reversed(range(farthest)), 0]  # it stops at both ends
        for frontier, key in zip(expected, [*out, *back], strict=True):
            assert screen.distances.overlay.frontier == frontier
            reached, edge = frontier_of(distances, frontier)
            assert tinted(screen, Tint.FRONTIER) == edge - {MONSTER}  # whose tint is its own
            drawn = paint(screen)
            for row, col, _ in cells_of(distances):
                is_marked = drawn[row].meanings[col] in (Meaning.PATH, Meaning.ROCK_NOTE)
                assert is_marked == ((row, col) in reached - {(1, 1), MONSTER})
                assert is_marked or drawn[row].glyphs[col] == plain[row][col]
            assert f"The frontier is {frontier} away, paused." in words(str(screen.panel.render()))
            await pilot.press(key)
        await pilot.press("O")
        assert screen.distances.overlay.frontier is None
        assert tinted(screen, Tint.FRONTIER) == set()
        assert screen.distances.overlay.computed == 1


async def test_the_frontier_comes_to_the_farthest_cell_by_itself(tmp_path: Path) -> None:
    async with crawling(tmp_path, ("o----",)) as (pilot, screen):
        await pilot.press("O")
        assert screen.distances.overlay.style is OverlayStyle.DIGITS
        await wait_until(pilot, lambda: "O ends it" in last_message(screen))  # once the distances are there
        await pilot.press(*["right_curly_bracket"] * len(SPEEDS))
        assert last_message(screen) == f"{SPEEDS[-1]} steps a second."
        await wait_until(pilot, lambda: screen.distances.overlay.frontier == 4)
        assert not screen.distances.overlay.is_running
        assert tinted(screen, Tint.FRONTIER) == {(0, 4)}
        assert lines(screen) == ["o1234"]
        await pilot.press("O")
        assert lines(screen) == ["o1234"]


async def test_the_frontier_waits_for_its_distances(tmp_path: Path, gate: Gate) -> None:
    async with crawling(tmp_path, ("o----",)) as (pilot, screen):
        gate.shut()
        await pilot.press("O")
        await wait_until(pilot, lambda: gate.begun)
        screen.distances._grow(1)
        assert screen.distances.overlay.is_running
        assert screen.distances.overlay.frontier == 0
        gate.open()
        await wait_until(pilot, lambda: screen.distances.overlay.frontier == 4)
        assert len(gate.begun) == 1


@pytest.mark.parametrize(
    "game", [lambda path: crawling(path, ("o----",)), lambda path: delving()], ids=["crawler", "delve"]
)
async def test_the_speed_has_two_ends(tmp_path: Path, game: Callable[[Path], Opened]) -> None:
    async with game(tmp_path) as (pilot, screen):
        await pilot.press("O")
        said = "It grows: p pauses, [ ] step, { } change the speed, O ends it."
        await wait_until(pilot, lambda: last_message(screen) == said)
        for slower, faster in (("left_curly_bracket", "right_curly_bracket"), ("comma", "semicolon")):
            await pilot.press(*[slower] * (len(SPEEDS) + 1))
            assert last_message(screen) == "1 step a second."
            await pilot.press(*[faster] * (len(SPEEDS) + 1))
            assert last_message(screen) == f"{SPEEDS[-1]} steps a second."


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("p", "This is the last turn."),
        ("left_square_bracket", "This is the first turn."),
        ("right_square_bracket", "This is the last turn."),
    ],
)
async def test_where_no_distances_grow_the_keys_are_for_the_turns(tmp_path: Path, key: str, said: str) -> None:
    async with crawling(tmp_path, ("o----",)) as (pilot, screen):
        await pilot.press("o")
        await computed(pilot, screen, 1)
        await pilot.press(key)
        await wait_until(pilot, lambda: last_message(screen) == said)
        assert screen.distances.overlay.frontier is None


# -- by themselves

STYLE = st.sampled_from(STYLES)
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
        assert (cells.meanings[index] != meaning) == is_drawn
        if not is_reached:
            assert cells.tints[index] in (Tint.NONE, Tint.FOE)
        elif style is OverlayStyle.HEAT or distance == frontier:
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


def test_rock_and_floor_stay_different_ground() -> None:
    cells = Row(0, "....", bytes([Meaning.FLOOR, Meaning.WALL, Meaning.REMEMBERED, Meaning.REMEMBERED_WALL]))
    DistanceLayer(field_of([1, 2, 3, 4]), OverlayStyle.DIGITS, UNICODE).paint(0, cells)
    assert "".join(cells.glyphs) == "1234"
    assert list(cells.meanings) == [Meaning.PATH, Meaning.ROCK_NOTE, Meaning.PATH, Meaning.ROCK_NOTE]


def test_arrows_that_are_not_there_yet_are_not_drawn() -> None:
    field = DistanceField("walking", np.array([[0, 1]], np.int32), None, UNREACHED, 1)
    cells = Row(0, "..", bytes([Meaning.FLOOR] * 2))
    DistanceLayer(field, OverlayStyle.ARROWS, ASCII).paint(0, cells)
    assert cells.glyphs == [".", "."]


def test_the_overlay_says_what_it_needs() -> None:
    overlay = Overlay(("walking", "tunnelling"), UNICODE)
    assert (overlay.needs("here"), overlay.layer(), overlay.legend(), overlay.at(0, 0)) == (False, None, "", None)
    overlay.cycle()
    assert overlay.needs("here")
    assert overlay.legend().endswith("Computing ...")
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
    overlay.forget()
    assert overlay.needs("here")
    assert overlay.layer() is None


def test_steps_are_asked_for_only_where_arrows_are_shown() -> None:
    overlay = Overlay(("walking",), UNICODE)
    overlay.cycle()
    overlay.take(DistanceField("walking", np.zeros((1, 1), np.int32), None, UNREACHED, 0), "here")
    for style in STYLES:
        assert overlay.style is style
        assert overlay.needs("here") == overlay.has_arrows == (style is OverlayStyle.ARROWS)
        overlay.cycle()
    assert not overlay.needs("here")


def test_another_style_ends_the_frontier() -> None:
    overlay = Overlay(("walking",), UNICODE)
    overlay.start()
    overlay.advance(1)  # nothing to grow over yet
    assert (overlay.frontier, overlay.is_running) == (0, True)
    overlay.take(field_of([0, 1, 2, 3]), "here")
    for steps, frontier, is_running in ((2, 2, True), (-9, 0, True), (9, 3, False), (-1, 2, False)):
        overlay.advance(steps)
        assert (overlay.frontier, overlay.is_running) == (frontier, is_running)
    assert overlay.legend().endswith("The frontier is 2 away, paused.")
    overlay.cycle()
    assert overlay.frontier is None
    overlay.advance(1)
    assert overlay.frontier is None
