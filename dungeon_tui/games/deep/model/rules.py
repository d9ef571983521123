"""The deep's rules. The order of a turn stands in docs/games/deep.md, and in `step`."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event, IllegalActionError, LevelBegun, Outcome
from dungeon_tui.games.deep.model.campaign import MOST_CELLS, Campaign, Door, Level
from dungeon_tui.games.deep.model.items import ITEM_OF_KEY, ITEM_OF_TILE, ITEMS
from dungeon_tui.games.deep.model.kinds import Look
from dungeon_tui.games.deep.model.room import (
    AMULET,
    CHASM,
    OPEN,
    PILLAR,
    TREASURE,
    Adventurer,
    Bomb,
    Monster,
    Room,
)
from dungeon_tui.games.deep.model.state import (
    STEPS,
    Action,
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
    Moved,
    RingFell,
    State,
    Status,
    Stayed,
    StayReason,
    TreasureTaken,
    Won,
)

VERSION = 1
UNLISTED: frozenset[type] = frozenset()

Turn = tuple[State, list[Event]]


def start(campaign: Campaign, seed: int = 0) -> State:
    """State at the start of the first level. Nothing is left to chance: the seed plays no part."""
    return entered(campaign, next(iter(campaign.levels.values())))


def entered(campaign: Campaign, level: Level) -> State:
    """State of one who begins in a level, with nothing."""
    return State(campaign, level, _entered(level), Adventurer(level.start), {})


def legal_actions(state: State) -> tuple[Action, ...]:
    """The steps, staying, and the items that are carried and have a key; none after the end."""
    return tuple(action for action in Action if objection(state, action) is None)


def objection(state: State, action: Action) -> str | None:
    """Reason why `step` refuses an action: the game is over, the item isn't carried, or there is nothing to show."""
    if state.status is not Status.PLAYING:
        return f"the game is over ({state.status.value}): undo or restart"
    item = ITEM_OF_KEY.get(action.value)
    if action is Action.SCROLL and (state.room.is_mapped or not state.level.is_foggy):
        return "no fog is left on this level: a scroll would be lost"
    return f"you carry no {item}" if item and item not in state.adventurer.items else None


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a turn, and its events. Raises IllegalActionError where there is an objection."""
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    haste = state.adventurer.haste
    is_first_half = haste > 0 and haste % 2 == 0  # of a turn with two moves
    adventurer = replace(state.adventurer, haste=max(haste - 1, 0))
    state, events = _act(replace(state, moves=state.moves + 1, adventurer=adventurer), action)
    if state.status is not Status.PLAYING or any(isinstance(event, DoorTaken) for event in events):
        return state, tuple(events)
    phases = [] if is_first_half else [_let_monsters_move, _let_bombs_burn]
    phases += [_double] if AmuletTaken() in events else []
    phases += [] if is_first_half else [_let_ring_fall]
    for phase in phases:
        state, more = phase(state)
        events += more
        if state.status is not Status.PLAYING:
            break
    return state, tuple(events)


def outcome(state: State) -> Outcome | None:
    """The end of the game; None while it goes on."""
    if state.status is Status.PLAYING:
        return None
    if state.status is Status.WON:
        return Outcome(state.ending, "You have left the deep.", True)
    reasons = {"bomb": "A bomb killed you.", "chasm": "You fell into the chasm."}
    return Outcome("died", reasons.get(state.ending, "A monster caught you."), False)


def action_text(action: Action) -> str:
    """The letter or digit of an action's command."""
    return action.value


def read_action(text: str) -> Action:
    """The action of a command's letter or digit. Raises ValueError for any other text."""
    return Action(text)


