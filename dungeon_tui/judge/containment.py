"""Limits that a process sets itself, and the end of all that it started; docs/security.md says what stays open."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

from dungeon_tui.judge.supervisor import end_found

if sys.platform != "win32":
    import resource

MARK = "DUNGEON_TUI_STRATEGY"
"""The environment variable that a strategy's process hands on to all that it starts."""
MOST_MEMORY = 4 * 2**30  # bytes; half of a machine's, if that is less, but never less than the least
LEAST_MEMORY = 2**30
MOST_WRITTEN = 2**30  # bytes of a file
MOST_OPEN = 1024  # files
MOST_PROCESSES = 512  # and threads, beside those that the user runs as the strategy begins
MOST_PRINTED = 16 * 2**20  # bytes, while it loads, takes a board or makes a move
SPARE_SECONDS = 60.0  # of processor time, beyond what a move may take on all processors


def confine() -> None:
    """Limits this process and all that it will start, where the system has such limits."""
    if sys.platform == "win32":
        return
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    _limit(resource.RLIMIT_DATA, min(MOST_MEMORY, max(LEAST_MEMORY, memory // 2)))
    _limit(resource.RLIMIT_FSIZE, MOST_WRITTEN)
    _limit(resource.RLIMIT_NOFILE, MOST_OPEN)
    _limit(resource.RLIMIT_CORE, 0)
    before = resource.getrlimit(resource.RLIMIT_NPROC)
    threads = sum(_threads_of_user())
    if threads:
        _limit(resource.RLIMIT_NPROC, threads + MOST_PROCESSES, is_final=False)
        try:
            Thread(target=int).start()
        except RuntimeError:  # the user runs more than can be seen from here, in other containers
            resource.setrlimit(resource.RLIMIT_NPROC, before)


def allow(seconds: float) -> None:
    """Lets this process use all processors for so long from now on, and each that it starts as long from its start."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        more = (seconds + SPARE_SECONDS) * (os.cpu_count() or 1)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + more), is_final=False)


def new_mark() -> str:
    """A value for the variable MARK, by which processes of ours are known, that no other has."""
    return f"{os.getpid()}-{secrets.token_hex(8)}"


def end_marked(mark: str) -> None:
    """Ends all processes that were begun with a mark, but this one, in whatever session; where there is /proc."""
    if sys.platform == "win32":
        return
    end_found(lambda: _marked(mark))


def _limit(kind: int, most: int, is_final: bool = True) -> None:
    """Lowers a limit, for good or so that the process may raise it again; a lower one stays."""
    hard = resource.getrlimit(kind)[1]
    lowered = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(kind, (lowered, lowered if is_final else hard))


def _threads_of_user() -> Iterator[int]:
    for path in Path("/proc").glob("[0-9]*/task"):
        with suppress(OSError):
            if path.stat().st_uid == os.getuid():
                yield len(os.listdir(path))


def _marked(mark: str) -> Iterator[int]:
    entry = f"{MARK}={mark}".encode()
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # another user's, or gone by now
            if int(path.parent.name) != os.getpid() and entry in path.read_bytes().split(b"\0"):
                yield int(path.parent.name)
