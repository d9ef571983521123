"""The crawler on screen: its words, its dialogues, the flash of a doubling."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.core.adventure import Doubled
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.words import sentences
from dungeon_tui.games.crawler import GAME
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.level import TILE_NAMES
from dungeon_tui.games.crawler.model.rules import threats
from dungeon_tui.games.crawler.view import words as words_of
from dungeon_tui.games.crawler.view.advice import preview as crawler_preview
from dungeon_tui.games.crawler.view.picture import MEANINGS, sight_layer
from dungeon_tui.games.crawler.view.screen import CrawlerView
from dungeon_tui.ui.glyphs import ASCII, UNICODE
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.dialogs import Pause
from tests.games.crawler.pictures import dungeon_of
from tests.ui import driving as ui

TRAP = ("$o--M", "-----")
DOUBLING = ("o@?", "--+")


def panel(screen: PlayScreen) -> str:
    return ui.words(str(screen.panel.render()))


async def die(pilot: Pilot[Any]) -> None:
    await pilot.press("left", "right", "right")
    await ui.dialogue(pilot)


async def test_death_offers_undo_and_a_restart_and_lets_one_leave_without_another_question(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, TRAP)) as (pilot, screen):
        await die(pilot)
        await ui.sees(pilot, "⌫ Undo")
        row, col = ui.position(screen)  # the killer's
        assert ui.glyphs(screen)[row][col] == "M"
        assert ui.tinted(screen, Tint.DANGER) == {(row, col)}
        assert "@" not in "".join(ui.glyphs(screen))
        question = pilot.app.screen
        await pilot.press("x", "left", "space", "?", "g", *"wasdhjkl.eyun123456789")
        assert pilot.app.screen is question
        assert screen.controller.turn.ply == 3
        await pilot.press("backspace")
        assert pilot.app.screen is screen
        assert (screen.controller.turn.ply, screen.controller.outcome) == (2, None)
        await pilot.press("ctrl+y")  # redoing the end asks again; here someone looks at it first
        await ui.dialogue(pilot)
        pilot.app.pop_screen()
        await pilot.press("right")
        await pilot.click("#map", (40, 10))
        assert screen.controller.turn.ply == 3
        await pilot.press("ctrl+z", "ctrl+y")
        await ui.dialogue(pilot)
        await pilot.press("r")
        assert pilot.app.screen is screen
        assert ui.position(screen) == (0, 1)
        assert screen.controller.state.treasure == 0
        await die(pilot)
        await pilot.press("q")
        await ui.wait_until(pilot, lambda: not pilot.app.is_running)
        assert pilot.app.return_code == 0


async def test_a_doubled_level_grows_and_shines_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, DOUBLING), animated=True) as (pilot, screen):
        flashes: list[set[tuple[int, int]]] = []
        show = screen.map.show

        def watched(*arguments: Any, **named: Any) -> None:
            show(*arguments, **named)
            flashes.append(ui.tinted(screen, Tint.FRESH))

        monkeypatch.setattr(screen.map, "show", watched)
        await pilot.press("right")
        await ui.wait_until(pilot, lambda: len(flashes) > 1 and not flashes[-1])
        new = {(row, col) for row in range(4) for col in range(6) if row >= 2 or col >= 3}
        assert flashes[-2] == new
        assert all(before <= after for before, after in pairwise(flashes[:-1]))
        assert [ui.last_message(screen)] == sentences(words_of.EVENTS, Doubled(4, 6), screen.controller.state)
        count = len(flashes)
        await pilot.press("left")
        assert flashes[count:] == [set()]


async def test_a_lesson_tells_its_text_and_shows_lines_of_sight_by_itself(tmp_path: Path) -> None:
    sidecar = 'lesson = true\n[[levels]]\ntext = "Mind it."\n[[levels]]\ntext = "Go on: {stay} waits."\n'
    name = ui.write_dungeon(tmp_path, ("o?--M",), ("o--?",), sidecar=sidecar)
    async with ui.playing(name) as (pilot, screen):
        assert "Mind it." in screen.messages.texts
        assert ui.tinted(screen, Tint.SIGHT) == {(0, 1), (0, 2), (0, 3), (0, 4)}
        await pilot.press("d")
        assert [text.startswith("Level ") for text in screen.messages.texts[-2:]] == [True, False]
        assert screen.messages.texts[-1] == "Go on: e waits."


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


def test_every_tile_has_its_own_meaning_and_glyph() -> None:
    assert set(MEANINGS) == set(TILE_NAMES)
    assert len({*MEANINGS.values(), Meaning.YOU}) == len(TILE_NAMES) + 1
    for drawn in (UNICODE, ASCII):
        legend = CrawlerView(GAME, drawn).legend(rules.start(dungeon_of("@o")))
        assert len({glyph for glyph, _ in legend}) == len(legend) == len(TILE_NAMES) + 2


async def test_what_is_about_to_be_broken_is_marked_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, ("o----?M", "-------"), ("o$!",))) as (pilot, screen):
        state = screen.controller.state
        (threat,) = (words_of.threat_text(state, each) for each in threats(state))
        assert threat in screen.messages.texts
        assert ui.tinted(screen, Tint.WORN) == {(0, 5)}
        await pilot.press("down")
        assert ui.tinted(screen, Tint.WORN) == {(0, 5)}  # a step back would do it
        state = screen.controller.state
        (other,) = (words_of.threat_text(state, each) for each in threats(state))
        assert other in screen.messages.texts
        assert threat != other
        await pilot.press("right", "right", "right", "right", "right", "up")
        assert screen.controller.state.number == 2
        assert ui.tinted(screen, Tint.WORN) == set()
        with monkeypatch.context() as still:
            still.setattr(Pause, "clock", lambda *_: 0.0)
            await pilot.press("right")  # at once: it was meant for the level before
        assert ui.position(screen) == (0, 0)


BESIDE = ("o-?", "-@+", "$-M")


async def test_beside_an_amulet_one_sees_the_level_doubled(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, BESIDE)) as (pilot, screen):
        assert ui.glyphs(screen) == ["@·∩", '·"░', "$·M"]
        await pilot.press("right")
        assert ui.glyphs(screen) == ["·@∩··∩", '·"░··░', "$·M$·M", "··∩··∩", "··░··░", "$·M$·M"]
        shown = crawler_preview.preview(screen.controller.state)
        assert ui.last_message(screen).startswith(shown.text)
        dim = (Meaning.REMEMBERED, Meaning.REMEMBERED_WALL)
        ghosts = {
            (at, col) for at, row in enumerate(ui.paint(screen)) for col, each in enumerate(row.meanings) if each in dim
        }
        assert ghosts == {(row, col) for row in range(6) for col in range(6) if row > 2 or col > 2}
        assert screen.controller.state.board.height == 3
        await ui.do(pilot, "travel", *4 * ["right"], "down", "down")
        assert screen.view.guide.cell_text(screen.controller.state, Cell(2, 5)) in panel(screen)
        await pilot.press("escape", "g", *3 * ["right"], "enter")  # it can be read, but not walked to
        await ui.wait_until(
            pilot, lambda: ui.last_message(screen) == screen.view.guide.route(screen.controller.state, Cell(0, 4))
        )
        assert ui.position(screen) == (0, 1)
        await pilot.press("left")
        assert ui.glyphs(screen) == ["@·∩", '·"░', "$·M"]


async def test_monsters_of_the_copies_that_would_see_one_are_marked(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, ("---o-", "-M+@-"))) as (_, screen):
        assert ui.glyphs(screen)[:2] == ["···@······", '·M░"·─M░··']
        assert ui.tinted(screen, Tint.SIGHT) == {(1, 5), (1, 6)}
        assert ui.paint(screen)[1].meanings[6] == Meaning.FOE
        shown = crawler_preview.preview(screen.controller.state)
        assert len(shown.seers) == 1
        assert shown.text in screen.messages.texts


@pytest.mark.parametrize(
    ("rows", "limit", "text"),
    [
        (("o@M", "---"), 99, "deadly"),
        (("o@-", "--+"), 23, "limit of 23"),
        (("o-@-", "@-+-", "----"), 99, "8 wide, 6 high, too large"),
    ],
)
def test_an_amulet_that_brings_nothing_to_be_shown_is_reported(
    monkeypatch: pytest.MonkeyPatch, rows: tuple[str, ...], limit: int, text: str
) -> None:
    monkeypatch.setattr(crawler_preview, "MOST_CELLS", 24)
    shown = crawler_preview.preview(rules.start(dungeon_of(" ".join(rows), cell_limit=limit)))
    assert shown.after is None
    assert text in shown.text
