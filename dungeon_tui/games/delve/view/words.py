"""The delve in words, the same ones on screen and in plain text: events, monsters, cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event
from dungeon_tui.core.words import capitalised
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import IMMUTABLE, OPEN, ROCK, TERRAIN_NAMES
from dungeon_tui.games.delve.model.state import (
    UNSEEN,
    DungeonCleared,
    Monster,
    MonsterKilled,
    PlayerDied,
    RockWorn,
    StairsTaken,
    State,
    Stayed,
)
from dungeon_tui.games.delve.model.turn import PLAYER_SPEED


def told(state: State, events: Iterable[Event], *, is_foggy: bool) -> Iterator[tuple[Event, str]]:
    """The events that the player can know of in the state after them, each with its sentence."""
    seen = rules.visible(state)
    for event in events:
        match event:
            case MonsterKilled(monster=Monster(cell=cell), by=Monster()) | RockWorn(cell=cell):
                is_known = not is_foggy or bool(seen[cell])
            case _:
                is_known = True
        if is_known and (sentence := event_text(event)):
            yield event, sentence


def event_text(event: Event) -> str:
    """An event as a sentence; empty for those that the board shows anyway."""
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
    """Its glyph and abilities: "monster c (tunnelling, erratic)"."""
    return f"monster {monster.glyph} ({monster.abilities})"


def sighting(monster: Monster) -> str:
    """The message that a monster has come into sight."""
    return f"You see {_with_speed(monster)}."


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
    for kind in (solver.WALKING, solver.TUNNELLING):
        steps = int(solver.field(state, kind).distance[cell])
        if 0 < steps < UNREACHED:
            parts.append(f"{steps} away {kind}")
    if cell == state.player:
        parts.insert(0, "you")
    monster = state.monster_at(cell)
    if monster is not None and (not is_foggy or rules.visible(state)[cell]):
        parts.insert(0, _with_speed(monster))
    return place + "; ".join(parts)


def _with_speed(monster: Monster) -> str:
    return f"{monster_text(monster)}, speed {monster.speed} to your {PLAYER_SPEED}"
