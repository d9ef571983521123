"""Maps from a seed: rooms on a grid of places, corridors between neighbours only, so that none crosses another."""

from __future__ import annotations

from math import isqrt

from dungeon_tui.core.random import Random
from dungeon_tui.games.expedition.model.level import CORRIDOR_COST, EVENTS, MOST_ROOMS, ROOM_COST, Corridor, Level, Room

ROOMS = 20
DEGREE = 2.6

_SURCHARGE = {"trap": 3, "darkness": 2, "curio": 1}  # what an event adds to a cost
_EVENT_IN = 6  # one room of so many has an event, and one corridor of twice as many
_ROOM_COST, _CORRIDOR_COST = (1, 4), (0, 2)  # from, to

_Place = tuple[int, int]
_Ends = tuple[_Place, _Place]


def generate(seed: int, rooms: int = ROOMS, degree: float = DEGREE, *, is_uniform: bool = False) -> Level:
    """A map in which every room can be reached. Ids count the rooms in reading order, from 1.

    Args:
        seed: any integer; the map depends on the arguments alone.
        rooms: 1 to MOST_ROOMS.
        degree: how many corridors a room has on average, from 0 to 4; fewer than a tree has can't be, and more than the
            places have neighbours neither: then it is as near as can be.
        is_uniform: all rooms cost 1 and all corridors nothing; else costs are by chance, and events raise some of them.

    Raises:
        ValueError: the number of rooms or the degree is not as it should be.
    """
    if not 1 <= rooms <= MOST_ROOMS:
        raise ValueError(f"a map has from 1 to {MOST_ROOMS} rooms, not {rooms}")
    if not 0 <= degree <= 4:
        raise ValueError(f"a room has from 0 to 4 corridors, not {degree}")
    random = Random(seed)
    places, tree = _grown(random, rooms)
    more = [ends for ends in _neighbours(places) if ends not in tree]
    wanted = round(degree * rooms / 2) - len(tree)
    while wanted > 0 and more:
        tree.add(more.pop(random.below(len(more))))
        wanted -= 1
    ordered = sorted(places)
    numbers = {place: number for number, place in enumerate(ordered)}
    made = []
    for number, place in enumerate(ordered, 1):
        cost, events = (ROOM_COST, ()) if is_uniform else _cost(random, *_ROOM_COST, _EVENT_IN)
        made.append(Room(number, str(number), cost, (float(place[0]), float(place[1])), events))
    corridors = []
    for one, other in sorted(tree):
        cost, events = (CORRIDOR_COST, ()) if is_uniform else _cost(random, *_CORRIDOR_COST, 2 * _EVENT_IN)
        corridors.append(Corridor((numbers[one], numbers[other]), cost, events))
    start = min(range(rooms), key=lambda number: ordered[number][::-1])  # the first room of the leftmost column
    return Level(f"expedition-{seed}-{rooms}", tuple(made), tuple(corridors), start)


def _grown(random: Random, rooms: int) -> tuple[set[_Place], set[_Ends]]:
    """Places, row and column, that fill about two thirds of a box, and a tree of corridors that joins them all."""
    height = max(1, isqrt(3 * rooms // 4))
    width = max(1, -(-3 * rooms // (2 * height)))
    first = height // 2, width // 2
    places, tree = {first}, set()
    edge = _around(first, height, width)
    while len(places) < rooms:
        place = edge.pop(random.below(len(edge)))
        if place in places:
            continue
        around = _around(place, height, width)
        other = random.choice([other for other in around if other in places])
        tree.add((min(place, other), max(place, other)))
        places.add(place)
        edge += [other for other in around if other not in places]
    return places, tree


def _around(place: _Place, height: int, width: int) -> list[_Place]:
    row, col = place
    near = (row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)
    return [(row, col) for row, col in near if 0 <= row < height and 0 <= col < width]


def _neighbours(places: set[_Place]) -> list[_Ends]:
    """All pairs of places side by side or one above the other."""
    return [
        (place, other)
        for place in sorted(places)
        for other in ((place[0], place[1] + 1), (place[0] + 1, place[1]))
        if other in places
    ]


def _cost(random: Random, low: int, high: int, event_in: int) -> tuple[int, tuple[str, ...]]:
    """A cost, and the event that raised it, if one did."""
    cost = random.between(low, high)
    if random.below(event_in):
        return cost, ()
    event = random.choice(EVENTS)
    return cost + _SURCHARGE[event], (event,)
