"""What the plain transcript prints, character for character; the golden transcripts are test_commands.py's."""

import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dungeon_tui.games.crawler import commands
from dungeon_tui.games.crawler.view import transcript
from dungeon_tui.games.crawler.view.openings import opening
from tests.games.crawler.pictures import dungeon_of
from tests.naive import crawler_transcript
from tests.processes import call

ROWS = st.sampled_from(
    [
        ["---", "-o-", "---"],
        ["o$?"],
        ["$o!", "M--"],
        ["o@M", "--?", "-$!"],
        ["?-?", "$o$", "?-?"],
        ["-@-", "@o@", "$!?"],
        ["M-o--M", "+-?$--"],
        ["o"],
    ]
)
Rows = list[str]


@given(
    pictures=st.lists(ROWS, min_size=1, max_size=4),
    missing=st.integers(0, 2),
    typed=st.text("wasdwasdwasdex \n\tqé", max_size=40),
    cell_limit=st.sampled_from([8, 40, 500]),
)
@example([["o"]], 0, "wasdeq", 8)
@example([["-+", "o-"]], 0, "edwad", 8)
@example([["$$o!"]], 0, "aaddd", 500)
@example([["$o!"]], 0, "addd", 500)
@example([["o$M"]], 0, "d", 500)
@example([["o@+"]], 0, "d", 500)
@example([["o?", "M-"], ["o?"]], 0, "dd", 500)
def test_plain_play_prints_what_the_naive_twin_prints(
    pictures: list[Rows], missing: int, typed: str, cell_limit: int
) -> None:
    levels = []
    for rows in pictures:
        row = next(row for row, tiles in enumerate(rows) if "o" in tiles)
        levels.append(([tiles.replace("o", "-") for tiles in rows], (row, rows[row].index("o"))))
    asked = len(levels) + missing
    with tempfile.TemporaryDirectory() as folder:
        for number, (rows, (row, col)) in enumerate(levels, 1):
            text = f"{len(rows)} {len(rows[0])} {row} {col}" + "".join(rows)
            (Path(folder) / f"made{number}.txt").write_text(text)
        out, messages = io.StringIO(), io.StringIO()
        given = commands.OPTIONS.given(str(Path(folder) / "made"), {"levels": asked, "max-cells": cell_limit})
        end = commands.opened(opening(given)).plain(io.StringIO(typed), out, messages)
    expected = crawler_transcript(levels, typed, asked, cell_limit)
    assert out.getvalue() == transcript.INSTRUCTIONS + expected
    is_lost = expected.endswith("real word, adventurer!\n")
    assert end.exit_status == (1 if is_lost else 0)
    assert ("can't be opened" in messages.getvalue()) == is_lost


def test_r_goes_back_to_the_start_of_the_level() -> None:
    out = io.StringIO()
    transcript.play(lambda: dungeon_of("o?", "o-$"), io.StringIO("ddr"), out, io.StringIO())
    first, again = out.getvalue().split("Level 2\n")[1:]
    assert first.startswith(again[: again.index(transcript.ASK_COMMAND)])


def test_files_that_a_shipped_name_hides_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "easy1.txt").write_text("1 2\n0 0\n- ?\n")
    monkeypatch.chdir(tmp_path)
    done = call("crawler", "solve", "easy")
    assert (done.returncode, b"easy1.txt" in done.stderr) == (0, True)
    assert b"easy1.txt" not in call("crawler", "solve", "./easy").stderr
