"""Walks through the delve, ignoring monsters; the threats of monsters; and a careful player's plan."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import EIGHT_WAYS, Cell, cells_of
from dungeon_tui.engine import UNREACHED, distance_map
from dungeon_tui.games.delve.model import level as levels
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model import state as model
from dungeon_tui.games.delve.model.finds import HEART
from dungeon_tui.games.delve.model.level import BoolGrid
from dungeon_tui.games.delve.model.maps import TUNNELLING, WALKING, and_around, apart, field, ray, view
from dungeon_tui.games.delve.model.state import Action, Monster, State, Status


def _known_passable(state: State, *, is_foggy: bool = True) -> BoolGrid:
    """(height, width) bool: the open cells that the player has seen; without fog all open cells."""
    is_open: BoolGrid = state.hardness.copy() == levels.OPEN
    return is_open & (state.seen.copy() != model.UNSEEN) if is_foggy else is_open


def known_distance(state: State, *, is_foggy: bool = True) -> NDArray[np.int32]:
    """(height, width): steps from the player over known cells, or UNREACHED."""
    return distance_map(_known_passable(state, is_foggy=is_foggy), np.array([state.player]))


def route(state: State, cell: Cell, *, is_foggy: bool = True) -> tuple[Action, ...] | str:
    """The actions of a walk to a cell, in fog over seen cells, or why there is none; it wakes nothing if it can."""
    if not cell.is_inside(state.height, state.width):
        return "That is off the map."
    if cell == state.player:
        return "You are already there."
    if is_foggy and state.seen[cell] == model.UNSEEN:
        return "You have not seen that cell yet."
    passable = _known_passable(state, is_foggy=is_foggy)
    if not passable[cell]:
        return "That is rock: you can't walk there."
    calm, goal = _calm(state, passable), np.array([cell])
    way = _walk(state, distance_map(calm, goal), "") if calm[cell] else ""
    return way or _walk(state, distance_map(passable, goal), "No way that you know leads there.")


def may_wake(state: State, walk: Sequence[Action]) -> bool:
    """True if a walk comes near sleeping monsters that the player has seen."""
    calm = _calm(state, _known_passable(state))
    return not all(calm[end_of(state, walk[:steps])] for steps in range(1, len(walk) + 1))


def _calm(state: State, passable: BoolGrid) -> BoolGrid:
    """The passable cells on which the player wakes none of the sleeping monsters seen so far."""
    if not (asleep := sleepers(state)):
        return passable
    calm: BoolGrid = passable & (distance_map(passable, np.array([each.cell for each in asleep])) > rules.WAKES)
    calm[state.player] = True
    return calm


def explore_route(state: State, *, may_wake: bool = True) -> tuple[Action, ...] | str:
    """The actions of a shortest walk over seen cells to a thing that none guards, or else to one next to unseen cells.

    On the last depth to the amulet if a way is known and no such thing is left, and with it to the stairs. It avoids
    known sleepers if it can; a sentence if there is none.
    """
    passable = _known_passable(state)
    is_safe, is_goal = _calm(state, passable), passable & and_around(state.seen.copy() == model.UNSEEN)
    away, calm = known_distance(state), distance_map(is_safe, np.array([state.player]))
    free = [cell for cell in {*useful(state)}.difference(guarded(state)) if away[cell] != UNREACHED]
    end = next(iter(state.level.stairs_up), None) if state.has_amulet else state.amulet
    first = [cell for cell in free if calm[cell] != UNREACHED]
    if end and away[end] != UNREACHED and (state.has_amulet or not free):
        first = [end]
    is_goal &= not first
    for cell in first or free:
        is_goal[cell] = True
    goals = np.argwhere(is_goal)
    if not len(goals):
        return "You have seen all that you can reach."
    way = _walk(state, distance_map(passable, goals), "You can't walk to the unseen parts from here.")
    goals, complaint = np.argwhere(is_goal & is_safe), f"All that is left lies past {sleeping(state)}."
    safe = _walk(state, distance_map(is_safe, goals), complaint) if len(goals) else complaint
    return way if isinstance(way, str) or (may_wake and isinstance(safe, str)) else safe


def monsters_in_view(state: State) -> tuple[Monster, ...]:
    """The monsters that the player sees now."""
    seen = rules.visible(state)
    return tuple(monster for monster in state.monsters if seen[monster.cell])


def things(state: State) -> list[tuple[Cell, str]]:
    """The gold and the finds that the player has seen in this dungeon."""
    return [thing for thing in state.things if state.seen[thing[0]] != model.UNSEEN]


def useful(state: State) -> list[Cell]:
    """The cells of the known things that the player can take: a heart only after losing one."""
    return [cell for cell, name in things(state) if name != HEART or state.hearts < rules.MOST_HEARTS]


def sleepers(state: State) -> list[Monster]:
    """The sleeping monsters that the player has seen, in sight or not: they don't move."""
    asleep = (each for each in state.monsters if each.mood is model.Mood.ASLEEP)
    return [each for each in asleep if state.seen[each.cell] != model.UNSEEN]


