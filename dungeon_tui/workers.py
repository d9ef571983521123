"""Work in a process of its own: it takes no time from the keys, and can be ended at any moment."""

from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, suppress
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeVar
from weakref import finalize

ItemT = TypeVar("ItemT")

TOLD_EVERY = 0.05  # seconds between two things that are told
_LENGTH = 8  # bytes before each message: how long it is
# Not multiprocessing's own: while Textual draws, it can't start a process.
_START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from dungeon_tui.workers import serve
serve()
"""


class ProcessError(Exception):
    """What went wrong there, in one line."""


async def in_process(
    function: Callable[..., Iterator[ItemT]], *arguments: object, tell: Callable[..., object]
) -> AsyncGenerator[ItemT, None]:
    """The items that a generator yields, which runs in a process of its own.

    The process ends with the iterator: whoever awaits the next item may be cancelled.

    Args:
        function: at the top of a module that shows nothing. After the arguments it takes a function that it may call
            with what it is doing, and which returns whether nobody awaits the answer any more.
        arguments: what pickle can carry, as are the items.
        tell: called here with what the function told, now and then.

    Raises:
        ProcessError: the function failed, the message is its error's; or the process was ended by others.
    """
    process = Process()
    try:
        async with aclosing(process.ask(function, *arguments, tell=tell)) as items:
            async for item in items:
                yield item
    finally:
        process.end()


class Process:
    """A process that stays, for one question after the other: the next one need not wait until Python has started.

    Where an answer isn't awaited to its end, the function is told so, or the process ends there, and another one takes
    its place.
    """

    def __init__(self, prepare: Callable[..., Iterator[object]] | None = None, patience: float = 0) -> None:
        """Nothing is started yet.

        Args:
            prepare: what each process does first, before there is a question; a function like those of `in_process`.
            patience: seconds after which a process is ended whose answer nobody awaits any more. Until then `tell`
                returns True there.
        """
        self._prepare, self._patience = prepare, patience
        self._running: _Running | None = None
        self._has_ended = False

    def start(self) -> None:
        """Starts a process, if none is running; from a running loop."""
        if self._running is None and not self._has_ended:
            self._running = _Running()
            if self._prepare is not None:
                self._running.send(self._prepare, ())

    async def ask(
        self, function: Callable[..., Iterator[ItemT]], *arguments: object, tell: Callable[..., object]
    ) -> AsyncGenerator[ItemT, None]:
        """As `in_process`; one question at a time."""
        running, question = self._send(function, arguments)
        try:
            while True:
                number, kind, content = await running.messages.get()
                if number == _ANY and self._running is not running and not self._has_ended:
                    # It was ended because of an earlier question, which it had not left in time.
                    running, question = self._send(function, arguments)
                elif number not in (question, _ANY):
                    continue
                elif kind == "item":
                    yield content
                elif kind == "told":
                    tell(*content)
                elif kind == "failed":
                    raise ProcessError(content)
                else:
                    return
        finally:
            if running.messages.has_ended or not self._patience:
                self._replace(running, question)
            elif not running.messages.is_over(question):
                running.give_up()
                asyncio.get_running_loop().call_later(self._patience, self._replace, running, question)

    def _send(self, function: Callable[..., Iterator[object]], arguments: tuple[object, ...]) -> tuple[_Running, int]:
        """Which process has the question, and its number there."""
        self.start()
        if self._running is None:
            raise ProcessError("the process that computes has been ended")
        return self._running, self._running.send(function, arguments)

    def _replace(self, running: _Running, question: int) -> None:
        """Another process in the place of one that is not through with a question."""
        if self._running is running and not running.messages.is_over(question):
            running.end()
            self._running = None
            if self._prepare is not None:  # else the next question starts it
                self.start()

    def end(self) -> None:
        """Ends it for good."""
        self._has_ended = True
        if self._running is not None:
            self._running.end()
            self._running = None


_ANY = -1  # number of a message that concerns all questions


class _Messages(asyncio.Queue[tuple[int, str, Any]]):
    """What a process sends: the number of the question, what kind of message, its content."""

    _over = -1
    has_ended = False  # the process

    def take(self, message: tuple[int, str, Any]) -> None:
        """One more."""
        number, kind, _ = message
        self.has_ended |= number == _ANY
        if kind in ("done", "failed"):
            self._over = max(self._over, number)
        self.put_nowait(message)

    def is_over(self, question: int) -> bool:
        """Whether the process is through with a question."""
        return question <= self._over


class _Running:
    """One process, and the threads that talk with it."""

    def __init__(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-c", _START, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.messages = _Messages()
        self._questions: SimpleQueue[bytes | None] = SimpleQueue()
        self._asked = 0
        self.end = finalize(self, _end, process, self._questions)  # at the latest when we exit
        # Threads, not asyncio's own pipes: when the app is left, nobody waits for those to be closed.
        Thread(target=_write, args=(process, self._questions), daemon=True).start()
        Thread(target=_read, args=(process, asyncio.get_running_loop(), self.messages), daemon=True).start()

    def send(self, function: Callable[..., Iterator[object]], arguments: tuple[object, ...]) -> int:
        """Sends a question; returns its number."""
        self._questions.put(_packed((function, arguments)))
        self._asked += 1
        return self._asked - 1

    def give_up(self) -> None:
        """Tells that nobody waits for the answers to what was asked so far."""
        self._questions.put(_NOBODY_WAITS)


_NOBODY_WAITS = bytes(_LENGTH)


class _Inbox:
    """What the other process is asked."""

    def __init__(self) -> None:
        self.questions: SimpleQueue[bytes | None] = SimpleQueue()  # None: there will be no more
        self.given_up = 0  # questions, the first ones, whose answers nobody awaits

    def fill(self) -> None:
        """Takes in what comes, in a thread of its own, until the pipe ends."""
        source, received = sys.stdin.buffer, 0
        while head := source.read(_LENGTH):
            if head == _NOBODY_WAITS:
                self.given_up = received
            else:
                self.questions.put(source.read(int.from_bytes(head)))
                received += 1
        self.given_up = received
        self.questions.put(None)


def serve() -> None:
    """What the other process does: runs the functions that come in, and sends out what they yield."""
    out, inbox = sys.stdout.buffer, _Inbox()
    sys.stdout = sys.stderr  # whatever the functions print
    number = 0
    told_at = 0.0

    def send(kind: str, content: Any = None) -> None:
        out.write(_packed((number, kind, content)))
        out.flush()

    def tell(*values: Any) -> bool:
        nonlocal told_at
        if monotonic() - told_at > TOLD_EVERY:
            told_at = monotonic()
            send("told", values)
        return number < inbox.given_up

    Thread(target=inbox.fill, daemon=True).start()
    try:
        while (question := inbox.questions.get()) is not None:
            try:
                function, arguments = pickle.loads(question)
                for item in function(*arguments, tell):
                    send("item", item)
                send("done")
            except BrokenPipeError:
                raise
            except Exception as error:
                send("failed", f"{error}" or type(error).__name__)
            number += 1
    except BrokenPipeError:
        return  # nobody listens any more


def _write(process: subprocess.Popen[bytes], questions: SimpleQueue[bytes | None]) -> None:
    """Sends the questions on, until there are no more."""
    assert process.stdin is not None
    with suppress(OSError), process.stdin as inbox:  # the process was ended
        while (question := questions.get()) is not None:
            inbox.write(question)
            inbox.flush()


def _read(process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop, messages: _Messages) -> None:
    """Passes on what comes back until the pipe ends."""
    assert process.stdout is not None
    with suppress(RuntimeError), process.stdout as outbox:  # the loop has ended: nobody waits
        with suppress(OSError, EOFError, pickle.UnpicklingError):  # the process was ended, in the middle of a message
            while head := outbox.read(_LENGTH):
                message = pickle.loads(outbox.read(int.from_bytes(head)))
                loop.call_soon_threadsafe(messages.take, message)
        ended = (_ANY, "failed", "the process that computes has ended by itself")
        loop.call_soon_threadsafe(messages.take, ended)


def _end(process: subprocess.Popen[bytes], questions: SimpleQueue[bytes | None]) -> None:
    questions.put(None)
    process.kill()
    process.wait()


def _packed(content: object) -> bytes:
    data = pickle.dumps(content)
    return len(data).to_bytes(_LENGTH) + data
