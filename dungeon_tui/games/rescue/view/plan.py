"""Plans: a path drawn step by step before the knight walks it, with what it costs."""

from collections.abc import Sequence
from dataclasses import replace

from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import MOST
from dungeon_tui.games.rescue.model.rules import Action, SetOut, State, Status, path_of
from dungeon_tui.games.rescue.view.guide import KNIGHT
from dungeon_tui.games.rescue.view.picture import WayLayer, arrow_signs, knight_over
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import Row
from dungeon_tui.ui.palette import Meaning


def begin(state: State) -> State:
    """The state that a plan begins with: before he sets out, with health and gold for every path."""
    if state.status is not Status.READY:
        return state
    rich = replace(state, level=replace(state.level, purse=MOST**2))
    return rules.step(rich, SetOut(MOST))[0]


def gold(ahead: State) -> int:
    """The gold for the path of a state, with no more health than it needs."""
    return ahead.spent - ahead.initial + ahead.need


def opening(state: State, ahead: State) -> Sequence[Action] | str:
    """Setting out with what the planned path needs; or why he doesn't walk it."""
    if state.status is not Status.READY:
        return ()
    if ahead.cell != state.level.princess:
        return "Draw on to the princess: then Enter sets his health, and he walks."
    if state.level.fee is not None and gold(ahead) > state.level.purse:
        return f"Too dear: you have {state.level.purse} gold."
    return [SetOut(ahead.need)]


def words(state: State, ahead: State) -> str:
    """The cost of a planned path, or his health at its end."""
    level = state.level
    if state.status is not Status.READY:
        with_gold = f" and {level.purse - ahead.spent} gold" * (level.fee is not None)
        return "He dies there." if ahead.status is Status.DIED else f"There he has {ahead.health} health{with_gold}."
    fees = f": {ahead.need} for health, {ahead.spent - ahead.initial} for power-ups" * bool(ahead.taken)
    cost = f"needs {ahead.need} health" if level.fee is None else f"costs {gold(ahead)} gold{fees}"
    if ahead.cell == level.princess:
        return f"This path {cost}."
    return f"So far his path {cost}. Draw on to the princess by arrows."


class PlanLayer(WayLayer):
    """Arrows along a planned path, and the knight at its end, but not over the princess."""

    def __init__(self, state: State, ahead: State, glyphs: Glyphs) -> None:
        path = path_of(ahead)[max(0, len(path_of(state)) - 1) :]
        super().__init__(arrow_signs(path, glyphs))
        self._end = None if ahead.cell == state.level.princess else ahead.cell
        self._text = knight_over(state.level, state.value(ahead.cell), glyphs)

    def paint(self, row: int, cells: Row) -> None:
        super().paint(row, cells)
        if self._end is not None and row == self._end.row:
            cells.put(self._end.col, KNIGHT, Meaning.YOU, text=self._text)
