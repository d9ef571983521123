"""The crawler's sentences: events, goals, threats. The prescribed sentences of plain text are in transcript.py."""

from collections.abc import Iterable, Iterator

from dungeon_tui.core import adventure
from dungeon_tui.core.adventure import StayReason, treasures
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.meaning import Meaning
from dungeon_tui.core.rules import LevelBegun
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import Table, Telling, counted
from dungeon_tui.games.crawler.ai.par import level_start
from dungeon_tui.games.crawler.model import events, rules
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, FALSE_DOOR, OPEN, TILE_NAMES, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.state import STEPS, Action, State, Status

SIDES = {Direction.UP: "above", Direction.DOWN: "below", Direction.LEFT: "on the left", Direction.RIGHT: "on the right"}
WAYS = {action: direction.words for action, direction in STEPS.items()}
_STOPPED_BY = {
    StayReason.CHOSEN: "You wait.",
    StayReason.EDGE: "You bump into the edge of the map, and a turn passes.",
    StayReason.PILLAR: "You bump into the wall, and a turn passes.",
    StayReason.MONSTER: "A monster blocks your way, and a turn passes.",
    StayReason.PRICE: "The gate is shut: you need a treasure first.",
}


def level_of(state: State) -> str:
    """The number of the level, of how many."""
    return f"Level {state.number} of {max(state.dungeon.level_count, len(state.dungeon.levels))}"


def turn_name(turn: Turn[State, Action]) -> str:
    """The name of a turn, by its move on its level."""
    level = f" of level {turn.state.number}" if len(turn.state.dungeon.levels) > 1 else ""
    return f"the start{level}" if turn.begins_level else move_name(turn)


def move_name(turn: Turn[State, Action], here: int = 0) -> str:
    """The name of the move that led to a turn, by its number on its level, which is named unless you are `here`."""
    assert turn.parent is not None
    before = turn.parent.state
    level = f" on level {before.number}" if len(before.dungeon.levels) > 1 and before.number != here else ""
    return f"move {before.moves - level_start(turn.parent).moves + 1:,}{level}"


def exit_tile(state: State) -> int | None:
    """The tile by which this level is left: the gate if there is one that can open, else a door that leads on."""
    tiles = state.board.array()
    has_way_out, has_door = ((tiles == tile).any() for tile in (WAY_OUT, DOOR))
    if has_door and state.doors_lead_on and not (has_way_out and state.treasure + rules.treasure_on(state.board)):
        return DOOR
    return WAY_OUT if has_way_out else None


def is_told_if_lost(state: State) -> bool:
    """True in lessons, and on a level that anyone can see has no way out, or in a trap."""
    return state.dungeon.sidecar.is_lesson or not to_do(state) or rules.is_trapped(state)


def to_do(state: State) -> str:
    """The next thing to do in a few words; empty once the game is over, or if the level shows no way out."""
    exit_by = exit_tile(state)
    if state.status is not Status.PLAYING or exit_by is None:
        return ""
    if exit_by == WAY_OUT and not state.treasure:
        return "Take a treasure" * (rules.treasure_on(state.board) > 0)
    if rules.is_walked_quickly(state.board) and exit_by not in {state.board[at] for at in rules.cells_on_foot(state)}:
        return "Take the amulet" * bool((state.board.array() == AMULET).any())
    return f"Reach {THE[exit_by]}"


def goal(state: State, aim: int = 1, missed: int = 0) -> str:
    """The next thing to do as a sentence, and the `aim` in treasure if it replaces one that was `missed` here."""
    if exit_tile(state) is None:
        return "This level has no way out."
    lowered = f"{treasures(missed)} are out of reach: your aim is now {aim:,}." if missed else ""
    return " ".join(filter(None, (f"{to_do(state)}.".lstrip("."), lowered)))


def tile_name(state: State, tile: int) -> str:
    """The thing on a cell, in words."""
    return FALSE_DOOR if tile == DOOR and not state.doors_lead_on else TILE_NAMES[tile]


THE = {TREASURE: "the treasure", AMULET: "the amulet", DOOR: "the door", WAY_OUT: "the gate"}
_A = {TREASURE: "a treasure", AMULET: "an amulet", DOOR: "a door", WAY_OUT: "a gate"}
_LAST = {
    TREASURE: "the last treasure, and you have none",
    AMULET: "the last amulet, and you can't get out without it",
    DOOR: "the last door",
    WAY_OUT: "the last gate",
}


def _advanced(event: events.MonstersAdvanced, state: State) -> Iterator[str]:
    side, nearest = SIDES[event.direction], event.distances[0] - 1
    steps = f"{counted(nearest, 'step')} away"
    if len(event.distances) == 1:
        yield f"The monster {side} steps towards you: {steps}." if nearest else f"The monster {side} pounces."
    else:
        yield f"{len(event.distances)} monsters {side} step towards you: the nearest {steps if nearest else 'pounces'}."
    tiles = state.board.array()
    for tile in event.destroyed:
        is_false = tile == DOOR and not state.doors_lead_on
        yield f"A monster crushes {'a false door' if is_false else (_A if (tiles == tile).any() else THE)[tile]}."


def _begun(event: LevelBegun, state: State) -> str:
    name = state.dungeon.notes[event.number - 1].name
    return f"{level_of(state)}{': ' + name if name else ''}."


EVENTS: Table = {
    **adventure.EVENTS,
    adventure.Stayed: Telling(lambda event, _: _STOPPED_BY[event.reason]),
    events.MonstersAdvanced: Telling(_advanced, Meaning.FOE),
    events.Died: Telling("A monster catches you.", Meaning.FOE, "struck"),
    LevelBegun: Telling(_begun),
    events.Escaped: Telling("You escape from the dungeon!", Meaning.WAY_OUT),
}


def first_thing(state: State, commands: str) -> tuple[int, Cell, int]:
    """The first thing that a line takes or leaves by: the number of commands up to it, its cell and its tile."""
    for made, (letter, moment) in enumerate(zip(commands, rules.moments(state.apart(), commands), strict=False), 1):
        cell, _ = rules.destination(moment, Action(letter))
        if cell != moment.adventurer and moment.board[cell] != OPEN:
            return made, cell, moment.board[cell]
    raise ValueError("the line leads to nothing")


def threat_text(state: State, threat: rules.Threat) -> str:
    """A threat in words, with the moves that let it happen unless staying does."""
    what = f"{_LAST[threat.tile]} (marked)."
    if Action.STAY in threat.actions:
        rows, cols = threat.cell.row - state.adventurer.row, threat.cell.col - state.adventurer.col
        ray = Direction(((rows > 0) - (rows < 0), (cols > 0) - (cols < 0)))  # from the adventurer to the monster
        return f"The monster {SIDES[ray]} is about to crush {what}"
    return f"If you go {either([WAYS[action] for action in threat.actions])}, a monster will crush {what}"


def either(words: Iterable[str]) -> str:
    """Words joined by commas and "or".

    >>> either(["up", "left", "right"])
    'up, left or right'
    """
    *rest, last = words
    return f"{', '.join(rest)} or {last}" if rest else last
