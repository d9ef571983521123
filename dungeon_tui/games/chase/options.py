"""What the chase's commands take, and who that lets play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from dungeon_tui.core.catalogue import YOU
from dungeon_tui.ui.command_line import refuse_nan

MONSTER_NAMES = ("random", "greedy", "bfs", "perfect")  # the tables' names; here, so that the help needs no engine
ROGUE_NAMES = ("random", "flee", "cycle", "perfect")
OWN = "or FILE.py:FUNCTION, which runs that file (loading it ends after a minute)"

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="A shipped board, or a file; - is standard input.")]
MonsterOption = Annotated[
    str | None, typer.Option("--monster", metavar="NAME", help=f"you, {', '.join(MONSTER_NAMES)}, {OWN}.")
]
RogueOption = Annotated[
    str | None, typer.Option("--rogue", metavar="NAME", help=f"you, {', '.join(ROGUE_NAMES)}, {OWN}.")
]
MonstersOption = Annotated[
    list[str] | None,
    typer.Option("--monster", metavar="NAME", help=f"{', '.join(MONSTER_NAMES)}, {OWN}. More by commas or again."),
]
RoguesOption = Annotated[
    list[str] | None,
    typer.Option("--rogue", metavar="NAME", help=f"{', '.join(ROGUE_NAMES)}, {OWN}. More by commas or again."),
]
MovesOption = Annotated[
    int, typer.Option("--moves", metavar="N", min=1, help="Monster moves, after which the rogue has evaded it.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="Decides what strategies leave to chance.")]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        min=0.001,
        callback=refuse_nan,
        help="Seconds a strategy has for a move, up to a day; default: 1.",
    ),
]


def seats(monster: str | None, rogue: str | None) -> dict[str, str]:
    """Who plays what: you are the side that is not named, or the rogue; alone you meet bfs, or cycle."""
    if rogue is None:
        rogue = "cycle" if monster == YOU else YOU
    if monster is None:
        monster = "bfs" if rogue == YOU else YOU
    return {"monster": monster, "rogue": rogue}


def named(option: str, given: Sequence[str] | None, default: Sequence[str]) -> tuple[str, ...]:
    """The names of repeated options and lists with commas, each once."""
    names = [name.strip() for text in given or default for name in text.split(",")]
    if not all(names):
        raise typer.BadParameter("a name is empty", param_hint=option)
    return tuple(dict.fromkeys(names))
