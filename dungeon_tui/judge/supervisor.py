"""The process between us and a program: enforces the limits, and ends everything that the program started.

It runs by its path in a bare Python, once for each program, so it imports as little as possible. The caller holds the
other end of a socket: the report goes there, and when it closes, for any reason, everything ends.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
from contextlib import suppress
from time import monotonic, process_time

TYPE_CHECKING = False  # as in typing, which would have to be imported
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

if sys.platform != "win32":
    import resource

_MAX_ROUNDS = 100  # of searches for processes started meanwhile
_COUNT_INTERVAL_S = 0.05  # between two counts, which use a twentieth of a processor at most
_POLL_INTERVAL_S = 0.01  # between two looks at the number of threads on the machine
_HAS_PROC = os.path.exists("/proc/self/stat")
_UNKNOWN_THREADS = 10_000  # assumed if the machine doesn't say
_CHILD_SUBREAPER = 36  # of prctl: orphans below this process become its children, in any session


def end_found(find: Callable[[], Iterable[int]]) -> None:
    """Ends the processes that a function finds, and those that they start meanwhile."""
    stopped = set[int]()
    for _ in range(_MAX_ROUNDS):
        found = set(find()) - stopped
        if not found:
            break
        for process in found:  # a stopped process starts no other
            _send(process, signal.SIGSTOP)
        stopped |= found
    for process in stopped:
        _send(process, signal.SIGKILL)


def _send(process: int, number: int, *, group: bool = False) -> None:
    with suppress(ProcessLookupError, PermissionError):
        (os.killpg if group else os.kill)(process, number)


def _all_threads() -> int:
    """Number of threads on the whole machine, which is quick to read; 0 without /proc."""
    with suppress(OSError, ValueError, IndexError), open("/proc/loadavg", encoding="ascii") as file:
        return int(file.read().split()[3].partition("/")[2])
    return 0


def _descendants() -> dict[int, tuple[int, int]]:
    """Threads and bytes in memory of each process below this one; empty without /proc."""
    parents, sizes = dict[int, int](), dict[int, tuple[int, int]]()
    with suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError, ValueError):
                with open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()  # from the state on
                if fields[0] not in b"ZX":
                    parents[int(name)] = int(fields[1])
                    sizes[int(name)] = int(fields[17]), int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    found, layer = set[int](), {os.getpid()}
    while layer := {process for process, parent in parents.items() if parent in layer} - found:
        found |= layer
    return {process: sizes[process] for process in found}


def _confine(cpu: int, size: int, threads: int) -> None:
    for kind, soft, hard in (
        (resource.RLIMIT_CPU, cpu, cpu + 5),
        (resource.RLIMIT_FSIZE, size, size),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NPROC, threads, threads),  # of the user in total; root has no such limit
    ):
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))


def order(control: int, most: Iterable[int], folder: str, cage: list[str], command: list[str]) -> list[str]:
    """The words that make a bare Python call `supervise`."""
    return [__file__, *map(str, (control, *most)), folder, str(len(cage)), *cage, *command]


def read_report(report: str) -> tuple[int | None, bool, float, str | None]:
    """The program's status, whether bubblewrap failed to start it, its processor time, and its fault."""
    status, is_uncaged, seconds, fault = report.split("\n", 3)
    return int(status) if status else None, bool(is_uncaged), float(seconds), fault or None


