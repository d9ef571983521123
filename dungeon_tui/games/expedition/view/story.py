"""The expedition's sentences on screen."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil, inf

from dungeon_tui.core.words import capitalised, counted, in_words
from dungeon_tui.games.expedition.ai.explorer import hidden
from dungeon_tui.games.expedition.ai.solver import Comparison, Leg, Plan, Planner, states_of
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Corridor, Level
from dungeon_tui.games.expedition.model.maps import cheapest_ways, exits, neighbours, scout_cost, way_to
from dungeon_tui.games.expedition.model.state import State, Walk, trails_of
from dungeon_tui.games.expedition.view.drawing import EVENT_GLYPHS
from dungeon_tui.games.expedition.view.guide import last_sure, out_of_sight, promised, sure_part, torch_text
from dungeon_tui.games.expedition.view.picture import WASTED
from dungeon_tui.ui.widgets.side_panel import Facts

_CHOICES = 6  # rooms named in a message
_BAR = 16  # columns of the torch

NO_ROOM_IN_REACH = "The torch reaches no unvisited room."
NO_OTHER_ROOM = "No other room is in reach."
NO_TORCH = "No torch burns here: you can always finish."
TORCH_MAY_LAST = "The torch can still last."
TORCH_TOO_SHORT = "The torch can't last any more: the rest costs more than it has left."
TOO_SHORT = "torch too short"
PROMISED_WIN = " that was promised"
WALK_NOTE = "Your walk: numbers at the top of rooms count its steps, ! marks wasted ones; below: the cheapest."
NUMBERS = "Above rooms: your walk; below: the cheapest."
ALL_IS_SEEN = "All done. {walk} draws your walk and the cheapest one; {curve} plots the least cost by rooms."


def goal(level: Level) -> str:
    """The task in a sentence."""
    rooms = counted(len(level.rooms), "room")
    wanted = f"all {rooms}" if level.needed >= len(level.rooms) else f"{level.needed} of {rooms}"
    where = "" if level.goal is None else f" and end in {level.rooms[level.goal].title}"
    how = "as cheaply as possible" if level.par is None else f"at the least cost, {level.par}"
    if level.torch is not None:
        how = "while the torch burns" if level.is_fogged else f"for at most {level.torch}"
        how += "" if level.par is None else f"; par is {level.par}"
    return f"Visit {wanted}{where} {how}."


def name_of(level: Level) -> str:
    """The map's name for people."""
    return in_words(re.sub(r"^expedition-(-?\d+)-\d+$", r"seed \1", level.name))


def arrival(before: State, after: State) -> str:
    """A sentence on a step: the room, the cost, the events, and whether the room is new."""
    level = after.level
    corridor = level.corridors[neighbours(level)[before.room][after.room]]
    met = [f"{EVENT_GLYPHS[each]} {each}" for each in (*corridor.events, *level.rooms[after.room].events)]
    text = ", ".join([f"{level.rooms[after.room].title}: cost {after.cost - before.cost}", *met])
    if level.torch is not None and after.cost > level.torch:
        return f"{text}."
    if before.seen == after.seen:
        return f"{text}, visited before."
    unseen = f"; still hidden: {out_of_sight(after)}" if any(hidden(after)) else "; nothing is hidden any more"
    return f"{text}, a new room{unseen if level.is_fogged else ''}."


def promise_lost(short: int) -> str:
    """Says that the last step may cost more than the torch has left, and how much more."""
    return f"With this step you can't be sure any more: at worst the torch is {short} short. {{undo}} takes it back."


def choice(level: Level, costs: Mapping[int, int]) -> str:
    """The rooms to choose from, with the costs of the ways there."""
    rooms = [f"{level.rooms[room].title} for {cost}" for room, cost in costs.items()]
    return f"Your choice: {', '.join(rooms[:_CHOICES])}{' ...' * (len(rooms) > _CHOICES)}."


def hint_text(state: State, plan: Plan, step: int, reason: str = "") -> str:
    """A step of a hint: the next new room and the cost left; the next step, and the reason; the whole plan."""
    if plan.cost is None:
        return f"{capitalised(out_of_reach(plan))}."
    if step == 0:
        new = (room for room in plan.walk if not state.has_seen(room))
        aim = next((f"Visit {_next(state, room)}. " for room in new), "Go to the end. ")
        return f"{aim}{rest_text(state, plan)}"
    if step == 1 and len(plan.walk) > 1:
        is_said = reason and not state.has_seen(plan.walk[1])
        return f"{'' if is_said else f'Go to {state.level.rooms[plan.walk[1]].title}. '}{reason}".rstrip()
    return f"The plan: {counted(len(plan.walk) - 1, 'step')}, {plan.cost} more."


