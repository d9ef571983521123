"""What the player saved: named, never overwritten, listed without being re-executed, broken or not."""

import json
import os
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from dungeon_tui.core.catalogue import find_game, find_games
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.recording import RecordingError, reexecute
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.folders import HOME
from dungeon_tui.storage.recordings import CUT_SHORT, folder, forget_removed, load, remove, retitle, save, saved
from dungeon_tui.storage.shelf import items, opening


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME, str(tmp_path / "home"))
    return tmp_path / "home"


def played(moves: str = "dd") -> TurnController[Any, Any, Any]:
    game = find_game("crawler")
    rules, level = game.rules(), game.levels().openings()[0].load()
    controller: TurnController[Any, Any, Any] = TurnController(rules, level)
    for letter in moves:
        controller.apply(rules.read_action(letter))
    return controller


def test_what_is_saved_is_read_again_with_all_that_was_said_of_it(home: Path) -> None:
    path = save(played(), "crawler", {"monster": "bfs"}, "First / lesson: ..\\x")
    assert path.parent == home / "recordings" == folder()
    assert path.name.startswith("crawler-first-lesson-x-20")
    recording = load(path, "crawler")
    assert (recording.title, recording.strategies) == ("First / lesson: ..\\x", {"monster": "bfs"})
    assert reexecute(recording)[1].is_ok
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_any_turn_can_be_the_last_one_that_is_saved() -> None:
    controller = played("ddd")
    middle = controller.turn.line()[2]
    controller.go_to(controller.first)
    recording = load(save(controller, "crawler", {}, "", middle))
    assert recording.actions == ("d", "d")
    assert reexecute(recording)[1].is_ok


def test_who_played_is_known_without_reading_on() -> None:
    save(played(), "crawler", {"monster": "bfs", "rogue": "you"}, "x")
    (found,) = saved()
    assert found.players == {"monster": "bfs", "rogue": "you"}
    (item,) = items(None, find_games())
    assert item.facts.endswith("; monster: bfs, rogue: you")


def test_a_title_of_any_length_and_script_is_a_name(home: Path) -> None:
    for title in ("", "x" * 1000, "\x1b[2J\n", "é漢字", "../../etc"):
        path = save(played(), "crawler", {}, title)
        assert path.parent == folder()
        assert path.name.isprintable()
        assert not re.search(r"\s", path.name)
        assert len(path.name) < 70
        assert load(path).title == title
        retitle(path, "Another")
        assert (load(path).title, load(path).actions) == ("Another", ("d", "d"))


def test_the_date_of_a_title_is_not_named_twice() -> None:
    today = f"{datetime.now():%Y-%m-%d}"
    for title, stem in (
        (f"Daily dungeon, {today}", f"crawler-daily-dungeon-{today}"),
        ("Daily dungeon, 2026-11-20", f"crawler-daily-dungeon-2026-11-20-{today}"),
        ("Below the abbey", f"crawler-below-the-abbey-{today}"),
        ("", f"crawler-{today}"),
        ("x" * 32 + " y" * 9, f"crawler-{'x' * 32}-{today}"),
    ):
        assert re.fullmatch(rf"{stem}-\d{{6}}", save(played(), "crawler", {}, title).stem)


def test_the_newest_is_listed_first_with_its_facts() -> None:
    for date, moves in (("2024-01-01 10:00", "d"), ("2025-01-01 10:00", "dda"), ("2024-06-01 10:00", "")):
        path = save(played(moves), "crawler", {}, "Title")
        lines = path.read_text().splitlines()
        path.write_text("\n".join([json.dumps(json.loads(lines[0]) | {"saved": date}), *lines[1:]]) + "\n")
    assert [(each.date, each.turns) for each in saved()] == [
        ("2025-01-01 10:00", 3), ("2024-06-01 10:00", 0), ("2024-01-01 10:00", 1),
    ]  # fmt: skip
    newest = saved()[0]
    assert (newest.game, newest.title, newest.outcome, newest.error) == ("crawler", "Title", "unfinished", "")


def test_listing_reads_no_actions() -> None:
    path = save(played("dada"), "crawler", {}, "Title")
    lines = path.read_text().splitlines()
    lines[2] = "this is no JSON " + "x" * 10_000
    path.write_text("\n".join(lines) + "\n")
    (listed,) = saved()
    assert (listed.turns, listed.error) == (4, "")
    with pytest.raises(RecordingError, match="not JSON"):
        load(path)


BROKEN = {
    b'{"format": "dungeon-tui recording", "version": 99}': "recordings of version 99 can't be read, only 2",
    b'{"format": "dungeon-tui recording", "version": 2, "game": "chess"}': "there is no game 'chess'",
    b'{"format": "dungeon-tui recording", "version": 2, "game": "crawler"}\n{"action": "d"}\n':
        "the closing line with the outcome is missing: the recording was cut off",
}  # fmt: skip


