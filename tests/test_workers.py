"""Work in other processes: results, failures, and that no process is left when nobody waits any more."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import aclosing
from functools import partial
from multiprocessing import active_children
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from dungeon_tui.workers import Process, ProcessEndedError, ProcessError, in_process, run_all
from tests.processes import PATIENCE, assert_ended, environment


def counting(last: int, tell: Callable[..., bool]) -> Iterator[tuple[int, int]]:
    print("noise")
    for number in range(last):
        tell("at", number)
        yield number, os.getpid()


def failing(message: str, tell: object) -> Iterator[int]:
    yield 1
    raise ValueError(message)


def unpicklable(tell: object) -> Iterator[Any]:
    yield lambda: 5


def dying(tell: object) -> Iterator[int]:
    yield 1
    os._exit(3)


def endless(file: str, tell: object) -> Iterator[int]:
    while True:
        Path(file).write_text(str(time.monotonic_ns()))
        yield os.getpid()


async def items(function: Any, *arguments: object) -> list[Any]:
    return [item async for item in in_process(function, *arguments, tell=print)]


async def test_a_process_ends_with_the_iterator_or_the_task_that_waits_for_it(tmp_path: Path) -> None:
    file = tmp_path / "alive"
    async with aclosing(in_process(endless, str(file), tell=print)) as numbers:
        async for _ in numbers:
            break
    assert active_children() == []
    file.unlink()
    task = asyncio.create_task(items(endless, str(file)))
    while not file.exists():
        await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert active_children() == []


async def answers(process: Process, function: Any, *arguments: object, tell: Any = print) -> list[Any]:
    return [item async for item in process.ask(function, *arguments, tell=tell)]


async def test_a_process_that_stays_answers_one_question_after_the_other() -> None:
    process, told = Process(), list[Any]()
    try:
        first = await answers(process, counting, 2, tell=lambda *news: told.append(news))
        second = await answers(process, counting, 3)
        assert told[0] == ("at", 0)
        assert [number for number, _ in second] == [0, 1, 2]
        assert os.getpid() not in {pid for _, pid in second}
        for function, arguments, message in (
            (failing, ("no such grid",), "^no such grid$"),
            (failing, ("",), "^ValueError$"),
            (counting, (lambda: 5,), "pickle|local object"),
            (unpicklable, (), "pickle|local object"),
        ):
            with pytest.raises(ProcessError, match=message):
                await answers(process, function, *arguments)
        third = await answers(process, counting, 1)
        assert len({pid for _, pid in [*first, *second, *third]}) == 1
    finally:
        process.end()
    with pytest.raises(ProcessError, match="has been ended"):
        await answers(process, counting, 1)


def marking(file: str, tell: object) -> Iterator[int]:
    with Path(file).open("a") as marks:
        marks.write("x")
    yield 0


async def test_another_process_takes_the_place_of_one_that_was_not_awaited_or_died(tmp_path: Path) -> None:
    file, mark = tmp_path / "alive", tmp_path / "mark"
    process = Process(partial(marking, str(mark)))
    try:
        async with aclosing(process.ask(endless, str(file), tell=print)) as numbers:
            first = await anext(numbers)
        assert [process.pid for process in active_children()] != [first]  # it is there before the next question
        assert len(active_children()) == 1
        with pytest.raises(ProcessEndedError, match="ended by itself"):
            await answers(process, dying)
        ((_, pid),) = await answers(process, counting, 1)
        assert pid != first
        assert mark.read_text() == "xxx"
    finally:
        process.end()


def squared(number: int) -> tuple[int, int]:
    return number**2, os.getpid()


def fragile(number: int) -> int:
    if number == 1:
        raise ValueError("no such number")
    if number == 2:
        os._exit(3)
    if number == 9:
        time.sleep(PATIENCE)
    return number


@pytest.mark.parametrize("jobs", [1, 2, pytest.param(9, marks=pytest.mark.slow)])
def test_each_task_is_done_once_by_as_many_processes_as_are_allowed(jobs: int) -> None:
    found = dict(run_all(squared, range(5), jobs))
    assert {number: square for number, (square, _) in found.items()} == {0: 0, 1: 1, 2: 4, 3: 9, 4: 16}
    assert 1 <= len({pid for _, pid in found.values()} - {os.getpid()}) <= jobs
    assert active_children() == []


def test_a_task_that_fails_or_kills_its_process_ends_the_others() -> None:
    for tasks, kind, words in (((0, 1), ProcessError, "^no such number$"), ((0, 2), ProcessEndedError, "by itself")):
        with pytest.raises(kind, match=words):
            list(run_all(fragile, tasks, 2))
        assert active_children() == []
    assert list(run_all(fragile, (), 2)) == []


def test_who_stops_early_waits_for_nothing() -> None:
    results = run_all(fragile, (0, 9), 2)
    assert next(results) == (0, 0)
    results.close()
    assert active_children() == []


def test_ctrl_c_is_heard_once_a_process_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though another thread takes the signal, for which the one that starts the process is no obstacle."""
    started, is_over, start = [], Event(), SpawnProcess.start
    Thread(target=is_over.wait, daemon=True).start()

    def interrupted(process: SpawnProcess) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        start(process)
        started.append(process)

    monkeypatch.setattr(SpawnProcess, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(run_all(squared, (1,), 1))
    is_over.set()
    assert len(started) == 1
    assert active_children() == []


SCREEN = """
import asyncio, os, sys
from dungeon_tui.workers import in_process
from tests.test_workers import noisy

class Captured:  # as Textual's, while it draws
    def fileno(self): return -1
    def write(self, text): pass
    def flush(self): pass

async def ask():
    async for pid in in_process(noisy, tell=print):
        os.write(1, b"%d " % pid + bytes([10]))
        if sys.argv[1:] == ["stay"]:
            await asyncio.sleep(60)

sys.stdout = sys.stderr = Captured()
asyncio.run(ask())
"""


def noisy(tell: object) -> Iterator[int]:
    print("noise")
    os.write(1, b"noise")
    os.write(2, b"noise")
    yield os.getpid()


def script(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", SCREEN, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
    )  # fmt: skip


def test_a_process_starts_while_a_screen_is_drawn_and_prints_nothing_there() -> None:
    out, said = script().communicate(timeout=PATIENCE)
    assert out.strip().isdigit()
    assert said == b""


def test_a_process_ends_with_one_that_is_killed() -> None:
    owner = script("stay")
    pid = int(owner.stdout.readline())
    owner.kill()
    owner.communicate(timeout=PATIENCE)
    assert_ended(pid)
