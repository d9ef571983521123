"""Every key of the crawler, pressed; and what other games call theirs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from dungeon_tui.core.catalogue import find_game, find_games
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import counted
from dungeon_tui.storage.recordings import saved
from dungeon_tui.ui.keys import Key, KeyCommands
from dungeon_tui.ui.map.distance_layer import OverlayStyle
from dungeon_tui.ui.map.view import ZOOMS
from dungeon_tui.ui.palette import Tint
from dungeon_tui.ui.play.features import Strategies
from dungeon_tui.ui.play.overlay import SPEEDS
from dungeon_tui.ui.play.screen import DIAGONAL_KEYS, PlayScreen
from dungeon_tui.ui.widgets.dialogs import ChoiceDialog, LineDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from tests.ui.driving import (
    dialogue,
    last_message,
    playing,
    position,
    sees,
    sees_no,
    tinted,
    wait_until,
    words,
    write_dungeon,
)


def keys_of(name: str) -> tuple[Key, ...]:
    """The keys of a game, whatever is played."""
    game = find_game(name)
    assert game is not None
    no_rules: Any = SimpleNamespace(start=lambda level, seed: None)
    view = game.view()(game)
    strategies = view.feature(Strategies)
    seats = None if strategies is None else strategies.seats
    return PlayScreen(view, Session(TurnController(no_rules, None), seats)).keys


CRAWLER_KEYS = keys_of("crawler")
Driver = Callable[[Pilot[Any], PlayScreen, str], Awaitable[None]]

DIAGONALS = {"move.up-left", "move.up-right", "move.down-left", "move.down-right"}
ROOM = ("-----", "-----", "--o-$", "-----", "M----")
HINT = '[[levels]]\nname = "Room"\nhint = "Look to the right."\n'


@pytest.fixture
def room(tmp_path: Path) -> str:
    return write_dungeon(tmp_path, ROOM, sidecar=HINT)


def moves_to(row: int, col: int) -> Driver:
    async def drive(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
        await pilot.press(key)
        assert position(screen) == (row, col)
        assert screen.controller.state.moves == 1

    return drive


async def stays(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    assert position(screen) == (2, 2)
    assert screen.controller.state.moves == 1
    assert last_message(screen) == "You stay where you are."


async def takes_back(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    assert last_message(screen) == "This is the start: nothing to take back."
    await pilot.press("right", "right", key)
    assert position(screen) == (2, 3)
    assert screen.controller.state.treasure == 0
    assert last_message(screen) == "Taken back: 1 move so far."


async def plays_again(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press("right", "right", "ctrl+z", key)
    assert position(screen) == (2, 4)
    assert last_message(screen) == "Treasure! You have 1 treasure now."
    await pilot.press(key)
    assert last_message(screen) == "Nothing was taken back."


async def restarts(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    assert last_message(screen) == "This is the start of the level."
    await pilot.press("right", "up", key)
    assert position(screen) == (2, 2)
    assert screen.controller.state.moves == 0
    assert last_message(screen) == "Back at the start of the level."
    await pilot.press("ctrl+y", "ctrl+y")
    assert position(screen) == (1, 3)


def switches(name: str, tint: Tint) -> Driver:
    async def drive(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
        await pilot.press("left")  # the monster sees us from below, and comes
        await pilot.press("left")
        assert not tinted(screen, tint)
        await pilot.press(key)
        assert last_message(screen).startswith(name)
        assert tinted(screen, tint)
        await pilot.press(key)
        assert last_message(screen) == f"{name}: hidden."
        assert not tinted(screen, tint)

    return drive


async def travels(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    assert "Where to?" in last_message(screen)
    assert position(screen) == (2, 2)
    await pilot.press("up", "left", "enter")
    await wait_until(pilot, lambda: position(screen) == (1, 1))
    assert screen.controller.state.moves == 2


async def inspects(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    assert "Inspecting" in last_message(screen)
    await sees(pilot, "Row 2, column 2: you, the adventurer")
    await pilot.press("right", "enter")
    assert last_message(screen) == "Row 2, column 3: open floor"
    assert position(screen) == (2, 2)
    assert screen.controller.state.moves == 0
    await pilot.press("tab")
    await sees(pilot, "Row 2, column 4: treasure")
    await pilot.press("tab")
    await sees(pilot, "Row 4, column 0: monster")
    await pilot.press("shift+tab", "enter")
    assert last_message(screen) == "Row 2, column 4: treasure"
    await pilot.press("M")
    await sees(pilot, "Row 4, column 0: monster")
    await pilot.press("left", "down")  # the map ends here
    await sees(pilot, "Row 4, column 0: monster")
    await pilot.press("escape")
    assert screen.travel.cursor is None
    await sees_no(pilot, "Row 4, column 0")
    await pilot.press("enter")  # no longer of use
    assert last_message(screen) == "Row 2, column 4: treasure"


async def hints(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    said = "No way leads out from here: that is proven. F: since when. The author says: Look to the right."
    await wait_until(pilot, lambda: last_message(screen) == said)


async def finds_no_line(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    await wait_until(pilot, lambda: last_message(screen) == "No way leads out from here: that is proven.")
    assert tinted(screen, Tint.PATH) == set()


async def has_no_fate(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press("right", key)
    said = "No way out is left. There was none from the start."
    await wait_until(pilot, lambda: last_message(screen) == said)
    assert position(screen) == (2, 3)


async def analyses(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press("right", key)
    await wait_until(pilot, lambda: screen.board.is_on)
    await sees(pilot, "Turn 1 of 1 · no way leads out")
    await pilot.press(key)
    assert not screen.board.is_on


async def has_no_line_on(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press("right", key)
    await wait_until(pilot, lambda: "No way leads out: step back to where one did." in screen.messages.texts)


async def plots_nothing(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    await wait_until(pilot, lambda: last_message(screen) == "No way leads out: there is nothing to plot.")


async def watches_fate(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    for when in ("at once", "never", "when you press F"):
        await pilot.press(key)
        assert f"No way out left: told {when}." in screen.messages.texts


async def aims(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)  # there is but one treasure
    assert last_message(screen) == "Hints and analysis aim at the fewest moves out with at least 1 treasure."


def cell_columns(screen: PlayScreen) -> int:
    return screen.map.cell_size[0]


async def enlarges(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    screen.map.zoom(-len(ZOOMS))
    assert cell_columns(screen) == 1
    sizes = []
    for _ in ZOOMS:
        await pilot.press(key)
        sizes.append(cell_columns(screen))
    assert sizes == [2, 3, 5, 7, 11, 11]


async def shrinks(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    screen.map.zoom(len(ZOOMS))
    sizes = []
    for _ in ZOOMS:
        await pilot.press(key)
        sizes.append(cell_columns(screen))
    assert sizes == [7, 5, 3, 2, 1, 1]


async def fits(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    screen.map.zoom(-len(ZOOMS))
    await pilot.press(key)
    assert cell_columns(screen) == 7


async def shows_help(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    for way_back in ("escape", "q", "question_mark", "enter"):
        await pilot.press(key)
        assert isinstance(pilot.app.screen, HelpScreen)
        page = pilot.app.screen.page().plain
        assert "one row" not in page
        for each in CRAWLER_KEYS:
            assert each.help in words(page)
        assert "An amulet @ doubles the level" in words(page)
        await pilot.press(way_back)
        assert pilot.app.screen is screen


@pytest.mark.parametrize("size", [(110, 40), (80, 24), (50, 24)])
async def test_on_the_help_page_no_text_runs_below_its_key(tmp_path: Path, size: tuple[int, int]) -> None:
    async with playing(write_dungeon(tmp_path, ("o$!",)), size) as (pilot, screen):
        await pilot.press("question_mark")
        page = pilot.app.screen
        assert isinstance(page, HelpScreen)
        lines = page.page().plain.splitlines()
        keys = lines[lines.index("Moving") :]
        assert keys.index("Help while you play") < keys.index("Turns") < keys.index("Looking")
        assert {each for each in keys if each and not each.startswith("  ")} == {
            "Moving", "Help while you play", "Turns", "Looking", "The game"
        }  # fmt: skip
        await wait_until(pilot, lambda: page.query_one("Static").size.width)
        assert max(map(len, keys)) <= page.query_one("Static").content_size.width
        await pilot.press("escape")
        assert pilot.app.screen is screen


def test_keys_are_told_of_as_they_act_in_each_game() -> None:
    alone, together, unsolved = ({key.id: key.help for key in keys_of(name)} for name in ("rescue", "chase", "delve"))
    assert "strategy" not in alone["step.on"]
    assert "strategy" in together["step.on"]
    assert "best way" in alone["why"]
    assert "refutes" in together["why"]
    assert "mistake" in together["previous"]
    assert unsolved["previous"] == "play more slowly"


async def opens_palette(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    assert isinstance(pilot.app.screen, CommandPalette)
    await pilot.press("escape")
    assert pilot.app.screen is screen


async def asks_before_leaving(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press("right", "up", key)
    question = await dialogue(pilot)
    await sees(pilot, "2 moves would be lost.")
    await pilot.press("n")
    assert pilot.app.screen is screen
    await pilot.press(key)
    assert await dialogue(pilot) is not question
    await pilot.press("escape")
    assert pilot.app.screen is screen
    assert position(screen) == (1, 3)


async def cycles_distances(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    for style in (*list(OverlayStyle)[1:], OverlayStyle.NONE):
        await pilot.press(key)
        assert screen.distances.overlay.style is style
        await wait_until(pilot, lambda: last_message(screen).startswith("Distances"))
    assert last_message(screen) == "Distances: hidden."


async def watches(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    assert screen.distances.overlay.frontier is not None
    await pilot.press(key)
    assert screen.distances.overlay.frontier is None
    screen.distances.overlay.style = OverlayStyle.NONE


async def frontier_at(pilot: Pilot[Any], screen: PlayScreen, steps: int) -> None:
    """Distances that grow, paused after some steps."""
    await pilot.press("o")
    await wait_until(pilot, lambda: screen.distances.overlay.layer())
    await pilot.press("O")
    screen.distances.overlay.is_running = False
    screen.distances.overlay.frontier, screen.distances.overlay.speed = steps, 0


def no_frontier(screen: PlayScreen) -> None:
    screen.distances.overlay.stop()
    screen.distances.overlay.style = OverlayStyle.NONE


async def plays_on_and_pauses(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press("right", "up", "left", *3 * ["left_square_bracket"])
    screen.seats.pace = len(SPEEDS) - 1
    await pilot.press(key)
    await wait_until(pilot, lambda: screen.controller.turn.ply == 3 and not screen.seats.is_playing)
    assert position(screen) == (1, 2)
    await pilot.press(*3 * ["left_square_bracket"])
    screen.seats.pace = 0
    await pilot.press(key)
    await wait_until(pilot, lambda: screen.controller.turn.ply == 1)
    await pilot.press(key)
    assert not screen.seats.is_playing
    assert last_message(screen) == "Paused."
    await frontier_at(pilot, screen, 0)
    await pilot.press(key)
    assert screen.distances.overlay.is_running
    await pilot.press(key)
    assert not screen.distances.overlay.is_running
    no_frontier(screen)


async def steps_back(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    assert last_message(screen) == "This is the first turn."
    await pilot.press("right", "up", key)
    assert position(screen) == (2, 3)
    assert last_message(screen) == "Turn 1 of 2."
    await frontier_at(pilot, screen, 2)
    await pilot.press(key)
    assert screen.distances.overlay.frontier == 1
    assert position(screen) == (2, 3)
    no_frontier(screen)


async def steps_on(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press("right", "right", "ctrl+z", key)
    assert position(screen) == (2, 4)
    assert last_message(screen) == "Treasure! You have 1 treasure now."
    await pilot.press(key)
    await wait_until(pilot, lambda: last_message(screen) == "This is the last turn.")
    await frontier_at(pilot, screen, 2)
    await pilot.press(key)
    assert screen.distances.overlay.frontier == 3
    no_frontier(screen)


async def goes_to_a_turn(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press("right", "up", "left")
    for typed, ply in (("1", 1), ("0", 0), ("3", 3), ("4", 3), ("x", 3), ("-1", 3), ("٢", 3), ("9" * 20, 3)):
        await pilot.press(key)
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog) and pilot.app.screen.query(Input))
        await sees(pilot, "Which turn, 0 to 3?")
        pilot.app.screen.query_one(Input).value = typed
        await pilot.press("enter")
        if typed not in ("0", "1", "3"):
            await sees(pilot, "is not a turn: they go from 0 to 3.")
            await pilot.press("escape")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await pilot.pause()
        assert screen.controller.turn.ply == ply
    await pilot.press(key)
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, LineDialog))
    await pilot.press("escape")
    assert screen.controller.turn.ply == 3


async def goes_to_the_other_line(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press("right", "left_square_bracket", "up", key)
    assert screen.controller.turn.ply == 0
    await pilot.press("right_square_bracket")
    assert position(screen) == (2, 3)
    await pilot.press("left_square_bracket", key, "right_square_bracket")
    assert position(screen) == (1, 2)


async def finds_no_recording(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press("right", key)
    assert last_message(screen) == "This is no recording."
    assert position(screen) == (2, 3)


def changes_speed(places: int) -> Driver:
    async def drive(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
        screen.seats.pace = 2
        await pilot.press(key)
        assert screen.seats.pace == 2 + places
        assert last_message(screen) == f"{counted(SPEEDS[2 + places], 'move')} a second."
        await pilot.press(*len(SPEEDS) * [key])
        assert screen.seats.pace == (0 if places < 0 else len(SPEEDS) - 1)
        await frontier_at(pilot, screen, 2)
        screen.distances.overlay.speed = 3
        await pilot.press(key)
        assert screen.distances.overlay.speed == 3 + places
        assert last_message(screen) == f"{counted(SPEEDS[3 + places], 'step')} a second."
        no_frontier(screen)

    return drive


async def saves(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press("right", "up", key)
    assert last_message(screen).startswith("Saved: ")
    (found,) = saved()
    assert last_message(screen) == f"Saved: {found.path.name}, in {found.path.parent}"
    assert (found.game, found.turns, found.error) == ("crawler", 2, "")
    await pilot.press(key)
    assert len(saved()) == 1  # nothing has changed since
    await pilot.press("up", key)
    assert sorted(each.turns for each in saved()) == [2, 3]
    await pilot.press("q")  # nothing would be lost
    await wait_until(pilot, lambda: not pilot.app._running)
    assert pilot.app.saved in [str(each.path) for each in saved() if each.turns == 3]


async def tells_of_amulets(pilot: Pilot[Any], screen: PlayScreen, key: str) -> None:
    await pilot.press(key)
    assert last_message(screen) == "Beside an amulet you see the level as it is."
    await pilot.press(key)
    assert last_message(screen) == "Beside an amulet you see what it would make of the level."


DRIVEN: dict[str, Driver] = {
    "move.up": moves_to(1, 2),
    "move.down": moves_to(3, 2),
    "move.left": moves_to(2, 1),
    "move.right": moves_to(2, 3),
    "stay": stays,
    "travel": travels,
    "hint": hints,
    "plan": finds_no_line,
    "aim": aims,
    "outlook": has_no_fate,
    "last_chance": has_no_fate,
    "outlook.watch": watches_fate,
    "undo": takes_back,
    "redo": plays_again,
    "restart": restarts,
    "play": plays_on_and_pauses,
    "step.back": steps_back,
    "step.on": steps_on,
    "go_to_turn": goes_to_a_turn,
    "other_line": goes_to_the_other_line,
    "recording": finds_no_recording,
    "previous": changes_speed(-1),
    "next": changes_speed(1),
    "slower": changes_speed(-1),
    "faster": changes_speed(1),
    "analysis": analyses,
    "why": has_no_line_on,
    "sight": switches("Lines of sight", Tint.SIGHT),
    "danger": switches("Danger", Tint.DANGER),
    "preview": tells_of_amulets,
    "curve": plots_nothing,
    "overlay": cycles_distances,
    "overlay.watch": watches,
    "inspect": inspects,
    "zoom.in": enlarges,
    "zoom.out": shrinks,
    "zoom.fit": fits,
    "save": saves,
    "help": shows_help,
    "palette": opens_palette,
    "leave": asks_before_leaving,
}


def test_every_key_of_the_table_is_driven() -> None:
    assert sorted(key.id for key in CRAWLER_KEYS) == sorted(DRIVEN)


def test_no_key_has_two_meanings_in_any_two_games() -> None:
    meanings: dict[str, str] = {}
    for game in find_games():
        keys = keys_of(game.name)
        assert len({key.id for key in keys}) == len(keys)
        for key in keys:
            for name in key.keys.split(","):
                assert meanings.setdefault(name, key.id) == key.id
    assert {name for name, key in meanings.items() if key in DIAGONALS} == DIAGONAL_KEYS


@pytest.mark.parametrize("key", CRAWLER_KEYS, ids=lambda key: key.id)
async def test_a_key(room: str, key: Key) -> None:
    async with playing(room) as (pilot, screen):
        for name in key.keys.split(","):
            screen.controller.go_to(screen.controller.first)
            screen.controller.first.branches.clear()
            await pilot.pause()
            await DRIVEN[key.id](pilot, screen, name)


async def test_diagonal_keys_are_told_that_there_are_no_diagonals(room: str) -> None:
    assert {"y", "u", "b", "n", "7", "9", "1", "3", "home", "end", "pageup", "pagedown"} == DIAGONAL_KEYS
    async with playing(room) as (pilot, screen):
        for count, key in enumerate(sorted(DIAGONAL_KEYS), 1):
            await pilot.press(key)
            assert last_message(screen) == "There are no diagonal moves in this game."
            assert screen.messages._messages[-1][1] == count  # said each time, and counted
        assert screen.controller.turn.ply == 0


async def test_a_wrong_key_or_one_of_other_games_is_answered_kindly(room: str) -> None:
    async with playing(room) as (pilot, screen):
        for character in "mzftHGBWYRMZ<>%(":
            await pilot.press(character)
            assert last_message(screen) == f"'{character}' does nothing here; ? lists the keys."
        before = len(screen.messages.texts)
        await pilot.press("f9", "insert", "ctrl+b")  # no text, no answer, no harm
        assert len(screen.messages.texts) == before
        assert screen.controller.turn.ply == 0


@pytest.mark.parametrize("size", [(110, 30), (40, 12)])
async def test_yes_leaves_and_enter_loses_nothing(room: str, size: tuple[int, int]) -> None:
    async with playing(room, size) as (pilot, screen):
        await pilot.press("right", "q")
        await dialogue(pilot)
        for text in ("1 move would be lost.", "y Leave", "s Save and leave", "n, Enter Stay"):
            await sees(pilot, text)
        await pilot.press("enter")
        assert pilot.app.screen is screen
        await pilot.press("q")
        await dialogue(pilot)
        await pilot.press("y")
        await wait_until(pilot, lambda: not pilot.app._running)
        assert pilot.app.return_code == 0


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
@pytest.mark.parametrize("first", ["q", "ctrl+c", "question_mark", "T"])
async def test_leaving_the_app_asks_once_whatever_is_open(room: str, key: str, first: str) -> None:
    async with playing(room) as (pilot, screen):
        await pilot.press("right", first)
        if first in ("question_mark", "T"):
            await wait_until(pilot, lambda: pilot.app.screen is not screen)
            above = pilot.app.screen
            await pilot.press(key)
            await dialogue(pilot)
            await pilot.press("n")
            assert pilot.app.screen is above
            await pilot.press(key)
        await dialogue(pilot)
        await sees(pilot, "1 move would be lost.")
        await pilot.press(key)
        await wait_until(pilot, lambda: not pilot.app._running)
        assert saved() == []


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_save_and_leave_says_where(room: str, key: str) -> None:
    async with playing(room) as (pilot, _):
        await pilot.press("right", key)
        await dialogue(pilot)
        await pilot.press("s")
        await wait_until(pilot, lambda: not pilot.app._running)
        (found,) = saved()
        assert pilot.app.saved == str(found.path)
        assert (found.turns, found.outcome) == (1, "unfinished")


@pytest.mark.parametrize("keys", [(), ("right", "ctrl+s"), ("right", "ctrl+s", "backspace")])
@pytest.mark.parametrize("key", ["q", "escape", "ctrl+c"])
async def test_where_nothing_would_be_lost_one_leaves_at_once(room: str, keys: tuple[str, ...], key: str) -> None:
    async with playing(room) as (pilot, _):
        await pilot.press(*keys, key)
        await wait_until(pilot, lambda: not pilot.app._running)
        assert pilot.app.return_code == 0


async def test_escape_first_leaves_the_choosing_then_the_game(room: str) -> None:
    async with playing(room) as (pilot, screen):
        await pilot.press("right", "g", "escape")
        assert screen.travel.cursor is None
        assert pilot.app.screen is screen
        await pilot.press("escape")
        assert isinstance(await dialogue(pilot), ChoiceDialog)


def commands_of_palette(pilot: Pilot[Any]) -> list[str]:
    options = pilot.app.screen.query_one(OptionList)
    return [str(options.get_option_at_index(index).prompt) for index in range(options.option_count)]


FOUND_BY_NAME = [key for key in CRAWLER_KEYS if key.id != "palette"]


async def test_the_palette_lists_every_command(room: str) -> None:
    async with playing(room) as (pilot, _):
        await pilot.press("ctrl+p")
        await wait_until(pilot, lambda: len(commands_of_palette(pilot)) >= len(FOUND_BY_NAME))
        listed = "\n".join(commands_of_palette(pilot))
        for key in FOUND_BY_NAME:
            assert f"{key.label} ({key.shown})" in listed


async def test_the_palette_finds_every_command_by_its_name_and_runs_it(
    room: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    async def run_action(self: PlayScreen, action: str, *_: Any) -> bool:
        ran.append(action)
        return True

    monkeypatch.setattr(PlayScreen, "run_action", run_action)
    async with playing(room) as (_, screen):
        provider = KeyCommands(screen)
        for key in FOUND_BY_NAME:
            for query in (key.label.lower(), key.help):
                hits = [hit async for hit in provider.search(query)]
                command: Any = max(hits, key=lambda hit: hit.score).command
                await command()
                assert ran.pop() == key.action, query
        assert [hit async for hit in provider.search("qqq")] == []


async def test_a_command_of_the_palette_does_what_its_key_does(room: str) -> None:
    async with playing(room) as (pilot, screen):
        await pilot.press("ctrl+p")
        await pilot.press(*"restart")
        await wait_until(pilot, lambda: "Restart: " in "".join(commands_of_palette(pilot)[:1]))
        await pilot.press("enter")
        await wait_until(pilot, lambda: last_message(screen) == "This is the start of the level.")


def test_other_games_have_keys_that_the_crawler_lacks() -> None:
    more = {key.id for game in find_games() for key in keys_of(game.name)} - {key.id for key in CRAWLER_KEYS}
    others = {"explore", "stairs.down", "stairs.up", "fog", "overlay.kind", "players"}
    others |= {"health", "guess", "best", "best.all", "race", "compare", "walk"}
    assert more == DIAGONALS | others
