"""`GAME judge` and `GAME break`: judges other people's programs by the game's problem."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from dungeon_tui.cli.recordings import page_of
from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.files import make_folder, refuse_other, set_aside, write_bytes
from dungeon_tui.core.level import LevelError, LevelFile, read_level_file
from dungeon_tui.core.plain import fail, in_columns, tell
from dungeon_tui.core.recording import read_recording
from dungeon_tui.core.toml_positions import read_toml
from dungeon_tui.core.words import counted
from dungeon_tui.judge import cage
from dungeon_tui.judge.program import MAX_PACE, Limits, ProgramError, command_words
from dungeon_tui.ui import command_line as shell
from dungeon_tui.workers import ProcessError

if TYPE_CHECKING:
    from dungeon_tui.judge.breaker import Found
    from dungeon_tui.judge.executor import StoredVerdicts, Submission
    from dungeon_tui.judge.problem import Problem
    from dungeon_tui.judge.reports import Rubric
    from dungeon_tui.judge.verdicts import Verdict

PROGRAM = "A command line that reads standard input and writes standard output"
KEPT = "verdicts.jsonl"  # in the folder of the pages

ProgramsArgument = Annotated[
    list[str], shell.argument("PROGRAM...", f"{PROGRAM}; a file; or a folder of programs.", callback=shell.refuse_empty)
]
ProgramArgument = Annotated[str, shell.argument("PROGRAM", f"{PROGRAM}, or a file.", callback=shell.refuse_empty)]
LimitOption = Annotated[
    float, shell.option("--limit", "S", "Seconds for each answer.", min=0.1, callback=shell.refuse_nan)
]
BOUNDS = {
    "low": shell.option("--low", "L", "Least number of an input; default: -1000."),
    "high": shell.option("--high", "H", "Largest number; default: 1000."),
    "rows": shell.option("--rows", "R", "Most rows; default: 200.", min=1),
    "cols": shell.option("--cols", "C", "Most columns; default: 200.", min=1),
}
BOUNDS_FILE = "bounds.toml"  # beside the inputs, or in the current folder
_MOST_BOUNDS_BYTES = 2**12
InputsOption = Annotated[
    list[str] | None, shell.option("--inputs", "FILE...", "Files or shipped levels; default: all shipped levels.")
]
SeedOption = Annotated[int, shell.option("--seed", "S", "Seed for random inputs.")]


class TextJudge:
    """Judges programs that turn an input into an answer. A game's own judge has the same methods, with more options."""

    limit = Limits.seconds

    def __init__(self, load: Callable[..., Problem], bounds: Sequence[str]) -> None:
        """`load` makes the problem; `bounds` are the ones of BOUNDS that it takes."""
        self._load = load
        keyword = inspect.Parameter.KEYWORD_ONLY
        self.bounds = [
            inspect.Parameter(name, keyword, default=None, annotation=Annotated[int | None, BOUNDS[name]])
            for name in bounds
        ]

    def judging(
        self,
        limits: Limits,
        inputs: InputsOption = None,
        random: Annotated[
            int | None, shell.option("--random", "N", "Random inputs to add; default: 20 without --inputs.", min=0)
        ] = None,
        hidden: Annotated[
            Path | None,
            shell.option("--hidden", "DIR", "Inputs that reports for students keep secret.", parser=shell.read_path),
        ] = None,
        seed: SeedOption = 0,
        **bounds: int | None,
    ) -> tuple[Callable[[str], Verdict], str]:
        """The function that judges a program, and a digest of the inputs."""
        from dungeon_tui.judge.verdicts import cases_of, judge

        problem, named, secret = self._within(inputs, hidden, bounds)
        cases = cases_of(problem, named, random, seed, secret)
        return partial(judge, problem, cases, limits), hashlib.sha256(repr(cases).encode()).hexdigest()

    def breaking(
        self,
        limits: Limits,
        program: str,
        seconds: float,
        tell: Callable[[str], object],
        inputs: InputsOption = None,
        seed: SeedOption = 0,
        **bounds: int | None,
    ) -> Found:
        """Finds the smallest input that beats a program; tries those in files first."""
        from dungeon_tui.judge.breaker import search

        problem, named, _ = self._within(inputs, None, bounds)
        return search(problem, program, limits, seconds, seed, tell, [*map(problem.read, named)])

    def _within(
        self, inputs: list[str] | None, hidden: Path | None, bounds: dict[str, int | None]
    ) -> tuple[Problem, list[str], list[str]]:
        """The problem within the bounds, and the files of inputs and of hidden ones. Raises LevelError."""
        named, secret = shell.refuse_empty(inputs or []), _files_in(hidden)
        folders = {Path(file).parent for file in (*named, *secret) if Path(file).exists()} or {Path()}
        given = self._bounds_in(folders) | {name: value for name, value in bounds.items() if value is not None}
        named, secret = ([file for file in files if Path(file).name != BOUNDS_FILE] for files in (named, secret))
        return self._load(**given), named, secret

    def _bounds_in(self, folders: Iterable[Path]) -> dict[str, int]:
        """The bounds in the files of some folders. Raises LevelError."""
        found, names = dict[str, int](), [option.name for option in self.bounds]
        for path in (folder / BOUNDS_FILE for folder in sorted(folders)):
            if names and path.is_file():
                values = read_toml(file := read_level_file(str(path), _MOST_BOUNDS_BYTES))
                if not {*values} <= {*names} or any(type(value) is not int for value in values.values()):
                    raise LevelError(f"bounds are whole numbers, by the names {', '.join(names)}", file.name)
                found |= values
        return found


