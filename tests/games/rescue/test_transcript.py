"""The plain text of a rescue, line for line."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.plain import Console
from dungeon_tui.games.rescue.model.level import MOST, Level
from dungeon_tui.games.rescue.view import transcript
from tests import naive_grid_dp
from tests import naive_rescue_rules as naive
from tests.games.rescue.grids import CLASSIC, grid_rows, level_of
from tests.wording import numbers

CLASSIC_LEVEL = level_of(CLASSIC, "mine")


def played(typed: str, level: Level = CLASSIC_LEVEL) -> tuple[transcript.Game, str]:
    out = io.StringIO()
    end = transcript.play(level, Console(io.StringIO(typed), out))
    assert end.exit_status == 0
    assert end.controller is not None
    return end.controller, out.getvalue()


def test_a_death_ends_the_walk_and_what_was_typed_after_it_is_not_read() -> None:
    game, text = played("health 9 ds ss x d")
    assert text.endswith(transcript.events_text(game.turn) + transcript.summary_text(game.state))
    assert game.turn.ply == 3


@pytest.mark.parametrize("typed", ["health 9 dd ss", "health 9 ll jj", "health 9 dljs", "health\n9\nd\nd\ns\ns\n"])
def test_steps_have_the_keys_of_the_screen_alone_or_together(typed: str) -> None:
    state = played(typed)[0].state
    assert (state.cell, state.health) == (Cell(2, 2), 3)


@pytest.mark.parametrize(
    "typed",
    ["x", "dx", "\x1b[A", "health", "health 3.5", "health -", "health \u0663",
     f"health +{'9' * 5000}", f"health -{'9' * 20}", "health 0", f"health {MOST + 1}", "d"],
)  # fmt: skip
def test_what_is_no_command_is_reported(typed: str) -> None:
    game, text = played(f"{typed} health 9")
    assert game.turn.ply == (typed != "health")  # which takes the next word for a number
    assert len(text.splitlines()) > len(played("health 9" if game.turn.ply else "")[1].splitlines())


def test_large_grids_are_cut_and_long_ways_too() -> None:
    rows = [[-1] * 30 for _ in range(50)]
    rows[25][15] = -7
    _, text = played("", level_of(rows))
    lines = text.splitlines()
    assert lines[0] == "grid: 50 rows, 30 columns"
    assert lines[2] == " ".join(["-1"] * 20)
    assert numbers(lines[22]) == [20, 50, 20, 30]
    assert [39, 21] in map(numbers, lines)  # cells left out, the lowest health there
    assert lines[-1] == "Row 50, column 30: -1, health 1."
    assert sum(line.startswith("Row ") for line in lines) == 40


@given(grid_rows(4), st.lists(st.sampled_from(["health 9", "health 30", "d", "s", "ds"]), max_size=9))
def test_a_rescue_is_narrated_as_the_slow_twin_plays_it(rows: list[list[int]], words: list[str]) -> None:
    level, twin = level_of(rows), naive.Rescue(rows)
    expected = ""
    for word in words:
        if twin.end():
            break
        for action in [word] if " " in word else [{"d": "right", "s": "down"}[key] for key in word]:
            entered = len(twin.cells)
            if not twin.end() and twin.do(action) and len(twin.cells) > entered:
                (row, col), health = twin.cells[-1], twin.healths()[-1]
                expected += f"Row {row + 1}, column {col + 1}: {rows[row][col]}, health {health}.\n"
    game, text = played("\n".join(words), level)
    told, _, summary = text.partition("\nThe least health is ")
    assert "".join(f"{line}\n" for line in told.splitlines() if line.startswith("Row ")) == expected
    assert (game.outcome.name if game.outcome else "") == twin.end()
    least, path = naive_grid_dp.minimum_health(rows), naive_grid_dp.best_path(rows)
    lines = summary.splitlines()
    assert lines[0] == f"{least}."
    if twin.end() == "saved":
        assert lines.pop(1) == f"Your path needs {naive_grid_dp.need_of(rows, twin.cells)}."
    health, cells = least, []
    for row, col in path:
        health += rows[row][col]
        cells.append(f"Row {row + 1}, column {col + 1}: {rows[row][col]}, health {health}.")
    assert lines[2:] == [f"Health along it, from {least}:", *cells]
