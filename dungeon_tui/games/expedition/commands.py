"""The expedition's command line, and the plain play."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeVar

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.files import write_text
from dungeon_tui.core.level import LevelError, printable

if TYPE_CHECKING:
    from dungeon_tui.core.recording import Recording
    from dungeon_tui.games.expedition.level import Level
    from dungeon_tui.games.expedition.solver import Comparison, Plan
    from dungeon_tui.games.expedition.state import State

app = typer.Typer()
ResultT = TypeVar("ResultT")

PATIENCE = 10  # seconds that a plan for the plain play may take
QUIET = 0.2  # seconds before a search tells of itself
ROOMS, DEGREE = 20, 2.6  # the generator's; here, so that the help needs no engine


def read_coverage(text: str) -> Fraction:
    """The number of "90", "33.3" or "90%"."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,20})?%?", text) or Fraction(text.rstrip("%")) > 100:
        raise typer.BadParameter(f"{text!r} is no percentage: a number from 0 to 100, as in 90 or 33.3")
    return Fraction(text.rstrip("%"))


def _refuse_nan(seconds: float | None) -> float | None:
    if seconds is not None and math.isnan(seconds):
        raise typer.BadParameter("nan is no number of seconds")
    return seconds


MapArgument = Annotated[str, typer.Argument(metavar="MAP", help="A shipped map, or a file; - is standard input.")]
MaybeMapArgument = Annotated[
    str | None, typer.Argument(metavar="MAP", help="A shipped map, or a file; - is standard input.")
]
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
TimeoutOption = Annotated[
    float | None,
    typer.Option(
        "--timeout", metavar="S", min=0, callback=_refuse_nan, help="Seconds to search; then the best that is known."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]


@dataclass(frozen=True, slots=True)
class Quest:
    """The options that say what is asked; None where nobody chose."""

    start: str | None = None
    coverage: Fraction | None = None
    is_round_trip: bool = False
    end: str | None = None
    is_fogged: bool = False

    def read(self, name: str) -> Level:
        """The map of that name, with what is asked."""
        from dungeon_tui.games.expedition.dungeon import read_map
        from dungeon_tui.games.expedition.level import ALL

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
    return Play(Opening(printable(Path(name).stem), load), partial(_play_plain, load))


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
    from dungeon_tui.games.expedition import rules, solver
    from dungeon_tui.games.expedition.transcript import plan_text, task_text, walk_text

    level = _read(name, Quest(start, coverage, returns, end))
    state = rules.start(level)
    solver.prepare()
    began = perf_counter()
    is_stopped = False
    plan, steps, count = None, None, None
    with _status("planning") as seen:
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
        values = _plan_values(level, plan) | {"seconds": seconds, "method": plan.method}
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
    from dungeon_tui.games.expedition import solver
    from dungeon_tui.games.expedition.transcript import curve_text

    level = _read(name, Quest(start, None, returns, end))
    solver.prepare()
    began = perf_counter()
    is_stopped = False
    plans: list[Plan] = []

    def collect(**watched: Any) -> None:
        for plan in solver.curve(level, time_limit=timeout, **watched):
            plans.append(plan)

    with _status("planning") as seen:
        try:
            _search(seen, collect)
        except KeyboardInterrupt:
            is_stopped = True
    seconds = round(perf_counter() - began, 6)
    if as_json:
        values = {
            "rooms": [*range(1, len(plans) + 1)],
            "costs": [plan.cost for plan in plans],
            "lower_bounds": [plan.lower_bound for plan in plans],
            "proven_minimal": [plan.is_proven for plan in plans],
            "seconds": seconds,
        }
        print(json.dumps(values))
    else:
        sys.stdout.write(curve_text(level, plans))
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
    output: Annotated[Path | None, typer.Option("--output", metavar="FILE", help="The file to write.")] = None,
) -> None:
    """Make a map, and print it or write it to a file."""
    from secrets import randbelow

    from dungeon_tui.games.expedition import generator
    from dungeon_tui.games.expedition.level import level_text

    chosen = randbelow(1_000_000) if seed is None else seed
    try:
        text = level_text(generator.generate(chosen, rooms, degree, is_uniform=uniform))
    except ValueError as error:
        raise LevelError(str(error), f"seed {chosen}") from None
    if seed is None:
        print(f"Nobody chose a seed: this is --seed {chosen}.", file=sys.stderr)
    if output is None or str(output) == "-":
        sys.stdout.write(text)
    else:
        write_text(output, text)


def replay_plain(recording: Recording, output: TextIO) -> None:
    """Prints what `play --plain` printed of an expedition that was recorded."""
    from dungeon_tui.core.recording import reexecute
    from dungeon_tui.games.expedition import solver, transcript

    controller, _ = reexecute(recording)
    if controller is not None:
        plan = solver.plan(controller.state.level, time_limit=PATIENCE)
        compare = partial(solver.compare, best=plan, time_limit=PATIENCE)
        output.write(transcript.replay_text(controller, plan, compare))


# Playing


def _play_plain(load: Callable[[], Level], source: TextIO, out: TextIO, messages: TextIO) -> PlainEnd:
    """The transcript of docs/games/expedition.md."""
    from dungeon_tui.games.expedition import solver, transcript

    level = load()
    solver.prepare()
    with _status("planning") as seen:
        plan = _search(seen, solver.plan, level, time_limit=PATIENCE)

    def compare(state: State) -> Comparison:
        with _status("comparing") as seen:
            return _search(seen, solver.compare, state, best=plan, time_limit=PATIENCE)

    return PlainEnd(*transcript.play(level, plan, compare, source, out))


def _play_chosen(source: TextIO, out: TextIO, messages: TextIO) -> PlainEnd:
    """The same, after asking for a map."""
    from dungeon_tui.games.expedition import transcript
    from dungeon_tui.games.expedition.dungeon import lessons

    out.write(f"Maps: {', '.join(lessons())}\n{transcript.ASK_MAP}")
    out.flush()
    name = source.readline().strip()
    if not name:
        out.write(transcript.FAREWELL)
        return PlainEnd(0)
    return _play_plain(partial(Quest().read, name), source, out, messages)


# Planning


def _read(name: str, quest: Quest) -> Level:
    quest.check()
    return quest.read(name)


def _plan_values(level: Level, plan: Plan) -> dict[str, Any]:
    return {
        "cost": plan.cost,
        "walk": [level.rooms[room].id for room in plan.walk],
        "seen": plan.seen,
        "proven_minimal": plan.is_proven,
        "lower_bound": plan.lower_bound,
    }


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
    from dungeon_tui.games.expedition import solver

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


@contextmanager
def _status(what: str) -> Iterator[_Seen]:
    """A line on standard error where that is a terminal, once a search takes longer than a blink."""
    if not sys.stderr.isatty():
        yield _Seen(lambda text: None)
        return
    from rich.console import Console

    began = perf_counter()
    status = Console(stderr=True).status(what)

    def show(text: str) -> None:
        if perf_counter() - began > QUIET:
            status.start()
            status.update(f"{what}: {text}")

    try:
        yield _Seen(show)
    finally:
        status.stop()
