"""`GAME judge` and `GAME break`: judges other people's programs by the game's problem."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.files import make_folder, refuse_other, write_bytes
from dungeon_tui.core.plain import in_columns, tell
from dungeon_tui.core.words import counted
from dungeon_tui.judge.program import Limits, cage
from dungeon_tui.ui.command_line import (
    JsonOption,
    one_line_errors,
    own_parameters,
    read_path,
    refuse_empty,
    refuse_nan,
    status,
    with_signature,
)
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
    list[str],
    typer.Argument(metavar="PROGRAM...", callback=refuse_empty, help=f"{PROGRAM}; a file; or a folder of programs."),
]
ProgramArgument = Annotated[
    str, typer.Argument(metavar="PROGRAM", callback=refuse_empty, help=f"{PROGRAM}, or a file.")
]
LimitOption = Annotated[
    float, typer.Option("--limit", metavar="S", min=0.1, callback=refuse_nan, help="Seconds for each answer.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="Seed for random inputs.")]


class TextJudge:
    """The judge for programs that read one input and write one answer.

    A game's own judge has the same methods, with the same first parameters; the others become options of the command.
    """

    limit = Limits.seconds

    def __init__(self, load: Callable[[], Problem]) -> None:
        self._load = load

    def judging(
        self,
        limits: Limits,
        inputs: Annotated[
            list[str] | None,
            typer.Option("--inputs", metavar="FILE...", help="Files or shipped levels; default: all shipped levels."),
        ] = None,
        random: Annotated[int | None, typer.Option("--random", metavar="N", min=0, help="Random inputs.")] = None,
        seed: SeedOption = 0,
    ) -> tuple[Callable[[str], Verdict], str]:
        """The function that judges a program, and a digest of the inputs."""
        from dungeon_tui.judge.verdicts import cases_of, judge

        problem = self._load()
        cases = cases_of(problem, refuse_empty(inputs or []), random, seed)
        if not cases:
            raise typer.BadParameter("no inputs to judge by", param_hint="--random")
        return partial(judge, problem, cases, limits), hashlib.sha256(repr(cases).encode()).hexdigest()

    def breaking(
        self, limits: Limits, program: str, seconds: float, tell: Callable[[str], object], seed: SeedOption = 0
    ) -> Found:
        """Searches for the smallest input that beats the program."""
        from dungeon_tui.judge.breaker import search

        return search(self._load(), program, limits, seconds, seed, tell)


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


def judge_command(game: Game) -> Callable[..., None]:
    """The function behind `GAME judge`, with common options and the game's own."""
    judging = _judging(game)

    def judge(
        programs: ProgramsArgument,
        limit: LimitOption = judging.limit,
        jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, help="Programs to run at once.")] = 1,
        scheduler: Annotated[
            str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Run on the workers of a Dask scheduler.")
        ] = None,
        as_json: JsonOption = False,
        as_csv: Annotated[bool, typer.Option("--csv", help="Print a table, one line for each program.")] = False,
        html: Annotated[
            Path | None,
            typer.Option("--html", metavar="DIR", parser=read_path, help="Write web pages; resumes after a stop."),
        ] = None,
        gradescope: Annotated[
            Path | None,
            typer.Option(
                "--gradescope",
                metavar="FILE",
                parser=read_path,
                help="The results.json to write; NAME-PROGRAM.json for several.",
            ),
        ] = None,
        rubric: Annotated[
            str | None, typer.Option("--rubric", metavar="FILE", help="A TOML file: points for patterns of test names.")
        ] = None,
        **own: Any,
    ) -> None:
        from dungeon_tui.judge import reports
        from dungeon_tui.judge.executor import StoredVerdicts, submissions

        if as_json and as_csv:
            raise typer.BadParameter("either --json or --csv, not both", param_hint="--csv")
        worth = reports.EACH if rubric is None else reports.read_rubric(rubric)
        with one_line_errors():
            cage()  # the same one for all programs
            function, about = judging.judging(replace(Limits(), seconds=limit), **own)
            wanted = [*submissions(programs)]
        stored = None
        if html is not None:
            make_folder(html)
            refuse_other(html / "index.html", "page of verdicts")
            with one_line_errors():
                stored = StoredVerdicts(html / KEPT, f"{game.name}\0{limit}\0{about}")
        if gradescope is not None:
            refuse_other(gradescope, "results")  # before hours of judging
        ordered = _judge_all(function, wanted, jobs, scheduler, stored)
        note = f"Judged by dungeon-tui {game.name} judge. The programs ran in {cage()}."
        if html is not None:
            title = f"{game.title}: {counted(len(wanted), 'program')} judged"
            tell(f"Pages: {reports.write_html(html, title, ordered, note, worth)}")
        if gradescope is not None:
            _write_gradescope(gradescope, ordered, worth)
        if as_json:
            print(json.dumps({"programs": [verdict.values for verdict in ordered], "cage": cage()}))
        elif as_csv:
            sys.stdout.write(reports.csv_text(ordered, worth))
        else:
            _print_table(ordered, worth)

    first, *rest = own_parameters(judge, "own")
    parameters = [first, *own_parameters(judging.judging, "limits"), *rest]
    return with_signature(judge, parameters, None)