def fingerprint(state: State) -> str:
    """SHA-256 over all that a state holds, as 64 hexadecimal digits."""
    adventurer = state.adventurer
    digest = hashlib.sha256()
    digest.update(repr((
        state.level.name, state.moves, state.status.value, state.ending, sorted(state.opened), *adventurer.cell,
        adventurer.treasure, adventurer.items, adventurer.haste, adventurer.frost
    )).encode())  # fmt: skip
    for name, room in sorted({**state.left, state.level.name: state.room}.items()):
        monsters = [
            (each.kind, *each.cell, each.heading.name if each.heading else "", each.is_awake) for each in room.monsters
        ]
        bombs = [(*bomb.cell, bomb.turns) for bomb in room.bombs]
        size = room.board.height, room.board.width
        digest.update(repr((name, size, monsters, bombs, room.turns, room.rings, room.is_mapped)).encode())
        digest.update(room.board.copy().data)
    return digest.hexdigest()


def destination(state: State, action: Action) -> tuple[Cell, StayReason | None]:
    """The cell after the adventurer's own move, and why it is the old one."""
    here = state.adventurer.cell
    if action not in STEPS:
        return here, StayReason.CHOSEN
    cell = here.neighbour(STEPS[action])
    tile = state.room.tile(cell)
    if tile == CHASM:
        return here, StayReason.EDGE
    if tile == PILLAR:
        return here, StayReason.PILLAR
    if state.room.monster_at(cell) and "sword" not in state.adventurer.items:
        return here, StayReason.MONSTER
    if (door := state.level.doors.get(tile)) is not None:
        if not can_pay(state, tile, door):
            return here, StayReason.PRICE
        if door.to and arrival(state, door) is None:
            return here, StayReason.BLOCKED
    return cell, None


def arrival(state: State, door: Door) -> Cell | None:
    """The cell on which one comes out of a door; None where a monster stands there, or it has fallen away."""
    level = state.campaign.levels[door.to]
    room = _room_of(state, level)
    cell = room.place_of(ord(door.door)) if door.door else level.start
    if cell is None or room.monster_at(cell) or room.tile(cell) in (CHASM, PILLAR):
        return None
    return cell


def falling_cells(state: State) -> list[Cell]:
    """The cells that fall away at the end of the coming turn."""
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
    """A level as it is when first entered."""
    return Room(Board.of(level.tiles), level.monsters)


def _room_of(state: State, level: Level) -> Room:
    """A level as it is now: as it was left, or as in its file."""
    if level is state.level:
        return state.room
    return state.left[level.name] if level.name in state.left else _entered(level)


def can_pay(state: State, tile: int, door: Door) -> bool:
    """True if a door lets the adventurer pass: he carries enough, and it was paid, or he can pay it."""
    treasure = state.adventurer.treasure
    is_open = (state.level.name, tile) in state.opened
    can_open = treasure >= door.cost and (not door.key or "key" in state.adventurer.items)
    return treasure >= door.carry and (is_open or can_open)


def _act(state: State, action: Action) -> Turn:
    """The adventurer's own move: he uses an item, stays, or goes and takes what is there."""
    adventurer = state.adventurer
    if item := ITEM_OF_KEY.get(action.value):
        use = ITEMS[item].use
        assert use is not None, "an item with a key can be used"
        adventurer, room = use(adventurer.without(item), state.room)
        return replace(state, adventurer=adventurer, room=room), [ItemUsed(item)]
    cell, reason = destination(state, action)
    if reason is not None:
        return state, [Stayed(cell, reason)]
    events: list[Event] = []
    if (monster := state.room.monster_at(cell)) is not None:
        adventurer = adventurer.without("sword")
        state = replace(state, room=_without(state.room, monster))
        events += [ItemUsed("sword"), MonsterKilled(monster.kind, cell, "sword")]
    events.append(Moved(adventurer.cell, cell))
    tile = state.room.tile(cell)
    state = replace(state, adventurer=replace(adventurer, cell=cell))
    if (door := state.level.doors.get(tile)) is not None:
        state, more = _take_door(state, tile, door)
        return state, events + more
    return _take_thing(state, tile, events)


