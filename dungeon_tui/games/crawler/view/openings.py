"""The crawler's entries in the menu: shipped dungeons with their par, and the player's own files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import Path

from dungeon_tui.core.catalogue import Opening, Preview
from dungeon_tui.core.text import printable
from dungeon_tui.games.crawler.ai.par import caption, par_of, summary
from dungeon_tui.games.crawler.model.dungeon import Dungeon, count_levels, load_dungeon, shipped
from dungeon_tui.games.crawler.model.dungeon import pack_level as pack_level
from dungeon_tui.games.crawler.model.dungeon import unpack_level as unpack_level
from dungeon_tui.games.crawler.model.level import ADVENTURER, MAX_CELLS, OPEN, Level
from dungeon_tui.games.crawler.view import late

DAILY = "Three new levels each day, the same for everyone: easy, normal and hard. They are made when you open it."

PREVIEW_COLOURS = {
    "+": "wall", "$": "prize", "@": "magic", "M": "foe", "?": "door", "!": "way-out", "o": "you", ".": "floor",
}  # fmt: skip


def openings() -> list[Opening]:
    """The menu's dungeons: the shipped ones, then today's daily one."""
    shipped_ones = [
        Opening(
            title=sidecar.title or name,
            summary=sidecar.summary,
            load=partial(load_dungeon, name),
            preview=partial(_previews, name),
            arguments=name,
        )
        for name, sidecar in shipped().items()
    ]
    return [*shipped_ones, daily_opening(date.today())]


def daily_opening(day: date, cell_limit: int = MAX_CELLS) -> Opening:
    """The opening of the daily dungeon of a day, whose levels are made when it is loaded."""
    return Opening(f"Daily dungeon, {day}", partial(late.daily_dungeon, day, cell_limit), DAILY, arguments="--daily")


def open_file(path: str) -> Opening:
    """The opening of a level file or a path prefix of the player's own; NAME2.txt opens the whole dungeon NAME."""
    numbered = re.fullmatch(r"(.*[^0-9/])?([0-9]{1,9})\.txt", path)
    is_part = numbered is not None and count_levels(numbered[1] or "") >= int(numbered[2])
    name = (numbered[1] or "") if numbered is not None and is_part else path
    return Opening(title=printable(Path(name).name), load=partial(load_dungeon, name))


def _previews(name: str) -> list[Preview]:
    """Previews of a shipped dungeon: its par, if that is stored, then each level."""
    dungeon = load_dungeon(name)
    par = summary(par_of(dungeon).dungeon)
    levels = [_preview(dungeon, number) for number in range(1, len(dungeon.levels) + 1)]
    return [Preview(title="Par", caption=par, lines=[]), *levels] if par else levels


def _preview(dungeon: Dungeon, number: int) -> Preview:
    level, note = dungeon.levels[number - 1], dungeon.notes[number - 1]
    height, width = level.tiles.shape
    facts = (f"{height} x {width}", caption(par_of(dungeon).level(number)), note.author)
    return Preview(
        title=f"{number}. {note.name}",
        caption=", ".join(filter(None, facts)),
        lines=list(_map_lines(level)),
        colours=PREVIEW_COLOURS,
    )


def _map_lines(level: Level) -> Iterator[str]:
    for row, tiles in enumerate(level.tiles):
        codes = bytearray(tiles.tobytes())
        if row == level.start.row:
            codes[level.start.col] = ADVENTURER
        yield codes.replace(bytes([OPEN]), b".").decode("ascii")
