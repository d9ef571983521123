"""Ghosts: the best run of the games stored, or the perfect one, beside the present game."""

from contextlib import closing
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from dungeon_tui.storage.folders import home
from dungeon_tui.storage.library import NAME, Library
from dungeon_tui.ui.palette import Tint
from dungeon_tui.ui.play.ghost import MARK
from dungeon_tui.ui.play.screen import PlayScreen
from tests.ui.driving import dialogue, do, glyphs, playing, tinted, wait_until, write_dungeon
from tests.wording import numbers

ROOM = ("o$--!", "-----")
ROUNDABOUT = ["right", "left", "right", "right", "right", "right"]
STRAIGHT = ["right"] * 4


async def store(name: str, *walks: list[str]) -> None:
    """Plays a dungeon to its end, in a game for each walk."""
    for walk in walks:
        async with playing(name) as (pilot, _):
            await pilot.press(*walk)
            await dialogue(pilot)


async def call_ghost(pilot: Pilot[Any], screen: PlayScreen) -> None:
    """Goes on to the next run, whether there is one or not."""
    await do(pilot, "ghost")
    await wait_until(pilot, lambda: not any(each.group == "ghost" and each.is_running for each in screen.workers))


def ghosts(screen: PlayScreen) -> set[tuple[int, int]]:
    """The cells that the ghost marks; it is on."""
    assert screen.ghost.is_on
    return tinted(screen, Tint.FRESH)


def is_helped() -> list[bool]:
    """Of each game in the library, if anything helped."""
    with closing(Library(home() / NAME)) as library:
        return [each.is_helped for each in library.games()]


async def test_the_best_stored_run_goes_along_step_by_step(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ROOM)
    await store(name, STRAIGHT, ROUNDABOUT)
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
        assert not screen.ghost.is_on  # no game was stored
        assert is_helped() == [False]
        await call_ghost(pilot, screen)
        assert ghosts(screen) == {(0, 1)}
        assert is_helped() == [True]
        await call_ghost(pilot, screen)
        assert not screen.ghost.is_on


async def test_turns_correspond_by_levels(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ("o$?", "---"), ("o--!", "----"))
    await store(name, ["right"] * 5)
    async with playing(name) as (pilot, screen):
        await pilot.press("down", "e", "e")
        await call_ghost(pilot, screen)
        assert ghosts(screen) == set()  # it has left the level
        assert numbers(str(screen.panel.render()))[-1] == 2
        await pilot.press("up", "right", "right", "down")
        assert ghosts(screen) == {(0, 1)}


async def test_no_mark_on_a_map_of_another_size(tmp_path: Path) -> None:
    name = write_dungeon(tmp_path, ("o@---", "-$--!"))
    await store(name, ["down", *STRAIGHT])
    async with playing(name) as (pilot, screen):
        await call_ghost(pilot, screen)
        await pilot.press("right")
        assert ghosts(screen) == set()
        await pilot.press("backspace", "e")
        assert ghosts(screen) == {(1, 0)}
