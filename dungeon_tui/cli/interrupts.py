"""Signal handling: Ctrl-C works at every moment, and signals that end the program lose nothing."""

import codecs
import errno
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType
from typing import TextIO, cast

from dungeon_tui.core.plain import ENDS, TextAhead, handled_signals

_PIECE = 1 << 16  # bytes to read at once, at most
_LOADERS = ("importlib", "numba", "llvmlite")


class EndedError(BaseException):
    """Raised in the main thread by a signal that ends the program."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.exit_status = 128 + number


@contextmanager
def heard() -> Iterator[None]:
    """Makes Ctrl-C raise KeyboardInterrupt, and ENDS EndedError; while modules load, both exit at once."""
    with handled_signals([signal.SIGINT, *ENDS], _raise, unless_changed=True):
        yield


@contextmanager
def ends_by(end: Callable[[int], object], numbers: Sequence[int] = ENDS) -> Iterator[None]:
    """Makes signals call `end` with the exit status, 128 + n, within the block, instead of raising."""
    with handled_signals(numbers, lambda number, _: end(128 + number)):
        yield


class EndingStream(TextAhead):
    """Input and output of a plain-text game; a signal that ends the program ends the input, as `q` does."""

    def __init__(self, source: TextIO, output: TextIO) -> None:
        super().__init__(self._wait_for_some)
        self._some, self._output = _arriving(source), output
        self._is_reading = False
        self.exit_status = 0  # after a signal 128 + its number; then nobody may be reading the output
        self.before_reading: Callable[[], object] = bool

    def end(self, exit_status: int) -> None:
        """Ends the input; raises EndedError into a waiting read. For a signal handler in the main thread."""
        self.exit_status = exit_status
        if self._is_reading:
            self._is_reading = False
            raise EndedError(exit_status - 128)

    def read(self, size: int | None = -1) -> str:
        """Reads at most `size` characters, by default all; empty at the end and after a signal."""
        self.before_reading()
        return "" if self.exit_status else super().read(size)

    def readline(self, size: int = -1) -> str:  # type: ignore[override]
        self.before_reading()
        return "" if self.exit_status else super().readline(size)

    def write(self, text: str) -> int:
        with suppress(OSError) if self.exit_status else nullcontext():
            self._output.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError) if self.exit_status else nullcontext():
            self._output.flush()

    def _wait_for_some(self) -> str:
        self.before_reading()
        if self.exit_status:
            return ""
        try:
            self._is_reading = True
            return self._some()
        except EndedError:
            return ""
        except OSError as error:  # the terminal was closed; the signal comes a moment later
            if error.errno != errno.EIO:
                raise
            return ""
        finally:
            self._is_reading = False


def _arriving(source: TextIO) -> Callable[[], str]:
    """A function that returns the next piece of a text as soon as it arrives, of any length; empty at the end."""
    if not isinstance(source, io.TextIOWrapper):
        return source.readline
    decoder = codecs.getincrementaldecoder(source.encoding)(source.errors or "strict")
    lines = io.IncrementalNewlineDecoder(decoder, translate=True)
    pieces = cast(io.BufferedReader, source.buffer)

    def piece() -> str:
        while data := pieces.read1(_PIECE):
            if text := lines.decode(data):
                return text
        return lines.decode(b"", final=True)

    return piece


def _raise(number: int, frame: FrameType | None) -> None:
    if _is_loading(frame):
        if sys.stderr.isatty():
            os.write(2, b"\x1b[?25h")  # progress lines hide the cursor
        os._exit(128 + number)
    raise KeyboardInterrupt if number == signal.SIGINT else EndedError(number)


def _is_loading(frame: FrameType | None) -> bool:
    """True if the frame was called by code that loads modules or kernels."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith("<frozen importlib") or frame.f_globals.get("__name__", "").partition(".")[0] in _LOADERS:
            return True
        frame = frame.f_back
    return False
