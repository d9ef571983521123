"""The deep's sentences on events, doors, monsters and items."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from re import sub

from dungeon_tui.core import adventure
from dungeon_tui.core.adventure import treasures
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.meaning import Meaning
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import Table, Telling, capitalised, counted, sentence
from dungeon_tui.games.deep.ai.aim import Aim, aim_of
from dungeon_tui.games.deep.ai.solver import Escape, door_of, followed
from dungeon_tui.games.deep.model import events, rules
from dungeon_tui.games.deep.model.campaign import Door
from dungeon_tui.games.deep.model.descent import DEPTH_POINTS, DEPTHS, deepest, score
from dungeon_tui.games.deep.model.items import ITEM_OF_TILE, ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS
from dungeon_tui.games.deep.model.room import AMULET, CHASM, OPEN, TREASURE, Room
from dungeon_tui.games.deep.model.state import Action, State, Status

FALLING = "The rim falls at the end of this turn."
NO_DOOR = "Proven: you can't reach any door alive from here."
LOST = "No door can be reached alive any more."
STILL_OPEN = "You can still reach a door alive."
TOO_LARGE = "the level is too large to search"
UNKNOWN = f"Unknown whether you can reach a door alive: {TOO_LARGE}."
TILES = {OPEN: "open floor", TREASURE: "treasure", AMULET: "amulet: it doubles the level", CHASM: "chasm"}
_USED = {
    "shield": "Your shield shatters, but you live.",
    "sword": "Your sword strikes home and breaks.",
    "haste": "The world slows down around you.",
    "frost": "The air freezes: nothing moves but you.",
    "bomb": "You lay a bomb. Three, two ...",
    "scroll": "You read the scroll: the map shows the whole level.",
}
_KILLED = {"sword": "falls to your sword", "bomb": "is blown to pieces", "chasm": "falls into the chasm"}
_DEATHS = {  # title and text, if no monster caught you
    "bomb": ("You were too near your bomb", "It strikes the nine cells around it: be two steps away when it explodes."),
    "chasm": ("You fell into the chasm", "The cells marked ~ fall at the end of the turn: step inwards."),
}


def goal(state: State) -> str:
    """The goal of the level: the door that ends it, with its price; what lies here; and other doors."""
    aim, there = aim_of(state), state.room.board.array()
    doors = [*([aim.shut] if aim.shut else []), *(tile for tile in aim.doors if tile in there)]
    if not doors and (aim.doors or not aim.is_back):
        return "No door is left."
    name, price = (the_name(state, doors[0]), _missing(state, doors[0])) if doors else ("", "")
    leave = f"{capitalised(price)} to {name}" if price else f"Leave by {name}"
    back = f"Go back by {name}" if doors else "Go back"
    below = ": step off and back on" * (state.room.tile(state.adventurer.cell) in doors[:1])
    offer = [treasures(aim.reach)] * (aim.reach > 0) + ["the key"] * aim.has_key
    here = f" Here: {' and '.join(offer)}." if offer else ""
    others = " or ".join(_priced(state, tile) for tile in doors[1:4]).replace(" or door ", " or ")
    more = f" {'Try' if aim.shut else 'Or try'} {others}." if others else ""
    return f"{back if aim.is_back else leave}{below}.{here}{more}"


def prices(state: State) -> str:
    """The prices that you still lack and the goal leaves out, as short as a small screen needs; equal ones together."""
    shut, aim = dict[str, list[str]](), goal(state)
    for tile in sorted(state.level.doors):
        if (price := _missing(state, tile)) and the_name(state, tile) not in aim:
            name = " to a ".join(filter(None, [tile_name(state, tile), _vault(state, tile)]))
            shut.setdefault(price.replace(" and pay a key", ", a key"), []).append(name)
    text = "; ".join(f"{', '.join(names)}: {sub(' treasures?', '$', price)}" for price, names in shut.items())
    return sentence(sub("^door (?=.,)", "doors ", text.replace(" door ", " "))) if text else ""


def _vault(state: State, tile: int) -> str:
    """The new vault of a descent behind a door, with its treasure and guards, to see before you pay; else empty."""
    door = state.level.doors.get(tile)
    if not state.campaign.is_descent or not door or not door.to or door.carry or door.to in state.left:
        return ""
    level = state.campaign.levels[door.to]
    guards = Counter(kind_name(monster.kind) for monster in level.monsters)
    inside = f"{level.tiles.tobytes().count(TREASURE)}$", *(counted(number, kind) for kind, number in guards.items())
    return f"vault ({', '.join(inside)})"


def milestone(state: State) -> tuple[Aim, bool]:
    """The part of the goal that is worth telling anew: not the number of treasures."""
    aim = aim_of(state)
    can_pay = all(rules.can_pay(state, tile, state.level.doors[tile]) for tile in aim.doors[:1])
    return replace(aim, coins=0, reach=min(aim.reach, 1)), can_pay


def the_name(state: State, tile: int) -> str:
    """A tile as a part of a sentence names it."""
    name = tile_name(state, tile)
    return name if name[-1].isdigit() else f"the {name}"


def first_thing(state: State, found: Escape) -> tuple[int, Cell, str]:
    """The first thing that a line takes or leaves by: the number of actions up to it, its cell and its name."""
    for made, action in enumerate(found.line or (), 1):
        cell = rules.destination(state, action)
        if cell != state.adventurer.cell and (tile := state.room.tile(cell)) != OPEN:
            return made, cell, the_name(state, tile)
        state, _ = rules.step(state, action)
    raise ValueError("the line leads to nothing")


def purpose_text(state: State, found: Escape) -> str:
    """The way a hint's line serves the goal, and how far it misses it."""
    aim, (before, _) = aim_of(state), followed(state, found)
    tile, held = door_of(before, found), before.adventurer
    door = the_name(state, tile)
    texts = []
    if aim.shut:
        texts = [f"{capitalised(_priced(state, aim.shut))} asks for more than lies here: try {door}."]
    elif first_thing(state, found)[2] != door:
        texts = [f"It is on the way to {_priced(state, tile)}."]
    if aim.doors and tile not in aim.doors:
        texts.append(f"No way found to {the_name(state, aim.doors[0])}.")
    elif held.treasure < state.adventurer.treasure + aim.coins:
        texts.append("No way found to take more.")
    if aim.has_key and "key" not in held.items:
        texts.append("No way found to take the key, too.")
    return " ".join(texts)


