"""Each game played to a won end by answers in words alone, without a look at a board."""

import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.core.plain import Console
from dungeon_tui.core.plain_play import WORDS
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.chase.view.transcript import COMMANDS as CHASE
from dungeon_tui.games.crawler.view.guide import COMMANDS as CRAWLER
from dungeon_tui.games.deep.view.guide import COMMANDS as DEEP
from dungeon_tui.games.delve.view.guide import COMMANDS as DELVE
from tests.processes import call

PLAYED = [
    "crawler tutorial", "chase single-loop --moves 30", "rescue classic",
    "delve --seed 2 --monsters 2 --rules course", "expedition ring",
    *(pytest.param(line, marks=pytest.mark.slow) for line in (
        "crawler easy", "deep story", "rescue larder", "delve --seed 1 --depths 5",
        "expedition ruins --fog", "deep --seed 2")),
]  # fmt: skip
MOST_LINES = 5000
QUESTIONS = ["look", "who", "near", "near monster", "near treasure", "?map", "quiet", "help"]
COMMANDS = {
    "crawler mirrors": "w a s d e undo restart",
    "chase braid": "w a s d y u b n e undo restart",
    "rescue larder": "d, s, a, w, undo, restart, health 9",
    "delve --seed 1": "h j k l y u b n . > f undo restart",
    "expedition ruins --fog": "courtyard, gate, hall, chapel, rampart, stairs, undo, restart",
    "deep story": "w a s d e 1 3 7 9 undo restart",
    "deep --seed 3": "w a s d e 1 3 7 9 undo",
}


class Blind(io.TextIOBase):
    """The input of one who asks for a hint, types what it says, and asks again; all else that is said goes unread."""

    def __init__(self, out: io.StringIO) -> None:
        self.out, self.lines = out, 0

    def readline(self, size: int | None = -1) -> str:
        self.lines += 1
        said = self.out.getvalue()
        self.out.seek(0)
        self.out.truncate()
        if self.lines == 1:
            return "quiet\n"
        if self.lines % 2 == 0:
            return "hint\n" if self.lines < MOST_LINES else ""
        found = re.search(r"Type (.+?): ", said)
        assert found is not None, said
        return found[1].replace(", and", "") + "\n"


def played(line: str, source: io.TextIOBase, out: io.StringIO) -> TurnController:
    name, _, arguments = line.partition(" ")
    game = find_game(name)
    end = game.commands().opened(game.levels().named(arguments)).plain(Console(source, out, io.StringIO()))
    assert end.controller is not None
    return end.controller


@pytest.mark.parametrize("line", PLAYED)
def test_hints_alone_lead_to_a_won_end(line: str) -> None:
    out = io.StringIO()
    assert (outcome := played(line, Blind(out), out).outcome) is not None
    assert outcome.is_win


@pytest.mark.parametrize("line", COMMANDS)
@settings(max_examples=10)
@given(st.data())
def test_questions_are_answered_anywhere_and_change_nothing(line: str, data: st.DataObject) -> None:
    lines = data.draw(st.lists(st.sampled_from([*QUESTIONS, *2 * COMMANDS[line].split(" ")]), max_size=60))
    silent = [each for each in lines if each not in QUESTIONS]
    asked, unasked = (played(line, io.StringIO("\n".join(each)), io.StringIO()) for each in (lines, silent))
    assert fingerprint(asked.state) == fingerprint(unasked.state)


def test_quiet_from_the_start_is_sentences_alone_with_rows_and_columns_from_1() -> None:
    said = call("crawler", "play", "tutorial", "--quiet", given=b"dw\nq").stdout.decode()
    assert said.splitlines()[1:] == [
        *("You have moved to row 3 and column 2", "", "You have moved to row 2 and column 2", ""),
        "Thank you for playing!",
    ]


@pytest.mark.parametrize("commands", [CRAWLER, CHASE, DEEP, DELVE])
def test_no_word_is_made_of_commands(commands: str) -> None:
    assert all(set(word) - set(commands) for word in (*WORDS, "?"))
