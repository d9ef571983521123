"""The expedition's command line, and the plain play."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeVar

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.options import Given
from dungeon_tui.core.plain import Console, ask, read_line
from dungeon_tui.games.expedition.model.options import OPTIONS as OPTIONS
from dungeon_tui.games.expedition.model.options import lessons
from dungeon_tui.ui import command_line as shell

if TYPE_CHECKING:
    from dungeon_tui.engine.walks import Watch
    from dungeon_tui.games.expedition.model.level import Level
    from dungeon_tui.games.expedition.model.state import State
    from dungeon_tui.games.expedition.view.transcript import Game

app = typer.Typer()
ResultT = TypeVar("ResultT")

_NEW = ("daily", "date", "seed", "rooms", "degree", "uniform", "fog")  # options that only `play` takes


def opened(opening: Opening | None) -> Play:
    if opening is None:
        return Play(None, _play_chosen)
    return Play(opening, partial(_play_plain, opening.load, actions=opening.actions))


def best(level: Level) -> int | None:
    """The cost of the cheapest walk that finishes the task; None if it is impossible."""
    from dungeon_tui.games.expedition.ai import solver

    return solver.plan(level).cost


@app.command()
@shell.takes_level(OPTIONS, *_NEW)
def solve(
    given: Given,
    timeout: shell.TimeoutOption = None,
    with_steps: Annotated[
        bool, typer.Option("--first-steps", help="All rooms that a cheapest walk may enter first.")
    ] = False,
    with_count: Annotated[bool, typer.Option("--count", help="Number of cheapest walks, up to 1,000.")] = False,
    with_sure: Annotated[bool, typer.Option("--explorer", help="The cost you can guarantee without the map.")] = False,
    as_json: shell.JsonOption = False,
) -> None:
    """Find the cheapest walk through all rooms, and prove it if time allows."""
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.model import rules
    from dungeon_tui.games.expedition.model.explorer import Explorer
    from dungeon_tui.games.expedition.view.transcript import plan_text, sure_text, task_text, walk_text

    # Plan the walk, and what else was asked for.
    level = _level(given)
    state = rules.start(level)
    solver.prepare()
    with _watches("planning") as (watch, stop):
        began = perf_counter()
        plan = solver.plan(state, watch(timeout))
        seconds = round(perf_counter() - began, 6)
        steps = solver.first_steps(state, watch(timeout)) if with_steps else None
        count = solver.count_walks(state, watch(timeout)) if with_count else None
        sure = Explorer(level, stop).sure_cost if with_sure else None
    # Print the results.
    if as_json:
        values: dict[str, Any] = {
            "cost": plan.cost,
            "walk": [level.rooms[room].id for room in plan.walk],
            "seen": plan.seen,
            "proven_minimal": plan.is_proven,
            "lower_bound": plan.lower_bound,
            "seconds": seconds,
            "method": plan.method,
        }
        if with_steps:
            values["first_steps"] = None if steps is None else [level.rooms[room].id for room in steps]
        if with_count:
            values["walks"] = count
        if with_sure:
            values["explorer"] = sure
        print(json.dumps(values))
    else:
        sys.stdout.write(task_text(level) + plan_text(level, plan))
        if with_steps:
            print(f"Best first steps: {'not proven' if steps is None else walk_text(level, steps) or 'none'}.")
        if with_count:
            more = " or more" if count == solver.CAP else ""
            print(f"Cheapest walks: {'not counted' if count is None else count}{more}.")
        if with_sure:
            print(sure_text(sure))
        print(f"Found by {plan.method} in {seconds:.3f} seconds.")
    shell.end_if_stopped(stop.is_set(), ": this is the best result so far")


@app.command()
@shell.takes_level(OPTIONS, *_NEW, "coverage")
def curve(given: Given, timeout: shell.TimeoutOption = None, as_json: shell.JsonOption = False) -> None:
    """Print the least cost for each number of rooms."""
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.view.transcript import curve_text

    level = _level(given)
    solver.prepare()
    began = perf_counter()
    with _watches("planning") as (watch, stop):
        points = [*solver.curve(level, watch(timeout))]
    if as_json:
        values = {
            "rooms": [*range(1, len(points) + 1)],
            "costs": [cost for cost, _ in points],
            "lower_bounds": [bound for _, bound in points],
            "proven_minimal": [cost == bound for cost, bound in points],
            "seconds": round(perf_counter() - began, 6),
        }
        print(json.dumps(values))
    else:
        sys.stdout.write(curve_text(level, points))
    shell.end_if_stopped(stop.is_set(), ": this is the best result so far")


@app.command()
@shell.takes_level(OPTIONS, "MAP", "daily", "date", "start", "coverage", "return", "end", "fog")
def generate(
    given: Given,
    output: Annotated[Path | None, shell.written("--output", "map")] = None,
    force: shell.ForceOption = False,
) -> None:
    """Make a map, and print it or write it to a file."""
    from dungeon_tui.games.expedition.model.dungeon import load
    from dungeon_tui.games.expedition.model.level import level_text

    shell.write_output(output, level_text(load(shell.with_seed(given))))


def replay_plain(game: Game, output: TextIO) -> None:
    """Prints the `play --plain` transcript of a recorded expedition."""
    from dungeon_tui.engine.walks import Watch
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.view import transcript

    plan = solver.plan(game.state.level, Watch(solver.PLAN_TIME_LIMIT_S))
    comparison = solver.compare(game.state, Watch(solver.PLAN_TIME_LIMIT_S), best=plan)
    output.write(transcript.replay_text(game, plan, lambda state: comparison))


def _level(given: Given) -> Level:
    """The map that a command names, with its task. Raises LevelError if it can't be read."""
    from dungeon_tui.games.expedition.model.dungeon import load

    if not given.name:
        raise typer.BadParameter("which map? give its name or file", param_hint="MAP")
    return load(given)


