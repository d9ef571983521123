"""Work in threads that nobody has to wait for: leaving the app leaves them behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

COMPILING = "What this needs is compiled, this first time only: five to fifteen seconds."
NO_MEMORY = "there is not enough memory for this"

ResultT = TypeVar("ResultT")


class UnexpectedError(ValueError):
    """Raised for errors nobody thought of, in one line."""

    def __init__(self, error: Exception) -> None:
        what = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
        is_full = isinstance(error, MemoryError)
        super().__init__(NO_MEMORY if is_full else f"this went wrong: {what}")


async def in_background(function: Callable[..., ResultT], *arguments: object) -> ResultT:
    """The function's result, computed in a daemon thread.

    Unlike asyncio.to_thread, whose threads are joined at the end: a kernel that still compiles must not hold the
    shell's prompt back.

    Raises:
        ValueError: the function raised one, or something that nobody thought of.
    """
    result: Future[ResultT] = Future()
    result.set_running_or_notify_cancel()  # whoever waits may stop waiting; the work goes on

    def run() -> None:
        try:
            result.set_result(function(*arguments))
        except ValueError as error:
            result.set_exception(error)
        except Exception as error:
            failure = UnexpectedError(error)
            failure.__cause__ = error
            result.set_exception(failure)
        except BaseException as error:
            result.set_exception(error)

    Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(result)
