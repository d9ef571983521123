"""The deep on screen: its view in glyphs and words."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from time import monotonic

import numpy as np

from dungeon_tui.core.adventure import SHOWN_AMULET, YOU, Stayed, TreasureTaken, treasures
from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.identity import ByIdentity
from dungeon_tui.core.last_chance import last_chance
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import capitalised, counted, duration, event_texts, sentence
from dungeon_tui.games.deep.ai.aim import shown_treasure
from dungeon_tui.games.deep.ai.solver import LineFinder, is_lost
from dungeon_tui.games.deep.model import events, rules
from dungeon_tui.games.deep.model.campaign import Campaign
from dungeon_tui.games.deep.model.descent import deepest, score
from dungeon_tui.games.deep.model.items import ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS
from dungeon_tui.games.deep.model.room import AMULET, CHASM, DOORS, PILLAR
from dungeon_tui.games.deep.model.state import ACTION_OF, STEPS, Action, State, Status
from dungeon_tui.games.deep.view import picture, words
from dungeon_tui.games.deep.view.analysis import DeepAnalysis
from dungeon_tui.games.deep.view.guide import DeepGuide, safe_step, seen, shown_monsters, shown_tiles
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import MOVES, Key
from dungeon_tui.ui.map.distance_layer import DistanceField, walking_field
from dungeon_tui.ui.map.source import CellLayer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.motion import motion
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.side_panel import Facts

_LETTERS = {"haste": "S", "frost": "F", "bomb": "B", "scroll": "R"}  # as in the delve, where digits step
_SEARCH_TIME_LIMIT_S, _BISECTION_TIME_LIMIT_S, _BACKGROUND_TIME_LIMIT_S = 4.0, 10.0, 0.5
_LESSONS = 8  # first levels of a campaign, which report a loss at once
_SIGHT = "Sight: hunters see the tinted cells; a line leads to one that sees you."


class DeepView(GameView):
    """The deep on screen."""

    keeps_layout = True
    turn_name = staticmethod(words.turn_name)

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self._lines, self.guide = LineFinder(), DeepGuide()
        self._lost: State | None = None  # from which a hint found no way to a door
        self._at_par: Collection[str] = ()  # levels, at the turn shown
        items = [(name, item) for name, item in ITEMS.items() if item.key]
        self.features = (
            *(
                features.Special(
                    Key(
                        f"item.{name}",
                        f"{item.key},{_LETTERS[name]}",
                        capitalised(name),
                        item.text,
                        MOVES,
                        shown=item.key,
                    ),
                    Action(item.key),
                )
                for name, item in items
            ),
            features.Journeys(self.guide.landmarks, self.guide.route, reason_to_stop, reason_to_refuse=danger_ahead),
            features.Hints(self.advise, think_ahead=lambda state: [*state.campaign.levels.values()]),
            features.Fate(outlook, is_watched=is_lesson),
            *features.sight_and_danger(picture.sight_layer, picture.danger_layer, glyphs, _SIGHT, begins_shown=True),
            features.Numbers(("walking",), _distance_key, distances),
            DeepAnalysis(self._lines, glyphs),
            features.OneLife(lambda state: state.campaign.is_descent),
            features.Motions(partial(motion, table=words.EVENTS, glyphs=glyphs)),
        )

    def picture(self, state: State) -> MapSource:
        return picture.Picture(state, self.glyphs)

    def focus_cell(self, state: State) -> Cell:
        return state.adventurer.cell

    def greeting(self, level: Campaign) -> Iterable[LogLine]:
        first = next(iter(level.levels.values()))
        # A small screen shows the last ones.
        welcome = LogLine(level.summary or f"Welcome to {level.title or 'the deep'}.")
        news = arrival_lines(rules.start(level))
        yield from [*news, welcome] if level.is_descent else [welcome, *news]
        yield from [LogLine(first.text, Meaning.DOOR)] if first.text else []

    def facts(self, turn: Turn[State, Action]) -> Facts:
        state = turn.state
        adventurer, level = state.adventurer, state.level
        is_alive, is_descent = state.status is Status.PLAYING, state.campaign.is_descent
        below = [bomb.turns for bomb in state.room.bombs if bomb.cell == adventurer.cell]
        works = [
            *(("Bomb", f"in {counted(turns, 'turn')}") for turns in below),
            *([("Haste", counted(adventurer.haste, "move"))] if adventurer.haste else []),
            *([("Frost", counted(adventurer.frost, "turn"))] if adventurer.frost else []),
            *([("Next fall", f"in {counted(level.shrinks - state.room.turns % level.shrinks, 'turn')}")]
              if level.shrinks else []),
        ]  # fmt: skip
        carried, name, left = words.inventory(state), level.title or level.name, shown_treasure(state, state.room)
        here = counted(turn.ply - words.arrival(turn).ply, "move")
        levels = state.campaign.levels
        number = f"{[*levels].index(level.name) + 1}/{len(levels)} " * bool(state.campaign.par)
        self._at_par = words.at_par(turn)
        # Only then, as a descent makes each of its levels when asked for it.
        pars = f"{len(self._at_par)} of {sum(each.par > 0 for each in levels.values())}" if self._at_par else ""
        return Facts(
            goal=self._goal(turn) * is_alive,
            title=state.campaign.title or "The deep",
            subtitle=name if name != state.campaign.title else "",
            rows=(
                ("Carried", words.purse(state)),
                ("Points", f"{score(state)}") if is_descent else ("Moves", f"{state.moves:,}"),
                ("Left here", treasures(left)),
                *works,
                *([("Here", f"{here}, par {level.par} with all treasure")] if level.par else []),
                *((capitalised(label), text) for label, text in carried),
                *([("At par", f"{pars} levels")] if pars else []),
            ),
            more=(*words.doors(state), *self.guide.kinds(state)),
            short=(
                name if is_descent else f"{number}{name}",
                *(f"{label.lower()} {value}" for label, value in works),
                ", ".join(label.replace(" ", ": ") for label, _ in carried),  # the key, no number of things
                f"carried {words.purse(state)}, {left} left here",
                f"{score(state)} points" if is_descent else here + f", par {level.par}" * (level.par > 0),
            ),
        )

    def _goal(self, turn: Turn[State, Action]) -> str:
        """The goal of the level, unless a hint has proven, at this turn or before it, that no door can be reached."""
        return words.NO_DOOR if any(each.state is self._lost for each in turn.line()) else words.goal(turn.state)

    def story(self, turn: Turn[State, Action]) -> Iterator[LogLine]:
        known = seen(turn.state)
        is_elsewhere = any(isinstance(event, events.DoorTaken) for event in turn.events)
        if result := words.result(turn, is_helped=bool(self.used.helps)):  # the first to make room on a small screen
            yield LogLine(result, Meaning.PRIZE, is_transient=True)
        for event in turn.events:
            if isinstance(event, events.DoorTaken) and turn.state.status is Status.PLAYING:
                yield from arrival_lines(turn.state)
            cell = getattr(event, "cell", None)
            is_hidden = known is not None and not is_elsewhere and isinstance(cell, Cell) and not known[cell]
            if not (is_hidden and isinstance(event, events.MonsterMoved | events.MonsterWoke | events.MonsterKilled)):
                for text, meaning in event_texts(words.EVENTS, event, turn.state):  # the goal stays in sight
                    if text != f"{turn.state.level.title}.":  # which the status line tells
                        yield LogLine(text, meaning, is_transient=isinstance(event, Stayed | TreasureTaken))
        is_news = is_elsewhere or (turn.parent and words.goal(turn.state) != words.goal(turn.parent.state))
        if turn.state.status is Status.PLAYING and is_news:
            yield LogLine(self._goal(turn), Meaning.WAY_OUT)
        if prices := words.prices_beside(turn.state):
            yield LogLine(prices, Meaning.DOOR, is_transient=True)
        if deadly := self.guide.deadly_text(turn.state):
            yield LogLine(deadly, Meaning.FOE, is_transient=True)
        if turn.state.status is Status.DIED:
            yield LogLine(f"{words.ended(turn.state, '')[0]}.", Meaning.FOE)

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        return Action.STAY if direction is None else ACTION_OF[direction]

    def cell_text(self, state: State, cell: Cell) -> str:
        return self.guide.cell_text(state, cell)

    def legend(self, state: State) -> Sequence[tuple[str, str]]:
        """The signs that may stand on any map, then what lies, lives or falls on this one, as far as you see it."""
        glyphs, tiles, monsters = self.glyphs, shown_tiles(state), shown_monsters(state)
        kinds = {each.kind: state.campaign.kinds[each.kind] for each in monsters}
        items = [item for item in ITEMS.items() if item[1].tile in tiles or item[0] in state.adventurer.items]
        patrols = [each for each in monsters if each.heading]
        return [
            (YOU, "you, the adventurer; beside you, what you carry"),
            (glyphs.floor, "open floor"),
            (glyphs.wall, "wall; alone, a pillar"),
            ("$", "treasure"),
            ("1-9", "doors: grey if shut, green if you win there"),
            ("6$", "at a door: carry 6 treasures; -2$: pay 2; k: pay a key"),
            ("? !", "brittle door and way out: monsters break them"),
            *[(SHOWN_AMULET, "amulet: it doubles the level")] * (AMULET in tiles),
            *((item.glyph, f"{name}: {item.text}") for name, item in items),
            *((kind.letter, f"{words.kind_name(name)}: {kind.text}") for name, kind in kinds.items()),
            *[(glyphs.way(Direction.RIGHT), "next step of a patrol; what lies there is crushed")] * bool(patrols),
            *[(picture.CHASM_MARK, "falls at the end of this turn")] * bool(state.level.shrinks),
        ]

    def rules_text(self, state: State) -> str:
        levels = "" if state.campaign.is_descent else words.levels(state, self._at_par)
        return f"{levels}\n\n{super().rules_text(state)}".lstrip()

    def figures(self, state: State) -> Sequence[tuple[str, Meaning]]:
        """Your killer."""
        killer = state.campaign.kinds.get(state.ending)
        return [] if killer is None else [(killer.sprite, Meaning.FOE)]

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        return words.ended(state, duration(seconds))

    def warning_layer(self, state: State) -> CellLayer:
        return picture.warning_layer(state, self.glyphs)

    def scores(self, state: State) -> Sequence[Score]:
        """Scores of an ending: treasure carried out, and moves; for a descent its points and depth, in any case."""
        if state.campaign.is_descent:
            points, depth = score(state), deepest(state)
            return Score("points", points, is_less_better=False), Score("depth", depth, is_less_better=False)
        if state.status is not Status.WON:
            return ()
        par, held = state.campaign.par or None, state.adventurer.treasure
        most = par and state.campaign.treasure
        return Score("treasure", held, most, is_less_better=False), Score("moves", state.moves, par)

    # -- hints

    def advise(self, state: State, step: int) -> features.Advice:
        if state.status is not Status.PLAYING:
            return features.Advice("The game is over.", is_all=True)
        found = self._lines.onward(state)
        line = found.line
        if line is None:
            self._lost = state if found.is_decided else None
            return features.Advice(words.no_door(found), is_all=True)
        target, (made, cell, name) = CellLayer(), words.first_thing(state, found)
        is_descent = state.campaign.is_descent  # there hints lead no farther than to the next thing
        target.tint([rules.destination(state, line[0]) if step else cell], Tint.FRONTIER)
        if step == 0:
            text = f"Make for {name.replace('the ', 'the marked ')}. {words.purpose_text(state, found)}"
            return features.Advice(text.rstrip(), target)
        if step == 1:
            press = f": press {line[0].value}" * line[0].value.isdigit()
            return features.Advice(f"{_move_text(line[0])}{press}.", target, then="the way there")
        waits = len([*takewhile(lambda action: action is Action.STAY, line)])
        text = "The way there is drawn." if is_descent else sentence(words.way_text(state, found))
        line = line[:made] if is_descent else line
        layer, drawn, circles = picture.line_layer(state, line, self.glyphs)
        text += f" {self.glyphs.stay}: {' or '.join(dict.fromkeys(map(_move_text, circles))).lower()}." * bool(circles)
        first = f"wait {counted(waits, 'turn')}" if waits else _move_text(line[0]).lower()
        text += f" First {first}" + f"; drawn: {drawn} of {len(line)} moves" * (drawn < len(line)) + "."
        return features.Advice(text, layer, line)


def arrival_lines(state: State) -> Iterator[LogLine]:
    """Lines on a descent's vaults, new items and kinds of monsters; elsewhere on the first price of a door."""
    level, met = state.level, [state.campaign.levels[name] for name in state.left]
    yield from (LogLine(f"{at}: {to}.", Meaning.DOOR) for at, to in words.doors(state) if to.startswith("vault"))
    if state.campaign.is_descent and not state.room.turns:
        new = {*shown_tiles(state).flat}.difference(*(other.tiles.flat for other in met))
        items = [f"{name} ({item.text})" for name, item in ITEMS.items() if item.tile in new]
        yield from [LogLine(f"Lying here: {', '.join(items)}.", Meaning.MAGIC)] * bool(items)
        known = {each.kind for other in met for each in other.monsters}
        for kind in dict.fromkeys(each.kind for each in shown_monsters(state)):
            if kind not in known and KINDS[kind].warning != level.text:
                yield LogLine(f"{capitalised(words.kind_name(kind))}: {KINDS[kind].text}.")
    cost = max((door.cost for door in level.doors.values()), default=0)
    if cost and not (state.campaign.is_descent or any(door.cost for other in met for door in other.doors.values())):
        price, has_both = words.coins(cost), any(door.carry and door.key for door in level.doors.values())
        text = f"Prices of doors: -{price} you pay, {price} you only carry{', k: you also pay a key' * has_both}."
        yield LogLine(text, Meaning.DOOR)


