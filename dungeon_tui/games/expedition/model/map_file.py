"""A map's file, JSON or GraphML, as nodes and edges that know where they stand in it."""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from xml.parsers import expat

from dungeon_tui.core.json_places import Path, offset_of, parsed
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import midway

MOST_BYTES = 2**20  # of a file
_DEEPEST = 100  # element in another, in GraphML
_NO_ATTRIBUTES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class MapFile:
    """A map's file as nodes and edges, each with its place in the file."""

    file: LevelFile
    nodes: Sequence[Mapping[str, Any]]
    edges: Sequence[Mapping[str, Any]]
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
        for place, entry in enumerate(values[key]):
            if not isinstance(entry, dict):
                raise source.error(f'each entry of "{key}" must be an object', key, place)
    return replace(source, nodes=values["nodes"], edges=values[edges_key], edges_key=edges_key)


def _graphml(file: LevelFile, _: str) -> MapFile:
    reading = _GraphML(file)
    reading.parse()
    return reading.map_file()


@dataclass(slots=True)
class _Key:
    """A <key>: an attribute of nodes, of edges or of all, and its value where an element names none."""

    name: str
    kind: str
    read: Callable[[str], Any]
    type: str
    at: int  # byte offset
    default: str | None = None

    def value(self, text: str) -> Any:
        try:
            return self.read(text.strip())
        except ValueError:
            raise ValueError(
                f"{printable(self.name)[:40]} is not of type {self.type}: {printable(text.strip())[:40]!r}"
            ) from None


@dataclass(slots=True)
class _Element:
    """A <node> or an <edge>: its byte offset, XML attributes and the texts of its <data>, by key."""

    at: int
    attributes: Mapping[str, str]
    texts: list[tuple[str, str]] | None = None  # most have none


class _GraphML:
    """One reading of a GraphML file, as the parser comes by: no tree is built, no DOCTYPE is read."""

    def __init__(self, file: LevelFile) -> None:
        self.file = file
        self.keys: dict[str, _Key] = {}
        self.graph: _Element | None = None  # the first one
        self.elements: dict[str, list[_Element]] = {"node": [], "edge": []}
        self._open: list[str] = []  # names of the elements that are open
        self._is_in_graph = False
        self._text: list[str] = []
        self._data_key = ""
        self._parser = expat.ParserCreate("utf-8", " ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append

    def parse(self) -> None:
        try:
            self._parser.Parse(self.file.data[self.file.text_start :], True)
        except expat.ExpatError as error:
            at = self.file.text_start + self._parser.ErrorByteIndex
            raise self.file.error(at, f"not GraphML: {expat.ErrorString(error.code)}") from None

    def map_file(self) -> MapFile:
        if self.graph is None:
            raise self.file.error(self.file.text_start, "not GraphML: there is no <graph> in it")
        if self.graph.attributes.get("edgedefault") == "directed":
            raise self.file.error(self.graph.at, "the graph is directed: corridors lead both ways")
        nodes = self._entries("node", ("id",))
        for edge in self.elements["edge"]:
            if edge.attributes.get("directed") == "true":
                raise self.file.error(edge.at, "this edge is directed: corridors lead both ways")
        return MapFile(self.file, nodes, self._entries("edge", ("source", "target")), "edges", self._place)

    def _refuse_doctype(self, *_: object) -> None:
        at = self.file.data.rfind(b"<!DOCTYPE", 0, self._at)  # the parser has read its name by now
        raise self.file.error(at, "GraphML with a DOCTYPE is not read: a map needs none")

    @property
    def _at(self) -> int:
        return self.file.text_start + self._parser.CurrentByteIndex

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(" ")[2]
        around = self._open
        if len(around) == _DEEPEST:
            raise self.file.error(self._at, f"not a map: elements are nested more than {_DEEPEST} deep")
        if name in ("data", "default"):
            self._text.clear()
        if len(around) == 1 and name == "key":
            kind, key_id = attributes.get("for", ""), attributes.get("id", "")
            read, type_ = _TYPES.get(attributes.get("attr.type", ""), str), attributes.get("attr.type", "string")
            self.keys[key_id] = _Key(attributes.get("attr.name", key_id), kind, read, type_, self._at)
            self._data_key = key_id
        elif len(around) == 1 and name == "graph":
            self._is_in_graph = self.graph is None
            self.graph = self.graph or _Element(self._at, attributes)
        elif len(around) == 2 and around[1] == "graph" and self._is_in_graph and name in self.elements:
            self.elements[name].append(_Element(self._at, attributes or _NO_ATTRIBUTES))
        elif len(around) == 3 and name == "data":
            self._data_key = attributes.get("key", "")
        around.append(name)

    def _end(self, name: str) -> None:
        match self._open:
            case [_, "key", "default"]:
                self.keys[self._data_key].default = "".join(self._text)
            case [_, "graph", "node" | "edge" as kind, "data"] if self._is_in_graph:
                element = self.elements[kind][-1]
                element.texts = element.texts or []
                element.texts.append((self._data_key, "".join(self._text)))
        self._open.pop()

    def _entries(self, kind: str, own: tuple[str, ...]) -> list[Mapping[str, Any]]:
        """The elements of a kind with the data, by name, of the types that the keys declare."""
        defaults: dict[str, Any] = {}
        for key in self.keys.values():
            if key.kind in (kind, "all") and key.default is not None:
                try:
                    defaults[key.name] = key.value(key.default)
                except ValueError as error:
                    raise self.file.error(key.at, str(error)) from None
        entries: list[Mapping[str, Any]] = []
        for element in self.elements[kind]:
            values: dict[str, Any] = {name: element.attributes[name] for name in own if name in element.attributes}
            for key_id, text in element.texts or ():
                if key_id not in self.keys:
                    raise self.file.error(element.at, f"no <key> is called {printable(key_id)[:40]!r}")
                key = self.keys[key_id]
                try:
                    values[key.name] = key.value(text)
                except ValueError as error:
                    raise self.file.error(element.at, str(error)) from None
            entries.append(ChainMap(values, defaults) if defaults else values)
        return entries

    def _place(self, path: Path) -> int:
        """Offset in characters of the n-th node or edge, else of the text."""
        elements = self.elements.get(str(path[0]).removesuffix("s"), []) if len(path) > 1 else []
        at = elements[int(path[1])].at if elements else self.file.text_start
        return len(self.file.data[self.file.text_start : at].decode())


_TYPES: Mapping[str, Callable[[str], Any]] = {
    "int": int, "long": int, "float": float, "double": float,
    "boolean": lambda text: text.lower() in ("true", "1"),
}  # fmt: skip
