"""Work in a process of its own: what comes back, what went wrong, and that it ends when nobody waits any more."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dungeon_tui.workers import Process, ProcessError, in_process


def counting(last: int, tell: Callable[..., bool]) -> Iterator[tuple[int, int]]:
    print("noise")
    for number in range(last):
        assert tell("at", number) is False
        yield number, os.getpid()


def failing(message: str, tell: object) -> Iterator[int]:
    yield 1
    raise ValueError(message)


def dying(tell: object) -> Iterator[int]:
    yield 1
    os._exit(3)


def endless(file: str, tell: object) -> Iterator[int]:
    while True:
        Path(file).write_text(str(time.monotonic_ns()))
        yield os.getpid()


async def items(function: Any, *arguments: object) -> tuple[list[Any], list[Any]]:
    found, told = [], []
    async for item in in_process(function, *arguments, tell=lambda *values: told.append(values)):
        found.append(item)
    return found, told


async def test_the_items_come_from_another_process_in_their_order() -> None:
    found, told = await items(counting, 5)
    assert [number for number, _ in found] == [0, 1, 2, 3, 4]
    assert os.getpid() not in {pid for _, pid in found}
    assert told[0] == ("at", 0)


async def test_what_went_wrong_there_is_told_here() -> None:
    with pytest.raises(ProcessError, match=r"^no such grid$"):
        await items(failing, "no such grid")
    with pytest.raises(ProcessError, match=r"^ValueError$"):
        await items(failing, "")


async def test_a_process_that_dies_is_noticed() -> None:
    with pytest.raises(ProcessError, match="ended by itself"):
        await items(dying)


async def test_a_process_ends_with_the_iterator(tmp_path: Path) -> None:
    file = tmp_path / "alive"
    async with aclosing(in_process(endless, str(file), tell=print)) as numbers:
        async for _ in numbers:
            break
    last = file.read_text()
    await asyncio.sleep(0.05)
    assert file.read_text() == last


async def test_a_process_ends_with_the_task_that_waits_for_it(tmp_path: Path) -> None:
    file = tmp_path / "alive"
    task = asyncio.create_task(items(endless, str(file)))
    while not file.exists():
        await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    last = file.read_text()
    await asyncio.sleep(0.05)
    assert file.read_text() == last


async def answers(process: Process, function: Any, *arguments: object) -> list[Any]:
    return [item async for item in process.ask(function, *arguments, tell=print)]


async def test_a_process_that_stays_answers_one_question_after_the_other() -> None:
    process = Process()
    try:
        first, second = await answers(process, counting, 2), await answers(process, counting, 3)
        assert [number for number, _ in second] == [0, 1, 2]
        with pytest.raises(ProcessError, match=r"^no such grid$"):
            await answers(process, failing, "no such grid")
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
        with pytest.raises(ProcessError, match="ended by itself"):
            await answers(process, dying)
        ((_, pid),) = await answers(process, counting, 1)
        assert pid != first
        assert mark.read_text() == "xxx"
    finally:
        process.end()


def patient(file: str, tell: Callable[..., bool]) -> Iterator[int]:
    yield os.getpid()
    while not tell():
        time.sleep(0.001)
    Path(file).write_text("given up")


async def test_a_function_is_told_that_nobody_waits(tmp_path: Path) -> None:
    process, file = Process(patience=60), tmp_path / "end"
    try:
        async with aclosing(process.ask(patient, str(file), tell=print)) as numbers:
            first = await anext(numbers)
        ((_, pid),) = await answers(process, counting, 1)
        assert pid == first
        assert file.read_text() == "given up"
    finally:
        process.end()


async def test_who_does_not_listen_is_ended_after_a_while(tmp_path: Path) -> None:
    process, file = Process(patience=0.05), tmp_path / "alive"
    try:
        async with aclosing(process.ask(endless, str(file), tell=print)) as numbers:
            first = await anext(numbers)
        ((_, pid),) = await answers(process, counting, 1)  # asked while the other one still runs
        assert pid != first
        last = file.read_text()
        await asyncio.sleep(0.05)
        assert file.read_text() == last
        with pytest.raises(ProcessError, match="ended by itself"):
            await answers(process, dying)
        ((_, other),) = await answers(process, counting, 1)
        assert other != pid
    finally:
        process.end()