def _missing(state: State, tile: int) -> str:
    """The price of a door; empty if the adventurer carries enough and pays nothing."""
    price = rules.price_text(state, tile)
    return price if "pay" in price or not rules.can_pay(state, tile, state.level.doors[tile]) else ""


def _priced(state: State, tile: int) -> str:
    """A door as a part of a sentence, with its price."""
    price = _missing(state, tile)
    return f"{the_name(state, tile)} ({price})" if price else the_name(state, tile)


def line_text(state: State, found: Escape) -> str:
    """A hint's line: its door, its length and its haul."""
    before, _ = followed(state, found)
    tile, held = door_of(before, found), before.adventurer
    key = " and the key" if "key" in held.items else ""
    proof = "no way is shorter" if found.is_decided else "the best way found"
    length = counted(len(found.line or ()), "move")
    return f"{capitalised(the_name(state, tile))} in {length} with {treasures(held.treasure)}{key}: {proof}."


def no_door(found: Escape) -> str:
    """Sentence for a search that found no way to a door."""
    return NO_DOOR if found.is_decided else f"No way to a door found in time: {TOO_LARGE}."


def kind_name(kind: str) -> str:
    """Name of a kind of monsters in a sentence: `up-down` is a patrol."""
    return (KINDS[kind].noun if kind in KINDS else "") or kind


