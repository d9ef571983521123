"""Map file -> Level: rooms connected by corridors, from JSON or GraphML. The format: docs/games/expedition.md."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf
from typing import Any, TypeGuard

from dungeon_tui.core.json_positions import Path
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.text import printable
from dungeon_tui.games.expedition.model.map_file import MapFile, read_map_file, without_none

RoomId = str | int | float

ROOM_COST, CORRIDOR_COST = 1, 0  # defaults
MOST_COST = 10**9
MOST_ROOMS = 256
ALL = Fraction(100)
EVENTS = ("trap", "darkness", "curio")
"""Events in rooms and corridors, true attributes in the file. The costs include them; no screen shows them."""


def is_room_id(value: object) -> TypeGuard[RoomId]:
    """True for a text or a finite number."""
    return isinstance(value, RoomId) and not isinstance(value, bool) and value not in (inf, -inf) and value == value


@dataclass(frozen=True, slots=True)
class Room:
    """A node of the map."""

    id: RoomId
    label: str
    cost: int = ROOM_COST  # of entering it
    position: tuple[float, float] | None = None  # (row, col), if the file gives them
    events: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Its name in sentences, which have other numbers, too."""
        return f"Room {self.label}" if self.label.isdecimal() else self.label


@dataclass(frozen=True, slots=True)
class Corridor:
    """An edge of the map, the cheapest between its rooms."""

    ends: tuple[int, int]  # indices into Level.rooms, ascending
    cost: int = CORRIDOR_COST
    events: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """A map and the task on it."""

    name: str
    rooms: tuple[Room, ...]
    corridors: tuple[Corridor, ...]
    start: int  # index into rooms
    coverage: Fraction = ALL  # percentage of the rooms to see
    is_round_trip: bool = False  # end at the start
    end: int | None = None  # index of the room to end in
    is_fogged: bool = False  # rooms appear as neighbours of seen rooms
    torch: int | None = None  # the most that the walk may cost
    par: int | None = None  # the proven least cost, if known
    lesson: str = ""  # one line

    @property
    def goal(self) -> int | None:
        """Index of the room in which the walk must end; None if it may end anywhere."""
        return self.start if self.is_round_trip else self.end

    @property
    def needed(self) -> int:
        """Number of rooms to see: "at least ceil(X * rooms / 100)"."""
        return ceil(self.coverage * len(self.rooms) / 100)


def rooms_called(rooms: Sequence[Room], text: str, known: int = -1) -> list[int]:
    """Indices of the rooms with this id as text, or else with this label, ignoring case; `known` is a bit set."""
    there = [(number, room) for number, room in enumerate(rooms) if known >> number & 1]
    by_id = [number for number, room in there if str(room.id) == text]
    return by_id or [number for number, room in there if room.label.casefold() == text.casefold()]


def read_level(file: LevelFile, name: str = "", start: str | None = None, end: str | None = None) -> Level:
    """The map of a file: JSON as networkx writes it, or GraphML; named after the file unless a name is given.

    `start` and `end` are an id, as text, or a label of a room; by default the file's start, and any end. Raises
    LevelError if it is no map; the message has the first error and its position.
    """
    source = read_map_file(file)
    rooms, marked = _rooms(source)
    corridors = _corridors(source, rooms)
    goal = None if end is None else _wanted(source, rooms, end, "end")
    return Level(name or file.name, rooms, corridors, _start(source, rooms, marked, start), end=goal)


