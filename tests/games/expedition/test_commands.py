"""The expedition's command line, as one types it."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from signal import SIGINT, raise_signal
from typing import Any

import pytest

from dungeon_tui.core.level import LevelFile
from dungeon_tui.engine.walks import Watch
from dungeon_tui.games.expedition import commands
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.model import generator
from dungeon_tui.games.expedition.model.dungeon import read_map
from dungeon_tui.games.expedition.model.level import level_text, read_level
from dungeon_tui.games.expedition.view import transcript
from tests import processes
from tests.games.expedition.test_level import GRAPHML
from tests.games.expedition.test_maps import LEAST
from tests.processes import call

NODES = [{"id": "a", "start": True}, {"id": 2, "cost": 4}, {"id": "c"}, {"id": "far"}]
EDGES = [{"source": "a", "target": 2}, {"source": 2, "target": "c", "cost": 1}, {"source": "a", "target": "c"}]
MINE = json.dumps({"nodes": NODES[:3], "edges": EDGES})
APART = json.dumps({"nodes": NODES, "edges": EDGES})


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.json"
    path.write_text(MINE)
    return str(path)


def told(*arguments: str, given: str = "") -> Any:
    return processes.told("expedition", *arguments, given=given.encode())


def printed(*arguments: str, given: str = "") -> str:
    return processes.printed("expedition", *arguments, given=given.encode())


def refused(status: int, *arguments: str, given: str = "") -> str:
    done = call("expedition", *arguments, given=given.encode())
    assert done.returncode == status
    assert done.stdout == b""
    complaint = done.stderr.decode()
    assert "Traceback" not in complaint
    assert status == 2 or complaint.count("\n") == 1
    return complaint


# solve


def test_solve_as_json(mine: str) -> None:
    values = told("solve", mine)
    assert 0 <= values.pop("seconds") < 60
    assert values.pop("method")
    assert values == {"cost": 6, "walk": ["a", "c", 2], "seen": 3, "proven_minimal": True, "lower_bound": 6}
    assert told("solve", "-", given=MINE)["walk"] == ["a", "c", 2]


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
def test_what_can_be_asked(mine: str, options: list[str], cost: int, walk: list[object]) -> None:
    values = told("solve", mine, *options)
    assert (values["cost"], values["proven_minimal"]) == (cost, True)
    assert values["walk"] == walk or len(values["walk"]) == len(walk)


def test_what_cannot_be_reached_is_no_error() -> None:
    values = told("solve", "-", given=APART)
    assert (values["cost"], values["walk"], values["seen"], values["proven_minimal"]) == (None, [], 3, True)
    assert told("solve", "-", "--coverage", "75", given=APART)["cost"] == 6
    assert "It can't be done: 3 of 4 rooms can be seen, 4 are asked for.\n" in printed("solve", "-", given=APART)


def test_solve_in_words() -> None:
    text = printed("solve", "ring", "--first-steps", "--count")
    assert re.fullmatch(
        r"ring: 8 rooms, 8 corridors\. See all, from 1\.\n"
        r"Best walk: 1, 2, 3, 4, 3, 2, 1, 8, 7, 6, 5\.\nCost: 13\. Nothing is cheaper\.\n"
        r"Best first steps: 2\.\nCheapest walks: 1\.\nFound by \w+ in \d+\.\d{3} seconds\.\n",
        text,
    )
    assert "Cheapest walks: 1000 or more.\n" in printed("solve", "for-nothing", "--count")
    assert "Best first steps: none.\n" in printed("solve", "ring", "--coverage", "1", "--first-steps")


def test_first_steps_and_number_as_json(mine: str) -> None:
    values = told("solve", mine, "--first-steps", "--count", "--start", "c")  # c a 2, or c 2 a for one more
    assert (values["cost"], values["first_steps"], values["walks"]) == (5, ["a"], 1)
    values = told("solve", "grid", "--first-steps", "--count", "--return")
    assert values["first_steps"] == ["a1", "c1"]


def test_no_time_gives_the_best_known_with_a_bound() -> None:
    values = told("solve", "undercity", "--timeout", "0", "--first-steps", "--count")
    assert values["lower_bound"] < 318 <= values["cost"]
    assert not values["proven_minimal"]
    assert "Not proven: nothing costs less than" in printed("solve", "undercity", "--timeout", "0")


def test_graphml_is_solved_too(tmp_path: Path) -> None:
    path = tmp_path / "map.graphml"
    path.write_text(GRAPHML)
    assert told("solve", str(path))["walk"] == ["gate", "hall"]


def test_ctrl_c_gives_the_best_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "prepare", lambda: raise_signal(SIGINT))


def test_ctrl_c_ends_a_search_in_good_order() -> None:
    def search(about: object, watch: Watch) -> None:
        raise_signal(SIGINT)
        watch.tell(1, 2, 3)

    with pytest.raises(KeyboardInterrupt):
        commands._answer("planning", search, read_map("grid"))


# curve


def test_curve_as_json() -> None:
    values = told("curve", "ruins")
    assert values["rooms"] == [*range(1, 18)]
    assert (values["costs"][12], values["costs"][16]) == (29, 52)
    assert values["lower_bounds"] == values["costs"]
    assert set(values["proven_minimal"]) == {True}
    assert told("curve", "ruins", "--return")["costs"] > values["costs"]
    assert told("curve", "-", given=APART)["costs"] == [0, 1, 6]


def test_curve_in_words() -> None:
    text = printed("curve", "-", given=APART)
    assert text.splitlines()[:3] == ["rooms  percent  cost", "    1     25.0     0", "    2     50.0     1  #######"]
    assert text.endswith("No more is known: 3 of 4 rooms.\n")


def test_ctrl_c_gives_the_curve_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    def curve(level: Any, watch: Watch) -> Any:
        yield solver.LeastCost(0, 0)
        raise_signal(SIGINT)
        watch.tell(1, 0, 0)

    monkeypatch.setattr(solver, "curve", curve)
    done = call("expedition", "curve", "grid", "--json")
    assert (done.returncode, json.loads(done.stdout)["costs"]) == (130, [0])


# generate


def test_generate_prints_or_writes_the_seeds_map(tmp_path: Path) -> None:
    path = tmp_path / "made.json"
    options = ("--seed", "5", "--rooms", "12", "--degree", "3")
    text = printed("generate", *options)
    assert text == level_text(generator.generate(5, 12, 3))
    assert printed("generate", *options, "--output", str(path)) == ""
    assert path.read_bytes() == text.encode()
    assert printed("generate", *options, "--output", "-") == text
    assert told("solve", str(path))["seen"] == 12
    level = read_level(LevelFile("made", printed("generate", "--seed", "5", "--uniform").encode()))
    assert {room.cost for room in level.rooms} == {1}
    assert len(level.rooms) == generator.ROOMS


def test_the_helps_numbers_are_the_generators() -> None:
    assert (commands.ROOMS, commands.DEGREE) == (generator.ROOMS, generator.DEGREE)


def test_generate_by_chance_tells_the_seed() -> None:
    done = call("expedition", "generate")
    seed = done.stderr.decode().rpartition("--seed ")[2].strip().rstrip(".")
    assert done.stdout.decode() == printed("generate", "--seed", seed)


def test_what_cannot_be_made_or_written(tmp_path: Path) -> None:
    assert "from 1 to 256 rooms" in refused(1, "generate", "--seed", "1", "--rooms", "257")
    assert "from 0 to 4 corridors" in refused(1, "generate", "--seed", "1", "--degree", "9")
    assert "can't be written" in refused(1, "generate", "--seed", "1", "--output", str(tmp_path / "no" / "where"))


# play


def test_play_prints_the_rooms_and_the_best_walk(mine: str) -> None:
    text = printed("play", mine, "--plain", given="2\nc\n")
    assert "Best walk: a, c, 2.\nCost: 6. Nothing is cheaper.\n" in text
    assert text.endswith("Your walk costs 6, and nothing is cheaper.\n")
    options = ("--start", "2", "--coverage", "60", "--end", "c")
    assert printed("play", mine, "--plain", *options).startswith(
        "mine: 3 rooms, 3 corridors. See 2 of 3, from 2 to c.\n"
    )
    assert "Best walk" not in printed("play", mine, "--plain", "--fog").partition("Commands")[0]


def test_what_is_played_is_recorded_and_told_again(tmp_path: Path) -> None:
    path = tmp_path / "played.jsonl"
    options = ("--coverage", "66.7", "--fog", "--record", str(path))
    text = printed("play", "memo-fails", "--plain", *options, given="e\nnowhere\na\nb\nc\n")
    again = printed("play", "--recording", str(path), "--plain")
    assert again == text.replace(f"There is no room 'nowhere' here.\n{transcript.HELP}", "")
    done = call("recording", "verify", str(path), "--json")
    assert json.loads(done.stdout) == {"ok": True, "turns": 4, "outcome": "explored", "diverged_at": None}


def test_without_a_map_plain_asks_for_one() -> None:
    text = printed("play", "--plain", given="grid\nb2\nq\n")
    assert text.startswith(f"Maps: {', '.join(LEAST)}\nPlease enter the name of a map:\ngrid: 12 rooms")
    assert "b2: 1, 1 in all; 2 of 12 seen." in text
    assert printed("play", "--plain").endswith("Thank you for playing!\n")
    done = call("expedition", "play", "--plain", given=b"nowhere\n")
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)


# What is wrong


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve",),
        ("solve", "grid", "--coverage", "101"),
        ("solve", "grid", "--coverage", "-1"),
        ("solve", "grid", "--coverage", "all"),
        ("solve", "grid", "--coverage", "nan"),
        ("solve", "grid", "--coverage", "1e1"),
        ("solve", "grid", "--timeout", "-1"),
        ("solve", "grid", "--timeout", "nan"),
        ("solve", "grid", "--return", "--end", "a1"),
        ("curve", "grid", "--return", "--end", "a1"),
        ("play", "--plain", "--coverage", "50"),
        ("play", "grid", "--plain", "--return", "--end", "a1"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    refused(2, *arguments)


@pytest.mark.parametrize(
    "command", [("solve", "-"), ("solve", "-", "--json"), ("curve", "-"), ("play", "-", "--plain")]
)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "not JSON"),
        ('{"nodes": [], "edges": []}', "no rooms"),
        (json.dumps({"nodes": NODES, "edges": [{"source": "a", "target": "2"}]}), "no room"),
        (json.dumps({"nodes": [{"id": 1, "cost": -1}], "edges": []}), "negative"),
        (json.dumps({"nodes": [{"id": 1, "cost": 0.5}], "edges": []}), "fractional"),
        (json.dumps({"nodes": [{"id": 1, "start": True}, {"id": 2, "start": True}], "edges": []}), "two rooms"),
        (json.dumps({"nodes": [{"id": 1}], "edges": []}), "no start"),
        (json.dumps({"nodes": NODES, "edges": EDGES, "directed": True}), "directed"),
        (GRAPHML.replace("undirected", "directed"), "directed"),
    ],
)
def test_bad_maps_end_in_one_line(command: tuple[str, ...], text: str, message: str) -> None:
    assert message in refused(1, *command, given=text)


def test_rooms_that_are_not_there(mine: str) -> None:
    assert 'no room has the id "z"' in refused(1, "solve", mine, "--start", "z")
    assert 'no room has the id "z"' in refused(1, "solve", mine, "--end", "z")
    assert "can't be opened" in refused(1, "solve", "no-such-map")


# What docs/games/expedition.md shows

DOCUMENT = Path(__file__).parents[3] / "docs" / "games" / "expedition.md"
SHOWN = re.findall(r"^\$ (.+)\n((?:(?!\$|```).*\n)*)", DOCUMENT.read_text("utf-8"), re.MULTILINE)
MEASURED = re.compile(r"[0-9.e-]+ seconds|(?<=\"seconds\": )[0-9.e-]+")


@pytest.mark.parametrize(("command", "output"), [pytest.param(*shown, id=shown[0]) for shown in SHOWN])
def test_commands_print_what_the_document_shows(command: str, output: str) -> None:
    *before, last = command.split(" | ")
    given = ""
    if before:
        given = call(*before[0].split()[1:]).stdout.decode() if "delve" in before[0] else "b c b d\nb a e\n"
    _, game, *arguments = last.split()
    done = call(game, *arguments, given=given.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert MEASURED.sub("", done.stdout.decode()) == MEASURED.sub("", output.rstrip("\n") + "\n")


def test_the_examples_of_the_document_come_out_as_it_says() -> None:
    done = doctest.testfile(str(DOCUMENT), module_relative=False, encoding="utf-8")
    assert (done.failed, done.attempted) == (0, 16)


def test_the_document_has_our_maps_and_their_least_costs() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (\d+) \| (\d+) \| (\d+) \|", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert {name: (int(rooms), int(whole), int(part)) for name, rooms, whole, part in rows} == LEAST
