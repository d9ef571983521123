"""Travel, exploring, and what is said of a cell."""

from dataclasses import replace

import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.words import capitalised
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.maps import WALKING
from dungeon_tui.games.delve.model.state import UNSEEN, Action, State
from dungeon_tui.games.delve.view import words
from tests.games.delve.drawn import state_of
from tests.wording import numbers

AROUND = ("@.X", "X.X", "X..", "X<>", "XXX", "0.X")


def test_travel_takes_a_shortest_walk_eight_ways() -> None:
    state = state_of(*AROUND)
    assert solver.route(state, Cell(2, 2)) == (Action.DOWN_RIGHT,)
    down, right = Action.DOWN, Action.DOWN_RIGHT
    assert solver.route(state, Cell(4, 3), is_foggy=False) in ((right, right, down), (right, down, right))


@pytest.mark.parametrize("seed", range(8))
def test_exploring_sees_all_that_can_be_walked_to(seed: int) -> None:
    state = rules.start(generate(seed), seed)
    sleeping = replace(state.monsters[0], next_turn=10**9)
    state = replace(state, monsters=(sleeping,))
    while not isinstance(actions := solver.explore_route(state), str):
        assert actions
        for action in actions:
            state, _ = rules.step(state, action)
    reached = rules.distances(state, WALKING).distance != UNREACHED
    assert (state.seen.copy()[reached] != UNSEEN).all()


def test_exploring_knows_what_can_not_be_walked_to() -> None:
    """A cell of another cave was seen, and that there is more beside it."""
    state = state_of("@.X...", "XXX.0.")
    seen = state.seen.replace([1 * 8 + 4], [ord(".")])
    assert "can't walk" in solver.explore_route(replace(state, seen=seen))


def test_a_way_goes_straight_where_that_is_as_short() -> None:
    state = state_of("......", "@.....", "......")
    assert solver.route(state, Cell(2, 5)) == 4 * (Action.RIGHT,)
    assert solver.route(state, Cell(1, 4)) == (*2 * (Action.RIGHT,), Action.UP_RIGHT)


def test_exploring_finds_the_way_to_an_amulet_that_was_seen_from_afar() -> None:
    state = replace(state_of("@....."), amulet=Cell(1, 6))
    apart = replace(state, seen=state.seen.replace([1 * 8 + 4], [UNSEEN]))
    ways = [solver.explore_route(each) for each in (state, apart)]
    assert ways == [5 * (Action.RIGHT,), 2 * (Action.RIGHT,)]


CAVES = state_of("@.% ", "XXXX", "...6", speeds=(15,))
HIDDEN = state_of("@..", "XX.", "0X.")
OPENED = state_of("@ 0", "XXX")
WORN = replace(OPENED, hardness=OPENED.hardness.replace([7], [0]))  # where nobody saw it


@pytest.mark.parametrize(
    ("state", "cell", "is_foggy", "facts", "name", "named"),
    [
        (CAVES, (1, 1), False, 2, "you", []),
        (CAVES, (1, 2), False, 2, "room", [1]),
        (CAVES, (1, 3), False, 1, "rock", []),
        (CAVES, (3, 4), False, 3, "a mole (m)", [15, 10]),
        (CAVES, (3, 4), True, 1, "not seen", []),
        (replace(HIDDEN, seen=HIDDEN.terrain), (3, 1), True, 1, "room", []),
        (HIDDEN, (3, 1), False, 3, "a walker (w)", [10, 10]),
        (OPENED, (1, 3), True, 1, "not seen", []),
        (WORN, (1, 2), True, 2, "rock", [1]),
    ],
)
def test_cells_are_reported_as_far_as_they_are_known(
    state: State, cell: Cell, is_foggy: bool, facts: int, name: str, named: list[int]
) -> None:
    place, _, told = words.cell_text(state, Cell(*cell), is_foggy=is_foggy).partition(": ")
    assert place == capitalised(Cell(*cell).text)
    assert (len(told.split("; ")), numbers(told)) == (facts, named)
    assert name in told
