"""`GAME play --recording FILE` without a screen: verified, and printed action by action."""

import json
from pathlib import Path

import pytest

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


def spoilt(tmp_path: Path, number: int, line: str) -> Path:
    lines = GOLDEN.read_text().splitlines()
    lines[number - 1] = line
    path = tmp_path / "spoilt.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    ("number", "line", "place", "said"),
    [
        (5, '{"action": "x"}', "5:1", "turn 4: 'x'"),
        (5, '{"action": oops}', "5:12", "not JSON"),
        (1, "{}", "1:1", '"format"'),
    ],
)
def test_a_recording_that_is_wrong_ends_in_one_line(
    tmp_path: Path, number: int, line: str, place: str, said: str
) -> None:
    path = spoilt(tmp_path, number, line)
    done = call("crawler", "play", "--recording", str(path), "--plain")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"{path}:{place}: {said}")
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == (3 if "turn 4" in said else 0)


@pytest.mark.parametrize("more", [("tutorial",), ("--seed", "9")])
def test_whatever_else_is_named_beside_a_recording_is_one_too_many(more: tuple[str, ...]) -> None:
    done = call("crawler", "play", "--recording", str(GOLDEN), *more, "--plain")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"can't be combined with a level" in b" ".join(done.stderr.split())


def test_a_replay_does_not_write_over_what_it_reads(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOLDEN.read_bytes())
    done = call("crawler", "play", "--plain", "--recording", str(path), "--record", str(path))
    assert done.stderr.decode().startswith(f"{path}:")
    assert (done.returncode, done.stdout) == (1, b"")
    assert path.read_bytes() == GOLDEN.read_bytes()
