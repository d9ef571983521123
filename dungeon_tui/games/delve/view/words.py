"""The delve in words, the same ones on screen and in plain text: events, monsters, cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import IMMUTABLE, OPEN, ROCK, TERRAIN_NAMES
from dungeon_tui.games.delve.model.maps import TUNNELLING, WALKING
from dungeon_tui.games.delve.model.state import (
    UNSEEN,
    DungeonCleared,
    Monster,
    MonsterKilled,
    PlayerDied,
    RockWorn,
    StairsTaken,
    State,
    Status,
    Stayed,
)

TASK = "Rid the dungeon of its monsters. Step onto them before they step onto you."
IN_SIGHT = "A monster is in sight."
NOTE = "Note: {}"  # what is odd about the level's file
SIGHT = "Sight: {} mark the lines along which monsters see you."
DANGER = "Danger: {} marks where your next turn would be the last."
NOT_UNDERSTOOD = "I did not understand your command."
HINTS = (
    "In a corridor they come one at a time.",
    "Step onto a monster before it steps onto you: who arrives removes the other.",
    "{overlay} and {overlay.kind} show the distances that walkers and tunnellers run down.",
    "A monster that does not see you and is neither smart nor telepathic stands still.",
    "Monsters remove each other, too: let a fast one run into a slow one.",
)


def told(state: State, events: Iterable[Event], *, is_foggy: bool) -> Iterator[tuple[Event, str]]:
    """Events that the player can know of, each with its sentence; those without one are left out.

    Args:
        state: the state after the events.
        events: of one turn.
        is_foggy: monsters' kills and worn rock are told only if the player sees the cell.
    """
    seen = rules.visible(state)
    for event in events:
        match event:
            case MonsterKilled(monster=Monster(cell=cell), by=Monster()) | RockWorn(cell=cell) if is_foggy:
                is_known = bool(seen[cell])
            case _:
                is_known = True
        if is_known and (sentence := event_text(event)):
            yield event, sentence


def event_text(event: Event) -> str:
    """Sentence for an event; empty for steps, the start of a dungeon, and rock that still stands."""
    match event:
        case Stayed():
            return "You wait."
        case MonsterKilled(monster=monster, by=None):
            return f"You killed {monster_text(monster)}."
        case MonsterKilled(monster=monster, by=Monster() as by):
            return f"{capitalised(monster_text(by))} killed {monster_text(monster)}."
        case RockWorn(hardness=0):
            return "A tunneller breaks through the rock."
        case StairsTaken(is_down=is_down, depth=depth):
            return f"You went {'down' if is_down else 'up'} to depth {depth}."
        case PlayerDied(by=by):
            return f"{capitalised(monster_text(by))} stepped on you."
        case DungeonCleared():
            return "All monsters are gone."
        case _:
            return ""


def monster_text(monster: Monster) -> str:
    """A monster's glyph and abilities: "monster c (tunnelling, erratic)"."""
    return f"monster {monster.glyph} ({monster.abilities})"


def sighting(monster: Monster) -> str:
    """The message that a monster has come into sight."""
    return f"You see {_with_speed(monster)}."


def arrival(state: State) -> str:
    """The message that the player has entered a dungeon."""
    return f"Depth {state.depth}: {counted(len(state.monsters), 'monster')}."


def on_stairs(code: int) -> str:
    """The message that the player stands on stairs; their terrain code is the key that takes them."""
    return f"{capitalised(TERRAIN_NAMES[code])}: {chr(code)} takes them."


def hint(state: State) -> str:
    """A piece of advice, another one each turn."""
    return HINTS[state.turns % len(HINTS)]


def ending(state: State) -> tuple[str, str]:
    """Title and text of the dialogue at the game's end: depth, turns, monsters removed and left."""
    score = f"Depth {state.depth}, {counted(state.turns, 'turn')}, {counted(state.kills, 'monster')} removed by you."
    if state.status is Status.WON:
        return "The dungeon is yours", score
    left = f"{counted(len(state.monsters), 'monster')} left. Undo takes the last turn back."
    return "A monster stepped on you", f"{score}\n{left}"


def farewell(state: State) -> str:
    """The last line of a transcript."""
    ended = {Status.WON: "You won", Status.DIED: "You died"}.get(state.status, "You left")
    return f"{ended} at depth {state.depth} after {counted(state.turns, 'turn')}."


def score(state: State) -> str:
    """The line below a transcript's board: turn, depth, monsters, the player's place."""
    place = f"row {state.player.row} and column {state.player.col}"
    return f"Turn {state.turns}, depth {state.depth}, {counted(len(state.monsters), 'monster')}. You are at {place}."


def cell_text(state: State, cell: Cell, *, is_foggy: bool = True) -> str:
    """All there is to say of a cell: who stands there, terrain, hardness, distances; in the fog what is known of it."""
    if not cell.is_inside(state.height, state.width):
        return ""
    place = f"{capitalised(cell.place)}: "
    if is_foggy and state.seen[cell] == UNSEEN:
        return f"{place}not seen yet"
    terrain = state.seen[cell] if is_foggy else state.terrain[cell]
    parts = [TERRAIN_NAMES[terrain]]
    hardness = state.hardness[cell]
    if terrain == ROCK and hardness != OPEN:
        parts = ["rock that nothing wears" if hardness == IMMUTABLE else f"rock of hardness {hardness}"]
    for kind in (WALKING, TUNNELLING):
        steps = int(rules.distances(state, kind).distance[cell])
        if 0 < steps < UNREACHED:
            parts.append(f"{steps} away {kind}")
    if cell == state.player:
        parts.insert(0, "you")
    monster = state.monster_at(cell)
    if monster is not None and (not is_foggy or rules.visible(state)[cell]):
        parts.insert(0, _with_speed(monster))
    return place + "; ".join(parts)


def _with_speed(monster: Monster) -> str:
    return f"{monster_text(monster)}, speed {monster.speed} to your {rules.PLAYER_SPEED}"
