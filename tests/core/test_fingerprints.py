"""Fingerprints of states: the same on every machine, another for every change."""

from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np
import pytest

from dungeon_tui.core.board import Board
from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.core.grid import Cell


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class State:
    board: Board = field(default_factory=lambda: Board.of(np.arange(6, dtype=np.uint8).reshape(2, 3)))
    cell: Cell | None = field(default=Cell(1, 2))
    colour: Colour = Colour.RED
    names: tuple[str, ...] = ("a", "b")
    left: dict[str, int] = field(default_factory=lambda: {"y": 1, "x": 2})
    taken: frozenset[Cell] = frozenset({Cell(0, 1), Cell(0, 0)})
    level: object = field(default=None, repr=False)


def test_each_field_that_repr_shows_counts_and_no_other() -> None:
    state = State()
    others = [
        replace(state, board=state.board.replace([0], [9])),
        replace(state, board=Board.of(np.arange(6, dtype=np.uint8).reshape(3, 2))),
        replace(state, cell=None),
        replace(state, colour=Colour.BLUE),
        replace(state, names=("ab",)),
        replace(state, left={"x": 1, "y": 2}),
        replace(state, taken=frozenset({Cell(0, 1)})),
    ]
    assert len({fingerprint(each) for each in [state, *others]}) == 8
    assert fingerprint(replace(state, level=object())) == fingerprint(state)
    assert fingerprint(replace(state, left={"x": 2, "y": 1})) == fingerprint(state)


def test_it_is_the_same_on_every_machine() -> None:
    assert fingerprint(State()) == "430ae929187023907a0c5d872f967f2af0f4ef79780567ac9cd8f1769927c771"


def test_what_is_not_the_same_everywhere_is_refused() -> None:
    with pytest.raises(TypeError):
        fingerprint(State(cell=object()))
