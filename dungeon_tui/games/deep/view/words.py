"""The deep's sentences on events, doors, monsters and items."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from dungeon_tui.core import adventure
from dungeon_tui.core.adventure import treasures
from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.meaning import Meaning
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import Table, Telling, capitalised, counted
from dungeon_tui.games.deep.ai.aim import aim_of, coins_in, goal_of, shown_treasure, way_out_elsewhere
from dungeon_tui.games.deep.ai.solver import Escape, door_of, followed
from dungeon_tui.games.deep.model import events, rules
from dungeon_tui.games.deep.model.campaign import Door, Level
from dungeon_tui.games.deep.model.descent import DEPTH_POINTS, deepest, score
from dungeon_tui.games.deep.model.items import BOMB_COUNT, ITEM_OF_TILE, ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS
from dungeon_tui.games.deep.model.room import AMULET, CHASM, OPEN, TREASURE, Room
from dungeon_tui.games.deep.model.state import Action, State, Status

coins = "{:,}$".format  # a number of treasures as the map shows it
FALLING = "The rim falls at the end of this turn."
NO_DOOR = "You can't reach any door alive."
STILL_OPEN = "You can still reach a door alive."
TOO_LARGE = "the level is too large to search"
UNKNOWN = f"Unknown whether you can reach a door alive: {TOO_LARGE}."
TILES = {OPEN: "open floor", TREASURE: "treasure", AMULET: "amulet: it doubles the level", CHASM: "chasm"}
_USED = {
    "shield": "Your shield shatters, but you live.",
    "sword": "Your sword strikes home and breaks.",
    "haste": "The world slows down around you.",
    "frost": "The air freezes: nothing moves but you.",
    "bomb": f"You lay a bomb. It explodes in {BOMB_COUNT - 1} turns.",
    "scroll": "You read the scroll: the map shows the whole level.",
}
_KILLED = {"sword": "falls to your sword", "bomb": "is blown to pieces", "chasm": "falls into the chasm"}
_DEATHS = {  # title and text, if no monster caught you
    "bomb": ("You were too near your bomb", "It strikes its cell and the eight around it."),
    "chasm": ("You fell into the chasm", "The cells marked ~ fall at the end of the turn: step inwards."),
}


def goal(state: State) -> str:
    """The goal of the level in words: the door that ends it, a key here, and doors to choose instead."""
    door, is_affordable, here, has_key, others = goal_of(state)
    if not door:
        return "No door is left."
    price, is_paid = state.level.doors[door], (state.level.name, door) in state.opened
    least = max(price.carry, 0 if is_paid else price.cost)
    asks = " and ".join([treasures(least)] * bool(least) + ["a key"] * (price.key and not is_paid))
    name, is_below = the_name(state, door), door == state.room.tile(state.adventurer.cell)
    held, has_more = state.adventurer.treasure, AMULET in state.room.board.array() or bool(doors(state))
    if state.campaign.is_descent and held + here < price.carry and not has_more:
        return f"{capitalised(name)} asks for {treasures(price.carry)}: only {held + here:,} are left."
    carry = f"Pay {asks} at {name}" if least > price.carry else f"Carry {asks} to {name}"
    leave = f"{name}, under you{': step off and back on' * (not here)}" if is_below else _priced(state, door)
    texts = [f"Leave by {leave}" if is_affordable else carry]
    is_par = state.level.par > 0 and here > 0 and is_affordable and not _back(state, door)
    texts += ["A key lies here"] * has_key + ["Par takes all treasure"] * is_par
    names = [the_name(state, tile).removeprefix("door ") for tile in others]
    texts += ["Monsters can break that door"] * (not names and not chr(door).isdigit())
    if any(state.level.doors[tile].to in state.left for tile in others):
        texts.append(f"Try {_priced(state, others[0])}")
    elif not (is_par or has_key) and (out := way_out_elsewhere(state)):
        texts.append(f"{capitalised(out)} is open")
    elif names:
        is_optional = lead(state, others[0]).startswith("optional") and not names[1:]
        vault = " vault" * state.campaign.is_descent
        label = f"Optional{vault}: door" if is_optional or vault else f"New door{'s' * bool(names[1:])} open:"
        texts.append(f"{label} {', '.join(names)}")
    return ". ".join(texts) + "."


def levels(state: State, at_par: Collection[str]) -> str:
    """A line for each level that you saw: if left at par, the treasure left there, and the doors that lead on."""
    rooms = {**state.left, state.level.name: state.room}
    lines = [f"Levels: {len(rooms)} of {len(state.campaign.levels)} seen."]
    for name, room in rooms.items():
        level = state.campaign.levels[name]
        there, left = replace(state, level=level, room=room), shown_treasure(state, room)
        new = [tile for tile in sorted(level.doors) if level.doors[tile].to not in rooms and room.cell_of(tile)]
        leads = {tile: lead(there, tile).removeprefix("new").removeprefix(", ") for tile in new}
        ways = [rules.door_name(tile, level.doors[tile]) + f" ({text})" * bool(text) for tile, text in leads.items()]
        about = "optional, " * level.is_optional + (f"{treasures(left)} left" if left else "all treasure taken")
        title = f"{level.title or name}{' (at par)' * (name in at_par)}"
        lines.append(f"{title}: {about}." + f" New: {', '.join(ways)}." * bool(ways))
    return "\n".join(lines)


def at_par(turn: Turn[State, Action]) -> set[str]:
    """The levels left at par, with all treasure, up to this turn."""
    visits = filter(None, map(_first_visit, turn.line()))
    return {level.name for level, moves, left in visits if not left and moves <= level.par}


def lead(state: State, tile: int) -> str:
    """The target of a door, as far as you know it, and the price that you lack or pay."""
    door = state.level.doors[tile]
    where = "" if door.ending else vault(state, tile)
    if not door.ending and not state.campaign.is_descent:
        where = "optional" if state.campaign.levels[door.to].is_optional else "new"
    if (room := state.left.get(door.to)) is not None:
        where = f"to {state.campaign.levels[door.to].title or door.to}, {coins(shown_treasure(state, room))} left"
    return ", ".join(filter(None, [where, _missing(state, tile, coins)]))


def price_sign(state: State, tile: int) -> str:
    """The price that you lack or pay, as the map shows it: 6$ to have, -2$ to pay, a key, 6$k for both."""
    door, is_paid = state.level.doors[tile], (state.level.name, tile) in state.opened
    cost = "" if is_paid or not door.cost else f"-{coins(door.cost)}"
    price = coins(door.carry) if state.adventurer.treasure < door.carry else cost
    return price + ("k" if price else "key") * (door.key and not is_paid)


def vault(state: State, tile: int) -> str:
    """The new vault of a descent behind a door, with its treasure and guards, to see before you pay; else empty."""
    door = state.level.doors.get(tile)
    if not state.campaign.is_descent or not door or not door.to or door.carry or door.to in state.left:
        return ""
    level = state.campaign.levels[door.to]
    guards = Counter(kind_name(monster.kind) for monster in level.monsters)
    inside = coins(level.tiles.tobytes().count(TREASURE)), *(counted(number, kind) for kind, number in guards.items())
    return f"vault ({', '.join(inside)})"


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
    tile = door_of(before, found)
    door = the_name(state, tile)
    texts = []
    if aim.shut:
        texts = [f"{capitalised(_priced(state, aim.shut))} asks for more than lies here: try {_priced(before, tile)}."]
    elif first_thing(state, found)[2] != door:
        texts = [f"Take it before {door if tile == goal_of(state).door else _priced(state, tile)}."]
    elif back := _back(state, tile):
        texts = [f"It leads {back}."]
    if aim.doors and tile not in aim.doors:
        texts.append(f"No way found to {the_name(state, aim.doors[0])}.")
    return " ".join(texts)


def _missing(state: State, tile: int, count: Callable[[int], str] = treasures) -> str:
    """The price of a door; empty if the adventurer carries enough and pays nothing."""
    price = rules.price_text(state, tile, count)
    return price if "pay" in price or not rules.can_pay(state, tile, state.level.doors[tile]) else ""


def _priced(state: State, tile: int) -> str:
    """A door as a part of a sentence, with its price, and the level if it leads back."""
    more = _back(state, tile) or _missing(state, tile)
    return f"{the_name(state, tile)} ({more})" if more else the_name(state, tile)


def _back(state: State, tile: int) -> str:
    """The level that you left to which a door leads, and the treasure there; else empty."""
    return f"back {lead(state, tile)}" * (state.level.doors[tile].to in state.left)


def way_text(state: State, found: Escape) -> str:
    """A line as a part of a sentence: its door, its haul, and its length, which doesn't count in a descent."""
    if state.campaign.is_descent:
        return reached(state, found)
    proof = "the shortest" if found.is_decided and found.has_most else "the best way found"
    length = f" in {counted(len(found.line or ()), 'move')}"
    return f"{reached(state, found, length)}, {proof}"


