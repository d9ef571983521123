"""The delve on screen: its view in glyphs and words."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.identity import ByIdentity
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted
from dungeon_tui.engine import UNREACHED, farthest
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.model import level as levels
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model import state as model
from dungeon_tui.games.delve.model.finds import EFFECTS, FINDS, GOLD
from dungeon_tui.games.delve.model.level import Level
from dungeon_tui.games.delve.model.maps import FLEEING, TUNNELLING, WALKING
from dungeon_tui.games.delve.model.state import Action, Monster, Mood, State, Status
from dungeon_tui.games.delve.view import words
from dungeon_tui.games.delve.view.analysis import DelveAnalysis
from dungeon_tui.games.delve.view.guide import DelveGuide
from dungeon_tui.games.delve.view.picture import Picture, is_bare, shown_terrain
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import LOOKING, MOVES, Key
from dungeon_tui.ui.map.distance_layer import DistanceField
from dungeon_tui.ui.map.source import CellLayer, Layer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.features import Advice, ToggledLayer
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.motion import motion, struck
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.side_panel import Facts

_NEWS = 20  # turns after which a monster is told of again
_KINDS = (WALKING, TUNNELLING)
_DOWN = Key("stairs.down", "greater_than_sign", "Down", "take the stairs down, or show the way", MOVES, 4)
_UP = Key("stairs.up", "less_than_sign", "Up", "take the stairs up, or show the way", MOVES, 4)
_FOG = Key("fog", "f", "Fog", "fog of war: show only explored cells, or everything", LOOKING)
_FINDS = tuple(
    features.Special(
        Key(f"item.{name}", find.key, "Use", f"use {name}: {find.text}", MOVES),
        Action(find.key),
    )
    for name, find in FINDS.items()
)

_PASSING = model.BowUsed | model.FindUsed | model.MonsterWoke  # events that are news of their turn alone


class DelveView(GameView):
    """The delve on screen."""

    has_diagonals = True
    has_par = False
    moves_by_kernels = True  # monsters walk by the distance maps

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self.is_foggy = True
        self._described: dict[str, int] = {}  # descriptions of monsters, and the turn of each
        self._noted: dict[tuple[int, int, bool], tuple[int, int]] = {}  # turn and nearness of monsters, seen or heard
        self._refused: State | None = None  # in which exploring was asked for last
        self.guide = DelveGuide(lambda: self.is_foggy)
        danger = words.DANGER.format(glyphs.cross)
        self.features = (
            features.Special(_DOWN, Action.DESCEND),
            features.Special(_UP, Action.ASCEND),
            *_FINDS,
            features.Leads(self._way_to_stairs),
            features.Journeys(
                self.guide.landmarks,
                self.guide.route,
                self._reason_to_stop,
                self._explore,
                words.risk,
            ),
            features.Hints(partial(advise, glyphs=glyphs)),
            DelveAnalysis(glyphs),
            ToggledLayer(features.DANGER, "Danger", self.danger_layer, danger, begins_shown=True),
            features.Numbers(_KINDS, self.distance_key, self.distances, is_in_cell_text=True),
            features.Motions(partial(motion, table=words.EVENTS, glyphs=glyphs, others={model.MonsterKilled: _strike})),
            features.Switch(_FOG, self._switch_fog, is_answer=True),
        )

    def _switch_fog(self, state: State) -> str:
        self.is_foggy = not self.is_foggy
        return words.FOG[self.is_foggy]

    def picture(self, state: State) -> MapSource:
        return Picture(state, self.glyphs, self.is_foggy, is_drawn=self.is_preview)  # a miniature, too

    def focus_cell(self, state: State) -> Cell:
        return state.player

    def load_kernels(self, state: State) -> None:
        """Computes all maps, so that the kernels for the monsters' turns are compiled."""
        for kind in (*_KINDS, FLEEING):
            rules.distances(state, kind)

    def greeting(self, level: Level) -> Iterable[LogLine]:
        for warning in level.warnings:
            yield LogLine(f"Note: {warning}", Meaning.DOOR)

    def facts(self, turn: Turn[State, Action]) -> Facts:
        state, seen = turn.state, self.guide.shown_monsters(turn.state)
        left, is_visible = len(state.monsters), rules.visible(state)
        # The list below: sleepers in sight, what the player hears, and the nearest of each thing that has been seen.
        awake, listed = list[tuple[str, str]](), list[tuple[str, str]]()
        for each in seen:
            rows = listed if each.mood is Mood.ASLEEP else awake
            rows.append((f"{each.kind.letter}, speed {each.speed}", words.named(each)))
        unseen = [each for each in solver.noticed(state) if self.is_foggy and not is_visible[each.cell]]
        sounds = words.heard(state, unseen)
        listed += [("" if number else "Heard", sound) for number, sound in enumerate(sounds)]
        away = solver.known_distance(state, is_foggy=self.is_foggy)
        places = [each for each in self.guide.landmarks(state) if state.monster_at(each[1]) not in seen]
        for glyph, cell in reversed(dict(reversed(places)).items()):
            far = f", {away[cell]} away" if away[cell] < UNREACHED else ""
            listed.append((glyph + far, self.guide.name(state, cell)))
        here, owned, bag = words.lying(state), words.belongings(state), words.bag(state, self.glyphs.cross)
        drawn = f"{'♥' * state.hearts:♡<{rules.MOST_HEARTS}}"
        hearts = counted(state.hearts, "heart") if self.glyphs.is_ascii else drawn
        # Hearts and points are only in the fair rules.
        depth, points = f"{state.depth}" + f" of {state.level.depths}" * state.is_fair, f"{rules.points(state):,}"
        clock, at_work = rules.pursuer_turns(state), words.at_work(state)
        number = f"{points} points" if state.is_fair else f"{counted(left, 'monster')} left"
        turns = f"{state.turns:,}"
        return Facts(
            goal=words.goal(state),
            title=state.level.name or "Delve",
            subtitle="",
            rows=(
                *[("Hearts", hearts), ("Points", points), *owned] * state.is_fair,
                ("Depth", depth),
                *([("Lying here", here)] if here else []),
                ("Pursuer", f"in {counted(clock, 'turn')}") if state.is_fair else ("Turns", turns),
                ("Monsters", f"{left} left"),
                *awake,
            ),
            more=(*listed, *[(f"@, speed {rules.PLAYER_SPEED}", "you")] * bool(seen)),
            short=(
                *[hearts] * state.is_fair,
                f"{'amulet' if state.has_amulet else f'depth {state.depth}'}, {number}",  # all fit in 80 columns
                f"pursuer in {clock}" if state.is_fair else f"turn {turns}",
                ", ".join(f"{name.lower()} {text.removeprefix('in ').split()[0]}" for name, text in at_work),
                bag,
            ),
        )

    def story(self, turn: Turn[State, Action]) -> Iterator[LogLine]:
        state = turn.state
        kills, told = list[LogLine](), list[str]()  # kills among monsters may be news
        for event, sentence, meaning in words.event_texts(state, turn.events, is_foggy=self.is_foggy):
            if isinstance(event, model.MonsterKilled) and event.by is not None:
                kills.append(LogLine(sentence, meaning))
                continue
            told.append(words.arrival(state) if isinstance(event, model.StairsTaken) else sentence)
            yield LogLine(told[-1], meaning, is_transient=isinstance(event, _PASSING))
        if state.status is not Status.PLAYING:
            return
        before = turn.parent.state if turn.parent and turn.parent.state.level is state.level else None
        yield from self._news(before, state)
        yield from kills
        has_stayed = before is not None and before.player == state.player
        if not has_stayed and (text := words.on_stairs(state)):
            yield LogLine(text, Meaning.DOOR, is_transient=True)
        if (peril := peril_of_staying(state)) and peril not in told:
            yield LogLine(peril, Meaning.FOE, is_transient=True)

    def _news(self, before: State | None, state: State) -> Iterator[LogLine]:
        """Lines for everything that came into sight or hearing, or came nearer unseen, since another state."""
        if not self.is_foggy:
            return
        is_loud = before is not None and (state.hearts < before.hearts or state.has_amulet > before.has_amulet)
        seen = rules.visible(state)
        new = [each for each in self._nearer(before, state) if not seen[each.cell]]
        if new and not is_loud:
            is_far = words.nearness(state, new[0]) == len(words.NEARNESS) - 1  # the nearest comes first
            yield LogLine(words.hearing(state, new), Meaning.DOOR, is_transient=is_far)
        sighted = self._sightings(before, state)
        yield from _found_since(before, state)
        yield from (LogLine(text, Meaning.FOE) for text in dict.fromkeys(sighted.values()))
        is_due = not sighted and self._described.get(words.DANGER, state.turns) == state.turns
        if is_due and any(_risky_cells(state)):  # the first marks; a sighting leaves no room for more
            self._described[words.DANGER] = state.turns
            yield LogLine(words.DANGER.format(self.glyphs.cross), Meaning.WAY_OUT)

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        return Action.STAY if direction is None else model.ACTION_OF[direction]

    def cell_text(self, state: State, cell: Cell) -> str:
        return words.cell_text(state, cell, is_foggy=self.is_foggy)

    def reason_to_stop(self, before: State | None, after: State) -> str:
        """Stops travel for a lost heart, a peril, monsters, stairs down, the amulet."""
        return next(filter(None, self._reasons(before, after)), "") if after.status is Status.PLAYING else ""

    def _reasons(self, before: State | None, after: State) -> Iterator[str]:
        """The reasons to stop, or "", the most urgent first. To ask for one notes its monsters as told of."""
        begun, seen = before or after, rules.visible(after)
        if after.hearts < begun.hearts:
            yield words.hearts_left(after)
        if after.has_amulet > begun.has_amulet:
            yield words.AMULET_TAKEN
        if before is not None:
            yield next(reversed(self._sightings(before, after).values()), "")
            yield peril_of_staying(after)
        heard = [each for each in self._nearer(begun, after) if not seen[each.cell]]
        has_waited = begun.player == after.player and begun.turns < after.turns
        for monster in solver.noticed(after):
            is_heard = monster in heard
            is_close = (is_heard or seen[monster.cell]) and solver.turns_away(after, monster) <= solver.CLOSE
            if (not solver.may_wait(after) if has_waited else is_close) and not solver.is_running(monster):
                yield words.hearing(after, heard) if is_heard else words.coming(after, monster)
        lost = [*_coming(begun)] * (has_waited and not _coming(after) and len(after.monsters) == len(begun.monsters))
        yield from (words.LOST.format(words.the(each)) for each in lost)
        yield from (line.text for line in _found_since(begun, after))
        was, turns = rules.pursuer_turns(begun), rules.pursuer_turns(after)
        if turns > was and any(each.kind is model.PURSUER for each in after.monsters):
            yield words.PURSUER_HERE
        if after.is_fair and turns <= rules.WARNING_TURNS < was and not after.has_amulet:
            yield words.PURSUER_SOON

    def _explore(self, state: State) -> Sequence[Action] | str:
        """As `explore`; where that was refused just now, what it offered."""
        is_again, self._refused = self._refused is state, state
        return explore(state, is_bold=is_again)

    def _reason_to_stop(self, before: State | None, after: State) -> str:
        """As `reason_to_stop`; with what exploring does now instead."""
        reason = self.reason_to_stop(before, after)
        offer = self._explore(after) if reason and before else ()
        if not isinstance(offer, str):
            return reason
        then = words.WAITS if offer.endswith(words.WAITS) else offer * ("{explore} again" in offer)  # who comes is said
        return f"{reason}\n{then}".rstrip()

    def _sightings(self, before: State | None, after: State) -> dict[int, str]:
        """Messages for monsters come into sight, by number, the nearest last; those alike share one, in full once."""
        known = {monster.sequence for monster in solver.monsters_in_view(before)} if before is not None else set()
        new = [each for each in solver.monsters_in_view(after) if each.sequence not in known]
        new = [each for each in new if self._is_news(after, each)]
        groups: dict[str, list[Monster]] = {}
        for monster in sorted(new, key=lambda each: -solver.turns_away(after, each)):
            groups.setdefault(words.sighting([monster]), []).append(monster)
        texts: dict[int, str] = {}
        if len(groups) > 2:  # there is room for all by name, and for the nearest in full
            *far, nearest = groups
            text = f"You see {' and '.join(words.group(groups.pop(each)) for each in far)}."
            texts = {each.sequence: text for each in new if each not in groups[nearest]}
        for description, group in groups.items():
            is_new = self._described.setdefault(description, after.turns) == after.turns
            texts |= dict.fromkeys((each.sequence for each in group), words.sighting(group, None if is_new else after))
        return texts

    def _nearer(self, before: State | None, after: State) -> list[Monster]:
        """The monsters that the player notices, without those noted lately as near as now."""
        known = solver.noticed(before) if before is not None else ()
        was = {each.sequence: words.nearness(before or after, each) for each in known}
        nearer = (each for each in solver.noticed(after) if was.get(each.sequence, 9) > words.nearness(after, each))
        return [each for each in nearer if before is None or self._is_news(after, each)]

    def _is_news(self, state: State, monster: Monster) -> bool:
        """True unless a message noted the monster a few turns ago, as near as now, or ever in its sleep."""
        key = state.dungeons, monster.sequence, bool(rules.visible(state)[monster.cell])
        nearness, (turn, noted) = words.nearness(state, monster), self._noted.get(key, (state.turns, 0))
        is_lasting = monster.mood is Mood.ASLEEP or (nearness >= noted and state.turns - turn < _NEWS)
        is_news = state.turns <= turn or not is_lasting
        if is_news:
            self._noted[key] = state.turns, nearness
        return is_news

    def _way_to_stairs(self, state: State, action: Action) -> features.Lead | str | None:
        """The way to the nearest known stairs that the action takes, or why there is none."""
        if action not in (Action.ASCEND, Action.DESCEND):
            return None
        is_last = action is Action.DESCEND and state.is_fair and state.depth == state.level.depths
        goal = chr(levels.AMULET) if is_last and not state.has_amulet else action.value
        cells = [cell for glyph, cell in self.guide.landmarks(state) if glyph == goal]
        if not cells:
            if action is Action.ASCEND and state.is_fair and not state.has_amulet:
                return None  # the rules say why
            none = words.NO_STAIRS.format("down" if action is Action.DESCEND else "up")
            return (words.goal(state) if is_last else none) if self.is_foggy else None
        if isinstance(way := self.guide.route(state, cells[0]), str):
            return way
        past = f", past {solver.sleeping(state)}" * (self.is_foggy and solver.may_wake(state, way))
        text = words.WAY.format(goal, counted(len(way), "step"), past, action.value)
        return features.Lead(cells[0], text, _trail(state, way, self.glyphs))

    def rules_text(self, state: State) -> str:
        return super().rules_text(state) if state.is_fair else words.COURSE_RULES

    def legend(self, state: State) -> Sequence[tuple[str, str]]:
        shown = shown_terrain(self.glyphs)
        terrain = [(shown.get(code, chr(code)), name) for code, name in levels.TERRAIN_NAMES.items()]
        terrain += [("▒▓", "harder rock: 2 or 3 turns for a tunneller, or never")] * (not self.glyphs.is_ascii)
        prizes = [(chr(levels.AMULET), "the amulet"), *words.things_legend()] * state.is_fair
        return [("@", "you"), *words.legend(is_fair=state.is_fair), *prizes, *terrain]

    def unused_keys(self, state: State) -> Sequence[str]:
        return () if state.is_fair else [each.key.id for each in _FINDS]

    def figures(self, state: State) -> Sequence[tuple[str, Meaning]]:
        """You with all that you bring up; or your killer."""
        if state.status is not Status.WON or not state.is_fair:
            killer = state.killer
            return [(killer.kind.sprite, Meaning.FOE)] if killer else [("bomb", Meaning.FOE)] * state.is_fair
        prizes = [(name, Meaning.PRIZE) for name in ("amulet", *["treasure"] * bool(state.gold), "heart")]
        return [("hero", Meaning.YOU), *prizes, *((name, Meaning.MAGIC) for name in FINDS if name in state.carried)]

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        return words.ending(state)

    def scores(self, state: State) -> Sequence[Score]:
        """Scores of an end: points and depth; by the course's rules turns, monsters killed and depth of a win."""
        if state.is_fair and state.status is not Status.PLAYING:
            points = Score("points", rules.points(state), is_less_better=False)
            return points, Score("depth", state.depth, is_less_better=False)
        if state.status is not Status.WON:
            return ()
        turns, killed = Score("turns", state.turns), Score("monsters killed", state.kills, is_less_better=False)
        return turns, killed, Score("depth", state.depth, is_less_better=False)

    def distance_key(self, state: State) -> Hashable:
        return *map(ByIdentity, (state.terrain, state.hardness, state.seen)), state.player, self.is_foggy

    def distances(self, state: State, kind: str, has_arrows: bool) -> DistanceField:
        """Turns of monsters of a kind to the player, and their steps; in fog on ways over seen cells."""
        field = rules.distances(solver.as_known(state) if self.is_foggy else state, kind)
        return DistanceField(kind, field.distance, field.steps, UNREACHED, farthest(field.distance))

    def danger_layer(self, state: State) -> CellLayer:
        layer = CellLayer()
        for cell in _risky_cells(state):
            layer.mark_over(cell, is_bare(state, cell), self.glyphs.cross, Meaning.FOE, Tint.DANGER)
        return layer


