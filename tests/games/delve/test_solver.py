"""Travel, exploring, and what is said of a cell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import STAY, UNREACHED
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.ai.solver import NoRouteError
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import STAIRS_DOWN
from dungeon_tui.games.delve.model.state import UNSEEN, State
from dungeon_tui.games.delve.view import words
from tests.games.delve.drawn import state_of

AROUND = ("@.X", "X.X", "X..", "X<>", "XXX", "0.X")


def played(state: State, actions: str) -> State:
    for letter in actions:
        state, _ = rules.step(state, rules.read_action(letter))
    return state


def letters(state: State, cell: tuple[int, int], *, is_foggy: bool = True) -> str:
    return "".join(action.value for action in solver.route(state, Cell(*cell), is_foggy=is_foggy))


def test_travel_takes_a_shortest_walk_eight_ways() -> None:
    state = state_of(*AROUND)
    assert letters(state, (2, 2)) == "n"
    assert letters(state, (4, 3), is_foggy=False) in ("nnj", "njn")


@pytest.mark.parametrize(
    ("cell", "is_foggy", "words"),
    [
        ((1, 1), True, "there already"),
        ((0, 99), True, "off the map"),
        ((-1, 0), True, "off the map"),
        ((6, 1), True, "not seen that cell"),
        ((6, 1), False, "No way that you know"),
        ((1, 3), True, "That is rock"),
    ],
)
def test_travel_says_why_there_is_no_way(cell: tuple[int, int], is_foggy: bool, words: str) -> None:
    with pytest.raises(NoRouteError, match=words):
        solver.route(state_of(*AROUND), Cell(*cell), is_foggy=is_foggy)


def test_seen_cells_may_be_out_of_reach() -> None:
    state = played(state_of("@.X", "XXX", "0.X"), ".")
    state = replace(state, seen=state.terrain)
    with pytest.raises(NoRouteError, match="No way that you know leads there"):
        solver.route(state, Cell(3, 1))


def explored(state: State) -> tuple[State, str]:
    while True:
        try:
            actions = solver.explore_route(state)
        except NoRouteError as error:
            return state, str(error)
        assert actions
        for action in actions:
            state, _ = rules.step(state, action)


@pytest.mark.parametrize("seed", range(8))
def test_exploring_sees_all_that_can_be_walked_to(seed: int) -> None:
    state = rules.start(generate(seed), seed)
    sleeping = replace(state.monsters[0], next_turn=10**9)
    state, reason = explored(replace(state, monsters=(sleeping,)))
    assert reason == "You have seen all that can be walked to."
    reached = rules.walking_map(state).distance != UNREACHED
    assert (state.seen.copy()[reached] != UNSEEN).all()


def test_exploring_knows_what_can_not_be_walked_to() -> None:
    """A cell of another cave was seen, and that there is more beside it."""
    state = state_of("@.X...", "XXX.0.")
    seen = state.seen.replace([1 * 8 + 4], [ord(".")])
    with pytest.raises(NoRouteError, match="can't be walked to from here"):
        solver.explore_route(replace(state, seen=seen))


def test_stairs_that_are_known_come_nearest_first() -> None:
    state = state_of("@..>", "XXX.", ">XX.", "0XX.")
    assert solver.stairs(state, STAIRS_DOWN) == [Cell(1, 4)]
    assert solver.stairs(state, STAIRS_DOWN, is_foggy=False) == [Cell(1, 4), Cell(3, 1)]


def test_distances_come_with_the_way_down() -> None:
    state = state_of("@. .", "XXX0")
    walking, tunnelling = (solver.field(state, kind) for kind in (solver.WALKING, solver.TUNNELLING))
    assert walking.distance[1, 4] == UNREACHED
    assert walking.steps[1, 4] == STAY
    assert tunnelling.distance[1, 4] == 5
    assert tunnelling.steps[1, 4] == 2
    assert not walking.distance.flags.writeable
    assert np.array_equal(walking.steps, rules.walking_map(state).steps)


def test_a_cell_is_described() -> None:
    state = state_of("@.% ", "XXXX", "...6", speeds=(15,))
    tell = [words.cell_text(state, Cell(*cell), is_foggy=False) for cell in ((1, 1), (1, 2), (1, 3), (1, 4), (2, 1))]
    assert tell == [
        "Row 1, column 1: you; room",
        "Row 1, column 2: room; 1 away walking; 1 away tunnelling",
        "Row 1, column 3: rock of hardness 60; 2 away tunnelling",
        "Row 1, column 4: rock of hardness 200; 3 away tunnelling",
        "Row 2, column 1: rock that nothing wears",
    ]
    assert words.cell_text(state, Cell(3, 4), is_foggy=False) == (
        "Row 3, column 4: monster 6 (telepathic, tunnelling), speed 15 to your 10; room"
    )
    assert words.cell_text(state, Cell(3, 4)) == "Row 3, column 4: not seen yet"
    assert words.cell_text(state, Cell(9, 4)) == ""


def test_the_fog_hides_who_is_out_of_sight() -> None:
    state = state_of("@..", "XX.", "0X.")
    state = replace(state, seen=state.terrain)
    assert words.cell_text(state, Cell(3, 1)) == "Row 3, column 1: room"
    assert words.cell_text(state, Cell(3, 1), is_foggy=False).startswith("Row 3, column 1: monster 0 (plain), speed 10")
    assert solver.monsters_in_view(state) == ()
    assert len(solver.monsters_in_view(state_of("@..0"))) == 1
    assert "monster 0" in words.cell_text(state_of("@..0"), Cell(1, 4))


def test_rock_that_was_opened_unseen_is_still_called_rock() -> None:
    state = state_of("@ 0", "XXX")
    opened = replace(state, hardness=state.hardness.replace([1 * 5 + 2], [0]))
    assert words.cell_text(opened, Cell(1, 2)).startswith("Row 1, column 2: rock;")
