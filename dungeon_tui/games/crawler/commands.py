"""The crawler's command line, and the plain play."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from datetime import date
from enum import StrEnum
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dungeon_tui.core.arguments import spelled
from dungeon_tui.core.catalogue import Opening, Play
from dungeon_tui.core.files import UnwritableError, claim
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.text import one_line, printable
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.ui.command_line import (
    REPLACED,
    DailyOption,
    DateOption,
    ForceOption,
    JsonOption,
    Names,
    TimeoutOption,
    chosen_day,
    end_if_stopped,
    interrupts,
    refuse_empty,
    refuse_nan,
    seed_by_chance,
    status,
    tell_seed,
    told_in_a_line,
    write_output,
)

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.challenge import Challenge
    from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape
    from dungeon_tui.games.crawler.ai.worth import Certificate
    from dungeon_tui.games.crawler.model.dungeon import Dungeon
    from dungeon_tui.games.crawler.model.level import Level

app = typer.Typer()

SECONDS_A_FILE = 60.0  # for what a level is worth
MOST_DOUBLINGS = 99  # more than any board can hold
_ENDED = {"time": "the time is over", "memory": "the memory is full", "size": "a level is too large"}


class Difficulty(StrEnum):
    """The names of challenge.py; here, as the next, so that the help needs no solver."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


class Amulet(StrEnum):
    """Choices for amulets in a new level."""

    NEEDED = "needed"
    NONE = "none"
    ANY = "any"


def _named(value: Names) -> Names:
    """The names of dungeons as they are; tells of files of one's own that a shipped name hides."""
    from dungeon_tui.games.crawler.model.dungeon import hidden_files

    refuse_empty(value)
    for name in [value] if isinstance(value, str) else value or ():
        if told := hidden_files(name):
            print(one_line(told), file=sys.stderr)
    return value


_DUNGEON = typer.Argument(
    metavar="DUNGEON",
    callback=_named,
    help="A shipped dungeon, or a path prefix: PREFIX1.txt, PREFIX2.txt ...",
)
_DUNGEONS = typer.Argument(
    metavar="DUNGEON...",
    callback=_named,
    help="Shipped dungeons, or path prefixes: PREFIX1.txt, PREFIX2.txt ...",
)
LevelsArgument = Annotated[
    int | None, typer.Argument(metavar="LEVELS", min=1, help="How many levels; default: the files that are there.")
]
_SIDE = typer.Option(metavar="N", min=5, max=60, help="5 to 60; default: by difficulty.")


def play(
    dungeon: Annotated[str | None, _DUNGEON] = None,
    levels: LevelsArgument = None,
    max_cells: Annotated[
        int, typer.Option("--max-cells", min=1, help="A doubling to more cells than this is refused.")
    ] = 2_147_483_647,
    is_daily: DailyOption = False,
    day: DateOption = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Makes a level to play, as generate does.")] = None,
    rows: Annotated[int | None, _SIDE] = None,
    cols: Annotated[int | None, _SIDE] = None,
    difficulty: Annotated[Difficulty | None, typer.Option(help="Of the level that --seed makes.")] = None,
    amulet: Annotated[Amulet | None, typer.Option(help="In the level that --seed makes.")] = None,
) -> Play:
    """Play a dungeon."""
    day = chosen_day(is_daily, day)
    if [dungeon, day, seed].count(None) < 2:
        raise typer.BadParameter("either a DUNGEON, a daily one or a --seed, not two of them")
    if seed is None and (rows, cols, difficulty, amulet) != (None, None, None, None):
        raise typer.BadParameter("--rows, --cols, --difficulty and --amulet go with --seed")
    from dungeon_tui.games.crawler.model.dungeon import load_dungeon, read_dungeon, shipped
    from dungeon_tui.games.crawler.view import transcript
    from dungeon_tui.games.crawler.view.openings import MOST_SIDE, daily_opening, named

    if day is not None or seed is not None:
        if day is not None:
            opening = daily_opening(day, max_cells)
        else:
            made = {"seed": seed, "rows": rows, "cols": cols, "difficulty": difficulty, "amulet": amulet}
            opening = named(spelled("", made), MOST_SIDE)
        return Play(opening, partial(transcript.play, opening.load, max_cells))
    if dungeon is None:
        return Play(None, partial(transcript.play, None, max_cells))
    is_whole = levels is None and max_cells == 2_147_483_647 and dungeon in shipped()
    title, arguments = printable(Path(dungeon).name), dungeon if is_whole else ""
    opening = Opening(title, partial(load_dungeon, dungeon, levels, max_cells), arguments=arguments)
    read = partial(read_dungeon, dungeon, levels, max_cells)
    return Play(opening, partial(transcript.play, read, max_cells))


