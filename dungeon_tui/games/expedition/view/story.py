"""The expedition's sentences on screen."""

from collections.abc import Iterator, Sequence

from dungeon_tui.core.words import capitalised, counted, in_words
from dungeon_tui.games.expedition.ai.solver import Comparison, Leg, Plan
from dungeon_tui.games.expedition.model.level import Corridor, Level
from dungeon_tui.games.expedition.model.maps import neighbours
from dungeon_tui.games.expedition.model.state import State
from dungeon_tui.games.expedition.view.picture import WASTED
from dungeon_tui.games.expedition.view.transcript import sure_text
from dungeon_tui.ui.widgets.side_panel import Facts

_MOST_LEGS = 3  # listed in the end dialog
_BAR = 16  # characters of the progress bar

WALK_NOTE = "Your walk: numbers at the top of rooms count its steps; ! marks wasted ones."
ALL_IS_SEEN = "All done. {walk} draws your walk, {plan} the cheapest one; {curve} plots the least cost by rooms."


def plan_note(number: int, count: int, are_all: bool = False) -> str:
    """A sentence on plan `number` (from 0) of `count`; 0: the number of plans is unknown."""
    which = "A cheapest walk"
    if count > 1:
        which = f"Cheapest walk {number + 1} of {count}{'' if are_all else ' or more'}"
    elif count:
        which = "The only cheapest walk" if are_all else "The only walk found in time"
    more = "" if count == 1 else "; {plan.next} shows the next one"
    return f"{which}: numbers at the bottom of rooms count its steps, arrows show its exits{more}."


def goal(level: Level) -> str:
    """The task in a sentence."""
    rooms = counted(len(level.rooms), "room")
    wanted = f"all {rooms}" if level.needed >= len(level.rooms) else f"{level.needed} of {rooms}"
    where = "" if level.goal is None else f" and end in {level.rooms[level.goal].label}"
    return f"Visit {wanted}{where} as cheaply as possible."


def arrival(before: State, after: State) -> str:
    """A sentence on a step: the room, the cost, the events, and whether the room is new."""
    level = after.level
    corridor = level.corridors[neighbours(level)[before.room][after.room]]
    met = [*(f"{name} on the way" for name in corridor.events), *level.rooms[after.room].events]
    text = ", ".join([f"{level.rooms[after.room].label}: cost {after.cost - before.cost}", *met])
    return f"{text}, seen before." if before.seen == after.seen else f"{text}, new: {after.seen_count} seen."


def hint_text(state: State, plan: Plan, step: int, *, known_only: bool) -> str:
    """A step of a hint: the next new room and the cost left; the next step; the whole plan."""
    if plan.cost is None:
        known = " on the map that you know" if known_only else ""
        return f"{capitalised(out_of_reach(plan))}{known}."
    if step == 0:
        proven = "proven" if plan.is_proven else f"the best walk found costs {plan.cost}"
        what = "The rest of what you know" if known_only else "The rest"
        new = (state.level.rooms[room].label for room in plan.walk if not state.has_seen(room))
        aim = next((f"Make for {label}. " for label in new), "Make for the end. ")
        return f"{aim}{what} costs at least {plan.lower_bound}; {proven}."
    if step == 1 and len(plan.walk) > 1:
        return f"Go to {state.level.rooms[plan.walk[1]].label}."
    return f"The plan: {counted(len(plan.walk) - 1, 'step')}, {plan.cost} more."


def out_of_reach(plan: Plan) -> str:
    """A clause for an impossible task, without a full stop."""
    return f"it can't be done: you can reach only {counted(plan.seen, 'room')}"


def standing(state: State) -> Facts:
    """The cost so far and the rooms seen, for the side panel."""
    level = state.level
    seen = f"{state.seen_count} of {level.needed}"
    done = min(_BAR, _BAR * state.seen_count // max(level.needed, 1))
    here = level.rooms[state.room].label
    rows = [("Cost", str(state.cost)), ("Rooms seen", seen), ("", "#" * done + "." * (_BAR - done)), ("Room", here)]
    if level.goal is not None:
        rows.append(("To end in", level.rooms[level.goal].label))
    if level.needed < len(level.rooms):
        rows.append(("To see", f"{level.needed} of {len(level.rooms)}: {float(level.coverage):g} %"))
    rooms, corridors = counted(len(level.rooms), "room"), counted(len(level.corridors), "corridor")
    return Facts(
        goal=goal(level),
        title=in_words(level.name),
        subtitle=f"{rooms}, {corridors}",
        caption=level.lesson,
        rows=tuple(rows),
        short=(f"cost: {state.cost}", f"rooms seen: {seen}", f"in {here}"),
    )


def room_text(state: State, number: int) -> str:
    """A room in words: label, cost, events, seen or not, and whether it is the party's, the start or the goal."""
    level = state.level
    room = level.rooms[number]
    parts = [f"entering it costs {room.cost}", *room.events, "seen" if state.has_seen(number) else "not yet seen"]
    parts += ["the party is here"] if number == state.room else []
    parts += ["the start"] if number == level.start else []
    parts += ["the room to end in"] if number == level.goal else []
    return f"{room.label}: {', '.join(parts)}"


def corridor_text(level: Level, corridor: Corridor) -> str:
    """A corridor in words: its rooms, its cost, its events."""
    one, two = (level.rooms[room].label for room in corridor.ends)
    return ", ".join([f"Corridor from {one} to {two}: cost {corridor.cost}", *corridor.events])


def comparison_sentences(
    level: Level, compared: Comparison, *, was_foggy: bool, sure: int | None = None
) -> Iterator[str]:
    """Sentences that compare the walk with the cheapest one and list wasted legs; none if the task is impossible.

    `sure` is the cost that you can guarantee without the map; None: unknown.
    """
    best = compared.best
    if best.cost is None:
        return
    by = " with the whole map known" if was_foggy else ""
    if not best.is_proven:
        yield f"The best walk found{by} costs {best.cost}; no walk costs less than {best.lower_bound}."
    elif compared.wasted <= 0:
        yield f"No walk{by} is cheaper: proven."
    else:
        yield f"The cheapest walk{by} costs {best.cost}, {compared.wasted} less: proven."
    if was_foggy:
        yield sure_text(sure)
    for leg in sorted(compared.legs, key=lambda leg: -leg.wasted)[:_MOST_LEGS]:
        yield _leg_text(level, compared.walk, leg)
    if len(compared.legs) > _MOST_LEGS:
        yield f"And {counted(len(compared.legs) - _MOST_LEGS, 'more leg')}, marked by {WASTED}."
    yield "Numbers at the top of rooms count your steps; at the bottom, the cheapest walk's."


def _leg_text(level: Level, walk: Sequence[int], leg: Leg) -> str:
    labels = [level.rooms[room].label for room in walk[leg.first : leg.last + 1]]
    over = f" over {', '.join(labels[1:-1])}" if len(labels) > 2 else ""
    steps = f"step {leg.last}" if leg.last == leg.first + 1 else f"steps {leg.first + 1} to {leg.last}"
    return f"+{leg.wasted}: wasted between {labels[0]} and {labels[-1]}{over}, {steps}."
