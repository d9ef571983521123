"""The delve's command line, as one types it."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError
from dungeon_tui.engine import UNREACHED, distance_map, tunnelling_distance_map
from dungeon_tui.games.delve.model.dungeon import write_level
from dungeon_tui.games.delve.model.generator import generate, open_file
from dungeon_tui.games.delve.view.transcript import level_text
from tests.games.delve.crooked import build
from tests.processes import call


class Done(NamedTuple):
    status: int
    out: str
    messages: str


def run(*arguments: str, typed: bytes = b"") -> Done:
    """Runs `dungeon-tui delve ...` in this process."""
    done = call("delve", *arguments, given=typed)
    assert b"Traceback" not in done.stderr
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def assert_one_line(done: Done, words: str) -> None:
    assert done.status == 1
    assert done.out == ""
    lines = done.messages.splitlines()
    assert len(lines) == 1, lines
    assert words in lines[0]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "some.rlg327"
    path.write_bytes(build("S2019"))
    return str(path)


def test_what_is_no_dungeon_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"RLG327-S2019\0\0")
    for command in ("show", "inspect", "distances"):
        assert_one_line(run(command, str(path)), "byte 14")
    path.write_bytes(build("S2016", rows=[bytearray([255] * 80) for _ in range(21)], rooms=[]))
    assert run("show", str(path)).status == 1
    with pytest.raises(LevelError, match="no cell is open"):
        open_file(str(path)).load()


def test_inspect_tells_all(file: str) -> None:
    assert json.loads(run("inspect", file, "--json").out) == {
        "layout": "S2019",
        "rows": 21,
        "cols": 80,
        "player": [3, 5],
        "rooms": [[2, 3, 4, 6], [10, 40, 5, 9], [14, 12, 3, 4]],
        "stairs_up": [[2, 3], [11, 41]],
        "stairs_down": [[14, 12]],
        "warnings": [],
    }


def test_inspect_tells_what_is_odd_and_what_is_not_there_and_others_warn() -> None:
    data = build("S2016", size=7)
    told = json.loads(run("inspect", "-", "--json", typed=data).out)
    assert (told["layout"], told["player"], told["stairs_up"]) == ("S2016", None, [])
    (warning,) = told["warnings"]
    text = run("inspect", "-", typed=data).out
    assert "player: none\n" in text
    assert f"warning: {warning}\n" in text
    assert run("show", "-", typed=data).messages == f"warning: <stdin>: {warning}\n"


def test_distances_and_letters_are_the_engines(file: str) -> None:
    at, level = Cell(12, 41), open_file(file).load()
    walking = distance_map(level.hardness == 0, [at])
    tunnelling = tunnelling_distance_map(level.hardness, [at], weights="div60")
    options, letters = (file, "--at", "12,41", "--weights", "div60"), []
    for distance, more in ((walking, ()), (tunnelling, ("--tunnelling",))):
        told = json.loads(run("distances", *options, *more, "--json").out)
        rows = [[None if steps == UNREACHED else steps for steps in row] for row in distance.tolist()]
        assert told == {"rows": 21, "cols": 80, "player": [*at], "distances": rows}
        letters.append(level_text(level, at, distance, "letters"))
        assert run("distances", *options, *more).out == letters[-1]
    assert run("show", *options).out == level_text(level, at, None, "letters") + "".join(letters)


def test_convert_writes_s2019(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(build("S2018"))
    assert run("convert", str(old), "--at", "3,5", "--output", str(new)).status == 0
    assert new.read_bytes() == build("S2019", ups=[], downs=[])
    old.write_bytes(build("S2017"))
    assert_one_line(run("convert", str(old), "--output", str(tmp_path / "x")), "21 x 80")
    assert not (tmp_path / "x").exists()


def test_the_place_at_home_is_read_and_written_on_request_with_backups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    folder = tmp_path / ".rlg327"
    assert_one_line(run("inspect", "--load-home"), "can't be opened")
    assert run("generate", "--seed", "1", "--save-home") == Done(0, "", "")
    assert {path.name for path in folder.iterdir()} == {"dungeon"}
    for seed in (2, 3, 4):
        done = run("generate", "--seed", str(seed), "--save-home")
        assert f"dungeon.bak{seed - 1 if seed > 2 else ''}." in done.messages
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert kept == {
        "dungeon.bak": write_level(generate(1)),
        "dungeon.bak2": write_level(generate(2)),
        "dungeon.bak3": write_level(generate(3)),
        "dungeon": write_level(generate(4)),
    }
    assert run("show", "--load-home").out == run("show", "--seed", "4").out
    assert run("convert", "--load-home", "--output", str(tmp_path / "copy")).status == 0
    assert (tmp_path / "copy").read_bytes() == kept["dungeon"]
    assert run("play", "--load-home", "--plain").out.startswith("Depth 1\n")


def test_no_backup_no_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / ".rlg327" / "dungeon").mkdir(parents=True)
    assert_one_line(run("generate", "--seed", "1", "--save-home"), "can't be written")


def test_plain_play_warns_of_a_crooked_file_and_places_a_player_by_the_seed() -> None:
    ends = [run("play", "-", "--plain", "--seed", str(seed), typed=build("S2018", size=7)) for seed in range(8)]
    assert len({done.out for done in ends}) > 4
    assert all(done.messages.startswith("warning: <stdin>: ") for done in ends)
