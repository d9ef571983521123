"""The delve's rules: you and the monsters take turns by speed; who steps onto a character removes it.

Source:
    The "Roguelike" assignments of a course in C and C++ (RLG327), as docs/games/delve.md restates them; the functions
    name the sentence they obey.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.core.rules import Event, IllegalActionError, LevelBegun, Outcome
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import (
    IMMUTABLE,
    OPEN,
    STAIRS_DOWN,
    STAIRS_UP,
    BoolGrid,
    Level,
    place_player,
    room_cells,
    terrain,
)
from dungeon_tui.games.delve.model.maps import Field, seen_from, tunnelling_field, view, walking_field
from dungeon_tui.games.delve.model.state import (
    DRAWN,
    KINDS,
    STEPS,
    UNSEEN,
    Action,
    Kind,
    Monster,
    StairsTaken,
    State,
    Status,
)
from dungeon_tui.games.delve.model.turn import Turn

VERSION = 1
UNLISTED: frozenset[type] = frozenset()

SLOWEST, FASTEST = 5, 20  # monsters
MORE_MONSTERS = 2  # with each depth
FAR = 10  # rows or columns between the player and a new monster

_STAIRS = {Action.ASCEND: STAIRS_UP, Action.DESCEND: STAIRS_DOWN}


def start(level: Level, seed: int = 0) -> State:
    """The first dungeon of the seed's series.

    The seed places the monsters, and the player where the level does not.

    Raises:
        ValueError: no cell is open.
    """
    return _enter(level, seed, depth=1, dungeons=1)


def legal_actions(state: State) -> tuple[Action, ...]:
    """Steps to open cells, staying, and stairs on which the player stands."""
    return tuple(action for action in Action if objection(state, action) is None)


def objection(state: State, action: Action) -> str | None:
    """Reason why `step` refuses an action: rock, no such stairs, or the game is over."""
    if state.status is not Status.PLAYING:
        return f"the game is over ({state.status.value}): undo or restart"
    if action is Action.STAY:
        return None
    if action in _STAIRS:
        if state.terrain[state.player] == _STAIRS[action]:
            return None
        way = "down" if action is Action.DESCEND else "up"
        return f"There are no stairs {way} here."
    cell = state.player.neighbour(STEPS[action])
    hardness = state.hardness[cell]
    if hardness == OPEN:
        return None
    if hardness == IMMUTABLE:
        return "Rock that nothing wears is in the way."
    return f"Rock is in the way, of hardness {hardness}."


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The player's turn, and those of all monsters up to the player's next one.

    Raises:
        IllegalActionError: rock is in the way, there are no such stairs here, or the game is over.
    """
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    if action in _STAIRS:
        return _take_stairs(state, is_down=action is Action.DESCEND)
    turn = Turn(state)
    turn.act(action)
    turn.let_monsters_act()
    after, events = turn.result()
    return _look_around(after), events


def outcome(state: State) -> Outcome | None:
    """Rule: "You win when all monsters are gone, lose when one steps on you"."""
    match state.status:
        case Status.PLAYING:
            return None
        case Status.WON:
            return Outcome("won", "All monsters are gone.", True)
        case _:
            return Outcome("died", "A monster stepped on you.", False)


def action_text(action: Action) -> str:
    """The action's letter."""
    return action.value


def read_action(text: str) -> Action:
    """The action of a letter; ValueError for any other text."""
    return Action(text)


def fingerprint(state: State) -> str:
    """SHA-256 over the numbers, the monsters and the boards."""
    numbers = (
        state.seed, state.depth, state.dungeons, state.height, state.width, *state.player, state.random, state.time,
        state.turns, state.kills, state.level.monsters,
    )  # fmt: skip
    lines = [f"{state.status.value} {' '.join(map(str, numbers))}"]
    for monster in state.monsters:
        last_seen = monster.last_seen or (-1, -1)
        own = (monster.sequence, KINDS.index(monster.kind), *monster.cell, monster.speed, monster.next_turn, *last_seen)
        lines.append(" ".join(map(str, own)))
    digest = hashlib.sha256("\n".join(lines).encode())
    for board in (state.hardness, state.terrain, state.seen):
        digest.update(board.copy().data)
    return digest.hexdigest()


# What depends on a state alone


