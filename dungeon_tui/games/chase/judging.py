"""The options of `chase judge` and `chase break`; the work is view/judged.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dungeon_tui.ui.command_line import read_path

if TYPE_CHECKING:
    from dungeon_tui.judge.breaker import Found
    from dungeon_tui.judge.program import Limits
    from dungeon_tui.judge.verdicts import Verdict

_SIDES = {"both": ("monster", "rogue"), "monster": ("monster",), "rogue": ("rogue",)}


def _side(name: str) -> str:
    if name not in _SIDES:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(_SIDES)}")
    return name


SideOption = Annotated[
    str, typer.Option("--side", metavar="SIDE", callback=_side, help=f"The program's: {', '.join(_SIDES)}.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="Decides what is left to chance.")]


class ChaseJudge:
    """The judge of programs that play a side of the chase."""

    limit = 1.0
    aside = " A FILE.py:FUNCTION ran outside, in a process of its own with limits."

    def judging(
        self,
        limits: Limits,
        side: SideOption = "both",
        inputs: Annotated[
            list[str] | None, typer.Option("--inputs", metavar="FILE...", help="Boards; default: all shipped ones.")
        ] = None,
        moves: Annotated[
            int, typer.Option("--moves", metavar="N", min=1, max=10_000, help="Monster moves of a chase.")
        ] = 300,
        is_classic: Annotated[
            bool, typer.Option("--classic", help="Against the classic strategies, too, not only exact play.")
        ] = False,
        record: Annotated[
            Path | None,
            typer.Option(
                "--record", metavar="DIR", parser=read_path, help="A recording of each chase; opens at the mistake."
            ),
        ] = None,
        seed: SeedOption = 0,
    ) -> tuple[Callable[[str], Verdict], str]:
        """The function that judges a program by its chases on the boards, and all that its verdicts depend on."""
        from dungeon_tui.games.chase.model.dungeon import shipped_names
        from dungeon_tui.games.chase.model.level import level_text
        from dungeon_tui.games.chase.view.judged import judged, solved_boards

        boards = solved_boards(tuple(dict.fromkeys(inputs or shipped_names())), moves)
        about = f"{side} {moves} {is_classic} {seed} " + "".join(level.name + level_text(level) for level in boards)
        return partial(judged, boards, _SIDES[side], is_classic, seed, limits.seconds, record), about

    def breaking(
        self,
        limits: Limits,
        program: str,
        seconds: float,
        tell: Callable[[str], object],
        side: SideOption = "both",
        seed: SeedOption = 0,
    ) -> Found:
        """Looks for the smallest board on which the program throws away what could be won."""
        from dungeon_tui.games.chase.view.judged import broken

        return broken(_SIDES[side], seed, limits.seconds, seconds, tell, program)
