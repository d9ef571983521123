"""Verdicts on programs: runs them on each case, checks the answers, and finds the smallest case that beats them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import astuple, dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import Any, cast

from dungeon_tui.core.random import Random
from dungeon_tui.core.words import counted
from dungeon_tui.judge.cage import base_python
from dungeon_tui.judge.problem import Case, Inputs, Objection, Problem
from dungeon_tui.judge.program import Limits, crowd, run_program

HIDDEN = "hidden/"  # begins the name of a case that students don't see
SHRINKS = 60  # runs that make the smallest case smaller
_FUNCTION = re.compile(r"(.+\.py):(\w+)")
_CALL = """
import os, runpy, sys
path, name = sys.argv[1:]
sys.path.insert(0, os.path.dirname(path))
given = sys.stdin.buffer.read()
print(runpy.run_path(path)[name](given if b"\\0" in given else given.decode()))
"""  # a program that prints the value of a file's function
_MAX_SHOWN = 20_000  # characters
_MOST_SHOWN_INPUT = 2_000  # characters of an input next to an objection, and of a right answer
_MAX_TIMEOUTS = 3  # in a row, before the first answer in time; then the remaining cases are skipped
_MAX_IDLE_WAIT_S, _POLL_INTERVAL_S = 3.0, 0.1  # before one more try


@dataclass(frozen=True, slots=True)
class Test:
    """One case in a verdict."""

    name: str  # "shipped/classic": a family and a case
    is_right: bool
    seconds: float
    said: str = ""  # lines for people
    is_answer: bool = True  # False: no answer, or an unreadable one
    share: float | None = None  # of the points, from 0 to 1; None: all if it is right
    counts: bool = True  # False: it gives no points, because no program could do better or worse
    game: str = ""  # the recording of a game that went wrong

    @property
    def earned(self) -> float:
        """The share of the points, from 0 to 1."""
        return float(self.is_right) if self.share is None else self.share


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings on a program."""

    program: str
    values: Mapping[str, Any]  # for `GAME judge --json`
    tests: tuple[Test, ...]
    summary: str = ""  # as text: the smallest case that beats it, its first mistake


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of a program on a case."""

    objection: Objection | None
    is_loaded: bool  # the program starts
    seconds: float
    is_late: bool = False
    result: Any = None  # for the problem itself
    skipped: str = ""  # why it was not run
    output: str = ""  # of a right answer


@dataclass(frozen=True, slots=True)
class Beaten:
    """A case that a program gets wrong, and the objection."""

    case: Case
    objection: Objection


def cases_of(
    problem: Problem, files: Sequence[str] = (), random: int | None = None, seed: int = 0, hidden: Sequence[str] = ()
) -> list[Case]:
    """The cases in files, or all shipped ones; then random ones, 20 if no file is named; then hidden ones.

    Raises LevelError.
    """
    named = [problem.read(file) for file in files] or problem.shipped()
    chance, count = Random(seed), (0 if files else 20) if random is None else random
    for number in range(count):  # from the smallest to the largest size
        size = 1 + number * problem.largest // (count - 1) if count > 1 else problem.largest // 2
        case = problem.made(Random(chance.word()), min(size, problem.largest))
        named.append(replace(case, name=f"random/{number + 1}"))
    secret = (replace(problem.read(file), name=f"{HIDDEN}{Path(file).name}") for file in hidden)
    return [*named, *secret]


def judge(problem: Problem, cases: Sequence[Case], limits: Limits, program: str) -> Verdict:
    """The verdict on a program. After several timeouts in a row the remaining cases count as failed.

    The smallest case that beats the program is shrunk further, in a limited number of runs.
    """
    with running(problem, program, limits) as run:
        found = [*trials(run, cases)]
        pairs = [*zip(cases, found, strict=True)]
        beaten = [
            Beaten(case, trial.objection)
            for case, trial in pairs
            if trial.objection is not None and not case.name.startswith(HIDDEN)
        ]
        # Prefer a wrong answer to a missing one, which may be the machine's fault.
        smallest = min(
            beaten, key=lambda one: (not one.objection.is_answer, one.case.size, len(one.case.text)), default=None
        )
        loads = any(trial.is_loaded for trial in found)
        is_slow = [trial.is_late for trial in found[-_MAX_TIMEOUTS:]] == [True] * _MAX_TIMEOUTS
        if smallest is not None and loads and not is_slow:
            smallest = shrunk(
                problem,
                smallest,
                lambda case: run(case).objection,
                most=SHRINKS,
                deadline=monotonic() + 6 * limits.seconds,  # for a program that never ends on some inputs
            )
    tests = tuple(_test(case, trial) for case, trial in pairs)
    values = {
        "program": program,
        "loads": loads,
        "cases": len(cases),
        "wrong": sum(not test.is_right and test.is_answer for test in tests),
        "failed": sum(not test.is_answer for test in tests),
        "smallest": smallest
        and {"input": smallest.case.text, "expected": smallest.objection.expected, "got": smallest.objection.got},
    }
    return Verdict(program, values, tests, "" if smallest is None else beaten_text(problem, smallest))


def _test(case: Case, trial: Trial) -> Test:
    if trial.skipped:
        return Test(case.name, False, 0.0, trial.skipped, False)
    found = trial.objection
    said = f"expected, and got:\n{trial.output.rstrip()}" if found is None else objection_text(found)
    if case.is_text and len(case.text) <= _MOST_SHOWN_INPUT:
        said = f"input:\n{case.text.rstrip()}\n{said}"
    return Test(case.name, found is None, trial.seconds, said, found is None or found.is_answer)


def trials(run: Callable[[Case], Trial], cases: Sequence[Case]) -> Iterator[Trial]:
    """Runs a program on each case; skips the rest of a group that begins with several timeouts.

    The first timeout is retried once, and each one on a busy machine, when it is idle or after some seconds.
    """
    slow, was_in_time, group = 0, False, ""
    for case in cases:
        if case.group != group:
            slow, was_in_time, group = 0, False, case.group
        if slow == _MAX_TIMEOUTS and not was_in_time:
            yield Trial(None, False, 0.0, True, skipped=f"not run: {_MAX_TIMEOUTS} timeouts, and no answer in time")
            continue
        trial = run(case)
        if trial.is_late and (not slow or crowd() > 1):
            _wait_until_idle()
            trial = run(case)
        slow = slow + 1 if trial.is_late else 0
        was_in_time |= not trial.is_late
        yield trial


def running(problem: Inputs, program: str, limits: Limits) -> AbstractContextManager[Callable[[Case], Trial]]:
    """Yields a function that runs the program on a case: the problem's own, or one that reads the program's output."""
    own = getattr(problem, "running", None)
    if own is None:
        return nullcontext(partial(_run, cast("Problem", problem), limits, program))
    context: AbstractContextManager[Callable[[Case], Trial]] = own(program, limits)
    return context


def _run(problem: Problem, limits: Limits, program: str, case: Case) -> Trial:
    function = _FUNCTION.fullmatch(program)
    command = [base_python(), "-c", _CALL, *function.groups()] if function else program
    answer = run_program(command, case.given, limits, dict(case.files))
    if answer.fault is None:
        objection, is_loaded = problem.objection(case, answer.output), True
        objection = objection and Objection(*map(_shortened, astuple(objection)))
    else:
        fault = ": ".join([answer.fault, *answer.error.strip().splitlines()[-1:]])
        objection = Objection(problem.right(case), fault, "", False)
        is_loaded = bool(answer.output.strip())  # a program that never prints anything does not load
    output = answer.output[:_MOST_SHOWN_INPUT] if objection is None else ""
    return Trial(objection, is_loaded, round(answer.seconds, 3), answer.is_late, output=output)


def _wait_until_idle() -> None:
    deadline = monotonic() + _MAX_IDLE_WAIT_S
    while crowd() > 1 and monotonic() < deadline:
        sleep(_POLL_INTERVAL_S)


def _shortened(value: Any) -> Any:
    return f"{value[:_MAX_SHOWN]} ..." if isinstance(value, str) and len(value) > _MAX_SHOWN else value


def shrunk(
    problem: Inputs,
    beaten: Beaten,
    objection: Callable[[Case], Objection | None],
    *,
    most: int = 1_000_000,
    deadline: float = inf,
) -> Beaten:
    """Shrinks a case as long as it beats the program: tries at most `most` simpler ones, until the deadline."""
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


def beaten_text(problem: Inputs, beaten: Beaten) -> str:
    """The case and the objection as text."""
    head = f"{beaten.case.name}, {counted(beaten.case.size, problem.unit)}:"
    shown = (
        beaten.case.text.rstrip("\n")
        if beaten.case.is_text
        else "(binary input; `break --output DIR` writes such files)"
    )
    return "\n".join([head, "", shown, "", objection_text(beaten.objection)])


def objection_text(objection: Objection) -> str:
    """The objection as text."""
    pairs = ("expected", f"{objection.expected}"), ("got", f"{objection.got}")
    lines = [f"{name}: {text}" for name, text in pairs if "\n" not in text]
    return "\n".join([*lines, *([objection.drawing] if objection.drawing else [])])