def rest_text(state: State, plan: Plan) -> str:
    """The cost of the best walk on, the whole, and par if it is known, in a sentence."""
    whole, par = state.cost + (plan.cost or 0), state.level.par
    versus = "" if par is None else f", {whole - par} over par" if whole > par else ", which is par"
    return f"{'At least' if plan.is_proven else 'The best walk found:'} {plan.cost} more: {whole} in all{versus}."


def why_text(wasted: int, better: Plan, after: State, plan: Plan) -> str:
    """The fault of a wasteful step: the better room, the rooms that you will enter once more, the cost left."""
    good, bad = (after.level.rooms[room].title for room in (better.walk[1], after.room))
    why = _entered_again(after.level, plan.walk, better, "will")
    return f"{good} was better than {bad}, which wastes {wasted}{why}. {rest_text(after, plan)}"


def reason_text(state: State, plan: Plan, planner: Planner) -> str:
    """A sentence on what another new room would cost more in all than a plan; empty if that is unknown."""
    new, after = next((room for room in plan.walk if not state.has_seen(room)), None), state
    if new is None or not (way := _way_to_another(state, new)):
        return NO_OTHER_ROOM * (new is not None)
    for room in way[1:]:
        after, _ = rules.step(after, Walk(state.level.rooms[room].id))
    rest, title = planner.plan(after), after.level.rooms[way[-1]].title
    if not (plan.is_proven and rest.is_proven):
        return ""
    more = after.cost + (rest.cost or 0) - state.cost - (plan.cost or 0)
    if more <= 0:
        return f"{title} first would cost as much."
    again = _entered_again(state.level, [*way[1:], *rest.walk[1:]], plan, "would")
    return f"{title} first would cost {more} more{again}."


def _entered_again(level: Level, walk: Sequence[int], better: Plan, verb: str) -> str:
    """The end of a sentence on the rooms that a walk enters more often than a better plan; empty if there are none."""
    again = (Counter(walk) - Counter(better.walk[1:])).elements()
    names = " and ".join(level.rooms[room].title for room in again)
    return f": you {verb} enter {names} once more" if names else ""


def promise_text(state: State, planner: Planner, *, has_aim: bool = True, has_reason: bool = False) -> str:
    """A hint in fog: the next room to visit, the reason, or both; and how to return to where the torch was sure."""
    walk, needed, worse = promised(state, planner)
    if not walk:
        return "You know of no way on."
    title = state.level.rooms[walk[-1]].title
    short = 0 if state.level.torch is None or needed is None else state.cost + needed - state.level.torch
    if short > 0 and not any(hidden(state)):
        return way_back(state, planner)
    feared = _feared_text(state, walk, planner) if has_reason else ""
    may = "may cost" if any(hidden(state)) else "costs"
    if not has_aim:
        if short > 0:
            others = f" To win, what is hidden must cost {short} less than at worst."
        else:
            more = [f"{cost} to {state.level.rooms[room].title}" for room, cost in worse.items() if cost]
            others = f" Going elsewhere first {may} more: {', '.join(more[:_CHOICES])}." if more else ""
        go = "" if feared and len(walk) < 3 else f"Go to {state.level.rooms[walk[1]].title}."
        return f"{go}{feared}{others}".lstrip()
    if short > 0:
        back = way_back(state, planner)
        return f"No choice is sure any more. {back} Otherwise {title} is the least risk: at worst {short} short."
    least = min(worse.values(), default=0)
    why = f": any other {may} {least} more in the end" if least else ""
    return f"Visit {_next(state, walk[-1])}{why}.{feared or f' {torch_text(state, needed)}.'}"


def sure_text(state: State, planner: Planner) -> tuple[list[int], str]:
    """The last step of a hint in fog: the walk to draw, and a sentence on its length and why it ends there."""
    walk, is_end = sure_part(state, planner)
    aim = "the end" if is_end else f"{state.level.rooms[walk[-1]].title}: what you see there decides the rest"
    return walk, f"The plan: {counted(len(walk) - 1, 'step')}, to {aim}."


