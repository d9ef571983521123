"""The chase's command line, and the plain play."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO

import typer

from dungeon_tui.core.catalogue import YOU, Opening, PlainEnd, Play
from dungeon_tui.core.files import refuse_unwritable, write_text
from dungeon_tui.core.level import printable
from dungeon_tui.core.words import counted

if TYPE_CHECKING:
    from dungeon_tui.core.recording import Recording
    from dungeon_tui.games.chase.level import Level
    from dungeon_tui.games.chase.referee import Player
    from dungeon_tui.games.chase.state import Side
    from dungeon_tui.games.chase.tournament import Result, Tournament

app = typer.Typer()


def _refuse_nan(seconds: float | None) -> float | None:
    if seconds is not None and math.isnan(seconds):
        raise typer.BadParameter("nan is no number of seconds")
    return seconds


MONSTER_NAMES = ("random", "greedy", "bfs", "perfect")  # the tables' names; here, so that the help needs no engine
ROGUE_NAMES = ("random", "flee", "cycle", "perfect")
OWN = "or FILE.py:FUNCTION, which runs that file (loading it ends after a minute)"

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A shipped board, or a file; - is standard input.")]
MonsterOption = Annotated[
    str | None, typer.Option("--monster", metavar="NAME", help=f"you, {', '.join(MONSTER_NAMES)}, {OWN}.")
]
RogueOption = Annotated[
    str | None, typer.Option("--rogue", metavar="NAME", help=f"you, {', '.join(ROGUE_NAMES)}, {OWN}.")
]
MonstersOption = Annotated[
    list[str] | None,
    typer.Option("--monster", metavar="NAME", help=f"{', '.join(MONSTER_NAMES)}, {OWN}. More by commas or again."),
]
RoguesOption = Annotated[
    list[str] | None,
    typer.Option("--rogue", metavar="NAME", help=f"{', '.join(ROGUE_NAMES)}, {OWN}. More by commas or again."),
]
MovesOption = Annotated[
    int, typer.Option("--moves", metavar="N", min=1, help="Monster moves, after which the rogue has evaded it.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="Decides what strategies leave to chance.")]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        min=0.001,
        callback=_refuse_nan,
        help="Seconds a strategy has for a move, up to a day; default: 1.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]


def play(
    board: Annotated[
        str | None, typer.Argument(metavar="BOARD", help="A shipped board, or a file; - is standard input.")
    ] = None,
    monster: MonsterOption = None,
    rogue: RogueOption = None,
    moves: MovesOption = 2000,
    seed: SeedOption = 0,
) -> Play:
    """Play either side, or watch; default: you are the rogue, bfs hunts."""
    players = _seats(monster, rogue)
    for seat, name in players.items():
        _refuse_unknown(seat, name)
    opening = None
    if board is not None:
        load = partial(_read_board, board, moves)
        opening = Opening(printable(Path(board).stem), load, seed=seed, players=players)
    return Play(opening, partial(_play_plain, board, players, moves, seed))


@app.command()
def run(
    file: FileArgument,
    monster: Annotated[str, typer.Option(metavar="NAME", help=f"{', '.join(MONSTER_NAMES)}, {OWN}.")] = "bfs",
    rogue: Annotated[str, typer.Option(metavar="NAME", help=f"{', '.join(ROGUE_NAMES)}, {OWN}.")] = "cycle",
    moves: MovesOption = 2000,
    seed: SeedOption = 0,
    time_limit: TimeOption = None,
    plain: Annotated[bool, typer.Option("--plain", help="Every board of the chase.")] = False,
    as_json: JsonOption = False,
    record: Annotated[Path | None, typer.Option("--record", metavar="FILE", help="Write a recording.")] = None,
) -> None:
    """Let two strategies play a chase."""
    from dungeon_tui.core.recording import record as record_of
    from dungeon_tui.core.recording import recording_text
    from dungeon_tui.games.chase import referee, transcript
    from dungeon_tui.games.chase.state import Side

    if plain and as_json:
        raise typer.BadParameter("either --plain or --json, not both")
    if str(record) == "-":
        raise typer.BadParameter("a recording needs a file, not -", param_hint="--record")
    if record is not None:
        refuse_unwritable(record, [file, monster, rogue])
    level = _read_board(file, moves)
    with (
        _told_in_a_line(),
        _load_player(Side.MONSTER, monster, time_limit) as hunter,
        _load_player(Side.ROGUE, rogue, time_limit) as prey,
    ):
        controller = referee.play(level, hunter, prey, seed)
    line = controller.turn.line()
    if record is not None:
        write_text(record, recording_text(record_of(controller, "chase", {"monster": monster, "rogue": rogue})))
    if plain:
        sys.stdout.write(transcript.run_text(line))
    elif as_json:
        print(json.dumps(transcript.run_values(line)))
    else:
        assert controller.outcome is not None
        print(f"{level.name}: {printable(monster)} hunts {printable(rogue)}. {controller.outcome.reason}")


@app.command()
def solve(file: FileArgument, as_json: JsonOption = False) -> None:
    """Say how it ends if neither side errs."""
    from time import perf_counter

    from dungeon_tui.engine import UNREACHED
    from dungeon_tui.games.chase import rules, solver
    from dungeon_tui.games.chase.maps import move_graph

    level = _read_board(file)
    state = rules.start(level)
    sites = len(move_graph(level))
    if sites > 1000 and sys.stderr.isatty():
        print(f"Solving {counted(sites, 'site')} ...", file=sys.stderr)
    began = perf_counter()
    try:
        value, best = solver.value(state), solver.best_moves(state)
    except ValueError as error:
        _fail(f"{level.name}: {error}")
    seconds = round(perf_counter() - began, 6)
    if as_json:
        values = {
            "outcome": "evades" if value == UNREACHED else "captured",
            "monster_moves": None if value == UNREACHED else value,
            "best_monster_moves": best,
            "sites": sites,
            "states": 2 * sites * sites,
            "seconds": seconds,
        }
        print(json.dumps(values))
        return
    if value == UNREACHED:
        print(f"{level.name}: the rogue is safe for ever")
        print("no first move of the monster changes that")
    else:
        print(f"{level.name}: captured in {counted(value, 'monster move')}")
        print(f"best first moves of the monster: {'; '.join(f'row {row}, column {col}' for row, col in best)}")
    print(f"{counted(sites, 'site')}, {2 * sites * sites} states, {seconds:.3f} seconds")


@app.command()
def generate(
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="Makes the board; default: chance.")] = None,
    size: Annotated[int, typer.Option("--size", metavar="N", help="Rows, and columns.")] = 16,
    output: Annotated[Path | None, typer.Option("--output", metavar="FILE", help="The file to write.")] = None,
) -> None:
    """Make a board, and print it or write it to a file."""
    from dungeon_tui.games.chase.generator import generate
    from dungeon_tui.games.chase.level import level_text

    if seed is None:
        from secrets import randbelow

        seed = randbelow(1_000_000)
        print(f"Nobody chose a seed: this is --seed {seed}.", file=sys.stderr)
    try:
        text = level_text(generate(seed, size))
    except ValueError as error:
        _fail(str(error))
    if output is None or str(output) == "-":
        sys.stdout.write(text)
    else:
        write_text(output, text)


@app.command()
def tournament(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE...", help="Boards; default: all that are shipped.")
    ] = None,
    monster: MonstersOption = None,
    rogue: RoguesOption = None,
    moves: MovesOption = 300,
    seed: SeedOption = 0,
    time_limit: TimeOption = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", min=1, max=61, help="Processes; default: one a processor.")
    ] = None,
    as_json: JsonOption = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the results as CSV; - is standard output.")
    ] = None,
) -> None:
    """Let all monsters hunt all rogues on all boards."""
    import os
    from signal import SIGINT

    from dungeon_tui.games.chase import referee
    from dungeon_tui.games.chase.dungeon import shipped_names
    from dungeon_tui.games.chase.tournament import Tournament, csv_text, json_values, read_boards, table_text

    is_csv_printed = csv is not None and str(csv) == "-"
    if is_csv_printed and as_json:
        raise typer.BadParameter("either --json or --csv -, not both")
    monsters, rogues = _names("--monster", monster, MONSTER_NAMES), _names("--rogue", rogue, ROGUE_NAMES)
    if csv is not None and not is_csv_printed:
        refuse_unwritable(csv, [*(files or ()), *monsters, *rogues])
    boards, unread = read_boards(tuple(dict.fromkeys(files or shipped_names())), moves)
    for line in unread:
        print(line, file=sys.stderr)
    if not boards:
        raise typer.Exit(1)
    chosen = Tournament(boards, monsters, rogues, seed, time_limit or referee.TIME_LIMIT, unread)
    for seat, names in (("monster", monsters), ("rogue", rogues)):
        for name in names:
            _refuse_unknown(seat, name)
    found: dict[int, Result] = {}
    status = 1 if unread else 0
    try:
        _play_all(chosen, jobs or os.cpu_count() or 1, found)
    except KeyboardInterrupt as stop:  # its argument is the signal, if that was another one than Ctrl-C's
        status = 128 + (*stop.args, SIGINT)[0]
    in_order = [found[number] for number in sorted(found)]
    if csv is not None and not is_csv_printed:
        write_text(csv, csv_text(in_order))
    if is_csv_printed:
        sys.stdout.write(csv_text(in_order))
    elif as_json:
        print(json.dumps(json_values(chosen, in_order)))
    else:
        sys.stdout.write(table_text(chosen, found))
    if status > 128:
        print(f"Stopped: {len(found)} of {counted(len(chosen.games()), 'chase')} were played.", file=sys.stderr)
    raise typer.Exit(status)


def replay_plain(recording: Recording, output: TextIO) -> None:
    """Prints what `chase run --plain` printed of a chase that was recorded."""
    from dungeon_tui.core.recording import reexecute
    from dungeon_tui.games.chase import transcript

    controller, _ = reexecute(recording)
    if controller is not None:
        output.write(transcript.run_text(controller.turn.line()))


# Playing


def _seats(monster: str | None, rogue: str | None) -> dict[str, str]:
    """Who plays what: you are the side that is not named, or the rogue; alone you meet bfs, or cycle."""
    if rogue is None:
        rogue = "cycle" if monster == YOU else YOU
    if monster is None:
        monster = "bfs" if rogue == YOU else YOU
    return {"monster": monster, "rogue": rogue}


def _play_plain(
    board: str | None,
    players: Mapping[str, str],
    moves: int,
    seed: int,
    source: TextIO,
    out: TextIO,
    messages: TextIO,
) -> PlainEnd:
    """The transcript of docs/games/chase.md."""
    from contextlib import ExitStack

    from dungeon_tui.games.chase import transcript
    from dungeon_tui.games.chase.state import Side

    board = board or transcript.ask_board(source, out)
    if not board:
        return PlainEnd(0)
    level = _read_board(board, moves)
    with _told_in_a_line(), ExitStack() as stack:
        seats: dict[Side, Player | None] = {}
        for side in Side:
            name = players[side.value]
            seats[side] = None if name == YOU else stack.enter_context(_load_player(side, name, None))
        status, controller = transcript.play(level, seats, seed, source, out)
    return PlainEnd(status, controller, players)


# Strategies


def _load_player(side: Side, name: str, time_limit: float | None) -> Player:
    """The player of a name; where people's own take more than a second to load, a terminal is told."""
    from threading import Timer

    from dungeon_tui.games.chase import referee

    notice = Timer(1, print, [f"Loading {printable(name)} ..."], {"file": sys.stderr})
    if name not in referee.STRATEGIES[side] and sys.stderr.isatty():
        notice.start()
    try:
        return referee.load_player(side, name, time_limit or referee.TIME_LIMIT)
    finally:
        notice.cancel()


