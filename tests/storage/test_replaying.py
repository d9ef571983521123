"""`GAME play --recording FILE` without a screen: verified, and printed action by action."""

import json
from pathlib import Path

from tests.processes import call

GOLDEN = Path(__file__).parents[1] / "recordings" / "crawler-easy-escaped.jsonl"


def test_a_replay_prints_its_actions_and_verifies() -> None:
    done = call("crawler", "play", "--recording", str(GOLDEN), "--plain")
    actions = [json.loads(line)["action"] for line in GOLDEN.read_text().splitlines()[1:-1]]
    *lines, last = done.stdout.decode().splitlines()
    assert lines == [f"{number} {action}" for number, action in enumerate(actions, 1)]
    assert last == f"ok: {len(actions)} turns, escaped"
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_replay_can_be_recorded_again(tmp_path: Path) -> None:
    path = tmp_path / "again.jsonl"
    assert call("crawler", "play", "--recording", str(GOLDEN), "--plain", "--record", str(path)).returncode == 0
    assert path.read_text().splitlines()[1:] == GOLDEN.read_text().splitlines()[1:]


def test_a_recording_that_diverges_is_printed_up_to_there_and_ends_in_one_line(tmp_path: Path) -> None:
    lines = GOLDEN.read_text().splitlines()
    lines[4] = '{"action": "x"}'
    path = tmp_path / "spoilt.jsonl"
    path.write_text("\n".join(lines) + "\n")
    done = call("crawler", "play", "--recording", str(path), "--plain")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"{path}:5:1: turn 4: 'x'")
    assert (done.returncode, len(done.stdout.splitlines())) == (1, 3)


def test_a_replay_does_not_write_over_what_it_reads(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOLDEN.read_bytes())
    done = call("crawler", "play", "--plain", "--recording", str(path), "--record", str(path))
    assert done.stderr.decode().startswith(f"{path}:")
    assert (done.returncode, done.stdout) == (1, b"")
    assert path.read_bytes() == GOLDEN.read_bytes()
