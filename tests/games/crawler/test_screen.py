"""The crawler on screen: its words, its dialogues, the flash of a doubling."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Offset
from textual.pilot import Pilot

from dungeon_tui.core import stopwatch
from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler import GAME
from dungeon_tui.games.crawler.ai.par import Par, Point
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.level import TILE_NAMES
from dungeon_tui.games.crawler.model.rules import threats
from dungeon_tui.games.crawler.model.state import DoorTaken, Doubled
from dungeon_tui.games.crawler.view import words as words_of
from dungeon_tui.games.crawler.view.advice import preview as crawler_preview
from dungeon_tui.games.crawler.view.picture import MEANINGS, sight_layer
from dungeon_tui.games.crawler.view.screen import CrawlerView, ended, route
from dungeon_tui.ui.glyphs import ASCII, UNICODE
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import HEATS, Meaning, Tint
from dungeon_tui.ui.play import screen as play_screen
from dungeon_tui.ui.play.features import DANGER, SIGHT, ToggledLayer
from dungeon_tui.ui.play.screen import PlayScreen
from tests.games.crawler.pictures import dungeon_of
from tests.ui.driving import (
    dialogue,
    glyphs,
    last_message,
    paint,
    playing,
    position,
    sees,
    tinted,
    wait_until,
    words,
    write_dungeon,
)
from tests.wording import numbers

TRAP = ("$o--M", "-----")
DOUBLING = ("o@-", "--+")


def said(screen: PlayScreen) -> list[str]:
    """The messages, whether or not it takes a moment to find out until when a lost game could have been won."""
    return [text for text in screen.messages.texts if text != play_screen.THINKING]


def panel(screen: PlayScreen) -> str:
    return words(str(screen.panel.render()))


# -- how it ends


async def die(pilot: Pilot[Any]) -> None:
    await pilot.press("left", "right", "right")
    await dialogue(pilot)


async def test_death_offers_undo_and_a_restart_and_lets_one_leave_without_another_question(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, TRAP)) as (pilot, screen):
        await die(pilot)
        await sees(pilot, "⌫ Undo c Curve q Leave r Again L Learn o, Enter Look back")
        row, col = position(screen)  # the killer's
        assert glyphs(screen)[row][col] == "M"
        assert tinted(screen, Tint.DANGER) == {(row, col)}
        assert "@" not in "".join(glyphs(screen))
        question = pilot.app.screen
        await pilot.press("x", "left", "space", "?", "g", *"wasdhjkl.eyun123456789")
        assert pilot.app.screen is question
        assert screen.controller.turn.ply == 3
        await pilot.press("backspace")
        assert pilot.app.screen is screen
        assert (screen.controller.turn.ply, screen.controller.outcome) == (2, None)
        await pilot.press("ctrl+y")  # redoing the end asks again; here someone looks at it first
        await dialogue(pilot)
        pilot.app.pop_screen()
        await pilot.press("right")
        await pilot.click("#map", (40, 10))
        assert screen.controller.turn.ply == 3
        await pilot.press("ctrl+z", "ctrl+y")
        await dialogue(pilot)
        await pilot.press("r")
        assert pilot.app.screen is screen
        assert position(screen) == (0, 1)
        assert screen.controller.state.treasure == 0
        await die(pilot)
        await pilot.press("q")
        await wait_until(pilot, lambda: not pilot.app._running)
        assert pilot.app.return_code == 0


async def test_escaping_tells_treasure_moves_time_and_what_was_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(stopwatch, "monotonic", lambda: now[0])
    name = write_dungeon(tmp_path, ("o$$?$",), ("$o$!",))
    async with playing(name) as (pilot, screen):
        now[0] += 125.9
        await pilot.press("right", "right", "right")
        assert screen.controller.state.number == 2
        (door,) = words_of.sentences(DoorTaken(1), screen.controller.level)
        assert door in screen.messages.texts
        assert last_message(screen) == "Level 2."
        await pilot.press("right", "right")
        await dialogue(pilot)
        par = Par("", (Point(1, 3, 3, 0, ()), Point(3, 5, 5, 0, ())), False)
        for text in ended(screen.controller.state, rules.outcome(screen.controller.state), 125.9, par):
            await sees(pilot, words(text))
        await sees(pilot, "2 min 5 s. 5 moves, par 5")
        await sees(pilot, "⌫ Undo c Curve q Leave r Again L Learn o, Enter Look back")
        await pilot.press("r")  # the level, not the game
        assert screen.controller.state.number == 2
        assert screen.controller.state.treasure == 2
        await pilot.press("left", "right", "right", "right")
        await dialogue(pilot)
        await pilot.press("q")
        await wait_until(pilot, lambda: not pilot.app._running)
        assert pilot.app.return_code == 0


async def test_a_door_to_a_level_that_is_broken(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ("o?",))
    (tmp_path / "made2.txt").write_text("2 2 0 0 --[red]")
    async with playing(name, (80, 24)) as (pilot, _):
        await sees(pilot, "Level 1 of 2")
        await pilot.press("right")
        await dialogue(pilot)
        await sees(pilot, "'['")


# -- doubling


async def test_a_doubled_level_grows_and_shines_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing(write_dungeon(tmp_path, DOUBLING), animated=True) as (pilot, screen):
        flashes: list[set[tuple[int, int]]] = []
        show = screen.map.show

        def watched(*arguments: Any, **named: Any) -> None:
            show(*arguments, **named)
            flashes.append(tinted(screen, Tint.FRESH))

        monkeypatch.setattr(screen.map, "show", watched)
        await pilot.press("right")
        await wait_until(pilot, lambda: len(flashes) > 1 and not flashes[-1])
        new = {(row, col) for row in range(4) for col in range(6) if row >= 2 or col >= 3}
        assert flashes[-2] == new
        assert all(before <= after for before, after in pairwise(flashes[:-1]))
        assert [last_message(screen)] == [*words_of.sentences(Doubled(4, 6), screen.controller.level)]
        count = len(flashes)
        await pilot.press("left")
        assert flashes[count:] == [set()]


async def test_a_door_opens_before_the_next_level_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing(write_dungeon(tmp_path, ("o?",), ("-o-",)), animated=True) as (pilot, screen):
        frames: list[str] = []
        show = screen.map.show

        def watched(*arguments: Any, **named: Any) -> None:
            show(*arguments, **named)
            row = arguments[0].row(0, 0, arguments[0].width)
            for layer in arguments[2]:
                layer.paint(0, row)
            frames.append("".join(row.glyphs))

        monkeypatch.setattr(screen.map, "show", watched)
        await pilot.press("right")
        assert screen.controller.state.number == 2  # nothing waits for the picture
        await wait_until(pilot, lambda: not screen.motion.is_on)
        assert [*dict.fromkeys(frames)] == ["@'", "·@", "·@·"]
        frames.clear()
        await pilot.press("left")
        assert frames == ["@··"]


async def test_heat_spreads_for_a_moment(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o" + 40 * "-",)), animated=True) as (pilot, screen):
        await pilot.press("o")
        await wait_until(pilot, lambda: screen.distances.layer() is not None)
        await pilot.press("o", "o")
        assert 0 < len(warm(screen)) < 41
        await wait_until(pilot, lambda: len(warm(screen)) == 41)


def warm(screen: PlayScreen) -> list[int]:
    """The tints of the cells that heat or its frontier colours."""
    return [tint for row in paint(screen) for tint in row.tints if tint in (Tint.FRONTIER, *HEAT_TINTS)]


HEAT_TINTS = range(Tint.HEAT_0, Tint.HEAT_0 + HEATS)


async def test_nothing_flashes_where_animations_are_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing(write_dungeon(tmp_path, DOUBLING)) as (pilot, screen):
        monkeypatch.setattr(screen, "set_interval", lambda *_, **__: pytest.fail("a timer was set"))
        await pilot.press("right")
        assert tinted(screen, Tint.FRESH) == set()
        assert glyphs(screen) == ["·@····", "··░··░", "······", "··░··░"]
        await pilot.press("D", "backspace")
        assert glyphs(screen) == ['@"·', "··░"]
        await sees(pilot, "Map 2 x 3")


async def test_a_lesson_tells_its_text_and_shows_lines_of_sight_unasked(tmp_path: Path) -> None:
    sidecar = 'lesson = true\n[[levels]]\ntext = "Mind it."\n[[levels]]\ntext = "Go on: {stay} waits."\n'
    name = write_dungeon(tmp_path, ("o?--M",), ("o--?",), sidecar=sidecar)
    async with playing(name) as (pilot, screen):
        assert screen.messages.texts[-1] == "Mind it."
        assert tinted(screen, Tint.SIGHT) == {(0, 1), (0, 2), (0, 3), (0, 4)}
        await pilot.press("d")
        assert [text.startswith("Level ") for text in screen.messages.texts[-2:]] == [True, False]
        assert screen.messages.texts[-1] == "Go on: e waits."


# -- layers


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        (("--M--", "o-$-M", "-+---"), ["--M--", "o─$─M", "-+---"]),
        (("M-", "--", "o-", "--", "M-"), ["M-", "│-", "o-", "│-", "M-"]),
        (("o-+M",), ["o-+M"]),
    ],
)
def test_lines_of_sight_are_drawn_over_floor(rows: tuple[str, ...], shown: list[str]) -> None:
    layer = sight_layer(rules.start(dungeon_of(" ".join(rows))), UNICODE)
    painted = [Row(0, text, bytes(len(text))) for text in rows]
    for number, row in enumerate(painted):
        layer.paint(number, row)
    assert ["".join(row.glyphs) for row in painted] == shown


async def test_lines_of_sight_and_danger_are_marked_while_they_are_on(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o---M", "-----"))) as (pilot, screen):
        await pilot.press("v")
        assert tinted(screen, Tint.SIGHT) == {(0, 1), (0, 2), (0, 3), (0, 4)}
        assert glyphs(screen)[0] == "@───M"
        layers = [each for each in screen.view.features if isinstance(each, ToggledLayer)]
        note, danger = (words(each.note()) for each in layers if each.key in (SIGHT, DANGER))
        assert note in panel(screen)
        await pilot.press("v", "x")
        assert tinted(screen, Tint.SIGHT) == tinted(screen, Tint.DANGER) == set()
        await pilot.press("right")
        assert tinted(screen, Tint.DANGER) == {(0, 2)}
        assert glyphs(screen)[0] == "·@×M·"
        assert danger in panel(screen)
        await pilot.press("e")
        assert tinted(screen, Tint.DANGER) == {(0, 1)}  # staying, but not walking away
        assert glyphs(screen)[0] == "·@M··"
        await pilot.press("x")
        assert tinted(screen, Tint.DANGER) == set()
        assert danger not in panel(screen)


# -- words


async def test_the_panel_tells_how_it_stands(tmp_path: Path) -> None:
    sidecar = 'title = "Caves"\nauthor = "Ann"\n[[levels]]\nname = "Down"\n[[levels]]\nname = "Out"\nauthor = "Ben"\n'
    name = write_dungeon(tmp_path, ("o?",), ("-o",), sidecar=sidecar)
    async with playing(name) as (pilot, screen):
        text = panel(screen)
        assert re.findall("Caves|Down|Out|Ann|Ben", text) == ["Caves", "Down", "Ann"]
        assert numbers(text) == [1, 2, 0, 0, 1, 1, 1, 2]  # level, treasure, moves, place, size
        await pilot.press("right")
        text = panel(screen)
        assert re.findall("Caves|Down|Out|Ann|Ben", text) == ["Caves", "Out", "Ben"]
        assert numbers(text)[:4] == [2, 2, 0, 1]
        assert last_message(screen) == "Level 2: Out."


def test_every_tile_has_its_own_meaning_and_glyph() -> None:
    assert set(MEANINGS) == set(TILE_NAMES)
    assert len({*MEANINGS.values(), Meaning.YOU}) == len(TILE_NAMES) + 1
    for drawn in (UNICODE, ASCII):
        legend = CrawlerView(GAME, drawn).legend()
        assert len({glyph for glyph, _ in legend}) == len(legend) == len(TILE_NAMES) + 1


# -- what is threatened


async def test_what_is_about_to_be_broken_is_marked_and_told(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o----?M", "-------"), ("o$!",))) as (pilot, screen):
        state = screen.controller.state
        (threat,) = (words_of.threat_text(state, each) for each in threats(state))
        assert last_message(screen) == threat
        assert tinted(screen, Tint.DANGER) == {(0, 5)}
        assert threat in panel(screen)
        await pilot.press("down")
        assert tinted(screen, Tint.DANGER) == {(0, 5)}  # a step back would do it
        state = screen.controller.state
        (other,) = (words_of.threat_text(state, each) for each in threats(state))
        assert other in panel(screen)
        assert last_message(screen) == threat != other  # told once
        await pilot.press("right", "right", "right", "right", "right", "up")
        assert screen.controller.state.number == 2
        assert tinted(screen, Tint.DANGER) == set()


# -- what an amulet would do

BESIDE = ("o--", "-@+", "$-M")


async def test_beside_an_amulet_one_sees_the_level_doubled(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, BESIDE)) as (pilot, screen):
        assert glyphs(screen) == ["@··", '·"░', "$·M"]
        await pilot.press("right")
        assert glyphs(screen) == ["·@····", '·"░··░', "$·M$·M", "······", "··░··░", "$·M$·M"]
        shown = crawler_preview.preview(screen.controller.state)
        assert shown is not None
        assert last_message(screen).startswith(f"{shown.text} D ")
        assert shown.text in panel(screen)
        dim = (Meaning.REMEMBERED, Meaning.REMEMBERED_WALL)
        ghosts = {
            (at, col) for at, row in enumerate(paint(screen)) for col, each in enumerate(row.meanings) if each in dim
        }
        assert ghosts == {(row, col) for row in range(6) for col in range(6) if row > 2 or col > 2}
        assert screen.controller.state.board.height == 3
        await pilot.press("i", *4 * ["right"], "down", "down")
        assert shown.cell_text(Cell(2, 5)) in panel(screen)
        await pilot.press("escape", "g", *3 * ["right"], "enter")  # it can be read, but not walked to
        await wait_until(pilot, lambda: last_message(screen) == route(screen.controller.state, Cell(0, 4)))
        assert position(screen) == (0, 1)
        await pilot.press("left")
        assert glyphs(screen) == ["@··", '·"░', "$·M"]
        assert shown.text not in panel(screen)


@pytest.mark.parametrize(("size", "zooms"), [((60, 24), ()), ((80, 24), ("minus",)), ((110, 30), ("minus", "minus"))])
async def test_the_ghosts_are_shown_whole_where_they_fit(
    tmp_path: Path, size: tuple[int, int], zooms: tuple[str, ...]
) -> None:
    async with playing(write_dungeon(tmp_path, BESIDE), size=size) as (pilot, screen):
        await pilot.press("right", *zooms)
        assert len(glyphs(screen)) == 6
        lines = [screen.map.render_line(line).text.strip() for line in range(screen.map.size.height)]
        assert [line[0] + line[-1] for line in lines if "─" in line] == ["┌┐", "└┘"]
        before = screen.map.cell_size, screen.map.cell_at(Offset(30, 8))
        await pilot.press("down")  # onto the amulet: nothing moves
        assert screen.controller.state.board.height == 6
        assert (screen.map.cell_size, screen.map.cell_at(Offset(30, 8))) == before


WIDE = ("o" + 30 * "-", "-@" + 29 * "-", "$" + 29 * "-" + "M")


async def test_where_the_ghosts_are_too_many_the_level_stays_where_it_is(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, WIDE), size=(60, 24)) as (pilot, screen):
        before = screen.map.cell_size, screen.map.region, screen.map.cell_at(Offset(30, 8))
        await pilot.press("right")
        assert len(glyphs(screen)) == 6
        assert (screen.map.cell_size, screen.map.region, screen.map.cell_at(Offset(30, 8))) == before
        width, height = screen.map.size
        assert {screen.map.render_line(line).cell_length for line in range(height)} == {width}
        screen.map.scroll_to(60, 60, animate=False, force=True, immediate=True)
        await pilot.pause()
        assert any("M│" in screen.map.render_line(line).text for line in range(height))
        assert {screen.map.render_line(line).cell_length for line in range(height)} == {width}
        await pilot.press("left")
        assert screen.map.scroll_offset == (0, 0)


async def test_who_begins_beside_an_amulet_is_told(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("-o--", "-@+-", "--@-")), size=(80, 24)) as (pilot, screen):
        told = "The amulet {} "
        await sees(pilot, told.format("below"))
        await pilot.press("e")
        assert sum(text.startswith(told.format("below")) for text in screen.messages.texts) == 1
        await pilot.press("left", "down")
        assert last_message(screen).startswith(told.format("on the right"))
        await pilot.press("down", "right")  # above is the same one, on the right another
        assert last_message(screen).startswith(told.format("above"))


async def test_monsters_of_the_copies_that_would_see_one_are_marked(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("---o-", "-M+@-"))) as (pilot, screen):
        assert glyphs(screen)[:2] == ["···@······", '·M░"·─M░··']
        assert tinted(screen, Tint.SIGHT) == {(1, 5), (1, 6)}
        assert paint(screen)[1].meanings[6] == Meaning.FOE
        shown = crawler_preview.preview(screen.controller.state)
        assert shown is not None
        assert len(shown.seers) == 1
        assert shown.text in panel(screen)
        await pilot.press("D")
        assert glyphs(screen) == ["···@·", '·M░"·']
        before = screen.messages.texts
        await pilot.press("right", "left")
        assert screen.messages.texts == before
        assert glyphs(screen) == ["···@·", '·M░"·']
        await pilot.press("D")
        assert glyphs(screen)[1] == '·M░"·─M░··'


@pytest.mark.parametrize(
    ("rows", "limit", "text"),
    [
        (("o@M", "---"), 99, "the end"),
        (("o@-", "--+"), 23, "limit of 23"),
        (("o-@-", "@-+-", "----"), 99, "6 x 8, too large"),
    ],
)
def test_an_amulet_that_brings_nothing_to_be_shown_is_told(
    monkeypatch: pytest.MonkeyPatch, rows: tuple[str, ...], limit: int, text: str
) -> None:
    monkeypatch.setattr(crawler_preview, "MOST_CELLS", 24)
    shown = crawler_preview.preview(rules.start(dungeon_of(" ".join(rows), cell_limit=limit)))
    assert shown is not None
    assert shown.after is None
    assert text in shown.text


@pytest.mark.parametrize("presses", [1, 4])
async def test_distances_stand_on_what_is_there(tmp_path: Path, presses: int) -> None:
    async with playing(write_dungeon(tmp_path, BESIDE)) as (pilot, screen):
        await pilot.press(*presses * ["o"])
        await wait_until(pilot, lambda: screen.distances.computed)
        await pilot.press("right")
        assert len(glyphs(screen)) == 6
        assert [row[3:] for row in glyphs(screen)[:3]] == ["···", "··░", "$·M"]
        await pilot.press("i", *4 * ["down"])
        assert numbers(panel(screen)[panel(screen).index("Row") :])[:2] == [5, 2]
