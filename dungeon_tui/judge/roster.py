"""Students' work as Moodle, Canvas, Blackboard and Gradescope export it: zips, folders, files with a student's name."""

from __future__ import annotations

import os
import re
import shutil
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import mkdtemp
from zipfile import BadZipFile, ZipFile

from dungeon_tui.core.files import left_behind
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import reason
from dungeon_tui.judge import supervisor
from dungeon_tui.judge.cage import TEMPORARY

_MAX_BYTES, _MAX_ENTRIES = 2**28, 10_000  # unpacked, of a zip
MAX_EXPORT_BYTES = 2**32
_CHUNK_BYTES = 2**16
_LEFT_OUT = {"__MACOSX", ".DS_Store", "Thumbs.db", ".git"}
_NO_TIME = 1980, 1, 1, 0, 0, 0  # what programs without a clock write into a zip
_SYSTEMS = (
    re.compile(r"(?P<id>.+_\d+)_assignsubmission_[a-z]+_?(?P<file>.*)"),  # Moodle
    re.compile(r".+_(?P<id>[^_]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)"),  # Blackboard
    re.compile(r"(?P<id>[^_]+)(?P<late>_LATE)?(?P<number>_\d+)_(?:\d+_(?P<file>.+)|(?:text|link)\.html)"),  # Canvas
)
_METADATA = "submission_metadata.yml"  # of Gradescope: who handed in which folder, and when
_ENTRY = re.compile(r"^(submission_\w+):\s*\n((?:(?! +:score:) +.*\n)*)", re.MULTILINE)


class RosterError(ValueError):
    """Raised if what a student handed in can't be unpacked; the message is a clause."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """Everything that a student handed in, and when."""

    student: str
    parts: tuple[tuple[str, Path], ...]  # the student's name for it; a file, a zip or a folder
    time: datetime | None = None  # by the system, else the newest of its files, in a zip by the zip
    is_late: bool = False  # by the system


def handed_in(path: Path) -> HandedIn:
    """A file, folder or zip under a name of the teacher's."""
    return HandedIn(without_ending(path.name, ".zip"), ((path.name, path.absolute()),), _newest(path))


def without_ending(name: str, *endings: str) -> str:
    """The name without its ending, if that is one of these."""
    path = Path(name)
    return path.stem if path.suffix.lower() in endings else name


def students(folder: Path) -> list[HandedIn]:
    """The work that the students in a folder handed in; of several attempts the last."""
    for metadata in (folder / _METADATA, *folder.glob(f"*/{_METADATA}")):
        if metadata.is_file():
            return [*_listed(metadata)]
    found = dict[str, HandedIn]()
    for path in sorted(folder.absolute().iterdir()):
        if path.name.startswith("."):
            continue
        match = next(filter(None, (system.fullmatch(path.name) for system in _SYSTEMS)), None)
        named = {} if match is None else match.groupdict()
        student = f"{named['id']}{named.get('number') or ''}" if match else without_ending(path.name, ".zip")
        before = found.get(student, HandedIn(student, ()))
        time: datetime | None = None
        if text := named.get("time"):
            with suppress(ValueError):
                time = datetime.strptime(text, "%Y-%m-%d-%H-%M-%S")
            before = before if time == before.time else HandedIn(student, ())
        else:
            time = max((each for each in (before.time, _newest(path)) if each), default=None)
        name = named.get("file") or ""
        parts = () if text and not name else ((name if name.strip(".") else path.name, path),)  # a receipt
        found[student] = HandedIn(student, before.parts + parts, time, before.is_late or bool(named.get("late")))
    return [handed for handed in found.values() if handed.parts]


def _listed(metadata: Path) -> Iterator[HandedIn]:
    """The students whom Gradescope lists, each member of a group too; times in our time zone."""
    for name, entry in _ENTRY.findall(metadata.read_text("utf-8", "replace")):
        time, folder = None, metadata.absolute().parent / name
        with suppress(ValueError, IndexError):
            date, clock, zone = re.findall(r":created_at: (\S+) (\S+) (\S+)", entry)[0]
            time = datetime.fromisoformat(f"{date}T{clock}{zone}").astimezone().replace(tzinfo=None, microsecond=0)
        for student in re.findall(r":sid: ['\"]?([^'\"\n]+)", entry) or [name]:
            yield HandedIn(student, ((name, folder),) if folder.is_dir() else (), time)


