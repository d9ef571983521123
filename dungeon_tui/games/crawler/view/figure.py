"""Plots par: the fewest moves by treasure, with the player's position."""

from collections.abc import Iterator

from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.ai.par import Par, Point
from dungeon_tui.games.crawler.model.state import State, Status
from dungeon_tui.ui.widgets.figure import Axis, Figure, Mark, Series


def figure(state: State, par: Par, *, is_open: bool = False) -> Figure | str:
    """Plot of par by number of treasures, with the player's mark; or why there is none. A call may search on."""
    if not par.points:
        again = " {curve} again searches longer." if is_open else ""
        return f"There is no {'way out' if par.is_all else 'known way out'}: nothing to plot.{again}"
    made = f"{counted(state.moves, 'move')}, {counted(state.treasure, 'treasure')}"
    if state.status is Status.ESCAPED:
        mark = Mark(state.treasure, state.moves, f"your result: {made}")
    else:  # the moves of a game that goes on would squeeze the curve
        point = par.at(state.treasure) or par.points[-1]
        who = "you died after" if state.status is Status.DIED else "so far:"
        mark = Mark(point.treasure, point.moves, f"par for you; {who} {made}")
    series = tuple(_series(par.points, state.treasure))
    more = "; asking again searches on" if is_open else "" if par.is_all else "; more may be possible"
    return Figure(series, Axis(f"treasure carried out{more}"), Axis("moves to get out", has_zero=False), (mark,))


def _series(points: tuple[Point, ...], held: int) -> Iterator[Series]:
    """Curves of the proven points; with more treasure than these have, also of the last point and its bound."""
    proven = [point for point in points if point.is_proven]
    if proven:
        yield Series("par", [point.treasure for point in proven], [point.moves for point in proven])
    if len(points) > len(proven) and (not proven or held > proven[-1].treasure):
        known = [*proven[-1:], points[-1]]
        treasure = [point.treasure for point in known]
        yield Series("the best known", treasure, [point.moves for point in known])
        yield Series("no way out is shorter", treasure, [point.bound for point in known])
