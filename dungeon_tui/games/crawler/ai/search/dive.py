"""Some line out of one level, soon and of any length: many lines are played at once, and the nearest go on.

After each turn those go on that still need the fewest moves (bounds.py), but only some on the same cell, lest all of
them wait at the one place where a monster bars the way. What was met before is not met again. Nothing is proven by
this, and no amulet is stepped on: the bound, which knows little of doubled boards, makes other searches lose themselves
there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.games.crawler.ai.kernels import (
    COMMANDS,
    DIED,
    ESCAPED,
    TOOK_AMULET,
    TOOK_DOOR,
    TOOK_TREASURE,
    Boards,
    Ints,
    Words,
    cell_words,
    count_kind,
    drop_kind,
    item_count,
    item_words,
    turn,
)
from dungeon_tui.games.crawler.ai.search.bounds import fill_needs, still_needed
from dungeon_tui.games.crawler.ai.search.terrain import Moment
from dungeon_tui.games.crawler.ai.search.ways import BARRED, NEVER, Ways
from dungeon_tui.games.crawler.model.level import TREASURE, WAY_OUT

_WIDTHS = 32, 256  # lines at once, in the first dive and in the next
_MOST_STATES = 1 << 16  # of a dive
_MOST_WORK = 1 << 30  # likewise; it counts what the bounds take at most
_A_CELL = 4  # lines on the same cell may go on, and a sixteenth of all besides
_MOST_MET = 1 << 17  # marks of what was met; where two share a place, the older is forgotten
_SPREAD = uint64(0x9E3779B97F4A7C15)


class _Lines(NamedTuple):
    """Where some lines stand."""

    cells: Ints  # (lines,)
    treasures: Ints  # (lines,) taken
    bounds: Ints  # (lines,) moves still needed
    items: Words  # (lines, words)
    monsters: Words  # (lines, words)
    parents: Ints  # (lines,) the line a turn before that led here
    commands: NDArray[np.uint8]  # (lines,) the last one


class _Notes(NamedTuple):
    """What is kept between the turns."""

    met: Words  # hashes of what was met
    items: Words  # the set of items of which the needs are known
    needs: Ints  # ((asked + 1) * items,)
    here: Ints  # (cells,) lines on each that go on


def dive(boards: Boards, ways: Ways, start: Moment, goal: int, asked: int) -> str | None:
    """The commands of some line to the goal with so much treasure taken; None where none was come across.

    Args:
        boards: the level, at least at the size of the start.
        ways: its distances.
        start: where to begin.
        goal: the tile to leave by.
        asked: treasure to take from there on.

    Cost:
        At most 2**16 states a dive, mostly a few milliseconds; a megabyte or two.
    """
    treasures = count_kind(boards, start.size, start.items, TREASURE)
    if asked > treasures:
        return None
    states = min(_MOST_STATES, _MOST_WORK // (1 + asked * treasures**2))
    ways = ways._replace(amulets=np.full_like(ways.amulets, BARRED))
    for width in _WIDTHS:
        line = _dive(boards, ways, start, goal, asked, width, states // width)
        if line is not None:
            return line
    return None


def _dive(boards: Boards, ways: Ways, start: Moment, goal: int, asked: int, width: int, most_turns: int) -> str | None:
    size = start.size
    lines, more = _room(boards, size, width), _room(boards, size, 5 * width)
    items = start.items.copy()
    if asked == 0:
        drop_kind(boards, size, items, TREASURE)
    needs = np.empty((asked + 1) * item_count(boards, size), np.int32)
    fill_needs(boards, ways, size, goal, items, needs)
    cells = int(boards.heights[size]) * int(boards.widths[size])
    notes = _Notes(np.zeros(_MOST_MET, np.uint64), items.copy(), needs, np.zeros(cells, np.int32))
    lines.cells[0], lines.items[0], lines.monsters[0] = start.cell, items, start.monsters
    count = 1
    made: list[tuple[Ints, NDArray[np.uint8]]] = []  # a turn's parents and commands
    for _ in range(most_turns):
        found, is_out = _play(boards, ways, size, goal, asked, lines, count, more, notes)
        if is_out:
            line, letters = int(more.parents[found]), [int(more.commands[found])]
            for parents, commands in reversed(made):
                letters.append(int(commands[line]))
                line = int(parents[line])
            return "".join(COMMANDS[way] for way in reversed(letters))
        order = np.argsort(more.bounds[:found], kind="stable")
        count = _keep(more, order, lines, notes.here, _A_CELL + width // 16)
        if count == 0:
            return None
        made.append((lines.parents[:count].copy(), lines.commands[:count].copy()))
    return None


def _room(boards: Boards, size: int, lines: int) -> _Lines:
    return _Lines(
        np.zeros(lines, np.int32),
        np.zeros(lines, np.int32),
        np.zeros(lines, np.int32),
        np.zeros((lines, item_words(boards, size)), np.uint64),
        np.zeros((lines, cell_words(boards, size)), np.uint64),
        np.zeros(lines, np.int32),
        np.zeros(lines, np.uint8),
    )


@kernel
def _play(
    boards: Boards, ways: Ways, size: int, goal: int, asked: int, lines: _Lines, count: int, more: _Lines, notes: _Notes
) -> tuple[int, bool]:
    """Writes what the lines' next turns lead to; how many that are, and whether the one after them is out."""
    found = 0
    for line in range(count):
        for way in range(5):
            items, monsters = more.items[found], more.monsters[found]
            items[:], monsters[:] = lines.items[line], lines.monsters[line]
            more.parents[found], more.commands[found] = line, way
            cell, taken = lines.cells[line], lines.treasures[line]
            result, to = turn(boards, size, cell, way, taken > 0 or asked == 0, items, monsters)
            if result in (DIED, TOOK_AMULET) or (way < 4 and to == cell):
                continue  # dead, not to be looked at, or the same as staying
            if result in (TOOK_DOOR, ESCAPED):
                if (result == ESCAPED) == (goal == WAY_OUT) and taken >= asked:
                    return found, True
                continue
            if result == TOOK_TREASURE:
                taken += 1
                if taken == asked:
                    drop_kind(boards, size, items, TREASURE)
            mark = _mark(to, taken, items, monsters)
            place = mark & uint64(len(notes.met) - 1)
            if notes.met[place] == mark:
                continue
            notes.met[place] = mark
            if not np.array_equal(notes.items, items):
                notes.items[:] = items
                fill_needs(boards, ways, size, goal, items, notes.needs)
            bound = still_needed(boards, ways, size, to, notes.needs, (asked - taken) * item_count(boards, size))
            if bound < NEVER:
                more.cells[found], more.treasures[found], more.bounds[found] = to, taken, bound
                found += 1
    return found, False


@kernel
def _mark(cell: int, taken: int, items: Words, monsters: Words) -> np.uint64:
    mixed = _SPREAD ^ uint64(cell) ^ uint64(taken) << uint64(32)
    for words in (items, monsters):
        for word in words:
            mixed = (mixed ^ word) * _SPREAD
            mixed ^= mixed >> uint64(29)
    return mixed * _SPREAD


@kernel
def _keep(more: _Lines, order: NDArray[np.intp], lines: _Lines, here: Ints, a_cell: int) -> int:
    """Writes those that go on, the first ones in that order; how many they are."""
    count = 0
    for other in order:
        cell = more.cells[other]
        if count == len(lines.cells) or here[cell] == a_cell:
            continue
        here[cell] += 1
        lines.cells[count], lines.treasures[count] = cell, more.treasures[other]
        lines.items[count], lines.monsters[count] = more.items[other], more.monsters[other]
        lines.parents[count], lines.commands[count] = more.parents[other], more.commands[other]
        count += 1
    for line in range(count):
        here[lines.cells[line]] = 0
    return count
