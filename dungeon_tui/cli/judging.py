"""`GAME judge` and `GAME break`: programs of others, judged by the game's problem."""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer
from typer.core import TyperCommand

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.files import UnwritableError, check_writable, write_bytes
from dungeon_tui.core.plain import in_columns
from dungeon_tui.core.text import one_line
from dungeon_tui.core.words import counted
from dungeon_tui.judge.program import CageError, Limits, cage
from dungeon_tui.ui.command_line import JsonOption, read_path, refuse_empty, refuse_nan, status, told_in_a_line
from dungeon_tui.workers import ProcessError

if TYPE_CHECKING:
    from dungeon_tui.judge.breaker import Found
    from dungeon_tui.judge.problem import Case, Problem
    from dungeon_tui.judge.verdicts import Verdict

PROGRAM = "A command line that reads standard input and writes standard output"
KEPT = "verdicts.jsonl"  # beside the pages

ProgramsArgument = Annotated[
    list[str],
    typer.Argument(metavar="PROGRAM...", callback=refuse_empty, help=f"{PROGRAM}; a file; or a folder of these."),
]
ProgramArgument = Annotated[
    str, typer.Argument(metavar="PROGRAM", callback=refuse_empty, help=f"{PROGRAM}, or a file.")
]
LimitOption = Annotated[
    float, typer.Option("--limit", metavar="S", min=0.1, callback=refuse_nan, help="Seconds for an answer.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="Makes the inputs.")]


class Judging(Protocol):
    """A game's judge; the parameters after the limits are options of the game's own."""

    @property
    def limit(self) -> float:
        """Seconds for an answer, where nobody says otherwise."""
        ...

    @property
    def aside(self) -> str:
        """A sentence, after a blank, on programs that ran elsewhere than in the cage; empty: all ran there."""
        ...

    @property
    def judging(self) -> Callable[..., tuple[Callable[[str], Verdict], str]]:
        """Limits and options -> a picklable function from a command line to its verdict, and all it depends on."""
        ...

    @property
    def breaking(self) -> Callable[..., Found]:
        """Limits, program, seconds, a function to tell progress, and options -> what beats the program."""
        ...


class TextJudge:
    """The judge of programs that read one input and write one answer."""

    limit, aside = Limits.seconds, ""

    def __init__(self, load: Callable[[], Problem]) -> None:
        self._load = load

    def judging(
        self,
        limits: Limits,
        inputs: Annotated[
            list[str] | None,
            typer.Option("--inputs", metavar="FILE...", help="Files or shipped levels; default: all shipped ones."),
        ] = None,
        random: Annotated[int | None, typer.Option("--random", metavar="N", min=0, help="So many by chance.")] = None,
        seed: SeedOption = 0,
    ) -> tuple[Callable[[str], Verdict], str]:
        """The function that judges a program by these inputs."""
        from dungeon_tui.judge.verdicts import cases_of, judge

        problem = self._load()
        cases = cases_of(problem, refuse_empty(inputs or []), random, seed)
        if not cases:
            raise typer.BadParameter("there is nothing to judge by", param_hint="--random")
        return partial(judge, problem, cases, limits), _digest(cases)

    def breaking(
        self, limits: Limits, program: str, seconds: float, tell: Callable[[str], object], seed: SeedOption = 0
    ) -> Found:
        """Looks for the smallest input that beats the program."""
        from dungeon_tui.judge.breaker import search

        return search(self._load(), program, limits, seconds, seed, tell)


class TakesFiles(TyperCommand):
    """A command whose option --inputs takes all words up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the words, with --inputs before each of its files."""
        return super().parse_args(ctx, [*_spread(args)])


def _spread(words: Sequence[str]) -> Iterator[str]:
    """The words with --inputs before each one that it takes.

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
    """The function behind `GAME judge`, with the game's own options and those of all."""
    judging = _judging(game)

    def judge(
        programs: ProgramsArgument,
        limit: LimitOption = judging.limit,
        jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, help="Programs at once.")] = 1,
        scheduler: Annotated[
            str | None, typer.Option("--scheduler", metavar="ADDRESS", help="A Dask scheduler whose workers do it.")
        ] = None,
        as_json: JsonOption = False,
        as_csv: Annotated[bool, typer.Option("--csv", help="A table on standard output, a line a program.")] = False,
        html: Annotated[
            Path | None,
            typer.Option("--html", metavar="DIR", parser=read_path, help="A page a program, and one of all; goes on."),
        ] = None,
        gradescope: Annotated[
            Path | None,
            typer.Option("--gradescope", metavar="FILE", parser=read_path, help="results.json; NAME-PROGRAM of many."),
        ] = None,
        rubric: Annotated[
            str | None, typer.Option("--rubric", metavar="FILE", help="Points by kinds of tests: TOML.")
        ] = None,
        **own: Any,
    ) -> None:
        from dungeon_tui.judge import reports
        from dungeon_tui.judge.executor import ClusterError, Kept, judge_all, submissions

        if as_json and as_csv:
            raise typer.BadParameter("either --json or --csv, not both", param_hint="--csv")
        worth = reports.EACH if rubric is None else reports.read_rubric(rubric)
        with told_in_a_line(), told_in_a_line(CageError):
            cage()  # is there, or is not, for all of them
            function, about = judging.judging(replace(Limits(), seconds=limit), **own)
            wanted = [*submissions(programs)]
        kept = None
        if html is not None:
            _make_folder(html)
            kept = Kept(html / KEPT, f"{game.name}\0{limit}\0{about}")
        verdicts: dict[int, Verdict] = {}
        if gradescope is not None:
            check_writable(gradescope)  # before hours of judging
        with (
            told_in_a_line(),
            told_in_a_line(ProcessError),
            told_in_a_line(CageError),
            told_in_a_line(ClusterError),
            _counted(verdicts, wanted, kept),
        ):
            for index, verdict in judge_all(function, wanted, jobs=jobs, scheduler=scheduler, kept=kept):
                verdicts[index] = verdict
                if len(wanted) > 1:
                    line = f"{len(verdicts)} of {len(wanted)}: {verdict.program}: {_in_words(verdict)}"
                    print(one_line(line), file=sys.stderr, flush=True)
        ordered = [verdicts[index] for index in range(len(wanted))]
        note = f"Judged by dungeon-tui {game.name} judge. The programs ran in {cage()}.{judging.aside}"
        if html is not None:
            title = f"{game.title}: {counted(len(wanted), 'program')} judged"
            print(one_line(f"Pages: {reports.write_html(html, title, ordered, note, worth)}"), file=sys.stderr)
        if gradescope is not None:
            for verdict, stem in zip(ordered, reports.stems(ordered), strict=True):
                one = gradescope if len(ordered) == 1 else gradescope.with_stem(f"{gradescope.stem}-{stem}")
                write_bytes(one, reports.gradescope(verdict, worth).encode())
        if as_json:
            print(json.dumps({"programs": [verdict.values for verdict in ordered], "cage": cage()}))
        elif as_csv:
            sys.stdout.write(reports.csv_text(ordered, worth))
        else:
            sys.stdout.write(in_columns(reports.table(ordered, worth), "<>>>>>>"))
            for verdict in ordered:
                if verdict.summary:
                    print(f"\n{verdict.program}, {verdict.summary}")

    return _with_options(judge, judging.judging, ["limits"], "Judge programs by inputs whose answer is known.")


