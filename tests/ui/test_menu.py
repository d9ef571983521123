"""The menu: its home screen, the lists of levels with what one sees beside them, and how it takes broken files."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static

from dungeon_tui.core.catalogue import Game, find_game, find_games
from dungeon_tui.core.scores import Score
from dungeon_tui.storage.folders import home
from dungeon_tui.storage.library import End, LazyLibrary, Library
from dungeon_tui.storage.results import Record
from dungeon_tui.ui import app as app_module
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.map.view import MapView
from dungeon_tui.ui.menu.home import Card, HomeScreen, Tile
from dungeon_tui.ui.menu.levels import LevelsScreen
from dungeon_tui.ui.menu.sources import PREVIEW_DELAY_S, Sources
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.dialogs import ChoiceDialog
from dungeon_tui.ui.widgets.form_dialog import FormDialog
from dungeon_tui.ui.widgets.help_screen import HelpScreen
from tests.test_dailies import games_of
from tests.ui.driving import level_text, resize, running, sees, shown_lines, type_line, wait_until


@asynccontextmanager
async def at_home(
    size: tuple[int, int] = (100, 30), *, ascii_only: bool = False
) -> AsyncIterator[tuple[Pilot[Any], HomeScreen]]:
    """The home screen, once its cards are drawn."""
    app = DungeonApp(ascii_only=ascii_only)
    async with running(app, size=size, notifications=True) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen) and is_drawn(app.screen))
        yield pilot, app.screen


def is_drawn(screen: HomeScreen) -> bool:
    cards = list(screen.query(Card))
    has_maps = all(card.map.source is not None for card in cards)
    return bool(cards) and has_maps and all(str(card.progress.content) for card in cards)


@asynccontextmanager
async def menu(
    size: tuple[int, int] = (100, 30), *, every_game: bool = False, ascii_only: bool = False
) -> AsyncIterator[tuple[Pilot[Any], LevelsScreen]]:
    """The list of the crawler's levels, or of all."""
    app = DungeonApp(None if every_game else find_game("crawler"), ascii_only=ascii_only)
    async with running(app, size=size, notifications=True) as pilot:
        if every_game:
            await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
            await pilot.press("slash")
        await wait_until(pilot, lambda: isinstance(app.screen, LevelsScreen) and titles(app.screen))
        yield pilot, app.screen


def titles(screen: LevelsScreen) -> list[str]:
    return [str(option.prompt).strip() for entries in screen.query(OptionList) for option in entries.options]


async def highlight(pilot: Pilot[Any], screen: LevelsScreen, title: str) -> None:
    entries = screen.query_one(OptionList)
    entries.highlighted = titles(screen).index(title)
    await sees(pilot, title)


async def open_path(pilot: Pilot[Any], screen: LevelsScreen, path: str) -> None:
    await highlight(pilot, screen, "Open a level file ...")
    await pilot.press("enter")
    await type_line(pilot, path)


async def test_at_80_columns_a_blank_parts_a_game_from_all_its_stars(monkeypatch: pytest.MonkeyPatch) -> None:
    all_stars = SimpleNamespace(get=lambda level: Record(3, 1, 1, (), None))
    monkeypatch.setattr(Sources, "records", lambda sources: all_stars)
    async with at_home((80, 24)) as (_, screen):
        for card in screen.query(Card):
            title = card.query_one(".title", Static)
            assert "★" in str(card.progress.content)
            assert len(str(title.content)) < title.size.width


async def test_the_palette_lists_the_days_levels_and_games_and_opens_a_level_by_its_name() -> None:
    async with at_home() as (pilot, _):
        await pilot.press("ctrl+p")
        games = [game.title for game in find_games()]
        await wait_until(pilot, lambda: len(listed(pilot)) > len(games))
        assert [entry.partition(":")[0] for entry in listed(pilot)[1 : 1 + len(games)]] == games
        opening = find_games()[0].levels().openings()[1]
        await pilot.press(*opening.title.lower())
        await wait_until(pilot, lambda: len(listed(pilot)) == 1 and opening.title in listed(pilot)[0])
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))


def listed(pilot: Pilot[Any]) -> list[str]:
    return [str(option.prompt) for entries in pilot.app.screen.query(OptionList) for option in entries.options]