def way_back(state: State, planner: Planner, *, has_walk: bool = False) -> str:
    """A sentence on how far to go back if the torch is too short, if wanted with the best walk from there."""
    level, states = state.level, states_of(state)
    sure = states[last_sure(states[:-1] or states, planner)]
    back = len(states) - 1 - sure.steps
    here, *walk = (level.rooms[room].title for room in (planner.plan(sure).walk if has_walk else (sure.room,)))
    then = f" Then {', '.join(walk)}." if walk else ""
    return f"Go back {counted(back, 'move')}, to {here}: {{undo}}{f' {back} times' * (back > 1)}.{then}"


def _feared_text(state: State, way: Sequence[int], planner: Planner) -> str:
    """A sentence, after a space, on what the room at the end of a way in fog leads to at worst, or costs later."""
    if not way or state.has_seen(way[-1]):
        return ""
    joined, exits_of_new = planner.explorer(state.level).feared(state, way[-1])
    rooms = [f"a new room with {counted(ahead, 'exit')}" if ahead else "a new dead end" for ahead in exits_of_new]
    rooms += [state.level.rooms[other].title for other in joined]
    level, title = state.level, state.level.rooms[way[-1]].title
    if rooms:
        return f" At worst {title} leads to {' and '.join(rooms)}."
    if not (there := _way_to_another(state, way[-1])):
        return f" {NO_OTHER_ROOM}"
    now, later = (cheapest_ways(level, room, state.seen)[0][way[-1]] for room in (state.room, there[-1]))
    return f" {title} costs {now} from here, {later} from {level.rooms[there[-1]].title}."


def _way_to_another(state: State, room: int) -> list[int]:
    """The way to the nearest other unvisited room that the torch reaches; empty if there is none."""
    costs, parents = cheapest_ways(state.level, state.room, state.seen)
    left = (state.level.torch or inf) - state.cost
    others = [other for other in costs if other != room and not state.has_seen(other) and costs[other] <= left]
    return way_to(parents, min(others, key=costs.__getitem__)) if others else []


def _next(state: State, room: int) -> str:
    """The room to visit next; says if it is a dead end."""
    is_dead_end = not state.has_seen(room) and not exits(state.level, state.seen | 1 << room, room)
    return f"{state.level.rooms[room].title} next{', a dead end' * is_dead_end}"


def out_of_reach(plan: Plan) -> str:
    """A clause for an impossible task, without a full stop."""
    return f"it can't be done: you can reach only {counted(plan.seen, 'room')}"


def standing(
    state: State,
    marks: Sequence[tuple[str, str]] = (),
    *,
    is_scouting: bool = False,
    needed: int | None = None,
    bars: str = "█░",
) -> Facts:
    """The torch or the cost so far and the rooms seen, for the side panel, with the marks on the map.

    `needed` is the torch that the rest needs at worst, if that is known; `bars` draws what is left of it, and burnt.
    """
    level, bar = state.level, list[tuple[str, str]]()
    seen = f"{state.seen_count} of {level.needed}"
    if level.torch is None:
        burned, spent = ("Cost", str(state.cost)), f"cost: {state.cost}"
    else:
        left = max(0, level.torch - state.cost)
        burned, spent = ("Torch", f"{left} of {level.torch}"), f"torch: {left} of {level.torch}"
        lit = ceil(_BAR * left / max(1, level.torch))
        bar = [("Left", bars[0] * lit + bars[1] * (_BAR - lit))]
    promise = []
    if needed is not None:
        at_worst = f"{needed}{' at worst' * any(hidden(state))}"
        promise, spent = [("Needed", at_worst)], f"torch: {(level.torch or 0) - state.cost}, needed: {at_worst}"
    rows = [burned, *promise, ("Visited", seen), *bar, ("Room", level.rooms[state.room].title)]
    rows += [("Par", str(level.par))] * (level.par is not None)
    rows += [("Hidden", out_of_sight(state))] if is_scouting else []
    if level.goal is not None:
        rows.append(("To end in", level.rooms[level.goal].title))
    rooms, corridors = counted(len(level.rooms), "room"), counted(len(level.corridors), "corridor")
    in_short = [f"{mark} {meaning.partition(',')[0]}" for mark, meaning in marks]
    in_short.sort(key=lambda each: "N " in each)  # other marks first: a message tells what N is
    return Facts(
        goal=goal(level),
        title=name_of(level),
        subtitle=f"{rooms}, {corridors}",
        rows=tuple(rows),
        more=tuple(marks),
        short=(spent, f"visited: {seen}", *[f"par: {level.par}"] * (level.par is not None), *in_short),
    )


