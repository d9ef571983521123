"""The deep in words, for its screen and for plain text."""

from collections.abc import Sequence
from dataclasses import replace
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from dungeon_tui import engine
from dungeon_tui.core.adventure import SHOWN_AMULET
from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.guide import MapGuide, apart
from dungeon_tui.core.words import capitalised, counted, sentence
from dungeon_tui.games.deep.ai.aim import is_disguised, shown_treasure
from dungeon_tui.games.deep.ai.solver import LineFinder
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.events import MonsterWoke
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS, Look, hunter, runner, tracker
from dungeon_tui.games.deep.model.room import AMULET, CHASM, DOORS, OPEN, PILLAR, Monster
from dungeon_tui.games.deep.model.state import ACTION_OF, STEPS, Action, State, Status
from dungeon_tui.games.deep.view import words

SEEN_AROUND = 3  # cells in fog, each way; farther along the row and the column up to a pillar
SIGNS = {AMULET: SHOWN_AMULET} | {item.tile: item.glyph for item in ITEMS.values()}  # of tiles with other codes
COMMANDS = "".join(action.value for action in Action) + "q"


class DeepGuide(MapGuide[State]):
    """The deep in words, without what fog hides."""

    commands = "w a s d: up, left, down, right; e: stay; 1 haste, 3 frost, 7 bomb, 9 scroll: use it; q: quit."
    keys = {way: ACTION_OF[way].value for way in FOUR_WAYS}
    names = {action.value: STEPS[action].words if action in STEPS else action.name.lower() for action in Action}

    def __init__(self) -> None:
        self._lines = LineFinder()

    def here(self, state: State) -> Cell:
        return state.adventurer.cell

    def name(self, state: State, cell: Cell) -> str:
        room = state.room
        if not cell.is_inside(room.board.height, room.board.width):
            return "edge"
        if is_hidden(state, cell):
            return "the dark"
        if monster := room.monster_at(cell):
            return monster_text(state, monster).partition(":")[0]
        if bomb := next((bomb for bomb in room.bombs if bomb.cell == cell), None):
            return f"bomb, {counted(bomb.turns, 'turn')} to go"
        tile = room.tile(cell)
        if tile == PILLAR:
            return rules.block_name(state, cell)
        price = rules.price_text(state, tile)
        return "" if tile == OPEN else words.tile_name(state, tile) + (f" ({price})" if price else "")

    def landmarks(self, state: State) -> list[tuple[str, Cell]]:
        tiles, shown, look = state.room.board.copy(), seen(state), Look(state.room, state.adventurer.cell)
        for monster in state.room.monsters:
            if is_disguised(state, monster):
                tiles[monster.cell] = state.campaign.kinds[monster.kind].looks
        found = [Cell(*cell) for cell in np.argwhere(~np.isin(tiles, [OPEN, PILLAR, CHASM])).tolist()]
        known, doors = look.distances(), state.level.doors
        is_far = {cell: not any(each in known for each in (cell, *map(cell.neighbour, FOUR_WAYS))) for cell in found}
        # Things, open doors, shut ones; then what is walled in.
        rank = {tile: 2 - rules.can_pay(state, tile, door) for tile, door in doors.items()}
        near = sorted(found, key=lambda cell: (is_far[cell], rank.get(int(tiles[cell]), 0), look.away(cell)))
        bombs = [bomb.cell for bomb in state.room.bombs if not is_hidden(state, bomb.cell)]
        moving = sorted({*self.monsters(state), *bombs} - {*near}, key=look.away)  # last: the mark names them
        marks = [(SIGNS.get(tiles[cell], chr(tiles[cell])), cell) for cell in near if shown is None or shown[cell]]
        return [*marks, *(("", cell) for cell in moving)]

    def monsters(self, state: State) -> Sequence[Cell]:
        return [each.cell for each in shown_monsters(state)]

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        """The safest of the shortest walks to a cell with no door on the way; or why there is none."""
        if not cell.is_inside(state.room.board.height, state.room.board.width):
            return "That is off the map."
        if cell == state.adventurer.cell:
            return "You are already there."
        if is_hidden(state, cell):
            return "You can't see that cell."
        tiles = state.room.board.copy()
        if tiles[cell] in (PILLAR, CHASM):
            return "You can't walk there."
        passable = ~np.isin(tiles, [PILLAR, CHASM, *DOORS])
        passable[cell] = passable[state.adventurer.cell] = True
        left = engine.distance_map(passable, [cell], diagonal=False)
        if left[state.adventurer.cell] == engine.UNREACHED:
            return f"No way leads to {cell.text}."
        return _safest_walk(state, left)

    def cell_text(self, state: State, cell: Cell) -> str:
        if not cell.is_inside(state.room.board.height, state.room.board.width):
            return ""
        tile = state.room.tile(cell)
        if is_hidden(state, cell):
            what = "not in sight"
        elif cell == state.adventurer.cell and state.status is not Status.DIED:
            what = "you, the adventurer"
        elif monster := state.room.monster_at(cell):
            what = monster_text(state, monster)
        elif tile == PILLAR:
            what = rules.block_name(state, cell)
        else:
            what = words.tile_text(state, tile)
        return f"{capitalised(cell.text)}: {what}"

    def underfoot(self, state: State) -> str:
        tile = state.room.tile(state.adventurer.cell)
        return f"You stand on {words.the_name(state, tile)}: step off and back on to go through." * (tile in DOORS)

    def standing(self, state: State) -> str:
        adventurer, room, period = state.adventurer, state.room, state.level.shrinks
        parts = sorted({f"{capitalised(monster_text(state, each))}." for each in shown_monsters(state)})
        here = shown_treasure(state, room)
        parts.append(f"{counted(adventurer.treasure, 'treasure')}, {here} left here; you carry {words.carried(state)}.")
        parts += [f"{door}: {where}." for door, where in words.doors(state)]
        if period:
            (row, col), board = adventurer.cell, room.board
            inside = min(row, col, board.height - 1 - row, board.width - 1 - col) - room.rings
            falls = counted(period - room.turns % period, "turn")
            parts.append(f"The rim falls in {falls}; you are {counted(inside, 'step')} inside it.")
        return " ".join([*parts, words.goal(state)])

    def kinds(self, state: State) -> list[tuple[str, str]]:
        """Rows for each kind of monster in view, the nearest first: its name and habit."""
        look, kinds = Look(state.room, state.adventurer.cell), state.campaign.kinds
        shown = sorted(shown_monsters(state), key=lambda each: look.away(each.cell))
        names = dict.fromkeys(each.kind for each in shown)
        return [(capitalised(words.kind_name(name)), kinds[name].text) for name in names]

    def hunters(self, state: State) -> Sequence[str]:
        look, here, kinds = Look(state.room, state.adventurer.cell), state.adventurer.cell, state.campaign.kinds
        awake = [each for each in shown_monsters(state) if each.is_awake]
        hunters = [each for each in awake if kinds[each.kind].move is not hunter or look.sight(each.cell)]
        hunters.sort(key=lambda each: look.away(each.cell))
        return [f"{words.kind_name(each.kind)}: {apart(here, each.cell)}" for each in hunters]

    def deadly(self, state: State) -> Sequence[Action]:
        return rules.deadly_actions(state)

    def hint(self, state: State) -> str:
        found = self._lines.onward(state)
        if found.line is None:
            return words.no_door(found)
        made, _, name = words.first_thing(state, found)
        keys = self.typed(state, found.line[:made])
        texts = words.purpose_text(state, found), sentence(words.way_text(state, found))
        return " ".join([f"Type {keys}: {self.runs(keys)}, to {name}.", *filter(None, texts)])