def _taken(event: events.ItemTaken, _: State) -> str:
    item = ITEMS[event.item]
    return f"You take the {event.item}: {item.text}.{f' Press {item.key} to use it.' if item.key else ''}"


def _arrived(event: events.DoorTaken, state: State) -> str:
    level = state.campaign.levels[event.level]
    name = level.title or event.level
    return f"You are back: {name}." if event.is_return else f"{name}. {level.text}".rstrip()


def _crushed(event: events.MonsterMoved, state: State) -> str:
    is_crushed = event.destroyed != OPEN
    return f"The {kind_name(event.kind)} crushes the {tile_name(state, event.destroyed)}." if is_crushed else ""


def _paid(event: events.DoorPaid, _: State) -> Iterator[str]:
    yield f"You pay {treasures(event.cost)}." if event.cost else ""
    yield "The key turns." if event.key else ""


def _way_out(state: State) -> Door:
    return state.level.doors[state.room.tile(state.adventurer.cell)]


EVENTS: Table = {
    **adventure.EVENTS,
    adventure.Stayed: Telling("You wait."),
    events.ItemTaken: Telling(_taken, Meaning.MAGIC, "sparkling"),
    events.ItemUsed: Telling(lambda event, _: _USED[event.item], Meaning.MAGIC),
    events.DoorPaid: Telling(_paid, Meaning.DOOR),
    events.DoorTaken: Telling(_arrived, Meaning.DOOR, "opening"),
    events.MonsterWoke: Telling(lambda event, _: f"The {kind_name(event.kind)} wakes!", Meaning.FOE),
    events.MonsterMoved: Telling(_crushed, Meaning.FOE),
    events.MonsterKilled: Telling(
        lambda event, _: f"The {kind_name(event.kind)} {_KILLED[event.cause]}.", motion="struck"
    ),
    events.MonstersFrozen: Telling(lambda event, _: "" if event.left else "The frost is over."),
    events.BombBlewUp: Telling("The bomb explodes.", motion="struck"),
    events.RingFell: Telling("The rim of the level falls into the dark.", Meaning.FOE),
    events.Died: Telling(motion="struck"),
    events.Won: Telling(lambda _, state: _way_out(state).text or "You are out.", Meaning.WAY_OUT),
}


def tile_name(state: State, tile: int) -> str:
    """A tile in one or two words, a door with its number."""
    door = state.level.doors.get(tile)
    return tile_text(state, tile).partition(":")[0] if door is None else rules.door_name(tile, door)


def tile_text(state: State, tile: int) -> str:
    """A tile in words; for a door its price."""
    if item := ITEM_OF_TILE.get(tile):
        return f"{item}: {ITEMS[item].text}"
    if tile in TILES:
        return TILES[tile]
    price, name = rules.price_text(state, tile), rules.door_name(tile, state.level.doors.get(tile))
    return ": ".join(filter(None, [name, _vault(state, tile), price]))


def purse(state: State) -> str:
    """The treasure carried, and the least that a way out you have seen asks for beyond it."""
    held, known = state.adventurer.treasure, {*state.left, state.level.name}
    doors = [door for name in known for door in state.campaign.levels[name].doors.values() if door.ending]
    price = min((price for door in doors if (price := max(door.carry, door.cost)) > held), default=0)
    return f"{held:,} of {price}" if price else f"{held:,}"


def doors(state: State) -> list[tuple[str, str]]:
    """The doors of the current level, each with its target, if known, and what it still costs."""
    rows = []
    for tile, door in sorted(state.level.doors.items()):
        if tile not in state.room.board.array():
            continue  # it has fallen
        room, price = state.left.get(door.to), rules.price_text(state, tile)
        where = _vault(state, tile) if room is None else state.campaign.levels[door.to].title or door.to
        where += f", {left}$ left" if room is not None and (left := _left(room)) else ""
        asks = ": ".join(filter(None, [where, price])) or ("free" if door.ending else "new")
        rows.append((capitalised(rules.door_name(tile, door)), asks))
    return rows