@contextmanager
def _counted(verdicts: Sized, wanted: Sized, kept: object) -> Iterator[None]:
    """Tells how many were judged where Ctrl-C ends it."""
    try:
        yield
    except KeyboardInterrupt:
        again = "; the same command goes on" if kept else ""
        print(f"\nInterrupted: {len(verdicts)} of {counted(len(wanted), 'program')} judged{again}.", file=sys.stderr)
        raise


def break_command(game: Game) -> Callable[..., None]:
    """The function behind `GAME break`, with the game's own options and those of all."""
    judging = _judging(game)

    def break_(
        program: ProgramArgument,
        seconds: Annotated[
            float, typer.Option("--seconds", metavar="S", min=0, callback=refuse_nan, help="To look for it.")
        ] = 60.0,
        limit: LimitOption = judging.limit,
        output: Annotated[
            Path | None,
            typer.Option("--output", metavar="DIR", parser=read_path, help="A folder to write the input into."),
        ] = None,
        as_json: JsonOption = False,
        **own: Any,
    ) -> None:
        from dungeon_tui.judge.executor import submissions

        wanted = [*submissions([program])]
        if len(wanted) != 1:
            raise typer.BadParameter("one program, not a folder of several", param_hint="PROGRAM")
        with told_in_a_line(), told_in_a_line(CageError), status(f"looking for what beats {program}") as tell:
            found = judging.breaking(replace(Limits(), seconds=limit), wanted[0].command, seconds, tell, **own)
        if output is not None:
            _make_folder(output)
            for name, content in found.files:
                write_bytes(output / name, content)
        print(json.dumps(found.values) if as_json else found.told)

    own_options = ["limits", "program", "seconds", "tell"]
    return _with_options(break_, judging.breaking, own_options, "Look for the smallest input that beats a program.")


def _judging(game: Game) -> Judging:
    """The game's own judge, or that of its problem."""
    own: Judging | None = game.judge()
    return TextJudge(game.problem) if own is None else own


def _with_options(
    function: Callable[..., None], own: Callable[..., Any], taken: Sequence[str], help_text: str
) -> Callable[..., None]:
    """The function with the parameters of another in place of its `own`, but for those taken."""
    theirs = inspect.signature(own).parameters.values()
    names = {**sys.modules[own.__module__].__dict__}
    more = [
        each.replace(annotation=eval(each.annotation, names) if isinstance(each.annotation, str) else each.annotation)
        for each in theirs
        if each.name not in taken
    ]
    ours = inspect.signature(function, eval_str=True).parameters.values()
    first, *rest = (parameter for parameter in ours if parameter.name != "own")
    parameters = [parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in (first, *more, *rest)]
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    function.__doc__ = help_text
    return function


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableError(folder, error) from None


def _in_words(verdict: Verdict) -> str:
    wrong = sum(not test.is_right for test in verdict.tests)
    return f"{wrong} of {len(verdict.tests)} not right" if wrong else f"all {len(verdict.tests)} right"


def _digest(cases: Sequence[Case]) -> str:
    return hashlib.sha256(repr(cases).encode()).hexdigest()
