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

from collections.abc import Callable, Iterator
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
"""Unless told otherwise."""

MOST_LINES = 1_000_000
"""Shortest solutions are counted up to here."""

_OPEN = "Whether treasure brought along would open its way out is not known."
_MOST_NAMED = 3  # monsters, by their places

MOST_STATES = 4_000_000
"""States are looked at up to here for the number of solutions, unless told otherwise."""

MEMORY = 1 << 30
"""Bytes that a search for some line or for all of them may take."""

Tell = Callable[[str, int], None]
"""Told now and then what is being looked for, and how many states were looked at for it."""


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

    @property
    def is_shortest(self) -> bool:
        """True if it is proven that no line is shorter than the one that is known, or that there is none."""
        return self.can_be_won is False or (self.moves is not None and self.moves == self.lower_bound)

    def values(self) -> dict[str, Any]:
        """All facts as JSON has them, and which of them are proven."""
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
        """Yields the facts as sentences, a line each."""
        if self.with_treasure_brought is not None:
            yield "It can't be won without treasure brought along: that is proven. For those who bring some:"
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
            yield " ".join([self._solutions_text(), self._treasure_text()])
        amulets = " ".join(filter(None, (self._amulets_text(), self._cap_text())))
        yield from filter(None, (self._monsters_text(), amulets))

    def _solutions_text(self) -> str:
        if self.solutions is None:
            return "How many shortest solutions there are is not known."
        if self.solutions >= MOST_LINES:
            return f"{MOST_LINES:,} shortest solutions or more."
        return f"{counted(self.solutions, 'shortest solution')}."

    def _treasure_text(self) -> str:
        treasure = "more treasure" if self.brings_treasure else "treasure"
        if self.most_treasure is None and not self.treasure_known:
            return f"Whether any {treasure} can be taken out is not known."
        if self.most_treasure is None:
            known = counted(self.treasure_known, treasure)
            return f"At least {known} can be taken out; whether more can is not known."
        most = f"At most {counted(self.most_treasure, treasure)}" if self.most_treasure else f"No {treasure}"
        return f"{most} can be taken out."

    def _amulets_text(self) -> str:
        if not self.amulets or self.can_be_won is False:
            return ""
        if self.amulet_needed is None:
            return "Whether an amulet is needed is not known."
        return "An amulet is needed." if self.amulet_needed else "No amulet is needed."

    def _monsters_text(self) -> str:
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

    def _cap_text(self) -> str:
        return left_out(self.max_doublings, "the level") if self.amulets else ""


def left_out(max_doublings: int, what: str) -> str:
    """A sentence on the lines that a cap on doublings leaves out.

    >>> left_out(2, "the level"), left_out(0, "a level")
    ('Lines that double the level more than twice are left out.', 'Lines that double a level at all are left out.')
    """
    too_often = f"more than {often(max_doublings)}" if max_doublings else "at all"
    return f"Lines that double {what} {too_often} are left out."


