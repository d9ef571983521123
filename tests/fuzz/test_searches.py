"""A little of what `python -m tests.fuzz.readers`, `databases` and `kills` do by the hundred thousand."""

import pytest

from tests.fuzz import databases, kills, readers


@pytest.mark.parametrize("reader", readers.READERS)
def test_broken_files_are_read_or_refused_in_one_line(reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "PATIENCE", float("inf"))  # tests depend on no machine's speed
    assert readers.complaints(reader, number=40, seed=1) == []


@pytest.mark.slow
def test_whatever_is_broken_a_library_raises_its_own_errors_only() -> None:
    tally = databases.run(150, seed=3)
    assert tally.faults == []
    assert min(tally.kinds[kind] for kind in ("opened", "set aside", "LevelError")) > 0


@pytest.mark.slow
def test_whatever_kills_the_app_no_turn_is_lost() -> None:
    tally = kills.run(3, seed=7)
    assert tally.faults == []
    assert (tally.runs, tally.lost) == (3, 0)
    assert tally.turns > 0