def opened(opening: Opening) -> Play:
    """The play of a level that was opened by its arguments, a day's or one of a code."""
    from dungeon_tui.games.crawler.view import transcript

    return Play(opening, partial(transcript.play, opening.load, 2_147_483_647, actions=opening.actions))


def best(dungeon: Dungeon) -> int | None:
    """The fewest moves out of a dungeon with some treasure, or to its last door; None where none are proven."""
    from dungeon_tui.games.crawler.ai import daily

    return daily.par(dungeon)


@app.command()
def check(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", callback=refuse_empty, help="Level files; - is standard input.")
    ],
    is_solved: Annotated[
        bool, typer.Option("--solve", help="Prove what each level is worth: moves, treasure, what matters.")
    ] = False,
    max_doublings: Annotated[
        int | None,
        typer.Option(
            metavar="D", min=0, max=MOST_DOUBLINGS, help="With --solve: lines double no level more; default: 2."
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="S", min=0, callback=refuse_nan, help="With --solve: seconds a level; default: 60."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what is wrong with level files, and what is odd about them; with --solve also what they are worth."""
    from dungeon_tui.games.crawler.model.check import check_files

    given = [name for name, value in (("--max-doublings", max_doublings), ("--timeout", timeout)) if value is not None]
    if given and not is_solved:
        goes = "they go" if len(given) > 1 else "it goes"
        raise typer.BadParameter(f"{goes} with --solve", param_hint=" and ".join(given))
    if files.count("-") > 1:
        raise typer.BadParameter("standard input can be read only once", param_hint="FILE")
    entries, bad = [], 0
    with interrupts() if is_solved else nullcontext(Event()) as stop:
        for report in check_files(files):
            bad += not report.is_ok
            if not as_json:
                _print_now(report.lines())
            solved = None
            if is_solved and report.level is not None:
                solved = _certified(report.level, report.file, stop, timeout, max_doublings)
            if as_json:
                worth = {"solved": None if solved is None else solved.values()}
                entries.append(report.values() | (worth if is_solved else {}))
            elif solved is not None:
                _print_now(f"  {line}" for line in solved.lines())
    if as_json:
        print(json.dumps({"files": entries}))
    end_if_stopped(stop.is_set(), ": this is what was known")
    if bad:
        print(f"{bad:,} of {counted(len(files), 'file')} can't be played", file=sys.stderr)
        raise typer.Exit(1)


def _print_now(lines: Iterable[str]) -> None:
    """Prints lines on standard output at once, whatever takes long afterwards."""
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


def _certified(level: Level, file: str, stop: Event, timeout: float | None, max_doublings: int | None) -> Certificate:
    from dungeon_tui.games.crawler.ai.worth import MAX_DOUBLINGS, Certifier, prepare

    prepare()  # before the clock runs
    cap = MAX_DOUBLINGS if max_doublings is None else max_doublings
    deadline = monotonic() + (SECONDS_A_FILE if timeout is None else timeout)
    with status("solving") as tell:  # gone before a line is printed

        def told(what: str, states: int) -> None:
            tell(f"{printable(file)}, {what}, {states:,} states")

        return Certifier(level, cap, deadline=deadline, stop=stop, tell=told).certify()


@app.command()
def generate(
    seed: Annotated[int | None, typer.Option(metavar="S", help="Makes the level; default: chance.")] = None,
    rows: Annotated[int | None, _SIDE] = None,
    cols: Annotated[int | None, _SIDE] = None,
    difficulty: Annotated[
        Difficulty | None, typer.Option(help="How hard; default: normal, and of --daily all three.")
    ] = None,
    amulet: Annotated[
        Amulet | None, typer.Option(help="needed: there is no other way; none: there is none; default: any.")
    ] = None,
    by_door: Annotated[bool, typer.Option("--door", help="Leave by a door '?', for a level before the last.")] = False,
    is_daily: DailyOption = False,
    day: DateOption = None,
    output: Annotated[
        str | None, typer.Option(metavar="FILE", callback=refuse_empty, help=f"The file to write: {REPLACED}.")
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make a level that can be won, and print it or write it to a file; on standard error, what it is worth.

    A daily dungeon has three levels: --output PREFIX writes PREFIX1.txt to PREFIX3.txt, --difficulty chooses one.
    """
    from dungeon_tui.games.crawler.ai.challenge import make
    from dungeon_tui.games.crawler.ai.daily import GRADES, daily_seed
    from dungeon_tui.games.crawler.model.dungeon import level_path
    from dungeon_tui.games.crawler.model.level import DOOR, WAY_OUT, level_text

    day = chosen_day(is_daily, day)
    if day is not None and (seed, rows, cols, amulet, by_door) != (None, None, None, None, False):
        raise typer.BadParameter("--seed, --rows, --cols, --amulet and --door don't go with a daily dungeon")
    names = [difficulty or Difficulty.NORMAL] if day is None or difficulty else list(GRADES)
    is_printed = output in (None, "-")
    if len(names) > 1 and is_printed and not as_json:
        raise typer.BadParameter("these are three levels: give --output PREFIX, or choose one by --difficulty")
    paths: list[Path | None] = [None] * 3
    if output is not None:
        paths = [Path(output)] if len(names) == 1 else [level_path(output, place) for place in (1, 2, 3)]
    chosen = daily_seed(day) if day else seed_by_chance() if seed is None else seed
    for path in paths[: len(names)]:
        if path is not None and not is_printed:
            claim(path, "crawler level", force)
    if day is None:
        tile = DOOR if by_door else WAY_OUT
        made_by = partial(make, chosen, size=(rows, cols), amulet=amulet or Amulet.ANY, leave_by=tile)
    else:
        made_by = partial(_of_day, day)
    made = _challenges(made_by, names)
    if seed is None and day is None:
        tell_seed(chosen, sys.stderr)
    entries = []
    for name, path, (challenge, certificate) in zip(names, paths, made, strict=False):
        text = level_text(challenge.level)
        if not (as_json and is_printed):
            write_output(path, text)
        what = f"{name}, {day}" if day else challenge.level.file
        print(f"{what}: found at try {challenge.tries}", file=sys.stderr)
        sys.stderr.writelines(f"  {line}\n" for line in certificate.lines())
        entries.append({"difficulty": name, "level": text, "tries": challenge.tries, "solved": certificate.values()})
    if as_json:
        print(json.dumps({"seed": chosen, "levels": entries}))


def _of_day(day: date, difficulty: str, stop: Event, tell: Callable[[int], None]) -> Challenge:
    from dungeon_tui.games.crawler.ai.daily import daily_level

    return daily_level(day, difficulty)


def _challenges(make: Callable[..., Challenge], names: Sequence[str]) -> list[tuple[Challenge, Certificate]]:
    from dungeon_tui.games.crawler.ai import challenge, solver
    from dungeon_tui.games.crawler.ai.worth import Certifier, prepare

    prepare()
    made = []
    with status("looking for a level") as tell, interrupts() as stop, told_in_a_line():
        for difficulty in names:

            def told(tries: int, name: str = difficulty) -> None:
                tell(f"{name}, try {tries}")

            try:
                found = make(difficulty=difficulty, stop=stop, tell=told)
                tell(f"{difficulty}, what it is worth")
                certifier = Certifier(found.level, most_states=challenge.CERTIFIED_STATES, stop=stop)
                made.append((found, certifier.certify()))
            except solver.StoppedError:
                break
        end_if_stopped(stop.is_set(), ": nothing was written")  # even what was promised may be open then
    return made


@app.command()
def solve(
    dungeon: Annotated[str, _DUNGEON],
    levels: LevelsArgument = None,
    treasure: Annotated[
        int, typer.Option(metavar="N", min=1, max=65_535, help="How much to leave with, at least.")
    ] = 1,
    max_doublings: Annotated[
        int | None,
        typer.Option(metavar="D", min=0, max=MOST_DOUBLINGS, help="Leave out lines that double a level more often."),
    ] = None,
    timeout: TimeoutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the fewest moves out of a dungeon with some treasure, and prove them if there is time."""
    from dungeon_tui.games.crawler.ai import solver
    from dungeon_tui.games.crawler.model import rules
    from dungeon_tui.games.crawler.model.dungeon import load_dungeon

    chosen = load_dungeon(dungeon, levels)
    if chosen.missing is not None:
        raise chosen.missing
    for warning in chosen.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    with status("searching") as tell:

        def show(treasure: int, states: int, bound: int) -> None:
            tell(f"{counted(treasure, 'treasure')}, {states:,} states, {bound:,} moves at least")

        solver.prepare()
        began = perf_counter()
        with interrupts() as stop:
            asked = solver.Solver(chosen, max_doublings=max_doublings)
            found = asked.escape(rules.start(chosen), treasure, time_limit=timeout, stop=stop, progress=show)
    if as_json:
        print(json.dumps(_answer(found)))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _answer_lines(found, max_doublings))
        print(f"Looked at {found.states:,} states in {perf_counter() - began:.3f} seconds.")
    end_if_stopped(found.ended == "stopped", ": this is what was known")


def _answer(found: Escape) -> dict[str, Any]:
    """The solver's answer as `solve --json` prints it."""
    is_found = found.moves is not None
    return {
        "moves": found.moves,
        "treasure": found.treasure if is_found else None,
        "commands": list(found.commands) if is_found else None,
        "proven_minimal": found.is_proven,
        "lower_bound": found.lower_bound,
        "frontier": [{"treasure": treasure, "moves": moves} for treasure, moves in _pareto_front(found)],
    }


def _answer_lines(found: Escape, max_doublings: int | None) -> Iterator[str]:
    from dungeon_tui.games.crawler.ai.worth import left_out

    asked = counted(found.asked, "treasure")
    reason = _ENDED.get(found.ended, "the search was stopped")
    if found.moves is not None:
        least = f"; none takes fewer than {found.lower_bound:,}" if found.lower_bound else ""
        proven = ", and no line is shorter." if found.is_proven else f"{least}. Not proven: {reason}."
        yield f"Out with {counted(found.treasure, 'treasure')} in {counted(found.moves, 'move')}{proven}"
        for number, letters in enumerate(found.commands, 1):
            yield f"Level {number}: {letters}"
    elif found.is_proven:
        yield f"There is no way out with {asked}: that is proven."
    else:
        least = f" If there is one, it takes at least {counted(found.lower_bound or 0, 'move')}."
        yield f"{capitalised(reason)}: no line out with {asked} has been found.{least if found.lower_bound else ''}"
    if max_doublings is not None:
        yield left_out(max_doublings, "a level")
    for treasure, moves in _pareto_front(found):
        yield f"Fewest moves with {counted(treasure, 'treasure')}: {moves:,}"


def _pareto_front(found: Escape) -> list[tuple[int, int]]:
    """Proven pairs (treasure, fewest moves), by treasure: the search's, and the answer itself if it is proven."""
    is_point = found.moves is not None and found.is_proven
    return sorted({*found.pareto_front, (found.asked, found.moves or 0)} if is_point else found.pareto_front)


@app.command()
def par(
    dungeons: Annotated[list[str], _DUNGEONS],
    states: Annotated[
        int, typer.Option(metavar="N", min=1, help="Where a search for so much treasure ends, unproven.")
    ] = 1_000_000,
) -> None:
    """Find the fewest moves out of dungeons and each of their levels, by treasure; write them to PREFIX.par.jsonl."""
    from dungeon_tui.games.crawler.ai import par_search, solver

    solver.prepare()
    parts = []
    is_refused = False
    with status("searching") as tell, interrupts() as stop:

        def told(name: str, treasure: int, states: int, bound: int) -> None:
            tell(f"{name}, {counted(treasure, 'treasure')}, {states:,} states, {bound:,} moves at least")

        for dungeon in dungeons:
            try:
                path, solved = par_search.store(dungeon, states, stop, told)
            except solver.StoppedError:
                break
            except (LevelError, UnwritableError) as error:  # the others can be solved all the same
                print(one_line(str(error)), file=sys.stderr)
                is_refused = True
                continue
            parts += solved
            print(f"{path} written", file=sys.stderr)
    if parts:
        sys.stdout.write(par_search.table(parts))
    end_if_stopped(stop.is_set(), ": no other file was written")
    if is_refused:
        raise typer.Exit(1)
