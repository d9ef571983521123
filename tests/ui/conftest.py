"""What the tests of the screens share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _a_quicker_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual's pilot looks every 20 ms whether the app has come to rest; small apps rest sooner."""
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 1 / 200)
