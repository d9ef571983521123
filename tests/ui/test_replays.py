"""Recordings saved from the screen, found in the menu, replayed and taken over; told apart where they are broken."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dungeon_tui.core.catalogue import Opening, find_game
from dungeon_tui.storage.recordings import folder, load, saved
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.play.overlay import SPEEDS
from tests.ui.driving import (
    begun,
    dialogue,
    kept,
    last_message,
    playing,
    sees,
    shown,
    wait_until,
    words,
    write_dungeon,
)

ROOM = ("-----", "-----", "--o-$", "-----", "----!")
GOLDEN = sorted((Path(__file__).parents[1] / "recordings").glob("*.jsonl"))


def replaying(path: Path, game: str) -> DungeonApp:
    app = DungeonApp(find_game(game), Opening("replayed", partial(load, path, game)))
    app.animation_level = "none"
    return app


async def saved_game(tmp_path: Path, *keys: str) -> Path:
    """Plays the keys in the room, and saves."""
    async with playing(write_dungeon(tmp_path, ROOM)) as (pilot, _):
        await pilot.press(*keys, "ctrl+s")
        (found,) = saved()
    return found.path


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
async def test_every_golden_recording_is_replayed_to_its_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dungeon_tui.ui.play.seats.SPEEDS", (1_000_000,) * len(SPEEDS))
    game = path.name.partition("-")[0]
    app = replaying(path, game)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await begun(pilot)
        last = len(screen.session.line) - 1
        assert screen.controller.turn.ply == 0
        assert screen.session.trouble == ""
        await sees(pilot, f"Turn 0 of {last}")
        screen.seats.pace = len(SPEEDS) - 1
        await pilot.press("p")
        await wait_until(pilot, lambda: screen.controller.turn.ply == last and not screen.seats.is_playing)
        assert app.screen is screen  # no dialogue
        assert screen.controller.outcome is not None
        reason = screen.controller.outcome.reason
        assert [reason in text for text in screen.messages.texts].count(True) == 1  # by the story, or after it
        await pilot.press("left_square_bracket")
        await sees(pilot, f"Turn {last - 1} of {last}")
        await pilot.press("q")
        await wait_until(pilot, lambda: not app._running)


async def test_what_lies_ahead_is_not_saved_and_that_is_said(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ROOM)) as (pilot, screen):
        await pilot.press("right", "up", "left_square_bracket", "ctrl+s")
        assert last_message(screen).endswith(str(saved()[0].path.parent))
        assert [each.turns for each in saved()] == [1]


async def test_a_game_that_is_over_can_be_saved_and_is_kept(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o$!",))) as (pilot, _):
        await pilot.press("right", "right")
        await dialogue(pilot)
        await pilot.press("o", "ctrl+s", "left_square_bracket", "q")
        await wait_until(pilot, lambda: not pilot.app._running)
        assert [(each.outcome, each.turns) for each in saved()] == [("escaped", 2)]
    assert kept() == [(1, "")]  # it was left looking back


async def test_what_can_not_be_saved_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    folder().parent.mkdir(parents=True)
    folder().write_text("in the way")
    async with playing(write_dungeon(tmp_path, ROOM)) as (pilot, screen):
        await pilot.press("right", "ctrl+s")
        assert "file exists" in last_message(screen)
    assert folder().read_text() == "in the way"


# -- what does not come out as it was recorded


async def test_a_recording_that_diverges_is_shown_up_to_there(tmp_path: Path) -> None:
    path = await saved_game(tmp_path, "right", "right", "down", "left")
    lines = path.read_text().splitlines()
    lines[3] = json.dumps({"action": "x"})
    path.write_text("\n".join(lines) + "\n")
    app = replaying(path, "crawler")
    trouble = "It goes another way at turn 3: 'x' is not an action of crawler (line 4 of the file)."
    async with app.run_test(size=(140, 40)) as pilot:
        screen = await begun(pilot)
        assert screen.session.trouble == trouble
        await sees(pilot, trouble)
        await sees(pilot, "Turn 0 of 2")
        await pilot.press("right_square_bracket", "right_square_bracket", *6 * ["slash"], "v", "x", "i", "escape")
        assert words(trouble) in words(shown(app))  # it stays


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: [*lines[:2], "{oops", *lines[3:]], ":3:2: "),
        (lambda lines: [lines[0].replace('"game": "crawler"', '"game": "delve"'), *lines[1:]], "a recording of delve"),
    ],
)
async def test_what_can_not_be_replayed_ends_the_app_in_one_line(tmp_path: Path, change: Any, said: str) -> None:
    path = await saved_game(tmp_path, "right", "right", "down")
    path.write_text("\n".join(change(path.read_text().splitlines())) + "\n")
    app = replaying(path, "crawler")
    async with app.run_test() as pilot:
        await wait_until(pilot, lambda: not app._running)
    assert app.return_code == 1
    assert said in str(app.return_value)
    assert str(app.return_value).startswith(f"{path}:")
    assert "\n" not in str(app.return_value)
