"""The worth of a level, proven: can it be won, in how many moves, with how much treasure, and what of it matters?

All of it for the level alone, and under a cap on doublings, since amulets can make a level endless:

- Won: the level is left by its `?`, or by its `!` with treasure of its own. Where only treasure brought along opens
  the `!`, that is said, with the facts for who brings some.
- A shortest solution: a command string of the fewest moves that win. Bumping into something is the same turn as
  staying, and is counted as that.
- An amulet is needed: the level can be won, but not without stepping on one.
- A monster matters: if it alone were not there, the fewest moves would be others, or some where there are none.
- The most treasure: the level can be won with so much of its own, and for one more that is proven impossible.

What time, or the states that may be looked at, leave open is None and never a guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.words import counted, often

MAX_DOUBLINGS = 2
"""Unless told otherwise."""

MOST_LINES = 1_000_000
"""Shortest solutions are counted up to here."""

_OPEN = "Whether treasure brought along would open its way out is not known."
_MOST_NAMED = 3  # monsters, by their places


@dataclass(frozen=True, slots=True)
class Certificate:
    """The facts about one level; None where a fact is open, and where there is none."""

    max_doublings: int
    can_be_won: bool | None
    brings_treasure: bool  # whether the facts hold for who comes with treasure of an earlier level
    needs_treasure_brought: bool | None  # it can't be won, but could be with treasure of an earlier level
    with_treasure_brought: Certificate | None  # of a level that needs it
    moves: int | None  # of the shortest line that is known
    lower_bound: int | None  # no line that wins has fewer
    commands: str  # of that line; empty where none is known
    solutions: int | None  # of the fewest moves; MOST_LINES stands for as many or more
    amulets: int
    amulet_needed: bool | None
    monsters: int
    monsters_that_matter: tuple[Cell, ...] | None
    most_treasure: int | None
    treasure_known: int  # the most that some line is known for
    states: int  # looked at for all of this

    @property
    def is_shortest(self) -> bool:
        """True if it is proven that no line is shorter than the one that is known, or that there is none."""
        return self.can_be_won is False or (self.moves is not None and self.moves == self.lower_bound)

    def values(self) -> dict[str, Any]:
        """All facts by their names, and which of them are proven."""
        matter, brought = self.monsters_that_matter, self.with_treasure_brought
        return {
            "max_doublings": self.max_doublings,
            "can_be_won": self.can_be_won,
            "needs_treasure_brought": self.needs_treasure_brought,
            "with_treasure_brought": None if brought is None else brought.values(),
            "moves": self.moves,
            "lower_bound": self.lower_bound,
            "commands": self.commands if self.moves is not None else None,
            "most_treasure": self.most_treasure,
            "treasure_known": self.treasure_known if self.moves is not None else None,
            "amulet_needed": self.amulet_needed,
            "shortest_solutions": self.solutions,
            "shortest_solutions_counted_to": MOST_LINES,
            "monsters": self.monsters,
            "monsters_that_matter": None if matter is None else [list(cell) for cell in matter],
            "proven": {
                "can_be_won": self.can_be_won is not None,
                "needs_treasure_brought": self.needs_treasure_brought is not None,
                "moves": self.is_shortest,
                "most_treasure": self.can_be_won is False or self.most_treasure is not None,
                "amulet_needed": self.amulet_needed is not None,
                "shortest_solutions": self.solutions is not None,
                "monsters_that_matter": matter is not None,
            },
        }

    def lines(self) -> Iterator[str]:
        """The facts in words, a few to a line."""
        if self.with_treasure_brought is not None:
            yield "It can't be won without treasure brought along: that is proven. For who brings some:"
            yield from self.with_treasure_brought.lines()
            return
        if self.can_be_won is None:
            least = f"; if there is one, it takes at least {counted(self.lower_bound or 0, 'move')}"
            yield f"Whether it can be won is not known: no line has been found{least if self.lower_bound else ''}."
        elif not self.can_be_won:
            open_question = "" if self.needs_treasure_brought is False else f" {_OPEN}"
            yield f"It can't be won: that is proven.{open_question}"
        else:
            shorter = "none is shorter" if self.is_shortest else f"none has fewer than {self.lower_bound:,}"
            yield f"Can be won in {counted(self.moves or 0, 'move')}, and {shorter}: {self.commands}"
            yield " ".join([self._solutions(), self._treasure()])
        yield from filter(None, (self._monsters(), " ".join(filter(None, (self._amulets(), self._cap())))))

    def _solutions(self) -> str:
        if self.solutions is None:
            return "How many shortest solutions there are is not known."
        if self.solutions >= MOST_LINES:
            return f"{MOST_LINES:,} shortest solutions or more."
        return f"{counted(self.solutions, 'shortest solution')}."

    def _treasure(self) -> str:
        treasure = "more treasure" if self.brings_treasure else "treasure"
        if self.most_treasure is None and not self.treasure_known:
            return f"Whether any {treasure} can be taken out is not known."
        if self.most_treasure is None:
            known = counted(self.treasure_known, treasure)
            return f"At least {known} can be taken out; whether more can is not known."
        most = f"At most {counted(self.most_treasure, treasure)}" if self.most_treasure else f"No {treasure}"
        return f"{most} can be taken out."

    def _amulets(self) -> str:
        if not self.amulets or self.can_be_won is False:
            return ""
        if self.amulet_needed is None:
            return "Whether an amulet is needed is not known."
        return "An amulet is needed." if self.amulet_needed else "No amulet is needed."

    def _monsters(self) -> str:
        if not self.monsters:
            return ""
        matter, is_alone, all_of_them = self.monsters_that_matter, self.monsters == 1, counted(self.monsters, "monster")
        if matter is None:
            which = "Whether the monster matters" if is_alone else f"How many of {all_of_them} matter"
            return f"{which} is not known."
        if not matter:
            return "The monster doesn't matter." if is_alone else f"None of the {all_of_them} matters."
        some = f"{len(matter):,} of {all_of_them} {'matters' if len(matter) == 1 else 'matter'}"
        what = "The monster matters" if is_alone else some
        places = "; ".join(cell.place for cell in matter)
        return f"{what}: {places}." if len(matter) <= _MOST_NAMED else f"{what}."

    def _cap(self) -> str:
        return left_out(self.max_doublings, "the level") if self.amulets else ""


def left_out(max_doublings: int, what: str) -> str:
    """A sentence on the lines that a cap on doublings leaves out.

    >>> left_out(2, "the level"), left_out(0, "a level")
    ('Lines that double the level more than twice are left out.', 'Lines that double a level at all are left out.')
    """
    too_often = f"more than {often(max_doublings)}" if max_doublings else "at all"
    return f"Lines that double {what} {too_often} are left out."
