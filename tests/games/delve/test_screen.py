"""The delve on screen: its keys, its fog, its words, its ends."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.dungeon import read_level
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.state import Action, Status
from dungeon_tui.games.delve.view.screen import DelveView
from dungeon_tui.ui.map.view import Geometry, MapView
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.message_log import MessageLog
from dungeon_tui.ui.widgets.side_panel import SidePanel, StatusLine
from tests.games.delve.crooked import build
from tests.games.delve.drawn import state_of
from tests.processes import PATIENCE, command, environment
from tests.ui.driving import (
    Opened,
    dialogue,
    last_message,
    opened,
    paint,
    painted,
    sees,
    shown_lines,
    tinted,
    wait_until,
    words,
)

FIELD = ("...", ".@.", "...", "XXX", "0XX")  # nobody sees the player here
HOUSE = ("@..X....", "XX.X.XX.", "<X...X>.", "XXXXXXXX", "3..XXXXX")


def delving(*rows: str, speeds: tuple[int, ...] = (), **options: Any) -> Opened:
    """The app in a dungeon drawn by hand."""
    state = state_of(*rows, speeds=speeds)
    return opened("delve", state.level, state=state, **options)


def lines(screen: PlayScreen) -> list[str]:
    """Their glyphs, without the border."""
    return ["".join(row.glyphs[1:-1]) for row in paint(screen)[1:-1]]


def meaning(screen: PlayScreen, row: int, col: int) -> Meaning:
    return Meaning(paint(screen)[row].meanings[col])


def player(screen: PlayScreen) -> tuple[int, int]:
    return tuple(screen.controller.state.player)


def turns(screen: PlayScreen) -> int:
    number: int = screen.controller.state.turns
    return number


def offset_of(screen: PlayScreen, cell: Cell) -> tuple[int, int]:
    """Where a cell is painted."""
    geometry: Geometry = screen.map._geometry
    x, y = geometry.edge + cell.col * geometry.cell_cols, geometry.first_line(cell.row)
    return geometry.left + x + geometry.cell_cols // 2, geometry.top + y + geometry.cell_lines // 2


async def at_rest(pilot: Pilot[Any]) -> None:
    """All journeys are over, and all distances computed."""
    await wait_until(
        pilot, lambda: all(worker.is_finished for worker in pilot.app.workers if worker.group != "default")
    )


# -- keys

STEPS = {
    (-1, 0): ("up", "w", "k", "8"),
    (1, 0): ("down", "s", "j", "2"),
    (0, -1): ("left", "a", "h", "4"),
    (0, 1): ("right", "d", "l", "6"),
    (-1, -1): ("y", "7", "home"),
    (-1, 1): ("u", "9", "pageup"),
    (1, -1): ("b", "1", "end"),
    (1, 1): ("n", "3", "pagedown"),
}


async def test_eight_ways_by_letters_arrows_and_the_number_pad() -> None:
    async with delving(*FIELD) as (pilot, screen):
        for (rows, cols), keys in STEPS.items():
            for key in keys:
                await pilot.press(key)
                assert player(screen) == (2 + rows, 2 + cols), key
                assert turns(screen) == 1
                await pilot.press("backspace")
                assert player(screen) == (2, 2)
        for key in ("e", "full_stop", "5"):
            await pilot.press(key)
            assert (player(screen), turns(screen)) == ((2, 2), 1)
            assert last_message(screen) == "You wait."
            await pilot.press("backspace")


async def test_rock_is_no_step_and_costs_nothing() -> None:
    async with delving("X@%", " .X", "XXX", "0XX") as (pilot, screen):
        for key, said in (
            ("right", "Rock is in the way, of hardness 60."),
            ("b", "Rock is in the way, of hardness 200."),
            ("up", "Rock that nothing wears is in the way."),
        ):
            await pilot.press(key)
            assert last_message(screen) == said
        assert (player(screen), turns(screen), screen.controller.turn.ply) == ((1, 2), 0, 0)


async def test_stairs_are_taken_where_they_are() -> None:
    async with delving("@.>", "XXX", "0XX") as (pilot, screen):
        for key, way in (("greater_than_sign", "down"), ("less_than_sign", "up")):
            await pilot.press(key)
            assert last_message(screen) == f"There are no stairs {way} here."
        assert turns(screen) == 0
        await pilot.press("o")  # distances of this small dungeon
        await pilot.press("right", "right")
        assert last_message(screen) == "Stairs down: > takes them."
        await pilot.press("less_than_sign")
        assert last_message(screen) == "There are no stairs up here."
        await pilot.press("greater_than_sign")
        state = screen.controller.state
        assert (state.depth, state.turns, state.height, state.width) == (2, 3, 21, 80)
        said = screen.messages.texts
        assert "You went down to depth 2." in said
        assert f"Depth 2: {len(state.monsters)} monsters." in said
        assert screen.map._source is not None
        assert screen.map._source.width == 80
        await sees(pilot, "Depth 2")
        await pilot.press("e", "r")
        assert screen.controller.state is state  # the start of this depth, not of the game
        assert last_message(screen) == "Back at the start of the level."
        await pilot.press("r")
        assert last_message(screen) == "This is the start of the level."
        await pilot.press("backspace")
        assert (screen.controller.state.depth, player(screen)) == (1, (1, 3))


async def test_stairs_lead_up() -> None:
    async with delving("@<", "XX", "0X") as (pilot, screen):
        await pilot.press("l", "less_than_sign")
        assert screen.controller.state.depth == 1
        assert screen.controller.state.dungeons == 2
        assert "You went up to depth 1." in screen.messages.texts


# -- the fog


async def test_the_fog_hides_what_was_never_seen() -> None:
    async with delving(*HOUSE) as (pilot, screen):
        seen = screen.controller.state.seen.copy() != 0
        for row, cells in enumerate(paint(screen)):
            for col, glyph in enumerate(cells.glyphs):
                if not seen[row, col]:
                    assert (glyph, cells.meanings[col]) == (" ", Meaning.UNSEEN)
        assert not {"<", ">", "3"} & set("".join(lines(screen)))
        await pilot.press("f")
        assert last_message(screen) == "No fog: you see all."
        assert {"<", ">", "3", "@"} < set("".join(lines(screen)))
        assert Meaning.UNSEEN not in {each for row in paint(screen) for each in row.meanings}
        await pilot.press("f")
        assert last_message(screen) == "Fog of war: you see what you have seen."
        assert not {"<", ">", "3"} & set("".join(lines(screen)))
        assert turns(screen) == 0


async def test_what_was_seen_is_remembered_dimmed_and_its_monsters_are_not() -> None:
    async with delving("@......", "X.XXXXX", "X.XXXXX", "X....3X", speeds=(5,)) as (pilot, screen):
        await pilot.press("n", "j", "j")
        assert "3" in "".join(lines(screen))
        assert meaning(screen, 1, 5) == Meaning.REMEMBERED
        assert meaning(screen, 1, 0) == Meaning.REMEMBERED_WALL
        assert meaning(screen, 4, 3) == Meaning.FLOOR
        assert meaning(screen, 5, 3) == Meaning.WALL
        await pilot.press("k", "k", "u")
        monster = screen.controller.state.monsters[0]
        if not rules.visible(screen.controller.state)[monster.cell]:
            assert "3" not in "".join(lines(screen))
        assert meaning(screen, 1, 5) == Meaning.FLOOR
        assert meaning(screen, 4, 4) == Meaning.REMEMBERED


async def test_unseen_monsters_are_in_no_list() -> None:
    async with delving("@..", "XX.", "2X.", speeds=(5,), size=(120, 30)) as (pilot, screen):
        text = words(str(screen.panel.render()))
        assert "Monsters 1 left" in text
        assert "Monster 2" not in text
        await pilot.press("f")
        assert "Monster 2 speed 5, telepathic" in words(str(screen.panel.render()))


# -- exploring and travelling


async def test_exploring_ends_where_all_was_seen() -> None:
    async with delving("@..X....", "XX.X.XX.", "<X...X>.", "XXXXXXXX", "0..XXXXX") as (pilot, screen):
        await pilot.press("z")
        await at_rest(pilot)
        assert last_message(screen) == "You have seen all that can be walked to."
        assert ">" in "".join(lines(screen))
        assert turns(screen) > 5
        done = turns(screen)
        await pilot.press("z")
        await at_rest(pilot)
        assert turns(screen) == done


async def test_exploring_stops_where_a_monster_comes_into_sight() -> None:
    async with delving("@..X....", "XX.X.XX.", "<X...X..", "XXXXXXX.", "XXXXXXX.", "XXXXXXX0") as (pilot, screen):
        await pilot.press("z")
        await at_rest(pilot)
        said = "You see monster 0 (plain), speed 10 to your 10."
        assert last_message(screen) == f"{said} You stop exploring."
        assert said not in screen.messages.texts  # once is enough
        done = turns(screen)
        assert done > 0
        assert "0" in "".join(lines(screen))
        await pilot.press("z")
        await at_rest(pilot)
        assert last_message(screen) == "A monster is in sight. Not the time to explore."
        assert turns(screen) == done


async def test_a_click_travels_and_says_where_there_is_no_way() -> None:
    async with delving(*HOUSE) as (pilot, screen):
        for cell, said in (
            (Cell(1, 1), "You are there already."),
            (Cell(2, 1), "That is rock: you can't walk there."),
            (Cell(5, 1), "You have not seen that cell yet."),
        ):
            await pilot.click(MapView, offset_of(screen, cell))
            await wait_until(pilot, lambda said=said: last_message(screen) == said)
        assert turns(screen) == 0
        await pilot.press("f")
        await pilot.click(MapView, offset_of(screen, Cell(5, 1)))
        await wait_until(pilot, lambda: last_message(screen) == "No way that you know leads there.")
        await pilot.press("f")
        await pilot.click(MapView, offset_of(screen, Cell(2, 3)))
        await wait_until(pilot, lambda: player(screen) == (2, 3))
        assert turns(screen) == 2


async def test_g_and_a_glyph_travels_to_stairs() -> None:
    async with delving("@..>.", "XXX.<", "0XXXX") as (pilot, screen):
        await pilot.press("g", "greater_than_sign")
        assert screen.travel.cursor == (1, 4)
        await pilot.press("less_than_sign")
        assert screen.travel.cursor == (2, 5)
        await pilot.press("enter")
        await wait_until(pilot, lambda: player(screen) == (2, 5))
        assert screen.controller.state.depth == 1
        await pilot.press("g", "greater_than_sign", "enter")
        await wait_until(pilot, lambda: player(screen) == (1, 4))


async def test_g_knows_no_stairs_that_were_not_seen() -> None:
    async with delving(*HOUSE) as (pilot, screen):
        await pilot.press("g", "greater_than_sign")
        assert last_message(screen) == "You know of no > on this map."
        assert screen.travel.cursor == (1, 1)
        await pilot.press("tab")
        assert last_message(screen) == "There is nothing of note on this map."
        await pilot.press("escape", "f", "g", "greater_than_sign")
        assert screen.travel.cursor == (3, 7)


# -- what cells, monsters and layers are


async def test_inspecting_tells_all_there_is() -> None:
    rows = ("@.%.", "X ..", "<.3.")
    async with delving(*rows, size=(120, 30)) as (pilot, screen):
        told = {}
        await pilot.press("f", "i")
        for row in range(5):
            for col in range(6):
                screen.travel._put(Cell(row, col))
                told[row, col] = words(str(screen.panel.render())).partition("Row ")[2].partition("Monster")[0].strip()
        assert told[1, 1] == "1, column 1: you; room"
        assert told[1, 2] == "1, column 2: room; 1 away walking; 1 away tunnelling"
        assert told[1, 3] == "1, column 3: rock of hardness 60; 2 away tunnelling"
        assert told[2, 2].startswith("2, column 2: rock of hardness 200; 1 away")
        assert told[0, 0] == "0, column 0: rock that nothing wears"
        assert told[3, 1].startswith("3, column 1: stairs up; ")
        assert told[3, 3].startswith("3, column 3: monster 3 (smart, telepathic), speed 10 to your 10; room; ")
        await pilot.press("tab", "enter")
        assert last_message(screen).startswith("Row 3, column ")
        assert turns(screen) == 0
        await pilot.press("f")
        screen.travel._put(Cell(3, 3))
        seen = rules.visible(screen.controller.state)[3, 3]
        assert ("not seen yet" in str(screen.panel.render())) != seen


async def test_distances_are_told_once_and_a_turn_ends_the_reading() -> None:
    async with delving(*FIELD, size=(120, 30)) as (pilot, screen):
        await pilot.press("o")
        await at_rest(pilot)
        await pilot.hover(MapView, offset_of(screen, Cell(1, 1)))
        assert words(str(screen.panel.render())).count("away") == 2  # walking, tunnelling
        await pilot.press("right")
        assert "away" not in words(str(screen.panel.render()))


async def test_lines_of_sight_hide_nothing() -> None:
    async with delving("@.>.0", "XXXXX") as (pilot, screen):
        await pilot.press("v")
        assert last_message(screen) == "Lines of sight: shown."
        assert tinted(screen, Tint.SIGHT) == {(1, col) for col in range(1, 6)}
        assert lines(screen)[0] == "@·>·0"
        assert "mark the lines along which monsters see you" in words(str(screen.panel.render()))
        await pilot.press("v")
        assert tinted(screen, Tint.SIGHT) == set()


@pytest.mark.parametrize("rows", [("@..X", "X...", "XXX0"), ("X.@", "...", ".0X"), ("@X.", "...", "X.0")])
async def test_lines_of_sight_run_through_open_cells(rows: tuple[str, ...]) -> None:
    async with delving(*rows) as (pilot, screen):
        await pilot.press("v")
        cells = tinted(screen, Tint.SIGHT)
        assert len(cells) >= 3
        assert all(screen.controller.state.hardness[Cell(*cell)] == 0 for cell in cells)


async def test_danger_is_where_the_next_turn_is_the_last() -> None:
    async with delving("....", "@.>0", "....", speeds=(20,)) as (pilot, screen):
        await pilot.press("x")
        state = screen.controller.state
        deadly = {
            tuple(after.player)
            for after, _ in (rules.step(state, action) for action in rules.legal_actions(state))
            if after.status is Status.DIED
        }
        assert tinted(screen, Tint.DANGER) == deadly == {(1, 2), (2, 2), (3, 2)}
        assert [line[1] for line in lines(screen)] == ["×", "×", "×"]
        await pilot.press("x")
        assert tinted(screen, Tint.DANGER) == set()


async def test_danger_leaves_stairs_visible() -> None:
    async with delving("@>.0", "XXXX", speeds=(20,)) as (pilot, screen):
        await pilot.press("x")
        assert tinted(screen, Tint.DANGER) == {(1, 2)}
        assert lines(screen)[0] == "@>·0"


def test_danger_builds_no_dungeon_behind_the_stairs(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = rules.step(state_of("@>.", "XXX", "0XX"), Action.RIGHT)
    assert Action.DESCEND in rules.legal_actions(state)
    monkeypatch.setattr(rules, "generate", pytest.fail)
    game = find_game("delve")
    assert game is not None
    DelveView(game).danger_layer(state)


async def test_whoever_comes_into_sight_is_told_once() -> None:
    async with delving("@..", "XX.", "XX.", "XX8", speeds=(5,)) as (pilot, screen):
        said = "You see monster 8 (erratic), speed 5 to your 10."
        await pilot.press("right")
        assert said not in screen.messages.texts
        await pilot.press("right")
        assert last_message(screen) == said
        await pilot.press("e")
        assert screen.messages.texts.count(said) == 1


async def test_without_fog_no_one_comes_into_sight() -> None:
    async with delving("@..", "XX.", "XX.", "XX8", speeds=(5,)) as (pilot, screen):
        await pilot.press("f", "right", "right")
        assert not any(text.startswith("You see monster") for text in screen.messages.texts)


@pytest.mark.parametrize(
    ("row", "is_foggy", "is_told"), [("@ 6", True, True), ("@    6", True, False), ("@    6", False, True)]
)
async def test_broken_rock_is_told_where_it_is_seen(row: str, is_foggy: bool, is_told: bool) -> None:
    async with delving(row) as (pilot, screen):
        screen.view.fog.is_on = is_foggy
        for _ in range(3):  # 200 in turns of 85
            assert "A tunneller breaks through the rock." not in screen.messages.texts
            await pilot.press("e")
        assert screen.controller.state.hardness[Cell(1, row.index("6"))] == 0
        assert ("A tunneller breaks through the rock." in screen.messages.texts) == is_told


# -- how it ends


async def test_death_offers_undo_restart_and_leaving() -> None:
    async with delving("@.0", "...", speeds=(20,)) as (pilot, screen):
        state = screen.controller.state
        await pilot.press("e")
        await dialogue(pilot)
        await sees(pilot, "A monster stepped on you")
        await sees(pilot, "Depth 1, 1 turn, 0 monsters removed by you. 1 monster left. Undo takes the last turn back.")
        assert last_message(screen) == "Monster 0 (plain) stepped on you."
        assert "@" not in "".join(lines(screen))
        assert tinted(screen, Tint.DANGER) == {player(screen)}
        await pilot.press("backspace")
        assert pilot.app.screen is screen
        assert screen.controller.state is state
        assert lines(screen)[0][0] == "@"
        await pilot.press("e")
        await dialogue(pilot)
        await pilot.press("r")
        assert screen.controller.state is state
        assert turns(screen) == 0


async def test_the_last_monster_is_a_win() -> None:
    async with delving("@0", "..") as (pilot, screen):
        await pilot.press("right")
        await dialogue(pilot)
        await sees(pilot, "The dungeon is yours")
        await sees(pilot, "Depth 1, 1 turn, 1 monster removed by you.")
        assert screen.messages.texts[-2:] == ["You killed monster 0 (plain).", "All monsters are gone."]
        await pilot.press("backspace")
        assert screen.controller.outcome is None
        await pilot.press("right")
        await dialogue(pilot)
        await pilot.press("q")
        await wait_until(pilot, lambda: not pilot.app._running)
        assert pilot.app.return_code == 0


# -- sizes and looks


async def test_a_small_terminal_shows_the_whole_dungeon() -> None:
    async with opened("delve", generate(1), seed=1, size=(80, 24)) as (pilot, screen):
        geometry = screen.map._geometry
        assert (screen.map.size.width, screen.map.size.height) == (80, 21)
        assert (geometry.edge, geometry.cell_cols, geometry.left, geometry.top) == (0, 1, 0, 0)
        assert not screen.query_one(SidePanel).size
        assert screen.query_one(StatusLine).size.height == screen.query_one(MessageLog).size.height == 1
        await pilot.press("f")
        await painted(screen)
        text = shown_lines(pilot.app)
        assert len(text) == 24
        source = screen.map._source
        assert source is not None
        for row in range(21):
            assert text[row] == "".join(source.row(row, 0, 80).glyphs).rstrip()
        assert screen.map.scroll_offset == (0, 0)
        state = screen.controller.state
        for glyph in {"@", "<", ">", *(monster.glyph for monster in state.monsters)}:
            assert glyph in "".join(text[:21])
        assert text[21].split("  ·  ")[:2] == [" seed 1", "depth 1"]
        assert text[22] == " No fog: you see all."
        assert text[23].startswith(" ? Help   q Leave")
        await pilot.press("e")
        assert screen.map.scroll_offset == (0, 0)


async def test_at_80_columns_all_there_is_to_say_of_a_monster_can_be_read() -> None:
    rows = ("@" + "." * 20, "X" * 21, "f" + "." * 20, *(" " * 78 for _ in range(16)))
    async with delving(*rows, size=(80, 24)) as (pilot, screen):
        before = screen.map.size
        await pilot.press("f", "i", "tab")
        await painted(screen)
        bottom = " ".join(words(line) for line in shown_lines(pilot.app)[21:])
        assert "monster f (smart, telepathic, tunnelling, erratic), speed 10 to your 10; room;" in bottom
        assert "away tunnelling" in bottom
        assert screen.map.size == before
        await pilot.press("escape")
        await painted(screen)
        assert screen.query_one(StatusLine).size.height == screen.query_one(MessageLog).size.height == 1
        assert "seed" in shown_lines(pilot.app)[21] or "drawn" in shown_lines(pilot.app)[21]


@pytest.mark.parametrize(
    "keys",
    [
        ("o",),
        ("o", "o"),
        ("o", "o", "o"),
        ("t",),
        ("O", "p"),
        ("O",),
        ("v",),
        ("x",),
        ("g",),
        ("i",),
        ("slash",),
        ("f",),
        ("z",),
    ],
    ids="-".join,
)
async def test_messages_fit_a_line_of_80_columns(keys: tuple[str, ...]) -> None:
    async with opened("delve", generate(1), seed=1, size=(80, 24)) as (pilot, screen):
        await pilot.press(*keys)
        await at_rest(pilot)
        await painted(screen)
        assert shown_lines(pilot.app)[22] == f" {last_message(screen)}"


async def test_a_large_terminal_shows_the_panel() -> None:
    async with opened("delve", generate(1), seed=1, size=(200, 60)) as (pilot, screen):
        assert screen.map._geometry.edge == 1
        assert screen.query_one(SidePanel).size.width
        assert not screen.query_one(StatusLine).size
        await sees(pilot, "seed 1 Depth 1 Turns 0 Monsters 10 left In sight 0 Removed 0 by you")
        await pilot.press("f")
        await sees(pilot, "and 5 more")


async def test_the_panel_tells_of_a_cell_though_monsters_are_many() -> None:
    async with opened("delve", generate(1), seed=1, size=(110, 26)) as (pilot, _):
        await pilot.press("f", "o", "i", "tab")
        await at_rest(pilot)
        await sees(pilot, "away tunnelling")
        await sees(pilot, "Distances, walking")


async def test_a_game_with_another_seed_says_which() -> None:
    async with opened("delve", replace(generate(1), name="file"), seed=7, size=(120, 30)) as (pilot, _):
        await sees(pilot, "played with seed 7")


async def test_the_light_theme_and_ascii() -> None:
    async with opened("delve", generate(1), seed=1, ascii_only=True) as (pilot, screen):
        pilot.app.theme = "dungeon-light"
        await pilot.press("f", "o", "v", "x", "t", "O", "p", "i", "right")
        await at_rest(pilot)
        await painted(screen)
        text = "\n".join(shown_lines(pilot.app))
        assert text.isascii()
        assert "@" in text
        assert "depth" in text.lower()


async def test_a_dungeon_of_500_by_500() -> None:
    level = generate(3, 500, 500)
    async with opened("delve", level, seed=3) as (pilot, screen):
        start = player(screen)
        for action in ("left", "right", "up", "down", "y", "n"):
            await pilot.press(action)
        assert screen.controller.turn.ply >= 2
        await pilot.press("f", "t")
        await wait_until(pilot, lambda: screen.distances.overlay.computed >= 1)
        text = "\n".join(shown_lines(pilot.app))
        assert "@" in text
        assert abs(player(screen)[0] - start[0]) <= 6
        await pilot.press("r")
        assert player(screen) == start


def test_only_rows_that_differ_are_named() -> None:
    game = find_game("delve")
    assert game is not None
    view = DelveView(game)
    controller: TurnController[Any, Any, Any] = TurnController(rules, generate(5), 5)
    for is_foggy in (True, False):
        view.is_foggy = is_foggy
        for _ in range(40):
            before = controller.state
            if controller.outcome is not None:
                break
            route = view.explore(before)
            action = Action.STAY if isinstance(route, str) else route[0]
            controller.apply(action)
            after = controller.state
            rows = view.changed_rows(before, after)
            assert rows is not None
            named = set(rows)
            for row in range(21):
                was, is_now = (view.picture(state).row(row, 0, 80) for state in (before, after))
                same = (was.glyphs, was.meanings, was.tints) == (is_now.glyphs, is_now.meanings, is_now.tints)
                assert same or row in named
    assert controller.turn.ply > 10


# -- files


async def test_a_crooked_files_warnings_are_notes() -> None:
    level = read_level(LevelFile("crooked", build("S2019", rooms=[(2, 3, 4, 6), (10, 40, 5, 200), (14, 12, 3, 4)])))
    assert level.warnings
    async with opened("delve", level, size=(120, 40)) as (pilot, screen):
        notes = [text for text in screen.messages.texts if text.startswith("Note: ")]
        assert notes == [f"Note: {warning}" for warning in level.warnings]
        await sees(pilot, words(notes[-1]))


def test_a_broken_file_ends_with_one_line_and_status_1(tmp_path: Path) -> None:
    file = tmp_path / "broken"
    file.write_bytes(build("S2019")[:700])
    master, slave = pty.openpty()
    with subprocess.Popen(
        command("delve", "play", str(file)),
        stdin=slave,
        stdout=slave,
        stderr=subprocess.PIPE,
        env=environment(TERM="xterm-256color"),
    ) as process:
        os.close(slave)
        _, complaints = process.communicate(timeout=PATIENCE)
        errors = complaints.decode()
    os.close(master)
    assert process.returncode == 1
    # Textual paints on standard error; the last word comes after it has given the terminal back.
    _, left, rest = errors.rpartition("\x1b[?1049l")
    assert left
    last = re.sub(r"\x1b\[[0-9;?>=$]*[A-Za-z]", "", rest)
    assert last.count("\n") == 1
    assert "broken:1:701: " in last
    assert "Traceback" not in errors