def explore(state: State, *, is_bold: bool = False) -> Sequence[Action] | str:
    """The actions to the nearest unseen part; or the reason not to: a monster awake in sight, or a fast one close.

    If it is bold it takes up the offer that ends such a reason.
    """
    # You can leave slow ones behind that you only hear; an archer shoots when it comes into sight.
    seen = rules.visible(state)
    for each in _coming(state):
        is_fast = not state.is_fair or (each.speed > rules.PLAYER_SPEED and not state.has_amulet)
        is_heard = is_fast and solver.turns_away(state, each) <= solver.CLOSE
        if solver.is_near(state, each) if seen[each.cell] or each.kind is model.ARCHER else is_heard:
            if (peril := peril_of_staying(state)) or not solver.may_wait(state):
                return words.STOPS + (peril or f"{words.coming(state, each)} {words.YOUR_TURN}")
            offer = f"{words.coming(state, each)} {words.WAITS}"
            return (Action.STAY,) * (2 * solver.NEAR) if is_bold else offer
    route, ahead = solver.explore_route(state, may_wake=False), solver.explore_route(state)
    if state.amulet is not None and not isinstance(ahead, str) and solver.end_of(state, ahead) == state.amulet:
        if len(ahead) == 1:  # it wakes all: a choice of the player's
            return ahead if is_bold else words.AMULET_NEXT.format(words.lying(state) or "nothing")
        ahead = ahead[:-1]
        route = route if isinstance(route, str) else ahead
    if not isinstance(route, str):
        return words.on_stairs(state) if state.has_amulet and not route else route
    # What is left wakes sleepers: another choice; the stairs have their own key, which tells what it costs.
    stairs = [cell for cell, code in solver.finds(state).items() if code == levels.STAIRS_DOWN]
    guarded = {} if state.has_amulet else solver.guarded(state)
    if past := _shortest([solver.route(state, cell) for cell in guarded] or [ahead]):
        leave = "" if not stairs else "down" if state.player in stairs else "to"
        return past if is_bold or state.has_amulet else words.past_sleepers(state, guarded, len(past), leave)
    way = _shortest([solver.route(state, cell) for cell in stairs if state.player not in stairs])
    if solver.may_wake(state, way) and not is_bold:
        return f"{route} {{explore}} again goes to the stairs, past {solver.sleeping(state)}."
    return way or route + " {stairs.down} takes the stairs down." * bool(stairs)