def _files_in(folder: Path | None) -> list[str]:
    """The files of a folder of inputs. Raises BadParameter if there is none."""
    if folder is None:
        return []
    files = sorted(str(file) for file in folder.glob("*") if file.is_file() and not file.name.startswith("."))
    if not files:
        raise typer.BadParameter(f"{folder} is no folder with inputs", param_hint="--hidden")
    return files


class TakesFiles(TyperCommand):
    """A command whose option --inputs takes all words up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [*_spread(args)])


def _spread(words: Sequence[str]) -> Iterator[str]:
    """The words with --inputs before each of its values.

    >>> [*_spread(["p", "--inputs", "a", "b", "--json"])]
    ['p', '--inputs', 'a', '--inputs', 'b', '--json']
    """
    is_file = is_first = False
    for word in words:
        if word.startswith("--"):
            is_file = is_first = word == "--inputs"
        elif is_file:
            yield from () if is_first else ("--inputs",)
            is_first = False
        yield word


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no time, as in 2026-03-01T18:00") from None


@dataclass(frozen=True)
class _Reports:
    """The options of `GAME judge` that say where its verdicts go."""

    as_json: shell.JsonOption = False
    csv: Annotated[
        Path | None,
        shell.written(
            "--csv", "table of verdicts", "The file to write a line for each program to; - is standard output"
        ),
    ] = None
    html: Annotated[
        Path | None, shell.option("--html", "DIR", "Write web pages; resumes after a stop.", parser=shell.read_path)
    ] = None
    gradescope: Annotated[
        Path | None,
        shell.option(
            "--gradescope", "FILE", "The results.json to write; NAME-PROGRAM.json for several.", parser=shell.read_path
        ),
    ] = None
    rubric: Annotated[
        str | None, shell.option("--rubric", "FILE", "A TOML file: points for patterns of test names.")
    ] = None

    deadline: Annotated[
        datetime | None,
        shell.option("--deadline", "TIME", "Mark later submissions, as in 2026-03-01T18:00.", parser=_time),
    ] = None

    def dated(self, submission: Submission, verdict: Verdict) -> Verdict:
        """The verdict with the student and the time, if they are known."""
        from dungeon_tui.judge.executor import RUNNERS
        from dungeon_tui.judge.roster import without_ending

        if (handed := submission.handed) is None:
            return verdict
        is_late = handed.is_late or bool(self.deadline and handed.time and handed.time > self.deadline)
        time = handed.time and handed.time.isoformat(" ")
        student = without_ending(handed.student, *RUNNERS)
        return replace(verdict, values={**verdict.values, "id": student, "submitted": time, "late": is_late})

    def worth(self) -> Rubric:
        """The points of tests; refuses options that contradict each other."""
        from dungeon_tui.judge import reports

        if self.as_json and shell.is_standard_output(self.csv):
            raise typer.BadParameter("either --json or --csv -, not both", param_hint="--csv")
        return reports.EACH if self.rubric is None else reports.read_rubric(self.rubric)

    def stored(self, about: str) -> StoredVerdicts | None:
        """Returns the verdicts stored beside the pages. Refuses to replace other files, before hours of judging."""
        from dungeon_tui.judge.executor import StoredVerdicts

        stored = None
        if self.html is not None:
            make_folder(self.html)
            refuse_other(self.html / "index.html", "page of verdicts")
            with shell.one_line_errors():
                stored = StoredVerdicts(self.html / KEPT, about)
        if self.gradescope is not None:
            refuse_other(self.gradescope, "results")
        return stored

    def write(self, game: Game, verdicts: Sequence[Verdict], worth: Rubric, handed_in: int) -> None:
        """Writes all reports; the verdicts after those handed in are on our own strategies."""
        from dungeon_tui.judge import reports

        note = f"Judged by dungeon-tui {game.name} judge. The programs ran in {cage.description()}."
        if self.html is not None:
            title = f"{game.title}: {counted(len(verdicts), 'program')} judged"
            if games := sum(bool(test.game) for verdict in verdicts for test in verdict.tests):
                tell(f"Writing {counted(games, 'page')} of games ...")
            tell(f"Pages: {reports.write_html(self.html, title, verdicts, note, worth, _game_page)}")
        if self.gradescope is not None:
            _write_gradescope(self.gradescope, verdicts[:handed_in], worth)
        if self.as_json:
            print(json.dumps({"programs": [verdict.values for verdict in verdicts], "cage": cage.description()}))
        if self.csv is not None:
            shell.write_output(self.csv, reports.csv_text(verdicts, worth))
        if not self.as_json and not shell.is_standard_output(self.csv):
            _print_table(verdicts, worth, handed_in)
        if not self.as_json and not cage.has_bubblewrap():
            tell(f"The programs ran in {cage.description()}.")
        if lines := reports.unmatched(verdicts[0].tests, worth):
            fail(f"{self.rubric}: no test matches {', '.join(lines)}")


def _game_page(title: str, recording: str) -> str:
    """The web page of a judged game; exact play shows its mistakes."""
    made = read_recording(LevelFile(title, recording.encode()))
    return page_of(replace(made, title=title), is_judged=True)


def judge_command(game: Game) -> Callable[..., None]:
    """The function behind `GAME judge`, with common options and the game's own."""
    judging = _judging(game)
    shown = shell.own_parameters(_Reports)

    def judge(
        programs: ProgramsArgument,
        limit: LimitOption = judging.limit,
        jobs: Annotated[int, shell.option("--jobs", "N", "Programs to run at once.", min=1)] = 1,
        builds: Annotated[
            bool, typer.Option("--build", help="Compile folders of C, C++ or Java sources first.")
        ] = False,
        **own: Any,
    ) -> None:
        from dungeon_tui.judge.executor import Submission, submissions

        reports = _Reports(**{option.name: own.pop(option.name) for option in shown})
        worth = reports.worth()
        with shell.one_line_errors():
            cage.description()  # the same one for all programs
            wanted = [*submissions(programs, builds=builds)]
            written = reports.csv, reports.gradescope, reports.html, reports.html and reports.html / KEPT
            hidden = _secrets(programs, *(own.get("inputs") or ()), own.get("hidden"), *written)
            function, about = judging.judging(replace(_limits(limit), hidden=hidden), **own)
            _refuse_missing(judging, wanted)
        if not wanted:
            raise typer.BadParameter("the folder holds no programs", param_hint="PROGRAM")
        handed_in = len(wanted)
        if baselines := getattr(judging, "baselines", None):
            wanted += [Submission(name, name) for name in baselines(**own)]
        stored = reports.stored(f"{game.name}\0{limit}\0{about}")
        verdicts = map(reports.dated, wanted, _judge_all(function, wanted, jobs, stored))
        reports.write(game, [*verdicts], worth, handed_in)

    first, *rest = shell.own_parameters(judge, "own")
    own = shell.own_parameters(judging.judging, "limits", "bounds")
    return shell.with_signature(judge, [first, *own, *getattr(judging, "bounds", ()), *rest, *shown], None)


