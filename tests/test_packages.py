"""The wheel and the sdist: their contents and size, the man page, completion."""

import importlib.util
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from typer import Context
from typer.main import get_command

from dungeon_tui import __version__
from dungeon_tui.cli.main import build
from tests.processes import call, environment

ROOT = Path(__file__).parents[1]
MAN = ROOT / "docs" / "dungeon-tui.1"
SUMMARY = "six classic dungeon problems as games in the terminal"
ADDRESS = "https://code.example.org/us/dungeon_tui"
LARGEST = 2 * 2**20  # bytes of the wheel


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both packages, built from the checkout."""
    if not all(importlib.util.find_spec(needed) for needed in ("build", "hatchling", "twine")):
        pytest.skip("twine is not installed: pip install '.[developers]'")
    folder = tmp_path_factory.mktemp("packages")
    arguments = ["-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    changes = {"PROJECT_ADDRESS": ADDRESS}
    done = subprocess.run([sys.executable, *arguments], env=environment(**changes), capture_output=True, text=True)
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
        if path.is_file() and path.suffix in (".py", ".pyi", ".tcss", ".typed", ".md", ".java", ".hpp", ".cpp", ".js")
    }
    levels = {f"dungeon_tui/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "levels").rglob("*.txt")}
    assert levels
    assert package | levels <= names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)


def test_the_description_has_the_projects_address_and_no_relative_link(packages: Path) -> None:
    with zipfile.ZipFile(packages / f"dungeon_tui-{__version__}-py3-none-any.whl") as archive:
        text = archive.read(f"dungeon_tui-{__version__}.dist-info/METADATA").decode()
    assert f"\nProject-URL: Source, {ADDRESS}\n" in text
    assert f"]({ADDRESS}/raw/HEAD/docs/pictures/moving.svg)" in text
    assert f"]({ADDRESS}/blob/HEAD/docs/plain.md)" in text
    links = re.findall(r"\]\(([^)]+)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    assert [link for link in links if not link.startswith("https://")] == []


def test_the_sdist_brings_what_the_wheel_is_made_of(packages: Path) -> None:
    with tarfile.open(packages / f"dungeon_tui-{__version__}.tar.gz") as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names >= {
        "pyproject.toml",
        "hatch_build.py",
        "README.md",
        "LICENSE",
        "docs/dungeon-tui.1",
        "tests/test_packages.py",
    }


def man_page() -> str:
    """The man page, from the help of the command line."""
    cli: Any = get_command(build())
    context = Context(cli, info_name="dungeon-tui")

    def escaped(text: str) -> str:
        return text.replace("\\", "\\\\").replace("-", "\\-").replace("\n.", "\n\\&.")

    def listed(pairs: Iterable[tuple[str, str]]) -> str:
        return "".join(f".TP\n.B {escaped(name)}\n{escaped(about)}\n" for name, about in pairs)

    commands = cli.sections(cli.list_commands(context))
    sections = {
        heading: listed((name, cli.about(context, name)) for name in names) for heading, names in commands.items()
    }
    sections["Options"] = listed(filter(None, (option.get_help_record(context) for option in cli.get_params(context))))
    sections["Exit status"] = (
        "0 done; 1 the input is bad or the thing asked for can't be done, with one line on standard error; "
        "2 wrong usage; 128 + n ended by signal n.\n"
    )
    sections["Environment"] = listed(
        [("DUNGEON_TUI_HOME", "The folder of everything that the program saves."), ("NO_COLOR", "No colours if set.")]
    )
    return (
        '.TH DUNGEON-TUI 1 "" "dungeon_tui" "Games"\n'
        f".SH NAME\ndungeon-tui \\- {escaped(SUMMARY)}\n"
        ".SH SYNOPSIS\n.B dungeon-tui\n.RI [ options ]\n.RI [ command\n.RI [ arguments ]]\n"
        f".SH DESCRIPTION\n{escaped(cli.help)}\n"
        "Without a terminal: the help, exit status 2.\n.PP\n"
        ".B dungeon\\-tui\n.I command\n.B \\-\\-help\nshows the commands of a game and their options.\n"
        + "".join(f".SH {heading.upper()}\n{text}" for heading, text in sections.items())
    )


def test_the_man_page_is_the_help(golden: Callable[[Path, str], None]) -> None:
    golden(MAN, man_page())


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("cra", "crawler"),
        ("crawler ch", "check"),
        ("crawler play --pl", "--plain"),
        ("rescue solve --algorithm wa", "wavefront"),
        ("crawler play tu", "tutorial"),
        ("chase solve brai", "braid"),
        ("deep play st", "story"),
    ],
)
def test_completion_knows_games_their_commands_and_options(
    line: str, offered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_DUNGEON_TUI_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"dungeon-tui {line}")
    monkeypatch.setenv("COMP_CWORD", str(len(line.split())))
    done = call()
    assert done.stdout.decode().split() == [offered], done.stderr
