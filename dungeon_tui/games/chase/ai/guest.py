"""A strategy of the user's own, `FILE.py:function`, in a process that can be ended.

Naming a file runs what stands in it, with all that its user may do on this machine: name only files that you would run
yourself. The process keeps loops, crashes, exits, noise and hunger away from the chase; it is no cage.
"""

from __future__ import annotations

import codecs
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any
from weakref import finalize

from dungeon_tui.core.files import refuse_claimed
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.text import printable
from dungeon_tui.games.chase.ai.plans import Plan
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.ai.strategy_server import NoMoveError, read_site, shortened
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level, level_text
from dungeon_tui.games.chase.model.state import Side, State
from dungeon_tui.judge.containment import MARK, MOST_PRINTED, end_marked, new_mark

PATIENCE = 60.0  # seconds, for loading a file or a board: the kernels may have to be compiled first

PRINTED_TOO_MUCH = f"printed more than {MOST_PRINTED // 2**20} MB at once"

_ENDED_BY_US = 1 if sys.platform == "win32" else -signal.SIGKILL
_LONGEST = 1_000_000  # bytes of a reply
_running: dict[subprocess.Popen[bytes], str] = {}  # their marks
_START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from dungeon_tui.games.chase.ai.strategy_server import serve
serve()
"""


class Guest(Player):
    """A player whose function runs in a process of its own; one that has ended is started anew when it is needed."""

    is_counted = False

    def __init__(self, side: Side, name: str, time_limit: float) -> None:
        """Starts the process and loads the file.

        Raises:
            StrategyError: it can't be opened, loading it fails (where), or it has no such function.
        """
        super().__init__(side, name, time_limit, self.answer)
        self._start()

    def prepare(self, level: Level) -> None:
        """Sends the process the board, unless it has it; a process that has ended is started anew first.

        Functions that remember what they computed from a level remember it as long as no other one is sent.

        Raises:
            StrategyError: the process can't be started, ends, or does not take the board within a minute.
        """
        if not self._end.alive:
            self._start()
        if level is not self._level:
            board = {"board": level_text(level), "name": level.name, "moves": level.moves}
            self._told(self.name, board)
            self._level = level

    def close(self) -> None:
        """Ends the process, and all that it started."""
        self._end()
        for thread in (self._talk, self._noise):
            thread.join(timeout=1)  # what it printed last; a process that hid from us may hold its pipes for longer
        if not self._talk.is_alive():
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]

    def answer(self, state: State) -> Cell:
        """Site that the function moves to. Raises NoMoveError; a process that didn't answer in time has been ended."""
        return read_site(self._exchange(_request(state), self.time_limit))

    def plan(self, state: State) -> Plan:
        """The sites that the function's own function `plan` tells, as a way.

        Raises:
            ValueError: it has none, or it doesn't answer as it should.
        """
        try:
            with self._thinking:
                self.prepare(state.level)
                request = _request(replace(state, side=self.side)) | {"plan": True}
                sites = [read_site(site) for site in self._exchange(request, self.time_limit)]
        except NoMoveError as fault:
            raise ValueError(f"{printable(self.name)}: {fault}") from None
        return Plan(tuple(site for site in sites if rules.is_site(state.level, site)))

    def _start(self) -> None:
        path, _, function = self.name.rpartition(":")
        try:
            refuse_claimed(path)
        except ValueError as error:
            raise StrategyError(f"{printable(path)}: {error}") from None
        except OSError:  # told by the process that opens it
            pass
        mark = new_mark()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, MARK: mark},
                start_new_session=True,  # so that it ends with all that it started; the terminal's Ctrl-C is ours
            )
        except OSError as error:
            raise StrategyError(f"{printable(path)}: no process can be started: {error.strerror}") from None
        _running[self._process] = mark
        self._level = None
        self._end = finalize(self, _end, self._process, mark)  # at the latest when we exit
        self._printed = _Printed()
        self._noise = Thread(target=_repeat, args=(self._process, mark, self._printed), daemon=True)
        self._noise.start()
        self._told(path, {"file": path, "function": function})

    def _told(self, name: str, request: dict[str, Any]) -> None:
        """Has the process load a file or take a board; if it doesn't, ends it and raises StrategyError about `name`."""
        try:
            self._exchange(request, PATIENCE)
        except NoMoveError as fault:
            self.close()
            raise StrategyError(f"{printable(name)}: {fault}") from None

    def _exchange(self, request: dict[str, Any], seconds: float) -> Any:
        """Reply to a request. Raises NoMoveError; if there was none in time the process has been ended."""
        replies: SimpleQueue[bytes] = SimpleQueue()
        self._printed.left = MOST_PRINTED
        line = json.dumps(request | {"seconds": seconds}).encode() + b"\n"
        talk = Thread(target=_talk, args=(self._process, line, replies), daemon=True)
        talk.start()
        self._talk = talk  # begun, since `close` may wait for it from another thread
        try:
            reply = replies.get(timeout=seconds)
        except Empty:
            status = self._end()
            self.close()
            if status in (None, _ENDED_BY_US):
                raise NoMoveError(f"took longer than {seconds:g} s") from None
            raise NoMoveError(_last_words(status)) from None  # a child of its had kept the pipe open
        except BaseException:  # Ctrl-C: its answer would come when something else is asked
            self.close()
            raise
        try:
            kind, content = json.loads(reply)
        except (ValueError, TypeError, RecursionError):  # nothing came, or nothing of ours
            status = self._end()
            self.close()
            raise NoMoveError(PRINTED_TOO_MUCH if self._printed.is_too_much else _last_words(status)) from None
        if kind != "done":
            raise NoMoveError(shortened(str(content)))
        return content


