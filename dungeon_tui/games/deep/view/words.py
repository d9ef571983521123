"""The deep's sentences: every event in words, doors, monsters and items."""

from __future__ import annotations

from collections.abc import Iterator

from dungeon_tui.core.rules import Event, LevelBegun, Outcome
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.games.deep.model.campaign import Campaign, Door
from dungeon_tui.games.deep.model.descent import DEPTHS, deepest, exit_of, score
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS
from dungeon_tui.games.deep.model.room import AMULET, CHASM, OPEN, PILLAR, TREASURE
from dungeon_tui.games.deep.model.state import (
    AmuletTaken,
    BombBlewUp,
    Died,
    DoorPaid,
    DoorTaken,
    Doubled,
    DoublingRefused,
    ItemTaken,
    ItemUsed,
    MonsterKilled,
    MonsterMoved,
    MonstersFrozen,
    MonsterWoke,
    RingFell,
    State,
    Stayed,
    StayReason,
    TreasureTaken,
    Won,
)

GOAL = "Find a way out. Doors may ask for treasure, or for a key."
FALLING = "The rim falls at the end of this turn."
SIGHT = "Sight: the marked lines are those along which monsters see you."
DANGER = "Danger: {} marks where your next turn would be the last."
NO_DOOR = "No door can be reached alive from here: that is proven."
NO_DOOR_KNOWN = "No way to a door was found in time: the level is too large to be searched."
STILL_OPEN = "A door can still be reached alive."
UNKNOWN = "It is not known whether a door can still be reached: the level is too large to be searched."
NOT_UNDERSTOOD = "I did not understand your command."
TILES = {
    OPEN: "open floor",
    PILLAR: "pillar",
    TREASURE: "treasure",
    AMULET: "amulet: it doubles the level",
    CHASM: "chasm",
}
_STOPPED_BY = {
    StayReason.CHOSEN: "You stay where you are.",
    StayReason.EDGE: "You stop at the edge.",
    StayReason.PILLAR: "You bump into a pillar.",
    StayReason.MONSTER: "A monster bars the way.",
    StayReason.PRICE: "The door stays shut: it asks for more than you have.",
    StayReason.BLOCKED: "The door doesn't move: something is behind it.",
}
_USED = {
    "shield": "Your shield breaks, and you live.",
    "sword": "Your sword strikes home, and breaks.",
    "haste": "The world slows down around you.",
    "frost": "The air freezes. Nothing moves but you.",
    "bomb": "You lay a bomb. Three, two ...",
    "scroll": "The map shows all of this level.",
}
_KILLED = {"sword": "falls to your sword", "bomb": "is blown to pieces", "chasm": "falls into the chasm"}
_DEATHS = {"bomb": "You were too near your bomb", "chasm": "You fell into the chasm"}


def goal(state: State) -> str:
    """The goal in a sentence; of a descent the way on, and what it still asks for."""
    if not state.campaign.is_descent:
        return GOAL
    tile = exit_of(state.level)
    door = state.level.doors[tile]
    missing = door.carry - state.adventurer.treasure
    name = f" {chr(tile)}" if chr(tile).isdigit() else ""
    where = f"leave by the way out{name}." if door.ending else f"go on by the door{name}."
    return f"Take {counted(missing, 'treasure')} more, then {where}" if missing > 0 else capitalised(where)


def kind_name(kind: str) -> str:
    """A kind of monsters in a sentence: patrols are no names of their own."""
    return {"up-down": "patrol", "left-right": "patrol", "diagonal": "runner"}.get(kind, kind)


