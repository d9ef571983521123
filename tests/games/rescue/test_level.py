"""Grid files: what is read, and for every kind of wrong file the message, the line and the column."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.rescue.model.level import LEAST, MOST, Level, level_text, read_level
from tests import naive_rescue_rules as naive
from tests.games.rescue.grids import CLASSIC, grid_rows, level_of

ANY_VALUE = st.integers(-20, 20) | st.integers(LEAST, MOST)


def read(text: str | bytes) -> Level:
    return read_level(LevelFile("a.txt", text if isinstance(text, bytes) else text.encode()))


READABLE = {
    "as people write it": "-2 -3 3\n-5 -10 1\n10 30 -5\n",
    "without a last line end": "-2 -3 3\n-5 -10 1\n10 30 -5",
    "aligned columns": " -2  -3   3\n -5 -10   1\n 10  30  -5\n",
    "commas": "-2,-3,3\n-5,-10,1\n10,30,-5\n",
    "commas and blanks": "-2, -3, 3\n-5 ,-10 , 1\n10\t,30 -5\n",
    "tabs": "-2\t-3\t3\n-5\t-10\t1\n10\t30\t-5\n",
    "line ends of other systems": "-2 -3 3\r\n-5 -10 1\r\n10 30 -5\r\n",
    "a byte order mark": "\ufeff-2 -3 3\n-5 -10 1\n10 30 -5\n",
    "empty lines anywhere": "\n\n-2 -3 3\n \t\n-5 -10 1\r\n\r\n10 30 -5\n\n \n",
    "a line of blanks beyond ASCII": "-2 -3 3\n\u00a0\n-5 -10 1\n10 30 -5\n",
    "blanks beyond ASCII": "-2\u00a0-3\u30003\n-5 -10 1\n10 30 -5\n",
    "plus signs and zeros": "-2 -03 +3\n-5 -10 +01\n10 30 -000000000000000000000000000005\n",
    "JSON as puzzle sites print it": "[[-2,-3,3],[-5,-10,1],[10,30,-5]]",
    "JSON on many lines": "[\n  [-2, -3, 3],\n  [-5, -10, 1],\n  [10, 30, -5]\n]\n",
    "JSON a number a line": "[[-2,\n-3,\n3],\r\n[-5,\r\n-10,1],[10\n,30,-5]]",
    "JSON after white space": " \n\t[[-2,-3,3],[-5,-10,1],[10,30,-5]] \n",
    "JSON after a byte order mark": "\ufeff[[-2,-3,3],[-5,-10,1],[10,30,-5]]",
}


@pytest.mark.parametrize("text", READABLE.values(), ids=READABLE.keys())
def test_a_grid_is_read(text: str) -> None:
    level = read(text)
    assert level.grid.tolist() == CLASSIC
    assert (level.name, level.lesson, level.grid.dtype) == ("a.txt", "", np.int32)
    assert not level.grid.flags.writeable


@pytest.mark.parametrize("text", ["7", " -7\n", "[[7]]", "0", "-0", "[[-0]]"])
def test_one_cell_is_a_grid(text: str) -> None:
    assert read(text).grid.shape == (1, 1)


@pytest.mark.parametrize("form", ["{} {}\n", "{},{}\n", "[[{}, {}]]"])
@pytest.mark.parametrize("value", [LEAST, MOST, 2**31 - 1, -(2**31), 2**31, -(2**31) - 1, 999_999_999_999_999_999])
def test_values_up_to_64_bits_are_read_exactly(form: str, value: int) -> None:
    grid = read(form.format(value, 1)).grid
    assert grid.tolist() == [[value, 1]]
    assert grid.dtype == (np.int32 if -(2**31) <= value < 2**31 else np.int64)


def test_one_large_row_makes_the_whole_grid_large() -> None:
    assert read("1 2\n3 9999999999\n").grid.tolist() == [[1, 2], [3, 9_999_999_999]]


WHOLE = "is not a whole number"
RANGE = "is beyond 64 bits: values are from -9223372036854775808 to 9223372036854775807"
EMPTY = "the grid is empty: a row of whole numbers is the least"
LENGTH = ": all must be of one length"

INVALID: dict[str, tuple[str | bytes, int, int, str]] = {
    "NUL": (b"1 2\n3 \0\n", 2, 3, "not text: byte 6 is 0x00"),
    "bytes that are no text": (b"1 2\n3 \xff\n", 2, 3, "not text: byte 6 is 0xff"),
    "UTF-16": ("1 2\n".encode("utf-16"), 1, 1, "not text: byte 0 is 0xff"),
    "nothing at all": ("", 1, 1, EMPTY),
    "a byte order mark only": ("\ufeff", 1, 1, EMPTY),
    "empty lines only": ("\n \n\n", 4, 1, EMPTY),
    "a blank beyond ASCII only": ("\u00a0", 1, 2, EMPTY),
    "words": ("1 2\nthe knight\n", 2, 1, f"'the' {WHOLE}"),
    "one letter": ("1 x\n", 1, 3, f"'x' {WHOLE}"),
    "a fraction": ("1 2\n3 4.5\n", 2, 3, f"'4.5' {WHOLE}"),
    "a whole fraction": ("1.0", 1, 1, f"'1.0' {WHOLE}"),
    "a power of ten": ("1 1e30\n", 1, 3, f"'1e30' {WHOLE}"),
    "a hexadecimal number": ("0x10", 1, 1, f"'0x10' {WHOLE}"),
    "a number with strokes": ("1_000", 1, 1, f"'1_000' {WHOLE}"),
    "not a number": ("1 nan", 1, 3, f"'nan' {WHOLE}"),
    "a sign alone": ("1 -\n", 1, 3, f"'-' {WHOLE}"),
    "two signs": ("--1", 1, 1, f"'--1' {WHOLE}"),
    "a printed minus": ("1 \u22125\n", 1, 3, f"'\u22125' {WHOLE}"),
    "digits of other scripts": ("1 \u0663\n", 1, 3, f"'\u0663' U+0663 (ARABIC-INDIC DIGIT THREE) {WHOLE}"),
    "a control character": ("1 \x1b\n", 1, 3, f"control character ESC (U+001B) {WHOLE}"),
    "columns count characters": ("1 \u00e4\u00e4 2\n1 2 3\n", 1, 3, f"'\u00e4\u00e4' {WHOLE}"),
    "after characters beyond ASCII": ("\u00a0\u00a01 x", 1, 5, f"'x' {WHOLE}"),
    "after a byte order mark": ("\ufeff1 x", 1, 3, f"'x' {WHOLE}"),
    "semicolons": ("1;2\n", 1, 1, f"'1;2' {WHOLE}"),
    "a word of thousands": ("1 " + "x" * 5000, 1, 3, f"'{'x' * 38}' {WHOLE}"),
    "too large": ("1 9223372036854775808\n", 1, 3, f"9223372036854775808 {RANGE}"),
    "too small": ("1\n-9223372036854775809\n", 2, 1, f"-9223372036854775809 {RANGE}"),
    "thousands of digits": ("9" * 5000, 1, 1, f"{'9' * 40} {RANGE}"),
    "a row too short": ("1 2 3\n4 5\n", 2, 1, f"row 2 holds 2 numbers, the first one 3{LENGTH}"),
    "a row too long": ("1\n\n2\n3 4\n", 4, 1, f"row 3 holds 2 numbers, the first one 1{LENGTH}"),
    "a row of one": ("1 2\r\n3\r\n", 2, 1, f"row 2 holds 1 number, the first one 2{LENGTH}"),
    "a comma first": ("1,2\n ,3\n", 2, 2, "a number is missing before this comma"),
    "two commas": ("1,,2\n", 1, 3, "a number is missing before this comma"),
    "a comma last": ("1,2\n3, \n", 2, 2, "a number is missing after this comma"),
    "a comma alone": (",", 1, 1, "a number is missing before this comma"),
    "lines that end in carriage returns": ("1 2\r3 4\r", 1, 4, "control character CR (U+000D) alone ends no row"),
    "JSON: nothing in it": ("[]", 1, 1, EMPTY),
    "JSON: an empty row": ("[[]]", 1, 2, "this row is empty: a row holds one number at least"),
    "JSON: an empty row below": ("[[1],\n []]", 2, 2, "this row is empty: a row holds one number at least"),
    "JSON: ragged": ("[[1, 2],\n [3]]", 2, 2, f"row 2 holds 1 number, the first one 2{LENGTH}"),
    "JSON: a row too long": ("[[1],\n [2, 3]]", 2, 2, f"row 2 holds 2 numbers, the first one 1{LENGTH}"),
    "JSON: one row without its list": ("[1, 2, 3]", 1, 2, "a row must be a list of whole numbers: [[1, 2], [3, 4]]"),
    "JSON: a row in quotes": ('[[1], "2"]', 1, 7, "a row must be a list of whole numbers"),
    "JSON: an object": ('[[1], {"a": [2]}]', 1, 7, "a row must be a list of whole numbers"),
    "JSON: nested": ("[[1, [2]]]", 1, 6, f"[ {WHOLE}"),
    "JSON: a fraction": ("[[1,\n2.5]]", 2, 1, f"'2.5' {WHOLE}"),
    "JSON: a power of ten": ("[[1, 1e30]]", 1, 6, f"'1e30' {WHOLE}"),
    "JSON: true": ("[[1, true]]", 1, 6, f"true {WHOLE}"),
    "JSON: null": ("[[null]]", 1, 3, f"null {WHOLE}"),
    "JSON: NaN": ("[[NaN]]", 1, 3, f"'NaN' {WHOLE}"),
    "JSON: infinite": ("[[-Infinity]]", 1, 3, f"'-Infinity' {WHOLE}"),
    "JSON: a number in quotes": ('[["7"]]', 1, 3, f'"7" {WHOLE}'),
    "JSON: brackets in quotes": ('[[1, "],[\\""], [2]]', 1, 6, f'"],[\\"" {WHOLE}'),
    "JSON: a turned text": ('[["\u202e"]]', 1, 3, f'"\\u202e" {WHOLE}'),
    "JSON: too large": ("[[1],\n [9223372036854775808]]", 2, 3, f"9223372036854775808 {RANGE}"),
    "JSON: before thousands of digits": (f"[[1],\n [true],\n [{'9' * 5000}]]", 2, 3, f"true {WHOLE}"),
    "JSON: thousands of digits": (f"[[{'9' * 5000}]]", 1, 3, f"{'9' * 40} {RANGE}"),
    "JSON: cut off": ("[[1, 2],\n [3,", 2, 5, "not JSON: expecting value"),
    "JSON: a comma too many": ("[[1, 2,]]", 1, 8, "not JSON: "),
    "JSON: more after it": ("[[1]]\n[[2]]", 2, 1, "not JSON: extra data"),
    "JSON: rows without the outer brackets": ("[1, 2],\n[3, 4]\n", 1, 7, "not JSON: extra data"),
    "JSON: after characters beyond ASCII": ('\ufeff[["\u00e4\u00e4", 1], x]', 1, 13, "not JSON: expecting value"),
    "JSON: far too deep": ("[" * 100_000, 1, 1, "not a grid: the brackets are nested too deeply"),
}


@pytest.mark.parametrize(("text", "line", "column", "message"), INVALID.values(), ids=INVALID.keys())
def test_what_is_wrong_is_told_with_its_place(text: str | bytes, line: int, column: int, message: str) -> None:
    with pytest.raises(LevelError) as caught:
        read(text)
    error = caught.value
    assert error.message.startswith(message)
    assert (error.file, error.line, error.column) == ("a.txt", line, column)
    assert str(error).isprintable()


@given(grid_rows(6, ANY_VALUE))
def test_every_grid_is_written_and_read_again(rows: list[list[int]]) -> None:
    text = level_text(level_of(rows))
    assert read(text).grid.tolist() == rows
    assert len({len(line) for line in text.splitlines()}) == 1
    assert read(json.dumps(rows)).grid.tolist() == rows


@given(
    rows=grid_rows(5),
    place=st.tuples(st.integers(0), st.integers(0)),
    spoilt=st.sampled_from(["2.5", "true", "[1]", '"7"', "\t1e3", str(MOST + 1), "9" * 5000]),
)
def test_one_wrong_value_of_a_json_grid_is_told_with_its_place(
    rows: list[list[int]], place: tuple[int, int], spoilt: str
) -> None:
    words: list[list[str]] = [[*map(str, row)] for row in rows]
    row, col = place[0] % len(rows), place[1] % len(rows[0])
    words[row][col] = spoilt
    text = "[" + ",\n".join(f"[{', '.join(line)}]" for line in words) + "]"
    column = (row == 0) + len("[" + ", ".join([*words[row][:col], ""])) + spoilt.startswith("\t") + 1
    with pytest.raises(LevelError) as caught:
        read(text)
    assert (caught.value.line, caught.value.column) == (row + 1, column)


PIECES = st.sampled_from(
    [*"0123456789-+,,[][] \n\n\t", "\r", "\r\n", " 12 ", "1 2\n", "\u00a0", "1.5", "1e3", "x", '"', "9" * 19]
)


def read_or_error(data: bytes) -> Level | LevelError:
    try:
        return read(data)
    except LevelError as error:
        return error


@given(st.lists(PIECES, max_size=20).map("".join))
def test_grids_are_read_as_the_slow_twin_reads_them(text: str) -> None:
    found, expected = read_or_error(text.encode()), naive.read_or_error(text)
    if isinstance(expected, naive.InvalidError):
        assert isinstance(found, LevelError)
        assert 1 <= found.line <= text.count("\n") + 1
        assert expected.line in (0, found.line)
    else:
        assert isinstance(found, Level), found
        assert found.grid.tolist() == expected


@given(grid_rows(3), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3), st.binary(max_size=2)), max_size=4))
def test_whatever_the_bytes_are_a_grid_or_its_place_comes_out(
    rows: list[list[int]], changes: list[tuple[int, int, bytes]]
) -> None:
    for form in (level_text(level_of(rows)), json.dumps(rows)):
        data = form.encode()
        for at, length, put in changes:
            data = data[:at] + put + data[at + length :]
        found = read_or_error(data)
        if isinstance(found, LevelError):
            lines = data.split(b"\n")
            assert 1 <= found.line <= len(lines)
            assert 1 <= found.column <= len(lines[found.line - 1].decode("utf-8", "replace")) + 1
        else:
            assert found.grid.size
