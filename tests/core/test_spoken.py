"""Words among other lines, whatever has arrived of them; and what is told of the cells around somebody."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.plain import TextAhead, read_command, told_of_games
from dungeon_tui.core.spoken import WORDS, Spoken, Surroundings, Words
from dungeon_tui.core.turns import TurnController
from tests.nim_rules import NimRules, State

# text ahead


@given(st.lists(st.text("ab \n", max_size=5)), st.lists(st.none() | st.integers(0, 7)))
def test_text_ahead_is_read_as_any_text_whatever_pieces_it_comes_in(pieces: list[str], sizes: list[int | None]) -> None:
    pieces = [piece for piece in pieces if piece]
    source, twin = TextAhead(iter([*pieces, *[""] * 99]).__next__), io.StringIO("".join(pieces))
    for size in [*sizes, -1]:
        rest = "".join(pieces)[twin.tell() :]
        assert rest.startswith(ahead := source.peek())
        assert bool(ahead) == bool(rest)
        got = source.readline() if size is None else source.read(size)
        assert got == (twin.readline() if size is None else twin.read(size))
        assert source.is_line_start == (not "".join(pieces)[: twin.tell()].rpartition("\n")[2].strip())


# words among commands


def hint(state: State) -> str:
    raise ValueError(f"a pile of {state.pile} is too large")


def game_of(source: io.TextIOBase, out: io.StringIO, **more: object) -> tuple[TurnController, Words[State]]:
    spoken: Spoken[State] = Spoken(
        keys="1 2: take so many.",
        look=lambda state: f"{state.pile} left",
        who=lambda state: "he" * (state.pile == 3),
        near=lambda state, word: f"near {word}",
        hint=hint,
        board=lambda state: "|" * state.pile + "\n",
        commands="12eaor",
        **more,  # type: ignore[arg-type]
    )
    game = TurnController(NimRules(), 5)
    return game, Words(spoken, game, source, out)  # type: ignore[arg-type]


def conversation(text: Sequence[str], **more: object) -> str:
    """What is printed if the pieces of a text arrive one after the other; commands that were read are in brackets."""
    out, rest = io.StringIO(), [*text]
    game, words = game_of(TextAhead(lambda: rest.pop(0) if rest else ""), out, **more)
    while True:
        words.prompt(">")
        if words.answered():
            continue
        if not (command := read_command(words.source)):
            return out.getvalue()
        out.write(f"[{command}]")
        if command in "12":
            game.apply(int(command))
            out.write(words.hunters())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("look\n", ">5 left\n>"),
        ("  LOOK \n1", ">5 left\n>[1]>"),
        ("?look", ">5 left\n>"),
        ("1 look\n", ">[1]>[l]>[o]>[o]>[k]>"),
        ("1\nlook\n", ">[1]>4 left\n>"),
        ("looks\n", ">[l]>[o]>[o]>[k]>[s]>"),
        ("look 1\n", ">[l]>[o]>[o]>[k]>[1]>"),
        ("near Here\nnear\n", ">near Here\n>near \n>"),
        ("1\n1\n?who\nundo\nwho\n", ">[1]>[1]he\n>he\n>Taken back.\n||||\n>Nobody sees or hunts you.\n>"),
        ("undo\nrestart\n", ">You are at the start.\n>You are at the start.\n>"),
        ("1\n1\nrestart\nundo\n", ">[1]>[1]he\n>Taken back.\n|||||\n>You are at the start.\n>"),
        ("quiet\n1\nundo\nmap\n1", ">Quiet: map ends it.\n[1]Taken back.\n5 left\n|||||\n>[1]>"),
    ],
)  # fmt: skip
def test_a_line_is_a_word_if_it_is_nothing_else(text: str, said: str) -> None:
    assert conversation([text]) == said


@given(st.lists(st.text("12eaor lkuwh?\n", max_size=9) | st.sampled_from(["look\n", "who\n", "near 1\n"])))
def test_no_character_is_lost_and_no_other_line_is_taken_for_a_word(pieces: list[str]) -> None:
    pieces = [piece for piece in pieces if piece]
    text = "".join(pieces)
    rest = [*pieces]
    _, words = game_of(TextAhead(lambda: rest.pop(0) if rest else ""), io.StringIO())
    read, answered = "", 0
    while True:
        if words.answered():
            answered += 1
        elif command := read_command(words.source):
            read += command
        else:
            break
    kept, spoken = "", 0
    for line in text.split("\n"):
        word, typed = line.strip().removeprefix("?"), "".join(line.split())
        is_word = word in WORDS or word.split(" ")[0] == "near"
        is_mistyped = spoken > 0 and not {*typed} <= {*"12eaor"}
        spoken += is_word or is_mistyped
        kept += "" if is_word or is_mistyped else typed
    if len(pieces) <= 1:
        assert (read, answered) == (kept, spoken)
    else:  # a line that arrives in parts may have been played as commands meanwhile
        assert set(read) <= set(text)


def test_once_a_word_was_asked_a_mistyped_line_is_refused_as_a_whole() -> None:
    said = conversation(["look\nlooks\n1k\n1 1\n"])
    assert said.startswith(
        ">5 left\n>There is no word looks. Did you mean look?\n>There is no word 1k. 1 2: take so many."
    )
    assert said.endswith("\n>[1]>[1]he\n>")


def test_commands_are_played_as_they_come_and_wait_for_no_line_to_end() -> None:
    def piece() -> str:
        assert not arrived, "it waits while there is a command to play"
        arrived.append("r")
        return "r"

    arrived = list[str]()
    _, words = game_of(TextAhead(piece), io.StringIO())  # restart, or the beginning of it
    assert not words.answered()
    assert read_command(words.source) == "r"


def test_a_line_that_means_something_else_to_the_game_is_left_to_it() -> None:
    assert conversation(["map\n"], is_taken=lambda state, line: line == "map") == ">[m]>[a]>[p]>"


def test_undo_goes_back_to_a_persons_move_and_nowhere_where_there_is_one_life() -> None:
    def is_asked(state: State) -> bool:
        return state.ply % 2 == 1

    assert conversation(["1\n1\n1\nundo\nundo\n"], is_asked=is_asked).endswith(
        "Taken back.\n||||\n>You are at the start.\n>"
    )
    assert conversation(["1\nundo\n"], is_final=lambda state: True).endswith(
        ">There is one life: nothing is taken back.\n>"
    )


def test_a_hint_is_told_of_and_its_failure_is_a_sentence() -> None:
    helped = list[bool]()
    with told_of_games(lambda game, players: lambda: helped.append(True)):
        said = conversation(["look\nhint\n"])
    assert said == ">5 left\n>A pile of 5 is too large.\n>"
    assert helped == [True]


# what is around


def surroundings(*rows: str, monsters: Iterable[Cell] = ()) -> Surroundings:
    tiles = {Cell(row, col): tile for row, line in enumerate(rows) for col, tile in enumerate(line)}
    names = {"#": "wall", "$": "treasure", "M": "monster", ".": "", "o": ""}
    here = next(cell for cell, tile in tiles.items() if tile == "o")
    return Surroundings(
        here,
        lambda cell: names[tiles[cell]] if cell in tiles else "edge",
        [(names[tile], cell) for cell, tile in tiles.items() if tile in "$M"],
        lambda cell: [beside for beside in map(cell.neighbour, FOUR_WAYS) if tiles.get(beside, "#") != "#"],
        dict(zip(FOUR_WAYS, "wsad", strict=True)),
        [*monsters],
    )


def test_looking_tells_how_far_each_way_is_open_and_what_is_near() -> None:
    around = surroundings("$.#.", "#o..", "M..$")
    assert around.look().startswith(
        "Up: 1 open, then edge. Down: 1 open, then edge. Left: wall. Right: 2 open, then edge."
    )
    assert around.look().endswith("Treasure: 1 up, 1 left; monster: 1 down, 1 left; treasure: 1 down, 2 right.")


def test_the_nearest_is_told_with_its_direction_and_the_first_step_to_it() -> None:
    around = surroundings("$#..", "##o#", "$..#", "M###")
    assert around.near("Treasure") == "Treasure: 1 down, 2 left; 3 steps, first down: s."
    assert around.near("gold") == "There is no gold that you know of. Ask for: monster, treasure."
    assert surroundings("$#o").near("treasure") == "Treasure: 2 left; no way leads there."


@given(st.lists(st.text(".#$", min_size=4, max_size=4), min_size=1, max_size=4), st.integers(0, 3))
def test_the_steps_to_the_nearest_are_those_of_growing_rings(rows: list[str], col: int) -> None:
    rows[0] = f"{rows[0][:col]}o{rows[0][col + 1 :]}"
    around = surroundings(*rows)
    ring, seen, steps = {around.here}, {around.here}, 0
    goals = {cell for _, cell in around.things}
    while ring and not ring & goals:
        ring = {beside for cell in ring for beside in around.steps(cell)} - seen
        seen |= ring
        steps += 1
    said = around.near("treasure")
    if ring & goals:
        assert f"; {steps} step" in said
    else:
        assert "step" not in said
