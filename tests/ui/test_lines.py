"""Lines beside the line: refutations that come and go. By nim."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.ui.play.line_view import BACK
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.timeline import WIDEST, Timeline
from tests.ui.driving import last_message, sees, wait_until
from tests.ui.nim import RECORDED, nim, recorded

FIVE_ON = 5 * ["right_square_bracket"]


@asynccontextmanager
async def refuting(*keys: str) -> AsyncIterator[tuple[Pilot[Any], PlayScreen]]:
    """The recording, with refutation of one of its moves played out."""
    async with nim(load=recorded) as (pilot, screen):
        await pilot.press("A", *keys, "c")
        await wait_until(pilot, lambda: last_message(screen).startswith("This is why."))
        assert screen.controller.turn.ply > len(keys)
        yield pilot, screen


def line(screen: PlayScreen) -> list[int]:
    """The actions of the line, to its end."""
    screen.session.line.follow(screen.controller.turn)
    return [turn.action for turn in screen.session.line.turns[1:]]


@pytest.mark.parametrize("key", ["r", "A", "click"])
async def test_whatever_is_done_while_a_refutation_is_shown_the_line_stays(key: str) -> None:
    async with refuting(*FIVE_ON) as (pilot, screen):
        assert line(screen) != RECORDED
        if key == "click":
            await pilot.click(Timeline, offset=(1 + 3 * WIDEST, screen.line_view.widget.size.height - 1))
            await wait_until(pilot, lambda: screen.controller.turn.ply == 3)
        else:
            await pilot.press(key)
        await wait_until(pilot, lambda: screen.session.variation is None)
        assert line(screen) == RECORDED
        assert all(len(turn.branches) <= 1 for turn in screen.session.line.turns)
        assert len(screen.session.line) == 9


async def test_a_refutation_that_is_stepped_through_and_clicked_stays_until_it_is_left() -> None:
    async with refuting(*FIVE_ON) as (pilot, screen):
        refutation = line(screen)
        assert (screen.controller.turn.ply, screen.controller.outcome) == (6, None), "its first move"
        await pilot.press(*5 * ["right_square_bracket"])
        await wait_until(pilot, lambda: screen.controller.outcome is not None)
        assert pilot.app.screen is screen  # no dialogue
        await sees(pilot, BACK)
        await pilot.click(Timeline, offset=(1 + 6 * WIDEST, screen.line_view.widget.size.height - 1))
        await wait_until(pilot, lambda: screen.controller.turn.ply == 6)
        assert screen.session.variation is not None
        assert line(screen) == refutation
        await pilot.press("c")
        await wait_until(pilot, lambda: (screen.controller.turn.ply, line(screen)) == (5, RECORDED))
        await pilot.press("left_square_bracket", "c")
        await wait_until(pilot, lambda: screen.session.variation is not None)
        assert screen.session.variation.origin.ply == 5, "the mistake that comes next"
        await pilot.press("c", "left_square_bracket", "c")
        await wait_until(pilot, lambda: last_message(screen) == screen.view.analysis.why(screen.controller.turn))
