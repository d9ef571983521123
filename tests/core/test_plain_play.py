"""Without a screen: reading, asking and failing in one line; words among other lines, however the input arrives."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.plain import FAREWELL, Begin, Console, TextAhead, ask, read_command, read_line, read_word
from dungeon_tui.core.plain_play import WORDS, Script, play
from dungeon_tui.core.turns import TurnController
from tests.nim_rules import NimRules, State


def test_commands_are_characters_and_words_whatever_parts_them() -> None:
    source = io.StringIO(" \n w\ta  open-room\r\n7")
    words = [read(source) for read in (read_command, read_command, read_word, read_word)]
    assert words == ["w", "a", "open-room", "7"]
    assert (read_command(source), read_word(source)) == ("", "")


@pytest.mark.parametrize(("given", "answer", "said"), [("my map.json\n", "my map.json", ""), ("", "", FAREWELL)])
def test_who_gives_no_answer_is_taken_leave_of(given: str, answer: str, said: str) -> None:
    out = io.StringIO()
    assert ask("Which map?\n", Console(io.StringIO(given), out), read_line) == answer
    assert out.getvalue() == f"Which map?\n{said}"


def test_an_answer_is_one_word_unless_lines_are_read() -> None:
    assert ask("Which board?\n", Console(io.StringIO("open-room d d q"), io.StringIO())) == "open-room"


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


class Pile:
    """A guide to nim."""

    commands = "1 2: take so many."

    def look(self, state: State) -> str:
        return f"{state.pile} left"

    def who(self, state: State) -> str:
        return "he" * (state.pile == 3)

    def near(self, state: State, word: str) -> str:
        return f"near {word}"

    def hint(self, state: State) -> str:
        raise ValueError(f"a pile of {state.pile} is too large")


def conversation(
    *pieces: str, begin: Begin = lambda game, players: bool, is_quiet: bool = False, **more: object
) -> str:
    """What is printed if the pieces of a text arrive one after the other; commands are in brackets."""
    out, rest = io.StringIO(), [*pieces]

    def read_action(state: State, command: str) -> int:
        out.write(f"[{command}]")
        if command not in "12":
            raise ValueError(command)
        return int(command)

    script: Script[State] = Script(
        **{
            "guide": Pile(),
            "opening": "",
            "board": lambda state: "|" * state.pile + "\n",
            "turn": lambda turn, board: board or "",
            "read_action": read_action,
            "not_understood": "no",
            "prompt": ">",
            "closing": lambda state, has_left: "" if has_left else "end",
            "letters": "12eaor",
        }
        | more
    )
    source = TextAhead(lambda: rest.pop(0) if rest else "")
    end = play(script, TurnController(NimRules(), 5), Console(source, out, begin=begin, is_quiet=is_quiet))
    assert end.exit_status == 0
    return out.getvalue().replace("no\n", "")


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
        ("1\n1\n?who\nundo\nwho\n", ">[1]>[1]>he\n>Taken back.\n||||\n>Nobody sees or hunts you.\n>"),
        ("undo\nrestart\n", ">You are at the start.\n>You are at the start.\n>"),
        ("1\n1\nrestart\nundo\n", ">[1]>[1]>You are back at the start.\n|||||\n>You are at the start.\n>"),
        ("quiet\n1\nundo\nmap\n1", ">Quiet: map ends it.\n[1]Taken back.\n5 left\n|||||\n>[1]>"),
        ("2\n2\n1\nundo\n2\n", ">[2]>[2]>[1]end"),  # won
        ("2\n1\n1\n1\nrestart\n2\n", ">[2]>[1]>[1]>[1]endYou are back at the start.\n|||||\n>[2]>"),
        ("2\n1\n1\n1\n2\n undo\n", ">[2]>[1]>[1]>[1]endTaken back.\n|\n>"),  # lines beyond the end count for nothing
        ("look\n2\n2 1 1\n", ">5 left\n>[2]>[2]>[1]end"),
    ],
)  # fmt: skip
def test_a_line_is_a_word_if_it_is_nothing_else_and_a_lost_game_can_be_taken_back(text: str, said: str) -> None:
    assert conversation(text) == said


def test_a_game_for_one_life_can_not_be_taken_back() -> None:
    assert conversation("2\n1\n1\n1\nundo\n", is_final=lambda state: True) == ">[2]>[1]>[1]>[1]end"


@given(st.lists(st.text("eaor lkuwh?\n", max_size=9) | st.sampled_from(["look\n", "who\n", "near 1\n"])))
def test_no_character_is_lost_and_no_other_line_is_taken_for_a_word(pieces: list[str]) -> None:
    pieces = [piece for piece in pieces if piece]
    said = conversation(*pieces)
    read, answered = "".join(re.findall(r"\[(.)\]", said)), said.count("\n")
    kept, spoken = "", 0
    for line in "".join(pieces).split("\n"):
        word, typed = line.strip().removeprefix("?"), "".join(line.split())
        is_word = word in WORDS or word.split(" ")[0] == "near"
        is_mistyped = spoken > 0 and not {*typed} <= {*"12eaor"}
        spoken += is_word or is_mistyped
        kept += "" if is_word or is_mistyped else typed
    if len(pieces) <= 1:
        assert (read, answered) == (kept, spoken)
    else:  # a line that arrives in parts may have been played as commands meanwhile
        assert set(read) <= set("".join(pieces))


def test_after_a_word_a_mistyped_line_is_refused_as_a_whole() -> None:
    said = conversation("look\nlooks\n1k\n1 1\n")
    assert said.startswith(
        ">5 left\n>There is no word looks. Did you mean look?\n>There is no word 1k. 1 2: take so many."
    )
    assert said.endswith("\n>[1]>[1]>")


def test_commands_are_played_as_they_come_and_wait_for_no_line_to_end() -> None:
    def piece() -> str:
        assert out.getvalue() in ("", "[r]"), "it waits while there is a command to play"
        return "" if out.getvalue() else "r"  # restart, or the beginning of it

    out = io.StringIO()
    script: Script[State] = Script(
        guide=Pile(), opening="", board=str, turn=lambda turn, board: "", read_action=lambda state, command: 0,
        others={"r": lambda board: "[r]"}, closing=lambda state, has_left: "", letters="r",
    )  # fmt: skip
    play(script, TurnController(NimRules(), 5), Console(TextAhead(piece), out))
    assert out.getvalue() == "[r]"


def test_a_line_that_means_something_else_to_the_game_is_left_to_it() -> None:
    assert conversation("map\n", is_taken=lambda state, line: line == "map") == ">[m]>[a]>[p]>"


def test_undo_goes_back_to_a_persons_move_and_nowhere_where_there_is_one_life() -> None:
    def is_persons_move(state: State) -> bool:
        return state.ply % 2 == 1

    assert conversation("1\n1\n1\nundo\nundo\n", is_persons_move=is_persons_move).endswith(
        "Taken back.\n||||\n>You are at the start.\n>"
    )
    assert conversation("1\nundo\n", is_final=lambda state: True).endswith(
        ">You have one life: nothing is taken back.\n>"
    )


def test_a_hint_is_announced_and_its_failure_is_a_sentence() -> None:
    helped = list[bool]()
    said = conversation("look\nhint\n", begin=lambda game, players: lambda: helped.append(True))
    assert said == ">5 left\n>A pile of 5 is too large.\n>"
    assert helped == [True]


def test_a_quiet_start_says_the_surroundings_instead_of_the_opening_and_takes_no_mistyped_word() -> None:
    said = conversation("loko\n1\n", is_quiet=True)
    assert said == "5 left\nThere is no word loko. Did you mean look?\n[1]"


def test_ctrl_c_keeps_the_turns_and_the_end_of_the_input_is_a_farewell() -> None:
    def piece() -> str:
        if game.turn.ply:
            raise KeyboardInterrupt
        return "1"

    script: Script[State] = Script(guide=Pile(), opening="", board=str, turn=lambda turn, board: "",
                                   read_action=lambda state, command: int(command), letters="12")  # fmt: skip
    game, out = TurnController(NimRules(), 5), io.StringIO()
    assert play(script, game, Console(TextAhead(piece), out)).exit_status == 130
    assert (game.turn.ply, out.getvalue()) == (1, "")
    assert play(script, game, Console(io.StringIO(""), out)).exit_status == 0
    assert out.getvalue() == FAREWELL
