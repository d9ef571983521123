"""Common ground of all tests: hypothesis, processors, an environment like any other, golden files of sentences."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

collect_ignore = ["judge/students"]  # programs, which read standard input

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


def pytest_addoption(parser: pytest.Parser) -> None:
    """--update-golden: write the golden files of sentences anew."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files of sentences anew")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of all that is kept: each test has its own, apart from that of whoever runs the tests."""
    monkeypatch.setenv("DUNGEON_TUI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """A function of a file and a text: compares the two line by line, or writes the file under --update-golden."""

    def check(path: Path, text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8", newline="\n")
        assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()

    return check
