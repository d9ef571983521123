"""The crawler on screen: its view in glyphs and words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from threading import Event, Lock

import numpy as np

from dungeon_tui.core.adventure import Doubled, Stayed, treasures
from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.identity import ByIdentity, remembered
from dungeon_tui.core.rules import LevelBegun, Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import counted, duration, event_texts
from dungeon_tui.games.crawler.ai import par as pars
from dungeon_tui.games.crawler.model import events, rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, MONSTER, PILLAR, TILE_NAMES, WAY_OUT
from dungeon_tui.games.crawler.model.rules import Threat, threats
from dungeon_tui.games.crawler.model.state import ACTION_OF, Action, State, Status
from dungeon_tui.games.crawler.view import words
from dungeon_tui.games.crawler.view.advice.hints import Adviser
from dungeon_tui.games.crawler.view.advice.preview import GhostPicture, Preview, mark_ghosts, preview
from dungeon_tui.games.crawler.view.advice.prospects import Prospects
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.games.crawler.view.analysis import CrawlerAnalysis
from dungeon_tui.games.crawler.view.figure import figure
from dungeon_tui.games.crawler.view.guide import CrawlerGuide
from dungeon_tui.games.crawler.view.picture import NewQuarters, danger_layer, legend, level_picture, sight_layer
from dungeon_tui.games.crawler.view.words import threat_text
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import ADVICE, Key
from dungeon_tui.ui.map.distance_layer import DistanceField, walking_field
from dungeon_tui.ui.map.source import CellLayer, Layer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.motion import motion
from dungeon_tui.ui.widgets.figure import Figure
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.side_panel import Facts

_MOST_SEARCHES = 6  # for par in the background, of five seconds each
_STAGES = 5  # frames of a growing level
_ENDS = {Status.ESCAPED: "You escaped from the dungeon!", Status.DIED: "You were caught"}
_EFFECTS = {
    MONSTER: "A monster that sees you along a row or a column steps towards you.",
    AMULET: "An amulet doubles the level when you step on it.",
}

_AIM = Key("aim", "T", "Aim", "change how much treasure you aim at, as par and hints do", ADVICE, 8)


class CrawlerView(GameView):
    """The crawler on screen."""

    key_words = {"curve": ("Curve", "plot par for each number of treasures, and your position")}

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self._is_left, self._thinking = Event(), Lock()
        self._solving = Solving()
        self.guide = CrawlerGuide(self._solving)
        self._adviser = adviser = Adviser(self._solving, glyphs)
        self._prospects = prospects = Prospects(self._solving, lambda: adviser.aim)
        self._threatened = remembered(threats, 2)
        self._previewed: Callable[[State], Preview | None] = remembered(preview, 1)
        self._par: pars.Par | None = None  # of the dungeon, after an escape
        self._start: State | None = None  # of the level shown
        self._is_sought = True  # par of the dungeon, in the background
        self.features = (
            features.Journeys(self.guide.places, self.guide.route, reason_to_stop, reason_to_refuse=reason_to_refuse),
            features.Hints(adviser.advise, stop=adviser.stop_thinking, think_ahead=self.think_ahead),
            *features.sight_and_danger(sight_layer, danger_layer, glyphs, begins_shown=True),
            features.Switch(_AIM, adviser.next_aim, features.Toggle(lambda: adviser.chosen, adviser.choose)),
            features.Fate(prospects.outlook, words.is_told_if_lost, has_setting=True),
            features.Numbers(("walking",), lambda state: (ByIdentity(state.board), state.adventurer), distances),
            CrawlerAnalysis(self._solving, lambda: adviser.aim, glyphs),
            features.PerfectLine(adviser.perfect_line),
            features.Curve(self.curve),
            features.Motions(partial(motion, table=words.EVENTS, glyphs=glyphs, others={Doubled: growth})),
        )

    def prepare(self, state: State) -> None:
        self._adviser.begin(state.dungeon)

    def picture(self, state: State) -> MapSource:
        shown = self._previewed(state)
        if shown is not None and shown.after is not None:
            return GhostPicture(shown, self.glyphs)
        return level_picture(state, self.glyphs)

    def focus_cell(self, state: State) -> Cell:
        return state.adventurer

    def greeting(self, level: Dungeon) -> Iterable[LogLine]:
        wanted = f"{treasures(aim)} " if (aim := level.sidecar.treasure) else ""
        yield LogLine(f"★: any win. ★★: {wanted}at par, the fewest moves. ★★★: no help, no undo.")
        for warning in filter(None, (*level.warnings, pars.par_of(level).warning)):
            yield LogLine(f"Note: {warning}", Meaning.DOOR)
        first: Turn[State, Action] = Turn(rules.start(level))
        yield from author_text(first.state)
        yield from threat_lines(first, self._threatened)
        yield from self._amulet_line(first)

    def facts(self, turn: Turn[State, Action]) -> Facts:
        state, dungeon, wanted = turn.state, turn.state.dungeon, self._adviser.wanted(turn.state)
        note = dungeon.notes[state.number - 1]
        lines = rules.sight_lines(state).values() if state.status is Status.PLAYING else ()
        distances = sorted([steps for _, seen in lines for steps in seen])
        level, aim = words.level_of(state), self._adviser.aim
        par, aimed = self._solving.known_par(dungeon), f"{state.treasure:,}{f', aim {aim:,}' * (aim > 0)}"
        self._start = start = pars.level_start(turn)
        point, made, has_more = pars.proven(par, wanted), state.moves - start.moves, len(dungeon.levels) > 1
        is_sought = self._is_sought and not self.is_preview and state.status is Status.PLAYING
        here, _ = self._solving.level_par(start, wanted, may_search=False)
        share = f", par {here:,}" if here else ", par: computing" * (is_sought and point is None)
        whole = f", par {point.moves:,}" if point else ""
        rows = [
            ("Treasure", aimed),
            (f"Moves{' here' * has_more}", f"{made:,}{share}"),
            *([("In all", f"{state.moves:,}{whole}")] * has_more),
            ("Left here", treasures(rules.treasure_on(state.board))),
            *([("Seen by", f"{counted(len(distances), 'monster')}, nearest {distances[0]:,}")] if distances else []),
        ]
        where = f"{level.lower().replace(' of ', '/')}: " * has_more  # in the status line, which has little room
        to_do = "" if self._prospects.is_reported_lost(turn) else words.to_do(state)
        return Facts(
            goal=words.goal(state, aim, self._adviser.missed(state)) if to_do else "",
            title=dungeon.title,
            subtitle=f"{level}: {note.name}" if note.name else level,
            caption=f"by {note.author}" if note.author else "",
            rows=tuple(rows),
            more=tuple(pars.curve_rows(par, state.treasure, aim)),
            short=(  # in order of importance, since a narrow line cuts off the end
                to_do,
                f"{where}{counted(made, 'move')}{share}",
                f"treasure {aimed}",
                f"seen by {len(distances):,}" if distances else "",
            ),
        )

    def turn_name(self, turn: Turn[State, Action]) -> str:
        return words.turn_name(turn)

    def story(self, turn: Turn[State, Action]) -> Iterable[LogLine]:
        state = turn.state
        for event in turn.events:
            if isinstance(event, LevelBegun):
                start = pars.level_start(turn.parent or turn)
                par = self._solving.level_par(start, self._adviser.wanted(state), may_search=False)
                text = pars.level_text_of(*par, start, state)
                yield LogLine(text, Meaning.PRIZE if text.endswith("!") else Meaning.NOTE)
            for number, (text, meaning) in enumerate(event_texts(words.EVENTS, event, state)):
                yield LogLine(text, meaning, not number and isinstance(event, (Stayed, events.MonstersAdvanced)))
        if turn.begins_level:
            yield from author_text(state)
        yield from threat_lines(turn, self._threatened)
        yield from self._amulet_line(turn)

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        return Action.STAY if direction is None else ACTION_OF[direction]

    def warning_layer(self, state: State) -> Layer:
        shown = self._previewed(state)
        layer = CellLayer()
        if shown is not None:
            mark_ghosts(layer, shown, self.glyphs)
        for threat in self._threatened(state):
            layer.mark(threat.cell, None, None, Tint.WORN)  # red is what kills you
        return layer

    def cell_text(self, state: State, cell: Cell) -> str:
        return self.guide.cell_text(state, cell)

    # -- hints

    def think_ahead(self, state: State) -> None:
        self._adviser.think_ahead(state)
        if self._solving.may_think_ahead(state):
            self._solving.level_par(self._start or state, self._adviser.wanted(state))
            with self._thinking:  # another search for par would stop this one
                for _ in range(_MOST_SEARCHES):
                    par = None if self._is_left.is_set() else self._solving.par_of(state.dungeon)
                    if par is None or pars.proven(par, self._adviser.wanted(state)):
                        break
        self._is_sought = False

    def legend(self, state: State) -> Sequence[tuple[str, str]]:
        return legend(self.glyphs)

    def prepare_ending(self, turn: Turn[State, Action]) -> None:
        if turn.state.status is Status.ESCAPED:
            self._par = self._solving.par_for(turn.state)

    def scores(self, state: State) -> Sequence[Score]:
        """Scores of an escape: moves, with par for its treasure if proven; treasure, with what stars ask for."""
        if state.status is not Status.ESCAPED:
            return ()
        point = None if self._par is None else self._par.at(state.treasure)
        least = point.moves if point is not None and point.is_proven else None
        return Score("moves", state.moves, least), Score(
            "treasure", state.treasure, state.dungeon.sidecar.treasure or None, is_less_better=False
        )

    def is_flawless(self, state: State) -> bool:
        scores = self.scores(state)
        return bool(scores) and all(score.is_par for score in scores[: 1 + bool(state.dungeon.sidecar.treasure)])

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Title and text of the end: treasure, moves, time, the comparison with par."""
        time, moves, start = duration(seconds), counted(state.moves, "move"), self._start or state
        here = f"{counted(state.moves - start.moves, 'move')} on level {state.number}" if state.number > 1 else moves
        lines = [f"{treasures(state.treasure)}, {here}, {time}."]
        if state.status is Status.ESCAPED:
            result, wanted = pars.result_text(self._par, state.treasure, state.moves), state.dungeon.sidecar.treasure
            if wanted > state.treasure:  # the only par that stars ask for
                result = f".\nPar: {self._best_with(wanted)}"
            lines = [f"{treasures(state.treasure)} in {moves} and {time}{result}."]
            if (aim := self._adviser.aim) > state.treasure and aim != wanted:
                lines.append(f"You missed your aim: {self._best_with(aim)}.")
        elif state.status is not Status.DIED:
            lines.insert(0, outcome.reason)
        return _ENDS.get(state.status, "No level lies behind this door"), "\n".join(lines)

    def _best_with(self, treasure: int) -> str:
        """So many treasures, and in how few moves if that is proven."""
        point = pars.proven(self._par, treasure)
        return f"{treasures(treasure)} in {point.moves:,} moves" if point else treasures(treasure)

    def curve(self, state: State) -> Figure | str:
        par = self._solving.par_of(state.dungeon)
        if self._is_left.is_set():
            return ""
        return figure(state, par, self._adviser.wanted(state))

    def close(self) -> None:
        self._is_left.set()
        self._solving.close()

    def _amulet_line(self, turn: Turn[State, Action]) -> Iterator[LogLine]:
        if (shown := self._previewed(turn.state)) is not None:
            yield LogLine(shown.text, Meaning.MAGIC, is_transient=True)


