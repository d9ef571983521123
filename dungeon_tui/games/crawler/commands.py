"""The crawler's command line, and the plain play."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from datetime import date, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.files import UnwritableError, refuse_unwritable
from dungeon_tui.core.level import LevelError, one_line, printable
from dungeon_tui.core.words import counted
from dungeon_tui.ui.command_line import (
    REPLACED,
    JsonOption,
    TimeoutOption,
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
    from dungeon_tui.games.crawler.ai.worth.certificate import Certificate
    from dungeon_tui.games.crawler.model.check import FileReport
    from dungeon_tui.games.crawler.model.dungeon import Dungeon

app = typer.Typer()

SECONDS_A_FILE = 60.0  # for what a level is worth
MOST_DOUBLINGS = 99  # more than any board can hold


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


def read_day(text: str) -> date:
    """The date of "2026-11-21"."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no date: YEAR-MONTH-DAY, as in 2026-11-21") from None


def chosen_day(is_daily: bool, day: date | None) -> date | None:
    """The day whose dungeon is meant; None where no daily one is."""
    return date.today() if is_daily and day is None else day


_DUNGEON = typer.Argument(
    metavar="DUNGEON",
    callback=refuse_empty,
    help="A shipped dungeon, or a path prefix: PREFIX1.txt, PREFIX2.txt ...",
)
_DUNGEONS = typer.Argument(
    metavar="DUNGEON...",
    callback=refuse_empty,
    help="Shipped dungeons, or path prefixes: PREFIX1.txt, PREFIX2.txt ...",
)
LevelsArgument = Annotated[
    int | None, typer.Argument(metavar="LEVELS", min=1, help="How many levels; default: the files that are there.")
]
DailyOption = Annotated[bool, typer.Option("--daily", help="The dungeon of today.")]
DateOption = Annotated[
    date | None, typer.Option("--date", metavar="YYYY-MM-DD", parser=read_day, help="The daily dungeon of that day.")
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
) -> Play:
    """Play a dungeon."""
    day = chosen_day(is_daily, day)
    if day is not None and dungeon is not None:
        raise typer.BadParameter("either a DUNGEON or a daily one, not both")
    if day is not None:
        from dungeon_tui.games.crawler.ai.daily import daily_dungeon, daily_opening

        load = partial(daily_dungeon, day, max_cells)
        return Play(daily_opening(day, max_cells), partial(_play_plain, load, max_cells))
    if dungeon is None:
        return Play(None, partial(_play_plain, None, max_cells))
    opening = Opening(dungeon, partial(_load, dungeon, levels, max_cells))
    return Play(opening, partial(_play_plain, partial(_read, dungeon, levels, max_cells), max_cells))


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
    certify = _certifying(max_doublings, timeout) if is_solved else None
    with interrupts() if is_solved else nullcontext(Event()) as stop:
        for report in check_files(files):
            bad += not report.is_ok
            if not as_json:
                _print_now(report.lines())
            certificate = certify(report, stop) if certify is not None else None
            if as_json:
                solved = {"solved": None if certificate is None else certificate.values()}
                entries.append(report.values() | (solved if is_solved else {}))
            elif certificate is not None:
                _print_now(f"  {line}" for line in certificate.lines())
    if as_json:
        print(json.dumps({"files": entries}))
    if stop.is_set():
        print("Stopped: this is what was known.", file=sys.stderr)
        raise typer.Exit(130)
    if bad:
        print(f"{bad:,} of {counted(len(files), 'file')} can't be played", file=sys.stderr)
        raise typer.Exit(1)


def _print_now(lines: Iterable[str]) -> None:
    """Whoever reads along need not wait for what takes longer."""
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


def _certifying(max_doublings: int | None, timeout: float | None) -> Callable[[FileReport, Event], Certificate | None]:
    """A function that certifies a level; it gives None for a file that can't be played."""
    from dungeon_tui.games.crawler.ai.worth.certificate import MAX_DOUBLINGS
    from dungeon_tui.games.crawler.ai.worth.certifier import Certifier, prepare

    prepare()

    def certify(report: FileReport, stop: Event) -> Certificate | None:
        if report.level is None:
            return None
        with status("solving") as tell:  # gone before a line is printed
            return Certifier(
                report.level,
                MAX_DOUBLINGS if max_doublings is None else max_doublings,
                time_limit=SECONDS_A_FILE if timeout is None else timeout,
                stop=stop,
                tell=lambda what, states: tell(f"{printable(report.file)}, {what}, {states:,} states"),
            ).certify()

    return certify


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
    as_json: JsonOption = False,
) -> None:
    """Make a level that can be won, and print it or write it to a file; on standard error, what it is worth.

    A daily dungeon has three levels: --output PREFIX writes PREFIX1.txt to PREFIX3.txt, --difficulty chooses one.
    """
    from dungeon_tui.games.crawler.ai.daily import LEAVE_BY, seed_of
    from dungeon_tui.games.crawler.model.dungeon import level_path
    from dungeon_tui.games.crawler.model.level import DOOR, WAY_OUT, level_text

    day = chosen_day(is_daily, day)
    if day is not None and (seed, rows, cols, amulet, by_door) != (None, None, None, None, False):
        raise typer.BadParameter("--seed, --rows, --cols, --amulet and --door don't go with a daily dungeon")
    names = [difficulty or Difficulty.NORMAL] if day is None or difficulty else list(LEAVE_BY)
    is_printed = output in (None, "-")
    if len(names) > 1 and is_printed and not as_json:
        raise typer.BadParameter("these are three levels: give --output PREFIX, or choose one by --difficulty")
    paths: list[Path | None] = [None] * 3
    if output is not None:
        paths = [Path(output)] if len(names) == 1 else [level_path(output, place) for place in (1, 2, 3)]
    chosen = seed_of(day) if day else seed_by_chance() if seed is None else seed
    for path in paths[: len(names)]:
        if path is not None and not is_printed:
            refuse_unwritable(path)
    tiles = [LEAVE_BY[name] if day else DOOR if by_door else WAY_OUT for name in names]
    made = _challenges(chosen, list(zip(names, tiles, strict=True)), rows, cols, amulet or Amulet.ANY)
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


