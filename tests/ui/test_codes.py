"""Codes on screen: made and copied from a game, opened from the menu, refused where there are none."""

from functools import partial
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from dungeon_tui.core.catalogue import Opening, find_game
from dungeon_tui.core.codes import Share, decode
from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.storage import recordings
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.menu.home import HomeScreen
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.dialogs import LineDialog
from tests.ui.driving import begun, do, last_message, running, sees, wait_until


def app_of(game_name: str, arguments: str) -> DungeonApp:
    """The app with a level of this program open."""
    game = find_game(game_name)
    return DungeonApp(game, game.levels().named(arguments))


async def share(pilot: Pilot[Any], screen: PlayScreen) -> str:
    """Presses the key for a code, and gives what the log says then."""
    before = len(screen.messages.texts)
    await do(pilot, "share")
    await wait_until(pilot, lambda: len(screen.messages.texts) > before)
    return last_message(screen)


async def test_a_position_is_copied_and_opened_again() -> None:
    app = app_of("crawler", "tutorial")
    async with running(app, size=(110, 30)) as pilot:
        screen = await begun(pilot)
        await pilot.press("d", "d", "a")
        code = (await share(pilot, screen)).split()[-1]
        assert app.clipboard == code
        assert decode(code) == Share("crawler", "tutorial", ("d", "d", "a"))
        state = screen.controller.state
    app = DungeonApp()
    async with running(app, size=(110, 30)) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("o")
        await wait_until(pilot, lambda: isinstance(app.screen, LineDialog) and app.screen.query(Input))
        app.screen.query_one(Input).value = code[:-1]
        await pilot.press("enter")
        await sees(pilot, "mistyped or cut off")
        await wait_until(pilot, lambda: isinstance(app.screen, LineDialog) and app.screen.query(Input))
        app.screen.query_one(Input).value = f"  {code[:9]} {code[9:]} "
        await pilot.press("enter")
        opened = await begun(pilot)
        assert fingerprint(opened.controller.state) == fingerprint(state)
        assert opened.session.has_person
        assert not opened.session.is_looking_back
        await pilot.press("backspace")
        assert opened.controller.turn.ply == 2
        await pilot.press("d", "d")
        assert opened.controller.turn.ply == 4


async def test_who_plays_now_is_in_the_code() -> None:
    app = app_of("chase", "open-room")
    async with running(app, size=(110, 30)) as pilot:
        screen = await begun(pilot)
        screen.session.take_seats({"monster": "greedy", "rogue": "you"})
        code = (await share(pilot, screen)).split()[-1]
        assert decode(code).arguments == "open-room --monster greedy --rogue you"
        screen.session.take_seats({"monster": "of/a/file.py:function"})
        code = (await share(pilot, screen)).split()[-1]
        assert decode(code).arguments == "open-room"


async def test_a_recording_of_a_made_level_has_codes() -> None:
    app = app_of("crawler", "--date 2026-11-22")
    async with running(app, size=(110, 30)) as pilot:
        screen = await begun(pilot)
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
