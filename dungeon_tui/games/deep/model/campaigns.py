"""Finds, reads and packs campaigns: shipped ones, your files, and classic levels converted to one."""

import re
from itertools import count
from pathlib import Path

from dungeon_tui.core.catalogue import levels_folder, shipped_level
from dungeon_tui.core.level import LevelFile, level_name, read_level_file
from dungeon_tui.games.deep.model.campaign import MOST_BYTES, MOST_SIDE, Campaign, read_campaign

STORY = "story"
"""The first campaign."""
_CLASSIC = re.compile(r"\s*(\d{1,6})\s+(\d{1,6})\s+(\d{1,6})\s+(\d{1,6}?)\s*((?:[-+$@M?!]\s*)+)")
_CLASSIC_WANTED = "a level of the crawler: rows, columns, the start's row and column, then the tiles - + $ @ M ? !"


def names() -> list[str]:
    """Names of the shipped campaigns, the story first."""
    found = sorted(path.stem for path in levels_folder("deep").glob("*.toml"))
    return sorted(found, key=lambda name: name != STORY)


def load_campaign(name: str) -> Campaign:
    """The shipped campaign of a name, or the campaign in a file; `-` is standard input. Raises LevelError."""
    return read_campaign(read_level_file(shipped_level("deep", name, ".toml") or name, MOST_BYTES))


def converted(prefix: str) -> str:
    """The text of a campaign with the crawler's levels PREFIX1.txt, PREFIX2.txt and so on. Raises LevelError."""
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
    file.refuse_what_is_not_text()
    text = file.data[file.text_start :].decode()
    found = _CLASSIC.match(text)
    if found is None:
        raise file.error(file.text_start, f"this is not {_CLASSIC_WANTED}")
    rows, cols, row, col = (int(found[group]) for group in range(1, 5))
    tiles = "".join(found[5].split())
    if max(rows, cols) > MOST_SIDE:
        raise file.error(file.text_start, f"{rows} x {cols} is too large: the limit is {MOST_SIDE} x {MOST_SIDE}")
    if text[found.end() :].strip() or len(tiles) != rows * cols:
        where = file.text_start + len(text[: found.end()].encode())
        raise file.error(where, f"expected {rows} x {cols} tiles of - + $ @ M ? !, found {len(tiles)}")
    if not (row < rows and col < cols and tiles[row * cols + col] == "-"):
        raise file.error(file.text_start, f"the start, row {row} and column {col}, must be on open floor '-'")
    index = row * cols + col
    tiles = f"{tiles[:index]}o{tiles[index + 1 :]}"
    return "\n".join(" ".join(tiles[at : at + cols]) for at in range(0, len(tiles), cols))