def is_lesson(state: State) -> bool:
    """True in the first levels of a campaign, which report a loss at once."""
    campaign = state.campaign
    return not campaign.is_descent and state.level in list(campaign.levels.values())[:_LESSONS]


def outlook(turn: Turn[State, Action], is_requested: bool) -> features.Outlook:
    """The fate of the current level: can it still be left alive, and if not, since when?"""
    turns = turn.line()[max(words.arrival(turn).ply - 1, 0) :]  # of this level, after the last one before it
    fate = is_lost(turn.state, _SEARCH_TIME_LIMIT_S if is_requested else _BACKGROUND_TIME_LIMIT_S)
    if not fate:
        text = words.UNKNOWN if fate is None else words.STILL_OPEN
        return features.Outlook(text if is_requested else "")
    deadline = monotonic() + _BISECTION_TIME_LIMIT_S
    found = last_chance(
        [each.state for each in turns], lambda state: is_lost(state, min(deadline - monotonic(), _SEARCH_TIME_LIMIT_S))
    )
    number = 0 if found.ply is None else found.ply + 1
    chance, better = turns[number - 1] if number else None, ""
    move = words.turn_name(turns[number], turns[number].parent)
    if found.is_exact:
        text, mark = f"Since {move} you can't reach any door alive.", f"lost since {move.partition(' in ')[0]}"
        best = None if chance is None else LineFinder().onward(chance.state, _BACKGROUND_TIME_LIMIT_S)  # as in Learn
        if chance is not None and best and best.line and best.line[0] is not turns[number].action:
            better = f": {_doing(best.line[0])} would have led to {words.reached(chance.state, best)}"
    elif is_requested or turn.state.status is not Status.PLAYING:
        number, mark = -1, "lost"
        text = f"You can't reach any door alive; since when is unknown: {words.TOO_LARGE}."
    else:
        return features.Outlook("")
    if chance is not None and not turn.state.campaign.is_descent:
        text += " {last_chance} goes back to before it."
    return features.Outlook(text, True, chance, turns[number], mark, better, f"your {move}" if chance else "")


