"""The expedition's command line, and the plain play."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeVar

import typer

from dungeon_tui.core.arguments import daily, spelled
from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.level import LevelError, level_name
from dungeon_tui.ui.command_line import (
    DailyOption,
    DateOption,
    ForceOption,
    JsonOption,
    TimeoutOption,
    chosen_day,
    end_if_stopped,
    interrupts,
    seed_by_chance,
    status,
    tell_seed,
    told_in_a_line,
    write_output,
    written,
)

if TYPE_CHECKING:
    from dungeon_tui.engine.walks import Watch
    from dungeon_tui.games.expedition.model.level import Level
    from dungeon_tui.games.expedition.model.state import State
    from dungeon_tui.games.expedition.view.transcript import Game

app = typer.Typer()
ResultT = TypeVar("ResultT")

PATIENCE = 10  # seconds that a plan for the plain play may take
WATCHED_SECONDS = 0.08  # from line to line, on a terminal
ROOMS, DEGREE = 20, 2.6  # the generator's; here, so that the help needs no engine


def read_coverage(text: str) -> Fraction:
    """The percentage of "90", "33.3" or "90%"; anything else, or above 100, is wrong usage."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,20})?%?", text) or Fraction(text.rstrip("%")) > 100:
        raise typer.BadParameter(f"{text!r} is no percentage: a number from 0 to 100, as in 90 or 33.3")
    return Fraction(text.rstrip("%"))


_MAP = typer.Argument(metavar="MAP", help="A shipped map, or a file; - is standard input.")
MapArgument = Annotated[str, _MAP]
MaybeMapArgument = Annotated[str | None, _MAP]
StartOption = Annotated[
    str | None, typer.Option("--start", metavar="ID", help="The room to start in, by id or label; default: the map's.")
]
CoverageOption = Annotated[
    Fraction | None,
    typer.Option(
        "--coverage", metavar="PERCENT", parser=read_coverage, help="How much of the rooms to see; default: 100."
    ),
]
ReturnOption = Annotated[bool, typer.Option("--return", help="Come back to the start.")]
EndOption = Annotated[str | None, typer.Option("--end", metavar="ID", help="The room to end in, by id or label.")]


@dataclass(frozen=True, slots=True)
class ExpeditionOptions:
    """The expedition that the options ask for; None where nobody chose. Contradictions are wrong usage."""

    start: str | None = None
    coverage: Fraction | None = None
    is_round_trip: bool = False
    end: str | None = None
    is_fogged: bool | None = None

    def __post_init__(self) -> None:
        if self.is_round_trip and self.end is not None:
            raise typer.BadParameter("either --return or --end, not both", param_hint="--end")

    def read(self, name: str) -> Level:
        """Reads the map of that name or file, with the task of these options. Raises LevelError as read_map does."""
        from dungeon_tui.games.expedition.model.dungeon import read_map
        from dungeon_tui.games.expedition.model.level import ALL

        return replace(
            read_map(name, self.start, self.end),
            coverage=ALL if self.coverage is None else self.coverage,
            is_round_trip=self.is_round_trip,
            is_fogged=self.is_fogged,
        )


def play(
    name: MaybeMapArgument = None,
    start: StartOption = None,
    coverage: CoverageOption = None,
    returns: ReturnOption = False,
    end: EndOption = None,
    fog: Annotated[
        bool | None,
        typer.Option("--fog/--no-fog", help="Rooms appear as neighbours of rooms seen; default: on a screen they do."),
    ] = None,
    is_daily: DailyOption = False,
    day: DateOption = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="Makes a map, as generate does.")] = None,
    rooms: Annotated[int, typer.Option("--rooms", metavar="N", help="Of the map that --seed makes.")] = ROOMS,
    degree: Annotated[float, typer.Option("--degree", metavar="D", help="Of the map that --seed makes.")] = DEGREE,
    uniform: Annotated[bool, typer.Option("--uniform", help="Of the map that --seed makes.")] = False,
) -> Play:
    """Explore a map as cheaply as you can."""
    asked = ExpeditionOptions(start, coverage, returns, end, fog)
    day = chosen_day(is_daily, day)
    if [name, day, seed].count(None) < 2:
        raise typer.BadParameter("either a MAP, a daily one or a --seed, not two of them")
    if seed is None and (rooms, degree, uniform) != (ROOMS, DEGREE, False):
        raise typer.BadParameter("--rooms, --degree and --uniform go with --seed")
    if day is not None and asked != ExpeditionOptions():
        raise typer.BadParameter("a daily map and its task are made by the date alone")
    if (day is not None or seed is not None) and (start, end) != (None, None):
        raise typer.BadParameter("--start and --end need a MAP")
    from dungeon_tui.games.expedition.model.dungeon import lessons, named

    task = {
        "coverage": None if coverage is None else f"{float(coverage):.15g}",
        "return": returns,
        "fog": fog is True,
        "no-fog": fog is False,
    }
    if day is not None or seed is not None:
        sizes = {"rooms": None if rooms == ROOMS else rooms, "degree": None if degree == DEGREE else degree}
        made = {"seed": seed, **sizes, "uniform": uniform, **task}
        with told_in_a_line():
            opening = named(daily(day) if day is not None else spelled("", made))
        return opened(opening)
    if name is None:
        if asked != ExpeditionOptions():
            raise typer.BadParameter("which map? give its name or file")
        return Play(None, _play_chosen)
    load = partial(asked.read, name)
    arguments = ""
    if name in lessons():
        level = load()
        places = {"start": start and level.rooms[level.start].id, "end": end and level.rooms[level.end or 0].id}
        arguments = spelled(name, {**places, **task})
    return Play(Opening(level_name(name), load, arguments=arguments), partial(_play_plain, load))


