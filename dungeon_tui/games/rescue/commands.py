"""The rescue's command line, and the plain play."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.files import refuse_unwritable
from dungeon_tui.core.level import level_name
from dungeon_tui.core.words import counted
from dungeon_tui.games.rescue.options import (
    AlgorithmName,
    ChanceSeedOption,
    ColsOption,
    GeneratorName,
    GeneratorOption,
    GridArgument,
    GridOption,
    HighOption,
    LowOption,
    PuzzleOption,
    Recipe,
    RowsOption,
    SeedOption,
    algorithm_names,
    one_grid,
    read_named,
    sizes_of,
    source,
)
from dungeon_tui.ui.command_line import (
    REPLACED,
    JsonOption,
    OutputOption,
    is_standard_output,
    refuse_nan,
    status,
    tell_seed,
    told_in_a_line,
    write_output,
)

if TYPE_CHECKING:
    from dungeon_tui.core.recording import Recording
    from dungeon_tui.games.rescue.ai.comparison import Comparison, Measure
    from dungeon_tui.games.rescue.ai.work import Work
    from dungeon_tui.games.rescue.model.level import Level

app = typer.Typer()


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
    named = one_grid(grid, grid_option)
    asked = Recipe(rows, cols, generator, puzzle, seed, low, high)
    recipe = asked.by_chance()
    load = source(named, asked, recipe)
    if load is None:
        return Play(None, _play_chosen)
    title = level_name(named) if named is not None else f"{puzzle or generator or GeneratorName.UNIFORM}"
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
    from dungeon_tui.games.rescue.ai import algorithms, solver

    named = one_grid(grid, grid_option)
    load = source(named, Recipe(rows, cols, generator, None, seed, low, high))
    if load is None:
        raise typer.BadParameter("which grid? give its name or file, or --rows and --cols")
    if keep_all and algorithm is not AlgorithmName.BREADTH_FIRST:
        raise typer.BadParameter("only breadth-first drops paths", param_hint="--keep-all")
    find = partial(algorithms.breadth_first, keeps_all=True) if keep_all else solver.find_algorithm(algorithm)
    with told_in_a_line():
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
    from dungeon_tui.games.rescue.view.transcript import relief_line, solution_text

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
    output: OutputOption = None,
) -> None:
    """Make a grid, and print it or write it to a file."""
    from dungeon_tui.games.rescue.model.level import level_text

    asked = Recipe(rows, cols, generator, puzzle, seed, low, high)
    asked.check()
    recipe = asked.by_chance()
    with told_in_a_line():
        level = recipe.make()
    if recipe != asked and recipe.seed is not None:
        tell_seed(recipe.seed, sys.stderr)
    write_output(output, level_text(level))


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
        float | None,
        typer.Option(
            "--limit", metavar="S", min=0.001, callback=refuse_nan, help="Seconds a run may take; default: 2."
        ),
    ] = None,
    as_json: JsonOption = False,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help=f"Write the measures as CSV: {REPLACED}; - is standard output."),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture as SVG; - is standard output.")
    ] = None,
) -> None:
    """Run the algorithms on growing grids, each until it gets too slow."""
    from dungeon_tui.games.rescue.ai import comparison, solver

    files = [path for path in (csv, svg) if path is not None]
    if as_json + sum(map(is_standard_output, files)) > 1:
        raise typer.BadParameter("one thing only can go to standard output: --json, --csv - or --svg -")
    if len({os.path.realpath(path) for path in files}) < len(files):
        raise typer.BadParameter("one file can't hold both: give each its own", param_hint="--csv, --svg")
    for path in files:
        if not is_standard_output(path):
            refuse_unwritable(path)
    recipe = Recipe(None, None, generator, None, seed, low, high)
    recipe.check()
    chosen = comparison.Comparison(
        algorithms=algorithm_names(algorithms) or tuple(solver.ALGORITHMS),
        make=lambda size: replace(recipe, rows=size, cols=size).make(),
        sizes=sizes_of(sizes) or comparison.SIZES,
        limit=comparison.LIMIT if limit is None else limit,
    )
    found: list[Measure] = []
    is_stopped = False
    try:
        with told_in_a_line():
            _measure_all(chosen, found)
    except KeyboardInterrupt:
        is_stopped = True
    if csv is not None:
        write_output(csv, comparison.csv_text(found))
    if svg is not None:
        write_output(svg, comparison.svg_text(chosen, found))
    if as_json:
        print(json.dumps(comparison.json_values(chosen, found)))
    elif not any(map(is_standard_output, files)):
        sys.stdout.write(comparison.table_text(chosen, found))
    if is_stopped:
        print(f"Stopped after {counted(len(found), 'measure')}.", file=sys.stderr)
        raise typer.Exit(130)


def replay_plain(recording: Recording, output: TextIO) -> None:
    """Prints what `play --plain` printed of a rescue that was recorded."""
    from dungeon_tui.core.recording import reexecute
    from dungeon_tui.games.rescue.view import transcript

    controller, _ = reexecute(recording)
    if controller is not None:
        output.write(transcript.replay_text(controller))


# Playing


def _play_plain(
    load: Callable[[], Level], told_seed: int | None, source: TextIO, out: TextIO, messages: TextIO
) -> PlainEnd:
    """The transcript of docs/games/rescue.md."""
    from dungeon_tui.games.rescue.view import transcript

    with told_in_a_line():
        level = load()
    if told_seed is not None:
        tell_seed(told_seed, messages)
    return PlainEnd(*transcript.play(level, source, out))


def _play_chosen(source: TextIO, out: TextIO, messages: TextIO) -> PlainEnd:
    """The same, after asking for a grid."""
    from dungeon_tui.games.rescue.view.transcript import ask_grid

    name = ask_grid(source, out)
    return _play_plain(partial(read_named, name), None, source, out, messages) if name else PlainEnd(0)


# Comparing


def _measure_all(chosen: Comparison, found: list[Measure]) -> None:
    """Takes all measures; on a terminal standard error tells what is being measured."""
    from dungeon_tui.games.rescue.ai.comparison import measures

    with status("comparing") as tell:

        def show(name: str, size: int, work: Work) -> bool:
            tell(f"{name} on {size} x {size}: {work.visits:,} visits")
            return False

        for measure in measures(chosen, show):
            found.append(measure)
