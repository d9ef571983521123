"""Errors that name a place, reading files, and text that is safe to show."""

import codecs
import io
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel, read_level_file
from dungeon_tui.core.text import named, printable


def test_an_error_can_be_sent_elsewhere() -> None:
    error = pickle.loads(pickle.dumps(LevelError("too wide", "levels/a1.txt", 3, 7)))
    assert str(error) == "levels/a1.txt:3:7: too wide"


def test_a_files_name_can_not_move_the_cursor_and_keeps_its_markup() -> None:
    assert str(LevelError("gone", "\x1b[2J[red]x")) == "\\x1b[2J[red]x:1:1: gone"
    assert LevelError("no option \x1b[2J", "x").message == "no option \\x1b[2J"


@given(st.text(st.sampled_from("ab\n\r\té€😀\ufeff"), max_size=30), st.integers(0, 30))
def test_positions_count_lines_and_characters_from_one(text: str, index: int) -> None:
    index = min(index, len(text))
    before = text[:index]
    line, column = before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1
    if text.startswith("\ufeff") and line == 1 and index > 0:
        column -= 1  # a byte order mark is not seen
    assert LevelFile("x", text.encode()).position(len(before.encode())) == (line, column)


class Counted(bytes):
    """Bytes that count how many of them were looked at."""

    looked_at = 0

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        Counted.looked_at += len(part)
        return part


@given(st.text("aé\n", max_size=30), st.booleans())
def test_positions_of_all_characters_take_one_pass(text: str, is_marked: bool) -> None:
    data = Counted((codecs.BOM_UTF8 if is_marked else b"") + text.encode())
    mark = 3 * is_marked
    offsets = [mark + len(text[:index].encode()) for index in range(len(text) + 1)]
    Counted.looked_at = 0
    found = list(LevelFile("x", data).positions(offsets))
    assert Counted.looked_at == len(data) - mark
    assert found == [LevelFile("x", bytes(data)).position(offset) for offset in offsets]


@pytest.mark.parametrize("character", "aé€😀")
def test_the_character_at_an_offset(character: str) -> None:
    assert LevelFile("x", f"-{character}€".encode()).character(1) == character


@pytest.mark.parametrize(
    ("data", "line", "column", "message"),
    [
        (b"ab\0c", 1, 3, "not text: byte 2 is 0x00"),
        (b"ab\n\xffc", 2, 1, "not text: byte 3 is 0xff"),
        ("é\n".encode() + b"-\xe2\x82", 2, 2, "not text: byte 4 is 0xe2"),
        (b"\xffa\0", 1, 1, "not text: byte 0 is 0xff"),
        (b"\0a\xff", 1, 1, "not text: byte 0 is 0x00"),
        ("\N{BYTE ORDER MARK}1\n".encode("utf-16-le"), 1, 1, "not text: byte 0 is 0xff"),
        (b"\xed\xa0\x80", 1, 1, "not text: byte 0 is 0xed"),
    ],
)
def test_what_is_not_text_is_refused(data: bytes, line: int, column: int, message: str) -> None:
    with pytest.raises(LevelError) as caught:
        LevelFile("x", data).refuse_what_is_not_text()
    assert (caught.value.line, caught.value.column, caught.value.message) == (line, column, message)


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff1")))
    assert read_level_file("-") == LevelFile("<stdin>", b"\xff1")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing", "no such file or directory"),
        ("folder", "is a directory"),
        ("nul\0name", "embedded null byte"),
        ("n" * 5000, "file name too long"),
    ],
)
def test_what_can_not_be_opened_is_refused_with_its_reason(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(LevelError) as caught:
        read_level_file(tmp_path / name)
    assert caught.value.message == f"can't be opened: {reason}"
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(tmp_path / name), 1, 1)


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("x", "'x'"),
        (" ", "' ' U+0020 (SPACE)"),
        ("\x1b", "control character (U+001B)"),
        ("\x85", "control character (U+0085)"),
        ("é", "'é' U+00E9 (LATIN SMALL LETTER E WITH ACUTE)"),
        ("\u202e", "U+202E (RIGHT-TO-LEFT OVERRIDE)"),
        ("\u00a0", "U+00A0 (NO-BREAK SPACE)"),
        ("😀", "'😀' U+1F600 (GRINNING FACE)"),
    ],
)
def test_characters_are_named_for_messages(character: str, name: str) -> None:
    assert named(character) == name


@given(st.characters())
def test_a_named_character_can_always_be_shown(character: str) -> None:
    assert named(character).isprintable()


@given(st.text(st.characters()))
def test_printable_text_moves_no_cursor_and_keeps_what_can_be_seen(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    if text.isprintable():
        assert shown == text


def test_a_packed_level_of_one_file() -> None:
    file = LevelFile("x", b"1 2")
    assert PackedLevel((file,)).only_file("grid") is file
    for files in ((), (file, file)):
        with pytest.raises(LevelError, match=f"holds one grid, not {len(files)}"):
            PackedLevel(files).only_file("grid")
