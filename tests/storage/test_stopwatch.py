"""The time of a try, by a clock of the test's own."""

import pytest

from dungeon_tui.core.rules import Event, LevelBegun
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage import journal as stopwatch
from dungeon_tui.storage.journal import Stopwatch
from tests.clock import Clock
from tests.nim_rules import NimRules, State


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(stopwatch, "monotonic", clock)
    return clock


class TwoLevels(NimRules):
    """The second level begins with a pile of five."""

    def step(self, state: State, action: int) -> tuple[State, tuple[Event, ...]]:
        after, events = super().step(state, action)
        return after, (*events, LevelBegun(2)) if after.pile == 5 else events


def test_a_restart_begins_anew_and_undo_does_not(clock: Clock) -> None:
    controller = TurnController(NimRules(), 9)
    watch = Stopwatch(controller, 100.0)
    controller.apply(1)
    clock.now += 5
    controller.undo()
    controller.redo()
    clock.now += 1
    assert watch.seconds == 106.0
    controller.restart()
    assert watch.seconds == 0.0
    clock.now += 2
    controller.apply(2)
    assert watch.seconds == 2.0


def test_a_later_level_is_restarted_at_the_time_when_it_began(clock: Clock) -> None:
    controller = TurnController(TwoLevels(), 7)
    watch = Stopwatch(controller)
    clock.now += 10
    controller.apply(2)
    for wasted in (7, 9):
        controller.apply(1)
        clock.now += wasted
        controller.restart()
        assert (controller.turn.ply, watch.seconds) == (1, 10.0)
    clock.now += 1
    assert watch.seconds == 11.0
