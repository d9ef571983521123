"""Work in threads that nobody has to wait for: leaving the app leaves them behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import TypeVar

ResultT = TypeVar("ResultT")


async def in_background(function: Callable[..., ResultT], *arguments: object) -> ResultT:
    """The function's result, computed in a daemon thread.

    Unlike asyncio.to_thread, whose threads are joined at the end: a kernel that still compiles must not hold the
    shell's prompt back.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[ResultT] = loop.create_future()

    def settle(value: ResultT | None, error: BaseException | None) -> None:
        if result.cancelled():
            return
        if error is not None:
            result.set_exception(error)
        else:
            result.set_result(value)  # type: ignore[arg-type]  # None only where the function returns that

    def run() -> None:
        value: ResultT | None = None
        failure: BaseException | None = None
        try:
            value = function(*arguments)
        except BaseException as error:
            failure = error
        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            loop.call_soon_threadsafe(settle, value, failure)

    Thread(target=run, daemon=True).start()
    return await result
