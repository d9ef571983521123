"""The delve's rules: you and the monsters take turns by speed; a character that steps onto another kills it.

Source:
    The "Roguelike" assignments of a course in C and C++ (RLG327), as in docs/games/delve.md; functions quote the
    sentence that they implement.
"""

from dataclasses import replace
from heapq import heapify, heappop, heappush

import numpy as np

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.core.random import Random
from dungeon_tui.core.rules import Event, IllegalActionError, LevelBegun, Outcome
from dungeon_tui.engine import STAY, UNREACHED, distance_map
from dungeon_tui.games.delve.model import level as levels
from dungeon_tui.games.delve.model import state as model
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import BoolGrid, Level
from dungeon_tui.games.delve.model.maps import TUNNELLING, WALKING, Field, field, seen_from, view
from dungeon_tui.games.delve.model.state import Action, Monster, State, Status

VERSION = 1
UNLISTED: frozenset[type] = frozenset()

TICKS = 1000  # a turn comes every TICKS // speed
PLAYER_SPEED = 10
SLOWEST, FASTEST = 5, 20  # speeds of monsters
WEAR = 85  # hardness that a tunneller takes off in a turn
MORE_MONSTERS = 2  # for each depth
FAR = 10  # least rows or columns between the player and a new monster
MOST_HEARTS = 3
FASTER = 2  # with hearts: speed of the fastest monster gained with each depth, from the player's
LAST_DEPTH = 10  # with the amulet

_STAIRS = {Action.ASCEND: levels.STAIRS_UP, Action.DESCEND: levels.STAIRS_DOWN}


def start(level: Level, seed: int = 0) -> State:
    """The first dungeon of the seed's series; the seed places the monsters, and the player if the level doesn't."""
    return _enter(level, seed, depth=1, dungeons=1)


def legal_actions(state: State) -> tuple[Action, ...]:
    return tuple(action for action in Action if objection(state, action) is None)


def objection(state: State, action: Action) -> str | None:
    if state.status is not Status.PLAYING:
        return f"the game is over ({state.status.value}): undo or restart"
    if action is Action.STAY:
        return None
    if action in _STAIRS:
        if state.terrain[state.player] == _STAIRS[action]:
            return None
        way = "down" if action is Action.DESCEND else "up"
        return f"you can't go {way} the stairs: there are none here"
    cell = state.player.neighbour(model.STEPS[action])
    hardness = state.hardness[cell]
    if hardness == levels.OPEN:
        return None
    rock = "rock that nothing can dig" if hardness == levels.IMMUTABLE else f"rock of hardness {hardness}"
    return f"you can't go {model.STEPS[action].words}: there is {rock}"


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state before the player's next turn, and the events of this turn."""
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    if action is Action.ASCEND and state.has_amulet:
        return replace(state, turns=state.turns + 1, status=Status.WON), (model.AmuletBroughtUp(),)
    if action in _STAIRS:
        return _take_stairs(state, is_down=action is Action.DESCEND)
    turn = _Turn(state)
    turn.act(action)
    turn.let_monsters_act()
    after, events = turn.result()
    return _look_around(after), events


def outcome(state: State) -> Outcome | None:
    """The end of the game, or None.

    Rule: "You win when you bring the amulet up, and lose with your last heart"; by the course's rules "you win when
    all monsters are gone, lose when one steps on you".
    """
    if state.status is Status.PLAYING:
        return None
    if state.status is Status.WON:
        return Outcome("won", "You brought the amulet up." if state.is_fair else "All monsters are gone.", True)
    return Outcome("died", "Your last heart is gone." if state.is_fair else "A monster stepped on you.", False)


def action_text(action: Action) -> str:
    return action.value


def read_action(text: str) -> Action:
    return Action(text)


def distances(state: State, kind: str) -> Field:
    """Distances from the player, WALKING or TUNNELLING, and the steps of monsters of that kind."""
    return field(state.hardness, state.terrain, state.player, state.seed, kind)


def points(state: State) -> int:
    """The score: 100 for each new depth, 10 for each monster killed by the player, 1000 for the amulet brought up."""
    return 100 * (state.deepest - 1) + 10 * state.kills + 1000 * (state.status is Status.WON)