async def test_a_group_of_levels_is_one_line_that_unfolds_and_counts_those_done() -> None:
    async with menu(every_game=True) as (pilot, screen):
        entries = screen.query_one(OptionList)
        group = next(each for each in screen.entries if each.entries)
        inside = [each.opening.title for each in group.entries if each.opening is not None]
        assert not set(inside) & set(titles(screen))
        line = next(title for title in titles(screen) if group.title in title)
        assert line.endswith(f"0/{len(inside)}")
        entries.highlighted = titles(screen).index(line)
        await sees(pilot, f"0 of {len(inside)} done")
        await sees(pilot, "Enter List")
        for opening, closing in (("enter", ("enter",)), ("right", ("down", "left"))):
            await pilot.press(opening)
            await wait_until(pilot, lambda: set(inside) <= {" ".join(title.split()) for title in titles(screen)})
            await pilot.press(*closing)
            await wait_until(pilot, lambda: not set(inside) & set(titles(screen)))
            await sees(pilot, f"0 of {len(inside)} done")
        # A group at the lower edge scrolls up.
        last = [each for each in screen.entries if each.entries][-1]
        entries.highlighted = next(at for at, title in enumerate(titles(screen)) if last.title in title)
        await pilot.press("right")
        await sees(pilot, last.entries[0].opening.title)


async def test_arrows_go_over_the_home_screen_as_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "find_games", lambda: find_games()[:6])  # two rows of three
    async with at_home() as (pilot, screen):
        cards = list(screen.query(Card))
        assert screen.focused is cards[0]
        for key, place in (
            ("right", 1),
            ("l", 2),
            ("right", 2),
            ("left", 1),
            ("down", 4),
            ("j", 4),
            ("h", 3),
            ("k", 0),
        ):
            await pilot.press(key)
            assert screen.focused is cards[place]  # fmt: skip
        await pilot.press("up")
        assert screen.focused is screen.query_one("#daily", Tile)
        await pilot.press("enter")
        await wait_until(pilot, lambda: chosen(pilot.app.screen) == f"--date {date.today()}")
        await pilot.press("escape")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await pilot.click(cards[1])
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, LevelsScreen))


async def test_typing_searches_and_the_first_level_that_was_not_won_is_highlighted() -> None:
    store_end("tutorial", Score("moves", 49, 49))
    async with menu() as (pilot, screen):
        entries = screen.query_one(OptionList)
        assert entries.highlighted is not None
        assert titles(screen)[entries.highlighted] == "The old abbey, easy"
        await pilot.press(*"hall")
        await wait_until(pilot, lambda: len(titles(screen)) < 4)
        await pilot.press(*"x")
        await sees(pilot, "No level matches.")
        assert not any("Enter" in line for line in shown_lines(pilot.app))
        await asyncio.sleep(2 * PREVIEW_DELAY_S)
        await wait_until(pilot, lambda: not any(worker.group == "preview" for worker in pilot.app.workers))
        assert not screen.query_one(MapView).visible
        await pilot.press("escape")
        await wait_until(pilot, lambda: "Below the abbey, hard" in titles(screen))


async def test_a_search_lists_matches_of_titles_first_and_highlights_the_first_level() -> None:
    async with menu(every_game=True) as (pilot, screen):
        await pilot.press(*"door")
        await wait_until(pilot, lambda: "A door on the way" in titles(screen))
        for game in {entry.game.name: entry.game for entry in screen.entries}.values():
            listed = [entry for entry in screen.entries if entry.game is game]
            is_in_title = [
                "door" in (entry.opening.title if entry.opening else entry.words).lower() for entry in listed
            ]
            assert is_in_title == sorted(is_in_title, reverse=True)
        option: Any = screen.query_one(OptionList).highlighted_option
        assert option.entry is screen.entries[0]
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        assert screen.query_one(Input).value == "door"
        await pilot.press("escape")
        screen.query_one(Input).value = "ring"  # not "scoring" in a summary
        await wait_until(pilot, lambda: 0 < len(screen.entries) < 10)
        screen.query_one(Input).value = "last t"
        await wait_until(pilot, lambda: "The last torch" in titles(screen)[:2])


def chosen(screen: Screen[Any]) -> str:
    """The arguments that open the highlighted level."""
    option: Any = screen.query_one(OptionList).highlighted_option if screen.query(OptionList) else None
    return "" if option is None else option.entry.opening.arguments


