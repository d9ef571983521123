"""Map files: JSON and GraphML, what they say, and what is wrong with them."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.expedition.model.level import MOST_ROOMS, Corridor, Level, Room, level_text, read_level
from tests.games.expedition.maps import file_of, level_of, levels, read

A = {"id": "a", "start": True}
B = {"id": "b"}
AB = {"source": "a", "target": "b"}

GRAPHML = """<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d5" for="edge" attr.name="trap" attr.type="boolean"/>
<key id="d4" for="edge" attr.name="cost" attr.type="long"/>
<key id="d3" for="node" attr.name="label" attr.type="string"/>
<key id="d2" for="node" attr.name="start" attr.type="boolean"/>
<key id="d1" for="node" attr.name="row" attr.type="double"/>
<key id="d6" for="node" attr.name="col" attr.type="double"/>
<key id="d0" for="node" attr.name="cost" attr.type="long"><default>2</default></key>
<graph edgedefault="undirected">
<node id="hall"><data key="d0">4</data><data key="d1">1.5</data><data key="d6">2</data>
<data key="d3">The hall</data></node>
<node id="gate"><data key="d2">True</data></node>
<edge source="hall" target="gate"><data key="d4">3</data><data key="d5">true</data></edge>
</graph></graphml>
"""


def wrong(data: str | bytes | LevelFile, **options: Any) -> LevelError:
    """The error that a file ends in."""
    if isinstance(data, str):
        data = data.encode()
    file = data if isinstance(data, LevelFile) else LevelFile("map.json", data)
    with pytest.raises(LevelError) as caught:
        read_level(file, **options)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("map.json:")
    return caught.value


def summary(level: Level) -> Any:
    """All that a file says."""
    return level.rooms, level.corridors, level.start


def test_what_a_file_leaves_out_has_its_default() -> None:
    level = read([A, B], [AB])
    assert level.rooms == (Room("a", "a", 1, None, ()), Room("b", "b", 1, None, ()))
    assert level.corridors == (Corridor((0, 1), 0, ()),)
    assert (level.start, level.needed, level.goal) == (0, 2, None)


def test_what_a_file_says_is_read() -> None:
    level = read(
        [{"id": 7, "cost": 3, "row": 1, "col": 2.5, "label": "Hall\x1b[2J", "trap": True, "curio": False}, A],
        [{"source": "a", "target": 7, "cost": 2.0, "darkness": 1}],
    )
    assert level.rooms[0] == Room(7, "Hall\\x1b[2J", 3, (1, 2.5), ("trap",))
    assert level.corridors == (Corridor((0, 1), 2, ("darkness",)),)
    assert level.start == 1


def test_ids_keep_their_type() -> None:
    level = read([A, {"id": 1}, {"id": "1"}], [{"source": 1, "target": "1"}, {"source": 1.0, "target": "a"}])
    assert [corridor.ends for corridor in level.corridors] == [(1, 2), (0, 1)]
    assert "no room" in wrong(file_of([A, {"id": 1}], [{"source": "a", "target": "1"}])).message


def test_of_parallel_corridors_the_cheapest_counts_and_loops_lead_nowhere() -> None:
    edges = [{**AB, "cost": 3}, {"source": "b", "target": "a", "cost": 1, "trap": True}, {**AB, "cost": 2}]
    assert read([A, B], edges, multigraph=True).corridors == (Corridor((0, 1), 1, ("trap",)),)
    assert read([A, B], [{"source": "a", "target": "a"}]).corridors == ()
    links = json.dumps({"nodes": [A, B], "links": [AB]})  # as older files call them
    assert read_level(LevelFile("map.json", links.encode())).corridors == (Corridor((0, 1)),)


def test_start_and_end_match_the_text_of_an_id() -> None:
    file = file_of([{"id": 1}, {"id": "2"}, A])
    level = read_level(file, start="1", end="2")
    assert (level.start, level.end, level.goal) == (0, 1, 1)
    assert read_level(file, end="a").start == 2
    wrong(file_of([{"id": 1}, {"id": "1"}]), start="1")
    wrong(file_of([A]), end="x")


@pytest.mark.parametrize(
    ("percent", "needed"), [("0", 0), ("100", 7), ("90", 7), ("33.3", 3), ("14.2857142857", 1), ("14.3", 2), ("50", 4)]
)
def test_coverage_rounds_up_exactly(percent: str, needed: int) -> None:
    assert level_of("ab bc cd de ef fg", coverage=Fraction(percent)).needed == needed


BAD: list[tuple[Any, Any, dict[str, Any]]] = [
    ([], [], {}),
    ([{"id": "a"}], [], {}),
    ([A, {"id": "b", "start": True}], [], {}),
    ([A], [], {"directed": True}),
    ([A, B], [{"source": "a"}], {}),
    ([A, B], [{"source": "a", "target": "z"}], {}),
    ([A, B], [{"source": "a", "target": None}], {}),
    ([A, A], [], {}),
    ([{"start": True}], [], {}),
    ([{"id": True}], [], {}),
    ([A, {"id": float("nan")}], [], {}),
    ([{**A, "cost": -1}], [], {}),
    ([{**A, "cost": 1.5}], [], {}),
    ([{**A, "cost": "3"}], [], {}),
    ([{**A, "cost": True}], [], {}),
    ([{**A, "cost": 10**10}], [], {}),
    ([A, B], [{**AB, "cost": 0.5}], {}),
    ([{**A, "row": "x", "col": 1}], [], {}),
    ([{**A, "row": 1, "col": float("nan")}], [], {}),
    (["a"], [], {}),
    ([A], [3], {}),
    ([A, *({"id": number} for number in range(MOST_ROOMS))], [], {}),
]


BAD_TEXTS = [
    "",
    "{",
    "[]",
    "{}",
    '{"nodes": [{"id": 1}]}',
    "[" * 100_000,
    '{"nodes": [{"id": ' + "9" * 5000 + "}]}",
    "<graphml",
    "<a/>",
    GRAPHML.replace("undirected", "directed"),
    GRAPHML.replace("<edge ", '<edge directed="true" '),
    GRAPHML.replace(">4<", ">four<"),
    GRAPHML.replace(">4<", ">-4<"),
    GRAPHML.replace('target="gate"', 'target="gat"'),
    GRAPHML.replace('<data key="d0">', '<data key="d9">'),
    GRAPHML.replace('<node id="hall">', "<node>"),
    GRAPHML.replace(">True<", ">False<"),
]


def test_bad_maps_end_in_one_line() -> None:
    for nodes, edges, more in BAD:
        wrong(file_of(nodes, edges, **more))
    for text in (*BAD_TEXTS, b'{"nodes": \xff}'):
        wrong(text)


def test_errors_name_line_and_column() -> None:
    error = wrong('{"nodes": [{"id": 1, "start": true},\n  {"id": 2, "cost": -1}],\n "edges": []}')
    assert (error.line, error.column) == (2, 21)
    error = wrong(GRAPHML.replace(">4<", ">-4<"))
    assert error.line == 1 + GRAPHML[: GRAPHML.index("<node")].count("\n")


def test_graphml_is_read_too() -> None:
    level = read_level(LevelFile("map.graphml", GRAPHML.encode()))
    assert level.rooms == (Room("hall", "The hall", 4, (1.5, 2)), Room("gate", "gate", 2))
    assert level.start == 1
    assert level.corridors == (Corridor((0, 1), 3, ("trap",)),)


def test_what_networkx_writes_is_read() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_node(1, start=True, row=0, col=1)
    graph.add_node("x y", cost=2, label="Cellar")
    graph.add_edge(1, "x y", cost=4, darkness=True)
    values = networkx.node_link_data(graph, edges="edges")
    level = read_level(LevelFile("map.json", json.dumps(values).encode()))
    assert ([room.id for room in level.rooms], level.corridors) == ([1, "x y"], (Corridor((0, 1), 4, ("darkness",)),))
    text = "\n".join(networkx.generate_graphml(graph))
    again = read_level(LevelFile("map.graphml", text.encode()))
    assert ([room.id for room in again.rooms], again.corridors) == (["1", "x y"], level.corridors)
    assert [room.cost for room in again.rooms] == [1, 2]


@settings(deadline=None)
@given(levels())
def test_a_map_survives_being_written(level: Level) -> None:
    assert summary(read_level(LevelFile("map.json", level_text(level).encode()))) == summary(level)


@given(st.text(), st.text())
def test_any_id_and_label_survive_and_none_moves_a_cursor(room_id: str, label: str) -> None:
    level = read([{"id": room_id, "label": label, "start": True}])
    assert level.rooms[0].id == room_id
    assert level.rooms[0].label.isprintable()
    assert summary(read_level(LevelFile("map.json", level_text(level).encode()))) == summary(level)
