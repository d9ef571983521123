"""The chase's command line, and the plain play."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from dungeon_tui.core.arguments import daily, spelled
from dungeon_tui.core.catalogue import YOU, Opening, PlainEnd, Play
from dungeon_tui.core.files import write_text
from dungeon_tui.core.level import level_name
from dungeon_tui.core.plain import ask, fail
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.games.chase.model.players import AIMS, KINDS, NAMES, seats
from dungeon_tui.ui.command_line import (
    DailyOption,
    DateOption,
    ForceOption,
    JsonOption,
    bar,
    chosen_day,
    is_standard_output,
    refuse_nan,
    seed_by_chance,
    tell_seed,
    told_in_a_line,
    write_output,
    written,
)

if TYPE_CHECKING:
    from dungeon_tui.games.chase.ai.player import Player
    from dungeon_tui.games.chase.ai.tournament import Result
    from dungeon_tui.games.chase.model.level import Level
    from dungeon_tui.games.chase.view import transcript

app = typer.Typer()

ASK_BOARD = "Please enter the name of a board:\n"
DIED = "a process that played chases has died; is there enough memory for all --jobs?"
_OWN = "or one of your own: FILE.py:FUNCTION, a command in quotes, or @NAME of the settings"
_MONSTERS, _ROGUES = (f"{', '.join(names)}, {_OWN}." for names in NAMES.values())

_BOARD = "A shipped board, or a file; - is standard input."
FileArgument = Annotated[str, typer.Argument(metavar="FILE", help=_BOARD)]
MovesOption = Annotated[
    int,
    typer.Option(
        "--moves", metavar="N", min=1, max=250_000, help="Monster moves, after which the rogue has evaded it."
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="Decides what strategies leave to chance.")]
KindOption = Annotated[
    str, typer.Option("--kind", metavar="KIND", help=f"Of a board that --seed makes: {', '.join(KINDS)}.")
]
WorkOption = Annotated[
    bool, typer.Option("--work", help="Tell the time, and the cells that strategies look at, a move; by board size.")
]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        min=0.001,
        callback=refuse_nan,
        help="Seconds a strategy has for a move, up to a day; default: 1.",
    ),
]


def play(
    board: Annotated[str | None, typer.Argument(metavar="BOARD", help=_BOARD)] = None,
    monster: Annotated[str | None, typer.Option("--monster", metavar="NAME", help=f"you, {_MONSTERS}")] = None,
    rogue: Annotated[str | None, typer.Option("--rogue", metavar="NAME", help=f"you, {_ROGUES}")] = None,
    moves: MovesOption = 2000,
    seed: SeedOption = 0,
    size: Annotated[
        int | None, typer.Option("--size", metavar="N", help="Rows, and columns, of a board that --seed makes.")
    ] = None,
    kind: KindOption = KINDS[0],
    task: Annotated[
        str | None,
        typer.Option(
            "--task", metavar="TASK", help=f"A shipped task's name; or {', '.join(AIMS)}: one that --seed makes."
        ),
    ] = None,
    is_daily: DailyOption = False,
    day: DateOption = None,
) -> Play:
    """Play either side, or watch; default: you are the rogue, bfs hunts."""
    day = chosen_day(is_daily, day)
    if task is not None:
        if (board, monster, rogue, moves, day) != (None, None, None, 2000, None):
            raise typer.BadParameter("--task goes with --seed and --size only")
        from dungeon_tui.games.chase.view.openings import named

        with told_in_a_line():
            set_task = {"task": task, "seed": seed or None, "size": size}
            return opened(named(spelled("", set_task)))
    if [board, size, day].count(None) < 2:
        raise typer.BadParameter("either a BOARD, a --size or a daily one, not two of them")
    if day is not None:
        if (monster, rogue, moves, seed) != (None, None, 2000, 0):
            raise typer.BadParameter("--monster, --rogue, --moves and --seed don't go with a daily board")
        from dungeon_tui.games.chase.view.openings import named

        opening = named(daily(day))
        return opened(opening)
    players = seats(monster, rogue)
    for seat, name in players.items():
        _refuse_unknown(seat, name)
    if board is None and size is None:
        return Play(None, partial(_play_chosen, players, moves, seed))
    from dungeon_tui.games.chase.model.dungeon import read_board, shipped_names
    from dungeon_tui.games.chase.view.openings import judged, made

    _refuse_kind(kind)
    load = judged(partial(made, seed, size or 0, moves, kind) if board is None else partial(read_board, board, moves))
    arguments = ""
    if board is None or board in shipped_names():
        own = {"seed": seed or None, "size": size, "moves": None if moves == 2000 else moves}
        named_kind = None if kind == KINDS[0] else kind
        arguments = spelled(board or "", {**own, "kind": named_kind, "monster": monster, "rogue": rogue})
    title = f"seed {seed}" if board is None else level_name(board)
    opening = Opening(title, load, seed=seed, players=players, arguments=arguments)
    return Play(opening, partial(_play_plain, load, players, seed))


def opened(opening: Opening) -> Play:
    """The play of a board that was opened by its arguments, a day's or one of a code."""
    players = {seat: opening.players.get(seat, YOU) for seat in NAMES}
    plain = partial(_play_plain, opening.load, players, opening.seed, actions=opening.actions)
    return Play(opening, plain)


