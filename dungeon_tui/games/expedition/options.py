"""What the expedition's commands take, and what that asks of a map."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from dungeon_tui.games.expedition.model.level import Level

ROOMS, DEGREE = 20, 2.6  # the generator's; here, so that the help needs no engine


def read_coverage(text: str) -> Fraction:
    """The number of "90", "33.3" or "90%"."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,20})?%?", text) or Fraction(text.rstrip("%")) > 100:
        raise typer.BadParameter(f"{text!r} is no percentage: a number from 0 to 100, as in 90 or 33.3")
    return Fraction(text.rstrip("%"))


_MAP = typer.Argument(metavar="MAP", help="A shipped map, or a file; - is standard input.")
MapArgument = Annotated[str, _MAP]
MaybeMapArgument = Annotated[str | None, _MAP]
StartOption = Annotated[
    str | None, typer.Option("--start", metavar="ID", help="The room to start in; default: the map's.")
]
CoverageOption = Annotated[
    Fraction | None,
    typer.Option(
        "--coverage", metavar="PERCENT", parser=read_coverage, help="How much of the rooms to see; default: 100."
    ),
]
ReturnOption = Annotated[bool, typer.Option("--return", help="Come back to the start.")]
EndOption = Annotated[str | None, typer.Option("--end", metavar="ID", help="The room to end in.")]


@dataclass(frozen=True, slots=True)
class Quest:
    """The options that say what is asked; None where nobody chose."""

    start: str | None = None
    coverage: Fraction | None = None
    is_round_trip: bool = False
    end: str | None = None
    is_fogged: bool = False

    def read(self, name: str) -> Level:
        """The map of that name, with what is asked."""
        from dungeon_tui.games.expedition.model.dungeon import read_map
        from dungeon_tui.games.expedition.model.level import ALL

        level = read_map(name, self.start, self.end)
        return replace(
            level,
            coverage=ALL if self.coverage is None else self.coverage,
            is_round_trip=self.is_round_trip,
            is_fogged=self.is_fogged,
        )

    def check(self) -> None:
        """Ends with wrong usage where the options contradict each other."""
        if self.is_round_trip and self.end is not None:
            raise typer.BadParameter("either --return or --end, not both", param_hint="--end")
