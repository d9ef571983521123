"""The sentences in which an expedition is told on the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dungeon_tui.core.words import capitalised, counted, in_words
from dungeon_tui.games.expedition.ai.solver import Comparison, Leg, Plan
from dungeon_tui.games.expedition.model.level import Corridor, Level
from dungeon_tui.games.expedition.model.maps import neighbours
from dungeon_tui.games.expedition.model.state import State
from dungeon_tui.games.expedition.view.transcript import sure_text
from dungeon_tui.ui.widgets.side_panel import Facts

_MOST_LEGS = 3  # that the end tells of
_BAR = 16  # characters of the progress

WALK_NOTE = "Your walk: numbers on the upper sides of rooms count its steps; ! where one was wasted."
ALL_IS_SEEN = (
    "All seen. {walk} draws your walk, {plan} the cheapest one, {curve} the least cost for each number of rooms."
)


def plan_note(number: int, count: int, are_all: bool = False) -> str:
    """Sentences on the plan that is drawn: the n-th from 0 of so many; 0 of them: nobody has asked for others."""
    which = "A cheapest walk"
    if count > 1:
        which = f"Cheapest walk {number + 1} of {count}{'' if are_all else ' or more'}"
    elif count:
        which = "The only cheapest walk" if are_all else "The only walk found in time"
    more = "" if count == 1 else "; {plan.next} shows the next one"
    return f"{which}: numbers on the lower sides of rooms count its steps, arrows show where it leaves{more}."


def goal(level: Level) -> str:
    """The rooms to see, and the room to end in if there is one, in a sentence."""
    rooms = counted(len(level.rooms), "room")
    wanted = f"all {rooms}" if level.needed >= len(level.rooms) else f"{level.needed} of {rooms}"
    where = "" if level.goal is None else f" and end in {level.rooms[level.goal].label}"
    return f"See {wanted}{where}, as cheaply as you can."


def arrival(before: State, after: State) -> str:
    """Sentence for a step: the room's label, the step's cost, the events met, new or seen before."""
    level = after.level
    corridor = level.corridors[neighbours(level)[before.room][after.room]]
    met = [*(f"{name} on the way" for name in corridor.events), *level.rooms[after.room].events]
    told = ", ".join([f"{level.rooms[after.room].label}: cost {after.cost - before.cost}", *met])
    return f"{told}, seen before." if before.seen == after.seen else f"{told}, new: {after.seen_count} seen."


def hint_text(state: State, plan: Plan, step: int, *, known_only: bool) -> str:
    """A step of a hint: the new room to make for and the cost left, then the next room, then the whole plan.

    In fog the plan is made with what is known only.
    """
    if plan.cost is None:
        known = ", as far as you know the map" if known_only else ""
        return f"{capitalised(out_of_reach(plan))}{known}."
    if step == 0:
        proven = "proven" if plan.is_proven else f"the best way found costs {plan.cost}"
        what = "The rest of what you know" if known_only else "The rest"
        new = (state.level.rooms[room].label for room in plan.walk if not state.has_seen(room))
        aim = next((f"Make for {label}. " for label in new), "Make for the end. ")
        return f"{aim}{what} costs at least {plan.lower_bound}; {proven}."
    if step == 1 and len(plan.walk) > 1:
        return f"Go to {state.level.rooms[plan.walk[1]].label}."
    return f"The plan: {counted(len(plan.walk) - 1, 'step')}, {plan.cost} more."


def out_of_reach(plan: Plan) -> str:
    """Clause for a plan without a cost: it can't be done, and how many rooms can be seen; without a full stop."""
    return f"it can't be done: {counted(plan.seen, 'room')} can be seen"


def standing(state: State) -> Facts:
    """The cost so far, and the rooms seen, for the side panel."""
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
    """Words for a room: label, cost of entering it, events, seen or not, and if it is the party's, start or goal."""
    level = state.level
    room = level.rooms[number]
    parts = [f"entering it costs {room.cost}", *room.events, "seen" if state.has_seen(number) else "not yet seen"]
    parts += ["the party is here"] if number == state.room else []
    parts += ["the start"] if number == level.start else []
    parts += ["where to end"] if number == level.goal else []
    return f"{room.label}: {', '.join(parts)}"


def corridor_text(level: Level, corridor: Corridor) -> str:
    """A corridor in words: its rooms, its cost, its events."""
    one, two = (level.rooms[room].label for room in corridor.ends)
    return ", ".join([f"Corridor from {one} to {two}: cost {corridor.cost}", *corridor.events])


def comparison_sentences(
    level: Level, compared: Comparison, *, was_foggy: bool, sure: int | None = None, mark: str
) -> Iterator[str]:
    """Sentences that compare the walk with the cheapest one, and name the wasted legs; none where it can't be done.

    The mark is the sign on the map for a wasted leg; in fog the walk was made without knowing the whole map, and it is
    told of which cost one can be sure then, None: nobody knows.
    """
    best = compared.best
    if best.cost is None:
        return
    by = " with the whole map known" if was_foggy else ""
    if not best.is_proven:
        yield f"The best walk that was found{by} costs {best.cost}; none costs less than {best.lower_bound}."
    elif compared.wasted <= 0:
        yield f"That is the least{by}: proven."
    else:
        yield f"The least{by} is {best.cost}, proven: {compared.wasted} less."
    if was_foggy:
        yield sure_text(sure)
    for leg in sorted(compared.legs, key=lambda leg: -leg.wasted)[:_MOST_LEGS]:
        yield _leg_text(level, compared.walk, leg)
    if len(compared.legs) > _MOST_LEGS:
        yield f"And {counted(len(compared.legs) - _MOST_LEGS, 'more leg')}, marked by {mark}."
    yield "Numbers above rooms count your steps, numbers below those of the cheapest walk."


def _leg_text(level: Level, walk: Sequence[int], leg: Leg) -> str:
    labels = [level.rooms[room].label for room in walk[leg.first : leg.last + 1]]
    over = f" over {', '.join(labels[1:-1])}" if len(labels) > 2 else ""
    steps = f"step {leg.last}" if leg.last == leg.first + 1 else f"steps {leg.first + 1} to {leg.last}"
    return f"+{leg.wasted}: wasted between {labels[0]} and {labels[-1]}{over}, {steps}."
