"""The doctor: terminal, files and versions, what is wrong and what to do; and settings that begin anew."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dungeon_tui.cli import doctor
from dungeon_tui.engine.kept import kept_kernels
from dungeon_tui.storage.library import NAME, VERSION, Library
from dungeon_tui.storage.places import HOME
from tests import processes
from tests.processes import ROOT, as_another, environment, run
from tests.terminal import Terminal
from tests.test_architecture import command, loaded_by


def examined() -> tuple[int, dict[str, Any]]:
    """Exit status and report of the doctor, as scripts get them."""
    done = run("doctor", "--json")
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
    done = run("doctor")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, b"Nothing is wrong.")


def test_it_loads_neither_kernels_nor_a_toolkit() -> None:
    assert loaded_by(command("doctor", "--json")) & {"textual", "rich", "numba", "numpy"} == set()


def damaged(home: Path) -> str:
    (home / NAME).write_bytes(b"no database at all, not even long" * 100)
    return NAME


def newer(home: Path) -> str:
    Library(home / NAME).close()
    with sqlite3.connect(home / NAME) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    database.close()
    return NAME


def no_toml(home: Path) -> str:
    (home / "settings.toml").write_text("theme = ")
    return "settings.toml:1:9:"


def bad_value(home: Path) -> str:
    (home / "settings.toml").write_text('bell = true\nspeed = "4"')
    return "settings.toml:2:9:"


def no_theme(home: Path) -> str:
    (home / "settings.toml").write_text('theme = "pink"')
    return "settings.toml:1:9:"


def no_game(home: Path) -> str:
    (home / "settings.toml").write_text("[games.nim]\nsight = true")
    return "settings.toml:2:1:"


def taken_key(home: Path) -> str:
    (home / "settings.toml").write_text('theme = "nord"\nkeys.hint = "o"')
    return "settings.toml:2:13:"


@pytest.mark.parametrize("spoil", [damaged, newer, no_toml, bad_value, no_theme, no_game, taken_key])
def test_what_is_wrong_is_named_with_its_place_and_what_to_do(home: Path, spoil: Callable[[Path], str]) -> None:
    home.mkdir()
    what = spoil(home)
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    status, found = examined()
    assert (status, found["ok"]) == (1, False)
    (problem,) = found["problems"]
    assert what in problem["what"]
    assert problem["do"]
    assert {name: (home / name).read_bytes() for name in before} == before
    done = run("doctor")
    assert done.returncode == 1
    assert what.encode() in done.stdout


def test_games_of_a_library_are_counted(home: Path) -> None:
    home.mkdir()
    Library(home / NAME).close()
    status, found = examined()
    assert (status, found["files"]["library"]["games"]) == (0, 0)
    assert found["files"]["library"]["bytes"] > 0


def test_damage_in_a_library_is_told_and_the_next_start_sets_it_aside(home: Path) -> None:
    library = Library(home / NAME)
    with library.reading() as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'turns'").fetchone()
    library.close()
    data = bytearray((home / NAME).read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    (home / NAME).write_bytes(data)
    status, found = examined()
    (problem,) = [each for each in found["problems"] if NAME in each["what"]]
    assert (status, "sets it aside" in problem["do"]) == (1, True)
    assert set(found["files"]) == {"recordings", "reports", "library", "settings"}
    assert "set aside as" in Library(home / NAME).notice


def test_what_was_set_aside_is_listed_with_its_size(home: Path) -> None:
    home.mkdir()
    (home / NAME).write_bytes(b"no database" * 1000)
    Library(home / NAME).close()
    (aside,) = home.glob(f"{NAME}.damaged-*")
    status, found = examined()
    assert (status, found["files"][aside.name]) == (0, {"path": str(aside), "bytes": 11_000, "files": 1})
    assert found["files"]["library"]["bytes"] == (home / NAME).stat().st_size
    assert aside.name.encode() in run("doctor").stdout


def test_faults_of_the_settings_come_in_the_order_of_their_lines(home: Path) -> None:
    home.mkdir()
    lines = ['theme = "pink"', "", 'speed = "4"', 'bell = "x"', *[""] * 6, "[games.nim]", "sight = true", "[keys]"]
    (home / "settings.toml").write_text("\n".join([*lines, 'hint = "o"']))
    _, found = examined()
    places = [problem["what"].split(": ")[0].rsplit(":", 2)[-2:] for problem in found["problems"]]
    assert [int(line) for line, _ in places] == [1, 3, 4, 12, 14]


def test_a_library_that_cant_be_written_is_to_be_made_writable(home: Path) -> None:
    Library(home / NAME).close()
    above = [path for path in home.parents if path.stat().st_uid == os.geteuid() and path != Path("/")]
    before = {path: path.stat().st_mode for path in above}
    for path in above:
        path.chmod(path.stat().st_mode | 0o055)
    home.chmod(0o777)
    (home / NAME).chmod(0o444)
    try:
        command_line = as_another(*processes.command("doctor", "--json"))
        done = subprocess.run(command_line, capture_output=True, cwd=ROOT, env=environment(), check=False)
    finally:
        for path, mode in before.items():
            path.chmod(mode)
    found = json.loads(done.stdout)
    (problem,) = [each for each in found["problems"] if NAME in each["what"]]
    assert f"chmod u+w {home / NAME}" in problem["do"]
    assert found["files"]["library"]["games"] == 0
    assert [path.name for path in home.iterdir()] == [NAME]


def test_a_home_that_is_no_folder_is_wrong(home: Path) -> None:
    home.touch()
    status, found = examined()
    assert status == 1
    assert any(str(home) in problem["what"] for problem in found["problems"])


ANSWERS = b"\x1b[12;%dR\x1b[?1006;2$y\x1b[?62;22;52c"


@pytest.mark.parametrize(
    ("answers", "term", "colorterm", "size", "encoding", "known", "problems"),
    [
        (ANSWERS % 5, "xterm-256color", "truecolor", (80, 24), "utf-8", (2**24, True, True, True), 0),
        (ANSWERS % 5, "xterm-256color", "", (80, 24), "UTF-8", (256, True, True, True), 0),
        (b"", "xterm-256color", "", (80, 24), "utf-8", (256, None, True, None), 0),
        (ANSWERS % 9, "xterm-256color", "", (80, 24), "utf-8", (256, False, True, True), 1),
        (ANSWERS % 5, "xterm-256color", "", (80, 24), "latin-1", (256, False, True, True), 1),
        (b"\x1b[?6c", "vt100", "", (79, 24), "utf-8", (0, None, None, None), 2),
        (b"", "dumb", "", (80, 24), "utf-8", (0, None, None, None), 2),
    ],
)
def test_the_terminal_is_asked_and_believed(
    monkeypatch: pytest.MonkeyPatch, answers: bytes, term: str, colorterm: str, size: tuple[int, int], encoding: str,
    known: tuple[int, bool | None, bool | None, bool | None], problems: int,
) -> None:  # fmt: skip
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLORTERM", colorterm)
    monkeypatch.setattr(doctor, "_answers", lambda: answers)
    infos = {"xterm-256color": (256, True), "vt100": (0, None), "dumb": (0, None)}
    if colorterm == "":
        monkeypatch.setattr(doctor, "_terminfo", infos.get)
    monkeypatch.setattr(doctor, "get_terminal_size", lambda: os.terminal_size(size))
    stream = SimpleNamespace(isatty=lambda: True, encoding=encoding)
    monkeypatch.setattr(doctor, "sys", SimpleNamespace(stdin=stream, stdout=stream))
    monkeypatch.setattr(doctor, "has_screen", lambda: term != "dumb")
    report = doctor.Report()
    found = doctor._terminal(report)
    assert tuple(found[name] for name in ("colours", "unicode", "mouse", "osc52")) == known
    assert len(report.problems) == problems


def test_on_a_terminal_it_tells_its_size(home: Path) -> None:
    terminal = Terminal("doctor", COLORTERM="truecolor", **{HOME: str(home)})
    terminal.wait_for("80 x 24")
    terminal.wait_for("Nothing is wrong.")
    terminal.end()


def test_kernels_count_as_compiled_only_from_the_present_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = tmp_path / "made" / "engine"
    engine.mkdir(parents=True)
    (engine / "one.py").write_text("@kernel\ndef f():\n    pass\n\n\n@lean_kernel\ndef g():\n    pass\n")
    assert (kept_kernels(tmp_path / "made").kernels, kept_kernels(tmp_path / "made").compiled) == (2, 0)
    from dungeon_tui.engine import kept

    cache = engine / "__pycache__"
    cache.mkdir()
    stamp = kept.stamp(str(engine / "one.py"), str(tmp_path))
    (cache / "one.f-1.py311.nbi").write_bytes(b"\x80\x04" + stamp.encode())
    (cache / "one.g-6.py311.nbi").write_bytes(b"\x80\x04" + b"0" * 64)
    found = kept_kernels(tmp_path / "made")
    assert (found.kernels, found.compiled, found.bytes, found.folders) == (2, 1, 132, (str(cache),))


def test_reset_settings_keeps_the_old_file_beside(home: Path) -> None:
    done = run("--reset-settings")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
    home.mkdir()
    (home / "settings.toml").write_text("bell = tru")
    done = run("--reset-settings")
    assert done.returncode == 0
    assert str(home / "settings-old.toml") in done.stdout.decode()
    assert os.listdir(home) == ["settings-old.toml"]
    assert (home / "settings-old.toml").read_text() == "bell = tru"