def reached(state: State, found: Escape, length: str = "") -> str:
    """The door at the end of a line, and what you carry then."""
    before, _ = followed(state, found)
    held, items = before.adventurer.treasure, before.adventurer.items
    haul = " and ".join([treasures(held)] * bool(held) + ["the key"] * ("key" in items))
    return f"{the_name(before, door_of(before, found))}{length}{f' with {haul}' * bool(haul)}"


def no_door(found: Escape) -> str:
    """Sentence for a search that found no way to a door."""
    return NO_DOOR if found.is_decided else UNKNOWN


def kind_name(kind: str) -> str:
    """Name of a kind of monsters in a sentence: `up-down` is a patrol."""
    return (KINDS[kind].noun if kind in KINDS else "") or kind


def _taken(event: events.ItemTaken, _: State) -> str:
    item = ITEMS[event.item]
    return f"You take the {event.item}: {item.text}.{f' Press {item.key} to use it.' if item.key else ''}"


def _arrived(event: events.DoorTaken, state: State) -> str:
    level = state.campaign.levels[event.level]
    name = level.title or event.level
    is_told = level.text in [state.campaign.levels[each].text for each in state.left if level.text]  # farther up
    return f"You are back: {name}." if event.is_return else level.text * (not is_told) or f"{name}."


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
    adventure.TreasureTaken: Telling(
        lambda _, state: f"Treasure! {shown_treasure(state, state.room) or 'None'} left here.",
        Meaning.PRIZE,
        "sparkling",
    ),
    events.ItemTaken: Telling(_taken, Meaning.MAGIC, "sparkling"),
    events.ItemUsed: Telling(lambda event, _: _USED[event.item], Meaning.MAGIC),
    events.DoorPaid: Telling(_paid, Meaning.DOOR),
    events.DoorTaken: Telling(_arrived, Meaning.DOOR),
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
    door = state.level.doors.get(tile)
    return ": ".join(filter(None, [rules.door_name(tile, door), lead(state, tile) if door else ""]))