async def test_one_comes_back_to_the_level_that_one_left_and_a_search_that_found_it_is_forgotten() -> None:
    async with menu() as (pilot, screen):
        await wait_until(pilot, lambda: chosen(screen) == "tutorial")
        await pilot.press("down", "up", "enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        await sees(pilot, "Level 1 of 6: Round the walls")
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await wait_until(pilot, lambda: chosen(screen) == "tutorial")
        crawler = find_game("crawler")
        assert crawler is not None
        screen.mark(crawler, "mirrors")
        assert chosen(screen) == "mirrors"
        await pilot.press("slash", *"abbey")
        await wait_until(pilot, lambda: screen.query_one(Input).value == "abbey" and len(titles(screen)) < 4)
        found = chosen(screen)
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await wait_until(pilot, lambda: chosen(screen) == found)
        assert screen.query_one(Input).value == ""


async def test_a_broken_level_is_reported_and_the_menu_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("[b]broken.txt")
    path.write_text("1 3\n0 0\n--[\n")
    async with menu((160, 40)) as (pilot, screen):
        await open_path(pilot, screen, str(path))
        await sees(pilot, f"{path}:3:3: unknown tile '['")
        assert pilot.app.screen.query_one(Input).value == str(path)
        path.write_text(level_text("o$!"))
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)


@pytest.mark.parametrize("game", find_games(), ids=lambda game: game.name)
def test_what_the_command_line_opens_by_name_is_what_the_menu_opens(game: Game) -> None:
    pack = game.levels().pack_level
    for opening in game.levels().openings():
        if opening.arguments and not opening.arguments.startswith("-"):
            given = game.commands().OPTIONS.read(opening.arguments)
            other = game.levels().opening(given)
            assert pack(other.load()).files == pack(opening.load()).files


async def test_nothing_of_the_menu_is_cut() -> None:
    async with at_home((80, 24)) as (pilot, _):
        for text in pilot.app.screen.query(Static):
            width, height = text.content_size
            if width and height:
                assert text.get_content_height(pilot.app.size, pilot.app.size, width) <= height, str(text.content)
        for size in ((40, 10), (20, 5), (300, 100), (80, 24)):
            await resize(pilot, *size)
            await wait_until(pilot, lambda size=size: all(len(line) <= size[0] for line in shown_lines(pilot.app)))
        await sees(pilot, "Enter Open / Find g Saved games t Statistics , Settings ? Help q Leave")


async def test_a_days_levels_are_listed_and_marked_at_home() -> None:
    app = DungeonApp(day=date(2026, 11, 22))
    async with running(app, size=(100, 30)) as pilot:
        await wait_until(pilot, lambda: chosen(app.screen) == "--date 2026-11-22")
        screen = app.screen
        assert isinstance(screen, LevelsScreen)
        assert titles(screen) == [game.title for game in games_of(date(2026, 11, 22))]
        await pilot.press("down", "enter")
        await wait_until(pilot, lambda: isinstance(app.screen, PlayScreen))
        assert app.screen.session.arguments == "--date 2026-11-22"
        assert app.screen.session.players == {"monster": "bfs", "rogue": "you"}
    store_end(f"--date {date.today()}", daily=str(date.today()))
    async with at_home() as (pilot, _):
        await sees(pilot, "0 Daily levels 1 of")
        await pilot.press("0")
        await wait_until(pilot, lambda: chosen(pilot.app.screen) == f"--date {date.today()}")
        await pilot.press("escape", "1")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, LevelsScreen))
        await pilot.press(*"daily")
        await wait_until(pilot, lambda: chosen(pilot.app.screen) == f"--date {date.today()}")


def test_a_board_opens_with_the_sides_of_its_last_game_and_a_task_with_its_own() -> None:
    game, sides = find_game("chase"), {"monster": "you", "rogue": "cycle"}
    assert game is not None
    sources = Sources([game], LazyLibrary(), print, print)
    for arguments, is_kept in (
        ("open-room", True),
        ("--task single-pillar-1", False),
        ("single-pillar --rogue flee", False),
    ):
        store_end(arguments, game="chase", players=sides)
        assert (sources.seated(game, game.levels().named(arguments)).players == sides) == is_kept, arguments


