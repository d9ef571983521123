"""The process between us and a program: keeps the limits, and ends all that the program started.

It is run by its path, in a bare Python, for each run of a program: it imports no more than it must. Whoever gives its
order holds the other end of a socket: the report goes there, and once it is closed, in whatever way, everything ends.
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
    from collections.abc import Callable, Iterable, Iterator

if sys.platform != "win32":
    import resource

_ROUNDS = 100  # of looking for what was started meanwhile
_PAUSE = 0.05  # seconds between two looks, which may take a twentieth of a processor at most
_GLANCE = 0.01  # seconds between two looks at how many threads the machine has
_HAS_PROC = os.path.exists("/proc/self/stat")
_MANY = 10_000  # threads of a machine that does not tell how many it has
_CHILD_SUBREAPER = 36  # of prctl: orphans below this process become its children, whatever session they are in


def end_found(find: Callable[[], Iterable[int]]) -> None:
    """Ends the processes that a function finds, and what they start meanwhile."""
    stopped = set[int]()
    for _ in range(_ROUNDS):
        found = set(find()) - stopped
        if not found:
            break
        for process in found:  # a process that stands still starts no other one
            _send(process, signal.SIGSTOP)
        stopped |= found
    for process in stopped:
        _send(process, signal.SIGKILL)


def _send(process: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def _send_group(process: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process, number)


def _all_threads() -> int:
    """Threads of the whole machine: read in no time; 0 where there is no /proc."""
    with suppress(OSError, ValueError, IndexError), open("/proc/loadavg", encoding="ascii") as file:
        return int(file.read().split()[3].partition("/")[2])
    return 0


def _descendants() -> dict[int, tuple[int, int]]:
    """Threads and bytes in memory of each process below this one; empty where there is no /proc."""
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
        (resource.RLIMIT_NPROC, threads, threads),  # of the user, wherever they run; root has no such limit
    ):
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))


def order(control: int, most: Iterable[int], folder: str, cage: list[str], command: list[str]) -> list[str]:
    """Words that make a bare Python supervise a program; `supervise` says what they mean."""
    return [__file__, *map(str, (control, *most)), folder, str(len(cage)), *cage, *command]


def read_report(report: str) -> tuple[int | None, bool, float, str | None]:
    """The program's status, if it has not run for want of a cage, its seconds, and its fault."""
    status, is_uncaged, seconds, fault = report.split("\n", 3)
    return int(status) if status else None, bool(is_uncaged), float(seconds), fault or None


def supervise(control: int, most: Iterable[int], folder: str, cage: list[str], command: list[str]) -> None:
    """Runs a program until it ends, takes too much, or nobody waits for it any more; then leaves.

    Args:
        control: descriptor of the socket.
        most: seconds of processor time of each process, bytes of the largest file, bytes that all processes hold in
            memory, and how many processes and threads there are in all.
        folder: of the program, to be deleted in the end.
        cage: bubblewrap's command; nothing: the program runs without one.
        command: of the program, which has our standard streams.
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
    began = monotonic()
    program, status, fault = None, None, None
    usual = _all_threads() or _MANY
    told, tell = os.pipe()  # by bubblewrap: the program's exit code, if it has run
    if cage:
        command = [*cage, "--json-status-fd", str(tell), *command]
    os.set_inheritable(tell, bool(cage))
    try:
        program = _started(command, cpu, size, usual + processes)
    except OSError as error:
        fault = f"can't be started: {error.strerror}"
    os.close(tell)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):  # the pipes are the program's alone
        os.dup2(nothing, descriptor)
    due = began + _PAUSE
    while status is None and fault is None and control not in select.select([control, woken], [], [], _GLANCE)[0]:
        with suppress(BlockingIOError):
            os.read(woken, 4096)
        for process, ended in _reaped():
            status = ended if process == program else status
        is_suspect = _all_threads() - usual > processes
        if not is_suspect and monotonic() < due:
            continue
        if is_suspect and program:  # who forks without end would leave us no time to count
            _send_group(program, signal.SIGSTOP)
        looked = process_time()
        sizes = _descendants().values()
        if sum(threads for threads, _ in sizes) > processes:
            fault = f"started more than {processes} processes and threads"
        elif sum(held for _, held in sizes) > memory:
            fault = f"took more than {memory >> 20} MB of memory"
        elif is_suspect and program:  # it was somebody else
            usual = _all_threads()
            _send_group(program, signal.SIGCONT)
        due = monotonic() + max(_PAUSE, 20 * (process_time() - looked))
    seconds = monotonic() - began
    for _ in range(_ROUNDS):
        if not _has_children():  # not even orphans: then there is nothing to look for
            break
        end_found(_descendants)
        if not _descendants():
            break
    if not _HAS_PROC and program is not None:
        _send_group(program, signal.SIGKILL)
    _delete(folder)
    is_over = status is not None and status >= 0  # by itself
    is_uncaged = bool(cage) and (program is None or (is_over and b'"exit-code"' not in os.read(told, 4096)))
    report = "" if status is None else str(status), "uncaged" * is_uncaged, str(seconds), fault or ""
    with suppress(OSError):
        os.write(control, "\n".join(report).encode())
    os._exit(0)


def _started(command: list[str], cpu: int, size: int, threads: int) -> int:
    """Starts the program, in a session of its own: it may end its group without us. Raises OSError."""
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


def _delete(folder: str) -> None:
    try:
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    except OSError:  # folders in it, most likely
        from shutil import rmtree  # noqa: PLC0415  # seldom needed

        rmtree(folder, ignore_errors=True)


def _has_children() -> bool:
    """True if a process is below this one; those that have ended are reaped. Without /proc only its own are known."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _reaped() -> Iterator[tuple[int, int]]:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            yield ended[0], os.waitstatus_to_exitcode(ended[1])


if __name__ == "__main__":
    _, *numbers, place, length = sys.argv[:8]
    last = 8 + int(length)
    descriptor, *limits = map(int, numbers)
    supervise(descriptor, limits, place, sys.argv[8:last], sys.argv[last:])
