"""Files are written whole or not at all, and never over what is read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from dungeon_tui.core.files import UnwritableError, refuse_unwritable, write_bytes, write_text


def test_a_file_is_written_in_utf_8_with_plain_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "é\n")
    assert path.read_bytes() == b"\xc3\xa9\n"
    write_bytes(path, b"\xff")
    assert path.read_bytes() == b"\xff"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    write_text(link, "x")
    assert link.is_symlink()
    assert target.read_text() == "x"


def test_what_was_there_stays_if_there_is_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fill(part: Path, data: bytes) -> int:
        with part.open("wb") as file:
            file.write(data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fill)
    with pytest.raises(UnwritableError, match="can't be written: no space left on device"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("name", [".", "no/such/place", "nul\0", "x" * 300])
def test_what_can_not_be_written_is_told_before_and_after(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for attempt in (refuse_unwritable, lambda path: write_text(path, "")):
        with pytest.raises(UnwritableError) as caught:
            attempt(path)
        assert "can't be written: " in str(caught.value)
        assert ":1:1:" not in str(caught.value)
        assert str(caught.value).isprintable()
    assert os.listdir(tmp_path) == []


def test_asking_changes_nothing(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    for path in (old, new):
        refuse_unwritable(path)
    assert os.listdir(tmp_path) == ["old"]
    assert old.read_text() == "old"


def test_what_is_read_is_not_overwritten(tmp_path: Path) -> None:
    path, link, other = tmp_path / "own.py", tmp_path / "link", tmp_path / "other"
    path.write_text("x")
    link.symlink_to(path)
    os.link(path, tmp_path / "same")
    for name in (path, link, tmp_path / "same"):
        for source in (str(path), path, f"{path}:go"):
            with pytest.raises(UnwritableError, match="it is read too"):
                refuse_unwritable(name, ["bfs", source])
    refuse_unwritable(other, ["bfs", "-", "", "nul\0", path])
    assert path.read_text() == "x"


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_pipes_and_devices_are_written_as_they_are() -> None:
    refuse_unwritable(Path("/dev/null"))
    write_text(Path("/dev/null"), "x")
    assert Path("/dev/null").is_char_device()
