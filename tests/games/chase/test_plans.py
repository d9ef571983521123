"""Plans: the way that a strategy has in mind is the way that it goes, and its sites are what they are said to be."""

from dataclasses import replace

import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.plans import plan
from dungeon_tui.games.chase.ai.referee import load_player
from dungeon_tui.games.chase.ai.strategies import STRATEGIES
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import read_board
from dungeon_tui.games.chase.model.level import WALL
from dungeon_tui.games.chase.model.state import Side, State


def begin(name: str, side: Side) -> State:
    return replace(rules.start(read_board(name)), side=side)


@pytest.mark.parametrize(
    ("side", "name"), [(side, name) for side in Side for name in STRATEGIES[side] if name != "random"]
)
@pytest.mark.parametrize("board", ["figure-eight", "four-corners", "braid"])
def test_a_way_begins_with_the_move_that_the_strategy_makes_and_goes_on_by_moves(
    side: Side, name: str, board: str
) -> None:
    state = begin(board, side)
    with load_player(side, name) as player:
        found = player.plan(replace(state, side=Side.MONSTER))
    to = STRATEGIES[side][name](state)
    assert found.way[:1] == (() if to == state.site and name != "perfect" else (to,))
    for before, after in zip((state.site, *found.way), found.way, strict=False):
        assert rules.is_legal_move(state.level, before, after)


def test_the_way_of_bfs_is_a_shortest_one_to_the_rogue() -> None:
    state = begin("figure-eight", Side.MONSTER)
    way = plan(state, "bfs").way
    assert way[-1] == state.rogue
    assert len(way) == solver.path_lengths(state.level, state.rogue)(state.monster)


def test_cycle_heads_for_loops_and_exact_play_believes_what_is_true() -> None:
    state = begin("figure-eight", Side.ROGUE)
    rooms = [Cell(*cell) for cell in zip(*(state.level.tiles != WALL).nonzero(), strict=True)]
    for cell in rooms:
        is_safe = cell != state.monster and solver.value(replace(state, rogue=cell, side=Side.MONSTER)) == UNREACHED
        assert (cell in plan(state, "perfect").sites) == is_safe
    assert plan(state, "cycle").sites
    assert not plan(begin("braid", Side.ROGUE), "cycle").sites


def test_random_has_no_plan() -> None:
    with load_player(Side.ROGUE, "random") as player, pytest.raises(ValueError, match="random"):
        player.plan(begin("braid", Side.ROGUE))
