"""Programs as children: asked by lines of text, or run once from input to output; a fault of theirs is a clause.

Each runs in a fresh folder that vanishes with it, below a supervisor that keeps its limits (`supervisor`), and in
bubblewrap where that is there and works. docs/protocol.md says what stays open.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic, sleep
from types import MappingProxyType
from typing import IO, TypeVar
from weakref import finalize

from dungeon_tui.core.text import one_line, printable
from dungeon_tui.core.words import reason
from dungeon_tui.judge import supervisor
from dungeon_tui.judge.containment import MARK, end_marked, new_mark

TALK = "DUNGEON_TUI_TALK"
"""The environment variable that names a file: what programs are told, and what they print, is added to it."""
_TRIES, _AGAIN = 3, 0.5  # of a cage that can't be made, and seconds between two
_GRACE = 5.0  # seconds for the supervisor to end everything; never waited for in full
_LOG = 2**16  # bytes of standard error that are kept, the last ones
_BWRAP = (
    "bwrap --unshare-all --die-with-parent --ro-bind / / --dev /dev --proc /proc --tmpfs /run".split()
)  # fmt: skip
_JAVAS_PATHS = {"-cp", "-classpath", "--class-path", "-p", "--module-path", "-jar"}


ResultT = TypeVar("ResultT")


class ProgramError(Exception):
    """Raised when a program did not do as it should; the message is a clause that can follow its name."""


class CageError(ProgramError):
    """Raised when a program has not run because bubblewrap failed: nobody can say a word on the program."""


@dataclass(frozen=True)
class Limits:
    """The most that a program may take."""

    seconds: float = 10.0  # by the clock on the wall, for one answer
    start: float = 20.0  # the same, until it first answers
    cpu: int = 60  # seconds of processor time of each of its processes
    memory: int = 2**30  # bytes that all its processes hold together
    files: int = 2**28  # bytes of its largest file
    processes: int = 512  # and threads, of all its processes together
    output: int = 2**24  # bytes that it prints for one answer, errors included


@dataclass(frozen=True, slots=True)
class Answer:
    """All that came of one run of a program."""

    output: str
    error: str  # the end of what it printed on standard error
    status: int  # 0 or above: what it ended with; below: the signal that ended it, or -9 where we did
    seconds: float  # by the clock on the wall, its start included
    fault: str | None  # a clause: "took longer than 10 s", "ended with status 1"; None: it did well


def run_program(
    command: str | Sequence[str],
    text: str | bytes,
    limits: Limits = Limits(),
    files: Mapping[str, bytes] = MappingProxyType({}),
) -> Answer:
    """Runs a program once, with a text on its standard input; tells its fault as a clause.

    Args:
        command: a line as for a shell, or its words; paths in it lie in the present folder.
        text: that it reads.
        limits: the most that it may take.
        files: name and content of those that it finds in its folder.

    Raises:
        CageError: no cage can be made for it, not even a moment later.
    """
    return caged(lambda: _run(command, text, limits, files))


def caged(run: Callable[[], ResultT]) -> ResultT:
    """The result of a function that starts a program; where the cage fails, it is called again a moment later.

    Raises:
        CageError: that failed as well.
    """
    for _ in range(_TRIES - 1):
        with suppress(CageError):
            return run()
        sleep(_AGAIN)
    return run()


def _run(command: str | Sequence[str], text: str | bytes, limits: Limits, files: Mapping[str, bytes]) -> Answer:
    began = monotonic()
    try:
        program = Program(command, limits, files)
    except CageError:
        raise
    except ProgramError as error:
        return Answer("", "", -signal.SIGKILL, 0.0, str(error))
    chunks = list[bytes]()
    with program:
        program.feed(text)
        fault = None
        try:
            chunks += program.rest(limits.seconds)
        except CageError:
            raise
        except ProgramError as error:
            fault = str(error)
    output = b"".join(chunks).decode("utf-8", "replace")
    return Answer(output, program.log, program.status, program.seconds or monotonic() - began, fault)


class Program(AbstractContextManager["Program"]):
    """A program that runs until it is closed, with all that it has started; a context manager that closes it."""

    def __init__(
        self,
        command: str | Sequence[str],
        limits: Limits = Limits(),
        files: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        """Starts it, with these files in its folder.

        Raises:
            ProgramError: there is no such program.
        """
        self.limits = limits
        self.status = -int(signal.SIGKILL)  # see Answer
        self.seconds = 0.0  # from its start to its end, once it has ended by itself
        if sys.platform == "win32":
            raise ProgramError("can't be started: only Linux and macOS can hold a program in limits")
        words = command_words(command, limits.memory)
        self._talk, self._unended = _opened_talk(), dict.fromkeys("><!", b"")
        folder, mark = TemporaryDirectory(prefix="dungeon-tui-", ignore_cleanup_errors=True), new_mark()
        for name, content in files.items():
            (Path(folder.name) / name).write_bytes(content)
        ours, theirs = socket.socketpair()
        most = limits.cpu, limits.files, limits.memory, limits.processes
        order = supervisor.order(theirs.fileno(), most, folder.name, _cage(folder.name), words)
        try:
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", *order],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    cwd=folder.name,
                    env={**os.environ, MARK: mark, "TMPDIR": folder.name, "CLASSPATH": _class_path()},
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                )
        except OSError as error:
            folder.cleanup()
            raise ProgramError(f"can't be started: {reason(error)}") from None
        self._line = ours
        self._end = finalize(self, _end, self._process, ours, folder, mark)  # at the latest when we exit
        self._inbox, self._outbox = SimpleQueue[bytes](), SimpleQueue[bytes | None]()  # b"", None: no more
        self._sofar = bytearray()  # that was received, beyond the last line
        self._log = bytearray()
        self._left = limits.output
        self._fault: str | None = None
        self._is_uncaged = False  # bubblewrap failed: it has not run
        self._told = Event()  # how it has ended
        self._threads = [
            Thread(target=each, daemon=True) for each in (self._write, self._read, self._listen, self._watch)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def log(self) -> str:
        """The end of what it printed on standard error."""
        return self._log.decode("utf-8", "replace")

    def send(self, line: str) -> None:
        """Gives it a line, whether it reads that or not, and forgets what it printed before: that was no answer."""
        self._left = self.limits.output
        self._sofar.clear()
        with suppress(Empty):
            while self._inbox.get_nowait():
                pass
            self._inbox.put(b"")
        self._outbox.put(f"{line}\n".encode())

    def feed(self, text: str | bytes) -> None:
        """Gives it a text, and no more after that."""
        self._outbox.put(text.encode() if isinstance(text, str) else text)
        self._outbox.put(None)

    def receive(self, seconds: float, began: float | None = None) -> str:
        """The next line that it prints, without its end.

        Args:
            seconds: to wait for it, no more than a day's.
            began: the moment from which they count, by time.monotonic; None: now.

        Raises:
            ProgramError: none came in time, or it has ended; it is closed then.
        """
        deadline = (monotonic() if began is None else began) + min(seconds, 86_400.0)
        try:
            while (end := self._sofar.find(b"\n")) < 0:
                if not (chunk := self._chunk(deadline, seconds)):
                    raise ProgramError(self._last_words(_GRACE) or "has ended")
                self._sofar += chunk
        except BaseException as error:  # Ctrl-C too: its answer would come when something else is asked
            self._fault = self._fault or str(error)
            self.close()
            raise
        line = self._sofar[:end].decode("utf-8", "replace")
        del self._sofar[: end + 1]
        return line.removesuffix("\r")

    def rest(self, seconds: float) -> Iterator[bytes]:
        """All that it prints until it ends, by chunks.

        Raises:
            ProgramError: it didn't end in time, or not well.
        """
        deadline = monotonic() + seconds
        while chunk := self._chunk(deadline, seconds):
            yield chunk
        if fault := self._last_words(max(0.0, deadline - monotonic())):
            raise ProgramError(_late(seconds) if monotonic() >= deadline else fault)

    @property
    def is_open(self) -> bool:
        """False once it was closed, by itself or by us."""
        return self._end.alive and not self._told.is_set()

    def wait(self, seconds: float) -> bool:
        """Waits until it has ended by itself; False if it hasn't."""
        return self._told.wait(seconds)

    def close(self) -> None:
        """Ends it, with all that it has started."""
        self._outbox.put(None)
        self._end()
        for thread in self._threads:
            thread.join(timeout=1)
        self._line.close()
        if self._talk is not None:
            self._talk.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _chunk(self, deadline: float, seconds: float) -> bytes:
        try:
            chunk = self._inbox.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            raise ProgramError(self._fault or _late(seconds)) from None
        if not chunk:
            self._inbox.put(chunk)
        return chunk

    def _last_words(self, seconds: float) -> str | None:
        """The reason why it has closed its output, once its supervisor tells; None: it has ended well.

        Raises:
            CageError: it has not run.
        """
        if not self._told.wait(seconds) and not self._fault:
            return "closed its output"
        if self._is_uncaged:
            self._threads[2].join(_GRACE)  # that listens
            _, _, why = self.log.strip().rpartition("\n")[2].rpartition("bwrap: ")
            if why.startswith("execvp "):
                return f"can't be started: {why.rpartition(': ')[2]}"
            raise CageError(f"bubblewrap failed: {one_line(why) or self._fault}")
        if self._fault or not self.status:
            return self._fault
        return _ended(self.status, self.limits)

    def _watch(self) -> None:
        """Hears what its supervisor reports at the end."""
        report = b""
        with suppress(OSError):
            report = self._line.recv(4096)
        if not report:  # it has ended the supervisor
            self._fault = self._fault or "ended the process that watches over it"
            self._end()
        else:
            ended, self._is_uncaged, self.seconds, fault = supervisor.read_report(report.decode())
            self._fault = self._fault or fault
            status = self.status if ended is None else ended
            self.status = 128 - status if status > 128 and _bubblewrap() else status  # as bubblewrap tells signals
        self._told.set()

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with suppress(OSError, ValueError), pipe:  # it has ended
            while (text := self._outbox.get()) is not None:
                self._note(">", text)
                pipe.write(text)
                pipe.flush()

    def _read(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        with pipe:
            while (chunk := os.read(pipe.fileno(), 65536)) and self._is_allowed(chunk):
                self._note("<", chunk)
                self._inbox.put(chunk)
        self._inbox.put(b"")

    def _listen(self) -> None:
        pipe = self._process.stderr
        assert pipe is not None
        with pipe:
            while (chunk := os.read(pipe.fileno(), 65536)) and self._is_allowed(chunk):
                self._note("!", chunk)
                self._log += chunk
                del self._log[:-_LOG]

    def _note(self, sign: str, chunk: bytes) -> None:
        if self._talk is None:
            return
        *lines, self._unended[sign] = (self._unended[sign] + chunk).split(b"\n")
        with suppress(OSError, ValueError):  # a full disk; or it was closed
            for line in lines:
                self._talk.write(f"{sign} {printable(line.decode('utf-8', 'replace'))}\n")

    def _is_allowed(self, chunk: bytes) -> bool:
        """True if it may print a chunk; it is ended where that is too much."""
        self._left -= len(chunk)
        if self._left >= 0:
            return True
        self._fault = f"printed more than {self.limits.output >> 20} MB"
        self._end()
        return False


def cage() -> str:
    """The cage that programs run in, in words. Raises CageError if it fails at present."""
    if caged(_bubblewrap):
        return "bubblewrap: no network, files can be read, but only those of a folder of its own written"
    return "a process group with limits; files and network are not protected"


def command_words(command: str | Sequence[str], memory: int = Limits.memory) -> list[str]:
    """The words of a command, with paths made absolute, as it will run in a folder of its own, within some memory.

    Raises:
        ProgramError: they are none, or there is no such program.
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise ProgramError(f"can't be started: {str(error).lower()}") from None
    program = words[0] if words else ""
    found = _found(program)
    if found is None:
        why = "it is no program that may be run" if Path(program).exists() else "there is no such program"
        raise ProgramError(
            f"can't be started: {one_line(program)}: {why}" if program else "can't be started: no command"
        )
    is_java = Path(program).stem == "java"
    paths = [os.path.abspath(found)]
    for before, word in pairwise(words):
        is_class = is_java and os.sep not in word and "." not in word and before not in _JAVAS_PATHS
        is_module = before == "-m"  # of Python
        paths.append(word if is_class or is_module else _absolute(word))
    if is_java:  # by itself it would fill most of the machine's memory before it collects, and write to /tmp
        quick = ["-XX:TieredStopAtLevel=1"] if paths[-1].endswith(".java") else []  # half the time to compile it
        paths[1:1] = [*quick, f"-XX:MaxRAM={memory}", "-XX:MaxRAMPercentage=60", "-Djava.io.tmpdir=."]
    return paths


def is_startable(command: str) -> bool:
    """True if the first word of a command is a program that may be run."""
    with suppress(ProgramError):
        return bool(command_words(command))
    return False


def _found(program: str) -> str | None:
    """The path of a program: of the shell's, or of one in the present folder."""
    return shutil.which(program) or (shutil.which(f"./{program}") if program and os.sep not in program else None)


def _opened_talk() -> IO[str] | None:
    path = os.environ.get(TALK)
    try:
        return open(path, "a", 1, encoding="utf-8") if path else None
    except OSError as error:
        raise ProgramError(f"can't be started: {path}, named by {TALK}, can't be written: {reason(error)}") from None


def _absolute(word: str) -> str:
    """A word of a command, its paths made absolute: `build`, `build:lib/*`, `--path=build`."""
    option, sign, value = word.partition("=") if word.startswith("-") else ("", "", word)
    parts = value.split(os.pathsep)
    shown = [
        os.path.abspath(part) if part and os.path.exists(part.removesuffix("*") or ".") else part for part in parts
    ]
    return option + sign + os.pathsep.join(shown)


def _class_path() -> str:
    """The folders in which Java looks for classes where the command doesn't say."""
    given = os.environ.get("CLASSPATH") or "."
    return os.pathsep.join(map(os.path.abspath, given.split(os.pathsep)))


def _cage(folder: str) -> list[str]:
    return [*_BWRAP, "--bind", folder, folder, "--chdir", folder] if _bubblewrap() else []


@lru_cache
def _bubblewrap() -> bool:
    words = [*_BWRAP, "--json-status-fd", "2", "true"]  # older ones don't know that
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return False
    if b"temporarily" in done.stderr:  # without a cage, strangers' programs would run bare unasked
        raise CageError(f"bubblewrap failed: {one_line(done.stderr.decode(errors='replace'))}")
    return done.returncode == 0


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


def _end(process: subprocess.Popen[bytes], line: socket.socket, folder: TemporaryDirectory[str], mark: str) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_WR)  # its report can still be read
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.returncode:  # somebody ended it before it could end the others
        end_marked(mark)
    folder.cleanup()