def is_export(path: Path) -> bool:
    """True for a zip of a whole course's submissions."""
    with suppress(OSError, ValueError, BadZipFile, RuntimeError), _opened(path) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
        return any(name.endswith(_METADATA) for name in archive.namelist()) or any(
            system.fullmatch(top) for system in _SYSTEMS for top in tops
        )
    return False


def _opened(path: Path) -> ZipFile:
    """Opens a zip. Its names are UTF-8, which macOS writes without the flag for it, or else the old code page 437."""
    try:
        return ZipFile(path, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        return ZipFile(path)


def _newest(path: Path) -> datetime | None:
    """The time at which the newest file was changed: in a zip by the zip's own times."""
    times = list[datetime | None]()
    with suppress(OSError, BadZipFile, RuntimeError):
        if path.is_dir():
            times += [_newest(file) for file in path.rglob("*") if file.is_file()]
        elif path.suffix.lower() == ".zip":
            with ZipFile(path) as archive:
                dates = {info.date_time for info in archive.infolist()} - {_NO_TIME}
                for date in dates:
                    with suppress(ValueError):  # some write a month 0
                        times.append(datetime(*date))
        else:
            times.append(datetime.fromtimestamp(path.stat().st_mtime).replace(microsecond=0))
    return max(filter(None, times), default=None)


def work_folder(kind: str) -> Path:
    """A new temporary folder of this process. Those of judges that were killed are deleted first."""
    prefix = f"{TEMPORARY}{kind}-"
    for folder in left_behind(prefix):
        supervisor.delete(str(folder))
    return Path(mkdtemp(prefix=f"{prefix}{os.getpid()}-"))


@contextmanager
def gathered(handed: HandedIn) -> Iterator[Path]:
    """A new folder with all that a student handed in, unpacked; deleted afterwards. Raises RosterError."""
    folder = work_folder("student")
    try:
        try:
            for name, path in handed.parts:
                if path.is_dir():
                    shutil.copytree(path, folder, symlinks=True, dirs_exist_ok=True)
                else:
                    shutil.copy2(path, folder / name)
            for path in folder.rglob("*"):
                if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
                    path.unlink()  # to another's work, perhaps
            for path in [path for path in folder.iterdir() if path.suffix.lower() == ".zip"]:
                unpack(path, folder)
                path.unlink()
        except OSError as error:
            raise RosterError(f"can't be unpacked: {reason(error)}") from None
        yield _inmost(folder)
    finally:
        supervisor.delete(str(folder))


def _inmost(folder: Path) -> Path:
    """The folder, or the only folder in it."""
    while len(entries := [path for path in folder.iterdir() if path.name not in _LEFT_OUT]) == 1:
        if entries[0].is_symlink() or not entries[0].is_dir():
            break
        folder = entries[0]
    return folder


def unpack(path: Path, folder: Path, most: int = _MAX_BYTES) -> None:
    """Unpacks the files of a zip, without links; at most so many bytes.

    Raises RosterError for a zip that is larger, or leads out of the folder.
    """
    left = most
    try:
        with _opened(path) as archive:
            if len(archive.infolist()) > _MAX_ENTRIES:
                raise RosterError(f"its zip holds more than {_MAX_ENTRIES:,} files")
            for info in archive.infolist():
                kind, words = stat.S_IFMT(info.external_attr >> 16), info.filename.replace("\\", "/").split("/")
                if info.is_dir() or kind not in (0, stat.S_IFREG) or _LEFT_OUT.intersection(words):
                    continue
                target = folder.joinpath(*words)
                if ":" in words[0] or not target.resolve().is_relative_to(folder.resolve()) or ".." in words:
                    raise RosterError(f"its zip names a file outside of its folder: {printable(info.filename)}")
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(info) as source, target.open("wb") as file:
                    while chunk := source.read(_CHUNK_BYTES):
                        left -= len(chunk)
                        if left < 0:
                            raise RosterError(f"its zip holds more than {most >> 20} MB")
                        file.write(chunk)
                with suppress(ValueError):
                    os.utime(target, (datetime(*info.date_time).timestamp(),) * 2)
                target.chmod(0o755 if info.external_attr >> 16 & 0o100 or target.name == "run" else 0o644)
    except RosterError:
        raise
    except (BadZipFile, EOFError, OSError, RuntimeError, ValueError, zlib.error) as error:
        raise RosterError(
            f"its zip can't be unpacked: {reason(error) if isinstance(error, OSError) else error}"
        ) from None
