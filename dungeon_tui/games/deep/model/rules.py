"""The deep's rules; docs/games/deep.md has the order of a turn, `step` implements it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from dungeon_tui.core import adventure
from dungeon_tui.core.adventure import StayReason, treasures
from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.rules import Event, IllegalActionError, LevelBegun, Outcome
from dungeon_tui.games.deep.model import events
from dungeon_tui.games.deep.model.campaign import MOST_CELLS, Campaign, Door, Level
from dungeon_tui.games.deep.model.items import ITEM_OF_KEY, ITEM_OF_TILE, ITEMS
from dungeon_tui.games.deep.model.kinds import Look
from dungeon_tui.games.deep.model.room import AMULET, CHASM, OPEN, PILLAR, TREASURE, Adventurer, Bomb, Monster, Room
from dungeon_tui.games.deep.model.state import STEPS, Action, State, Status

VERSION = 5
UNLISTED: frozenset[type] = frozenset()

Turn = tuple[State, list[Event]]


def start(campaign: Campaign, seed: int = 0) -> State:
    return entered(campaign, next(iter(campaign.levels.values())))


def entered(campaign: Campaign, level: Level) -> State:
    """State at the start of a level, carrying nothing."""
    return State(campaign, level, _entered(level), Adventurer(level.start), {})


def legal_actions(state: State) -> tuple[Action, ...]:
    return tuple(action for action in Action if objection(state, action) is None)


def objection(state: State, action: Action) -> str | None:
    if state.status is not Status.PLAYING:
        return f"the game is over ({state.status.value}): undo or restart"
    item = ITEM_OF_KEY.get(action.value)
    if action is Action.SCROLL and (state.room.is_mapped or not state.level.is_foggy):
        return "this level has no fog: a scroll would be wasted"
    if item:
        return None if item in state.adventurer.items else f"you carry no {item}"
    return _obstacle(state, action) if action in STEPS else None


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    haste = state.adventurer.haste
    is_first_half = haste > 0 and haste % 2 == 0  # of a turn with two moves
    adventurer = replace(state.adventurer, haste=max(haste - 1, 0))
    state, happened = _act(replace(state, moves=state.moves + 1, adventurer=adventurer), action)
    if state.status is not Status.PLAYING or any(isinstance(event, events.DoorTaken) for event in happened):
        return state, tuple(happened)
    phases = [] if is_first_half else [_let_monsters_move, _let_bombs_burn]
    phases += [_double] if adventure.AmuletTaken() in happened else []
    phases += [] if is_first_half else [_let_ring_fall]
    for phase in phases:
        state, more = phase(state)
        happened += more
        if state.status is not Status.PLAYING:
            break
    return state, tuple(happened)


def outcome(state: State) -> Outcome | None:
    if state.status is Status.PLAYING:
        return None
    if state.status is Status.WON:
        return Outcome(state.ending, "You have left the deep.", True)
    reasons = {"bomb": "A bomb killed you.", "chasm": "You fell into the chasm."}
    return Outcome("died", reasons.get(state.ending, "A monster caught you."), False)


def action_text(action: Action) -> str:
    return action.value


def read_action(text: str) -> Action:
    return Action(text)


def destination(state: State, action: Action) -> Cell:
    """The cell after the adventurer's part of a legal action, before a door leads on."""
    here = state.adventurer.cell
    return here.neighbour(STEPS[action]) if action in STEPS else here


def _obstacle(state: State, action: Action) -> str | None:
    """The reason why a step is impossible, or None."""
    tile = state.room.tile(cell := destination(state, action))
    what = {CHASM: "no floor", PILLAR: f"a {block_name(state, cell)}"}.get(tile, "")
    if state.room.monster_at(cell) and "sword" not in state.adventurer.items:
        what = "a monster"
    if what:
        return f"you can't go {STEPS[action].words}: there is {what}"
    if (door := state.level.doors.get(tile)) is not None:
        if not can_pay(state, tile, door):
            return f"{door_name(tile, door)} stays shut: {price_text(state, tile)}"
        if door.to and arrival(state, door) is None:
            return f"{door_name(tile, door)} doesn't move: something stands behind it"
    return None


