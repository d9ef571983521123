"""The crawler's command line, and the plain play."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dungeon_tui.core.catalogue import Opening, Play
from dungeon_tui.core.files import UnwritableError, claim
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.options import Given
from dungeon_tui.core.text import one_line, printable
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.games.crawler.model.options import OPTIONS as OPTIONS
from dungeon_tui.ui import command_line as cli

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


_OURS = cli.beginning(OPTIONS.names)
_DUNGEON = cli.argument("DUNGEON", f"{OPTIONS.help}.", callback=cli.refuse_empty, autocompletion=_OURS)
_DUNGEONS = cli.argument("DUNGEON...", f"{OPTIONS.help}.", callback=cli.refuse_empty, autocompletion=_OURS)
LevelsArgument = Annotated[
    int | None, cli.argument("LEVELS", "How many levels; default: the files that are there.", min=1)
]


def opened(opening: Opening | None) -> Play:
    from dungeon_tui.games.crawler.view import transcript

    if opening is None:
        return Play(None, partial(transcript.play, None))
    return Play(opening, partial(transcript.play, opening.load, actions=opening.actions))


def best(dungeon: Dungeon) -> int | None:
    from dungeon_tui.games.crawler.ai import daily

    return daily.par(dungeon)


@app.command()
def check(
    files: cli.CheckedFiles,
    is_solved: Annotated[
        bool, typer.Option("--solve", help="Prove what each level is worth: moves, treasure, what matters.")
    ] = False,
    max_doublings: Annotated[
        int | None,
        typer.Option(
            metavar="D",
            min=0,
            max=MOST_DOUBLINGS,
            help="With --solve: the most times a line may double a level; default: 2.",
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="S", min=0, callback=cli.refuse_nan, help="With --solve: seconds a level; default: 60."),
    ] = None,
    as_json: cli.JsonOption = False,
) -> None:
    """List the faults and oddities of level files; with --solve, also prove what each level is worth."""
    from dungeon_tui.games.crawler.model.check import check_files

    given = [name for name, value in (("--max-doublings", max_doublings), ("--timeout", timeout)) if value is not None]
    if given and not is_solved:
        goes = "they go" if len(given) > 1 else "it goes"
        raise typer.BadParameter(f"{goes} with --solve", param_hint=" and ".join(given))
    entries, bad = [], 0
    with cli.interrupts() if is_solved else nullcontext(Event()) as stop:
        for report, level in check_files(files):
            bad += bool(report.errors)
            if not as_json:
                print(*report.lines(), sep="\n", flush=True)
            solved = None
            if is_solved and level is not None:
                solved = _certified(level, report.file, stop, timeout, max_doublings)
                if not as_json:
                    print(*(f"  {line}" for line in solved.lines()), sep="\n", flush=True)
            worth = {"solved": None if solved is None else solved.values()}
            entries.append(report.values() | (worth if is_solved else {}))
    if as_json:
        print(json.dumps({"files": entries}))
    cli.end_if_stopped(stop.is_set(), ": this is what was known")
    cli.end_if_bad(bad, files)


def _certified(level: Level, file: str, stop: Event, timeout: float | None, max_doublings: int | None) -> Certificate:
    from dungeon_tui.games.crawler.ai.worth import MAX_DOUBLINGS, Certifier, prepare

    prepare()  # before the clock runs
    cap = MAX_DOUBLINGS if max_doublings is None else max_doublings
    deadline = monotonic() + (SECONDS_A_FILE if timeout is None else timeout)
    with cli.status("solving") as tell:  # gone before a line is printed
        return Certifier(
            level,
            cap,
            deadline=deadline,
            stop=stop,
            tell=lambda what, states: tell(f"{printable(file)}, {what}, {states:,} states"),
        ).certify()


@app.command()
@cli.takes_level(OPTIONS, "DUNGEON", "levels", "max-cells", "daily", "date")
def generate(
    given: Given,
    by_door: Annotated[bool, typer.Option("--door", help="Leave by a door '?', for a level before the last.")] = False,
    is_daily: cli.DailyOption = False,
    day: cli.DateOption = None,
    output: Annotated[
        str | None, typer.Option(metavar="FILE", callback=cli.refuse_empty, help=f"The file to write: {cli.REPLACED}.")
    ] = None,
    force: cli.ForceOption = False,
    as_json: cli.JsonOption = False,
) -> None:
    """Make a level that can be won, and print it or write it to a file; its certificate goes to standard error.

    A daily dungeon has three levels: --output PREFIX writes PREFIX1.txt to PREFIX3.txt, --difficulty chooses one.
    """
    from dungeon_tui.games.crawler.ai.challenge import make
    from dungeon_tui.games.crawler.ai.daily import LEAVE_BY, daily_level, daily_seed
    from dungeon_tui.games.crawler.model.dungeon import level_path
    from dungeon_tui.games.crawler.model.level import DOOR, WAY_OUT, level_text

    # Check the options: a daily dungeon takes only a difficulty.
    day = cli.chosen_day(is_daily, day)
    if day is not None and (own := [*{*given.values} - {"difficulty"}, *(["door"] if by_door else [])]):
        raise typer.BadParameter(f"--{own[0]} and a daily dungeon can't be combined")
    names = [given["difficulty"]] if day is None or "difficulty" in given else list(LEAVE_BY)
    is_printed = output in (None, "-")
    if len(names) > 1 and is_printed and not as_json:
        raise typer.BadParameter("these are three levels: give --output PREFIX, or choose one by --difficulty")
    # Claim the files before the search, which takes long.
    paths: list[Path | None] = [None] * 3
    if output is not None:
        paths = [Path(output)] if len(names) == 1 else [level_path(output, number) for number in (1, 2, 3)]
    chosen = daily_seed(day) if day else cli.seed_by_chance() if given["seed"] is None else given["seed"]
    for path in paths[: len(names)]:
        if path is not None and not is_printed:
            claim(path, "crawler level", force)
    # Make the levels one by one.
    size, tile = (given["rows"], given["cols"]), DOOR if by_door else WAY_OUT
    made_by = partial(make, chosen, size=size, amulet=given["amulet"], leave_by=tile)
    made = _challenges(made_by if day is None else lambda difficulty, **_: daily_level(day, difficulty), names)
    if given["seed"] is None and day is None:
        print(cli.seed_note(chosen), file=sys.stderr)
    # Write each level, with its certificate.
    entries = []
    for name, path, (challenge, certificate) in zip(names, paths, made, strict=False):
        text = level_text(challenge.level)
        if not (as_json and is_printed):
            cli.write_output(path, text)
        what = f"{name}, {day}" if day else challenge.level.file
        print(f"{what}: found at try {challenge.tries}", file=sys.stderr)
        sys.stderr.writelines(f"  {line}\n" for line in certificate.lines())
        entries.append({"difficulty": name, "level": text, "tries": challenge.tries, "solved": certificate.values()})
    if as_json:
        print(json.dumps({"seed": chosen, "levels": entries}))


def _challenges(make: Callable[..., Challenge], names: Sequence[str]) -> list[tuple[Challenge, Certificate]]:
    from dungeon_tui.games.crawler.ai import challenge, solver
    from dungeon_tui.games.crawler.ai.worth import Certifier, prepare

    prepare()
    made = []
    with cli.status("looking for a level") as tell, cli.interrupts() as stop, cli.one_line_errors():
        for difficulty in names:
            try:
                found = make(
                    difficulty=difficulty, stop=stop, tell=lambda tries, name=difficulty: tell(f"{name}, try {tries}")
                )
                tell(f"{difficulty}, what it is worth")
                certifier = Certifier(found.level, most_states=challenge.CERTIFIED_STATES, stop=stop)
                made.append((found, certifier.certify()))
            except solver.StoppedError:
                break
        # Even the conditions of a level may be unproven now.
        cli.end_if_stopped(stop.is_set(), ": nothing was written")
    return made


@app.command()
def solve(
    dungeon: Annotated[str, _DUNGEON],
    levels: LevelsArgument = None,
    treasure: Annotated[
        int, typer.Option(metavar="N", min=1, max=65_535, help="The least treasure to leave with.")
    ] = 1,
    max_doublings: Annotated[
        int | None,
        typer.Option(metavar="D", min=0, max=MOST_DOUBLINGS, help="The most times a line may double a level."),
    ] = None,
    timeout: cli.TimeoutOption = None,
    as_json: cli.JsonOption = False,
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
    with cli.status("searching") as tell:
        solver.prepare()
        began = perf_counter()
        with cli.interrupts() as stop:
            search = solver.Solver(chosen, max_doublings=max_doublings)
            found = search.escape(
                rules.start(chosen), treasure, time_limit=timeout, stop=stop, progress=partial(_show, tell)
            )
    if as_json:
        print(json.dumps(_answer(found)))
    else:
        sys.stdout.writelines(f"{line}\n" for line in answer_lines(found, max_doublings))
        print(f"Looked at {found.states:,} states in {perf_counter() - began:.3f} seconds.")
    cli.end_if_stopped(found.ended == "stopped", ": this is what was known")


def _show(tell: Callable[[str], None], treasure: int, states: int, bound: int) -> None:
    tell(f"{counted(treasure, 'treasure')}, {states:,} states, {bound:,} moves at least")


def _answer(found: Escape) -> dict[str, Any]:
    is_found = found.moves is not None
    return {
        "moves": found.moves,
        "treasure": found.treasure if is_found else None,
        "commands": list(found.commands) if is_found else None,
        "proven_minimal": found.is_proven,
        "lower_bound": found.lower_bound,
        "frontier": [{"treasure": treasure, "moves": moves} for treasure, moves in _pareto_front(found)],
    }


def answer_lines(found: Escape, max_doublings: int | None) -> Iterator[str]:
    from dungeon_tui.games.crawler.ai.worth import left_out

    wanted = counted(found.wanted, "treasure")
    reason = _ENDED.get(found.ended, "the search was stopped")
    if found.moves is not None:
        least = f"; none takes fewer than {found.lower_bound:,}" if found.lower_bound else ""
        proven = ", and no line is shorter." if found.is_proven else f"{least}. Not proven: {reason}."
        yield f"Out with {counted(found.treasure, 'treasure')} in {counted(found.moves, 'move')}{proven}"
        for number, letters in enumerate(found.commands, 1):
            yield f"Level {number}: {letters}"
    elif found.is_proven:
        yield f"There is no way out with {wanted}: that is proven."
    else:
        least = f" If there is one, it takes at least {counted(found.lower_bound or 0, 'move')}."
        yield f"{capitalised(reason)}: no line out with {wanted} has been found.{least if found.lower_bound else ''}"
    if max_doublings is not None:
        yield left_out(max_doublings, "a level")
    for treasure, moves in _pareto_front(found):
        yield f"Fewest moves with {counted(treasure, 'treasure')}: {moves:,}"


def _pareto_front(found: Escape) -> list[tuple[int, int]]:
    """Proven pairs (treasure, fewest moves), by treasure: the search's, and the answer itself if it is proven."""
    is_point = found.moves is not None and found.is_proven
    return sorted({*found.pareto_front, (found.wanted, found.moves or 0)} if is_point else found.pareto_front)


@app.command()
def par(
    dungeons: Annotated[list[str], _DUNGEONS],
    states: Annotated[
        int, typer.Option(metavar="N", min=1, help="States after which each search stops, unproven.")
    ] = 1_000_000,
) -> None:
    """Find the fewest moves out of dungeons, by treasure; write them to PREFIX.par.jsonl."""
    from dungeon_tui.games.crawler.ai import par_search, solver

    solver.prepare()
    parts = []
    is_refused = False
    with cli.status("searching") as tell, cli.interrupts() as stop:

        def show_search(name: str, *figures: int) -> None:
            _show(lambda text: tell(f"{name}, {text}"), *figures)

        for dungeon in dungeons:
            try:
                path, solved = par_search.store(dungeon, states, stop, show_search)
            except solver.StoppedError:
                break
            except (LevelError, UnwritableError) as error:  # the others can be solved all the same
                print(one_line(str(error)), file=sys.stderr)
                is_refused = True
                continue
            parts.append(solved)
            print(f"{path} written", file=sys.stderr)
    if parts:
        sys.stdout.write(par_search.table(parts))
    cli.end_if_stopped(stop.is_set(), ": no other file was written")
    if is_refused:
        raise typer.Exit(1)
