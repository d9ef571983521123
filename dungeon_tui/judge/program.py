"""Programs as child processes: for a dialogue line by line, or one run from input to output.

Each runs in a temporary folder, under a supervisor that enforces its limits, and in bubblewrap if that works.
docs/protocol.md says what remains open.
"""

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from queue import Empty, SimpleQueue
from secrets import token_hex
from tempfile import mkdtemp
from threading import Event, Thread
from time import monotonic, thread_time
from types import MappingProxyType
from typing import IO
from weakref import finalize

from dungeon_tui.core.text import one_line, printable
from dungeon_tui.core.words import reason
from dungeon_tui.judge import cage, supervisor
from dungeon_tui.judge.cage import CageError

MARK = "DUNGEON_TUI_PROGRAM"
"""The environment variable that marks a program's processes, in case its supervisor is killed."""
TALK = "DUNGEON_TUI_TALK"
"""The environment variable with the name of a file that logs all lines from and to programs."""
_END_TIMEOUT_S = 5.0  # for the supervisor to end everything
GUARD = 4  # the most wall-clock time for an answer, in multiples of the processor time
_MAX_CROWD = 10.0  # of which more load is not the program's excuse
MAX_PACE = 8.0
_USUAL_SORT_S = 0.05  # processor time of a usual machine
_DAY_S = 86_400.0  # some systems' timers accept little more
_LEAST_WAIT_S = 0.02
_SAMPLE_INTERVAL_S = 0.1
_HAS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
_LOG_BYTES = 2**16  # of the end of standard error, for messages
_JAVA_PATH_OPTIONS = {"-cp", "-classpath", "--class-path", "-p", "--module-path", "-jar"}


class ProgramError(Exception):
    """Raised when a program misbehaves; the message is a clause that can follow its name."""


class LateError(ProgramError):
    """Raised when a program takes too long."""


@dataclass(frozen=True)
class Limits:
    """The most that a program may use."""

    seconds: float = 10.0  # processor time for one answer on a usual machine, all processes together
    start: float = 20.0  # the same for the first answer
    cpu: int = 60  # seconds of processor time of each process
    memory: int = 2**30  # bytes of all processes together
    files: int = 2**28  # bytes of the largest file
    processes: int = 512  # and threads
    output: int = 2**24  # bytes printed for one answer, errors included
    hidden: tuple[str, ...] = ()  # files and folders out of a sealed program's reach, besides ours
    shown: tuple[str, ...] = ()  # replaces the folders that a sealed program sees because its command names them


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one run of a program."""

    output: str
    error: str  # the end of its standard error
    status: int  # exit status, or minus the signal that ended it
    seconds: float  # processor time of all its processes
    fault: str | None  # a clause: "took longer than 10 s", "ended with status 1"; None: no fault
    is_late: bool = False


def run_program(
    command: str | Sequence[str],
    text: str | bytes,
    limits: Limits = Limits(),
    files: Mapping[str, bytes] = MappingProxyType({}),
    within: str | None = None,
) -> Answer:
    """Runs a program once, with a text on its standard input; `fault` in the answer says what went wrong.

    The command is a line as for a shell, or its words; relative paths start in the current folder. `files` are put into
    the program's folder. The program finds neither this package nor our environment. It runs `within` a folder that
    stays, or in a new one. Raises CageError if bubblewrap fails repeatedly.
    """
    return cage.caged(lambda: _run(command, text, limits, files, within))


def _run(
    command: str | Sequence[str], text: str | bytes, limits: Limits, files: Mapping[str, bytes], within: str | None
) -> Answer:
    try:
        program = Program(command, limits, files, is_sealed=True, within=within)
    except ProgramError as error:
        return Answer("", "", -signal.SIGKILL, 0.0, str(error))
    chunks = list[bytes]()
    with program:
        program.feed(text)
        fault, is_late, used = None, False, 0.0
        try:
            chunks += program.rest(limits.seconds)
        except ProgramError as error:
            fault, is_late = str(error), isinstance(error, LateError)
            used = program.processor_time() or 0.0  # the system may not count what is ended by force
    if fault is None and program.seconds > limits.seconds and program.seconds > limits.seconds * pace():
        fault, is_late = _late(limits.seconds), True  # with several processors at once
    output = b"".join(chunks).decode("utf-8", "replace")
    return Answer(output, program.log, program.status, max(used, program.seconds), fault, is_late)


def _started(
    words: Sequence[str], limits: Limits, folder: str, doomed: str, inherited: Mapping[str, str], *, is_sealed: bool
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Starts the supervisor of a program in a folder, and returns its process and our end of its line."""
    class_path = list[str]()  # where Java looks for classes unless the command says so
    if not is_sealed or (Path(words[0]).stem == "java" and _JAVA_PATH_OPTIONS.isdisjoint(words)):
        given = os.environ.get("CLASSPATH") or ("" if any(map(cage.copy_of, words)) else ".")  # a copy sees no more
        class_path = [os.path.abspath(path) for path in given.split(os.pathsep)] if given else []
    ours, theirs = socket.socketpair()
    caging, passed = list[str](), list[int]()
    if cage.has_bubblewrap():
        view = cage.sealed_view([*words, *class_path], limits.hidden, limits.shown) if is_sealed else None
        caging, passed = cage.bubblewrap(folder, view)
    most = limits.cpu, limits.files, limits.memory, limits.processes
    order = supervisor.order(theirs.fileno(), most, doomed, caging, list(words))
    try:
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", *order],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**inherited, "TMPDIR": folder, "CLASSPATH": os.pathsep.join(class_path) or "."},
                pass_fds=[theirs.fileno(), *passed],
                start_new_session=True,
            )
    finally:
        for descriptor in passed:
            os.close(descriptor)
    return process, ours


