"""Hints: where to go or to drive the rogue, the move, and the line to the end; of a task its solution."""

from __future__ import annotations

from collections.abc import Sequence

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.tasks import Prospects, best_line
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Action, Move, Side, State, Status
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import Advice


def advise(state: State, step: int, glyphs: Glyphs = UNICODE) -> Advice:
    """Advice for the side to move: an aim on the board, the move, the whole line; in a task, what meets it."""
    if state.status is not Status.PLAYING:
        return Advice("The chase is over: undo, or {step.back} steps back.", is_all=True)
    try:
        line = best_line(state)
        safe = _safe_sites(state)
    except ValueError:
        return Advice(state.level.lesson or "This board is too large to be solved: no hint.", is_all=True)
    if not line:
        return Advice("The task can't be met from here any more: undo, or {step.back} steps back.", is_all=True)
    layer = CellLayer()
    if step == 0:
        return Advice(_aim(state, line, safe, layer), layer)
    sites = _sites(state, line)
    if step == 1:
        layer.mark(sites[0][1], None, None, Tint.PATH)
        kept = _kept(state)
        only = f" Only that {'keeps' if state.side is Side.ROGUE else 'holds'} it." * (len(kept) == 1)
        name = glyphs.step(state.site, sites[0][1])
        return Advice(f"{'Stay' if name == 'stay' else f'Go {name}'}.{only}", layer)
    for tint, is_own in ((Tint.FOE, False), (Tint.PATH, True)):
        for side, site in sites:
            if (side is state.side) == is_own:
                layer.mark(site, None, None, tint)
    is_caught = _is_caught(state, line)
    if is_caught:
        layer.mark(sites[-1][1], glyphs.cross, Meaning.FOE, None)
    moves = counted(sum(side is Side.MONSTER for side, _ in sites), "monster move")
    end = "to the capture" if is_caught else "to the end" if state.level.task else "and so on"
    return Advice(f"Your way, and the other one's: {moves} {end}.", layer)


def _kept(state: State) -> list[Cell]:
    """The moves that are as good as any."""
    if state.level.task is not None and state.side.value == state.level.task.seat:
        return Prospects(state.level).kept(state)
    return solver.best_moves(state)


def _sites(state: State, line: Sequence[Action]) -> list[tuple[Side, Cell]]:
    """The side and the site of each move."""
    found, side = [], state.side
    for action in line:
        assert isinstance(action, Move)
        found.append((side, action.to))
        side = side.other
    return found


def _is_caught(state: State, line: Sequence[Action]) -> bool:
    for action in line:
        state, _ = rules.step(state, action)
    return state.status is Status.CAPTURED


def _safe_sites(state: State) -> list[Cell]:
    """The sites on which exact play never catches the rogue, with the monster where it is."""
    values, _ = solver.capture_map(state, Side.ROGUE)
    graph = solver.move_graph(state.level)
    return [cell for site in range(len(graph)) if values[cell := graph.cell(site)] == UNREACHED]


def _aim(state: State, line: Sequence[Action], safe: Sequence[Cell], layer: CellLayer) -> str:
    """A sentence on where to go or to drive the rogue; marks it."""
    own = [site for side, site in _sites(state, line) if side is state.side]
    if _is_caught(state, line):
        layer.mark(_sites(state, line)[-1][1], None, None, Tint.DANGER)
        moves = counted(sum(side is Side.MONSTER for side, _ in _sites(state, line)), "monster move")
        if state.side is Side.MONSTER:
            return f"It can be caught where the mark is, in {moves}: cut off every other way."
        return f"You can last {moves}, and get as far as the mark."
    if state.side is Side.MONSTER:
        for cell in safe:
            layer.mark(cell, None, None, Tint.SAFE)
        return "It is safe on the marked sites as long as it doesn't err: leave it few good replies."
    if solver.value(state) == UNREACHED:
        for cell in safe:
            layer.mark(cell, None, None, Tint.SAFE)
        return "With the monster where it is, you are safe on the marked sites: stay among them."
    layer.mark(own[-1], None, None, Tint.SAFE)
    return "Make for the mark."
