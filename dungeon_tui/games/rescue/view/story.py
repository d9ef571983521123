"""The course of a rescue in words, for the screen."""

from __future__ import annotations

from collections.abc import Iterator

from dungeon_tui.core.turns import Turn
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.maps import BEYOND, least_health
from dungeon_tui.games.rescue.model.state import Action, Answer, Entered, Guessed, State, Status, path_of
from dungeon_tui.games.rescue.view.words import sentence_of
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.widgets.message_log import Line


def told_events(turn: Turn[State, Action]) -> Iterator[Line]:
    """Answers to guesses, the effect of each cell, and the end."""
    for event in turn.events:
        meaning = Meaning.NOTE
        match event:
            case Guessed(answer=Answer.RIGHT):
                meaning = Meaning.WAY_OUT
            case Entered(value=value) if value:
                meaning = Meaning.FOE if value < 0 else Meaning.PRIZE
        if text := sentence_of(event, turn.state):
            yield Line(text, meaning)
    outcome = rules.outcome(turn.state)
    if outcome is not None:
        yield Line(outcome.reason, Meaning.WAY_OUT if outcome.is_win else Meaning.FOE)


def guesses_text(state: State) -> str:
    """The least health as far as the guesses have told it; empty before the first one."""
    least = least_health(state.level)
    if least in state.guesses:
        return str(least)
    below = max((guess for guess in state.guesses if guess < least), default=None)
    above = min((guess for guess in state.guesses if guess > least), default=None)
    told = [f"more than {below}"] if below is not None else []
    return " and ".join([*told, *([f"less than {above}"] if above is not None else [])])


def guess_count(state: State) -> str:
    """The number of guesses, in words."""
    count = len(state.guesses)
    return f"{count} {'guess' if count == 1 else 'guesses'}"


def compared(state: State) -> Iterator[str]:
    """The health that was chosen and the way that was walked, beside the best ones; and the lowest point."""
    least = least_health(state.level)
    if least == BEYOND:
        yield "No health within 64 bits is enough for this grid."
    else:
        yield from _beside_the_best(state, least)
    path = path_of(state)
    curve = solver.health_curve(state.level, path, state.initial)
    low = min(range(len(path)), key=curve.__getitem__)
    yield f"Your lowest point: {curve[low]} health, at {path[low].place}."


def _beside_the_best(state: State, least: int) -> Iterator[str]:
    need = solver.path_need(state.level, path_of(state))
    if state.initial < least:
        yield f"No way is survived with {state.initial}: {least} is the least."
    elif state.initial == least:
        yield f"{least} is the least health that is enough, and you started with it."
    else:
        yield f"{least} was enough, you started with {state.initial}."
    so_far = " so far" if state.status is Status.DIED else ""
    if state.status is Status.SAVED and need == least:
        yield "Your way is a best one."
    else:
        yield f"Your way needs {need} health{so_far}, a best one {least}: the arrows show it."