class Program(AbstractContextManager["Program"]):
    """A program that runs until it is closed, together with all its children; a context manager."""

    def __init__(
        self,
        command: str | Sequence[str],
        limits: Limits = Limits(),
        files: Mapping[str, bytes] = MappingProxyType({}),
        *,
        prints_errors: bool = False,
        is_sealed: bool = False,
        within: str | None = None,
    ) -> None:
        """Starts the program, as run_program does; `prints_errors` copies its standard error to ours.

        It runs `within` a folder that stays, or in a new one. A sealed one finds neither this package nor our virtual
        environment.
        Raises ProgramError if it can't be started.
        """
        self.limits = limits
        self.status = -int(signal.SIGKILL)  # see Answer
        self.seconds = 0.0  # processor time, once it has ended
        self._used, self._sampled = 0.0, monotonic()  # processor time shortly before the last question, and when
        if sys.platform == "win32":
            raise ProgramError("can't be started: only Linux and macOS can hold a program in limits")
        words = command_words(command, limits.memory)
        inherited: Mapping[str, str] = os.environ
        if is_sealed:
            inherited = cage.sealed_environment()
            words[0] = cage.base_python() if cage.is_own_python(words[0]) and not limits.shown else words[0]
        self._talk, self._unended = _opened_talk(), dict.fromkeys("><!", b"")
        folder, mark = within or mkdtemp(prefix=cage.TEMPORARY), token_hex(12)
        doomed = "" if within else folder
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        try:
            self._process, ours = _started(
                words, limits, folder, doomed, {**inherited, MARK: mark}, is_sealed=is_sealed
            )
        except OSError as error:
            supervisor.delete(doomed)
            raise ProgramError(f"can't be started: {reason(error)}") from None
        self._line = ours
        self._end = finalize(self, _end, self._process, ours, doomed, mark)  # at the latest when we exit
        self._inbox, self._outbox = SimpleQueue[bytes](), SimpleQueue[bytes | None]()  # b"", None: no more
        self._sofar = bytearray()  # received after the last complete line
        self._log = bytearray()
        self._errors = getincrementaldecoder("utf-8")("backslashreplace") if prints_errors else None
        self._left = limits.output
        self._fault: str | None = None
        self._is_uncaged = False  # bubblewrap failed: the program has not run
        self._has_report = Event()
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        tasks = self._write, self._read, self._listen
        self._threads = [Thread(target=task, args=[pipe], daemon=True) for task, pipe in zip(tasks, pipes, strict=True)]
        self._threads.append(Thread(target=self._watch, daemon=True))
        for thread in self._threads:
            thread.start()

    @property
    def log(self) -> str:
        """The end of its standard error."""
        return self._log.decode("utf-8", "replace")

    def send(self, line: str) -> None:
        """Sends a line, and discards earlier output, which can't be the answer."""
        self._left = self.limits.output
        if monotonic() - self._sampled > _SAMPLE_INTERVAL_S:
            self._used, self._sampled = self.processor_time() or 0.0, monotonic()
        self._sofar.clear()
        with suppress(Empty):
            while self._inbox.get_nowait():
                pass
            self._inbox.put(b"")
        self._outbox.put(f"{line}\n".encode())

    def feed(self, text: str | bytes) -> None:
        """Sends a text, then closes its input."""
        self._outbox.put(text.encode() if isinstance(text, str) else text)
        self._outbox.put(None)

    def receive(self, seconds: float, began: float | None = None, guard: float = GUARD) -> str:
        """The next line that it prints, without the line end.

        Waits for `seconds` since `began` or now, a day at most; then for as many seconds of processor time since the
        last question, but at most `guard` times as long. Raises ProgramError if no line comes in time, or the program
        has ended; after that it is closed.
        """
        began = monotonic() if began is None else began
        try:
            while (end := self._sofar.find(b"\n")) < 0:
                if not (chunk := self._chunk(began, seconds, guard)):
                    raise ProgramError(self._last_words(_END_TIMEOUT_S) or "has ended")
                self._sofar += chunk
        except BaseException as error:  # Ctrl-C too: a late answer would look like the next one
            self._fault = self._fault or str(error)
            self.close()
            raise
        line = self._sofar[:end].decode("utf-8", "replace")
        del self._sofar[: end + 1]
        return line.removesuffix("\r")

    def rest(self, seconds: float) -> Iterator[bytes]:
        """All further output, in chunks. Raises ProgramError unless the program ends in time and with status 0."""
        began = monotonic()
        while chunk := self._chunk(began, seconds):
            yield chunk
        left = began + seconds - monotonic()
        while not self._has_report.wait(max(0.0, left)):
            left = self._time_left(began, seconds)
            if left <= 0 and not self._fault:
                raise LateError(_late(seconds))
        if fault := self._last_words(0.0):
            raise ProgramError(fault)

    @property
    def is_open(self) -> bool:
        """False once the program has ended or was closed."""
        return self._end.alive and not self._has_report.is_set()

    def wait(self, seconds: float) -> bool:
        """Waits for the program to end; False if it doesn't."""
        return self._has_report.wait(seconds)

    def close(self) -> None:
        """Ends the program and all its children."""
        self._outbox.put(None)
        self._end()
        for thread in self._threads:
            thread.join(timeout=1)
        self._line.close()
        if self._talk is not None:
            self._talk.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _chunk(self, began: float, seconds: float, guard: float = GUARD) -> bytes:
        left = began + min(seconds, _DAY_S) - monotonic()
        while True:
            try:
                chunk = self._inbox.get(timeout=max(0.0, left))
            except Empty:
                if self._fault:
                    raise ProgramError(self._fault) from None
                if (left := self._time_left(began, seconds, guard)) <= 0:
                    raise LateError(_late(seconds)) from None
                continue
            if not chunk:
                self._inbox.put(chunk)
            return chunk

    def _time_left(self, began: float, seconds: float, guard: float = GUARD) -> float:
        """The seconds left to wait for an answer that is due; 0 or less if it is late."""
        used = self.processor_time()
        if used is None:
            return 0.0
        allowed = min(seconds, _DAY_S) * pace()
        left = allowed - (used - self._used) + max(0.0, began - self._sampled)
        deadline = began + max(guard, 2 * crowd() - 2) * allowed
        return min(max(left, _LEAST_WAIT_S) if left > 0 else left, deadline - monotonic())

    def processor_time(self) -> float | None:
        """Seconds of processor time that the program's processes have used; None if the system doesn't say."""
        if not _HAS_CHILDREN:
            return None
        ticks, layer = 0, _children(self._process.pid)  # the supervisor's
        while layer:
            for process in layer:
                with suppress(OSError, ValueError):  # it has ended
                    ticks += sum(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]))
            layer = [child for process in layer for child in _children(process)]
        return ticks / os.sysconf("SC_CLK_TCK")

    def _last_words(self, seconds: float) -> str | None:
        """The reason why the program closed its output, or None if it ended well.

        Raises CageError if it has not run.
        """
        if not self._has_report.wait(seconds) and not self._fault:
            return "closed its output"
        if self._is_uncaged:
            self._threads[2].join(_END_TIMEOUT_S)  # that reads the log
            _, _, why = self.log.strip().rpartition("\n")[2].rpartition("bwrap: ")
            if why.startswith("execvp "):
                return f"can't be started: {why.rpartition(': ')[2]}"
            raise CageError(f"bubblewrap failed: {one_line(why) or self._fault}")
        if self._fault or not self.status:
            return self._fault
        return _ended(self.status, self.limits)

    def _watch(self) -> None:
        """Receives the supervisor's report."""
        report = b""
        with suppress(OSError):
            report = self._line.recv(4096)
        if not report:  # the program has killed the supervisor
            self._fault = self._fault or "ended the process that supervises it"
            self._end()
        else:
            ended, self._is_uncaged, self.seconds, fault = supervisor.read_report(report.decode())
            self._fault = self._fault or fault
            status = self.status if ended is None else ended
            self.status = (
                128 - status if status > 128 and cage.has_bubblewrap() else status
            )  # bubblewrap's code for signals
        self._has_report.set()

    def _write(self, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError), pipe:  # it has ended
            while (text := self._outbox.get()) is not None:
                self._note(">", text)
                pipe.write(text)
                pipe.flush()

    def _read(self, pipe: IO[bytes]) -> None:
        for chunk in self._chunks("<", pipe):
            self._inbox.put(chunk)
        self._inbox.put(b"")

    def _listen(self, pipe: IO[bytes]) -> None:
        for chunk in self._chunks("!", pipe):
            self._log += chunk
            del self._log[:-_LOG_BYTES]
            if self._errors is not None:
                with suppress(OSError, ValueError, AttributeError):  # ours is closed, or there is none
                    sys.stderr.write(self._errors.decode(chunk))

    def _chunks(self, sign: str, pipe: IO[bytes]) -> Iterator[bytes]:
        """The output from a pipe; ends the program if it prints too much."""
        with pipe:
            while chunk := os.read(pipe.fileno(), 65536):
                self._left -= len(chunk)
                if self._left < 0:
                    self._fault = f"printed more than {self.limits.output >> 20} MB"
                    self._end()
                    break
                self._note(sign, chunk)
                yield chunk

    def _note(self, sign: str, chunk: bytes) -> None:
        if self._talk is None:
            return
        *lines, self._unended[sign] = (self._unended[sign] + chunk).split(b"\n")
        with suppress(OSError, ValueError):  # a full disk; or it was closed
            for line in lines:
                self._talk.write(f"{sign} {printable(line.decode('utf-8', 'replace'))}\n")


