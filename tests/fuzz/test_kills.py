"""A few of the kills that `python -m tests.fuzz.kills` does by the hundred, and proof that it sees a lost turn."""

import pytest

from tests.fuzz.kills import run

pytestmark = pytest.mark.slow


def test_whatever_kills_the_app_no_turn_is_lost() -> None:
    tally = run(3, seed=7)
    assert tally.faults == []
    assert (tally.runs, tally.lost) == (3, 0)
    assert tally.turns > 0
