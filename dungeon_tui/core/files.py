"""The one door for files: read up to a limit, written whole, never onto what is read or onto a file of another kind."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Event
from typing import BinaryIO

from dungeon_tui.core.text import printable
from dungeon_tui.core.words import reason

MOST_BYTES = 96 * 2**20  # of a file that is read: a recording of the largest level
KINDS = {
    "recording": rb'\{"format": "dungeon-tui recording"',
    "terminal recording": rb'\{"version": 2,',
    "crawler level": rb"\s*\d+\s+\d+\s+\d+\s+\d+\s[-+$@M?!\s]*\Z",
    "chase board": rb"\s*\d+[ \t]*\r?\n[.+@A-Z \r\n]",
    "rescue grid": rb"[\s\d,+-]+\Z|\s*\[",
    "dungeon": rb"RLG327",
    "campaign": rb'\s*title = "',
    "map": rb'\s*(<|\{\s*"(directed|multigraph|graph|nodes|edges|links)")',
    "table": rb"\w[\w %]*(,[\w %]+)+\r?\n",
    "library": rb'\{"format": "dungeon-tui library"',
    "par": rb'\{"format": "dungeon-tui par"',
}
"""How the files that we write begin, by their kind."""
VISITOR = "DUNGEON_TUI_VISITOR"
"""The environment variable that says: who plays is a visitor, and may name files of the present folder only."""
_HEAD = 4096  # bytes of a file that tell its kind
_targets: set[tuple[int, int]] = set()  # device and inode of what this command will write
_LONGEST_STEM = 200  # bytes of a file's name
_PART = re.compile(r"(.+)\.([0-9]{1,19})\.part", re.DOTALL)  # of what is being written: the file's name, the writer


class _Reading:
    is_going_on = False  # some call waits for what is read
    stop: Event | None = None  # set: none may begin any more


class UnwritableError(Exception):
    """A file can't be written: which one, and why."""

    def __init__(self, path: Path, error: OSError | ValueError) -> None:
        super().__init__(f"{printable(str(path))}: can't be written: {reason(error)}")


class OtherKindError(UnwritableError):
    """A file is of another kind than what would replace it."""

    def __init__(self, path: Path, kind: str) -> None:
        self.present = f"{printable(str(path))} holds no {kind}"
        super().__init__(path, ValueError(f"it holds no {kind}, and would be lost; --force replaces it"))


def typed_path(typed: str) -> str:
    """The path that a person typed, ~ for their home; ValueError where a visitor names more than their own files."""
    if VISITOR not in os.environ:
        return os.path.expanduser(typed)
    if not Path(typed).resolve().is_relative_to(Path.cwd()):
        raise ValueError(
            "a plain name is meant, as level.txt: visitors have a folder of their own, while they are here"
        )
    return typed