def _move_text(action: Action, go: str = "Go", stay: str = "Stay", use: str = "Use") -> str:
    if action in STEPS:
        return f"{go} {STEPS[action].words}"
    return stay if action is Action.STAY else f"{use} the {action.name.lower()}"


_doing = partial(_move_text, go="going", stay="waiting", use="using")


def _distance_key(state: State) -> Hashable:
    return ByIdentity(state.room.board), state.adventurer.cell, state.room.is_mapped


def distances(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """Steps from the adventurer in four directions."""
    tiles = state.room.board.copy()
    passable, exits = ~np.isin(tiles, [PILLAR, CHASM]), np.isin(tiles, [*DOORS])
    return walking_field(kind, passable, exits, state.adventurer.cell, has_arrows, seen(state))


def reason_to_stop(_: State | None, after: State) -> str:
    """The reason to stop travel: staying would be death, or the rim falls; else empty."""
    if after.status is not Status.PLAYING:
        return ""
    is_near = safe_step(after, Action.STAY, is_fleeing=True) is None
    return "Danger is near." if is_near else words.FALLING if rules.falling_cells(after) else ""


def danger_ahead(state: State, action: Action) -> str:
    """The reason why travel refuses a legal step, into danger in view or out for good; else empty."""
    if rules.objection(state, action) is not None:
        return ""
    tile = state.room.tile(rules.destination(state, action))
    door, left = state.level.doors.get(tile), shown_treasure(state, state.room)
    is_final = state.campaign.is_descent and door and door.to not in state.left and not words.vault(state, tile)
    if is_final and left:
        return f"{capitalised(words.the_name(state, tile))} leaves {treasures(left)} behind.\nGo through it by hand."
    if safe_step(state, action, is_fleeing=safe_step(state, Action.STAY) is None) is not None:
        return ""
    how = "deadly now" if rules.is_deadly(state, action) else "not safe"
    return f"{capitalised(STEPS[action].words)} is {how}.\nGo on by hand."
