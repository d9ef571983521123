"""Two bots in the delve with three hearts: one that fights in corridors only, and a careless one; how deep they come.

python -m tests.bench.bots_delve [SEEDS] [RULES]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dungeon_tui.core.grid import EIGHT_WAYS, Cell, cells_of
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.ai.plan import plan
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import HEARTS, STAIRS_DOWN
from dungeon_tui.games.delve.model.state import ACTION_OF, Action, State

MOST_TURNS = 3000  # of a game


def careful(state: State) -> Action:
    """Does what a hint says: lets them come in a corridor, strikes first, and goes down where nothing is near."""
    return plan(state).actions[0]


def careless(state: State) -> Action:
    """Runs at the nearest monster in sight wherever it stands; else goes on."""
    if blow := strike(state):
        return blow
    for monster in sorted(solver.monsters_in_view(state), key=lambda each: solver.turns_away(state, each)):
        way = solver.route(state, monster.cell)
        if not isinstance(way, str):
            return way[0]
    return onward(state)


def strike(state: State) -> Action | None:
    """The step onto a monster beside the player, if there is one."""
    for way in EIGHT_WAYS:
        if state.monster_at(state.player.neighbour(way)) is not None:
            return ACTION_OF[way]
    return None


def onward(state: State) -> Action:
    """The stairs down if they were seen, else what was not seen yet."""
    for cell in nearest(state, STAIRS_DOWN):
        if cell == state.player:
            return Action.DESCEND
        way = solver.route(state, cell)
        if not isinstance(way, str):
            return way[0]
    way = solver.explore_route(state)
    return Action.STAY if isinstance(way, str) else way[0]


def nearest(state: State, code: int) -> list[Cell]:
    """The cells of a terrain that were seen, the nearest first."""
    distance = rules.distances(state, "walking").distance
    return sorted(cells_of(np.argwhere(state.seen.copy() == code)), key=lambda cell: int(distance[cell]))


def depth_of(bot: Callable[[State], Action], seed: int, by: str) -> tuple[int, str]:
    """The depth that a bot came to from a seed, and how it ended."""
    state = rules.start(replace(generate(seed), rules=by), seed)
    while (end := rules.outcome(state)) is None and state.turns < MOST_TURNS:
        state, _ = rules.step(state, bot(state))
    return state.deepest, end.name if end else "alive"


def main(seeds: int = 200, by: str = HEARTS) -> None:
    for bot in (careful, careless):
        found = [depth_of(bot, seed, by) for seed in range(1, seeds + 1)]
        deep = sum(depth >= 3 for depth, _ in found)
        depths, ends = Counter(depth for depth, _ in found), Counter(end for _, end in found)
        print(
            f"{bot.__name__}: depth 3 on {deep} of {seeds} seeds; depths {dict(sorted(depths.items()))}; {dict(ends)}"
        )


if __name__ == "__main__":
    main(*(int(argument) if argument.isdigit() else argument for argument in sys.argv[1:]))  # type: ignore[arg-type]
