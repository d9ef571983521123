"""The chase as a problem for programs: a case is a board, the program's side and an opponent."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import cycle, product
from pathlib import Path
from textwrap import shorten

from dungeon_tui.core import recording
from dungeon_tui.core.files import make_folder, refuse_other, write_text
from dungeon_tui.core.plain import in_columns
from dungeon_tui.core.random import Random
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import breaker, judge, referee, solver
from dungeon_tui.games.chase.ai.judge import JudgedChase
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import read_boards, shipped_names
from dungeon_tui.games.chase.model.level import Level, level_text
from dungeon_tui.games.chase.model.players import NAMES
from dungeon_tui.games.chase.model.state import Side, Status
from dungeon_tui.judge.breaker import Found, search
from dungeon_tui.judge.problem import Case, Objection
from dungeon_tui.judge.program import Limits
from dungeon_tui.judge.verdicts import Test, Trial, Verdict, trials
from dungeon_tui.storage.recordings import SUFFIX

SHARE, BOARDS = "share", "boards"
"""What a chase earns: the share of its value that the program preserved, or a point if it lost nothing."""
_MAX_ROWS, _MAX_OUTCOME = 12, 60  # chases in a summary, and characters of each
_PLAYED, _BETTER = "x", "o"  # on the drawing of a mistake
_MAX_STEM = 120  # characters of a file's name


@dataclass(frozen=True, slots=True)
class Seat:
    """The board, side and opponent of a case."""

    level: Level
    side: Side  # the program's
    opponent: str
    is_made: bool = False  # made for a search, in which chases are short

    @property
    def case(self) -> Case:
        name = f"{self.side.value}/{self.opponent}/{self.level.name}"
        given = level_text(self.level).encode()
        return Case(name, breaker.size_of(self.level), given, group=self.side.value, about=self)


@dataclass(frozen=True, slots=True)
class ChaseProblem:
    """Boards on which a side wins with perfect play."""

    sides: tuple[Side, ...] = tuple(Side)
    seed: int = 0  # of the chases
    record: Path | None = None  # folder for recordings of the chases
    points: str = SHARE
    unit: str = "site"
    largest: int = breaker.LARGEST
    least_tries: int = 500

    def cases(self, names: Sequence[str], moves: int, *, has_classic: bool = False) -> list[Case]:
        """A case for each side, opponent and board: exact play first, then the classic strategies if wanted.

        Raises LevelError if a board can't be read, ValueError if it has more sites than the engine solves.
        """
        boards = read_boards(names, moves)
        for level in boards:
            try:
                solver.solve(level)
            except ValueError as error:
                raise ValueError(f"{level.name}: {error}") from None
        found = []
        for side in self.sides:
            classic = [name for name in NAMES[side.other.value] if has_classic and name != judge.EXACT]
            found += [Seat(level, side, name).case for name, level in product((judge.EXACT, *classic), boards)]
        return found

    def made(self, random: Random, size: int) -> Case:
        side = random.choice(self.sides)
        return Seat(breaker.made(side, random, size), side, judge.EXACT, is_made=True).case

    def smaller(self, case: Case) -> Iterator[Case]:
        seat: Seat = case.about
        return (replace(seat, level=level).case for level in breaker.smaller(seat.level, seat.side))

    @contextmanager
    def running(self, program: str, limits: Limits) -> Iterator[Callable[[Case], Trial]]:
        """Yields a function that plays a case's chase; it may raise StrategyError or CageError."""
        with ExitStack() as stack:

            @cache
            def player(side: Side, name: str, limit: float | None) -> Player:
                return stack.enter_context(referee.load_player(side, name, limit, limits.hidden))

            def run(case: Case) -> Trial:
                seat: Seat = case.about
                opponent = player(seat.side.other, seat.opponent, None)
                names = dict(zip(Side, program.split("/") * 2, strict=False))  # "greedy/flee": a name for each side
                is_ours = all(names.get(side) in NAMES[side.value] for side in self.sides)
                name, side = (names[seat.side], seat.side) if is_ours else (program, self.sides[0])
                own = player(side, name, limits.seconds)
                own.side = seat.side  # a program plays both sides: each position names the side
                game, chase, seconds = judge.chase(seat.level, own, opponent, self.seed)
                is_late = chase.reason is not None and chase.reason.startswith("took longer than")
                return Trial(_objection(seat, game, chase), True, sum(seconds), is_late, (game, chase))

            yield run