def _write_gradescope(path: Path, verdicts: Sequence[Verdict], worth: Rubric) -> None:
    """Writes the results of one program to a file; of several to NAME-PROGRAM."""
    from dungeon_tui.judge import reports

    for verdict, stem in zip(verdicts, reports.stems(verdicts), strict=True):
        one = path if len(verdicts) == 1 else path.with_stem(f"{path.stem}-{stem}")
        refuse_other(one, "results")
        write_bytes(one, reports.gradescope(verdict, worth).encode())


def _print_table(verdicts: Sequence[Verdict], worth: Rubric) -> None:
    from dungeon_tui.judge import reports

    sys.stdout.write(in_columns(reports.table(verdicts, worth), "<>>>>>>"))
    for verdict in verdicts:
        if verdict.summary:
            print(f"\n{verdict.program}, {verdict.summary}")


def _judge_all(
    function: Callable[[str], Verdict],
    wanted: Sequence[Submission],
    jobs: int,
    scheduler: str | None,
    stored: StoredVerdicts | None,
) -> list[Verdict]:
    """The verdicts on programs in their order; prints each as it comes, and how many there were at Ctrl-C."""
    from dungeon_tui.judge.executor import judge_all

    verdicts: dict[int, Verdict] = {}
    try:
        with one_line_errors(), one_line_errors(ProcessError):
            for index, verdict in judge_all(function, wanted, jobs=jobs, scheduler=scheduler, stored=stored):
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
            float, typer.Option("--seconds", metavar="S", min=0, callback=refuse_nan, help="Seconds to search.")
        ] = 60.0,
        limit: LimitOption = judging.limit,
        output: Annotated[
            Path | None,
            typer.Option("--output", metavar="DIR", parser=read_path, help="Write the input to a folder."),
        ] = None,
        as_json: JsonOption = False,
        **own: Any,
    ) -> None:
        from dungeon_tui.judge.executor import submissions

        # Search for an input that beats the one program.
        wanted = [*submissions([program])]
        if len(wanted) != 1:
            raise typer.BadParameter("one program, not a folder of several", param_hint="PROGRAM")
        with one_line_errors(), status(f"searching for an input that beats {program}") as show:
            found = judging.breaking(replace(Limits(), seconds=limit), wanted[0].command, seconds, show, **own)
        # Write the parts of the input, and print what was found.
        if output is not None:
            make_folder(output)
            for name, content in found.files:
                write_bytes(output / name, content)
        print(json.dumps(found.values) if as_json else found.text)

    # Typer sees the common options, then those of the game.
    first, *rest = own_parameters(break_, "own")
    parameters = [first, *own_parameters(judging.breaking, "limits", "program", "seconds", "tell"), *rest]
    return with_signature(break_, parameters, None)


def _judging(game: Game) -> Any:
    """The JUDGE of the game's commands, or the one for its problem."""
    return getattr(game.commands(), "JUDGE", None) or TextJudge(game.problem)
