"""The expedition's command line, and the plain play."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeVar

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.level import LevelError, level_name
from dungeon_tui.games.expedition.options import (
    DEGREE,
    ROOMS,
    CoverageOption,
    EndOption,
    MapArgument,
    MaybeMapArgument,
    Quest,
    ReturnOption,
    StartOption,
)
from dungeon_tui.ui.command_line import (
    JsonOption,
    OutputOption,
    TimeoutOption,
    seed_by_chance,
    status,
    tell_seed,
    write_output,
)

if TYPE_CHECKING:
    from dungeon_tui.core.recording import Recording
    from dungeon_tui.games.expedition.ai.solver import Comparison, LeastCost, Plan
    from dungeon_tui.games.expedition.model.level import Level
    from dungeon_tui.games.expedition.model.state import State

app = typer.Typer()
ResultT = TypeVar("ResultT")

PATIENCE = 10  # seconds that a plan for the plain play may take


def play(
    name: MaybeMapArgument = None,
    start: StartOption = None,
    coverage: CoverageOption = None,
    returns: ReturnOption = False,
    end: EndOption = None,
    fog: Annotated[bool, typer.Option("--fog", help="Rooms appear as neighbours of rooms seen.")] = False,
) -> Play:
    """Explore a map as cheaply as you can."""
    quest = Quest(start, coverage, returns, end, fog)
    quest.check()
    if name is None:
        if quest != Quest():
            raise typer.BadParameter("which map? give its name or file")
        return Play(None, _play_chosen)
    load = partial(quest.read, name)
    return Play(Opening(level_name(name), load), partial(_play_plain, load))


@app.command()
def solve(
    name: MapArgument,
    start: StartOption = None,
    coverage: CoverageOption = None,
    returns: ReturnOption = False,
    end: EndOption = None,
    timeout: TimeoutOption = None,
    with_steps: Annotated[
        bool, typer.Option("--first-steps", help="All rooms that a cheapest walk may enter first.")
    ] = False,
    with_count: Annotated[bool, typer.Option("--count", help="How many cheapest walks there are, up to 1000.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Find the cheapest walk that sees the rooms."""
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.model import rules
    from dungeon_tui.games.expedition.view.transcript import plan_text, plan_values, task_text, walk_text

    level = _read(name, Quest(start, coverage, returns, end))
    state = rules.start(level)
    solver.prepare()
    began = perf_counter()
    is_stopped = False
    plan, steps, count = None, None, None
    with status("planning") as tell:
        seen = _Seen(tell)
        try:
            plan = _search(seen, solver.plan, state, time_limit=timeout)
            seconds = round(perf_counter() - began, 6)
            if with_steps:
                steps = _search(seen, solver.first_steps, state, time_limit=timeout)
            if with_count:
                count = _search(seen, solver.count_walks, state, time_limit=timeout)
        except KeyboardInterrupt:
            is_stopped = True
            seconds = round(perf_counter() - began, 6)
    plan = plan or _best_known(level, seen.bound, seconds)
    if as_json:
        values = plan_values(level, plan) | {"seconds": seconds, "method": plan.method}
        if with_steps:
            values["first_steps"] = None if steps is None else [level.rooms[room].id for room in steps]
        if with_count:
            values["walks"] = count
        print(json.dumps(values))
    else:
        sys.stdout.write(task_text(level) + plan_text(level, plan))
        if with_steps:
            print(f"Best first steps: {'not proven' if steps is None else walk_text(level, steps) or 'none'}.")
        if with_count:
            more = " or more" if count == solver.CAP else ""
            print(f"Cheapest walks: {'not counted' if count is None else count}{more}.")
        print(f"Found by {plan.method} in {seconds:.3f} seconds.")
    if is_stopped:
        _end_stopped()


