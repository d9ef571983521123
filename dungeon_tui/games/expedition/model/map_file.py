"""Map files, JSON or GraphML, as nodes and edges with positions for error messages."""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any
from xml.parsers import expat

from dungeon_tui.core.json_positions import Path, offset_of, parsed
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import midway

MOST_BYTES = 2**20  # of a file
_MAX_DEPTH = 100  # of nested GraphML elements
_TYPES: Mapping[str, Callable[[str], Any]] = {  # of GraphML; all others are texts
    "int": int,
    "long": int,
    "float": float,
    "double": float,
    "boolean": lambda text: text.lower() in ("true", "1"),
}


@dataclass(frozen=True, slots=True)
class MapFile:
    """A map file as nodes and edges, each with its position in the file."""

    file: LevelFile
    nodes: Sequence[Mapping[str, Any]]
    edges: Sequence[Mapping[str, Any]]
    edges_key: str
    offset: Callable[[Path], int]  # offset in characters of a path of keys and indices

    def error(self, message: str, *path: str | int) -> LevelError:
        """A LevelError with the line and column of the entry at a path of keys and indices."""
        text = self.file.data.decode("utf-8-sig")
        before = text[: self.offset(path)]
        return LevelError(message, self.file.name, before.count("\n") + 1, len(before) - before.rfind("\n"))


def read_map_file(file: LevelFile) -> MapFile:
    """Nodes and edges of a JSON or GraphML file, with unchecked values. Raises LevelError if it is neither."""
    file.refuse_what_is_not_text()
    text = file.data.decode("utf-8-sig")
    return (_graphml if text.lstrip().startswith("<") else _json)(file, text)


def without_none(**values: Any) -> dict[str, Any]:
    """The values that are not None, by name."""
    return {name: value for name, value in values.items() if value is not None}


def _json(file: LevelFile, text: str) -> MapFile:
    try:
        values = parsed(text)
    except json.JSONDecodeError as error:
        message = f"not JSON: {midway(error.msg)}"
        raise LevelError(message, file.name, error.lineno, error.colno) from None
    except ValueError as error:
        raise LevelError(f"not a map: {error}", file.name) from None
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
        for index, entry in enumerate(values[key]):
            if not isinstance(entry, dict):
                raise source.error(f'each entry of "{key}" must be an object', key, index)
    return replace(source, nodes=values["nodes"], edges=values[edges_key], edges_key=edges_key)


_NAMES = {"graph", "node", "edge", "key", "data", "default"}
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(slots=True)
class _Element:
    """An XML element with its byte offset in the file."""

    name: str
    at: int
    attributes: Mapping[str, str]
    children: Sequence[_Element] = ()  # those with a name in _NAMES
    text: str = ""  # of <data> and <default> only

    def named(self, name: str) -> list[_Element]:
        return [child for child in self.children if child.name == name]


def _root(file: LevelFile) -> _Element:
    """The root element of an XML file. Raises LevelError if it has a DOCTYPE, which could define endless entities."""
    parser = expat.ParserCreate("utf-8", " ")
    parser.buffer_text = True
    document = _Element("", 0, {})
    around = [document]  # the open elements

    def offset() -> int:
        return file.text_start + parser.CurrentByteIndex

    def refuse_doctype(*_: object) -> None:
        at = file.data.rfind(b"<!DOCTYPE", 0, offset())  # the parser is past its start
        raise file.error(at, "GraphML must not have a DOCTYPE")

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(around) > _MAX_DEPTH:
            raise file.error(offset(), f"not a map: elements are nested more than {_MAX_DEPTH} deep")
        element = _Element(name.rpartition(" ")[2], offset(), attributes or _NONE)
        parent = around[-1]
        if isinstance(parent.children, list):
            if element.name in _NAMES:
                parent.children.append(element)
        elif element.name in _NAMES or parent is document:
            parent.children = [element]
        around.append(element)

    def add_text(text: str) -> None:
        if around[-1].name in ("data", "default"):
            around[-1].text += text

    parser.StartDoctypeDeclHandler = refuse_doctype
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: around.pop()
    parser.CharacterDataHandler = add_text
    try:
        parser.Parse(file.data[file.text_start :], True)
    except expat.ExpatError as error:
        at = file.text_start + parser.ErrorByteIndex
        raise file.error(at, f"not GraphML: {expat.ErrorString(error.code)}") from None
    return document.children[0]


def _graphml(file: LevelFile, _: str) -> MapFile:
    # Find the first graph, and the keys of its data.
    root = _root(file)
    graph = next(iter(root.named("graph")), None)
    if graph is None:
        raise file.error(file.text_start, "not GraphML: there is no <graph> in it")
    if graph.attributes.get("edgedefault") == "directed":
        raise file.error(graph.at, "the graph is directed: corridors lead both ways")
    keys = {key.attributes.get("id", ""): key for key in root.named("key")}
    elements = {kind: graph.named(kind) for kind in ("node", "edge")}

    def named_value(key_id: str, text: str, at: int) -> tuple[str, Any]:
        """The name of a key, and a value of its type."""
        if key_id not in keys:
            raise file.error(at, f"no <key> is called {printable(key_id)[:40]!r}")
        attributes = keys[key_id].attributes
        name, kind = attributes.get("attr.name", key_id), attributes.get("attr.type", "string")
        try:
            return name, _TYPES.get(kind, str)(text.strip())
        except ValueError:
            message = f"{printable(name)[:40]} is not of type {kind}: {printable(text.strip())[:40]!r}"
            raise file.error(at, message) from None

    def entries(kind: str, *own: str) -> list[Mapping[str, Any]]:
        """The elements of a kind, with their data by name and in the declared types."""
        defaults = dict(
            named_value(key_id, default.text, key.at)
            for key_id, key in keys.items()
            for default in key.named("default")
            if key.attributes.get("for") in (kind, "all")
        )
        found: list[Mapping[str, Any]] = []
        for element in elements[kind]:
            values: dict[str, Any] = {name: element.attributes[name] for name in own if name in element.attributes}
            data = element.named("data")
            values |= dict(named_value(each.attributes.get("key", ""), each.text, element.at) for each in data)
            found.append(ChainMap(values, defaults) if defaults else values)
        return found

    def offset(path: Path) -> int:
        """Offset in characters of the n-th node or edge, else of the text."""
        numbered = elements.get(str(path[0]).removesuffix("s"), []) if len(path) > 1 else []
        at = numbered[int(path[1])].at if numbered else file.text_start
        return len(file.data[file.text_start : at].decode())

    # Read nodes before edges, so that their errors come first.
    nodes = entries("node", "id")
    for edge in elements["edge"]:
        if edge.attributes.get("directed") == "true":
            raise file.error(edge.at, "this edge is directed: corridors lead both ways")
    return MapFile(file, nodes, entries("edge", "source", "target"), "edges", offset)
