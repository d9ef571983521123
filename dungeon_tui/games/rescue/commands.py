"""The rescue's command line, and the plain play."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO, TypeVar, get_type_hints

import typer

from dungeon_tui.core.arguments import daily, spelled
from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.level import level_name
from dungeon_tui.core.words import counted
from dungeon_tui.games.rescue.ai import algorithms as solving
from dungeon_tui.ui.command_line import (
    DailyOption,
    DateOption,
    ForceOption,
    JsonOption,
    chosen_day,
    end_if_stopped,
    is_standard_output,
    refuse_nan,
    seed_by_chance,
    status,
    tell_seed,
    told_in_a_line,
    write_output,
    written,
)

if TYPE_CHECKING:
    from dungeon_tui.games.rescue.ai.algorithms import Work
    from dungeon_tui.games.rescue.ai.comparison import Measure
    from dungeon_tui.games.rescue.model.level import Level
    from dungeon_tui.games.rescue.view.transcript import Game

AlgorithmName = StrEnum("AlgorithmName", [*solving.ALGORITHMS, *solving.ALIASES])  # type: ignore[misc]
GeneratorName = Literal["uniform", "report"]
PuzzleName = Literal["greedy-fails", "answer-is-one", "uphill", "purchase"]
TABULATED = AlgorithmName("tabulated")
SIDE = 9  # rows and columns of a grid that is made, if nobody says otherwise
_SEED = "Makes the grid; default: 0 (play, generate: chance), for the report's 1."
_FEE = "A purchase: health costs 1 gold, a power-up so much, and he walks all four ways."
ResultT = TypeVar("ResultT")

app = typer.Typer()


# -- which grid


@dataclass(frozen=True, slots=True)
class GridOptions:
    """A grid as the command line asks for it: named, or made; None where nobody chose."""

    grid: Annotated[str | None, typer.Argument(metavar="GRID", help="A shipped grid, or a file; - is stdin.")] = None
    grid_option: Annotated[str | None, typer.Option("--grid", metavar="GRID", help="The same, as an option.")] = None
    rows: Annotated[int | None, typer.Option(metavar="R", min=1, help=f"Of a grid to make; default: {SIDE}.")] = None
    cols: Annotated[int | None, typer.Option(metavar="C", min=1, help="As --rows; one needs the other.")] = None
    generator: Annotated[GeneratorName, typer.Option(help="Makes the numbers.")] = "uniform"
    puzzle: Annotated[PuzzleName | None, typer.Option(help="A grid made to teach something.")] = None
    seed: Annotated[int | None, typer.Option(metavar="S", help=_SEED)] = None
    low: Annotated[int, typer.Option(metavar="L", help="The lowest number.")] = -1000
    high: Annotated[int, typer.Option(metavar="H", help="The highest number.")] = 1000
    fee: Annotated[int | None, typer.Option(metavar="GOLD", min=0, max=1000, help=_FEE)] = None
    guess: Annotated[bool, typer.Option("--guess", help="Only guess the least health, as fast as halving.")] = False

    @property
    def named(self) -> str | None:
        """Name or file of the grid, given as argument or option; None: one is to be made."""
        return self.grid_option if self.grid is None else self.grid

    @property
    def arguments(self) -> str:
        """These options as `rescue play` takes them; empty for a grid of the player's own."""
        from dungeon_tui.games.rescue.model.dungeon import lessons

        if self.named not in (None, *lessons()):
            return ""
        given = {name: value for name, value in asdict(self).items() if value != getattr(GridOptions(), name)}
        return spelled(self.named or "", {name: value for name, value in given.items() if not name.startswith("grid")})

    def check(self) -> None:
        """Ends with wrong usage where the options contradict each other."""
        if None not in (self.grid, self.grid_option):
            raise typer.BadParameter("either GRID or --grid, not both", param_hint="--grid")
        if (
            self.named is not None
            and replace(self, grid=None, grid_option=None, fee=None, guess=False) != GridOptions()
        ):
            raise typer.BadParameter("that grid is there already: no other option makes one", param_hint="--grid")
        if (self.rows is None) != (self.cols is None):
            raise typer.BadParameter("one needs the other", param_hint="--rows, --cols")
        if self.puzzle is not None and (self.generator, self.low, self.high) != ("uniform", -1000, 1000):
            raise typer.BadParameter("a puzzle chooses its own numbers", param_hint="--puzzle")
        if self.guess and self.fee is not None:
            raise typer.BadParameter("a purchase is no guess", param_hint="--guess")
        if self.low > self.high:
            text = f"the lowest number is {self.low}, above the highest, {self.high}"
            raise typer.BadParameter(text, param_hint="--low")

    def by_chance(self) -> GridOptions:
        """These options with a seed by chance, unless one was chosen or none is needed: the report has its own."""
        if self.named is not None or self.seed is not None or self.generator == "report":
            return self
        return replace(self, seed=seed_by_chance())

    def load(self) -> Level:
        """Reads or makes the grid. Raises ValueError if it can't be read, or none can be made of that size or seed."""
        from dungeon_tui.games.rescue.model.dungeon import set_task

        return set_task(self._load, self.fee, self.guess)

    def _load(self) -> Level:
        """The grid, whatever is to be done with it."""
        from dungeon_tui.games.rescue.model import dungeon, generator

        if self.named is not None:
            return dungeon.read_grid(self.named)
        default = generator.REPORT_SEED if self.generator == "report" else 0
        seed = default if self.seed is None else self.seed
        shape = self.rows or SIDE, self.cols or SIDE
        if self.puzzle is not None:
            return generator.puzzle(self.puzzle, seed, *shape)
        return generator.generated(self.generator, seed, *shape, self.low, self.high)


