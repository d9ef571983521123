"""Nim as a game of the catalogue, stored in a library: without a screen."""

from pathlib import Path
from typing import Any

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import NAME, Library
from tests.nim_rules import SEATS, NimLevels, NimRules

PILE = 1000


class NimGame(Game):
    name = "nim"
    title = "Nim"
    summary = "Take one or two."
    order = 9

    def rules(self) -> Any:
        return NimRules()

    def levels(self) -> Any:
        return NimLevels()

    def view(self) -> Any:
        raise NotImplementedError

    def commands(self) -> Any:
        raise NotImplementedError


GAME = NimGame()


def session_of(pile: int = PILE, **players: str) -> Session:
    return Session(TurnController(NimRules(), pile), SEATS, players)


def is_won(_state: Any, outcome: Outcome) -> bool:
    return outcome.is_win


def journal_of(library: Library, session: Session, **options: Any) -> Journal:
    return Journal(library, GAME, session, is_won, **{"title": "A pile", **options})


def library_in(folder: Path) -> Library:
    return Library(folder / NAME)


def actions(turn: Turn[Any, Any]) -> tuple[int, ...]:
    return tuple(each.action for each in turn.line()[1:] if each.action is not None)


def tree(first: Turn[Any, Any]) -> set[tuple[int, ...]]:
    """The actions to each turn but the first."""
    found: set[tuple[int, ...]] = set()
    waiting = [first]
    while waiting:
        branches = waiting.pop().branches
        found.update(map(actions, branches))
        waiting += branches
    return found


def redo_line(turn: Turn[Any, Any]) -> tuple[int, ...]:
    """The actions to the last turn that redo leads to."""
    while turn.branches:
        turn = turn.branches[-1]
    return actions(turn)


def resumed(library: Library, journal: Journal) -> tuple[set[tuple[int, ...]], tuple[int, ...], tuple[int, ...]]:
    """The tree, the place and the redo line of a game, read again from the disk, as after a kill."""
    found = library.resume(journal.stored)
    assert found.trouble == ""
    turn = found.controller.turn
    return tree(found.controller.first), actions(turn), redo_line(turn)
