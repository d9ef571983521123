"""Games: found, gone on with, looked at, renamed, removed, exported; and the menu's Continue."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from dungeon_tui.core.catalogue import YOU, find_game
from dungeon_tui.core.level import read_level_file
from dungeon_tui.core.recording import read_recording, reexecute
from dungeon_tui.storage import journal
from dungeon_tui.storage.folders import home
from dungeon_tui.storage.library import NAME, Library
from dungeon_tui.storage.recordings import folder
from dungeon_tui.storage.shelf import Item
from dungeon_tui.ui.menu.game_list import GameOption
from dungeon_tui.ui.menu.games import GamesScreen
from dungeon_tui.ui.menu.home import HomeScreen, Tile
from dungeon_tui.ui.play.screen import PlayScreen
from tests.libraries import being_written
from tests.processes import GONE
from tests.ui.driving import (
    begun,
    dialogue,
    playing,
    sees,
    shown,
    stored,
    type_line,
    wait_until,
    words,
    write_dungeon,
)
from tests.ui.test_menu import at_home

ROOM = ("-----", "-----", "--o-$", "-----", "----!")


async def played(tmp_path: Path, *keys: str, name: str = "made") -> None:
    async with playing(write_dungeon(tmp_path, ROOM, name=name)) as (pilot, _):
        await pilot.press(*keys, "q")
        await wait_until(pilot, lambda: not pilot.app.is_running)


@asynccontextmanager
async def shelf(size: tuple[int, int] = (120, 30)) -> AsyncIterator[tuple[Pilot[Any], GamesScreen]]:
    async with at_home(size) as (pilot, _):
        await pilot.press("g")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, GamesScreen) and listed(pilot.app.screen))
        yield pilot, pilot.app.screen


def listed(screen: GamesScreen) -> list[Item]:
    return [option.item for each in screen.query(OptionList) for option in each.options]


def here(screen: GamesScreen) -> Item | None:
    option = screen.query_one(OptionList).highlighted_option
    return option.item if isinstance(option, GameOption) else None


def waiting(screen: HomeScreen) -> str:
    """The line of the game that waits; empty if none does."""
    tile = screen.query_one("#continue", Tile)
    return words(str(tile.content)) if tile.display else ""


async def test_the_game_left_last_is_the_menus_first_row_and_comes_and_goes(tmp_path: Path) -> None:
    async with at_home() as (_, screen):
        assert not waiting(screen)
    await played(tmp_path, "right", "up")
    async with at_home() as (pilot, screen):
        await wait_until(pilot, lambda: waiting(screen).startswith("Continue: "))
        assert "Crawler, turn 2," in waiting(screen)
        assert screen.focused is screen.query_one("#continue")
        await pilot.press("enter")
        game = await begun(pilot)
        assert (game.controller.turn.ply, game.session.is_looking_back) == (2, False)
        await pilot.press("left", "q")
        await wait_until(pilot, lambda: pilot.app.screen is screen and "turn 3," in waiting(screen))
        await pilot.press("enter")
        game = await begun(pilot)
        await pilot.press("down", "right", "right", "right", "down", "down")
        await dialogue(pilot)
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen and not waiting(screen))
        assert screen.focused.display
    assert [outcome for _, outcome in stored()] == ["escaped"]


async def test_a_game_that_was_cut_short_is_highlighted_and_says_so(tmp_path: Path) -> None:
    await played(tmp_path, "right", "up")
    with closing(Library(home() / NAME)) as library:
        library.change(1, writer=GONE)
    async with at_home() as (pilot, screen):
        await wait_until(pilot, lambda: "interrupted" in waiting(screen))
        assert screen.focused is screen.query_one("#continue")
        await pilot.press("enter")
        await begun(pilot)
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen and "interrupted" not in waiting(screen))


async def test_games_are_searched_by_typing_and_one_won_and_restarted_is_among_those_won(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ROOM)) as (pilot, screen):
        for others in ((), ("up", "down")):
            await pilot.press(*others, "right", "right", "down", "down")
            await dialogue(pilot)
            await pilot.press("r")
            await wait_until(pilot, lambda: pilot.app.screen is screen and not screen.controller.turn.ply)
        await pilot.press("left", "q")
        await wait_until(pilot, lambda: not pilot.app.is_running)
    await played(tmp_path, "right", name="other")
    async with shelf() as (pilot, games):
        assert sorted(item.state for item in listed(games)) == ["turn 1", "won 2x, turn 1"]
        await pilot.press(*"2x")  # its file's path may hold "won"
        await wait_until(pilot, lambda: [item.state for item in listed(games)] == ["won 2x, turn 1"])
        assert "1 of 2" in shown(pilot.app)
        await sees(pilot, "Best moves: 4")
        await sees(pilot, "Won 2 times")
        await pilot.press("escape")
        await wait_until(pilot, lambda: len(listed(games)) == 2)
        await pilot.press(*"other")
        await wait_until(pilot, lambda: [item.state for item in listed(games)] == ["turn 1"])
        await pilot.press("escape", "escape")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, HomeScreen))


async def test_a_game_opens_where_it_stands_or_at_its_start(tmp_path: Path) -> None:
    await played(tmp_path, "right", "up")
    async with shelf() as (pilot, screen):
        await pilot.press("enter")
        game = await begun(pilot)
        assert (game.controller.turn.ply, game.session.is_replay) == (2, False)
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("ctrl+r")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        game = await begun(pilot)
        assert (game.controller.turn.ply, game.session.is_replay, len(game.session.line)) == (0, True, 3)
        await pilot.press("right_square_bracket", "down", "q")
        await wait_until(pilot, lambda: pilot.app.screen is screen and len(listed(screen)) == 2)
    assert sorted(stored()) == [(2, ""), (2, "")]


async def test_a_click_opens_the_game_that_was_clicked_if_the_list_changes_meanwhile(tmp_path: Path) -> None:
    await played(tmp_path, "right")
    await played(tmp_path, "right", "down")
    async with shelf() as (pilot, screen):
        games, clicked = screen.query_one(OptionList), here(screen)
        games.action_select()
        games.action_cursor_down()
        assert here(screen) != clicked
        assert (await begun(pilot)).controller.turn.ply == 2


async def test_a_title_is_changed_and_a_removed_game_comes_back(tmp_path: Path) -> None:
    await played(tmp_path, "right")
    async with shelf() as (pilot, screen):
        await pilot.press("f2")
        await type_line(pilot, "Another")
        await wait_until(pilot, lambda: pilot.app.screen is screen and here(screen).title == "Another")
        await pilot.press("delete")
        assert not listed(screen)
        await pilot.press("ctrl+z")
        await wait_until(pilot, lambda: [item.title for item in listed(screen)] == ["Another"])
        await pilot.press("delete", "escape")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, HomeScreen))
    assert stored() == []


async def test_what_waited_for_another_process_is_stored_without_another_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "TURN_TIMEOUT_S", 0)
    async with playing(write_dungeon(tmp_path, ROOM)) as (pilot, screen):
        await pilot.press("right")
        with being_written(home() / NAME):
            await pilot.press("left", "left")
            assert screen.journal.is_behind
            assert stored() == [(1, "")]
        await wait_until(pilot, lambda: stored() == [(3, "")])
        assert not screen.journal.is_behind


async def test_what_cant_be_written_is_reported_and_the_list_stays(tmp_path: Path) -> None:
    await played(tmp_path, "right")
    async with shelf() as (pilot, screen):
        library = pilot.app.library.get()
        with library.reading() as database:
            database.execute("PRAGMA query_only = ON")
        before = [(item.title, item.state) for item in listed(screen)]
        await pilot.press("f2")
        await type_line(pilot, "A title that is much longer " * 300)
        await sees(pilot, NAME)
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await wait_until(pilot, lambda: [(item.title, item.state) for item in listed(screen)] == before)
        await pilot.press("delete")
        await sees(pilot, "Can't be removed")
        assert [(item.title, item.state) for item in listed(screen)] == before


def written() -> list[Path]:
    """The exports that are whole: the others have no content yet, or another name."""
    return [path for path in folder().glob("*") if path.suffix != ".part" and path.stat().st_size]


async def test_a_game_is_exported_as_a_recording_to_a_folder_that_is_named(tmp_path: Path) -> None:
    await played(tmp_path, "right", "up")
    async with shelf() as (pilot, _):
        await pilot.press("ctrl+e")
        await wait_until(pilot, lambda: len(written()) == 1)
        (path,) = written()
        await sees(pilot, path.name[:20])
    _, verdict = reexecute(read_recording(read_level_file(path)))
    assert (verdict.is_ok, verdict.turns) == (True, 2)


def test_strategies_are_listed_by_their_titles() -> None:
    stored: Any = SimpleNamespace(
        title="", outcome="", is_won=False, ply=1, played="2026-11-22 20:15", players={"monster": "bfs", "rogue": YOU}
    )
    game = find_game("chase")
    assert game is not None
    assert Item(stored, game).players == "monster: shortest path, rogue: you"
    stored.outcome, stored.is_won = "saved", True
    assert Item(stored, game, wins=1, losses=2).state == "won, lost 2x"  # narrow lists show the first part