def takes_grid(*left_out: str) -> Callable[[Callable[..., ResultT]], Callable[..., ResultT]]:
    """Decorator that gives a command the options of a grid, except some; it gets them checked as its first argument."""
    hints = get_type_hints(GridOptions, include_extras=True)
    given = {field.name: field.default for field in fields(GridOptions) if field.name not in left_out}
    keyword = inspect.Parameter.KEYWORD_ONLY
    spread = [
        inspect.Parameter(name, keyword, default=default, annotation=hints[name]) for name, default in given.items()
    ]

    def decorate(command: Callable[..., ResultT]) -> Callable[..., ResultT]:
        def called(**values: Any) -> ResultT:
            options = GridOptions(**{name: values.pop(name, default) for name, default in given.items()})
            options.check()
            return command(options, **values)

        own = [*inspect.signature(command, eval_str=True).parameters.values()][1:]
        parameters = [*spread, *(parameter.replace(kind=keyword) for parameter in own)]
        called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        called.__name__, called.__doc__ = command.__name__, command.__doc__
        return called

    return decorate


# -- the commands


@takes_grid()
def play(asked: GridOptions, is_daily: DailyOption = False, day: DateOption = None) -> Play:
    """Guess the least health, or walk; any grid, or one that is made."""
    day = chosen_day(is_daily, day)
    if day is not None:
        if asked != GridOptions():
            raise typer.BadParameter("a daily grid is made by its date alone")
        from dungeon_tui.games.rescue.model.dungeon import named

        return opened(named(daily(day)))
    if asked == GridOptions():
        return Play(None, _play_chosen)
    options = asked.by_chance()
    title = asked.puzzle or asked.generator if asked.named is None else level_name(asked.named)
    told_seed = options.seed if options != asked else None
    opening = Opening(title, options.load, arguments=options.arguments)
    return Play(opening, partial(_play_plain, options.load, told_seed))


def opened(opening: Opening) -> Play:
    """The play of a grid that was opened by its arguments, a day's or one of a code."""
    return Play(opening, partial(_play_plain, opening.load, None, actions=opening.actions))


def best(level: Level) -> int | None:
    """The least health with which the princess can be reached, or gold in a purchase; None where none is enough."""
    from dungeon_tui.games.rescue.ai.solver import par
    from dungeon_tui.games.rescue.model.rules import BEYOND, least_health

    if level.fee is not None or level.is_guessed:
        return par(level)
    least = least_health(level)
    return None if least == BEYOND else least


