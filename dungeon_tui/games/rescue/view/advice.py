"""Hints in three steps: what to think of, then the move or where to go, then the whole path."""

from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.ai.algorithms import Path
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.rules import State, Status
from dungeon_tui.games.rescue.view import picture, words
from dungeon_tui.games.rescue.view.guide import HOPELESS
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.features import Advice


def advise(glyphs: Glyphs, state: State, step: int) -> Advice:
    """A step of the hint, or only that no path is left. Raises ValueError if it can't be computed."""
    if state.is_over:
        return Advice("The game is over.", is_all=True, is_help=False)
    path = solver.line_on(state)
    if path is None:
        return Advice(way_back(state), is_all=True, is_help=False)
    is_ready, whole = state.status is Status.READY, picture.path_on(state)
    where, then = ("where he goes", "health and path") if is_ready else ("the move", "the path")
    has_choice = is_ready and state.level.fee is not None and (state.level.grid > 0).sum() > 1
    first = next((cell for cell in path if has_choice and state.value(cell) > 0), None)
    match step:
        case 0 if state.level.fee is None:
            curve = solver.health_curve(state.level, path, 0)
            mark = picture.WayLayer({path[curve.index(min(curve))]: "*"})
            return Advice("On a best path his health is lowest on the marked cell.", mark, then=where)
        case 0:
            return Advice(sentence(aim(state, path)), then=where)
        case 1 if first is not None:
            return Advice("A cheapest path takes the marked power-up first.", picture.WayLayer({first: "*"}), then=then)
        case 1:
            return Advice(f"He goes {words.way_text(whole[:2]).removesuffix(' 1')}.", then=then)
    health = f"He sets out with {solver.least_start(state.level)} health. " * is_ready
    return Advice(f"{health}The path is drawn on the map.", picture.arrows(whole, glyphs))


def way_back(state: State) -> str:
    """Hint: the turn to go back to so that he can survive, if no path is left. Raises ValueError if unknown."""
    moves = solver.moves_since_hope(state)
    if moves > len(rules.path_of(state)) - 1:
        return f"No path is left with {state.initial} health: {{restart}} lets you choose again."
    return f"{HOPELESS}; {counted(moves, 'move')} ago he could: {{undo}} goes back."


def aim(state: State, path: Path) -> str:
    """A clause on the power-ups of a cheapest path, or else on the bites of its traps."""
    left = int((state.level.grid > 0).sum()) - len(state.taken)
    if left and state.level.purse - state.spent >= (state.level.fee or 0):
        there = sum(state.value(cell) > 0 for cell in dict.fromkeys(path))
        whole = "every power-up" if left > 1 else "the power-up"
        which = {0: "no power-up", left: whole}.get(there, f"{there} of the {left} power-ups")
        return f"a cheapest path takes {which}"
    bites = [-state.value(cell) for cell in path if state.value(cell) < 0]
    return (
        f"a cheapest path has {counted(len(bites), 'bite')}, of {max(bites)} at most" if bites else "a path has no bite"
    )
