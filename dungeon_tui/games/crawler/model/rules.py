"""The crawler's rules. The turn, in this order: the adventurer, the ways out, the monsters, the amulet.

Source:
    The "Dungeon Crawler" homework of introductory C++ courses, as docs/games/crawler.md restates it; each function
    names the sentence it obeys.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import FOUR_WAYS, Cell, Direction
from dungeon_tui.core.rules import Event, IllegalActionError, LevelBegun, Outcome
from dungeon_tui.core.sight import rays
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, MONSTER, OPEN, PILLAR, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.state import (
    STEPS,
    Action,
    AmuletTaken,
    Died,
    DoorTaken,
    Doubled,
    DoublingRefused,
    Escaped,
    MonstersAdvanced,
    Moved,
    State,
    Status,
    Stayed,
    StayReason,
    TreasureTaken,
)

VERSION = 1
UNLISTED: frozenset[type] = frozenset()
_ACTIONS = tuple(Action)

_ITEMS = (TREASURE, AMULET, DOOR, WAY_OUT)
_MOST_CELLS = 1 << 16  # of a board on which it is looked whether a way out can be reached


@dataclass(frozen=True, slots=True)
class Threat:
    """A cell that the monsters' next step may destroy, and nothing like it is left."""

    cell: Cell
    tile: int
    actions: tuple[Action, ...]  # those that let it happen in the coming turn


def start(dungeon: Dungeon, seed: int = 0) -> State:
    """State at the start of the first level. Nothing is left to chance: the seed plays no part."""
    level = dungeon.levels[0]
    return State(dungeon, 1, Board.of(level.tiles), level.start)


def legal_actions(state: State) -> tuple[Action, ...]:
    """All five actions while the game goes on, as bumping into something is a move too; none after the end."""
    return _ACTIONS if state.status is Status.PLAYING else ()


def objection(state: State, action: Action) -> str | None:
    """Reason why `step` refuses an action: the game is over; None while it goes on."""
    return None if state.status is Status.PLAYING else f"the game is over ({state.status.value}): undo or restart"


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a turn, and its events. Raises IllegalActionError once the game is over.

    Rule: "Every command but `q` and an unknown one costs one move, bumping into something included."
    """
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    state = replace(state, moves=state.moves + 1)
    cell, reason = _destination(state, action)
    if reason is not None:
        state, events = _let_monsters_move(state)
        return state, (Stayed(cell, reason), *events)
    moved = Moved(state.adventurer, cell)
    tile = state.board[cell]
    state = replace(state, adventurer=cell)
    if tile == DOOR:
        return _leave_level(state, moved)
    if tile == WAY_OUT:
        left = _treasure_on(state.board)
        state = replace(state, status=Status.ESCAPED, left_behind=state.left_behind + left)
        return state, (moved, Escaped(left))
    events = [moved]
    if tile != OPEN:
        state = replace(state, board=state.board.replace([cell.row * state.board.width + cell.col], [OPEN]))
    if tile == TREASURE:
        state = replace(state, treasure=state.treasure + 1)
        events.append(TreasureTaken(state.treasure))
    elif tile == AMULET:
        events.append(AmuletTaken())
    state, monster_events = _let_monsters_move(state)
    events += monster_events
    if tile == AMULET and state.status is Status.PLAYING:
        state, doubling = _double(state)
        events.append(doubling)
    return state, tuple(events)


def moments(state: State, commands: str) -> Iterator[State]:
    """Yields a state, then the one after each of the commands, letter by letter, until the game is over.

    Raises:
        ValueError: a letter is no command.
    """
    yield state
    for letter in commands:
        if state.status is not Status.PLAYING:
            return
        state, _ = step(state, read_action(letter))
        yield state


def outcome(state: State) -> Outcome | None:
    """The end of the game; None while it goes on."""
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
    """The letter of an action's command."""
    return action.value


def read_action(text: str) -> Action:
    """The action of a command's letter. Raises ValueError for any other text."""
    return Action(text)


def fingerprint(state: State) -> str:
    """SHA-256 over a state's numbers and tiles, as 64 hexadecimal digits."""
    board = state.board
    numbers = (
        state.number, board.height, board.width, *state.adventurer, state.treasure, state.moves, state.left_behind
    )  # fmt: skip
    digest = hashlib.sha256(f"{state.status.value} {' '.join(map(str, numbers))}\n".encode())
    digest.update(board.copy().data)
    return digest.hexdigest()