def command_words(command: str | Sequence[str], memory: int = Limits.memory) -> list[str]:
    """The words of a command, with absolute paths, since it will run in another folder, and options that limit Java.

    Raises ProgramError if it can't be parsed, or there is no such program.
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise ProgramError(f"can't be started: {str(error).lower()}") from None
    program = words[0] if words else ""
    # As a shell finds it, or in the current folder.
    found = shutil.which(program) or (shutil.which(f"./{program}") if program and os.sep not in program else None)
    if found is None:
        why = "it is not executable" if Path(program).exists() else "there is no such program"
        raise ProgramError(
            f"can't be started: {one_line(program)}: {why}" if program else "can't be started: no command"
        )
    is_java = Path(program).stem == "java"
    paths = [os.path.abspath(found)]
    for before, word in pairwise(words):
        is_class = is_java and os.sep not in word and "." not in word and before not in _JAVA_PATH_OPTIONS
        paths.append(word if is_class or before == "-m" else _absolute(word))  # -m: a module of Python
    if is_java:  # by default it fills most of the machine's memory before it collects, and writes to /tmp
        quick = ["-XX:TieredStopAtLevel=1"] if paths[-1].endswith(".java") else []  # compiles in half the time
        paths[1:1] = [*quick, f"-XX:MaxRAM={memory}", "-XX:MaxRAMPercentage=60", "-Djava.io.tmpdir=."]
    return paths


def is_startable(command: str) -> bool:
    """True if the first word of a command is an executable program."""
    with suppress(ProgramError):
        return bool(command_words(command))
    return False


def _opened_talk() -> IO[str] | None:
    path = os.environ.get(TALK)
    try:
        return open(path, "a", 1, encoding="utf-8") if path else None
    except OSError as error:
        raise ProgramError(f"can't be started: {path}, named by {TALK}, can't be written: {reason(error)}") from None


def _absolute(word: str) -> str:
    """A word with its paths made absolute: `build`, `build:lib/*`, `--path=build`."""
    option, sign, value = word.partition("=") if word.startswith("-") else ("", "", word)
    parts = value.split(os.pathsep)
    shown = [
        os.path.abspath(part) if part and os.path.exists(part.removesuffix("*") or ".") else part for part in parts
    ]
    return option + sign + os.pathsep.join(shown)


@lru_cache
def pace() -> float:
    """The time in which this machine sorts, in multiples of a usual machine's, from 1 to MAX_PACE; measured once."""
    numbers, times = [number * 7919 % 300_007 for number in range(300_007)], list[float]()
    for _ in range(3):
        began = thread_time()
        sorted(numbers)
        times.append(thread_time() - began)
    return min(MAX_PACE, max(1.0, min(times) / _USUAL_SORT_S))


