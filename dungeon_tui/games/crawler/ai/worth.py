"""Proven facts about a level: can it be won, in how many moves, with how much treasure, and which monsters matter?

Each fact is about the level alone, with a limit on doublings, since amulets can make a level endless:

- Won: leaving the level by its `?`, or by its `!` with treasure from the level. If only treasure from an earlier level
  opens the `!`, the certificate says so and has the facts for an adventurer who brings some.
- A shortest solution: a command string with the fewest moves that win. Bumping into something counts as staying.
- An amulet is needed: the level can be won, but not without stepping on an amulet.
- A monster matters: removing it alone would change the fewest moves, or make the level winnable.
- The most treasure: the level can be won with that many of its treasures, and provably not with one more.

A fact is None if time or states run out before it is proven.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from threading import Event
from time import monotonic
from typing import Any

import numpy as np

from dungeon_tui.core.grid import Cell, cells_of
from dungeon_tui.core.words import counted, often
from dungeon_tui.games.crawler.ai import solver
from dungeon_tui.games.crawler.ai.search.dungeon_search import SLICE, Escape, Stage
from dungeon_tui.games.crawler.ai.search.level_search import AStar, OutOfMemoryError
from dungeon_tui.games.crawler.ai.search.terrain import NEVER, Terrain
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, MAX_CELLS, MONSTER, OPEN, WAY_OUT, Level
from dungeon_tui.games.crawler.model.state import State

MAX_DOUBLINGS = 2
"""Default limit on doublings."""

MOST_LINES = 1_000_000
"""Limit for counting shortest solutions."""

_OPEN = "Unknown whether treasure from an earlier level would open its way out."
_MOST_NAMED = 3  # monsters named by their cells

MOST_STATES = 4_000_000
"""Default limit on states for counting solutions."""

MEMORY = 1 << 30
"""Limit in bytes of a search for any line, or for all lines."""

Tell = Callable[[str, int], None]
"""Called from time to time with the current question and the states visited for it."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The facts about one level; None if a fact is unknown or doesn't apply."""

    max_doublings: int
    can_be_won: bool | None
    brings_treasure: bool  # True if the facts are for an adventurer with treasure from an earlier level
    needs_treasure_brought: bool | None  # True if the level can be won only with such treasure
    with_treasure_brought: Certificate | None  # of a level that needs it
    moves: int | None  # of the shortest known line
    lower_bound: int | None  # no line that wins has fewer
    commands: str  # of that line; empty without a line
    solutions: int | None  # with the fewest moves; MOST_LINES means that many or more
    amulets: int
    amulet_needed: bool | None
    monsters: int
    monsters_that_matter: tuple[Cell, ...] | None
    most_treasure: int | None
    treasure_known: int  # the most of any known line

    @property
    def is_shortest(self) -> bool:
        """True if proven: no line is shorter than the known one, or no line exists."""
        return self.can_be_won is False or (self.moves is not None and self.moves == self.lower_bound)

    def values(self) -> dict[str, Any]:
        """All facts for JSON, and which of them are proven."""
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
        """Yields the facts as sentences."""
        if self.with_treasure_brought is not None:
            yield "Proven: it can't be won without treasure from an earlier level. With such treasure:"
            yield from self.with_treasure_brought.lines()
            return
        if self.can_be_won is None:
            least = f"; it would take at least {counted(self.lower_bound or 0, 'move')}"
            yield f"Unknown whether it can be won: no line found{least if self.lower_bound else ''}."
        elif not self.can_be_won:
            open_question = "" if self.needs_treasure_brought is False else f" {_OPEN}"
            yield f"Proven: it can't be won.{open_question}"
        else:
            bound = "the proven minimum" if self.is_shortest else f"at least {self.lower_bound:,} needed"
            yield f"Can be won in {counted(self.moves or 0, 'move')} ({bound}): {self.commands}"
            yield " ".join([self._solutions_text(), self._treasure_text()])
        cap = left_out(self.max_doublings, "the level") if self.amulets else ""
        amulets = " ".join(filter(None, (self._amulets_text(), cap)))
        yield from filter(None, (self._monsters_text(), amulets))

    def _solutions_text(self) -> str:
        if self.solutions is None:
            return "Number of shortest solutions unknown."
        if self.solutions >= MOST_LINES:
            return f"At least {MOST_LINES:,} shortest solutions."
        return f"{counted(self.solutions, 'shortest solution')}."

    def _treasure_text(self) -> str:
        treasure = "more treasure" if self.brings_treasure else "treasure"
        if self.most_treasure is None and not self.treasure_known:
            return f"Unknown whether any {treasure} can be carried out."
        if self.most_treasure is None:
            return f"At least {counted(self.treasure_known, treasure)} can be carried out, possibly more."
        most = f"At most {counted(self.most_treasure, treasure)}" if self.most_treasure else f"No {treasure}"
        return f"{most} can be carried out."

    def _amulets_text(self) -> str:
        if not self.amulets or self.can_be_won is False:
            return ""
        if self.amulet_needed is None:
            return "Unknown whether an amulet is needed."
        return "An amulet is needed." if self.amulet_needed else "No amulet is needed."

    def _monsters_text(self) -> str:
        if not self.monsters:
            return ""
        matter, is_alone, all_of_them = self.monsters_that_matter, self.monsters == 1, counted(self.monsters, "monster")
        if matter is None:
            return f"Unknown {'whether the monster matters' if is_alone else f'how many of {all_of_them} matter'}."
        if not matter:
            return "The monster doesn't matter." if is_alone else f"None of the {all_of_them} matters."
        some = f"{len(matter):,} of {all_of_them} {'matters' if len(matter) == 1 else 'matter'}"
        what = "The monster matters" if is_alone else some
        cells = "; ".join(cell.text for cell in matter)
        return f"{what}: {cells}." if len(matter) <= _MOST_NAMED else f"{what}."


