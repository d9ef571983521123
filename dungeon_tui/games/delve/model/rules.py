"""The delve's rules: you and the monsters take turns by speed; who steps onto a character removes it.

Source:
    The "Roguelike" assignments of a course in C and C++ (RLG327), as docs/games/delve.md restates them; the functions
    name the sentence they obey.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from heapq import heapify, heappop, heappush

import numpy as np

from dungeon_tui.core.board import Board
from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.core.random import Random
from dungeon_tui.core.rules import Event, IllegalActionError, LevelBegun, Outcome
from dungeon_tui.engine import STAY, UNREACHED, distance_map
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import (
    CORRIDOR,
    HEARTS,
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
from dungeon_tui.games.delve.model.maps import TUNNELLING, WALKING, Field, field, seen_from, view
from dungeon_tui.games.delve.model.state import (
    DRAWN,
    KINDS,
    STEPS,
    UNSEEN,
    Ability,
    Action,
    AmuletBroughtUp,
    AmuletTaken,
    DungeonCleared,
    HeartGained,
    Kind,
    Monster,
    MonsterKilled,
    Moved,
    PlayerDied,
    PlayerHit,
    RockWorn,
    StairsTaken,
    State,
    Status,
    Stayed,
)

VERSION = 1
UNLISTED: frozenset[type] = frozenset()

TICKS = 1000  # a turn comes every TICKS // speed
PLAYER_SPEED = 10
SLOWEST, FASTEST = 5, 20  # monsters
WEAR = 85  # hardness that a tunneller takes off in a turn
MORE_MONSTERS = 2  # with each depth
FAR = 10  # rows or columns between the player and a new monster
MOST_HEARTS = 3
FASTER = 2  # the fastest monster with each depth, where there are hearts: as fast as you at first
LAST_DEPTH = 10  # the amulet's

_STAIRS = {Action.ASCEND: STAIRS_UP, Action.DESCEND: STAIRS_DOWN}


def start(level: Level, seed: int = 0) -> State:
    """State at the start of a game: the level is the first dungeon of the seed's series.

    The seed places the monsters, and the player where the level does not.

    Raises:
        ValueError: no cell is open.
    """
    return _enter(level, seed, depth=1, dungeons=1)


def legal_actions(state: State) -> tuple[Action, ...]:
    """Steps to open cells, staying, and the stairs on which the player stands; none after the end."""
    return tuple(action for action in Action if objection(state, action) is None)


def objection(state: State, action: Action) -> str | None:
    """Reason why `step` refuses an action: rock, no such stairs, or the game is over; None if it is legal."""
    if state.status is not Status.PLAYING:
        return f"the game is over ({state.status.value}): undo or restart"
    if action is Action.STAY:
        return None
    if action in _STAIRS:
        if state.terrain[state.player] == _STAIRS[action]:
            return None
        way = "down" if action is Action.DESCEND else "up"
        return f"you can't go {way} the stairs: there are none here"
    cell = state.player.neighbour(STEPS[action])
    hardness = state.hardness[cell]
    if hardness == OPEN:
        return None
    rock = "rock that nothing can dig" if hardness == IMMUTABLE else f"rock of hardness {hardness}"
    return f"you can't go {STEPS[action].words}: there is {rock}"


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after the player's turn and those of all monsters up to the next one, and the events.

    Raises:
        IllegalActionError: rock is in the way, there are no such stairs here, or the game is over.
    """
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    if action is Action.ASCEND and state.has_amulet:
        return replace(state, turns=state.turns + 1, status=Status.WON), (AmuletBroughtUp(),)
    if action in _STAIRS:
        return _take_stairs(state, is_down=action is Action.DESCEND)
    turn = _Turn(state)
    turn.act(action)
    turn.let_monsters_act()
    after, events = turn.result()
    return _look_around(after), events


def outcome(state: State) -> Outcome | None:
    """The end of the game; None while it goes on.

    Rule: "You win when you bring the amulet up, and lose with your last heart"; by the course's rules "you win when
    all monsters are gone, lose when one steps on you".
    """
    match state.status:
        case Status.PLAYING:
            return None
        case Status.WON if state.is_fair:
            return Outcome("won", "You brought the amulet up.", True)
        case Status.WON:
            return Outcome("won", "All monsters are gone.", True)
        case _:
            return Outcome("died", "Your last heart is gone." if state.is_fair else "A monster stepped on you.", False)


def action_text(action: Action) -> str:
    """The letter of an action, as recordings write it."""
    return action.value


def read_action(text: str) -> Action:
    """The action of a letter. Raises ValueError for any other text."""
    return Action(text)


def fingerprint(state: State) -> str:
    """SHA-256 over a state's numbers, monsters and boards, as 64 hexadecimal digits."""
    numbers: tuple[int, ...] = (
        state.seed, state.depth, state.dungeons, state.height, state.width, *state.player, state.random, state.time,
        state.turns, state.kills, state.level.monsters,
    )  # fmt: skip
    if state.is_fair:
        numbers += (state.hearts, state.deepest, *(state.amulet or (-1, -1)), int(state.has_amulet))
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


