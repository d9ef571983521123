"""A game on screen whose library fails: one line says so, the game goes on, and leaving is as ever."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dungeon_tui.storage.folders import home
from dungeon_tui.storage.library import NAME
from tests.ui.driving import app_for, begun, notices, playing, running, stored, wait_until, write_dungeon


@pytest.fixture
def room(tmp_path: Path) -> str:
    return write_dungeon(tmp_path, ("o-----", "------", "-----!"))


async def test_where_a_turn_cant_be_written_any_more_it_is_said_once_and_play_goes_on(room: str) -> None:
    async with playing(room) as (pilot, screen):
        await pilot.press("right")
        library = pilot.app.library.get()
        with library.reading() as database:
            database.execute("PRAGMA query_only = ON")
        await pilot.press("right", "right", "down", "left_square_bracket")
        assert screen.session.turn.ply == 3
        (told,) = [text for text in screen.messages.texts if NAME in text]
        assert "\n" not in told
        await pilot.press("q")
        await wait_until(pilot, lambda: not pilot.app.is_running)
        assert pilot.app.return_code == 0
    assert stored() == [(1, "")]


def no_database() -> None:
    home().mkdir(parents=True)
    (home() / NAME).write_bytes(b"no database at all\n" * 300)


def no_folder() -> None:
    home().write_text("a file")


@pytest.mark.parametrize("spoil", [no_database, no_folder])
async def test_a_library_that_cant_be_used_is_reported_in_one_line_and_left_as_it_is(
    room: str, spoil: Callable[[], None]
) -> None:
    spoil()
    files = {path: path.read_bytes() for path in [home(), *home().rglob("*")] if path.is_file()}
    async with running(app_for(room), notifications=True) as pilot:
        screen = await begun(pilot)
        await wait_until(pilot, lambda: notices(pilot.app))
        (told,) = notices(pilot.app)
        assert str(home()) in told
        assert "\n" not in told
        await pilot.press("right", "down")
        assert screen.session.turn.ply == 2
        await pilot.press("q")
        await wait_until(pilot, lambda: not pilot.app.is_running)
        assert pilot.app.return_code == 0
    for path, data in files.items():
        if spoil is no_database:
            (path,) = [each for each in home().iterdir() if each.name in told and each != path]
        assert path.read_bytes() == data
