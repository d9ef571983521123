"""Lines beside the line: refutations that come and go, other branches, and the way back to a recording. By nim."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.ui.play.analysis import ASIDE
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.timeline import WIDEST, Timeline
from tests.ui.driving import dialogue, last_message, sees, wait_until
from tests.ui.nim import RECORDED, nim, ply_is, recorded, seats

FIVE_ON = 5 * ["right_square_bracket"]


@asynccontextmanager
async def refuting(*keys: str) -> AsyncIterator[tuple[Pilot[Any], PlayScreen]]:
    """The recording, with what refutes one of its moves played out."""
    async with nim(load=recorded) as (pilot, screen):
        await pilot.press("A", *keys, "c")
        await wait_until(pilot, lambda: last_message(screen).startswith("This is why."))
        assert screen.controller.turn.ply > len(keys)
        yield pilot, screen


def line(screen: PlayScreen) -> list[int]:
    """The actions of the line, to its end."""
    screen.session.line.follow(screen.controller.turn)
    return [turn.action for turn in screen.session.line.turns[1:]]


# -- refutations


@pytest.mark.parametrize("key", ["right_curly_bracket", "left_curly_bracket", "T", "r", "click", "L", "J"])
async def test_whatever_is_done_while_a_refutation_is_shown_the_line_stays(key: str) -> None:
    async with refuting(*FIVE_ON) as (pilot, screen):
        assert line(screen) != RECORDED
        if key == "click":
            await pilot.click(Timeline, offset=(1 + 3 * WIDEST, screen.line_view.widget.size.height - 1))
            await wait_until(pilot, lambda: screen.controller.turn.ply == 3)
        else:
            await pilot.press(key)
            if key == "T":
                await wait_until(pilot, lambda: pilot.app.screen is not screen)
                await pilot.press("escape")
                await wait_until(pilot, lambda: pilot.app.screen is screen)
        await wait_until(pilot, lambda: screen.session.variation is None)
        assert line(screen) == RECORDED
        assert all(len(turn.branches) <= 1 for turn in screen.session.line.turns)
        assert len(screen.session.line) == 9


@pytest.mark.parametrize("way_back", ["c", "backspace"])
async def test_a_refutation_that_is_stepped_through_and_clicked_stays_until_it_is_left(way_back: str) -> None:
    async with refuting(*FIVE_ON) as (pilot, screen):
        refutation = line(screen)
        assert screen.controller.outcome is not None
        assert pilot.app.screen is screen  # no dialogue
        await sees(pilot, ASIDE.replace("{why}", "c"))
        await pilot.press("left_square_bracket")
        await pilot.click(Timeline, offset=(1 + 6 * WIDEST, screen.line_view.widget.size.height - 1))
        await wait_until(pilot, lambda: screen.controller.turn.ply == 6)
        assert screen.session.variation is not None
        assert line(screen) == refutation
        await pilot.press(way_back)
        await wait_until(pilot, lambda: (screen.controller.turn.ply, line(screen)) == (5, RECORDED))
        await pilot.press("left_square_bracket", "c")
        await wait_until(pilot, lambda: last_message(screen) == screen.view.analysis.why(screen.controller.turn))


async def test_ones_own_move_in_a_refutation_is_played_on_from_there() -> None:
    async with refuting(*FIVE_ON) as (pilot, screen):
        await pilot.press("left_square_bracket", "left_square_bracket", "right")
        await wait_until(pilot, lambda: screen.session.variation is None and not screen.seats.is_answering)
        await dialogue(pilot)  # with that it is over
        assert line(screen)[:5] == RECORDED[:5]
        assert line(screen) != RECORDED
        await pilot.press("escape", "J")
        assert line(screen) == RECORDED


async def test_against_a_strategy_ones_own_last_move_is_judged() -> None:
    async with nim(20, second="greedy") as (pilot, screen):
        await pilot.press("A")
        await wait_until(pilot, lambda: screen.board.is_on)
        await pilot.press("left")  # a mistake: 19 are left to the other one, who makes one as well
        await ply_is(pilot, screen, 2)
        for _ in range(2):  # again and again
            await pilot.press("c")
            await wait_until(pilot, lambda: "leads back to turn 2" in last_message(screen))
            assert screen.session.variation is not None
            assert screen.session.variation.origin.ply == 1
            await pilot.press("c")
            await ply_is(pilot, screen, 2)
            assert line(screen) == [1, 1]
        await pilot.press("right")
        await ply_is(pilot, screen, 4)
        assert line(screen) == [1, 1, 2, 1]


# -- other lines, and the recording


async def test_the_way_back_to_the_recording() -> None:
    async with nim(load=recorded) as (pilot, screen):
        await pilot.press(*3 * ["right_square_bracket"], "right")
        assert seats(screen)["second"] == "you"
        assert line(screen) == [2, 1, 1, 2]
        await sees(pilot, "J Recording")
        await pilot.press("left", "J")
        assert (screen.controller.turn.ply, line(screen)) == (3, RECORDED)
        assert seats(screen)["second"] == "perfect"
        screen.seats.pace = 5
        await pilot.press("p")
        await ply_is(pilot, screen, 8)
        assert line(screen) == RECORDED
        assert screen.view.asked == []
