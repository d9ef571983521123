"""The breaker: the smallest input that beats a program, looked for from the smallest sizes on and then made smaller."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, islice
from time import monotonic
from typing import Any

from dungeon_tui.core.random import Random
from dungeon_tui.core.words import counted
from dungeon_tui.judge.problem import Case, Objection, Problem
from dungeon_tui.judge.program import Limits
from dungeon_tui.judge.verdicts import Beaten, shrunk, told, tried

_IN_VAIN = 200  # cases in a row that were there before: hardly any other is left


@dataclass(frozen=True, slots=True)
class Found:
    """The end of a search."""

    values: dict[str, Any]  # as `GAME break --json` tells them
    told: str  # lines for people
    files: tuple[tuple[str, bytes], ...] = ()  # that the input is made of, by name


def search(
    problem: Problem, program: str, limits: Limits, seconds: float, seed: int, tell: Callable[[str], object]
) -> Found:
    """Looks for the smallest input that beats a program.

    Which inputs are tried, and in which order, depends on the seed alone.

    Args:
        problem: makes and judges inputs.
        program: a command line.
        limits: of a run.
        seconds: for all of it.
        seed: any integer.
        tell: called with words on how far it is.
    """
    deadline = monotonic() + seconds
    runs = largest = 0

    def objection(case: Case) -> Objection | None:
        nonlocal runs
        if monotonic() > deadline:
            return None
        runs += 1
        tell(f"{counted(runs, 'input')}, up to {counted(max(largest, case.size), problem.unit)}")
        found = tried(problem, case, limits, program)[0]
        if found is not None and not found.is_answer:  # the machine may have been busy
            found = tried(problem, case, limits, program)[0]
        return found

    def first(some: Iterable[Case]) -> Beaten | None:
        nonlocal largest
        for case in some:
            found = objection(case)
            if found is not None:
                return Beaten(case, found)
            if monotonic() > deadline:
                break
            largest = max(largest, case.size)
        return None

    chance = Random(seed)
    beaten, smaller = None, first(cases(problem, chance, problem.largest))
    while smaller is not None:  # what it shrinks to may be the smallest of its neighbours only
        beaten = shrunk(problem, smaller, objection, deadline=deadline)
        smaller = first(islice(cases(problem, chance, beaten.case.size - 1), runs))
    if beaten is None:
        values: dict[str, Any] = {"found": False, "size": None, "input": None, "expected": None, "got": None}
        said = f"Nothing found: it is right on {counted(runs, 'input')} of up to {counted(largest, problem.unit)}."
        return Found({**values, "tried": runs, "largest": largest}, said)
    case = replace(beaten.case, name=f"seed {seed}")
    beaten = replace(beaten, case=case)
    values = {"found": True, "size": case.size, "input": case.text}
    values |= {"expected": beaten.objection.expected, "got": beaten.objection.got, "tried": runs, "largest": largest}
    return Found(values, told(problem, beaten), (("input", case.given), *case.files))


def cases(problem: Problem, chance: Random, largest: int) -> Iterator[Case]:
    """Cases, none twice: one of size 1, then of 1 and 2, then of 1, 2 and 3, and so on, while new ones are made."""
    seen, again = set[Any](), 0
    for step in count(1):
        if largest < 1 or again > _IN_VAIN:
            return
        for size in range(1, min(step, largest) + 1):
            case = problem.made(Random(chance.word()), size)
            again += 1
            if (case.given, case.files) not in seen:
                seen.add((case.given, case.files))
                again = 0
                yield case
