"""Finds and reads campaigns: shipped ones, and your files."""

from dungeon_tui.core.catalogue import levels_folder, shipped_level
from dungeon_tui.core.level import read_level_file
from dungeon_tui.games.deep.model.campaign import MOST_BYTES, Campaign, read_campaign

TUTORIAL = "tutorial"
"""The first campaign."""


def names() -> list[str]:
    """Names of the shipped campaigns, the tutorial first."""
    found = sorted(path.stem for path in levels_folder("deep").glob("*.toml"))
    return sorted(found, key=lambda name: name != TUTORIAL)


def load_campaign(name: str) -> Campaign:
    """The shipped campaign of a name, or the campaign in a file; `-` is standard input. Raises LevelError."""
    return read_campaign(read_level_file(shipped_level("deep", name, ".toml") or name, MOST_BYTES))