def best(level: Level) -> int | None:
    """Monster moves until the capture if neither side errs; None where it never comes."""
    from dungeon_tui.engine import UNREACHED
    from dungeon_tui.games.chase.ai.solver import value
    from dungeon_tui.games.chase.model import rules

    moves = value(rules.start(level))
    return None if moves == UNREACHED else moves


@app.command()
def run(
    file: FileArgument,
    monster: Annotated[str, typer.Option(metavar="NAME", help=_MONSTERS)] = "bfs",
    rogue: Annotated[str, typer.Option(metavar="NAME", help=_ROGUES)] = "cycle",
    moves: MovesOption = 2000,
    seed: SeedOption = 0,
    time_limit: TimeOption = None,
    plain: Annotated[bool, typer.Option("--plain", help="Every board of the chase.")] = False,
    as_json: JsonOption = False,
    has_work: WorkOption = False,
    record: Annotated[Path | None, written("--record", "recording", "The file to write a recording to")] = None,
    force: ForceOption = False,
) -> None:
    """Let two strategies play a chase."""
    from dungeon_tui.core import recording
    from dungeon_tui.games.chase.ai.referee import play
    from dungeon_tui.games.chase.ai.solver import move_graph
    from dungeon_tui.games.chase.ai.work import Work
    from dungeon_tui.games.chase.model.dungeon import read_board
    from dungeon_tui.games.chase.view import transcript
    from dungeon_tui.games.chase.view.standings import work_text

    if plain and as_json:
        raise typer.BadParameter("either --plain or --json, not both")
    if is_standard_output(record):
        raise typer.BadParameter("a recording needs a file, not -", param_hint="--record")
    level = read_board(file, moves)
    with (
        told_in_a_line(),
        _load_player("monster", monster, time_limit) as hunter,
        _load_player("rogue", rogue, time_limit) as prey,
    ):
        works = {player.side: Work() for player in (hunter, prey)} if has_work else None
        controller = play(level, hunter, prey, seed, works)
    line = controller.turn.line()
    if record is not None:
        made = recording.record(controller, "chase", {"monster": monster, "rogue": rogue})
        write_text(record, recording.recording_text(made))
    if plain:
        sys.stdout.write(transcript.run_text(line))
    elif as_json:
        told = {} if works is None else {"work": {side.value: work.values() for side, work in works.items()}}
        print(json.dumps(transcript.run_values(line) | told))
    else:
        assert controller.outcome is not None
        print(f"{level.name}: {printable(monster)} hunts {printable(rogue)}. {controller.outcome.reason}")
        if works is not None:
            print(
                work_text(
                    [
                        (level.name, len(move_graph(level)), f"{side.value} {name}", works[side].values())
                        for side, name in zip(works, (printable(monster), printable(rogue)), strict=True)
                    ]
                ),
                end="",
            )