def purse(state: State) -> str:
    """The treasure carried, and what the known way out, or else the goal, asks for if that is more."""
    held, goal = state.adventurer.treasure, goal_of(state)
    door = None if goal.is_open else state.level.doors.get(goal.door)
    known = state.level, *(state.campaign.levels[name] for name in state.left)
    outs = [each.carry for level in known for each in level.doors.values() if each.ending]
    price = min(outs, default=max(door.carry, door.cost) if door else 0)
    return f"{held:,} of {price:,}" if price > held else f"{held:,}"


def doors(state: State) -> list[tuple[str, str]]:
    """The doors but that of the goal, each with its target, if known, and the price that you lack or pay."""
    there = [tile for tile in sorted(state.level.doors) if state.room.cell_of(tile) and tile != goal_of(state).door]
    rows = [(capitalised(rules.door_name(tile, state.level.doors[tile])), lead(state, tile)) for tile in there]
    return [row for row in rows if row[1]]


def prices_beside(state: State) -> str:
    """Sentences on the doors beside you, but that of the goal, that ask for something."""
    cells, aim = {state.adventurer.cell.neighbour(way) for way in FOUR_WAYS}, goal_of(state).door
    tiles = [tile for tile in sorted(state.level.doors) if state.room.cell_of(tile) in cells and tile != aim]
    asks = ((tile_name(state, tile), rules.price_text(state, tile)) for tile in tiles)
    return " ".join(f"{capitalised(name)}: {price}." for name, price in asks if price)


