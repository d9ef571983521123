"""`crawler check --solve`: words, JSON, what time leaves open, and wrong usage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dungeon_tui.games.crawler.ai.worth import Certifier
from dungeon_tui.games.crawler.model.dungeon import load_dungeon
from dungeon_tui.games.crawler.model.level import Level
from tests.processes import call, interrupt
from tests.ui.driving import level_text


def written(path: Path, *rows: str) -> str:
    path.write_text(level_text(*rows))
    return str(path)


def read(path: str) -> Level:
    return load_dungeon(path).levels[0]


def test_what_levels_are_worth_in_words(tmp_path: Path) -> None:
    vault = written(tmp_path / "vault.txt", "o-+!", "@$++", "----")
    guarded = written(tmp_path / "guarded.txt", "oM?")
    done = call("crawler", "check", "--solve", "--max-doublings", "1", vault, guarded)
    said = [f"  {line}" for path in (vault, guarded) for line in Certifier(read(path), 1).certify().lines()]
    place = f"{guarded}:3:3: warning: "
    lines = done.stdout.decode().splitlines()
    assert [line for line in lines if not line.startswith(str(tmp_path))] == said
    assert [line.partition(place)[1] or line for line in lines if line.startswith(str(tmp_path))] == [
        f"{vault}: ok", place, f"{guarded}: ok, but odd"
    ]  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


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


def test_ctrl_c_shows_what_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    interrupt(monkeypatch, Certifier, "certify")
    path = written(tmp_path / "a.txt", "o-?")
    done = call("crawler", "check", "--solve", path)
    assert done.stdout.decode().startswith(f"{path}: ok\n  Whether it can be won is not known: no line has been found")
    assert done.stderr == b"Stopped: this is what was known.\n"
    assert done.returncode == 130