def _safest_walk(state: State, left: NDArray[np.int32]) -> tuple[Action, ...]:
    """A walk down a map of distances on which the fewest turns are dangerous, by the monsters in view."""
    start = replace(state, room=replace(state.room, monsters=tuple(shown_monsters(state))))
    queue: list[tuple[int, int, int, State, tuple[Action, ...]]] = [(0, int(left[start.adventurer.cell]), 0, start, ())]
    count, done = 0, set[Cell]()
    while True:
        dangers, more, _, before, way = heappop(queue)
        if not more:
            return way
        if before.adventurer.cell in done:
            continue
        done.add(before.adventurer.cell)
        for step, action in ACTION_OF.items():
            cell = before.adventurer.cell.neighbour(step)
            if not cell.is_inside(*left.shape) or left[cell] != more - 1:
                continue
            after = safe_step(before, action)
            there = after or replace(before, adventurer=replace(before.adventurer, cell=cell))
            heappush(queue, (dangers + (after is None), more - 1, count := count + 1, there, (*way, action)))


def safe_step(state: State, action: Action, *, is_fleeing: bool = False) -> State | None:
    """A step by what you see, without shield and sword; None if it kills or, unless you flee, wakes or corners you."""
    items = tuple(item for item in state.adventurer.items if item not in ("shield", "sword"))
    shown = replace(state.room, monsters=tuple(shown_monsters(state)))
    bare = replace(state, adventurer=replace(state.adventurer, items=items), room=shown)
    if rules.objection(bare, action) is not None or rules.is_deadly(bare, action):
        return None
    after, happened = rules.step(bare, action)
    is_here = not is_fleeing and after.level is state.level and after.status is Status.PLAYING
    is_woken = any(isinstance(event, MonsterWoke) for event in happened)
    return None if is_here and (is_woken or rules.is_deadly(after, Action.STAY)) else after


