"""What plain play prints, and distance maps as text."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.plain import Console
from dungeon_tui.core.plain_play import NOT_UNDERSTOOD
from dungeon_tui.core.words import sentence
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import Level
from dungeon_tui.games.delve.model.state import Action, MonsterKilled, RockWorn, State
from dungeon_tui.games.delve.view import transcript, words
from tests.games.delve.drawn import event_text, level_of, state_of

MAZE = level_of("@..X..", " #<X..")  # the only monster is out of sight


def played(level: Level, typed: str, seed: int = 1) -> str:
    out = io.StringIO()
    end = transcript.play(level, seed, Console(io.StringIO(typed), out))
    assert end.exit_status == 0
    assert end.controller is not None
    return out.getvalue()


def test_a_short_play() -> None:
    """The monster can't come: the rock between is not to be worn."""
    start = rules.start(MAZE, 1)
    after, _ = rules.step(start, Action.RIGHT)

    def text(state: State, **fog: bool) -> str:
        return transcript.board_text(state, **fog) + f"{words.score(state)}\n\n{transcript.PROMPT}"

    refused = [sentence(str(rules.objection(after, action))) for action in (Action.UP, Action.ASCEND)]
    assert played(MAZE, " l\nk f<x") == (
        f"Depth 1\n{text(start, is_foggy=False)}{text(after, is_foggy=False)}{refused[0]}\n{transcript.PROMPT}"
        f"{text(after, is_foggy=True)}{refused[1]}\n{transcript.PROMPT}{NOT_UNDERSTOOD}\n{transcript.PROMPT}"
        f"{words.farewell(after)}\n"
    )


def test_the_fog_hides_what_was_not_seen() -> None:
    state = rules.start(MAZE, 1)
    (monster,) = state.monsters
    shown = [transcript.board_text(state, is_foggy=is_foggy).splitlines() for is_foggy in (True, False)]
    assert shown[0] == [" " * 8, " @..    ", "  #<    ", " " * 8]
    assert shown[1][monster.cell.row][monster.cell.col] == monster.kind.glyph
    assert "".join(shown[1]).count(".") == 5


def test_seed_1_is_played_as_it_was() -> None:
    golden = Path(__file__).parents[2] / "recordings" / "delve-seed-1-plain.txt"
    assert played(generate(1), "nnnf.kq") == golden.read_text("ascii")


def test_a_win_and_a_death_are_reported() -> None:
    level = level_of("@...")
    seen = set()
    for seed in range(40):
        text = played(level, "llllllll" + "." * 40, seed)
        last = text.splitlines()[-1].partition(" at ")[0]
        seen.add(last)
        if last == "You won":
            assert "You kill the" in text
            assert "All monsters are dead.\n" in text
        elif last == "You died":
            assert "kills you.\n" in text
            assert "@" not in text.rpartition(transcript.PROMPT)[2], "the killer is drawn over the player"
    assert seen >= {"You won", "You died"}


def test_the_monster_that_breaks_through_is_named() -> None:
    mole = state_of("@..", "..a").monsters[0]
    assert event_text(RockWorn(mole, mole.cell, 0)).lower().startswith(words.the(mole))


def test_the_fog_hides_what_happens_out_of_sight() -> None:
    state = state_of("@..", "XX.", "60.")
    digger, victim = state.monsters
    near = replace(victim, cell=Cell(1, 2))
    for event, is_known in (
        (MonsterKilled(victim, digger), False),
        (MonsterKilled(near, digger), True),
        (MonsterKilled(victim, None), True),
        (RockWorn(digger, victim.cell, 0), False),
        (RockWorn(digger, near.cell, 0), True),
    ):
        assert [*words.event_texts(state, [event], is_foggy=False)] == [
            (event, event_text(event, state), words.EVENTS[type(event)].meaning)
        ]
        texts = [text for _, text, _ in words.event_texts(state, [event], is_foggy=True)]
        fought = [words.FOUGHT] * isinstance(event, MonsterKilled)
        assert texts == ([event_text(event, state)] if is_known else fought)
        is_printed = isinstance(event, MonsterKilled) and is_known
        assert (event_text(event, state) in transcript.turn_text(state, [event], is_foggy=True)) == is_printed


def test_distances_are_letters_or_last_digits() -> None:
    level = level_of("@#####")
    distance = np.full((3, 8), UNREACHED, np.int32)
    distance[1, 1:7] = 0, 9, 10, 61, 62, UNREACHED
    for alphabet, row in ("letters", "09aZ##"), ("digits", "09012#"):
        assert transcript.level_text(level, Cell(1, 1), distance, alphabet).splitlines()[1] == f" {row} "
    assert transcript.level_text(level, Cell(1, 3), None, "letters").splitlines()[1] == " .#@### "
