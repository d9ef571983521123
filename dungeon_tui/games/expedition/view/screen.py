"""The expedition on screen: what its states look like, in glyphs and words."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

from textual.screen import Screen

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import IllegalActionError, Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import sentence
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.ai.recursion import TooLargeError, questions
from dungeon_tui.games.expedition.ai.solver import Plan, Planner
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import cheapest_ways, known_rooms, way_to
from dungeon_tui.games.expedition.model.state import Action, State, Status, Walk, trails_of
from dungeon_tui.games.expedition.view import drawing, picture, story
from dungeon_tui.games.expedition.view.analysis import ExpeditionAnalysis, actions, cost_curve
from dungeon_tui.games.expedition.view.picture import Picture, WalkLayer
from dungeon_tui.games.expedition.view.recursion_screen import KEYS, RecursionScreen
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import ADVICE, LOOKING, Key
from dungeon_tui.ui.map.distance_layer import DistanceField, Wording
from dungeon_tui.ui.map.source import Layer, MapSource
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.features import (
    Advice,
    Curve,
    Finale,
    Fog,
    Journeys,
    KeyWords,
    Numbers,
    Page,
    PerfectLine,
    ToggledLayer,
    WideCells,
)
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.overlay import Same
from dungeon_tui.ui.widgets.figure import Figure
from dungeon_tui.ui.widgets.message_log import Line
from dungeon_tui.ui.widgets.side_panel import Facts

COST = "cost"


_WORDS = {
    "move.up": ("Up", "go to a room further up"),
    "move.down": ("Down", "go to a room further down"),
    "move.left": ("Left", "go to a room on the left"),
    "move.right": ("Right", "go to a room on the right"),
    "stay": None,
    "travel": ("Travel", "choose a room and walk there; a click does the same"),
    "overlay": ("Costs", "the costs of the ways to all rooms, as letters, heat, arrows"),
    "curve": ("Curve", "plot the least cost for each number of rooms"),
    **dict.fromkeys(("zoom.in", "zoom.out", "zoom.fit")),  # a drawing stays as large as it is
}
_WORDING = Wording(
    "Costs of the cheapest ways",
    farthest="The dearest costs {}.",
    frontier="Costs up to {}",
    of_cell="cost {} from here",
    heat="bright is cheap, dark is dear",
    arrows="lead towards you",
    has_digits=False,  # most boxes have room for one character
)
_PLAN = Key("plan", "P", "P", "Plan", "show the cheapest way on", ADVICE, 9)
_RECURSION = Key(
    "recursion", "Q", "Q", "Recursion", "watch the questions of a memoised recursion, and see it fail", LOOKING
)
_NEXT_WALK = Key("plan.next", "n", "n", "Next plan", "leaf through the cheapest ways on", ADVICE)
_WALK = Key("walk", "Y", "Y", "Your walk", "show the way that you came", LOOKING)


class ExpeditionView(GameView):
    """The expedition on screen."""

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self.fog = Fog(is_on=True)
        self._planner = Planner()
        # Of the plans that one leafs through: of which state, which one, of how many (0: unknown), all of them.
        self._leaf: tuple[State | None, int, int, bool] = None, 0, 0, False
        self.features = (
            KeyWords(_WORDS),
            WideCells(lambda state: 0),
            Journeys(self.places, self.route, reason_to_stop, explore),
            features.Hints(self.advise),
            ToggledLayer(_WALK, "Your walk", self.walk_layer, lambda: story.WALK_NOTE),
            ToggledLayer(
                _PLAN,
                "The cheapest walk",
                self.plan_layer,
                lambda: story.plan_note(*self._leaf[1:]),
                self._is_plan_slow,
                is_answer=True,
                next_key=_NEXT_WALK,
                leaf=self.leaf,
            ),
            Numbers((COST,), self.distance_key, self.distances, {COST: _WORDING}),
            ExpeditionAnalysis(self._planner, lambda: self.fog.is_on),
            PerfectLine(self.perfect_line),
            Curve(self.curve, is_answer=True),
            Page(_RECURSION, self.recursion, is_answer=True, keys=lambda: KEYS),
            Finale(self.scores, self.prepare_ending, self.ending_layer),
            replace(self.fog.switch(), position=None, turn_to=None),  # each map begins in fog
        )

    def close(self) -> None:
        """Stops the planner, in whatever thread it works."""
        self._planner.stop.set()

    # -- what is seen

    def picture(self, state: State) -> MapSource:
        """Map of the boxes and lines that are known."""
        return Picture(state, self.glyphs, self._known(state))

    def focus_cell(self, state: State) -> Cell:
        """The middle of the party's room."""
        return drawing.drawing_of(state.level).boxes[state.room].middle

    def changed_rows(self, before: State, after: State) -> Iterable[int] | None:
        """Rows of both rooms of a step and their corridor; None, for all, if the states are farther apart or in fog."""
        trails = before.trail, after.trail
        is_step = trails[0].before is trails[1] or trails[1].before is trails[0]
        if self.fog.is_on or not is_step:
            return None
        level = before.level
        rows = {cell.row for cell in drawing.cells_between(level, before.room, after.room)}
        boxes = [drawing.drawing_of(level).boxes[room] for room in (before.room, after.room)]
        return rows.union(*(range(box.row, box.bottom + 1) for box in boxes))

    def greeting(self, level: Level) -> Iterable[Line]:
        """The keys to begin with."""
        yield Line("{hint} plans with you, {help} lists the keys.")

    def facts(self, turn: Turn[State, Action]) -> Facts:
        """The cost so far, and the rooms seen."""
        return story.standing(turn.state)

    def story(self, turn: Turn[State, Action]) -> Iterable[Line]:
        """Lines about the room the party came to, its cost, and the end; none for the start."""
        if turn.parent is not None:
            is_new = turn.parent.state.seen != turn.state.seen
            yield Line(story.arrival(turn.parent.state, turn.state), Meaning.PRIZE if is_new else Meaning.NOTE)
            if (outcome := rules.outcome(turn.state)) is not None:
                yield Line(outcome.reason, Meaning.WAY_OUT)

    def cell_text(self, state: State, cell: Cell) -> str:
        """Words for the room or corridors on a cell: names, costs, events; empty where none is known."""
        level, room = state.level, picture.room_at(state.level, cell)
        if room is not None:
            return story.room_text(state, room) if self._known(state) >> room & 1 else ""
        shown = [level.corridors[number] for number in picture.corridors_at(level, cell)]
        is_whole = not self._is_scouting(state)
        return "; ".join(
            story.corridor_text(level, each) for each in shown if is_whole or any(map(state.has_seen, each.ends))
        )

    def legend(self) -> Sequence[tuple[str, str]]:
        """Glyphs and their meanings: the signs in boxes and on lines."""
        is_ascii = self.glyphs.is_ascii
        square = picture.ASCII_SQUARE if is_ascii else drawing.SQUARE
        return [
            (picture.PARTY, "the party"),
            (picture.ASCII_SEEN if is_ascii else picture.SEEN, "a room that was seen"),
            ("+3", "what entering a room costs"),
            (square, "1 of what a corridor costs; a number where these do not fit"),
            (picture.GOAL, "the room to end in"),
            *((glyph, f"{event}: the costs include it") for event, glyph in drawing.EVENT_GLYPHS.items()),
            (picture.WASTED, "a leg of your walk that was wasted"),
            (self.glyphs.pointers[3], "at an edge: a room out of sight that way"),
        ]

    def _is_scouting(self, state: State) -> bool:
        """True in fog as long as the expedition goes on: rooms come into view one by one."""
        return self.fog.is_on and state.status is Status.EXPLORING

    def _known(self, state: State) -> int:
        """The rooms that are drawn, one bit each."""
        if self._is_scouting(state):
            return known_rooms(state.level, state.seen)
        return (1 << len(state.level.rooms)) - 1

    def _open_rooms(self, state: State) -> int:
        """The rooms through which ways are known, one bit each."""
        return state.seen if self._is_scouting(state) else self._known(state)

    # -- walks drawn over the map

    def _is_plan_slow(self, state: State) -> bool:
        """True if `plan_layer` must plan first: no plan with a cost is kept, or after the end no comparison."""
        if state.status is not Status.EXPLORING:
            return self._planner.comparison(state) is None
        found = self._planner.known(state, self.fog.is_on)
        return found is None or found.cost is None or self._leaf[0] is state

    def walk_layer(self, state: State) -> WalkLayer:
        """Layer of the walk so far, with its wasted legs once it has been compared."""
        compared = self._planner.comparison(state)
        legs = () if compared is None else compared.legs
        wasted = {step for leg in legs for step in range(leg.first, leg.last)}
        rooms = [trail.room for trail in trails_of(state)]
        return WalkLayer(state.level, rooms, self.glyphs, is_plan=False, wasted=wasted)

    def plan_layer(self, state: State, beneath: WalkLayer | None = None) -> WalkLayer:
        """Layer of the cheapest walk from here on, after the end from the start. Raises ValueError if there is none."""
        if state.status is Status.EXPLORING:
            found = self._planner.plan(state, known_only=self.fog.is_on)
        else:
            found = self._planner.compared(state).best
        if found.cost is None:
            raise ValueError(story.out_of_reach(found))
        return WalkLayer(state.level, self._leafed(state, found), self.glyphs, is_plan=True, beneath=beneath)

    def leaf(self, state: State) -> None:
        """Lets the layer of the plan show the next cheapest walk of a state."""
        before, number, *_ = self._leaf
        self._leaf = state, number + 1 if before is state else 1, 0, False

    def _leafed(self, state: State, found: Plan) -> Sequence[int]:
        """The walk that one has leafed to: the plan itself, or another one that costs the same."""
        before, number, *_ = self._leaf
        if before is not state:
            self._leaf = None, 0, 0, False
            return found.walk
        is_over = state.status is not Status.EXPLORING
        begun = rules.start(state.level) if is_over else state
        others, are_all = self._planner.walks(begun, self.fog.is_on and not is_over) if found.is_proven else ([], False)
        walks = [found.walk, *(walk for walk in others if walk != found.walk)]
        self._leaf = state, number % len(walks), len(walks), are_all
        return walks[number % len(walks)]

    def perfect_line(self, state: State) -> Sequence[Action]:
        """Steps of the cheapest walk from the start, whatever fog hides. Raises ValueError if none is proven."""
        found = self._planner.plan(state)
        if found.cost is None:
            raise ValueError(story.out_of_reach(found))
        if not found.is_proven:
            raise ValueError("no walk is proven to be the cheapest")
        return actions(state.level, found.walk)

    # -- hints

    def advise(self, state: State, step: int) -> Advice:
        """Advice for a state: the cost left, then the next room, then the whole plan, drawn."""
        if state.status is not Status.EXPLORING:
            return Advice(story.ALL_IS_SEEN, is_all=True)
        known_only = self.fog.is_on
        found = self._planner.plan(state, known_only=known_only)
        text = story.hint_text(state, found, step, known_only=known_only)
        if found.cost is None:
            return Advice(text, is_all=True)
        drawn = WalkLayer(state.level, found.walk, self.glyphs, is_plan=True) if step == 2 else None
        return Advice(text, drawn)

    # -- moves

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        """The step into the neighbouring room that lies that way. Raises IllegalActionError if none does."""
        if direction is None:
            raise IllegalActionError("you can't stay: the party goes from room to room")
        room = drawing.room_towards(state.level, state.room, direction)
        if room is None:
            raise IllegalActionError(f"you can't go {direction.words}: no corridor leads there")
        return Walk(state.level.rooms[room].id)

    def places(self, state: State) -> Sequence[tuple[str, Cell]]:
        """Places to travel to, the cheapest to reach first: initial and middle of each known room but the party's."""
        level, known = state.level, self._known(state)
        costs, _ = cheapest_ways(level, state.room, self._open_rooms(state))
        boxes = drawing.drawing_of(level).boxes
        rooms = sorted((room for room in range(len(boxes)) if known >> room & 1 and room != state.room),
                       key=lambda room: (costs.get(room, UNREACHED), room))  # fmt: skip
        return [(level.rooms[room].label[:1], boxes[room].middle) for room in rooms]

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        """Steps of the cheapest way to the room at a cell through rooms seen; a sentence if there is none."""
        room = picture.room_at(state.level, cell)
        if room is None or not self._known(state) >> room & 1:
            return "That is no room."
        if room == state.room:
            return "The party is there."
        _, parents = cheapest_ways(state.level, state.room, state.seen)
        if room not in parents:
            return f"No way leads to {state.level.rooms[room].label} through rooms that were seen."
        return actions(state.level, way_to(parents, room))

    # -- costs of the ways

    def prepare(self, state: State) -> None:
        """Draws the map, and turns the fog on unless the level says no."""
        drawing.drawing_of(state.level)
        self.fog.is_on = state.level.is_fogged is not False

    def load_kernels(self, state: State) -> None:
        """Compiles the kernels of plans."""
        solver.prepare()

    def distance_key(self, state: State) -> Hashable:
        """Key that is equal for states with the same `distances`: map, party's room, known rooms."""
        return Same(state.level), state.room, self._known(state)

    def distances(self, state: State, kind: str, has_arrows: bool) -> DistanceField:
        """The cost of the cheapest way from here to each room, on every cell of the room's box."""
        costs, parents = cheapest_ways(state.level, state.room, self._open_rooms(state))
        distance, steps = drawing.cost_field(state.level, state.room, costs, parents)
        return DistanceField(kind, distance, steps if has_arrows else None, UNREACHED, max(costs.values()))

    def recursion(self, state: State) -> Screen[None] | str:
        """Screen on which the memoised recursion plans on this map; or why it can't."""
        try:
            return RecursionScreen(state.level, questions(state.level))
        except TooLargeError as error:
            return sentence(str(error))

    # -- the end

    def prepare_ending(self, turn: Turn[State, Action]) -> None:
        """Compares the walk with the best one, and keeps that for the dialog and the layer at the end; so both pars."""
        self._planner.compared(turn.state)
        if self.fog.is_on:
            self._planner.sure(turn.state.level)

    def scores(self, state: State) -> Sequence[Score]:
        """Score of a walk that is done: its cost, with the least one, where that is proven."""
        if (outcome := rules.outcome(state)) is None or not outcome.is_win:
            return ()
        compared = self._planner.comparison(state)
        is_known = compared is not None and compared.best.is_proven
        return (Score("cost", state.cost, compared.best.cost if compared is not None and is_known else None),)

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Title and text of the dialog at the end: the outcome and, if compared, the best walk and the wasted legs."""
        told, compared = [outcome.reason], self._planner.comparison(state)
        if compared is not None:
            sure = self._planner.sure(state.level) if self.fog.is_on else None
            told += story.comparison_sentences(
                state.level, compared, was_foggy=self.fog.is_on, sure=sure, mark=picture.WASTED
            )
        return "The dungeon is explored", "\n".join(told)

    def ending_layer(self, state: State) -> Layer | None:
        """Layer of the walk and the cheapest one over it; None if they were not compared."""
        return self.plan_layer(state, self.walk_layer(state)) if self._planner.comparison(state) else None

    def curve(self, state: State) -> Figure | str:
        """Plot of the least cost for each number of rooms and the walk so far, or why there is none. Takes seconds."""
        return cost_curve(state, self._planner, is_foggy=self._is_scouting(state))


def explore(state: State) -> Sequence[Action] | str:
    """Steps to the unseen room that is reached most cheaply through rooms seen; a sentence if none is left."""
    costs, parents = cheapest_ways(state.level, state.room, state.seen)
    unseen = [room for room in costs if not state.has_seen(room)]
    if not unseen:
        return "Every room that can be reached is seen."
    return actions(state.level, way_to(parents, min(unseen, key=lambda room: (costs[room], room))))


def reason_to_stop(before: State | None, after: State) -> str:
    """Sentence on the arrival in a new room, at which travel stops; empty if it goes on."""
    is_new = before is not None and before.seen != after.seen and after.status is Status.EXPLORING
    return story.arrival(before, after) if before is not None and is_new else ""
