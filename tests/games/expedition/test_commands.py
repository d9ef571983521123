"""The expedition's command line, as one types it."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.expedition import commands
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.model import generator
from dungeon_tui.games.expedition.model.dungeon import read_map
from dungeon_tui.games.expedition.model.level import level_text, read_level
from dungeon_tui.games.expedition.model.options import lessons
from dungeon_tui.games.expedition.view import transcript
from tests import processes
from tests.games.expedition.test_maps import LEAST
from tests.processes import call, interrupt

NODES = [{"id": "a", "start": True}, {"id": 2, "cost": 4}, {"id": "c"}, {"id": "far"}]
EDGES = [{"source": "a", "target": 2}, {"source": 2, "target": "c", "cost": 1}, {"source": "a", "target": "c"}]
MINE = json.dumps({"nodes": NODES[:3], "edges": EDGES})
APART = json.dumps({"nodes": NODES, "edges": EDGES})


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.json"
    path.write_text(MINE)
    return str(path)


def json_of(*arguments: str, given: str = "") -> Any:
    return processes.json_of("expedition", *arguments, given=given.encode())


def printed(*arguments: str, given: str = "") -> str:
    return processes.printed("expedition", *arguments, given=given.encode())


def test_solve_as_json(mine: str) -> None:
    values = json_of("solve", mine)
    assert 0 <= values.pop("seconds") < 60
    assert values.pop("method")
    assert values == {"cost": 6, "walk": ["a", "c", 2], "seen": 3, "proven_minimal": True, "lower_bound": 6}
    assert json_of("solve", "-", given=MINE)["walk"] == ["a", "c", 2]


@pytest.mark.parametrize(
    ("options", "cost", "walk"),
    [
        (["--coverage", "33.3"], 0, ["a"]),
        (["--coverage", "33.4"], 1, ["a", "c"]),
        (["--coverage", "66.66%"], 1, ["a", "c"]),
        (["--coverage", "0"], 0, ["a"]),
        (["--start", "2"], 2, [2, "a", "c"]),
        (["--end", "a", "--coverage", "60"], 2, ["a", "c", "a"]),
        (["--return"], 7, ["a", "c", 2, "a"]),
    ],
)
def test_options_of_solve(mine: str, options: list[str], cost: int, walk: list[object]) -> None:
    values = json_of("solve", mine, *options)
    assert (values["cost"], values["proven_minimal"]) == (cost, True)
    assert values["walk"] == walk or len(values["walk"]) == len(walk)


def test_first_steps_of_round_trips_are_those_of_both_ways() -> None:
    assert json_of("solve", "grid", "--first-steps", "--return")["first_steps"] == ["a1", "c1"]


def test_what_cannot_be_reached_is_no_error() -> None:
    values = json_of("solve", "-", given=APART)
    assert (values["cost"], values["walk"], values["seen"], values["proven_minimal"]) == (None, [], 3, True)
    assert "3 of 4 rooms" in printed("solve", "-", given=APART)
    assert json_of("curve", "-", given=APART)["costs"] == [0, 1, 6]


@pytest.mark.parametrize("command", ["solve", "curve"])
def test_ctrl_c_gives_the_best_known(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setattr(solver, "prepare", lambda: None)
    interrupt(monkeypatch, solver, "walk_problem")
    done = call("expedition", command, "undercity", "--json")
    assert (done.returncode, done.stderr.count(b"\n")) == (130, 1)
    values = json.loads(done.stdout)
    if command == "solve":
        assert values["lower_bound"] < 318 <= values["cost"]
    else:
        assert values["lower_bounds"][-1] < 318 <= values["costs"][-1]


def test_curve_as_json_and_in_words() -> None:
    values = json_of("curve", "ruins")
    assert values["rooms"] == [*range(1, 18)]
    assert (values["costs"][12], values["costs"][16]) == (29, 52)
    assert values["lower_bounds"] == values["costs"]
    assert set(values["proven_minimal"]) == {True}
    assert json_of("curve", "ruins", "--return")["costs"] > values["costs"]
    assert printed("curve", "-", given=APART).splitlines()[2].split() == ["2", "50.0", "1", "#######"]


def test_generate_prints_the_seeds_map() -> None:
    options = ("--seed", "5", "--rooms", "12", "--degree", "3")
    text = printed("generate", *options)
    assert text == level_text(generator.generate(5, 12, 3))
    level = read_level(LevelFile("made", printed("generate", "--seed", "5", "--uniform").encode()))
    assert {room.cost for room in level.rooms} == {1}
    assert len(level.rooms) == commands.OPTIONS["rooms"].default == generator.ROOMS
    assert float(commands.OPTIONS["degree"].default) == generator.DEGREE


def test_play_takes_what_is_requested(mine: str) -> None:
    text = printed("play", mine, "--plain", given="2\nc\n")
    assert "Best walk: a, c, 2.\nCost: 6. No walk is cheaper.\n" in text.partition(transcript.HELP)[0]
    level = replace(read_map(mine, "2", "c"), coverage=Fraction(60))
    options = ("--start", "2", "--coverage", "60", "--end", "c")
    assert printed("play", mine, "--plain", *options).startswith(transcript.task_text(level))
    assert "Best walk" not in printed("play", mine, "--plain", "--fog").partition(transcript.HELP)[0]


def test_without_a_map_plain_asks_for_one() -> None:
    text = printed("play", "--plain", given="grid\nb2\nq\n")
    assert text.startswith(f"Maps: {', '.join(lessons())}\nPlease enter the name of a map:\ngrid: 12 rooms")
    assert "b2: 1, 1 in all; 2 of 12 visited." in text
    assert printed("play", "--plain").endswith("Thank you for playing!\n")
    done = call("expedition", "play", "--plain", given=b"nowhere\n")
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)


DOCUMENT = Path(__file__).parents[3] / "docs" / "games" / "expedition.md"


def test_the_document_has_our_maps_and_their_least_costs() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (\d+) \| (\d+) \| (\d+) \|", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert {name: (int(rooms), int(whole), int(part)) for name, rooms, whole, part in rows} == LEAST
