"""A strategy of the user's own, `FILE.py:function`, in a process of its own that can be ended.

Naming a file runs what stands in it, with all that its user may do on this machine: name only files that you would run
yourself. The process keeps loops, crashes, exits and noise away from the chase; it is no cage.

What the code prints goes to our standard error, its standard input is empty. Requests and replies are lines of JSON
over pipes that it never sees: the board once, then the positions, so that functions which remember what they computed
from a level remember it there too.
"""

from __future__ import annotations

import codecs
import faulthandler
import importlib
import json
import operator
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import ModuleType
from typing import IO, Any
from weakref import finalize

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile, one_line, printable
from dungeon_tui.core.words import reason
from dungeon_tui.games.chase.model.level import Level, level_text, read_level
from dungeon_tui.games.chase.model.state import Side, State

PATIENCE = 60.0  # seconds, for loading a file or a board: the kernels may have to be compiled first

_LONGEST = 1_000_000  # bytes of a reply
_running: set[subprocess.Popen[bytes]] = set()
_FARTHEST = 10**6  # no row or column of any board
_START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from dungeon_tui.games.chase.ai.worker import serve
serve()
"""


class StrategyError(ValueError):
    """There is no such strategy, or it can't be loaded; the message is one line."""


class NoMoveError(Exception):
    """What a strategy did instead of moving, in words that can follow its side's name."""


class Worker:
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
        """Whether it can still be asked."""
        return self._end.alive

    def show(self, level: Level) -> None:
        """Sends the board that the positions to come are on.

        Raises:
            NoMoveError: the process has ended.
        """
        self._exchange({"board": level_text(level), "name": level.name, "moves": level.moves}, PATIENCE)

    def ask(self, state: State, seconds: float) -> Cell:
        """The site that the function moves to, on the board shown last.

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
            raise NoMoveError(_shortened(str(content)))
        return content


def end_all() -> None:
    """Ends the processes of all workers: for whoever leaves by `os._exit`, which ends nothing else."""
    for process in tuple(_running):
        _kill(process)


def read_site(answer: object) -> Cell:
    """The site that a strategy has answered with: two integers in a tuple, a list or an array.

    Raises:
        NoMoveError: it is none.
    """
    if isinstance(answer, tuple | list | np.ndarray) and len(answer) == 2:
        with suppress(TypeError):
            row, col = map(operator.index, answer)
            if abs(row) < _FARTHEST and abs(col) < _FARTHEST:
                return Cell(row, col)
    try:
        shown = _shortened(repr(answer))
    except Exception:  # it may be of a kind of its code's own
        shown = f"a {type(answer).__name__}"
    raise NoMoveError(f"returned {shown}, which is no site")


def raised(error: BaseException, file: str = "") -> NoMoveError:
    """What a strategy raised, and, if its file is given, in which line of that."""
    try:
        text = _shortened(error.msg if isinstance(error, SyntaxError) else str(error))
    except Exception:  # the text is its code's too
        text = ""
    what = f"raised {type(error).__name__}" + (f": {text}" if text else "")
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    if isinstance(error, SyntaxError) and error.filename == file:
        lines.append(error.lineno)
    return NoMoveError(f"{what} ({Path(file).name}:{lines[-1]})" if lines else what)


def serve() -> None:
    """The process: loads a file, then answers requests until there are none."""
    inbox: SimpleQueue[bytes] = SimpleQueue()
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    Thread(target=_await_end, args=(requests, inbox), daemon=True).start()
    desk = _Desk()
    while True:
        request = json.loads(inbox.get())
        # Kernels and C code may never let the other thread see that nobody waits for them any more.
        faulthandler.dump_traceback_later(request["seconds"] + 1, exit=True, file=nothing)
        try:
            reply = ["done", desk.answer(request)]
        except NoMoveError as fault:
            reply = ["fault", str(fault)]
        faulthandler.cancel_dump_traceback_later()
        with suppress(OSError):  # the function has closed it; who asks sees that
            replies.write(json.dumps(reply).encode() + b"\n")
            replies.flush()


class _Desk:
    """What the process knows: the function, and the board."""

    _file: str
    _function: Callable[[State], object]
    _level: Level

    def answer(self, request: dict[str, Any]) -> object:
        if "file" in request:
            self._file = request["file"]
            self._function = self._load(request["function"])
            return None
        if "board" in request:
            level = read_level(LevelFile(request["name"], request["board"].encode()))
            self._level = replace(level, moves=request["moves"])
            if "dungeon_tui.engine" in sys.modules:
                importlib.import_module("dungeon_tui.engine.warmup").warm_up()
            return None
        monster, rogue = Cell(*request["monster"]), Cell(*request["rogue"])
        side = Side(request["side"])
        state = State(self._level, monster, rogue, side, request["monster_moves"], request["seed"])
        try:
            return read_site(self._function(state))
        except NoMoveError:
            raise
        except BaseException as error:
            raise raised(error, self._file) from None

    def _load(self, name: str) -> Callable[[State], object]:
        try:
            source = Path(self._file).read_bytes()
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            raise NoMoveError(f"can't be opened: {reason(error)}") from None
        module = ModuleType("strategy")
        module.__file__ = self._file
        sys.modules[module.__name__] = module
        sys.path.insert(0, str(Path(self._file).resolve().parent))
        try:
            exec(compile(source, self._file, "exec"), module.__dict__)
        except BaseException as error:
            raise raised(error, self._file) from None
        function = getattr(module, name, None)
        if not callable(function):
            raise NoMoveError(f"has no function {_shortened(repr(name))}")
        return function  # type: ignore[no-any-return]


def _await_end(requests: IO[bytes], inbox: SimpleQueue[bytes]) -> None:
    """Hands on the requests; whatever the function is doing, the process ends with the one that asks."""
    with suppress(OSError):
        for line in requests:
            inbox.put(line)
    os._exit(0)


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
    """Whatever it prints, through our sys.stderr: an app may have put something there that keeps its screen whole."""
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


def _shortened(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= 160 else f"{line[:157]}..."
