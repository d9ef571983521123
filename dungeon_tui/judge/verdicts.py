"""Verdicts on programs: run on each case, compared with what is right, and the smallest case that beats them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from math import inf
from time import monotonic
from typing import Any

from dungeon_tui.core.random import Random
from dungeon_tui.core.words import counted
from dungeon_tui.judge.problem import Case, Objection, Problem
from dungeon_tui.judge.program import Limits, run_program

SHRINKS = 60  # runs that make the smallest case smaller
_FUNCTION = re.compile(r"(.+\.py):(\w+)")
_CALL = """
import os, runpy, sys
path, name = sys.argv[1:]
sys.path.insert(0, os.path.dirname(path))
given = sys.stdin.buffer.read()
print(runpy.run_path(path)[name](given if b"\\0" in given else given.decode()))
"""  # as a program: the function of a file, from the input to what is printed
_MOST_SAID = 20_000  # characters
_SLOW = 3  # runs in a row that took too long: the rest is left out


@dataclass(frozen=True, slots=True)
class Test:
    """One line of a verdict: a case, or a chase."""

    name: str  # "shipped/classic": a family and a case
    is_right: bool
    seconds: float
    said: str = ""  # lines for people, where it is wrong
    is_answer: bool = True  # False: there is no answer, or no sense in it


@dataclass(frozen=True, slots=True)
class Verdict:
    """All that is found out about a program."""

    program: str
    values: Mapping[str, Any]  # as `GAME judge --json` tells them
    tests: tuple[Test, ...]
    summary: str = ""  # lines for people: the smallest case that beats it, its first mistake


@dataclass(frozen=True, slots=True)
class Beaten:
    """A case on which a program is wrong, and the objection."""

    case: Case
    objection: Objection


def cases_of(problem: Problem, files: Sequence[str] = (), random: int | None = None, seed: int = 0) -> list[Case]:
    """The cases that are asked for: of files, so many by chance; of neither the shipped ones and 20 by chance.

    Raises:
        LevelError: a file can't be read.
    """
    named = [problem.read(file) for file in files]
    if not files and random is None:
        named, random = problem.shipped(), 20
    return [*named, *by_chance(problem, random or 0, seed)]


def by_chance(problem: Problem, count: int, seed: int) -> Iterator[Case]:
    """Cases made from a seed, from the smallest to the largest size."""
    chance = Random(seed)
    for number in range(count):
        size = 1 + number * problem.largest // max(1, count - 1) if count > 1 else problem.largest // 2
        case = problem.made(Random(chance.word()), min(size, problem.largest))
        yield replace(case, name=f"random/{number + 1}")


def judge(problem: Problem, cases: Sequence[Case], limits: Limits, program: str) -> Verdict:
    """The verdict on a program, by the cases. Once it took too long several times in a row, the rest counts as failed.

    The smallest case that beats it is made smaller still, in a bounded number of runs.
    """
    tests, beaten, slow = list[Test](), list[Beaten](), 0
    loads = False
    for case in cases:
        if slow == _SLOW:
            tests.append(Test(case.name, False, 0.0, f"not run: it took too long {_SLOW} times before", False))
            continue
        for _ in range(1 if slow else 2):  # once more where it was late: the machine may have been busy
            began = monotonic()
            objection, is_loaded = tried(problem, case, limits, program)
            seconds = round(monotonic() - began, 3)
            is_late = objection is not None and not objection.is_answer and seconds >= limits.seconds
            if not is_late:
                break
        loads |= is_loaded
        if objection is None:
            tests.append(Test(case.name, True, seconds))
        else:
            tests.append(Test(case.name, False, seconds, told_objection(objection), objection.is_answer))
            beaten.append(Beaten(case, objection))
        slow = slow + 1 if is_late else 0
    # A wrong answer tells more than none does, of which the machine may have a share.
    smallest = min(
        beaten, key=lambda one: (not one.objection.is_answer, one.case.size, len(one.case.text)), default=None
    )
    if smallest is not None and loads and slow < _SLOW:
        smallest = shrunk(
            problem,
            smallest,
            lambda case: tried(problem, case, limits, program)[0],
            most=SHRINKS,
            deadline=monotonic() + 6 * limits.seconds,  # for a program that is endless on some inputs
        )
    values = {
        "program": program,
        "loads": loads,
        "cases": len(cases),
        "wrong": sum(not test.is_right and test.is_answer for test in tests),
        "failed": sum(not test.is_answer for test in tests),
        "smallest": None if smallest is None else smallest_values(smallest),
    }
    return Verdict(program, values, tuple(tests), "" if smallest is None else told(problem, smallest))


def tried(problem: Problem, case: Case, limits: Limits, program: str) -> tuple[Objection | None, bool]:
    """The objection to what a program answers, None where it is right; and whether it is a program, as far as is seen.

    One that ends by itself with an error, before it has printed anything, may be none.
    """
    if function := _FUNCTION.fullmatch(program):
        answer = run_program([sys.executable, "-c", _CALL, *function.groups()], case.given, limits, dict(case.files))
    else:
        answer = run_program(program, case.given, limits, dict(case.files))
    if answer.fault is None:
        objection = problem.objection(case, answer.output)
        return objection and Objection(*map(_capped, astuple(objection))), True
    fault = ": ".join([answer.fault, *answer.error.strip().splitlines()[-1:]])
    is_loaded = bool(answer.output.strip()) or (answer.seconds > 0 and answer.status < 0)
    return Objection(problem.right(case), fault, "", False), is_loaded


def _capped(value: Any) -> Any:
    """The value; a text without what is beyond the most that anybody reads."""
    return f"{value[:_MOST_SAID]} ..." if isinstance(value, str) and len(value) > _MOST_SAID else value


def shrunk(
    problem: Problem,
    beaten: Beaten,
    objection: Callable[[Case], Objection | None],
    *,
    most: int = 1_000_000,
    deadline: float = inf,
) -> Beaten:
    """The simplest case found that beats the program too, by going on with simpler ones while there is time.

    Args:
        problem: makes the simpler ones.
        beaten: where to begin.
        objection: to what the program answers on a case.
        most: cases that are tried.
        deadline: by the monotonic clock.
    """
    left, known = most, {beaten.case.text}
    is_found = True
    while is_found:
        is_found = False
        for case in problem.smaller(beaten.case):
            if case.text in known:
                continue
            if left == 0 or monotonic() > deadline:
                return beaten
            left -= 1
            known.add(case.text)
            found = objection(case)
            if found is not None and found.is_answer >= beaten.objection.is_answer:
                beaten, is_found = Beaten(replace(case, name="made smaller"), found), True
                break
    return beaten


def smallest_values(beaten: Beaten) -> dict[str, Any]:
    """The smallest case as JSON has it."""
    return {"input": beaten.case.text, "expected": beaten.objection.expected, "got": beaten.objection.got}


def told(problem: Problem, beaten: Beaten) -> str:
    """The case and the objection, in lines for people."""
    head = f"{beaten.case.name}, {counted(beaten.case.size, problem.unit)}:"
    shown = beaten.case.text.rstrip("\n") if beaten.case.is_text else "(its bytes are no text; --output writes them)"
    return "\n".join([head, "", shown, "", told_objection(beaten.objection)])


def told_objection(objection: Objection) -> str:
    """The objection in lines for people."""
    pairs = ("expected", f"{objection.expected}"), ("got", f"{objection.got}")
    lines = [f"{name}: {text}" for name, text in pairs if "\n" not in text]
    return "\n".join([*lines, *([objection.drawing] if objection.drawing else [])])
