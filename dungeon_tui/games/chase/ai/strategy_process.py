"""A strategy of the user's own, `FILE.py:function`, in a process that can be ended.

Naming a file runs what stands in it, with all that its user may do on this machine: name only files that you would run
yourself. The process keeps loops, crashes, exits and noise away from the chase; it is no cage.
"""

from __future__ import annotations

import codecs
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any
from weakref import finalize

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import printable
from dungeon_tui.games.chase.ai.strategy_server import NoMoveError, read_site, shortened
from dungeon_tui.games.chase.model.level import Level, level_text
from dungeon_tui.games.chase.model.state import State

PATIENCE = 60.0  # seconds, for loading a file or a board: the kernels may have to be compiled first

_LONGEST = 1_000_000  # bytes of a reply
_running: set[subprocess.Popen[bytes]] = set()
_START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from dungeon_tui.games.chase.ai.strategy_server import serve
serve()
"""


class StrategyError(ValueError):
    """Raised when there is no such strategy, or it can't be loaded; the message is one line."""


class StrategyProcess:
    """A process that has loaded a file, and answers with its function's moves."""

    def __init__(self, path: str, function: str) -> None:
        """Starts the process and loads the file.

        Raises:
            StrategyError: it can't be opened, loading it fails (where), or it has no such function.
        """
        try:
            process = subprocess.Popen(
                [sys.executable, "-c", _START, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that it ends with all that it started; the terminal's Ctrl-C is ours
            )
        except OSError as error:
            raise StrategyError(f"{printable(path)}: no process can be started: {error.strerror}") from None
        _running.add(process)
        self._outbox: SimpleQueue[bytes] = SimpleQueue()
        self._inbox: SimpleQueue[bytes] = SimpleQueue()
        self._threads = [
            Thread(target=_send, args=(process.stdin, self._outbox), daemon=True),
            Thread(target=_receive, args=(process.stdout, self._inbox), daemon=True),
            Thread(target=_repeat, args=(process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        self._end = finalize(self, _end, process)  # at the latest when we exit
        try:
            self._exchange({"file": path, "function": function}, PATIENCE)
        except NoMoveError as fault:
            self.close()
            raise StrategyError(f"{printable(path)}: {fault}") from None

    @property
    def is_alive(self) -> bool:
        """True if it can still be asked."""
        return self._end.alive

    def show(self, level: Level) -> None:
        """Sends the board that the positions to come are on.

        Functions that remember what they computed from a level remember it as long as no other one is shown.

        Raises:
            NoMoveError: the process has ended.
        """
        self._exchange({"board": level_text(level), "name": level.name, "moves": level.moves}, PATIENCE)

    def ask(self, state: State, seconds: float) -> Cell:
        """Site that the function moves to, on the board shown last.

        Raises:
            NoMoveError: it gave no site, or none in time; if it didn't answer at all the process has been ended.
        """
        fields = ("monster", "rogue", "monster_moves", "seed")
        request = {field: getattr(state, field) for field in fields} | {"side": state.side.value}
        return read_site(self._exchange(request, seconds))

    def close(self) -> None:
        """Ends the process, and all that it started."""
        self._end()
        self._outbox.put(b"")
        for thread in self._threads:
            thread.join(timeout=1)  # what it printed last; a process that hid from us may hold its pipes for longer

    def _exchange(self, request: dict[str, Any], seconds: float) -> Any:
        request["seconds"] = seconds
        try:
            self._outbox.put(json.dumps(request).encode() + b"\n")
            line = self._inbox.get(timeout=seconds)
        except Empty:
            self.close()
            raise NoMoveError(f"took longer than {seconds:g} s") from None
        except BaseException:  # Ctrl-C: its answer would come when something else is asked
            self.close()
            raise
        try:
            kind, content = json.loads(line)
        except (ValueError, TypeError, RecursionError):  # nothing came, or nothing of ours
            status = self._end()
            self.close()
            raise NoMoveError(_last_words(status)) from None
        if kind != "done":
            raise NoMoveError(shortened(str(content)))
        return content


def end_all() -> None:
    """Ends all processes of strategies: for whoever leaves by `os._exit`, which ends nothing else."""
    for process in tuple(_running):
        _kill(process)


def _send(pipe: IO[bytes], outbox: SimpleQueue[bytes]) -> None:
    with suppress(OSError), pipe:
        for line in iter(outbox.get, b""):
            pipe.write(line)
            pipe.flush()


def _receive(pipe: IO[bytes], inbox: SimpleQueue[bytes]) -> None:
    with pipe:
        for line in iter(lambda: pipe.readline(_LONGEST), b""):
            inbox.put(line)
    inbox.put(b"")


def _repeat(pipe: IO[bytes]) -> None:
    """Repeats what it prints through our sys.stderr, which an app may have replaced to keep its screen whole."""
    with pipe:
        chunks = iter(lambda: os.read(pipe.fileno(), 65536), b"")
        for text in codecs.iterdecode(chunks, "utf-8", "backslashreplace"):
            with suppress(OSError, ValueError, AttributeError):  # closed, or there is none
                sys.stderr.write(text)


def _end(process: subprocess.Popen[bytes]) -> int:
    """Ends the process and its group, unless it has ended; its exit status."""
    _kill(process)
    status = process.wait()
    _running.discard(process)
    return status


def _kill(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    elif process.returncode is None:  # else another one may have its number by now
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _last_words(status: int | None) -> str:
    if status is None:
        return "its process has ended"
    if status >= 0:
        return f"ended its process (exit status {status})"
    if -status == signal.SIGKILL:
        return "closed its process's pipe, or was killed"
    return f"its process crashed ({signal.Signals(-status).name})"
