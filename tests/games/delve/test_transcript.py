"""What plain play prints, and distance maps as text."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import Level
from dungeon_tui.games.delve.model.state import (
    KINDS,
    Action,
    Monster,
    MonsterKilled,
    PlayerDied,
    RockWorn,
    StairsTaken,
    State,
)
from dungeon_tui.games.delve.view import transcript, words
from tests.games.delve.drawn import level_of, state_of

PROMPT = "Command (h j k l y u b n: move, .: stay, < >: stairs, f: fog, q: quit):\n"
MAZE = level_of("@..X..", " #<X..")  # the only monster is out of sight


def played(level: Level, typed: str, seed: int = 1) -> str:
    out = io.StringIO()
    end = transcript.play(level, seed, io.StringIO(typed), out)
    assert end.exit_status == 0
    assert end.controller is not None
    return out.getvalue()


def test_a_short_play() -> None:
    """The monster can't come: the rock between is not to be worn."""
    state = rules.start(MAZE, 1)
    (monster,) = state.monsters
    assert played(MAZE, " l\nk f<x") == (
        "Depth 1\n"
        + board("@..", "", monster, state)
        + "Turn 0, depth 1, 1 monster. You are at row 1 and column 1.\n\n"
        + PROMPT
        + board(".@.", "", monster, rules.step(state, Action.RIGHT)[0])
        + "Turn 1, depth 1, 1 monster. You are at row 1 and column 2.\n\n"
        + PROMPT
        + "Rock that nothing wears is in the way.\n"
        + PROMPT
        + board(".@.", "fog", monster, rules.step(state, Action.RIGHT)[0])
        + "Turn 1, depth 1, 1 monster. You are at row 1 and column 2.\n\n"
        + PROMPT
        + "There are no stairs up here.\n"
        + PROMPT
        + "I did not understand your command.\n"
        + PROMPT
        + "You left at depth 1 after 1 turn.\n"
    )


def board(first: str, fog: str, monster: Monster, state: State) -> str:
    """The maze, with its monster where the state has it."""
    far = [list(".."), list("..")]
    cell = state.monsters[0].cell
    far[cell.row - 1][cell.col - 5] = monster.glyph
    rows = [" " * 8, f" {first} {''.join(far[0])} ", f"  #< {''.join(far[1])} ", " " * 8]
    if fog:
        rows = [" " * 8, f" {first}    ", "  #<    ", " " * 8]
    return "".join(f"{row}\n" for row in rows)


def test_seed_1_is_played_as_it_was() -> None:
    golden = Path(__file__).parents[2] / "recordings" / "delve-seed-1-plain.txt"
    assert played(generate(1), "nnnf.kq") == golden.read_text("ascii")


def test_the_end_of_the_input_and_q_leave() -> None:
    for typed in ("", "q", " \n q."):
        assert played(MAZE, typed).endswith(f"{PROMPT}You left at depth 1 after 0 turns.\n")


def test_stairs_show_the_new_dungeon() -> None:
    level = level_of("@>X..", "   ..")
    text = played(level, "l>")
    assert "You went down to depth 2.\nTurn 2, depth 2, 3 monsters." in text
    assert text.count("Depth 2\n") == 1


def test_a_win_and_a_death_are_told() -> None:
    level = level_of("@...")
    seen = set()
    for seed in range(40):
        text = played(level, "llllllll" + "." * 40, seed)
        last = text.splitlines()[-1].partition(" at ")[0]
        seen.add(last)
        if last == "You won":
            assert "You killed monster" in text
            assert "All monsters are gone.\n" in text
        elif last == "You died":
            assert "stepped on you.\n" in text
            assert "@" not in text.rpartition(PROMPT)[2], "the killer is drawn over the player"
    assert seen >= {"You won", "You died"}


TUNNELLER = Monster(2, KINDS[12], Cell(1, 1), 10)
PLAIN = Monster(1, KINDS[0], Cell(1, 1), 10)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (MonsterKilled(PLAIN, None), "You killed monster 0 (plain)."),
        (MonsterKilled(PLAIN, TUNNELLER), "Monster c (tunnelling, erratic) killed monster 0 (plain)."),
        (StairsTaken(True, 2), "You went down to depth 2."),
        (StairsTaken(False, 1), "You went up to depth 1."),
        (PlayerDied(Cell(1, 1), TUNNELLER), "Monster c (tunnelling, erratic) stepped on you."),
        (RockWorn(TUNNELLER, Cell(1, 2), 0), "A tunneller breaks through the rock."),
        (RockWorn(TUNNELLER, Cell(1, 2), 1), ""),
    ],
)
def test_events_in_words(event: Event, sentence: str) -> None:
    assert words.event_text(event) == sentence


def test_the_fog_hides_what_monsters_do_to_each_other_out_of_sight() -> None:
    state = state_of("@..", "XX.", "00.")
    victim, killer = state.monsters
    events = (MonsterKilled(victim, killer),)
    assert "killed" in transcript.turn_text(state, events, is_foggy=False)
    assert "killed" not in transcript.turn_text(state, events, is_foggy=True)
    assert "killed" in transcript.turn_text(state, (MonsterKilled(victim, None),), is_foggy=True)
    near = replace(victim, cell=Cell(1, 2))
    assert "killed" in transcript.turn_text(state, (MonsterKilled(near, killer),), is_foggy=True)


def test_distances_are_letters_or_last_digits() -> None:
    looks = np.full((1, 6), ord("#"), np.uint8)
    distance = np.array([[0, 9, 10, 61, 62, UNREACHED]], np.int32)
    assert bytes(transcript.distance_glyphs(looks, distance, "letters")[0]) == b"09aZ##"
    assert bytes(transcript.distance_glyphs(looks, distance, "digits")[0]) == b"09012#"
