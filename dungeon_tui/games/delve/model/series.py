"""The series of dungeons of a game: stairs lead from one to the next, each with its goal, monsters and things."""

from dataclasses import replace

import numpy as np

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.random import Random
from dungeon_tui.core.rules import Event, LevelBegun
from dungeon_tui.engine import UNREACHED, distance_map
from dungeon_tui.games.delve.model import level as levels
from dungeon_tui.games.delve.model import state as model
from dungeon_tui.games.delve.model.finds import Things, stock
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import BoolGrid, Level
from dungeon_tui.games.delve.model.maps import seen_from, view
from dungeon_tui.games.delve.model.state import MOST_HEARTS, PLAYER_SPEED, Monster, State, Status

SLOWEST, FASTEST = 5, 20  # speeds of monsters
MORE_MONSTERS = {levels.HEARTS: 1, levels.COURSE: 2}  # for each depth
FAR = 10  # least rows or columns between the player and a new monster
FASTER = 2  # with hearts: speed that the fastest monster gains with each depth, from the player's


def take_stairs(state: State, *, is_down: bool) -> tuple[State, tuple[Event, ...]]:
    """Enters the next dungeon of the series, of the same size if possible.

    Rule: "stairs lead to a new, harder dungeon of the same seed's series". By the course's rules stairs up lead to a
    new one, too, one depth up.
    """
    depth = state.depth + 1 if is_down else max(1, state.depth - 1)
    dungeons = state.dungeons + 1
    seed = _stream(state.seed, dungeons).word()
    try:
        level = generate(seed, state.height, state.width)
    except ValueError:
        level = generate(seed)
    same = state.level
    level = replace(level, name=same.name, monsters=same.monsters, rules=same.rules, depths=same.depths)
    after = enter(level, state.seed, depth, dungeons)
    events: tuple[Event, ...] = (model.StairsTaken(is_down, depth), LevelBegun(depth))
    after = replace(after, turns=state.turns + 1, kills=state.kills, hearts=state.hearts)
    return replace(after, gold=state.gold, carried=state.carried, haste=max(state.haste - 1, 0)), events


def enter(level: Level, seed: int, depth: int, dungeons: int) -> State:
    """The state at the start of a dungeon, the series' first or a later one."""
    level = levels.place_player(level, seed)
    player = level.player
    assert player is not None
    random = _stream(seed, dungeons)
    random.word()  # used for the dungeon
    amulet = None
    if level.rules == levels.HEARTS:
        level, amulet = _with_goal(level, player, depth)
    number = level.monsters + MORE_MONSTERS[level.rules] * (depth - 1)
    monsters = _monsters(level, player, depth, number, random)
    things: Things = ()
    if level.rules == levels.HEARTS:
        goal = level if amulet is None else replace(level, stairs_down=(amulet,))
        things, more = stock(goal, player, depth, _far_rooms(level, player), monsters, Random(random.state + 1))
        monsters += more
    looks = levels.terrain(level)
    state = State(
        level=level,
        seed=seed,
        depth=depth,
        dungeons=dungeons,
        hardness=Board.of(level.hardness),
        terrain=Board.of(looks),
        seen=Board.owning(np.full_like(looks, model.UNSEEN)),
        player=player,
        monsters=monsters,
        random=random.state,
        hearts=MOST_HEARTS if level.rules == levels.HEARTS else 1,
        amulet=amulet,
        things=things,
        status=Status.PLAYING if monsters or level.rules == levels.HEARTS else Status.WON,
    )
    return look_around(state)


def _with_goal(level: Level, player: Cell, depth: int) -> tuple[Level, Cell | None]:
    """The level with reachable stairs down; or on the last depth with those up, and the amulet's cell there.

    Rule: "Where no stairs lead down, the cell farthest from you has some; on the last depth the amulet lies there, and
    you begin on its only stairs up. No other depth has stairs up".
    """
    distance = distance_map(level.hardness == levels.OPEN, np.array([player]))
    distance[distance == UNREACHED] = -1
    farthest = Cell(*divmod(int(distance.argmax()), distance.shape[1]))
    if depth == level.depths:
        return replace(level, stairs_down=(), stairs_up=(player,)), farthest
    level = replace(level, stairs_up=())
    if any(distance[cell] >= 0 for cell in level.stairs_down):
        return level, None
    return replace(level, stairs_down=(*level.stairs_down, farthest)), None


def _stream(seed: int, dungeons: int) -> Random:
    return Random(Random(seed).word() + dungeons)


def _monsters(level: Level, player: Cell, depth: int, number: int, random: Random) -> tuple[Monster, ...]:
    """New monsters, faster ones with depth; in rooms out of sight and far away if possible."""
    slowest, fastest, kinds = min(SLOWEST + depth - 1, FASTEST), FASTEST, model.KINDS[: model.DRAWN]
    if level.rules == levels.HEARTS:
        slowest, fastest = SLOWEST, min(PLAYER_SPEED + FASTER * (depth - 1), FASTEST)
        kinds = tuple(kind for kind in kinds if kind.first_depth <= depth)

    # Put them on random cells: far and hidden ones in rooms first, then hidden ones, then any.
    is_open = level.hardness == levels.OPEN
    is_free = is_open.copy()
    is_free[player] = False
    monsters: list[Monster] = []
    for cells in (_far_rooms(level, player), ~seen_from(is_open, player), is_open):
        free = np.flatnonzero(cells & is_free).tolist()
        while free and len(monsters) < number:
            cell = Cell(*divmod(free.pop(random.below(len(free))), is_open.shape[1]))
            is_free[cell] = False
            kind = kinds[random.below(len(kinds))]
            monsters.append(Monster(len(monsters) + 1, kind, cell, random.between(slowest, fastest)))
    return tuple(monsters)


def _far_rooms(level: Level, player: Cell) -> BoolGrid:
    """(height, width) bool: the cells in rooms that the player doesn't see and that are far away."""
    rows, cols = np.indices(level.hardness.shape)
    is_far: BoolGrid = np.maximum(np.abs(rows - player.row), np.abs(cols - player.col)) >= FAR
    return levels.room_cells(level) & is_far & ~seen_from(level.hardness == levels.OPEN, player)


def look_around(state: State) -> State:
    """The state in which the player has seen what is in view."""
    seen, looks = state.seen.copy().reshape(-1), state.terrain.copy().reshape(-1)
    cells = np.flatnonzero(view(state.hardness, state.terrain, state.player).reshape(-1) & (seen != looks))
    return replace(state, seen=state.seen.replace(cells, looks[cells])) if cells.size else state
