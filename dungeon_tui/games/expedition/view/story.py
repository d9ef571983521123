"""The expedition's sentences on screen."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf

from dungeon_tui.core.words import capitalised, counted, in_words, often
from dungeon_tui.games.expedition.ai.solver import Comparison, Leg, Plan, Planner, states_of
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.explorer import edge_rooms, hidden
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import cheapest_ways, exits, neighbours, scout_cost, step_cost, way_to
from dungeon_tui.games.expedition.model.options import tasks
from dungeon_tui.games.expedition.model.state import State, Status, Walk, reached
from dungeon_tui.games.expedition.view.guide import (
    at_least,
    at_worst,
    is_stuck,
    is_unsure,
    known_ways,
    lacking,
    last_sure,
    needed,
    out_of_sight,
    promised,
)
from dungeon_tui.ui.widgets.side_panel import Facts
from dungeon_tui.ui.widgets.timeline import MISTAKE, SLIP

TOO_SHORT = "torch too short"
YOUR_STEPS = "Numbers: your steps"
BEST_WALK = f"{YOUR_STEPS}. Looking back, {{why}} shows a cheapest walk."
BOTH_WALKS = "Above: your steps; below: a cheapest walk."
_MOST_PRICES = 5  # in a reason


def goal(level: Level) -> str:
    """The task in a sentence."""
    rooms = counted(len(level.rooms), "room")
    wanted = "all " * (level.needed > 1) + rooms if level.needed >= len(level.rooms) else f"{level.needed} of {rooms}"
    where = "" if level.goal is None else f" and end in {level.rooms[level.goal].title}"
    how = "as cheaply as possible"
    if level.torch is not None:
        how = "while the torch burns" if level.is_fogged else f"for at most {level.torch}"
        how += "" if level.par is None else f"; par is {level.par}"
    return f"Visit {wanted}{where} {how}."


def arrival(before: State, after: State, proofs: Sequence[tuple[int, int]] = ()) -> str:
    """A sentence on a step: the room, the cost, and whether the room is new."""
    level = after.level
    text = f"{level.rooms[after.room].title}: cost {after.cost - before.cost}"
    if level.torch is not None and after.cost > level.torch:
        return f"{text}."
    if before.seen == after.seen:
        return f"{text}, visited before."
    sure = " and ".join(level.rooms[sum(ends) - after.room].title for ends in proofs if after.room in ends)
    return f"{text}, new.{f' {level.rooms[after.room].title} had to lead to {sure}.' if sure else ''}"


def choice(level: Level, costs: Mapping[int, int]) -> str:
    """The rooms to choose from, with the costs of the ways there."""
    rooms = [f"{level.rooms[room].title} for {costs[room]}" for room in sorted(costs, key=costs.__getitem__)]
    return f"Your choice: {', '.join(rooms)}."


def overspent(state: State, planner: Planner) -> str:
    """The end of a sentence on a torch that is too short: what the rest needs; empty in the dark, or if unknown."""
    rest = at_least(state) if is_stuck(state) else needed(state, planner)
    if rest is None or rules.outcome(state) is not None:
        return ""
    worst = at_worst(state) * (not is_stuck(state))
    return f": {rest} needed{worst}, {(state.level.torch or 0) - state.cost} left"


def not_safe(short: int) -> str:
    """A sentence on a torch that may be too short."""
    return f"Not safe any more: at worst the torch is {short} short."


def hint_text(state: State, plan: Plan, planner: Planner) -> str:
    """The next new room of a plan, the room on the way to it, the cost left, and the reason."""
    if plan.cost is None:
        return f"{capitalised(out_of_reach(plan))}."
    titles = [state.level.rooms[room].title for room in plan.walk]
    new = next((title for title, room in zip(titles, plan.walk, strict=True) if not state.has_seen(room)), "")
    aim = (f"Visit {new} next" if new else "Go to the end") + f", by {titles[1]}" * (titles[1] not in (new, titles[-1]))
    over = 0 if state.level.par is None else state.cost + plan.cost - state.level.par
    found = "" if plan.is_proven else ", by the best walk found"
    cost = f"the rest costs {plan.cost}{found}{f', {over} over par in all' * (over > 0)}"
    return f"{aim}: {cost}. {reason(state, plan, planner)[1]}".rstrip()


def reason(state: State, plan: Plan, planner: Planner, other: int | None = None) -> tuple[int, str]:
    """The cost above a plan of another room, by default the nearest new one, and a sentence; empty if unknown."""
    new, after = next((room for room in plan.walk if not state.has_seen(room)), None), state
    costs, parents = cheapest_ways(state.level, state.room, state.seen)
    left = (state.level.torch or inf) - state.cost
    others = [each for each in costs if each != new and not state.has_seen(each) and costs[each] <= left]
    if other is not None and other in neighbours(state.level)[state.room] and other not in plan.walk[1:2]:
        way = [state.room, other]  # as played
    elif new is None or not (others and plan.is_proven):
        return 0, ""
    else:
        way = way_to(parents, min(others, key=costs.__getitem__) if other is None or other == new else other)
    for room in way[1:]:
        after, _ = rules.step(after, Walk(state.level.rooms[room].id))
    rest, title = planner.plan(after), after.level.rooms[way[-1]].title
    if not (plan.is_proven and rest.is_proven):
        return 0, ""
    total = after.cost + (rest.cost or 0)
    more = total - state.cost - (plan.cost or 0)
    if more <= 0:
        return 0, f"{title} first would cost as much."
    why = ", too much for the torch" * (total > (state.level.torch or total))
    return more, f"{title} first costs {more} more{why}{_because(state, [*way, *rest.walk[1:]], plan.walk)}."


def _because(state: State, walk: Sequence[int], best: Sequence[int]) -> str:
    """A clause on all that a walk from a state pays more than another, and less, by the map; empty if that is much."""
    paid, least = (_prices(state.level, each) for each in (walk, best))
    more, saved = paid - least, least - paid
    rooms = Counter({price: count for price, count in more.items() if price[2]})
    again = "enter {} again" if all(state.has_seen(room) or room in best for room in walk) else "also enter {}"
    clauses = (again, rooms), ("take {}", more - rooms), ("and save {}", saved)
    told = [clause.format(_listed(prices)) for clause, prices in clauses if prices]
    return f": you {', '.join(told)}" * (0 < len(more | saved) <= _MOST_PRICES)  # all, so that they make the sum


def _prices(level: Level, walk: Sequence[int]) -> Counter[tuple[int, str, bool]]:
    """The number of times a walk pays each cost: with its name on the map, "Hall +2" or "Yard-Hall 1"; True: a room."""
    paid = [(room.cost, f"{room.title} +{room.cost}", True) for room in map(level.rooms.__getitem__, walk[1:])]
    corridors = [level.corridors[neighbours(level)[one][two]] for one, two in pairwise(walk)]
    names = ("-".join(level.rooms[end].title for end in each.ends) for each in corridors)
    paid += [(each.cost, f"{name} {each.cost}", False) for each, name in zip(corridors, names, strict=True)]
    return Counter(price for price in paid if price[0])


def _listed(prices: Counter[tuple[int, str, bool]]) -> str:
    """These prices, the highest first."""
    names = [price[1] + f" {often(prices[price])}" * (prices[price] > 1) for price in sorted(prices)[::-1]]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def promise_text(state: State, planner: Planner) -> str:
    """A hint in fog: the next room and the torch needed at worst, also if the nearest is first."""
    walk, rest, worse = promised(state, planner)
    if not walk:
        return "You know of no way on."
    titles = [room.title for room in state.level.rooms]
    need = "" if rest is None else f": {rest} needed{at_worst(state)}"
    best = [walk[-1], *(room for room, more in worse.items() if not more)]
    other = _tempting(state, worse)
    instead = "" if other is None else f" {titles[other]} first: {(rest or 0) + worse[other]}."
    return f"Visit {' or '.join(titles[room] for room in best)} next{need}.{instead}"


def way_back(state: State, planner: Planner) -> str:
    """Hint: the turn to go back to if the torch is too short; in fog, the way to go on."""
    rooms, states, then = state.level.rooms, states_of(state), ""
    sure = states[last_sure(states[:-1] or states, planner)]
    back = len(states) - 1 - sure.steps
    if is_unsure(state) and state.status is Status.EXPLORING and not is_stuck(state):
        room = promised(state, planner)[0][-1]
        then = f" Or go on to {rooms[room].title}: {lacking(state, planner)} short at worst."
    return f"Go back {counted(back, 'move')}, to {rooms[sure.room].title} ({{last_chance}}).{then}"


def _tempting(state: State, worse: Mapping[int, int]) -> int | None:
    """The nearest of the rooms that are worse; None if none is."""
    costs = cheapest_ways(state.level, state.room, state.seen)[0]
    return min((room for room, more in worse.items() if more), key=costs.__getitem__, default=None)


def fog_reason(state: State, planner: Planner, other: int | None = None) -> str:
    """A comparison of the best room with another, by default the nearest; then a corridor that must exist."""
    way, rest, worse = promised(state, planner)
    proofs = [sorted(ends, key=lambda end: end != way[-1]) for ends in planner.explorer(state.level).certain(state)]
    ends = min(proofs, key=lambda ends: ends[0] != way[-1], default=[])  # of the best room if possible
    proof = f"{' must lead to '.join(state.level.rooms[end].title for end in ends)}." if ends else ""
    return f"{_better(state, way[-1], rest, worse, other)} {proof}".strip()


def _better(state: State, best: int, rest: int | None, worse: Mapping[int, int], other: int | None) -> str:
    """A comparison of the best room with another, by default the nearest of the worse; empty if it adds nothing."""
    level, titles = state.level, [room.title for room in state.level.rooms]
    other = _tempting(state, worse) if other is None else other
    if rest is None:
        return f"{titles[best]} is nearest: no sure plan is known for this map."
    if state.seen_count >= level.needed:
        return "You have visited enough rooms."
    if other is None or not worse.get(other) or (level.goal is None and state.seen_count + 1 == level.needed):
        return ""  # the first hint has all that counts
    if other == level.goal:
        return f"You must end in {titles[other]}: it can wait."
    door, *more = neighbours(level)[other]
    price = step_cost(level, door, other) + step_cost(level, other, door)
    if not more and price >= worse[other] and level.needed < len(level.rooms):
        return f"{titles[other]} is a dead end: {price} there and back."
    if [*neighbours(level)[best]] == [state.room] and level.needed == len(level.rooms):
        return f"{titles[best]} is a dead end: later you would come back to {titles[state.room]} for it."
    costs = cheapest_ways(level, state.room, state.seen)[0]
    now, then = (f"{costs[room]}, then {rest + worse.get(room, 0) - costs[room]}" for room in (best, other))
    return f"{titles[best]} costs {now} at worst; {titles[other]} {then}."


def out_of_reach(plan: Plan) -> str:
    """A clause for an impossible task, without a full stop."""
    return f"it can't be done: you can reach only {counted(plan.seen, 'room')}"


def standing(state: State) -> Facts:
    """The torch or the cost so far and the rooms left to see, for the side panel."""
    level = state.level
    left_to_see = str(max(0, level.needed - state.seen_count))
    if level.torch is None:
        burned, spent = ("Cost", str(state.cost)), f"cost: {state.cost}"
    else:
        left = level.torch - reached(state)[-1].cost
        burned, spent = ("Torch", f"{left} of {level.torch}"), f"torch: {left} of {level.torch}"
    rows = [burned, ("To visit", left_to_see)]
    unseen = out_of_sight(state) if is_unsure(state) and state.status is not Status.EXPLORED else []
    rows += [(what, f"hidden, {cost}") for what, cost in unseen]
    below = f"hidden: {', '.join(f'{what} ({cost})' for what, cost in unseen) or 'nothing'}"
    if unseen and (corridors := hidden(state)[1]):
        ends, near = f"{2 * corridors} ends", sum(exits(level, state.seen, room) for room in edge_rooms(state))
        rows.append((ends, f"{near} in sight"))
        below += f": {ends}, {near} in sight"
    doors = neighbours(level)[state.room] if state.status is Status.EXPLORING else ()
    end = "" if level.goal is None else f", end in {level.rooms[level.goal].title}"
    par = "" if level.par is None else f"par {level.par}"
    return Facts(
        goal=goal(level),
        title=in_words(re.sub(r"^expedition-(-?\d+)-\d+$", r"seed \1", level.name)),
        subtitle="",
        rows=tuple(rows),
        more=tuple((f"To {level.rooms[room].title}", str(step_cost(level, state.room, room))) for room in doors),
        short=(spent, f"{left_to_see} to visit{end}", par),
        below=below * level.is_fogged,
    )


def room_text(state: State, number: int) -> str:
    """A room in words: label, cost, whether it is unseen, the trip to it, the start or the goal."""
    level = state.level
    room = level.rooms[number]
    parts = ["not yet visited"] * (not state.has_seen(number))
    trip = known_ways(state)[0].get(number)
    paid = state.cost + (trip or 0)
    then = f"{paid} in all" if level.torch is None else f"{level.torch - paid} left"
    way = f"{trip} from {level.rooms[state.room].title}, then {then}"
    if trip is None or paid > (level.torch or paid):
        way = "you know of no way there" if trip is None else "the torch is too short"
    parts[:0] = [way] * (number != reached(state)[-1].room)
    parts += ["the room to end in"] if number == level.goal else []
    return f"{room.title} +{room.cost}{': ' * bool(parts)}{', '.join(parts)}"


def comparison(compared: Comparison, state: State, planner: Planner) -> tuple[str, str]:
    """Title and text that compare a finished walk with the cheapest one, and name the most wasteful leg."""
    best, cost, level = compared.best, state.cost, state.level
    if best.cost is None or not best.is_proven:
        return f"Cost {cost}", f"The best walk found costs {best.cost}; a cheaper one may exist."
    if cost <= best.cost:
        lesson = told(level, "routes") or _resisted(compared, state, planner)
        return f"Cost {cost}: par", f"No walk is cheaper.\n{lesson}".rstrip()
    step, leg = _worst_leg(level, compared.walk, compared.legs)
    before, after = (states_of(state)[at] for at in (leg.first, leg.last))
    walk = [*compared.walk[leg.first : leg.last], *planner.plan(after).walk]
    why = _because(before, walk, planner.plan(before).walk)
    slips = sum(len(each.steps) for each in compared.legs) - len(leg.steps)
    others = f" {counted(slips, 'more slip')}: {compared.wasted - leg.wasted} worse." * (slips > 0)
    return f"Cost {cost}, par {best.cost}", f"{step} was {leg.wasted} worse than the best way{why}.{others}"


def _resisted(compared: Comparison, state: State, planner: Planner) -> str:
    """A sentence on the costliest choice of a room nearer than the next one of a cheapest walk; empty if none."""
    found = 0, ""
    for each in states_of(state)[:-1]:
        walk, (costs, _) = compared.walk[each.steps :], cheapest_ways(state.level, each.room, each.seen)
        new = next((room for room in walk if not each.has_seen(room)), each.room)
        near = [room for room in costs if not each.has_seen(room) and costs[room] < costs[new]]
        if near:
            plan = replace(compared.best, walk=walk, cost=state.cost - each.cost)
            more, text = reason(each, plan, planner, min(near, key=costs.__getitem__))
            found = max(
                found, (more, f"Nearest is not best: at {state.level.rooms[each.room].title}, {text}" * (more > 0))
            )
    return found[1]


def told(level: Level, chapter: str, what: str = "answer") -> str:
    """A sentence of maps.toml on the best walk, on a shipped map with its own task."""
    return str(tasks(chapter).get(level.name, {}).get(what, "")) if level.lesson else ""


def planned(state: State, after: State) -> str:
    """A sentence on the end of a planned walk: what it costs, alone and in all, and what is left to do."""
    level, missing = after.level, max(0, after.level.needed - len({trail.room for trail in reached(after)}))
    left = "" if level.torch is None else f", then {level.torch - after.cost} left"
    cost = f"{after.cost - state.cost}{f', {after.cost} in all' * (state.cost > 0)}{left}"
    if not missing and level.goal in (None, after.room):
        return f"The plan costs {cost}: all done."
    to_do = f"still to end in {level.rooms[level.goal or 0].title}" if not missing else f"{missing} to visit"
    short = f": {TOO_SHORT}" * (after.status is Status.DARK)
    return f"The plan costs {cost}, {to_do}{short}."


def promise(state: State, legs: Sequence[Leg] | None, compared: Comparison) -> tuple[str, str]:
    """Title and text that compare an explorer's walk with par: the worst step, the cost with the map.

    `legs` are the steps after which less could be guaranteed than before; None: unknown.
    """
    level, best = state.level, compared.best
    saved = (level.par or state.cost) - state.cost
    risk = _risk_text(level, compared, legs) if legs else ""
    scouted = scout_cost(level) or 0
    beaten = f"Always to the nearest room would cost {scouted}." * (scouted > state.cost)
    lesson = "" if risk else told(level, "exploring") or beaten
    known = "Even with the map, no walk is cheaper." * best.is_proven
    if best.cost is not None and best.cost < state.cost:
        known = f"With the map, {best.cost} would do: the green walk."
    known = "Par is for the worst map. " * (saved > 0) + known
    text = "\n".join(filter(None, [risk, known, lesson]))
    par = "" if level.par is None else f", par {level.par}{f': {saved} better' * (saved > 0)}"
    return f"Cost {state.cost}{par}", text


def _risk_text(level: Level, compared: Comparison, legs: Sequence[Leg]) -> str:
    """A sentence on the step of an explorer that cost most, or, if none did, on the one that could have."""
    lost = {step: leg.wasted for leg in compared.legs for step in leg.steps}
    if real := [replace(leg, wasted=min(leg.wasted, lost[leg.first])) for leg in legs if leg.first in lost]:
        step, leg = _worst_leg(level, compared.walk, real)
        return f"{step} was {leg.wasted} worse than the best way."
    step, leg = _worst_leg(level, compared.walk, legs)
    return f"{step} could have cost {leg.wasted} more: you were lucky."


def _worst_leg(level: Level, walk: Sequence[int], legs: Sequence[Leg]) -> tuple[str, Leg]:
    """The rooms between which most was wasted or risked, with a sign, and that leg: a single step, if one did it."""
    worst = max(legs, key=lambda leg: leg.wasted, default=Leg(0, 0, 0))
    if len(worst.steps) == 1:
        worst = replace(worst, first=worst.steps[0], last=worst.steps[0] + 1)
    sign = SLIP if worst.mistake is None else MISTAKE
    return f"{level.rooms[walk[worst.first]].title} to {level.rooms[walk[worst.last]].title} ({sign})", worst