def arrival(turn: Turn[State, Action]) -> Turn[State, Action]:
    """The turn that began the present stay in a level."""
    while (before := turn.parent) is not None and before.state.level is turn.state.level:
        turn = before
    return turn


def turn_name(turn: Turn[State, Action], before: Turn[State, Action] | None = None) -> str:
    """The name of a turn, by its move in its level, or in that of the turn before it, as the status line counts."""
    there = before or turn
    level, number = there.state.level, turn.ply - arrival(there).ply
    return f'{f"move {number:,} in" if number else "the start of"} "{level.title or level.name}"'


def _first_visit(turn: Turn[State, Action]) -> tuple[Level, int, str] | None:
    """The first visit to a level with a par that ends with this turn: the level, moves, and treasure left behind."""
    last = turn.parent
    if last is None or (turn.state.level is last.state.level and turn.state.status is not Status.WON):
        return None
    first, level = arrival(last), last.state.level
    is_first = level.par and not first.state.room.turns
    return (level, turn.ply - first.ply, _left_behind(last.state, last.state.room)) if is_first else None


def result(turn: Turn[State, Action], *, is_helped: bool) -> str:
    """The result of a first visit to a level with a par that ends with this turn; else empty. Help earns no cheer."""
    if (visit := _first_visit(turn)) is None:
        return ""
    level, moves, left = visit
    praise = "" if left or moves > level.par else f"{'Par beaten' if moves < level.par else 'At par'}{'!.'[is_helped]} "
    return f"{praise}{level.title}: {counted(moves, 'move')} (par {level.par}), {left or 'all treasure'}."


def _left_behind(state: State, *rooms: Room) -> str:
    """The treasure left behind in levels; empty if only mimics are left."""
    is_left = any(map(coins_in, rooms))
    return f"{treasures(sum(shown_treasure(state, room) for room in rooms))} left behind" * is_left


def ended(state: State, time: str) -> tuple[str, str]:
    """Title and text of the end."""
    campaign, held = state.campaign, state.adventurer.treasure
    lines = []
    if campaign.is_descent:
        points = f"{DEPTH_POINTS * (depth := deepest(state))} for reaching depth {depth}, {held} for treasure"
        lines = [f"{score(state)} points: {points}."]
    if state.status is Status.WON:
        left = _left_behind(state, state.room, *state.left.values())
        haul = f"{treasures(held)} carried out, {left or 'none left behind'}."
        par = f" (par {campaign.par} with all treasure)" * (campaign.par > 0)
        lines = [_way_out(state).text, haul, *(lines or [f"{counted(state.moves, 'move')}{par}, {time}."])]
        doors = [door for level in campaign.levels.values() for door in level.doors.values()]
        others = {door.ending: f"Another way out leads to {door.ending}." for door in doors if door.ending}
        lines += [text for ending, text in others.items() if ending != state.ending]
        return f"You are out. Ending: {state.ending}", "\n".join(filter(None, lines))
    title, text = _DEATHS.get(killer := state.ending, (f"You were caught by a {kind_name(killer)}", ""))
    if not text:
        text = f"{capitalised(kind_name(killer))}: {campaign.kinds[killer].text}."
        text += " Your sword strikes only what you walk into." * ("sword" in state.adventurer.items)
    return title, "\n".join([*lines, text])


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
