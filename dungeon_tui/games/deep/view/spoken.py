"""The deep for those who don't look: what is around, doors, items, who hunts you, the next commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np

from dungeon_tui.core.grid import FOUR_WAYS, Cell
from dungeon_tui.core.spoken import Spoken, Surroundings, apart, in_runs, listed
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.games.deep.ai.solver import Hints
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.kinds import Look, hunter
from dungeon_tui.games.deep.model.room import CHASM, DOORS, OPEN, PILLAR, Monster
from dungeon_tui.games.deep.model.state import STEPS, Action, State, Status
from dungeon_tui.games.deep.view import words
from dungeon_tui.games.deep.view.picture import is_disguised, seen

_KEYS = "w a s d: up, left, down, right; e: stay; 1 haste, 3 frost, 7 bomb, 9 scroll: use it; q: leave."
_PATIENCE = 10.0  # seconds for a hint
_KEY_OF = {way: action.value for action, way in STEPS.items()}
_NAMES = {action.value: STEPS[action].words if action in STEPS else action.name.lower() for action in Action}
COMMANDS = "".join(_NAMES) + "q"


def spoken(board: Callable[[State], str]) -> Spoken[State]:
    """The answers in words of one game, and the board as the transcript prints it."""
    lines = Hints()
    return Spoken(
        keys=_KEYS,
        look=look,
        who=who,
        near=near,
        hint=lambda state: _hint(state, lines),
        board=board,
        commands=COMMANDS,
        is_final=lambda state: state.campaign.is_descent,
    )


def surroundings(state: State) -> Surroundings:
    """The level around the adventurer, as far as fog lets see."""
    room, here, shown = state.room, state.adventurer.cell, seen(state)
    tiles = room.board.copy()
    monsters = {each.cell: _told(state, each).partition(":")[0] for each in room.monsters}
    bombs = {bomb.cell: f"bomb, {counted(bomb.turns, 'turn')} to go" for bomb in room.bombs}

    def is_dark(cell: Cell) -> bool:
        return shown is not None and cell.is_inside(*tiles.shape) and not shown[cell]

    def name(cell: Cell) -> str:
        if is_dark(cell):
            return "the dark"
        tile = room.tile(cell)
        thing = "" if tile == OPEN else words.tile_text(tile, state.level.doors.get(tile)).partition(":")[0]
        edge = "" if cell.is_inside(*tiles.shape) else "edge"
        return edge or monsters.get(cell) or bombs.get(cell) or thing

    def steps(cell: Cell) -> Iterable[Cell]:
        if cell != here and (room.tile(cell) in DOORS or cell in monsters):
            return ()  # nobody goes further
        ways = map(cell.neighbour, FOUR_WAYS)
        return [beside for beside in ways if room.tile(beside) not in (PILLAR, CHASM) and not is_dark(beside)]

    places = [Cell(*place) for place in np.argwhere((tiles != OPEN) & (tiles != PILLAR) & (tiles != CHASM)).tolist()]
    cells = dict.fromkeys([*monsters, *bombs, *places])
    things = [(name(cell), cell) for cell in cells if not is_dark(cell) and cell != here]
    shown_monsters = [each.cell for each in room.monsters if not is_dark(each.cell) and not is_disguised(state, each)]
    return Surroundings(here, name, things, steps, _KEY_OF, shown_monsters)


def near(state: State, word: str) -> str:
    """The nearest thing with a word in its name, and the door that one stands on."""
    under = _underfoot(state)
    is_meant = bool(word) and word.lower() in under.lower()
    return " ".join([*([under] if is_meant else []), surroundings(state).near(word)])


def _underfoot(state: State) -> str:
    tile = state.room.tile(state.adventurer.cell)
    if tile not in DOORS:
        return ""
    name = words.tile_text(tile, state.level.doors.get(tile)).partition(":")[0]
    return f"You stand on {name}: a step off it and back goes through."


def look(state: State) -> str:
    """The surroundings, what is carried, the doors and what they ask, the next fall of the rim, and the goal."""
    adventurer, room, period = state.adventurer, state.room, state.level.shrinks
    carried = ", ".join(label for label, _ in words.inventory(state)) or "nothing"
    around = surroundings(state)
    habits = {f"{capitalised(_told(state, each))}." for each in room.monsters if each.cell in around.monsters}
    told = [
        *filter(None, [_underfoot(state)]),
        around.look(),
        *sorted(habits),
        f"{counted(adventurer.treasure, 'treasure')}; you carry {carried}.",
    ]
    told += [f"{door} to {re.sub('^[?]', 'somewhere new', where)}." for door, where in words.doors(state)]
    if period:
        left = period - room.turns % period
        edge = min(
            adventurer.cell.row, adventurer.cell.col,
            room.board.height - 1 - adventurer.cell.row, room.board.width - 1 - adventurer.cell.col,
        ) - room.rings  # fmt: skip
        told += [f"The rim falls in {counted(left, 'turn')}; you are {counted(edge, 'step')} inside it."]
    return " ".join([*told, words.goal(state)])


def who(state: State) -> str:
    """The monsters in sight that see or track the adventurer, nearest first, and the commands that would be death."""
    look, shown, here = Look(state.room, state.adventurer.cell), seen(state), state.adventurer.cell
    hunters = [
        each
        for each in state.room.monsters
        if each.is_awake
        and (shown is None or shown[each.cell])
        and (state.campaign.kinds[each.kind].move is not hunter or look.sight(each.cell))
    ]
    hunters.sort(key=lambda each: look.away(each.cell))
    told = listed([f"{words.kind_name(each.kind)}: {apart(here, each.cell)}" for each in hunters], len(hunters))
    moves = {_NAMES[action.value]: rules.step(state, action)[0].status for action in rules.legal_actions(state)}
    deadly = [move for move, status in moves.items() if status is Status.DIED]
    return " ".join(filter(None, [told, f"Deadly now: {', '.join(deadly)}." if deadly else ""]))


def _told(state: State, monster: Monster) -> str:
    return "treasure" if is_disguised(state, monster) else words.monster_text(state, monster.kind, monster.is_awake)


def _hint(state: State, lines: Hints) -> str:
    """The commands of a line to a door that was not taken yet, or to any."""
    found = lines.onward(state, _PATIENCE)
    if found.line is None:
        return words.NO_DOOR if found.is_decided else words.NO_DOOR_KNOWN
    keys = "".join(action.value for action in found.line)
    proof = "none is shorter" if found.is_decided else "the best way found"
    return f"Type {keys}: {in_runs(keys, _NAMES)}, to a door. {counted(len(keys), 'move')}: {proof}."
