"""Grids for the tests of the rescue."""

from __future__ import annotations

from hypothesis import strategies as st

from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.rescue.model.level import Level, read_level

CLASSIC = [[-2, -3, 3], [-5, -10, 1], [10, 30, -5]]


def level_of(rows: list[list[int]], name: str = "grid") -> Level:
    """A level of these numbers."""
    text = "\n".join(" ".join(map(str, row)) for row in rows)
    return read_level(LevelFile(f"{name}.txt", text.encode()), name)


def grid_rows(side: int = 5, values: st.SearchStrategy[int] | None = None) -> st.SearchStrategy[list[list[int]]]:
    """Grids of up to side x side cells."""
    values = st.integers(-9, 9) if values is None else values
    return st.tuples(st.integers(1, side), st.integers(1, side)).flatmap(
        lambda shape: st.lists(
            st.lists(values, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
        )
    )
