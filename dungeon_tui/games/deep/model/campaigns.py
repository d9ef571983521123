"""Campaigns: the shipped ones and those of one's own; finding, reading, packing them; those of classic levels."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

from dungeon_tui.core.catalogue import levels_folder, shipped_level
from dungeon_tui.core.level import LevelFile, level_name, read_level_file
from dungeon_tui.games.deep.model.campaign import MOST_BYTES, MOST_SIDE, Campaign, read_campaign

STORY = "story"
"""The campaign that comes first."""
_CLASSIC = re.compile(r"\s*(\d{1,6})\s+(\d{1,6})\s+(\d{1,6})\s+(\d{1,6}?)\s*((?:[-+$@M?!]\s*)+)")
_CLASSIC_WANTED = "a level of the classic: rows, columns, the start's row and column, then the tiles - + $ @ M ? !"


def names() -> list[str]:
    """The names of the campaigns that the project ships, the story first."""
    found = sorted(path.stem for path in levels_folder("deep").glob("*.toml"))
    return sorted(found, key=lambda name: name != STORY)


def load_campaign(name: str) -> Campaign:
    """The shipped campaign of a name, or the one of a file; `-` is standard input.

    Raises:
        LevelError: it can't be read, or is no campaign.
    """
    return read_campaign(read_level_file(shipped_level("deep", name, ".toml") or name, MOST_BYTES))


def converted(prefix: str) -> str:
    """The text of a campaign of the classic crawler's levels PREFIX1.txt, PREFIX2.txt and so on.

    Raises:
        LevelError: there is none, or one is no level, or larger than a campaign may have.
    """
    maps: list[str] = []
    for number in count(1):
        path = Path(f"{prefix}{number}.txt")
        if number > 1 and not path.exists():
            break
        maps.append(_classic_map(read_level_file(path, MOST_BYTES)))
    title = level_name(prefix).replace("\\", "").replace('"', "")
    levels = [f'[levels.level-{number}]\nmap = """\n{text}\n"""\n' for number, text in enumerate(maps, 1)]
    doors = f'[levels.level-{len(maps)}.doors]\n"?" = {{ending = "out"}}\n' if "?" in maps[-1] else ""
    return "\n".join([f'title = "{title}"\n', *levels]) + doors


def _classic_map(file: LevelFile) -> str:
    """The map of a classic level, with its start in it."""
    file.refuse_what_is_not_text()
    text = file.data[file.text_start :].decode()
    found = _CLASSIC.match(text)
    if found is None:
        raise file.error(file.text_start, f"this is not {_CLASSIC_WANTED}")
    rows, cols, row, col = (int(found[place]) for place in range(1, 5))
    tiles = "".join(found[5].split())
    if max(rows, cols) > MOST_SIDE:
        raise file.error(file.text_start, f"{rows} x {cols} is too large: a campaign's level has {MOST_SIDE} a side")
    if text[found.end() :].strip() or len(tiles) != rows * cols:
        where = file.text_start + len(text[: found.end()].encode())
        raise file.error(where, f"{rows} x {cols} tiles of - + $ @ M ? ! are wanted, and here {len(tiles)} are read")
    if not (row < rows and col < cols and tiles[row * cols + col] == "-"):
        raise file.error(file.text_start, f"the start, row {row} and column {col}, must be on open floor '-'")
    place = row * cols + col
    tiles = f"{tiles[:place]}o{tiles[place + 1 :]}"
    return "\n".join(" ".join(tiles[at : at + cols]) for at in range(0, len(tiles), cols))
