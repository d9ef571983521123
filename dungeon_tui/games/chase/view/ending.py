"""The end of a chase in words: the result compared with perfect play, mistakes and scores."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from dungeon_tui.core.lesson import faults_text
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn, marked
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.tasks import prospects
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import WALL, Level
from dungeon_tui.games.chase.model.state import Action, Side, State, Status, own_moves
from dungeon_tui.games.chase.model.tasks import solved_idea
from dungeon_tui.games.chase.view.analysis import ChaseAnalysis, lost_from
from dungeon_tui.ui.play.features import Outlook

_MAX_SITES = 2_000  # of a board that is solved before the end dialog opens


@dataclass(frozen=True, slots=True)
class Review:
    """A finished chase compared with exact play; empty if that is slow to compute."""

    value: int | None = None  # exact value of the start
    faults: str = ""  # a sentence on the slips and mistakes of the only person
    own_faults: int = 0
    decisions: int = 0  # only-moves of a task without an idea

    def scores(self, state: State, persons: Collection[str]) -> Sequence[Score]:
        """The scores of a person against a strategy: moves to the capture or survived, and faults; tasks have none."""
        if state.status not in (Status.CAPTURED, Status.EVADED) or len(persons) != 1 or state.level.task is not None:
            return ()
        faults = () if self.value is None else (Score("slips and mistakes", self.own_faults, 0),)
        if Side.MONSTER.value in persons:
            par = None if self.value == UNREACHED else self.value
            score = Score("moves to the capture", state.monster_moves, par)
            return (score, *faults) if state.status is Status.CAPTURED else ()
        par = None if self.value is None else goal_moves(state.level, self.value, is_rogue=True)
        return (Score("moves survived", survived(state), par, is_less_better=False), *faults)

    def text(self, state: State, outcome: Outcome, persons: Collection[str]) -> tuple[str, str]:
        """Title and text of the end dialog."""
        is_rogue, is_monster = (persons == (side.value,) for side in (Side.ROGUE, Side.MONSTER))
        caught = f"{'You' if is_monster else 'The monster'} caught the rogue"
        titles = {
            Status.CAPTURED: "You were caught" if is_rogue else caught,
            Status.EVADED: f"{'You' if is_rogue else 'The rogue'} got away",
            Status.SAFE: "You are safe" if is_rogue else "The rogue is safe",
            Status.FORFEIT: f"The {state.side.value} forfeits",
        }
        title, lines = titles.get(state.status, ""), [ended(state, outcome, persons)]
        if (task := state.level.task) is not None:
            is_met = outcome.is_win == (task.seat == Side.ROGUE.value)
            title = "Solved" if is_met else "Lost"
            found = f"Only one move was right {counted(self.decisions, 'time')}."
            lines += filter(None, [solved_idea(state.level, outcome) or found * bool(is_met and self.decisions)])
            lines += ["It would be safe on a shaded cell."] * (state.status is Status.MISSED)
        elif self.value is not None:
            if is_rogue and state.status is Status.CAPTURED and state.monster_moves >= self.value:
                title = "Par reached"
            if state.status is Status.CAPTURED and len(persons) == 1:
                lines = [_compared(state, self.value, is_rogue=is_rogue)]
        return title, "\n".join([*lines, *([self.faults] if self.faults else [])])


def ended(state: State, outcome: Outcome, persons: Collection[str]) -> str:
    """A sentence on the end, for one person in their own words; the rogue counts the moves survived."""
    lasted, is_catch = survived(state), state.by is Side.MONSTER
    own: dict[tuple[str | Status, ...], str] = {
        ("rogue", Status.CAPTURED): f"The monster caught you after your move {lasted}." * is_catch,
        ("rogue", Status.EVADED): f"You survived {counted(lasted, 'move')}.",
        ("monster", Status.CAPTURED): f"You caught the rogue in {counted(state.monster_moves, 'move')}." * is_catch,
    }
    return own.get((*persons, state.status), "") or outcome.reason


def survived(state: State) -> int:
    """Moves of the rogue in a finished chase, but for one onto the monster."""
    return state.monster_moves - (state.status is Status.CAPTURED)


def goal_moves(level: Level, value: int, *, is_rogue: bool) -> int:
    """Moves up to a person's goal: to the capture, or to the last one before it; the level's if that never comes."""
    return min(value - is_rogue, level.moves)


def start_value(state: State) -> int | None:
    """The exact value of the start; None on boards that are slow to solve. Solves the board the first time."""
    is_small = np.count_nonzero(state.level.tiles != WALL) <= _MAX_SITES
    return solver.value(rules.start(state.level, state.seed)) if is_small else None


def is_won(state: State, outcome: Outcome, seats: Collection[str]) -> bool:
    """True if the person on these seats has won: the rogue also if perfect play can't survive longer on the board."""
    is_rogue = Side.ROGUE.value in seats
    if is_rogue and len(seats) == 1 and state.status is Status.CAPTURED and state.level.task is None:
        value = start_value(state)
        return value is not None and state.monster_moves >= value
    return outcome.is_win == is_rogue  # the monster wins if the rogue does not


