"""`chase judge` and `chase break` as their users meet them."""

import json
from pathlib import Path

import pytest

from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.recording import open_replay
from dungeon_tui.games.chase.ai.judge import JudgedChase
from dungeon_tui.games.chase.ai.judged import preserved
from dungeon_tui.games.chase.model.level import read_level
from dungeon_tui.storage.recordings import load
from tests.games.chase import wrong
from tests.games.chase.boards import RING, TOO_LARGE, board, text_of, written
from tests.processes import call, json_of, printed, refused

TIRED = f"{wrong.__file__}:tired"


@pytest.fixture
def loop(tmp_path: Path) -> str:
    """A board with a loop, and a dead end that looks better."""
    return written(tmp_path / "loop.txt", text_of(" . ", "M @", " .."))


def test_each_board_is_judged_in_both_seats(own: str, dead_end: str, ring: str) -> None:
    (program,) = json_of("chase", "judge", f"{own}:stay", "--inputs", dead_end, ring)["programs"]
    assert (program["program"], program["loads"]) == (f"{own}:stay", True)
    told_of = [(one["board"], one["side"], one["value"], one["outcome"], one["lost"]) for one in program["chases"]]
    assert told_of == [
        ("dead-end", "monster", 3, "evaded", True),
        ("ring", "monster", None, "evaded", False),
        ("dead-end", "rogue", 3, "captured", False),
        ("ring", "rogue", None, "captured", True),
    ]
    first, *_, last = program["chases"]
    assert (first["judged"], first["slips"], first["thrown_away"], first["first_mistake"]) == (300, 300, 0, None)
    assert last["thrown_away"] == 1
    mistake = last["first_mistake"]
    assert (mistake["at"]["rogue"], mistake["played"]) == ([2, 2], [2, 2])
    assert mistake["played"] not in mistake["better"]
    assert last["seconds"]["median"] <= last["seconds"]["largest"]


def test_one_side_and_more_opponents(own: str, dead_end: str) -> None:
    asked = "chase", "judge", f"{own}:stay", "--side", "rogue", "--classic", "--moves", "7", "--inputs", dead_end
    (program,) = json_of(*asked)["programs"]
    assert [one["opponent"] for one in program["chases"]] == ["perfect", "random", "greedy", "bfs"]
    assert {one["side"] for one in program["chases"]} == {"rogue"}
    assert max(one["monster_moves"] for one in program["chases"]) <= 7


@pytest.mark.slow
def test_forfeits_are_reported_and_what_never_answers_is_given_up(own: str, dead_end: str, ring: str) -> None:
    (one,) = json_of("chase", "judge", f"{own}:away", "--side", "rogue", "--inputs", ring)["programs"][0]["chases"]
    why = "moved from (2, 2) to (99, 99), which is illegal: that is more than one step"
    assert (one["outcome"], one["reason"]) == ("forfeit", why)
    slow = json_of("chase", "judge", f"{own}:endless", "--limit", "0.1", "--inputs", dead_end, ring, "braid", "comb")
    reasons = [one["reason"] for one in slow["programs"][0]["chases"]]
    unplayed = "not run: 3 timeouts, and no answer in time"
    assert reasons == (["took longer than 0.1 s"] * 3 + [unplayed]) * 2  # of either seat


def test_a_program_that_is_none_is_distinguished_from_the_judges_failures(own: str, tmp_path: Path) -> None:
    done = json_of("chase", "judge", f"{own}:nothing")["programs"][0]
    assert (done["loads"], done["chases"]) == (False, [])
    assert "nothing" in done["reason"]
    large = written(tmp_path / "large.txt", text_of(*TOO_LARGE))
    assert "sites" in refused("chase", "judge", f"{own}:stay", "--inputs", large)
    broken = written(tmp_path / "broken.txt", "2\n@ ?\n\n")
    assert f"{broken}:2:3" in refused("chase", "judge", f"{own}:stay", "--inputs", broken)
    refused("chase", "judge", f"{own}:stay", "--side", "left", status=2)
    assert "nothing" in refused("chase", "break", f"{own}:nothing")


def test_a_recording_opens_at_the_mistake(loop: str, tmp_path: Path) -> None:
    folder = tmp_path / "recordings"
    asked = "chase", "judge", TIRED, "--side", "rogue", "--inputs", loop, "--record", str(folder)
    (one,) = json_of(*asked)["programs"][0]["chases"]
    (path,) = folder.iterdir()
    recording = load(path, "chase")
    controller, trouble = open_replay(recording)
    assert (trouble, controller.turn.ply) == ("", one["first_mistake"]["ply"])
    assert list(controller.state.rogue) == one["first_mistake"]["at"]["rogue"]
    assert json_of("recording", "verify", str(path))["ok"]
    path.write_text("mine")
    assert "it holds no recording" in refused(*asked)


