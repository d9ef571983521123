"""The chase's command line, and the plain play."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from dungeon_tui.core.catalogue import YOU, Opening, PlainEnd, Play
from dungeon_tui.core.files import write_text
from dungeon_tui.core.options import Given
from dungeon_tui.core.plain import Console, ask, fail, read_line
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.games.chase.model.options import OPTIONS as OPTIONS
from dungeon_tui.games.chase.model.options import OWN
from dungeon_tui.games.chase.model.players import NAMES, PAIRS, seats
from dungeon_tui.ui import command_line as shell

if TYPE_CHECKING:
    from dungeon_tui.games.chase.ai.player import Player
    from dungeon_tui.games.chase.ai.tournament import Result
    from dungeon_tui.games.chase.model.level import Level
    from dungeon_tui.judge.breaker import Found
    from dungeon_tui.judge.program import Limits
    from dungeon_tui.judge.verdicts import Verdict

app = typer.Typer()

ASK_BOARD = "Please enter the name of a board:\n"
DIED = "a process that played chases has died; is there enough memory for all --jobs?"
_MONSTERS, _ROGUES = (f"{', '.join(names)}, {OWN}." for names in NAMES.values())

FileArgument = Annotated[str, shell.argument("FILE", f"{OPTIONS.help}.", autocompletion=shell.beginning(OPTIONS.names))]
MovesOption = Annotated[
    int, shell.option("--moves", "N", "Monster moves after which the rogue has evaded it.", min=1, max=250_000)
]
PointsName = StrEnum("PointsName", ["share", "boards"])
SeedOption = Annotated[int, shell.option("--seed", "S", "Seed of all random choices.")]
TimeOption = Annotated[
    float | None,
    shell.option(
        "--time-limit",
        "S",
        "Seconds a strategy has for a move, up to a day; default: 1.",
        min=0.001,
        callback=shell.refuse_nan,
    ),
]


def opened(opening: Opening | None) -> Play:
    if opening is None:
        return Play(None, _play_chosen)
    players = {seat: opening.players.get(seat, YOU) for seat in NAMES}
    for seat, name in players.items():
        _refuse_unknown(seat, name)
    return Play(opening, partial(_play_plain, opening.load, players, opening.seed, actions=opening.actions))


def best(level: Level) -> int | None:
    """Moves within which a daily is proven possible."""
    return level.moves


@app.command()
def run(
    file: FileArgument,
    monster: Annotated[str, typer.Option(metavar="NAME", help=_MONSTERS)] = "bfs",
    rogue: Annotated[str, typer.Option(metavar="NAME", help=_ROGUES)] = "cycle",
    moves: MovesOption = 2000,
    seed: SeedOption = 0,
    time_limit: TimeOption = None,
    plain: Annotated[bool, typer.Option("--plain", help="Every board of the chase.")] = False,
    as_json: shell.JsonOption = False,
    record: Annotated[Path | None, shell.written("--record", "recording", "The file to write a recording to")] = None,
    force: shell.ForceOption = False,
) -> None:
    """Let two strategies play a chase."""
    from dungeon_tui.core import recording
    from dungeon_tui.games.chase.ai import referee
    from dungeon_tui.games.chase.model.dungeon import read_board
    from dungeon_tui.games.chase.view.transcript import run_text

    # Let the strategies play.
    if plain and as_json:
        raise typer.BadParameter("either --plain or --json, not both")
    if shell.is_standard_output(record):
        raise typer.BadParameter("a recording needs a file, not -", param_hint="--record")
    level = read_board(file, moves)
    with (
        shell.one_line_errors(),
        _load_player("monster", monster, time_limit) as hunter,
        _load_player("rogue", rogue, time_limit) as prey,
    ):
        controller = referee.play(level, hunter, prey, seed)
    # Record the chase, and print it in the form asked for.
    line = controller.turn.line()
    if record is not None:
        made = recording.record(controller, "chase", {"monster": monster, "rogue": rogue})
        write_text(record, recording.recording_text(made))
    if plain:
        sys.stdout.write(run_text(line))
    elif as_json:
        print(json.dumps(referee.run_values(line)))
    else:
        assert controller.outcome is not None
        print(f"{level.name}: {printable(monster)} hunts {printable(rogue)}. {controller.outcome.reason}")


@app.command()
def solve(file: FileArgument, as_json: shell.JsonOption = False) -> None:
    """Solve a board: show the outcome under perfect play."""
    from time import perf_counter

    from dungeon_tui.engine import UNREACHED
    from dungeon_tui.games.chase.ai import solver
    from dungeon_tui.games.chase.model import rules
    from dungeon_tui.games.chase.model.dungeon import read_board

    # Solve the board.
    level = read_board(file)
    state = rules.start(level)
    sites = len(solver.move_graph(level))
    began = perf_counter()
    try:
        value, best = solver.value(state), solver.best_moves(state)
    except ValueError as error:
        fail(f"{level.name}: {error}")
    seconds = perf_counter() - began
    evades = value == UNREACHED
    # Print the value and the moves that keep it.
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
        advice = f"best first moves of the monster: {'; '.join(cell.text for cell in best)}"
        print(f"{level.name}: {solver.value_text(value)}")
        print("no first move of the monster changes that" if evades else advice)
        print(f"{counted(sites, 'site')}, {2 * sites * sites:,} states, {seconds:.3f} seconds")


@app.command()
@shell.takes_level(OPTIONS, "BOARD", "daily", "date", "task", "monster", "rogue", "moves")
def generate(
    given: Given,
    output: Annotated[Path | None, shell.written("--output", "chase board")] = None,
    force: shell.ForceOption = False,
) -> None:
    """Make a board, and print it or write it to a file."""
    from dungeon_tui.games.chase.model.generator import generate
    from dungeon_tui.games.chase.model.level import level_text

    given = shell.with_seed(given)
    shell.write_output(output, level_text(generate(given["seed"], given["size"], given["kind"])))


@app.command()
def tournament(
    files: Annotated[list[str] | None, shell.argument("FILE...", "Boards; default: all shipped ones.")] = None,
    monster: Annotated[
        list[str] | None, shell.option("--monster", "NAME", f"{_MONSTERS} Repeat it, or use commas.")
    ] = None,
    rogue: Annotated[list[str] | None, shell.option("--rogue", "NAME", f"{_ROGUES} Repeat it, or use commas.")] = None,
    moves: MovesOption = 300,
    seed: SeedOption = 0,
    time_limit: TimeOption = None,
    jobs: Annotated[
        int | None, shell.option("--jobs", "N", "Processes; default: one per processor.", min=1, max=61)
    ] = None,
    as_json: shell.JsonOption = False,
) -> None:
    """Let each monster hunt each rogue on each board, and print the results."""
    import os
    from dataclasses import asdict
    from itertools import chain

    from dungeon_tui.games.chase.ai.tournament import play_board, table_text
    from dungeon_tui.games.chase.model.dungeon import read_boards, shipped_names
    from dungeon_tui.workers import ProcessEndedError, ProcessError, run_all

    # Read the boards, and check all names before the first chase.
    named = {"monster": _named("monster", monster), "rogue": _named("rogue", rogue)}
    boards = read_boards(files or shipped_names(), moves)
    for seat, names in named.items():
        for name in names:
            _refuse_unknown(seat, name)
    # Play all chases, board by board, perhaps in processes.
    play = partial(play_board, named["monster"], named["rogue"], seed, time_limit)
    jobs = min(jobs or os.cpu_count() or 1, len(boards))
    found: dict[int, list[Result]] = {}
    is_stopped = False
    try:
        with shell.status("playing") as tell:
            for number, results in run_all(play, boards, jobs) if jobs > 1 else enumerate(map(play, boards)):
                found[number] = results
                tell(f"{len(found):,} of {counted(len(boards), 'board')}")
    except KeyboardInterrupt:
        is_stopped = True
    except ProcessEndedError:
        fail(DIED)
    except (ProcessError, ValueError) as error:  # a strategy can't be loaded again, or the cage is gone
        fail(str(error))
    in_order = [found[number] for number in sorted(found)]
    if as_json:
        games = [asdict(result) for result in chain(*in_order)]
        print(json.dumps({"moves": moves, "seed": seed, "games": games}))
    else:
        sys.stdout.write(table_text(in_order, moves))
    shell.end_if_stopped(is_stopped, f" after {counted(len(found), 'board')}")


def replay_plain(game: Any, output: TextIO) -> None:
    from dungeon_tui.games.chase.view.transcript import run_text

    output.write(run_text(game.turn.line()))


def _play_chosen(console: Console) -> PlainEnd:
    from dungeon_tui.games.chase.model.dungeon import read_board, shipped_names

    board = ask(f"Boards: {', '.join(shipped_names())}\n{ASK_BOARD}", console, read_line)
    if not board:
        return PlainEnd(0)
    return _play_plain(partial(read_board, board), seats(None, None), 0, console)


def _play_plain(
    load: Callable[[], Level],
    players: Mapping[str, str],
    seed: int,
    console: Console,
    actions: Sequence[str] = (),
) -> PlainEnd:
    from contextlib import ExitStack

    from dungeon_tui.games.chase.model.state import Side
    from dungeon_tui.games.chase.view.transcript import play

    with shell.one_line_errors(), ExitStack() as stack:
        level = load()
        seated = {
            Side(seat): None if name == YOU else stack.enter_context(_load_player(seat, name))
            for seat, name in players.items()
        }
        return play(level, seated, seed, console, actions, players)


def _named(seat: str, given: Sequence[str] | None) -> tuple[str, ...]:
    """The names in repeated options and lists with commas, each once; by default all built-in ones."""
    names = [name.strip() for text in given or NAMES[seat] for name in text.split(",")]
    if not all(names):
        raise typer.BadParameter("a name is empty", param_hint=f"--{seat}")
    return tuple(dict.fromkeys(names))


def _load_player(seat: str, name: str, time_limit: float | None = None) -> Player:
    from dungeon_tui.games.chase.ai.referee import load_player
    from dungeon_tui.games.chase.model.state import Side

    return load_player(Side(seat), name, time_limit)


def _refuse_unknown(seat: str, name: str) -> None:
    """Ends the command with one line if there is no such strategy; loads one from a file to check."""
    if name not in (YOU, *NAMES[seat]):
        with shell.one_line_errors(), _load_player(seat, name):
            pass


_SIDES = {"both": ("monster", "rogue"), "monster": ("monster",), "rogue": ("rogue",)}


SideName = StrEnum("SideName", ["both", "monster", "rogue"])
SideOption = Annotated[SideName, typer.Option("--side", help="The program's side.")]


class ChaseJudge:
    """The judge of programs that play a side of the chase: cli/judging.py's TextJudge describes its parts."""

    limit = 1.0
    strategies = frozenset().union(*NAMES.values())  # programs that need no file

    def judging(
        self,
        limits: Limits,
        side: SideOption = SideName.both,
        inputs: Annotated[
            list[str] | None, shell.option("--inputs", "FILE...", "Boards; default: all shipped ones.")
        ] = None,
        moves: Annotated[int, shell.option("--moves", "N", "Monster moves of a chase.", min=1, max=10_000)] = 300,
        is_classic: Annotated[
            bool, typer.Option("--classic", help="Against the classic strategies, too, not only exact play.")
        ] = False,
        record: Annotated[
            Path | None,
            shell.option(
                "--record",
                "DIR",
                "The folder for recordings of the chases, which open at the mistake.",
                parser=shell.read_path,
            ),
        ] = None,
        seed: SeedOption = 0,
        has_baselines: Annotated[
            bool, typer.Option("--baselines", help="Judge our strategies, too, for comparison.")
        ] = False,
        points: Annotated[
            PointsName,
            typer.Option("--points", help="The share of its value that a chase preserved, or boards without a loss."),
        ] = PointsName.share,
    ) -> tuple[Callable[[str], Verdict], str]:
        """Returns the function that judges a program on the boards, and a text of everything its verdicts depend on."""
        from dungeon_tui.games.chase.ai.judged import ChaseProblem, judged
        from dungeon_tui.games.chase.model.dungeon import shipped_names
        from dungeon_tui.games.chase.model.state import Side

        problem = ChaseProblem(tuple(map(Side, _SIDES[side])), seed, record, points)
        cases = problem.cases(tuple(dict.fromkeys(inputs or shipped_names())), moves, has_classic=is_classic)
        boards = "".join(f"{case.name}\0{case.text}" for case in cases)
        return partial(judged, problem, cases, limits), f"{moves} {seed} {points} {boards}"

    def breaking(
        self,
        limits: Limits,
        program: str,
        seconds: float,
        tell: Callable[[str], object],
        side: SideOption = SideName.both,
        seed: SeedOption = 0,
    ) -> Found:
        """Finds the smallest board on which the program throws away a won position."""
        from dungeon_tui.games.chase.ai.judged import broken
        from dungeon_tui.games.chase.model.state import Side

        return broken([*map(Side, _SIDES[side])], limits, program, seconds, seed, tell)

    def baselines(self, side: str, has_baselines: bool, **_: object) -> tuple[str, ...]:
        """Names of our strategies to judge next to the programs."""
        return () if not has_baselines else PAIRS if side == "both" else NAMES[side]


JUDGE = ChaseJudge()
