"""A short run of broken files over all readers; the long one is `python -m tests.fuzz.readers`."""

import pytest

from tests.fuzz import readers

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("reader", readers.READERS)
def test_broken_files_are_read_or_refused_in_one_line(reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "PATIENCE", float("inf"))  # tests depend on no machine's speed
    assert readers.complaints(reader, number=150, seed=1) == []
