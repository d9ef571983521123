"""Dungeon files: every layout, every crooked way, writing, packing."""

import json
import re
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel
from dungeon_tui.games.delve.model.dungeon import read_level, read_rooms, write_level
from dungeon_tui.games.delve.model.level import HEARTS, Level, Room, pack_level, place_player, terrain, unpack_level
from tests.games.delve.crooked import COUNTED, DOWNS, LAYOUTS, ORDERS, PLAYER, ROOMS, UPS, build, rock, room_bytes
from tests.wording import numbers

UNCOUNTED = tuple(layout for layout in LAYOUTS if layout not in COUNTED)


def read(data: bytes) -> Level:
    return read_level(LevelFile("x.rlg327", data))


def error_of(data: bytes) -> LevelError:
    with pytest.raises(LevelError) as caught:
        read(data)
    return caught.value


def assert_same(one: Level, other: Level) -> None:
    assert np.array_equal(one.hardness, other.hardness)
    assert (one.rooms, one.player, one.stairs_up, one.stairs_down) == (
        other.rooms,
        other.player,
        other.stairs_up,
        other.stairs_down,
    )


# What is as it should be


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_read(layout: str) -> None:
    level = read(build(layout))
    rows = rock(105, 160) if layout == "S2017" else rock()
    assert level.layout == layout
    assert level.warnings == ()
    assert [bytes(row) for row in level.hardness] == [bytes(row) for row in rows]
    assert level.hardness.dtype == np.uint8
    assert not level.hardness.flags.writeable
    assert level.rooms == tuple(Room(*room) for room in ROOMS)
    assert level.player == (PLAYER if layout in ("F2018", *COUNTED) else None)
    assert level.stairs_up == (tuple(UPS) if layout in COUNTED else ())
    assert level.stairs_down == (tuple(DOWNS) if layout in COUNTED else ())


def test_terrain_shows_rooms_corridors_rock_and_stairs() -> None:
    level = read(build("S2019"))
    lines = [bytes(row).decode() for row in terrain(level)]
    assert lines[1] == " " * 80
    assert lines[2] == "   <....." + " " * 71
    assert lines[4] == "   ......" + "#" * 21 + " " * 50
    assert lines[14][12:16] == ">..."


# What is not


def assert_warned(data: bytes, layout: str, named: list[int]) -> None:
    """It is read as if nothing were wrong, with a warning last that names these numbers."""
    level = read(data)
    assert numbers(level.warnings[-1]) == named
    assert level.layout == layout
    assert_same(level, read(build(layout)))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_wrong_size_is_read(layout: str) -> None:
    whole = len(build(layout))
    for size in (0, 1, whole - 2, whole - 4, whole + 4, whole + 2, 0xFFFFFFFF):
        assert_warned(build(layout, size=size), layout, [size, whole])
    assert_warned(build(layout, size_endian="little"), layout, [])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("after", [b"\n", b"junk" * 100])
def test_bytes_after_the_end_are_left_alone(layout: str, after: bytes) -> None:
    data = build(layout)
    assert_warned(data + after, layout, [len(after), len(data)])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_another_order_of_the_rooms_bytes_is_found(layout: str) -> None:
    for order in ("xywh", "xwyh", "yxhw", "hwyx"):
        level = read(build(layout, order=order))
        assert level.rooms == tuple(Room(*room) for room in ROOMS)
        own = ORDERS.get(layout, "xywh")
        told = [re.findall(r"\b[xywh]\b", warning) for warning in level.warnings]
        assert told == ([] if own == order else [[*order, *own]])


class Crooked(NamedTuple):
    """A crooked file, the numbers in each of its warnings, and a straight file of the same dungeon."""

    data: bytes
    told: list[list[int]]
    like: bytes


