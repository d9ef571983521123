"""How deep two bots come in the delve with hearts: one that only waits and strikes, one that follows the advice.

python -m tests.bench.bots_delve [SEEDS] [FIRST]
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from statistics import median
from typing import NamedTuple

from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.generator import named
from dungeon_tui.games.delve.model.level import STAIRS_DOWN
from dungeon_tui.games.delve.model.state import ACTION_OF, Action, FindUsed, PlayerHit, State, Status

PATIENCE = 20  # turns that the waiter stands still before it walks on
MOST_TURNS = 3000


def waiter() -> Callable[[State], Action]:
    """Strikes what is next to it, waits where it is for what it sees or hears, else goes to the stairs down."""
    waited = 0

    def choose(state: State) -> Action:
        nonlocal waited
        waited = (waited + 1) % (2 * PATIENCE) if waited >= PATIENCE or solver.noticed(state) else 0
        cells = {state.player.neighbour(way): action for way, action in ACTION_OF.items()}
        if adjacent := next((cells[each.cell] for each in state.monsters if each.cell in cells), None):
            return adjacent
        if 0 < waited < PATIENCE:
            return Action.STAY
        if state.terrain[state.player] == STAIRS_DOWN:
            return Action.DESCEND
        ways = [solver.route(state, cell) for cell in solver.finds(state)] + [solver.explore_route(state)]
        return next((way[0] for way in ways if way and not isinstance(way, str)), Action.STAY)

    return choose


def careful() -> Callable[[State], Action]:
    """Follows the advice in every turn: corridors, gold, finds."""
    return lambda state: solver.plan(state).actions[0]


class Game(NamedTuple):
    """The end of a game."""

    state: State
    hits: Counter[str]  # hearts lost, by who took them
    used: int  # finds


def play(seed: int, choose: Callable[[State], Action], last_depth: int) -> Game:
    """A game until it ends, or the bot reaches a depth or gives up."""
    state = rules.start(named(f"--seed {seed}").load(), seed)
    hits, used = Counter[str](), 0
    while state.status is Status.PLAYING and state.depth < last_depth and state.turns < MOST_TURNS:
        state, events = rules.step(state, choose(state))
        for event in events:
            if isinstance(event, PlayerHit):
                hits[event.by.kind.name if event.by else "bomb"] += 1
            used += isinstance(event, FindUsed)
    return Game(state, hits, used)


def games(bot: Callable[[], Callable[[State], Action]], seeds: range, last_depth: int) -> Iterator[Game]:
    return (play(seed, bot(), last_depth) for seed in seeds)


def main(count: int = 200, first: int = 0) -> None:
    for bot, last_depth in ((waiter, 4), (careful, 6)):
        played = [*games(bot, range(first, first + count), last_depth)]
        died = [game.state.depth for game in played if game.state.status is Status.DIED]
        reached = sum(game.state.depth >= last_depth for game in played)
        print(f"{bot.__name__}, to depth {last_depth}: {len(died)} of {count} died, {reached} came there")
        print(f"  died on depth {sorted(Counter(died).items())}; {sum(game.used for game in played)} finds used")
        print(f"  points {median(rules.points(game.state) for game in played)} (median)")
        print(f"  hearts lost to {sum((game.hits for game in played), Counter()).most_common(6)}", flush=True)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
