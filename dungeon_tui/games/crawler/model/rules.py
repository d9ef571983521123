"""The crawler's rules. A turn has this order: the adventurer, the ways out, the monsters, the amulet.

Source:
    The "Dungeon Crawler" homework of introductory C++ courses, as in docs/games/crawler.md; functions quote the
    sentence that they implement.
"""

import re
from collections import defaultdict, deque
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core import adventure
from dungeon_tui.core.adventure import StayReason
from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import FOUR_WAYS, Cell, Direction
from dungeon_tui.core.rules import Event, IllegalActionError, LevelBegun, Outcome
from dungeon_tui.games.crawler.model import events
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, MONSTER, OPEN, PILLAR, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.state import STEPS, Action, State, Status

VERSION = 1
UNLISTED: frozenset[type] = frozenset()
_ACTIONS = tuple(Action)

_MONSTER = bytes([MONSTER])
_ITEMS = (TREASURE, AMULET, DOOR, WAY_OUT)
_CRUSHED = re.compile(b"[%b](?=%b)" % (re.escape(bytes(_ITEMS)), re.escape(_MONSTER)))  # on a ray
_MOST_CELLS = 1 << 16  # limit on the board for searching a way out
_MOST_WALKED = 1 << 10  # limit on the board for walking over it at each key: some 3 ms


@dataclass(frozen=True, slots=True)
class Threat:
    """A cell that monsters may step on next turn, destroying the last thing of its kind that helps."""

    cell: Cell
    tile: int
    actions: tuple[Action, ...]  # that let it happen


def start(dungeon: Dungeon, seed: int = 0) -> State:
    level = dungeon.levels[0]
    return State(dungeon, 1, Board.of(level.tiles), level.start)


def legal_actions(state: State) -> tuple[Action, ...]:
    return _ACTIONS if state.status is Status.PLAYING else ()


