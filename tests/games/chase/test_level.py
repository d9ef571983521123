"""Boards: what is read, every kind of wrong file with its place, finding and packing; the shipped ones, valued."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai.solver import move_graph, move_values, path_lengths, solve
from dungeon_tui.games.chase.ai.solver import value as value_of
from dungeon_tui.games.chase.ai.strategies import STRATEGIES
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import read_board, shipped_names, unpack_level
from dungeon_tui.games.chase.model.level import CORRIDOR, MAX_SIDE, MOVES, ROOM, WALL, Level, level_text, read_level
from dungeon_tui.games.chase.model.state import Side, State
from dungeon_tui.games.chase.model.tasks import listed
from dungeon_tui.games.chase.view.openings import BOARDS, open_file, openings
from tests.games.chase.boards import after, board_rows, text_of, written


def read(text: str | bytes) -> Level:
    return read_level(LevelFile("a.txt", text if isinstance(text, bytes) else text.encode()))


def rows_of(level: Level) -> list[str]:
    return [row.tobytes().decode() for row in level.tiles]


READABLE = {
    "as people write it": "3\n. + A\n.   +\n@ . .\n",
    "a blank after each site": "3\n. + A \n.   + \n@ . . \n",
    "a byte order mark": "\ufeff3\n. + A\n.   +\n@ . .\n",
    "blanks around the number": " \t3 \n. + A\n.   +\n@ . .\n",
    "thousands of zeros": "0" * 5000 + "3\n. + A\n.   +\n@ . .\n",
}


@pytest.mark.parametrize("text", READABLE.values(), ids=READABLE.keys())
def test_a_board_is_read(text: str) -> None:
    level = read(text)
    assert rows_of(level) == [".+.", ". +", "..."]
    assert (level.monster, level.rogue, level.letter) == (Cell(0, 2), Cell(2, 0), "A")
    assert (level.size, level.name, level.note, level.lesson, level.moves) == (3, "a.txt", "", "", MOVES)
    assert not level.tiles.flags.writeable


def test_sites_that_a_row_leaves_out_are_wall() -> None:
    assert rows_of(read("4\n@\n\n. .\n      Z")) == [".   ", "    ", "..  ", "   ."]


NOTES = {
    "right below": ("Run.\n", "Run."),
    "after an empty line": ("\nRun.\n\n", "Run."),
    "two lines": ("\nRun.\n  Hide.\n", "Run.\n  Hide."),
    "what would be no site": ("x @ A 3\n", "x @ A 3"),
    "of other systems": ("\r\nRun.\r\nHide.\r\n", "Run.\nHide."),
    "beyond ASCII": ("L\u00e4uft \u2192\n", "L\u00e4uft \u2192"),
    "what could move the cursor": ("a\x1b[31m\tb\n", "a\\x1b[31m\\tb"),
    "blanks only": ("  \n \n", ""),
}


@pytest.mark.parametrize(("tail", "note"), NOTES.values(), ids=NOTES.keys())
def test_what_follows_the_rows_is_a_note(tail: str, note: str) -> None:
    level = read(f"2\n@ A\n. .\n{tail}")
    assert level.note == note
    assert read(level_text(level)).note == note


@pytest.mark.parametrize(
    ("note", "lesson"),
    [
        ("Run.\n  Hide.", "Run."),
        ("It lives,\n  if it runs\ntoward you.\nWhy?", "It lives, if it runs toward you."),
        ("A heading\n\nand a text.", "A heading"),
        ("Why?\nLook!\nSo.", "Why?"),
        ("Look!\nSo.", "Look!"),
        ("The rogue is never caught: run.", "Run."),
        ("The rogue is never caught, if it runs.", "The rogue is never caught, if it runs."),
        ("", ""),
    ],
)
def test_the_lesson_is_the_first_sentence_of_the_note_by_lines(note: str, lesson: str) -> None:
    assert read(f"2\n@ A\n. .\n{note}").lesson == lesson


INVALID: dict[str, tuple[str | bytes, int, int]] = {
    "NUL": (b"2\n@ A\n. \0\n", 3, 3),
    "bytes that are no text": (b"2\n@ A\n. \xff\n", 3, 3),
    "no text in the note": (b"2\n@ A\n. .\n\nab\xe9\n", 5, 3),
    "UTF-16": ("\ufeff2\n@ A\n. .\n".encode("utf-16-le"), 1, 1),
    "nothing at all": ("", 1, 1),
    "an empty first line": ("\n2\n@ A\n. .\n", 1, 1),
    "no number": ("@ A\n. .\n", 1, 1),
    "a fraction": ("2.0\n@ A\n. .\n", 1, 1),
    "zero": ("0\n", 1, 1),
    "negative": ("\ufeff  -2\n@ A\n. .\n", 1, 3),
    "too large": ("4097\n@ A\n", 1, 1),
    "far too large": ("9" * 5000 + "\n@ A\n", 1, 1),
    "no rows": ("2", 1, 2),
    "no rows but a line end": ("2\n", 2, 1),
    "one row too few": ("3\n@ A\n. .\n", 4, 1),
    "a row cut off": ("3\n@ A\n. .", 3, 4),
    "rows before anything in them": ("3\n@ A x\n", 3, 1),
    "an unknown character": ("2\n@ A\n. #\n", 3, 3),
    "an unknown character between two sites": ("2\n@-A\n. .\n", 2, 2),
    "a tab": ("2\n@\tA\n. .\n", 2, 2),
    "a site between two sites": ("2\n@.A\n. .\n", 2, 2),
    "a row without blanks": ("2\n@A\n..\n", 2, 2),
    "a site too many": ("2\n@ A\n. . +\n", 3, 5),
    "a second rogue": ("2\n@ A\n@ .\n", 3, 1),
    "a second monster": ("2\n@ A\n. B\n", 3, 3),
    "no rogue": ("2\n. A\n. .\n", 4, 1),
    "no monster": ("2\n@ .\n. .", 3, 4),
    "neither": ("1\n.\n", 3, 1),
    "a rogue in the note only": ("1\nA\n@\n", 3, 1),
    "lines that end in carriage returns": ("2\r@ A\r. .\r", 1, 1),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column"), INVALID.values(), ids=INVALID.keys())
def test_what_is_wrong_is_reported_with_its_place(text: str | bytes, line: int, column: int) -> None:
    with pytest.raises(LevelError) as caught:
        read(text)
    assert (caught.value.file, caught.value.line, caught.value.column) == ("a.txt", line, column)


def test_the_largest_board_is_read_and_one_too_short_is_refused_first() -> None:
    rows = ["@ A", *[""] * (MAX_SIDE - 1)]
    assert read(f"{MAX_SIDE}\n" + "\n".join(rows) + "\n").size == MAX_SIDE


@given(board_rows())
def test_what_is_written_is_read_again(rows: tuple[str, ...]) -> None:
    text = text_of(*rows)
    level = read(text)
    assert level_text(level).split() == text.split()
    assert {len(line) for line in level_text(level).splitlines()[1:]} == {2 * len(rows) - 1}
    assert level_text(read(level_text(level))) == level_text(level)
    assert rows_of(level) == [row.replace("@", ".").replace("M", ".") for row in rows]


# boards by name, and in recordings

TWO = "2\n@ A\n. .\n"


def test_shipped_boards_are_found_by_name_and_others_by_their_path(tmp_path: Path) -> None:
    assert read_board("open-room").name == "open-room"
    level = read_board(written(tmp_path / "my board.txt", TWO), moves=7)
    assert (level.name, level.moves) == ("my board", 7)
    with pytest.raises(LevelError, match="can't be opened"):
        read_board("no-such-board")
    with pytest.raises(LevelError, match="can't be opened"):
        read_board("../chase/open-room")


def test_the_menu_offers_the_shipped_boards_and_a_file_of_ones_own(tmp_path: Path) -> None:
    first = next(opening for opening in openings() if opening.group == BOARDS)
    assert (first.title, first.arguments, first.load().name) == ("Open room", "open-room", "open-room")
    assert first.summary == first.load().lesson
    own = open_file(written(tmp_path / "my-board.txt", TWO))
    assert (own.title, own.load().name) == ("my-board", "my-board")


@pytest.mark.parametrize("moves", [0, -1, "many"])
def test_a_packed_board_with_odd_moves_is_refused(moves: int | str) -> None:
    with pytest.raises(LevelError, match="moves"):
        unpack_level(PackedLevel((LevelFile("x", TWO.encode()),), {"moves": moves}))


@pytest.mark.parametrize("number", [0, 2])
def test_a_packed_chase_is_one_board(number: int) -> None:
    with pytest.raises(LevelError, match="one board"):
        unpack_level(PackedLevel((LevelFile("x", TWO.encode()),) * number))


NAMES = shipped_names()
LIVES = "The rogue is never caught"
CAPTURED = re.compile(r"The rogue is captured in ([1-9][0-9]*) monster moves")


def begin(name: str) -> State:
    return rules.start(read_board(name))


def pursue(state: State, monster: str, rogue: str, moves: int) -> State:
    """The chase between two strategies, up to its end or so many monster moves."""
    state = replace(state, level=replace(state.level, moves=moves))
    while rules.outcome(state) is None:
        state = after(state, STRATEGIES[state.side][monster if state.side is Side.MONSTER else rogue](state))
    return state


def test_every_board_is_listed_once() -> None:
    files = {path.stem for path in levels_folder("chase").glob("*.txt")}
    assert len(NAMES) == len(set(NAMES)) >= 16
    assert files == {*NAMES, *(task.board for task in listed().values())}


@pytest.mark.parametrize("name", NAMES)
def test_every_file_is_as_it_would_be_written_and_its_lesson_is_true(name: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    data = (levels_folder("chase") / f"{name}.txt").read_bytes()
    level = read_level(LevelFile(f"{name}.txt", data), name)
    assert level_text(level).encode() == data
    assert {len(row) for row in data.split(b"\n")[1 : level.size + 1]} == {2 * level.size - 1}
    assert level.size <= 40
    assert all(0 < len(line) <= 76 for line in level.note.splitlines())
    assert level.lesson.endswith(".")
    value = value_of(rules.start(level))
    captured = CAPTURED.match(level.note)
    assert value == (int(captured[1]) if captured else UNREACHED)
    assert captured or level.note.startswith(LIVES)
    assert CLAIMS[name](rules.start(level))
    end = pursue(rules.start(level), "perfect", "perfect", 60)
    assert (end.status.value, end.monster_moves) == (("captured", value) if value <= 60 else ("evaded", 60))


def replies(state: State) -> list[State]:
    """The position after each first step of the monster on a shortest way to the rogue."""
    away = path_lengths(state.level, state.rogue)
    return [after(state, to) for to in move_values(state) if away(to) == away(state.monster) - 1]


def good(state: State) -> list[Cell]:
    """The moves that save the rogue for ever, or the monster's that catch it."""
    return [to for to, value in move_values(state).items() if (value == UNREACHED) is (state.side is Side.ROGUE)]


