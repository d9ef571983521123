"""The chase's command line, as one types it."""

from functools import partial
from pathlib import Path

import pytest

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.core.level import read_level_file
from dungeon_tui.core.plain import FAREWELL
from dungeon_tui.core.recording import read_recording
from dungeon_tui.games.chase import commands
from dungeon_tui.games.chase.ai.strategies import MONSTERS, ROGUES
from dungeon_tui.games.chase.model.dungeon import shipped_names
from dungeon_tui.games.chase.view.openings import named, opening
from tests import processes
from tests.games.chase.boards import TOO_LARGE, text_of, written
from tests.processes import call

json_of, printed, refused = (partial(use, "chase") for use in (processes.json_of, processes.printed, processes.refused))


def test_the_names_are_those_of_the_tables() -> None:
    assert {"monster": tuple(MONSTERS), "rogue": tuple(ROGUES)} == commands.NAMES


def test_run_as_json(dead_end: str, own: str) -> None:
    captured = {"outcome": "captured", "by": "monster", "reason": None}
    assert json_of("run", dead_end, "--monster", "bfs", "--rogue", "perfect") == captured | {
        "monster_moves": 3,
        "monster": [[0, 0], [0, 1], [0, 2], [0, 3]],
        "rogue": [[0, 3], [0, 3], [0, 3]],
    }
    names = ("--monster", f"{own}:stay", "--rogue", f"{own}:first_site")
    assert json_of("run", "-", *names, given=b"3\nM + @\n\n\n") == captured | {
        "by": "rogue",
        "monster_moves": 2,
        "monster": [[0, 0], [0, 0], [0, 0]],
        "rogue": [[0, 2], [0, 1], [0, 0]],
    }
    evaded = json_of("run", dead_end, "--moves", "2")
    assert (evaded["outcome"], evaded["by"]) == ("evaded", None)


@pytest.mark.parametrize(
    ("monster", "rogue", "by", "moves"), [("away", "stay", "monster", 0), ("stay", "raises", "rogue", 1)]
)
def test_a_forfeit_is_a_result(ring: str, own: str, monster: str, rogue: str, by: str, moves: int) -> None:
    names = ("--monster", f"{own}:{monster}", "--rogue", f"{own}:{rogue}")
    result = json_of("run", ring, *names)
    assert (result["outcome"], result["by"], result["monster_moves"]) == ("forfeit", by, moves)
    assert (len(result["monster"]), result["rogue"]) == (moves + 1, [[2, 2]])
    assert printed("run", ring, *names, "--plain").endswith(f"\nForfeit by {by}: {result['reason']}\n")


@pytest.mark.parametrize(("moves", "outcome", "turns"), [("2000", "captured", 5), ("2", "evaded", 4)])
def test_a_recording_of_a_run_verifies_and_prints_again(
    dead_end: str, tmp_path: Path, moves: str, outcome: str, turns: int
) -> None:
    path = tmp_path / "a.jsonl"
    names = ("--monster", "perfect", "--rogue", "flee", "--moves", moves)
    text = printed("run", dead_end, *names, "--plain", "--record", str(path))
    recording = read_recording(read_level_file(path))
    assert recording.strategies == {"monster": "perfect", "rogue": "flee"}
    assert call("recording", "verify", str(path)).stdout.decode() == f"ok: {turns} turns, {outcome}\n"
    assert printed("play", "--recording", str(path), "--plain") == text


def test_solve_as_json(dead_end: str, ring: str) -> None:
    values = json_of("solve", dead_end)
    assert 0 <= values.pop("seconds") < 60
    best = {"monster_moves": 3, "best_monster_moves": [[0, 1]]}
    assert values == {"outcome": "captured", "sites": 6, "states": 72, **best}
    values = json_of("solve", "-", given=Path(ring).read_bytes())
    assert (values["outcome"], values["monster_moves"]) == ("evades", None)
    assert values["best_monster_moves"] == [[0, 0], [0, 1], [1, 0]]


def test_a_board_that_is_too_large_to_be_solved_is_one_line(tmp_path: Path) -> None:
    path = written(tmp_path / "large.txt", text_of(*TOO_LARGE))
    for arguments in (("solve", path, "--json"), ("run", path, "--monster", "perfect")):
        said = refused(*arguments)
        assert "5184 sites" in said
        assert "MiB" in said
    assert json_of("run", path, "--monster", "greedy", "--rogue", "random")["outcome"] == "captured"


def test_play_asks_for_a_board(dead_end: str) -> None:
    asked = printed("play", "--plain", given=f"{dead_end}\n eq".encode())
    named = printed("play", dead_end, "--plain", given=b"eq")
    assert asked.endswith(named)
    assert asked[: -len(named)].endswith(f"\n{commands.ASK_BOARD}")
    assert all(name in asked.splitlines()[0] for name in shipped_names())
    assert printed("play", "--plain").endswith(FAREWELL)


@pytest.mark.parametrize(
    ("given", "monster", "rogue"),
    [
        ({}, "perfect", YOU),
        ({"monster": "perfect"}, "perfect", YOU),
        ({"rogue": "flee"}, YOU, "flee"),
        ({"monster": YOU}, YOU, "flee"),
        ({"rogue": YOU}, "perfect", YOU),
        ({"monster": YOU, "rogue": YOU}, YOU, YOU),
        ({"monster": "greedy", "rogue": "random"}, "greedy", "random"),
    ],
)
def test_who_plays_what(given: dict[str, str], monster: str, rogue: str) -> None:
    found = named(" ".join(["open-room", *(f"--{seat} {player}" for seat, player in given.items())]))
    assert found.players == {"monster": monster, "rogue": rogue}


def test_an_opening_holds_what_was_requested(dead_end: str) -> None:
    found = opening(commands.OPTIONS.given(dead_end, {"moves": 7, "seed": 3}))
    level = found.load()
    assert (found.title, found.seed, level.moves, level.name) == ("dead-end", 3, 7, "dead-end")
