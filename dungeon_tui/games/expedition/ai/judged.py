"""The expedition as a problem for programs: a map in, the cost of the cheapest walk out, and the walk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise

from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.random import Random
from dungeon_tui.core.words import counted
from dungeon_tui.engine.walks import Watch
from dungeon_tui.games.expedition.ai.solver import Plan, plan
from dungeon_tui.games.expedition.model.dungeon import lessons, read_map
from dungeon_tui.games.expedition.model.generator import generate
from dungeon_tui.games.expedition.model.level import Corridor, Level, Room, level_text, read_level, rooms_called
from dungeon_tui.games.expedition.model.maps import neighbours, step_cost
from dungeon_tui.judge.answers import json_object, nothing_in, number
from dungeon_tui.judge.problem import Case, Objection

IMPOSSIBLE = "impossible"
_PATIENCE = 60.0  # seconds for the right answer
_MOST_SHIPPED = 12  # rooms of a map that everybody's program can be asked for
_SMALL = 6  # rooms: up to so many maps are of any shape
_NONE = re.compile(r"\b(impossible|none|null|unreachable|no walk)\b|(?<![\w.])-1(?![\w.])", re.IGNORECASE)
_WALK = re.compile(r"(?:^|(?<=[\d,;.]))\s*(?:walk|path|route)\s*:", re.IGNORECASE | re.MULTILINE)
_NAMES = "cost|minimum|total|answer|result"


class ExpeditionProblem:
    """Maps, and the cheapest walk that sees all rooms of each."""

    unit = "room"
    largest = 12

    def shipped(self) -> list[Case]:
        """The smaller ones of the shipped maps."""
        levels = ((name, read_map(name)) for name in lessons())
        return [_case(f"shipped/{name}", level) for name, level in levels if len(level.rooms) <= _MOST_SHIPPED]

    def read(self, file: str) -> Case:
        """The map of a file, or the shipped one of that name. Raises LevelError if it can't be read."""
        return _case(f"inputs/{file}", read_map(file))

    def made(self, random: Random, size: int) -> Case:
        """A map by chance; a small one of any shape, a larger one as `expedition generate` makes it."""
        if size > _SMALL or random.below(2):
            degree = random.choice((2.0, 2.6, 3.2))
            level = generate(random.below(2**32), size, degree, is_uniform=random.below(3) == 0)
        else:
            level = _any_shape(random, size)
        return _case("random", replace(level, name="random"))

    def smaller(self, case: Case) -> Iterator[Case]:
        """The map without a room, then without a corridor, then with a lower cost; all its rooms can still be seen."""
        level = _level(case)
        for smaller in _simpler(level):
            if _is_joined(smaller):
                yield _case(case.name, smaller)

    def right(self, case: Case) -> int | str:
        """The cost of the cheapest walk, or IMPOSSIBLE."""
        cost = _plan(case).cost
        return IMPOSSIBLE if cost is None else cost

    def objection(self, case: Case, output: str) -> Objection | None:
        """The cost is another one, or the walk that is told isn't one, or doesn't see all, or costs more."""
        level, best, right = _level(case), _plan(case), self.right(case)
        cost, walk = read_answer(output)
        ids = [level.rooms[room].id for room in best.walk]
        drawing = f"a cheapest walk: {' '.join(map(str, ids))}" if ids else ""
        if best.cost is None:
            is_told = cost is None and _NONE.search(output) is not None
            return None if is_told else Objection(right, output.strip()[:80] if cost is None else cost, drawing)
        if cost is None:
            told = IMPOSSIBLE if _NONE.search(output) else nothing_in(output)
            return Objection(right, told, drawing, is_answer=told == IMPOSSIBLE)
        if not best.is_proven and walk is not None and best.lower_bound <= cost <= best.cost:
            right = cost  # as good as what we found, if the walk is one
        if cost != right:
            return Objection(right, cost, drawing)
        fault = None if walk is None else _walk_fault(level, walk, cost)
        return None if fault is None else Objection(right, f"{cost}, but {fault}", drawing)


