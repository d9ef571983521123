"""The delve's rules: you and the monsters take turns by speed; a character that steps onto another kills it.

Source:
    The "Roguelike" assignments of a course in C and C++ (RLG327), as in docs/games/delve.md; functions quote the
    sentence that they implement.
"""

from dataclasses import replace
from heapq import heapify, heappop, heappush

from dungeon_tui.core.grid import EIGHT_WAYS, Cell, Direction
from dungeon_tui.core.random import Random
from dungeon_tui.core.rules import Event, IllegalActionError, Outcome
from dungeon_tui.engine import STAY, UNREACHED
from dungeon_tui.games.delve.model import level as levels
from dungeon_tui.games.delve.model import state as model
from dungeon_tui.games.delve.model.finds import (
    BOMB_TURNS,
    FIND_OF_KEY,
    FROST_TURNS,
    GOLD,
    HASTE_TURNS,
    HEART,
    PILE,
)
from dungeon_tui.games.delve.model.level import BoolGrid, Level
from dungeon_tui.games.delve.model.maps import FLEEING, TUNNELLING, WALKING, Field, apart, field, ray, view
from dungeon_tui.games.delve.model.series import enter, look_around, take_stairs
from dungeon_tui.games.delve.model.state import MOST_HEARTS as MOST_HEARTS
from dungeon_tui.games.delve.model.state import PLAYER_SPEED as PLAYER_SPEED
from dungeon_tui.games.delve.model.state import Ability, Action, Bomb, Monster, Mood, State, Status

VERSION = 10
UNLISTED: frozenset[type] = frozenset()

TICKS = 1000  # a turn comes every TICKS // speed
WEAR = 85  # hardness that a tunneller takes off in a turn
WAKES = 3  # steps away at which a sleeper wakes
GATHERS = 8  # steps within which jackals hunt together, and wait for each other
FLED = 12  # steps away from you at which a lookout calls
CALLS = 15  # steps within which it is heard
ARROW_STEPS = 8  # that an arrow flies
PURSUER_TURNS = {False: (250, 150), True: (0, 30)}  # until the first, between later ones; on a depth, with the amulet
WARNING_TURNS = 15  # before a pursuer comes
PURSUER_SPEED = 15

_STAIRS = {Action.ASCEND: levels.STAIRS_UP, Action.DESCEND: levels.STAIRS_DOWN}


def start(level: Level, seed: int = 0) -> State:
    """The first dungeon of the seed's series; the seed places the monsters, and the player if the level doesn't."""
    return enter(level, seed, depth=1, dungeons=1)


def legal_actions(state: State) -> tuple[Action, ...]:
    return tuple(action for action in Action if objection(state, action) is None)


def objection(state: State, action: Action) -> str | None:
    if state.status is not Status.PLAYING:
        return f"the game is over ({state.status.value}): undo or restart"
    if action is Action.STAY:
        return None
    if find := FIND_OF_KEY.get(action.value):
        return None if find in state.carried else f"you carry no {find}"
    if action is Action.ASCEND and state.is_fair and not state.has_amulet:
        return "you go up only with the amulet: it is on the last depth"
    if action in _STAIRS:
        if state.terrain[state.player] == _STAIRS[action]:
            return None
        way = "down" if action is Action.DESCEND else "up"
        return f"you can't go {way} the stairs: there are none here"
    cell = state.player.neighbour(model.STEPS[action])
    if state.hardness[cell] == levels.OPEN:
        return None
    return f"there is rock to the {model.compass(*model.STEPS[action].value)}"


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state before the player's next turn, and the events of this turn."""
    if (problem := objection(state, action)) is not None:
        raise IllegalActionError(problem)
    if action is Action.ASCEND and state.has_amulet:
        return replace(state, turns=state.turns + 1, status=Status.WON), (model.AmuletBroughtUp(),)
    if action in _STAIRS:
        return take_stairs(state, is_down=action is Action.DESCEND)
    turn = _Turn(state)
    turn.act(action)
    turn.let_monsters_act()
    turn.let_bombs_burn()
    turn.let_pursuers_come()
    after, events = turn.result()
    return look_around(after), events


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


