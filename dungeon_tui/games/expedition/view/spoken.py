"""The expedition for those who don't look: the room and its doors, the way to a room, the next rooms to go to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dungeon_tui.core.spoken import Spoken
from dungeon_tui.core.words import counted
from dungeon_tui.games.expedition.ai.solver import Planner
from dungeon_tui.games.expedition.model.level import rooms_called
from dungeon_tui.games.expedition.model.maps import cheapest_ways, known_rooms, neighbours, step_cost, way_to
from dungeon_tui.games.expedition.model.state import State

_NEW = "unseen"


def spoken(keys: str, board: Callable[[State], str]) -> Spoken[State]:
    """The answers in words of one expedition, its commands in a line, and known rooms as the transcript has them."""
    planner = Planner()
    return Spoken(
        keys=f"{keys.strip()} near {_NEW}: the cheapest to reach of those not seen.",
        look=look,
        who=lambda state: "",
        near=_near,
        hint=lambda state: _hint(state, planner),
        board=board,
        is_taken=lambda state, line: bool(rooms_called(state.level.rooms, line, _known(state))),
    )


def _known(state: State) -> int:
    return known_rooms(state.level, state.seen) if state.level.is_fogged else -1


def look(state: State) -> str:
    """The party's room, the rooms next to it with the cost of the step, and how the expedition stands."""
    level = state.level
    there = [
        f"{level.rooms[room].label} for {step_cost(level, state.room, room)}{', unseen' * (not state.has_seen(room))}"
        for room in neighbours(level)[state.room]
    ]
    end = "" if level.goal is None else f", and to end in {level.rooms[level.goal].label}"
    standing = f"Cost {state.cost}; {state.seen_count} seen of {counted(level.needed, 'room')} to see{end}."
    return f"You are in {level.rooms[state.room].label}. Next to it: {'; '.join(there) or 'nothing'}. {standing}"


def _near(state: State, word: str) -> str:
    """The cheapest way to the rooms of that name, through rooms that are known; of `unseen` ones to any."""
    level, known = state.level, _known(state)
    rooms = [room for room in range(len(level.rooms)) if known >> room & 1 and not state.has_seen(room)]
    rooms = rooms if word in ("", _NEW) else rooms_called(level.rooms, word, known)
    costs, parents = cheapest_ways(level, state.room, state.seen if level.is_fogged else -1)
    reached = [room for room in rooms if room in costs]
    if not reached:
        return f"No way is known to {word or _NEW}."
    room = min(reached, key=lambda each: costs[each])
    return f"{level.rooms[room].label} for {costs[room]}. {_walk_text(state, way_to(parents, room))}"


def _hint(state: State, planner: Planner) -> str:
    """The walk to the next new room on the cheapest walk, and the cost of all that is left; in fog as far as known."""
    found = planner.plan(state, known_only=bool(state.level.is_fogged))
    if found.cost is None:
        return f"It can't be done: {counted(found.seen, 'room')} can be seen, as far as is known."
    walk = found.walk
    new = next((place for place, room in enumerate(walk) if not state.has_seen(room)), len(walk))
    proof = "none is cheaper" if found.is_proven else "the best found"
    what = "The rest of what you know" if state.level.is_fogged else "The rest"
    return f"{_walk_text(state, walk[: new + 1])} {what} costs {found.cost}: {proof}."


def _walk_text(state: State, walk: Sequence[int]) -> str:
    """The ids of the rooms to type, and where they differ the labels."""
    rooms = [state.level.rooms[room] for room in walk[1:]]
    ids = [str(room.id) for room in rooms]
    if not ids:
        return "You are there."
    how = ", each on a line of its own" if any(len(each.split()) > 1 for each in ids) else ""
    labels = [room.label for room in rooms]
    told = counted(len(ids), "step") if labels == ids else ", ".join(labels)
    return f"Type{how} {(', ' if how else ' ').join(ids)}: {told}."
