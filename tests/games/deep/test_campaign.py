"""Campaign files: each fault is found at its place, all of them together."""

import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.deep.model.campaign import Door, parse_campaign, read_campaign
from tests.games.deep.campaigns import campaign_text

GOOD = '''title = "Two rooms"
[legend]
G = "guard"
")" = "sword"
[kinds.guard]
like = "sleeper"
wakes = 5
[levels.hall]
name = "The hall"
map = """
o - $ 1
- G ) -
"""
[levels.hall.doors]
1 = {to = "cave", door = "2", cost = 1}
[levels.cave]
shrinks = 4
map = """
2 - o
- - 3
"""
[levels.cave.doors]
2 = {to = "hall", door = "1"}
3 = {ending = "free"}
'''


def places(text: str) -> list[tuple[int, int]]:
    return [(error.line, error.column) for error in parse_campaign(LevelFile("x", text.encode())).errors]


def test_a_campaign_is_read_as_it_stands() -> None:
    campaign = read_campaign(LevelFile("x", GOOD.encode()))
    hall, cave = campaign.levels.values()
    assert hall.doors == {ord("1"): Door(to="cave", door="2", cost=1)}
    assert [(monster.kind, monster.cell, monster.is_awake) for monster in hall.monsters] == [
        ("guard", Cell(1, 1), False)
    ]
    assert campaign.kinds["guard"].wakes == 5
    assert (cave.start, cave.shrinks, hall.tiles.tobytes()) == (Cell(0, 2), 4, b"--$1--)-")


def test_windows_line_ends_and_a_byte_order_mark_change_no_place() -> None:
    bad = GOOD.replace("- G )", "- Q )")
    marked = b"\xef\xbb\xbf" + bad.replace("\n", "\r\n").encode()
    (error,) = parse_campaign(LevelFile("x", marked)).errors
    assert [(error.line, error.column)] == places(bad) == [(12, 3)]


FAULTS = [
    ('title = "Two rooms"', "title = 3", [(1, 9)]),
    ('title = "Two rooms"', 'titel = "Two rooms"', [(1, 1)]),
    ('G = "guard"', 'M = "guard"', [(3, 1), (12, 3)]),
    ('G = "guard"', 'G = "gaurd"', [(3, 5)]),
    ('like = "sleeper"', 'like = "slepper"', [(6, 8)]),
    ("wakes = 5", "wakes = 0", [(7, 9)]),
    ("[kinds.guard]", "[kinds.hunter]", [(3, 5), (5, 1)]),
    ("o - $ 1", "o - $ - 1", [(12, 1)]),
    ("o - $ 1", "- - $ 1", [(10, 7)]),
    ("o - $ 1", "o - o 1", [(11, 5)]),
    ("o - $ 1", "o - - 1", [(15, 38)]),
    ('to = "cave"', 'to = "cavern"', [(15, 11)]),
    ('door = "2"', 'door = "7"', [(15, 26)]),
    ('door = "2"', 'door = "\u4e2d"', [(15, 26)]),
    ("cost = 1", "cost = 2", [(15, 38)]),
    ("cost = 1", "key = true", [(15, 31)]),
    ("cost = 1", 'ending = "odd"', [(15, 1)]),
    ("shrinks = 4", "shrinks = 0", [(17, 11)]),
    ("2 - o", "2 @ o", [(17, 1)]),
    ("- - 3", "- - -", [(24, 1)]),
    ('3 = {ending = "free"}', "", [(20, 5)]),
    ("1 = {", "x = {", [(11, 7), (15, 1)]),
    ('to = "cave", door = "2"', 'to = "hall"', [(8, 1), (16, 1)]),
    ('ending = "free"', 'to = "hall"', [(8, 1)]),
]


@pytest.mark.parametrize(("old", "new", "expected"), FAULTS)
def test_each_fault_is_named_at_its_place(old: str, new: str, expected: list[tuple[int, int]]) -> None:
    assert old in GOOD
    found = places(GOOD.replace(old, new, 1))
    assert found == expected


WHOLE = {
    "levels = {hall = 3}": [(1, 11), (1, 11)],
    "[levels.hall]": [(1, 1)],
    '[levels.hall]\nmap = ""': [(2, 7)],
    campaign_text({"one": ("o$!" + 62 * "-", "")}): [(17, 7)],
    campaign_text({"one": ("oo$!", "")}): [(18, 2)],
    campaign_text({"one": ("o?", "")}): [(18, 2)],
    "[legend]\nguard = 'hunter'": [(1, 1), (2, 1)],
    "[kinds.sword]\nlike = 'hunter'": [(1, 1), (1, 1)],
}


@pytest.mark.parametrize("text", WHOLE)
def test_faults_of_whole_tables_and_maps(text: str) -> None:
    assert places(text) == WHOLE[text]


def test_a_campaign_needs_a_level_and_toml() -> None:
    assert places("") == [(1, 1)]
    with pytest.raises(LevelError):
        read_campaign(LevelFile("x", b"levels = ["))
