"""Searches for the smallest input that beats a program: tries small sizes first, then shrinks the input found."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, islice
from time import monotonic
from typing import Any

from dungeon_tui.core.random import Random
from dungeon_tui.core.words import counted
from dungeon_tui.judge.problem import Case, Inputs, Objection
from dungeon_tui.judge.program import Limits
from dungeon_tui.judge.verdicts import Beaten, beaten_text, running, shrunk

_LARGE_EVERY = 4  # rounds
_MAX_REPEATS = 200  # repeated cases in a row: new ones are rare


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search."""

    values: dict[str, Any]  # for `GAME break --json`
    text: str  # the same in words
    files: tuple[tuple[str, bytes], ...] = ()  # name and content of the parts of the input
    beaten: Beaten | None = None

    @property
    def is_answer(self) -> bool:
        """True if the program gave a wrong answer, False if it gave none or nothing was found."""
        return self.beaten is not None and self.beaten.objection.is_answer


def search(
    problem: Inputs,
    program: str,
    limits: Limits,
    seconds: float,
    seed: int,
    tell: Callable[[str], object],
    named: Sequence[Case] = (),
) -> Found:
    """Searches for the smallest input that beats a program: first the named ones, then others made from the seed.

    `seconds` limit the whole search, `limits` each run; `tell` gets a line of progress.
    """
    deadline = monotonic() + seconds
    runs = largest = 0
    least = getattr(problem, "least_tries", 0)
    chance = Random(seed)
    beaten = None
    with running(problem, program, limits) as run:

        def objection(case: Case) -> Objection | None:
            nonlocal runs
            if monotonic() > deadline:
                return None
            runs += 1
            tell(f"{counted(runs, 'input')}, up to {counted(max(largest, case.size), problem.unit)}")
            found = run(case).objection
            if found is not None and not found.is_answer:  # the machine may have been busy
                found = run(case).objection
            return found

        def first(some: Iterable[Case]) -> Beaten | None:
            nonlocal largest
            for case in some:
                if monotonic() > deadline:
                    break
                found = objection(case)
                if found is not None:
                    return Beaten(case, found)
                largest = max(largest, case.size)
            return None

        farthest = getattr(problem, "farthest", problem.largest)
        smaller = first(chain(named, cases(problem, chance, problem.largest, farthest)))
        while smaller is not None:  # the shrunk case may be a local minimum only: search below it
            beaten = shrunk(problem, smaller, objection, deadline=deadline)
            smaller = first(islice(cases(problem, chance, beaten.case.size - 1), max(runs, least)))
    if beaten is None:
        values: dict[str, Any] = {"found": False, "size": None, "input": None, "expected": None, "got": None}
        said = f"Nothing found: it is right on {counted(runs, 'input')} of up to {counted(largest, problem.unit)}."
        return Found({**values, "tried": runs, "largest": largest}, said)
    case = replace(beaten.case, name=f"seed {seed}")
    beaten = replace(beaten, case=case)
    values = {"found": True, "size": case.size, "input": case.text}
    values |= {"expected": beaten.objection.expected, "got": beaten.objection.got, "tried": runs, "largest": largest}
    values |= beaten.objection.details
    return Found(values, beaten_text(problem, beaten), (("input", case.given), *case.files), beaten)


def cases(problem: Inputs, chance: Random, largest: int, farthest: int = 0) -> Iterator[Case]:
    """Distinct cases: one of size 1, then sizes 1 and 2, then 1, 2 and 3, and so on, as long as new ones turn up.

    Up to `farthest`, if that is larger, every fourth round ends with a case of twice the size, for arrays too short.
    """
    seen, again = set[Any](), 0
    for step in count(1):
        if largest < 1 or again > _MAX_REPEATS:
            return
        sizes = [*range(1, min(step, largest) + 1)]
        if farthest > largest and step % _LARGE_EVERY == 0:
            sizes.append(min(largest << step // _LARGE_EVERY, farthest))
        for size in sizes:
            case = problem.made(Random(chance.word()), size)
            again += 1
            if case.size <= max(largest, farthest) and (case.given, case.files) not in seen:
                seen.add((case.given, case.files))
                again = 0
                yield case