def level_text(level: Level) -> str:
    """JSON text of a map, as networkx writes it, with its start, but without the rest of the task."""
    nodes = [
        without_none(
            id=room.id,
            label=None if room.label == str(room.id) else room.label,
            cost=None if room.cost == ROOM_COST else room.cost,
            row=None if room.position is None else _whole(room.position[0]),
            col=None if room.position is None else _whole(room.position[1]),
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
    return int(number) if number.is_integer() else number


def _rooms(source: MapFile) -> tuple[tuple[Room, ...], list[int]]:
    """The rooms of a file, and the indices of those marked as the start."""
    if not source.nodes:
        raise source.error('the map has no rooms: "nodes" is empty', "nodes")
    if len(source.nodes) > MOST_ROOMS:
        raise source.error(f"the map has {len(source.nodes)} rooms; at most {MOST_ROOMS} are supported", "nodes")
    rooms: list[Room] = []
    known: set[RoomId] = set()
    marked = []
    for number, node in enumerate(source.nodes):
        path = "nodes", number
        room_id = node.get("id")
        if not is_room_id(room_id):
            raise source.error("a room needs an id: a string or a number", *path, "id")
        if room_id in known:
            raise source.error(f"a second room has the id {_shown(room_id)}", *path, "id")
        known.add(room_id)
        if node.get("start", False) is True:
            marked.append(number)
        label = printable(str(node.get("label", room_id)))
        cost, position = _cost(source, node, ROOM_COST, path), _position(source, node, path)
        rooms.append(Room(room_id, label, cost, position, _events(node)))
    return tuple(rooms), marked


def _corridors(source: MapFile, rooms: Sequence[Room]) -> tuple[Corridor, ...]:
    numbers = {room.id: number for number, room in enumerate(rooms)}
    cheapest: dict[tuple[int, int], Corridor] = {}
    for number, edge in enumerate(source.edges):
        path = source.edges_key, number
        ends = []
        for side in ("source", "target"):
            room_id = edge.get(side)
            if side not in edge:
                raise source.error(f'a corridor needs a "{side}"', *path)
            if not is_room_id(room_id) or room_id not in numbers:
                raise source.error(f"this corridor leads to {_shown(room_id)}, which is no room", *path, side)
            ends.append(numbers[room_id])

        # Of parallel corridors the cheapest counts; loops are dropped.
        corridor = Corridor((min(ends), max(ends)), _cost(source, edge, CORRIDOR_COST, path), _events(edge))
        other = cheapest.get(corridor.ends)
        if ends[0] != ends[1] and (other is None or corridor.cost < other.cost):
            cheapest[corridor.ends] = corridor
    return tuple(cheapest.values())


def _start(source: MapFile, rooms: Sequence[Room], marked: Sequence[int], wanted: str | None) -> int:
    if len(marked) > 1:
        both = " and ".join(_shown(rooms[number].id) for number in marked[:2])
        raise source.error(f"two rooms are marked as the start, {both}", "nodes", marked[1])
    if wanted is not None:
        return _wanted(source, rooms, wanted, "start")
    if not marked:
        raise source.error('the map has no start: mark a room with "start": true, or use --start', "nodes")
    return marked[0]


def _wanted(source: MapFile, rooms: Sequence[Room], wanted: str, what: str) -> int:
    """Index of the room with this id or label. Raises LevelError if there is none, or several."""
    found = rooms_called(rooms, wanted)
    if len(found) == 1:
        return found[0]
    problem = "several rooms have" if found else "no room has"
    raise source.error(f"{problem} the id or label {_shown(wanted)}, the room to {what} in", "nodes")


def _cost(source: MapFile, entry: Mapping[str, Any], default: int, path: Path) -> int:
    cost = entry.get("cost", default)
    if isinstance(cost, float) and cost.is_integer():
        cost = int(cost)
    if isinstance(cost, bool) or not isinstance(cost, int) or not 0 <= cost <= MOST_COST:
        raise source.error(f"a cost is a whole number from 0 to {MOST_COST:,}, not {_shown(cost)}", *path, "cost")
    return cost


def _position(source: MapFile, entry: Mapping[str, Any], path: Path) -> tuple[float, float] | None:
    row, col = position = entry.get("row"), entry.get("col")
    if row is None or col is None:
        return None
    for key, value in zip(("row", "col"), position, strict=True):
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < MOST_COST:
            raise source.error(f"this {key} is not a number in range", *path, key)
    return float(row), float(col)


def _events(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(event for event in EVENTS if entry.get(event))


def _shown(value: object) -> str:
    return printable(json.dumps(value, ensure_ascii=False))[:40]
