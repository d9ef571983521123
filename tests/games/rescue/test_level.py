"""Grid files: what is read, and for every kind of wrong file the message, the line and the column."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.rescue.model.level import LEAST, MOST, Level, level_text, read_level
from tests.games.rescue.grids import CLASSIC, grid_rows, level_of

ANY_VALUE = st.integers(-20, 20) | st.integers(LEAST, MOST)


def read(text: str | bytes) -> Level:
    return read_level(LevelFile("a.txt", text if isinstance(text, bytes) else text.encode()))


READABLE = {
    "as people write it": "-2 -3 3\n-5 -10 1\n10 30 -5\n",
    "aligned columns": " -2  -3   3\n -5 -10   1\n 10  30  -5\n",
    "commas and blanks": "-2, -3, 3\n-5 ,-10 , 1\n10\t,30 -5\n",
    "tabs": "-2\t-3\t3\n-5\t-10\t1\n10\t30\t-5\n",
    "line ends of other systems": "-2 -3 3\r\n-5 -10 1\r\n10 30 -5\r\n",
    "a byte order mark": "\ufeff-2 -3 3\n-5 -10 1\n10 30 -5\n",
    "empty lines anywhere": "\n\n-2 -3 3\n \t\n-5 -10 1\r\n\r\n10 30 -5\n\n \n",
    "a line of blanks beyond ASCII": "-2 -3 3\n\u00a0\n-5 -10 1\n10 30 -5\n",
    "blanks beyond ASCII": "-2\u00a0-3\u30003\n-5 -10 1\n10 30 -5\n",
    "separators of records": "-2\x1c-3\x1f3\x1d\n-5\x0b-10\x0c1\n10 30\x1e-5",
    "plus signs and zeros": "-2 -03 +3\n-5 -10 +01\n10 30 -" + 5000 * "0" + "5\n",
    "JSON as puzzle sites print it": "[[-2,-3,3],[-5,-10,1],[10,30,-5]]",
    "JSON on many lines": "[\n  [-2, -3, 3],\n  [-5, -10, 1],\n  [10, 30, -5]\n]\n",
    "JSON a number a line": "[[-2,\n-3,\n3],\r\n[-5,\r\n-10,1],[10\n,30,-5]]",
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


# The text, and line and column of what is wrong.
INVALID: dict[str, tuple[str | bytes, int, int]] = {
    "NUL": (b"1 2\n3 \0\n", 2, 3),
    "bytes that are no text": (b"1 2\n3 \xff\n", 2, 3),
    "UTF-16": ("1 2\n".encode("utf-16"), 1, 1),
    "nothing at all": ("", 1, 1),
    "empty lines only": ("\n \n\n", 4, 1),
    "words": ("1 2\nthe knight\n", 2, 1),
    "a fraction": ("1 2\n3 4.5\n", 2, 3),
    "a printed minus": ("1 \u22125\n", 1, 3),
    "digits of other scripts": ("1 \u0663\n", 1, 3),
    "a control character": ("1 \x1b\n", 1, 3),
    "columns count characters": ("1 \u00e4\u00e4 2\n1 2 3\n", 1, 3),
    "after characters beyond ASCII": ("\u00a0\u00a01 x", 1, 5),
    "after a byte order mark": ("\ufeff1 x", 1, 3),
    "semicolons": ("1;2\n", 1, 1),
    "too large": ("1 9223372036854775808\n", 1, 3),
    "too small": ("1\n-9223372036854775809\n", 2, 1),
    "thousands of digits": ("9" * 5000, 1, 1),
    "a row too short": ("1 2 3\n4 5\n", 2, 1),
    "a row too long": ("1\n\n2\n3 4\n", 4, 1),
    "a comma first": ("1,2\n ,3\n", 2, 2),
    "two commas": ("1,,2\n", 1, 3),
    "a comma last": ("1,2\n3, \n", 2, 2),
    "lines that end in carriage returns": ("1 2\r3 4\r", 1, 4),
    "JSON: nothing in it": ("[]", 1, 2),
    "JSON: an empty row": ("[[]]", 1, 3),
    "JSON: ragged": ("[[1, 2],\n [3]]", 2, 2),
    "JSON: one row without its list": ("[1, 2, 3]", 1, 2),
    "JSON: a row in quotes": ('[[1], "2"]', 1, 7),
    "JSON: an object": ('[[1], {"a": [2]}]', 1, 7),
    "JSON: nested": ("[[1, [2]]]", 1, 6),
    "JSON: a fraction": ("[[1,\n2.5]]", 2, 1),
    "JSON: brackets in quotes": ('[[1, "],[\\""], [2]]', 1, 6),
    "JSON: too large": ("[[1],\n [9223372036854775808]]", 2, 3),
    "JSON: thousands of digits": (f"[[{'9' * 5000}]]", 1, 3),
    "JSON: a zero before a number": ("[[1, 02]]", 1, 6),
    "JSON: cut off": ("[[1, 2],\n [3,", 2, 5),
    "JSON: a comma too many": ("[[1, 2,]]", 1, 8),
    "JSON: more after it": ("[[1]]\n[[2]]", 2, 1),
    "JSON: rows without the outer brackets": ("[1, 2],\n[3, 4]\n", 1, 2),
    "JSON: after characters beyond ASCII": ('\ufeff[["\u00e4\u00e4", 1], x]', 1, 3),
    "JSON: far too deep": ("[" * 100_000, 1, 3),
}


@pytest.mark.parametrize(("text", "line", "column"), INVALID.values(), ids=INVALID.keys())
def test_what_is_wrong_is_reported_with_its_place(text: str | bytes, line: int, column: int) -> None:
    with pytest.raises(LevelError) as caught:
        read(text)
    error = caught.value
    assert (error.file, error.line, error.column) == ("a.txt", line, column)
    assert str(error).isprintable()


@given(grid_rows(6, ANY_VALUE))
def test_every_grid_is_written_and_read_again(rows: list[list[int]]) -> None:
    text = level_text(level_of(rows))
    assert read(text).grid.tolist() == rows
    assert len({len(line) for line in text.splitlines()}) == 1
    assert read(json.dumps(rows)).grid.tolist() == rows