def sleeping(state: State) -> str:
    """The sleepers that the player has seen, in words."""
    return "a sleeping monster" if len(sleepers(state)) == 1 else "sleeping monsters"


def guarded(state: State) -> dict[Cell, str]:
    """The useful things near sleeping monsters that the player has seen."""
    guards, names = [each.cell for each in sleepers(state)], dict(things(state))
    return {cell: names[cell] for cell in useful(state) if any(apart(cell, guard) <= rules.WAKES for guard in guards)}


def finds(state: State) -> dict[Cell, int]:
    """Known goals of this dungeon: cells of stairs and the amulet that lead on, with their codes; in fair rules."""
    downs = state.level.stairs_down if state.is_fair else ()
    goals = {cell: levels.STAIRS_DOWN for cell in downs if state.seen[cell] == levels.STAIRS_DOWN}
    if state.amulet is not None and state.seen[state.amulet] != model.UNSEEN:
        goals[state.amulet] = levels.AMULET
    if state.has_amulet:
        goals |= {cell: levels.STAIRS_UP for cell in state.level.stairs_up if state.seen[cell] == levels.STAIRS_UP}
    return goals


_STRAIGHT_FIRST = sorted(EIGHT_WAYS, key=lambda way: all(way.value))
_REACH = rules.GATHERS + 4  # of a jackal's mates, whose sight it shares, and of all that can hit in a turn
CLOSE, NEAR = 5, 10  # turns away: travel stops for close monsters, and doesn't start with near ones in sight


def noticed(state: State) -> tuple[Monster, ...]:
    """Those awake that the player sees, or hears on the move, within twice the moves of their speed; nearest first."""
    seen = rules.visible(state)
    found = (
        each
        for each in state.monsters
        if each.mood is not model.Mood.ASLEEP
        and (seen[each.cell] or is_aware(state, each) or model.Ability.ERRATIC in each.kind.abilities)
        and _moves(state, each) <= 2 * each.speed
    )
    return tuple(sorted(found, key=lambda each: turns_away(state, each)))


def is_aware(state: State, monster: Monster) -> bool:
    """True if a monster knows the unseen player's position, or goes to the last one that it saw."""
    knows = model.Ability.TELEPATHIC in monster.kind.abilities or monster.last_seen is not None or state.has_amulet
    return monster.mood is not model.Mood.ASLEEP and knows


def is_running(monster: Monster) -> bool:
    """True for a lookout that, once it sees the player, runs to call others: it doesn't come."""
    return model.Ability.COWARD in monster.kind.abilities and monster.mood in (model.Mood.AWAKE, model.Mood.FLEEING)


def turns_away(state: State, monster: Monster) -> int:
    """The player's turns until a monster can arrive, rounded down; UNREACHED if it can't."""
    moves = _moves(state, monster)
    if moves == UNREACHED:
        return moves
    return moves * rules.PLAYER_SPEED // monster.speed + frost_turns(state)