def _challenges(
    seed: int, wanted: list[tuple[str, int]], rows: int | None, cols: int | None, amulet: str
) -> list[tuple[Challenge, Certificate]]:
    """A level for each difficulty and tile to leave by, and what it is worth."""
    from dungeon_tui.games.crawler.ai import challenge
    from dungeon_tui.games.crawler.ai.worth.certifier import prepare

    prepare()
    made = []
    with status("looking for a level") as tell, interrupts() as stop, told_in_a_line():
        for difficulty, tile in wanted:

            def told(tries: int, name: str = difficulty) -> None:
                tell(f"{name}, try {tries}")

            try:
                found = challenge.make(
                    seed, difficulty, rows=rows, cols=cols, amulet=amulet, leave_by=tile, stop=stop, tell=told
                )
                tell(f"{difficulty}, what it is worth")
                made.append((found, found.certificate(stop)))
            except challenge.StoppedError:
                print("Stopped: nothing was written.", file=sys.stderr)
                raise typer.Exit(130) from None
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
    """Find the fewest moves out of a dungeon."""
    from dungeon_tui.games.crawler.ai import solver
    from dungeon_tui.games.crawler.ai.worth import answer
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
            found = solver.escape(
                rules.start(chosen), treasure, max_doublings=max_doublings, time_limit=timeout, stop=stop, progress=show
            )
    if as_json:
        print(json.dumps(answer.values(found)))
    else:
        sys.stdout.writelines(f"{line}\n" for line in answer.lines(found, max_doublings))
        print(f"Looked at {found.states:,} states in {perf_counter() - began:.3f} seconds.")
    if found.ended == "stopped":
        print("Stopped: this is what was known.", file=sys.stderr)
        raise typer.Exit(130)


@app.command()
def par(
    dungeons: Annotated[list[str], _DUNGEONS],
    states: Annotated[
        int, typer.Option(metavar="N", min=1, help="Where a search for so much treasure ends, unproven.")
    ] = 1_000_000,
) -> None:
    """Find the fewest moves out of dungeons and out of each level, for ever more treasure; write PREFIX.par.jsonl."""
    from dungeon_tui.games.crawler.ai import solver
    from dungeon_tui.games.crawler.ai.par import finding as par_search

    solver.prepare()
    parts = []
    is_refused = False
    with status("searching") as tell, interrupts() as stop:

        def told(name: str, treasure: int, states: int, bound: int) -> None:
            tell(f"{name}, {counted(treasure, 'treasure')}, {states:,} states, {bound:,} moves at least")

        for dungeon in dungeons:
            try:
                path, solved = par_search.store(dungeon, states, stop, told)
            except par_search.StoppedError:
                break
            except (LevelError, UnwritableError) as error:  # the others can be solved all the same
                print(one_line(str(error)), file=sys.stderr)
                is_refused = True
                continue
            parts += solved
            print(f"{path} written", file=sys.stderr)
    if parts:
        sys.stdout.write(par_search.table(parts))
    if stop.is_set():
        print("Stopped: no other file was written.", file=sys.stderr)
        raise typer.Exit(130)
    if is_refused:
        raise typer.Exit(1)


def _load(name: str, levels: int | None, max_cells: int) -> Dungeon:
    from dungeon_tui.games.crawler.model.dungeon import load_dungeon

    return load_dungeon(name, levels, max_cells)


def _read(name: str, levels: int | None, max_cells: int) -> Dungeon:
    from dungeon_tui.games.crawler.model.dungeon import read_dungeon

    return read_dungeon(name, levels, max_cells)


def _play_plain(
    read: Callable[[], Dungeon] | None, max_cells: int, source: TextIO, out: TextIO, messages: TextIO
) -> PlainEnd:
    from dungeon_tui.games.crawler.view import transcript

    return transcript.play(read, max_cells, source, out, messages)
