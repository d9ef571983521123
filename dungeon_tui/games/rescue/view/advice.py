"""Hints in three steps: which side, or between what numbers; the move; the whole way, drawn."""

from __future__ import annotations

from dungeon_tui.core.words import counted
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.ai.algorithms import Path
from dungeon_tui.games.rescue.model.generator import greedy_path
from dungeon_tui.games.rescue.model.rules import State, Status
from dungeon_tui.games.rescue.view import picture, words
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.features import Advice

_FEW = 6  # runs of a way that are told in a line


def advise(glyphs: Glyphs, state: State, step: int) -> Advice:
    """A step of the hint; where no way on is left, that alone. Raises ValueError where none can be computed."""
    if state.is_over:
        return Advice("It is over.", is_all=True)
    if state.level.is_guessed:
        return _on_guessing(glyphs, state, step)
    path = solver.line_on(state)
    if path is None:
        return Advice("He survives no way on from here: undo, or start again.", is_all=True)
    is_ready = state.status is Status.READY
    whole = path if is_ready else (state.cell, *path)
    match step:
        case 0:
            return Advice(_aim(state, path))
        case 1 if is_ready:
            return Advice(f"He sets out with {solver.least_start(state.level)} health.")
        case 1:
            return Advice(f"He goes {words.way_text(whole[:2]).partition(' ')[0]}.")
    told = f"The way: {words.way_text(whole, _FEW)}."
    return Advice(told, picture.WayLayer(picture.arrows(state.level, whole, glyphs)))


def _aim(state: State, path: Path) -> str:
    """The power-ups of the cheapest way on, or the side of the grid that a best way takes."""
    if state.level.fee is not None:
        there = [cell for cell in dict.fromkeys(path) if state.value(cell) > 0]
        left = int((state.level.grid > 0).sum()) - len(state.taken)
        worth = f"{len(there)} of the {counted(left, 'power-up')} left" if there else "no power-up that is left"
        return f"The cheapest way on takes {worth}."
    rows, cols = state.level.grid.shape
    lean = sum(cell.col * max(1, rows - 1) - cell.row * max(1, cols - 1) for cell in path)
    side = "through the upper right" if lean > 0 else "through the lower left" if lean < 0 else "about the middle"
    return f"Begin at the princess, and count back what each cell needs. The best way goes {side}."


def _on_guessing(glyphs: Glyphs, state: State, step: int) -> Advice:
    """Bounds by one look at the grid, and by the answers; the guess that halves them; the way that says so."""
    low, high = solver.known(state)
    least, most = solver.bounds(state.level)
    if step == 0:
        return Advice(f"The first two cells alone ask for {least}; along the larger numbers, {most} is enough.")
    low, high = max(low, least), min(high, most)
    if step == 1:
        return Advice(f"It is from {low} to {high}: the middle is {(low + high) // 2}.")
    way = picture.WayLayer(picture.arrows(state.level, greedy_path(state.level.grid), glyphs))
    return Advice(f"The way of the larger numbers: {most} is enough for it.", way)
