"""Hints: where to go or to drive the rogue, then the move, then the line to the end; in a task, its solution."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from dungeon_tui.core.grid import EIGHT_WAYS, Cell, Direction
from dungeon_tui.core.words import counted
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.tasks import Prospects
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import CAPTURE
from dungeon_tui.games.chase.model.players import SAFETY
from dungeon_tui.games.chase.model.state import Move, Side, State, Status
from dungeon_tui.games.chase.view.analysis import ChaseAnalysis
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.distance_layer import way_layer
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import Advice

LOOKS = {Side.ROGUE: Meaning.YOU, Side.MONSTER: Meaning.FOE}  # of a path, as of its piece


def advise(state: State, step: int, analysis: ChaseAnalysis) -> Advice:
    """Advice for the side to move: first a target on the board, then the move, then the whole line."""
    if state.status is not Status.PLAYING:
        return Advice("The chase is over: {undo} takes a move back.", is_all=True, is_help=False)
    try:
        line, safe = analysis.line(state), solver.safe_sites(state)
    except ValueError:
        return Advice(state.level.lesson or "No hint: this board is too large to solve.", is_all=True)
    by = analysis.judged_by(state.level, state.side)
    if by is None:
        return Advice(f"It is the {state.side.value}'s move.", is_all=True, is_help=False)
    if not line:
        text = "You have reached the goal." if by.is_open(state) else "No hint: the goal is lost."
        return Advice(text, is_all=True, is_help=False)
    if step == 0:
        return _aim(state, by, line, safe)
    layer, to, glyphs = CellLayer(), line[0].to, analysis.glyphs
    if step == 1:
        layer.tint([to], Tint.PATH)
        way = next((each for each in EIGHT_WAYS if state.site.neighbour(each) == to), None)
        if way is None:
            text = "Stay ({stay})"
        else:
            key = f" ({{move.{way.name.lower().replace('_', '-')}}})" * all(way.value)
            text = f"Go {glyphs.step(state.site, to)}{key}"
        return Advice(f"{text}{analysis.advised(state, to)}", layer)

    # Draw your own path, once round if it repeats.
    is_caught = _states(state, line)[-1].status is Status.CAPTURED
    end = "up to the capture" if is_caught else "up to the end" if state.level.task else "without a capture"
    if not is_caught and len(lap := _lap(state, line)) < len(line):
        line, end = lap, "then round again"
    sites = [state.site, *(move.to for move in line[::2])]
    layer = drawn_way(state, state.side, sites, glyphs)
    if is_caught and line[-1].to not in (state.monster, state.rogue):
        layer.mark(line[-1].to, CAPTURE, Meaning.NOTE, Tint.DANGER)
    return Advice(f"Move 1: {glyphs.step(state.site, to)}. The line: {counted(len(line[::2]), 'move')}, {end}.", layer)


def drawn_way(state: State, side: Side, sites: Sequence[Cell], glyphs: Glyphs) -> CellLayer:
    """Layer with the way of a side, in the look of its piece."""
    pieces = state.monster, state.rogue
    ways = [
        (site, Direction((to.row - site.row, to.col - site.col)) if to != site else None)
        for site, to in pairwise(sites)
    ]
    layer = way_layer(ways, lambda cell: cell not in pieces, glyphs, LOOKS[side], Tint.PATH, is_numbered=True)
    if sites[-1] not in sites[:-1]:
        layer.tint(sites[-1:], Tint.PATH)
    return layer


def _states(state: State, line: Sequence[Move]) -> list[State]:
    return [*accumulate(line, lambda before, action: rules.step(before, action)[0], initial=state)]


def _lap(state: State, line: Sequence[Move]) -> Sequence[Move]:
    """The line up to the first position that occurred before on it, with the same side to move."""
    positions = [(each.monster, each.rogue) for each in _states(state, line)[::2]]
    ends = (2 * at for at, position in enumerate(positions) if position in positions[:at])
    return line[: next(ends, len(line))]


def _turn(sites: Sequence[Cell]) -> Cell | None:
    """The first site from which a way leads back, by more than a right angle; None: it never does."""
    steps = [(to, to.row - site.row, to.col - site.col) for site, to in pairwise(sites) if to != site]
    return next((at for (at, row, col), (_, *back) in pairwise(steps) if row * back[0] + col * back[1] < 0), None)


def _aim(state: State, by: Prospects, line: Sequence[Move], safe: Sequence[Cell]) -> Advice:
    layer, is_monster, moves = CellLayer(), state.side is Side.MONSTER, counted(len(line[::2]), "move")
    sites = [state.site, *(move.to for move in line[::2])]
    is_caught = _states(state, line)[-1].status is Status.CAPTURED
    mark = line[-1].to if is_caught else sites[-1]
    place = "here" if mark == state.site else "at the mark"
    if is_caught:
        text = f"You survive {moves} at most, if you end up {place}."
        if is_monster:
            text = f"You can catch the rogue {place}, in {moves}."
    elif is_monster:
        layer.tint(safe, Tint.SAFE)
        return Advice("The rogue is safe on marked cells: leave it few of them.", layer)
    elif by.task.aim == SAFETY:
        text = f"You will end up safe {place}."
    elif (kept := len(by.open_moves(state))) == (total := len(rules.neighbours(state.level, state.site))):
        return Advice("You can't go wrong yet: every move is as good.", is_all=True, is_help=False)
    elif (turn := _turn(sites)) is not None:
        mark, text = turn, "Lure the monster: go as far as the mark, then come back."
    else:
        keep = "keeps" if kept == 1 else "keep"
        mark, text = state.site, f"{kept} of your {total} moves {keep} you alive to the end."
    layer.tint([mark] if mark != state.site else (), Tint.FRONTIER)
    return Advice(text, layer)
