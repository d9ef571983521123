"""The spoken words of the expedition: the party's room and its doors, the path to a room, the next rooms."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf

from dungeon_tui.core.words import counted
from dungeon_tui.games.expedition.ai.solver import Planner
from dungeon_tui.games.expedition.model.explorer import hidden
from dungeon_tui.games.expedition.model.level import rooms_called
from dungeon_tui.games.expedition.model.maps import (
    cheapest_ways,
    exits,
    hidden_costs,
    known_rooms,
    neighbours,
    scouted,
    step_cost,
    way_to,
)
from dungeon_tui.games.expedition.model.state import State, Status
from dungeon_tui.games.expedition.view.drawing import DEAD_END

_NEW = "unvisited"


class ExpeditionGuide:
    """Spoken words for rooms that have costs between them instead of directions."""

    def __init__(self, commands: str) -> None:
        self.commands = f"{commands.strip()} near {_NEW}: the cheapest unvisited room."
        self._planner = Planner()

    def look(self, state: State) -> str:
        level = state.level
        end = "" if level.goal is None else f"; end in {level.rooms[level.goal].label}"
        torch = "" if level.torch is None else f" of the torch's {level.torch}"
        standing = f"Cost {state.cost}{torch}; {state.seen_count} of {counted(level.needed, 'room')} visited{end}."
        return f"{here_text(state)} {standing}"

    def near(self, state: State, word: str) -> str:
        """The cheapest path to a room of that name, through known rooms; with `unseen`, to any unseen room."""
        level, known = state.level, known_bits(state)
        rooms = [room for room in range(len(level.rooms)) if known >> room & 1 and not state.has_seen(room)]
        rooms = rooms if word in ("", _NEW) else rooms_called(level.rooms, word, known)
        costs, parents = known_ways(state)
        reached = [room for room in rooms if room in costs]
        if not reached:
            return f"You know of no path to {word or _NEW}."
        room = min(reached, key=lambda each: costs[each])
        return f"{level.rooms[room].label} for {costs[room]}. {_walk_text(state, way_to(parents, room))}"

    def who(self, state: State) -> str:
        return ""

    def hint(self, state: State) -> str:
        """The steps to the next new room on the cheapest walk, and the cost of the rest; in fog, the promise."""
        if state.level.is_fogged:
            way, rest, _ = promised(state, self._planner)
            return f"{_walk_text(state, way)} {torch_text(state, rest)}." if way else "You know of no way on."
        found = self._planner.plan(state)
        if found.cost is None:
            return f"It can't be done: you can reach only {counted(found.seen, 'room')}."
        walk = found.walk
        new = next((index for index, room in enumerate(walk) if not state.has_seen(room)), len(walk))
        proof = "no walk is cheaper" if found.is_proven else "the best walk found"
        return f"{_walk_text(state, walk[: new + 1])} The rest costs {found.cost}: {proof}."


def promised(state: State, planner: Planner) -> tuple[list[int], int | None, dict[int, int]]:
    """The walk to the room that an explorer should visit next, and the further cost at worst.

    Then what each other room may cost more, the least first. If nothing could be promised from the start, the walk is
    the scout's, the cost is None, and no other room is compared.
    """
    level, totals = state.level, planner.explorer(state.level).choices(state)
    if totals:
        room = min(totals, key=lambda each: (totals[each], each))
        _, parents = cheapest_ways(level, state.room, state.seen)
        others = {other: total - totals[room] for other, total in totals.items() if other != room}
        dearer = dict(sorted(others.items(), key=lambda each: each[1]))
        return way_to(parents, room), totals[room] - state.cost, dearer
    return scouted(level, state.room, state.seen), None, {}


def wanted(state: State) -> tuple[dict[int, int], Mapping[int, int]]:
    """The cost of the cheapest known way to a room to end in, and to each nearer new one, in fog; the parents."""
    level, left = state.level, state.level.needed - state.seen_count
    costs, parents = cheapest_ways(level, state.room, state.seen)
    ends = [room for room in costs if level.goal in (None, room) and left <= (not state.has_seen(room))]
    end = min(ends, key=costs.__getitem__, default=None)
    most = inf if end is None else costs[end]
    rooms = [room for room in costs if room == end or (costs[room] < most and not state.has_seen(room))]
    return {room: costs[room] for room in rooms}, parents


def foreseen(before: State, after: State) -> State:
    """The state after a step as a plan knows it: in fog, without the rooms that would come into sight, nor the end."""
    if not is_scouting(before):
        return after
    is_news = exits(before.level, before.seen, after.room) > 0 and not before.has_seen(after.room)
    return replace(after, seen=before.seen if is_news else after.seen, status=before.status)


def at_least(state: State) -> int:
    """The torch that the rest needs, whatever the fog hides: the way to the nearest room to go to, others, the end."""
    level, known = state.level, known_bits(state)
    least = min(room.cost for room in level.rooms)  # of hidden ones
    costs = [room.cost if known >> number & 1 else least for number, room in enumerate(level.rooms)]
    unseen = sorted((room for room in range(len(costs)) if not state.has_seen(room)), key=costs.__getitem__)
    home = level.rooms[level.goal].cost if level.goal is not None and state.has_seen(level.goal) else 0

    def rest(room: int) -> int:
        others = [costs[other] for other in unseen if other != room]
        return (sum(others[: max(0, level.needed - state.seen_count - 1)]) + home) * (room != level.goal)

    return min((way + rest(room) for room, way in wanted(state)[0].items()), default=0)


def is_stuck(state: State) -> bool:
    """True if fog hides something, but surely no way for which the torch lasts."""
    is_open = is_unsure(state) and state.status is Status.EXPLORING
    return is_open and state.cost + at_least(state) > (inf if state.level.torch is None else state.level.torch)


def needed(state: State, planner: Planner) -> int | None:
    """The torch that the rest needs, in fog at worst; None: unknown."""
    if not is_unsure(state):
        return planner.plan(state).cost
    total = planner.explorer(state.level).total(state)
    return None if total is None else total - state.cost


def lacking(state: State, planner: Planner) -> int:
    """The torch that is lacking for what is `needed`; 0 if it lasts, or if that is unknown."""
    torch, rest = state.level.torch, needed(state, planner)
    return 0 if torch is None or rest is None else max(0, rest + state.cost - torch)


def is_sure(state: State, planner: Planner) -> bool:
    """True if what is `needed` is known, and the torch lasts for it."""
    return needed(state, planner) is not None and not lacking(state, planner)


def last_sure(states: Sequence[State], planner: Planner) -> int:
    """Index of the last state from which the torch was known to last; 0 if there is none."""
    return max((ply for ply, state in enumerate(states) if is_sure(state, planner)), default=0)


def torch_text(state: State, rest: int | None) -> str:
    """The torch left, and what the rest needs of it: "torch: 9, needed: 8 at worst"."""
    torch = state.level.torch
    left = "" if torch is None else f"torch: {torch - state.cost}, "
    return f"{left}needed: {'unknown' if rest is None else f'{rest}{at_worst(state)}'}"


def is_unsure(state: State) -> bool:
    """True if fog hides rooms or corridors, so that a plan holds for the worst map that fits what is seen."""
    return state.level.is_fogged and any(hidden(state))


def at_worst(state: State) -> str:
    """Says after a number that it holds for the worst map that fits what is seen; empty if nothing is hidden."""
    return " at worst" * is_unsure(state)


def here_text(state: State) -> str:
    """The party's room and those next to it: what they cost, and if they are new, in fog with exits."""
    level, there = state.level, list[str]()
    for room in neighbours(level)[state.room]:
        new = f", {_NEW}" + f", {exits_in_words(state, room)}" * level.is_fogged
        there.append(
            f"{level.rooms[room].label} for {step_cost(level, state.room, room)}{new * (not state.has_seen(room))}"
        )
    return f"You are in {level.rooms[state.room].label}. Next to it: {'; '.join(there) or 'nothing'}."


