"""Work in other processes: it takes no time from the keys, and can be ended at any moment."""

import os
import pickle
import signal
import sys
from asyncio import to_thread
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import aclosing, contextmanager, redirect_stderr, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from threading import Thread, current_thread, main_thread
from time import monotonic
from typing import Any, TypeVar

ItemT = TypeVar("ItemT")
TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")

PROGRESS_INTERVAL_S = 0.05
_SPAWN = get_context("spawn")  # a fork would copy locks that other threads hold


class ProcessError(Exception):
    """Raised when a function failed in another process; the message is its error's."""


class ProcessEndedError(ProcessError):
    """Raised when a process ended before it had answered."""


class Process:
    """A process that answers one question after the other, so that only the first waits for Python to start."""

    def __init__(self, prepare: Callable[..., Iterator[object]] | None = None) -> None:
        """Starts nothing yet; each process first runs `prepare`, a function as `ask` takes it."""
        self._prepare = prepare
        self._running: tuple[Any, Connection] | None = None
        self._has_ended = False

    def start(self) -> None:
        """Starts a process if none is running."""
        if self._running is None and not self._has_ended:
            pipe, theirs = _SPAWN.Pipe()
            process = _SPAWN.Process(target=_answer, args=(theirs, self._prepare), daemon=True)
            with _starting():
                process.start()
                self._running = process, pipe
            theirs.close()

    async def ask(
        self, function: Callable[..., Iterator[ItemT]], *arguments: object, tell: Callable[..., object]
    ) -> AsyncGenerator[ItemT, None]:
        """Yields the items of a generator that runs in the process; leaving it early kills the process.

        The function is at a module's top and takes a reporter last; `tell` gets its news. Raises ProcessError.
        """
        self.start()
        running, question = self._running, (function, arguments)
        if running is None:
            raise ProcessError("the process that computes has been ended")
        is_over = False
        try:
            kind, content = await to_thread(_exchange, running[1], question)
            while kind in ("item", "progress"):
                if kind == "item":
                    yield content
                else:
                    tell(*content)
                kind, content = await to_thread(_exchange, running[1])
            is_over = kind != "ended"
            if kind != "done":
                raise (ProcessError if is_over else ProcessEndedError)(content)
        finally:
            if not is_over and self._running is running:
                self._kill()
                if self._prepare is not None:
                    self.start()

    def end(self) -> None:
        """Kills the process, if one runs; from then on `ask` raises ProcessError."""
        self._has_ended = True
        self._kill()

    def _kill(self) -> None:
        if self._running is not None:
            process, _ = self._running  # a thread may still read from the pipe
            process.kill()
            process.join()
            self._running = None


async def in_process(
    function: Callable[..., Iterator[ItemT]], *arguments: object, tell: Callable[..., object]
) -> AsyncGenerator[ItemT, None]:
    """As `Process.ask`, in a new process that ends with the iteration."""
    process = Process()
    try:
        async with aclosing(process.ask(function, *arguments, tell=tell)) as items:
            async for item in items:
                yield item
    finally:
        process.end()


def run_all(
    function: Callable[[TaskT], ResultT], tasks: Sequence[TaskT], jobs: int
) -> Generator[tuple[int, ResultT], None, None]:
    """Yields index and result of each task, done in other processes. Raises ProcessError, ProcessEndedError."""
    if not tasks:
        return
    theirs, lifeline = _SPAWN.Pipe(duplex=False)
    with _starting():
        pool = ProcessPoolExecutor(min(jobs, len(tasks)), _SPAWN, _end_with, (theirs,))
    try:
        with _starting():
            numbers = {pool.submit(_result, function, task): number for number, task in enumerate(tasks)}
        for future in as_completed(numbers):
            yield numbers[future], future.result()
    except BrokenProcessPool:
        raise ProcessEndedError("a process has ended by itself") from None
    finally:
        lifeline.close()
        pool.shutdown(cancel_futures=True)
        theirs.close()


@contextmanager
def _starting() -> Iterator[None]:
    """Lets processes start while Textual draws. They never see Ctrl-C or a closed terminal; we see Ctrl-C later."""
    interrupts: list[int] = []
    before: Any = None
    if is_main := current_thread() is main_thread():  # only there are signals answered
        before = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    ours = [signal.SIGINT, signal.SIGHUP] if sys.platform != "win32" else []
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ours) if sys.platform != "win32" else None  # processes inherit it
    try:
        with redirect_stderr(sys.__stderr__):  # Textual's has no descriptor, which multiprocessing would hand on
            yield
    finally:
        if sys.platform != "win32" and mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if is_main:
            signal.signal(signal.SIGINT, before)
    if interrupts:
        signal.raise_signal(signal.SIGINT)


def _exchange(pipe: Connection, *questions: object) -> tuple[str, Any]:
    """Sends a question, if any; then the next message: its kind (item, progress, done, failed or ended) and content."""
    try:
        for question in questions:
            pipe.send(question)
        message: tuple[str, Any] = pipe.recv()
        return message
    except (EOFError, OSError):
        return "ended", "the process that computes has ended by itself"
    except Exception as error:  # it can't be pickled
        return "failed", str(error)


# In the other process


def _end_with(pipe: Connection) -> None:
    """Ends this process when the other end of the pipe is closed; makes it ignore Ctrl-C."""

    def wait() -> None:
        with suppress(EOFError, OSError):
            pipe.recv_bytes()
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=wait, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
    os._exit(1)


def _result(function: Callable[[TaskT], ResultT], task: TaskT) -> ResultT:
    try:
        return function(task)
    except Exception as error:  # not every error can be pickled
        raise ProcessError(str(error) or type(error).__name__) from None


def _answer(pipe: Connection, prepare: Callable[..., Iterator[object]] | None) -> None:
    """Runs the functions that arrive and sends their items, until the pipe is closed."""
    reported_at = 0.0

    def tell(*values: object) -> None:
        nonlocal reported_at
        if monotonic() - reported_at > PROGRESS_INTERVAL_S:
            reported_at = monotonic()
            pipe.send(("progress", values))

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    Thread(target=_end_with_parent, daemon=True).start()
    if prepare is not None:
        with suppress(Exception):
            for _ in prepare(lambda *_: None):
                pass
    with suppress(EOFError, OSError):
        while True:
            question = pipe.recv_bytes()
            try:
                function, arguments = pickle.loads(question)
                for item in function(*arguments, tell):
                    pipe.send(("item", item))
                pipe.send(("done", None))
            except Exception as error:
                pipe.send(("failed", str(error) or type(error).__name__))
