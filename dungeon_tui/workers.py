"""Work in other processes: it takes no time from the keys, and can be ended at any moment."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from contextlib import aclosing, contextmanager, redirect_stderr, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from threading import Lock, Thread, current_thread, main_thread
from time import monotonic
from typing import Any, TypeVar, cast
from weakref import finalize

ItemT = TypeVar("ItemT")
TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")

TOLD_EVERY = 0.05  # seconds between two reports of progress
_GRACE = 1.0  # seconds in which a process that ends others may leave by itself
_LAST = ("done", "failed")  # kinds of messages
_SPAWN = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads hold


class ProcessError(Exception):
    """Raised when a function failed in another process; the message is its error's."""


class ProcessEndedError(ProcessError):
    """Raised when a process ended before it had answered."""


async def in_process(
    function: Callable[..., Iterator[ItemT]], *arguments: object, tell: Callable[..., object]
) -> AsyncGenerator[ItemT, None]:
    """Yields the items of a generator that runs in a process of its own, which ends when the iteration does.

    Arguments and errors are those of `Process.ask`.
    """
    process = Process()
    try:
        async with aclosing(process.ask(function, *arguments, tell=tell)) as items:
            async for item in items:
                yield item
    finally:
        process.end()


class Process:
    """A process that stays for one question after the other, so that only the first one waits for Python to start.

    It reads and writes no terminal. Another process takes its place when it dies, or when an answer is no longer
    awaited.
    """

    def __init__(self, prepare: Callable[..., Iterator[object]] | None = None) -> None:
        """Starts nothing yet; each process will run `prepare` first, a function as `ask` takes it."""
        self._prepare = prepare
        self._worker: _Worker | None = None
        self._has_ended = False

    def start(self) -> None:
        """Starts a process if none is running; from a running loop."""
        if self._worker is None and not self._has_ended:
            self._worker = _Worker(is_quiet=True)
            if self._prepare is not None:
                self._worker.converse(self._prepare, ())

    async def ask(
        self, function: Callable[..., Iterator[ItemT]], *arguments: object, tell: Callable[..., object]
    ) -> AsyncGenerator[ItemT, None]:
        """Yields the items of a generator that runs in the process, one at a time; leaving it early kills the process.

        Args:
            function: at the top of a module. After the arguments it takes a function to report progress with.
            arguments: picklable, as are the items.
            tell: called here with what was reported, now and then.

        Raises:
            ProcessError: the function failed, or the process was ended by others.
        """
        self.start()
        worker = self._worker
        if worker is None:
            raise ProcessError("the process that computes has been ended")
        messages = worker.converse(function, arguments)
        is_over = False
        try:
            while not is_over:
                kind, content = await messages.get()
                is_over = kind in _LAST
                if kind == "item":
                    yield content
                elif kind == "told":
                    tell(*content)
                elif kind in ("failed", "ended"):
                    raise (ProcessError if kind == "failed" else ProcessEndedError)(content)
        finally:
            if not is_over and self._worker is worker:
                worker.end()
                self._worker = None
                if self._prepare is not None:
                    self.start()

    def end(self) -> None:
        """Kills the process, if one runs; from then on `ask` raises ProcessError."""
        self._has_ended = True
        if self._worker is not None:
            self._worker.end()
            self._worker = None


def run_all(
    function: Callable[[TaskT], ResultT],
    tasks: Sequence[TaskT],
    jobs: int,
    leave: Callable[[], object] | None = None,
) -> Generator[tuple[int, ResultT], None, None]:
    """Yields the index and the result of each task, whichever is ready first; the tasks run in other processes.

    Args:
        function: at the top of a module.
        tasks: picklable, as are the results.
        jobs: processes at most; they end with the iterator, and when ours ends in whatever way.
        leave: called in a process that has to end early; it ends what that started.

    Raises:
        ProcessError: the function failed.
        ProcessEndedError: one of the processes was killed.
    """
    numbered = iter(enumerate(tasks))
    workers: dict[Connection, _Worker] = {}
    numbers: dict[Connection, int] = {}  # of the tasks that are being done

    def give_next(pipe: Connection) -> None:
        numbers.pop(pipe, None)
        for numbers[pipe], task in numbered:
            pipe.send((_once, (function, task)))
            return

    try:
        for _ in range(min(jobs, len(tasks))):
            worker = _Worker(leave=leave)
            workers[worker.pipe] = worker
        for pipe in workers:
            give_next(pipe)
        while numbers:
            for pipe in cast("list[Connection]", wait(numbers)):
                try:
                    kind, content = pipe.recv()
                except (OSError, EOFError):
                    raise ProcessEndedError("a process has ended by itself") from None
                if kind == "item":
                    yield numbers[pipe], content
                elif kind == "failed":
                    raise ProcessError(content)
                else:
                    give_next(pipe)
    finally:
        for pipe in workers:
            pipe.close()
        for worker in workers.values():
            worker.end()


