"""Codes on screen: made and copied from a game, opened from the menu, refused where there are none."""

from functools import partial
from typing import Any

from textual.pilot import Pilot

from dungeon_tui.core.catalogue import Opening, find_game
from dungeon_tui.core.codes import Share, decode
from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.storage import recordings
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.menu.home import HomeScreen
from dungeon_tui.ui.play.screen import PlayScreen
from tests.ui.driving import begun, do, last_message, running, sees, shipped, type_line, wait_until


async def share(pilot: Pilot[Any], screen: PlayScreen) -> str:
    """Presses the key for a code, and gives what the log says then."""
    before = len(screen.messages.texts)
    await do(pilot, "share")
    await wait_until(pilot, lambda: len(screen.messages.texts) > before)
    return last_message(screen)


async def test_a_position_is_copied_and_opened_again() -> None:
    async with shipped("crawler", "tutorial") as (pilot, screen):
        await pilot.press("d", "d", "a")
        code = (await share(pilot, screen)).split()[-1]
        assert pilot.app.clipboard == code
        assert decode(code) == Share("crawler", "tutorial", ("d", "d", "a"))
        state = screen.controller.state
    app = DungeonApp()
    async with running(app, size=(110, 30)) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("o")
        await type_line(pilot, code[:-1])
        await sees(pilot, "mistyped or cut off")
        await type_line(pilot, f"  {code[:9]} {code[9:]} ")
        opened = await begun(pilot)
        assert fingerprint(opened.controller.state) == fingerprint(state)
        assert opened.session.has_person
        assert not opened.session.is_looking_back
        await pilot.press("backspace")
        assert opened.controller.turn.ply == 2
        await pilot.press("d", "d")
        assert opened.controller.turn.ply == 4


async def test_who_plays_now_is_in_the_code() -> None:
    async with shipped("chase", "open-room") as (pilot, screen):
        screen.session.take_seats({"monster": "greedy", "rogue": "you"})
        code = (await share(pilot, screen)).split()[-1]
        assert decode(code).arguments == "open-room --monster greedy --rogue you"
        screen.session.take_seats({"monster": "of/a/file.py:function"})
        code = (await share(pilot, screen)).split()[-1]
        assert decode(code).arguments == "open-room"


async def test_a_recording_of_a_made_level_has_codes() -> None:
    async with shipped("crawler", "--date 2026-11-22") as (pilot, screen):
        await pilot.press("e", "e", "ctrl+s")
        code = await share(pilot, screen)
    (saved,) = recordings.folder().iterdir()
    game = find_game("crawler")
    app = DungeonApp(game, Opening("saved", partial(recordings.load, saved)))
    async with running(app, size=(110, 30)) as pilot:
        screen = await begun(pilot)
        await pilot.press("right_square_bracket", "right_square_bracket")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 2)
        assert await share(pilot, screen) == code
