"""The deep's entries in the menu: shipped campaigns, the daily descent, random descents, and your files."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.level import LevelError, PackedLevel, level_name
from dungeon_tui.core.options import Given
from dungeon_tui.games.deep.ai.solver import can_leave
from dungeon_tui.games.deep.model.campaign import Campaign, read_campaign
from dungeon_tui.games.deep.model.campaigns import load_campaign, names
from dungeon_tui.games.deep.model.descent import descent
from dungeon_tui.games.deep.model.options import OPTIONS
from dungeon_tui.games.deep.model.options import forms as forms

DAILY = "A descent each day, the same for everyone: ten levels, one life."
_MADE = "Ten levels down, one life; points for depth and treasure."


def openings() -> list[Opening]:
    return [*map(named, names())]


def named(arguments: str) -> Opening:
    """The opening of a shipped campaign, a seed's descent, or a daily one. Raises UnknownLevelError."""
    return opening(OPTIONS.read(arguments))


def opening(given: Given) -> Opening:
    arguments = given.arguments
    if day := given.day:
        return Opening(f"Daily {day}", partial(_descent, int(f"{day:%Y%m%d}")), DAILY, arguments=arguments, day=day)
    if not given.name:
        seed = given["seed"] or 0
        return Opening(f"Descent {seed}", partial(_descent, seed), _MADE, seed=seed, arguments=arguments)
    title, summary, load = level_name(given.name), "", partial(load_campaign, given.name)
    if given.is_ours:
        campaign = load()
        title, summary = campaign.title or given.name, campaign.summary
    return Opening(title, load, summary, arguments=arguments)


def open_file(path: str) -> Opening:
    """The opening of a campaign file, which is read only when loaded."""
    return opening(OPTIONS.given(path))


def pack_level(campaign: Campaign) -> PackedLevel:
    """The campaign's file, without the folder on this machine; for a descent its seed."""
    file = replace(campaign.file, name=Path(campaign.file.name).name)
    return PackedLevel((file,), {"descent": 1} if campaign.is_descent else {})


def unpack_level(packed: PackedLevel) -> Campaign:
    file = packed.only_file("campaign")
    if "descent" not in packed.options:
        return read_campaign(file)
    if not re.fullmatch(rb"-?\d{1,30}\n", file.data):
        raise LevelError("a descent is a seed, a whole number", file.name, 1, 1)
    return _descent(int(file.data))


def _descent(seed: int) -> Campaign:
    return descent(seed, can_leave)
