"""The delve on screen: what its states look like, in glyphs and words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction, cells_of
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED, farthest
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.ai.plan import plan
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import (
    AMULET,
    CORRIDOR,
    HEARTS,
    OPEN,
    PLAYER,
    ROCK,
    ROOM,
    STAIRS_DOWN,
    STAIRS_UP,
    TERRAIN_NAMES,
    Level,
)
from dungeon_tui.games.delve.model.maps import TUNNELLING, WALKING
from dungeon_tui.games.delve.model.state import (
    ACTION_OF,
    STEPS,
    UNSEEN,
    Action,
    AmuletBroughtUp,
    AmuletTaken,
    DungeonCleared,
    HeartGained,
    Monster,
    MonsterKilled,
    PlayerDied,
    PlayerHit,
    RockWorn,
    StairsTaken,
    State,
    Status,
)
from dungeon_tui.games.delve.view import words
from dungeon_tui.games.delve.view.analysis import DelveAnalysis
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import MOVES, Key
from dungeon_tui.ui.map.distance_layer import DistanceField
from dungeon_tui.ui.map.source import CellLayer, MapSource, Row
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import (
    DANGER,
    SIGHT,
    Advice,
    Diagonals,
    Finale,
    Fog,
    Frame,
    Hints,
    Journeys,
    Motions,
    Numbers,
    Special,
    ToggledLayer,
)
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.motion import sparkling, struck
from dungeon_tui.ui.play.overlay import Same
from dungeon_tui.ui.widgets.message_log import Line
from dungeon_tui.ui.widgets.side_panel import Facts

_LISTED = 5  # monsters in the panel
_LONGEST_WAIT = 20  # turns
_KINDS = (WALKING, TUNNELLING)
_DOWN = Key("stairs.down", "greater_than_sign", ">", "Down stairs", "take the stairs down", MOVES)
_UP = Key("stairs.up", "less_than_sign", "<", "Up stairs", "take the stairs up", MOVES)
_STAIRS = (Action.ASCEND, Action.DESCEND)
_MEANINGS = {
    MonsterKilled: Meaning.FOE,
    RockWorn: Meaning.FOE,
    PlayerDied: Meaning.FOE,
    PlayerHit: Meaning.FOE,
    HeartGained: Meaning.PRIZE,
    AmuletTaken: Meaning.PRIZE,
    AmuletBroughtUp: Meaning.WAY_OUT,
    StairsTaken: Meaning.DOOR,
    DungeonCleared: Meaning.WAY_OUT,
}
_CODE_MEANINGS = bytearray([Meaning.UNSEEN] * 256)
_CODE_MEANINGS[ROOM] = _CODE_MEANINGS[CORRIDOR] = Meaning.FLOOR
_CODE_MEANINGS[STAIRS_UP] = _CODE_MEANINGS[STAIRS_DOWN] = Meaning.DOOR
_CODE_MEANINGS[ROCK] = Meaning.WALL
_DIM = {Meaning.FLOOR: Meaning.REMEMBERED, Meaning.WALL: Meaning.REMEMBERED_WALL}


_MONSTERS = (Meaning.FOE, Meaning.SLIGHT_FOE)
_SPRITES = {
    **{(noun[0], int(meaning)): noun for noun in words.NOUNS for meaning in _MONSTERS},
    **{(noun[0].upper(), int(meaning)): f"erratic-{noun}" for noun in words.NOUNS for meaning in _MONSTERS},
    ("░", int(Meaning.WALL)): "rock",
    ("░", int(Meaning.REMEMBERED_WALL)): "rock",
    ("·", int(Meaning.REMEMBERED)): "floor",
    ("#", int(Meaning.REMEMBERED)): "corridor",
    (">", int(Meaning.REMEMBERED)): "stairs-down",
    ("<", int(Meaning.REMEMBERED)): "stairs-up",
}


class Picture:
    """A state as a map view shows it, in the fog or without."""

    def __init__(self, state: State, glyphs: Glyphs, is_foggy: bool) -> None:
        self.height, self.width, self.sprites = state.height, state.width, _SPRITES
        self._state, self._is_foggy = state, is_foggy
        self._board = state.seen if is_foggy else state.terrain
        self._visible = rules.visible(state) if is_foggy else None
        self._table = {UNSEEN: " ", ROOM: glyphs.floor, CORRIDOR: glyphs.corridor, ROCK: glyphs.rock}
        self._monsters: dict[int, list[Monster]] = {}
        for monster in state.monsters:
            if self._visible is None or self._visible[monster.cell]:
                self._monsters.setdefault(monster.cell.row, []).append(monster)

    def row(self, row: int, start: int, stop: int) -> Row:
        """Cells of a row from column `start` up to `stop`: terrain, monsters, player; in fog as they are known."""
        codes = self._board.row(row, start, stop)
        cells = Row(start, codes.decode("ascii").translate(self._table), codes.translate(_CODE_MEANINGS))
        if self._visible is not None:
            for index in np.flatnonzero(~self._visible[row, start:stop]).tolist():
                cells.meanings[index] = _DIM.get(Meaning(cells.meanings[index]), cells.meanings[index])
        if (amulet := self._state.amulet) is not None and row == amulet.row and self._board[amulet] != UNSEEN:
            cells.put(amulet.col, chr(AMULET), Meaning.PRIZE)
        for monster in self._monsters.get(row, ()):
            is_slow, is_fast = monster.speed < rules.PLAYER_SPEED, monster.speed > rules.PLAYER_SPEED
            meaning = Meaning.SLIGHT_FOE if is_slow else Meaning.FOE
            cells.put(monster.cell.col, words.letter(monster), meaning, Tint.FOE if is_fast else None)
        if row == self._state.player.row:
            is_dead = self._state.status is Status.DIED
            you = (None, None, Tint.DANGER) if is_dead else (chr(PLAYER), Meaning.YOU)
            cells.put(self._state.player.col, *you)
        return cells


class DelveView(GameView):
    """The delve on screen."""

    moves_by_kernels = True  # monsters walk by the distance maps

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self.fog = Fog(is_on=True)
        self._known = 0, set[int]()  # a dungeon's number, and those of the monsters that ended a journey there
        self.features = (
            Diagonals(),
            Special(_DOWN, Action.DESCEND),
            Special(_UP, Action.ASCEND),
            Journeys(self.places, self.route, self.reason_to_stop, explore, wait, reason_to_act),
            Hints(advise),
            DelveAnalysis(glyphs),
            ToggledLayer(SIGHT, "Lines of sight", self.sight_layer, lambda: words.SIGHT),
            ToggledLayer(DANGER, "Danger", self.danger_layer, partial(words.DANGER.format, glyphs.cross)),
            Numbers(_KINDS, distance_key, distances, is_told_by_cell_text=True),
            Finale(scores),
            Motions(partial(motion, glyphs=glyphs)),
            self.fog.switch(),
        )

    def picture(self, state: State) -> MapSource:
        """The dungeon with all that is in it, as far as it is seen."""
        return Picture(state, self.glyphs, self.fog.is_on)

    def focus_cell(self, state: State) -> Cell:
        """The player's cell."""
        return state.player

    def changed_rows(self, before: State, after: State) -> Iterable[int] | None:
        """Rows of all that changed, moved or came in or out of sight; None, for all, in another dungeon."""
        if before.level is not after.level:
            return None
        rows = {before.player.row, after.player.row}
        rows.update(monster.cell.row for state in (before, after) for monster in state.monsters)
        for old, new in (before.terrain, after.terrain), (before.seen, after.seen):
            cells = new.changed_cells(old)
            if cells is None:
                return None
            rows.update((cells // after.width).tolist())
        if self.fog.is_on:
            differs = rules.visible(before) != rules.visible(after)
            rows.update(np.flatnonzero(differs.any(axis=1)).tolist())
        return rows

    def load_kernels(self, state: State) -> None:
        """Computes both distance maps, which compiles the kernels that the monsters' first turn needs."""
        for kind in _KINDS:
            rules.distances(state, kind)

    def greeting(self, level: Level) -> Iterable[Line]:
        """Advice on fighting with hearts, and the faults of the level's file."""
        if level.rules == HEARTS:
            yield Line(words.FIGHTING)
        for warning in level.warnings:
            yield Line(words.NOTE.format(warning), Meaning.DOOR)

    def facts(self, turn: Turn[State, Action]) -> Facts:
        """Depth, turns and monsters, for the panel; the nearest monsters known are listed."""
        state, seen = turn.state, self._shown_monsters(turn.state)
        left, in_sight = len(state.monsters), len(solver.monsters_in_view(state))
        listed = [(f"{words.letter(each)}, speed {each.speed}", words.name(each)) for each in seen[:_LISTED]]
        if len(seen) > _LISTED:
            listed.append(("", f"and {len(seen) - _LISTED} more"))
        sounds = dict.fromkeys(words.sound(state, each) for each in self._heard(state))
        listed += [("" if number else "Heard", sound) for number, sound in enumerate(sounds)]
        depth, rows, short = f"{state.depth}", list[tuple[str, str]](), list[str]()
        if state.is_fair:
            depth, points = f"{depth} of {rules.LAST_DEPTH}", f"{rules.points(state):,}"
            rows = [("Hearts", f"{state.hearts} of {rules.MOST_HEARTS}"), ("Points", points)]
            short = [counted(state.hearts, "heart"), f"{points} points"]
        return Facts(
            goal=words.goal(state),
            title=state.level.name or "Delve",
            subtitle="",
            caption="" if state.level.name == f"seed {state.seed}" else f"played with seed {state.seed}",
            rows=(
                *rows,
                ("Depth", depth),
                ("Turns", f"{state.turns}"),
                ("Monsters", f"{left} left"),
                ("In sight", f"{in_sight}"),
                ("Removed", f"{state.kills} by you"),
                ("You are at", state.player.place),
                ("Map", f"{state.height} x {state.width}"),
            ),
            more=tuple(listed),
            short=(
                f"depth {state.depth}",
                *short,
                counted(state.turns, "turn"),
                f"{counted(left, 'monster')} left",
                f"{in_sight} in sight",
                f"{state.kills} removed by you",
            ),
        )

    def story(self, turn: Turn[State, Action]) -> Iterable[Line]:
        """Lines for the events that the player can know of, monsters that come into sight, and stairs underfoot."""
        state, hits = turn.state, list[Line]()
        for event, sentence in words.told(state, turn.events, is_foggy=self.fog.is_on, of=words.the):
            line = Line(sentence, _MEANINGS.get(type(event), Meaning.NOTE))
            if isinstance(event, PlayerHit):
                hits.append(line)  # told last: a small terminal shows no more
                continue
            yield line
            if isinstance(event, StairsTaken):
                yield Line(words.arrival(state))
        if state.status is not Status.PLAYING:
            return
        before = turn.parent.state if turn.parent and turn.parent.state.level is state.level else None
        yield from self._news(before, state)
        if (code := state.terrain[state.player]) in (STAIRS_UP, STAIRS_DOWN):
            yield Line(words.on_stairs(code), Meaning.DOOR)
        if threat := solver.threat(state):
            yield Line(words.threat(threat), Meaning.FOE)
        yield from hits

    def _news(self, before: State | None, state: State) -> Iterator[Line]:
        """Lines for all that came into sight or hearing between two states of a dungeon, or came nearer unseen."""
        if not self.fog.is_on:
            return
        was = {} if before is None else {each.sequence: words.nearness(before, each) for each in self._heard(before)}
        if new := [each for each in self._heard(state) if was.get(each.sequence, 9) > words.nearness(state, each)]:
            yield Line(words.sounds(state, new), Meaning.FOE)
        for cell, code in solver.finds(state).items():
            if before is None or cell not in solver.finds(before):
                yield Line(words.found(code), Meaning.DOOR)
        sighted = self._new(solver.monsters_in_view, before, state)
        for monster in sorted(sighted, key=lambda each: -solver.turns_away(state, each)):
            yield Line(words.sighting(monster), Meaning.FOE)

    def _heard(self, state: State) -> list[Monster]:
        """The monsters that are heard and not shown, the next to come first."""
        if not self.fog.is_on:
            return []
        seen = rules.visible(state)
        heard = [monster for monster in solver.noticed(state) if not seen[monster.cell]]
        return sorted(heard, key=lambda monster: solver.turns_away(state, monster))

    @staticmethod
    def _new(of: Callable[[State], Iterable[Monster]], before: State | None, after: State) -> list[Monster]:
        """The monsters that a function finds in a state and did not in the one before."""
        known = {monster.sequence for monster in of(before)} if before is not None else set()
        return [monster for monster in of(after) if monster.sequence not in known]

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        """The step in a direction, legal or not; staying if there is none."""
        return Action.STAY if direction is None else ACTION_OF[direction]

    def cell_text(self, state: State, cell: Cell) -> str:
        """Words for a cell: terrain, monster, distances, as far as they are known; empty off the map."""
        return words.cell_text(state, cell, is_foggy=self.fog.is_on)

    def places(self, state: State) -> Sequence[tuple[str, Cell]]:
        """Places to travel to, each with its glyph: known stairs, amulet and monsters, the nearest first."""
        looks = state.seen.copy() if self.fog.is_on else state.terrain.copy()
        places = [
            (chr(code), cell) for code in (STAIRS_DOWN, STAIRS_UP) for cell in cells_of(np.argwhere(looks == code))
        ]
        places += [(words.letter(monster), monster.cell) for monster in self._shown_monsters(state)]
        if state.amulet is not None and looks[state.amulet] != UNSEEN:
            places.append((chr(AMULET), state.amulet))
        distance = rules.distances(state, WALKING).distance
        return sorted(places, key=lambda place: int(distance[place[1]]))

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        """Actions of a shortest walk over known cells, or the reason why there is none."""
        return solver.route(state, cell, is_foggy=self.fog.is_on)

    def reason_to_stop(self, before: State | None, after: State) -> str:
        """Sentence on what ends a journey; empty if it goes on.

        That is a heart lost; a monster that can be here within twice the moves of its speed, once it is seen or heard,
        and once it is nearer; from far off only the first time in a dungeon, as the erratic come and go; at the start
        one that is close, or near and in sight; and stairs down or the amulet, once they are seen.
        """
        if after.status is not Status.PLAYING:
            return ""
        if before is not None and after.hearts < before.hearts:
            return words.hearts_left(after)
        seen = rules.visible(after)
        for monster in self._alarming(before, after) if before is not None else ():
            return words.sighting(monster) if seen[monster.cell] else words.sounds(after, [monster])
        for monster in solver.noticed(after):
            is_first = before is None and seen[monster.cell]
            if solver.turns_away(after, monster) <= (solver.NEAR if is_first else solver.CLOSE):
                return words.coming(after, monster)
        found = solver.finds(after).keys() - (solver.finds(before or after).keys())
        return words.found(solver.finds(after)[min(found)]) if found else ""

    def _alarming(self, before: State, after: State) -> list[Monster]:
        """The monsters that ought to end a journey, those in sight first; all that are noticed count as known then."""
        if self._known[0] != after.dungeons:
            self._known = after.dungeons, set()
        was, now, known = _alarms(before), _alarms(after), self._known[1]
        fewest = len(words.NEARNESS)
        new = [number for number in now if now[number] < was.get(number, fewest - (number in known))]
        known.update(now)
        monsters = [monster for monster in after.monsters if monster.sequence in new]
        return sorted(monsters, key=lambda each: (now[each.sequence], solver.turns_away(after, each)))

    def legend(self) -> Sequence[tuple[str, str]]:
        """Glyphs and their meanings."""
        shown = {ROOM: self.glyphs.floor, CORRIDOR: self.glyphs.corridor, ROCK: self.glyphs.rock}
        terrain = [(shown.get(code, chr(code)), name) for code, name in TERRAIN_NAMES.items()]
        return [("@", "you"), *words.legend(), (chr(AMULET), "the amulet"), *terrain]

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Title and text of the dialog at the end."""
        return words.ending(state)

    def _shown_monsters(self, state: State) -> list[Monster]:
        monsters = solver.monsters_in_view(state) if self.fog.is_on else state.monsters
        return sorted(monsters, key=lambda monster: _longer_side(monster.cell, state.player))

    def sight_layer(self, state: State) -> CellLayer:
        """Layer that marks the lines along which monsters see the player."""
        layer = CellLayer()
        for monster in solver.monsters_in_view(state):
            for cell in _line(state, monster.cell):
                layer.mark(cell, self.glyphs.bullet if _is_bare(state, cell) else None, None, Tint.SIGHT)
        return layer

    def danger_layer(self, state: State) -> CellLayer:
        """Layer that marks the cells on which a monster would hit the player in the next turn."""
        layer = CellLayer()
        for action in rules.legal_actions(state):
            if action in _STAIRS:
                continue  # they lead away from danger, and another dungeon takes its time
            if solver.attacker(state, action) is not None:
                cell = state.player.neighbour(STEPS[action]) if action in STEPS else state.player
                is_bare = _is_bare(state, cell)
                layer.mark(cell, self.glyphs.cross if is_bare else None, Meaning.FOE if is_bare else None, Tint.DANGER)
        return layer


def _alarms(state: State) -> dict[int, int]:
    """The nearness of all monsters that are noticed, by their numbers; below 0 of those in sight."""
    seen, unseen = rules.visible(state), len(words.NEARNESS)
    noticed = solver.noticed(state)
    return {each.sequence: words.nearness(state, each) - unseen * bool(seen[each.cell]) for each in noticed}


def explore(state: State) -> Sequence[Action] | str:
    """The actions to the nearest unseen part; the reason not to where a monster is near that can hit who goes there."""
    seen = rules.visible(state)
    for monster in solver.noticed(state):
        can_hit = seen[monster.cell] or not state.is_fair  # by hearts, who comes out of the dark doesn't hit
        if can_hit and solver.turns_away(state, monster) <= (solver.NEAR if seen[monster.cell] else solver.CLOSE):
            return f"{words.coming(state, monster)} Not the time to explore."
    return solver.explore_route(state)


def wait(state: State) -> Sequence[Action] | str:
    """The actions of waiting for what comes; the reason not to where a monster can hit who stays."""
    threat = _threat(state)
    return (Action.STAY,) * _LONGEST_WAIT if threat is None else f"{words.can_hit(threat)} Not the time to wait."


def reason_to_act(before: State, after: State) -> str:
    """Sentence on what ends a wait: a heart lost, a monster that can hit or be hit, one that comes into sight."""
    if after.status is not Status.PLAYING:
        return ""
    if after.hearts < before.hearts:
        return words.hearts_left(after)
    if (threat := _threat(after)) is not None:
        return words.can_hit(threat)
    seen_before = {monster.sequence for monster in solver.monsters_in_view(before)}
    new = (monster for monster in solver.monsters_in_view(after) if monster.sequence not in seen_before)
    return next(map(words.sighting, new), "")


def _threat(state: State) -> Monster | None:
    """A monster beside the player, or one that comes and hits who stays; None: there is none."""
    beside = (state.monster_at(state.player.neighbour(way)) for way in STEPS.values())
    return next(filter(None, beside), None) or solver.attacker(state, Action.STAY)


def advise(state: State, step: int) -> Advice:
    """A careful player's plan, made of what is seen and heard: why, the move, the line."""
    if rules.outcome(state) is not None:
        return Advice("It is over.", is_all=True)
    wanted, cell, layer = plan(state), state.player, CellLayer()
    for action in wanted.actions if step > 1 else wanted.actions[:1]:
        cell = cell.neighbour(STEPS[action]) if action in STEPS else cell
        layer.mark(cell, None, None, Tint.PATH)
    return Advice(words.hint(state, wanted, step), layer if step else None, is_all=step == len(wanted.actions) == 1)


def scores(state: State) -> Sequence[Score]:
    """Scores of an end: points and depth; by the course's rules turns, monsters removed and depth of a win."""
    if state.is_fair and state.status is not Status.PLAYING:
        points = Score("points", rules.points(state), is_less_better=False)
        return points, Score("depth", state.deepest, is_less_better=False)
    if state.status is not Status.WON:
        return ()
    turns, removed = Score("turns", state.turns), Score("monsters removed", state.kills, is_less_better=False)
    return turns, removed, Score("depth", state.depth, is_less_better=False)


def distance_key(state: State) -> Hashable:
    """Key that is equal for states with the same `distances`: both boards, by identity, and the player's cell."""
    return Same(state.terrain), Same(state.hardness), state.player


def distances(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """Turns that monsters of a kind take to the player, for every cell, and the steps that lead there."""
    field = rules.distances(state, kind)
    return DistanceField(kind, field.distance, field.steps, UNREACHED, farthest(field.distance))


def _is_bare(state: State, cell: Cell) -> bool:
    """True if floor is all there is to see of a cell, so that a mark hides nothing."""
    return state.terrain[cell] in (ROOM, CORRIDOR) and state.monster_at(cell) is None and cell != state.player


def _longer_side(one: Cell, other: Cell) -> int:
    return max(abs(one.row - other.row), abs(one.col - other.col))


def _line(state: State, end: Cell) -> Iterable[Cell]:
    """The cells nearest to the straight line from the player; where it runs just between two, one that is open."""
    start = state.player
    steps = _longer_side(start, end)
    down, right = end.row - start.row, end.col - start.col
    for step in range(steps + 1):
        cell = Cell(start.row + _rounded(down * step, steps), start.col + _rounded(right * step, steps))
        if state.hardness[cell] != OPEN:
            cell = Cell(start.row - _rounded(-down * step, steps), start.col - _rounded(-right * step, steps))
        yield cell


def _rounded(number: int, by: int) -> int:
    """The quotient rounded to the nearest integer, halves upward; 0 for 0 / 0."""
    return (2 * number + by) // (2 * by or 1)


def motion(turn: Turn[State, Action], glyphs: Glyphs) -> Sequence[Frame]:
    """Frames of a blow given or taken, or of the amulet taken; what others do out of sight moves nothing."""
    frames = list[Frame]()
    for event in turn.events:
        match event:
            case PlayerHit(cell) | PlayerDied(cell):
                return struck(cell)
            case MonsterKilled(monster, None):
                frames = struck(monster.cell)
            case AmuletTaken(cell):
                frames = sparkling(cell, glyphs)
            case _:
                pass
    return frames
