"""Threats: things monsters are about to break that nothing can replace, as the last way out, treasure or amulet."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, PILLAR, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.state import Action, State

_ITEMS = (TREASURE, AMULET, DOOR, WAY_OUT)
_MOST_CELLS = 1 << 16  # of a board on which it is looked whether a way out can be reached


@dataclass(frozen=True, slots=True)
class Threat:
    """A cell that the monsters' next step may destroy, and nothing like it is left."""

    cell: Cell
    tile: int
    actions: tuple[Action, ...]  # those that let it happen in the coming turn


def threats(state: State) -> tuple[Threat, ...]:
    """The cells that any action lets monsters break in the coming turn, if nothing is left afterwards that could serve.

    Named are: ways out and doors, if no other leads on; the treasure without which no way out opens, or the last one
    of the level while none is held; the last amulet, where no way out can be walked to on the board as it is.
    Turns that are death are passed over.
    """
    found: dict[Cell, list[Action]] = {}
    for action in rules.legal_actions(state):
        if crushed := crushed_cells(state, action):
            for cell in _missed(state, crushed):
                found.setdefault(cell, []).append(action)
    return tuple([Threat(cell, state.board[cell], tuple(actions)) for cell, actions in sorted(found.items())])


def crushed_cells(state: State, action: Action) -> list[Cell]:
    """The things that monsters step on in the turn that begins with this action; none where it is death, or ends."""
    to = rules.destination(state, action)
    if to != state.adventurer and state.board[to] in (DOOR, WAY_OUT):
        return []  # the monsters don't move any more
    crushed = []
    for direction, (_, distances) in rules.sight_lines(state, to).items():
        for distance in distances:
            if distance == 1:
                return []
            target = to.neighbour(direction, distance - 1)
            if state.board[target] in _ITEMS:
                crushed.append(target)
    return crushed


def _missed(state: State, crushed: Sequence[Cell]) -> list[Cell]:
    """The crushed cells whose loss in this turn can't be made good."""
    tiles = state.board.array()
    lost: dict[int, list[Cell]] = {}
    left: dict[int, int] = {}  # with the one taken
    for tile in _ITEMS:
        lost[tile] = []
        left[tile] = int(np.count_nonzero(tiles == tile))
    for cell in crushed:
        lost[int(tiles[cell])].append(cell)
        left[int(tiles[cell])] -= 1
    has_treasure = state.treasure + left[TREASURE] > 0
    leads_on = state.dungeon.leads_on(state.number)
    was_open = state.treasure + int(np.count_nonzero(tiles == TREASURE)) > 0
    missed = []
    if left[DOOR] * leads_on + left[WAY_OUT] * has_treasure == 0:
        missed += lost[DOOR] if leads_on else []
        missed += lost[WAY_OUT] if was_open else []
    elif lost[AMULET] and left[AMULET] == 0 and not _is_way_out_near(state, has_treasure, crushed):
        missed += lost[AMULET]
    return missed + ([] if has_treasure else lost[TREASURE])


def _is_way_out_near(state: State, has_treasure: bool, crushed: Sequence[Cell]) -> bool:
    """True if a way out that could be used is left within reach, monsters left out; on large boards taken for so."""
    tiles = state.board.array()
    if tiles.size > _MOST_CELLS:
        return True
    goals = {tile for tile, counts in ((DOOR, state.dungeon.leads_on(state.number)), (WAY_OUT, has_treasure)) if counts}
    reached, queue = {state.adventurer}, deque([state.adventurer])
    while queue:
        cell = queue.popleft()
        if int(tiles[cell]) in goals and cell not in crushed:
            return True
        for direction in FOUR_WAYS:
            beside = cell.neighbour(direction)
            if beside.is_inside(*tiles.shape) and tiles[beside] != PILLAR and beside not in reached:
                reached.add(beside)
                queue.append(beside)
    return False
