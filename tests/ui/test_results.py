"""Results of games played by keys: what is kept at each game's end, and what the dialogue tells beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.core.catalogue import Opening, find_game
from dungeon_tui.core.level import read_level_file
from dungeon_tui.core.recording import read_recording
from dungeon_tui.core.scores import Score
from dungeon_tui.games.expedition.model.state import Walk
from dungeon_tui.storage import journal
from dungeon_tui.storage.library import WAITS, Library
from dungeon_tui.storage.places import home
from dungeon_tui.storage.results import Result, results
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.play.screen import PlayScreen
from tests.ui.driving import begun, dialogue, shown_lines, told_in, wait_until
from tests.ui.nim import GAME, nim, nim_app, ply_is
from tests.wording import numbers

RECORDINGS = Path(__file__).parent.parent / "recordings"


def kept() -> list[Result]:
    """The results in the library, read beside the app."""
    library = Library(home() / "library.db")
    try:
        return results(library)
    finally:
        library.close()


def recorded(name: str) -> Sequence[Any]:
    """The actions of a golden recording."""
    recording = read_recording(read_level_file(RECORDINGS / f"{name}.jsonl", 10_000_000))
    game = find_game(recording.game)
    assert game is not None
    return [game.rules().read_action(text) for text in recording.actions]


def shipped(name: str, arguments: str) -> tuple[Any, Opening]:
    """A game, and its opening with these arguments of `play`."""
    game = find_game(name)
    assert game is not None
    return game, next(each for each in game.levels().openings() if each.arguments == arguments)


@pytest.mark.parametrize(
    ("game", "arguments", "recording", "scores"),
    [
        (
            "crawler",
            "easy",
            "crawler-easy-escaped",
            (Score("moves", 134, 120), Score("treasure", 8, None, is_less_better=False)),
        ),
        ("rescue", "classic", "rescue-classic-saved", (Score("health", 7, 7), Score("guesses", 4))),
        ("expedition", "ruins", "expedition-ruins-explored", (Score("cost", 52, 52),)),
    ],
)
async def test_an_end_is_kept_with_its_scores(
    game: str, arguments: str, recording: str, scores: tuple[Score, ...]
) -> None:
    app = DungeonApp(*shipped(game, arguments))
    app.animation_level = "none"
    async with app.run_test(size=(110, 40), notifications=True) as pilot:
        screen = await begun(pilot)
        for action in recorded(recording):
            screen.play(action)
        await dialogue(pilot)
        (result,) = kept()
        assert result.scores == scores
        assert (result.game, result.arguments) == (game, arguments)
        assert result.is_clean


async def test_a_delve_is_kept_with_turns_monsters_and_depth() -> None:
    recording = read_recording(read_level_file(RECORDINGS / "delve-seed-1-won.jsonl", 10_000_000))
    game = find_game("delve")
    assert game is not None
    app = DungeonApp(
        game, Opening("A dungeon", lambda: game.levels().unpack_level(recording.level), seed=recording.seed)
    )
    app.animation_level = "none"
    async with app.run_test(size=(110, 40), notifications=True) as pilot:
        screen = await begun(pilot)
        for text in recording.actions:
            screen.play(game.rules().read_action(text))
        await dialogue(pilot)
        state = screen.session.state
        (result,) = kept()
        assert result.scores == (
            Score("turns", state.turns),
            Score("monsters removed", state.kills, is_less_better=False),
            Score("depth", 1, is_less_better=False),
        )


@pytest.mark.parametrize(
    ("players", "aim", "is_won"),
    [({"rogue": "random"}, "moves to the capture", True), ({"monster": "perfect"}, "moves survived", False)],
)
async def test_a_chase_is_kept_by_the_persons_side(players: dict[str, str], aim: str, is_won: bool) -> None:
    from dungeon_tui.games.chase.ai import solver
    from dungeon_tui.games.chase.model import rules
    from dungeon_tui.games.chase.model.state import Move
    from tests.games.chase.boards import board

    level = board("....", "....", "..M.", "@...")
    game = find_game("chase")
    assert game is not None
    app = DungeonApp(game, Opening("A board", lambda: level, players=players))
    app.animation_level = "none"
    async with app.run_test(size=(110, 40), notifications=True) as pilot:
        screen = await begun(pilot)
        while screen.session.outcome is None:
            await wait_until(pilot, lambda: screen.session.is_persons_turn and not screen.seats.is_answering)
            screen.play(Move(solver.best_moves(screen.session.state)[0]))
            await wait_until(pilot, lambda: not screen.seats.is_answering)
        await dialogue(pilot)
        (result,) = kept()
        par = solver.value(rules.start(level))
        assert result.scores == (Score(aim, screen.session.state.monster_moves, par, is_less_better=is_won),)
        assert result.is_won == is_won


async def lose(pilot: Pilot[Any], screen: PlayScreen) -> None:
    """Plays a pile of one or two to its end, against the other one."""
    while screen.session.outcome is None:
        await pilot.press("left")
        await pilot.pause()


async def test_what_helps_is_told_from_what_does_not() -> None:
    async with nim(3, second="you") as (pilot, screen):
        await lose(pilot, screen)
        await dialogue(pilot)
        await pilot.press("r")
        await pilot.press("slash")
        await pilot.press("right")
        await lose(pilot, screen)
        await dialogue(pilot)
    assert [(each.is_helped, each.is_undone) for each in kept()] == [(False, False), (True, False)]


@pytest.mark.parametrize(("key", "is_helped"), [("A", True), ("o", False), ("question_mark", False)])
async def test_keys_that_help(key: str, is_helped: bool) -> None:
    async with nim(3, second="you") as (pilot, screen):
        await pilot.press(key)
        if key == "A":
            await wait_until(pilot, lambda: screen.board is not None and screen.board.is_on)
        if key == "question_mark":
            await pilot.press("q")
        await lose(pilot, screen)
        await dialogue(pilot)
    assert [each.is_helped for each in kept()] == [is_helped]


@pytest.mark.parametrize("key", ["o", "B"])
async def test_an_overlay_of_needs_and_a_shown_way_help(key: str) -> None:
    app = DungeonApp(*shipped("rescue", "classic"))
    app.animation_level = "none"
    async with app.run_test(size=(110, 40), notifications=True) as pilot:
        screen = await begun(pilot)
        await pilot.press(key)
        await wait_until(pilot, lambda: screen.distances.computed or screen.toggles.is_on)
        for action in recorded("rescue-classic-saved"):
            screen.play(action)
        await dialogue(pilot)
    assert [each.is_helped for each in kept()] == [True]


async def test_a_move_taken_back_is_told() -> None:
    async with nim(3, second="you") as (pilot, screen):
        await pilot.press("left", "backspace", "right")
        await lose(pilot, screen)
        await dialogue(pilot)
    assert [each.is_undone for each in kept()] == [False]  # it was the first one: that is another try
    async with nim(4, second="you") as (pilot, screen):
        await pilot.press("left", "left", "backspace", "right")
        await lose(pilot, screen)
        await dialogue(pilot)
    assert [each.is_undone for each in kept()] == [False, True]


async def test_a_seat_that_changes_hands_helps() -> None:
    async with nim(6, second="perfect") as (pilot, screen):
        await pilot.press("left")
        await wait_until(pilot, lambda: not screen.seats.is_answering)
        screen.session.take_seats({"first": "you", "second": "you"})
        screen.seats.players_changed()
        await lose(pilot, screen)
        await dialogue(pilot)
    assert [each.is_helped for each in kept()] == [True]


@pytest.mark.parametrize(
    ("walks", "told"),
    [
        (("babcdefg", "dcbabcdefg"), [[], [17, 13]]),
        (("dcbabcdefg", "babcdefg"), [[], [13, 17]]),
        (("babcdefg", "babcdefg"), [[], [13]]),
    ],
)
async def test_the_dialogue_tells_the_best_before(walks: tuple[str, ...], told: list[list[int]]) -> None:
    found = []
    for walk in walks:
        app = DungeonApp(*shipped("expedition", "path"))
        app.animation_level = "none"
        async with app.run_test(size=(110, 40), notifications=True) as pilot:
            screen = await begun(pilot)
            for room in walk:
                screen.play(Walk(room))
            _, _, costs = told_in(await dialogue(pilot)).partition("Cost: ")
            found.append(numbers(costs))
    assert found == told


async def test_a_game_that_is_left_at_once_at_its_end_keeps_its_result() -> None:
    app = nim_app(1, second="you")
    async with app.run_test(size=(110, 40), notifications=True) as pilot:
        screen = await begun(pilot)
        screen.ending.tell_end = lambda outcome: None  # type: ignore[method-assign]
        await pilot.press("left")
        await ply_is(pilot, screen, 1)
        assert kept() == []
        await pilot.press("q")
    assert [each.outcome for each in kept()] == ["first"]


async def test_a_game_killed_at_its_end_tells_it_when_it_is_gone_on_with() -> None:
    app = nim_app(1, second="you")
    async with app.run_test(size=(110, 40), notifications=True) as pilot:
        screen = await begun(pilot)
        screen.ending.tell_end = lambda outcome: None  # type: ignore[method-assign]
        await pilot.press("left")
        await ply_is(pilot, screen, 1)
        screen.journal = None  # nothing is written any more
    assert kept() == []
    library = Library(home() / "library.db")
    library.change(1, writer=2**22 + 1, played="2026-01-31 23:59:00")  # a process that there can't be
    (game,) = library.games(WAITS)
    async with DungeonApp(GAME, Opening("A pile", partial(library.resume, game))).run_test(
        size=(110, 40), notifications=True
    ) as pilot:
        await begun(pilot)
        await dialogue(pilot)
    library.close()
    assert [(each.outcome, each.at) for each in kept()] == [("first", "2026-01-31 23:59:00")]
    library = Library(home() / "library.db")
    assert library.games(WAITS) == []
    library.close()


async def test_the_counted_try_of_a_daily_offers_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "find_games", lambda: (GAME,))
    copied: list[str] = []
    for is_counted in (True, False):
        app = nim_app(1, second="you")
        assert app._opening is not None
        app._opening = replace(app._opening, day=date(2026, 11, 22))
        app.copy_to_clipboard = copied.append  # type: ignore[method-assign]
        async with app.run_test(size=(110, 40), notifications=True) as pilot:
            screen = await begun(pilot)
            await pilot.press("left")
            first = await dialogue(pilot)
            assert ("2026-11-22" in "\n".join(shown_lines(app))) == is_counted
            if is_counted:
                await pilot.press("z")
                await wait_until(pilot, lambda first=first, app=app: app.screen is not first)
                await dialogue(pilot)
                await pilot.press("enter")
                await wait_until(pilot, lambda screen=screen: screen.session.is_looking_back)
    assert [line.split() for line in copied] == [["dungeon-tui", "2026-11-22", "nim", "first", "no", "hints"]]
    assert [each.daily for each in kept()] == ["2026-11-22", ""]


async def test_after_a_win_enter_goes_on_to_the_next_level_and_both_are_kept() -> None:
    app = DungeonApp(*shipped("expedition", "path"))
    app.animation_level = "none"
    async with app.run_test(size=(110, 40)) as pilot:
        screen = await begun(pilot)
        await pilot.press("left", "left", *["right"] * 6)
        question = await dialogue(pilot)
        await pilot.press("escape")  # loses nothing, and stays
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("backspace", "right")
        assert await dialogue(pilot) is not question
        await pilot.press("N")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen) and pilot.app.screen is not screen)
        following = await begun(pilot)
        assert following.session.arguments == "star"
        assert following.controller.turn.ply == 0
        assert len(pilot.app.screen_stack) == 3  # as for the first one
        assert [result.arguments for result in kept()] == ["path"]
