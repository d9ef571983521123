"""The crawler's command line, and the plain play."""

from __future__ import annotations

import json
import math
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from dungeon_tui.core.catalogue import Opening, PlainEnd, Play
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.plain import read_command, read_word
from dungeon_tui.core.words import counted

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.solver import Escape, Progress

app = typer.Typer()

DungeonArgument = Annotated[
    str | None,
    typer.Argument(metavar="DUNGEON", help="A shipped dungeon, or a path prefix: PREFIX1.txt, PREFIX2.txt ..."),
]
LevelsArgument = Annotated[
    int | None, typer.Argument(metavar="LEVELS", min=1, help="How many levels; default: the files that are there.")
]
LimitOption = Annotated[
    int, typer.Option("--max-cells", min=1, help="A doubling to more cells than this is refused.", show_default=True)
]

QUIET = 0.2  # seconds before a search tells of itself


def _refuse_nan(seconds: float | None) -> float | None:
    if seconds is not None and math.isnan(seconds):
        raise typer.BadParameter("nan is no number of seconds")
    return seconds


def play(
    dungeon: DungeonArgument = None, levels: LevelsArgument = None, max_cells: LimitOption = 2_147_483_647
) -> Play:
    """Play a dungeon."""
    opening = None if dungeon is None else Opening(dungeon, partial(_load, dungeon, levels, max_cells))
    return Play(opening, partial(_play_plain, dungeon, levels, max_cells))


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Level files; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Say what is wrong with level files, and what is odd about them."""
    from dataclasses import asdict

    from dungeon_tui.core.level import printable
    from dungeon_tui.games.crawler.check import check_files

    reports = check_files(files)
    if as_json:
        entries = [
            {
                "file": report.file,
                "ok": report.is_ok,
                "errors": [asdict(finding) for finding in report.errors],
                "warnings": [asdict(finding) for finding in report.warnings],
            }
            for report in reports
        ]
        print(json.dumps({"files": entries}))
    else:
        for report in reports:
            name = printable(report.file)
            for kind, findings in (("error", report.errors), ("warning", report.warnings)):
                for finding in findings:
                    print(f"{name}:{finding.line}:{finding.column}: {kind}: {finding.message}")
            if report.is_ok:
                print(f"{name}: ok" + (", but odd" if report.warnings else ""))
    bad = sum(not report.is_ok for report in reports)
    if bad:
        print(f"{bad} of {len(reports)} {'file' if len(reports) == 1 else 'files'} can't be played", file=sys.stderr)
        raise typer.Exit(1)


@app.command()
def solve(
    dungeon: Annotated[
        str, typer.Argument(metavar="DUNGEON", help="A shipped dungeon, or a path prefix: PREFIX1.txt, PREFIX2.txt ...")
    ],
    levels: LevelsArgument = None,
    treasure: Annotated[
        int, typer.Option("--treasure", metavar="N", min=1, max=65_535, help="How much to leave with, at least.")
    ] = 1,
    max_doublings: Annotated[
        int | None,
        typer.Option("--max-doublings", metavar="D", min=0, help="Leave out lines that double a level more often."),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout", metavar="S", min=0, callback=_refuse_nan, help="Seconds to search; then what is known."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Find the fewest moves out of a dungeon."""
    from dungeon_tui.games.crawler import solver
    from dungeon_tui.games.crawler.dungeon import load_dungeon

    chosen = load_dungeon(dungeon, levels)
    if chosen.missing is not None:
        raise chosen.missing
    for warning in chosen.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    with _status("searching") as show:
        solver.prepare()
        began = perf_counter()
        with _interrupts() as stop:
            found = solver.escape(
                chosen, treasure, max_doublings=max_doublings, time_limit=timeout, stop=stop, progress=show
            )
    if as_json:
        print(json.dumps(_values(found)))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _lines(found, max_doublings))
        print(f"Looked at {found.states:,} states in {perf_counter() - began:.3f} seconds.")
    if found.ended == "stopped":
        print("Stopped: this is what was known.", file=sys.stderr)
        raise typer.Exit(130)


def _values(found: Escape) -> dict[str, Any]:
    is_found = found.moves is not None
    return {
        "moves": found.moves,
        "treasure": found.treasure if is_found else None,
        "commands": list(found.commands) if is_found else None,
        "proven_minimal": found.is_proven,
        "lower_bound": found.lower_bound,
        "frontier": [{"treasure": treasure, "moves": moves} for treasure, moves in found.frontier],
    }


