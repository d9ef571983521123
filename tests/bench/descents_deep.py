"""The descent in figures: promises kept, how far a bot comes, how long levels take to make, how many are decided.

python -m tests.bench.descents_deep [SEEDS] [SECONDS]
"""

import sys
import time
from collections import Counter
from statistics import median, quantiles

from dungeon_tui.core.adventure import Stayed
from dungeon_tui.core.grid import Cell
from dungeon_tui.games.deep.ai.solver import can_leave, escape
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.descent import (
    DEPTHS,
    KEY_DEPTH,
    PROMISES,
    VAULT,
    deepest,
    descent,
    entered,
    exit_of,
    meets_the_promised,
    score,
    toll,
)
from dungeon_tui.games.deep.model.room import DOORS, TREASURE
from dungeon_tui.games.deep.model.state import STEPS, Action, State, Status

PATIENCE = 80  # moves in a level, after which the bot goes straight on
MOST_MOVES = 160  # in a level, after which it gives up


def bot(state: State, been: Counter[Cell], is_careful: bool) -> Action:
    """A step down the distances to the treasure that the way on asks for, then to it; away from what would kill it."""
    door = exit_of(state.level)
    is_rich = state.adventurer.treasure >= state.level.doors[door].carry
    goal = door if is_rich else TREASURE
    tiles = state.room.board.copy()
    cells = [Cell(row, col) for row in range(tiles.shape[0]) for col in range(tiles.shape[1])]
    shut = [Cell(*cell) for cell in cells if tiles[cell] in DOORS and (tiles[cell] != goal)]
    ways: dict[Cell, int] = {}
    for cell in cells:
        if tiles[cell] == goal:
            for place, away in steps_to(state, cell, shut).items():
                ways[place] = min(away, ways.get(place, away))

    def cost(action: Action) -> tuple[int, int, bool]:
        after, events = rules.step(state, action)
        cell = after.adventurer.cell
        if after.level is not state.level or after.status is Status.WON:
            is_vault = state.room.tile(state.adventurer.cell.neighbour(STEPS[action])) != door
            return 2 * is_vault, 0, False
        is_trap = all(rules.step(after, each)[0].status is Status.DIED for each in rules.legal_actions(after))
        is_idle = any(isinstance(event, Stayed) for event in events)
        is_deadly = after.status is Status.DIED or is_trap
        return int(is_deadly and is_careful), ways.get(cell, 99) + 2 * been[cell] * is_careful, is_idle

    return min((*STEPS, Action.STAY), key=cost)


def steps_to(state: State, goal: Cell, shut: list[Cell]) -> dict[Cell, int]:
    """Distances to a cell past walls and the doors that are shut."""
    known, queue = {goal: 0}, [goal]
    for cell in queue:
        for beside in map(cell.neighbour, STEPS.values()):
            if beside not in known and beside not in shut and state.room.tile(beside) not in b"+~":
                known[beside] = known[cell] + 1
                queue.append(beside)
    return known


def run(seed: int) -> list[State]:
    """A bot's descent, to its end or until it gives up: the states of the last level."""
    states, been = [rules.start(descent(seed, can_leave))], Counter[Cell]()
    while states[-1].status is Status.PLAYING and len(states) <= MOST_MOVES:
        state = states[-1]
        been[state.adventurer.cell] += 1
        after, _ = rules.step(state, bot(state, been, len(states) <= PATIENCE))
        states, been = ([*states, after], been) if after.level is state.level else ([after], Counter[Cell]())
    return states


def promises(seeds: int) -> None:
    """Who meets, at each of the first depths, what its text warns of; and whose vault can be opened by depth 2."""
    for depth in range(1, PROMISES + 1):
        levels = [descent(seed, can_leave).levels[str(depth)] for seed in range(seeds)]
        straight = sum(bool(level.text) and meets_the_promised(level, toll(depth - 1)) for level in levels)
        careful = 0
        for level in levels:
            been = Counter[Cell]()

            def choose(state: State, been: Counter[Cell] = been) -> Action:
                been[state.adventurer.cell] += 1
                return bot(state, been, is_careful=True)

            careful += meets_the_promised(level, toll(depth - 1), choose)
        print(f"depth {depth}: {straight} of {seeds} met what lives there straight on, {careful} with care", flush=True)
        if depth == KEY_DEPTH:
            open_ = sum(can_leave(entered(level, toll(depth - 1)), VAULT, 0) for level in levels)
            print(f"the key opens {open_} of {seeds} vaults")


def main(seeds: int = 200, seconds: int = 10) -> None:
    promises(seeds)
    ends, depths, scores, middles = Counter[str](), Counter[int](), [], []
    for seed in range(seeds):
        states = run(seed)
        ends[states[-1].ending or "gave up"] += 1
        depths[deepest(states[-1])] += 1
        scores.append(score(states[-1]))
        middles.append(states[len(states) // 2])
    print(f"bot: {ends.most_common()}; depths {sorted(depths.items())}; score {median(scores)} (median)", flush=True)
    made, starts = [], []
    for seed in range(seeds):
        levels = descent(seed, can_leave).levels
        for depth in range(1, DEPTHS + 1):
            began = time.perf_counter()
            level = levels[str(depth)]
            made.append(time.perf_counter() - began)
            starts += [entered(level, toll(depth - 1))] if depth == seed % DEPTHS + 1 else []
    print(f"made in {median(made):.2f} s, p95 {quantiles(made, n=20)[-1]:.2f} s, at most {max(made):.2f} s", flush=True)
    for title, moments in (("from their start", starts), ("from the middle of the bot's last level", middles)):
        times, found = [], []
        for state in moments:
            began = time.perf_counter()
            found.append(escape(state, bytes([exit_of(state.level)]), time_limit=seconds))
            times.append(time.perf_counter() - began)
        decided, lost = sum(each.is_decided for each in found), sum(each.is_lost for each in found)
        print(
            f"{title}: {decided} of {seeds} decided within {seconds} s each, {lost} lost; median {median(times):.2f} s"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