def arrival(turn: Turn[State, Action]) -> Turn[State, Action]:
    """The turn that began the present stay in a level."""
    while (before := turn.parent) is not None and before.state.level is turn.state.level:
        turn = before
    return turn


def move_name(turn: Turn[State, Action]) -> str:
    """The move that led to a turn, counted in its level as the status line counts; the start of the game."""
    before = turn.parent
    if before is None:
        return "the start"
    level = before.state.level
    return f'move {turn.ply - arrival(before).ply:,} in "{level.title or level.name}"'


def result(turn: Turn[State, Action]) -> str:
    """The result of a first visit to a level with a par that ends with this turn; else empty."""
    last = turn.parent
    if last is None or (turn.state.level is last.state.level and turn.state.status is not Status.WON):
        return ""
    first, level, left = arrival(last), last.state.level, _left(last.state.room)
    if not level.par or first.state.room.turns:
        return ""
    moves, haul = turn.ply - first.ply, f"{treasures(left)} left behind" if left else "all treasure"
    par = f"{moves - level.par} over par" if moves > level.par else "That is par"
    if left or moves < level.par:
        par = f"Par is {level.par} with all treasure"
    return f"{level.title}: {counted(moves, 'move')}, {haul}. {par}."


def _left(room: Room) -> int:
    return room.board.copy().tobytes().count(TREASURE)


def ended(state: State, time: str) -> tuple[str, str]:
    """Title and text of the end."""
    campaign, held = state.campaign, state.adventurer.treasure
    lines = [f"{treasures(held)}, {counted(state.moves, 'move')}, {time}."]
    if campaign.is_descent:
        most, depth = DEPTHS * DEPTH_POINTS + campaign.treasure, deepest(state)
        points = f"{score(state)}{f' of {most}' * (score(state) <= most)} points"  # amulets make more
        lines.insert(0, f"{points}: {DEPTH_POINTS * depth} for depth {depth}, {held} for treasure.")
    if state.status is Status.WON:
        lines.insert(0, _way_out(state).text)
        left = sum(map(_left, [state.room, *state.left.values()]))
        lines.append(f"{treasures(left)} left behind." if left else "You took all treasure there.")
        if campaign.par and left:
            lines[-1] += f" Par is {counted(campaign.par, 'move')} with all {treasures(campaign.treasure)}."
        elif campaign.par:
            over = counted(state.moves - campaign.par, "move")
            lines[-1] += f" {over} over par: {{learn}} shows where." if state.moves > campaign.par else " That is par."
        if len(state.left) + 1 < len(campaign.levels) and not campaign.is_descent:
            lines[-1] += f" You saw {len(state.left) + 1} of {counted(len(campaign.levels), 'level')}."
        doors = [door for level in campaign.levels.values() for door in level.doors.values()]
        others = {door.ending: f" Another way out leads to {door.ending}." for door in doors if door.ending}
        lines[-1] += "".join(text for ending, text in others.items() if ending != state.ending)
        return f"You are out. Ending: {state.ending}", "\n".join(filter(None, lines))
    if (killer := state.ending) not in _DEATHS:
        lines.append(f"{capitalised(kind_name(killer))}: {campaign.kinds[killer].text}.")
    title, text = _DEATHS.get(killer, (f"You were caught by a {kind_name(killer)}", ""))
    return title, "\n".join(filter(None, [*lines, text]))


def inventory(state: State) -> list[tuple[str, str]]:
    """Rows of the items carried: key and name, number and effect."""
    carried = state.adventurer.items
    rows = []
    for name, item in ITEMS.items():
        if number := carried.count(name):
            label = f"{item.key} {name}" if item.key else name
            rows.append((label, item.text if number == 1 else f"{number}: {item.text}"))
    return rows


def carried(state: State) -> str:
    """The names of the items carried, or "no item"."""
    return ", ".join(label for label, _ in inventory(state)) or "no item"
