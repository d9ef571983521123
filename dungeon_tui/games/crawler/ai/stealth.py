"""Of equally short lines out, one that monsters see less."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dungeon_tui import engine
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.level import PILLAR
from dungeon_tui.games.crawler.model.state import Action, State

if TYPE_CHECKING:
    from dungeon_tui.core.grid import Cell
    from dungeon_tui.games.crawler.ai.search.dungeon_search import Escape

_MOST_STATES = 600  # to compare: some 0.3 s

_Way = tuple[int, int, str, State]  # turns in sight, changes of direction, commands, and the state they lead to


def less_seen(state: State, found: Escape) -> Escape:
    """A line as long and with no less treasure, on this level in sight of monsters for the fewest turns.

    It is the line found if that doubles the level, or if there are too many to compare.
    """
    commands = found.commands[0]
    *line, end = rules.moments(state.apart(), commands)
    if line[-1].board.height != state.board.height:
        return found
    goal, _ = rules.destination(line[-1], Action(commands[-1]))
    distances = engine.distance_map(state.board.copy() != PILLAR, [goal], diagonal=False)
    ways, states = [(0, 0, "", state.apart())], 0
    for left in reversed(range(len(commands))):
        best: dict[tuple[bytes, Cell, int], _Way] = {}
        for sights, turns, made, here in ways:
            for action in Action:
                if action is not Action.STAY and rules.destination(here, action)[0] == here.adventurer:
                    continue
                then, _ = rules.step(here, action)
                like = here if left else end
                is_good = (then.number, then.status, then.board.height) == (like.number, like.status, like.board.height)
                if is_good and (distances[then.adventurer] <= left if left else then.treasure >= end.treasure):
                    then, letter = then.apart(), action.value
                    way = sights + _is_seen(then), turns + (made[-1:] != letter), made + letter, then
                    key = then.board.array().tobytes(), then.adventurer, then.treasure
                    best[key] = min(way, best.get(key, way), key=lambda each: each[:3])
        ways, states = [*best.values()], states + len(best)
        if states > _MOST_STATES:
            return found
    sights, _, made, _ = min(ways, key=lambda each: each[:3])
    seen = sum(map(_is_seen, (*line[1:], end)))
    return replace(found, commands=(made, *found.commands[1:])) if sights < seen else found


def _is_seen(state: State) -> bool:
    return any(monsters for _, monsters in rules.sight_lines(state).values())
