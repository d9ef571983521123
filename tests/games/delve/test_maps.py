"""What is seen from where, beside a slow twin that follows the definition word by word."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.delve.model.maps import seen_from
from tests.games.delve.drawn import level_of

BoolGrid = NDArray[np.bool_]


def has_line(is_open: BoolGrid, one: Cell, other: Cell) -> bool:
    """Whether at each step of the line's longer side a nearest cell is open."""
    down, right = other.row - one.row, other.col - one.col
    length = max(abs(down), abs(right))
    half = Fraction(1, 2)
    for step in range(1, length):
        row, col = one.row + Fraction(step * down, length), one.col + Fraction(step * right, length)
        rows = {floor(row + half), ceil(row - half)}
        cols = {floor(col + half), ceil(col - half)}
        if not any(is_open[at] for at in ((r, c) for r in rows for c in cols)):
            return False
    return True


def naive_seen(is_open: BoolGrid, cell: Cell) -> BoolGrid:
    height, width = is_open.shape
    seen = np.zeros(is_open.shape, bool)
    seen[cell] = True
    for row in range(height):
        for col in range(width):
            if is_open[row, col] and has_line(is_open, cell, Cell(row, col)):
                seen[row, col] = True
    lit = np.argwhere(seen)
    for row in range(height):
        for col in range(width):
            if not is_open[row, col]:
                seen[row, col] |= bool((np.abs(lit - (row, col)).max(1) <= 1).any())
    return seen


@st.composite
def grids(draw: st.DrawFn) -> tuple[BoolGrid, Cell]:
    height, width = draw(st.integers(1, 9)), draw(st.integers(1, 12))
    seed, share = draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from([0.1, 0.25, 0.5]))
    is_open = np.random.default_rng(seed).random((height, width)) >= share
    cell = Cell(draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1)))
    is_open[cell] = True
    return is_open, cell


@given(grids())
def test_what_is_seen_is_what_the_naive_twin_sees(given_grid: tuple[BoolGrid, Cell]) -> None:
    is_open, cell = given_grid
    assert np.array_equal(seen_from(is_open, cell), naive_seen(is_open, cell))


@given(grids(), st.data())
def test_who_sees_is_seen(given_grid: tuple[BoolGrid, Cell], data: st.DataObject) -> None:
    is_open, cell = given_grid
    other = Cell(*data.draw(st.sampled_from(np.argwhere(is_open).tolist())))
    assert seen_from(is_open, cell)[other] == seen_from(is_open, other)[cell]


def seen_text(*rows: str) -> list[str]:
    level = level_of(*rows)
    assert level.player is not None
    seen = seen_from(level.hardness == 0, level.player)
    return ["".join("s" if cell else "-" for cell in row) for row in seen]


def test_a_pillar_casts_a_shadow() -> None:
    assert seen_text(
        "@.X....",
        ".......",
    ) == [
        "ssss-----",
        "ssss-----",
        "ssssss---",
        "sssssss--",
    ]  # fmt: skip
