"""The expedition as a problem for programs: a map in; the cost of the cheapest walk out, and the walk."""

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
from dungeon_tui.games.expedition.model.dungeon import read_map
from dungeon_tui.games.expedition.model.generator import generate
from dungeon_tui.games.expedition.model.level import Corridor, Level, Room, level_text, read_level, rooms_called
from dungeon_tui.games.expedition.model.maps import is_joined, neighbours, step_cost
from dungeon_tui.games.expedition.model.options import tasks
from dungeon_tui.judge.answers import json_object, nothing_in, number
from dungeon_tui.judge.problem import Case, Objection

IMPOSSIBLE = "impossible"
_SOLVE_TIME_S = 60.0
_MOST_SHIPPED = 12  # rooms that every correct program can handle
_SMALL = 6  # rooms of a map that may have any shape
_NONE = re.compile(r"\b(impossible|none|null|unreachable|no walk)\b|(?<![\w.])-1(?![\w.])", re.IGNORECASE)
_WALK = re.compile(r"(?:^|(?<=[\d,;.]))\s*(?:walk|path|route)\s*:", re.IGNORECASE | re.MULTILINE)
_NAMES = "cost|minimum|total|answer|result"


class ExpeditionProblem:
    """Maps, and the cheapest walk that sees all rooms of each."""

    unit = "room"
    largest = 12

    def shipped(self) -> list[Case]:
        levels = ((name, read_map(name)) for name in tasks("maps"))
        return [_case(f"shipped/{name}", level) for name, level in levels if len(level.rooms) <= _MOST_SHIPPED]

    def read(self, file: str) -> Case:
        return _case(f"inputs/{file}", read_map(file))

    def made(self, random: Random, size: int) -> Case:
        """A random map; small maps may have any shape, larger maps come from the generator."""
        if size > _SMALL or random.below(2):
            degree = random.choice((2.0, 2.6, 3.2))
            level = generate(random.below(2**32), size, degree, is_uniform=random.below(3) == 0)
        else:
            level = _any_shape(random, size)
        return _case("random", replace(level, name="random"))

    def smaller(self, case: Case) -> Iterator[Case]:
        """Connected maps without a room, without a corridor, or with a lower cost."""
        return (_case(case.name, smaller) for smaller in _simpler(_level(case)) if is_joined(smaller))

    def right(self, case: Case) -> int | str:
        cost = _plan(case).cost
        return IMPOSSIBLE if cost is None else cost

    def objection(self, case: Case, output: str) -> Objection | None:
        """Rejects a wrong cost, and a walk that is illegal, incomplete or doesn't have this cost."""
        level, best, right = _level(case), _plan(case), self.right(case)
        cost, walk = read_answer(output)
        ids = [level.rooms[room].id for room in best.walk]
        drawing = f"a cheapest walk: {' '.join(map(str, ids))}" if ids else ""
        if best.cost is None:
            is_right = cost is None and _NONE.search(output) is not None
            return None if is_right else Objection(right, output.strip()[:80] if cost is None else cost, drawing)
        if cost is None:
            answer = IMPOSSIBLE if _NONE.search(output) else nothing_in(output)
            return Objection(right, answer, drawing, is_answer=answer == IMPOSSIBLE)
        if not best.is_proven and walk is not None and best.lower_bound <= cost <= best.cost:
            right = cost  # better than our unproven walk, if the program's walk is legal
        if cost != right:
            return Objection(right, cost, drawing)
        fault = None if walk is None else _walk_fault(level, walk, cost)
        return None if fault is None else Objection(right, f"{cost}, but {fault}", drawing)


def read_answer(output: str) -> tuple[int | None, list[str] | None]:
    r"""The cost and the rooms of the walk in a program's output; None if missing.

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
    walks = [line for line in lines if _WALK.match(line)]
    others = [line for line in lines if line not in walks]
    cost = number("\n".join(others), _NAMES)
    if walks:
        return cost, _ids(_WALK.sub("", walks[0])) or None
    return cost, _ids(others[1]) if len(others) > 1 else None  # the line after the cost


def _ids(text: str) -> list[str]:
    """The ids in a line: separated by arrows, commas or blanks, perhaps in brackets and quotes."""
    parting = next((sign for sign in ("->", "→", ",", ";") if sign in text), None)
    words = (word.strip(" '\"[]()") for word in text.split(parting))
    return [word for word in words if word]


def _walk_fault(level: Level, walk: Sequence[str], cost: int) -> str | None:
    """The error in a walk, as a clause after "but"; None if it is legal, complete and has this cost."""
    rooms = []
    for text in walk:
        found = rooms_called(level.rooms, text)
        if len(found) != 1:
            return f"its walk has {text!r}, which is no room"
        rooms.append(found[0])
    if rooms[0] != level.start:
        return f"its walk starts in {walk[0]}, not in {level.rooms[level.start].id}"
    spent = 0
    for one, other in pairwise(rooms):
        if other not in neighbours(level)[one]:
            return f"its walk goes from {level.rooms[one].id} to {level.rooms[other].id}, which no corridor connects"
        spent += step_cost(level, one, other)
    missed = len(level.rooms) - len({*rooms})
    if missed:
        return f"its walk misses {counted(missed, 'room')}"
    return None if spent == cost else f"its walk costs {spent}"


def _any_shape(random: Random, size: int) -> Level:
    """A random tree with some more corridors; few different costs, so that many walks tie."""
    rooms = tuple(Room(number, str(number), random.below(4)) for number in range(1, size + 1))
    ends = {(random.below(number), number) for number in range(1, size)}
    ends |= {pair for pair in combinations(range(size), 2) if random.below(4) == 0}
    corridors = tuple(Corridor(pair, random.below(3)) for pair in sorted(ends))
    return Level("", rooms, corridors, random.below(size))


def _simpler(level: Level) -> Iterator[Level]:
    # Without a room.
    for gone in range(len(level.rooms)):
        if gone != level.start:
            rooms = level.rooms[:gone] + level.rooms[gone + 1 :]
            corridors = tuple(
                replace(each, ends=(each.ends[0] - (each.ends[0] > gone), each.ends[1] - (each.ends[1] > gone)))
                for each in level.corridors
                if gone not in each.ends
            )
            yield replace(level, rooms=rooms, corridors=corridors, start=level.start - (level.start > gone))

    # Without a corridor.
    for index in range(len(level.corridors)):
        yield replace(level, corridors=level.corridors[:index] + level.corridors[index + 1 :])

    # With plainer or cheaper rooms and corridors.
    for index, room in enumerate(level.rooms):
        plain = replace(room, cost=1, position=None, events=())
        for simple in (plain, replace(plain, cost=room.cost - 1)):
            if simple != room and 0 < simple.cost <= room.cost:
                yield replace(level, rooms=(*level.rooms[:index], simple, *level.rooms[index + 1 :]))
    for index, corridor in enumerate(level.corridors):
        for cost in (0, corridor.cost - 1):
            simple_one = Corridor(corridor.ends, max(0, cost))
            if simple_one != corridor:
                yield replace(level, corridors=(*level.corridors[:index], simple_one, *level.corridors[index + 1 :]))


def _case(name: str, level: Level) -> Case:
    return Case(name, len(level.rooms), level_text(level).encode())


@lru_cache(4096)
def _level(case: Case) -> Level:
    return read_level(LevelFile(case.name, case.given))


@lru_cache(4096)
def _plan(case: Case) -> Plan:
    return plan(_level(case), Watch(_SOLVE_TIME_S))