def distances(state: State, kind: str) -> Field:
    """The distances from the player, WALKING or TUNNELLING, and the steps of monsters of that kind."""
    return field(state.hardness, state.terrain, state.player, state.seed, kind)


def points(state: State) -> int:
    """The score: 100 for each depth below the first, 10 for each monster removed, 1000 for the amulet brought up."""
    return 100 * (state.deepest - 1) + 10 * state.kills + 1000 * (state.status is Status.WON)


def visible(state: State) -> BoolGrid:
    """(height, width) bool, read-only: the cells that the player sees, and from which monsters see the player."""
    return view(state.hardness, state.terrain, state.player)


# A turn


class _Turn:
    """One turn in the making: the player's step, then all monsters up to the player's next one, by an event queue."""

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
            self.events.append(Stayed(origin))
            return
        self.player = origin.neighbour(STEPS[action])
        self.events.append(Moved(origin, self.player))
        self._kill(self.player, None)
        if self.player == self.before.amulet and not self.has_amulet:
            self.has_amulet = True
            self.events.append(AmuletTaken(self.player))

    def let_monsters_act(self) -> None:
        """Lets the monsters act whose turns come before the player's next one; at equal times the player comes first.

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
            self.events.append(DungeonCleared())
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
            kills=before.kills + sum(isinstance(event, MonsterKilled) and event.by is None for event in self.events),
            hearts=self.hearts,
            amulet=None if self.has_amulet else before.amulet,
            has_amulet=self.has_amulet,
            status=status,
        )
        return state, tuple(self.events)

    def _let_act(self, monster: Monster) -> int:
        """One monster's turn; returns when its next one comes."""
        sees_player = bool(view(self.hardness, self.terrain, self.player)[monster.cell])
        last_seen = self.player if sees_player and Ability.SMART in monster.kind.abilities else monster.last_seen
        if Ability.ERRATIC in monster.kind.abilities and self.random.below(2) == 0:
            target = self._anywhere(monster)
        elif sees_player or Ability.TELEPATHIC in monster.kind.abilities or self.has_amulet:
            target = self._downhill(monster, self.player)
        else:
            target = None if last_seen is None else self._downhill(monster, last_seen)
        next_turn = monster.next_turn + TICKS // monster.speed
        cell = monster.cell if target is None or not self._dig(monster, target) else target
        if cell == self.player:
            cell = self._strike(monster)
        if cell == last_seen:
            last_seen = None  # nobody here
        moved = replace(monster, cell=cell, next_turn=next_turn, last_seen=last_seen)
        self.monsters[monster.sequence] = moved
        if cell != monster.cell:
            self._arrive(monster.cell, moved)
        return next_turn

    def _downhill(self, monster: Monster, goal: Cell) -> Cell | None:
        """The next cell on the monster's shortest way to a goal; None if it is there, or no way leads.

        Rule: "Monsters that know where you are go downhill on the map of their kind".
        """
        kind = TUNNELLING if Ability.TUNNELLING in monster.kind.abilities else WALKING
        steps = field(self.hardness, self.terrain, goal, self.before.seed, kind).steps
        way = int(steps[monster.cell])
        return None if way == STAY else monster.cell.neighbour(EIGHT_WAYS[way])

    def _anywhere(self, monster: Monster) -> Cell | None:
        hardest = IMMUTABLE - 1 if Ability.TUNNELLING in monster.kind.abilities else OPEN
        cells = [monster.cell.neighbour(direction) for direction in EIGHT_WAYS]
        cells = [cell for cell in cells if self.hardness[cell] <= hardest]
        return self.random.choice(cells) if cells else None

    def _dig(self, monster: Monster, cell: Cell) -> bool:
        """Wears the rock of a cell; True if the cell is open then, or was before.

        Rule: "A tunneller entering rock takes 85 off its hardness (not below 0) and steps in on the turn that reaches
        0, when the cell becomes corridor".
        """
        hardness = self.hardness[cell]
        if hardness == OPEN:
            return True
        left = max(OPEN, hardness - WEAR)
        flat = [cell.row * self.hardness.width + cell.col]
        self.hardness = self.hardness.replace(flat, [left])
        if left == OPEN:
            looks = self.terrain[cell]
            self.terrain = self.terrain.replace(flat, [looks if looks in (STAIRS_UP, STAIRS_DOWN) else CORRIDOR])
        self.events.append(RockWorn(monster, cell, left))
        return left == OPEN

    def _strike(self, monster: Monster) -> Cell:
        """Takes a heart if the monster may; returns the cell where it ends: the player's with the last heart.

        Rule: "It takes a heart and is thrown back one step, straight away from you, if that cell is open and free; else
        it stays. You lose one heart a turn at most, and none to a monster that you did not see when your turn began".
        """
        if monster.sequence not in self.may_strike:
            return monster.cell
        self.hearts -= 1
        if not self.hearts:
            return self.player
        self.may_strike.clear()
        self.events.append(PlayerHit(self.player, monster, self.hearts))
        row, col = monster.cell
        back = Cell(2 * row - self.player.row, 2 * col - self.player.col)
        is_inside = back.is_inside(self.hardness.height, self.hardness.width)
        return back if is_inside and self.hardness[back] == OPEN and back not in self.at else monster.cell

    def _arrive(self, origin: Cell, monster: Monster) -> None:
        """Puts a monster that has moved onto its cell, and removes the monster or the player that stands there.

        Rule: "A character that steps onto another removes it".
        """
        del self.at[origin]
        self._kill(monster.cell, monster)
        self.at[monster.cell] = monster.sequence
        if monster.cell == self.player:
            self.events.append(PlayerDied(self.player, monster))

    def _kill(self, cell: Cell, by: Monster | None) -> None:
        if (sequence := self.at.pop(cell, None)) is not None:
            self.events.append(MonsterKilled(self.monsters.pop(sequence), by))