def turns_to_hit(state: State, monster: Monster) -> int:
    """The turn, from 1, in which a monster that comes can hit a player who stays; one unseen now not in the first."""
    time = monster.next_turn - state.time + (_moves(state, monster) - 1) * (rules.TICKS // monster.speed)
    is_unseen = state.is_fair and not rules.visible(state)[monster.cell]
    return max(time * rules.PLAYER_SPEED // rules.TICKS, is_unseen) + 1


def is_near(state: State, monster: Monster) -> bool:
    """True if a monster that comes is in sight, or leaves no time; with the amulet there is no end to waiting."""
    is_slow = monster.speed < rules.PLAYER_SPEED or model.Ability.ERRATIC in monster.kind.abilities
    is_seen = bool(rules.visible(state)[monster.cell]) and not state.has_amulet
    return is_seen or turns_away(state, monster) <= (CLOSE if is_slow or state.has_amulet else NEAR)


def may_wait(state: State) -> bool:
    """True if no monster is held by frost or can shoot soon, and staying risks nothing."""
    return not (frost_turns(state) or archers_in_reach(state) or cost_at_worst(state, Action.STAY))


def frost_turns(state: State) -> int:
    """The player's turns until the monsters move again."""
    return max(state.frozen_until - state.time, 0) * rules.PLAYER_SPEED // rules.TICKS


def is_risky(state: State, action: Action) -> bool:
    """True if the turn of an action may cost a heart, by a monster at its worst or by a bomb."""
    goal = state.player.neighbour(model.STEPS[action]) if action in model.STEPS else state.player
    state = replace(state, haste=state.haste or int(action is Action.HASTE))  # which works at once
    return is_in_blast(state, goal) or attacker(state, action) is not None


def costs_at_worst(state: State) -> dict[Action, int]:
    """The hearts that each legal action may cost, as the analysis shows them."""
    return {action: cost_at_worst(state, action) for action in rules.legal_actions(state)}


def cost_at_worst(state: State, action: Action) -> int:
    """The hearts that an action may cost: in its turn, and in the next two if no action avoids a hit then."""
    return is_risky(state, action) + is_trapped(rules.step(state, action)[0])


def is_trapped(state: State, turns: int = 2) -> bool:
    """True if every action may cost a heart, in its turn or in those after it."""
    return state.status is Status.PLAYING and all(
        is_risky(state, action) or (turns > 1 and is_trapped(rules.step(state, action)[0], turns - 1))
        for action in rules.legal_actions(state)
    )


def is_in_blast(state: State, cell: Cell) -> bool:
    """True if a bomb blows up around a cell in the coming turn."""
    return any(bomb.time <= rules.turn_end(state) and apart(bomb.cell, cell) <= 1 for bomb in state.bombs)


def attacker(state: State, action: Action) -> Monster | None:
    """A monster that may hit the player during an action's turn, if erratic ones do their worst; or None."""
    if action in (Action.ASCEND, Action.DESCEND):
        return None
    near = tuple(each for each in state.monsters if apart(each.cell, state.player) <= _REACH)
    state = replace(state, monsters=near)  # the others make no difference to this turn
    erratic = [each for each in near if model.Ability.ERRATIC in each.kind.abilities]
    calm = replace(state, monsters=tuple(each for each in near if each not in erratic))
    for case in (state, calm) if erratic else (state,):
        for event in rules.step(case, action)[1]:
            if isinstance(event, model.PlayerHit) and event.by is not None:
                by = event.by.sequence
                return next(monster for monster in state.monsters if monster.sequence == by)
    goal = state.player.neighbour(model.STEPS[action]) if action in model.STEPS else state.player
    seen = rules.visible(state)
    can_strike = (each for each in erratic if each.cell != goal and (seen[each.cell] or not state.is_fair))
    return next((each for each in can_strike if _may_reach(state, each, goal)), None)


def _may_reach(state: State, monster: Monster, goal: Cell) -> bool:
    hardest = rules.WEAR if model.Ability.TUNNELLING in monster.kind.abilities else levels.OPEN
    cells = {monster.cell}
    for _ in range(monster.next_turn, rules.turn_end(state), rules.TICKS // monster.speed):
        around = {cell.neighbour(way) for cell in cells for way in EIGHT_WAYS}
        cells = {cell for cell in around if state.hardness[cell] <= hardest}
        if goal in cells:
            return True
    return False


def _moves(state: State, monster: Monster) -> int:
    kind = TUNNELLING if model.Ability.TUNNELLING in monster.kind.abilities else WALKING
    return int(rules.distances(state, kind).distance[monster.cell])


def _walk(state: State, distance: NDArray[np.int32], complaint: str) -> tuple[Action, ...] | str:
    if distance[state.player] == UNREACHED:
        return complaint
    cell, actions = state.player, list[Action]()
    while distance[cell]:  # straight on where that is as short
        way = next(way for way in _STRAIGHT_FIRST if distance[cell.neighbour(way)] == distance[cell] - 1)
        cell = cell.neighbour(way)
        actions.append(model.ACTION_OF[way])
    return tuple(actions)


# -- a careful player's next steps: strike first, let monsters come in a corridor, and go down when none is near

# What to do about the next monster, or where to go if none is near.
Aim = Literal["strike", "wait", "corridor", "goal", "explore", "take", "leave", "ahead", "dodge"]
_AHEAD = 6  # turns
_DODGING = 8  # turns of stepping aside in place, before it closes in for as many
_NEXT = 2  # turns away: look ahead
_HEART = 10  # worth; a find is worth 3, a kill 1


class Plan(NamedTuple):
    """The aim, the actions towards it, and the next monster to come, if any."""

    aim: Aim
    actions: tuple[Action, ...]
    monster: Monster | None = None


def plan(state: State) -> Plan:
    """A careful player's plan, based on what the player sees and hears, and on the costs that the analysis shows.

    With monsters close, each action is tried against those in sight, and continued by habit for some turns.
    """
    wanted, in_sight, legal = _habit(state), monsters_in_view(state), rules.legal_actions(state)
    if wanted.monster is None:  # one that you hear may not know of you, and come all the same
        wanted = wanted._replace(monster=next(iter(noticed(state)), None))
    usual = wanted.actions[0]
    is_close = any(turns_away(state, each) <= _NEXT and each.mood is not model.Mood.ASLEEP for each in in_sight)
    if not legal or not (is_close or archers_in_reach(state) or cost_at_worst(state, usual)):
        return wanted
    # At worst counts for three turns, what monsters do by habit for more. Only what the analysis calls best.
    known, costs = as_known(state), costs_at_worst(state)
    least = min(costs.values())
    tried = {action: _worth(known, action) for action, cost in costs.items() if cost == least}
    best = max(tried, key=lambda action: tried[action])
    if usual in tried and tried[best] < tried[usual] + 1:
        return wanted
    nearest = min(state.monsters, key=lambda each: turns_away(state, each), default=None)
    return Plan("ahead", (best,), wanted.monster or attacker(state, usual) or (None if state.bombs else nearest))


def as_known(state: State) -> State:
    """The state without what the player doesn't see: monsters, cells, chance."""
    is_unseen = state.seen.copy() == model.UNSEEN
    hardness = Board.owning(np.where(is_unseen, levels.IMMUTABLE, state.hardness.copy()).astype(np.uint8))
    terrain = Board.owning(np.where(is_unseen, levels.ROCK, state.terrain.copy()).astype(np.uint8))
    return replace(state, monsters=monsters_in_view(state), hardness=hardness, terrain=terrain, random=0)


def _worth(state: State, action: Action) -> float:
    """The hearts, finds and kills after an action and some turns of habit, as one number."""
    after, _ = rules.step(state, action)
    for _ in range(_AHEAD):
        if after.status is Status.PLAYING and after.dungeons == state.dungeons:
            after, _ = rules.step(after, _habit(after).actions[0])
    hearts = after.hearts if after.status is not Status.DIED else -2 * rules.MOST_HEARTS
    return _HEART * hearts + 3 * len(after.carried) + after.kills


def _habit(state: State) -> Plan:
    """A plan by simple rules; without any other aim to wait."""
    # The next monster to come.
    seen = rules.visible(state)
    known = [each for each in noticed(state) if seen[each.cell] or is_aware(state, each)]
    coming = [each for each in known if not is_running(each)]
    first = next(iter([*coming, *known]), None)
    turns = min((turns_away(state, each) for each in coming), default=UNREACHED)
    is_calm = not any(is_near(state, each) for each in coming)

    # Leave a bomb.
    steps = [action for action in model.STEPS if rules.objection(state, action) is None]
    for bomb in state.bombs:
        if apart(bomb.cell, state.player) <= 1:
            away = {step: apart(bomb.cell, state.player.neighbour(model.STEPS[step])) for step in steps}
            steps.sort(key=lambda step: (is_risky(state, step), -away[step]))
            return Plan("leave", (steps[0] if steps else Action.STAY,), first)

    # Strike an adjacent one, or one that frost holds; else go for a goal or unseen cells if there is time for it.
    adjacent = {state.player.neighbour(way): action for way, action in model.ACTION_OF.items()}
    if strikes := [monster for monster in state.monsters if monster.cell in adjacent]:
        strikes.sort(key=lambda each: is_risky(state, adjacent[each.cell]))
        return Plan("strike", (adjacent[strikes[0].cell],), strikes[0])
    if (frost := frost_turns(state)) and (held := [each for each in coming if seen[each.cell]]):
        held.sort(key=lambda each: int(rules.distances(state, WALKING).distance[each.cell]))
        if 0 < len(walk := _route_to_nearest(state, [held[0].cell])) < frost:
            return Plan("strike", walk, held[0])
    if archers := archers_in_reach(state):
        return _against(state, archers)
    goals, underfoot = finds(state), state.terrain[state.player]
    is_last = state.has_amulet or levels.AMULET in goals.values()
    left = [name for _, name in state.things if name != HEART or state.hearts < rules.MOST_HEARTS]
    free = {*useful(state)}.difference(() if not is_last else useful(state) if state.has_amulet else guarded(state))
    wanted = [cell for cell in useful(state) if cell in free or (cell, HEART) in state.things]
    has_time = is_calm and not is_last
    if has_time and left and (way := explore_route(state, may_wake=False)) and not isinstance(way, str):
        return Plan("take" if end_of(state, way) in wanted else "explore", way, first)  # as exploring goes; then guards
    thing = _route_to_nearest(state, wanted)
    if thing and (is_calm or (is_last and len(thing) < turns)):
        return Plan("take", thing, first)
    is_whole = state.hearts == rules.MOST_HEARTS  # look for the other things before the stairs
    if has_time and left and is_whole and (way := explore_route(state)) and not isinstance(way, str):
        return Plan("explore", way, first)
    goal = _route_to_nearest(state, goals) or tuple(Action(chr(goals[cell])) for cell in goals if cell == state.player)
    is_done = is_last or state.hearts < rules.MOST_HEARTS or not left  # else a fight for them is worth it
    if goal and (is_calm or (is_done and is_first(state, goal, coming))):
        return Plan("goal", goal, first)
    if is_calm and (way := explore_route(state)) and not isinstance(way, str):
        return Plan("explore", way, first)

    # Face it in a corridor, and out of its reach so that it can't strike first; an archer where its lines are short.
    if first is not None and first.kind is model.ARCHER and not seen[first.cell]:
        return Plan("dodge", _out_of_lines(state, first, turns) or (Action.STAY,), first)
    corridor = _route_to_nearest(state, cells_of(np.argwhere(state.seen.copy() == levels.CORRIDOR)))
    is_better = len(coming) > 1 and underfoot != levels.CORRIDOR and coming[0].kind is not model.ARCHER
    if corridor and is_better and is_first(state, corridor, coming):
        return Plan("corridor", corridor, first)
    return Plan("wait", (Action.STAY,), first)


def _out_of_lines(state: State, archer: Monster, turns: int) -> tuple[Action, ...]:
    """The actions, unseen by an archer that hunts the player, to a near cell at which it can shoot from the fewest."""
    hidden = _known_passable(state) & ~view(state.hardness, state.terrain, archer.cell)
    steps = distance_map(hidden, np.array([state.player]))
    near = [*cells_of(np.argwhere(steps < max(1, min(turns, CLOSE))))]
    exposed = [sum(len(ray(state.hardness, cell, way, CLOSE)[1:]) for way in EIGHT_WAYS) for cell in near]
    least = [cell for cell, number in zip(near, exposed, strict=True) if number == min(exposed)]
    walk = _walk(state, distance_map(hidden, np.array(least)), "")
    return () if isinstance(walk, str) else walk


def end_of(state: State, walk: Iterable[Action]) -> Cell:
    """The player's cell after a walk."""
    cell = state.player
    for action in walk:
        cell = cell.neighbour(model.STEPS[action]) if action in model.STEPS else cell
    return cell


def is_first(state: State, walk: Collection[Action], monsters: Collection[Monster]) -> bool:
    """True if the player is at the end of a walk before the monsters can be there, or where the player is now."""
    cell = end_of(state, walk)
    for each in monsters:
        kind = TUNNELLING if model.Ability.TUNNELLING in each.kind.abilities else WALKING
        moves = int(field(state.hardness, state.terrain, cell, state.seed, kind).distance[each.cell])
        if min(moves * rules.PLAYER_SPEED // each.speed + frost_turns(state), turns_away(state, each)) <= len(walk):
            return False
    return True


def archers_in_reach(state: State) -> list[Monster]:
    """The archers in view that could draw after your next step, the nearest first."""
    away = {each: apart(each.cell, state.player) for each in monsters_in_view(state) if each.kind is model.ARCHER}
    return sorted((each for each in away if away[each] <= rules.ARROW_STEPS + 1), key=lambda each: away[each])


def lines(state: State, archer: Monster) -> list[Cell]:
    """The cells that an archer can shoot at, except those beside it."""
    return [cell for way in EIGHT_WAYS for cell in ray(state.hardness, archer.cell, way, rules.ARROW_STEPS)[1:]]


def _against(state: State, archers: list[Monster]) -> Plan:
    """A step out of the archers' lines, towards the nearest; without one, a way out of its sight if that is nearer."""
    first, rays = archers[0], list[Cell]()
    for each in archers:
        rays += 2 * rules.arrow_path(state, each)  # next to an archer the player strikes first, unless it has drawn
        rays += lines(state, each)
    steps = [action for action in (*model.STEPS, Action.STAY) if rules.objection(state, action) is None]
    cells = {action: state.player.neighbour(model.STEPS[action]) for action in steps[:-1]} | {Action.STAY: state.player}
    best = min(steps, key=lambda action: (rays.count(cells[action]), apart(cells[action], first.cell)))
    if apart(cells[best], first.cell) >= apart(state.player, first.cell) and state.turns // _DODGING % 2:
        # Between the lines of two archers you would step to and fro for ever.
        best = min(steps, key=lambda action: (apart(cells[action], first.cell), rays.count(cells[action])))
        return Plan("dodge", (best,), first)
    hidden = _known_passable(state) & ~view(state.hardness, state.terrain, first.cell)
    way = _route_to_nearest(state, cells_of(np.argwhere(hidden)))
    is_better = cells[best] in rays and 0 < len(way) < apart(state.player, first.cell)
    return Plan("dodge", way if is_better else (best,), first)


def _route_to_nearest(state: State, cells: Collection[Cell]) -> tuple[Action, ...]:
    """The actions to the nearest of some cells; none if the player is there, or no cell can be reached."""
    distance = known_distance(state)
    nearest = min(cells, key=lambda cell: int(distance[cell]), default=state.player)
    way = route(state, nearest)
    return () if isinstance(way, str) else way
