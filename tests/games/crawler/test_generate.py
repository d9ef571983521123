"""`crawler generate`: what is written where, the certificate beside it, and wrong usage."""

import json
from pathlib import Path

import pytest

from dungeon_tui.games.crawler.ai import challenge
from dungeon_tui.games.crawler.model.level import level_text
from tests.processes import call
from tests.wording import numbers

EASY = ("crawler", "generate", "--seed", "7", "--difficulty", "easy", "--rows", "7", "--cols", "9")


def test_a_level_on_standard_output_and_what_it_is_worth_beside_it() -> None:
    done = call(*EASY)
    assert done.stdout.decode() == level_text(challenge.make(7, "easy", size=(7, 9)).level)
    first, second, *_ = done.stderr.decode().splitlines()
    found = challenge.make(7, "easy", size=(7, 9))
    assert first.startswith("easy, seed 7: ")
    assert str(found.tries) in first
    assert found.commands in second
    assert done.returncode == 0


def test_the_certificate_is_verified_by_check(tmp_path: Path) -> None:
    path = tmp_path / "made.txt"
    made = call(*EASY, "--amulet", "needed", "--output", str(path), "--json")
    answer = json.loads(made.stdout)
    assert set(answer) == {"seed", "levels"}
    (entry,) = answer["levels"]
    assert set(entry) == {"difficulty", "level", "tries", "solved"}
    assert (answer["seed"], entry["difficulty"], entry["level"]) == (7, "easy", path.read_text())
    checked = call("crawler", "check", "--solve", "--json", str(path))
    (found,) = json.loads(checked.stdout)["files"]
    assert (found["errors"], found["warnings"]) == ([], [])
    assert found["solved"]["amulet_needed"] is True
    for fact, is_proven in entry["solved"]["proven"].items():
        assert found["solved"][fact] == entry["solved"][fact] or not is_proven


def test_the_daily_dungeon_is_three_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(challenge, "CERTIFIED_STATES", 4096)
    done = call("crawler", "generate", "--date", "2026-11-21", "--output", str(tmp_path / "day"))
    assert (done.returncode, done.stdout) == (0, b"")
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["day1.txt", "day2.txt", "day3.txt"]
    hard = call("crawler", "generate", "--date", "2026-11-21", "--difficulty", "hard")
    assert hard.stdout == (tmp_path / "day3.txt").read_bytes()
    checked = call("crawler", "check", *(str(tmp_path / f"day{number}.txt") for number in (1, 2, 3)))
    assert checked.stdout.count(b": ok\n") == 3


def test_what_is_not_found_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(challenge, "MOST_TRIES", 2)
    arguments = ("--seed", "1", "--difficulty", "hard", "--amulet", "needed", "--rows", "5", "--cols", "5")
    done = call("crawler", "generate", *arguments)
    assert (numbers(done.stderr.decode()), done.stderr.count(b"\n")) == ([5, 5, 2], 1)
    assert (done.returncode, done.stdout) == (1, b"")
