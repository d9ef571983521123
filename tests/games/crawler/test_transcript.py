"""What the plain transcript prints, character for character."""

from __future__ import annotations

import io
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.level import LevelError
from dungeon_tui.games.crawler import commands
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.state import Action
from dungeon_tui.games.crawler.view import transcript
from tests.games.crawler.pictures import dungeon_of
from tests.naive import crawler_transcript


def last_turn(dungeon: Dungeon, commands: str) -> str:
    before, state, events = None, rules.start(dungeon), ()
    for letter in commands:
        before = state
        state, events = rules.step(state, Action(letter))
    assert before is not None
    return "".join(transcript.turn_lines(before, state, events))


def test_the_map_shows_every_tile_three_columns_wide() -> None:
    state = rules.start(dungeon_of("o+$@ M?!-"))
    assert "".join(transcript.map_lines(state.board, state.adventurer)) == (
        "+------------+\n"
        "| o  +  $  @ |\n"
        "| M  ?  !    |\n"
        "+------------+\n"
    )  # fmt: skip


def test_the_smallest_map() -> None:
    state = rules.start(dungeon_of("o"))
    assert "".join(transcript.map_lines(state.board, state.adventurer)) == "+---+\n| o |\n+---+\n"


TURNS = {
    "moved": (
        ("o-",),
        "d",
        "+------+\n|    o |\n+------+\nYou have moved to row 0 and column 1\n\n",
    ),
    "stayed": (
        ("o-",),
        "e",
        "+------+\n| o    |\n+------+\nYou stayed at row 0 and column 0\nYou didn't move. Are you lost?\n\n",
    ),
    "bumped": (
        ("-+ o-",),
        "a",
        "+------+\n|    + |\n| o    |\n+------+\nYou stayed at row 1 and column 0\nYou didn't move. Are you lost?\n\n",
    ),
    "first treasure": (
        ("o$",),
        "d",
        "+------+\n|    o |\n+------+\nYou have moved to row 0 and column 1\n"
        "Well done, adventurer! You found some treasure.\nYou now have 1 treasure.\n\n",
    ),
    "second treasure": (
        ("$o$",),
        "add",
        "+---------+\n|       o |\n+---------+\nYou have moved to row 0 and column 2\n"
        "Well done, adventurer! You found some treasure.\nYou now have 2 treasures.\n\n",
    ),
    "amulet": (
        ("o@+",),
        "d",
        "+------------------+\n|    o  +        + |\n|       +        + |\n+------------------+\n"
        "You have moved to row 0 and column 1\n"
        "The magic amulet sparkles and crumbles into dust.\n"
        "The ground begins to rumble. Are the walls moving?\n\n",
    ),
    "door shows the level that is left": (
        ("o? M-", "o"),
        "d",
        "+------+\n|    o |\n| M    |\n+------+\nYou have moved to row 0 and column 1\n"
        "You go through the doorway into the unknown beyond...\n\n",
    ),
    "the last door": (
        ("o?",),
        "d",
        "+------+\n|    o |\n+------+\nYou have moved to row 0 and column 1\n"
        "You go through the doorway into the unknown beyond...\n\n",
    ),
    "out with one treasure": (
        ("$o!",),
        "add",
        "+---------+\n|       o |\n+---------+\nYou have moved to row 0 and column 2\n"
        "Congratulations, adventurer! You have escaped the dungeon!\n"
        "You escaped with 1 treasure and in 3 total moves.\n\n",
    ),
    "out with two treasures": (
        ("$$o!",),
        "aaddd",
        "+------------+\n|          o |\n+------------+\nYou have moved to row 0 and column 3\n"
        "Congratulations, adventurer! You have escaped the dungeon!\n"
        "You escaped with 2 treasures and in 5 total moves.\n\n",
    ),
    "dead, without an empty line": (
        ("o$M",),
        "d",
        "+---------+\n|    M    |\n+---------+\nYou died, adventurer! Better luck next time!\n",
    ),
}


@pytest.mark.parametrize(("levels", "commands", "expected"), TURNS.values(), ids=TURNS.keys())
def test_what_a_turn_prints(levels: tuple[str, ...], commands: str, expected: str) -> None:
    assert last_turn(dungeon_of(*levels), commands) == expected


INSTRUCTIONS = """
---------------------------------------------------------
Good day, adventurer!
Your goal is to get the treasure and escape the dungeon!
 --- SYMBOLS ---
 o          : That is you, the adventurer!
 $          : These are treasures. Lots of money!
 @          : These magical amulets resize the level.
 M          : These are monsters; avoid them!
 +, -, |    : These are unpassable obstacles.
 ?          : A door to another level.
 !          : A door to escape the dungeon.
 --- CONTROLS ---
 w, a, s, d : Move up, left, down, and right.
 e          : Stay still for a turn.
 q          : Abandon your quest.
---------------------------------------------------------

"""


def test_the_fixed_texts() -> None:
    assert transcript.INSTRUCTIONS == INSTRUCTIONS
    assert transcript.ASK_DUNGEON == "Please enter the dungeon name and number of levels: "
    assert transcript.ASK_COMMAND == "Enter command (w,a,s,d: move, e: stay still, q: quit): "
    assert transcript.UNKNOWN_COMMAND == "I did not understand your command, adventurer!\n"
    assert transcript.FAREWELL == "Thank you for playing!\n"
    assert transcript.NO_SUCH_LEVEL == "Returning you back to the real word, adventurer!\n"


def test_numbers_in_the_fixed_lines_have_digits_alone() -> None:
    before = replace(rules.start(dungeon_of("o$!")), treasure=1233, moves=4999)
    after, events = rules.step(before, Action.RIGHT)
    assert "You now have 1234 treasures.\n" in [*transcript.turn_lines(before, after, events)]
    out, events = rules.step(after, Action.RIGHT)
    assert "You escaped with 1234 treasures and in 5001 total moves.\n" in [*transcript.turn_lines(after, out, events)]


def remarks(dungeon: Dungeon, command: str) -> str:
    state, events = rules.step(rules.start(dungeon), Action(command))
    return "\n".join(transcript.remarks(state, events))


LOST = LevelError("can't be opened", "x2.txt")


@pytest.mark.parametrize(
    ("dungeon", "fact"),
    [
        (dungeon_of("o@", cell_limit=7), "limit of 7"),
        (dungeon_of("o?"), "picture ends here"),
        (dungeon_of("o?", missing=LOST), ""),  # not called the end
        *((dungeon_of("o" + tile), "") for tile in "-$M@"),
    ],
)
def test_only_what_the_transcript_leaves_out_is_remarked(dungeon: Dungeon, fact: str) -> None:
    said = remarks(dungeon, "d")
    assert fact in said
    assert bool(said) is bool(fact)


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
        play = commands.play(str(Path(folder) / "made"), asked, cell_limit)
        end = play.plain(io.StringIO(typed), out, messages)
    expected = crawler_transcript(levels, typed, asked, cell_limit)
    assert out.getvalue() == INSTRUCTIONS + expected
    is_lost = expected.endswith("real word, adventurer!\n")
    assert end.exit_status == (1 if is_lost else 0)
    assert ("can't be opened" in messages.getvalue()) == is_lost
