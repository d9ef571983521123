"""A little of what `python -m tests.fuzz.readers` and `kills` do by the hundred thousand."""

import pytest

from tests.fuzz import kills, readers


@pytest.mark.parametrize("reader", readers.READERS)
def test_broken_files_are_read_or_refused_in_one_line(reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "PATIENCE", float("inf"))  # tests depend on no machine's speed
    assert readers.complaints(reader, number=40, seed=1) == []


@pytest.mark.slow
def test_whatever_kills_the_app_no_turn_is_lost() -> None:
    tally = kills.run(3, seed=7)
    assert (tally.runs, tally.faults) == (3, [])
    assert tally.turns > 0
