"""A game on screen whose library fails: one line says so, the game goes on, and leaving is as ever."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dungeon_tui.storage.folders import home
from dungeon_tui.storage.library import NAME
from tests.ui.driving import playing, wait_until, write_dungeon


@pytest.fixture
def room(tmp_path: Path) -> str:
    return write_dungeon(tmp_path, ("o-----", "------", "-----!"))


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
    async with playing(room) as (pilot, screen):
        await wait_until(pilot, lambda: len(pilot.app._notifications))
        (told,) = pilot.app._notifications
        assert str(home()) in told.message
        assert "\n" not in told.message
        await pilot.press("right", "down")
        assert screen.session.turn.ply == 2
        await pilot.press("q")
        await wait_until(pilot, lambda: not pilot.app.is_running)
        assert pilot.app.return_code == 0
    for path, data in files.items():
        if spoil is no_database:
            (path,) = [each for each in home().iterdir() if each.name in told.message and each != path]
        assert path.read_bytes() == data