def walking_map(state: State) -> Field:
    """Distances from the player over open cells, and the steps of walkers."""
    return walking_field(state.hardness, state.terrain, state.player, state.seed)


def tunnelling_map(state: State) -> Field:
    """Distances from the player through rock, and the steps of tunnellers."""
    return tunnelling_field(state.hardness, state.player, state.seed)


def visible(state: State) -> BoolGrid:
    """(height, width) bool, read-only: the cells that the player sees, and from which monsters see the player."""
    return view(state.hardness, state.terrain, state.player)


# Dungeons, one after another


def _take_stairs(state: State, *, is_down: bool) -> tuple[State, tuple[Event, ...]]:
    """The next dungeon of the series, as large as this one where that can be.

    Rule: "stairs lead to a new, harder dungeon of the same seed's series". Upward it is a new one too, one less deep.
    """
    depth = state.depth + 1 if is_down else max(1, state.depth - 1)
    dungeons = state.dungeons + 1
    seed = _stream(state.seed, dungeons).word()
    try:
        level = generate(seed, state.height, state.width)
    except ValueError:
        level = generate(seed)
    level = replace(level, name=state.level.name, monsters=state.level.monsters)
    after = _enter(level, state.seed, depth, dungeons)
    after = replace(after, turns=state.turns + 1, kills=state.kills)
    return after, (StairsTaken(is_down, depth), LevelBegun(depth))


def _enter(level: Level, seed: int, depth: int, dungeons: int) -> State:
    level = place_player(level, seed)
    assert level.player is not None
    random = _stream(seed, dungeons)
    random.word()  # made the dungeon
    monsters = _monsters(level, level.player, depth, random)
    looks = terrain(level)
    state = State(
        level=level,
        seed=seed,
        depth=depth,
        dungeons=dungeons,
        hardness=Board.of(level.hardness),
        terrain=Board.of(looks),
        seen=Board.owning(np.full_like(looks, UNSEEN)),
        player=level.player,
        monsters=monsters,
        random=random.state,
        status=Status.PLAYING if monsters else Status.WON,
    )
    return _look_around(state)


def _stream(seed: int, dungeons: int) -> Random:
    """The random numbers of the n-th dungeon of a series."""
    return Random(Random(seed).word() + dungeons)


def _monsters(level: Level, player: Cell, depth: int, random: Random) -> tuple[Monster, ...]:
    """As many as the depth asks for, of any kind; in rooms, out of sight and far off, as long as there is such a place.

    The deeper the dungeon, the faster the slowest of them.
    """
    is_open = level.hardness == OPEN
    is_hidden = ~seen_from(is_open, player)
    wanted: list[tuple[Kind | None, Random]] = [(None, random)] * (level.monsters + MORE_MONSTERS * (depth - 1))
    for number, kind in enumerate(KINDS[DRAWN:], DRAWN):
        if kind.first_depth <= depth:
            wanted.append((kind, Random(random.state + number)))  # numbers of its own: the others' stay
    slowest = min(SLOWEST + depth - 1, FASTEST)
    rows, cols = np.indices(is_open.shape)
    is_far = np.maximum(np.abs(rows - player.row), np.abs(cols - player.col)) >= FAR
    is_free = is_open.copy()
    is_free[player] = False
    monsters: list[Monster] = []
    for places in (room_cells(level) & is_hidden & is_far, is_hidden, is_open):
        free = np.flatnonzero(places & is_free).tolist()
        while free and len(monsters) < len(wanted):
            its_kind, chance = wanted[len(monsters)]
            cell = Cell(*divmod(free.pop(chance.below(len(free))), is_open.shape[1]))
            is_free[cell] = False
            its_kind = its_kind or KINDS[chance.below(DRAWN)]
            monsters.append(Monster(len(monsters) + 1, its_kind, cell, chance.between(slowest, FASTEST)))
    return tuple(monsters)


def _look_around(state: State) -> State:
    """The state in which the player has seen what is to be seen from here."""
    seen, looks = state.seen.copy().reshape(-1), state.terrain.copy().reshape(-1)
    cells = np.flatnonzero(visible(state).reshape(-1) & (seen != looks))
    return replace(state, seen=state.seen.replace(cells, looks[cells])) if cells.size else state
