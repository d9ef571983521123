"""A few of the kills that `python -m tests.fuzz.kills` does by the hundred, and proof that it sees a lost turn."""

from pathlib import Path

import pytest

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import NAME, Library
from tests.fuzz.kills import Note, Tally, check, run

pytestmark = pytest.mark.slow


def test_whatever_kills_the_app_no_turn_is_lost() -> None:
    tally = run(3, seed=7)
    assert tally.faults == []
    assert (tally.runs, tally.lost) == (3, 0)
    assert tally.turns > 0


@pytest.mark.parametrize(
    ("damage", "lost"),
    [
        ("", 0),
        ("DELETE FROM games", 3),
        ("UPDATE games SET present = 2", 1),
        ("DELETE FROM turns WHERE number = 3", 1),
        ("DELETE FROM turns WHERE number = 4", 2),  # the place, too
    ],
)
def test_a_turn_that_is_lost_is_counted(tmp_path: Path, damage: str, lost: int) -> None:
    game = find_game("crawler")
    rules, library = game.rules(), Library(tmp_path / NAME)
    session = Session(TurnController(rules, game.levels().openings()[0].load()))
    journal = Journal(library, game, session, lambda _state, _outcome: False, title="")
    noted, ways = [Note("open", journal.stored.key, False, ())], []
    session.controller.observe(lambda _: ways.append(session.turn.line()[1:]))
    for letter in "dad":
        session.play(rules.read_action(letter))
    session.undo()
    session.play(rules.read_action("s"))
    noted += [
        Note("at", journal.stored.key, True, tuple(rules.action_text(each.action) for each in way)) for way in ways
    ]
    with library.writing() as database:
        database.execute(damage or "SELECT 1")
    library.close()
    tally = Tally()
    check(tmp_path, noted, tally)
    assert tally.lost == lost
    assert bool(tally.faults) == bool(lost)
