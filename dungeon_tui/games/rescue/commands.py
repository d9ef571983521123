"""The rescue's command line, and the plain play."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.files import refuse_unwritable, write_text
from dungeon_tui.core.level import LevelError, printable
from dungeon_tui.core.plain import read_word
from dungeon_tui.core.words import counted

if TYPE_CHECKING:
    from dungeon_tui.core.recording import Recording
    from dungeon_tui.games.rescue.algorithms import Work
    from dungeon_tui.games.rescue.comparison import Comparison, Measure
    from dungeon_tui.games.rescue.level import Level

app = typer.Typer()

SIDE = 9  # rows and columns of a grid that is made, if nobody says otherwise


class AlgorithmName(StrEnum):
    """The solver's table and its aliases; here, so that the help needs no engine."""

    RECURSIVE = "recursive"
    MEMOISED = "memoised"
    TABULATED = "tabulated"
    WAVEFRONT = "wavefront"
    BINARY_SEARCH = "binary-search"
    BREADTH_FIRST = "breadth-first"
    BOTTOM_UP = "bottom-up"
    TOP_DOWN = "top-down"


class GeneratorName(StrEnum):
    """The generator's table of grids by chance."""

    UNIFORM = "uniform"
    REPORT = "report"


class PuzzleName(StrEnum):
    """The generator's table of puzzles."""

    GREEDY_FAILS = "greedy-fails"
    ANSWER_IS_ONE = "answer-is-one"
    UPHILL = "uphill"


@dataclass(frozen=True, slots=True)
class Recipe:
    """The options that say how a grid is made; None where nobody chose."""

    rows: int | None = None
    cols: int | None = None
    generator: GeneratorName | None = None
    puzzle: PuzzleName | None = None
    seed: int | None = None
    low: int | None = None
    high: int | None = None

    def check(self) -> None:
        """Ends with wrong usage where the options contradict each other."""
        if (self.rows is None) != (self.cols is None):
            raise typer.BadParameter("one needs the other", param_hint="--rows, --cols")
        if self.puzzle is not None and (self.generator, self.low, self.high) != (None, None, None):
            raise typer.BadParameter("a puzzle chooses its own numbers", param_hint="--puzzle")
        low, high = self.limits()
        if low > high:
            raise typer.BadParameter(f"the lowest number is {low}, above the highest, {high}", param_hint="--low")

    def limits(self) -> tuple[int, int]:
        """The lowest number and the highest."""
        return -1000 if self.low is None else self.low, 1000 if self.high is None else self.high

    def by_chance(self) -> Recipe:
        """The same with a seed by chance, unless one was chosen, or the report's own grids are meant."""
        if self.seed is not None or self.generator is GeneratorName.REPORT:
            return self
        from secrets import randbelow

        return replace(self, seed=randbelow(1_000_000))

    def make(self) -> Level:
        """The grid. Raises ValueError where there is none of that size, or of that seed."""
        from dungeon_tui.games.rescue import generator

        kind = self.generator or GeneratorName.UNIFORM
        default = generator.REPORT_SEED if kind is GeneratorName.REPORT else 0
        seed = default if self.seed is None else self.seed
        shape = self.rows or SIDE, self.cols or SIDE
        if self.puzzle is not None:
            return generator.puzzle(self.puzzle, seed, *shape)
        return generator.GENERATORS[kind](seed, *shape, *self.limits())


