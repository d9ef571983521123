"""Golden recordings: whole games, re-executed turn by turn. One that diverges means that a rule has changed."""

import json
from pathlib import Path

import pytest

from dungeon_tui.core.level import read_level_file
from dungeon_tui.core.recording import read_recording, reexecute

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
    assert [level["text"] for level in header["level"]] == [shipped.read_text(encoding="utf-8")]