def room_text(state: State, number: int) -> str:
    """A room in words: label, cost, events, seen or not, and whether it is the party's, the start or the goal."""
    level = state.level
    room = level.rooms[number]
    parts = [f"entering it costs {room.cost}", *room.events, "visited" if state.has_seen(number) else "not yet visited"]
    trip = cheapest_ways(level, state.room, state.seen)[0].get(number)
    paid = state.cost + (trip or 0)
    way = f"trip {trip}, then {f'{paid} in all' if level.torch is None else f'{level.torch - paid} left'}"
    way = "too far for one trip" if trip is None or paid > (level.torch or paid) else way
    parts.append("the party is here" if number == state.room else way)
    parts += ["the start"] if number == level.start else []
    parts += ["the room to end in"] if number == level.goal else []
    return f"{room.title}: {', '.join(parts)}"


def corridor_text(level: Level, corridor: Corridor) -> str:
    """A corridor in words: its rooms, its cost, its events."""
    one, two = (level.rooms[room].title for room in corridor.ends)
    return ", ".join([f"Corridor from {one} to {two}: cost {corridor.cost}", *corridor.events])


def comparison(compared: Comparison, state: State) -> tuple[str, str]:
    """Title and text that compare a finished walk with the cheapest one, and name the most wasteful leg."""
    best, cost, level = compared.best, state.cost, state.level
    if best.cost is None or not best.is_proven:
        text = f"The best walk found costs {best.cost}; no walk costs less than {best.lower_bound}.\n{NUMBERS}"
        return f"Cost {cost}", text
    if cost <= best.cost:
        lines = ["No walk is cheaper: proven.", _tempting(state), "Numbers above rooms count your steps."]
        return f"Cost {cost}: par", "\n".join(filter(None, lines))
    wasted, (one, other, most) = cost - best.cost, _worst_leg(level, compared.walk, compared.legs)
    share = "all" if most == wasted else f"{most} of it"
    text = f"{wasted} too much, {share} from {one} to {other} ({WASTED}). {_tempting(state)}".rstrip()
    return f"Cost {cost}, par {best.cost}", f"{text}\n{NUMBERS}"


def promise(state: State, legs: Sequence[Leg] | None, best: Plan, sure: int | None) -> tuple[str, str]:
    """Title and text that compare an explorer's walk with the torch: praise, the cost with the map, the riskiest step.

    `legs` are the steps after which less could be guaranteed than before, and `sure` is the cost that can be guaranteed
    from the start; None: unknown. A level without par has the scout's torch.
    """
    level = state.level
    assert level.torch is not None
    promised = level.torch if level.par is None else level.par
    who = "the surest plan" if sure == promised else "a scout"
    saved, walk = promised - state.cost, [trail.room for trail in trails_of(state)]
    risk = "" if legs is None else "You took no risk."
    if legs:
        one, other, more = _worst_leg(level, walk, legs)
        risk = f"Riskiest step ({WASTED}): {one} to {other}, at worst {more} above the safest."
        if saved >= 0:
            risk = f"A risk that paid ({WASTED}): {one} to {other} could have cost {more} more."
    praise = f"Exactly as {who}."
    if saved:
        praise = f"{saved} less than {who}: well explored!" if saved > 0 else f"{-saved} more than {who}."
    is_cheaper = best.cost is not None and best.cost < state.cost
    known = f"With the map: {best.cost} (below rooms). " if is_cheaper else ""
    text = "\n".join(filter(None, [praise, risk, f"{known}{_tempting(state)}".rstrip()]))
    spare = level.torch - state.cost
    left = f"{spare} of the torch's {level.torch} left" if spare else "the torch lasted to the end"
    return f"Cost {state.cost}: {left}", text


def _tempting(state: State) -> str:
    """A sentence on the cost of always going to the nearest room; empty if that was no worse."""
    nearest = scout_cost(state.level, 0) or 0
    return f"The nearest each time: {nearest}." if nearest > state.cost else ""


def _worst_leg(level: Level, walk: Sequence[int], legs: Sequence[Leg]) -> tuple[str, str, int]:
    """The rooms between which most was wasted or risked, and how much: of a single step, if one alone did it."""
    worst = max(legs, key=lambda leg: leg.wasted, default=Leg(0, 0, 0))
    first, last = (worst.first, worst.last) if len(worst.steps) != 1 else (worst.steps[0], worst.steps[0] + 1)
    return level.rooms[walk[first]].title, level.rooms[walk[last]].title, worst.wasted