@app.command()
def curve(
    name: MapArgument,
    start: StartOption = None,
    returns: ReturnOption = False,
    end: EndOption = None,
    timeout: TimeoutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell the least cost for each number of rooms."""
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.view.transcript import curve_text, curve_values

    level = _read(name, Quest(start, None, returns, end))
    solver.prepare()
    began = perf_counter()
    is_stopped = False
    points: list[LeastCost] = []

    def collect(**watched: Any) -> None:
        for point in solver.curve(level, time_limit=timeout, **watched):
            points.append(point)

    with status("planning") as tell:
        seen = _Seen(tell)
        try:
            _search(seen, collect)
        except KeyboardInterrupt:
            is_stopped = True
    seconds = round(perf_counter() - began, 6)
    if as_json:
        print(json.dumps(curve_values(points) | {"seconds": seconds}))
    else:
        sys.stdout.write(curve_text(level, points))
    if is_stopped:
        _end_stopped()


@app.command()
def generate(
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="Makes the map; default: chance, and it is told.")
    ] = None,
    rooms: Annotated[int, typer.Option("--rooms", metavar="N", help="How many, up to 256.")] = ROOMS,
    degree: Annotated[float, typer.Option("--degree", metavar="D", help="Corridors of a room, on average.")] = DEGREE,
    uniform: Annotated[
        bool, typer.Option("--uniform", help="All rooms cost 1 and corridors nothing; default: costs by chance.")
    ] = False,
    output: OutputOption = None,
) -> None:
    """Make a map, and print it or write it to a file."""
    from dungeon_tui.games.expedition.model import generator
    from dungeon_tui.games.expedition.model.level import level_text

    chosen = seed_by_chance() if seed is None else seed
    try:
        text = level_text(generator.generate(chosen, rooms, degree, is_uniform=uniform))
    except ValueError as error:
        raise LevelError(str(error), f"seed {chosen}") from None
    if seed is None:
        tell_seed(chosen, sys.stderr)
    write_output(output, text)


def replay_plain(recording: Recording, output: TextIO) -> None:
    """Prints what `play --plain` printed of an expedition that was recorded."""
    from dungeon_tui.core.recording import reexecute
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.view import transcript

    controller, _ = reexecute(recording)
    if controller is not None:
        plan = solver.plan(controller.state.level, time_limit=PATIENCE)
        compare = partial(solver.compare, best=plan, time_limit=PATIENCE)
        output.write(transcript.replay_text(controller, plan, compare))


# Playing


def _play_plain(load: Callable[[], Level], source: TextIO, out: TextIO, messages: TextIO) -> PlainEnd:
    """The transcript of docs/games/expedition.md."""
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.view import transcript

    level = load()
    solver.prepare()
    with status("planning") as tell:
        plan = _search(_Seen(tell), solver.plan, level, time_limit=PATIENCE)

    def compare(state: State) -> Comparison:
        with status("comparing") as tell:
            return _search(_Seen(tell), solver.compare, state, best=plan, time_limit=PATIENCE)

    return PlainEnd(*transcript.play(level, plan, compare, source, out))


def _play_chosen(source: TextIO, out: TextIO, messages: TextIO) -> PlainEnd:
    """The same, after asking for a map."""
    from dungeon_tui.games.expedition.view.transcript import ask_map

    name = ask_map(source, out)
    return _play_plain(partial(Quest().read, name), source, out, messages) if name else PlainEnd(0)


# Planning


def _read(name: str, quest: Quest) -> Level:
    quest.check()
    return quest.read(name)


def _search(seen: _Seen, search: Callable[..., ResultT], *arguments: Any, **options: Any) -> ResultT:
    """What a search finds. It has a thread of its own, so that Ctrl-C is heard at once and ends it in good order.

    Raises:
        KeyboardInterrupt: Ctrl-C ended it.
    """
    stop = Event()
    with ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(search, *arguments, stop=stop, progress=seen.tell, **options).result()
        except KeyboardInterrupt:
            stop.set()
            raise


def _best_known(level: Level, bound: int, seconds: float) -> Plan:
    """What is found in as long as a stopped search took, a second at most, with the bound that it proved."""
    from dungeon_tui.games.expedition.ai import solver

    plan = solver.plan(level, time_limit=min(seconds, 1))
    bound = max(bound, plan.lower_bound)
    return replace(plan, lower_bound=bound, is_proven=plan.is_proven or plan.cost == bound)


def _end_stopped() -> None:
    print("Stopped: this is the best that was known.", file=sys.stderr)
    raise typer.Exit(130)


@dataclass(slots=True)
class _Seen:
    """What is heard of a search, and how it is shown."""

    show: Callable[[str], None]
    bound: int = 0

    def tell(self, states: int, bound: int, cost: int) -> None:
        self.bound = bound
        self.show(f"{states:,} states; at least {bound}, at most {cost}")
