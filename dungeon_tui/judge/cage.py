"""The cage of a program: bubblewrap's options, and what of the machine a sealed program sees."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from tempfile import gettempdir
from time import sleep
from typing import TypeVar

import dungeon_tui
from dungeon_tui.core.text import one_line
from dungeon_tui.judge import syscalls

UNPROTECTED = (
    "a process group with limits. Without bubblewrap a program can read and change what you can (our solvers, hidden"
    " inputs, verdicts, its own copy, the work of others), use the network and leave processes running"
)
COMMAND = "dungeon-tui"
TEMPORARY = "dungeon-tui-"  # begins the names of temporary folders
_MAX_TRIES, _RETRY_DELAY_S = 3, 0.5  # if bubblewrap fails
_OWN = ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run", "--remount-ro", "/run"]
_BWRAP = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", *_OWN]
_SEALED = ["--unshare-all", "--die-with-parent", *_OWN]
_AS_ROOT = ["--cap-drop", "ALL"]  # others have none to drop
_SYSTEM = "/bin", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/libx32", "/nix", "/opt", "/sbin", "/snap", "/usr"
_PASSED = {"HOME", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "SHELL", "JAVA_HOME", "PYENV_ROOT", "NODE_PATH"}
_PATHS = re.compile(r"/[^\s:;,'\"=()]+")  # in a word that is more than a path

ResultT = TypeVar("ResultT")


class CageError(ValueError):
    """Raised when bubblewrap failed and the program did not run. The program is not to blame."""


@lru_cache
def has_bubblewrap() -> bool:
    """True if bubblewrap works. Raises CageError if it fails at present."""
    words = ["bwrap", *_BWRAP, "--json-status-fd", "2", "true"]  # older ones don't know that
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return False
    if b"temporarily" in done.stderr:  # don't silently run other people's programs without a cage
        raise CageError(f"bubblewrap failed: {one_line(done.stderr.decode(errors='replace'))}")
    return done.returncode == 0


def caged(run: Callable[[], ResultT]) -> ResultT:
    """The result of a function that starts a program; retries if bubblewrap fails, then raises CageError."""
    for _ in range(_MAX_TRIES - 1):
        with suppress(CageError):
            return run()
        sleep(_RETRY_DELAY_S)
    return run()


def description() -> str:
    """The cage that judged programs run in. Raises CageError if it fails at present."""
    if caged(has_bubblewrap):
        return "bubblewrap: no network; they see the system, their own folder and nothing else of yours"
    return UNPROTECTED


def bubblewrap(folder: str, view: Iterable[str] | None) -> tuple[list[str], list[int]]:
    """The words to put before a command to cage it, and the descriptors they name. Only the folder is writable.

    `view` are the options of what a sealed program sees, by `sealed_view`; None: everything.
    The options go through a pipe, because the program can read the words of its parent.
    """
    own = ["--bind", folder, folder, "--chdir", folder, "--bind", folder, "/dev/shm", "--remount-ro", "/dev"]
    options = [*(_BWRAP if view is None else [*_SEALED, *view]), *(_AS_ROOT if os.geteuid() == 0 else ()), *own]
    options += ["--remount-ro", "/"] if view is not None else []
    passed = []
    if (program := syscalls.syscall_filter()) is not None:
        passed.append(_pipe(program))
        options += ["--seccomp", str(passed[0])]
    passed.append(_pipe(b"".join(os.fsencode(option) + b"\0" for option in options)))
    return ["bwrap", "--args", str(passed[-1])], passed


def _pipe(content: bytes) -> int:
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as file:
        file.write(content)
    return reader


def sealed_view(words: Sequence[str], hidden: Sequence[str], shown: Sequence[str] = ()) -> list[str]:
    """The options that show a sealed program the system, the tools on its PATH, and the folders that its command names.

    Our package, its levels, our virtual environment and `hidden` stay out of reach. For a command of ours, `shown`
    replaces what its words name; of our package it sees only the parts in there.
    """
    package = str(Path(dungeon_tui.__file__).parent)
    parts = [path for path in shown if is_below(path, [package])]
    named = [path for path in shown if path not in parts] or _named(words)
    tools = [*_search_path(), *(os.environ.get(name, "") for name in ("JAVA_HOME", "PYENV_ROOT")), sys.base_prefix]
    tools = [path for path in tools if os.path.isabs(path)]
    needed = [path if copy_of(path) else os.path.realpath(path) for path in named]  # a copy's links lead nowhere
    places = {*map(_place, (*named, *needed, *tools, *map(os.path.realpath, tools)))}
    places = {path for path in (*_SYSTEM, *places) if path != os.sep and os.path.exists(path)}
    folders = _outermost(map(os.path.realpath, places))
    links = _outermost(path for path in places if os.path.realpath(path) != path and not is_below(path, folders))
    secret = map(os.path.realpath, (*(_ours() if parts else _hidden()), *hidden))
    masked = _outermost(
        path for path in secret if is_below(path, folders) and not any(is_below(each, [path]) for each in needed)
    )
    emptied = [path for path in masked if os.path.isdir(path)]
    return [
        *(word for path in folders for word in ("--ro-bind", path, path)),
        *(word for path in links for word in ("--symlink", os.path.realpath(path), path)),
        *(word for path in emptied for word in ("--tmpfs", path)),
        *(word for path in masked if os.path.isfile(path) for word in ("--ro-bind", "/dev/null", path)),
        *(word for path in parts for word in ("--ro-bind", path, path)),
        *(word for path in emptied for word in ("--remount-ro", path)),
    ]


def _outermost(paths: Iterable[str]) -> list[str]:
    """The paths that are not in another one, sorted."""
    found = set(paths)
    return sorted(path for path in found if not is_below(path, found - {path}))


def is_below(path: str, places: Iterable[str]) -> bool:
    """True if a path is one of the places, or in one."""
    return any(path == place or path.startswith(f"{place.rstrip(os.sep)}{os.sep}") for place in places)


def _named(words: Sequence[str]) -> list[str]:
    found = [path for word in words for path in ([word] if os.path.exists(word) else _PATHS.findall(word))]
    return [path for path in found if os.path.isabs(path) and os.path.exists(path)]


def _place(path: str) -> str:
    """The folder of a path, or all that lies beside a folder `bin`; of a home or of temporary files the path alone."""
    if copy := copy_of(path):
        return copy
    place, temporary = Path(path), gettempdir()
    folder = place if os.path.isdir(path) else place.parent
    folder = folder.parent if folder.name in ("bin", "shims") else folder
    is_wide = any(is_below(each, [str(folder)]) for each in (os.path.expanduser("~/.local/share"), temporary))
    return path if is_wide else str(folder)


def copy_of(path: str) -> str:
    """The folder of the copy of a submission that a path lies in; empty: none."""
    copy = re.match(re.escape(os.path.join(gettempdir(), TEMPORARY)) + "[^/]*", path)
    return copy[0] if copy else ""


def base_python() -> str:
    """The Python that our virtual environment was made from, or ours if there is none."""
    return getattr(sys, "_base_executable", None) or sys.executable


def is_own_python(program: str) -> bool:
    """True for a Python of our virtual environment."""
    return os.path.realpath(Path(program).parent) in _hidden() and Path(program).name.startswith("python")


def sealed_environment() -> dict[str, str]:
    """Our environment without what leads a program to this package or to other programs that run."""
    passed = {name: value for name, value in os.environ.items() if name in _PASSED or name.startswith("LC_")}
    return passed | {"PATH": os.pathsep.join(_search_path()), "PYTHONNOUSERSITE": "1"}


def _search_path() -> list[str]:
    """The folders on the PATH, without those in the home that hold our command."""
    found, home = os.environ.get("PATH", os.defpath).split(os.pathsep), os.path.expanduser("~")
    ours = {path for path in found if is_below(path, [home]) and os.path.exists(f"{path}/{COMMAND}")}
    ours = {path for path in ours if not os.path.exists(f"{path}/python3")}  # programs may need that
    return [path for path in found if path not in ours and os.path.realpath(path) not in _hidden()]


@lru_cache
def _ours() -> tuple[str, ...]:
    """This package and its levels."""
    package = Path(dungeon_tui.__file__).parent
    folders = [package] if (package / "levels").is_dir() else [package, package.parent / "levels"]
    return tuple(os.path.realpath(folder) for folder in folders if folder.is_dir())


@lru_cache
def _hidden() -> tuple[str, ...]:
    """Folders that would give a program our answers: ours, and our virtual environment's."""
    names = ("purelib", "platlib", "scripts") if sys.prefix != sys.base_prefix else ()
    return (*_ours(), *dict.fromkeys(os.path.realpath(sysconfig.get_path(name)) for name in names))