GridArgument = Annotated[
    str | None, typer.Argument(metavar="GRID", help="A shipped grid, or a file; - is standard input.")
]
GridOption = Annotated[str | None, typer.Option("--grid", metavar="GRID", help="The same, as an option.")]
RowsOption = Annotated[
    int | None, typer.Option("--rows", metavar="R", min=1, help=f"Of a grid that is made; default: {SIDE}.")
]
ColsOption = Annotated[int | None, typer.Option("--cols", metavar="C", min=1, help="As --rows; one needs the other.")]
GeneratorOption = Annotated[
    GeneratorName | None, typer.Option("--generator", help="How the numbers are made; default: uniform.")
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", metavar="S", help="Makes the grid; default: 0, for the report's 1.")
]
ChanceSeedOption = Annotated[
    int | None, typer.Option("--seed", metavar="S", help="Makes the grid; default: chance, for the report's 1.")
]
LowOption = Annotated[int | None, typer.Option("--low", metavar="L", help="The lowest number; default: -1000.")]
HighOption = Annotated[int | None, typer.Option("--high", metavar="H", help="The highest number; default: 1000.")]
PuzzleOption = Annotated[PuzzleName | None, typer.Option("--puzzle", help="A grid made to teach something.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]


def play(
    grid: GridArgument = None,
    grid_option: GridOption = None,
    rows: RowsOption = None,
    cols: ColsOption = None,
    generator: GeneratorOption = None,
    puzzle: PuzzleOption = None,
    seed: ChanceSeedOption = None,
    low: LowOption = None,
    high: HighOption = None,
) -> Play:
    """Guess the least health, or walk; any grid, or one that is made."""
    named = _one_grid(grid, grid_option)
    asked = Recipe(rows, cols, generator, puzzle, seed, low, high)
    recipe = asked.by_chance()
    load = _source(named, asked, recipe)
    if load is None:
        return Play(None, _play_chosen)
    title = printable(Path(named).stem) if named is not None else f"{puzzle or generator or GeneratorName.UNIFORM}"
    told = recipe.seed if named is None and recipe != asked else None
    return Play(Opening(title, load), partial(_play_plain, load, told))


@app.command()
def solve(
    grid: GridArgument = None,
    grid_option: GridOption = None,
    rows: RowsOption = None,
    cols: ColsOption = None,
    generator: GeneratorOption = None,
    seed: SeedOption = None,
    low: LowOption = None,
    high: HighOption = None,
    algorithm: Annotated[
        AlgorithmName, typer.Option("--algorithm", help="bottom-up is memoised, top-down tabulated.")
    ] = AlgorithmName.TABULATED,
    keep_all: Annotated[bool, typer.Option("--keep-all", help="Let breadth-first drop no path: brute force.")] = False,
    count: Annotated[bool, typer.Option("--count", help="How many ways survive with the least health.")] = False,
    relief: Annotated[bool, typer.Option("--relief", help="Which cell lowers it most if it is emptied.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Find the least health, and a way on which it is enough."""
    from time import perf_counter

    from dungeon_tui.engine import minimum_health, minimum_health_path
    from dungeon_tui.games.rescue import algorithms, solver

    named = _one_grid(grid, grid_option)
    load = _source(named, Recipe(rows, cols, generator, None, seed, low, high))
    if load is None:
        raise typer.BadParameter("which grid? give its name or file, or --rows and --cols")
    if keep_all and algorithm is not AlgorithmName.BREADTH_FIRST:
        raise typer.BadParameter("only breadth-first drops paths", param_hint="--keep-all")
    find = partial(algorithms.breadth_first, keeps_all=True) if keep_all else solver.find_algorithm(algorithm)
    with _told_in_a_line():
        level = load()
        for kernel in (minimum_health, minimum_health_path):
            kernel(0 * level.grid[:1, :1])  # compiled before the time is taken
        began = perf_counter()
        solution = find(level, None)
        seconds = round(perf_counter() - began, 6)
        name = solver.ALIASES.get(algorithm, str(algorithm))
        paths = solver.surviving_paths(level, solution.health) if count else 0
        best = solver.best_relief(level) if relief else None
    if as_json:
        values: dict[str, Any] = {
            "initial_health": solution.health,
            "path": solution.path,
            "algorithm": name,
            "seconds": seconds,
        }
        if count:
            values["paths"] = paths
        if relief:
            values["relief"] = best and {"cell": best[0], "initial_health": best[1]}
        print(json.dumps(values))
        return
    from dungeon_tui.games.rescue.transcript import relief_line, solution_text

    sys.stdout.write(solution_text(level, name, solution))
    if count:
        print(f"paths that survive with it: {paths}")
    if relief:
        print(relief_line(level, best))
    print(f"{seconds:.3f} seconds")


@app.command()
def generate(
    rows: RowsOption = None,
    cols: ColsOption = None,
    generator: GeneratorOption = None,
    puzzle: PuzzleOption = None,
    seed: ChanceSeedOption = None,
    low: LowOption = None,
    high: HighOption = None,
    output: Annotated[Path | None, typer.Option("--output", metavar="FILE", help="The file to write.")] = None,
) -> None:
    """Make a grid, and print it or write it to a file."""
    from dungeon_tui.games.rescue.level import level_text

    asked = Recipe(rows, cols, generator, puzzle, seed, low, high)
    asked.check()
    recipe = asked.by_chance()
    with _told_in_a_line():
        level = recipe.make()
    if recipe != asked:
        _tell_seed(recipe.seed, sys.stderr)
    _write(output or Path("-"), level_text(level))


@app.command()
def compare(
    sizes: Annotated[
        str | None, typer.Option("--sizes", metavar="N,N,...", help="Rows, and columns; default: 1 to 2000.")
    ] = None,
    algorithms: Annotated[
        str | None, typer.Option("--algorithms", metavar="NAME,...", help="As in solve; default: all six.")
    ] = None,
    generator: GeneratorOption = None,
    seed: SeedOption = None,
    low: LowOption = None,
    high: HighOption = None,
    limit: Annotated[
        float | None, typer.Option("--limit", metavar="S", min=0.001, help="Seconds a run may take; default: 2.")
    ] = None,
    as_json: JsonOption = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the measures as CSV; - is standard output.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture as SVG; - is standard output.")
    ] = None,
) -> None:
    """Run the algorithms on growing grids, each until it gets too slow."""
    from dungeon_tui.games.rescue import comparison, solver

    files = [path for path in (csv, svg) if path is not None]
    if as_json + sum(str(path) == "-" for path in files) > 1:
        raise typer.BadParameter("one thing only can go to standard output: --json, --csv - or --svg -")
    if limit is not None and isnan(limit):
        raise typer.BadParameter("nan is no number of seconds", param_hint="--limit")
    if len({os.path.realpath(path) for path in files}) < len(files):
        raise typer.BadParameter("one file can't hold both: give each its own", param_hint="--csv, --svg")
    for path in files:
        if str(path) != "-":
            refuse_unwritable(path)
    recipe = Recipe(None, None, generator, None, seed, low, high)
    recipe.check()
    chosen = comparison.Comparison(
        algorithms=_algorithm_names(algorithms) or tuple(solver.ALGORITHMS),
        make=lambda size: replace(recipe, rows=size, cols=size).make(),
        sizes=_sizes(sizes) or comparison.SIZES,
        limit=comparison.LIMIT if limit is None else limit,
    )
    found: list[Measure] = []
    is_stopped = False
    try:
        with _told_in_a_line():
            _measure_all(chosen, found)
    except KeyboardInterrupt:
        is_stopped = True
    if csv is not None:
        _write(csv, comparison.csv_text(found))
    if svg is not None:
        _write(svg, comparison.svg_text(chosen, found))
    if as_json:
        print(json.dumps(comparison.json_values(chosen, found)))
    elif not any(str(path) == "-" for path in files):
        sys.stdout.write(comparison.table_text(chosen, found))
    if is_stopped:
        print(f"Stopped after {counted(len(found), 'measure')}.", file=sys.stderr)
        raise typer.Exit(130)


def replay_plain(recording: Recording, output: TextIO) -> None:
    """Prints what `play --plain` printed of a rescue that was recorded."""
    from dungeon_tui.core.recording import reexecute
    from dungeon_tui.games.rescue import transcript

    controller, _ = reexecute(recording)
    if controller is not None:
        output.write(transcript.replay_text(controller))


# Playing


def _play_plain(
    load: Callable[[], Level], told_seed: int | None, source: TextIO, out: TextIO, messages: TextIO
) -> PlainEnd:
    """The transcript of docs/games/rescue.md."""
    from dungeon_tui.games.rescue import transcript

    with _told_in_a_line():
        level = load()
    if told_seed is not None:
        _tell_seed(told_seed, messages)
    return PlainEnd(*transcript.play(level, source, out))


def _play_chosen(source: TextIO, out: TextIO, messages: TextIO) -> PlainEnd:
    """The same, after asking for a grid."""
    from dungeon_tui.games.rescue import transcript
    from dungeon_tui.games.rescue.dungeon import lessons

    out.write(f"Grids: {', '.join(lessons())}\n{transcript.ASK_GRID}")
    out.flush()
    name = read_word(source)
    if not name:
        out.write(transcript.FAREWELL)
        return PlainEnd(0)
    return _play_plain(partial(_read_grid, name), None, source, out, messages)


# Where grids come from


def _one_grid(argument: str | None, option: str | None) -> str | None:
    if argument is not None and option is not None:
        raise typer.BadParameter("either GRID or --grid, not both", param_hint="--grid")
    return option if argument is None else argument


def _source(named: str | None, asked: Recipe, recipe: Recipe | None = None) -> Callable[[], Level] | None:
    """What reads the named grid, or makes one by the recipe (default: as asked); None if nothing was asked for."""
    if named is not None and asked != Recipe():
        raise typer.BadParameter("that grid is there already: no other option makes one", param_hint="--grid")
    asked.check()
    if named is not None:
        return partial(_read_grid, named)
    return None if asked == Recipe() else (recipe or asked).make


def _read_grid(name: str) -> Level:
    from dungeon_tui.games.rescue.dungeon import read_grid

    return read_grid(name)


def _tell_seed(seed: int | None, messages: TextIO) -> None:
    print(f"Nobody chose a seed: this is --seed {seed}.", file=messages)


# Comparing


def _algorithm_names(text: str | None) -> tuple[str, ...]:
    """The names of a list with commas, each once."""
    from dungeon_tui.games.rescue.solver import ALIASES, find_algorithm

    names = [] if text is None else [name.strip() for name in text.split(",")]
    for name in names:
        try:
            find_algorithm(name)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--algorithms") from None
    return tuple(dict.fromkeys(ALIASES.get(name, name) for name in names))


def _sizes(text: str | None) -> tuple[int, ...]:
    """The numbers of a list with commas, growing, each once."""
    from math import isqrt

    from dungeon_tui.games.rescue.generator import MAX_CELLS

    words = [] if text is None else [word.strip() for word in text.split(",")]
    largest = isqrt(MAX_CELLS)
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 10 and 1 <= int(word) <= largest):
            message = f"{word!r} is no size: whole numbers from 1 to {largest}, as in 4,8,16"
            raise typer.BadParameter(message, param_hint="--sizes")
    return tuple(sorted(set(map(int, words))))


def _measure_all(chosen: Comparison, found: list[Measure]) -> None:
    """Takes all measures; on a terminal standard error tells what is being measured."""
    from dungeon_tui.games.rescue.comparison import measures

    with _status() as tell:
        for measure in measures(chosen, tell):
            found.append(measure)


@contextmanager
def _status() -> Iterator[Callable[[str, int, Work], bool] | None]:
    """A line on standard error where that is a terminal; yields what changes it, and never says to stop."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("comparing") as status:

        def tell(name: str, size: int, work: Work) -> bool:
            status.update(f"{name} on {size} x {size}: {work.visits:,} visits")
            return False

        yield tell


# Files


def _write(path: Path, text: str) -> None:
    """Writes a file; `-` is standard output."""
    if str(path) == "-":
        sys.stdout.write(text)
    else:
        write_text(path, text)


@contextmanager
def _told_in_a_line() -> Iterator[None]:
    """What can't be done ends in one line, exit status 1."""
    try:
        yield
    except LevelError:
        raise
    except ValueError as error:
        _fail(str(error))


def _fail(message: str) -> NoReturn:
    print(" ".join(printable(message).split()), file=sys.stderr)
    raise typer.Exit(1)