def _lines(found: Escape, max_doublings: int | None) -> Iterator[str]:
    """What was found, in words."""
    asked = counted(found.asked, "treasure")
    if found.moves is not None:
        proven = "and no line is shorter" if found.is_proven else f"and no line is shorter than {found.lower_bound}"
        yield f"Out with {counted(found.treasure, 'treasure')} in {counted(found.moves, 'move')}, {proven}."
        for number, letters in enumerate(found.commands, 1):
            yield f"Level {number}: {letters}"
    elif found.is_proven:
        yield f"No line leads out with {asked}: that is proven."
    else:
        why = {"time": "the time is over", "memory": "the memory is full", "size": "a level is too large"}
        reason = why.get(found.ended, "the search was stopped")
        yield f"No line out with {asked} is known, since {reason}; none has fewer than {found.lower_bound} moves."
    if max_doublings is not None:
        yield f"Lines that double a level more than {counted(max_doublings, 'time')} are left out."
    for treasure, moves in found.frontier:
        yield f"Fewest moves with {counted(treasure, 'treasure')}: {moves}"


@contextmanager
def _interrupts() -> Iterator[Event]:
    """An event that Ctrl-C sets."""
    stop = Event()
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _status(what: str) -> Iterator[Progress | None]:
    """Tells on standard error, where that is a terminal, how a search stands that takes longer than a blink."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    began = perf_counter()
    status = Console(stderr=True).status(what)

    def show(treasure: int, states: int, bound: int) -> None:
        if perf_counter() - began > QUIET:
            status.start()
            status.update(f"{what}: {counted(treasure, 'treasure')}, {states:,} states, {bound} moves at least")

    try:
        yield show
    finally:
        status.stop()


def _load(name: str, levels: int | None, max_cells: int) -> object:
    from dungeon_tui.games.crawler.dungeon import load_dungeon

    return load_dungeon(name, levels, max_cells)


def _play_plain(
    name: str | None, levels: int | None, max_cells: int, source: TextIO, out: TextIO, messages: TextIO
) -> PlainEnd:
    """The transcript of docs/games/crawler.md, character for character."""
    from dungeon_tui.core.turns import TurnController
    from dungeon_tui.games.crawler import rules, transcript
    from dungeon_tui.games.crawler.dungeon import read_dungeon
    from dungeon_tui.games.crawler.state import Status

    out.write(transcript.INSTRUCTIONS)
    if name is None:
        out.write(transcript.ASK_DUNGEON)
        out.flush()
        name, count = read_word(source), read_word(source)
        if not name or not count:
            out.write(transcript.FAREWELL)
            return PlainEnd(0)
        if not count.isascii() or not count.isdigit() or int(count[:7]) < 1:
            raise LevelError(f"the number of levels must be a whole number from 1 on, not {count[:40]!r}", "<stdin>")
        levels = int(count[:7])
    dungeon = read_dungeon(name, levels, max_cells)
    for warning in dungeon.warnings:
        print(f"warning: {warning}", file=messages)

    out.write("Level 1\n")
    if not dungeon.levels:
        return _no_such_level(dungeon.missing, None, out, messages)
    controller = TurnController(rules, dungeon)
    out.writelines(transcript.map_lines(controller.state.board, controller.state.adventurer))
    try:
        while controller.outcome is None:
            out.write(transcript.ASK_COMMAND)
            out.flush()
            command = read_command(source)
            if command in ("", "q"):
                out.write(transcript.FAREWELL)
                return PlainEnd(0, controller)
            try:
                action = rules.read_action(command)
            except ValueError:
                out.write(transcript.UNKNOWN_COMMAND)
                continue
            before = controller.state
            turn = controller.apply(action)
            out.writelines(transcript.turn_lines(before, turn.state, turn.events))
            for remark in transcript.remarks(turn.state, turn.events):
                print(remark, file=messages)
            if turn.state.number != before.number:
                out.write(f"Level {turn.state.number}\n")
                out.writelines(transcript.map_lines(turn.state.board, turn.state.adventurer))
    except KeyboardInterrupt:  # what was played is kept all the same
        return PlainEnd(130, controller)
    if controller.state.status is Status.OUT_OF_LEVELS and dungeon.missing is not None:
        out.write(f"Level {controller.state.number + 1}\n")
        return _no_such_level(dungeon.missing, controller, out, messages)
    return PlainEnd(0, controller)


def _no_such_level(error: LevelError | None, controller: object, out: TextIO, messages: TextIO) -> PlainEnd:
    from dungeon_tui.core.turns import TurnController
    from dungeon_tui.games.crawler import transcript

    out.flush()
    print(error, file=messages)
    out.write(transcript.NO_SUCH_LEVEL)
    return PlainEnd(1, controller if isinstance(controller, TurnController) else None)
