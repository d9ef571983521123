"""Finding, reading and packing maps."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from dungeon_tui.core.level import LevelError
from dungeon_tui.games.expedition.model.dungeon import (
    lessons,
    open_file,
    openings,
    pack_level,
    read_map,
    unpack_level,
)
from dungeon_tui.games.expedition.model.level import Level, level_text
from tests.games.expedition.maps import level_of

ASKED = level_of("ab bc cd", coverage=Fraction("33.3"), end=2, is_fogged=True, lesson="Beware.")


def test_maps_are_found_by_name_in_files_and_on_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LevelError):
        read_map("no-such-map")
    path = tmp_path / "mine.json"
    path.write_text(level_text(ASKED))
    assert read_map(str(path), start="c", end="a").start == 2
    opening = open_file(str(path))
    assert (opening.title, opening.load().name, opening.load().rooms) == ("mine", "mine", ASKED.rooms)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert read_map("-").rooms == ASKED.rooms


def test_the_menu_offers_all_maps_with_what_they_teach() -> None:
    offered = [(opening.load(), opening.summary) for opening in openings()]
    assert [(level.name, level.lesson) for level, _ in offered] == [*lessons().items()]
    assert [summary for _, summary in offered] == [*lessons().values()]


@pytest.mark.parametrize(
    "level",
    [
        ASKED,
        replace(ASKED, end=None, is_round_trip=True, is_fogged=False),
        replace(ASKED, coverage=Fraction("66.66666666666667")),
        level_of("ab"),
    ],
)
def test_a_packed_map_is_the_same_again_with_what_was_asked(level: Level) -> None:
    again = unpack_level(pack_level(level))
    assert (again.rooms, again.corridors, again.start) == (level.rooms, level.corridors, level.start)
    for name in ("name", "lesson", "coverage", "is_round_trip", "end", "is_fogged"):
        assert getattr(again, name) == getattr(level, name)


@pytest.mark.parametrize("options", [{"coverage": "101"}, {"coverage": "x"}, {"coverage": "1/0"}, {"coverage": "-1"},
                                     {"end": 4}, {"end": -2}, {"end": "a"}])  # fmt: skip
def test_spoilt_recordings_are_refused(options: dict[str, int | str]) -> None:
    packed = pack_level(ASKED)
    with pytest.raises(LevelError, match="<recording>"):
        unpack_level(replace(packed, options={**packed.options, **options}))
    with pytest.raises(LevelError, match="one map"):
        unpack_level(replace(packed, files=()))
