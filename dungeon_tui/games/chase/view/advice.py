"""Hints: where to go or to drive the rogue, then the move, then the line to the end; in a task, its solution."""

from collections.abc import Sequence

from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.tasks import best_line, prospects
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import CAPTURE
from dungeon_tui.games.chase.model.players import SURVIVE
from dungeon_tui.games.chase.model.state import Move, Side, State, Status
from dungeon_tui.games.chase.model.tasks import against
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import Advice

_AHEAD = 4  # moves to the mark of a hint


def advise(state: State, step: int, glyphs: Glyphs = UNICODE) -> Advice:
    """Advice for the side to move: first a target on the board, then the move, then the whole line."""
    if state.status is not Status.PLAYING:
        return Advice("The chase is over: {undo} takes a move back.", is_all=True)
    try:
        line, safe = best_line(state), solver.safe_sites(state)
    except ValueError:
        return Advice(state.level.lesson or "No hint: this board is too large to solve.", is_all=True)
    if not line:
        return Advice("The task is lost from here: {undo} takes a move back.", is_all=True)
    if step == 0:
        return _aim(state, line, safe)
    layer, to = CellLayer(), line[0].to
    if step == 1:
        layer.tint([to], Tint.PATH)
        way = next((each for each in EIGHT_WAYS if state.site.neighbour(each) == to), None)
        if way is None:
            text = "Stay ({stay})"
        else:
            key = f" ({{move.{way.name.lower().replace('_', '-')}}})" * all(way.value)
            text = f"Go {glyphs.step(state.site, to)}{key}"
        return Advice(f"{text}: {_reason(state)}.", layer)

    # Draw the whole line, your own path on top.
    layer.tint([move.to for move in line[1::2]], Tint.FOE)
    layer.tint([move.to for move in line[::2]], Tint.PATH)
    is_caught = _is_caught(state, line)
    if is_caught:
        layer.mark(line[-1].to, CAPTURE, Meaning.FOE, None)
    end = "up to the capture" if is_caught else "up to the end" if state.level.task else "without a capture"
    return Advice(f"Drawn: your path and the {state.side.other.value}'s for {_moves(line)}, {end}.", layer)


def _is_own_task(state: State) -> bool:
    return state.level.task is not None and state.side.value == state.level.task.seat


def _reason(state: State) -> str:
    """The reason why the best line begins with its move rather than with another one."""
    is_task = _is_own_task(state)
    good = prospects(state.level).open_moves(state) if is_task else solver.best_moves(state)
    nearest = "farthest from the monster" if state.side is Side.ROGUE else "nearest to the rogue"
    if len(good) > 1:
        return f"of {len(good)} good moves it ends {nearest}"
    return f"any other move {'loses the task' if is_task else 'is worse against perfect play'}"


def _is_caught(state: State, line: Sequence[Move]) -> bool:
    for action in line:
        state, _ = rules.step(state, action)
    return state.status is Status.CAPTURED


def _moves(line: Sequence[Move]) -> str:
    """The number of moves of the side to move, which begins the line."""
    return counted(len(line[::2]), "move")


def _aim(state: State, line: Sequence[Move], safe: Sequence[Cell]) -> Advice:
    layer, is_monster = CellLayer(), state.side is Side.MONSTER
    head, moves = capitalised(against(state.level)), _moves(line)
    if _is_caught(state, line):
        layer.tint([line[-1].to], Tint.FRONTIER)
        text = f"{head} you survive {moves} at most, if you make for the mark."
        if is_monster:
            text = f"{head} you catch the rogue at the mark in {moves}: cut off every other way."
    elif is_monster or not _is_own_task(state):
        layer.tint(safe, Tint.FRONTIER)
        text = "You are safe from any monster: end each move on a marked cell."
        if is_monster:
            text = f"{head} the rogue is safe on marked cells: leave it few of them."
    else:
        is_survival = state.level.task is not None and state.level.task.aim == SURVIVE
        mark = line[::2][:_AHEAD][-1].to if is_survival else line[::2][-1].to
        layer.tint([mark], Tint.FRONTIER)
        why = "the monster can't cut you off on the way" if is_survival else "there you are safe"
        text = f"{head} make for the mark: {why}."
        if all(action.to == state.site for action in line[::2][:_AHEAD]):
            text = f"{head} you can wait here: the monster can't reach you yet."
    return Advice(text, layer)