SOFT_BORDER = rock()
SOFT_BORDER[0][17], SOFT_BORDER[20][79] = 3, 0
STRAIGHT, BARE = build("S2019"), build("S2019", ups=[], downs=[])
ODD_ROOMS = [*ROOMS, (19, 70, 4, 20), (5, 5, 0, 3), (7, 60, 2, 2)]
CROOKED = {
    "one room's order": Crooked(
        build("F2018")[:-8] + room_bytes([ROOMS[1]], "xwyh") + build("F2018")[-4:], [[2]], build("F2018")
    ),
    "rooms off the map, empty, in rock": Crooked(
        build("S2019", rooms=ODD_ROOMS),
        [[4, 4, 20, 20, 71], [5, 0, 3, 6, 6], [6, 2, 2, 8, 61, 4]],
        build("S2019", rooms=[*ROOMS, ODD_ROOMS[-1]]),
    ),
    "no rooms": Crooked(build("S2019", rooms=[]), [[]], build("S2019", rooms=[])),
    "a soft border": Crooked(build("S2019", rows=SOFT_BORDER), [[255, 2, 1, 18, 3]], STRAIGHT),
    "little-endian": Crooked(build("S2019", count_endian="little", size_endian="little"), [[], []], STRAIGHT),
    "another version": Crooked(build("S2019", version=7), [[7, 0, 0]], STRAIGHT),
    "a newer semester": Crooked(build("S2019", marker=b"RLG327-F2031"), [[2031, 2019]], STRAIGHT),
    "a size that fits neither": Crooked(
        build("F2017", size=99, after=b"\n"), [[2016, 2017, 2017], [99, 1706], [1, 1706]], build("F2017")
    ),
    "a border that is not there": Crooked(
        build("S2016", size=99, after=b"\n"), [[2016, 2017, 2016], [99, 1508], [1, 1508]], build("S2016")
    ),
    "a player in rock": Crooked(build("S2019", player=(1, 1)), [[11, 2, 2]], build("S2019", player=(0, 129))),
    "odd stairs": Crooked(
        build("S2019", ups=[(2, 3), (21, 3), (1, 1)], downs=[]),
        [[2, 22, 4], [3, 2, 2, 11], []],
        build("S2019", ups=[(2, 3), (1, 1)], downs=[]),
    ),
    "no stairs, by the size": Crooked(BARE[:16] + (len(BARE) - 4).to_bytes(4, "big") + BARE[20:-4], [[], []], BARE),
}


@pytest.mark.parametrize(("data", "told", "like"), CROOKED.values(), ids=CROOKED)
def test_what_is_odd_is_read_as_if_it_were_not_and_reported(data: bytes, told: list[list[int]], like: bytes) -> None:
    level, straight = read(data), read(like)
    assert [numbers(warning) for warning in level.warnings] == told
    assert_same(level, straight)
    assert straight.layout in (level.layout, "S2019")
    assert (terrain(level) == terrain(straight)).all()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_player_off_the_map_or_in_rock_is_left_out_and_reported(layout: str) -> None:
    for player, hardness in (((0, 129), []), ((129, 0), []), ((0, 0), [255]), ((1, 1), [11])):
        level = read(build(layout, player=player))
        told = [[*hardness, *(number + 1 for number in player)]] if layout in ("F2018", *COUNTED) else []
        assert (level.player, [numbers(warning) for warning in level.warnings]) == (None, told)


MANY = build("S2018", rooms=[(200, 200, 200, 200)] * 5000)


def test_many_odd_rooms_make_few_warnings() -> None:
    level = read(MANY)
    assert len(level.warnings) == 21
    assert numbers(level.warnings[-1]) == [4980]