def store_end(
    arguments: str, *scores: Score, daily: str = "", game: str = "crawler", is_won: bool = True, **values: Any
) -> None:
    """Puts a game that has ended into the library."""
    library = Library(home() / "library.db")
    with library.writing() as database:
        database.execute("INSERT OR IGNORE INTO levels VALUES (?, '')", (arguments,))
    names = {"level": arguments, "arguments": arguments, "daily": daily}
    stored = library.begin(game=game, rules=1, seed=0, title="", **names, **values)
    library.add_turns(stored.id, [(0, "1")], -1, -1)
    library.add_end(stored.id, 1, End("escaped", is_won, False, 75.0, "2026-01-01 10:00:00"), scores)
    library.close()


async def test_levels_are_marked_with_their_stars() -> None:
    star = "★"
    store_end("tutorial", Score("moves", 49, 49))
    async with menu() as (pilot, screen):
        screen.query_one(OptionList).highlighted = titles(screen).index(f"The first lesson             {star * 3}")
        assert [title for title in titles(screen) if star in title] == [f"The first lesson             {star * 3}"]
        await sees(pilot, f"{star * 3} Best moves: 49 (par 49).")
        store_end("easy", Score("moves", 300, 200))
        store_end("toll", is_won=False)
        screen.on_screen_resume()
        await wait_until(pilot, lambda: sum(star in title for title in titles(screen)) == 2)
        assert [title for title in titles(screen) if "tried" in title] == [f"{'The toll road, medium':27}tried"]


async def test_a_level_under_way_asks_whether_to_continue_or_start_over_from_the_shell_too() -> None:
    async with menu((80, 24)) as (pilot, screen):
        app = pilot.app
        await pilot.press("enter")  # nothing is stored yet: it opens at once
        await wait_until(pilot, lambda: isinstance(app.screen, PlayScreen))
        await pilot.press("right", "q")
        for key, ply in (("escape", None), ("enter", 1), ("r", 0)):
            await wait_until(pilot, lambda: app.screen is screen)
            await pilot.press("enter")
            await wait_until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
            await pilot.pause()
            assert app.screen.query_one("ChoiceDialog > Vertical").outer_size.height <= 9
            await pilot.press(key)
            if ply is not None:
                await wait_until(pilot, lambda: isinstance(app.screen, PlayScreen))
                assert app.screen.session.turn.ply == ply, key
                await pilot.press("right", "q")
    game = find_games()[0]
    for key, ply in (("enter", 1), ("r", 0)):
        app = DungeonApp(game, game.levels().openings()[0], asks=True)
        async with running(app) as pilot:
            await wait_until(pilot, lambda app=app: isinstance(app.screen, ChoiceDialog))
            await pilot.pause()
            await pilot.press(key)
            await wait_until(pilot, lambda app=app: isinstance(app.screen, PlayScreen))
            assert app.screen.session.turn.ply == ply, key


async def test_a_form_makes_a_level_as_chosen_and_says_what_it_cant_be_and_opens_again_if_none_can_be_made() -> None:
    async with menu(every_game=True) as (pilot, screen):
        await highlight(pilot, screen, "New dungeon, one hit is death ...")
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press("0", "enter")  # no monsters
        question = pilot.app.screen
        assert question.query_one(".trouble").display
        await pilot.press("backspace", "4", "down", "down", "down", "7", "enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert pilot.app.screen.session.arguments == "--seed 7 --monsters 4 --rules course"
        await pilot.press("q")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("enter")
        await sees(pilot, "Seed 7")  # as it was filled in
        await pilot.press("escape")
        await highlight(pilot, screen, "New puzzle ...")
        await pilot.press("enter", "1", "enter")  # so few rows make no purchase: it opens again as it was
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, FormDialog) and pilot.app.screen.query(".trouble"))
        await wait_until(pilot, lambda: pilot.app.screen.query_one(".trouble").display)
        await sees(pilot, "Rows 1")


async def test_messages_about_an_earlier_list_are_ignored() -> None:
    async with menu() as (pilot, screen):
        options = screen.query_one(OptionList)
        stale = options.options[options.option_count - 1]
        screen.query_one(Input).value = "new"
        await wait_until(pilot, lambda: stale not in options.options)
        for message in (OptionList.OptionHighlighted, OptionList.OptionSelected):
            options.post_message(message(options, stale, 0))
        await pilot.pause()
        assert pilot.app.screen is screen
