"""Verdicts and the breaker, on a toy problem: the right answer to a number is the number."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import sleep
from typing import Any

import pytest

from dungeon_tui.core.random import Random
from dungeon_tui.judge import verdicts
from dungeon_tui.judge.breaker import search
from dungeon_tui.judge.problem import Case, Objection
from dungeon_tui.judge.program import Answer, Limits

LATE, CRASH = "took longer than 0 s", "ended with status 1"


def case_of(number: int) -> Case:
    return Case(f"{number}", number, f"{number}".encode())


class Numbers:
    """Inputs are numbers, as large as they say; each is simplified to those given."""

    unit, largest = "number", 9

    def __init__(self, simpler: dict[int, list[int]] | None = None) -> None:
        self.simpler = simpler or {}

    def shipped(self) -> list[Case]:
        return []

    def read(self, file: str) -> Case:
        return case_of(int(file))

    def made(self, random: Random, size: int) -> Case:
        return case_of(size)

    def smaller(self, case: Case) -> Iterator[Case]:
        return map(case_of, self.simpler.get(case.size, []))

    def right(self, case: Case) -> Any:
        return case.text

    def objection(self, case: Case, output: str) -> Objection | None:
        return None if output == case.text else Objection(case.text, output)


Runs = Callable[..., list[int]]


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    """Lets a function answer in place of programs; it is given the input and how often that was run before."""

    def answered_by(answer: Callable[[int, int], str], *, is_busy: bool = False) -> list[int]:
        asked = list[int]()

        def run_program(_: object, given: bytes, *__: object) -> Answer:
            number = int(given)
            said = answer(number, asked.count(number))
            asked.append(number)
            fault = said if said in (LATE, CRASH) else None
            return Answer("" if fault else said, "", 1 if fault == CRASH else -9, 1.0, fault, fault == LATE)

        monkeypatch.setattr(verdicts, "run_program", run_program)
        monkeypatch.setattr(verdicts, "crowd", lambda: 2.0 if is_busy else 1.0)
        monkeypatch.setattr(verdicts, "_MAX_IDLE_WAIT_S", 0.0)
        return asked

    return answered_by


NO_TIME = Limits(seconds=0.0)


def test_an_answer_that_was_late_once_is_no_failure(runs: Runs) -> None:
    asked = runs(lambda number, before: f"{number}" if before else LATE)
    verdict = verdicts.judge(Numbers(), [case_of(1), case_of(2)], NO_TIME, "program")
    assert ([test.is_right for test in verdict.tests], asked) == ([True, True], [1, 1, 2, 2])


def test_what_a_flood_leaves_behind_is_bounded(runs: Runs) -> None:
    runs(lambda *_: "much more " * 10**6)
    verdict = verdicts.judge(Numbers(), [case_of(1)], Limits(seconds=60), "program")
    assert 0 < len(verdict.values["smallest"]["got"]) < 10**5
    assert len(verdict.tests[0].said) < 10**5


def test_a_crash_is_not_run_again(runs: Runs) -> None:
    asked = runs(lambda *_: CRASH)
    verdicts.judge(Numbers(), [case_of(1)], Limits(seconds=60), "program")
    assert asked == [1]


@pytest.mark.parametrize(
    ("in_time", "is_busy", "expected"),
    [
        ({7}, False, [1, 1, 2, 3]),  # the first is run again
        ({7}, True, [1, 1, 2, 2, 3, 3]),  # and so is each on a busy machine
        ({3}, False, [1, 1, 2, 3, 4, 4, 5, 6, 7, 8]),  # and the first after a good answer
    ],
)
def test_three_late_answers_and_none_in_time_end_it(
    in_time: set[int], is_busy: bool, expected: list[int], runs: Runs
) -> None:
    asked = runs(lambda number, _: f"{number}" if number in in_time else LATE, is_busy=is_busy)
    verdict = verdicts.judge(Numbers(), [*map(case_of, range(1, 9))], NO_TIME, "program")
    assert asked == expected
    assert verdict.values["failed"] == 8 - len(in_time & {*expected})


def test_late_answers_are_counted_and_run_again_for_each_group(runs: Runs) -> None:
    asked = runs(lambda *_: LATE)
    cases = [replace(case_of(number), group="small" if number < 5 else "large") for number in range(1, 8)]
    verdicts.judge(Numbers(), cases, NO_TIME, "program")
    assert asked == [1, 1, 2, 3, 5, 5, 6, 7]


@pytest.mark.parametrize(
    ("others", "smallest"), [("wrong", "1"), (CRASH, "5")], ids=["to another wrong answer", "never to none"]
)
def test_a_wrong_answer_shrinks(others: str, smallest: str, runs: Runs) -> None:
    runs(lambda number, _: "wrong" if number == 5 else others)
    verdict = verdicts.judge(Numbers({5: [2], 2: [1]}), [case_of(5)], Limits(seconds=60), "program")
    assert verdict.values["smallest"]["input"] == smallest


@pytest.mark.parametrize(("said", "is_shrunk"), [("wrong", True), (LATE, False)])
def test_nothing_smaller_is_looked_for_if_the_last_three_answers_were_late(
    said: str, is_shrunk: bool, runs: Runs
) -> None:
    asked = runs(lambda *_: sleep(0.15 if said == LATE else 0) or said)
    verdicts.judge(Numbers({5: [1]}), [case_of(5), case_of(6), case_of(7)], Limits(seconds=0.1), "program")
    assert (1 in asked) is is_shrunk


def test_a_wrong_answer_goes_before_a_smaller_input_without_one(runs: Runs) -> None:
    runs(lambda number, _: CRASH if number == 1 else "wrong")
    verdict = verdicts.judge(Numbers(), [case_of(1), case_of(5)], Limits(seconds=60), "program")
    assert verdict.values["smallest"]["input"] == "5"


def test_the_breaker_looks_for_smaller_inputs_than_it_shrinks_to(runs: Runs) -> None:
    """Of size 4 two inputs are wrong in turn, then one of size 2 that was right when it was made first."""
    runs(lambda number, before: "wrong" if number == 4 or (number == 2 and before) else f"{number}")
    found = search(Numbers(), "program", Limits(), 60, 1, lambda _: None)
    assert found.values["size"] == 2


def test_the_breaker_asks_again_before_it_counts_no_answer(runs: Runs) -> None:
    runs(lambda number, before: CRASH if number == 2 and not before else f"{number}")
    assert not search(Numbers(), "program", Limits(), 60, 1, lambda _: None).values["found"]
