"""Results of games played by keys: what is stored at each game's end, and what the dialogue tells beside it."""

from contextlib import closing
from datetime import date
from functools import partial
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.core.catalogue import Opening
from dungeon_tui.games.crawler.ai.par import par_of
from dungeon_tui.games.crawler.model.dungeon import load_dungeon
from dungeon_tui.games.crawler.model.state import Action
from dungeon_tui.games.expedition.model.state import Walk
from dungeon_tui.storage import journal
from dungeon_tui.storage.folders import home
from dungeon_tui.storage.library import NAME, WAITS, Library
from dungeon_tui.storage.results import Result, results
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.dialogs import QUIET
from tests.processes import GONE
from tests.ui.driving import begun, dialog_text, dialogue, running, sees, shipped, shown_lines, wait_until
from tests.ui.nim import GAME, nim, nim_app, ply_is
from tests.wording import numbers


def stored() -> list[Result]:
    with closing(Library(home() / NAME)) as library:
        return results(library)


async def lose(pilot: Pilot[Any], screen: PlayScreen) -> None:
    """Plays a pile of one or two to its end, against the other one."""
    while screen.session.outcome is None:
        await pilot.press("left")
        await pilot.pause()


@pytest.mark.parametrize(("key", "is_helped"), [("A", True), ("slash", True), ("o", False), ("c", True)])
async def test_keys_that_help(key: str, is_helped: bool) -> None:
    async with nim(3, second="you") as (pilot, screen):
        if key == "c":
            await pilot.press("left")  # before the first move there is nothing to judge
        await pilot.press(*[key] * (1 + (key in ("A", "slash"))))  # which ask first
        if key == "A":
            await wait_until(pilot, lambda: screen.board is not None and screen.board.is_on)
        elif key == "c":
            await wait_until(pilot, lambda: screen.journal.used(screen.session.turn))
        await lose(pilot, screen)
        await dialogue(pilot)
    assert [each.is_helped for each in stored()] == [is_helped]


async def test_a_move_taken_back_is_reported() -> None:
    tries = ["left", "r", "right"], ["left", "backspace", "right"], ["left", "left", "backspace", "right"]
    further = ["left", "backspace", "right", "r"], ["left", "left", "r", "left", "right"], ["left", "r", "ctrl+y"]
    for keys in (*tries, ["left", "backspace", "left"], *further):
        async with nim(5, second="you") as (pilot, screen):
            if "r" in keys[:-1]:
                screen.journal.mark_helped("a hint")
            await pilot.press(*keys)
            await lose(pilot, screen)
            await dialogue(pilot)
    assert [each.is_undone for each in stored()] == [False, True, True, True, False, False, True]
    assert [each.is_helped for each in stored()] == [True, *[False] * 4, True, True]  # also after a restart
    async with nim(5, second="you") as (pilot, screen):
        await pilot.press("left", "left")
        screen.session.begin_variation(screen.session.turn.parent).apply(2)
        screen.session.variation, screen.session.is_looking_back = None, False  # an answer of Learn that is played on
        await pilot.press("left")
        assert screen.journal.used(screen.session.turn).names == ("undo",)
    async with nim(5, second="you") as (pilot, screen):
        await pilot.press("left", "A", "A")
        await wait_until(pilot, lambda: screen.board.is_on)
        await pilot.press("r")
        assert not screen.board.is_on


def _is_on(screen: PlayScreen, is_expected: bool) -> bool:
    return screen.board.is_on == is_expected


@pytest.mark.parametrize("again", [["r"], ["escape", "r"]])
async def test_again_begins_another_game_without_the_help_and_the_analysis_of_the_last(again: list[str]) -> None:
    async with shipped("expedition", "path") as (pilot, screen):
        for key, following in (("AA", again), ("", ["q"])):
            screen = await begun(pilot)
            await pilot.press(*key)
            await wait_until(pilot, partial(_is_on, screen, bool(key)))
            for room in "babcdefg":
                screen.play(Walk(room))
            is_told = "Used: the analysis. ★★★: win again without it." in dialog_text(await dialogue(pilot))
            assert is_told == bool(key)
            await pilot.press(*following)
    assert [each.is_helped for each in stored()] == [True, False]


async def test_a_lost_try_counts_when_you_begin_again() -> None:
    async with shipped("expedition", "the-costly-door") as (pilot, screen):
        while screen.session.outcome is None:
            screen.play(Walk("crypt" if screen.session.state.steps % 2 else "aisle"))
        await dialogue(pilot)
        await pilot.press("escape")
        await wait_until(pilot, lambda: screen.session.is_looking_back)
        await pilot.press("r")
        await wait_until(pilot, lambda: screen.session.turn.parent is None)
        assert not screen.board.is_on
        assert screen.journal.used(screen.session.turn).names == ()  # a look back is no help
    assert [each.is_won for each in stored()] == [False]


async def test_again_in_an_imported_game_of_an_unknown_level_goes_back_to_its_start() -> None:
    async with shipped("expedition", "path", arguments="nowhere") as (pilot, screen):
        for room in "babcdefg":
            screen.play(Walk(room))
        await dialogue(pilot)
        await pilot.press("r")
        await wait_until(pilot, lambda: pilot.app.screen is screen and screen.session.turn.parent is None)


async def test_again_after_a_later_level_was_lost_begins_that_level() -> None:
    async with shipped("crawler", "tutorial") as (pilot, screen):
        par = par_of(load_dungeon("tutorial")).par
        assert par is not None
        first, second, *_ = par.points[0].commands
        for letter in f"{first}{second}ddddd":  # caught on level 3
            screen.play(Action(letter))
        await dialogue(pilot)
        await pilot.press("r")
        await wait_until(pilot, lambda: screen.session.outcome is None)
        assert screen.session.state.number == 3


