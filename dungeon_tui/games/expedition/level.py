"""Map file -> Level: rooms joined by corridors, from JSON or GraphML. The format: docs/games/expedition.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import ceil, inf
from typing import Any
from xml.etree import ElementTree

from dungeon_tui.core.json_places import Path, offset_of
from dungeon_tui.core.level import LevelError, LevelFile, printable
from dungeon_tui.core.words import midway

RoomId = str | int | float

ROOM_COST, CORRIDOR_COST = 1, 0  # where the file names none
MOST_COST = 10**9
MOST_ROOMS = 256
ALL = Fraction(100)
EVENTS = ("trap", "darkness", "curio")
"""What may happen in a room or a corridor: attributes that are true. The costs include them already."""


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
    is_fogged: bool = False  # rooms appear as neighbours of rooms seen
    lesson: str = ""  # one line

    @property
    def goal(self) -> int | None:
        """The room in which the walk must end; None where any will do."""
        return self.start if self.is_round_trip else self.end

    @property
    def needed(self) -> int:
        """How many rooms are to be seen: "at least ceil(X * rooms / 100)"."""
        return ceil(self.coverage * len(self.rooms) / 100)


def read_level(file: LevelFile, name: str = "", start: str | None = None, end: str | None = None) -> Level:
    """Reads a map: JSON as networkx writes it, or GraphML.

    Args:
        file: the map.
        name: what to call it; default: the file's name.
        start: the text of the id of the room to start in; default: the one that the file names.
        end: the text of the id of the room to end in; default: wherever it comes to.

    Raises:
        LevelError: the first thing that is wrong with it.
    """
    file.refuse_what_is_not_text()
    text = file.data.decode("utf-8-sig")
    source = (_graphml if text.lstrip().startswith("<") else _json)(file, text)
    rooms, marked = _rooms(source)
    corridors = _corridors(source, rooms)
    goal = None if end is None else _wanted(source, rooms, end, "end")
    return Level(name or file.name, rooms, corridors, _start(source, rooms, marked, start), end=goal)


def level_text(level: Level) -> str:
    """The map as JSON again, as networkx writes it."""
    nodes = [
        _without_none(
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
        _without_none(
            source=level.rooms[corridor.ends[0]].id,
            target=level.rooms[corridor.ends[1]].id,
            cost=None if corridor.cost == CORRIDOR_COST else corridor.cost,
        )
        | dict.fromkeys(corridor.events, True)
        for corridor in level.corridors
    ]
    graph: dict[str, Any] = {"directed": False, "multigraph": False, "graph": {}}
    lines = [f'"{key}": {json.dumps(value)}' for key, value in graph.items()]
    for key, entries in (("nodes", nodes), ("edges", edges)):
        body = ",\n".join(f"  {json.dumps(entry)}" for entry in entries)
        lines.append(f'"{key}": [\n{body}\n]')
    return "{" + ",\n".join(lines) + "}\n"


def _without_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _whole(number: float) -> float:
    """Whole numbers are written without a fraction."""
    return int(number) if number.is_integer() else number


@dataclass(frozen=True, slots=True)
class _Source:
    """A map's file as nodes and edges, and where in the file they stand."""

    file: LevelFile
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    edges_key: str
    place: Callable[[Path], int]  # -> offset in characters

    def error(self, message: str, *path: str | int) -> LevelError:
        """The error at what a path leads to."""
        text = self.file.data.decode("utf-8-sig")
        before = text[: self.place(path)]
        return LevelError(message, self.file.name, before.count("\n") + 1, len(before) - before.rfind("\n"))


# -- JSON


def _json(file: LevelFile, text: str) -> _Source:
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"not JSON: {midway(error.msg)}"
        raise LevelError(message, file.name, error.lineno, error.colno) from None
    except (RecursionError, ValueError):  # a ValueError of its own: a number of thousands of digits
        raise LevelError("not a map: its brackets or its numbers are too long", file.name) from None
    source = _Source(file, [], [], "edges", partial(offset_of, text))
    if not isinstance(values, dict):
        raise source.error('a map is a JSON object with "nodes" and "edges"')
    if values.get("directed") not in (None, False):
        raise source.error("the graph is directed: corridors lead both ways", "directed")
    edges_key = "links" if "links" in values and "edges" not in values else "edges"
    for key in ("nodes", edges_key):
        if key not in values:
            also = ' (or "links")' if key == "edges" else ""
            raise source.error(f'"{key}"{also} is missing')
        if not isinstance(values[key], list):
            raise source.error(f'"{key}" must be a list', key)
        for place, entry in enumerate(values[key]):
            if not isinstance(entry, dict):
                raise source.error(f'each entry of "{key}" must be an object', key, place)
    return replace(source, nodes=values["nodes"], edges=values[edges_key], edges_key=edges_key)


# -- GraphML


def _graphml(file: LevelFile, text: str) -> _Source:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise LevelError(f"not GraphML: {str(error).partition(':')[0]}", file.name, line, column + 1) from None
    source = _Source(file, [], [], "edges", partial(_element_offset, text))
    graph = root.find("{*}graph")
    if graph is None:
        raise source.error("not GraphML: there is no <graph> in it")
    if graph.get("edgedefault") == "directed":
        raise source.error("the graph is directed: corridors lead both ways", "graph", 0)
    keys = {key.get("id"): key for key in root.iterfind("{*}key")}
    for node in graph.iterfind("{*}node"):
        path = "nodes", len(source.nodes)
        source.nodes.append(_without_none(id=node.get("id")) | _attributes(source, node, keys, path))
    for edge in graph.iterfind("{*}edge"):
        path = "edges", len(source.edges)
        if edge.get("directed") == "true":
            raise source.error("this edge is directed: corridors lead both ways", *path)
        ends = _without_none(source=edge.get("source"), target=edge.get("target"))
        source.edges.append(ends | _attributes(source, edge, keys, path))
    return source


