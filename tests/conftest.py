"""Common ground of all tests: hypothesis, processors, an environment like any other, golden files of sentences."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from dungeon_tui.engine.warmup import warm_up

for name in list(os.environ):  # tests see a terminal and a home like any other
    if re.match("TEXTUAL(?!_SNAPSHOT)|DUNGEON_TUI|NO_COLOR$|FORCE_COLOR$|COLUMNS$|LINES$|PYTHONDONTWRITE", name):
        del os.environ[name]
sys.dont_write_bytecode = False  # workers, and the programs that tests start, need not compile all modules

# "quick" and "ci" find the same things on every run, "search" looks further: HYPOTHESIS_PROFILE=search python -m pytest
for name, examples in (("quick", 25), ("ci", 100), ("search", 2000)):
    settings.register_profile(
        name, deadline=None, derandomize=name != "search", max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow],
    )  # fmt: skip
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Three workers for two processors, since tests wait a third of their time; none for single files and tests."""
    return (3 * (os.cpu_count() or 1) + 1) // 2 if any(Path(name).is_dir() for name in config.args) else 0


COMPILE_GAMES = """
from dungeon_tui.core.catalogue import find_games
for game in find_games():
    game.compile_kernels()
"""


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Compiles all kernels before workers start, since each would compile its own; workers prepare for their tests."""
    if getattr(session.config.option, "numprocesses", None):
        games = subprocess.Popen([sys.executable, "-c", COMPILE_GAMES], cwd=session.config.rootpath)
        warm_up()
        games.wait()
    else:
        # Judged programs and other users run where coverage could write nothing; what they'd print would be judged.
        os.environ.pop("COVERAGE_PROCESS_CONFIG", None)
        # The parent may ignore Ctrl-C, as cron does; programs under test start with the default.
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
