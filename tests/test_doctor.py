"""The doctor: terminal, files and versions, what is wrong and what to do; and settings that begin anew."""

import json
import os
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dungeon_tui.cli import doctor
from dungeon_tui.engine.kernel_cache import cached_kernels
from dungeon_tui.storage.database import VERSION
from dungeon_tui.storage.library import NAME, Library
from tests import processes
from tests.libraries import reachable
from tests.processes import ROOT, as_another, call, environment


def examined() -> tuple[int, dict[str, Any]]:
    """Exit status and report of the doctor, as scripts get them."""
    done = call("doctor", "--json")
    assert done.stderr == b""
    return done.returncode, json.loads(done.stdout)


def test_where_nothing_is_wrong_it_says_so_and_changes_nothing(home: Path) -> None:
    status, found = examined()
    assert (status, found["ok"], found["problems"]) == (0, True, [])
    assert found["files"]["settings"] == {"path": str(home / "settings.toml"), "bytes": 0, "files": 0}
    assert found["files"]["library"] == {"path": str(home / NAME), "bytes": 0, "files": 0, "games": None}
    assert set(found["terminal"].values()) == {None}
    assert found["versions"]["Python"] == ".".join(map(str, sys.version_info[:3]))
    assert not home.exists()
    done = call("doctor")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, b"Nothing is wrong.")


def damaged(path: Path) -> None:
    path.write_bytes(b"no database at all, not even long" * 100)


def unread(path: Path) -> None:
    """Overwrites the first page of a table, which nobody reads who opens the library."""
    library = Library(path)
    with library.reading() as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'turns'").fetchone()
    library.close()
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path.write_bytes(data)


def newer(path: Path) -> None:
    Library(path).close()
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    database.close()


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (damaged, NAME),
        (unread, NAME),
        (newer, NAME),
        ("theme = ", "settings.toml:1:9:"),
        ('bell = true\nspeed = "4"', "settings.toml:2:9:"),
        ('theme = "pink"', "settings.toml:1:9:"),
        ("[games.nim]\nsight = true", "settings.toml:2:1:"),
        ('theme = "nord"\nkeys.hint = "o"', "settings.toml:2:13:"),
    ],
)
def test_what_is_wrong_is_named_with_its_place_and_what_to_do(
    home: Path, wrong: Callable[[Path], None] | str, what: str
) -> None:
    home.mkdir()
    if isinstance(wrong, str):
        (home / "settings.toml").write_text(wrong)
    else:
        wrong(home / NAME)
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    status, found = examined()
    assert (status, found["ok"]) == (1, False)
    (problem,) = found["problems"]
    assert what in problem["what"]
    assert problem["do"]
    assert ("renames the file" in problem["do"]) == (wrong in (damaged, unread))
    assert {name: (home / name).read_bytes() for name in before} == before
    done = call("doctor")
    assert done.returncode == 1
    assert what.encode() in done.stdout


def test_a_library_that_cant_be_written_is_to_be_made_writable(home: Path) -> None:
    Library(home / NAME).close()
    home.chmod(0o777)
    (home / NAME).chmod(0o444)
    with reachable(home):
        command_line = as_another(*processes.command("doctor", "--json"))
        done = subprocess.run(command_line, capture_output=True, cwd=ROOT, env=environment(), check=False)
    found = json.loads(done.stdout)
    (problem,) = [each for each in found["problems"] if NAME in each["what"]]
    assert shlex.join(["chmod", "u+w", str(home / NAME)]) in problem["do"]
    assert found["files"]["library"]["games"] == 0
    assert [path.name for path in home.iterdir()] == [NAME]


def test_a_home_that_is_no_folder_is_wrong(home: Path) -> None:
    home.touch()
    status, found = examined()
    assert status == 1
    assert any(str(home) in problem["what"] for problem in found["problems"])


@pytest.mark.parametrize(
    ("term", "colorterm", "size", "encoding", "colours", "problems"),
    [
        ("xterm-256color", "truecolor", (80, 24), "utf-8", 2**24, 0),
        ("xterm-256color", "", (80, 24), "UTF-8", 256, 0),
        ("xterm-256color", "", (80, 24), "latin-1", 256, 1),
        ("vt100", "", (79, 24), "utf-8", 16, 2),
        ("dumb", "", (80, 24), "utf-8", 0, 2),
    ],
)
def test_the_terminal_is_judged_by_its_environment(
    monkeypatch: pytest.MonkeyPatch, term: str, colorterm: str, size: tuple[int, int], encoding: str, colours: int,
    problems: int,
) -> None:  # fmt: skip
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLORTERM", colorterm)
    monkeypatch.setattr(doctor, "get_terminal_size", lambda: os.terminal_size(size))
    stream = SimpleNamespace(isatty=lambda: True, encoding=encoding)
    monkeypatch.setattr(doctor, "sys", SimpleNamespace(stdin=stream, stdout=stream))
    monkeypatch.setattr(doctor, "has_screen", lambda: term != "dumb")
    report = doctor.Report()
    assert doctor.terminal_facts(report)["colours"] == colours
    assert len(report.problems) == problems


def test_kernels_count_as_compiled_only_from_the_present_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = tmp_path / "made" / "engine"
    engine.mkdir(parents=True)
    (engine / "one.py").write_text("@kernel\ndef f():\n    pass\n\n\n@lean_kernel\ndef g():\n    pass\n")
    assert (cached_kernels(tmp_path / "made").kernels, cached_kernels(tmp_path / "made").compiled) == (2, 0)
    from dungeon_tui.engine import kernel_cache

    cache = engine / "__pycache__"
    cache.mkdir()
    stamp = kernel_cache.stamp(str(engine / "one.py"), str(tmp_path))
    (cache / "one.f-1.py311.nbi").write_bytes(b"\x80\x04" + stamp.encode())
    (cache / "one.g-6.py311.nbi").write_bytes(b"\x80\x04" + b"0" * 64)
    found = cached_kernels(tmp_path / "made")
    assert (found.kernels, found.compiled, found.bytes) == (2, 1, 132)


def test_reset_settings_keeps_the_old_file_beside(home: Path) -> None:
    done = call("--reset-settings")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
    home.mkdir()
    (home / "settings.toml").write_text("bell = tru")
    done = call("--reset-settings")
    assert done.returncode == 0
    assert str(home / "settings-old.toml") in done.stdout.decode()
    assert os.listdir(home) == ["settings-old.toml"]
    assert (home / "settings-old.toml").read_text() == "bell = tru"
