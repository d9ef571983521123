"""Settings in the app: changed on their screen, stored at once, there again after a restart; keys and toggles too."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from dungeon_tui.core.catalogue import Opening, find_game, find_games
from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.crawler.model.dungeon import load_dungeon
from dungeon_tui.games.crawler.view.advice.hints import Adviser
from dungeon_tui.storage.settings import Preferences, Settings, load_settings, parse, settings_path
from dungeon_tui.ui import app_settings
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.key_tables import key_tables
from dungeon_tui.ui.keys import Key, KeyTable, as_bound, checked, key_names, keymap
from dungeon_tui.ui.map.distance_layer import OverlayStyle
from dungeon_tui.ui.menu.home import HomeScreen
from dungeon_tui.ui.play.overlay import SPEEDS
from dungeon_tui.ui.settings_screen import KeyDialog, SettingsScreen
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from tests.ui.driving import begun, do, last_message, notices, running, sees, wait_until, write_dungeon

ROOM = ("-----", "-----", "--o-$", "-----", "M---!")


@pytest.fixture
def room(tmp_path: Path) -> str:
    return write_dungeon(tmp_path, ROOM)


def preferences() -> Preferences:
    """The settings as a start of the program finds them."""
    return Preferences(load_settings(settings_path()), is_saved=True)


@asynccontextmanager
async def started(room: str = "", size: tuple[int, int] = (110, 30)) -> AsyncIterator[tuple[Pilot[Any], Any]]:
    """The app as the player starts it: on the menu, or on a dungeon; with the player's settings."""
    game = find_game("crawler")
    opening = Opening(room, partial(load_dungeon, room)) if room else None
    app = DungeonApp(game if room else None, opening, preferences=preferences())
    async with running(app, size=size, notifications=True) as pilot:
        if not room:
            await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        yield pilot, await begun(pilot) if room else app.screen


async def open_settings(pilot: Pilot[Any]) -> SettingsScreen:
    pilot.app.action_settings()
    await wait_until(pilot, lambda: any(row.key for row in getattr(pilot.app.screen, "rows", {}).values()))
    return pilot.app.screen


async def choose(pilot: Pilot[Any], screen: SettingsScreen, *path: str) -> None:
    options = screen.query_one(OptionList)
    options.highlighted = options.get_option_index(next(name for name, row in screen.rows.items() if row.path == path))
    await pilot.pause()


def stored() -> Settings:
    loaded = load_settings(settings_path())
    assert loaded.troubles == ()
    return loaded.settings


async def test_a_theme_chosen_in_the_list_or_elsewhere_is_there_after_a_restart() -> None:
    async with started() as (pilot, _):
        await pilot.press("comma")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
        await pilot.press("right")
        assert (pilot.app.theme, stored().theme) == ("dungeon-light", "dungeon-light")
        await pilot.press("left", "left")
        themes = {pilot.app.theme}
        pilot.app.theme = "nord"  # as the command palette does
        await pilot.pause()
        assert stored().theme == "nord"
    async with started() as (pilot, _):
        assert pilot.app.theme == "nord"
        assert len(themes & {"dungeon-light", "nord"}) == 0


async def test_every_setting_changes_at_once_is_stored_and_goes_back_to_its_default() -> None:
    async with started() as (pilot, _):
        screen = await open_settings(pilot)
        for name in ("glyphs", "moves", "zoom", "animation", "speed", "hints", "lost", "bell"):
            await choose(pilot, screen, name)
            await pilot.press("enter")
            assert getattr(stored(), name) != getattr(Settings(), name)
            assert getattr(pilot.app.preferences.settings, name) == getattr(stored(), name)
            if name == "animation":
                assert pilot.app.animation_level == "none"
            await pilot.press("backspace")
            assert stored() == Settings()
        await choose(pilot, screen, "glyphs")
        await pilot.press("right", "right")
        assert (stored().glyphs, pilot.app.glyphs.is_ascii) == ("ascii", True)
        await pilot.press("q")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_a_key_that_is_rebound_shows_in_footer_help_and_messages_and_after_a_restart(room: str) -> None:
    async with started(room) as (pilot, play):
        screen = await open_settings(pilot)
        await choose(pilot, screen, "keys", "help")
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, KeyDialog))
        await pilot.press("o")  # is taken
        await sees(pilot, "overlay")
        assert isinstance(pilot.app.screen, KeyDialog)
        await pilot.press("f2")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        assert stored().keys == {"help": "f2"}
        await pilot.press("q")
        assert pilot.app.screen is play
        await sees(pilot, "F2 Help")
    async with started(room) as (pilot, play):
        await sees(pilot, "F2 Help")
        await pilot.press("question_mark")
        assert (pilot.app.screen, last_message(play)) == (play, "'?' does nothing here; F2 lists the keys.")
        await pilot.press("f2")
        assert isinstance(pilot.app.screen, HelpScreen)
        assert "F2" in pilot.app.screen.page().plain
        await pilot.press("escape")
        screen = await open_settings(pilot)
        await choose(pilot, screen, "keys", "help")
        await pilot.press("backspace", "q")
        assert stored().keys == {}
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)