def review(analysis: ChaseAnalysis, turn: Turn[State, Action], persons: Collection[str]) -> Review:
    """The review of a chase that ends with this turn; empty for large boards. Solves the board the first time."""
    state, line = turn.state, turn.line()
    with suppress(ValueError):
        if (value := start_value(state)) is None:
            return Review()
        if state.level.task is not None and persons == (state.level.task.seat,):
            task = prospects(state.level)
            made = (each.state for each in line[:-1] if each.state.side is task.side)
            return Review(decisions=sum(map(task.has_only_move, made)))  # the end page tells the move that lost it

        # Count the mistakes and slips of the only person.
        judged = marked([analysis.judge(each) for each in line])
        sides = [each.state.side.value for each in line]  # to move next
        own = [each for side, each in zip(sides, judged[1:], strict=False) if each.kind and persons == (side,)]
        return Review(value, f"You made {faults_text(own)}." * bool(own), len(own))
    return Review()


def outlook(analysis: ChaseAnalysis, turn: Turn[State, Action], persons: Collection[str], price: str) -> Outlook:
    """Says if a person's task or goal is lost, and the price of going back; else the result under perfect play."""
    is_task, side = turn.state.level.task is not None, Side(*persons) if len(persons) == 1 else None
    if not is_task and side is None:
        return Outlook(f"Perfect play from here: {solver.value_text(solver.value(turn.state))}.")
    if (lost := lost_from(turn, side)) is None:
        return Outlook("You can still solve the task." if is_task else "No move of yours has lost the goal.")
    how = f": {analysis.consequence(lost)}"
    move = f"move {own_moves(lost.state, lost.state.side.other)}"
    if not is_task:
        text = f"Against perfect play, your {move} lost the goal: {{last_chance}} takes it back{price}."
        return Outlook(text, False, lost.parent, lost, better=how, move=move)  # the opponent may give it back
    mark = f"lost by {move}{how}"
    text = f"The task is lost: {{last_chance}} takes the move back{price}, {{why}} shows why."  # the frame has the mark
    return Outlook(text, True, lost.parent, lost, mark, how, move)


def _compared(state: State, value: int, *, is_rogue: bool) -> str:
    """A capture compared with the exact value of the start."""
    if is_rogue:
        moves, most = survived(state), goal_moves(state.level, value, is_rogue=True)
        perfect = "perfect play survives all" if value > state.level.moves else "perfect play survives"
        best = f"{perfect if moves < most else 'a perfect monster allows'} {most}"
        return f"You survived {counted(moves, 'move')}; {best}."
    moves = state.monster_moves
    best = "perfect play never catches it" if value == UNREACHED else f"against a perfect rogue {value} are enough"
    return f"You caught the rogue in {counted(moves, 'move')}; {best}."
