"""The expedition's command line, and the plain play."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeVar

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.level import LevelError, level_name
from dungeon_tui.ui.command_line import (
    JsonOption,
    OutputOption,
    TimeoutOption,
    interrupts,
    seed_by_chance,
    status,
    tell_seed,
    write_output,
)

if TYPE_CHECKING:
    from dungeon_tui.games.expedition.ai.solver import Comparison, LeastCost, Plan
    from dungeon_tui.games.expedition.model.level import Level
    from dungeon_tui.games.expedition.model.state import State
    from dungeon_tui.games.expedition.view.transcript import Game

app = typer.Typer()
ResultT = TypeVar("ResultT")

PATIENCE = 10  # seconds that a plan for the plain play may take
ROOMS, DEGREE = 20, 2.6  # the generator's; here, so that the help needs no engine


def read_coverage(text: str) -> Fraction:
    """The number of "90", "33.3" or "90%"."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,20})?%?", text) or Fraction(text.rstrip("%")) > 100:
        raise typer.BadParameter(f"{text!r} is no percentage: a number from 0 to 100, as in 90 or 33.3")
    return Fraction(text.rstrip("%"))


_MAP = typer.Argument(metavar="MAP", help="A shipped map, or a file; - is standard input.")
MapArgument = Annotated[str, _MAP]
MaybeMapArgument = Annotated[str | None, _MAP]
StartOption = Annotated[
    str | None, typer.Option("--start", metavar="ID", help="The room to start in; default: the map's.")
]
CoverageOption = Annotated[
    Fraction | None,
    typer.Option(
        "--coverage", metavar="PERCENT", parser=read_coverage, help="How much of the rooms to see; default: 100."
    ),
]
ReturnOption = Annotated[bool, typer.Option("--return", help="Come back to the start.")]
EndOption = Annotated[str | None, typer.Option("--end", metavar="ID", help="The room to end in.")]


@dataclass(frozen=True, slots=True)
class Quest:
    """The expedition that the options ask for; None where nobody chose."""

    start: str | None = None
    coverage: Fraction | None = None
    is_round_trip: bool = False
    end: str | None = None
    is_fogged: bool = False

    def read(self, name: str) -> Level:
        """Reads the map of that name, with this quest."""
        from dungeon_tui.games.expedition.model.dungeon import read_map
        from dungeon_tui.games.expedition.model.level import ALL

        level = read_map(name, self.start, self.end)
        return replace(
            level,
            coverage=ALL if self.coverage is None else self.coverage,
            is_round_trip=self.is_round_trip,
            is_fogged=self.is_fogged,
        )

    def check(self) -> None:
        """Ends with wrong usage where the options contradict each other."""
        if self.is_round_trip and self.end is not None:
            raise typer.BadParameter("either --return or --end, not both", param_hint="--end")


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
    from dungeon_tui.engine.walks import WalkCancelledError, Watch
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.model import rules
    from dungeon_tui.games.expedition.view.transcript import plan_text, plan_values, task_text, walk_text

    level = _read(name, Quest(start, coverage, returns, end))
    state = rules.start(level)
    solver.prepare()
    began = perf_counter()
    seconds = 0.0
    plan, steps, count = None, None, None
    with status("planning") as tell, interrupts() as stop:
        heard = _Heard(tell)
        try:
            plan = solver.plan(state, Watch(timeout, stop, heard.tell))
            seconds = round(perf_counter() - began, 6)
            if with_steps:
                steps = solver.first_steps(state, Watch(timeout, stop, heard.tell))
            if with_count:
                count = solver.count_walks(state, Watch(timeout, stop, heard.tell))
        except WalkCancelledError:
            seconds = seconds or round(perf_counter() - began, 6)
    plan = plan or _best_known(level, heard.bound, seconds)
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
    if stop.is_set():
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
    from dungeon_tui.engine.walks import WalkCancelledError, Watch
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.view.transcript import curve_text, curve_values

    level = _read(name, Quest(start, None, returns, end))
    solver.prepare()
    began = perf_counter()
    points: list[LeastCost] = []
    with status("planning") as tell, interrupts() as stop, suppress(WalkCancelledError):
        points.extend(solver.curve(level, Watch(timeout, stop, _Heard(tell).tell)))
    seconds = round(perf_counter() - began, 6)
    if as_json:
        print(json.dumps(curve_values(points) | {"seconds": seconds}))
    else:
        sys.stdout.write(curve_text(level, points))
    if stop.is_set():
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


def replay_plain(game: Game, output: TextIO) -> None:
    """Prints what `play --plain` printed of an expedition that was recorded."""
    from dungeon_tui.engine.walks import Watch
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.view import transcript

    plan = solver.plan(game.state.level, Watch(PATIENCE))
    comparison = solver.compare(game.state, Watch(PATIENCE), best=plan)
    output.write(transcript.replay_text(game, plan, lambda state: comparison))


# Playing


def _play_plain(load: Callable[[], Level], source: TextIO, out: TextIO, messages: TextIO) -> PlainEnd:
    """The transcript of docs/games/expedition.md."""
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.view import transcript

    level = load()
    solver.prepare()
    plan = _answer("planning", solver.plan, level)

    def compare(state: State) -> Comparison:
        return _answer("comparing", solver.compare, state, best=plan)

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


def _answer(what: str, search: Callable[..., ResultT], about: State | Level, **options: Any) -> ResultT:
    """The answer of a search; in PATIENCE seconds the best it has.

    Raises:
        KeyboardInterrupt: Ctrl-C ended it.
    """
    from dungeon_tui.engine.walks import WalkCancelledError, Watch

    with status(what) as tell, interrupts() as stop:
        try:
            return search(about, Watch(PATIENCE, stop, _Heard(tell).tell), **options)
        except WalkCancelledError:
            raise KeyboardInterrupt from None


def _best_known(level: Level, bound: int, seconds: float) -> Plan:
    """The plan found in as long as a stopped search took, a second at most, with the bound that it proved."""
    from dungeon_tui.engine.walks import Watch
    from dungeon_tui.games.expedition.ai import solver

    plan = solver.plan(level, Watch(min(seconds, 1)))
    bound = max(bound, plan.lower_bound)
    return replace(plan, lower_bound=bound, is_proven=plan.is_proven or plan.cost == bound)


def _end_stopped() -> None:
    print("Stopped: this is the best that was known.", file=sys.stderr)
    raise typer.Exit(130)


@dataclass(slots=True)
class _Heard:
    """Shows how a search stands, and keeps the bound that it told last."""

    show: Callable[[str], None]
    bound: int = 0

    def tell(self, states: int, bound: int, cost: int) -> None:
        self.bound = bound
        self.show(f"{states:,} states; at least {bound}, at most {cost}")