@dataclass(frozen=True, slots=True)
class Certifier:
    """Answers questions about one level, within limits."""

    level: Level
    max_doublings: int = MAX_DOUBLINGS
    most_states: int | None = None  # a question; the same answers on every machine, where time is no limit
    deadline: float | None = None  # by monotonic(), for all questions
    stop: Event | None = None
    tell: Tell = lambda what, states: None
    brought: int = 0  # treasure of earlier levels

    def certify(self) -> Certificate:
        """The certificate of the level: answers all questions, those that may take longest last.

        Cost:
            The solver's for the fewest moves, once more for the level without amulets and without each monster; then
            those of counting all shortest lines, and of a line for each treasure.
        """
        best = self.escape("the fewest moves")
        can_be_won = _has_line(best)
        needs_brought: bool | None = None if can_be_won is None else False
        with_brought = None
        if can_be_won is False and not self.brought:
            bringing = replace(self, brought=1)
            needs_brought = _has_line(bringing.escape("a way out with treasure brought along"))
            with_brought = bringing.certify() if needs_brought else None
        solutions = 0 if can_be_won is False else None
        if best.moves is not None and best.is_proven:
            solutions = self.solutions(best.moves)
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
        """Number of command strings that win in the fewest moves, up to MOST_LINES; None where that is open."""
        self.tell("counting the shortest solutions", 0)
        stage, lines, states = self._stage(), 0, 0
        most = self.most_states or MOST_STATES
        for goal, asked in ((DOOR, 0), (WAY_OUT, 0 if self.brought else 1)):
            task = stage.search(goal, asked).task
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
        """True if a level whose shortest line is known can't be won without doubling it; None where that is open."""
        if best.moves is None:
            return _has_line(best)
        if played(self.level, best.commands[0]).board.height == self.level.tiles.shape[0]:
            return False
        can_be_without = _has_line(self.escape("a way without an amulet", max_doublings=0))
        return None if can_be_without is None else not can_be_without

    def monsters_that_matter(self, best: Escape) -> tuple[Cell, ...] | None:
        """Cells of the monsters without which, one at a time, the fewest moves differ; None where that is open."""
        matter = []
        for cell in cells_of(np.argwhere(self.level.tiles == MONSTER)):
            does_matter = self.does_matter(cell, best)
            if does_matter is None:
                return None
            if does_matter:
                matter.append(cell)
        return tuple(matter) if best.is_proven else None

    def does_matter(self, monster: Cell, best: Escape) -> bool | None:
        """True if without this monster the fewest moves differ from the best line's; None where that is open."""
        if not best.is_proven:
            return None
        tiles = self.level.tiles.copy()
        tiles[monster] = OPEN
        found = self.escape("monsters that matter", replace(self.level, tiles=tiles))
        if found.is_proven:
            return found.moves != best.moves
        is_shorter = found.moves is not None and (best.moves is None or found.moves < best.moves)
        is_longer = best.moves is not None and found.lower_bound is not None and found.lower_bound > best.moves
        return True if is_shorter or is_longer else None

    def most_treasure(self, known: int) -> tuple[int, bool]:
        """The most treasure of its own that the level can be left with, as known; True if more is proven impossible.

        No line needs to be short, so each number takes weighted A*: it ends with a line or, where all has been looked
        at, without any.

        Args:
            known: so much is possible.
        """
        stage = self._stage()
        while (can_be := self._can_be_left_with(known + 1, stage)) is True:
            known += 1
            stage.searches.clear()
        return known, can_be is False

    def _can_be_left_with(self, asked: int, stage: Stage) -> bool | None:
        searches = [stage.search(goal, asked) for goal in (DOOR, WAY_OUT)]
        while all(search.best >= NEVER for search in searches):
            waiting = [search for search in searches if not search.has_no_line_soon]
            if not waiting:
                return False if all(search.is_proven for search in searches) else None
            states = sum(search.weighted_states for search in searches)
            self.tell(f"a line with {counted(asked, 'treasure')}", states)
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
        """The best answer, within the limits, about the fewest moves that win.

        Args:
            what: is being looked for, as people are told.
            level: another than the one in question.
            max_doublings: fewer than for the other questions.
        """
        end = Event()

        def watch(_asked: int, states: int, _bound: int) -> None:
            self.tell(what, states)
            if self._is_over(states):
                end.set()

        state = replace(rules.start(alone(level or self.level)), treasure=self.brought)
        cap = self.max_doublings if max_doublings is None else max_doublings
        asked = solver.Solver(state.dungeon, by_door=True, max_doublings=cap)
        return asked.escape(state, 0, time_limit=self._seconds_left(), stop=end, progress=watch)

    def _seconds_left(self) -> float | None:
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    def _is_over(self, states: int) -> bool:
        has_seen_enough = self.most_states is not None and states >= self.most_states
        return has_seen_enough or (self.stop is not None and self.stop.is_set())


def prepare() -> None:
    """Compiles or loads all kernels that a certificate takes, before any time limit runs."""
    solver.prepare()
    Certifier(Level("tiny", np.frombuffer(b"-?", np.uint8).reshape(1, 2), Cell(0, 0))).solutions(1)


def _has_line(found: Escape) -> bool | None:
    return True if found.moves is not None else False if found.is_proven else None


def played(level: Level, commands: str) -> State:
    """State after a line of commands on a level alone, or after the command of it that ended the game."""
    *_, state = rules.moments(rules.start(alone(level)), commands)
    return state