def awards(state: State) -> dict[str, int]:
    """The points: 100 for a new depth, 10 for a kill, 1 for a piece of gold, 1000 for the amulet brought up."""
    return {
        "amulet": 1000 * (state.status is Status.WON),
        "depths": 100 * (state.depth - 1),
        "monsters": 10 * state.kills,
        "gold": state.gold,
    }


def points(state: State) -> int:
    """The score: the sum of all awards."""
    return sum(awards(state).values())


def turn_end(state: State) -> int:
    """The time of the player's turn after the next, in ticks; a quick move takes half a turn."""
    return state.time + TICKS // PLAYER_SPEED // (2 if state.haste else 1)


def pursuers(turns: int, *, has_amulet: bool) -> int:
    """The number of pursuers that come within so many turns on a depth, or with the amulet."""
    first, more = PURSUER_TURNS[has_amulet]
    return max(0, (turns - first) // more + 1)


def pursuer_turns(state: State) -> int:
    """Turns until the next pursuer comes by the stairs, if you stay on this depth."""
    first, more = PURSUER_TURNS[state.has_amulet]
    turns = first - (state.time - state.amulet_time) * PLAYER_SPEED // TICKS
    return turns if turns > 0 else turns % more or more


def visible(state: State) -> BoolGrid:
    """(height, width) bool, read-only: the cells that the player sees, and that see the player."""
    return view(state.hardness, state.terrain, state.player)


def arrow_path(state: State, archer: Monster) -> list[Cell]:
    """The cells that an archer's arrow crosses if nobody stands there; none unless its bow is drawn."""
    return [] if archer.aim is None else ray(state.hardness, archer.cell, archer.aim, ARROW_STEPS)


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
        self.until = turn_end(state)
        self.hearts, self.kills = state.hearts, state.kills
        self.things, self.bombs, self.gold = state.things, state.bombs, state.gold
        self.carried, self.haste, self.frozen_until = state.carried, max(state.haste - 1, 0), state.frozen_until
        self.has_amulet, self.amulet_time = state.has_amulet, state.amulet_time
        self.may_strike = set(self.monsters)  # by sequence number
        if state.is_fair:
            seen = visible(state)
            self.may_strike = {monster.sequence for monster in state.monsters if seen[monster.cell]}
        self.killer: Monster | None = None
        self.events: list[Event] = []

    def act(self, action: Action) -> None:
        origin = self.player
        if action is Action.STAY:
            self.events.append(model.Stayed(origin))
            return
        if find := FIND_OF_KEY.get(action.value):
            self._use(find)
            return
        self.player = origin.neighbour(model.STEPS[action])
        self._kill(self.player, None)
        if self.player == self.before.amulet and not self.has_amulet:
            self.has_amulet, self.amulet_time = True, self.until
            self.events.append(model.AmuletTaken(self.player))
            asleep = (each for each in self.monsters.values() if each.mood is Mood.ASLEEP)
            self.monsters |= {each.sequence: replace(each, mood=Mood.AWAKE) for each in asleep}
        for thing in self.things:
            if thing[0] == self.player:
                self._take(*thing)

    def _take(self, cell: Cell, name: str) -> None:
        if name == HEART and self.hearts == MOST_HEARTS:
            return
        self.things = tuple(thing for thing in self.things if thing[0] != cell)
        if name == HEART:
            self.hearts += 1
            self.events.append(model.HeartGained(self.hearts))
            return
        gold = PILE * self.before.depth if name == GOLD else 0
        self.gold += gold
        self.carried += () if gold else (name,)
        self.events.append(model.ThingTaken(cell, name, gold))

    def _use(self, find: str) -> None:
        """Uses a find.

        Rule: "Haste gives two moves a turn for 5 turns; using it is the first move. Frost lets all monsters wait 5
        turns, this one included. A bomb lies on your cell and blows up at the end of the second turn after this one".
        """
        used = self.carried.index(find)
        self.carried = self.carried[:used] + self.carried[used + 1 :]
        self.events.append(model.FindUsed(find))
        turn = TICKS // PLAYER_SPEED
        if find == "haste":
            self.haste, self.until = 2 * HASTE_TURNS - 1, self.before.time + turn // 2
        elif find == "bomb":
            self.bombs += (Bomb(self.player, self.before.time + (BOMB_TURNS + 1) * turn),)
        else:
            self.frozen_until = self.before.time + FROST_TURNS * turn
            self.monsters = {
                number: replace(monster, next_turn=monster.next_turn + FROST_TURNS * turn)
                for number, monster in self.monsters.items()
            }

    def let_bombs_burn(self) -> None:
        """Blows up the bombs whose time has come, with the monsters and the rock on nine cells; you lose a heart."""
        for bomb in self.bombs:
            if bomb.time > self.until or not self.hearts:
                continue
            self.bombs = tuple(each for each in self.bombs if each is not bomb)
            self.events.append(model.BombBlewUp(bomb.cell))
            for cell in (bomb.cell, *map(bomb.cell.neighbour, EIGHT_WAYS)):
                self._kill(cell, None)
                if levels.OPEN < self.hardness[cell] < levels.IMMUTABLE:
                    self._wear(cell, levels.OPEN)
                if cell == self.player and self.hearts == self.before.hearts:
                    self._wound(None)

    def let_monsters_act(self) -> None:
        """Lets the monsters act whose turns come before the player's next turn; at equal times the player is first.

        Rule: "on an event queue (a turn comes every 1000 / speed)"; ties go to the lower sequence number.
        """
        queue = [(monster.next_turn, monster.sequence) for monster in self.monsters.values()]
        queue = [entry for entry in queue if entry[0] < self.until]
        heapify(queue)
        while queue and self.hearts:
            time, sequence = heappop(queue)
            if sequence not in self.monsters:
                continue
            monster = self.monsters[sequence]
            next_turn = self._let_act(monster) if monster.next_turn == time else monster.next_turn  # it lost a turn
            if next_turn < self.until:
                heappush(queue, (next_turn, sequence))

    def let_pursuers_come(self) -> None:
        """Announces a pursuer, or lets it in by the nearest stairs, if their turn has come.

        Rule: "A pursuer comes after 250 turns on a depth, and after every 150 more; when you take the amulet, and then
        every 30 turns".
        """
        for ahead in (WARNING_TURNS, 0) if self.before.is_fair else ():
            times = (ticks - self.amulet_time for ticks in (self.before.time, self.until))
            turns = (time * PLAYER_SPEED // TICKS + ahead for time in times)
            late, later = (pursuers(each, has_amulet=self.has_amulet) for each in turns)
            if later == late or (ahead and self.has_amulet):
                continue
            away = field(self.hardness, self.terrain, self.player, self.before.seed, WALKING).distance
            stairs = (*self.before.level.stairs_up, *self.before.level.stairs_down)
            free = (cell for cell in stairs if 0 < away[cell] < UNREACHED and cell not in self.at)
            if (cell := min(free, key=lambda cell: int(away[cell]), default=None)) is not None:
                self.events.append(model.PursuerDue(ahead))
                number, ready = max(self.monsters, default=0) + 1, max(self.until, self.frozen_until)
                if not ahead:
                    self.monsters[number] = Monster(number, model.PURSUER, cell, PURSUER_SPEED, ready)
                    self.at[cell] = number

    def result(self) -> tuple[State, tuple[Event, ...]]:
        before = self.before
        if before.time < self.frozen_until <= self.until:
            self.events.append(model.FrostEnded())
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
            kills=self.kills,
            hearts=self.hearts,
            amulet=None if self.has_amulet else before.amulet,
            has_amulet=self.has_amulet,
            amulet_time=self.amulet_time,
            things=self.things,
            bombs=self.bombs,
            gold=self.gold,
            carried=self.carried,
            haste=self.haste,
            frozen_until=self.frozen_until,
            status=status,
            killer=self.killer,
        )
        return state, tuple(self.events)

    def _let_act(self, monster: Monster) -> int:
        """Plays one monster's turn; returns the time of its next one."""
        # Choose the target: at random for half of an erratic one's moves, else towards the player's known position.
        abilities, next_turn = monster.kind.abilities, monster.next_turn + TICKS // monster.speed
        sees_player = self._sees_player(monster)
        last_seen = self.player if sees_player and Ability.SMART in abilities else monster.last_seen
        if Ability.PACK in abilities and last_seen is None:  # jackals hunt together
            last_seen = next((each.last_seen for each in self._mates(monster) if each.last_seen is not None), None)
        monster, is_busy = self._change_mood(monster, sees_player)
        if is_busy:
            self.monsters[monster.sequence] = replace(monster, next_turn=next_turn)
            return next_turn
        if Ability.ERRATIC in abilities and self.random.below(2) == 0:
            target = self._anywhere(monster)
        elif monster.mood is Mood.FLEEING:
            target = self._downhill(monster, self.player, FLEEING)
        else:
            goal = self.player if self._knows_player(monster, sees_player) else last_seen
            walk = self._prowl if Ability.PACK in abilities else self._downhill
            target = None if goal is None else walk(monster, goal)

        # Dig or step there; on the player's cell, strike.
        cell = monster.cell if target is None or not self._dig(monster, target) else target
        if cell == self.player:
            cell = self._strike(monster)
        if cell == last_seen:  # searched, for its pack too
            last_seen = None
            pack = [*self.monsters.values()] if Ability.PACK in abilities else []
            for mate in (each for each in pack if each.last_seen == cell and Ability.PACK in each.kind.abilities):
                self.monsters[mate.sequence] = replace(mate, last_seen=None)
        moved = replace(monster, cell=cell, next_turn=next_turn, last_seen=last_seen)
        self.monsters[monster.sequence] = moved
        if cell != monster.cell:
            self._arrive(monster.cell, moved)
        return next_turn

    def _sees_player(self, monster: Monster) -> bool:
        """True if a monster sees the player, or a jackal near it does."""
        seen = view(self.hardness, self.terrain, self.player)
        if Ability.PACK not in monster.kind.abilities:
            return bool(seen[monster.cell])
        return any(seen[each.cell] for each in self._mates(monster) if each.mood is not Mood.ASLEEP)

    def _knows_player(self, monster: Monster, sees_player: bool) -> bool:
        """True if a monster knows the player's cell."""
        return sees_player or Ability.TELEPATHIC in monster.kind.abilities or self.has_amulet

    def _mates(self, monster: Monster) -> list[Monster]:
        """The jackals near a jackal, itself included."""
        jackals = [each for each in self.monsters.values() if Ability.PACK in each.kind.abilities]
        return [each for each in jackals if apart(monster.cell, each.cell) <= GATHERS]

    def _change_mood(self, monster: Monster, sees_player: bool) -> tuple[Monster, bool]:
        """Lets a sleeper wake, a lookout run or call, an archer shoot or draw; and True if that takes its turn.

        Rule: "What sleeps wakes when you are within three steps. A lookout that sees you runs from you; twelve steps
        away and out of your sight, or if it can't run on, it calls all monsters within fifteen steps and comes with
        them".
        """
        if Ability.SHOOTING in monster.kind.abilities:
            return self._handle_bow(monster, sees_player)
        if monster.mood is not Mood.ASLEEP and Ability.COWARD not in monster.kind.abilities:
            return monster, False
        away = int(field(self.hardness, self.terrain, self.player, self.before.seed, WALKING).distance[monster.cell])
        if monster.mood is Mood.ASLEEP:
            if away <= WAKES:
                self.events.append(model.MonsterWoke(monster, monster.cell))
                monster = replace(monster, mood=Mood.AWAKE)
            return monster, True
        if monster.mood is Mood.AWAKE and sees_player:
            self.events.append(model.MonsterFled(monster, monster.cell))
            monster = replace(monster, mood=Mood.FLEEING)
        is_away = away >= FLED and not sees_player
        if monster.mood is Mood.FLEEING and (is_away or self._downhill(monster, self.player, FLEEING) is None):
            return self._call(monster), True
        return monster, False

    def _handle_bow(self, archer: Monster, sees_player: bool) -> tuple[Monster, bool]:
        """Lets an archer shoot, or draw its bow; returns it, and True if that takes its turn.

        Rule: "An archer that sees you in a row, column or diagonal, at most eight steps away and with nobody between,
        draws its bow. In its next turn it shoots along that line, and hits the first character there".
        """
        if archer.aim is None:
            aims = (way for way in EIGHT_WAYS if sees_player and self._target(archer, way) == self.player)
            if (aim := next(aims, None)) is None:
                return archer, False
            self.events.append(model.BowUsed(archer.cell, has_missed=False))
            return replace(archer, aim=aim, last_seen=self.player), True
        target = self._target(archer, archer.aim)
        if target == self.player and archer.sequence in self.may_strike:
            self._wound(archer)
        elif target is None or target == self.player:
            self.events.append(model.BowUsed(archer.cell, has_missed=True))
        else:
            self._kill(target, archer)
        return replace(archer, aim=None), True

    def _target(self, archer: Monster, way: Direction) -> Cell | None:
        """The cell of the first character on a line from an archer."""
        line = ray(self.hardness, archer.cell, way, ARROW_STEPS)
        return next((cell for cell in line if cell == self.player or cell in self.at), None)

    def _call(self, caller: Monster) -> Monster:
        away = field(self.hardness, self.terrain, caller.cell, self.before.seed, WALKING).distance
        others = [each for each in self.monsters.values() if 0 < away[each.cell] <= CALLS]
        for each in others:
            mood = Mood.AWAKE if each.mood is Mood.ASLEEP else each.mood
            self.monsters[each.sequence] = replace(each, last_seen=self.player, mood=mood)
        self.events.append(model.MonstersCalled(caller, len(others)))
        return replace(caller, mood=Mood.BOLD, last_seen=self.player)

    def _prowl(self, jackal: Monster, goal: Cell) -> Cell | None:
        """A jackal's next cell; None if it waits.

        Rule: "Jackals don't step onto each other, and next to one that is nearer to you only next to you. In a room
        they wait two steps from you for the others of their pack, for three turns at most". Sleepers only take up
        their cell, if you see it; else they change places.
        """
        away = field(self.hardness, self.terrain, goal, self.before.seed, WALKING).distance
        here, others = int(away[jackal.cell]), [each for each in self._mates(jackal) if each != jackal]
        mates = [each for each in others if each.mood is not Mood.ASLEEP]
        if here == UNREACHED or (here == 1 and goal == self.player):
            return None if here == UNREACHED else goal
        is_late = self.before.turns % 4 > 0 and any(2 < away[each.cell] <= GATHERS for each in mates)
        if here == 2 and is_late and self.terrain[goal] == levels.ROOM:
            return None
        seen = view(self.hardness, self.terrain, self.player)
        around = [jackal.cell.neighbour(way) for way in EIGHT_WAYS]
        taken = [each.cell for each in others if each in mates or seen[each.cell]]
        cells = [cell for cell in around if away[cell] <= here and cell not in taken]
        ahead = [each for each in mates if (away[each.cell], each.sequence) < (here, jackal.sequence)]
        gap = {cell: min((apart(cell, each.cell) for each in ahead), default=GATHERS) for cell in cells}
        cells = [cell for cell in cells if gap[cell] > 1 or away[cell] == 1]
        return min(cells, key=lambda cell: (away[cell], -gap[cell]), default=None)

    def _downhill(self, monster: Monster, goal: Cell, kind: str = "") -> Cell | None:
        """The next cell on the monster's shortest path to a goal; None if it is there, or has no path.

        Rule: "Monsters that know where you are go downhill on the map of their kind".
        """
        kind = kind or (TUNNELLING if Ability.TUNNELLING in monster.kind.abilities else WALKING)
        steps = field(self.hardness, self.terrain, goal, self.before.seed, kind).steps
        way = int(steps[monster.cell])
        return None if way == STAY else monster.cell.neighbour(EIGHT_WAYS[way])

    def _anywhere(self, monster: Monster) -> Cell | None:
        hardest = levels.IMMUTABLE - 1 if Ability.TUNNELLING in monster.kind.abilities else levels.OPEN
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
        self._wear(cell, left)
        self.events.append(model.RockWorn(monster, cell, left))
        return left == levels.OPEN

    def _wear(self, cell: Cell, left: int) -> None:
        """Sets the hardness of rock; at 0 it becomes corridor, or the stairs that lay in it."""
        flat = [cell.row * self.hardness.width + cell.col]
        self.hardness = self.hardness.replace(flat, [left])
        if left == levels.OPEN:
            looks = self.terrain[cell]
            self.terrain = self.terrain.replace(
                flat, [looks if looks in (levels.STAIRS_UP, levels.STAIRS_DOWN) else levels.CORRIDOR]
            )

    def _strike(self, monster: Monster) -> Cell:
        """Takes a heart if the monster may; returns its final cell, which is the player's after the last heart.

        Rule: "It takes a heart and is thrown back one step, straight away from you, if that cell is open and free; else
        it stays. You lose one heart a turn at most, and none to a monster that you did not see when your turn began".
        """
        if monster.sequence not in self.may_strike:
            return monster.cell
        self._wound(monster)
        if not self.hearts:
            return self.player
        row, col = monster.cell
        back = Cell(2 * row - self.player.row, 2 * col - self.player.col)
        is_inside = back.is_inside(self.hardness.height, self.hardness.width)
        return back if is_inside and self.hardness[back] == levels.OPEN and back not in self.at else monster.cell

    def _wound(self, by: Monster | None) -> None:
        """Takes the heart that the player can lose in a turn; `by` None: by a bomb."""
        self.hearts -= 1
        self.may_strike.clear()
        self.events.append(model.PlayerHit(self.player, by, self.hearts))
        self.killer = None if self.hearts else by

    def _arrive(self, origin: Cell, monster: Monster) -> None:
        """Completes a monster's move: kills the monster on its new cell, waits behind it, or changes places with it.

        Rule: "A character that steps onto another kills it. With hearts, monsters that you don't see wait behind one
        that hunts you and is as fast; others change places with them, and lose a turn".
        """
        other = self.monsters.get(self.at.get(monster.cell, 0))
        is_unseen = self.before.is_fair and not view(self.hardness, self.terrain, self.player)[monster.cell]
        if other and is_unseen and other.speed >= monster.speed and self._hunts(other):
            self.monsters[monster.sequence] = replace(monster, cell=origin)
            return
        del self.at[origin]
        if other and is_unseen:
            self.at[origin] = other.sequence
            next_turn = other.next_turn + TICKS // other.speed
            self.monsters[other.sequence] = replace(other, cell=origin, next_turn=next_turn)
        else:
            self._kill(monster.cell, monster)
        self.at[monster.cell] = monster.sequence

    def _hunts(self, monster: Monster) -> bool:
        """True if a monster is awake and knows where the player is, or was."""
        knows = monster.last_seen is not None or self._knows_player(monster, self._sees_player(monster))
        return monster.mood is Mood.AWAKE and knows

    def _kill(self, cell: Cell, by: Monster | None) -> None:
        if (sequence := self.at.pop(cell, None)) is not None:
            killed = self.monsters.pop(sequence)
            self.events.append(model.MonsterKilled(killed, by))
            self.kills += by is None and killed.kind is not model.PURSUER