def supervise(control: int, most: Iterable[int], folder: str, cage: list[str], command: list[str]) -> None:
    """Runs a program until it ends, uses too much, or the caller leaves; then exits.

    Args:
        control: descriptor of the socket.
        most: seconds of processor time of each process, bytes of the largest file, bytes in memory of all processes,
            and number of processes and threads.
        folder: deleted at the end; empty: none.
        cage: bubblewrap's command; empty: run without.
        command: of the program, which gets our standard streams.
    """
    cpu, size, memory, processes = most
    os.set_inheritable(control, False)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_CHILD_SUBREAPER, 1, 0, 0, 0)
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    program, status, fault = None, None, None
    usual = _all_threads() or _UNKNOWN_THREADS
    status_pipe, tell = os.pipe()  # bubblewrap writes the program's exit code, if it has run
    if cage:
        command = [*cage, "--json-status-fd", str(tell), *command]
    os.set_inheritable(tell, bool(cage))
    try:
        program = _started(command, cpu, size, usual + processes)
    except OSError as error:
        fault = f"can't be started: {error.strerror}"
    os.close(tell)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):  # only the program uses the pipes
        os.dup2(nothing, descriptor)

    if program is not None:
        status, fault = _watched(program, control, woken, usual, memory, processes)

    # End everything, orphans too, and report.
    for _ in range(_MAX_ROUNDS):
        _, has_children = _reaped()
        if not has_children:
            break
        end_found(_descendants)
        if not _descendants():
            _reaped()  # their processor time counts
            break
    if not _HAS_PROC and program is not None:
        _send(program, signal.SIGKILL, group=True)
    delete(folder)
    is_over = status is not None and status >= 0  # by itself
    is_uncaged = bool(cage) and (program is None or (is_over and b'"exit-code"' not in os.read(status_pipe, 4096)))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = str(used.ru_utime + used.ru_stime)
    report = "" if status is None else str(status), "uncaged" * is_uncaged, seconds, fault or ""
    with suppress(OSError):
        os.write(control, "\n".join(report).encode())
    os._exit(0)


def _watched(
    program: int, control: int, woken: int, usual: int, memory: int, processes: int
) -> tuple[int | None, str | None]:
    """The program's status if it has ended, and its fault if it broke a limit; neither if the caller leaves."""
    due, status = monotonic() + _COUNT_INTERVAL_S, None
    while status is None and control not in select.select([control, woken], [], [], _POLL_INTERVAL_S)[0]:
        with suppress(BlockingIOError):
            os.read(woken, 4096)
        ended, _ = _reaped()
        status = ended.get(program)
        is_suspect = _all_threads() - usual > processes
        if not is_suspect and monotonic() < due:
            continue
        if is_suspect:  # a fork bomb would leave us no time to count
            _send(program, signal.SIGSTOP, group=True)
        looked = process_time()
        sizes = _descendants().values()
        if sum(threads for threads, _ in sizes) > processes:
            return status, f"started more than {processes} processes and threads"
        if sum(held for _, held in sizes) > memory:
            return status, f"took more than {memory >> 20} MB of memory"
        if is_suspect:  # another program started them
            usual = _all_threads()
            _send(program, signal.SIGCONT, group=True)
        due = monotonic() + max(_COUNT_INTERVAL_S, 20 * (process_time() - looked))
    return status, None


def _started(command: list[str], cpu: int, size: int, threads: int) -> int:
    """Starts the program in its own session, so that it can't end ours with its group. Raises OSError."""
    heard, say = os.pipe()
    process = os.fork()
    if not process:
        try:
            os.setsid()
            _confine(cpu, size, threads)
            for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores
                signal.signal(number, signal.SIG_DFL)
            os.execvp(command[0], command)
        except OSError as error:
            os.write(say, str(error.errno).encode())
        finally:
            os._exit(1)
    os.close(say)
    fault = int(os.read(heard, 16) or b"0")
    os.close(heard)
    if fault:
        os.waitpid(process, 0)
        raise OSError(fault, os.strerror(fault))
    return process


def delete(folder: str) -> None:
    """Deletes a program's folder, if one is named; follows no link in it or in its place."""
    try:
        if os.path.islink(folder):
            os.unlink(folder)
            return
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    except FileNotFoundError:
        return
    except OSError:  # it has subfolders, perhaps thousands of levels deep, or without permissions
        for words in (["rm", "-rf"], ["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            if os.path.lexists(folder):
                quiet = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
                with suppress(OSError):
                    os.waitpid(os.posix_spawnp(words[0], [*words, "--", folder], os.environ, file_actions=quiet), 0)


def _reaped() -> tuple[dict[int, int], bool]:
    """Statuses of ended children by process, and whether others remain."""
    ended = dict[int, int]()
    try:
        while (child := os.waitpid(-1, os.WNOHANG))[0]:
            ended[child[0]] = os.waitstatus_to_exitcode(child[1])
    except ChildProcessError:
        return ended, False
    return ended, True


if __name__ == "__main__":
    _, *numbers, folder, length = sys.argv[:8]
    last = 8 + int(length)
    descriptor, *limits = map(int, numbers)
    supervise(descriptor, limits, folder, sys.argv[8:last], sys.argv[last:])
