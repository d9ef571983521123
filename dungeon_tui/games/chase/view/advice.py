"""Hints: where to go or to drive the rogue, then the move, then the line to the end; in a task, its solution."""

from collections.abc import Sequence
from itertools import cycle

from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.tasks import best_line, prospects
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Move, Side, State, Status
from dungeon_tui.games.chase.model.tasks import against
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import Advice


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
        only = " It is the only good move." * (len(_good_moves(state)) == 1)
        way = next((each for each in EIGHT_WAYS if state.site.neighbour(each) == to), None)
        if way is None:
            text = "Stay: {stay}."
        else:
            key = f" ({{move.{way.name.lower().replace('_', '-')}}})" * all(way.value)
            text = f"Go {glyphs.step(state.site, to)}{key}."
        return Advice(text + only, layer)

    # Draw the whole line, your own path on top.
    layer.tint([move.to for move in line[1::2]], Tint.FOE)
    layer.tint([move.to for move in line[::2]], Tint.PATH)
    is_caught = _is_caught(state, line)
    if is_caught:
        layer.mark(line[-1].to, glyphs.cross, Meaning.FOE, None)
    end = "up to the capture" if is_caught else "up to the end" if state.level.task else "without a capture"
    return Advice(f"Drawn: your path and the {state.side.other.value}'s for {_moves(state, line)}, {end}.", layer)


def _good_moves(state: State) -> list[Cell]:
    if state.level.task is not None and state.side.value == state.level.task.seat:
        return prospects(state.level).open_moves(state)
    return solver.best_moves(state)


def _is_caught(state: State, line: Sequence[Move]) -> bool:
    for action in line:
        state, _ = rules.step(state, action)
    return state.status is Status.CAPTURED


def _moves(state: State, line: Sequence[Move]) -> str:
    sides = cycle((state.side, state.side.other))
    return counted([side for side, _ in zip(sides, line, strict=False)].count(Side.MONSTER), "move")


def _aim(state: State, line: Sequence[Move], safe: Sequence[Cell]) -> Advice:
    layer, is_monster = CellLayer(), state.side is Side.MONSTER
    head, moves = capitalised(against(state.level)), _moves(state, line)
    if _is_caught(state, line):
        layer.tint([line[-1].to], Tint.DANGER)
        text = f"{head} you survive {moves} at most: make for the mark."
        if is_monster:
            text = f"{head} you catch the rogue at the mark in {moves}: cut off every other way."
    elif is_monster or solver.value(state) == UNREACHED:
        layer.tint(safe, Tint.SAFE)
        text = f"{head} every marked cell is safe: end each move on one."
        if is_monster:
            text = f"{head} the rogue is safe on marked cells: leave it few of them."
    else:
        layer.tint([line[::2][-1].to], Tint.SAFE)
        text = f"{head}: make for the mark."
    return Advice(text, layer)
