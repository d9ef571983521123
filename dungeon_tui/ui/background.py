"""Work in threads, which may outlive the app."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

COMPILING = "Compiling, first time only (up to 30 s) ..."
NO_MEMORY = "there is not enough memory for this"

ResultT = TypeVar("ResultT")


class UnexpectedError(ValueError):
    """Wraps an unexpected error in one line."""

    def __init__(self, error: Exception) -> None:
        what = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
        super().__init__(NO_MEMORY if isinstance(error, MemoryError) else f"this went wrong: {what}")


async def in_background(function: Callable[..., ResultT], *arguments: object) -> ResultT:
    """Runs a function in a daemon thread; asyncio's own would delay the exit. Errors become ValueErrors."""
    result: Future[ResultT] = Future()
    result.set_running_or_notify_cancel()  # the caller may stop waiting; the work goes on

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
