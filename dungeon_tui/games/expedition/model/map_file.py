"""A map's file, JSON or GraphML, as nodes and edges that know where they stand in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from xml.etree import ElementTree

from dungeon_tui.core.json_places import Path, offset_of
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import midway


@dataclass(frozen=True, slots=True)
class MapFile:
    """A map's file as nodes and edges, each with its place in the file."""

    file: LevelFile
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    edges_key: str
    place: Callable[[Path], int]  # -> offset in characters

    def error(self, message: str, *path: str | int) -> LevelError:
        """A LevelError with the line and column of the entry that a path of keys and indices leads to."""
        text = self.file.data.decode("utf-8-sig")
        before = text[: self.place(path)]
        return LevelError(message, self.file.name, before.count("\n") + 1, len(before) - before.rfind("\n"))


def read_map_file(file: LevelFile) -> MapFile:
    """Nodes and edges of a file: JSON as networkx writes it, or GraphML; its values are not checked yet.

    Raises:
        LevelError: it is neither, or its graph is directed.
    """
    file.refuse_what_is_not_text()
    text = file.data.decode("utf-8-sig")
    return (_graphml if text.lstrip().startswith("<") else _json)(file, text)


def without_none(**values: Any) -> dict[str, Any]:
    """The values by name, without those that are None."""
    return {name: value for name, value in values.items() if value is not None}


def _json(file: LevelFile, text: str) -> MapFile:
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"not JSON: {midway(error.msg)}"
        raise LevelError(message, file.name, error.lineno, error.colno) from None
    except (RecursionError, ValueError):  # a ValueError of its own: a number of thousands of digits
        raise LevelError("not a map: its brackets or its numbers are too long", file.name) from None
    source = MapFile(file, [], [], "edges", partial(offset_of, text))
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


def _graphml(file: LevelFile, text: str) -> MapFile:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise LevelError(f"not GraphML: {str(error).partition(':')[0]}", file.name, line, column + 1) from None
    source = MapFile(file, [], [], "edges", partial(_element_offset, text))
    graph = root.find("{*}graph")
    if graph is None:
        raise source.error("not GraphML: there is no <graph> in it")
    if graph.get("edgedefault") == "directed":
        raise source.error("the graph is directed: corridors lead both ways", "graph", 0)
    keys = {key.get("id"): key for key in root.iterfind("{*}key")}
    for node in graph.iterfind("{*}node"):
        path = "nodes", len(source.nodes)
        source.nodes.append(without_none(id=node.get("id")) | _attributes(source, node, keys, path))
    for edge in graph.iterfind("{*}edge"):
        path = "edges", len(source.edges)
        if edge.get("directed") == "true":
            raise source.error("this edge is directed: corridors lead both ways", *path)
        ends = without_none(source=edge.get("source"), target=edge.get("target"))
        source.edges.append(ends | _attributes(source, edge, keys, path))
    return source


def _element_offset(text: str, path: Path) -> int:
    """Offset of the <node> or <edge> that a path as ("nodes", 3) leads to; 0 if there is none."""
    if len(path) < 2:
        return 0
    kind = {"nodes": "node", "edges": "edge"}.get(str(path[0]), str(path[0]))
    found = [match.start() for match in re.finditer(rf"<(?:\w+:)?{kind}\b", text)]
    place = int(path[1])
    return found[place] if place < len(found) else 0


def _attributes(
    source: MapFile, element: ElementTree.Element, keys: Mapping[str | None, ElementTree.Element], path: Path
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