def _limits(seconds: float) -> Limits:
    return Limits(seconds=seconds, cpu=max(Limits.cpu, ceil(MAX_PACE * seconds)))


def _secrets(programs: Sequence[str], *places: str | Path | None) -> tuple[str, ...]:
    """Absolute paths of what no program may see: others' work, inputs, verdicts."""
    found = [place for place in places if place]
    for program in programs:
        with suppress(ValueError):  # a quote is missing: it can't be started
            first, *more = shlex.split(program) or [""]
            found += [program, *(word for word in more or [first.rpartition(":")[0]] if os.path.exists(word))]
    return tuple(os.path.abspath(path) for path in found)


def _refuse_missing(judging: Any, wanted: Sequence[Submission]) -> None:
    """Raises ValueError if the only program to judge is missing; among several, its verdict says so."""
    from dungeon_tui.judge.executor import RUNNERS

    strategies = getattr(judging, "strategies", frozenset[str]())
    if len(wanted) != 1 or wanted[0].handed or strategies.issuperset(wanted[0].command.split("/")):
        return
    file, _, function = wanted[0].command.rpartition(":")
    try:
        words = ["", file] if function and file.endswith(".py") else command_words(wanted[0].command)
    except ProgramError as error:
        raise ValueError(f"{error}") from None
    missing = [word for word in words[1:] if Path(word).suffix in RUNNERS and not Path(word).exists()]
    if missing:
        raise ValueError(f"can't be started: there is no file {missing[0]}")