def _objection(seat: Seat, game: judge.Game, chase: JudgedChase) -> Objection | None:
    if chase.reason is None:
        # In a short chase, only a repeated position proves that the rogue has escaped.
        is_unproven = seat.is_made and chase.outcome == Status.EVADED.value and not _goes_round(game)
        if not chase.lost or is_unproven:
            return None
    values = asdict(chase)
    details = {key: values[key] for key in ("side", "value", "first_mistake", "refutation")}
    details["chase"] = referee.run_values(game.turn.line())
    return Objection(_forced(chase), _outcome(chase), _text(chase), chase.reason is None, details)


def _goes_round(game: judge.Game) -> bool:
    """True if the last position occurred before: a player without memory would repeat it endlessly."""
    positions = [(turn.state.monster, turn.state.rogue) for turn in game.turn.line()[::2]]
    return positions.count(positions[-1]) > 1


def judged(problem: ChaseProblem, cases: Sequence[Case], limits: Limits, program: str) -> Verdict:
    """The verdict on a program: a chase for each case. Raises CageError or UnwritableError."""
    fault = ""
    try:
        with problem.running(program, limits) as run:
            found = [*trials(run, cases)]
    except StrategyError as error:
        fault = str(error)
        found = [Trial(None, False, 0.0, skipped=fault)] * len(cases)
    chases, tests = [], []
    for case, trial in zip(cases, found, strict=True):
        seat: Seat = case.about
        game, chase = trial.result or (None, judge.unplayed(seat.level, seat.side, seat.opponent, trial.skipped))
        made = "" if game is None else _recording(program, game, chase)
        if made and problem.record is not None:
            _write(problem.record, program, chase, made)
        is_forfeit = chase.reason is not None
        is_right = not (is_forfeit or chase.lost)
        chases.append(chase)
        said = _text(chase, None if is_right else seat.level)
        test = Test(case.name, is_right, round(trial.seconds, 3), said, not is_forfeit, game="" if is_right else made)
        if problem.points == SHARE:
            share = preserved(seat.level, chase)
            test = replace(test, share=share or 0.0, counts=share is not None)
        tests.append(test)
    loads = any(chase.reason is None or chase.judged for chase in chases)
    values = {
        "program": program,
        "loads": loads,
        "reason": fault or (None if loads else chases[0].reason),
        "chases": [] if fault else [asdict(chase) for chase in chases],
    }
    return Verdict(program, values, tuple(tests), fault or _summary(chases, [case.about.level for case in cases]))


def preserved(level: Level, chase: JudgedChase) -> float | None:
    """The share of its value that a program preserved, from 0 to 1; None if no move of its side changes the result.

    A monster that captures in twice the moves of perfect play preserves a half. A rogue that must be caught preserves
    its part of the moves between running into the monster and perfect play.
    """
    is_monster = chase.side == Side.MONSTER.value
    best = chase.value
    if is_monster and best is None:
        return None
    state = rules.start(level)
    steps = solver.path_lengths(level, state.rogue)(state.monster)
    soonest = (steps + 1) // 2
    if not is_monster and (steps == UNREACHED or (best is not None and best <= soonest)):
        return None
    if chase.reason is not None:
        return 0.0
    is_captured = chase.outcome == Status.CAPTURED.value
    if is_monster:
        return min(1.0, best / max(1, chase.monster_moves)) if best is not None and is_captured else 0.0
    if best is None:
        return float(not is_captured)
    return min(1.0, max(0.0, (chase.monster_moves - soonest) / (best - soonest))) if is_captured else 1.0


def broken(
    sides: Sequence[Side], limits: Limits, program: str, seconds: float, seed: int, tell: Callable[[str], object]
) -> Found:
    """The smallest board on which a program throws away a win; sides share the time. Raises StrategyError."""
    searches = [
        search(ChaseProblem((side,), seed), program, limits, seconds / len(sides), seed, tell) for side in sides
    ]
    # Prefer wrong moves to forfeits: a program may play only one side.
    beaten = [each for each in searches if each.beaten is not None]
    found = min(beaten, key=lambda each: (not each.is_answer, each.values["size"]), default=searches[0])
    tried = sum(each.values["tried"] for each in searches)
    values = {**found.values, "tried": tried, "largest": min(each.values["largest"] for each in searches)}
    if found.beaten is None:
        return replace(found, values=values)
    case, objection = found.beaten.case, found.beaten.objection
    head = f"{printable(program)}, the {case.about.side.value}"
    note = f"{head}\n{objection.drawing}"
    text = level_text(replace(case.about.level, note=note))
    return replace(found, values=values, text=text.rstrip("\n"), files=(("board.txt", text.encode()),))