def _once(function: Callable[[TaskT], ResultT], task: TaskT, tell: object) -> Iterator[ResultT]:
    yield function(task)


_Messages = asyncio.Queue[tuple[str, Any]]


class _Worker:
    """A process that runs generators, and sends what they yield. It ends with ours, however that ends."""

    def __init__(self, *, is_quiet: bool = False, leave: Callable[[], object] | None = None) -> None:
        self.pipe, theirs = _SPAWN.Pipe()
        self._talking = Lock()
        process = _SPAWN.Process(target=_serve, args=(theirs, is_quiet, leave), daemon=True)
        with _starting():
            process.start()
            theirs.close()
            self.end = finalize(self, _end, process, 0 if leave is None else _GRACE)  # at the latest when we exit

    def converse(self, function: Callable[..., object], arguments: tuple[object, ...]) -> _Messages:
        """Has the process run a generator; returns a queue that its messages come into, kind and content of each.

        Kinds are item, told, and at last done, failed or ended.
        """
        messages, loop = _Messages(), asyncio.get_running_loop()

        def talk() -> None:
            kind, content = "", None
            with suppress(RuntimeError), self._talking:  # the loop has ended: nobody waits
                while kind not in (*_LAST, "ended"):
                    try:
                        if not kind:
                            self.pipe.send((function, arguments))
                        kind, content = self.pipe.recv()
                    except (OSError, EOFError, pickle.UnpicklingError):
                        kind, content = "ended", "the process that computes has ended by itself"
                    except Exception as error:  # it can't be pickled
                        kind, content = "failed", str(error)
                    loop.call_soon_threadsafe(messages.put_nowait, (kind, content))

        # A thread, not asyncio's own pipes: when the app is left, nobody waits for those to be closed.
        Thread(target=talk, daemon=True).start()
        return messages


@contextmanager
def _starting() -> Iterator[None]:
    """Lets multiprocessing start a process while Textual draws; Ctrl-C is held back, and never reaches that process."""
    if sys.platform == "win32":
        yield
        return
    with _held_back(signal.SIGINT):
        # Textual's has no descriptor, which multiprocessing's tracker would inherit.
        with redirect_stderr(sys.__stderr__):
            resource_tracker.ensure_running()
        kept = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # the process inherits that
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, kept)


@contextmanager
def _held_back(number: signal.Signals) -> Iterator[None]:
    """Lets a signal be answered afterwards only; a mask holds for one thread, and another would take the signal."""
    if current_thread() is not main_thread():  # where signals are answered
        yield
        return
    came: list[int] = []
    before = signal.signal(number, lambda *_: came.append(number))
    try:
        yield
    finally:
        signal.signal(number, before)
    if came:
        signal.raise_signal(number)


def _end(process: BaseProcess, grace: float) -> None:
    process.join(grace)
    process.kill()
    process.join()


def _serve(pipe: Connection, is_quiet: bool, leave: Callable[[], object] | None) -> None:
    """Runs the functions that come in, in the other process, and sends what they yield until nobody listens."""
    questions: SimpleQueue[bytes] = SimpleQueue()
    told_at = 0.0

    def depart(*_: object) -> None:
        if leave is not None:
            leave()
        os._exit(1)

    def receive() -> None:
        with suppress(OSError, EOFError):
            while True:
                questions.put(pipe.recv_bytes())
        depart()

    def tell(*values: object) -> None:
        nonlocal told_at
        if monotonic() - told_at > TOLD_EVERY:
            told_at = monotonic()
            pipe.send(("told", values))

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if leave is not None:
        signal.signal(signal.SIGTERM, depart)
    if is_quiet:
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
    Thread(target=receive, daemon=True).start()
    with suppress(OSError):
        while True:
            try:
                function, arguments = pickle.loads(questions.get())
                for item in function(*arguments, tell):
                    pipe.send(("item", item))
                pipe.send(("done", None))
            except Exception as error:
                pipe.send(("failed", f"{error}" or type(error).__name__))
    depart()
