"""Plans: a path drawn step by step before the knight walks it, with what it costs."""

from collections.abc import Sequence
from dataclasses import replace

from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import MOST
from dungeon_tui.games.rescue.model.rules import Action, SetOut, State, Status, path_of
from dungeon_tui.games.rescue.view.guide import KNIGHT
from dungeon_tui.games.rescue.view.picture import WayLayer, arrow_signs
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellText, Row
from dungeon_tui.ui.palette import Meaning, Tint


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
        return "Draw on to the princess: then Enter buys the health, and he walks."
    if state.level.fee is not None and gold(ahead) > state.level.purse:
        return f"Too dear: you have {state.level.purse} gold."
    return [SetOut(ahead.need)]


def words(state: State, ahead: State) -> str:
    """What a plan comes to."""
    level, left = state.level, ahead.level.purse - ahead.spent
    if state.status is not Status.READY:
        with_gold = f" and {left} gold" * (level.fee is not None)
        return "He dies there." if ahead.status is Status.DIED else f"There he has {ahead.health} health{with_gold}."
    price = "health it needs" if level.fee is None else "gold it costs"
    if len(path_of(ahead)) == 1:
        return f"Draw his path to the princess by arrows: the {price} shows."
    whole = "This path" if ahead.cell == level.princess else "So far this path"
    if level.fee is None:
        return f"{whole} needs {ahead.need} health."
    fees = f": {ahead.need} for health, {ahead.spent - ahead.initial} for power-ups" * bool(ahead.taken)
    return f"{whole} costs {gold(ahead)} gold{fees}."


class PlanLayer(WayLayer):
    """Arrows along a planned path; at its end the gold or the health, in a plan before he sets out what he needs."""

    def __init__(self, state: State, ahead: State, glyphs: Glyphs) -> None:
        path = path_of(ahead)[max(0, len(path_of(state)) - 1) :]
        super().__init__(arrow_signs(path, glyphs))
        is_ready, has_gold = state.status is Status.READY, state.level.fee is not None
        number = ahead.health if not is_ready else gold(ahead) if has_gold else ahead.need
        is_bad = ahead.status is Status.DIED or (is_ready and has_gold and number > state.level.purse)
        self._end, self._tint = ahead.cell, Tint.DANGER if is_bad else Tint.SAFE
        unit = " gold" if is_ready and has_gold else "" if glyphs.is_ascii else "♥"
        self._is_hers = ahead.cell == state.level.princess
        self._text = CellText(str(number), KNIGHT, unit)

    def paint(self, row: int, cells: Row) -> None:
        super().paint(row, cells)
        if row == self._end.row:
            glyph, meaning = (None, None) if self._is_hers else (KNIGHT, Meaning.YOU)
            cells.put(self._end.col, glyph, meaning, self._tint, self._text)