@app.command()
@takes_grid("puzzle", "guess")
def solve(
    options: GridOptions,
    algorithm: Annotated[
        AlgorithmName, typer.Option("--algorithm", help="bottom-up is memoised, top-down tabulated.")
    ] = TABULATED,
    keep_all: Annotated[bool, typer.Option("--keep-all", help="Let breadth-first drop no path: brute force.")] = False,
    count: Annotated[bool, typer.Option("--count", help="How many ways survive with the least health.")] = False,
    relief: Annotated[bool, typer.Option("--relief", help="Which cell lowers it most if it is emptied.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Find the least health, and a way on which it is enough."""
    from time import perf_counter

    from dungeon_tui import engine

    if options == GridOptions():
        raise typer.BadParameter("which grid? give its name or file, or --rows and --cols")
    if keep_all and algorithm != "breadth-first":
        raise typer.BadParameter("only breadth-first drops paths", param_hint="--keep-all")
    with told_in_a_line():
        level = options.load()
    if level.fee is not None:
        if algorithm != TABULATED or keep_all or count or relief:
            raise typer.BadParameter("a purchase is solved in its own way", param_hint="--fee")
        _solve_purchase(level, as_json)
        return
    find = partial(solving.breadth_first, keeps_all=True) if keep_all else solving.find_algorithm(algorithm)
    with told_in_a_line():
        solving.prepare(level, find)
        began = perf_counter()
        solution = solving.solve(level, find)
        seconds = round(perf_counter() - began, 6)
        paths = engine.count_paths(level.grid, solution.health) if count else 0
        best = engine.best_relief(level.grid) if relief else None
    name = solving.ALIASES.get(algorithm, str(algorithm))
    if as_json:
        values = {"initial_health": solution.health, "path": solution.path, "algorithm": name, "seconds": seconds}
        counted_paths = {"paths": paths} if count else {}
        relieved = {"relief": best and {"cell": best[0], "initial_health": best[1]}} if relief else {}
        print(json.dumps({**values, **counted_paths, **relieved}))
        return
    from dungeon_tui.games.rescue.view.transcript import relief_line, solution_text

    sys.stdout.write(solution_text(level, name, solution))
    if count:
        print(f"paths that survive with it: {paths}")
    if relief:
        print(relief_line(level, best))
    print(f"{seconds:.3f} seconds")


def _solve_purchase(level: Level, as_json: bool) -> None:
    """Prints the least gold, and a way on which it is enough."""
    from time import perf_counter

    from dungeon_tui.games.rescue.model.purchase import bargain
    from dungeon_tui.games.rescue.view.transcript import bargain_text

    bargain.cache_clear()
    began = perf_counter()
    found = bargain(level)
    assert found is not None
    seconds = round(perf_counter() - began, 6)
    values = {"gold": found.gold, "initial_health": found.health, "path": found.path, "seconds": seconds}
    sys.stdout.write(json.dumps(values) + "\n" if as_json else bargain_text(level, found))


@app.command()
@takes_grid("grid", "grid_option", "fee", "guess")
def generate(
    asked: GridOptions,
    output: Annotated[Path | None, written("--output", "rescue grid")] = None,
    force: ForceOption = False,
) -> None:
    """Make a grid, and print it or write it to a file."""
    from dungeon_tui.games.rescue.model.level import level_text

    options = asked.by_chance()
    with told_in_a_line():
        level = options.load()
    if options != asked and options.seed is not None:
        tell_seed(options.seed, sys.stderr)
    write_output(output, level_text(level))


@app.command()
@takes_grid("puzzle", "fee", "guess")
def compare(
    options: GridOptions,
    sizes: Annotated[
        str | None, typer.Option("--sizes", metavar="N,N,...", help="Rows, and columns; default: 1 to 2000.")
    ] = None,
    algorithms: Annotated[
        str | None, typer.Option("--algorithms", metavar="NAME,...", help="As in solve; default: all of them.")
    ] = None,
    limit: Annotated[
        float, typer.Option("--limit", metavar="S", min=0.001, callback=refuse_nan, help="Seconds a run may take.")
    ] = 2.0,
    as_json: JsonOption = False,
    csv: Annotated[
        Path | None, written("--csv", "table", "The file to write the measures to as CSV; - is standard output")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Run the algorithms on growing grids, or on corners of one that grow, each until it gets too slow."""
    from dungeon_tui.games.rescue.ai import comparison

    if as_json and is_standard_output(csv):
        raise typer.BadParameter("one thing only can go to standard output: --json or --csv -")
    names = _algorithm_names(algorithms) or tuple(solving.ALGORITHMS)
    if options.named is not None or options.rows is not None:
        if sizes is not None:
            raise typer.BadParameter("they are of squares: not beside a grid, or its rows", param_hint="--sizes")
        with told_in_a_line():
            chosen = comparison.comparison_on(options.load(), names, limit)
    else:
        chosen = comparison.Comparison(
            algorithms=names,
            make=lambda size: replace(options, rows=size, cols=size).load(),
            sizes=_sizes(sizes) or comparison.SIZES,
            limit=limit,
        )
    found: list[Measure] = []
    is_stopped = False
    try:
        with told_in_a_line(), status("comparing") as tell:

            def show(name: str, size: comparison.Size, work: Work) -> None:
                tell(f"{name} on {comparison.size_text(size)}: {work.visits:,} visits")

            found.extend(comparison.measures(chosen, show))
    except KeyboardInterrupt:
        is_stopped = True
    if csv is not None:
        write_output(csv, comparison.csv_text(found))
    if as_json:
        print(json.dumps(comparison.json_values(chosen, found)))
    elif not is_standard_output(csv):
        from dungeon_tui.games.rescue.view.measures import tables_text

        sys.stdout.write(tables_text(chosen, found))
    end_if_stopped(is_stopped, f" after {counted(len(found), 'measure')}")


def replay_plain(game: Game, output: TextIO) -> None:
    """Prints what `play --plain` printed of a recorded rescue, up to the present turn, but help and refusals."""
    from dungeon_tui.games.rescue.view import transcript

    output.write(transcript.replay_text(game))


# -- playing


def _play_plain(
    load: Callable[[], Level],
    told_seed: int | None,
    source: TextIO,
    out: TextIO,
    messages: TextIO,
    actions: Sequence[str] = (),
) -> PlainEnd:
    """Plays a grid in plain text, as docs/games/rescue.md shows it; a seed drawn by chance is told first."""
    from dungeon_tui.games.rescue.view import transcript

    with told_in_a_line():
        level = load()
    if told_seed is not None:
        tell_seed(told_seed, messages)
    return PlainEnd(*transcript.play(level, source, out, actions))


def _play_chosen(source: TextIO, out: TextIO, messages: TextIO) -> PlainEnd:
    """Asks for a grid and plays it in plain text; ends with status 0 if none is named."""
    from dungeon_tui.games.rescue.view.transcript import ask_grid

    name = ask_grid(source, out)
    return _play_plain(GridOptions(name).load, None, source, out, messages) if name else PlainEnd(0)


def _algorithm_names(text: str | None) -> tuple[str, ...]:
    """Algorithms in a list with commas, aliases resolved, each once; none without a list. Unknown: wrong usage."""
    names = [] if text is None else [name.strip() for name in text.split(",")]
    for name in names:
        try:
            solving.find_algorithm(name)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--algorithms") from None
    return tuple(dict.fromkeys(solving.ALIASES.get(name, name) for name in names))


def _sizes(text: str | None) -> tuple[int, ...]:
    """Sizes in a list with commas, growing, each once; none without a list. Other words are wrong usage."""
    from math import isqrt

    from dungeon_tui.games.rescue.model.generator import MAX_CELLS

    words = [] if text is None else [word.strip() for word in text.split(",")]
    largest = isqrt(MAX_CELLS)
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 10 and 1 <= int(word) <= largest):
            message = f"{word!r} is no size: whole numbers from 1 to {largest}, as in 4,8,16"
            raise typer.BadParameter(message, param_hint="--sizes")
    return tuple(sorted(set(map(int, words))))