def _request(state: State) -> dict[str, Any]:
    fields = ("monster", "rogue", "monster_moves", "seed")
    return {field: getattr(state, field) for field in fields} | {"side": state.side.value}


def end_all() -> None:
    """Ends the processes of all guests: for whoever leaves by `os._exit`, which ends nothing else."""
    for process, mark in tuple(_running.items()):
        _kill(process, mark)


def _talk(process: subprocess.Popen[bytes], request: bytes, replies: SimpleQueue[bytes]) -> None:
    reply = b""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError, ValueError):  # it has ended, or the pipe was closed
        process.stdin.write(request)
        process.stdin.flush()
        reply = process.stdout.readline(_LONGEST)
    replies.put(reply)


class _Printed:
    left = MOST_PRINTED  # bytes that it may print until it answers
    is_too_much = False  # it printed more, and has been ended


def _repeat(process: subprocess.Popen[bytes], mark: str, printed: _Printed) -> None:
    """Copies a process's standard error to our sys.stderr; ends the process if it prints more than it may."""
    pipe = process.stderr
    assert pipe is not None

    def read() -> bytes:
        chunk = os.read(pipe.fileno(), 65536)
        printed.left -= len(chunk)
        if printed.left < 0:
            printed.is_too_much = True
            _kill(process, mark)
            return b""
        return chunk

    with pipe:
        chunks = iter(read, b"")
        for text in codecs.iterdecode(chunks, "utf-8", "backslashreplace"):
            with suppress(OSError, ValueError, AttributeError):  # closed, or there is none
                sys.stderr.write(text)


def _end(process: subprocess.Popen[bytes], mark: str) -> int:
    """Exit status of a process, which is ended with all that it started."""
    _kill(process, mark)
    status = process.wait()
    _running.pop(process, None)
    return status


def _kill(process: subprocess.Popen[bytes], mark: str) -> None:
    if sys.platform == "win32":
        process.kill()
    elif process.returncode is None:  # else another one may have its number by now
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    end_marked(mark)


def _last_words(status: int | None) -> str:
    if status is None:
        return "its process has ended"
    if status >= 0:
        return f"ended its process (exit status {status})"
    if -status == signal.SIGKILL:
        return "closed its process's pipe, or was killed"
    return f"its process crashed ({signal.Signals(-status).name})"
