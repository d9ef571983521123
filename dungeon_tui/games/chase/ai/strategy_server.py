"""The other process: loads a strategy of the user's own, and answers with its moves.

Requests and replies are lines of JSON over pipes that the strategy never sees: what it prints goes to standard error,
its standard input is empty.
"""

from __future__ import annotations

import faulthandler
import json
import operator
import os
import sys
import traceback
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import ModuleType
from typing import IO, Any

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.text import one_line
from dungeon_tui.core.words import reason
from dungeon_tui.games.chase.ai import late
from dungeon_tui.games.chase.model.level import Level, read_level
from dungeon_tui.games.chase.model.state import Side, State
from dungeon_tui.judge.containment import MARK, allow, confine, end_marked

_FARTHEST = 10**6  # no row or column of any board


class NoMoveError(Exception):
    """Raised when a strategy gave no site; the message can follow its side's name: "took longer than 1 s"."""


class StrategyServer:
    """Answers requests: first to load a file's function, then to take a board, then to move on it."""

    _file: str
    _function: Any
    _level: Level

    def answer(self, request: dict[str, Any]) -> object:
        """Reply to one request: the site moved to, or the sites of its plan, else None.

        Raises:
            NoMoveError: the file can't be loaded, or its function gave no site.
        """
        if "file" in request:
            self._load(request["file"], request["function"])
            return None
        if "board" in request:
            level = read_level(LevelFile(request["name"], request["board"].encode()))
            self._level = replace(level, moves=request["moves"])
            if "dungeon_tui.engine" in sys.modules:
                late.warm_up()
            return None
        monster, rogue = Cell(*request["monster"]), Cell(*request["rogue"])
        side = Side(request["side"])
        state = State(self._level, monster, rogue, side, request["monster_moves"], request["seed"])
        try:
            if "plan" in request:
                return self._plan(state)
            return read_site(self._function(state))
        except NoMoveError:
            raise
        except BaseException as error:
            raise raised(error, self._file) from None

    def _plan(self, state: State) -> list[Cell]:
        plan = getattr(self._function, "plan", None)
        if plan is None:
            raise NoMoveError("has no plan")
        return [read_site(site) for site in plan(state)]

    def _load(self, file: str, name: str) -> None:
        try:
            source = Path(file).read_bytes()
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            raise NoMoveError(f"can't be opened: {reason(error)}") from None
        module = ModuleType("strategy")
        module.__file__ = file
        sys.modules[module.__name__] = module
        sys.path.insert(0, str(Path(file).resolve().parent))
        try:
            exec(compile(source, file, "exec"), module.__dict__)
        except BaseException as error:
            raise raised(error, file) from None
        self._file, self._function = file, getattr(module, name, None)
        if not callable(self._function):
            raise NoMoveError(f"has no function {shortened(repr(name))}")


def serve() -> None:
    """Answers the requests on standard input; the process ends with them. Strategies print to standard error."""
    inbox: SimpleQueue[bytes] = SimpleQueue()
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    confine()
    mark, number = os.environ[MARK], os.getpid()
    Thread(target=_await_end, args=(requests, inbox, mark), daemon=True).start()
    server = StrategyServer()
    while True:
        request = json.loads(inbox.get())
        allow(request["seconds"])
        # Kernels and C code may never let the other thread see that nobody waits for them any more.
        faulthandler.dump_traceback_later(request["seconds"] + 1, exit=True, file=nothing)
        try:
            reply = ["done", server.answer(request)]
        except NoMoveError as fault:
            reply = ["fault", str(fault)]
        except MemoryError:  # none is left even to tell of its error
            reply = ["fault", "ran out of memory"]
        if os.getpid() != number:  # a child that it forked has no say
            os._exit(0)
        faulthandler.cancel_dump_traceback_later()
        with suppress(OSError):  # the strategy has closed it; who asks sees that
            replies.write(json.dumps(reply).encode() + b"\n")
            replies.flush()


def _await_end(requests: IO[bytes], inbox: SimpleQueue[bytes], mark: str) -> None:
    """Puts each request into the inbox; once there are no more, ends this process and all that it started."""
    with suppress(OSError):
        for line in requests:
            inbox.put(line)
    end_marked(mark)
    os._exit(0)


def read_site(answer: object) -> Cell:
    """Site that a strategy has answered with: two integers in a tuple, a list or an array.

    Raises:
        NoMoveError: it is none.
    """
    if isinstance(answer, tuple | list | np.ndarray) and len(answer) == 2:
        with suppress(TypeError):
            row, col = map(operator.index, answer)
            if abs(row) < _FARTHEST and abs(col) < _FARTHEST:
                return Cell(row, col)
    try:
        shown = shortened(repr(answer))
    except Exception:  # it may be of a kind of its code's own
        shown = f"a {type(answer).__name__}"
    raise NoMoveError(f"returned {shown}, which is no site")


def raised(error: BaseException, file: str = "") -> NoMoveError:
    """Error that tells what a strategy raised and, if its file is given, in which line of that."""
    try:
        text = shortened(error.msg if isinstance(error, SyntaxError) else str(error))
    except Exception:  # the text is its code's too
        text = ""
    what = f"raised {type(error).__name__}" + (f": {text}" if text else "")
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    if isinstance(error, SyntaxError) and error.filename == file:
        lines.append(error.lineno)
    return NoMoveError(f"{what} ({Path(file).name}:{lines[-1]})" if lines else what)


def shortened(text: str) -> str:
    """A text as one line of at most 160 characters; one that was cut ends in `...`."""
    line = one_line(text)
    return line if len(line) <= 160 else f"{line[:157]}..."