def visible(state: State) -> BoolGrid:
    """(height, width) bool, read-only: the cells that the player sees, and that see the player."""
    return view(state.hardness, state.terrain, state.player)


# A turn


class _Turn:
    """One turn: the player's action, then an event queue of all monsters up to the player's next turn."""

    def __init__(self, state: State) -> None:
        self.before = state
        self.player = state.player
        self.hardness, self.terrain = state.hardness, state.terrain
        self.monsters = {monster.sequence: monster for monster in state.monsters}
        self.at = {monster.cell: monster.sequence for monster in state.monsters}
        self.random = Random(state.random)
        self.until = state.time + TICKS // PLAYER_SPEED
        self.hearts = state.hearts
        self.has_amulet = state.has_amulet
        self.may_strike = set(self.monsters)  # by sequence number
        if state.is_fair:
            seen = visible(state)
            self.may_strike = {monster.sequence for monster in state.monsters if seen[monster.cell]}
        self.events: list[Event] = []

    def act(self, action: Action) -> None:
        origin = self.player
        if action is Action.STAY:
            self.events.append(model.Stayed(origin))
            return
        self.player = origin.neighbour(model.STEPS[action])
        self.events.append(model.Moved(origin, self.player))
        self._kill(self.player, None)
        if self.player == self.before.amulet and not self.has_amulet:
            self.has_amulet = True
            self.events.append(model.AmuletTaken(self.player))

    def let_monsters_act(self) -> None:
        """Lets the monsters act whose turns come before the player's next turn; at equal times the player is first.

        Rule: "on an event queue (a turn comes every 1000 / speed)"; ties go to the lower sequence number.
        """
        queue = [(monster.next_turn, monster.sequence) for monster in self.monsters.values()]
        queue = [entry for entry in queue if entry[0] < self.until]
        heapify(queue)
        while queue and self.hearts:
            _, sequence = heappop(queue)
            if sequence not in self.monsters:
                continue
            next_turn = self._let_act(self.monsters[sequence])
            if next_turn < self.until:
                heappush(queue, (next_turn, sequence))

    def result(self) -> tuple[State, tuple[Event, ...]]:
        before = self.before
        status = Status.PLAYING if self.hearts else Status.DIED
        if before.monsters and not self.monsters:
            self.events.append(model.DungeonCleared())
            status = status if before.is_fair else Status.WON
        state = replace(
            before,
            player=self.player,
            hardness=self.hardness,
            terrain=self.terrain,
            monsters=tuple(self.monsters.values()),
            random=self.random.state,
            time=self.until,
            turns=before.turns + 1,
            kills=before.kills
            + sum(isinstance(event, model.MonsterKilled) and event.by is None for event in self.events),
            hearts=self.hearts,
            amulet=None if self.has_amulet else before.amulet,
            has_amulet=self.has_amulet,
            status=status,
        )
        return state, tuple(self.events)

    def _let_act(self, monster: Monster) -> int:
        """Plays one monster's turn; returns the time of its next one."""
        # Choose the target: at random for half of an erratic one's moves, else towards the player's known position.
        sees_player = bool(view(self.hardness, self.terrain, self.player)[monster.cell])
        last_seen = self.player if sees_player and model.Ability.SMART in monster.kind.abilities else monster.last_seen
        if model.Ability.ERRATIC in monster.kind.abilities and self.random.below(2) == 0:
            target = self._anywhere(monster)
        elif sees_player or model.Ability.TELEPATHIC in monster.kind.abilities or self.has_amulet:
            target = self._downhill(monster, self.player)
        else:
            target = None if last_seen is None else self._downhill(monster, last_seen)

        # Dig or step there; on the player's cell, strike.
        next_turn = monster.next_turn + TICKS // monster.speed
        cell = monster.cell if target is None or not self._dig(monster, target) else target
        if cell == self.player:
            cell = self._strike(monster)
        if cell == last_seen:
            last_seen = None  # it has searched that position
        moved = replace(monster, cell=cell, next_turn=next_turn, last_seen=last_seen)
        self.monsters[monster.sequence] = moved
        if cell != monster.cell:
            self._arrive(monster.cell, moved)
        return next_turn

    def _downhill(self, monster: Monster, goal: Cell) -> Cell | None:
        """The next cell on the monster's shortest path to a goal; None if it is there, or has no path.

        Rule: "Monsters that know where you are go downhill on the map of their kind".
        """
        kind = TUNNELLING if model.Ability.TUNNELLING in monster.kind.abilities else WALKING
        steps = field(self.hardness, self.terrain, goal, self.before.seed, kind).steps
        way = int(steps[monster.cell])
        return None if way == STAY else monster.cell.neighbour(EIGHT_WAYS[way])

    def _anywhere(self, monster: Monster) -> Cell | None:
        hardest = levels.IMMUTABLE - 1 if model.Ability.TUNNELLING in monster.kind.abilities else levels.OPEN
        cells = [monster.cell.neighbour(direction) for direction in EIGHT_WAYS]
        cells = [cell for cell in cells if self.hardness[cell] <= hardest]
        return self.random.choice(cells) if cells else None

    def _dig(self, monster: Monster, cell: Cell) -> bool:
        """Wears the rock of a cell; True if the cell is open afterwards.

        Rule: "A tunneller entering rock takes 85 off its hardness (not below 0) and steps in on the turn that reaches
        0, when the cell becomes corridor".
        """
        hardness = self.hardness[cell]
        if hardness == levels.OPEN:
            return True
        left = max(levels.OPEN, hardness - WEAR)
        flat = [cell.row * self.hardness.width + cell.col]
        self.hardness = self.hardness.replace(flat, [left])
        if left == levels.OPEN:
            looks = self.terrain[cell]
            self.terrain = self.terrain.replace(
                flat, [looks if looks in (levels.STAIRS_UP, levels.STAIRS_DOWN) else levels.CORRIDOR]
            )
        self.events.append(model.RockWorn(monster, cell, left))
        return left == levels.OPEN

    def _strike(self, monster: Monster) -> Cell:
        """Takes a heart if the monster may; returns its final cell, which is the player's after the last heart.

        Rule: "It takes a heart and is thrown back one step, straight away from you, if that cell is open and free; else
        it stays. You lose one heart a turn at most, and none to a monster that you did not see when your turn began".
        """
        if monster.sequence not in self.may_strike:
            return monster.cell
        self.hearts -= 1
        if not self.hearts:
            return self.player
        self.may_strike.clear()
        self.events.append(model.PlayerHit(self.player, monster, self.hearts))
        row, col = monster.cell
        back = Cell(2 * row - self.player.row, 2 * col - self.player.col)
        is_inside = back.is_inside(self.hardness.height, self.hardness.width)
        return back if is_inside and self.hardness[back] == levels.OPEN and back not in self.at else monster.cell

    def _arrive(self, origin: Cell, monster: Monster) -> None:
        """Completes a monster's move, and kills the monster or player on its new cell.

        Rule: "A character that steps onto another kills it".
        """
        del self.at[origin]
        self._kill(monster.cell, monster)
        self.at[monster.cell] = monster.sequence
        if monster.cell == self.player:
            self.events.append(model.PlayerDied(self.player, monster))

    def _kill(self, cell: Cell, by: Monster | None) -> None:
        if (sequence := self.at.pop(cell, None)) is not None:
            self.events.append(model.MonsterKilled(self.monsters.pop(sequence), by))