def seen(state: State) -> NDArray[np.bool_] | None:
    """(height, width) True for cells not hidden by fog; None without fog."""
    room, here = state.room, state.adventurer.cell
    if not state.level.is_foggy or room.is_mapped or state.status is not Status.PLAYING:
        return None
    shown = np.zeros((room.board.height, room.board.width), bool)
    top, left = (max(0, at - SEEN_AROUND) for at in here)
    shown[top : here.row + SEEN_AROUND + 1, left : here.col + SEEN_AROUND + 1] = True
    for direction, ray in room.board.rays(here, PILLAR).items():
        for steps in range(1, len(ray) + 2):
            cell = here.neighbour(direction, steps)
            if cell.is_inside(room.board.height, room.board.width):
                shown[cell] = True
    return shown


def is_hidden(state: State, cell: Cell) -> bool:
    """True if fog hides a cell."""
    shown = seen(state)
    return shown is not None and not shown[cell]


def monster_text(state: State, monster: Monster) -> str:
    """A monster in words, with its habit, and where a runner heads; a sleeping mimic is treasure."""
    if is_disguised(state, monster):
        return "treasure"
    kind, heading = state.campaign.kinds[monster.kind], ""
    mood = f", {'awake' if monster.is_awake else 'asleep'}" * bool(kind.wakes)
    habit = KINDS["tracker" if kind.move is tracker else "hunter"].text if mood == ", awake" else kind.text
    if monster.heading:
        ahead = runner(Look(state.room, state.adventurer.cell), monster)  # a wall turns it round
        heading = f", now {(ahead.heading or monster.heading).words}"
    return f"{words.kind_name(monster.kind)}{mood}: {habit}{heading}"


def shown_tiles(state: State) -> NDArray[np.uint8]:
    """The tiles in view: (height, width), or (k,) in fog."""
    shown, tiles = seen(state), state.room.board.array()
    return tiles if shown is None else tiles[shown]


def shown_monsters(state: State) -> list[Monster]:
    """The monsters in view, without those that look like treasure."""
    shown = [each for each in state.room.monsters if not is_hidden(state, each.cell)]
    return [each for each in shown if not is_disguised(state, each)]
