"""The work of strategies: what is counted is what a slow twin counts, and it is shown on request only."""

from functools import partial
from itertools import pairwise

import pytest

from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.referee import load_player, play
from dungeon_tui.games.chase.ai.work import Work
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import read_board
from dungeon_tui.games.chase.model.state import Side
from tests import processes

json_of, printed = (partial(use, "chase") for use in (processes.json_of, processes.printed))


@pytest.mark.parametrize(("name", "searched"), [("random", False), ("greedy", False), ("bfs", True)])
def test_a_monster_looks_at_its_moves_and_at_all_that_it_searches(name: str, searched: bool) -> None:
    level = read_board("figure-eight", 20)
    works = {side: Work() for side in Side}
    with load_player(Side.MONSTER, name) as monster, load_player(Side.ROGUE, "flee") as rogue:
        line = play(level, monster, rogue, 3, works).turn.line()
    seen = [before.state for before, _ in pairwise(line) if before.state.side is Side.MONSTER]
    moves = sum(len(rules.neighbours(level, state.monster)) for state in seen)
    assert works[Side.MONSTER].moves == len(seen)
    assert works[Side.MONSTER].cells == moves + len(seen) * searched * len(solver.move_graph(level))
    assert works[Side.MONSTER].seconds > 0


def test_work_is_reported_on_request_and_changes_nothing_else(ring: str, own: str) -> None:
    words = "run", ring, "--moves", "5", "--rogue", f"{own}:stay"
    plain, measured = json_of(*words), json_of(*words, "--work")
    work = measured.pop("work")
    assert measured == plain
    assert set(work) == {"monster", "rogue"}
    assert work["monster"]["cells_per_move"] > 0
    assert work["rogue"]["cells_per_move"] is None
    assert "monster: " in printed(*words, "--work")
