"""The wheel and the sdist: their contents and size, the man page, completion."""

import importlib.util
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from dungeon_tui import __version__
from tests.processes import command, environment, run

ROOT = Path(__file__).parents[1]
MAN = ROOT / "docs" / "dungeon-tui.1"
LARGEST = 2 * 2**20  # bytes of the wheel


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both packages, built from the checkout."""
    if not all(importlib.util.find_spec(needed) for needed in ("build", "hatchling", "twine")):
        pytest.skip("twine is not installed: pip install '.[developers]'")
    folder = tmp_path_factory.mktemp("packages")
    arguments = ["-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_the_packages_pass_twines_strict_check(packages: Path) -> None:
    made = sorted(map(str, packages.iterdir()))
    assert len(made) == 2
    done = subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *made], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_wheel_is_small_and_brings_levels_and_the_man_page(packages: Path) -> None:
    wheel = packages / f"dungeon_tui-{__version__}-py3-none-any.whl"
    assert wheel.stat().st_size <= LARGEST
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        man = f"dungeon_tui-{__version__}.data/data/share/man/man1/dungeon-tui.1"
        assert archive.read(man) == MAN.read_bytes()
    package = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "dungeon_tui").rglob("*")
        if path.is_file() and path.suffix in (".py", ".tcss", ".typed", ".md", ".java", ".hpp", ".cpp", ".js")
    }
    levels = {f"dungeon_tui/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "levels").rglob("*.txt")}
    assert levels
    assert package | levels <= names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)


def test_the_sdist_brings_what_the_wheel_is_made_of(packages: Path) -> None:
    with tarfile.open(packages / f"dungeon_tui-{__version__}.tar.gz") as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names >= {"pyproject.toml", "README.md", "LICENSE", "docs/dungeon-tui.1", "tests/test_packages.py"}


def test_the_man_page_has_every_command_and_option_of_the_help() -> None:
    text = run("--help").stdout.decode()
    told = re.findall(r"^  (?:-h, )?(--[a-z-]+|[a-z]+)(?= )", text.partition("Options:")[2], re.MULTILINE)
    assert {"--version", "--help", "crawler", "library"} <= set(told)
    bold = " ".join(re.findall(r"^\.B[IR]? (.*)$", MAN.read_text("ascii").replace("\\-", "-"), re.MULTILINE))
    assert set(told) - set(re.findall(r"[a-z-]+", bold)) == set()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("cra", "crawler"),
        ("crawler ch", "check"),
        ("crawler play --pl", "--plain"),
        ("rescue solve --algorithm wa", "wavefront"),
    ],
)
def test_completion_knows_games_their_commands_and_options(line: str, offered: str) -> None:
    words = {
        "_DUNGEON_TUI_COMPLETE": "complete_bash",
        "COMP_WORDS": f"dungeon-tui {line}",
        "COMP_CWORD": str(len(line.split())),
    }
    done = subprocess.run(command(), env={**environment(), **words}, capture_output=True, text=True)
    assert done.stdout.split() == [offered], done.stderr
