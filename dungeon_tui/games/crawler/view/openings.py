"""The crawler's entries in the menu: shipped dungeons, the daily dungeon, random levels, and your files."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.options import Given, UnknownLevelError
from dungeon_tui.core.text import printable
from dungeon_tui.games.crawler.model import dungeon as dungeons
from dungeon_tui.games.crawler.model.dungeon import pack_level as pack_level
from dungeon_tui.games.crawler.model.dungeon import unpack_level as unpack_level
from dungeon_tui.games.crawler.model.options import OPTIONS
from dungeon_tui.games.crawler.model.options import forms as forms

DAILY = "Three new levels each day, the same for everyone: easy, normal and hard."

_MOST_SOLVED = 20  # limit on rows and columns of a level in a share code, so that generating it takes no seconds


def openings() -> list[Opening]:
    return [
        _opening(name, sidecar, partial(dungeons.load_dungeon, name)) for name, sidecar in dungeons.shipped().items()
    ]


def opening(given: Given) -> Opening:
    if given.day:
        load = partial(_daily_dungeon, given.day)
        return Opening(f"Daily {given.day}", load, DAILY, arguments=given.arguments, day=given.day)
    if given.name:
        load = partial(dungeons.load_dungeon, given.name, given["levels"], given["max-cells"])
        if given.is_ours:
            return replace(_opening(given.name, dungeons.shipped()[given.name], load), arguments=given.arguments)
        return Opening(printable(Path(given.name).name), load)
    seed, difficulty = given["seed"] or 0, given["difficulty"]
    load = partial(_made, seed, difficulty, given["rows"], given["cols"], given["amulet"])
    return Opening(f"Random {seed}, {difficulty}", load, arguments=given.arguments)


def named(arguments: str) -> Opening:
    """The opening for a share code, which can cause only little work. Raises UnknownLevelError."""
    given = OPTIONS.read(arguments)
    if given.name:
        return replace(opening(given), load=partial(_replayable, given.name))
    if given["difficulty"] != "easy" and any((given[side] or 0) > _MOST_SOLVED for side in ("rows", "cols")):
        raise UnknownLevelError(f"a {given['difficulty']} level has at most {_MOST_SOLVED} rows and columns here")
    return opening(given)


def _opening(name: str, sidecar: dungeons.Sidecar, load: Callable[[], dungeons.Dungeon]) -> Opening:
    return Opening(sidecar.title or name, load, sidecar.summary, arguments=name)


def _replayable(name: str) -> dungeons.Dungeon:
    """A shipped dungeon with the cell limit of recordings."""
    dungeon = dungeons.load_dungeon(name)
    return replace(dungeon, cell_limit=min(dungeon.cell_limit, dungeons.replayed_limit(dungeon.levels)))


def open_file(path: str) -> Opening:
    """The opening of a level file or a path prefix; NAME2.txt opens the whole dungeon NAME."""
    numbered = re.fullmatch(r"(.*[^0-9/])?([0-9]{1,9})\.txt", path)
    is_part = numbered is not None and dungeons.count_levels(numbered[1] or "") >= int(numbered[2])
    name = (numbered[1] or "") if numbered is not None and is_part else path
    return Opening(title=printable(Path(name).name), load=partial(dungeons.load_dungeon, name))


# These load the solver, so they import it only when called.


def _daily_dungeon(day: date) -> dungeons.Dungeon:
    from dungeon_tui.games.crawler.ai.daily import daily_dungeon

    return daily_dungeon(day)


def _made(seed: int, difficulty: str, rows: int | None, cols: int | None, amulet: str) -> dungeons.Dungeon:
    from dungeon_tui.games.crawler.ai import solver
    from dungeon_tui.games.crawler.ai.challenge import asking_for_treasure, make
    from dungeon_tui.games.crawler.model.dungeon import alone

    solver.prepare()
    return asking_for_treasure(alone(make(seed, difficulty, size=(rows, cols), amulet=amulet).level))
