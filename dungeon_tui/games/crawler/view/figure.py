"""Plots par: the fewest moves by treasure, with the player's position."""

from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.ai.par import Par, point_for
from dungeon_tui.games.crawler.model.state import State, Status
from dungeon_tui.ui.widgets.figure import Axis, Figure, Mark, Series


def figure(state: State, par: Par, wanted: int) -> Figure | str:
    """Plot of par by number of treasures, with a mark at the `wanted` one or your result; or why there is none."""
    proven = [point for point in par.points if point.is_proven]
    if (point := point_for(par, wanted)) is None or not proven:
        return f"There is no {'way out' if par.is_all else 'known par'}: nothing to plot."
    made = f"{counted(state.moves, 'move')}, {counted(state.treasure, 'treasure')}"
    if state.status is Status.ESCAPED:
        mark = Mark(state.treasure, state.moves, f"your result: {made}")
    else:  # the moves of a game that goes on would squeeze the curve
        whose = "your aim" if wanted > state.treasure else "you"
        who = "you died after" if state.status is Status.DIED else "so far:"
        mark = Mark(point.treasure, point.moves, f"par for {whose}; {who} {made}")
    series = Series("par", [point.treasure for point in proven], [point.moves for point in proven])
    more = "" if par.is_all else "; more may be possible"
    return Figure((series,), Axis(f"treasure carried out{more}"), Axis("moves to get out", has_zero=False), (mark,))
