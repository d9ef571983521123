"""The rescue's command line, and the plain play."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.options import Given, can_not_be_combined
from dungeon_tui.core.plain import Console
from dungeon_tui.core.words import counted
from dungeon_tui.games.rescue.ai import algorithms as solving
from dungeon_tui.games.rescue.model.options import OPTIONS as OPTIONS
from dungeon_tui.ui import command_line
from dungeon_tui.ui.command_line import ForceOption, JsonOption

if TYPE_CHECKING:
    from dungeon_tui.games.rescue.model.level import Level
    from dungeon_tui.games.rescue.view.transcript import Game

AlgorithmName = StrEnum("AlgorithmName", [*solving.ALGORITHMS, *solving.ALIASES])  # type: ignore[misc]
TABULATED = AlgorithmName("tabulated")

app = typer.Typer()


GridOption = Annotated[
    str | None, command_line.option("--grid", "GRID", "The grid, as an option.", callback=command_line.refuse_empty)
]


def _grid(given: Given, grid: str | None) -> Given:
    with command_line.wrong_usage():
        if grid is not None and given.name:
            raise can_not_be_combined("--grid", "GRID")
        return given if grid is None else OPTIONS.given(grid, given.values)


def read(given: Given) -> Level:
    """Reads or makes a grid. Ends the process with one line if that can't be done."""
    from dungeon_tui.games.rescue.model.dungeon import opening

    with command_line.one_line_errors(), command_line.wrong_usage():
        level: Level = opening(given).load()
    return level


def opened(opening: Opening | None) -> Play:
    if opening is None:
        return Play(None, _play_chosen)
    return Play(opening, partial(_play_plain, opening.load, actions=opening.actions))


def best(level: Level) -> int | None:
    """The least health with which the princess can be reached, or gold in a purchase; None if no amount is enough."""
    from dungeon_tui.games.rescue.ai.solver import par
    from dungeon_tui.games.rescue.model.rules import BEYOND, least_health

    if level.fee is not None:
        return par(level)
    least = least_health(level)
    return None if least == BEYOND else least