@app.command()
def solve(file: FileArgument, as_json: JsonOption = False) -> None:
    """Solve a board: say how the chase ends if neither side errs."""
    from time import perf_counter

    from dungeon_tui.engine import UNREACHED
    from dungeon_tui.games.chase.ai import solver
    from dungeon_tui.games.chase.model import rules
    from dungeon_tui.games.chase.model.dungeon import read_board

    level = read_board(file)
    state = rules.start(level)
    sites = len(solver.move_graph(level))
    if sites > 1000 and sys.stderr.isatty():
        print(f"Solving {counted(sites, 'site')} ...", file=sys.stderr)
    began = perf_counter()
    try:
        value, best = solver.value(state), solver.best_moves(state)
    except ValueError as error:
        fail(f"{level.name}: {error}")
    seconds = perf_counter() - began
    evades = value == UNREACHED
    if as_json:
        values = {
            "outcome": "evades" if evades else "captured",
            "monster_moves": None if evades else value,
            "best_monster_moves": best,
            "sites": sites,
            "states": 2 * sites * sites,
            "seconds": round(seconds, 6),
        }
        print(json.dumps(values))
    else:
        advice = f"best first moves of the monster: {'; '.join(cell.place for cell in best)}"
        print(f"{level.name}: {solver.value_text(value)}")
        print("no first move of the monster changes that" if evades else advice)
        print(f"{counted(sites, 'site')}, {2 * sites * sites:,} states, {seconds:.3f} seconds")


@app.command()
def generate(
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="Makes the board; default: chance.")] = None,
    size: Annotated[int, typer.Option("--size", metavar="N", help="Rows, and columns.")] = 16,
    kind: KindOption = KINDS[0],
    output: Annotated[Path | None, written("--output", "chase board")] = None,
    force: ForceOption = False,
) -> None:
    """Make a board, and print it or write it to a file."""
    from dungeon_tui.games.chase.model.generator import generate
    from dungeon_tui.games.chase.model.level import level_text

    _refuse_kind(kind)
    if seed is None:
        seed = seed_by_chance()
        tell_seed(seed, sys.stderr)
    with told_in_a_line():
        text = level_text(generate(seed, size, kind))
    write_output(output, text)