BROKEN = {
    "nothing": b"",
    "a marker cut short": b"RLG3",
    "a semester cut short": b"RLG327-S20",
    "a picture": b"\x89PNG\r\n",
    "another case": b"rlg327-S2019",
    "a header cut short": b"RLG327-S2019\0\0\0\0\0",
    "another marker": b"RLG327-S2016".ljust(2000, b"\0"),
    "the stairs cut short": BARE[:-4],
}
ENDS_EARLY = {"nothing": [327, 0, 5], "a marker cut short": [327, 0, 5], "a semester cut short": [0, 11],
              "a header cut short": [16, 19], "the stairs cut short": [1716, 1717]}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_dungeon_is_refused(name: str) -> None:
    error, length = error_of(BROKEN[name]), len(BROKEN[name])
    if name in ENDS_EARLY:
        assert (error.column, numbers(error.message)) == (length + 1, [length, *ENDS_EARLY[name]])
    else:
        assert error.column == (8 if name == "another marker" else 1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_cut_is_an_error_that_names_its_byte_or_a_warning(layout: str) -> None:
    data = build(layout)
    step = 997 if layout == "S2017" else 7
    rooms_at = len(data) - 4 * len(ROOMS)
    for length in {*range(0, len(data), step), *range(len(data) - 40, len(data))}:
        if layout in UNCOUNTED and length >= rooms_at and (length - rooms_at) % 4 == 0:
            level = read(data[:length])
            assert level.rooms == tuple(ROOMS[: (length - rooms_at) // 4])
            assert [len(data), length] in map(numbers, level.warnings)
        else:
            error = error_of(data[:length])
            assert (error.column, numbers(error.message)[0]) == (length + 1, length)


# Placing, writing, packing


def test_the_player_is_placed_where_one_says_or_by_the_seed() -> None:
    level = read(build("S2018"))
    assert place_player(level, at=Cell(4, 20)).player == (4, 20)
    places = {place_player(level, seed).player for seed in range(200)}
    assert len(places) > 60
    assert all(cell is not None and terrain(level)[cell] == ord(".") for cell in places)
    assert place_player(level, 5).player == place_player(level, 5).player
    stored = read(build("S2019"))
    assert place_player(stored, 5).player == PLAYER
    assert place_player(stored, 5, at=Cell(14, 13)).player == (14, 13)


def test_a_player_takes_to_the_corridor_where_there_is_no_room_and_to_stairs_where_there_is_nothing_else() -> None:
    corridors = read(build("S2018", rooms=[]))
    assert corridors.hardness[place_player(corridors).player] == 0
    level = read(build("S2019", rooms=[(14, 12, 1, 1)], player=(0, 129)))
    assert place_player(level).player == (14, 12)
    solid = read(build("S2018", rows=[bytearray([255] * 80)] * 21, rooms=[]))
    with pytest.raises(ValueError, match="no cell is open"):
        place_player(solid)


@pytest.mark.parametrize("layout", [layout for layout in LAYOUTS if layout != "S2017"])
def test_what_is_written_is_read_again(layout: str) -> None:
    level = place_player(read(build(layout)), 1)
    data = write_level(level)
    again = read(data)
    assert data.startswith(b"RLG327-S2019")
    assert [warning for warning in again.warnings if not warning.startswith("no stairs")] == []
    assert_same(again, level)
    if layout == "S2019":
        assert data == build(layout)


def test_what_can_not_be_written_is_refused() -> None:
    level = read(build("S2019"))
    for wrong, fact in (
        (read(build("S2017")), "105 x 160"),
        (replace(level, player=None), "without a player"),
        (replace(level, rooms=level.rooms[:1] * 65536), "65,535 rooms .* 65,536"),
        (replace(level, stairs_down=level.stairs_down * 65536), "65,535 stairs down"),
        (replace(level, rooms=(Room(0, 70, 3, 300),)), "off the map"),
    ):
        with pytest.raises(LevelError, match=fact):
            write_level(wrong)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_packed_levels_are_unpacked_again(layout: str) -> None:
    level = replace(read(build(layout)), rules=HEARTS, depths=3)
    packed = pack_level(level)
    again = unpack_level(packed)
    assert_same(again, level)
    assert (again.layout, again.name, again.rules, again.depths) == (layout, level.name, HEARTS, 3)
    assert isinstance(again.rooms[0], Room)
    assert not again.hardness.flags.writeable
    assert pack_level(again) == packed


def test_what_was_packed_by_others_is_refused() -> None:
    hardness, places = pack_level(read(build("S2019"))).files
    values = json.loads(places.data)
    spoilt = [
        {"shape": [21, 81]},
        {"shape": [-21, -80]},
        {"shape": [21, 1e999]},
        {"player": [21, 0]},
        {"player": [1, 1]},
        {"rooms": [[1, 2, 3]]},
        {"rooms": [[1, 2, 3, 400]]},
        {"rooms": [[-1, 2, 3, 4]]},
        {"rooms": 5},
        {"depths": 0},
        {"depths": "3"},
        {"stairs_up": [[0, 80]]},
        {"stairs_down": [[None, 80]]},
    ]
    broken = [json.dumps(values | change).encode() for change in spoilt]
    broken += [b"", b"[]", b"\xff", b"{}", b"[" * 100_000]
    for data in broken:
        with pytest.raises(LevelError):
            unpack_level(PackedLevel((hardness, LevelFile("x", data))))
    corner = json.dumps(values | {"rooms": [[0, 0, 1, 1]]}).encode()
    assert unpack_level(PackedLevel((hardness, LevelFile("x", corner)))).rooms == (Room(0, 0, 1, 1),)
    with pytest.raises(LevelError, match="border"):
        unpack_level(PackedLevel((LevelFile("x", bytes(1680)), places)))
    with pytest.raises(LevelError, match="two files"):
        unpack_level(PackedLevel(()))


# Layouts told apart


@pytest.mark.parametrize("count", [1, 2, 3, 8])
@pytest.mark.parametrize("endian", ["big", "little"])
@pytest.mark.parametrize("layout", ["S2016", "F2017"])
def test_the_oldest_layouts_are_distinguished_whatever_their_rooms_and_what_follows(
    layout: str, endian: str, count: int
) -> None:
    whole = build(layout, rooms=[ROOMS[0]] * count, size_endian=endian)
    for extra in range(5):
        level = read(whole + b"\n" * extra)
        assert (level.layout, len(level.rooms)) == (layout, count)
        assert level.hardness.tobytes() == read(build(layout)).hardness.tobytes()
        assert ([] in map(numbers, level.warnings)) == (endian == "little")


def test_a_room_of_rock_in_the_last_rows_and_columns_is_on_the_map() -> None:
    rooms, problems = read_rooms(bytes([4, 3, 2, 2]), "xywh", np.full((5, 6), 7, np.uint8))
    assert rooms == (Room(3, 4, 2, 2),)
    assert list(map(numbers, problems)) == [[1, 2, 2, 4, 5, 4]]
