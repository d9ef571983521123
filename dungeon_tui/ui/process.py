"""Work in a process of its own: it takes no time from the keys, and can be ended at any moment."""

from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
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
from dungeon_tui.ui.process import serve
serve()
"""


class ProcessError(Exception):
    """What went wrong there, in one line."""


async def in_process(
    function: Callable[..., Iterator[ItemT]], *arguments: object, tell: Callable[..., object]
) -> AsyncIterator[ItemT]:
    """The items that a generator yields, which runs in a process of its own.

    The process ends with the iterator: whoever awaits the next item may be cancelled.

    Args:
        function: at the top of a module that shows nothing. After the arguments it takes a function that it may call
            with what it is doing, which returns False.
        arguments: what pickle can carry, as are the items.
        tell: called here with what the function told, now and then.

    Raises:
        ProcessError: the function failed, the message is its error's; or the process was ended by others.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", _START, json.dumps(sys.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    messages: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
    end = finalize(messages, _end, process)  # at the latest when we exit
    # A thread, not asyncio's own pipes: when the app is left, nobody waits for those to be closed.
    loop = asyncio.get_running_loop()
    Thread(target=_exchange, args=(process, (function, arguments), loop, messages), daemon=True).start()
    try:
        while True:
            kind, content = await messages.get()
            if kind == "item":
                yield content
            elif kind == "told":
                tell(*content)
            elif kind == "failed":
                raise ProcessError(content)
            else:
                return
    finally:
        end()


def serve() -> None:
    """What the other process does: runs the function that comes in, and sends out what it yields."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever the function prints
    told_at = 0.0

    def send(kind: str, content: Any = None) -> None:
        out.write(_packed((kind, content)))
        out.flush()

    def tell(*values: Any) -> bool:
        nonlocal told_at
        if monotonic() - told_at > TOLD_EVERY:
            told_at = monotonic()
            send("told", values)
        return False

    length = int.from_bytes(source.read(_LENGTH))
    try:
        function, arguments = pickle.loads(source.read(length))
        for item in function(*arguments, tell):
            send("item", item)
        send("done")
    except BrokenPipeError:
        return  # nobody listens any more
    except Exception as error:
        send("failed", f"{error}" or type(error).__name__)


def _exchange(
    process: subprocess.Popen[bytes], request: object, loop: asyncio.AbstractEventLoop, messages: asyncio.Queue[Any]
) -> None:
    """Sends the request, and passes on what comes back until the pipe ends."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(RuntimeError), process.stdin as inbox, process.stdout as outbox:  # the loop has ended: nobody waits
        with suppress(OSError, EOFError, pickle.UnpicklingError):  # the process was ended, in the middle of a message
            inbox.write(_packed(request))
            inbox.flush()
            while head := outbox.read(_LENGTH):
                message = pickle.loads(outbox.read(int.from_bytes(head)))
                loop.call_soon_threadsafe(messages.put_nowait, message)
        loop.call_soon_threadsafe(messages.put_nowait, ("failed", "the process that computes has ended by itself"))


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _packed(content: object) -> bytes:
    data = pickle.dumps(content)
    return len(data).to_bytes(_LENGTH) + data
