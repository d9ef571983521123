"""Files are written whole or not at all, and never over what is read."""

import os
import stat
import sys
from pathlib import Path

import pytest

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.files import (
    KINDS,
    OtherKindError,
    UnwritableError,
    check_writable,
    claim,
    forget_claims,
    read_file,
    write_bytes,
    write_new,
    write_text,
)


def no_space(_: int) -> None:
    raise OSError(28, "No space left on device")


def test_a_file_is_written_in_utf_8_with_plain_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    check_writable(path)
    assert os.listdir(tmp_path) == []
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
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(UnwritableError, match="can't be written: no space left on device"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [write_new(tmp_path / "a-b.jsonl", data) for data in (b"one", b"two", b"three")]
    assert [path.name for path in paths] == ["a-b.jsonl", "a-b-2.jsonl", "a-b-3.jsonl"]
    assert [path.read_bytes() for path in paths] == [b"one", b"two", b"three"]
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space left"):
        write_new(tmp_path / "c.jsonl", b"four")
    assert len(os.listdir(tmp_path)) == 3


@pytest.mark.parametrize("name", [".", "no/such/place", "nul\0", "x" * 300])
def test_what_can_not_be_written_is_reported_before_and_after(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for attempt in (check_writable, lambda path: write_text(path, "")):
        with pytest.raises(UnwritableError) as caught:
            attempt(path)
        assert "can't be written: " in str(caught.value)
        assert ":1:1:" not in str(caught.value)
        assert str(caught.value).isprintable()
    assert os.listdir(tmp_path) == []


def test_what_will_be_written_is_not_read(tmp_path: Path) -> None:
    path, link, same = tmp_path / "a.txt", tmp_path / "link", tmp_path / "same"
    path.write_text("1 2")
    link.symlink_to(path)
    os.link(path, same)
    claim(link, "rescue grid")
    for name in (path, link, same):
        with pytest.raises(ValueError, match="would overwrite it"):
            read_file(name)
    forget_claims()
    assert read_file(same) == b"1 2"


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_no_more_is_read_than_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"12345")
    assert read_file(path, most=5) == b"12345"
    for name in (path, "/dev/zero"):
        with pytest.raises(ValueError, match="larger than"):
            read_file(name, most=4)


ROOT = Path(__file__).parents[2]
SAMPLES = {
    "recording": next((ROOT / "tests" / "recordings").glob("*.jsonl")).read_bytes(),
    "crawler level": (levels_folder("crawler") / "tutorial1.txt").read_bytes(),
    "chase board": (levels_folder("chase") / "braid.txt").read_bytes(),
    "rescue grid": b" 1 -2\n-3  4\n",
    "map": (levels_folder("expedition") / "ring.json").read_bytes(),
    "par": (levels_folder("crawler") / "easy.par.jsonl").read_bytes(),
    "dungeon": b"RLG327-S2019\0\0",
    "table": b"rows,cols,seconds\n1,2,3\n",
}


@pytest.mark.parametrize("kind", KINDS)
def test_only_a_file_of_the_same_kind_is_replaced(tmp_path: Path, kind: str) -> None:
    for present, data in {**SAMPLES, "text": b"Dear diary,\n", "nothing": b""}.items():
        path = tmp_path / present
        path.write_bytes(data)
        if present in (kind, "nothing"):
            check_writable(path, kind)
        else:
            with pytest.raises(OtherKindError, match="--force"):
                check_writable(path, kind)
            check_writable(path, kind, force=True)
        assert path.read_bytes() == data


@pytest.mark.skipif(sys.platform == "win32", reason="has no such modes")
def test_mode_and_long_names_stay(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250)
    path.touch()
    path.chmod(0o600)
    check_writable(path)
    write_text(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_pipes_and_devices_are_written_as_they_are() -> None:
    check_writable(Path("/dev/null"))
    write_text(Path("/dev/null"), "x")
    assert Path("/dev/null").is_char_device()
