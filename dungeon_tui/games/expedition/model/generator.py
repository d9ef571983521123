"""Maps from a seed: rooms on a grid, with corridors between grid neighbours only, so that none cross."""

from dataclasses import replace
from math import isqrt

from dungeon_tui.core.random import Random
from dungeon_tui.games.expedition.model.level import CORRIDOR_COST, EVENTS, ROOM_COST, Corridor, Level, Room
from dungeon_tui.games.expedition.model.maps import known_rooms, neighbours

ROOMS = 20
DEGREE = 2.6
_NAMES = "Ash Bay Bog Cot Den Elm Fen Fox Gap Hut Ink Inn Ivy Key Lea Oak Owl Pen Pit Sty Tor Vat Web Yew".split()
_MORE_NAMES = (  # of larger maps
    "Arc Axe Bar Bee Box Cap Cow Cup Dam Dew Eel Egg Elk Fig Fir Fog Gem Hay "
    "Hen Ice Jar Jay Jet Keg Log Map Mud Nut Oar Orb Pan Pot Ram Rye Sun Tub"
).split()

_SURCHARGE = {"trap": 3, "darkness": 2, "curio": 1}  # the cost that an event adds
_EVENT_IN = 6  # one room in 6 has an event, and one corridor in 12
_ROOM_COST, _CORRIDOR_COST = (1, 4), (0, 2)  # from, to
_HIDDEN_COST = 2  # at most, of rooms that an explorer can't see at first

_Position = tuple[int, int]
_Ends = tuple[_Position, _Position]


def generate(seed: int, rooms: int = ROOMS, degree: float = DEGREE, *, is_uniform: bool = False) -> Level:
    """A connected map. Ids count the rooms in reading order, from 1; up to 60 rooms have names.

    Args:
        seed: any integer; the map depends on the arguments alone.
        rooms: at least 1.
        degree: average corridors per room, 0 to 4, or as near as the grid's neighbours and a tree allow.
        is_uniform: all rooms cost 1 and all corridors 0; else costs are random, and events raise some of them.
    """
    # Grow a tree of rooms, then add corridors up to the degree.
    random = Random(seed)
    positions, tree = _grown(random, rooms)
    ends = [
        (position, (position[0] + down, position[1] + 1 - down)) for position in sorted(positions) for down in (0, 1)
    ]
    more = [(one, other) for one, other in ends if other in positions and (one, other) not in tree]
    wanted = round(degree * rooms / 2) - len(tree)
    while wanted > 0 and more:
        tree.add(more.pop(random.below(len(more))))
        wanted -= 1

    # Number the rooms, and draw costs and events.
    ordered = sorted(positions)
    numbers = {position: number for number, position in enumerate(ordered)}
    made, names = [], _NAMES + _MORE_NAMES * (rooms > len(_NAMES))
    for number, position in enumerate(ordered, 1):
        cost, events = (ROOM_COST, ()) if is_uniform else _cost(random, *_ROOM_COST, _EVENT_IN)
        label = str(number) if rooms > len(names) else names[(seed + 7 * number) % len(names)]
        made.append(Room(number, label, cost, (float(position[0]), float(position[1])), events))
    corridors = []
    for one, other in sorted(tree):
        cost, events = (CORRIDOR_COST, ()) if is_uniform else _cost(random, *_CORRIDOR_COST, 2 * _EVENT_IN)
        corridors.append(Corridor((numbers[one], numbers[other]), cost, events))
    start = min(range(rooms), key=lambda number: ordered[number][::-1])  # the first room of the leftmost column
    return Level(f"expedition-{seed}-{rooms}", tuple(made), tuple(corridors), start)


def for_explorers(level: Level, made: Level) -> Level:
    """A level on a generated map with more to see and less to fear.

    It starts where most corridors meet; rooms that can't be seen from there cost at most 2, corridors nothing.
    """
    start = max(range(len(made.rooms)), key=lambda room: len(neighbours(made)[room]))
    known = known_rooms(made, 1 << start)
    rooms = [
        room if known >> number & 1 else replace(room, cost=min(room.cost, _HIDDEN_COST), events=())
        for number, room in enumerate(made.rooms)
    ]
    corridors = [each if start in each.ends else Corridor(each.ends) for each in made.corridors]
    return replace(level, rooms=tuple(rooms), corridors=tuple(corridors), start=start)


def _grown(random: Random, rooms: int) -> tuple[set[_Position], set[_Ends]]:
    """(row, col) positions that fill about two thirds of a box, and a tree of corridors between them."""
    height = isqrt(rooms)
    width = max(1, -(-3 * rooms // (2 * height)))
    first = height // 2, width // 2
    positions, tree = {first}, set()
    edge = _around(first, height, width)
    while len(positions) < rooms:
        position = edge.pop(random.below(len(edge)))
        if position in positions:
            continue
        around = _around(position, height, width)
        other = random.choice([other for other in around if other in positions])
        tree.add((min(position, other), max(position, other)))
        positions.add(position)
        edge += [other for other in around if other not in positions]
    return positions, tree


def _around(position: _Position, height: int, width: int) -> list[_Position]:
    row, col = position
    near = (row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)
    return [(row, col) for row, col in near if 0 <= row < height and 0 <= col < width]


def _cost(random: Random, low: int, high: int, event_in: int) -> tuple[int, tuple[str, ...]]:
    cost = random.between(low, high)
    if random.below(event_in):
        return cost, ()
    event = random.choice(EVENTS)
    return cost + _SURCHARGE[event], (event,)
