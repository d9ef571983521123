"""Par in words: for the menu, beside a game, and at its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.ai.par.record import Par, Point, par_of
from dungeon_tui.games.crawler.model.state import Action, State

_MOST_LISTED = 5  # points in a row


def point_text(point: Point) -> str:
    """A point: moves, and treasure if there is any.

    >>> point_text(Point(2, 23, 23, 100, ())), point_text(Point(0, 9, 7, 100, ()))
    ('23 moves with 2 treasures', '9 moves so far, 7 at least')
    """
    treasure = f" with {counted(point.treasure, 'treasure')}" if point.treasure else ""
    known = "" if point.is_proven else f" so far, {point.bound:,} at least"
    return f"{counted(point.moves, 'move')}{treasure}{known}"


def caption(par: Par | None) -> str:
    """Par in a few words; empty where nothing is known.

    >>> caption(Par("", (Point(0, 23, 23, 100, ()), Point(1, 30, 30, 100, ())), True)), caption(Par("", (), True))
    ('par 23', 'no way out')
    """
    if par is None or not (par.points or par.is_all):
        return ""
    if not par.points:
        return "no way out"
    first = par.points[0]
    return f"par {first.moves:,}" if first.is_proven else f"best known {first.moves:,}"


def beside(turn: Turn[State, Action], found: Par | None = None) -> list[tuple[str, Point]]:
    """For the side panel: what the treasure that one holds is worth, in the dungeon and on this level.

    Args:
        turn: the present one.
        found: par of the dungeon as it was found behind the game, for one without a file of par.
    """
    state = turn.state
    par = par_of(state.dungeon)
    level = None if par.dungeon and len(par.levels) == 1 else par.level(state.number)
    taken = state.treasure - (_level_start(turn).treasure if level else 0)
    both = (("Par", _point(par.dungeon or found, state.treasure)), ("Level's par", _point(level, taken)))
    return [(label, point) for label, point in both if point is not None]


def panel_rows(pars: Iterable[tuple[str, Point]]) -> Iterator[tuple[str, str]]:
    """Rows of the side panel for the points that `beside` gave.

    >>> list(panel_rows([("Par", Point(2, 23, 23, 100, ()))]))
    [('Par', '23 moves'), ('', 'with 2 treasures')]
    """
    for label, point in pars:
        yield label, counted(point.moves, "move")
        if point.treasure:
            yield "", f"with {counted(point.treasure, 'treasure')}"
        if not point.is_proven:
            yield "", f"{point.bound:,} at least"


def _level_start(turn: Turn[State, Action]) -> State:
    while turn.parent is not None and turn.parent.state.number == turn.state.number:
        turn = turn.parent
    return turn.state


def _point(par: Par | None, treasure: int) -> Point | None:
    """Par for so much treasure, or else for the most that is known."""
    return None if par is None or not par.points else par.at(treasure) or par.points[-1]


def summary(par: Par | None) -> str:
    """All points in a row, the ones in the middle left out; empty where nothing is known.

    >>> summary(Par("", (Point(1, 23, 23, 100, ()), Point(3, 30, 30, 100, ())), True))
    '23 moves with 1 treasure, 30 with 3; no more can be carried out.'
    """
    if par is None or not (par.points or par.is_all):
        return ""
    if not par.points:
        return "There is no way out: that is proven."
    *proven, last = par.points
    points = par.points if last.is_proven else tuple(proven)
    if not points:
        return f"Not known: {point_text(last)}."
    return f"{_row(points)}; {'no more can be carried out' if par.is_all else 'more may be possible'}."


def _row(points: tuple[Point, ...]) -> str:
    texts = [point_text(points[0]), *(f"{point.moves:,} with {point.treasure:,}" for point in points[1:])]
    if len(texts) > _MOST_LISTED:
        texts[_MOST_LISTED - 2 : -1] = ["..."]
    return ", ".join(texts)


def result_text(par: Par | None, treasure: int, moves: int) -> str:
    """A way out compared with par; empty where nothing is known.

    >>> par = Par("", (Point(1, 23, 23, 100, ()), Point(3, 30, 25, 900, ())), False)
    >>> result_text(par, 1, 23)
    '23 moves, par 23: perfect.'
    >>> result_text(par, 1, 25)
    '25 moves, par 23 with 1 treasure: 2 more than par.'
    >>> result_text(par, 3, 28)
    '28 moves, the best known is 30 with 3 treasures: 2 fewer than that. No way out has fewer than 25.'
    """
    if par is None or not (par.points or par.is_all):
        return ""
    played, with_ = counted(moves, "move"), f"with {counted(treasure, 'treasure')}"
    point = par.at(treasure)
    if point is None and not par.is_all:
        known = f"par is known for up to {counted(par.points[-1].treasure, 'treasure')} only"
        return f"{played} {with_}: {known}."
    if point is None or moves < point.bound:
        return f"{played} {with_}: that was proven to be impossible, so the par beside the levels is wrong."
    if not point.is_proven:
        name = f"{played}, the best known is {point.moves:,} {with_}"
        more = moves - point.moves
        how = "as good as that" if not more else f"{abs(more):,} {'more' if more > 0 else 'fewer'} than that"
        return f"{name}: {how}. No way out has fewer than {point.bound:,}."
    if moves > point.moves:
        return f"{played}, par {point.moves:,} {with_}: {moves - point.moves:,} more than par."
    if point.treasure > treasure:
        return f"{played}, par {moves:,} {with_}: no way out is shorter, but one of these carries {point.treasure:,}."
    return f"{played}, par {moves:,}: perfect."


def level_result(turn: Turn[State, Action]) -> str:
    """The level that was left with this turn, compared with par; empty where none was, or nothing is known."""
    before = turn.parent
    if before is None or before.state.number == turn.state.number:
        return ""
    start, end, number = _level_start(before), turn.state, before.state.number
    par = par_of(end.dungeon).level(number)
    result = result_text(par, end.treasure - start.treasure, end.moves - start.moves)
    return result and f"Level {number}: {result}"