# Dungeons, one after another


def _take_stairs(state: State, *, is_down: bool) -> tuple[State, tuple[Event, ...]]:
    """Enters the next dungeon of the series, of the same size if possible.

    Rule: "stairs lead to a new, harder dungeon of the same seed's series". Stairs up lead to a new one, too, one depth
    up.
    """
    depth = state.depth + 1 if is_down else max(1, state.depth - 1)
    dungeons = state.dungeons + 1
    seed = _stream(state.seed, dungeons).word()
    try:
        level = generate(seed, state.height, state.width)
    except ValueError:
        level = generate(seed)
    level = replace(level, name=state.level.name, monsters=state.level.monsters, rules=state.level.rules)
    after = _enter(level, state.seed, depth, dungeons)
    events: tuple[Event, ...] = (model.StairsTaken(is_down, depth), LevelBegun(depth))
    hearts = state.hearts
    if state.is_fair and depth > state.deepest and hearts < MOST_HEARTS:
        hearts += 1
        events = (*events, model.HeartGained(hearts))
    deepest = max(state.deepest, depth)
    return replace(after, turns=state.turns + 1, kills=state.kills, hearts=hearts, deepest=deepest), events


def _enter(level: Level, seed: int, depth: int, dungeons: int) -> State:
    level = levels.place_player(level, seed)
    player = level.player
    assert player is not None
    random = _stream(seed, dungeons)
    random.word()  # used for the dungeon
    amulet = None
    if level.rules == levels.HEARTS:
        level, amulet = _with_goal(level, player, depth)
    monsters = _monsters(level, player, depth, random)
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
        status=Status.PLAYING if monsters or level.rules == levels.HEARTS else Status.WON,
    )
    return _look_around(state)