def is_forced(state: State, times: int) -> bool:
    """True if so often in a row, however the monster comes, one move alone saves the rogue."""
    return not times or all(len(good(n)) == 1 and is_forced(after(n, *good(n)), times - 1) for n in replies(state))


def has_no_loop(state: State, *places: tuple[int, int], tile: int = ROOM) -> bool:
    """True if the rogue is lost wherever both start, with rooms, or walls, at these places beside the rogue's."""
    tiles = state.level.tiles.copy()
    for row, col in places:
        tiles[state.rogue.row + row, state.rogue.col + col] = tile
    return bool((solve(replace(state.level, tiles=tiles)) < UNREACHED).all())


def latest(state: State) -> int:
    """The most monster moves until a capture, of all starts with a capture."""
    values = solve(state.level)
    return int(values[values < UNREACHED].max())


def by_rogue(state: State) -> set[int]:
    """The values of all sites of the rogue."""
    return set(solve(state.level)[:, move_graph(state.level).site(state.monster)])


def without_corridors(level: Level) -> Level:
    """The board with walls in place of its corridors."""
    return replace(level, tiles=np.where(level.tiles == CORRIDOR, WALL, level.tiles))


CLAIMS: dict[str, Callable[[State], bool]] = {
    **dict.fromkeys(("open-room", "cornered", "four-dead-ends", "braid"), has_no_loop),
    **dict.fromkeys(("snail-shell", "long-spiral", "comb"), has_no_loop),
    "two-doors": lambda state: all(has_no_loop(state, gap, tile=WALL) for gap in ((-3, -3), (1, -3))),
    "hourglass": lambda state: has_no_loop(state, (-5, -2), (-4, -2), (-2, -2), (-1, -2)),
    "keyhole": lambda state: has_no_loop(state, (-2, 0), (-1, 0)),
    "long-wall": lambda state: all(has_no_loop(state, gap, tile=WALL) for gap in ((-3, -5), (-3, 3))),
    "crooked-walls": lambda state: latest(state) == 3,
    "twigs": has_no_loop,
    "angle": lambda state: has_no_loop(state, (-5, -7), (-5, -6), tile=WALL),
    "two-yards": lambda state: latest(state) == 5,
    "single-loop": lambda state: pursue(state, "greedy", "perfect", 60).status.value == "evaded",
    "smallest-loop": lambda state: has_no_loop(state, (-1, -1), (-1, 0), (0, -1), (0, 0)),
    "single-pillar": lambda state: has_no_loop(state, (-1, 0)),
    "room-of-pillars": lambda state: by_rogue(state) == {0, 1, UNREACHED},
    "close-together": lambda state: has_no_loop(state, (0, 2)),
    "four-corners": lambda state: value_of(replace(state, level=without_corridors(state.level))) < UNREACHED,
    "false-loop": lambda state: all(to.col >= each.rogue.col for each in replies(state) for to in good(each)),
    "two-islands": lambda state: path_lengths(state.level, state.rogue)(state.monster) == UNREACHED,
    "gatekeeper": lambda state: value_of(replace(state, rogue=Cell(0, 6))) == UNREACHED,  # behind the gate
    "just-in-time": lambda state: is_forced(state, 1) and all(each.rogue not in good(each) for each in replies(state)),
    "just-too-late": lambda state: begin("just-in-time").monster in move_values(state),
    "toward-the-monster": lambda state: all(
        path_lengths(state.level, each.monster)(to) < path_lengths(state.level, each.monster)(each.rogue)
        for each in replies(state) for to in good(each)),
    "wrong-loop": lambda state: pursue(state, "bfs", "perfect", 60).rogue.col > 6,  # the nearest one is on the left
    "stand-still": lambda state: all(good(each) == [each.rogue] for each in replies(state)),
    "figure-eight": lambda state: all(len(good(each)) == len(move_values(each)) for each in replies(state)),
    "no-time-to-lose": lambda state: (len(good(state)), len(move_values(state))) == (1, 5),
    "three-short-ways": lambda state: sorted(each.monster in good(state) for each in replies(state)) == [0, 0, 1],
    "long-way-round": lambda state: not any(each.monster in good(state) for each in replies(state)),
    "bottleneck": lambda state: good(state) == [Cell(8, 6)],
    "five-good-moves": lambda state: is_forced(state, 5) and not is_forced(state, 6),
    "thirty-six-rooms": lambda state: CLAIMS["just-in-time"](state),
}  # fmt: skip