def _take_thing(state: State, tile: int, events: list[Event]) -> Turn:
    """The adventurer takes what lies on his cell."""
    adventurer = state.adventurer
    if tile == TREASURE:
        adventurer = replace(adventurer, treasure=adventurer.treasure + 1)
        events.append(TreasureTaken(adventurer.treasure))
    elif tile == AMULET:
        events.append(AmuletTaken())
    elif tile in ITEM_OF_TILE:
        adventurer = replace(adventurer, items=(*adventurer.items, ITEM_OF_TILE[tile]))
        events.append(ItemTaken(ITEM_OF_TILE[tile]))
    else:
        return state, events
    return replace(state, adventurer=adventurer, room=state.room.with_tile(adventurer.cell, OPEN)), events


def _take_door(state: State, tile: int, door: Door) -> Turn:
    """The adventurer pays and leaves: this level stays as it is, the one behind is found as it was left."""
    adventurer, events = state.adventurer, list[Event]()
    if (door.cost or door.key) and (state.level.name, tile) not in state.opened:
        adventurer = replace(adventurer, treasure=adventurer.treasure - door.cost)
        adventurer = adventurer.without("key") if door.key else adventurer
        state = replace(state, opened=state.opened | {(state.level.name, tile)})
        events.append(DoorPaid(door.cost, door.key))
    if door.ending:
        return replace(state, adventurer=adventurer, status=Status.WON, ending=door.ending), [*events, Won(door.ending)]
    level, cell = state.campaign.levels[door.to], arrival(state, door)
    assert cell is not None, "a door that is blocked isn't taken"
    is_return = level is state.level or level.name in state.left
    room = _room_of(state, level)
    left = {name: each for name, each in {**state.left, state.level.name: state.room}.items() if name != level.name}
    state = replace(state, level=level, room=room, left=left, adventurer=replace(adventurer, cell=cell))
    number = list(state.campaign.levels).index(level.name) + 1
    return state, [*events, DoorTaken(level.name, is_return), LevelBegun(number)]


def _let_monsters_move(state: State) -> Turn:
    """All monsters move, those nearest to the adventurer first, unless frost holds them."""
    adventurer = state.adventurer
    if adventurer.frost:
        adventurer = replace(adventurer, frost=adventurer.frost - 1)
        return replace(state, adventurer=adventurer), [MonstersFrozen(adventurer.frost)]
    events: list[Event] = []
    known: dict[tuple[int, int], int] = {}
    look = Look(state.room, adventurer.cell)
    for monster in sorted(state.room.monsters, key=lambda each: (look.away(each.cell), each.cell)):
        kind = state.campaign.kinds[monster.kind]
        if not monster.is_awake:
            if look.away(monster.cell) <= kind.wakes:
                state = replace(state, room=_with(state.room, monster, monster._replace(is_awake=True)))
                events.append(MonsterWoke(monster.kind, monster.cell))
            continue
        for _ in range(kind.steps):
            wish = kind.move(Look(state.room, adventurer.cell, known), monster)
            state, monster, happened = _let_monster_step(state, monster, wish)
            events += happened
            if state.status is not Status.PLAYING:
                return state, events
            if not any(isinstance(event, MonsterMoved) for event in happened):
                break
    return state, events


def _let_monster_step(state: State, monster: Monster, wish: Monster) -> tuple[State, Monster, list[Event]]:
    """A monster becomes as it wishes, as far as it can; it attacks the adventurer, and destroys what it steps on."""
    room, events = state.room, list[Event]()
    cell = wish.cell
    if cell == monster.cell or not Look(room, state.adventurer.cell).is_free(cell):
        stays = wish._replace(cell=monster.cell)
        return replace(state, room=_with(room, monster, stays)), stays, events
    if cell == state.adventurer.cell:
        state, events = _strike(state, monster.kind)
        if state.status is Status.PLAYING:  # thrown back by the shield
            return state, monster, events
        return replace(state, room=_with(room, monster, wish)), wish, events
    destroyed = room.tile(cell)
    room = _with(room if destroyed == OPEN else room.with_tile(cell, OPEN), monster, wish)
    return replace(state, room=room), wish, [MonsterMoved(monster.kind, monster.cell, cell, destroyed)]


