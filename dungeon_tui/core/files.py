"""All reading and writing of files: reads up to a limit, writes atomically, and refuses to overwrite the wrong file."""

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
from tempfile import gettempdir
from threading import Event
from typing import BinaryIO

from dungeon_tui.core.text import printable
from dungeon_tui.core.words import reason

MOST_BYTES = 96 * 2**20  # of a file that is read: a recording of the largest level
KINDS = {
    "recording": rb'\{"format": "dungeon-tui recording"',
    "crawler level": rb"\s*\d+\s+\d+\s+\d+\s+\d+\s[-+$@M?!\s]*\Z",
    "chase board": rb"\s*\d+[ \t]*\r?\n[.+@A-Z \r\n]",
    "rescue grid": rb"[\s\d,+-]+\Z|\s*\[",
    "dungeon": rb"RLG327",
    "campaign": rb'\s*title = "',
    "map": rb'\s*(<|\{\s*"(directed|multigraph|graph|nodes|edges|links)")',
    "table": rb"\w[\w %]*(,[\w %]+)+\r?\n",
    "library": rb"SQLite format 3\0",
    "par": rb'\{"format": "dungeon-tui par"',
    "page of a game": rb"<!doctype html>\n<!-- A game of dungeon-tui -->",
    "page of verdicts": rb"<!DOCTYPE html><!-- Verdicts of dungeon-tui -->",
    "table of verdicts": rb"program,right,wrong,failed,points,of,seconds,",
    "results": rb'\{\s*"score"',
}
"""How the files that we write begin, by their kind."""
VISITOR = "DUNGEON_TUI_VISITOR"
"""The environment variable that makes the player a visitor, who may name only files of the current folder."""
_HEAD = 4096  # bytes of a file that tell its kind
_targets: set[tuple[int, int]] = set()  # device and inode of what this command will write
_LONGEST_STEM = 200  # bytes of a file's name


class _Reading:
    is_going_on = False  # a read is in progress
    stop: Event | None = None  # set: no more reads


class UnwritableError(Exception):
    """Raised when a file can't be written."""

    def __init__(self, path: Path, error: OSError | ValueError) -> None:
        super().__init__(f"{printable(str(path))}: can't be written: {reason(error)}")


class OtherKindError(UnwritableError):
    """Raised when a file of another kind would be overwritten."""

    def __init__(self, path: Path, kind: str) -> None:
        self.present = f"{printable(str(path))} holds no {kind}"
        super().__init__(path, ValueError(f"it holds no {kind}, and would be lost; --force replaces it"))


def typed_path(typed: str) -> str:
    """The path that a person typed, ~ expanded. Raises ValueError if a visitor names a file outside their folder."""
    if VISITOR not in os.environ:
        return os.path.expanduser(typed)
    if not Path(typed).resolve().is_relative_to(Path.cwd()):
        raise ValueError("type a plain name, such as level.txt: visitors have a temporary folder")
    return typed


def read_file(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file. Raises OSError, ValueError (too large, claimed, a NUL in its name) or KeyboardInterrupt."""
    with _reading(), open(path, "rb") as file:
        refuse_claimed(file.fileno())
        return _read(file, most)


def read_standard_input(most: int = MOST_BYTES) -> bytes:
    """The bytes of standard input. Raises ValueError if they are more than `most`."""
    with _reading():
        return _read(sys.stdin.buffer, most)


def read_regular(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file. Raises OSError, or ValueError if it is no regular file or larger than `most` bytes."""
    _refuse_irregular(path.stat(), most)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        _refuse_irregular(os.fstat(file.fileno()), most)  # the file may have been replaced
        return _read(file, most)


def is_reading() -> bool:
    """True while a file or standard input is being read. Only an exception from a signal handler ends that wait."""
    return _Reading.is_going_on


@contextmanager
def stops_reading(stop: Event) -> Iterator[None]:
    """Makes reads within the block raise KeyboardInterrupt once the event is set."""
    _Reading.stop = stop
    try:
        yield
    finally:
        _Reading.stop = None


@contextmanager
def _reading() -> Iterator[None]:
    _Reading.is_going_on = True  # first: a signal handler that sets the event now raises here
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
    """Checks as `check_writable` does, and makes `read_file` refuse the file until `forget_claims`."""
    check_writable(path, kind, force)
    with suppress(OSError):
        _targets.add(_identity(path.stat()))


def refuse_claimed(file: str | Path | int) -> None:
    """Raises ValueError if this command has claimed a file, given by name or descriptor."""
    if _identity(os.stat(file)) in _targets:
        raise ValueError("this command would overwrite it; choose another name to write to")


def make_folder(folder: Path) -> None:
    """Makes a folder and its parents. Raises UnwritableError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableError(folder, error) from None


def forget_claims() -> None:
    """Forgets all claimed files."""
    _targets.clear()


def check_writable(path: Path, kind: str = "", force: bool = False) -> None:
    """Checks that a file can be written; changes nothing. Raises UnwritableError, or OtherKindError unless `force`."""
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


def refuse_other(path: Path, kind: str) -> None:
    """Checks as `check_writable` does, for commands without --force. Raises UnwritableError."""
    try:
        check_writable(path, kind)
    except OtherKindError as error:
        raise UnwritableError(path, ValueError(f"it holds no {kind}, and would be lost")) from error


def write_text(path: Path, text: str) -> None:
    """Writes a text in UTF-8, as `write_bytes` does; line ends stay as they are."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file atomically and durably; keeps links, modes and owners. Raises UnwritableError."""
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
    """Writes a new file atomically and durably, as NAME, NAME-2, NAME-3 ...; returns its path. Raises OSError."""
    with _written_part(path, data) as part:
        free = _free_name(path)
        part.replace(free)
        return free


def set_aside(path: Path, word: str) -> Path:
    """Renames a file to NAME-WORD or else NAME-WORD-2 ...; returns its new path. Raises UnwritableError."""
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
    """The path, or else the first free one of NAME-2, NAME-3 ... An empty file reserves it."""
    for number in count(1):
        free = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        with suppress(FileExistsError):
            free.touch(exist_ok=False)  # reserves the name
            return free
    raise AssertionError  # count never ends


@contextmanager
def _written_part(target: Path, data: bytes) -> Iterator[Path]:
    """Writes the bytes to a file next to the target and yields its path; removes it unless the block has moved it."""
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


def left_behind(prefix: str) -> Iterator[Path]:
    """Yields temporary folders, named PREFIX, process and random name, whose process was killed."""
    for folder in Path(gettempdir()).glob(f"{prefix}*-*"):
        process = folder.name.removeprefix(prefix).partition("-")[0]
        if process.isdecimal() and is_gone(int(process)):
            yield folder


def is_gone(process: int) -> bool:
    """True if the system says that no process has this number any more."""
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
    target = path.resolve()
    stem = os.fsdecode(os.fsencode(target.name)[:_LONGEST_STEM])
    return target.with_name(f"{stem}.{os.getpid()}.part")


def _sync(folder: Path) -> None:
    """Makes new names in a folder durable, if the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
