"""The commands that README.md and docs/commands.md show, run from top to bottom in one folder, without a terminal.

Those of all other pages name commands and options that there are.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer import Context
from typer.core import TyperGroup
from typer.main import get_command

from dungeon_tui.cli.main import build
from tests.processes import ROOT, run

PAGES = [ROOT / "README.md", ROOT / "docs" / "commands.md"]
LINE = re.compile(r"^(dungeon-tui.*?) *(?:#.*)?$", re.MULTILINE)
NEEDS_A_TERMINAL = {"dungeon-tui", "dungeon-tui crawler edit caves1.txt"}  # exit status 2
TAKES_MINUTES = {"dungeon-tui bench --quick"}  # tests/bench has races of its own


def made(folder: Path) -> dict[str, str]:
    """Writes the files that the pages speak of and leaves a game unfinished; returns words that stand for others."""
    run("crawler", "play", "tutorial", "--plain", given=b"d", folder=folder)
    for number in (1, 2, 3):
        level = run("crawler", "generate", "--difficulty", "easy", "--seed", str(number), folder=folder)
        (folder / f"caves{number}.txt").write_bytes(level.stdout)
    grid = run("rescue", "generate", "--rows", "5", "--cols", "5", "--seed", "1", folder=folder)
    (folder / "grid.txt").write_bytes(grid.stdout)
    run("delve", "generate", "--seed", "1", "--output", "FILE", folder=folder)
    mine = "def run_away(state):\n    return state.rogue\n\ndef least(grid):\n    return 7\n"
    (folder / "mine.py").write_text(mine, "utf-8")
    code = run("daily", "rescue", "--json", folder=folder).stdout.decode()
    return {"CODE": re.findall(r'"code": "([^"]+)"', code)[0]}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_shown_runs(page: Path, tmp_path: Path) -> None:
    words = made(tmp_path)
    lines = LINE.findall(page.read_text("utf-8"))
    assert len(lines) >= 5
    for line in lines:
        if line in TAKES_MINUTES:
            continue
        for one in line.split(" && "):
            arguments = [words.get(word, word) for word in shlex.split(one)[1:]]
            given = [
                name
                for word in arguments
                for name in (sorted(path.name for path in tmp_path.glob(word)) if "*" in word else [word])
            ]
            done = run(*given, folder=tmp_path)
            assert done.returncode == (2 if line in NEEDS_A_TERMINAL else 0), (line, done.stderr)


SHOWN = re.compile(r"^ *(?:\$ )?(?:printf '[^\n]*' \| )?(dungeon-tui [^\n]*?) *(?:#.*|> \S+|\\)?$", re.MULTILINE)


def pages() -> list[Path]:
    return sorted({*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"})


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_every_command_shown_anywhere_is_one(page: Path) -> None:
    for line in SHOWN.findall(page.read_text("utf-8")):
        if re.search(r"[\[|]|\.\.\.|^dungeon-tui \d", line):  # the form of a command, or a day's line that is shared
            continue
        command: Any = get_command(build())
        words = shlex.split(re.split(r" {3,}| && ", line)[0])[1:]
        context = Context(command)
        while isinstance(command, TyperGroup) and words and not words[0].startswith("-"):
            name, command, words = command.resolve_command(context, words)
            context = Context(command, parent=context, info_name=name)
        command.make_parser(context).parse_args([*words])