def _strike(state: State, killer: str) -> Turn:
    """An attack on the adventurer: it costs his shield, or his life."""
    if "shield" in state.adventurer.items:
        return replace(state, adventurer=state.adventurer.without("shield")), [ItemUsed("shield")]
    return replace(state, status=Status.DIED, ending=killer), [Died(state.adventurer.cell, killer)]


def _let_bombs_burn(state: State) -> Turn:
    """All bombs count down; at 0 they break pillars, kill monsters and strike the adventurer, on nine cells."""
    room, events = state.room, list[Event]()
    state = replace(state, room=replace(room, bombs=tuple(bomb._replace(turns=bomb.turns - 1) for bomb in room.bombs)))
    for bomb in [bomb for bomb in state.room.bombs if bomb.turns == 0]:
        state, more = _blow_up(state, bomb)
        events += more
        if state.status is not Status.PLAYING:
            break
    return state, events


def _blow_up(state: State, bomb: Bomb) -> Turn:
    room, events = state.room, list[Event]([BombBlewUp(bomb.cell)])
    room = replace(room, bombs=tuple(each for each in room.bombs if each is not bomb))
    blast = [Cell(bomb.cell.row + rows, bomb.cell.col + cols) for rows in (-1, 0, 1) for cols in (-1, 0, 1)]
    for cell in blast:
        if room.tile(cell) == PILLAR:
            room = room.with_tile(cell, OPEN)
        if (monster := room.monster_at(cell)) is not None:
            room = _without(room, monster)
            events.append(MonsterKilled(monster.kind, cell, "bomb"))
    state = replace(state, room=room)
    if state.adventurer.cell in blast:
        state, more = _strike(state, "bomb")
        events += more
    return state, events


def _double(state: State) -> Turn:
    """The level doubles to twice its rows and columns, with all that is in it but the adventurer."""
    room = state.room
    height, width = room.board.height, room.board.width
    if 4 * height * width > MOST_CELLS:
        return state, [DoublingRefused(4 * height * width)]
    corners = [(rows, cols) for rows in (0, height) for cols in (0, width)]
    monsters = [
        each._replace(cell=Cell(each.cell.row + rows, each.cell.col + cols))
        for rows, cols in corners for each in room.monsters
    ]  # fmt: skip
    bombs = [
        each._replace(cell=Cell(each.cell.row + rows, each.cell.col + cols))
        for rows, cols in corners for each in room.bombs
    ]  # fmt: skip
    room = replace(room, board=room.board.doubled(), monsters=tuple(monsters), bombs=tuple(bombs))
    return replace(state, room=room), [Doubled(2 * height, 2 * width)]


def _let_ring_fall(state: State) -> Turn:
    """A turn of this level is over; in one that shrinks the outermost ring falls, with all that stands there."""
    room, cells = replace(state.room, turns=state.room.turns + 1), set(falling_cells(state))
    if not cells:
        return replace(state, room=room), []
    events: list[Event] = [RingFell(room.rings + 1)]
    lost = [monster for monster in room.monsters if monster.cell in cells]
    events += [MonsterKilled(monster.kind, monster.cell, "chasm") for monster in lost]
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
        events.append(Died(state.adventurer.cell, "chasm"))
    return state, events


def _with(room: Room, old: Monster, new: Monster) -> Room:
    """The room with a monster in another's place."""
    return replace(room, monsters=tuple(new if each is old else each for each in room.monsters))


def _without(room: Room, monster: Monster) -> Room:
    return replace(room, monsters=tuple(each for each in room.monsters if each is not monster))
