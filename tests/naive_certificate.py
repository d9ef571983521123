"""The slow, obvious twin of the crawler's certificates: all lines from the start, by the rules, on a level alone."""

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dungeon_tui.core.adventure import Stayed, StayReason
from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import MONSTER, OPEN, Level
from dungeon_tui.games.crawler.model.state import State, Status


class Facts(NamedTuple):
    """None where nothing wins."""

    moves: int | None
    solutions: int
    most_treasure: int | None


class TooManyStatesError(Exception):
    """The level is too large for a twin."""


def facts(level: Level, max_doublings: int, most_states: int, brought: int = 0) -> Facts:
    """What is found among all states that can be reached, breadth first, with the number of lines to each."""
    start = replace(rules.start(alone(level)), treasure=brought)
    highest = level.tiles.shape[0] << max_doublings
    seen: set[tuple[object, ...]] = set()
    layer: Counter[tuple[object, ...]] = Counter({_key(start): 1})
    states = {_key(start): start}
    moves, solutions, most, depth = None, 0, None, 0
    while layer:
        seen |= layer.keys()
        if len(seen) > most_states:
            raise TooManyStatesError
        following: Counter[tuple[object, ...]] = Counter()
        next_states: dict[tuple[object, ...], State] = {}
        depth += 1
        for key, lines in layer.items():
            for action in rules.legal_actions(states[key]):
                after, events = rules.step(states[key], action)
                if isinstance(events[0], Stayed) and events[0].reason is not StayReason.CHOSEN:
                    continue
                if after.status in (Status.ESCAPED, Status.OUT_OF_LEVELS):
                    moves = moves or depth
                    solutions += lines if depth == moves else 0
                    most = max(most or 0, after.treasure)
                elif after.status is Status.PLAYING and after.board.height <= highest and _key(after) not in seen:
                    following[_key(after)] += lines
                    next_states[_key(after)] = after
        layer, states = following, next_states
    return Facts(moves, solutions, most)


def monsters_that_matter(level: Level, max_doublings: int, most_states: int, brought: int = 0) -> list[Cell]:
    """Those without which the fewest moves are others."""
    matter = []
    for row, col in np.argwhere(level.tiles == MONSTER).tolist():
        tiles = level.tiles.copy()
        tiles[row, col] = OPEN
        without = facts(replace(level, tiles=tiles), max_doublings, most_states, brought)
        if without.moves != facts(level, max_doublings, most_states, brought).moves:
            matter.append(Cell(row, col))
    return matter


def _key(state: State) -> tuple[object, ...]:
    tiles = state.board.copy()
    return tiles.shape, tiles.tobytes(), state.adventurer, state.treasure
