"""What all tests share: how thoroughly hypothesis looks, on how many processors, and an environment like any other."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

for name in list(os.environ):  # tests see a terminal and a home like any other
    if re.match("TEXTUAL(?!_SNAPSHOT)|DUNGEON_TUI|NO_COLOR$|FORCE_COLOR$|COLUMNS$|LINES$", name):
        del os.environ[name]

# "ci" finds the same things on every run; "search" looks further: HYPOTHESIS_PROFILE=search python -m pytest
settings.register_profile(
    "ci", deadline=None, derandomize=True, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Folders of tests are run on all processors, as xdist counts them; single files and tests in this process."""
    return None if any(Path(name).is_dir() for name in config.args) else 0