def left_out(max_doublings: int, what: str) -> str:
    """A sentence on the lines that a limit on doublings excludes.

    >>> left_out(2, "the level"), left_out(0, "a level")
    ('Lines that double the level more than twice are ignored.', 'Lines that double a level at all are ignored.')
    """
    too_often = f"more than {often(max_doublings)}" if max_doublings else "at all"
    return f"Lines that double {what} {too_often} are ignored."


@dataclass(frozen=True, slots=True)
class Certifier:
    """Answers questions about one level within limits."""

    level: Level
    max_doublings: int = MAX_DOUBLINGS
    most_states: int | None = None  # for each question; without a time limit, answers don't depend on the machine
    deadline: float | None = None  # by monotonic(), for all questions
    stop: Event | None = None
    tell: Tell = lambda what, states: None
    brought: int = 0  # treasure from earlier levels

    def certify(self) -> Certificate:
        """Answers all questions, the slowest last."""
        # The fewest moves out, and whether treasure from earlier levels would help.
        best = self.escape("the fewest moves")
        can_be_won = _has_line(best)
        needs_brought: bool | None = None if can_be_won is None else False
        with_brought = None
        if can_be_won is False and not self.brought:
            bringing = replace(self, brought=1)
            needs_brought = _has_line(bringing.escape("a way out with treasure brought along"))
            with_brought = bringing.certify() if needs_brought else None
        # Number of shortest solutions.
        solutions = 0 if can_be_won is False else None
        if best.moves is not None and best.is_proven:
            solutions = self.solutions(best.moves)
        # What would change without the amulets or a monster, and the most treasure.
        amulet_needed = self.is_amulet_needed(best)
        matter = self.monsters_that_matter(best)
        treasure, is_most = self.most_treasure(best.treasure - self.brought) if can_be_won else (0, False)
        amulets, monsters = (int(np.count_nonzero(self.level.tiles == tile)) for tile in (AMULET, MONSTER))
        return Certificate(
            max_doublings=self.max_doublings,
            can_be_won=can_be_won,
            brings_treasure=self.brought > 0,
            needs_treasure_brought=needs_brought,
            with_treasure_brought=with_brought,
            moves=best.moves,
            lower_bound=best.lower_bound,
            commands="".join(best.commands),
            solutions=solutions,
            amulets=amulets,
            amulet_needed=amulet_needed,
            monsters=monsters,
            monsters_that_matter=matter,
            most_treasure=treasure if is_most else None,
            treasure_known=treasure,
        )

    def solutions(self, moves: int) -> int | None:
        """Number of command strings that win in the fewest moves, up to MOST_LINES; None if unknown."""
        self.tell("counting the shortest solutions", 0)
        stage, lines, states = self._stage(), 0, 0
        most = self.most_states or MOST_STATES
        for goal, wanted in ((DOOR, 0), (WAY_OUT, 0 if self.brought else 1)):
            task = stage.search(goal, wanted).task
            if task is None:
                return None
            search = AStar(task, exact_moves=moves)
            while not search.has_ended:
                if self._is_over(0) or self._seconds_left() == 0 or states + search.states > most:
                    return None
                try:
                    search.advance(SLICE, MEMORY)
                except OutOfMemoryError:
                    return None
            states += search.states
            found = search.count_lines()
            if found is None:
                return None
            lines += found
        return min(lines, MOST_LINES)

    def is_amulet_needed(self, best: Escape) -> bool | None:
        """True if the level, whose shortest line is known, can't be won without doubling it; None if unknown."""
        if best.moves is None:
            return _has_line(best)
        if played(self.level, best.commands[0]).board.height == self.level.tiles.shape[0]:
            return False
        can_be_without = _has_line(self.escape("a way without an amulet", max_doublings=0))
        return None if can_be_without is None else not can_be_without

    def monsters_that_matter(self, best: Escape) -> tuple[Cell, ...] | None:
        """Cells of the monsters that matter; None if unknown for any of them."""
        matter = []
        for cell in cells_of(np.argwhere(self.level.tiles == MONSTER)):
            does_matter = self.does_matter(cell, best)
            if does_matter is None:
                return None
            if does_matter:
                matter.append(cell)
        return tuple(matter) if best.is_proven else None

    def does_matter(self, monster: Cell, best: Escape) -> bool | None:
        """True if the fewest moves without this monster differ from the best line's; None if unknown."""
        if not best.is_proven:
            return None
        found = self.escape("monsters that matter", without(self.level, [monster]))
        if found.is_proven:
            return found.moves != best.moves
        is_shorter = found.moves is not None and (best.moves is None or found.moves < best.moves)
        is_longer = best.moves is not None and found.lower_bound is not None and found.lower_bound > best.moves
        return True if is_shorter or is_longer else None

    def most_treasure(self, known: int) -> tuple[int, bool]:
        """The most treasure known to be possible, and if more is proven impossible: weighted A* for each number."""
        stage = self._stage()
        while (can_be := self._can_be_left_with(known + 1, stage)) is True:
            known += 1
            stage.searches.clear()
        return known, can_be is False

    def _can_be_left_with(self, wanted: int, stage: Stage) -> bool | None:
        searches = [stage.search(goal, wanted) for goal in (DOOR, WAY_OUT)]
        while all(search.best >= NEVER for search in searches):
            waiting = [search for search in searches if not search.has_no_line_soon]
            if not waiting:
                return False if all(search.is_proven for search in searches) else None
            states = sum(search.weighted_states for search in searches)
            self.tell(f"a line with {counted(wanted, 'treasure')}", states)
            if self._is_over(states) or self._seconds_left() == 0:
                return None
            try:
                for search in waiting:
                    search.weighted_astar(SLICE, MEMORY)
            except OutOfMemoryError:
                return None
        return True

    def _stage(self) -> Stage:
        tiles = self.level.tiles
        return Stage.of(Terrain.of(tiles, MAX_CELLS), tiles, self.level.start, self.max_doublings)

    def escape(self, what: str, level: Level | None = None, max_doublings: int | None = None) -> Escape:
        """The fewest moves that win the level, or a variant of it, as far as the limits allow; `what` is for `tell`."""
        end = Event()

        def watch(_treasure: int, states: int, _bound: int) -> None:
            self.tell(what, states)
            if self._is_over(states):
                end.set()

        state = replace(rules.start(alone(level or self.level)), treasure=self.brought)
        cap = self.max_doublings if max_doublings is None else max_doublings
        question = solver.Solver(state.dungeon, by_door=True, max_doublings=cap)
        return question.escape(state, 0, time_limit=self._seconds_left(), stop=end, progress=watch)

    def _seconds_left(self) -> float | None:
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    def _is_over(self, states: int) -> bool:
        has_seen_enough = self.most_states is not None and states >= self.most_states
        return has_seen_enough or (self.stop is not None and self.stop.is_set())


def prepare() -> None:
    """Compiles or loads all kernels for a certificate, so that no time limit includes it."""
    solver.prepare()
    Certifier(Level("tiny", np.frombuffer(b"-?", np.uint8).reshape(1, 2), Cell(0, 0))).solutions(1)


def without(level: Level, monsters: Iterable[Cell]) -> Level:
    """The level without some of its monsters."""
    tiles = level.tiles.copy()
    for cell in monsters:
        tiles[cell] = OPEN
    return replace(level, tiles=tiles)


def _has_line(found: Escape) -> bool | None:
    return True if found.moves is not None else False if found.is_proven else None


def played(level: Level, commands: str) -> State:
    """State after playing commands on a level alone; a command that ends the game is the last one played."""
    *_, state = rules.moments(rules.start(alone(level)), commands)
    return state
