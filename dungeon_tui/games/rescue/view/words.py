"""The rescue's sentences, for the screen and the transcript: events, what guesses have told, how it went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.rules import Event, Outcome
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model.level import MOST, Level
from dungeon_tui.games.rescue.model.rules import (
    BEYOND,
    Answer,
    Entered,
    Guessed,
    Paid,
    State,
    Status,
    least_health,
    path_of,
)

SHOWN_RUNS = 40  # of a way's steps in words
_HEAT = {None: "", True: ", warmer", False: ", colder"}


def sentence_of(event: Event, state: State) -> str:
    """Sentence for an event of the turn that led to a state; empty for Saved and Died, which the outcome tells."""
    match event:
        case Guessed(health=health, answer=Answer.RIGHT):
            return f"{health} is right: guess number {len(state.guesses or ())}."
        case Guessed(health=health, answer=answer, is_warmer=is_warmer):
            return f"{health} is {answer.value}{_HEAT[is_warmer]}."
        case Entered(cell=cell, value=value, health=health):
            return entered(cell, value, health)
        case Paid(gold=gold) if gold:
            return f"{gold} gold for the power-up: {state.level.purse - state.spent} are left."
    return ""


def felt(event: Entered) -> str:
    """Sentence for a cell that he entered, as the screen says it, where one sees the place."""
    kind = "A trap" if event.value < 0 else "A power-up" if event.value else "Nothing"
    told = f"{event.value:+}, " if event.value else ""
    return f"{kind}: {told}health {event.health}."


def entered(cell: Cell, value: int, health: int) -> str:
    """Sentence for a cell of a way: its place, its value, the health left there."""
    return f"{capitalised(cell.place)}: {value}, health {health}."


def way_text(path: Sequence[tuple[int, int]], most: int = SHOWN_RUNS) -> str:
    """The steps of a way in words; at most so many runs, then how many more there are.

    >>> way_text([(0, 0), (0, 1), (0, 2), (1, 2)]), way_text([(0, 0)])
    ('right 2, down 1', 'no step')
    """
    words = {way.value: way.name.lower() for way in FOUR_WAYS}
    steps = [words[after[0] - before[0], after[1] - before[1]] for before, after in pairwise(path)]
    runs = [f"{word} {len([*same])}" for word, same in groupby(steps)]
    left_out = len(runs) - most
    if left_out > 0:
        runs[most:] = [f"and {left_out} more"]
    return ", ".join(runs) or "no step"


def goal(level: Level) -> str:
    """The goal of a level, in a sentence."""
    if level.fee is not None:
        par = solver.par(level)
        return "Reach the princess for as little gold as you can" + ("." if par is None else f": {par} is enough.")
    if level.is_guessed:
        par = solver.par(level)
        return f"Guess the least health that reaches the princess: par is {par} {'guess' if par == 1 else 'guesses'}."
    return "Set out with the least health that reaches the princess."


def ended(state: State, outcome: Outcome) -> str:
    """Sentence on the end, as the screen says it, where one sees the place."""
    if state.status is not Status.DIED:
        return outcome.reason
    assert state.trail is not None
    last = state.trail.last
    return f"The last trap took {-last.value}, and he had {last.health - last.value} health."


def read_health(text: str) -> int:
    """The health that a person typed. Raises ValueError, in words for them, unless it is a number from 1 to MOST."""
    digits = text.removeprefix("+").removeprefix("-").lstrip("0") or text[-1:]
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError("a health is a whole number, such as 10")
    if text.startswith("-") or digits == "0":
        raise ValueError("nobody lives without health: 1 is the least")
    if len(digits) > len(str(MOST)) or int(digits) > MOST:  # Python reads no number of thousands of digits
        raise ValueError(f"nobody has that much: {MOST} is the most")
    return int(digits)


def guesses_text(state: State) -> str:
    """The least health as guesses have told it: `10`, or `more than 3 and less than 9`; empty without guesses."""
    least, guesses = least_health(state.level), list(state.guesses or ())
    if least in guesses:
        return str(least)
    below = [f"more than {max(small)}"] if (small := [guess for guess in guesses if guess < least]) else []
    above = [f"less than {min(large)}"] if (large := [guess for guess in guesses if guess > least]) else []
    return " and ".join(below + above)


def compared(state: State) -> Iterator[str]:
    """Sentences that compare the chosen health and the walked way with the best ones, and tell its lowest point."""
    if state.status in (Status.FOUND, Status.MISSED):
        low, high = solver.bounds(state.level)
        yield f"The least health is {least_health(state.level)}. One look at the grid says: from {low} to {high}."
        yield f"Par is {solver.par(state.level)}: halving between these."
        return
    if state.level.fee is not None:
        yield _bought(state)
        return
    least, path = least_health(state.level), path_of(state)
    need = solver.path_need(state.level, path)
    if least == BEYOND:
        yield "No health within 64 bits is enough for this grid."
    elif state.initial < least:
        yield f"No way is survived with {state.initial}: {least} is the least."
    elif state.initial == least:
        yield f"{least} is the least health that is enough, and you started with it."
    else:
        yield f"{least} was enough, you started with {state.initial}."
    if state.status is Status.SAVED and need == least:
        yield "Your way is a best one."
    elif least != BEYOND:
        so_far = " so far" if state.status is Status.DIED else ""
        yield f"Your way needs {need} health{so_far}, a best one {least}: the arrows show it."
    curve = solver.health_curve(state.level, path, state.initial)
    low = min(range(len(path)), key=curve.__getitem__)
    yield f"Your lowest point: {curve[low]} health, at {path[low].place}."


def _bought(state: State) -> str:
    """Sentence on the gold of a purchase that is over."""
    count, best = len(state.taken), solver.par(state.level)
    told = f"{state.initial} for health, {state.spent - state.initial} for {counted(count, 'power-up')}"
    if best is None:
        return f"{told}; the least is not known."
    over = state.spent - best
    if state.status is Status.DIED:
        return f"{told}. {best} gold in all are enough."
    return f"{told}. Par is {best}: {f'{over} more than it takes' if over else 'nobody needs less'}."