def exits_in_words(state: State, room: int) -> str:
    """The number of an unseen room's exits to unvisited rooms."""
    count, corridors = exits(state.level, state.seen, room), len(neighbours(state.level)[room])
    return counted(count, "exit") if count else "no new exits" if corridors > 1 else DEAD_END


def is_scouting(state: State) -> bool:
    """True if fog hides rooms: until the task is done."""
    return state.level.is_fogged and state.status is not Status.EXPLORED


def known_bits(state: State) -> int:
    """The known rooms as bits; without fog, all."""
    return known_rooms(state.level, state.seen) if is_scouting(state) else (1 << len(state.level.rooms)) - 1


def known_ways(state: State) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """The cheapest paths from the party's room, in fog through visited rooms; see `cheapest_ways`."""
    return cheapest_ways(state.level, state.room, state.seen if is_scouting(state) else -1)


def _walk_text(state: State, walk: Sequence[int]) -> str:
    rooms = [state.level.rooms[room] for room in walk[1:]]
    ids = [str(room.id) for room in rooms]
    if not ids:
        return "You are there."
    how = ", each on its own line" if any(len(each.split()) > 1 for each in ids) else ""
    labels = [room.label for room in rooms]
    steps = counted(len(ids), "step") if labels == ids else ", ".join(labels)
    return f"Type{how} {(', ' if how else ' ').join(ids)}: {steps}."


def out_of_sight(state: State) -> list[tuple[str, str]]:
    """The number of rooms and of corridors that an explorer knows only by number and highest cost, each with that."""
    (rooms, corridors), (room_cost, corridor_cost) = hidden(state), hidden_costs(state.level)
    cost = f"max {corridor_cost}" if corridor_cost else "free"
    return [*[(counted(rooms, "room"), f"max +{room_cost}")] * (rooms > 0), (counted(corridors, "corridor"), cost)]
