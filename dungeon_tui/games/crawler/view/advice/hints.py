"""The words of hints, and lines out drawn over the map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.words import counted
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, OPEN, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.state import STEPS, Action, State
from dungeon_tui.games.crawler.view.words import WAYS, treasures
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint

if TYPE_CHECKING:
    from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape

_GOALS = {TREASURE: "the treasure", AMULET: "the amulet", DOOR: "the door", WAY_OUT: "the way out"}


def way_text(state: State, found: Escape) -> str:
    """First step of a hint: the line's first aim, and its length."""
    if found.moves is None:
        return none_text(found)
    cell, tile = next(_things(state, found.commands[0]))
    return f"Towards {_GOALS[tile]} at {cell.place}. {_length(found)}"


def move_text(found: Escape) -> str:
    """Second step: the next command."""
    action = Action(found.commands[0][0])
    what = "Stay where you are" if action is Action.STAY else f"Go {WAYS[action]}"
    return f"{what}: {action.value}."


def line_text(state: State, found: Escape) -> str:
    """Third step: the whole line, level by level."""
    here, *beyond = found.commands
    told = [f"The line: {counted(len(here), 'move')} here, {here}"]
    told += [f"on level {number}, {letters}" for number, letters in enumerate(beyond, state.number + 1)]
    return f"{'; '.join(told)}."


def none_text(found: Escape) -> str:
    """The answer without a line: a proof that there is none, or the reason why none was found."""
    with_ = f" with {treasures(found.asked)}" if found.asked > 1 else ""
    if found.is_proven:
        return f"No way leads out{with_} from here: that is proven."
    unknown = f"Whether a way leads out{with_} is not known"
    if found.ended == "size":
        return f"{unknown}: the level is too large to be searched."
    states = counted(found.states, "state")
    if found.ended == "memory":
        return f"{unknown}: none was found in {states}, and the memory for them is full."
    return f"{unknown} yet: gave up after {states}."


def with_text(found: Escape) -> str:
    """The treasure that was asked for, and the line's own where that is more."""
    if found.treasure <= found.asked or not found.asked:
        return f"with {treasures(found.treasure)}"
    return f"with at least {treasures(found.asked)} (this one: {found.treasure:,})"


def line_note(found: Escape, glyphs: Glyphs) -> str:
    """The meaning of the line drawn over the map, and the glyph of waiting."""
    kind = "the fewest moves out" if found.is_proven else "the best way out that is known,"
    waits = f"; {glyphs.stay} where one waits" if Action.STAY.value in found.commands[0] else ""
    return f"The line out: {glyphs.ways_text} lead along {kind} {with_text(found)}{waits}."


def line_layer(state: State, commands: str, glyphs: Glyphs) -> CellLayer:
    """The cells that a line enters on the present level, each with the way in which it is left first."""
    layer, start = CellLayer(), state.adventurer
    tiles, seen = state.board.copy(), {start}
    for place, (letter, moment) in enumerate(zip(commands, rules.moments(state.apart(), commands), strict=False)):
        cell = rules.destination(moment, Action(letter))
        if cell not in seen:
            seen.add(cell)
            is_floor = not cell.is_inside(*tiles.shape) or tiles[cell] == OPEN
            onward = next((Action(later) for later in commands[place + 1 :] if later != Action.STAY.value), None)
            glyph = glyphs.way(STEPS[onward]) if is_floor and onward is not None else None
            layer.mark(cell, glyph, Meaning.PATH if is_floor else None, Tint.PATH)
        elif letter == Action.STAY.value and cell != start:
            layer.mark(cell, glyphs.stay, Meaning.PATH, Tint.PATH)
    return layer


def _length(found: Escape) -> str:
    with_ = f" {with_text(found)}" if found.treasure else ""
    moves = f"Out in {counted(found.moves or 0, 'move')}{with_}"
    if found.is_proven:
        return f"{moves}: none is shorter." if found.asked < 2 else f"{moves}: none with {found.asked:,} is shorter."
    return f"{moves}, as far as was found: {found.lower_bound:,} are needed at least."


def _things(state: State, commands: str) -> Iterator[tuple[Cell, int]]:
    """(cell, tile) of all that a line takes or leaves by on the present level."""
    for letter, moment in zip(commands, rules.moments(state.apart(), commands), strict=False):
        cell = rules.destination(moment, Action(letter))
        if cell != moment.adventurer and moment.board[cell] != OPEN:
            yield cell, moment.board[cell]