def _write_gradescope(path: Path, verdicts: Sequence[Verdict], worth: Rubric) -> None:
    from dungeon_tui.judge import reports

    for verdict, stem in zip(verdicts, reports.stems(verdicts), strict=True):
        one = path if len(verdicts) == 1 else path.with_stem(f"{path.stem}-{stem}")
        refuse_other(one, "results")
        write_bytes(one, reports.gradescope(verdict, worth).encode())


def _print_table(verdicts: Sequence[Verdict], worth: Rubric, explained: int) -> None:
    from dungeon_tui.judge import reports

    sys.stdout.write(in_columns(reports.table(verdicts, worth), "<>>>>>><"))
    for verdict in verdicts[:explained]:
        if verdict.summary:
            print(f"\n{verdict.program}, {verdict.summary}")


def _judge_all(
    function: Callable[[str], Verdict],
    wanted: Sequence[Submission],
    jobs: int,
    stored: StoredVerdicts | None,
) -> list[Verdict]:
    """The verdicts on programs, in order. Prints each as it comes; at Ctrl-C, prints how many there were."""
    from dungeon_tui.judge.executor import judge_all

    verdicts: dict[int, Verdict] = {}
    try:
        with shell.one_line_errors(), shell.one_line_errors(ProcessError):
            for index, verdict in judge_all(function, wanted, jobs=jobs, stored=stored):
                verdicts[index] = verdict
                if len(wanted) > 1:
                    wrong, tests = sum(not test.is_right for test in verdict.tests), len(verdict.tests)
                    result = f"{wrong} of {tests} not right" if wrong else f"all {tests} right"
                    tell(f"{len(verdicts)} of {len(wanted)}: {verdict.program}: {result}")
    except KeyboardInterrupt:
        again = "; run the same command again to resume" if stored else ""
        print(f"\nInterrupted: {len(verdicts)} of {counted(len(wanted), 'program')} judged{again}.", file=sys.stderr)
        raise
    return [verdicts[index] for index in range(len(wanted))]


def break_command(game: Game) -> Callable[..., None]:
    """The function behind `GAME break`, with common options and the game's own."""
    judging = _judging(game)

    def break_(
        program: ProgramArgument,
        seconds: Annotated[
            float, shell.option("--seconds", "S", "Seconds to search.", min=0, callback=shell.refuse_nan)
        ] = 60.0,
        limit: LimitOption = judging.limit,
        output: Annotated[
            Path | None, shell.option("--output", "DIR", "Write the input to a folder.", parser=shell.read_path)
        ] = None,
        as_json: shell.JsonOption = False,
        **own: Any,
    ) -> None:
        from dungeon_tui.judge.executor import prepared, submissions

        # Search for an input that beats the one program.
        wanted = [*submissions([program])]
        if len(wanted) != 1:
            raise typer.BadParameter("one program, not a folder of several", param_hint="PROGRAM")
        watched = shell.status(f"searching for an input that beats {program}")
        with shell.one_line_errors(), prepared(wanted[0]) as (command, _), watched as show:
            _refuse_missing(judging, wanted)
            found = judging.breaking(_limits(limit), command, seconds, show, **own)
        # Write the parts of the input, and print what was found.
        if output is not None:
            make_folder(output)
            for path, content in ((output / name, content) for name, content in found.files):
                if path.is_file() and path.read_bytes() != content:
                    tell(f"{path} was there: it is now {set_aside(path, 'old')}")
                write_bytes(path, content)
        print(json.dumps(found.values) if as_json else found.text)

    # Typer sees the common options, then those of the game.
    first, *rest = shell.own_parameters(break_, "own")
    own = shell.own_parameters(judging.breaking, "limits", "program", "seconds", "tell", "bounds")
    return shell.with_signature(break_, [first, *own, *getattr(judging, "bounds", ()), *rest], None)


def _judging(game: Game) -> Any:
    return getattr(game.commands(), "JUDGE", None) or TextJudge(game.problem, game.problem_bounds)
