"""The end of a chase in words: what happened, beside what exact play comes to, and what went wrong; its scores."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass

from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.tasks import Prospects
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Action, Side, State, Status
from dungeon_tui.ui.play.analysis import Analysis

_MOST_SITES = 2_000  # of a board that is solved for its par while one waits for the end to be told
_SAFE = "safe for ever"


@dataclass(frozen=True, slots=True)
class Review:
    """A chase that is over beside exact play; what takes too long to be found is left out."""

    value: int | None = None  # of the start
    faults: str = ""  # of the person's, a sentence
    lost: int = 0  # the person's move after which the task couldn't be met any more

    def scores(self, state: State, persons: Collection[str]) -> Sequence[Score]:
        """Score of a person's chase against a strategy: moves to the capture, or survived; a task has none."""
        if state.status not in (Status.CAPTURED, Status.EVADED) or len(persons) != 1 or state.level.task is not None:
            return ()
        if Side.MONSTER.value in persons:
            if state.status is not Status.CAPTURED:
                return ()
            par = None if self.value == UNREACHED else self.value
            return (Score("moves to the capture", state.monster_moves, par),)
        most = None if self.value is None else min(self.value, state.level.moves)
        return (Score("moves survived", state.monster_moves, most, is_less_better=False),)

    def told(self, state: State, outcome: Outcome, persons: Collection[str]) -> tuple[str, str]:
        """Title and text of the dialogue at the end."""
        is_rogue, is_monster = (persons == (side.value,) for side in (Side.ROGUE, Side.MONSTER))
        titles = {
            Status.CAPTURED: "You were caught"
            if is_rogue
            else f"{'You' if is_monster else 'The monster'} caught the rogue",
            Status.EVADED: f"{'You' if is_rogue else 'The rogue'} got away",
            Status.SAFE: "You are safe" if is_rogue else "The rogue is safe",
            Status.MISSED: "Not safe in time",
            Status.FORFEIT: f"The {state.side.value} forfeits",
        }
        title, told = titles[state.status], [outcome.reason]
        if (task := state.level.task) is not None:
            is_met = outcome.is_win == (task.seat == Side.ROGUE.value)
            title = "Solved" if is_met else f"Not solved: {title[0].lower()}{title[1:]}"
            if self.lost:
                told.append(f"Your move {self.lost} gave it away: before it there was a way.")
        elif self.value is not None:
            told.append(_compared(state, self.value, persons))
        return title, "\n".join([*told, *([self.faults] if self.faults else [])])


def review(analysis: Analysis, turn: Turn[State, Action], persons: Collection[str]) -> Review:
    """The review of a chase that ends with a turn; boards that take long are not solved for it.

    Cost:
        Solves the board, and a task: the first time some tenths of a second.
    """
    state, line = turn.state, turn.line()
    if len(solver.move_graph(state.level)) > _MOST_SITES:
        return Review()
    with suppress(ValueError):
        own = [each for each in line[1:] if each.parent is not None and each.parent.state.side.value in persons]
        if state.level.task is not None and persons == (state.level.task.seat,):
            prospects = Prospects(state.level)
            lost = [] if prospects.is_open(state) else [each for each in line if not prospects.is_open(each.state)]
            return Review(lost=own.index(lost[0]) + 1 if lost and lost[0] in own else 0)
        value = solver.value(rules.start(state.level, state.seed))
        judgements = [analysis.judge(each) for each in own if rules.outcome(each.state) is None]
        mistakes, slips = (sum(each.is_mistake for each in judgements), sum(each.is_slip for each in judgements))
        parts = [counted(number, what) for number, what in ((mistakes, "mistake"), (slips, "slip")) if number]
        return Review(value, f"You made {' and '.join(parts)}." if parts else "")
    return Review()


def _compared(state: State, value: int, persons: Collection[str]) -> str:
    """An end beside the value of its start, in a sentence."""
    moves = state.monster_moves
    if state.status is Status.CAPTURED and persons == (Side.ROGUE.value,):
        if value == UNREACHED:
            return f"With exact play you would have been {_SAFE}."
        best = "exact play lasts" if moves < value else "against exact play nobody lasts longer than"
        return f"You lasted {moves}; {best} {value} here."
    if state.status is Status.CAPTURED and persons == (Side.MONSTER.value,):
        if value == UNREACHED:
            return f"The rogue could have been {_SAFE}."
        return f"Exact play does it in {value}."
    return f"Exact play from the start: {solver.value_text(value)}."
