"""The memoised recursion that people write first, question by question: it stores answers too early and goes wrong."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import inf

from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import step_cost
from dungeon_tui.games.expedition.model.state import State, Trail

MOST_ROOMS = 8
MOST_QUESTIONS = 20_000


class Kind(Enum):
    """How a question is answered."""

    ASKED = "asked"  # by asking the neighbours
    DONE = "done"  # enough rooms are seen: 0
    REMEMBERED = "remembered"  # from the memo
    CIRCLE = "circle"  # it is still open further up: infinity, which causes the errors


@dataclass(eq=False, slots=True)
class Question:
    """A question of the recursion: the remaining cost from a room, with some rooms seen."""

    number: int  # in the order of asking, from 0
    depth: int
    room: int
    seen: int  # bits
    right: float  # the correct answer
    kind: Kind = Kind.ASKED
    answer: float = inf  # the recursion's answer

    @property
    def is_wrong(self) -> bool:
        """True if the answer is wrong."""
        return self.answer != self.right


Happening = tuple[Question, bool]
"""False: the recursion asks a question. True: it answers a question of kind ASKED, and stores the answer."""


class TooLargeError(ValueError):
    """Raised when the recursion asks too many questions to watch."""


def happenings(level: Level) -> list[Happening]:
    """All events of the memoised recursion on a map; the first question is the whole task. May raise TooLargeError."""
    if len(level.rooms) > MOST_ROOMS:
        raise TooLargeError(f"you can watch maps of up to {MOST_ROOMS} rooms; this one has {len(level.rooms)}")
    found: list[Happening] = []
    memo: dict[tuple[int, int], float] = {}
    rights: dict[tuple[int, int], float] = {}
    stack: list[tuple[Question, Iterator[int]]] = []  # open questions, each with the rooms it has yet to ask
    there = [  # the neighbours of each room, in the order of the file's corridors
        [sum(each.ends) - room for each in level.corridors if room in each.ends] for room in range(len(level.rooms))
    ]

    def ask(number: int, room: int, seen: int) -> Question:
        # The correct answer, for comparison.
        if number >= MOST_QUESTIONS:
            raise TooLargeError(f"the recursion asks more than {MOST_QUESTIONS:,} questions on this map")
        key = room, seen
        if key not in rights:
            cost = solver.plan(State(level, Trail(room, 0), seen)).cost
            rights[key] = inf if cost is None else cost

        # Answer it, or put it on the stack to ask others first.
        question = Question(number, len(stack), room, seen, rights[key])
        found.append((question, False))
        if seen.bit_count() >= level.needed and level.goal in (None, room):
            question.kind, question.answer = Kind.DONE, 0
        elif key in memo:
            question.kind, question.answer = Kind.REMEMBERED, memo[key]
        elif any(key == (each.room, each.seen) for each, _ in stack):
            question.kind = Kind.CIRCLE
        else:
            stack.append((question, iter(there[room])))
        return question

    def pass_up(answer: float, room: int) -> None:
        """Offers an answer from a room to the open question."""
        above = stack[-1][0]
        above.answer = min(above.answer, answer + step_cost(level, above.room, room))

    # The recursion, with an explicit stack.
    ask(0, level.start, 1 << level.start)
    count = 1
    while stack:
        question, rooms = stack[-1]
        other = next(rooms, None)
        if other is not None:
            below = ask(count, other, question.seen | 1 << other)
            count += 1
            if below.kind is not Kind.ASKED:
                pass_up(below.answer, other)
            continue
        stack.pop()
        memo[question.room, question.seen] = question.answer
        found.append((question, True))
        if stack:
            pass_up(question.answer, question.room)
    return found
