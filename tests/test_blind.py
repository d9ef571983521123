"""Each game played to a won end by answers in words alone, without a look at a board; and the sessions shown."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

from dungeon_tui.core.catalogue import find_game, find_games
from dungeon_tui.core.spoken import WORDS
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.chase.view.transcript import COMMANDS as CHASE
from dungeon_tui.games.crawler.view.spoken import COMMANDS as CRAWLER
from dungeon_tui.games.deep.view.spoken import COMMANDS as DEEP
from dungeon_tui.games.delve.view.spoken import COMMANDS as DELVE
from tests.processes import call

PAGE = Path(__file__).parents[1] / "docs" / "plain.md"
SESSION = re.compile(r"^\$ printf '(.*)' \| dungeon-tui (.*)\n\.\.\.\n((?:[^`]*\n))```", re.MULTILINE)
PLAYED = [
    "crawler tutorial", "crawler easy", "chase single-loop --moves 30", "rescue classic", "rescue larder",
    "rescue --guess --rows 4 --cols 4 --seed 1", "delve --seed 1 --rules hearts", "delve --seed 3 --monsters 2",
    "expedition ring", "expedition ruins --fog", "deep --seed 2", "deep story",
]  # fmt: skip
MOST_LINES = 5000


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


@pytest.mark.parametrize("line", PLAYED)
def test_hints_alone_lead_to_a_won_end(line: str) -> None:
    name, _, arguments = line.partition(" ")
    game, out = find_game(name), io.StringIO()
    assert game is not None
    end = game.commands().opened(game.levels().named(arguments)).plain(Blind(out), out, io.StringIO())  # type: ignore[arg-type]
    assert isinstance(end.controller, TurnController)
    assert end.controller.outcome is not None
    assert end.controller.outcome.is_win


def test_all_games_are_played() -> None:
    assert {line.split()[0] for line in PLAYED} == {game.name for game in find_games()}


@pytest.mark.parametrize("commands", [CRAWLER, CHASE, DEEP, DELVE])
def test_no_word_is_made_of_commands(commands: str) -> None:
    assert all(set(word) - set(commands) for word in (*WORDS, "?"))


@pytest.mark.parametrize(("given", "line", "shown"), SESSION.findall(PAGE.read_text("utf-8")))
def test_the_sessions_shown_are_what_is_said(given: str, line: str, shown: str) -> None:
    done = call(*shlex.split(line), given=given.encode().decode("unicode_escape").encode())
    assert done.stdout.decode().endswith(f"Quiet: map ends it.\n{shown}")