def _shortest(ways: Iterable[Sequence[Action] | str]) -> Sequence[Action]:
    return min((each for each in ways if not isinstance(each, str)), key=len, default=())


def peril_of_staying(state: State) -> str:
    """The reason not to wait: a bomb, or a monster that can hit or be hit; empty if there is none."""
    if solver.is_in_blast(state, state.player):
        return words.BLAST
    adjacent = (state.monster_at(state.player.neighbour(way)) for way in model.STEPS.values())
    aiming = (each for each in solver.monsters_in_view(state) if state.player in rules.arrow_path(state, each))
    soon = () if solver.frost_turns(state) else filter(None, (*adjacent, *aiming))
    threat = solver.attacker(state, Action.STAY) or next(iter(soon), None)
    return "" if threat is None else words.can_hit(state, threat)


def _coming(state: State) -> list[Monster]:
    """The monsters that come, the nearest first: in sight, or hunting the player unseen; by the course's rules all."""
    seen = rules.visible(state)
    noticed = solver.noticed(state)
    coming = (each for each in noticed if not (solver.is_running(each) and solver.turns_away(state, each)))
    return [each for each in coming if seen[each.cell] or solver.is_aware(state, each) or not state.is_fair]


def _found_since(before: State | None, after: State) -> Iterator[LogLine]:
    """Messages for stairs, the amulet and things come into sight."""
    finds, things = solver.finds(after), solver.things(after)
    new = {cell for cell in (*finds, *dict(things)) if before is None or before.seen[cell] == model.UNSEEN}
    yield from (LogLine(words.found(code)) for cell, code in finds.items() if cell in new)
    for name in dict.fromkeys(name for cell, name in things if cell in new):
        if name != GOLD or {cell for cell, other in things if other == GOLD} <= new:  # a heap: you see it once
            yield LogLine(f"You see {words.a_thing(name)}: {EFFECTS[name]}.", Meaning.PRIZE)


