"""What goes wrong in a thread is told in a line, and the app lives."""

from collections.abc import Callable
from typing import Any

import pytest

from dungeon_tui.core.level import LevelError
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.background import NO_MEMORY, UnexpectedError, in_background
from tests.ui.driving import last_message, running, wait_until
from tests.ui.nim import nim, nim_app


def raising(error: Exception) -> Callable[..., Any]:
    def function(*_: object) -> Any:
        raise error

    return function


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError("array of 9 GiB"), NO_MEMORY),
        (RuntimeError("one\nand two"), ": RuntimeError: one and two"),
        (ZeroDivisionError(), ": ZeroDivisionError"),
    ],
)
async def test_what_nobody_thought_of_becomes_one_line(error: Exception, told: str) -> None:
    with pytest.raises(UnexpectedError) as caught:
        await in_background(raising(error))
    assert str(caught.value).endswith(told)


async def test_what_was_thought_of_comes_as_it_is() -> None:
    error = LevelError("broken", "x.txt", 3)
    with pytest.raises(LevelError) as caught:
        await in_background(raising(error))
    assert caught.value is error


async def test_a_strategy_the_analysis_and_distances_that_go_wrong_are_reported() -> None:
    error = KeyError("two lines")
    said = sentence(str(UnexpectedError(error)))
    async with nim(second="greedy") as (pilot, screen):
        screen.view.choose = raising(error)
        await pilot.press("left")
        await wait_until(pilot, lambda: last_message(screen) == said)
        assert not screen.seats.is_answering
        for key, part, owner in (
            ("AA", "prepare", screen.view.analysis), ("o", "distances", screen.view), ("g", "route", screen.view),
        ):  # fmt: skip
            screen.say("Next:")
            setattr(owner, part, raising(error))
            await pilot.press(*key, *(["enter"] if key == "g" else []))
            await wait_until(pilot, lambda: last_message(screen) == said)
        assert pilot.app.is_running


async def test_a_level_that_does_not_fit_into_memory_ends_the_app_in_a_line() -> None:
    app = nim_app(load=raising(MemoryError()))
    async with running(app) as pilot:
        await wait_until(pilot, lambda: not app.is_running)
    assert app.return_value == NO_MEMORY