def crowd() -> float:
    """Threads that want to run for each processor, from 1 to _MAX_CROWD, as far as the machine says so."""
    with suppress(OSError, ValueError, IndexError):
        runnable = int(Path("/proc/loadavg").read_text("ascii").split()[3].partition("/")[0])
        return min(_MAX_CROWD, max(1.0, runnable / (os.cpu_count() or 1)))
    return 1.0


def _children(process: int) -> list[int]:
    found = list[str]()
    with suppress(OSError):  # it has ended
        for thread in os.listdir(f"/proc/{process}/task"):
            found += Path(f"/proc/{process}/task/{thread}/children").read_text("ascii").split()
    return [*map(int, found)]


def _late(seconds: float) -> str:
    return f"took longer than {seconds:g} s"


def _ended(status: int, limits: Limits) -> str:
    if status == -signal.SIGXCPU:
        return f"took more than {limits.cpu} s of processor time"
    if status == -signal.SIGXFSZ:
        return f"wrote a file of more than {limits.files >> 20} MB"
    if status < 0:
        return f"was ended by a signal: {signal.strsignal(-status)}"
    return f"ended with status {status}"


def _end(process: subprocess.Popen[bytes], line: socket.socket, folder: str, mark: str) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_WR)  # its report can still be read
    try:
        process.wait(_END_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.returncode:  # it was killed before it could end the others
        supervisor.end_found(lambda: _marked(mark))
    supervisor.delete(folder)


def _marked(mark: str) -> Iterator[int]:
    entry = f"{MARK}={mark}".encode()
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # another user's, or gone by now
            if entry in path.read_bytes().split(b"\0"):
                yield int(path.parent.name)