def objection(state: State, action: Action) -> str | None:
    return None if state.status is Status.PLAYING else f"the game is over ({state.status.value}): undo or restart"


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a turn, and its events.

    Rule: "Every command but `q` and an unknown one costs one move, bumping into something included."
    """
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    state = replace(state, moves=state.moves + 1)
    cell, reason = destination(state, action)
    if reason is not None:
        state, happened = _let_monsters_move(state)
        return state, (adventure.Stayed(cell, reason), *happened)
    moved = adventure.Moved(state.adventurer, cell)
    tile = state.board[cell]
    state = replace(state, adventurer=cell)
    if tile == DOOR:
        return _leave_level(state, moved)
    if tile == WAY_OUT:
        left = state.left_behind + treasure_on(state.board)
        return replace(state, status=Status.ESCAPED, left_behind=left), (moved, events.Escaped())
    happened = [moved]
    if tile != OPEN:
        state = replace(state, board=state.board.replace([cell.row * state.board.width + cell.col], [OPEN]))
    if tile == TREASURE:
        state = replace(state, treasure=state.treasure + 1)
        happened.append(adventure.TreasureTaken(state.treasure))
    elif tile == AMULET:
        happened.append(adventure.AmuletTaken())
    state, monster_events = _let_monsters_move(state)
    happened += monster_events
    if tile == AMULET and state.status is Status.PLAYING:
        state, doubling = _double(state)
        happened.append(doubling)
    return state, tuple(happened)


def moments(state: State, commands: str) -> Iterator[State]:
    """Yields the state, then the state after each command, until the game is over."""
    yield state
    for letter in commands:
        if state.status is not Status.PLAYING:
            return
        state, _ = step(state, read_action(letter))
        yield state


def outcome(state: State) -> Outcome | None:
    match state.status:
        case Status.PLAYING:
            return None
        case Status.ESCAPED:
            return Outcome("escaped", "You have escaped the dungeon.", True)
        case Status.DIED:
            return Outcome("died", "A monster caught you.", False)
        case _:
            missing = state.dungeon.missing
            reason = f"The next level can't be loaded: {missing}" if missing else "There is no level behind this door."
            return Outcome("out of levels", reason, False)


def action_text(action: Action) -> str:
    return action.value


def read_action(text: str) -> Action:
    return Action(text)


def sight_lines(state: State) -> dict[Direction, tuple[int, tuple[int, ...]]]:
    """For each direction the steps to the end of the adventurer's ray, and to the monsters, which don't end it."""
    lines: dict[Direction, tuple[int, tuple[int, ...]]] = {}
    for direction, ray in state.board.rays(state.adventurer, PILLAR).items():
        seen: list[int] = []
        distance = ray.find(MONSTER) + 1
        while distance:
            seen.append(distance)
            distance = ray.find(MONSTER, distance) + 1
        lines[direction] = (len(ray), tuple(seen))
    return lines


def deadly_cells(state: State) -> list[Cell]:
    """The cells on which the adventurer would be lost next turn, by monsters or false doors: neighbours, or his own."""
    cells = []
    for action in legal_actions(state):
        cell, reason = destination(state, action)
        if reason is None and state.board[cell] in (DOOR, WAY_OUT):  # the level ends before the monsters move
            cells += [cell] if state.board[cell] == DOOR and not state.doors_lead_on else []
            continue
        after, _ = _let_monsters_move(replace(state, adventurer=cell))
        if after.status is Status.DIED and cell not in cells:
            cells.append(cell)
    return cells


def is_trapped(state: State, depth: int = 2) -> bool:
    """True if every move kills, changes nothing, or leads into such a trap of at most `depth` moves."""
    for action in legal_actions(state):
        cell, _ = destination(state, action)
        if state.board[cell] in (AMULET, DOOR, WAY_OUT):
            return False
        after, _ = step(state, action)
        is_same = cell == state.adventurer and after.board is state.board
        if not (after.status is Status.DIED or is_same or (depth and is_trapped(after, depth - 1))):
            return False
    return state.status is Status.PLAYING


def destination(state: State, action: Action) -> tuple[Cell, StayReason | None]:
    """The cell after the adventurer's part of the turn, and the reason if that is the old one.

    Rule: "Off the map, a pillar, a monster, or `!` without treasure (of the whole dungeon so far): the adventurer
    stays."
    """
    here = state.adventurer
    if action is Action.STAY:
        return here, StayReason.CHOSEN
    cell = here.neighbour(STEPS[action])
    if not cell.is_inside(state.board.height, state.board.width):
        return here, StayReason.EDGE
    tile = state.board[cell]
    if tile == PILLAR:
        return here, StayReason.PILLAR
    if tile == MONSTER:
        return here, StayReason.MONSTER
    if tile == WAY_OUT and state.treasure == 0:
        return here, StayReason.PRICE
    return cell, None


def _leave_level(state: State, moved: adventure.Moved) -> tuple[State, tuple[Event, ...]]:
    """Enters the next level, or ends the game.

    Rule: "`?` ends the level at once [...]: monsters don't move any more. `?` on the last level [...] ends the game".
    """
    state = replace(state, left_behind=state.left_behind + treasure_on(state.board))
    if state.number == len(state.dungeon.levels):
        return replace(state, status=Status.OUT_OF_LEVELS), (moved, events.DoorTaken())
    level = state.dungeon.levels[state.number]
    state = replace(state, number=state.number + 1, board=Board.of(level.tiles), adventurer=level.start)
    return state, (moved, events.DoorTaken(), LevelBegun(state.number))


def _let_monsters_move(state: State) -> tuple[State, list[Event]]:
    """Moves all monsters in sight of the adventurer one step closer.

    Rule: "from the adventurer's cell outward, up, then down, then left, then right: each monster met on that ray,
    nearest first, steps one cell towards the adventurer; a pillar or the map's edge ends the ray. A monster destroys
    what it steps on (`$ @ ? !`). If one stands on the adventurer's cell, the adventurer is dead."
    """
    board, here = state.board, state.adventurer
    at = here.row * board.width + here.col
    changed: list[NDArray[np.intp]] = []
    values: list[NDArray[np.uint8]] = []
    happened: list[Event] = []
    is_caught = False
    for direction, seen in board.rays(here, PILLAR).items():
        if MONSTER not in seen:
            continue
        # On each ray, find the monsters and the cells they step on; distance 0 is the adventurer's.
        ray = np.frombuffer(seen, np.uint8)
        monsters = np.flatnonzero(ray == MONSTER)
        targets = monsters - 1
        is_caught |= bool(targets[0] < 0)
        targets = targets[targets >= 0]

        # Move them all at the same time, and collect the changed cells of the board.
        after = ray.copy()
        after[monsters] = OPEN
        after[targets] = MONSTER
        cells = np.union1d(monsters, targets)
        rows, cols = direction.value
        changed.append(at + (cells + 1) * (rows * board.width + cols))
        values.append(after[cells])

        # Anything but floor and monsters under a target is destroyed.
        stepped_on = ray[targets]
        destroyed = stepped_on[(stepped_on != OPEN) & (stepped_on != MONSTER)]
        happened.append(events.MonstersAdvanced(direction, tuple((monsters + 1).tolist()), tuple(destroyed.tolist())))
    if is_caught:
        changed.append(np.array([at], np.intp))
        values.append(np.array([MONSTER], np.uint8))
        happened.append(events.Died(here))
        state = replace(state, status=Status.DIED)
    if changed:
        state = replace(state, board=board.replace(np.concatenate(changed), np.concatenate(values)))
    return state, happened


def _double(state: State) -> tuple[State, Event]:
    """Doubles the level unless that would exceed the limit.

    Rule: "the level doubles to 2 rows x 2 cols: the upper left quarter is the map as it is now".
    """
    height, width = state.board.height, state.board.width
    limit = state.dungeon.cell_limit
    if 4 * height * width > limit:
        return state, adventure.DoublingRefused(4 * height * width, limit)
    return replace(state, board=state.board.doubled()), adventure.Doubled(2 * height, 2 * width)


def treasure_on(board: Board) -> int:
    """The number of treasures on a board."""
    return int(np.count_nonzero(board.array() == TREASURE))


def threats(state: State) -> tuple[Threat, ...]:
    """Things that monsters may destroy next turn, and that the level would then lack.

    These are doors and ways out, if no other leads on; treasure, if the adventurer has none and no other is left to
    open a way out; the last amulet, if the board as it is has no reachable way out. Deadly turns don't count.
    """
    found: dict[Cell, list[Action]] = {}
    turns = {action: crushed for action in legal_actions(state) if (crushed := crushed_cells(state, action))}
    tiles = state.board.array()
    there = {tile: int(np.count_nonzero(tiles == tile)) for tile in _ITEMS} if turns else {}
    for action, crushed in turns.items():
        for cell in _missed(state, crushed, there):
            found.setdefault(cell, []).append(action)
    return tuple([Threat(cell, state.board[cell], tuple(actions)) for cell, actions in sorted(found.items())])


def crushed_cells(state: State, action: Action) -> dict[Cell, int]:
    """Cells with tiles that monsters step on in a turn; empty if the turn is deadly or leaves the level."""
    to, _ = destination(state, action)
    if to != state.adventurer and state.board[to] in (DOOR, WAY_OUT):
        return {}  # the level ends before the monsters move
    crushed = {}
    for direction, ray in state.board.rays(to, PILLAR).items():
        if ray[:1] == _MONSTER:
            return {}
        for found in _CRUSHED.finditer(ray):
            crushed[to.neighbour(direction, found.end())] = found[0][0]
    return crushed


def _missed(state: State, crushed: Mapping[Cell, int], there: Mapping[int, int]) -> list[Cell]:
    """The crushed cells with the last thing of their kind that helps."""
    # Take the lost items of each kind from those that are `there` before the turn.
    lost: dict[int, list[Cell]] = defaultdict(list)
    left = dict(there)
    for cell, tile in crushed.items():
        lost[tile].append(cell)
        left[tile] -= 1

    # A way out or door matters if none is left that leads on; an amulet, if the last one might still bring one.
    has_treasure = state.treasure + left[TREASURE] > 0
    was_open = state.treasure + there[TREASURE] > 0
    missed = []
    if left[DOOR] * state.doors_lead_on + left[WAY_OUT] * has_treasure == 0:
        missed += lost[DOOR] if state.doors_lead_on else []
        missed += lost[WAY_OUT] if was_open else []
    elif lost[AMULET] and left[AMULET] == 0 and not _is_way_out_near(state, has_treasure, crushed):
        missed += lost[AMULET]
    return missed + ([] if has_treasure else lost[TREASURE])


def _is_way_out_near(state: State, has_treasure: bool, crushed: Container[Cell]) -> bool:
    """True if a usable way out is reachable on foot, ignoring monsters; also on boards too large to search."""
    tiles = state.board.array()
    if tiles.size > _MOST_CELLS:
        return True
    goals = {DOOR: state.doors_lead_on, WAY_OUT: has_treasure}
    return any(goals.get(int(tiles[cell])) and cell not in crushed for cell in cells_on_foot(state))


def is_walked_quickly(board: Board) -> bool:
    """True if `cells_on_foot` takes a few milliseconds."""
    return board.height * board.width <= _MOST_WALKED


def cells_on_foot(state: State) -> Iterator[Cell]:
    """Yields the cells that a walk from the adventurer reaches, nearest first: only pillars stop it."""
    tiles = state.board.array()
    reached, queue = {state.adventurer}, deque([state.adventurer])
    while queue:
        cell = queue.popleft()
        yield cell
        for direction in FOUR_WAYS:
            onward = cell.neighbour(direction)
            if onward.is_inside(*tiles.shape) and tiles[onward] != PILLAR and onward not in reached:
                reached.add(onward)
                queue.append(onward)
