"""What the rescue's commands take, and which grid that comes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from dungeon_tui.ui.command_line import seed_by_chance

if TYPE_CHECKING:
    from dungeon_tui.games.rescue.model.level import Level

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
        return replace(self, seed=seed_by_chance())

    def make(self) -> Level:
        """The grid. Raises ValueError where there is none of that size, or of that seed."""
        from dungeon_tui.games.rescue.model import generator

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


def one_grid(argument: str | None, option: str | None) -> str | None:
    """The grid that is named, either way."""
    if argument is not None and option is not None:
        raise typer.BadParameter("either GRID or --grid, not both", param_hint="--grid")
    return option if argument is None else argument


def source(named: str | None, asked: Recipe, recipe: Recipe | None = None) -> Callable[[], Level] | None:
    """What reads the named grid, or makes one by the recipe (default: as asked); None if nothing was asked for."""
    if named is not None and asked != Recipe():
        raise typer.BadParameter("that grid is there already: no other option makes one", param_hint="--grid")
    asked.check()
    if named is not None:
        return partial(read_named, named)
    return None if asked == Recipe() else (recipe or asked).make


def read_named(name: str) -> Level:
    """A shipped grid, or a file."""
    from dungeon_tui.games.rescue.model.dungeon import read_grid

    return read_grid(name)


def algorithm_names(text: str | None) -> tuple[str, ...]:
    """The names of a list with commas, each once."""
    from dungeon_tui.games.rescue.ai.solver import ALIASES, find_algorithm

    names = [] if text is None else [name.strip() for name in text.split(",")]
    for name in names:
        try:
            find_algorithm(name)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--algorithms") from None
    return tuple(dict.fromkeys(ALIASES.get(name, name) for name in names))


def sizes_of(text: str | None) -> tuple[int, ...]:
    """The numbers of a list with commas, growing, each once."""
    from math import isqrt

    from dungeon_tui.games.rescue.model.generator import MAX_CELLS

    words = [] if text is None else [word.strip() for word in text.split(",")]
    largest = isqrt(MAX_CELLS)
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 10 and 1 <= int(word) <= largest):
            message = f"{word!r} is no size: whole numbers from 1 to {largest}, as in 4,8,16"
            raise typer.BadParameter(message, param_hint="--sizes")
    return tuple(sorted(set(map(int, words))))
