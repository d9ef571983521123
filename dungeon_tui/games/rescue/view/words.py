"""The rescue's sentences: every event in words, for the screen and the transcript."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event
from dungeon_tui.core.words import capitalised
from dungeon_tui.games.rescue.model.state import Answer, Entered, Guessed, State

SHOWN_RUNS = 40  # of a way's steps in words
_HEAT = {None: "", True: ", warmer", False: ", colder"}


def sentence_of(event: Event, state: State) -> str:
    """An event of the turn that led to a state, in words; empty where the outcome's words say it."""
    match event:
        case Guessed(health=health, answer=Answer.RIGHT):
            return f"{health} is right: guess number {len(state.guesses)}."
        case Guessed(health=health, answer=answer, is_warmer=is_warmer):
            return f"{health} is {answer.value}{_HEAT[is_warmer]}."
        case Entered(cell=cell, value=value, health=health):
            return entered(cell, value, health)
    return ""


def entered(cell: Cell, value: int, health: int) -> str:
    """A cell of a way, with the health left there."""
    return f"{capitalised(cell.place)}: {value}, health {health}."


def way_text(path: Sequence[tuple[int, int]]) -> str:
    """The steps of a way.

    >>> way_text([(0, 0), (0, 1), (0, 2), (1, 2)]), way_text([(0, 0)])
    ('right 2, down 1', 'no step')
    """
    steps = ["down" if after[0] > before[0] else "right" for before, after in pairwise(path)]
    runs = [f"{word} {len([*same])}" for word, same in groupby(steps)]
    left_out = len(runs) - SHOWN_RUNS
    if left_out > 0:
        runs[SHOWN_RUNS:] = [f"and {left_out} more"]
    return ", ".join(runs) or "no step"
