"""Golden recordings: whole games, re-executed turn by turn. One that diverges means that a rule has changed.

And `GAME play --recording FILE` without a screen: verified, and printed action by action.
"""

import json
from pathlib import Path

import pytest

from dungeon_tui.core.level import read_level_file
from dungeon_tui.core.recording import read_recording, reexecute
from tests.processes import call

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.jsonl"))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_golden_recording_comes_out_as_it_did(path: Path) -> None:
    recording = read_recording(read_level_file(path))
    verdict = reexecute(recording)[1]
    assert (verdict.is_ok, verdict.diverged_at) == (True, None), verdict.message
    assert path.stem.endswith(f"-{verdict.outcome}")
    assert verdict.turns == len(recording.actions) > 0


@pytest.mark.parametrize(
    "path", [path for path in RECORDINGS if path.stem.startswith("deep-story-")], ids=lambda path: path.stem
)
def test_the_story_is_recorded_as_it_ships(path: Path) -> None:
    header = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    shipped = Path(__file__).parents[1] / "levels" / "deep" / "story.toml"
    assert header["level"] == [{"name": shipped.name, "text": shipped.read_text(encoding="utf-8")}]


def test_a_recording_names_the_file_of_a_level_without_its_folder(tmp_path: Path) -> None:
    path, mine = tmp_path / "game.jsonl", tmp_path / "mine.toml"
    shipped = Path(__file__).parents[1] / "levels" / "deep" / "tutorial.toml"
    mine.write_bytes(shipped.read_bytes())
    assert call("deep", "play", str(mine), "--plain", "--record", str(path), given=b"dq\n").returncode == 0
    assert [level["name"] for level in json.loads(path.read_text().splitlines()[0])["level"]] == ["mine.toml"]


ESCAPED = Path(__file__).parent / "recordings" / "crawler-easy-escaped.jsonl"


def test_a_replay_prints_its_actions_and_verifies() -> None:
    done = call("crawler", "play", "--recording", str(ESCAPED), "--plain")
    actions = [json.loads(line)["action"] for line in ESCAPED.read_text().splitlines()[1:-1]]
    *lines, last = done.stdout.decode().splitlines()
    assert lines == [f"{number} {action}" for number, action in enumerate(actions, 1)]
    assert last == f"ok: {len(actions)} turns, escaped"
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_replay_can_be_recorded_again(tmp_path: Path) -> None:
    path = tmp_path / "again.jsonl"
    assert call("crawler", "play", "--recording", str(ESCAPED), "--plain", "--record", str(path)).returncode == 0
    assert path.read_text().splitlines()[1:] == ESCAPED.read_text().splitlines()[1:]


def test_a_recording_that_diverges_is_printed_up_to_there_and_ends_in_one_line(tmp_path: Path) -> None:
    lines = ESCAPED.read_text().splitlines()
    lines[4] = '{"action": "x"}'
    path = tmp_path / "spoilt.jsonl"
    path.write_text("\n".join(lines) + "\n")
    done = call("crawler", "play", "--recording", str(path), "--plain")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"{path}:5:1: turn 4: 'x'")
    assert (done.returncode, len(done.stdout.splitlines())) == (1, 3)


def test_a_replay_does_not_write_over_what_it_reads(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(ESCAPED.read_bytes())
    done = call("crawler", "play", "--plain", "--recording", str(path), "--record", str(path))
    assert done.stderr.decode().startswith(f"{path}:")
    assert (done.returncode, done.stdout) == (1, b"")
    assert path.read_bytes() == ESCAPED.read_bytes()
