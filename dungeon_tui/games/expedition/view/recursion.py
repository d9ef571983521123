"""The memoised recursion in words: its questions as a tree, and its answers."""

from collections.abc import Sequence
from math import inf

from dungeon_tui.core.words import counted
from dungeon_tui.games.expedition.ai.recursion import Happening, Kind, Question
from dungeon_tui.games.expedition.model.level import Level

INTRODUCTION = (
    "Each question asks the least cost of the rest, in a room with some rooms seen. It asks the neighbouring rooms, "
    "and its answer is stored. A question that is still open further up is a circle: its answer is infinity."
)
_WHYS = {Kind.ASKED: ", stored", Kind.DONE: ": all seen", Kind.REMEMBERED: ", remembered", Kind.CIRCLE: ", a circle"}


def question_text(level: Level, question: Question) -> str:
    """The room of a question, and the rooms seen."""
    seen = " ".join(room.label for number, room in enumerate(level.rooms) if question.seen >> number & 1)
    return f"{level.rooms[question.room].label}, seen {seen}"


def answer_text(question: Question) -> str:
    """The answer to a question, with the correct one if it is wrong."""
    wrong = f"; correct: {_number(question.right)}" if question.is_wrong else ""
    return f"{_number(question.answer)}{_WHYS[question.kind]}{wrong}"


def line_text(level: Level, question: Question, is_answered: bool) -> str:
    """A question's line in the tree, with its answer if it has one."""
    answer = answer_text(question) if is_answered or question.kind is not Kind.ASKED else "?"
    return f"{'  ' * question.depth}{question_text(level, question)} = {answer}"


def verdict_text(found: Sequence[Happening]) -> str:
    """The recursion's answer and the correct one, and the numbers of stored and wrong answers."""
    stored = [question for question, is_answered in found if is_answered]
    whole, wrong = found[0][0], sum(question.is_wrong for question in stored)
    if whole.is_wrong:
        text = f"The recursion answers {_number(whole.answer)}; {_number(whole.right)} is correct"
    else:
        text = f"The recursion answers {_number(whole.answer)}, which is correct" + (", by luck" if wrong else "")
    count = counted(len(found) - len(stored), "question")
    return f"{text}. {count}, {counted(len(stored), 'answer')} stored, {wrong} of them wrong."


def _number(cost: float) -> str:
    return "infinity" if cost == inf else f"{cost:.0f}"