def read_answer(output: str) -> tuple[int | None, list[str] | None]:
    r"""The cost and the rooms of the walk that an output tells; None where it tells none.

    >>> read_answer("Cost: 12\nWalk: a -> b -> a\n")
    (12, ['a', 'b', 'a'])
    >>> read_answer("5\n1 2 3")
    (5, ['1', '2', '3'])
    """
    if values := json_object(output):
        cost, walk = values.get("cost"), values.get("walk")
        ids = [str(value) for value in walk] if isinstance(walk, list) and walk else None
        return (cost if isinstance(cost, int) else None), ids
    lines = [line for line in re.sub(_WALK, r"\n\g<0>", output).splitlines() if line.strip()]
    told = [line for line in lines if _WALK.match(line)]
    others = [line for line in lines if line not in told]
    cost = number("\n".join(others), _NAMES)
    if told:
        return cost, _ids(_WALK.sub("", told[0])) or None
    return cost, _ids(others[1]) if len(others) > 1 else None  # the line after the cost


def _ids(text: str) -> list[str]:
    """The ids of a line: words parted by arrows, commas or blanks, perhaps in brackets and quotes."""
    parting = next((sign for sign in ("->", "→", ",", ";") if sign in text), None)
    words = (word.strip(" '\"[]()") for word in text.split(parting))
    return [word for word in words if word]


def _walk_fault(level: Level, walk: Sequence[str], cost: int) -> str | None:
    """The reason why a walk isn't what its cost says, as what follows "but"; None where it is."""
    rooms = []
    for text in walk:
        found = rooms_called(level.rooms, text)
        if len(found) != 1:
            return f"its walk names {text!r}, which is no room"
        rooms.append(found[0])
    if rooms[0] != level.start:
        return f"its walk starts in {walk[0]}, not in {level.rooms[level.start].id}"
    spent = 0
    for one, other in pairwise(rooms):
        if other not in neighbours(level)[one]:
            return f"no corridor joins {level.rooms[one].id} and {level.rooms[other].id} of its walk"
        spent += step_cost(level, one, other)
    missed = len(level.rooms) - len({*rooms})
    if missed:
        return f"its walk doesn't see {counted(missed, 'room')}"
    return None if spent == cost else f"its walk costs {spent}"


def _any_shape(random: Random, size: int) -> Level:
    """A tree by chance, and some more corridors; rooms and corridors of few different costs."""
    rooms = tuple(Room(number, str(number), random.below(4)) for number in range(1, size + 1))
    ends = {(random.below(number), number) for number in range(1, size)}
    ends |= {pair for pair in combinations(range(size), 2) if random.below(4) == 0}
    corridors = tuple(Corridor(pair, random.below(3)) for pair in sorted(ends))
    return Level("", rooms, corridors, random.below(size))


def _simpler(level: Level) -> Iterator[Level]:
    for gone in range(len(level.rooms)):
        if gone != level.start:
            rooms = level.rooms[:gone] + level.rooms[gone + 1 :]
            corridors = tuple(
                replace(each, ends=(each.ends[0] - (each.ends[0] > gone), each.ends[1] - (each.ends[1] > gone)))
                for each in level.corridors
                if gone not in each.ends
            )
            yield replace(level, rooms=rooms, corridors=corridors, start=level.start - (level.start > gone))
    for place in range(len(level.corridors)):
        yield replace(level, corridors=level.corridors[:place] + level.corridors[place + 1 :])
    for place, room in enumerate(level.rooms):
        plain = replace(room, cost=1, place=None, events=())
        for simple in (plain, replace(plain, cost=room.cost - 1)):
            if simple != room and 0 < simple.cost <= room.cost:
                yield replace(level, rooms=(*level.rooms[:place], simple, *level.rooms[place + 1 :]))
    for place, corridor in enumerate(level.corridors):
        for cost in (0, corridor.cost - 1):
            simple_one = Corridor(corridor.ends, max(0, cost))
            if simple_one != corridor:
                yield replace(level, corridors=(*level.corridors[:place], simple_one, *level.corridors[place + 1 :]))


def _is_joined(level: Level) -> bool:
    """True if all rooms can be reached from the start."""
    reached, queue = {level.start}, [level.start]
    for room in queue:
        queue += neighbours(level)[room].keys() - reached
        reached |= neighbours(level)[room].keys()
    return len(reached) == len(level.rooms)


def _case(name: str, level: Level) -> Case:
    return Case(name, len(level.rooms), level_text(level).encode())


@lru_cache(4096)
def _level(case: Case) -> Level:
    return read_level(LevelFile(case.name, case.given))


@lru_cache(4096)
def _plan(case: Case) -> Plan:
    return plan(_level(case), Watch(_PATIENCE))
