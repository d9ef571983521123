"""A few of the broken libraries that `python -m tests.fuzz.databases` opens by the hundred thousand."""

import pytest

from tests.fuzz.databases import run

pytestmark = pytest.mark.slow


def test_whatever_is_broken_a_library_raises_its_own_errors_only() -> None:
    tally = run(150, seed=3)
    assert tally.faults == []
    assert tally.kinds["opened"] > 0
    assert tally.kinds["set aside"] > 0
    assert tally.kinds["LevelError"] > 0
