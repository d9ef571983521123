"""The inside of a run: the tree of the recursion, folded to any number of lines, and the binary search's bounds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.games.rescue.ai.algorithms import solve
from dungeon_tui.games.rescue.ai.inside import CallTree, probes
from dungeon_tui.games.rescue.ai.race import run_lane
from tests.games.rescue.grids import grid_rows, level_of


def naive_calls(rows: int, cols: int) -> list[tuple[int, int]]:
    """The cells of all calls, as the definition makes them."""
    asked: list[tuple[int, int]] = []

    def ask(row: int, col: int) -> None:
        if row < rows and col < cols:
            asked.append((row, col))
            ask(row, col + 1)
            ask(row + 1, col)

    ask(0, 0)
    return asked


@given(rows=st.integers(1, 5), cols=st.integers(1, 5), lines=st.integers(-3, 300), data=st.data())
def test_the_tree_folds_all_calls_into_the_lines(rows: int, cols: int, lines: int, data: st.DataObject) -> None:
    asked = naive_calls(rows, cols)
    made = data.draw(st.integers(1, len(asked)))
    calls = CallTree(asked).calls(made, lines)
    assert len(calls) <= max(1, lines)
    assert len(calls) + sum(call.folded for call in calls) == made
    deepest = max(call.depth for call in calls)
    assert [tuple(call.cell) for call in calls] == [cell for cell in asked[:made] if sum(cell) <= deepest]
    assert all(call.depth == sum(call.cell) for call in calls)
    first = {asked.index(cell) for cell in {*asked[:made]}}
    if lines >= len(asked):
        assert [tuple(call.cell) for call in calls] == asked[:made]
        assert [not call.is_repeated for call in calls] == [place in first for place in range(made)]
        closed = [all(sum(cell) > call.depth for cell in asked[place + 1 : made]) for place, call in enumerate(calls)]
        assert [call.is_open for call in calls] == [is_last and made < len(asked) for is_last in closed]


@given(rows=grid_rows(4))
def test_the_bounds_are_those_that_the_algorithms_halve(rows: list[list[int]]) -> None:
    level = level_of(rows)
    found = solve(level, "binary-search")
    tried = [*probes(level, found.health)]
    assert len(tried) == found.work.probes
    assert all(probe.low < probe.mid < probe.high for probe in tried)
    assert [step[:2] for step in run_lane(level, "recursive").steps] == naive_calls(*level.grid.shape)
    if tried:
        last = tried[-1]
        assert found.health == (last.mid if last.is_enough else last.high)
