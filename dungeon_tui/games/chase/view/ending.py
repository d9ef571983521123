"""The end of a chase in words: the result compared with the best one, and scores."""

from collections.abc import Collection

from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.tasks import solved_idea
from dungeon_tui.games.chase.model.state import Action, Side, State, Status, own_moves
from dungeon_tui.games.chase.view.analysis import ChaseAnalysis
from dungeon_tui.ui.play.features import Outlook


def text(state: State, outcome: Outcome, persons: Collection[str], is_won: bool) -> tuple[str, str]:
    """Title and text of the end dialog."""
    is_rogue, is_monster = (persons == (side.value,) for side in (Side.ROGUE, Side.MONSTER))
    caught = f"{'You' if is_monster else 'The monster'} caught the rogue"
    titles = {
        Status.CAPTURED: "You were caught" if is_rogue else caught,
        Status.EVADED: f"{'You' if is_rogue else 'The rogue'} got away",
        Status.SAFE: "You are safe" if is_rogue else "The rogue is safe",
        Status.FORFEIT: f"The {state.side.value} forfeits",
    }
    title, lines = titles.get(state.status, "Lost"), [ended(state, outcome, persons)]
    if (task := state.level.task) is not None:
        title = "Solved" if outcome.is_win == (task.seat == Side.ROGUE.value) else title
        lines += filter(None, [solved_idea(state.level, outcome)])
    elif is_monster and state.status is Status.CAPTURED and state.by is Side.MONSTER:
        lines = [f"In {counted(state.monster_moves, 'move')}."]  # after the title; the panel has the par
    elif is_won and is_rogue and state.by is Side.MONSTER:
        title = "Goal reached"
    return title, "\n".join(lines)


def ended(state: State, outcome: Outcome, persons: Collection[str]) -> str:
    """A sentence on the end, for one person in their own words; the rogue counts the moves survived."""
    lasted, is_catch = state.monster_moves - (state.status is Status.CAPTURED), state.by is Side.MONSTER
    own: dict[tuple[str | Status, ...], str] = {
        ("rogue", Status.CAPTURED): f"The monster caught you after your move {lasted}."
        if is_catch
        else f"You stepped onto the monster in your move {state.monster_moves}.",
        ("rogue", Status.EVADED): f"You survived {counted(lasted, 'move')}.",
        ("rogue", Status.SAFE): f"You are safe after {counted(lasted, 'move')}.",
        ("rogue", Status.MISSED): f"You are not safe after {counted(lasted, 'move')}.",
        ("monster", Status.CAPTURED): f"You caught the rogue in {counted(state.monster_moves, 'move')}." * is_catch,
    }
    return own.get((*persons, state.status), "") or outcome.reason


def outlook(analysis: ChaseAnalysis, turn: Turn[State, Action]) -> Outlook:
    """Says if the goal is lost; without a goal the result under perfect play."""
    if (goal := analysis.goal(turn.state.level)) is None:
        return Outlook(f"Perfect play from here: {solver.value_text(solver.value(turn.state))}.")
    if (lost := analysis.lost_from(turn)) is None:
        return Outlook("You can still reach the goal.")
    how, move = f": {analysis.consequence(lost)}", f"move {own_moves(lost.state, goal.side)}"
    text = f"{{why}} shows why, {{last_chance}} goes back before {move}."  # the frame says that it is lost, and how
    return Outlook(text, True, lost.parent, lost, f"lost by {move}{how}", how, move)