def _risky_cells(state: State) -> Iterator[Cell]:
    for action in rules.legal_actions(state):
        cell = solver.end_of(state, (action,))
        if state.monster_at(cell) is None and solver.is_risky(state, action):
            yield cell


def advise(state: State, step: int, glyphs: Glyphs) -> Advice:
    """A careful player's plan: the reason, then the move, then the line."""
    if rules.outcome(state) is not None:
        return Advice("The game is over.", is_all=True)
    wanted = solver.plan(state)
    layer = _trail(state, wanted.actions if step > 1 else wanted.actions[:1], glyphs)
    is_all = step == len(wanted.actions) == 1  # nothing more to draw
    line = wanted.actions * (step > 1)
    return Advice(words.hint(state, wanted, step), layer if step else None, line, is_all)


def _trail(state: State, actions: Iterable[Action], glyphs: Glyphs) -> CellLayer:
    """Layer with the cells that actions enter."""
    layer, cell = CellLayer(), state.player
    for way in map(model.STEPS.get, actions):
        if way is not None:
            cell = cell.neighbour(way)
            layer.mark_over(cell, is_bare(state, cell), glyphs.bullet, Meaning.PATH, Tint.PATH)
    return layer


def _strike(event: model.MonsterKilled) -> Sequence[Layer]:
    return () if event.by is not None else struck(event.monster.cell)