def sight_lines(state: State, cell: Cell | None = None) -> dict[Direction, tuple[int, tuple[int, ...]]]:
    """The views from a cell, by default the adventurer's: per direction the ray's length and the monsters' distances.

    Both in steps; a pillar or the map's edge ends a ray, a monster does not.
    """
    lines: dict[Direction, tuple[int, tuple[int, ...]]] = {}
    for direction, ray in rays(state.board, cell or state.adventurer, PILLAR).items():
        seen: list[int] = []
        distance = ray.find(MONSTER) + 1
        while distance:
            seen.append(distance)
            distance = ray.find(MONSTER, distance) + 1
        lines[direction] = (len(ray), tuple(seen))
    return lines


def deadly_cells(state: State) -> list[Cell]:
    """The cells where the next turn is death: neighbours to step on, or the adventurer's own to stay on.

    Plays each turn as far as the monsters' moves: nothing doubles.
    """
    cells = []
    for action in legal_actions(state):
        cell, reason = _destination(state, action)
        if reason is None and state.board[cell] in (DOOR, WAY_OUT):
            continue  # the monsters don't move any more
        after, _ = _let_monsters_move(replace(state, adventurer=cell))
        if after.status is Status.DIED and cell not in cells:
            cells.append(cell)
    return cells


def destination(state: State, action: Action) -> Cell:
    """The cell after the adventurer's own move: a neighbour, or its own where it is stopped."""
    return _destination(state, action)[0]


def _destination(state: State, action: Action) -> tuple[Cell, StayReason | None]:
    """The cell after the adventurer's own move, and why it is the old one.

    Rule: "Off the map, a pillar, a monster, or `!` without treasure (of the whole dungeon so far): the adventurer
    stays."
    """
    here = state.adventurer
    if action is Action.STAY:
        return here, StayReason.CHOSEN
    rows, cols = STEPS[action].value
    row, col = here.row + rows, here.col + cols
    if not (0 <= row < state.board.height and 0 <= col < state.board.width):
        return here, StayReason.EDGE
    cell = Cell(row, col)
    tile = state.board[cell]
    if tile == PILLAR:
        return here, StayReason.PILLAR
    if tile == MONSTER:
        return here, StayReason.MONSTER
    if tile == WAY_OUT and state.treasure == 0:
        return here, StayReason.NO_TREASURE
    return cell, None


def _leave_level(state: State, moved: Moved) -> tuple[State, tuple[Event, ...]]:
    """The state in the next level, or at the end if there is none, and the events.

    Rule: "`?` ends the level at once [...]: monsters don't move any more. `?` on the last level [...] ends the game".
    """
    left = _treasure_on(state.board)
    state = replace(state, left_behind=state.left_behind + left)
    if state.number == len(state.dungeon.levels):
        return replace(state, status=Status.OUT_OF_LEVELS), (moved, DoorTaken(left))
    level = state.dungeon.levels[state.number]
    number = state.number + 1
    state = replace(state, number=number, board=Board.of(level.tiles), adventurer=level.start)
    return state, (moved, DoorTaken(left), LevelBegun(number))


def _let_monsters_move(state: State) -> tuple[State, list[Event]]:
    """The state after all monsters in sight of the adventurer have come a step closer, and the events.

    Rule: "from the adventurer's cell outward, up, then down, then left, then right: each monster met on that ray,
    nearest first, steps one cell towards the adventurer; a pillar or the map's edge ends the ray. A monster destroys
    what it steps on (`$ @ ? !`). If one stands on the adventurer's cell, the adventurer is dead."
    """
    board, here = state.board, state.adventurer
    at = here.row * board.width + here.col
    changed: list[NDArray[np.intp]] = []
    values: list[NDArray[np.uint8]] = []
    events: list[Event] = []
    is_caught = False
    for direction, seen in rays(board, here, PILLAR).items():
        if MONSTER not in seen:
            continue
        ray = np.frombuffer(seen, np.uint8)
        monsters = np.flatnonzero(ray == MONSTER)
        targets = monsters - 1
        is_caught |= bool(targets[0] < 0)
        targets = targets[targets >= 0]
        after = ray.copy()
        after[monsters] = OPEN  # nearest first: each one has left before the next arrives
        after[targets] = MONSTER
        places = np.union1d(monsters, targets)
        rows, cols = direction.value
        changed.append(at + (places + 1) * (rows * board.width + cols))
        values.append(after[places])
        stepped_on = ray[targets]
        destroyed = stepped_on[(stepped_on != OPEN) & (stepped_on != MONSTER)]
        events.append(MonstersAdvanced(direction, tuple((monsters + 1).tolist()), tuple(destroyed.tolist())))
    if is_caught:
        changed.append(np.array([at], np.intp))
        values.append(np.array([MONSTER], np.uint8))
        events.append(Died(here))
        state = replace(state, status=Status.DIED)
    if changed:
        state = replace(state, board=board.replace(np.concatenate(changed), np.concatenate(values)))
    return state, events