# Dungeons, one after another


def _take_stairs(state: State, *, is_down: bool) -> tuple[State, tuple[Event, ...]]:
    """The state in the next dungeon of the series, as large as this one where that can be, and the events.

    Rule: "stairs lead to a new, harder dungeon of the same seed's series". Upward it is a new one too, one less deep.
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
    events: tuple[Event, ...] = (StairsTaken(is_down, depth), LevelBegun(depth))
    hearts = state.hearts
    if state.is_fair and depth > state.deepest and hearts < MOST_HEARTS:
        hearts += 1
        events = (*events, HeartGained(hearts))
    deepest = max(state.deepest, depth)
    return replace(after, turns=state.turns + 1, kills=state.kills, hearts=hearts, deepest=deepest), events


def _enter(level: Level, seed: int, depth: int, dungeons: int) -> State:
    level = place_player(level, seed)
    player = level.player
    assert player is not None
    random = _stream(seed, dungeons)
    random.word()  # made the dungeon
    amulet = None
    if level.rules == HEARTS:
        level, amulet = _with_goal(level, player, depth)
    monsters = _monsters(level, player, depth, random)
    looks = terrain(level)
    state = State(
        level=level,
        seed=seed,
        depth=depth,
        dungeons=dungeons,
        hardness=Board.of(level.hardness),
        terrain=Board.of(looks),
        seen=Board.owning(np.full_like(looks, UNSEEN)),
        player=player,
        monsters=monsters,
        random=random.state,
        hearts=MOST_HEARTS if level.rules == HEARTS else 1,
        amulet=amulet,
        status=Status.PLAYING if monsters or level.rules == HEARTS else Status.WON,
    )
    return _look_around(state)


def _with_goal(level: Level, player: Cell, depth: int) -> tuple[Level, Cell | None]:
    """The level with stairs down that can be walked to, in the last depth without; and the amulet's cell there.

    Rule: "Where no stairs lead down, the cell farthest from you has some; on the last depth the amulet lies there".
    """
    distance = distance_map(level.hardness == OPEN, np.array([player]))
    distance[distance == UNREACHED] = -1
    for cell in level.stairs_up:
        distance[cell] = min(distance[cell], 0)  # where there is something already
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
    """Monsters of a new dungeon, more with depth; in rooms, out of sight and far off as long as there is such a place.

    The deeper the dungeon, the faster the slowest of them.
    """
    is_open = level.hardness == OPEN
    is_hidden = ~seen_from(is_open, player)
    wanted: list[tuple[Kind | None, Random]] = [(None, random)] * (level.monsters + MORE_MONSTERS * (depth - 1))
    for number, kind in enumerate(KINDS[DRAWN:], DRAWN):
        if kind.first_depth <= depth:
            wanted.append((kind, Random(random.state + number)))  # numbers of its own: the others' stay
    slowest, fastest, kinds = min(SLOWEST + depth - 1, FASTEST), FASTEST, KINDS[:DRAWN]
    if level.rules == HEARTS:
        slowest, fastest = SLOWEST, min(PLAYER_SPEED + FASTER * (depth - 1), FASTEST)
        kinds = tuple(kind for kind in kinds if _first_depth(kind) <= depth)
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
            its_kind = its_kind or kinds[chance.below(len(kinds))]
            monsters.append(Monster(len(monsters) + 1, its_kind, cell, chance.between(slowest, fastest)))
    return tuple(monsters)


def _first_depth(kind: Kind) -> int:
    """The least deep dungeon with a drawn kind where there are hearts: each depth has something new to learn.

    Rule: "Telepathic ones come from depth 2 on, tunnellers from 3, those that are both from 4".
    """
    return 1 + (Ability.TELEPATHIC in kind.abilities) + 2 * (Ability.TUNNELLING in kind.abilities)


def _look_around(state: State) -> State:
    """The state with all that the player sees now added to what was seen."""
    seen, looks = state.seen.copy().reshape(-1), state.terrain.copy().reshape(-1)
    cells = np.flatnonzero(visible(state).reshape(-1) & (seen != looks))
    return replace(state, seen=state.seen.replace(cells, looks[cells])) if cells.size else state
