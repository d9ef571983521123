"""Map file -> Level: rooms joined by corridors, from JSON or GraphML. The format: docs/games/expedition.md."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf
from typing import Any

from dungeon_tui.core.json_places import Path
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.text import printable
from dungeon_tui.games.expedition.model.map_file import MapFile, read_map_file, without_none

RoomId = str | int | float

ROOM_COST, CORRIDOR_COST = 1, 0  # where the file names none
MOST_COST = 10**9
MOST_ROOMS = 256
ALL = Fraction(100)
EVENTS = ("trap", "darkness", "curio")
"""What may happen in a room or a corridor: attributes that are true. The costs include them already."""


def room_key(room_id: RoomId) -> tuple[type, RoomId]:
    """Key that tells ids apart which Python takes for equal: 1 and 1.0."""
    return type(room_id), room_id


@dataclass(frozen=True, slots=True)
class Room:
    """A node of the map."""

    id: RoomId
    label: str
    cost: int = ROOM_COST  # of entering it
    place: tuple[float, float] | None = None  # (row, col) where the file says it lies
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corridor:
    """An edge of the map, the cheapest one between its rooms."""

    ends: tuple[int, int]  # places in Level.rooms, the smaller one first
    cost: int = CORRIDOR_COST  # of walking through it
    events: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """A map as its file gives it, and what is asked of the expedition."""

    name: str
    rooms: tuple[Room, ...]
    corridors: tuple[Corridor, ...]
    start: int  # a place in rooms
    coverage: Fraction = ALL  # percent of the rooms that are to be seen
    is_round_trip: bool = False  # back to the start at the end
    end: int | None = None  # the room to end in
    is_fogged: bool | None = None  # rooms appear as neighbours of rooms seen; None: on a screen they do, in text not
    lesson: str = ""  # one line

    @property
    def goal(self) -> int | None:
        """Place in `rooms` of the room in which the walk must end; None where any will do."""
        return self.start if self.is_round_trip else self.end

    @property
    def needed(self) -> int:
        """Number of rooms to be seen: "at least ceil(X * rooms / 100)"."""
        return ceil(self.coverage * len(self.rooms) / 100)


def rooms_called(rooms: Sequence[Room], text: str, known: int = -1) -> list[int]:
    """Places of the known rooms (bits) whose id has this text; if none has, of those with this label, in any case."""
    there = [(number, room) for number, room in enumerate(rooms) if known >> number & 1]
    by_id = [number for number, room in there if str(room.id) == text]
    return by_id or [number for number, room in there if room.label.casefold() == text.casefold()]


def read_level(file: LevelFile, name: str = "", start: str | None = None, end: str | None = None) -> Level:
    """The map of a file: JSON as networkx writes it, or GraphML.

    Args:
        file: the map.
        name: what to call it; default: the file's name.
        start: the id, as text, or the label of the room to start in; default: the one that the file names.
        end: the same of the room to end in; default: any.

    Raises:
        LevelError: it is no map; the message tells the first fault and its place.
    """
    source = read_map_file(file)
    rooms, marked = _rooms(source)
    corridors = _corridors(source, rooms)
    goal = None if end is None else _wanted(source, rooms, end, "end")
    return Level(name or file.name, rooms, corridors, _start(source, rooms, marked, start), end=goal)


def level_text(level: Level) -> str:
    """JSON text of a map, as networkx writes it, with its start, but without the other parts of the task."""
    nodes = [
        without_none(
            id=room.id,
            label=None if room.label == str(room.id) else room.label,
            cost=None if room.cost == ROOM_COST else room.cost,
            row=None if room.place is None else _whole(room.place[0]),
            col=None if room.place is None else _whole(room.place[1]),
            start=True if number == level.start else None,
        )
        | dict.fromkeys(room.events, True)
        for number, room in enumerate(level.rooms)
    ]
    edges = [
        without_none(
            source=level.rooms[corridor.ends[0]].id,
            target=level.rooms[corridor.ends[1]].id,
            cost=None if corridor.cost == CORRIDOR_COST else corridor.cost,
        )
        | dict.fromkeys(corridor.events, True)
        for corridor in level.corridors
    ]
    lines = ['"directed": false', '"multigraph": false', '"graph": {}']
    for key, entries in (("nodes", nodes), ("edges", edges)):
        body = ",\n".join(f"  {json.dumps(entry)}" for entry in entries)
        lines.append(f'"{key}": [\n{body}\n]')
    return "{" + ",\n".join(lines) + "}\n"


def _whole(number: float) -> float:
    """The number as it is written: a whole one without a fraction."""
    return int(number) if number.is_integer() else number


def _rooms(source: MapFile) -> tuple[tuple[Room, ...], list[int]]:
    """The rooms of a file, and the places among them of those that are marked as the start."""
    if not source.nodes:
        raise source.error('the map has no rooms: "nodes" is empty', "nodes")
    if len(source.nodes) > MOST_ROOMS:
        raise source.error(f"the map has {len(source.nodes)} rooms; at most {MOST_ROOMS} can be planned for", "nodes")
    rooms: list[Room] = []
    known: set[tuple[type, RoomId]] = set()
    marked = []
    for number, node in enumerate(source.nodes):
        path = "nodes", number
        room_id = node.get("id")
        if isinstance(room_id, bool) or not isinstance(room_id, RoomId) or room_id in (inf, -inf) or room_id != room_id:
            raise source.error("a room needs an id: a text or a number", *path, "id")
        if room_key(room_id) in known:
            raise source.error(f"a second room has the id {_shown(room_id)}", *path, "id")
        known.add(room_key(room_id))
        if node.get("start", False) is True:
            marked.append(number)
        label = printable(str(node.get("label", room_id)))
        cost, place = _cost(source, node, ROOM_COST, path), _place(source, node, path)
        rooms.append(Room(room_id, label, cost, place, _events(node)))
    return tuple(rooms), marked


def _corridors(source: MapFile, rooms: Sequence[Room]) -> tuple[Corridor, ...]:
    numbers = {room_key(room.id): number for number, room in enumerate(rooms)}
    cheapest: dict[tuple[int, int], Corridor] = {}
    for number, edge in enumerate(source.edges):
        path = source.edges_key, number
        ends = []
        for side in ("source", "target"):
            room_id = edge.get(side)
            if side not in edge:
                raise source.error(f'a corridor needs a "{side}"', *path)
            if isinstance(room_id, bool) or not isinstance(room_id, RoomId) or room_key(room_id) not in numbers:
                raise source.error(f"this corridor leads to {_shown(room_id)}, which is no room", *path, side)
            ends.append(numbers[room_key(room_id)])
        corridor = Corridor((min(ends), max(ends)), _cost(source, edge, CORRIDOR_COST, path), _events(edge))
        other = cheapest.get(corridor.ends)
        if ends[0] != ends[1] and (other is None or corridor.cost < other.cost):
            cheapest[corridor.ends] = corridor
    return tuple(cheapest.values())


def _start(source: MapFile, rooms: Sequence[Room], marked: Sequence[int], wanted: str | None) -> int:
    if len(marked) > 1:
        raise source.error(f"two rooms are marked as the start, {_shown(rooms[marked[0]].id)} and "
                           f"{_shown(rooms[marked[1]].id)}", "nodes", marked[1])  # fmt: skip
    if wanted is not None:
        return _wanted(source, rooms, wanted, "start")
    if not marked:
        raise source.error('no start is given: one room needs "start": true, or --start names one', "nodes")
    return marked[0]


def _wanted(source: MapFile, rooms: Sequence[Room], wanted: str, what: str) -> int:
    """Place of the room called so. Raises LevelError if there is none, or several."""
    found = rooms_called(rooms, wanted)
    if len(found) == 1:
        return found[0]
    problem = "several rooms have" if found else "no room has"
    raise source.error(f"{problem} the id or label {_shown(wanted)}, where the expedition was to {what}", "nodes")


def _cost(source: MapFile, entry: Mapping[str, Any], default: int, path: Path) -> int:
    cost = entry.get("cost", default)
    if isinstance(cost, float) and cost.is_integer():
        cost = int(cost)
    if isinstance(cost, bool) or not isinstance(cost, int):
        problem = "fractional" if isinstance(cost, float) else f"not a number: {_shown(cost)}"
        raise source.error(f"this cost is {problem}; costs are whole numbers from 0", *path, "cost")
    if not 0 <= cost <= MOST_COST:
        problem = "negative" if cost < 0 else f"above {MOST_COST:,}"
        raise source.error(f"this cost is {problem}; costs are whole numbers from 0 to {MOST_COST:,}", *path, "cost")
    return cost


def _place(source: MapFile, entry: Mapping[str, Any], path: Path) -> tuple[float, float] | None:
    values = []
    for key in ("row", "col"):
        if (value := entry.get(key)) is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < MOST_COST:
            raise source.error(f"this {key} is not a number that can be drawn", *path, key)
        values.append(float(value))
    return values[0], values[1]


def _events(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(event for event in EVENTS if entry.get(event))


def _shown(value: object) -> str:
    return printable(json.dumps(value, ensure_ascii=False))[:40]
