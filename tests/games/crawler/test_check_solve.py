"""`crawler check --solve`: words, JSON, what time leaves open, and wrong usage."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from signal import SIGINT, pthread_kill

import pytest

from dungeon_tui.games.crawler.ai import solver
from dungeon_tui.games.crawler.ai.worth import Certificate, Certifier
from tests.processes import call
from tests.ui.driving import level_text


def written(path: Path, *rows: str) -> str:
    path.write_text(level_text(*rows))
    return str(path)


def test_what_levels_are_worth_in_words(tmp_path: Path) -> None:
    vault = written(tmp_path / "vault.txt", "o-+!", "@$++", "----")
    guarded = written(tmp_path / "guarded.txt", "oM?")
    done = call("crawler", "check", "--solve", "--max-doublings", "1", vault, guarded)
    assert done.stdout.decode().splitlines() == [
        f"{vault}: ok",
        "  Can be won in 6 moves, and none is shorter: sdsdds",
        "  1 shortest solution. At most 4 treasures can be taken out.",
        "  An amulet is needed. Lines that double the level more than once are left out.",
        f"{guarded}:3:3: warning: a monster beside the start: it takes at once whoever stays in its line",
        f"{guarded}: ok, but odd",
        "  It can't be won: that is proven.",
        "  The monster matters: row 0, column 1.",
    ]
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_is_known_of_a_file_is_printed_before_the_next_one_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[list[str]] = []
    certify = Certifier.certify

    def looking(self: Certifier) -> Certificate:
        printed.append(sys.stdout.buffer.getvalue().decode().splitlines())  # type: ignore[attr-defined]
        return certify(self)

    monkeypatch.setattr(Certifier, "certify", looking)
    first, second, bad = written(tmp_path / "1.txt", "o?"), written(tmp_path / "2.txt", "o-?"), tmp_path / "bad.txt"
    bad.write_text("1 1\n0 0\nx\n")
    done = call("crawler", "check", "--solve", first, str(bad), second).stdout.decode().splitlines()
    assert printed == [[f"{first}: ok"], done[:-2]]
    assert done[-3] == f"{second}: ok"


def test_what_levels_are_worth_as_json(tmp_path: Path) -> None:
    good, bad = written(tmp_path / "good.txt", "--o-M-$!", "?-------"), tmp_path / "bad.txt"
    bad.write_text("1 1\n0 0\nx\n")
    done = call("crawler", "check", "--solve", "--json", good, str(bad))
    first, second = json.loads(done.stdout)["files"]
    assert set(first) == set(second) == {"file", "ok", "errors", "warnings", "solved"}
    assert first["solved"] == {
        "max_doublings": 2,
        "can_be_won": True,
        "needs_treasure_brought": False,
        "with_treasure_brought": None,
        "moves": 3,
        "lower_bound": 3,
        "commands": first["solved"]["commands"],
        "most_treasure": 0,
        "treasure_known": 0,
        "amulet_needed": False,
        "shortest_solutions": 3,
        "shortest_solutions_counted_to": 1_000_000,
        "monsters": 1,
        "monsters_that_matter": [],
        "proven": dict.fromkeys(first["solved"]["proven"], True),
    }
    assert sorted(first["solved"]["commands"]) == ["a", "a", "s"]
    assert second["solved"] is None
    assert done.returncode == 1


def test_what_time_leaves_open(tmp_path: Path) -> None:
    done = call("crawler", "check", "--solve", "--timeout", "0", "--json", written(tmp_path / "a.txt", "?+o@"))
    (entry,) = json.loads(done.stdout)["files"]
    assert not any(entry["solved"]["proven"].values())
    assert entry["solved"]["can_be_won"] is None
    assert entry["solved"]["lower_bound"] <= 3
    assert done.returncode == 0


def test_ctrl_c_shows_what_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    certify = Certifier.certify

    def interrupted(self: Certifier) -> Certificate:
        pthread_kill(threading.main_thread().ident or 0, SIGINT)
        return certify(self)

    solver.prepare()
    monkeypatch.setattr(solver, "prepare", lambda: None)
    monkeypatch.setattr(Certifier, "certify", interrupted)
    path = written(tmp_path / "a.txt", "o-?")
    done = call("crawler", "check", "--solve", path)
    assert done.stdout.decode().startswith(f"{path}: ok\n  Whether it can be won is not known: no line has been found")
    assert done.stderr == b"Stopped: this is what was known.\n"
    assert done.returncode == 130


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--timeout", "3"], b"value for --timeout: it goes with --solve"),
        (["--max-doublings", "3"], b"value for --max-doublings: it goes with --solve"),
        (["--timeout", "3", "--max-doublings", "3"], b"--max-doublings and --timeout: they go with --solve"),
        (["--solve", "--max-doublings", "100"], b"not in the range"),
        (["-", "-"], b"standard input can be read only once"),
        (["--solve", "--timeout", "nan"], b"nan is no number of seconds"),
        (["--solve", "--timeout", "-1"], b"not in the range"),
        (["--solve", "--max-doublings", "-1"], b"not in the range"),
    ],
)
def test_wrong_usage(arguments: list[str], complaint: bytes) -> None:
    done = call("crawler", "check", *arguments, "level.txt")
    assert done.returncode == 2
    assert done.stdout == b""
    assert complaint in done.stderr