def opened(opening: Opening) -> Play:
    """The play of a map that was opened by its arguments, a day's or one of a code."""
    return Play(opening, partial(_play_plain, opening.load, actions=opening.actions))


def best(level: Level) -> int | None:
    """The cost of the cheapest walk that does what is asked; None where it can't be done."""
    from dungeon_tui.games.expedition.ai import solver

    return solver.plan(level).cost


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
    with_sure: Annotated[
        bool, typer.Option("--explorer", help="The cost that one can be sure of without knowing the map.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Find the cheapest walk that sees the rooms, and prove it if there is time."""
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.ai.explorer import sure_cost
    from dungeon_tui.games.expedition.model import rules
    from dungeon_tui.games.expedition.view.transcript import plan_text, sure_text, task_text, walk_text

    level = ExpeditionOptions(start, coverage, returns, end).read(name)
    state = rules.start(level)
    solver.prepare()
    with _watches("planning") as (watch, stop):
        began = perf_counter()
        plan = solver.plan(state, watch(timeout))
        seconds = round(perf_counter() - began, 6)
        steps = solver.first_steps(state, watch(timeout)) if with_steps else None
        count = solver.count_walks(state, watch(timeout)) if with_count else None
        sure = sure_cost(level, stop) if with_sure else None
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
    end_if_stopped(stop.is_set(), ": this is the best that was known")


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
    from dungeon_tui.games.expedition.view.transcript import curve_text

    level = ExpeditionOptions(start, None, returns, end).read(name)
    solver.prepare()
    began = perf_counter()
    with _watches("planning") as (watch, stop):
        points = [*solver.curve(level, watch(timeout))]
    seconds = round(perf_counter() - began, 6)
    if as_json:
        values = {
            "rooms": [*range(1, len(points) + 1)],
            "costs": [cost for cost, _ in points],
            "lower_bounds": [bound for _, bound in points],
            "proven_minimal": [cost == bound for cost, bound in points],
            "seconds": seconds,
        }
        print(json.dumps(values))
    else:
        sys.stdout.write(curve_text(level, points))
    end_if_stopped(stop.is_set(), ": this is the best that was known")


@app.command()
def watch(
    name: MapArgument,
    start: StartOption = None,
    coverage: CoverageOption = None,
    returns: ReturnOption = False,
    end: EndOption = None,
) -> None:
    """Watch a memoised recursion plan on a small map, question by question, and see it fail."""
    from dungeon_tui.games.expedition.ai.recursion import TooLargeError, questions
    from dungeon_tui.games.expedition.view.recursion import INTRODUCTION, happening_text, happenings, verdict_text
    from dungeon_tui.games.expedition.view.transcript import task_text

    level = ExpeditionOptions(start, coverage, returns, end).read(name)
    with told_in_a_line(TooLargeError):
        asked = questions(level)
    sys.stdout.write(f"{task_text(level)}{INTRODUCTION}\n\n")
    with interrupts() as stop:
        for happening in happenings(asked):
            print(happening_text(level, happening), flush=sys.stdout.isatty())
            if stop.wait(WATCHED_SECONDS if sys.stdout.isatty() else 0):
                break
    end_if_stopped(stop.is_set(), "")
    print(f"\n{verdict_text(asked)}")


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
    output: Annotated[Path | None, written("--output", "map")] = None,
    force: ForceOption = False,
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


def _play_plain(
    load: Callable[[], Level], source: TextIO, out: TextIO, messages: TextIO, actions: Sequence[str] = ()
) -> PlainEnd:
    """Plays a map in plain text, as docs/games/expedition.md shows it; plans first, compares at the end."""
    from dungeon_tui.games.expedition.ai import solver
    from dungeon_tui.games.expedition.view import transcript

    level = load()
    level = replace(level, is_fogged=bool(level.is_fogged))
    solver.prepare()
    plan = _answer("planning", solver.plan, level)
    return PlainEnd(
        *transcript.play(
            level, plan, lambda state: _answer("comparing", solver.compare, state, best=plan), source, out, actions
        )
    )


def _play_chosen(source: TextIO, out: TextIO, messages: TextIO) -> PlainEnd:
    """Asks for a map and plays it in plain text; ends with status 0 if none is named."""
    from dungeon_tui.games.expedition.view.transcript import ask_map

    name = ask_map(source, out)
    return _play_plain(partial(ExpeditionOptions().read, name), source, out, messages) if name else PlainEnd(0)


# Planning


@contextmanager
def _watches(what: str) -> Iterator[tuple[Callable[[float | None], Watch], Event]]:
    """Yields a function that makes watches with a time limit and a line of progress, and the event that Ctrl-C sets."""
    from dungeon_tui.engine.walks import Watch

    with status(what) as tell, interrupts() as stop:

        def progress(states: int, bound: int, cost: int) -> None:
            tell(f"{states:,} states; at least {bound}, at most {cost}")

        yield lambda time_limit: Watch(time_limit, stop, progress), stop


def _answer(what: str, search: Callable[..., ResultT], about: State | Level, **options: Any) -> ResultT:
    """The answer of a search; in PATIENCE seconds the best it has. Raises KeyboardInterrupt where Ctrl-C ended it."""
    with _watches(what) as (watch, stop):
        found = search(about, watch(PATIENCE), **options)
    if stop.is_set():
        raise KeyboardInterrupt
    return found