def _double(state: State) -> tuple[State, Event]:
    """The state with its level doubled, or unchanged if that would exceed the limit, and the event that says so.

    Rule: "the level doubles to 2 rows x 2 cols: the upper left quarter is the map as it is now".
    """
    height, width = state.board.height, state.board.width
    limit = state.dungeon.cell_limit
    if 4 * height * width > limit:
        return state, DoublingRefused(4 * height * width, limit)
    return replace(state, board=state.board.doubled()), Doubled(2 * height, 2 * width)


def _treasure_on(board: Board) -> int:
    return int(np.count_nonzero(board.array() == TREASURE))


def threats(state: State) -> tuple[Threat, ...]:
    """Cells whose thing monsters may destroy in the coming turn, and the level would then have none that serves.

    Named are: ways out and doors, if no other leads on; the treasure without which no way out opens, or the last one
    of the level while none is held; the last amulet, where no way out can be walked to on the board as it is.
    Turns that are death are passed over.
    """
    found: dict[Cell, list[Action]] = {}
    for action in legal_actions(state):
        if crushed := crushed_cells(state, action):
            for cell in _missed(state, crushed):
                found.setdefault(cell, []).append(action)
    return tuple([Threat(cell, state.board[cell], tuple(actions)) for cell, actions in sorted(found.items())])


def crushed_cells(state: State, action: Action) -> list[Cell]:
    """Cells of the things that monsters step on in the turn of an action; none if that turn is death or leaves."""
    to = destination(state, action)
    if to != state.adventurer and state.board[to] in (DOOR, WAY_OUT):
        return []  # the monsters don't move any more
    crushed = []
    for direction, (_, distances) in sight_lines(state, to).items():
        for distance in distances:
            if distance == 1:
                return []
            target = to.neighbour(direction, distance - 1)
            if state.board[target] in _ITEMS:
                crushed.append(target)
    return crushed


def _missed(state: State, crushed: Sequence[Cell]) -> list[Cell]:
    """The crushed cells whose thing was the last that could serve, once this turn is over.

    Rule: "`?` [counts] where another level follows or no level ever had a `!`."
    """
    tiles = state.board.array()
    there: dict[int, int] = {}
    lost: dict[int, list[Cell]] = {}
    left: dict[int, int] = {}  # with the one taken
    for tile in _ITEMS:
        lost[tile] = []
        there[tile] = left[tile] = int(np.count_nonzero(tiles == tile))
    for cell in crushed:
        lost[int(tiles[cell])].append(cell)
        left[int(tiles[cell])] -= 1
    has_treasure = state.treasure + left[TREASURE] > 0
    leads_on = state.number < len(state.dungeon.levels) or state.dungeon.is_left_by_door
    was_open = state.treasure + there[TREASURE] > 0
    missed = []
    if left[DOOR] * leads_on + left[WAY_OUT] * has_treasure == 0:
        missed += lost[DOOR] if leads_on else []
        missed += lost[WAY_OUT] if was_open else []
    elif lost[AMULET] and left[AMULET] == 0 and not _is_way_out_near(state, leads_on, has_treasure, crushed):
        missed += lost[AMULET]
    return missed + ([] if has_treasure else lost[TREASURE])


def _is_way_out_near(state: State, leads_on: bool, has_treasure: bool, crushed: Sequence[Cell]) -> bool:
    """True if a way out that can be used is still reached on foot, as if there were no monsters, or on large boards."""
    tiles = state.board.array()
    if tiles.size > _MOST_CELLS:
        return True
    goals = {DOOR: leads_on, WAY_OUT: has_treasure}
    reached, queue = {state.adventurer}, deque([state.adventurer])
    while queue:
        cell = queue.popleft()
        if goals.get(int(tiles[cell])) and cell not in crushed:
            return True
        for direction in FOUR_WAYS:
            beside = cell.neighbour(direction)
            if beside.is_inside(*tiles.shape) and tiles[beside] != PILLAR and beside not in reached:
                reached.add(beside)
                queue.append(beside)
    return False
