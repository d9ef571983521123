"""Hints: the idea of a level, and where to go, then the move, then the line to the end; in a task, its solution."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.core.words import counted
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.tasks import Prospects, idea
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import CAPTURE
from dungeon_tui.games.chase.model.players import SAFETY
from dungeon_tui.games.chase.model.state import Side, State, Status, own_moves
from dungeon_tui.games.chase.view.analysis import ChaseAnalysis
from dungeon_tui.games.chase.view.picture import shown_tiles
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer, CellText
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import Advice

LOOKS = {Side.ROGUE: Meaning.YOU, Side.MONSTER: Meaning.FOE}  # of a path, as of its piece


def advise(state: State, step: int, analysis: ChaseAnalysis) -> Advice:
    """Advice for the side to move: first the idea and a target, then the move, then the whole line."""
    if (goal := analysis.goal(state.level)) is not None and not goal.is_open(state):
        return Advice("The goal is lost: {last_chance} goes back to your last chance.", is_all=True, is_help=False)
    if state.status is not Status.PLAYING:
        return Advice("The chase is over: {undo} takes a move back.", is_all=True, is_help=False)
    try:
        line = analysis.line(state)
    except ValueError:
        return Advice(state.level.lesson or "No hint: this board is too large to solve.", is_all=True)
    by = analysis.judged_by(state.level, state.side)
    if by is None:
        return Advice(f"It is the {state.side.value}'s move.", is_all=True, is_help=False)
    if not line:
        return Advice("You have reached the goal.", is_all=True, is_help=False)
    states = [*accumulate(line, lambda before, action: rules.step(before, action)[0], initial=state)]
    end = line[-1].to if states[-1].status is Status.CAPTURED else None
    sites = [state.site, *(move.to for move in line[::2])]
    if step == 0:
        return _aim(state, by, sites, end, analysis.glyphs)
    layer, to, glyphs = CellLayer(), line[0].to, analysis.glyphs
    if step == 1:
        _mark(layer, state, to, Tint.PATH, glyphs)
        way = next((each for each in EIGHT_WAYS if state.site.neighbour(each) == to), None)
        if way is None:
            text = "Stay ({stay})"
        else:
            key = f" ({{move.{way.name.lower().replace('_', '-')}}})" * all(way.value)
            text = f"Go {glyphs.step(state.site, to)}{key}"
        return Advice(f"{text}{analysis.advised(state, to)}", layer)

    # Draw your own path, up to where it repeats.
    again, number = "", own_moves(state, state.side) + 1
    positions = [(each.monster, each.rogue) for each in states[::2]]
    if (lap := next((at for at, each in enumerate(positions) if each in positions[:at]), 0)) and end is None:
        sites, again = sites[: lap + 1], f", then again from move {number + positions.index(positions[lap])}"
    layer = drawn_way(state, state.side, sites, number)
    if end not in (None, state.monster, state.rogue):
        layer.mark(end, CAPTURE, Meaning.NOTE, Tint.DANGER)

    steps = [glyphs.step(*each) for each in pairwise(sites)]
    numbers = f"Moves {number} to {number + len(steps) - 1}" if len(steps) > 1 else f"Move {number}"
    return Advice(f"{numbers}: {', '.join(steps)}{again}.", layer)


def drawn_way(state: State, side: Side, sites: Sequence[Cell], first: int = 1) -> CellLayer:
    """Layer with the number of each move, from `first` on, on the cell that it leads a side to."""
    layer, numbers = CellLayer(), dict[Cell, list[str]]()
    for number, site in enumerate(sites[1:], first):
        numbers.setdefault(site, []).append(f"{number}")
    for site, (least, *later) in numbers.items():
        is_bare, more = site not in (state.monster, state.rogue), "".join(f",{each}" for each in later)
        text = CellText(least.rjust(len(f"{number}") - len(more)), mark=more)
        layer.mark_over(site, is_bare, least[-1], LOOKS[side], Tint.PATH, text)
    return layer


def _aim(state: State, by: Prospects, sites: Sequence[Cell], end: Cell | None, glyphs: Glyphs) -> Advice:
    """At first the idea of a level, and where the way along `sites` leads; `end`: of a capture."""
    layer, told = CellLayer(), idea(state)
    mark, moves = end or sites[-1], counted(len(sites) - 1, "move")
    place = "here" if mark == state.site else "at the mark"
    if end is not None:
        caught = "You can catch the rogue" if state.side is Side.MONSTER else "At best you are caught"
        text = f"{caught} {place} in {moves}."
    elif state.side is Side.MONSTER:
        layer.tint(solver.safe_sites(state), Tint.SAFE)
        return Advice("The rogue is safe on marked cells: leave it few of them.", layer)
    elif by.task.aim == SAFETY:
        text = f"You can be safe {place} in {moves}."
    elif told:
        mark, text = state.site, ""
    elif len(by.open_moves(state)) == len(rules.neighbours(state.level, state.site)):
        return Advice("You can't go wrong yet: every move is as good.", is_all=True, is_help=False)
    else:
        mark = max(sites, key=solver.path_lengths(state.level, state.site))
        text = "You can survive here." if mark == state.site else "A way to survive leads to the mark."
    if mark != state.site:
        _mark(layer, state, mark, Tint.FRONTIER, glyphs)
    return Advice(f"{told and f'The idea: {told} '}{text}".rstrip(), layer)


def _mark(layer: CellLayer, state: State, cell: Cell, tint: Tint, glyphs: Glyphs) -> None:
    """Tints a cell, without the marks of other layers on it."""
    ground = shown_tiles(glyphs)[int(state.level.tiles[cell])]
    layer.mark_over(cell, cell not in (state.monster, state.rogue), ground, Meaning.FLOOR, tint)