def read_file(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file; of an endless one no more than the limit is read.

    Raises:
        OSError: it can't be opened.
        ValueError: it is larger than `most` bytes, will be written by the same command, or has a NUL in its name.
        KeyboardInterrupt: the event given to `stops_reading` was set before.
    """
    with _reading(), open(path, "rb") as file:
        refuse_claimed(file.fileno())
        return _read(file, most)


def read_standard_input(most: int = MOST_BYTES) -> bytes:
    """The bytes of standard input, read to its end; ValueError if they are more than `most`."""
    with _reading():
        return _read(sys.stdin.buffer, most)


@contextmanager
def open_regular(path: Path, most: int = MOST_BYTES) -> Iterator[BinaryIO]:
    """Opens a file to be read in the block; refuses a pipe or a device at once, instead of waiting for it.

    Raises:
        OSError: it can't be opened.
        ValueError: it is no regular file, or larger than `most` bytes.
    """
    _refuse_irregular(path.stat(), most)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        _refuse_irregular(os.fstat(file.fileno()), most)  # another one may lie there by now
        yield file


def read_regular(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file; refuses pipes and devices, with the errors of `open_regular`."""
    with open_regular(path, most) as file:
        return _read(file, most)


def is_reading() -> bool:
    """True while a file or standard input is being read: only an exception, raised by a signal, ends the waiting."""
    return _Reading.is_going_on


@contextmanager
def stops_reading(stop: Event) -> Iterator[None]:
    """Lets `read_file` and `read_standard_input` raise KeyboardInterrupt within the block once the event is set."""
    _Reading.stop = stop
    try:
        yield
    finally:
        _Reading.stop = None


@contextmanager
def _reading() -> Iterator[None]:
    _Reading.is_going_on = True  # before the question: whoever sets the event now raises here
    try:
        if _Reading.stop is not None and _Reading.stop.is_set():
            raise KeyboardInterrupt
        yield
    finally:
        _Reading.is_going_on = False


def _read(file: BinaryIO, most: int) -> bytes:
    data = file.read(most + 1)
    if len(data) > most:
        raise _too_large(most)
    return data


def _refuse_irregular(status: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("a pipe or a device, no file")
    if status.st_size > most:
        raise _too_large(most)


def _too_large(most: int) -> ValueError:
    size = f"{most // 2**20} MB" if most >= 2**20 else f"{most // 2**10} KB"
    return ValueError(f"larger than {size}, the most that is read")


def claim(path: Path, kind: str, force: bool = False) -> None:
    """Checks that a file can be written, as `check_writable`; `read_file` refuses it until `forget_claims`."""
    check_writable(path, kind, force)
    with suppress(OSError):
        _targets.add(_identity(path.stat()))


def refuse_claimed(file: str | Path | int) -> None:
    """Raises ValueError if this command has claimed a file, given by name or descriptor; OSError if it isn't there."""
    if _identity(os.stat(file)) in _targets:
        raise ValueError("this command would overwrite it; choose another name to write to")


def forget_claims() -> None:
    """Forgets the files that `claim` was told of: all may be read again."""
    _targets.clear()


def check_writable(path: Path, kind: str = "", force: bool = False) -> None:
    """Checks that a file can be written, before the work is done for it; nothing is changed.

    Args:
        path: what will be written.
        kind: one of KINDS: only such a file is replaced, or an empty one; "": any is.
        force: a file of another kind may be replaced, too.

    Raises:
        OtherKindError: it holds something else.
        UnwritableError: it can't be written.
    """
    try:
        if path.is_dir() or path.is_file():
            path.open("ab").close()
        if path.is_file() or not path.exists():
            part = _part(path)
            part.touch()
            part.unlink()
        if path.is_file() and kind and not force:
            with path.open("rb") as file:
                head = file.read(_HEAD)
            if head and not re.match(KINDS[kind], head):
                raise OtherKindError(path, kind)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name, too
        raise UnwritableError(path, error) from None


def write_text(path: Path, text: str) -> None:
    """Writes a text whole and durably, as `write_bytes`: in UTF-8, its line ends as they are on every system."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file whole and durably, or leaves what was there; links stay links, modes and owners stay theirs.

    Raises:
        UnwritableError: it can't be written.
    """
    try:
        if path.exists() and not path.is_file():  # a pipe or a device: nothing to replace
            path.write_bytes(data)
            return
        target = path.resolve()
        with _written_part(target, data) as part:
            if target.exists():
                shutil.copymode(target, part)
                with suppress(OSError, AttributeError):  # only its owner and root may; Windows has no such thing
                    os.chown(part, target.stat().st_uid, target.stat().st_gid)
            part.replace(target)
    except (OSError, ValueError) as error:
        raise UnwritableError(path, error) from None


def write_new(path: Path, data: bytes) -> Path:
    """Writes a new file whole and durably, by this name or, where that is taken, NAME-2, NAME-3 ...; returns its path.

    Raises:
        OSError: it can't be written; nothing is left behind.
    """
    with _written_part(path, data) as part:
        free = _free_name(path)
        part.replace(free)
        return free


def set_aside(path: Path, word: str) -> Path:
    """Gives a file another name beside it, NAME-WORD or, where that is taken, NAME-WORD-2 ...; returns its new path.

    Raises:
        UnwritableError: it can't be renamed; it stays as it is.
    """
    try:
        free = _free_name(path.with_stem(f"{path.stem}-{word}"))
        try:
            path.replace(free)
        except OSError:
            free.unlink(missing_ok=True)
            raise
        _sync(path.parent)
    except OSError as error:
        raise UnwritableError(path, error) from None
    return free


def _free_name(path: Path) -> Path:
    """The path, or the first of NAME-2, NAME-3 ... that nothing has; an empty file keeps it for us."""
    for number in count(1):
        free = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        with suppress(FileExistsError):
            free.touch(exist_ok=False)  # the name is ours from here on, whoever else is writing
            return free
    raise AssertionError  # count never ends


@contextmanager
def _written_part(target: Path, data: bytes) -> Iterator[Path]:
    """Writes the bytes to a file beside the target and yields its path; removes it unless the block has moved it."""
    part = _part(target)
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield part
        _sync(target.parent)
    finally:
        part.unlink(missing_ok=True)


def unfinished(path: Path) -> list[Path]:
    """Paths of half-written copies beside a file, left by writers that a crash or a kill has ended."""
    target = path.resolve()
    with suppress(OSError):
        return [part for part in target.parent.iterdir() if left_of(part) == _stem(target)]
    return []


def left_of(part: Path) -> str | None:
    """The name of the file that a half-written copy was to become, if its writer is gone; None for any other path."""
    found = _PART.fullmatch(part.name)
    return found[1] if found is not None and is_gone(int(found[2])) else None


def is_gone(process: int) -> bool:
    """True if there is no process of this number any more, as far as the system tells."""
    if sys.platform == "win32":  # there a signal 0 is no question
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _part(path: Path) -> Path:
    """The path beside a file at which this process writes it before it replaces what is there."""
    target = path.resolve()
    return target.with_name(f"{_stem(target)}.{os.getpid()}.part")


def _stem(target: Path) -> str:
    """The file's name, cut to 200 bytes so as to leave room for an ending."""
    return os.fsdecode(os.fsencode(target.name)[:_LONGEST_STEM])


def _sync(folder: Path) -> None:
    """Makes new names in a folder durable, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
