"""Work in threads that nobody has to wait for: leaving the app leaves them behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import TypeVar

ResultT = TypeVar("ResultT")


class UnexpectedError(ValueError):
    """Raised for errors nobody thought of, in one line."""

    def __init__(self, error: Exception) -> None:
        what = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
        is_full = isinstance(error, MemoryError)
        super().__init__("there is not enough memory for this" if is_full else f"this went wrong: {what}")


async def in_background(function: Callable[..., ResultT], *arguments: object) -> ResultT:
    """The function's result, computed in a daemon thread.

    Unlike asyncio.to_thread, whose threads are joined at the end: a kernel that still compiles must not hold the
    shell's prompt back.

    Raises:
        ValueError: the function raised one, or something that nobody thought of.
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
        except ValueError as error:
            failure = error
        except Exception as error:
            failure = UnexpectedError(error)
            failure.__cause__ = error
        except BaseException as error:
            failure = error
        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            loop.call_soon_threadsafe(settle, value, failure)

    Thread(target=run, daemon=True).start()
    return await result
