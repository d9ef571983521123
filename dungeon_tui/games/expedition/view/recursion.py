"""The memoised recursion in words: its questions as a tree, and all that happens, one thing after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from dungeon_tui.core.words import counted
from dungeon_tui.games.expedition.ai.recursion import Kind, Question
from dungeon_tui.games.expedition.model.level import Level

INTRODUCTION = (
    "What is left to pay in a room, given the rooms seen? Each question asks the rooms next door; answers are kept. "
    "A question that is being answered further up is a circle: infinity."
)

Happening = tuple[Question, bool]  # and whether it is answered; else it is asked


def happenings(asked: Sequence[Question]) -> Iterator[Happening]:
    """All that happens: questions are asked, and answered once those are that they ask."""
    waiting: list[Question] = []
    for question in asked:
        yield question, False
        waiting += [question] if question.kind is Kind.ASKED else []
        while waiting and waiting[-1].answered == question.number + 1:
            yield waiting.pop(), True


def question_text(level: Level, question: Question) -> str:
    """A question: the room, and the rooms seen."""
    seen = " ".join(room.label for number, room in enumerate(level.rooms) if question.seen >> number & 1)
    return f"{level.rooms[question.room].label}, seen {seen}"


def answer_text(question: Question) -> str:
    """The answer to a question, and the right one if it is wrong."""
    why = {
        Kind.ASKED: ", kept",
        Kind.DONE: ": all is seen",
        Kind.REMEMBERED: ", remembered",
        Kind.CIRCLE: ", a circle",
    }
    wrong = f"; right is {_number(question.right)}" if question.is_wrong else ""
    return f"{_number(question.answer)}{why[question.kind]}{wrong}"


def line_text(level: Level, question: Question, is_answered: bool) -> str:
    """A question's line in the tree, with its answer if it has one by now."""
    return f"{'  ' * question.depth}{question_text(level, question)} = {answer_text(question) if is_answered else '?'}"


def happening_text(level: Level, happening: Happening) -> str:
    """A line for a question that is asked, or answered and so kept."""
    question, is_answered = happening
    return line_text(level, question, is_answered or question.kind is not Kind.ASKED)


def verdict_text(asked: Sequence[Question]) -> str:
    """Sentences on the whole: the answer, the right one, and how many answers were kept, and wrong."""
    kept = [question for question in asked if question.kind is Kind.ASKED]
    whole, wrong = asked[0], sum(question.is_wrong for question in kept)
    if whole.is_wrong:
        found = f"The recursion believes {_number(whole.answer)}; {_number(whole.right)} is right"
    else:
        found = f"The recursion finds {_number(whole.answer)}, which is right" + (", by luck" if wrong else "")
    count = counted(len(asked), "question")
    return f"{found}. {count}, {counted(len(kept), 'answer')} kept, {wrong} of them wrong."


def _number(cost: float) -> str:
    return "infinity" if cost == inf else f"{cost:.0f}"
