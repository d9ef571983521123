"""Ghosts: the best run of the games kept, or the perfect one, beside the present game."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.core.catalogue import Opening, find_game
from dungeon_tui.games.rescue.model.rules import Guess
from dungeon_tui.storage.library import NAME, Library
from dungeon_tui.storage.places import home
from dungeon_tui.storage.recordings import load, saved
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.palette import Tint
from dungeon_tui.ui.play.features import PerfectLine
from dungeon_tui.ui.play.ghost import MARK
from dungeon_tui.ui.play.screen import PlayScreen
from tests.ui.driving import begun, dialogue, glyphs, playing, tinted, wait_until, write_dungeon
from tests.wording import numbers

ROOM = ("o$--!", "-----")
ROUNDABOUT = ["right", "left", "right", "right", "right", "right"]
STRAIGHT = ["right"] * 4


async def keep(name: str, *walks: list[str]) -> None:
    """Plays a dungeon to its end, in a game for each walk."""
    for walk in walks:
        async with playing(name) as (pilot, _):
            await pilot.press(*walk)
            await dialogue(pilot)


async def call_ghost(pilot: Pilot[Any], screen: PlayScreen) -> None:
    """Goes on to the next run, whether there is one or not."""
    await pilot.press("I")
    await wait_until(pilot, lambda: not any(each.group == "ghost" and each.is_running for each in screen.workers))


def ghosts(screen: PlayScreen) -> set[tuple[int, int]]:
    """The cells that the ghost marks; it is on."""
    assert screen.ghost.is_on
    return tinted(screen, Tint.FRESH)


def is_helped() -> list[bool]:
    """Of each game in the library, if anything helped."""
    library = Library(home() / NAME)
    try:
        return [each.is_helped for each in library.games()]
    finally:
        library.close()


@pytest.mark.parametrize("walks", [(ROUNDABOUT, STRAIGHT), (STRAIGHT, ROUNDABOUT)])
async def test_the_best_run_of_those_kept_goes_along_step_by_step(walks: tuple[list[str], ...], tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ROOM)
    await keep(name, *walks)
    async with playing(name) as (pilot, screen):
        await call_ghost(pilot, screen)
        assert ghosts(screen) == set()  # it is here
        await pilot.press("down")
        assert ghosts(screen) == {(0, 1)}
        assert glyphs(screen)[0][1] == "$"  # what is there stays to be seen
        await pilot.press("e")
        assert ghosts(screen) == {(0, 2)}
        assert glyphs(screen)[0][2] == MARK
        await pilot.press("e", "e")
        assert ghosts(screen) == {(0, 4)}
        await pilot.press("e")
        assert ghosts(screen) == set()  # it is over
        await pilot.press("backspace")
        assert ghosts(screen) == {(0, 4)}
    assert is_helped() == [False] * 3


async def test_the_key_goes_on_to_the_perfect_run_which_helps_and_to_none(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ROOM)) as (pilot, screen):
        await pilot.press("down")
        await call_ghost(pilot, screen)
        assert not screen.ghost.is_on  # no game was kept
        assert is_helped() == [False]
        await call_ghost(pilot, screen)
        assert ghosts(screen) == {(0, 1)}
        assert is_helped() == [True]
        await call_ghost(pilot, screen)
        assert not screen.ghost.is_on


async def test_turns_correspond_by_levels(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ("o$?", "---"), ("o--!", "----"))
    await keep(name, ["right"] * 5)
    async with playing(name) as (pilot, screen):
        await pilot.press("down", "e", "e")
        await call_ghost(pilot, screen)
        assert ghosts(screen) == set()  # it has left the level
        assert numbers(screen.panel._notes[-1]) == [2]
        await pilot.press("up", "right", "right", "down")
        assert ghosts(screen) == {(0, 1)}


async def test_no_mark_on_a_map_of_another_size(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ("o@---", "-$--!"))
    await keep(name, ["down", *STRAIGHT])
    async with playing(name) as (pilot, screen):
        await call_ghost(pilot, screen)
        await pilot.press("right")
        assert ghosts(screen) == set()
        await pilot.press("backspace", "e")
        assert ghosts(screen) == {(1, 0)}


@pytest.mark.parametrize(
    ("name", "arguments", "first"), [("rescue", "classic", [Guess(3)]), ("expedition", "path", [])]
)
async def test_whoever_plays_the_perfect_line_is_where_the_ghost_is(name: str, arguments: str, first: Any) -> None:
    game = find_game(name)
    assert game is not None
    app = DungeonApp(game, next(each for each in game.levels().openings() if each.arguments == arguments))
    app.animation_level = "none"
    async with app.run_test(size=(110, 40)) as pilot:
        screen = await begun(pilot)
        perfect = screen.view.feature(PerfectLine)
        assert perfect is not None
        line = perfect.line(screen.session.state)
        await call_ghost(pilot, screen)
        await call_ghost(pilot, screen)
        *others, last = [*first, *line]
        for action in others:
            screen.play(action)
            assert ghosts(screen) == set()
        outcome = screen.controller.rules.outcome
        after, _ = screen.controller.rules.step(screen.session.state, last)
        assert outcome(screen.session.state) is None
        assert outcome(after) is not None


async def test_a_replay_has_ghosts(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ROOM)
    await keep(name, STRAIGHT)
    async with playing(name) as (pilot, _):
        await pilot.press("down", "right", "right", "ctrl+s")
        (found,) = saved()
    app = DungeonApp(find_game("crawler"), Opening("replayed", partial(load, found.path, "crawler")))
    app.animation_level = "none"
    async with app.run_test(size=(110, 30)) as pilot:
        screen = await begun(pilot)
        await call_ghost(pilot, screen)
        await pilot.press("right_square_bracket", "right_square_bracket")
        assert ghosts(screen) == {(0, 2)}
        await pilot.press("left_square_bracket")
        assert ghosts(screen) == {(0, 1)}
