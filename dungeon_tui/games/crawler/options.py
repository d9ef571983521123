"""What the crawler's commands take."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any

import typer

from dungeon_tui.ui.command_line import REPLACED, refuse_empty, refuse_nan

MOST_DOUBLINGS = 99
"""More than any board can hold."""


class Difficulty(StrEnum):
    """The names of challenge.py; here, as the next, so that the help needs no solver."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


class Amulet(StrEnum):
    """What a new level makes of amulets."""

    NEEDED = "needed"
    NONE = "none"
    ANY = "any"


def read_day(text: str) -> date:
    """The date of "2026-11-21"."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no date: YEAR-MONTH-DAY, as in 2026-11-21") from None


def _doublings(text: str) -> Any:
    return typer.Option("--max-doublings", metavar="D", min=0, max=MOST_DOUBLINGS, help=text)


_DUNGEON = typer.Argument(
    metavar="DUNGEON",
    callback=refuse_empty,
    help="A shipped dungeon, or a path prefix: PREFIX1.txt, PREFIX2.txt ...",
)
DungeonArgument = Annotated[str, _DUNGEON]
MaybeDungeonArgument = Annotated[str | None, _DUNGEON]
LevelsArgument = Annotated[
    int | None, typer.Argument(metavar="LEVELS", min=1, help="How many levels; default: the files that are there.")
]
LimitOption = Annotated[
    int, typer.Option("--max-cells", min=1, help="A doubling to more cells than this is refused.", show_default=True)
]

FilesArgument = Annotated[
    list[str], typer.Argument(metavar="FILE...", callback=refuse_empty, help="Level files; - is standard input.")
]
SolveOption = Annotated[
    bool, typer.Option("--solve", help="Prove what each level is worth: moves, treasure, what matters.")
]
CapOption = Annotated[int | None, _doublings("With --solve: lines double no level more; default: 2.")]
PatienceOption = Annotated[
    float | None,
    typer.Option(
        "--timeout", metavar="S", min=0, callback=refuse_nan, help="With --solve: seconds a level; default: 60."
    ),
]

SeedOption = Annotated[int | None, typer.Option("--seed", metavar="S", help="Makes the level; default: chance.")]
RowsOption = Annotated[
    int | None, typer.Option("--rows", metavar="R", min=5, max=60, help="5 to 60; default: by difficulty.")
]
ColsOption = Annotated[
    int | None, typer.Option("--cols", metavar="C", min=5, max=60, help="5 to 60; default: by difficulty.")
]
DifficultyOption = Annotated[
    Difficulty | None, typer.Option("--difficulty", help="How hard; default: normal, and of --daily all three.")
]
AmuletOption = Annotated[
    Amulet | None, typer.Option("--amulet", help="needed: there is no other way; none: there is none; default: any.")
]
DoorOption = Annotated[bool, typer.Option("--door", help="Leave by a door '?', for a level before the last.")]
PrefixOption = Annotated[
    str | None, typer.Option("--output", metavar="FILE", callback=refuse_empty, help=f"The file to write: {REPLACED}.")
]
DailyOption = Annotated[bool, typer.Option("--daily", help="The dungeon of today.")]
DateOption = Annotated[
    date | None, typer.Option("--date", metavar="YYYY-MM-DD", parser=read_day, help="The daily dungeon of that day.")
]

TreasureOption = Annotated[
    int, typer.Option("--treasure", metavar="N", min=1, max=65_535, help="How much to leave with, at least.")
]
DoublingsOption = Annotated[int | None, _doublings("Leave out lines that double a level more often.")]

DungeonsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="DUNGEON...",
        callback=refuse_empty,
        help="Shipped dungeons, or path prefixes: PREFIX1.txt, PREFIX2.txt ...",
    ),
]
StatesOption = Annotated[
    int, typer.Option("--states", metavar="N", min=1, help="Where a search for so much treasure ends, unproven.")
]


def chosen_day(is_daily: bool, day: date | None) -> date | None:
    """Whose dungeon is meant; None where no daily one is."""
    return date.today() if is_daily and day is None else day
