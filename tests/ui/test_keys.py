"""The keys of the crawler that no other test presses, and what other games call theirs."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import OptionList

from dungeon_tui.core.catalogue import find_games
from dungeon_tui.games import crawler
from dungeon_tui.ui.key_tables import keys_of
from dungeon_tui.ui.play.moves import DIAGONAL_KEYS, NO_DIAGONALS
from dungeon_tui.ui.play.replay import FIRST_TURN, LEVEL_START
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.play.seats import LAST_TURN
from dungeon_tui.ui.settings_screen import SettingsScreen
from dungeon_tui.ui.widgets.dialogs import ChoiceDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from tests.ui.driving import (
    do,
    last_message,
    playing,
    position,
    saved_recordings,
    sees,
    stored,
    type_line,
    wait_until,
    words,
    write_dungeon,
)
from tests.ui.nim import nim

CRAWLER_KEYS = {key.id: key for key in keys_of(crawler.GAME)}
DIAGONALS = {"move.up-left", "move.up-right", "move.down-left", "move.down-right"}
ROOM = ("-----", "-----", "--o-$", "-----", "M---!")
HINT = '[[levels]]\nname = "Room"\nhint = "Look to the right."\n'


@pytest.fixture
def room(tmp_path: Path) -> str:
    return write_dungeon(tmp_path, ROOM, sidecar=HINT)


class Player:
    """Presses keys by the names of their commands."""

    def __init__(self, pilot: Pilot[Any], screen: PlayScreen) -> None:
        self.pilot, self.screen = pilot, screen

    async def do(self, *commands: str) -> None:
        for name in commands:
            await do(self.pilot, CRAWLER_KEYS[name].names[0] if CRAWLER_KEYS[name].names else name)

    @property
    def at(self) -> tuple[int, int]:
        return position(self.screen)

    @property
    def ply(self) -> int:
        return self.screen.controller.turn.ply

    @property
    def said(self) -> str:
        return last_message(self.screen)

    async def hears(self, text: str) -> None:
        await wait_until(self.pilot, lambda: text in self.said)


async def walking(player: Player) -> None:
    do, screen = player.do, player.screen
    for command, place in (("right", (2, 3)), ("up", (1, 3)), ("left", (1, 2)), ("down", (2, 2))):
        await do(f"move.{command}")
        assert player.at == place
    await do("stay")
    assert (player.at, screen.controller.state.moves) == ((2, 2), 5)
    await do("undo", "undo")
    assert (player.at, player.ply) == ((1, 2), 3)
    await do("redo")
    assert (player.at, player.ply) == ((2, 2), 4)
    await do("restart")
    assert (player.at, player.ply) == ((2, 2), 0)
    await do("restart")
    assert player.said == LEVEL_START
    await do("undo")
    assert (player.at, player.ply) == ((2, 2), 4)  # takes the restart back
    await do(*["undo"] * 5)
    assert "Nothing to undo" in player.said
    await do("redo", "redo")
    assert player.at == (1, 3)
    await do("step.back", "step.back", "step.back")
    assert (player.ply, player.said) == (0, FIRST_TURN)
    await do(*6 * ["step.on"])
    assert (player.ply, player.said) == (5, LAST_TURN)
    await do("undo", "move.right", "step.back", "other_line", "step.on")
    assert player.at == (2, 2)
    await do("step.back", "other_line", "step.on")
    assert player.at == (2, 3)


async def going_to_turns(player: Player) -> None:
    pilot, screen = player.pilot, player.screen
    await player.do("move.right", "move.up", "move.left")
    for typed, ply in (("1", 1), ("0", 0), ("3", 3), ("4", 3), ("x", 3), ("-1", 3), ("٢", 3), ("9" * 20, 3)):
        await player.do("go_to_turn")
        await type_line(pilot, typed)
        if typed not in ("0", "1", "3"):
            await sees(pilot, f"{typed[:9]} ")
            await pilot.press("escape")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await pilot.pause()
        assert player.ply == ply


async def saving(player: Player) -> None:
    pilot, screen, do = player.pilot, player.screen, player.do
    for way_back in ("escape", "q", "question_mark", "enter"):
        await do("help")
        assert isinstance(pilot.app.screen, HelpScreen)
        page = words(pilot.app.screen.page().plain)
        assert words(str(crawler.__doc__).rstrip().splitlines()[-1].replace("`", "")) in page
        assert "one row" not in page
        left = {name: key for name, key in CRAWLER_KEYS.items() if not name.startswith("move.")}
        assert all(page.count(key.help) == 1 for key in left.values())
        await pilot.press(way_back)
        assert pilot.app.screen is screen
    await do("palette")
    assert isinstance(pilot.app.screen, CommandPalette)
    await pilot.press("escape")
    await do("move.right", "move.up", "save")
    (found,) = saved_recordings()
    assert Path(found.file).name in player.said
    assert player.said.endswith(str(Path(found.file).parent))
    assert (found.game, len(found.actions)) == ("crawler", 2)
    await do("save")
    assert len(saved_recordings()) == 1  # nothing has changed since
    await do("move.up", "save")
    assert sorted(len(each.actions) for each in saved_recordings()) == [2, 3]
    await do("share")
    await wait_until(pilot, lambda: "ctrl+s" in player.said)  # a level of one's own has no code
    await do("leave")
    await wait_until(pilot, lambda: not pilot.app.is_running)
    assert stored()[0] == (3, "")


async def pausing(player: Player) -> None:
    pilot, screen, do = player.pilot, player.screen, player.do

    async def paused() -> None:
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, ChoiceDialog))

    await do("overlay")
    await wait_until(pilot, lambda: screen.distances.layer())
    await do("analysis", "analysis")  # the first one asks
    await wait_until(pilot, lambda: screen.board.is_on)
    await do("danger")  # sight is on from the start
    await do("hint", "hint", "hint")
    await wait_until(pilot, lambda: screen.hints.is_on)
    assert not screen.distances.is_on  # hints and distances give way to each other
    await pilot.press("g")
    await wait_until(pilot, lambda: screen.travel.is_on)
    await do("pause")
    assert not screen.travel.is_on
    await do("pause")
    assert not screen.hints.is_on
    await do("overlay")
    await wait_until(pilot, lambda: screen.distances.layer())
    await do("pause")
    assert not screen.distances.is_on
    await do("pause")
    assert not screen.board.is_on
    for answer in ("escape", "enter", "space"):
        await do("pause")
        await paused()
        assert screen.toggles.shown == {"danger", "sight"}  # which stay as you set them
        await pilot.press(answer)
        assert pilot.app.screen is screen
    await do("move.right", "pause")
    await paused()
    await pilot.press("r")
    await wait_until(pilot, lambda: player.ply == 0)
    for answer, opened in (("question_mark", HelpScreen), ("comma", SettingsScreen)):
        await do("pause")
        await paused()
        await pilot.press(answer)
        await wait_until(pilot, lambda opened=opened: isinstance(pilot.app.screen, opened))
        await pilot.press("escape")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
    await do("pause")
    await paused()
    await pilot.press("q")
    await wait_until(pilot, lambda: not pilot.app.is_running)


@pytest.mark.parametrize("journey", [pausing, walking, going_to_turns, saving])
async def test_commands_do_what_they_say(room: str, journey: Callable[[Player], Coroutine[Any, Any, None]]) -> None:
    async with playing(room) as (pilot, screen):
        await journey(Player(pilot, screen))


def test_no_key_has_two_meanings_in_any_two_games_and_others_have_keys_that_the_crawler_lacks() -> None:
    meanings: dict[str, str] = {}
    ids = set()
    for game in find_games():
        keys = keys_of(game)
        assert len({key.id for key in keys}) == len(keys)
        ids |= {key.id for key in keys}
        for key in keys:
            for name in key.names:
                if name in DIAGONAL_KEYS and key.id.startswith("item."):
                    continue  # and for the digits of diagonals
                assert meanings.setdefault(name, key.id) == key.id
    assert {name for name, key in meanings.items() if key in DIAGONALS} == DIAGONAL_KEYS
    others = {"explore", "stairs.down", "stairs.up", "fog", "overlay.kind", "players"}
    others |= {"health", "best.all", "race", "plan"}
    others |= {"item.haste", "item.frost", "item.bomb", "item.scroll"}
    assert ids - set(CRAWLER_KEYS) == DIAGONALS | others


async def test_keys_that_mean_nothing_here_are_answered_kindly(room: str) -> None:
    assert {"y", "u", "b", "n", "7", "9", "1", "3", "home", "end", "pageup", "pagedown"} == DIAGONAL_KEYS
    async with playing(room) as (pilot, screen):
        for key in sorted(DIAGONAL_KEYS):
            await pilot.press(key)
            assert last_message(screen) == NO_DIAGONALS
        for character in "mzftHGBWYRMZOK<>%(":
            await pilot.press(character)
            assert last_message(screen).startswith(f"'{character}' ")
            assert "? " in last_message(screen)
        before = len(screen.messages.texts)
        await pilot.press("f9", "insert", "ctrl+b")  # no text, no answer, no harm
        assert len(screen.messages.texts) == before
        assert screen.controller.turn.ply == 0


@pytest.mark.parametrize("keys", [("g", "escape", "q"), ("question_mark", "ctrl+q"), ("escape", "ctrl+c")])
async def test_leaving_asks_nothing_and_loses_nothing(room: str, keys: tuple[str, ...]) -> None:
    async with playing(room) as (pilot, _):
        await pilot.press("right", *keys)
        await wait_until(pilot, lambda: not pilot.app.is_running)
        assert (pilot.app.return_code, saved_recordings()) == (0, [])
    assert stored() == [(1, "")]


def commands_of_palette(pilot: Pilot[Any]) -> list[str]:
    options = pilot.app.screen.query_one(OptionList)
    return [str(options.get_option_at_index(index).prompt) for index in range(options.option_count)]


FOUND_BY_NAME = [key for key in CRAWLER_KEYS.values() if key.id != "palette"]


async def test_every_command_is_bound_to_its_keys_and_listed_in_the_palette_which_does_the_same(room: str) -> None:
    async with playing(room) as (pilot, screen):
        for key in CRAWLER_KEYS.values():
            for name in key.names:
                action = screen.active_bindings[name].binding.action
                assert action.removeprefix("app.") == key.action.removeprefix("app.")
        await pilot.press("ctrl+p")
        await wait_until(pilot, lambda: len(commands_of_palette(pilot)) >= len(FOUND_BY_NAME))
        listed = "\n".join(commands_of_palette(pilot))
        for key in FOUND_BY_NAME:
            assert (f"{key.label} ({key.shown})" if key.shown else key.label) in listed
        await pilot.press(*"restart")
        await wait_until(pilot, lambda: "Restart: " in "".join(commands_of_palette(pilot)[:1]))
        await pilot.press("enter")
        await wait_until(pilot, lambda: last_message(screen) == LEVEL_START)


async def test_help_shows_the_goal_first_and_is_searched_by_typing(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o$!",)), (80, 24)) as (pilot, screen):
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        page = pilot.app.screen
        text = words(str(page.page()))
        assert screen.view.facts(screen.session.turn).goal in text.partition("↑ ↓ ← → move")[0]
        await pilot.press(*"undo")
        assert "take back the last command" in str(page.page())
        assert "leave the game" not in str(page.page())
        await pilot.press("escape", "left_square_bracket", "tilde")  # no markup
        assert str(page.page()).endswith("Nothing found.")
        await pilot.press("escape", "q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)


async def test_help_joins_the_lines_of_a_sentence_of_the_rules_and_no_others() -> None:
    async with nim() as (pilot, screen):
        page = HelpScreen("A game", "Who wins?\n\nYou take\na match.\nThen they do.", (), (), screen.glyphs)
        await pilot.app.push_screen(page)
        assert "\nWho wins?\n\nYou take a match.\nThen they do.\n" in str(page.page())