def _with_goal(level: Level, player: Cell, depth: int) -> tuple[Level, Cell | None]:
    """The level with reachable stairs down, or on the last depth without any; and the amulet's cell there.

    Rule: "Where no stairs lead down, the cell farthest from you has some; on the last depth the amulet lies there".
    """
    distance = distance_map(level.hardness == levels.OPEN, np.array([player]))
    distance[distance == UNREACHED] = -1
    for cell in level.stairs_up:
        distance[cell] = min(distance[cell], 0)  # occupied
    farthest = Cell(*divmod(int(distance.argmax()), distance.shape[1]))
    if depth == LAST_DEPTH:
        ups = level.stairs_up if any(distance[cell] >= 0 for cell in level.stairs_up) else (player,)
        return replace(level, stairs_down=(), stairs_up=ups), farthest
    if any(distance[cell] >= 0 for cell in level.stairs_down):
        return level, None
    return replace(level, stairs_down=(*level.stairs_down, farthest)), None


def _stream(seed: int, dungeons: int) -> Random:
    return Random(Random(seed).word() + dungeons)


def _monsters(level: Level, player: Cell, depth: int, random: Random) -> tuple[Monster, ...]:
    """Monsters of a new dungeon, more and faster ones with depth; in rooms out of sight and far away if possible."""
    # Each monster's kind, None for a random one, with its random generator.
    is_open = level.hardness == levels.OPEN
    is_hidden = ~seen_from(is_open, player)
    wanted: list[tuple[model.Kind | None, Random]] = [(None, random)] * (level.monsters + MORE_MONSTERS * (depth - 1))
    for number, kind in enumerate(model.KINDS[model.DRAWN :], model.DRAWN):
        if kind.first_depth <= depth:
            wanted.append((kind, Random(random.state + number)))  # a separate generator keeps the other monsters
    slowest, fastest, kinds = min(SLOWEST + depth - 1, FASTEST), FASTEST, model.KINDS[: model.DRAWN]
    if level.rules == levels.HEARTS:
        slowest, fastest = SLOWEST, min(PLAYER_SPEED + FASTER * (depth - 1), FASTEST)
        kinds = tuple(kind for kind in kinds if kind.first_depth <= depth)

    # Put them on random cells: far and hidden ones in rooms first, then hidden ones, then any.
    rows, cols = np.indices(is_open.shape)
    is_far = np.maximum(np.abs(rows - player.row), np.abs(cols - player.col)) >= FAR
    is_free = is_open.copy()
    is_free[player] = False
    monsters: list[Monster] = []
    for cells in (levels.room_cells(level) & is_hidden & is_far, is_hidden, is_open):
        free = np.flatnonzero(cells & is_free).tolist()
        while free and len(monsters) < len(wanted):
            its_kind, chance = wanted[len(monsters)]
            cell = Cell(*divmod(free.pop(chance.below(len(free))), is_open.shape[1]))
            is_free[cell] = False
            its_kind = its_kind or kinds[chance.below(len(kinds))]
            monsters.append(Monster(len(monsters) + 1, its_kind, cell, chance.between(slowest, fastest)))
    return tuple(monsters)


def _look_around(state: State) -> State:
    seen, looks = state.seen.copy().reshape(-1), state.terrain.copy().reshape(-1)
    cells = np.flatnonzero(visible(state).reshape(-1) & (seen != looks))
    return replace(state, seen=state.seen.replace(cells, looks[cells])) if cells.size else state