def _play_plain(load: Callable[[], Level], console: Console, actions: Sequence[str] = ()) -> PlainEnd:
    """Plays a map in plain text, as docs/games/expedition.md shows; plans first, compares at the end."""
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.view import transcript

    level = load()
    solver.prepare()
    plan = _answer("planning", solver.plan, level)
    return transcript.play(
        level, plan, lambda state: _answer("comparing", solver.compare, state, best=plan), console, actions
    )


def _play_chosen(console: Console) -> PlainEnd:
    """Asks for a map and plays it in plain text; ends with status 0 if you name none."""
    name = ask(f"Maps: {', '.join(lessons())}\nPlease enter the name of a map:\n", console, read_line)
    return _play_plain(partial(_level, OPTIONS.given(name)), console) if name else PlainEnd(0)


@contextmanager
def _watches(what: str) -> Iterator[tuple[Callable[[float | None], Watch], Event]]:
    """Yields a function that makes watches with a time limit and a line of progress, and the event that Ctrl-C sets."""
    from dungeon_tui.engine.walks import Watch

    with shell.status(what) as tell, shell.interrupts() as stop:

        def progress(states: int, bound: int, cost: int) -> None:
            tell(f"{states:,} states; at least {bound}, at most {cost}")

        yield lambda time_limit: Watch(time_limit, stop, progress), stop


def _answer(what: str, search: Callable[..., ResultT], about: State | Level, **options: Any) -> ResultT:
    """The best answer of a search within its time limit. Raises KeyboardInterrupt if Ctrl-C ended it."""
    from dungeon_tui.games.expedition.ai.solver import PLAN_TIME_LIMIT_S

    with _watches(what) as (watch, stop):
        found = search(about, watch(PLAN_TIME_LIMIT_S), **options)
    if stop.is_set():
        raise KeyboardInterrupt
    return found