def test_the_verdict_in_words_names_move_and_better_move(loop: str) -> None:
    text = call("chase", "judge", TIRED, "--side", "rogue", "--inputs", loop).stdout.decode()
    assert "first mistake in move 1: from row 2, column 3 to row 3, column 3" in text
    assert "better: row 3, column 2" in text
    assert "\n  M\n.   @\n  o x\n" in text


@pytest.mark.parametrize(
    ("program", "side", "outcome"),
    [(TIRED, "rogue", "captured"), pytest.param("greedy", "monster", "evaded", marks=pytest.mark.slow)],
)
def test_what_breaks_a_program_is_a_board_to_play_on(program: str, side: str, outcome: str, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("mine")
    asked = "chase", "break", program, "--side", side, "--seconds", "120", "--output", str(tmp_path), "--json"
    found = json.loads(call(*asked).stdout)
    assert found["found"]
    level = read_level(LevelFile("board.txt", found["input"].encode()))
    assert (level.tiles != ord(" ")).sum() == found["size"] <= 6
    other = {"rogue": "monster", "monster": "rogue"}[side]
    file = str(tmp_path / "board.txt")
    assert (tmp_path / "board-old.txt").read_text() == "mine"
    run = json_of("chase", "run", file, f"--{side}", program, f"--{other}", "perfect", "--moves", "100")
    assert run["outcome"] == outcome == found["got"].split()[0]
    solved = json_of("chase", "solve", file)["outcome"]
    assert solved == {"rogue": "evades", "monster": "captured"}[side]
    assert found["expected"].startswith({"rogue": "the rogue is safe", "monster": "captured in"}[side])


def test_the_board_that_breaks_a_program_is_printed_as_a_file() -> None:
    text = printed("chase", "break", TIRED, "--side", "rogue", "--seconds", "120")
    level = read_level(LevelFile("printed.txt", text.encode()))
    assert "first mistake in move" in level.note


def test_a_program_is_started_once_for_all_its_chases(ring: str, tmp_path: Path) -> None:
    file = written(tmp_path / "counted.py", "print('started')\ndef stay(state):\n    return state.site\n")
    done = call("chase", "judge", f"{file}:stay", "--inputs", ring, "braid", "--json")
    (program,) = json.loads(done.stdout)["programs"]
    assert {one["reason"] for one in program["chases"]} == {None}
    assert done.stderr.split() == [b"started"]


@pytest.mark.parametrize(
    ("side", "rows"),
    [
        ("both", ["random", "greedy/flee", "bfs/cycle", "perfect", "bfs/dfs"]),
        ("rogue", ["random", "flee", "cycle", "perfect", "dfs"]),
    ],
)
def test_baselines_stand_next_to_a_program(side: str, rows: list[str], own: str, tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    asked = "chase", "judge", f"{own}:stay", "--side", side, "--baselines", "--inputs", "twigs", "single-loop"
    _, *baselines = json.loads(call(*asked, "--gradescope", str(results), "--json").stdout)["programs"]
    assert [one["program"] for one in baselines] == rows
    lost = {one["program"]: sum(chase["lost"] for chase in one["chases"]) for one in baselines}
    assert lost["perfect"] == 0 < lost["random"]
    assert [*tmp_path.glob("results*.json")] == [results]


LONG_DEAD_END = ("M+++@", "     ", "     ", "     ", "     ")


@pytest.mark.parametrize(
    ("rows", "side", "value", "outcome", "moves", "share"),
    [
        (LONG_DEAD_END, "rogue", 4, "captured", 4, 1.0),
        (LONG_DEAD_END, "rogue", 4, "captured", 3, 0.5),
        (LONG_DEAD_END, "rogue", 4, "captured", 2, 0.0),  # it ran into the monster
        (LONG_DEAD_END, "monster", 4, "captured", 8, 0.5),
        (LONG_DEAD_END, "monster", 4, "evaded", 300, 0.0),
        (LONG_DEAD_END, "monster", 4, "forfeit", 2, 0.0),
        (RING, "rogue", None, "evaded", 300, 1.0),
        (RING, "rogue", None, "captured", 200, 0.0),
        (RING, "monster", None, "evaded", 300, None),  # no monster does better
        (("M@", "  "), "rogue", 1, "captured", 1, None),  # no rogue does
        (("M .", "   ", "@ ."), "rogue", None, "evaded", 300, None),  # no path: nor does it matter here
    ],
)
def test_points_are_the_share_of_the_value_that_was_preserved(
    rows: tuple[str, ...], side: str, value: int | None, outcome: str, moves: int, share: float | None
) -> None:
    reason = "slept" if outcome == "forfeit" else None
    chase = JudgedChase("board", side, "perfect", value, outcome, moves, reason, lost=False)
    assert preserved(board(*rows), chase) == share
