"""The things that the menu's screens ask of the app, and how they draw."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.storage.results import Level, Record, Result
from dungeon_tui.storage.shelf import Waiting
from dungeon_tui.ui.glyphs import Glyphs

if TYPE_CHECKING:
    from dungeon_tui.ui.snapshot import Drawn

A_MOMENT = 0.12  # seconds that something is highlighted before it is played again for its picture


@dataclass(frozen=True, slots=True)
class Look:
    """The manner in which screens are drawn."""

    glyphs: Glyphs
    has_sprites: bool  # on cells that are large enough


@dataclass(frozen=True, slots=True)
class Sources:
    """The app's answers; all but `choose` and `waiting` are called in a thread."""

    choose: Callable[[Game, Opening], object]
    """Opens a level."""
    waiting: Callable[[], Awaitable[Waiting | None]]
    """Finds the game to continue."""
    records: Callable[[], Mapping[Level, Record]]
    """Reads all that was reached, by level."""
    day: Callable[[date], tuple[Mapping[str, Result], int]]
    """Reads the results of a day's dailies, by game, and the days in a row up to it."""
    decoded: Callable[[str], tuple[Game, Opening]]
    """The opening that a share code names; ValueError if it names none."""
    beginning: Callable[[Game, Opening, Glyphs], Drawn | None]
    """Draws a level as it begins, None one that isn't played; ValueError if it can't be read."""
