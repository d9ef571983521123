"""The memoised recursion that one writes first, question by question: it believes too early, and so goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from math import inf

from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import step_cost
from dungeon_tui.games.expedition.model.state import State, Trail

MOST_ROOMS = 8
MOST_QUESTIONS = 20_000


class Kind(Enum):
    """The ways in which a question is answered."""

    ASKED = "asked"  # the rooms next door are asked first
    DONE = "done"  # enough is seen
    REMEMBERED = "remembered"  # the memo has it
    CIRCLE = "circle"  # it is being answered further up: infinity, which is the slip


@dataclass(eq=False, slots=True)
class Question:
    """A question of the recursion: what is left to pay in a room, with some rooms seen?"""

    number: int  # in the order of asking, from 0
    depth: int
    room: int
    seen: int  # bits
    kind: Kind
    right: float  # the answer that it should get
    answer: float = inf  # the one that it gets
    answered: int = field(default=0)  # the number of the question that is asked next when it gets it

    @property
    def is_wrong(self) -> bool:
        """True if the answer is not the right one."""
        return self.answer != self.right


class TooLargeError(ValueError):
    """Raised where the recursion asks more than anybody can watch."""


def questions(level: Level) -> list[Question]:
    """All questions of the memoised recursion on a map, in the order in which it asks them; the first is the whole.

    A room asks the rooms next door in the order of the file's corridors.

    Raises:
        TooLargeError: the map has more than MOST_ROOMS rooms, or there are more than MOST_QUESTIONS.
    """
    if len(level.rooms) > MOST_ROOMS:
        raise TooLargeError(f"only maps of up to {MOST_ROOMS} rooms can be watched; this one has {len(level.rooms)}")
    asked: list[Question] = []
    memo: dict[tuple[int, int], float] = {}
    rights: dict[tuple[int, int], float] = {}
    there = [
        [sum(each.ends) - room for each in level.corridors if room in each.ends] for room in range(len(level.rooms))
    ]

    def ask(depth: int, room: int, seen: int) -> Question:
        """The question, with its answer unless it must ask others first."""
        if len(asked) >= MOST_QUESTIONS:
            raise TooLargeError(f"the recursion asks more than {MOST_QUESTIONS:,} questions on this map")
        key = room, seen
        if key not in rights:
            cost = solver.plan(State(level, Trail(room, 0), seen)).cost
            rights[key] = inf if cost is None else cost
        question = Question(len(asked), depth, room, seen, Kind.ASKED, rights[key])
        asked.append(question)
        if seen.bit_count() >= level.needed and level.goal in (None, room):
            question.kind, question.answer = Kind.DONE, 0
        elif key in memo:
            question.kind, question.answer = Kind.REMEMBERED, memo[key]
        elif any(key == (each.room, each.seen) for each, _ in stack):
            question.kind = Kind.CIRCLE
        else:
            stack.append((question, iter(there[room])))
        question.answered = len(asked)
        return question

    stack: list[tuple[Question, Iterator[int]]] = []  # those being answered, each with the rooms it will ask
    ask(0, level.start, 1 << level.start)
    while stack:
        question, rooms = stack[-1]
        other = next(rooms, None)
        if other is not None:
            below = ask(len(stack), other, question.seen | 1 << other)
            if below.kind is not Kind.ASKED:
                question.answer = min(question.answer, below.answer + step_cost(level, question.room, other))
            continue
        stack.pop()
        memo[question.room, question.seen] = question.answer
        question.answered = len(asked)
        if stack:
            above = stack[-1][0]
            above.answer = min(above.answer, question.answer + step_cost(level, above.room, question.room))
    return asked
