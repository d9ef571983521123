"""The rescue's sentences for screen and transcript: events and results."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.rules import Event, Outcome
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import MOST, Level
from dungeon_tui.games.rescue.model.purchase import bargain
from dungeon_tui.games.rescue.model.rules import State, Status

_MOST_RUNS = 40  # of a path's steps in words
_MOST_TOLD_CELLS = 49  # of the grid of such a purchase
_MOST_COMPARED = 6  # power-ups: each number of them is a search


def sentence_of(event: Event, state: State) -> str:
    """A sentence for an event of the turn that led to a state; empty for Saved and Died: see the outcome."""
    match event:
        case rules.Entered(cell=cell, value=value, health=health):
            return entered(cell, value, health)
        case rules.Paid(gold=gold) if gold:
            return f"{gold} gold for the power-up: {state.level.purse - state.spent} left."
    return ""


def entered(cell: Cell, value: int, health: int) -> str:
    """A sentence for an entered cell: its row and column, its number, the health left."""
    return f"{capitalised(cell.text)}: {value}, health {health}."


def way_text(path: Sequence[tuple[int, int]]) -> str:
    """The steps of a path in words; of a long one, the first runs.

    >>> way_text([(0, 0), (0, 1), (0, 2), (1, 2)]), way_text([(0, 0)])
    ('right 2, down 1', 'no step')
    """
    words = {way.value: way.name.lower() for way in FOUR_WAYS}
    steps = [words[after[0] - before[0], after[1] - before[1]] for before, after in pairwise(path)]
    runs = [f"{word} {len([*same])}" for word, same in groupby(steps)]
    left_out = len(runs) - _MOST_RUNS
    if left_out > 0:
        runs[_MOST_RUNS:] = [f"and {left_out} more"]
    return ", ".join(runs) or "no step"


def goal(level: Level) -> str:
    """The task in a sentence."""
    least = "set out with the least health" if level.fee is None else "spend the least gold"
    return f"Save the princess; {least}. Par shows at the end."


def ended(state: State, outcome: Outcome) -> str:
    """A sentence on the end for the screen, without the cell."""
    if state.status is not Status.DIED:
        return outcome.reason
    assert state.trail is not None
    last = state.trail.last
    return f"The last cell took {-last.value}; he had {last.health - last.value} health."


def read_health(text: str) -> int:
    """The health in a text. Raises ValueError, with a message for the player, if it is none from 1 to MOST."""
    digits = text.removeprefix("+").removeprefix("-").lstrip("0") or text[-1:]
    if not (digits.isascii() and digits.isdigit()) or digits == "0" or text.startswith("-"):
        raise ValueError("health is a whole number from 1 on")
    if len(digits) > len(str(MOST)) or int(digits) > MOST:  # Python refuses numbers of thousands of digits
        raise ValueError(f"too much health: the most is {MOST}")
    return int(digits)


def setting_out(state: State, text: str) -> rules.SetOut:
    """Setting out with the health in a text that the first cell leaves alive. Raises ValueError as `read_health`."""
    health, first = read_health(text), -state.value(state.cell)
    if health <= first < MOST:
        raise ValueError(f"the first cell alone takes {first}: enter {first + 1} or more")
    return rules.SetOut(health)


def compared(state: State) -> Iterator[str]:
    """Sentences that compare the chosen health and the path with the best ones."""
    level = state.level
    if state.status is Status.DIED:  # without the best numbers: he may try again
        yield f"Your path needs {state.need} health{' so far' * (state.cell != level.princess)}."
        return
    if level.fee is not None:
        yield from _bought(state)
        return
    least = rules.least_health(level)
    more = f": you set out with {state.initial}, your path needs {state.need}" * (state.initial > least)
    yield f"Par is {least} health{more}."


def _bought(state: State) -> Iterator[str]:
    level, count, best = state.level, len(state.taken), solver.par(state.level)
    power_ups = f"{state.spent - state.initial} gold for {counted(count, 'power-up')}" if count else "No power-ups"
    needed = f"; this path needed only {state.need}" * (state.lowest > 1)
    bought = f"{power_ups}, {state.initial} gold for health{needed}." * (count > 0 or best != state.spent)
    yield f"{bought} {f'Par is {best} gold.' * (best is not None)}".strip()
    found = int((level.grid > 0).sum())
    if best and 1 < found <= _MOST_COMPARED and level.grid.size <= _MOST_TOLD_CELLS:
        least = [bargain(level, number=number) for number in range(found + 1)]
        golds = [f"{each.gold}" if each is not None else "-" for each in least]
        golds[count] += " (you)" if golds[count] == f"{state.spent}" else f" (you: {state.spent})"
        yield f"Least gold with 0 to {found} power-ups: {', '.join(golds)}."