def block_name(state: State, cell: Cell) -> str:
    """A block of stone in a word: a pillar if it stands alone, else a wall."""
    around = [state.room.tile(cell.neighbour(way)) for way in FOUR_WAYS]
    return "wall" if PILLAR in around or CHASM in around else "pillar"


def door_name(tile: int, door: Door | None) -> str:
    """A door with its number; those without one are brittle."""
    name = "way out" if door is not None and door.ending else "door"
    return f"{name} {chr(tile)}" if chr(tile).isdigit() else f"brittle {name}"


def price_text(state: State, tile: int, count: Callable[[int], str] = treasures) -> str:
    """The price that a door still has, or "", with treasures as `count` words them."""
    door = state.level.doors.get(tile)
    if door is None:
        return ""
    pays = [count(door.cost)] * bool(door.cost) + ["a key"] * door.key
    is_paid = (state.level.name, tile) in state.opened
    asks = [f"carry {count(door.carry)}"] * bool(door.carry)
    return " and ".join(asks + [f"pay {' and '.join(pays)}"] * bool(pays and not is_paid))


def deadly_actions(state: State) -> list[Action]:
    return [action for action in legal_actions(state) if is_deadly(state, action)]


def is_deadly(state: State, action: Action) -> bool:
    """True if a legal action is certain death."""
    return step(state, action)[0].status is Status.DIED


def arrival(state: State, door: Door) -> Cell | None:
    """The arrival cell behind a door; None if a monster occupies it, or it has fallen away."""
    level = state.campaign.levels[door.to]
    room = room_of(state, level)
    cell = room.cell_of(ord(door.door)) if door.door else level.start
    if cell is None or room.monster_at(cell) or room.tile(cell) in (CHASM, PILLAR):
        return None
    return cell


def falling_cells(state: State) -> list[Cell]:
    """The cells that fall away at the end of this turn."""
    room, period = state.room, state.level.shrinks
    if not period or (room.turns + 1) % period:
        return []
    height, width, ring = room.board.height, room.board.width, room.rings
    if 2 * ring >= min(height, width):
        return []
    return [
        Cell(row, col)
        for row in range(ring, height - ring)
        for col in range(ring, width - ring)
        if row in (ring, height - ring - 1) or col in (ring, width - ring - 1)
    ]


def _entered(level: Level) -> Room:
    return Room(Board.of(level.tiles), level.monsters)


def room_of(state: State, level: Level) -> Room:
    """The current state of a level; as in its file if not yet visited."""
    if level is state.level:
        return state.room
    return state.left[level.name] if level.name in state.left else _entered(level)


def can_pay(state: State, tile: int, door: Door) -> bool:
    """True if the adventurer carries enough for a door, and can pay its price or has done so."""
    treasure = state.adventurer.treasure
    is_open = (state.level.name, tile) in state.opened
    can_open = treasure >= door.cost and (not door.key or "key" in state.adventurer.items)
    return treasure >= door.carry and (is_open or can_open)


def _act(state: State, action: Action) -> Turn:
    """The adventurer's part of the turn: uses an item, stays, or moves and takes things."""
    adventurer = state.adventurer
    if item := ITEM_OF_KEY.get(action.value):
        use = ITEMS[item].use
        assert use is not None, "an item with a key can be used"
        adventurer, room = use(adventurer.without(item), state.room)
        return replace(state, adventurer=adventurer, room=room), [events.ItemUsed(item)]
    cell = destination(state, action)
    if action is Action.STAY:
        return state, [adventure.Stayed(cell, StayReason.CHOSEN)]

    # Onto a monster's cell only with a sword, which kills it and breaks.
    happened: list[Event] = []
    if (monster := state.room.monster_at(cell)) is not None:
        adventurer = adventurer.without("sword")
        state = replace(state, room=_without(state.room, monster))
        happened += [events.ItemUsed("sword"), events.MonsterKilled(monster.kind, cell, "sword")]
    happened.append(adventure.Moved(adventurer.cell, cell))
    tile = state.room.tile(cell)
    state = replace(state, adventurer=replace(adventurer, cell=cell))
    if (door := state.level.doors.get(tile)) is not None:
        state, more = _take_door(state, tile, door)
        return state, happened + more
    return _take_thing(state, tile, happened)


