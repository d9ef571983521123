"""A race of algorithms on one grid: each of them is run whole, and its visits are shown at one pace for all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from dungeon_tui.core.words import sentence
from dungeon_tui.games.rescue.ai.algorithms import Solution, SolvingStoppedError, Work, solve
from dungeon_tui.games.rescue.model.level import Level

MOST_STEPS = 200_000  # of an algorithm that are shown


@dataclass(frozen=True, slots=True)
class Lane:
    """The run of one algorithm in a race, recorded visit by visit."""

    name: str
    steps: Sequence[tuple[int, int, Work]]  # row, column and the work so far; the engine tells of none
    solution: Solution | None  # None: there is trouble
    trouble: str = ""

    @property
    def end(self) -> int:
        """Number of visits after which the run is over; 0 if it was refused."""
        if self.solution is not None:
            return self.solution.work.visits
        return self.steps[-1][2].visits if self.steps else 0

    def place(self, visits: int) -> int:
        """Number of `steps` made after so many visits; a step may be several visits, and counts once all are made."""
        return bisect_right(self.steps, visits, key=lambda step: step[2].visits)

    def work(self, visits: int) -> Work:
        """The work done after so many visits."""
        if self.solution is not None and visits >= self.end:
            return self.solution.work
        place = self.place(visits)
        return self.steps[place - 1][2] if place else Work()


def run_lane(level: Level, name: str, most: int = MOST_STEPS) -> Lane:
    """The run of an algorithm; its trouble says if it was ended after `most` steps, or why it was refused."""
    steps: list[tuple[int, int, Work]] = []

    def watch(row: int, col: int, done: Work) -> None:
        if len(steps) == most:
            raise SolvingStoppedError
        steps.append((row, col, done))

    try:
        return Lane(name, steps, solve(level, name, watch, every=1))
    except SolvingStoppedError:
        return Lane(name, steps, None, f"not done after {most:,} steps: the race ends here")
    except ValueError as error:
        return Lane(name, steps, None, str(error))


def verdict(lanes: Sequence[Lane]) -> str:
    """A sentence with the visits of each lane, the fewest first, the others as multiples of it; then who isn't done."""
    done = sorted((lane for lane in lanes if lane.solution is not None), key=lambda lane: lane.end)
    told = [f"{done[0].name} needed {done[0].end:,} visits"] if done else []
    for lane in done[1:]:
        times = lane.end / done[0].end
        told.append(f"{lane.name} {lane.end:,}, " + ("as many" if times == 1 else f"{times:.3g} times as many"))
    return sentence("; ".join([*told, *(f"{lane.name} isn't done" for lane in lanes if lane.solution is None)]))


def starters(level: Level) -> tuple[str, ...]:
    """Names of the three algorithms that race unless others are chosen; "recursive" only where its end can be shown."""
    rows, cols = level.grid.shape
    slowest = "recursive" if comb(rows + cols, rows) <= MOST_STEPS else "tabulated"
    return slowest, "memoised", "binary-search"