def _element_offset(text: str, path: Path) -> int:
    """Where the n-th <node> or <edge> begins."""
    if len(path) < 2:
        return 0
    kind = {"nodes": "node", "edges": "edge"}.get(str(path[0]), str(path[0]))
    found = [match.start() for match in re.finditer(rf"<(?:\w+:)?{kind}\b", text)]
    place = int(path[1])
    return found[place] if place < len(found) else 0


def _attributes(
    source: _Source, element: ElementTree.Element, keys: Mapping[str | None, ElementTree.Element], path: Path
) -> dict[str, Any]:
    """The data of a node or an edge, by name, of the type that its key declares."""
    kind = element.tag.rpartition("}")[2]
    texts = {
        key.get("attr.name", key_id): (key, default.text or "")
        for key_id, key in keys.items()
        if key.get("for") in (kind, "all") and (default := key.find("{*}default")) is not None
    }
    for data in element.iterfind("{*}data"):
        key = keys.get(data.get("key"))
        if key is None:
            raise source.error(f"no <key> is called {data.get('key')!r}", *path)
        texts[key.get("attr.name", data.get("key"))] = key, data.text or ""
    values = {}
    for name, (key, text) in texts.items():
        try:
            values[str(name)] = _TYPES.get(key.get("attr.type", "string"), str)(text.strip())
        except ValueError:
            message = f"{name} is not of type {key.get('attr.type')}: {printable(text.strip())[:40]!r}"
            raise source.error(message, *path) from None
    return values


_TYPES: Mapping[str, Callable[[str], Any]] = {
    "int": int, "long": int, "float": float, "double": float,
    "boolean": lambda text: text.lower() in ("true", "1"),
}  # fmt: skip


# -- rooms and corridors


def _rooms(source: _Source) -> tuple[tuple[Room, ...], list[int]]:
    """The rooms, and those that are marked as the start."""
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
        if _key(room_id) in known:
            raise source.error(f"a second room has the id {_shown(room_id)}", *path, "id")
        known.add(_key(room_id))
        if node.get("start", False) is True:
            marked.append(number)
        label = node.get("label", str(room_id))
        rooms.append(
            Room(
                room_id,
                printable(str(label)),
                _cost(source, node, ROOM_COST, path),
                _place(source, node, path),
                _events(node),
            )
        )
    return tuple(rooms), marked


def _corridors(source: _Source, rooms: Sequence[Room]) -> tuple[Corridor, ...]:
    numbers = {_key(room.id): number for number, room in enumerate(rooms)}
    cheapest: dict[tuple[int, int], Corridor] = {}
    for number, edge in enumerate(source.edges):
        path = source.edges_key, number
        ends = []
        for side in ("source", "target"):
            room_id = edge.get(side)
            if side not in edge:
                raise source.error(f'a corridor needs a "{side}"', *path)
            if isinstance(room_id, bool) or not isinstance(room_id, RoomId) or _key(room_id) not in numbers:
                raise source.error(f"this corridor leads to {_shown(room_id)}, which is no room", *path, side)
            ends.append(numbers[_key(room_id)])
        corridor = Corridor((min(ends), max(ends)), _cost(source, edge, CORRIDOR_COST, path), _events(edge))
        other = cheapest.get(corridor.ends)
        if ends[0] != ends[1] and (other is None or corridor.cost < other.cost):
            cheapest[corridor.ends] = corridor
    return tuple(cheapest.values())


def _start(source: _Source, rooms: Sequence[Room], marked: Sequence[int], wanted: str | None) -> int:
    if len(marked) > 1:
        raise source.error(f"two rooms are marked as the start, {_shown(rooms[marked[0]].id)} and "
                           f"{_shown(rooms[marked[1]].id)}", "nodes", marked[1])  # fmt: skip
    if wanted is not None:
        return _wanted(source, rooms, wanted, "start")
    if not marked:
        raise source.error('no start is given: one room needs "start": true, or --start names one', "nodes")
    return marked[0]


def _wanted(source: _Source, rooms: Sequence[Room], wanted: str, what: str) -> int:
    """The room whose id reads so."""
    found = [number for number, room in enumerate(rooms) if str(room.id) == wanted]
    if len(found) == 1:
        return found[0]
    problem = "several rooms have" if found else "no room has"
    raise source.error(f"{problem} the id {_shown(wanted)}, where the expedition was to {what}", "nodes")


def _cost(source: _Source, entry: Mapping[str, Any], default: int, path: Path) -> int:
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


def _place(source: _Source, entry: Mapping[str, Any], path: Path) -> tuple[float, float] | None:
    values = []
    for key in ("row", "col"):
        value = entry.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < MOST_COST:
            raise source.error(f"this {key} is not a number that can be drawn", *path, key)
        values.append(float(value))
    return values[0], values[1]


def _events(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(event for event in EVENTS if entry.get(event))


def _key(room_id: RoomId) -> tuple[type, RoomId]:
    """Ids keep their type: 1 is not "1"."""
    return type(room_id), room_id


def _shown(value: object) -> str:
    return printable(json.dumps(value, ensure_ascii=False))[:40]