def _take_thing(state: State, tile: int, happened: list[Event]) -> Turn:
    adventurer = state.adventurer
    if tile == TREASURE:
        adventurer = replace(adventurer, treasure=adventurer.treasure + 1)
        happened.append(adventure.TreasureTaken(adventurer.treasure))
    elif tile == AMULET:
        happened.append(adventure.AmuletTaken())
    elif tile in ITEM_OF_TILE:
        adventurer = replace(adventurer, items=(*adventurer.items, ITEM_OF_TILE[tile]))
        happened.append(events.ItemTaken(ITEM_OF_TILE[tile]))
    else:
        return state, happened
    return replace(state, adventurer=adventurer, room=state.room.with_tile(adventurer.cell, OPEN)), happened


def _take_door(state: State, tile: int, door: Door) -> Turn:
    adventurer, happened = state.adventurer, list[Event]()
    if (door.cost or door.key) and (state.level.name, tile) not in state.opened:
        adventurer = replace(adventurer, treasure=adventurer.treasure - door.cost)
        adventurer = adventurer.without("key") if door.key else adventurer
        state = replace(state, opened=state.opened | {(state.level.name, tile)})
        happened.append(events.DoorPaid(door.cost, door.key))
    if door.ending:
        return replace(state, adventurer=adventurer, status=Status.WON, ending=door.ending), [
            *happened,
            events.Won(door.ending),
        ]
    level, cell = state.campaign.levels[door.to], arrival(state, door)
    assert cell is not None, "such a door is an obstacle"
    is_return = level is state.level or level.name in state.left
    room = room_of(state, level)
    left = {name: each for name, each in {**state.left, state.level.name: state.room}.items() if name != level.name}
    state = replace(state, level=level, room=room, left=left, adventurer=replace(adventurer, cell=cell))
    number = list(state.campaign.levels).index(level.name) + 1
    return state, [*happened, events.DoorTaken(level.name, is_return), LevelBegun(number)]


def _let_monsters_move(state: State) -> Turn:
    """Moves all monsters, those nearest to the adventurer first, unless frost holds them."""
    adventurer = state.adventurer
    if adventurer.frost:
        adventurer = replace(adventurer, frost=adventurer.frost - 1)
        return replace(state, adventurer=adventurer), [events.MonstersFrozen(adventurer.frost)]
    happened: list[Event] = []
    known: dict[tuple[int, int], int] = {}
    look = Look(state.room, adventurer.cell)
    for monster in sorted(state.room.monsters, key=lambda each: (look.away(each.cell), each.cell)):
        kind = state.campaign.kinds[monster.kind]
        if not monster.is_awake:
            if look.away(monster.cell) <= kind.wakes:
                state = replace(state, room=_with(state.room, monster, monster._replace(is_awake=True)))
                happened.append(events.MonsterWoke(monster.kind, monster.cell))
            continue
        for _ in range(kind.steps):
            wish = kind.move(Look(state.room, adventurer.cell, known), monster)
            state, monster, more = _let_monster_step(state, monster, wish)
            happened += more
            if state.status is not Status.PLAYING:
                return state, happened
            if not any(isinstance(event, events.MonsterMoved) for event in more):
                break
    return state, happened


def _let_monster_step(state: State, monster: Monster, wish: Monster) -> tuple[State, Monster, list[Event]]:
    """Moves a monster as it wishes if it can; it attacks the adventurer, and destroys anything it steps on."""
    room, happened = state.room, list[Event]()
    cell = wish.cell
    if cell == monster.cell or not Look(room, state.adventurer.cell).is_free(cell):
        stays = wish._replace(cell=monster.cell)
        return replace(state, room=_with(room, monster, stays)), stays, happened
    if cell == state.adventurer.cell:
        state, happened = _strike(state, monster.kind)
        if state.status is Status.PLAYING:  # thrown back by the shield
            return state, monster, happened
        return replace(state, room=_with(room, monster, wish)), wish, happened
    destroyed = room.tile(cell)
    room = _with(room if destroyed == OPEN else room.with_tile(cell, OPEN), monster, wish)
    return replace(state, room=room), wish, [events.MonsterMoved(monster.kind, monster.cell, cell, destroyed)]