def author_text(state: State) -> Iterator[LogLine]:
    """The effects of monsters and amulets, on the first level with any if its author is silent; the author's text."""
    dungeon, text = state.dungeon, state.dungeon.notes[state.number - 1].text
    for tile, effect in _EFFECTS.items():
        *earlier, is_here = ((level.tiles == tile).any() for level in dungeon.levels[: state.number])
        if is_here and not any(earlier) and TILE_NAMES[tile] not in f"{dungeon.sidecar.summary} {text}".lower():
            yield LogLine(effect)
    if text:
        yield LogLine(text, Meaning.DOOR if dungeon.sidecar.is_lesson else Meaning.NOTE)


def threat_lines(turn: Turn[State, Action], of: Callable[[State], Sequence[Threat]] = threats) -> Iterator[LogLine]:
    """Lines on a turn's threats, which go with it."""
    return (LogLine(threat_text(turn.state, threat), Meaning.FOE, is_transient=True) for threat in of(turn.state))


def growth(event: Doubled) -> Sequence[Layer]:
    """Frames of a level that doubles."""
    shares = (share / _STAGES for share in range(_STAGES + 1))
    return [NewQuarters(event.height // 2, event.width // 2, share) for share in shares]


def reason_to_stop(before: State | None, after: State) -> str:
    """The reason to stop travel: more monsters see the adventurer than before; else empty."""
    if after.status is not Status.PLAYING or (before is not None and before.number != after.number):
        return ""
    seen_before = 0 if before is None else _monsters_in_sight(before)
    return "A monster sees you." if _monsters_in_sight(after) > seen_before else ""


def reason_to_refuse(state: State, action: Action) -> str:
    """The reason not to take a journey's next step: it is yours to take, as it begins a chase."""
    return reason_to_stop(state, rules.step(state, action)[0]) and "Your next step leads into a monster's sight."


def distances(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """Steps from the adventurer, blocked by pillars alone; doors and gates end a way."""
    tiles = state.board.copy()
    return walking_field(kind, tiles != PILLAR, np.isin(tiles, (DOOR, WAY_OUT)), state.adventurer, has_arrows)


def _monsters_in_sight(state: State) -> int:
    return sum(len(distances) for _, distances in rules.sight_lines(state).values())
