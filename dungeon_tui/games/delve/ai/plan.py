"""A careful player's next steps: strike first, let them come in a corridor, and go down where nothing is near."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import NamedTuple

import numpy as np

from dungeon_tui.core.grid import Cell, cells_of
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import CORRIDOR, STAIRS_DOWN, STAIRS_UP
from dungeon_tui.games.delve.model.maps import WALKING
from dungeon_tui.games.delve.model.state import ACTION_OF, STEPS, Action, Monster, State


class Aim(Enum):
    """Aims of a plan."""

    STRIKE = "strike"  # a monster that stands beside
    WAIT = "wait"  # for one that comes
    CORRIDOR = "corridor"  # where they come one at a time
    STEP_AWAY = "step away"  # from one that would hit before one could strike
    GOAL = "goal"  # stairs, or the amulet
    EXPLORE = "explore"


class Plan(NamedTuple):
    """The aim, the actions that lead there, and the next monster to come, if any does."""

    aim: Aim
    actions: tuple[Action, ...]
    monster: Monster | None = None


def plan(state: State) -> Plan:
    """A careful player's plan, made of what is seen and heard alone; waiting where nothing else is left."""
    seen = rules.visible(state)
    coming = [each for each in solver.noticed(state) if seen[each.cell] or solver.is_aware(state, each)]
    first = min(coming, key=lambda each: solver.turns_away(state, each), default=None)
    turns = UNREACHED if first is None else solver.turns_away(state, first)
    beside = {state.player.neighbour(way): action for way, action in ACTION_OF.items()}
    for monster in state.monsters:
        if monster.cell in beside:
            return Plan(Aim.STRIKE, (beside[monster.cell],), monster)
    goal = _route(state, solver.finds(state)) or _stairs(state)
    if goal and len(goal) < turns:
        return Plan(Aim.GOAL, goal, first)
    if turns > solver.NEAR and not isinstance(way := solver.explore_route(state), str):
        return Plan(Aim.EXPLORE, way, first)
    corridor = _route(state, cells_of(np.argwhere(state.seen.copy() == CORRIDOR)))
    if corridor and state.terrain[state.player] != CORRIDOR and len(corridor) < turns < UNREACHED:
        return Plan(Aim.CORRIDOR, corridor, first)
    if attacker := solver.attacker(state, Action.STAY):
        steps = [action for action in STEPS if rules.objection(state, action) is None]
        if safe := [action for action in steps if solver.attacker(state, action) is None]:
            safe.sort(key=lambda action: state.terrain[state.player.neighbour(STEPS[action])] != CORRIDOR)
            return Plan(Aim.STEP_AWAY, (safe[0],), attacker)
    return Plan(Aim.WAIT, (Action.STAY,), first)


def _stairs(state: State) -> tuple[Action, ...]:
    """The stairs that the player stands on, if they lead on."""
    code = state.terrain[state.player]
    if code == STAIRS_DOWN:
        return (Action.DESCEND,)
    return (Action.ASCEND,) if code == STAIRS_UP and state.has_amulet else ()


def _route(state: State, cells: Collection[Cell]) -> tuple[Action, ...]:
    """The actions to the nearest of some cells; none where the player stands there, or none can be walked to."""
    distance = rules.distances(state, WALKING).distance
    nearest = min(cells, key=lambda cell: int(distance[cell]), default=state.player)
    way = solver.route(state, nearest)
    return () if isinstance(way, str) else way