def _strike(state: State, killer: str) -> Turn:
    if "shield" in state.adventurer.items:
        return replace(state, adventurer=state.adventurer.without("shield")), [events.ItemUsed("shield")]
    return replace(state, status=Status.DIED, ending=killer), [events.Died(state.adventurer.cell, killer)]


def _let_bombs_burn(state: State) -> Turn:
    """Counts all bombs down; at 0 they break pillars, kill monsters and attack the adventurer, on nine cells."""
    room, happened = state.room, list[Event]()
    state = replace(state, room=replace(room, bombs=tuple(bomb._replace(turns=bomb.turns - 1) for bomb in room.bombs)))
    for bomb in [bomb for bomb in state.room.bombs if bomb.turns == 0]:
        state, more = _blow_up(state, bomb)
        happened += more
        if state.status is not Status.PLAYING:
            break
    return state, happened


def blast(bomb: Bomb) -> list[Cell]:
    """The nine cells that a bomb strikes, some perhaps off the map."""
    return [Cell(bomb.cell.row + rows, bomb.cell.col + cols) for rows in (-1, 0, 1) for cols in (-1, 0, 1)]


def _blow_up(state: State, bomb: Bomb) -> Turn:
    room, happened = state.room, list[Event]([events.BombBlewUp(bomb.cell)])
    room = replace(room, bombs=tuple(each for each in room.bombs if each is not bomb))
    for cell in blast(bomb):
        if room.tile(cell) == PILLAR:
            room = room.with_tile(cell, OPEN)
        if (monster := room.monster_at(cell)) is not None:
            room = _without(room, monster)
            happened.append(events.MonsterKilled(monster.kind, cell, "bomb"))
    state = replace(state, room=room)
    if state.adventurer.cell in blast(bomb):
        state, more = _strike(state, "bomb")
        happened += more
    return state, happened


def _double(state: State) -> Turn:
    """Doubles the rows and columns of the level, with everything in it but the adventurer."""
    room = state.room
    height, width = room.board.height, room.board.width
    if 4 * height * width > MOST_CELLS:
        return state, [adventure.DoublingRefused(4 * height * width, MOST_CELLS)]
    corners = [Cell(row, col) for row in (0, height) for col in (0, width)]

    def copied(things: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(
            each._replace(cell=Cell(corner.row + each.cell.row, corner.col + each.cell.col))
            for corner in corners
            for each in things
        )

    room = replace(room, board=room.board.doubled(), monsters=copied(room.monsters), bombs=copied(room.bombs))
    return replace(state, room=room), [adventure.Doubled(2 * height, 2 * width)]


def _let_ring_fall(state: State) -> Turn:
    """Ends a turn of this level; if it shrinks now, its outermost ring falls, with everything on it."""
    room, cells = replace(state.room, turns=state.room.turns + 1), set(falling_cells(state))
    if not cells:
        return replace(state, room=room), []
    happened: list[Event] = [events.RingFell(room.rings + 1)]
    lost = [monster for monster in room.monsters if monster.cell in cells]
    happened += [events.MonsterKilled(monster.kind, monster.cell, "chasm") for monster in lost]
    where = np.array([cell.row * room.board.width + cell.col for cell in sorted(cells)], np.intp)
    room = replace(
        room,
        board=room.board.replace(where, np.full(len(where), CHASM, np.uint8)),
        monsters=tuple(monster for monster in room.monsters if monster.cell not in cells),
        bombs=tuple(bomb for bomb in room.bombs if bomb.cell not in cells),
        rings=room.rings + 1,
    )
    state = replace(state, room=room)
    if state.adventurer.cell in cells:
        state = replace(state, status=Status.DIED, ending="chasm")
        happened.append(events.Died(state.adventurer.cell, "chasm"))
    return state, happened


def _with(room: Room, old: Monster, new: Monster) -> Room:
    return replace(room, monsters=tuple(new if each is old else each for each in room.monsters))


def _without(room: Room, monster: Monster) -> Room:
    return replace(room, monsters=tuple(each for each in room.monsters if each is not monster))
