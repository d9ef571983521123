"""Judges many programs: in this process or in several. Stored verdicts survive an interruption."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, astuple, dataclass, replace
from functools import partial
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from dungeon_tui.core.files import read_regular
from dungeon_tui.core.json_positions import parsed
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import reason
from dungeon_tui.judge import roster, supervisor
from dungeon_tui.judge.build import NO_RULES, RULES_FILE, SOURCES, Rules, built, has_sources, read_rules
from dungeon_tui.judge.roster import HandedIn, RosterError
from dungeon_tui.judge.verdicts import Test, Verdict
from dungeon_tui.storage.settings import own_programs
from dungeon_tui.workers import run_all

RUN = "run"  # the executable of a submission's folder
_MAIN = "main", "bridge"  # the latter in our kits
RUNNERS = {".py": "python3", ".js": "node", ".jar": "java -jar", ".java": "java"}
_NO_PROGRAM = "has no program: no `run`, and not one file that runs"
_NEEDS_BUILD = "; C, C++ and Java sources need --build"
_BEGINNING = '{"key": '  # of a line of verdicts
_MOST_HASHED, _MOST_FILES = 2**26, 1000  # bytes of a file of a submission, and files


@dataclass(frozen=True, slots=True)
class Submission:
    """A program to judge: a command, or what was handed in, from which a copy is made first."""

    name: str
    command: str = ""
    handed: HandedIn | None = None
    rules: Rules = NO_RULES
    builds: bool = False


def submissions(programs: Sequence[str], *, builds: bool = False) -> Iterator[Submission]:
    """The programs named by command lines, files, folders, zips, and `@NAME` from the settings.

    A folder with an executable `run` is one submission, as is a file, a student's zip, and a folder with sources if it
    `builds` them; in any other folder, and in a course's zip, each student is one. Raises LevelError if the rules of a
    folder are wrong, RosterError for a course's zip that can't be unpacked.
    """
    for program in programs:
        path, shown = Path(program), Path(program)
        if is_zip := path.suffix.lower() == ".zip" and path.is_file():
            is_one = not roster.is_export(path)
            if not is_one:
                path = roster.work_folder("roster")
                atexit.register(supervisor.delete, str(path))
                roster.unpack(shown, path, roster.MAX_EXPORT_BYTES)
        elif path.is_dir():
            is_one = _is_one(path, builds=builds)
        else:
            own = own_programs() if program.startswith("@") else {}
            yield Submission(printable(program), _command(path) if path.exists() else own.get(program[1:], program))
            continue
        rules = read_rules(path.parent if is_one else path) if builds and not is_zip else NO_RULES
        if is_one:
            yield Submission(printable(program), "", roster.handed_in(path), rules, builds)
            continue
        for handed in roster.students(path):
            if not builds or handed.student != RULES_FILE:
                yield Submission(printable(str(shown / handed.student)), "", handed, rules, builds)


def _is_one(folder: Path, *, builds: bool) -> bool:
    """True for a folder with one program, False for a folder of submissions."""
    entries = [*folder.iterdir()]
    is_only = len(entries) == 1 and entries[0].is_file() and entries[0].suffix in RUNNERS
    return is_only or (folder / RUN).is_file() or (builds and any(entry.suffix in SOURCES for entry in entries))


def _command(file: Path) -> str:
    return f"{RUNNERS.get(file.suffix, '')} {shlex.quote(str(file.absolute()))}".strip()


def _main_file(folder: Path) -> Path | None:
    """The file to run in a student's folder, or else in the folders in it.

    That is `run`, the only file, or of those that a runner exists for the only one or the one named main or bridge.
    """
    entries = [*folder.iterdir()]
    if len(entries) == 1 and entries[0].is_file() and os.access(entries[0], os.X_OK):
        return entries[0]
    for place in [folder, *sorted(path for path in folder.rglob("*") if path.is_dir())]:
        known = [file for file in sorted(place.iterdir()) if file.suffix in RUNNERS]
        named = known if len(known) == 1 else [file for stem in _MAIN for file in known if file.stem.lower() == stem]
        if (place / RUN).is_file() or named:
            return place / RUN if (place / RUN).is_file() else named[0]
    return None


def judge_all(
    judge: Callable[[str], Verdict],
    wanted: Sequence[Submission],
    *,
    jobs: int = 1,
    stored: StoredVerdicts | None = None,
) -> Iterator[tuple[int, Verdict]]:
    """Yields the index and verdict of each submission, in the order in which they finish.

    Runs `judge`, a picklable function of the command line, in this process or in several `jobs`. Reuses stored verdicts
    and adds new ones. Raises ProcessError if the judge itself failed.
    """
    todo = []
    for index, submission in enumerate(wanted):
        if stored is not None and (known := stored.verdict(submission)) is not None:
            yield index, known
        else:
            todo.append(index)
    tasks = [wanted[index] for index in todo]
    function = partial(_judged, judge)
    done = run_all(function, tasks, jobs) if jobs > 1 else ((index, function(task)) for index, task in enumerate(tasks))
    for index, verdict in done:
        if stored is not None:
            stored.add(tasks[index], verdict)
        yield todo[index], verdict


@contextmanager
def prepared(submission: Submission) -> Iterator[tuple[str, str]]:
    """Yields the command of a submission, and its fault. The copy of what was handed in exists within the block."""
    command, fault = submission.command, ""
    with ExitStack() as stack:
        if submission.handed is not None:
            try:
                folder = stack.enter_context(roster.gathered(submission.handed))
                is_run = (folder / RUN).is_file()
                if submission.builds and not is_run and (submission.rules.build or has_sources(folder)):
                    command, fault = built(folder, submission.rules)
                elif file := _main_file(folder):
                    command = _command(file)
                else:
                    fault = _NO_PROGRAM + _NEEDS_BUILD * (not submission.builds)
            except RosterError as error:
                fault = str(error)
        yield (shlex.join(["sh", "-c", f"echo {shlex.quote(fault)} >&2; exit 1"]) if fault else command), fault


def _judged(judge: Callable[[str], Verdict], submission: Submission) -> Verdict:
    with prepared(submission) as (command, fault):
        verdict = judge(command)
    if fault:
        verdict = replace(verdict, summary=fault, tests=tuple(replace(test, said=fault) for test in verdict.tests))
    return replace(verdict, program=submission.name, values={**verdict.values, "program": submission.name})


class StoredVerdicts:
    """Verdicts in a file, one JSON object a line; the key covers submission, files, inputs and limits."""

    def __init__(self, path: Path, about: str) -> None:
        """Reads the file, without lines that are no verdict; `about` identifies the inputs, the limits and the seed.

        Raises ValueError if it can't be read, or holds something else.
        """
        self._path, self._about = path, about
        self._known = dict[str, Verdict]()
        try:
            text = read_regular(path).decode(errors="replace") if path.exists() else ""
        except (OSError, ValueError) as error:
            raise ValueError(f"{printable(str(path))}: {reason(error)}") from None
        for line in text.splitlines():
            with suppress(ValueError, KeyError, TypeError):
                key, values = itemgetter("key", "verdict")(parsed(line))
                self._known[key] = _verdict(values)
        if text.strip() and not self._known and not text.startswith(_BEGINNING):
            raise ValueError(f"{printable(str(path))} holds no verdicts; move it away, or name another folder")
        self._is_cut_off = not text.endswith("\n") and text != ""

    def verdict(self, submission: Submission) -> Verdict | None:
        """The stored verdict on a submission, or None."""
        return self._known.get(self._key(submission))

    def add(self, submission: Submission, verdict: Verdict) -> None:
        """Appends a verdict immediately."""
        line = json.dumps({"key": self._key(submission), "verdict": asdict(verdict)})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n" if self._is_cut_off else f"{line}\n")
        self._is_cut_off = False

    def _key(self, submission: Submission) -> str:
        """A digest of the submission and of all files in its command."""
        digest = hashlib.sha256(
            os.fsencode(f"{self._about}\0{submission.name}\0{submission.command}\0{submission.rules}")
        )
        try:
            words = shlex.split(submission.command)
        except ValueError:  # a quote is missing: it can't be started
            words = []
        if submission.handed is not None:
            words = [str(path) for _, path in submission.handed.parts]
        for word in words:
            path = Path(word.rpartition(":")[0] if ".py:" in word else word)  # FILE.py:function
            folder = path.parent if path.name == RUN else path
            for file in sorted(islice(folder.rglob("*"), _MOST_FILES)) if folder.is_dir() else [path]:
                if file.is_file() and file.stat().st_size < _MOST_HASHED:
                    digest.update(hashlib.sha256(file.read_bytes()).digest())
        return digest.hexdigest()


def _verdict(values: Any) -> Verdict:
    """The verdict in a line. Raises KeyError or TypeError if it has another shape."""
    tests = tuple(Test(**test) for test in values["tests"])
    found = Verdict(**{**values, "tests": tests})
    kinds = [*map(type, (found.program, found.values, found.summary))]
    shapes = [[str, bool, float, str, bool, share, bool, str] for share in (float, type(None))]
    if kinds != [str, dict, str] or any([*map(type, astuple(test))] not in shapes for test in tests):
        raise TypeError
    return found
