"""The rescue's command line, as one types it."""

import csv
import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dungeon_tui.core.level import LevelFile, read_level_file
from dungeon_tui.core.options import Given
from dungeon_tui.core.recording import read_recording
from dungeon_tui.games.rescue import commands
from dungeon_tui.games.rescue.ai import algorithms
from dungeon_tui.games.rescue.model import dungeon, generator
from dungeon_tui.games.rescue.model.level import read_level
from dungeon_tui.games.rescue.model.options import lessons
from dungeon_tui.games.rescue.view import transcript
from tests import naive_grid_dp as naive
from tests import processes
from tests.games.rescue.grids import CLASSIC
from tests.processes import call

TEXT = "-2 -3 3\n-5 -10 1\n10 30 -5\n"
PATH = [[0, 0], [0, 1], [0, 2], [1, 2], [2, 2]]

json_of, printed = partial(processes.json_of, "rescue"), partial(processes.printed, "rescue")


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.txt"
    path.write_text(TEXT)
    return str(path)


def test_the_names_are_those_of_the_table() -> None:
    assert {*commands.OPTIONS["generator"].kind.titles} == {*generator.GENERATORS}


def test_solve_as_json(mine: str) -> None:
    for values in (
        json_of("solve", "--grid", mine),
        json_of("solve", "--grid", "-", given=TEXT.encode()),
        json_of("solve", mine),
    ):
        assert 0 <= values.pop("seconds") < 60
        assert values == {"initial_health": 7, "path": PATH, "algorithm": "tabulated"}


@pytest.mark.parametrize("name", [*algorithms.ALGORITHMS, *algorithms.ALIASES])
def test_solve_by_each_algorithm_and_alias(mine: str, name: str) -> None:
    values = json_of("solve", "--grid", mine, "--algorithm", name)
    real = {"bottom-up": "memoised", "top-down": "tabulated"}.get(name, name)
    assert (values["initial_health"], values["algorithm"]) == (7, real)
    assert values["path"] == (None if name == "wavefront" else PATH)


def test_generate_prints_the_seeds_grid() -> None:
    options = ("--seed", "5", "--rows", "3", "--cols", "4", "--low", "-9", "--high", "9")
    text = printed("generate", *options)
    expected = np.random.default_rng(5).integers(-9, 9, (3, 4), endpoint=True)
    assert (read_level(LevelFile("made", text.encode())).grid == expected).all()
    made = json_of("solve", "-", given=text.encode())
    assert made["initial_health"] == json_of("solve", *options)["initial_health"]


COMPARED = ("compare", "--sizes", "8,2,4,2", "--limit", "20")


def test_compare_as_json() -> None:
    values = json_of(*COMPARED, "--algorithms", "top-down, recursive,tabulated")
    assert values["sizes"] == [2, 4, 8]
    assert list(values["algorithms"]) == ["tabulated", "recursive"]
    assert all(seconds > 0 for row in values["algorithms"].values() for seconds in row)


def test_compare_in_words_and_as_csv(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    text = printed(*COMPARED, "--csv", str(file))
    assert all(name in text for name in algorithms.ALGORITHMS)
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert {(row["algorithm"], row["size"]) for row in rows} == {
        (name, size) for name in algorithms.ALGORITHMS for size in ("2", "4", "8")
    }
    for size in ("2", "4", "8"):
        assert len({row["health"] for row in rows if row["size"] == size}) == 1
    assert printed(*COMPARED, "--csv", "-").startswith("algorithm,size,")


def test_ctrl_c_shows_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(given: Given) -> Any:
        if given["rows"] == 4:
            raise KeyboardInterrupt
        return dungeon.opening(given).load()

    monkeypatch.setattr(commands, "read", read)
    done = call("rescue", *COMPARED, "--json")
    assert (done.returncode, done.stderr) == (130, b"Stopped after %d measures.\n" % len(algorithms.ALGORITHMS))
    assert all(row[0] and row[1:] == [None, None] for row in json.loads(done.stdout)["algorithms"].values())


def test_play_at_the_keyboard_is_recorded_and_replayed(mine: str, tmp_path: Path) -> None:
    path = tmp_path / "played.jsonl"
    text = printed("play", mine, "--plain", "--record", str(path), given=b"health 7 ddss")
    assert read_recording(read_level_file(path)).actions == ("health 7", "right", "right", "down", "down")
    assert call("recording", "verify", str(path)).stdout.decode() == "ok: 5 turns, saved\n"
    done = call("recording", "verify", "-", "--json", given=path.read_bytes())
    assert json.loads(done.stdout) == {"ok": True, "turns": 5, "outcome": "saved", "diverged_at": None}
    assert (done.stdout.count(b"\n"), done.returncode, done.stderr) == (1, 0, b"")
    assert printed("play", "--recording", str(path), "--plain") == text.replace(transcript.HELP, "")


def test_play_asks_for_a_grid(mine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(mine).parent)
    mine = "./mine.txt"  # the prompt takes a word
    asked = printed("play", "--plain", given=f"{mine}\n health 7".encode())
    assert asked.endswith(printed("play", mine, "--plain", given=b"health 7"))
    assert asked.splitlines()[:2] == [f"Grids: {', '.join(lessons())}", "Please enter the name of a grid:"]
    assert printed("play", "--plain").endswith("Thank you for playing!\n")


def test_an_opening_holds_what_was_requested(mine: str) -> None:
    opening = dungeon.opening(commands.OPTIONS.given(mine))
    assert (opening.title, opening.load().grid.tolist()) == ("mine", CLASSIC)
    opening = dungeon.named("--generator report")
    assert (opening.title, opening.load().grid.tolist()) == ("Report 1 9x9", naive.report_grid(9, 9))
    opening = dungeon.named("--rows 2 --cols 5")
    assert (
        opening.load().grid.tolist() == np.random.default_rng(0).integers(-1000, 1000, (2, 5), endpoint=True).tolist()
    )