def sentences(event: Event, campaign: Campaign) -> Iterator[str]:
    """Sentences for an event, one or more; none for a plain step."""
    match event:
        case Stayed(reason=reason):
            yield _STOPPED_BY[reason]
        case TreasureTaken(treasure):
            yield f"Treasure! You have {counted(treasure, 'treasure')} now."
        case ItemTaken(item):
            use = f", key {ITEMS[item].key}" if ITEMS[item].key else ""
            yield f"You take the {item}{use}: {ITEMS[item].text}."
        case ItemUsed(item):
            yield _USED[item]
        case AmuletTaken():
            yield "The amulet crumbles, and the ground begins to rumble."
        case Doubled(height, width):
            yield f"The level has doubled to {height} x {width}."
        case DoublingRefused(cells):
            yield f"Nothing happens: {cells:,} cells would be too many."
        case DoorPaid(cost, key):
            yield " ".join([f"The door takes {counted(cost, 'treasure')}."] * (cost > 0) + ["The key turns."] * key)
        case DoorTaken(level, is_return):
            title = campaign.levels[level].title or level
            yield f"You are back: {title}." if is_return else f"You come to a new place: {title}."
            if not is_return and campaign.levels[level].text:
                yield campaign.levels[level].text
        case LevelBegun():
            return
        case MonsterWoke(kind):
            yield f"The {kind_name(kind)} wakes!"
        case MonsterMoved(kind=kind, destroyed=destroyed) if destroyed != OPEN:
            yield f"The {kind_name(kind)} crushes the {tile_text(destroyed, None).partition(':')[0]}."
        case MonsterKilled(kind, _, cause):
            yield f"The {kind_name(kind)} {_KILLED[cause]}."
        case MonstersFrozen(left):
            yield "The frost is over." if left == 0 else ""
        case BombBlewUp():
            yield "The bomb blows up."
        case RingFell():
            yield "The rim of the level falls into the dark."
        case Died():
            return
        case Won():
            yield "You are out."
        case _:
            return


def tile_text(tile: int, door: Door | None) -> str:
    """A tile in words; of a door where it leads, and what it asks for."""
    if (item := next((name for name, each in ITEMS.items() if each.tile == tile), "")) != "":
        return f"{item}: {ITEMS[item].text}"
    return door_text(tile, door) if tile not in TILES else TILES[tile]


def door_text(tile: int, door: Door | None) -> str:
    """A door in words: where it leads, and what it asks for."""
    if door is None:
        return f"door {chr(tile)}"
    where = f"way out {chr(tile)}" if door.ending else f"door {chr(tile)}"
    return f"{where}: {price}" if (price := price_text(door)) else where


def price_text(door: Door) -> str:
    """The things that a door asks for; empty if it asks for nothing."""
    asks = [f"carry {door.carry}"] * bool(door.carry)
    asks += [f"takes {counted(door.cost, 'treasure')}"] * bool(door.cost) + ["takes a key"] * door.key
    return ", ".join(asks)


def doors(state: State) -> list[tuple[str, str]]:
    """The doors of the present level: where they lead, if one has been there, and what they still ask for."""
    rows = []
    for tile, door in sorted(state.level.doors.items()):
        is_known = door.to in state.left
        where = "way out" if door.ending else state.campaign.levels[door.to].title or door.to if is_known else "?"
        is_paid = (state.level.name, tile) in state.opened
        price = f"carry {door.carry}" * bool(door.carry) if is_paid else price_text(door)
        rows.append((f"Door {chr(tile)}", f"{where}: {price}" if price else where))
    return rows


def monster_text(state: State, kind: str, is_awake: bool) -> str:
    """A monster in words, with its habit."""
    habit = state.campaign.kinds[kind].text
    return f"{kind_name(kind)}{'' if is_awake else ', asleep'}: {habit}"


def ended(state: State, outcome: Outcome, time: str) -> tuple[str, str]:
    """Title and text of the end."""
    figures = f"{counted(state.adventurer.treasure, 'treasure')}, {counted(state.moves, 'move')}, {time}."
    seen = f"You saw {len(state.left) + 1} of {counted(len(state.campaign.levels), 'level')}."
    if state.campaign.is_descent:
        seen = f"{counted(score(state), 'point')}: depth {deepest(state)} of {DEPTHS}."
    if outcome.is_win:
        return f"You are out: {outcome.name}", f"{figures}\n{seen}"
    killer = state.ending
    title = _DEATHS.get(killer, f"You were caught by a {kind_name(killer)}")
    tip = "" if killer in _DEATHS else f"\n{capitalised(killer)}: {state.campaign.kinds[killer].text}."
    back = "" if state.campaign.is_descent else "\nUndo takes the last move back."
    return title, f"{figures}\n{seen}{tip}{back}"


def inventory(state: State) -> list[tuple[str, str]]:
    """Rows of the items that are carried, each once: its key and name, and how many or how it works."""
    carried = state.adventurer.items
    rows = []
    for name, item in ITEMS.items():
        if number := carried.count(name):
            label = f"{item.key} {name}" if item.key else name
            rows.append((label, item.text if number == 1 else f"{number}: {item.text}"))
    return rows


HABITS = {kind_name(name): kind.text for name, kind in KINDS.items()}
