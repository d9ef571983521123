"""Verdicts that are stored in a file: what of it can't be read is judged anew."""

import json
import shlex
from pathlib import Path

import pytest

from dungeon_tui.judge.executor import StoredVerdicts, Submission
from dungeon_tui.judge.verdicts import Verdict

SUBMISSION = Submission("one", "true")


TEST = {"name": "one", "is_right": True, "seconds": 1.0}
VERDICT = {"program": "one", "values": {"won": 1}, "tests": [TEST]}


def line(**changes: object) -> bytes:
    """A line with the submission's own key, of a verdict with other values."""
    path = Path("verdicts.jsonl")
    StoredVerdicts(path, "about").add(SUBMISSION, Verdict("one", {}, ()))
    key = json.loads(path.read_text())["key"]
    path.unlink()
    return json.dumps({"key": key, "verdict": {**VERDICT, **changes}}).encode()


@pytest.mark.parametrize(
    "bad",
    [
        b"\xff\xfe\x00", b"[" * 10_000, b'{"a":' * 10_000, b"3", b"[1]", b"9" * 5000, b'{"key": [], "verdict": {}}',
        b'{"key": "a", "verdict": 3}', {"program": 3}, {"values": []}, {"summary": None}, {"tests": 3},
        {"tests": [3]}, {"tests": [{**TEST, "seconds": "long"}]},
    ],
    ids=lambda bad: str(bad[:24] if isinstance(bad, bytes) else bad),
)  # fmt: skip
def test_lines_that_are_no_verdict_are_passed_over(
    bad: bytes | dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "verdicts.jsonl"
    good = line()
    if isinstance(bad, dict):
        path.write_bytes(line(**bad))
        assert StoredVerdicts(path, "about").verdict(SUBMISSION) is None
    else:
        path.write_bytes(bad + b"\n" + good)
        found = StoredVerdicts(path, "about").verdict(SUBMISSION)
        assert found.values == {"won": 1}


@pytest.mark.parametrize("command", ["python {}", "{}:solve"])
def test_a_changed_program_is_judged_again(command: str, tmp_path: Path) -> None:
    """A verdict belongs to a name, a command, the files it names, and all that it is judged by."""
    program, path = tmp_path / "one.py", tmp_path / "verdicts.jsonl"
    program.write_text("print(1)")
    submission = Submission("one", command.format(shlex.quote(str(program))))
    StoredVerdicts(path, "about").add(submission, Verdict("one", {}, ()))
    assert StoredVerdicts(path, "about").verdict(submission) is not None
    assert StoredVerdicts(path, "other limits").verdict(submission) is None
    for changed in (Submission("one", f"{submission.command} --fast"), Submission("two", submission.command)):
        assert StoredVerdicts(path, "about").verdict(changed) is None
    program.write_text("print(2)")
    assert StoredVerdicts(path, "about").verdict(submission) is None


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is a directory"):
        StoredVerdicts(tmp_path, "about")


@pytest.mark.parametrize("data", [b"mine", b"[" * 100_000, b"\xff\x00", b"{}"], ids=range(4))
def test_a_file_that_holds_no_verdicts_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "verdicts.jsonl").write_bytes(data)
    with pytest.raises(ValueError, match="holds no verdicts"):
        StoredVerdicts(tmp_path / "verdicts.jsonl", "about")
