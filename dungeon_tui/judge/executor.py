"""Work on many programs: here, in other processes or on a Dask cluster, with verdicts that outlive a stop."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from dungeon_tui.core.text import printable
from dungeon_tui.judge.verdicts import Test, Verdict
from dungeon_tui.storage.settings import own_programs
from dungeon_tui.workers import run_all

RUN = "run"  # the executable of a submission's folder
RUNNERS = {".py": "python3", ".js": "node", ".jar": "java -jar", ".java": "java"}
_MOST_HASHED, _MOST_FILES = 2**26, 1000  # bytes of a file of a submission, and files


@dataclass(frozen=True, slots=True)
class Submission:
    """A program to be judged."""

    name: str
    command: str


class ClusterError(Exception):
    """Raised when no scheduler answers, or the library for it isn't installed."""


def submissions(programs: Sequence[str]) -> Iterator[Submission]:
    """The programs that command lines, files, folders and `@NAME` of the settings name.

    A folder with an executable `run` is one submission, as is a file; in any other folder each entry is one.
    """
    for program in programs:
        path = Path(program)
        if path.is_dir() and _file(path) is None:
            for entry in sorted(path.iterdir()):
                if not entry.name.startswith("."):
                    yield Submission(printable(str(entry)), _command(entry))
        else:
            own = own_programs() if program.startswith("@") else {}
            yield Submission(printable(program), _command(path) if path.exists() else own.get(program[1:], program))


def _command(path: Path) -> str:
    """The command line that runs a file, or the program in a folder."""
    file = _file(path) or path
    return f"{RUNNERS.get(file.suffix, '')} {shlex.quote(str(file.absolute()))}".strip()


def _file(path: Path) -> Path | None:
    """The file of a submission: itself, or in a folder `run`, else the only file that a runner takes."""
    if not path.is_dir():
        return path
    if (path / RUN).is_file():
        return path / RUN
    known = [file for file in path.iterdir() if file.is_file() and file.suffix in RUNNERS]
    return known[0] if len(known) == len([*path.iterdir()]) == 1 else None


def judge_all(
    judge: Callable[[str], Verdict],
    wanted: Sequence[Submission],
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    kept: Kept | None = None,
) -> Iterator[tuple[int, Verdict]]:
    """Yields the index and the verdict of each submission, whichever is ready first.

    Args:
        judge: picklable; from a command line to the verdict.
        wanted: the submissions.
        jobs: other processes; 1: all is done in this one.
        scheduler: the address of a Dask scheduler, whose workers do it.
        kept: verdicts of before, which are not looked for again, and to which the new ones are added.

    Raises:
        ClusterError: there is no such scheduler, or no `distributed`.
        ProcessError: the judge itself failed.
    """
    todo = []
    for index, submission in enumerate(wanted):
        known = None if kept is None else kept.verdict(submission)
        if known is None:
            todo.append(index)
        else:
            yield index, known
    tasks = [wanted[index] for index in todo]
    function = partial(_judged, judge)
    if scheduler is not None:
        done = _on_cluster(function, tasks, scheduler)
    elif jobs > 1:
        done = run_all(function, tasks, jobs)
    else:
        done = ((place, function(task)) for place, task in enumerate(tasks))
    for place, verdict in done:
        if kept is not None:
            kept.add(tasks[place], verdict)
        yield todo[place], verdict


def _judged(judge: Callable[[str], Verdict], submission: Submission) -> Verdict:
    verdict = judge(submission.command)
    return replace(verdict, program=submission.name, values={**verdict.values, "program": submission.name})


def _on_cluster(
    function: Callable[[Submission], Verdict], tasks: Sequence[Submission], scheduler: str
) -> Iterator[tuple[int, Verdict]]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ClusterError("a cluster needs one more package: pip install 'dungeon-tui[cluster]'") from None
    try:
        client = distributed.Client(scheduler, timeout="10s")
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    with client:
        futures = client.map(function, tasks, pure=False)
        places = {future.key: place for place, future in enumerate(futures)}
        for future, verdict in distributed.as_completed(futures, with_results=True):
            yield places[future.key], verdict


class Kept:
    """Verdicts in a file, a line of JSON each, by submission, its files' content, and all that it is judged by."""

    def __init__(self, path: Path, about: str) -> None:
        """Reads what is there, but for lines that can't be read; `about` tells the inputs, the limits and the seed."""
        self._path, self._about = path, about
        self._known = dict[str, dict[str, Any]]()
        with suppress(OSError):
            for line in path.read_text("utf-8").splitlines():
                with suppress(ValueError, KeyError, TypeError):
                    values = json.loads(line)
                    self._known[values["key"]] = values["verdict"]

    def verdict(self, submission: Submission) -> Verdict | None:
        """The verdict on a submission; None where it is still to be judged."""
        values = self._known.get(self._key(submission))
        if values is None:
            return None
        tests = tuple(Test(**test) for test in values["tests"])
        return Verdict(values["program"], values["values"], tests, values["summary"])

    def add(self, submission: Submission, verdict: Verdict) -> None:
        """Adds a line, at once."""
        line = json.dumps({"key": self._key(submission), "verdict": asdict(verdict)})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def _key(self, submission: Submission) -> str:
        digest = hashlib.sha256(os.fsencode(f"{self._about}\0{submission.name}\0{submission.command}"))
        for word in _words(submission.command):
            path = Path(word.rpartition(":")[0] if ".py:" in word else word)  # FILE.py:function
            folder = path.parent if path.name == RUN else path
            for file in sorted(islice(folder.rglob("*"), _MOST_FILES)) if folder.is_dir() else [path]:
                if file.is_file() and file.stat().st_size < _MOST_HASHED:
                    digest.update(hashlib.sha256(file.read_bytes()).digest())
        return digest.hexdigest()


def _words(command: str) -> list[str]:
    with suppress(ValueError):
        return shlex.split(command)
    return []  # a quote is missing: it can't be started
