"""The deep's entries in the menu: the shipped campaigns, a day's descent, one that is made, the player's own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from dungeon_tui.core.arguments import Arguments, UnknownLevelError, daily
from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.forms import SEED, Form
from dungeon_tui.core.level import LevelError, PackedLevel, level_name
from dungeon_tui.games.deep.ai.solver import can_leave
from dungeon_tui.games.deep.model.campaign import Campaign, read_campaign
from dungeon_tui.games.deep.model.campaigns import load_campaign, names
from dungeon_tui.games.deep.model.descent import descent

DAILY = "A descent each day, the same for everyone: ten levels, one life."
_MADE = "Ten levels down, one life; points for depth and treasure."


def openings() -> list[Opening]:
    """The menu's campaigns: those that the project ships."""
    return [*map(named, names())]


def forms() -> Sequence[Form]:
    """The form of a descent."""
    return (Form("New descent", (SEED,)),)


def named(arguments: str) -> Opening:
    """The opening of a shipped campaign, of a seed's descent, or of a day's.

    Raises:
        UnknownLevelError: there is no such campaign.
        ValueError: there is no such day.
    """
    given = Arguments(arguments)
    if day := given.day():
        given.end()
        load = partial(_descent, int(f"{day:%Y%m%d}"))
        return Opening(f"Daily {day}", load, DAILY, arguments=daily(day), day=day)
    if not given.name and "seed" in given:
        seed = given.number("seed", 0)
        given.end()
        return Opening(f"Descent {seed}", partial(_descent, seed), _MADE, seed=seed, arguments=f"--seed {seed}")
    given.end()
    if given.name not in names():
        raise UnknownLevelError(f"no campaign is called {given.name!r}; there are {', '.join(names())}")
    campaign = load_campaign(given.name)
    load = partial(load_campaign, given.name)
    return Opening(campaign.title or given.name, load, campaign.summary, arguments=given.name)


def open_file(path: str) -> Opening:
    """The opening of a campaign file of the player's own, which is read only when the opening is loaded."""
    return Opening(title=level_name(path), load=partial(load_campaign, path))


def pack_level(campaign: Campaign) -> PackedLevel:
    """The campaign's file, of a descent its seed."""
    return PackedLevel((campaign.file,), {"descent": 1} if campaign.is_descent else {})


def unpack_level(packed: PackedLevel) -> Campaign:
    """The campaign that `pack_level` packed. Raises LevelError if it can't be read."""
    file = packed.only_file("campaign")
    if "descent" not in packed.options:
        return read_campaign(file)
    if not re.fullmatch(rb"-?\d{1,30}\n", file.data):
        raise LevelError("a descent is a seed, a whole number", file.name, 1, 1)
    return _descent(int(file.data))


def _descent(seed: int) -> Campaign:
    return descent(seed, can_leave)
