"""Recordings saved from the screen, replayed and taken over; told apart where they are broken."""

import json
from functools import partial
from pathlib import Path

import pytest

from dungeon_tui.core.catalogue import Opening, find_game
from dungeon_tui.storage.recordings import folder, load
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.play.overlay import SPEEDS
from tests.ui.driving import begun, do, last_message, playing, running, sees, shown, wait_until, words, write_dungeon

ROOM = ("-----", "-----", "--o-$", "-----", "----!")
GOLDEN = sorted((Path(__file__).parents[1] / "recordings").glob("*.jsonl"))
SHORT = {"chase-open-room-captured", "rescue-classic-saved"}


def replaying(path: Path, game: str) -> DungeonApp:
    return DungeonApp(find_game(game), Opening("replayed", partial(load, path, game)))


async def saved_game(tmp_path: Path, *keys: str) -> Path:
    """Plays the keys in the room, and saves."""
    async with playing(write_dungeon(tmp_path, ROOM)) as (pilot, _):
        await pilot.press(*keys, "ctrl+s")
        (found,) = folder().iterdir()
    return found


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=[pytest.mark.slow] * (path.stem not in SHORT)) for path in GOLDEN]
)
async def test_every_golden_recording_is_replayed_to_its_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dungeon_tui.ui.play.seats.SPEEDS", (1_000_000,) * len(SPEEDS))
    game = path.name.partition("-")[0]
    app = replaying(path, game)
    async with running(app, size=(120, 40)) as pilot:
        screen = await begun(pilot)
        last = len(screen.session.line) - 1
        assert screen.controller.turn.ply == 0
        assert screen.session.trouble == ""
        await sees(pilot, screen.replay.position())
        screen.seats.pace = len(SPEEDS) - 1
        await pilot.press("p")
        await wait_until(pilot, lambda: screen.controller.turn.ply == last and not screen.seats.is_playing)
        assert app.screen is screen  # no dialogue
        end = screen.view.end_text(screen.session.state, screen.controller.outcome)
        assert [end in text for text in screen.messages.texts].count(True) == 1  # by the story, or after it
        await pilot.press("left_square_bracket")
        await sees(pilot, f"{screen.replay.position()}")
        await pilot.press("right_square_bracket")
        screen.seats.pace = 0
        monkeypatch.setattr("dungeon_tui.ui.play.seats.SPEEDS", SPEEDS)
        await pilot.press("p")
        await wait_until(pilot, lambda: screen.seats.is_playing and screen.controller.turn.ply < last)  # from the start
        await pilot.press("q")
        await wait_until(pilot, lambda: not app.is_running)


async def test_what_can_not_be_saved_is_reported_and_nothing_is_left(tmp_path: Path) -> None:
    folder().parent.mkdir(parents=True)
    folder().write_text("in the way")
    async with playing(write_dungeon(tmp_path, ROOM)) as (pilot, screen):
        await pilot.press("right", "ctrl+s")
        assert "file exists" in last_message(screen)
    assert folder().read_text() == "in the way"


async def test_a_recording_that_diverges_is_shown_up_to_there(tmp_path: Path) -> None:
    path = await saved_game(tmp_path, "right", "right", "down", "left")
    lines = path.read_text().splitlines()
    lines[3] = json.dumps({"action": "x"})
    path.write_text("\n".join(lines) + "\n")
    app = replaying(path, "crawler")
    trouble = "It goes another way at turn 3: 'x' is not an action of crawler (line 4 of the file)."
    async with running(app, size=(140, 40)) as pilot:
        screen = await begun(pilot)
        assert screen.session.trouble == trouble
        await sees(pilot, trouble)
        await sees(pilot, screen.replay.position())
        await do(pilot, "right_square_bracket", "right_square_bracket", *6 * ["slash"], "v", "x", "g", "escape")
        assert words(trouble) in words(shown(app))  # it stays