def _refuse_unknown(seat: str, name: str) -> None:
    """Ends with one line where there is no such strategy; people's own are loaded to see."""
    if name in (YOU, *(MONSTER_NAMES if seat == "monster" else ROGUE_NAMES)):
        return
    from dungeon_tui.games.chase.state import Side

    with _told_in_a_line(), _load_player(Side(seat), name, None):
        pass


def _names(option: str, given: Sequence[str] | None, default: Sequence[str]) -> tuple[str, ...]:
    """The names of repeated options and lists with commas, each once."""
    names = [name.strip() for text in given or default for name in text.split(",")]
    if not all(names):
        raise typer.BadParameter("a name is empty", param_hint=option)
    return tuple(dict.fromkeys(names))


def _play_all(tournament: Tournament, jobs: int, found: dict[int, Result]) -> None:
    """Plays a tournament; on a terminal with a bar on standard error."""
    from concurrent.futures.process import BrokenProcessPool
    from contextlib import closing

    from dungeon_tui.games.chase.tournament import results, terminated_as_interrupted

    games = tournament.games()
    try:
        with (
            terminated_as_interrupted(),
            closing(results(games, jobs)) as played,
            _bar(len(games)) as advance,
        ):
            for number, result in played:
                found[number] = result
                advance()
    except BrokenProcessPool:
        _fail("a process that played chases has died; is there enough memory for all --jobs?")


@contextmanager
def _bar(total: int) -> Iterator[Any]:
    """A bar on standard error where that is a terminal; yields what moves it on by one."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("chases"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield partial(progress.advance, progress.add_task("chases", total=total))


# Boards


def _read_board(name: str, moves: int = 2000) -> Level:
    from dungeon_tui.games.chase.dungeon import read_board

    return read_board(name, moves)


@contextmanager
def _told_in_a_line() -> Iterator[None]:
    """What is wrong with a strategy ends in one line, exit status 1."""
    from dungeon_tui.games.chase.referee import StrategyError

    try:
        yield
    except StrategyError as error:
        _fail(str(error))


def _fail(message: str) -> NoReturn:
    print(" ".join(printable(message).split()), file=sys.stderr)
    raise typer.Exit(1)