@pytest.mark.parametrize(("content", "reason"), BROKEN.items(), ids=range(len(BROKEN)))
def test_a_broken_file_is_listed_with_its_reason(content: bytes, reason: str) -> None:
    folder().mkdir(parents=True)
    (folder() / "x.jsonl").write_bytes(content)
    (folder() / "notes.txt").write_text("no recording")
    (listed,) = saved()
    assert listed.error == reason
    assert "\n" not in listed.error
    with pytest.raises(LevelError):
        load(listed.path)


def test_a_folder_in_the_place_of_a_file_is_listed_as_broken() -> None:
    (folder() / "x.jsonl").mkdir(parents=True)
    (listed,) = saved()
    assert listed.error.startswith("can't be read: ")


def test_a_recording_of_another_game_is_refused() -> None:
    path = save(played(), "crawler", {}, "")
    with pytest.raises(RecordingError) as caught:
        load(path, "delve")
    assert str(caught.value) == f"{path}:1:1: a recording of crawler, not of delve"


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_neither_pipes_nor_endless_devices_keep_the_others_from_being_listed() -> None:
    good = save(played(), "crawler", {}, "Good")
    os.mkfifo(folder() / "fifo.jsonl")
    (folder() / "zero.jsonl").symlink_to("/dev/zero")
    (folder() / "link.jsonl").symlink_to("fifo.jsonl")
    (folder() / "loop.jsonl").symlink_to("loop.jsonl")
    with (folder() / "large.jsonl").open("wb") as large:
        large.truncate(2**36)
    os.utime(folder() / "large.jsonl", (2e10, 2e10))
    errors = {each.path.stem: each.error for each in saved()}
    assert errors.pop(good.stem) == ""
    assert sorted(errors) == ["fifo", "large", "link", "loop", "zero"]
    assert all(errors.values())
    for item in items(None, find_games()):
        if item.title in errors:
            with pytest.raises(LevelError):
                opening(item, None).load()
        else:
            assert (item.game, opening(item, None).load().title) == (find_game("crawler"), "Good")


def test_a_time_that_no_calendar_knows_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    path, other = save(played(), "crawler", {}, "Far"), save(played(), "crawler", {}, "Near")
    path.write_text(path.read_text().replace('"saved"', '"unsaved"'))
    of_file = Path.stat

    def later(self: Path, **options: bool) -> os.stat_result:
        status = list(of_file(self, **options))
        return os.stat_result([*status[:8], 10**12 if self == path else status[8], status[9]])

    monkeypatch.setattr(Path, "stat", later)
    assert [(each.path, each.date == "", each.error) for each in saved()] == [(other, False, ""), (path, True, "")]


def test_what_a_killed_writer_left_can_be_opened_if_it_is_whole() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    path = save(played(), "crawler", {}, "Whole")
    whole = path.rename(folder() / f"whole.jsonl.{gone.pid}.part")
    (folder() / f"half.jsonl.{gone.pid}.part").write_bytes(whole.read_bytes()[:500])
    (folder() / f"ours.jsonl.{os.getpid()}.part").write_bytes(b"")
    assert {each.path: bool(each.error) for each in saved()} == {
        whole: False, folder() / f"half.jsonl.{gone.pid}.part": True,
    }  # fmt: skip
    by_title = {item.title: item for item in items(None, find_games())}
    assert sorted(by_title) == ["Whole", "half"]
    assert all(item.state.startswith(CUT_SHORT) for item in by_title.values())
    assert opening(by_title["Whole"], None).load().actions == ("d", "d")
    with pytest.raises(LevelError):
        opening(by_title["half"], None).load()


def test_what_was_removed_is_deleted_by_its_process_or_once_that_is_gone() -> None:
    folder().mkdir(parents=True)
    names = ["a.jsonl", "b.jsonl.removed", "c.jsonl.4194305.removed", f"d.jsonl.{os.getppid()}.removed"]
    for name in names:
        (folder() / name).touch()
    removed = remove(folder() / "a.jsonl")
    forget_removed()
    assert {path.name for path in folder().iterdir()} == {removed.name, names[3]}
    forget_removed(ours=True)
    assert [path.name for path in folder().iterdir()] == [names[3]]


def test_a_removed_file_that_cant_be_deleted_is_reported_after_the_others() -> None:
    (folder() / "a.jsonl.removed").mkdir(parents=True)
    (folder() / "b.jsonl.removed").touch()
    with pytest.raises(OSError, match=r"directory|permitted"):
        forget_removed()
    assert [path.name for path in folder().iterdir()] == ["a.jsonl.removed"]