async def test_a_preset_frees_the_letters_of_the_others(room: str) -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text('moves = "wasd"\nkeys.hint = "k"\n')
    async with started(room) as (pilot, play):
        await pilot.press("w")
        assert play.controller.turn.ply == 1
        await pilot.press("l")
        assert play.controller.turn.ply == 1
        assert last_message(play).startswith("'l' does nothing here")
        assert key_names(play, play.keys)["hint"] == "k"
        assert {key.id: key.shown for key in as_bound(play, play.keys)}["move.up"] == "↑ w 8"
        assert not notices(pilot.app)


@pytest.mark.parametrize(
    ("text", "lines", "hint"),
    [
        ('[keys]\nhint = "f2"\nundo = "f2"\nredo = "f2"\n', [3, 4], "f2"),
        ('[keys]\nhint = "ctrl+q"\nhimt = "f2"\n', [2, 3], "slash"),
    ],
)
async def test_keys_that_are_given_twice_or_to_nobody_are_reported_and_ignored(
    room: str, text: str, lines: list[int], hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []
    monkeypatch.setattr(app_settings, "CHECK_DELAY_S", 0.01)
    monkeypatch.setattr(app_settings, "checked", lambda *given: looked.append(given) or checked(*given))
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text(text)
    async with started(room) as (pilot, play):
        await wait_until(pilot, lambda: looked)
        await wait_until(pilot, lambda: {key.id: key.keys for key in as_bound(play, play.keys)}["hint"] == hint)
        told = "\n".join(notices(pilot.app))
        assert [number for number in range(1, 9) if f"settings.toml:{number}:" in told] == lines
    assert settings_path().read_text() == text


TABLE = [KeyTable("A", (Key("a", "x,y", "A", "", ""), Key("b", "z", "B", "", ""))),
         KeyTable("B", (Key("b", "z", "B", "", ""), Key("c", "x", "C", "", "")))]  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "refused"),
    [
        ({}, set()),
        ({"a": "x"}, set()),
        ({"a": "z"}, {"a"}),
        ({"c": "y"}, set()),  # on another screen
        ({"b": "x"}, {"b"}),
        ({"b": "x", "a": "y", "c": "w"}, set()),
        ({"a": "q", "b": "q", "c": "q"}, {"b", "c"} - {"c"}),
        ({"b": "q", "a": "q", "c": "q"}, {"a", "c"}),
        ({"a": "z", "b": "x"}, {"b", "a"}),  # b's new key is c's, so b keeps z
        ({"d": "q"}, {"d"}),
    ],
)
def test_of_two_commands_with_one_key_the_later_loses_it(keys: dict[str, str], refused: set[str]) -> None:
    bound, found = checked(Settings(keys=keys), TABLE)
    assert set(found) == refused
    for table in TABLE:
        all_keys = [name for key in table.keys for name in filter(None, bound.get(key.id, key.keys).split(","))]
        assert len(set(all_keys)) == len(all_keys)


def test_by_default_and_in_each_preset_no_screen_has_a_key_twice() -> None:
    tables = key_tables()
    assert {table.title for table in tables} >= {game.title for game in find_games()}
    for moves in ("all", "wasd", "hjkl", "arrows"):
        settings = Settings(moves=moves)
        for table in tables:
            names = [
                name for key in table.keys for name in filter(None, keymap(settings).get(key.id, key.keys).split(","))
            ]
            assert len(set(names)) == len(names), table.title


async def test_toggles_come_back_as_the_game_was_left(room: str) -> None:
    async with started(room) as (pilot, play):
        await do(pilot, "v", "o", "o", "step.back", "next")
        await wait_until(pilot, lambda: play.distances.layer())
        left = stored()
    assert left.games == {"crawler": {"sight": False}}
    assert left.speed == "10"
    async with started(room) as (pilot, play):
        assert play.toggles.shown == set()  # help that was asked for is not given again
        assert play.distances.style is OverlayStyle.NONE  # for one level
        assert SPEEDS[play.seats.pace] == 10
        await pilot.press("v")
    assert stored().games["crawler"]["sight"]
    async with started() as (pilot, _):
        screen = await open_settings(pilot)
        await choose(pilot, screen, "games")
        await pilot.press("enter")
    assert stored().games == {}


async def test_toggles_that_a_game_does_not_have_are_reported_with_their_place(room: str) -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text('[games.crawler]\nsigth = true\noverlay = "cold"\ndanger = "x"\nsight = true\n')
    async with started(room) as (_, play):
        told = "\n".join(play.messages.texts)
        assert [number for number in range(1, 9) if f"settings.toml:{number}:" in told] == [2, 3, 4]
        assert play.toggles.shown == {"sight"}


@pytest.mark.parametrize(("policy", "asks"), [("at once", 1), ("never", None)])
async def test_hints_come_at_once_or_never(
    room: str, policy: str, asks: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought: list[Any] = []
    monkeypatch.setattr(Adviser, "advise", lambda _adviser, state, _step: thought.append(state))
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text(f'hints = "{policy}"\n')
    async with started(room) as (pilot, _):
        for _ in range(asks or 3):
            assert not thought
            await pilot.press("slash")
        await wait_until(pilot, lambda: bool(thought) == (asks is not None))


def test_without_a_file_nothing_is_stored() -> None:
    preferences = Preferences()
    preferences.change({("bell",): True})
    assert preferences.settings.bell
    assert not settings_path().exists()
    assert Preferences(parse(LevelFile("x", b"bell = true"))).settings.bell
