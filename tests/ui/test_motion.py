"""The painted map while turns move, and keys that come faster than the screens."""

import asyncio
import threading
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from textual.app import App
from textual.events import Key
from textual.geometry import Offset

from dungeon_tui.core.catalogue import Opening, find_game
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import read_level_file
from dungeon_tui.core.recording import read_recording, reexecute
from dungeon_tui.games.crawler.ai.par import read_par
from dungeon_tui.games.crawler.model.dungeon import load_dungeon
from dungeon_tui.ui.app import DungeonApp, WaitingScreen
from dungeon_tui.ui.play.screen import PlayScreen
from tests.ui.driving import (
    MANY,
    app_for,
    begun,
    dialogue,
    paint,
    painted,
    running,
    strips,
    wait_until,
    write_dungeon,
)

ROOT = Path(__file__).parents[2]
CAMPAIGNS = [*sorted(ROOT.glob("levels/crawler/*.par.jsonl")), *sorted(ROOT.glob("tests/recordings/deep-*.jsonl"))]


def press(app: App[object], keys: str) -> None:
    for key in keys:
        app.post_message(Key(key, key))


def painted_glyphs(screen: PlayScreen) -> dict[Cell, str]:
    """The glyph that the terminal shows in each cell of the map that is wholly in view."""
    found: dict[Cell, str] = {}
    lines = strips(screen)
    left, top, width, height = screen.map.content_region
    below = screen.query_one("#below").region.y  # a long log covers the lowest lines of the map
    for y in range(min(height, below - top)):
        line = lines[top + y].text
        for x in range(width):
            cell = screen.map.cell_at(Offset(x, y))
            if cell is not None:
                found[cell] = found.get(cell, "") + line[left + x]
    columns = max(map(len, found.values()), default=0)
    return {cell: max(text) for cell, text in found.items() if len(text) == columns}


def assert_shows_its_state(screen: PlayScreen) -> None:
    """Raises if the painted map is not the picture of the state."""
    turn = screen.session.turn
    rows = paint(screen, turn.state)
    shown = painted_glyphs(screen)
    assert shown
    (first_row, first_col), (last_row, last_col) = min(shown), max(shown)
    for cell, glyph in shown.items():
        is_edge = cell.row in (first_row, last_row) or cell.col in (first_col, last_col)
        points = is_edge and glyph in f"{screen.glyphs.pointers}M0123456789"  # at what is out of sight: "M8V"
        row = rows[cell.row]
        is_in_text = glyph in str(row.texts.get(cell.col, ""))  # two steps lead there
        assert points or glyph == row.glyphs[cell.col] or is_in_text, (cell, turn.ply)


def campaign(path: Path) -> tuple[str, Any, str]:
    """The game, the level and the keys of a line that wins it: of a par file, or of a recording."""
    if path.name.endswith(".par.jsonl"):
        dungeon = load_dungeon(path.name.removesuffix(".par.jsonl"), None, MANY)
        par = read_par(read_level_file(path))
        return "crawler", dungeon, "".join(par.points[-1].commands)
    recording = read_recording(read_level_file(path))
    controller, verdict = reexecute(recording)
    assert controller is not None
    assert verdict.is_ok
    return recording.game, controller.level, "".join(recording.actions)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("path", "gap"),
    [
        pytest.param(path, gap, marks=() if "tutorial" in path.name and gap < 30 else pytest.mark.slow)
        for path in CAMPAIGNS
        for gap in (0, 30, 100, 300)  # milliseconds between two keys
    ],
    ids=lambda value: value.name.partition(".")[0] if isinstance(value, Path) else None,
)
async def test_the_painted_map_is_the_picture_of_the_state_after_every_key(path: Path, gap: int) -> None:
    game, level, keys = campaign(path)
    app = DungeonApp(find_game(game), Opening("made", lambda: level), ascii_only=True)
    async with running(app, size=(80, 24), animated=True) as pilot:
        screen = await begun(pilot)
        for number, key in enumerate(keys):
            press(app, key)
            pressed = monotonic()
            await asyncio.sleep(0)
            if gap:
                await pilot.pause()
                while screen.motion.is_on and monotonic() < pressed + gap / 1000:  # when nothing moves, nothing changes
                    await asyncio.sleep(0.01)
            if gap or number % 3:  # of three keys, two arrive together
                await pilot.pause()
                await painted(screen)
                assert_shows_its_state(screen)
        await wait_until(pilot, lambda: screen.session.outcome is not None and not screen.motion.is_on)
        await dialogue(pilot)
        assert_shows_its_state(screen)


async def test_keys_typed_while_a_level_opens_are_dropped(tmp_path: Path) -> None:
    name, is_read = write_dungeon(tmp_path, ("o-!", "---", "--@")), threading.Event()

    def slow() -> object:
        assert is_read.wait(10)
        return load_dungeon(name, None, 100)

    app = DungeonApp(find_game("crawler"), Opening(name, slow))
    async with running(app, size=(80, 24), animated=True) as pilot:
        press(app, "ds")
        await wait_until(pilot, lambda: isinstance(app.screen, WaitingScreen))
        press(app, "d")
        await pilot.press("ctrl+p")
        assert isinstance(app.screen, WaitingScreen)  # no palette that the level would cover
        is_read.set()
        await wait_until(pilot, lambda: isinstance(app.screen, PlayScreen))
        screen = await begun(pilot)
        await pilot.press("s")
        await wait_until(pilot, lambda: screen.session.turn.parent is not None)
        assert [turn.action.name for turn in screen.session.turn.line()[1:]] == ["DOWN"]
        assert not any(isinstance(each, WaitingScreen) for each in app.screen_stack)


async def test_a_restart_clears_the_messages_of_the_try_before(tmp_path: Path) -> None:
    app = app_for(write_dungeon(tmp_path, ("o$!", "---", "--@")))
    async with running(app, size=(80, 24), animated=True) as pilot:
        screen = await begun(pilot)
        greeting = screen.messages.texts
        await pilot.press("d", "w")
        await pilot.press("r")
        assert screen.messages.texts[:-1] == greeting
