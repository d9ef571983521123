"""The expedition's rules: walk from room to room until enough is seen.

Source:
    "Efficient dungeon exploration", as docs/games/expedition.md restates it; each function quotes the sentence it
    obeys.
"""

import json
from contextlib import suppress
from dataclasses import replace
from math import inf

from dungeon_tui.core.rules import Event, IllegalActionError, Outcome
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.games.expedition.model.level import Level, is_room_id
from dungeon_tui.games.expedition.model.maps import neighbours, step_cost
from dungeon_tui.games.expedition.model.state import (
    Action,
    Explored,
    RoomSeen,
    State,
    Status,
    TorchBurnedOut,
    Trail,
    Walk,
    Walked,
)

VERSION = 2
UNLISTED: frozenset[type] = frozenset()


def start(level: Level, seed: int = 0) -> State:
    """The party in the first room; already over if seeing that room is enough. The seed has no effect.

    Rule: "The start is free and counts as visited."
    """
    state = State(level, Trail(level.start, 0), 1 << level.start)
    return replace(state, status=Status.EXPLORED) if _is_done(state) else state


def legal_actions(state: State) -> tuple[Walk, ...]:
    """A step into each neighbouring room, in the order of the file; none after the end."""
    if state.status is not Status.EXPLORING:
        return ()
    return tuple(Walk(state.level.rooms[other].id) for other in neighbours(state.level)[state.room])


def objection(state: State, action: Action) -> str | None:
    """Reason the action is illegal, or None: no corridor leads there, or the expedition is over."""
    if state.status is not Status.EXPLORING:
        return "the expedition is over: undo or restart"
    if _neighbour(state, action) is not None:
        return None
    return f"no corridor leads from {state.level.rooms[state.room].label} to {printable(str(action.to))}"


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a step through one corridor, and its events.

    Rules: "the sum over its steps of the corridor's cost and the cost of the room entered"; "A step that costs more
    than is left of the torch ends the expedition: its room isn't visited. It also ends in a room from which every step
    would cost more."
    """
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    to = _neighbour(state, action)
    assert to is not None
    cost = step_cost(state.level, state.room, to)
    is_new = not state.has_seen(to)
    trail = Trail(to, state.cost + cost, state.trail)
    left = inf if state.level.torch is None else state.level.torch - trail.cost
    if left < 0:
        state = replace(state, trail=trail, steps=state.steps + 1, status=Status.DARK)
        return state, (Walked(to, cost), TorchBurnedOut())
    state = replace(state, trail=trail, seen=state.seen | 1 << to, steps=state.steps + 1)
    events: list[Event] = [Walked(to, cost)]
    if is_new:
        events.append(RoomSeen(to, state.seen_count))
    if _is_done(state):
        state = replace(state, status=Status.EXPLORED)
        events.append(Explored(state.cost))
    elif all(step_cost(state.level, to, other) > left for other in neighbours(state.level)[to]):
        state = replace(state, status=Status.DARK)
        events.append(TorchBurnedOut())
    return state, tuple(events)


def outcome(state: State) -> Outcome | None:
    """The end of the expedition, or None."""
    if state.status is Status.EXPLORING:
        return None
    level, torch, before = state.level, state.level.torch or 0, state.trail.before
    if state.status is Status.EXPLORED or before is None:
        rooms = f"{state.seen_count} of {counted(len(level.rooms), 'room')}"
        return Outcome("explored", f"The party visited {rooms} at a cost of {state.cost}.", is_win=True)
    if state.cost <= torch:
        text = f"The torch has {torch - state.cost} left, each step costs more"
    else:
        where, cost = level.rooms[state.room].label, state.cost - before.cost
        text = f"The step to {where} costs {cost}, the torch had {torch - before.cost}"
    rooms = f"{state.seen_count} of {counted(level.needed, 'room')} visited"
    if level.goal is not None and state.seen_count >= level.needed:
        rooms = f"you visited enough rooms, but had to end in {level.rooms[level.goal].label}"
    return Outcome("dark", f"{text}: {rooms}.", is_win=False)


def action_text(action: Action) -> str:
    """An action as recordings write it: the id of the room to enter, as JSON."""
    return json.dumps(action.to)


def read_action(text: str) -> Action:
    """The action that `action_text` wrote. Raises ValueError for any other text."""
    room_id = None
    with suppress(ValueError, RecursionError):
        room_id = json.loads(text)
    if not is_room_id(room_id):
        raise ValueError(f"{text!r} is not an action")
    return Walk(room_id)


def _neighbour(state: State, action: Action) -> int | None:
    """Index of the neighbouring room with the action's id; None if there is none."""
    rooms = state.level.rooms
    return next((room for room in neighbours(state.level)[state.room] if rooms[room].id == action.to), None)


def _is_done(state: State) -> bool:
    """True if enough rooms are seen and the party is in the right room.

    Rule: "at least ceil(X * rooms / 100) rooms".
    """
    level = state.level
    return state.seen_count >= level.needed and level.goal in (None, state.room)