@app.command()
@command_line.takes_level(OPTIONS, "daily", "date", "puzzle")
def solve(
    given: Given,
    grid: GridOption = None,
    algorithm: Annotated[
        AlgorithmName, typer.Option("--algorithm", help="bottom-up is memoised, top-down tabulated.")
    ] = TABULATED,
    keep_all: Annotated[
        bool, typer.Option("--keep-all", help="Make breadth-first keep every path: brute force.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Find the least health, and a path on which it is enough."""
    from time import perf_counter

    # Check the options; a purchase has its own solver.
    given = _grid(given, grid)
    if not given:
        raise typer.BadParameter("which grid? give its name or file, or --rows and --cols")
    if keep_all and algorithm != "breadth-first":
        raise typer.BadParameter("only breadth-first drops paths", param_hint="--keep-all")
    level = read(given)
    if level.fee is not None:
        if algorithm != TABULATED or keep_all:
            raise typer.BadParameter("a purchase is solved in its own way", param_hint="--fee")
        _solve_purchase(level, as_json)
        return
    # Solve it.
    find = partial(solving.breadth_first, keeps_all=True) if keep_all else solving.find_algorithm(algorithm)
    with command_line.one_line_errors():
        solving.prepare(level, find)
        began = perf_counter()
        solution = solving.solve(level, find)
        seconds = round(perf_counter() - began, 6)
    # Print the results.
    name = solving.ALIASES.get(algorithm, str(algorithm))
    if as_json:
        values: dict[str, object] = {"initial_health": solution.health, "path": solution.path}
        values |= {"algorithm": name, "seconds": seconds}
        print(json.dumps(values))
        return
    from dungeon_tui.games.rescue.view.transcript import solution_text

    sys.stdout.write(solution_text(level, name, solution))
    print(f"{seconds:.3f} seconds")


def _solve_purchase(level: Level, as_json: bool) -> None:
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
@command_line.takes_level(OPTIONS, "GRID", "daily", "date", "fee")
def generate(
    given: Given,
    output: Annotated[Path | None, command_line.written("--output", "rescue grid")] = None,
    force: ForceOption = False,
) -> None:
    """Make a grid, and print it or write it to a file."""
    from dungeon_tui.games.rescue.model.dungeon import opening
    from dungeon_tui.games.rescue.model.level import level_text

    with command_line.wrong_usage():
        opening(given)  # is possible, before a seed is drawn
    level = read(given if given["generator"] == "report" else command_line.with_seed(given))
    command_line.write_output(output, level_text(level))


@app.command()
@command_line.takes_level(OPTIONS, "daily", "date", "puzzle", "fee")
def compare(
    given: Given,
    grid: GridOption = None,
    sizes: Annotated[
        str | None, command_line.option("--sizes", "N,N,...", "Rows, and columns; default: 1 to 2,000.")
    ] = None,
    algorithms: Annotated[
        str | None, command_line.option("--algorithms", "NAME,...", "The algorithms, named as in solve; default: all.")
    ] = None,
    limit: Annotated[
        float,
        command_line.option("--limit", "S", "Seconds a run may take.", min=0.001, callback=command_line.refuse_nan),
    ] = 2.0,
    as_json: JsonOption = False,
    csv: Annotated[
        Path | None,
        command_line.written("--csv", "table", "The file to write the measures to as CSV; - is standard output"),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Run the algorithms on growing grids, or growing corners of one grid, until each gets too slow."""
    from dungeon_tui.games.rescue.ai import comparison

    if as_json and command_line.is_standard_output(csv):
        raise typer.BadParameter("one thing only can go to standard output: --json or --csv -")
    given = _grid(given, grid)
    names = _algorithm_names(algorithms) or tuple(solving.ALGORITHMS)
    # Compare on corners of the named grid, or on grids of growing size.
    if given.name or "rows" in given or "cols" in given:
        if sizes is not None:
            raise typer.BadParameter("they are of squares: not beside a grid, or its rows", param_hint="--sizes")
        with command_line.one_line_errors():
            chosen = comparison.comparison_on(read(given), names, limit)
    else:
        chosen = comparison.Comparison(
            names, lambda size: read(given.combined(rows=size, cols=size)), _sizes(sizes) or comparison.SIZES, limit
        )
    # Measure until each algorithm is too slow, or Ctrl-C.
    found: list[comparison.Measure] = []
    is_stopped = False
    try:
        with command_line.one_line_errors(), command_line.status("comparing") as tell:

            def show(name: str, size: comparison.Size, work: solving.Work) -> None:
                tell(f"{name} on {comparison.size_text(size)}: {work.visits:,} visits")

            found.extend(comparison.measures(chosen, show))
    except KeyboardInterrupt:
        is_stopped = True
    if csv is not None:
        command_line.write_output(csv, comparison.csv_text(found))
    if as_json:
        print(json.dumps(comparison.json_values(chosen, found)))
    elif not command_line.is_standard_output(csv):
        from dungeon_tui.games.rescue.view.measures import tables_text

        sys.stdout.write(tables_text(chosen, found))
    command_line.end_if_stopped(is_stopped, f" after {counted(len(found), 'measure')}")


def replay_plain(game: Game, output: TextIO) -> None:
    from dungeon_tui.games.rescue.view import transcript

    output.write(transcript.replay_text(game))


# -- playing


def _play_plain(load: Callable[[], Level], console: Console, actions: Sequence[str] = ()) -> PlainEnd:
    from dungeon_tui.games.rescue.view import transcript

    with command_line.one_line_errors():
        level = load()
    return transcript.play(level, console, actions)


def _play_chosen(console: Console) -> PlainEnd:
    from dungeon_tui.games.rescue.view.transcript import ask_grid

    name = ask_grid(console)
    return _play_plain(partial(read, OPTIONS.given(name)), console) if name else PlainEnd(0)


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
