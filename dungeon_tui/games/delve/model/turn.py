"""One turn in the making: the player's step, then all monsters up to the player's next one, by an event queue."""

from __future__ import annotations

from dataclasses import replace
from heapq import heapify, heappop, heappush

from dungeon_tui.core.grid import EIGHT_WAYS, Cell
from dungeon_tui.core.random import Random
from dungeon_tui.core.rules import Event
from dungeon_tui.engine import STAY
from dungeon_tui.engine import STEPS as WAYS
from dungeon_tui.games.delve.model.level import CORRIDOR, IMMUTABLE, OPEN, STAIRS_DOWN, STAIRS_UP
from dungeon_tui.games.delve.model.maps import tunnelling_field, view, walking_field
from dungeon_tui.games.delve.model.state import (
    STEPS,
    Ability,
    Action,
    DungeonCleared,
    Monster,
    MonsterKilled,
    Moved,
    PlayerDied,
    RockWorn,
    State,
    Status,
    Stayed,
)

TICKS = 1000  # a turn comes every TICKS // speed
PLAYER_SPEED = 10
WEAR = 85  # hardness that a tunneller takes off in a turn


class Turn:
    """One turn in the making; turned into a state by `result`."""

    def __init__(self, state: State) -> None:
        self.before = state
        self.player = state.player
        self.hardness, self.terrain = state.hardness, state.terrain
        self.monsters = {monster.sequence: monster for monster in state.monsters}
        self.at = {monster.cell: monster.sequence for monster in state.monsters}
        self.random = Random(state.random)
        self.until = state.time + TICKS // PLAYER_SPEED
        self.kills = 0
        self.is_dead = False
        self.events: list[Event] = []

    def act(self, action: Action) -> None:
        """The player's own step."""
        origin = self.player
        if action is Action.STAY:
            self.events.append(Stayed(origin))
            return
        self.player = origin.neighbour(STEPS[action])
        self.events.append(Moved(origin, self.player))
        if self._kill(self.player, None):
            self.kills += 1

    def let_monsters_act(self) -> None:
        """All that have a turn before the player's next one; at equal times the player comes first.

        Rule: "on an event queue (a turn comes every 1000 / speed)"; ties go to the lower sequence number.
        """
        queue = [(monster.next_turn, monster.sequence) for monster in self.monsters.values()]
        queue = [entry for entry in queue if entry[0] < self.until]
        heapify(queue)
        while queue and not self.is_dead:
            _, sequence = heappop(queue)
            if sequence not in self.monsters:
                continue
            next_turn = self._let_act(self.monsters[sequence])
            if next_turn < self.until:
                heappush(queue, (next_turn, sequence))

    def result(self) -> tuple[State, tuple[Event, ...]]:
        """The state after the turn, but for what the player sees now; and the turn's events."""
        before = self.before
        status = Status.DIED if self.is_dead else Status.PLAYING if self.monsters else Status.WON
        if status is Status.WON:
            self.events.append(DungeonCleared())
        state = replace(
            before,
            player=self.player,
            hardness=self.hardness,
            terrain=self.terrain,
            monsters=tuple(self.monsters.values()),
            random=self.random.state,
            time=self.until,
            turns=before.turns + 1,
            kills=before.kills + self.kills,
            status=status,
        )
        return state, tuple(self.events)

    def _let_act(self, monster: Monster) -> int:
        """One monster's turn; returns when its next one comes."""
        sees_player = bool(view(self.hardness, self.terrain, self.player)[monster.cell])
        last_seen = self.player if sees_player and Ability.SMART in monster.kind.abilities else monster.last_seen
        if Ability.ERRATIC in monster.kind.abilities and self.random.below(2) == 0:
            target = self._anywhere(monster)
        elif sees_player or Ability.TELEPATHIC in monster.kind.abilities:
            target = self._downhill(monster, self.player)
        else:
            target = None if last_seen is None else self._downhill(monster, last_seen)
        next_turn = monster.next_turn + TICKS // monster.speed
        cell = monster.cell if target is None or not self._dig(monster, target) else target
        if cell == last_seen:
            last_seen = None  # nobody here
        moved = replace(monster, cell=cell, next_turn=next_turn, last_seen=last_seen)
        self.monsters[monster.sequence] = moved
        if cell != monster.cell:
            self._arrive(monster.cell, moved)
        return next_turn

    def _downhill(self, monster: Monster, goal: Cell) -> Cell | None:
        """Rule: "Monsters that know where you are go downhill on the map of their kind"."""
        if Ability.TUNNELS in monster.kind.abilities:
            field = tunnelling_field(self.hardness, goal, self.before.seed)
        else:
            field = walking_field(self.hardness, self.terrain, goal, self.before.seed)
        way = int(field.steps[monster.cell])
        if way == STAY:
            return None
        rows, cols = WAYS[way].tolist()
        return Cell(monster.cell.row + rows, monster.cell.col + cols)

    def _anywhere(self, monster: Monster) -> Cell | None:
        """Any neighbour that one of its kind may go for."""
        hardest = IMMUTABLE - 1 if Ability.TUNNELS in monster.kind.abilities else OPEN
        cells = [monster.cell.neighbour(direction) for direction in EIGHT_WAYS]
        cells = [cell for cell in cells if self.hardness[cell] <= hardest]
        return self.random.choice(cells) if cells else None

    def _dig(self, monster: Monster, cell: Cell) -> bool:
        """True if the cell is open, or is after this dig.

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

    def _arrive(self, origin: Cell, monster: Monster) -> None:
        """Rule: "A character that steps onto another removes it"."""
        del self.at[origin]
        self._kill(monster.cell, monster)
        self.at[monster.cell] = monster.sequence
        if monster.cell == self.player:
            self.is_dead = True
            self.events.append(PlayerDied(self.player, monster))

    def _kill(self, cell: Cell, by: Monster | None) -> bool:
        """Removes who stands there, the player aside; whether there was anyone."""
        sequence = self.at.pop(cell, None)
        if sequence is None:
            return False
        self.events.append(MonsterKilled(self.monsters.pop(sequence), by))
        return True