def _recording(program: str, game: judge.Game, chase: JudgedChase) -> str:
    """The recording of a chase; it opens at the first mistake."""
    players = {chase.side: program, Side(chase.side).other.value: chase.opponent}
    title, arguments = f"{program}, the {chase.side}, on {chase.board}", f"{chase.board} --moves {game.level.moves}"
    made = recording.record(game, "chase", players, title, arguments=arguments * (chase.board in shipped_names()))
    fault = chase.first_mistake or chase.first_slip
    return recording.recording_text(replace(made, opens_at=0 if fault is None else fault.ply))


def _write(folder: Path, program: str, chase: JudgedChase, made: str) -> None:
    stem = re.sub(r"\W+", "-", f"{program} {chase.side} {chase.board} {chase.opponent}").strip("-")
    make_folder(folder)
    path = folder / f"{stem[-_MAX_STEM:]}{SUFFIX}"
    refuse_other(path, "recording")
    write_text(path, made)


# -- in words


def _outcome(chase: JudgedChase) -> str:
    moves = counted(chase.monster_moves, "monster move")
    if chase.reason is not None:
        after = f" after {moves}" if chase.judged else ""
        return f"forfeit{after}: {printable(chase.reason)}"
    return f"captured in {moves}" if chase.outcome == "captured" else f"{chase.outcome} for {moves}"


def _forced(chase: JudgedChase) -> str:
    return solver.value_text(UNREACHED if chase.value is None else chase.value)


def _text(chase: JudgedChase, level: Level | None = None) -> str:
    """A chase in lines: the result of exact play, the program's result, the first mistake and its refutation.

    With a level the board at the mistake, too.
    """
    lines = [f"exact play: {_forced(chase)}", f"played: {_outcome(chase)}"]
    fault = chase.first_mistake or chase.first_slip
    if fault is not None:
        what = "mistake" if fault.loss is None else f"slip (costs {counted(fault.loss, 'monster move')})"
        site, better = fault.at[chase.side], "; ".join(cell.text for cell in fault.better)
        move = f"stays on {site.text}" if fault.played == site else f"from {site.text} to {fault.played.text}"
        lines += [f"first {what} in move {fault.ply // 2 + 1}: {move}", f"better: {better}"]
    if chase.refutation:
        movers = cycle((Side(chase.side).other.value, chase.side))
        moves = (f"{mover} {site.text}" for mover, site in zip(movers, chase.refutation, strict=False))
        lines.append(f"refutation: {'; '.join(moves)}")
    if fault is not None and level is not None:
        rows = level.glyph_rows(fault.at[Side.MONSTER.value], fault.at[Side.ROGUE.value])
        for glyph, cells in ((_BETTER, fault.better), (_PLAYED, [fault.played])):
            for cell in cells:
                rows[cell.row][cell.col] = glyph
        lines += [
            "",
            *(" ".join(row).rstrip() for row in rows),
            "",
            f"{_PLAYED} the move played, {_BETTER} a better one",
        ]
    return "\n".join(lines)


def _summary(chases: Sequence[JudgedChase], levels: Sequence[Level]) -> str:
    wrong = [chase for chase in chases if chase.lost or chase.reason is not None]
    notes = "\n".join(f"note: {printable(note)}" for note in dict.fromkeys(chase.note for chase in chases) if note)
    if not wrong:
        return notes
    rows = [("seat", "board", "against", "exact play", "outcome", "slips")]
    for each in wrong[:_MAX_ROWS]:
        outcome = shorten(_outcome(each), _MAX_OUTCOME, placeholder=" ...")
        rows.append((each.side, each.board, each.opponent, _forced(each), outcome, str(each.slips)))
    more = f"and {len(wrong) - _MAX_ROWS} more\n" if len(wrong) > _MAX_ROWS else ""
    first = next((chase for chase in wrong if chase.first_mistake), wrong[0])
    counts = f"{len(wrong)} of {counted(len(chases), 'chase')} below perfect play"
    table, level = in_columns(rows, "<<<<<>"), levels[chases.index(first)]
    head = f"{notes}\n{counts}" if notes else counts
    return f"{head}:\n\n{table}{more}\nthe {first.side} on {first.board}\n{_text(first, level)}"
