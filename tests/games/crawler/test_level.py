"""Crawler levels: what is read, and for every kind of wrong file the line and the column."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.crawler.model.level import MAX_CELLS, Level, level_text, parse_level, read_level, tile_offsets
from tests.wording import numbers


def read(text: str | bytes) -> Level:
    return read_level(LevelFile("a1.txt", text if isinstance(text, bytes) else text.encode()))


def errors_in(text: str | bytes, most: int = 10_000) -> list[tuple[int, int, str]]:
    parsed = parse_level(LevelFile("a1.txt", text if isinstance(text, bytes) else text.encode()), most)
    assert (parsed.level is None) == bool(parsed.errors)
    return [(error.line, error.column, error.message) for error in parsed.errors]


def rows_of(level: Level) -> list[str]:
    return [row.tobytes().decode() for row in level.tiles]


READABLE = {
    "as people write it": "2 3\n1 0\n- + $\n- M ?\n",
    "without blanks": "2 3\n1 0\n-+$\n-M?",
    "all in one line": "2 3 1 0 - + $ - M ?",
    "a number a line": "2\n3\n1\n0\n-\n+\n$\n-\nM\n?\n",
    "lines broken anywhere": "2 3\n1 0\n-+\n$-M\n?",
    "tabs, vertical tabs and form feeds": "2\t3\v1\f0\t-\t+\v$\f-\tM\t?",
    "line ends of other systems": "2 3\r\n1 0\r\n- + $\r\n- M ?\r\n",
    "a byte order mark": "\ufeff2 3\n1 0\n- + $\n- M ?\n",
    "leading zeros": "02 0003\n0001 00\n- + $\n- M ?\n",
    "thousands of leading zeros": "0" * 5000 + "2 3\n1 " + "0" * 5000 + "\n- + $\n- M ?\n",
    "minus nothing": "2 3\n1 -0\n- + $\n- M ?\n",
    "blank lines before and after": "\n\n  2 3\n\n1 0\n\n- + $\n\n- M ?\n\n \t\n",
}


@pytest.mark.parametrize("text", READABLE.values(), ids=READABLE.keys())
def test_line_breaks_and_blanks_are_for_the_eye_only(text: str) -> None:
    level = read(text)
    assert (rows_of(level), level.start, level.file) == (["-+$", "-M?"], Cell(1, 0), "a1.txt")


@pytest.mark.parametrize("tiles", ["+---", "+-", "-", "+"])
def test_pillars_and_floor_right_after_the_numbers_are_no_signs(tiles: str) -> None:
    assert rows_of(read(f"1 {len(tiles) + 1}\n0 0-{tiles}")) == ["-" + tiles]


def test_every_tile_is_read() -> None:
    level = read("1 7\n0 0\n-+$@M?!")
    assert rows_of(level) == ["-+$@M?!"]
    assert level.tiles.shape == (1, 7)
    assert not level.tiles.flags.writeable


@pytest.mark.parametrize("tile", ["x", "é"])
def test_so_many_unknown_tiles_are_listed_and_the_rest_announced(tile: str) -> None:
    errors = errors_in("1 200\n0 0\n-" + tile * 199, 100)
    assert [column for _, column, _ in errors] == list(range(2, 103))
    assert (errors[-1][:2], numbers(errors[-1][2])) == ((3, 102), [100])
    assert "more" not in errors_in("1 101\n0 0\n-" + tile * 100, 100)[-1][2]


def test_a_level_that_is_read_to_be_played_tells_its_first_error_and_looks_for_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    monkeypatch.setattr("dungeon_tui.games.crawler.model.level.named", lambda character: told.append(character) or "it")
    with pytest.raises(LevelError, match=r"a1.txt:3:2: .* it"):
        read("2 500\n0 0\n-" + "x" * 999)
    assert told == ["x"]


def test_a_file_too_short_for_its_tiles_is_refused_before_their_memory_is_taken() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(LevelError, match="too few tiles"):
            read("999999 2147\n0 0\n" + "-" * 1000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


BROKEN: dict[str, tuple[str | bytes, list[tuple[int, int]]]] = {
    "NUL": (b"2 2\n0 0\n--\x00-", [(3, 3)]),
    "bytes that are no text": (b"2 2\n0 0\n\xff---", [(3, 1)]),
    "UTF-16": (b"\xff\xfe2\x00 \x002\x00\n\x000\x00 \x000\x00\n\x00-\x00-\x00-\x00-\x00", [(1, 1)]),
    "nothing at all": ("", [(1, 1)]),
    "no start row": ("2 2\n", [(2, 1)]),
    "no start column": ("2 2\n0", [(2, 2)]),
    "rows that are a word": ("two 2\n0 0\n----", [(1, 1)]),
    "columns that are a letter": ("2 x\n0 0\n----", [(1, 3)]),
    "a start row that is a fraction": ("2 2\n1.5 0\n----", [(2, 1)]),
    "a start column that is a tile": ("2 2\n0 -\n----", [(2, 3)]),
    "numbers in another notation": ("0x2 2\n0 0\n----", [(1, 1)]),
    "digits of another script": ("\u0663 2\n0 0\n----", [(1, 1)]),
    "a number after foreign letters": ("\xe9\xe9 2\xe9\n0 0\n----", [(1, 1), (1, 4)]),
    "a lone escape for a number": ("2 \x1b\n0 0\n--", [(1, 3)]),
    "a byte order mark within": ("2 2\n\ufeff0 0\n----", [(2, 1)]),
    "0 rows": ("0 2\n0 0\n", [(1, 1)]),
    "negative rows": ("-1 2\n0 0\n", [(1, 1)]),
    "too many rows": ("1000000 1\n0 0\n", [(1, 1)]),
    "5000 digits": ("9" * 5000 + " 1\n0 0\n", [(1, 1)]),
    "too many tiles to address": ("46341 46341\n0 0\n-", [(1, 7)]),
    "the largest sides": ("999999 999999\n0 0\n-", [(1, 8)]),
    "a negative start row": ("2 2\n-1 0\n----", [(2, 1)]),
    "a start below the map": ("2 3\n2 0\n------", [(2, 1)]),
    "a start on a pillar": ("2 2\n1 0\n--\n+-", [(2, 1)]),
    "a start on a way out": ("1 1\n0 0\n!", [(2, 1)]),
    "no tiles": ("2 2\n0 0\n", [(3, 1)]),
    "too few tiles": ("2 2\n0 0\n- -\n-", [(4, 2)]),
    "too few tiles by far": ("999999 2147\n0 0\n-", [(3, 2)]),
    "an unknown tile": ("2 2\n0 0\n- -\n- x", [(4, 3)]),
    "the adventurer as a tile": ("2 2\n0 0\no -\n- -", [(3, 1)]),
    "an unknown tile after wide characters": ("1 4\n0 0\n-\xe9\u20acx", [(3, 2), (3, 3), (3, 4)]),
    "a space that is no blank": ("1 2\n0 0\n-\xa0-", [(3, 2), (3, 3)]),
    "an escape sequence": ("1 4\n0 0\n-\x1b[m", [(3, 2), (3, 3), (3, 4)]),
    "a tile too many": ("2 2\n0 0\n- -\n- - -", [(4, 5)]),
    "a word at the end": ("1 2\n0 0\n--\nby me", [(4, 1)]),
    "a last tile of several bytes": ("1 1\n0 0\n\xe9", [(3, 1)]),
    "a pillar as a start row off the map": ("1 1\n3 0\n---M", [(2, 1), (3, 2)]),
    "a start column off the map, looked for on no tile": ("2 1\n0 1\n-M", [(2, 3)]),
    "four wrong numbers": ("x 0\ny z\n", [(1, 1), (1, 3), (2, 1), (2, 3)]),
    "wrong starts that hide no tile": ("1 2\n-1 9999999-x", [(2, 1), (2, 4), (2, 12)]),
    "unknown and too few": ("1 4\n0 0\n- x \xe9", [(3, 3), (3, 5), (3, 6)]),
    "all that is wrong": ("2 2\n5 1\n- x\ny - \xe9 -", [(2, 1), (3, 3), (4, 1), (4, 5)]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "places"), BROKEN.values(), ids=BROKEN.keys())
def test_each_fault_is_reported_with_its_place(text: str | bytes, places: list[tuple[int, int]]) -> None:
    assert [(line, column) for line, column, _ in errors_in(text, MAX_CELLS)] == places


SMALL_LEVELS = st.integers(1, 6).flatmap(
    lambda width: st.integers(1, 6).flatmap(
        lambda height: st.tuples(
            st.lists(st.text("-+$@M?!", min_size=width, max_size=width), min_size=height, max_size=height),
            st.integers(0, height - 1),
            st.integers(0, width - 1),
        )
    )
)


def text_of(rows: list[str], row: int, col: int, blank: str = "") -> str:
    return f"{len(rows)} {len(rows[0])}\n{row} {col}\n" + "\n".join(blank.join(tiles) for tiles in rows) + "\n"


@given(SMALL_LEVELS)
def test_written_levels_are_read_again(made: tuple[list[str], int, int]) -> None:
    rows, row, col = made
    rows[row] = rows[row][:col] + "-" + rows[row][col + 1 :]
    level = read(text_of(rows, row, col))
    assert (rows_of(level), level.start) == (rows, (row, col))
    assert level_text(level) == text_of(rows, row, col, " ")
    again = read(level_text(level))
    assert (rows_of(again), again.start) == (rows, (row, col))


@given(SMALL_LEVELS, st.sampled_from(["", " ", "\n", "\r\n", "\t \t"]))
def test_tiles_are_found_in_the_file(made: tuple[list[str], int, int], blank: str) -> None:
    rows, row, col = made
    rows[row] = rows[row][:col] + "-" + rows[row][col + 1 :]
    file = LevelFile("a1.txt", text_of(rows, row, col, blank).encode())
    parsed = parse_level(file)
    offsets = tile_offsets(file, parsed.tiles_at).tolist()
    assert "".join(chr(file.data[offset]) for offset in offsets) == "".join(rows)
