"""The expedition's rules: walk from room to room until enough is seen.

Source:
    "Efficient dungeon exploration", as docs/games/expedition.md restates it; each function names the sentence it obeys.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import lru_cache

from dungeon_tui.core.rules import Event, IllegalActionError, Outcome
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import counted
from dungeon_tui.games.expedition.model.level import Level, level_text, room_key
from dungeon_tui.games.expedition.model.maps import neighbours, step_cost
from dungeon_tui.games.expedition.model.state import (
    Action,
    Explored,
    RoomSeen,
    State,
    Status,
    Trail,
    Walk,
    Walked,
)

VERSION = 1
UNLISTED: frozenset[type] = frozenset()


def start(level: Level, seed: int = 0) -> State:
    """State with the party in the first room, over at once if that is enough. The seed plays no part.

    Rule: "The start costs nothing and counts as seen."
    """
    state = State(level, Trail(level.start, 0), 1 << level.start)
    return replace(state, status=Status.EXPLORED) if _is_done(state) else state


def legal_actions(state: State) -> tuple[Walk, ...]:
    """A step into each neighbouring room, in the order of the file; none after the end."""
    if state.status is not Status.EXPLORING:
        return ()
    return tuple(Walk(state.level.rooms[other].id) for other in neighbours(state.level)[state.room])


def objection(state: State, action: Action) -> str | None:
    """Reason why `step` refuses an action: no corridor leads there, or the expedition is over; None if it is legal."""
    if state.status is not Status.EXPLORING:
        return "the expedition is over: undo or restart"
    if _neighbour(state, action) is not None:
        return None
    return f"no corridor leads from {state.level.rooms[state.room].label} to {printable(str(action.to))}"


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a step through one corridor, and its events.

    Rule: "the sum over its steps of the corridor's cost and the cost of the room entered."

    Raises:
        IllegalActionError: no corridor leads there, or the expedition is over.
    """
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    to = _neighbour(state, action)
    assert to is not None
    cost = step_cost(state.level, state.room, to)
    is_new = not state.has_seen(to)
    trail = state.trail.onward(to, state.cost + cost)
    state = replace(state, trail=trail, seen=state.seen | 1 << to, steps=state.steps + 1)
    events: list[Event] = [Walked(to, cost)]
    if is_new:
        events.append(RoomSeen(to, state.seen_count))
    if _is_done(state):
        state = replace(state, status=Status.EXPLORED)
        events.append(Explored(state.cost))
    return state, tuple(events)


def outcome(state: State) -> Outcome | None:
    """The end of the expedition; None while it goes on."""
    if state.status is Status.EXPLORING:
        return None
    rooms = f"{state.seen_count} of {counted(len(state.level.rooms), 'room')}"
    return Outcome("explored", f"The party saw {rooms} at a cost of {state.cost}.", is_win=True)


def action_text(action: Action) -> str:
    """An action as recordings write it: the JSON of the id of the room to enter."""
    return json.dumps(action.to)


def read_action(text: str) -> Action:
    """The action that `action_text` wrote. Raises ValueError where no action is written so."""
    try:
        room_id = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{text!r} is not an action") from None
    if isinstance(room_id, bool) or not isinstance(room_id, str | int | float) or room_id != room_id:
        raise ValueError(f"{text!r} is not an action")
    return Walk(room_id)


def fingerprint(state: State) -> str:
    """SHA-256 over the state and the map, as 64 hexadecimal digits."""
    digest = hashlib.sha256(f"{state.status.value} {state.steps} {state.seen:x}\n".encode())
    digest.update(state.trail.text)
    digest.update(_level_bytes(state.level))
    return digest.hexdigest()


def _neighbour(state: State, action: Action) -> int | None:
    """Place of the neighbouring room that an action names; None if none has that id, of that type."""
    rooms = state.level.rooms
    near = (room for room in neighbours(state.level)[state.room] if room_key(rooms[room].id) == room_key(action.to))
    return next(near, None)


@lru_cache(maxsize=8)
def _level_bytes(level: Level) -> bytes:
    return level_text(level).encode()


def _is_done(state: State) -> bool:
    """True if enough rooms are seen and the party is where it must end.

    Rule: "at least ceil(X * rooms / 100) rooms seen".
    """
    level = state.level
    return state.seen_count >= level.needed and level.goal in (None, state.room)
