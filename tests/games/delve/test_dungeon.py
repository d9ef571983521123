"""Dungeon files: every layout, every crooked way, writing, packing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel, read_level_file
from dungeon_tui.games.delve.model.dungeon import read_level, read_rooms, write_level
from dungeon_tui.games.delve.model.level import Level, Room, pack_level, place_player, terrain, unpack_level
from tests.fuzz.mutate import mutated
from tests.games.delve.crooked import (
    COUNTED,
    DOWNS,
    LAYOUTS,
    PLAYER,
    ROOMS,
    UPS,
    build,
    rock,
    room_bytes,
)

SAMPLES = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "delve"
UNCOUNTED = tuple(layout for layout in LAYOUTS if layout not in COUNTED)


def read(data: bytes) -> Level:
    return read_level(LevelFile("x.rlg327", data))


def read_or_error(data: bytes) -> Level | LevelError:
    try:
        return read(data)
    except LevelError as caught:
        error = caught
    assert error.line == 1
    assert 1 <= error.column <= len(data) + 1
    assert error.message.isprintable()
    return error


def error_of(data: bytes) -> LevelError:
    error = read_or_error(data)
    assert isinstance(error, LevelError)
    return error


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


def assert_warned(data: bytes, layout: str, fact: str) -> None:
    """It is read as if nothing were wrong, with a warning last that holds the fact."""
    level = read(data)
    assert fact in level.warnings[-1]
    assert level.layout == layout
    assert_same(level, read(build(layout)))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_wrong_size_is_read(layout: str) -> None:
    whole = len(build(layout))
    for size in (0, 1, whole - 2, whole - 4, whole + 4, whole + 2, 0xFFFFFFFF):
        assert_warned(build(layout, size=size), layout, f"says {size} bytes, the dungeon takes {whole}")
    assert_warned(build(layout, size_endian="little"), layout, "the size field is little-endian")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("after", [b"\n", b"ab", b"abc", b"\0" * 4, b"junk" * 100, b"\xff" * 4097])
def test_bytes_after_the_end_are_left_alone(layout: str, after: bytes) -> None:
    data = build(layout)
    assert_warned(data + after, layout, f"{len(after)}, from byte {len(data)} on")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_another_order_of_the_rooms_bytes_is_found(layout: str) -> None:
    for order in ("xywh", "xwyh", "yxhw", "hwyx"):
        level = read(build(layout, order=order))
        assert level.rooms == tuple(Room(*room) for room in ROOMS)
        own = {"F2017": "x w y h", "S2018": "y x h w"}.get(layout, "x y w h")
        if own == " ".join(order):
            assert level.warnings == ()
        else:
            assert level.warnings == (f"the rooms' bytes are in the order {' '.join(order)}, not {own}",)


def test_rooms_off_the_map_or_empty_are_left_out_and_rock_is_told() -> None:
    rooms = [*ROOMS, (19, 70, 4, 20), (5, 5, 0, 3), (7, 60, 2, 2)]
    level = read(build("S2019", rooms=rooms))
    assert level.rooms == (*ROOMS, (7, 60, 2, 2))
    assert level.warnings == (
        "room 4 reaches off the map (4 x 20 cells from row 19, column 70): left out",
        "room 5 is empty (0 x 3 cells from row 5, column 5): left out",
        "room 6 covers rock (2 x 2 cells from row 7, column 60, 4 of them not open)",
    )
    assert (terrain(level)[7:9, 60:62] == ord(" ")).all()


SOFT_BORDER = rock()
SOFT_BORDER[0][17], SOFT_BORDER[20][79] = 3, 0
ODD = {
    "one room's order": (
        build("F2018")[:-8] + room_bytes([ROOMS[1]], "xwyh") + build("F2018")[-4:],
        ["room 2's bytes are in the order x w y h"],
    ),
    "a soft border": (
        build("S2019", rows=SOFT_BORDER),
        ["cells of the border that are not 255: 2 (the first is row 0, column 17 with 3); read as immutable"],
    ),
    "little-endian": (
        build("S2019", count_endian="little", size_endian="little"),
        ["the counts of rooms and stairs are little-endian", "the size field is little-endian"],
    ),
    "another version": (build("S2019", version=7), ["the version is 7, not 0: read as version 0"]),
    "a newer semester": (
        build("S2019", marker=b"RLG327-F2031"),
        ["the semester F2031 in the marker is not known: read as S2019"],
    ),
}


@pytest.mark.parametrize(("data", "warnings"), ODD.values(), ids=ODD.keys())
def test_what_is_odd_is_read_as_if_it_were_not_and_told(data: bytes, warnings: list[str]) -> None:
    level = read(data)
    assert list(level.warnings) == warnings
    assert_same(level, read(build("F2018" if level.layout == "F2018" else "S2019")))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_rooms_and_a_player_off_the_map_or_in_rock_are_told(layout: str) -> None:
    assert read(build(layout, rooms=[])).warnings == ("no rooms",)
    for player, problem in (((0, 129), "off the map"), ((129, 0), "off the map"), ((0, 0), "in rock of hardness 255"),
                            ((1, 1), "in rock of hardness 11")):  # fmt: skip
        level = read(build(layout, player=player))
        told = f"the player is {problem}, at row {player[0]}, column {player[1]}: left out"
        assert (level.player, level.warnings) == (None, (told,) if layout in ("F2018", *COUNTED) else ())


def test_many_odd_rooms_make_few_warnings() -> None:
    level = read(build("S2018", rooms=[(200, 200, 200, 200)] * 5000))
    assert len(level.warnings) == 21
    assert level.warnings[-1] == "and 4980 more such rooms"


def test_odd_stairs() -> None:
    level = read(build("S2019", ups=[(2, 3), (21, 3), (1, 1)], downs=[]))
    assert level.stairs_up == ((2, 3), (1, 1))
    assert level.warnings == (
        "stairs up 2, at row 21, column 3, are off the map: left out",
        "stairs up 3, at row 1, column 1, are in rock of hardness 11",
        "no stairs down",
    )


def test_a_file_that_ends_before_the_stairs_is_whole_if_its_size_says_so() -> None:
    data = build("S2019", ups=[], downs=[])[:-4]
    assert "byte 1716" in str(error_of(data))
    level = read(data[:16] + len(data).to_bytes(4, "big") + data[20:])
    assert level.warnings == ("no stairs up", "no stairs down")
    assert level.rooms == tuple(ROOMS)


@pytest.mark.parametrize("layout", ["S2016", "F2017"])
def test_the_two_oldest_layouts_are_told_apart_by_the_border_where_the_size_is_odd(layout: str) -> None:
    level = read(build(layout, size=99, after=b"\n"))
    assert (level.layout, "does not tell" in level.warnings[0]) == (layout, True)
    assert_same(level, read(build(layout)))


@pytest.mark.parametrize(
    ("data", "column", "message"),
    [
        (b"", 1, "the file ends at byte 0, too early: the marker RLG327 should be bytes 0 to 5"),
        (b"RLG3", 5, "the file ends at byte 4, too early: the marker RLG327 should be bytes 0 to 5"),
        (b"RLG327-S20", 11, "the file ends at byte 10, too early: the marker should be bytes 0 to 11"),
        (b"\x89PNG\r\n", 1, r"not a dungeon: it begins with '\x89PNG\x0d\x0a' at byte 0, not with 'RLG327'"),
        (b"rlg327-S2019", 1, "not a dungeon: it begins with 'rlg327' at byte 0, not with 'RLG327'"),
        (b"RLG327-S2019\0\0\0\0\0", 18, "the file ends at byte 17, too early: the size field should be bytes 16 to 19"),
    ],
)
def test_what_is_no_dungeon_is_refused(data: bytes, column: int, message: str) -> None:
    error = error_of(data)
    assert (error.message, error.column) == (message, column)


def test_unknown_markers_are_refused() -> None:
    for marker in (b"RLG327-S2016", b"RLG327-F2017", b"RLG327-X", b"RLG327-\x1b[31m"):
        error = error_of(marker.ljust(2000, b"\0"))
        assert error.message.startswith("unknown marker 'RLG327-")
        assert error.column == 8
        assert error.message.isprintable()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_cut_is_an_error_that_names_its_byte_or_a_warning(layout: str) -> None:
    data = build(layout)
    step = 997 if layout == "S2017" else 7
    rooms_at = len(data) - 4 * len(ROOMS)
    for length in {*range(0, len(data), step), *range(len(data) - 40, len(data))}:
        if layout in UNCOUNTED and length >= rooms_at and (length - rooms_at) % 4 == 0:
            level = read(data[:length])
            assert level.rooms == tuple(ROOMS[: (length - rooms_at) // 4])
            assert f"the size field says {len(data)} bytes, the dungeon takes {length}" in level.warnings
        else:
            error = error_of(data[:length])
            assert error.column == length + 1
            assert error.message.startswith(f"the file ends at byte {length}, too early: ")


def test_spoilt_files_raise_nothing_but_level_errors() -> None:
    chance, whole = Random(327), [build(layout) for layout in LAYOUTS if layout != "S2017"]
    for _ in range(3000):
        level = read_or_error(mutated(whole, chance))
        if isinstance(level, Level):
            height, width = level.hardness.shape
            assert (level.hardness[[0, -1]] == 255).all()
            assert (level.hardness[:, [0, -1]] == 255).all()
            assert all(cell.is_inside(height, width) for cell in level.stairs_up + level.stairs_down)
            assert level.player is None or level.hardness[level.player] == 0
            assert all(level.hardness[room.area].shape == (room.height, room.width) for room in level.rooms)
            terrain(level)


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
    with pytest.raises(ValueError, match="nowhere to stand"):
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
    level = read(build(layout))
    packed = pack_level(level)
    again = unpack_level(packed)
    assert_same(again, level)
    assert (again.layout, again.name) == (layout, level.name)
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


# Real files


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("s2016-2656732493", ("S2016", 9, None, 0, 0, ())),
        ("f2017-0", ("F2017", 9, None, 0, 0, ())),
        ("s2017-01", ("S2017", 29, None, 0, 0, ())),
        ("s2018-1521618087", ("S2018", 8, None, 0, 0, ())),
        ("f2018-101", ("F2018", 6, (2, 12), 0, 0, ())),
        ("f2018-101.little-endian", ("F2018", 6, (2, 12), 0, 0, ("the size field is little-endian",))),
        ("s2019-00", ("S2019", 9, (8, 12), 2, 3, ())),
        ("s2025-01", ("S2025", 9, (3, 35), 2, 1, ())),
    ],
)
def test_sample_files_are_read(name: str, found: tuple[object, ...]) -> None:
    if not SAMPLES.is_dir():
        pytest.skip("the sample files in ../shared/data/delve are not here")
    level = read_level(read_level_file(SAMPLES / f"{name}.rlg327"))
    stairs = len(level.stairs_up), len(level.stairs_down)
    assert (level.layout, len(level.rooms), level.player, *stairs, level.warnings) == found


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("endian", ["big", "little"])
@pytest.mark.parametrize("layout", ["S2016", "F2017"])
def test_the_oldest_layouts_are_told_apart_whatever_their_rooms_and_what_follows(
    layout: str, endian: str, count: int
) -> None:
    whole = build(layout, rooms=[ROOMS[0]] * count, size_endian=endian)
    for extra in range(5):
        level = read(whole + b"\n" * extra)
        assert (level.layout, len(level.rooms)) == (layout, count)
        assert level.hardness.tobytes() == read(build(layout)).hardness.tobytes()
        assert ("the size field is little-endian" in level.warnings) == (endian == "little")


def test_a_room_of_rock_in_the_last_rows_and_columns_is_on_the_map() -> None:
    rooms, problems = read_rooms(bytes([4, 3, 2, 2]), "xywh", np.full((5, 6), 7, np.uint8))
    assert rooms == (Room(3, 4, 2, 2),)
    assert problems == ["room 1 covers rock (2 x 2 cells from row 3, column 4, 4 of them not open)"]