async def test_a_lost_game_counts_unless_it_is_taken_back_from_its_end_page() -> None:
    async with nim(3, second="perfect") as (pilot, screen):
        for key, count in (("backspace", 0), ("r", 1)):
            await lose(pilot, screen)
            await dialogue(pilot)
            await pilot.press(key)
            await wait_until(pilot, lambda: screen.session.outcome is None)
            assert [each.is_won for each in stored()] == [False] * count


async def test_dialogues_have_the_keys_of_the_settings_but_those_that_move() -> None:
    async with nim(5, second="you") as (pilot, screen):
        changes = {("moves",): "hjkl", ("keys", "restart"): "f5", ("keys", "undo"): "w"}
        pilot.app.preferences.change(changes)
        await pilot.press("left", "escape")
        assert "F5 Restart" in dialog_text(await dialogue(pilot))
        await pilot.press("escape")
        await lose(pilot, screen)
        text = dialog_text(await dialogue(pilot))
        assert "F5 Again" in text
        assert "⌫ Undo" in text
        await pilot.pause(QUIET)
        await pilot.press("f5")
        await wait_until(pilot, lambda: screen.session.turn.parent is None)


async def test_the_dialogue_tells_the_best_before() -> None:
    found = []
    for walk, help_key in (("dcbabcdefg", ["A", "A"]), ("babcdefg", [])):
        async with shipped("expedition", "path") as (pilot, screen):
            await pilot.press(*help_key)
            await sees(pilot, "Hide" if help_key else "Analysis")
            for room in walk:
                screen.play(Walk(room))
            text, _, costs = dialog_text(await dialogue(pilot)).partition("Cost: ")
            assert ("★★★" in text) != ("2 at par, 3 also without undo" in text)
            assert ("Learn" in text) == (len(walk) > 8), "a walk at par has nothing to learn"
            assert ("Used: the analysis." in text) == bool(help_key)
            found.append(numbers(costs))
    assert found == [[], [13, 17]]


async def test_a_game_killed_at_its_end_tells_it_when_it_is_gone_on_with() -> None:
    app = nim_app(1, second="you")
    async with running(app, size=(110, 40), notifications=True) as pilot:
        screen = await begun(pilot)
        screen.ending.tell_end = lambda outcome: None
        await pilot.press("left")
        await ply_is(pilot, screen, 1)
        screen.journal = None  # nothing is written any more
    assert stored() == []
    library = Library(home() / NAME)
    library.change(1, writer=GONE, played="2026-01-31 23:59:00")
    (game,) = library.games(WAITS)
    async with running(
        DungeonApp(GAME, Opening("A pile", partial(library.resume, game))), size=(110, 40), notifications=True
    ) as pilot:
        await begun(pilot)
        await dialogue(pilot)
    assert [(each.outcome, each.at) for each in stored()] == [("first", "2026-01-31 23:59:00")]
    assert library.games(WAITS) == []
    library.close()


async def test_the_counted_try_of_a_daily_offers_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "find_games", lambda: (GAME,))
    copied: list[str] = []
    for is_counted in (True, False):
        app = DungeonApp(GAME, Opening("A pile", lambda: 2, players={"second": "you"}, day=date(2026, 11, 22)))
        app.copy_to_clipboard = copied.append
        async with running(app, size=(110, 40), notifications=True) as pilot:
            screen = await begun(pilot)
            screen.play(2)
            first = await dialogue(pilot)
            assert ("2026-11-22" in "\n".join(shown_lines(app))) == is_counted
            if is_counted:
                await pilot.press("C")
                await wait_until(pilot, lambda first=first, app=app: app.screen is not first)
                await dialogue(pilot)
                await pilot.press("escape")
                await wait_until(pilot, lambda screen=screen: screen.session.is_looking_back)
                await pilot.press("r")
                screen.play(1)
                assert screen.journal.used(screen.session.turn).names == ()  # it is won already
                screen.play(1)
                await dialogue(pilot)
                assert "first try" in " ".join(shown_lines(app))
    assert [line.split() for line in copied] == [["dungeon-tui", "2026-11-22", "nim", "first", "★★★", "no", "hints"]]
    assert [each.daily for each in stored()] == ["2026-11-22", "2026-11-22", ""]


@pytest.mark.parametrize("keys", [["enter"], ["escape", "N"]])
async def test_after_a_win_a_key_opens_the_next_level_and_both_are_stored(keys: list[str]) -> None:
    async with shipped("expedition", "two-ends") as (pilot, screen):
        await pilot.press("left", *["right"] * 3, "down")
        question = await dialogue(pilot)
        await pilot.press("escape")  # loses nothing, and stays
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("backspace", "down")
        assert await dialogue(pilot) is not question
        await pilot.press(*keys)
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen) and pilot.app.screen is not screen)
        following = await begun(pilot)
        assert following.session.arguments == "ring-with-a-toll"
        assert following.controller.turn.ply == 0
        assert len(pilot.app.screen_stack) == 2  # as for the first one
        assert [result.arguments for result in stored()] == ["two-ends"]


async def test_after_a_lost_descent_a_key_opens_the_next_one() -> None:
    async with shipped("deep", "--seed 11") as (pilot, screen):
        await pilot.press(*"wdddss")
        await dialogue(pilot)
        await pilot.press("N")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen) and pilot.app.screen is not screen)
        assert (await begun(pilot)).session.arguments == "--seed 12"
