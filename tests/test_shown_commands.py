"""All that the pages show, done as a reader would do it: the commands from top to bottom of a page; examples in Python.

Each page has a folder of its own, with the files that pages show under a name (`title="mine.py"`), and a few more.
What a page shows as printed must be what is printed, but for what was measured; `...` stands for anything.
"""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer import Context
from typer.core import TyperGroup
from typer.main import get_command

from dungeon_tui.cli.main import build
from dungeon_tui.judge.cage import base_python
from tests.processes import PATIENCE, ROOT, call, environment

PAGES = sorted({*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"})
MODULES = [path for path in sorted((ROOT / "dungeon_tui").rglob("*.py")) if "    >>> " in path.read_text("utf-8")]
BLOCK = re.compile(r'^```(\w*)(?: title="([^"\n]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
MEASURED = re.compile(r" *\b[\d.]+(?:e-\d+)? (?:seconds|[nµm]?s)\b|\d\.\d\d\^n|n\^\d\.\d\d|(?<=\"seconds\": )[\d.e-]+")
NOT_RUN = {
    r"\b(pip|pipx|uvx) ": "bring packages in: .ci/run installs them as README says",
    r"\bslide\b": "adds a game to the package: tests/test_conformance.py does so elsewhere",
    r"serve": "ends when it is told to: tests/test_serving.py",
    r"crawler par tutorial easy": "takes minutes, and writes into levels/: tests/games/crawler/test_par.py",
}
SLOW = {"dungeon-tui chase tournament"}  # more than ten seconds of a processor
STATUS = {  # none but 0 else
    "dungeon-tui": 2,  # needs a terminal, as the next two do
    "dungeon-tui crawler": 2,
    "dungeon-tui crawler edit caves1.txt": 2,
    "dungeon-tui rescue solve --rows 20 --cols 20 --algorithm recursive": 1,
}


def shown(page: Path) -> list[tuple[str, str]]:
    """The commands of a page, and what it says that they print, if it does."""
    found = []
    for language, _, block in BLOCK.findall(page.read_text("utf-8")):
        if language == "sh" and "dungeon-tui" in block:
            found += [(line, "") for line in block.splitlines()]
        elif language == "console":
            parts = (part.partition("\n") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:])
            found += [(line, output) for line, _, output in parts]
    return [(re.sub(r" +# .*", "", line), output) for line, output in found]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder, with the files that the pages speak of; a game is left unfinished."""
    folder = tmp_path / "read"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", str(folder / "bin"), prepend=os.pathsep)
    for page in PAGES:
        for _, title, block in BLOCK.findall(page.read_text("utf-8")):
            if title:
                with (folder / title).open("a", encoding="utf-8") as file:
                    file.write(block)
    shutil.copytree(ROOT / "levels", folder / "levels")
    for number, name in ((2, "tutorial2.txt"), (3, "tutorial6.txt")):
        shutil.copy(folder / "levels" / "crawler" / name, folder / f"caves{number}.txt")
    (folder / "submissions").mkdir()
    shutil.copy(folder / "mine.py", folder / "submissions")
    (folder / "SUBMISSION").mkdir()
    shutil.copy(ROOT / "tests" / "judge" / "princeton" / "original.java", folder / "SUBMISSION")
    call("delve", "generate", "--seed", "1", "--output", "cave.rlg327")
    call("crawler", "play", "tutorial", "--plain", given=b"d")
    (folder / "bin").mkdir()
    python = shlex.quote(sys.executable)
    outside = shlex.quote(base_python())  # the judge hides our environment from programs
    either = f'[ -x {python} ] && exec {python} "$@"\nexec {outside} "$@"'
    for name, does in (("dungeon-tui", f'exec {python} -m dungeon_tui "$@"'), ("python3", either)):
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{does}\n")
        (folder / "bin" / name).chmod(0o755)
    (folder / "a.out").write_text("#!/bin/sh\necho 1\n")
    (folder / "a.out").chmod(0o755)
    return folder


def check(line: str, output: str = "") -> None:
    """Runs a command, as a shell does or, since that is quicker, in this process; compares what is printed."""
    if re.fullmatch(r"dungeon-tui[^|>&*]*", line):
        done = call(*shlex.split(line)[1:])
    else:
        done = subprocess.run(["sh", "-c", line], input=b"", capture_output=True, env=environment(), timeout=PATIENCE)
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == STATUS.get(line, 0), f"{line}\n{said}"
    wanted, got = (MEASURED.sub(" TIME", text.strip("\n") + "\n") for text in (output, said))
    matches = doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS)
    assert matches or not output, f"{line}\n{said}"


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if shown(page)], ids=lambda page: page.stem)
def test_each_command_of_a_page_does_what_is_shown(page: Path, folder: Path) -> None:
    commands = [each for each in shown(page) if not any(re.search(word, each[0]) for word in NOT_RUN)]
    if any(line.startswith("javac") for line, _ in commands) and not shutil.which("javac"):
        pytest.skip("javac is not installed")
    for line, output in commands:
        if line not in SLOW:
            check(line, output)


@pytest.mark.slow
@pytest.mark.parametrize("line", sorted(SLOW))
def test_so_does_one_that_takes_long(line: str, folder: Path) -> None:
    check(line)


def test_nothing_is_excused_that_is_not_shown_and_no_command_stands_elsewhere() -> None:
    lines = [line for page in PAGES for line, _ in shown(page)]
    assert {*SLOW, *STATUS} <= {*lines}
    assert [word for word in NOT_RUN if not any(re.search(word, line) for line in lines)] == []
    for page in PAGES:
        rest = BLOCK.sub(lambda block: "" if block[1] in ("sh", "console") else block[0], page.read_text("utf-8"))
        assert re.findall(r"^ *(?:\$ |dungeon-tui [a-z-]).*", rest, re.MULTILINE) == [], page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_in_python_run_and_come_out_as_shown(page: Path) -> None:
    text = page.read_text("utf-8")
    for language, title, block in BLOCK.findall(text):
        if language == "python" and not title and not block.startswith(">>>"):
            if "import tcod" in block:
                pytest.importorskip("tcod.path", reason="tcod is not installed")
            exec(block, {})
    done = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (done.failed, done.attempted) == (0, len(re.findall(r"^>>> ", text, re.MULTILINE)))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_examples_in_docstrings_come_out_as_shown(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    done = doctest.testmod(import_module(name))
    assert (done.failed, done.attempted > 0) == (0, True)


SPAN = re.compile(r"`dungeon-tui ([a-z-][^`]*)`|^\| `([a-z][^`]*)` \|", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_named_in_passing_have_the_options_named(page: Path) -> None:
    group = ""
    for whole, row in SPAN.findall(page.read_text("utf-8")):
        if whole.endswith(" ..."):
            group = whole.split()[0]
        words = re.findall(r"[\w-]+", whole or f"{group} {row}" if group or whole else "")
        command: Any = get_command(build())
        context = Context(command)
        while isinstance(command, TyperGroup) and words and words[0] in command.list_commands(context):
            name, command, words = command.resolve_command(context, words)
            context = Context(command, parent=context, info_name=name)
        named = {word for word in words if word.startswith("--")}
        assert named <= {option for each in command.get_params(context) for option in each.opts}, whole or row