@app.command()
def tournament(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE...", help="Boards; default: all that are shipped.")
    ] = None,
    monster: Annotated[
        list[str] | None, typer.Option("--monster", metavar="NAME", help=f"{_MONSTERS} More by commas or again.")
    ] = None,
    rogue: Annotated[
        list[str] | None, typer.Option("--rogue", metavar="NAME", help=f"{_ROGUES} More by commas or again.")
    ] = None,
    moves: MovesOption = 300,
    seed: SeedOption = 0,
    time_limit: TimeOption = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", min=1, max=61, help="Processes; default: one a processor.")
    ] = None,
    as_json: JsonOption = False,
    has_work: WorkOption = False,
    csv: Annotated[
        Path | None, written("--csv", "table", "The file to write the results to as CSV; - is standard output")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Let each monster hunt each rogue on each board, and print the results."""
    import os
    import signal
    from contextlib import closing

    from dungeon_tui.games.chase.ai.tournament import Tournament, read_boards, results
    from dungeon_tui.games.chase.model.dungeon import shipped_names
    from dungeon_tui.games.chase.view.standings import csv_text, table_text, work_text, worked
    from dungeon_tui.workers import ProcessEndedError

    if is_standard_output(csv) and as_json:
        raise typer.BadParameter("either --json or --csv -, not both")
    monsters, rogues = _named("monster", monster), _named("rogue", rogue)
    boards, unread = read_boards(tuple(dict.fromkeys(files or shipped_names())), moves)
    for line in unread:
        print(line, file=sys.stderr)
    if not boards:
        raise typer.Exit(1)
    chosen = Tournament(boards, monsters, rogues, seed, time_limit, unread, has_work)
    for seat, names in (("monster", monsters), ("rogue", rogues)):
        for name in names:
            _refuse_unknown(seat, name)
    games = chosen.games()
    found: dict[int, Result] = {}
    status = 1 if unread else 0

    def interrupt(number: int, _: object) -> None:
        raise KeyboardInterrupt(number)

    kept = signal.signal(signal.SIGTERM, interrupt)
    try:
        with closing(results(games, jobs or os.cpu_count() or 1)) as played, bar("chases", len(games)) as advance:
            for number, result in played:
                found[number] = result
                advance()
    except ProcessEndedError:
        fail(DIED)
    except KeyboardInterrupt as stop:  # its argument is the signal, if that was another one than Ctrl-C's
        status = 128 + (*stop.args, signal.SIGINT)[0]
    finally:
        signal.signal(signal.SIGTERM, kept)
    in_order = [found[number] for number in sorted(found)]
    if csv is not None:
        write_output(csv, csv_text(in_order))
    if as_json:
        told = [result.values() for result in in_order]
        is_stopped = len(told) < len(games)
        print(json.dumps({"moves": moves, "seed": seed, "interrupted": is_stopped, "unread": unread, "games": told}))
    elif not is_standard_output(csv):
        sys.stdout.write(table_text(chosen, found))
        if has_work:
            sys.stdout.write(f"\n{work_text(worked(in_order))}")
    if status > 128:
        print(f"Stopped: {len(found)} of {counted(len(games), 'chase')} were played.", file=sys.stderr)
    raise typer.Exit(status)


def replay_plain(game: transcript.Game, output: TextIO) -> None:
    """Prints what `chase run --plain` printed of a chase that was recorded."""
    from dungeon_tui.games.chase.view.transcript import run_text

    output.write(run_text(game.turn.line()))


def _play_chosen(
    players: Mapping[str, str], moves: int, seed: int, source: TextIO, out: TextIO, messages: TextIO
) -> PlainEnd:
    """Asks for a board and plays it in plain text; ends with status 0 if none is named."""
    from dungeon_tui.games.chase.model.dungeon import read_board, shipped_names

    board = ask(f"Boards: {', '.join(shipped_names())}\n{ASK_BOARD}", source, out)
    if not board:
        return PlainEnd(0)
    return _play_plain(partial(read_board, board, moves), players, seed, source, out, messages)


def _play_plain(
    load: Callable[[], Level],
    players: Mapping[str, str],
    seed: int,
    source: TextIO,
    out: TextIO,
    messages: TextIO,
    actions: Sequence[str] = (),
) -> PlainEnd:
    """Plays a board in plain text, as docs/games/chase.md shows it, after some actions."""
    from contextlib import ExitStack

    from dungeon_tui.games.chase.model.state import Side
    from dungeon_tui.games.chase.view.transcript import play

    with told_in_a_line():
        level = load()
    with told_in_a_line(), ExitStack() as stack:
        seated = {
            Side(seat): None if name == YOU else stack.enter_context(_load_player(seat, name))
            for seat, name in players.items()
        }
        status, controller = play(level, seated, seed, source, out, actions, players)
    return PlainEnd(status, controller, players)


def _named(seat: str, given: Sequence[str] | None) -> tuple[str, ...]:
    """The names in repeated options and lists with commas, each once; all of the seat's own if none was given."""
    names = [name.strip() for text in given or NAMES[seat] for name in text.split(",")]
    if not all(names):
        raise typer.BadParameter("a name is empty", param_hint=f"--{seat}")
    return tuple(dict.fromkeys(names))


def _load_player(seat: str, name: str, time_limit: float | None = None) -> Player:
    """The player of a name; while one from a file takes more than a second to load, a terminal is told."""
    from threading import Timer

    from dungeon_tui.games.chase.ai.referee import load_player
    from dungeon_tui.games.chase.model.state import Side

    notice = Timer(1, print, [f"Loading {printable(name)} ..."], {"file": sys.stderr})
    if name not in NAMES[seat] and sys.stderr.isatty():
        notice.start()
    try:
        return load_player(Side(seat), name, time_limit)
    finally:
        notice.cancel()


def _refuse_kind(kind: str) -> None:
    if kind not in KINDS:
        raise typer.BadParameter(f"{kind!r} is none of {', '.join(KINDS)}", param_hint="--kind")


def _refuse_unknown(seat: str, name: str) -> None:
    """Ends the command with one line if there is no such strategy; one from a file is loaded to see."""
    if name not in (YOU, *NAMES[seat]):
        with told_in_a_line(), _load_player(seat, name):
            pass
