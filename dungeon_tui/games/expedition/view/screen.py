"""The expedition on screen: glyphs, messages and features."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from math import inf

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.identity import ByIdentity
from dungeon_tui.core.rules import IllegalActionError, Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.expedition.ai import solver
from dungeon_tui.games.expedition.ai.solver import Comparison, Planner
from dungeon_tui.games.expedition.model import rules
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.model.maps import way_to
from dungeon_tui.games.expedition.model.state import Action, State, Status, Trail, Walk, reached, trails_of
from dungeon_tui.games.expedition.view import drawing, guide, picture, story
from dungeon_tui.games.expedition.view.analysis import ExpeditionAnalysis, actions
from dungeon_tui.games.expedition.view.drawing import Drawing
from dungeon_tui.games.expedition.view.picture import Picture, draw_plan, draw_walk
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.distance_layer import DistanceField, Wording
from dungeon_tui.ui.map.source import CellLayer, MapSource
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.side_panel import Facts
from dungeon_tui.ui.widgets.timeline import MISTAKE, SLIP

COST = "cost"
_WORDS = {
    "move.up": ("Up", "go to a room above"),
    "move.down": ("Down", "go to a room below"),
    "move.left": ("Left", "go to a room to the left"),
    "move.right": ("Right", "go to a room to the right"),
    "stay": None,
    "travel": ("Route", "choose a room and walk there, as by a click; Space plans on from it"),
    "explore": ("Walk on", "walk on until you have a choice"),
    "hint": ("Hint", "where to go and why, then the plan"),
    "overlay": ("Costs", "show the costs of the paths to all rooms as numbers or heat"),
    **dict.fromkeys(("zoom.in", "zoom.out", "zoom.fit")),  # a drawing has one size
}
_WORDING = Wording(
    "Cheapest paths from the party",
    farthest="The most expensive costs {}.",
    frontier="Costs up to {}",
    heat="bright is cheap, dark is expensive",
    digits="=N, in place of +N",
    arrows="",  # a way may leave a room by any door
    has_letters=False,
)


class ExpeditionView(GameView):
    """The expedition on screen."""

    key_words = _WORDS

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self._planner = Planner()
        self.features = (
            features.Journeys(
                self.landmarks,
                self.route,
                lambda before, after: "",
                self.explore,
                sketch=self.sketch,
                foreseen=guide.foreseen,
            ),
            features.Hints(self.advise),
            features.Numbers((COST,), self.distance_key, self.distances, {COST: _WORDING}, is_in_cell_text=True),
            ExpeditionAnalysis(self._planner, self.drawn, self.glyphs),
            features.Fate(self.outlook, lambda state: state.level.torch is not None),
        )

    def close(self) -> None:
        self._planner.stop.set()

    # -- the picture and the panel

    def drawn(self, level: Level) -> Drawing:
        """The map's drawing in the size that fits the screen."""
        return drawing.drawing_of(level, self.space, self.is_preview)

    def picture(self, state: State) -> MapSource:
        return Picture(state, self.drawn(state.level), self.glyphs)

    def columns(self, state: State) -> int:
        return 0

    def focus_cell(self, state: State) -> Cell:
        return self.drawn(state.level).boxes[reached(state)[-1].room].middle

    def cursor(self, state: State, cell: Cell) -> CellLayer:
        layer = CellLayer()
        for each in next((box.frame for box in self.drawn(state.level).boxes if box.holds(cell)), ()):
            layer.mark(each, None, Meaning.NOTE, None)  # walls are half blocks: a ground would fill the other half
        return layer

    def greeting(self, level: Level) -> Iterable[LogLine]:
        yield from [LogLine(level.lesson)] * bool(level.lesson)
        corridor = "its corridor's number (none: free) plus " * any(each.cost for each in level.corridors)
        yield LogLine(f"A step costs {corridor}the next room's +N.")
        if level.is_fogged:
            par = " Par is enough, whatever is hidden." * bool(level.par)
            yield LogLine(f"Exits lead to unvisited rooms, near or far.{par}")
        else:
            yield LogLine(
                "Arrows walk. To plan: {travel}, then Space on room after room; Enter walks there.", is_transient=True
            )

    def unused_keys(self, state: State) -> Collection[str]:
        """On a known map each room is a choice; in fog no line is sure, and without a promise no step can be judged."""
        if not state.level.is_fogged:
            return ("explore",)
        return ("why", *("analysis", "learn") * (self._planner.explorer(state.level).sure_cost is None))

    def facts(self, turn: Turn[State, Action]) -> Facts:
        return story.standing(turn.state)

    def story(self, turn: Turn[State, Action]) -> Iterable[LogLine]:
        if turn.parent is not None:
            is_new = turn.parent.state.seen != turn.state.seen
            proofs = self._planner.explorer(turn.state.level).certain(turn.parent.state)
            text = story.arrival(turn.parent.state, turn.state, proofs)
            yield LogLine(text, Meaning.PRIZE if is_new else Meaning.NOTE)
            if (outcome := rules.outcome(turn.state)) is not None:
                yield LogLine(outcome.reason, Meaning.WAY_OUT if outcome.is_win else Meaning.FOE)
            elif (
                guide.is_unsure(turn.state)
                and not guide.is_stuck(turn.state)  # Fate tells that
                and (short := guide.lacking(turn.state, self._planner))
                and not guide.lacking(turn.parent.state, self._planner)
            ):
                text = f"{story.not_safe(short)} {{undo}} takes the step back."
                yield LogLine(text, Meaning.FOE)

    def cell_text(self, state: State, cell: Cell) -> str:
        """The room on a cell, and what it costs to go there; empty if none is known."""
        room = self.drawn(state.level).room_at(cell)
        return story.room_text(state, room) if room is not None and guide.known_bits(state) >> room & 1 else ""

    def rules_text(self, state: State) -> str:
        _, steps, torch, *kinds = super().rules_text(state).split("\n\n")
        return "\n".join([steps, *[torch] * (state.level.torch is not None), kinds[state.level.is_fogged]])

    def legend(self, state: State) -> Sequence[tuple[str, str]]:
        at_worst = ", at worst" * state.level.is_fogged
        return [
            (picture.PARTY, "the party"),
            (picture.ASCII_SEEN if self.glyphs.is_ascii else picture.SEEN, "a visited room; it may have a fire"),
            ("+N", "the cost of entering a room, bright from 3 on"),
            ("N", "on a corridor: what it costs; none: free"),
            *[(drawing.GOAL, "the room to end in")] * (state.level.goal is not None),
            (SLIP, f"a slip: a step that cost more than another{at_worst}"),
            *[(MISTAKE, f"a mistake: the torch was too short after it{at_worst}")] * (state.level.torch is not None),
            (self.glyphs.pointers[3], "at an edge: a room beyond it"),
        ]

    # -- walks drawn over the map

    def _faults(self, state: State) -> dict[int, str]:
        """The marks of the wasted steps of the walk so far, if it has been compared."""
        if (compared := self._planner.comparison(state)) is None:
            return {}
        legs = self._planner.risks(state) or () if state.level.is_fogged else compared.legs
        mistakes = [leg.mistake for leg in legs if leg.mistake is not None]
        end = inf if state.level.is_fogged else min(mistakes, default=inf)  # no step after it is to blame
        return {step: MISTAKE if step in mistakes else SLIP for leg in legs for step in leg.steps if step <= end}

    # -- hints

    def advise(self, state: State, step: int) -> features.Advice:
        """Advice: at the start, an idea; the next new room and the cost left; why; the plan, in fog with the reason."""
        if state.status is Status.EXPLORED:
            return features.Advice("All done. {end_page} shows your walk.", is_all=True)
        if state.status is Status.DARK or guide.lacking(state, self._planner):
            return features.Advice(story.way_back(state, self._planner), is_all=True)
        idea = "" if state.level.is_fogged or state.steps else story.told(state.level, "routes", "idea")
        if step == 0 and idea:
            return features.Advice(idea, then="the room")
        step -= bool(idea)
        if guide.is_unsure(state):
            way, _, worse = guide.promised(state, self._planner)
            reason = story.fog_reason(state, self._planner) if way else ""
            then = "why" if reason else "the way"
            text = reason if step > 0 and reason else story.promise_text(state, self._planner)
        else:
            reason, then, found = "", "the plan", self._planner.plan(state)
            way, worse, text = [*found.walk], {}, story.hint_text(state, found, self._planner)
        if len(way) < 2:
            return features.Advice(text, is_all=True)
        drawn, mark, new = self.drawn(state.level), CellLayer(), (room for room in way if not state.has_seen(room))
        if step > 0:
            mark = draw_plan(drawn, way, self.glyphs)
            for ends in self._planner.explorer(state.level).certain(state):
                for cell in drawn.cells_between(*ends)[1:-1]:
                    mark.mark(cell, "?", Meaning.PRIZE, None)
            return features.Advice(text, mark, is_all=True)
        for room in next(new, way[-1]), *(room for room in worse if not worse[room]):
            for cell in drawn.boxes[room].frame:  # the heat stays
                mark.mark(cell, None, Meaning.WAY_OUT, None)
        return features.Advice(text, mark, is_all=len(way) == 2 and not reason, then=then)

    def outlook(self, turn: Turn[State, Action], is_requested: bool) -> features.Outlook:
        """Says if the torch can still last, in fog as was promised or by the map; blames the step after which not."""
        state, planner = turn.state, self._planner
        short, is_over = guide.lacking(state, planner), state.status is Status.DARK or guide.is_stuck(state)
        if not (short or is_over):
            return features.Outlook("You can still finish.")
        line, rooms = turn.line(), state.level.rooms
        safe = guide.last_sure([each.state for each in line[:-1]], planner)
        before, after = line[safe].state, line[safe + 1].state
        move = f"move {safe + 1} ({rooms[before.room].title} to {rooms[after.room].title})"
        if guide.is_unsure(state) and not is_over:
            return features.Outlook(story.not_safe(short), False, line[safe], line[safe + 1], move=move)
        is_known = guide.is_sure(before, planner)  # else no single step is to blame
        lack = f"{'too' if guide.is_unsure(state) else short} short"
        lost, mark = line[safe + 1] if is_known else turn, f"torch {lack}{f' since move {safe + 1}' * is_known}"
        did = "was not safe" if guide.is_unsure(before) else "lost the game"
        text, then = f"The torch is {lack}.", story.overspent(after, planner)
        return features.Outlook(text, True, line[safe], lost, mark, then, move, did)

    def explore(self, state: State) -> Sequence[Action] | str:
        """Steps to the next room, or as far as there is no choice; else the rooms to choose from, or why not to go."""
        level, (costs, parents) = state.level, guide.wanted(state)
        rooms = [room for room in costs if level.torch is None or self._lasts(state, room, costs[room])]
        if costs and (not rooms or guide.is_stuck(state)):
            return f"The torch is too short for the rest{story.overspent(state, self._planner)}."
        if not rooms:
            return "You have visited every room that you can reach."
        ways = [way_to(parents, room)[: -1 if len(rooms) > 1 else None] for room in rooms]
        common = [step[0] for step in takewhile(lambda step: len({*step}) == 1, zip(*ways, strict=False))]
        if len(common) < 2:
            return story.choice(level, {room: costs[room] for room in rooms})
        return actions(level, common)

    def _lasts(self, state: State, room: int, cost: int) -> bool:
        """True if the torch lasts for the way to a room, and, if nothing is hidden, for the rest from there."""
        after = replace(state, trail=Trail(room, state.cost + cost, state.trail), seen=state.seen | 1 << room)
        need = 0 if guide.is_unsure(state) else guide.needed(after, self._planner) or 0
        return after.cost + need <= (state.level.torch or 0)

    # -- moves

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        """The step into the neighbouring room in a direction. Raises IllegalActionError if there is none."""
        if direction is None:
            raise IllegalActionError("you can't stay: the party goes from room to room")
        room = self.drawn(state.level).room_towards(state.room, direction)
        if room is None:
            raise IllegalActionError(f"you can't go {direction.words}: no corridor leads there")
        return Walk(state.level.rooms[room].id)

    def landmarks(self, state: State) -> Sequence[tuple[str, Cell]]:
        """Rooms to travel to, unvisited ones first, the cheapest first: small initial and centre of each known room."""
        level, known = state.level, guide.known_bits(state)
        costs, _ = guide.known_ways(state)
        boxes = self.drawn(level).boxes
        rooms = sorted((room for room in range(len(boxes)) if known >> room & 1 and room != state.room),
                       key=lambda room: (state.has_seen(room), costs.get(room, UNREACHED), room))  # fmt: skip
        return [(level.rooms[room].label[:1].lower(), boxes[room].middle) for room in rooms]

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        """Steps of the cheapest known path to the room at a cell, or why there is none."""
        level, room = state.level, self.drawn(state.level).room_at(cell)
        if room is None or not guide.known_bits(state) >> room & 1:
            return "There is no room."
        costs, parents = guide.known_ways(state)
        if room not in costs:
            return f"You know of no way to {level.rooms[room].title}."
        if level.torch is not None and state.cost + costs[room] > level.torch:
            left = max(0, level.torch - state.cost)
            return f"The torch is too short: the way to {level.rooms[room].title} costs {costs[room]}, {left} left."
        return actions(level, way_to(parents, room))

    def sketch(self, state: State, ahead: State) -> tuple[CellLayer, str]:
        """A planned walk, drawn, and what it comes to."""
        walk = [trail.room for trail in trails_of(ahead)[state.steps :]]
        return draw_plan(self.drawn(state.level), walk, self.glyphs), story.planned(state, ahead)

    # -- costs of the paths

    def prepare(self, state: State) -> None:
        self.drawn(state.level)
        if state.level.is_fogged:
            self._planner.explorer(state.level).total(state)  # what the panel tells

    def load_kernels(self, state: State) -> None:
        solver.prepare()

    def distance_key(self, state: State) -> Hashable:
        """A key that is equal for states with the same `distances`."""
        return ByIdentity(self.drawn(state.level)), state.room, guide.known_bits(state)

    def distances(self, state: State, kind: str, has_arrows: bool) -> DistanceField:
        """The cost of the cheapest path to each room, on every cell of its box."""
        costs, _ = guide.known_ways(state)
        distance, places = self.drawn(state.level).cost_field(state.room, costs)
        return DistanceField(kind, distance, None, UNREACHED, max(costs.values()), covers_things=True, places=places)

    # -- the end

    def prepare_ending(self, turn: Turn[State, Action]) -> None:
        """Computes the comparison and the risks for the end dialog; both are cached."""
        compared = self._planner.compared(turn.state)
        story.comparison(compared, turn.state, self._planner)
        if turn.state.level.is_fogged:
            self._planner.risks(turn.state)

    def scores(self, state: State) -> Sequence[Score]:
        """The score of a finished walk: its cost; par is the least cost if proven, in fog what can be promised."""
        if state.status is not Status.EXPLORED:
            return ()
        compared, par = self._planner.comparison(state), state.level.par
        if par is None and not state.level.is_fogged and compared is not None and compared.best.is_proven:
            par = compared.best.cost
        return (Score("cost", state.cost, par),)

    def is_flawless(self, state: State) -> bool:
        return super().is_flawless(state) and not (state.level.is_fogged and self._planner.risks(state))

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        compared = self._planner.comparison(state)
        if state.status is not Status.EXPLORED or compared is None:
            return "Lost in the dark", outcome.reason
        if state.level.is_fogged:
            return story.promise(state, self._planner.risks(state), compared)
        return story.comparison(compared, state, self._planner)

    def figures(self, state: State) -> Sequence[tuple[str, Meaning]]:
        is_seen = state.status is Status.EXPLORED
        return [("hero", Meaning.YOU), ("brazier", Meaning.PRIZE)] if is_seen else [("hero", Meaning.FLOOR)]

    def _compared(self, state: State) -> Comparison | None:
        """In fog, the comparison with a cheaper walk; else None: you may want to search for that yourself."""
        is_open = state.level.is_fogged and state.status is Status.EXPLORED
        found = self._planner.comparison(state) if is_open else None
        return found if found is not None and found.wasted > 0 else None

    def ending_legend(self, state: State) -> str:
        if self._compared(state) is not None:
            return story.BOTH_WALKS
        faults, is_fogged = {*self._faults(state).values()}, state.level.is_fogged
        if faults and state.status is Status.EXPLORED and not is_fogged:
            return story.BEST_WALK
        signs = {SLIP: "not the best", MISTAKE: "not safe" if is_fogged else f"{story.TOO_SHORT} after it"}
        return "; ".join([story.YOUR_STEPS, *(f"{sign}: {signs[sign]}" for sign in signs if sign in faults)]) + "."

    def ending_layer(self, state: State) -> CellLayer:
        """The party's walk, in fog over the cheapest one if that differs."""
        drawn, rooms, layer = self.drawn(state.level), [trail.room for trail in trails_of(state)], CellLayer()
        if (compared := self._compared(state)) is not None:
            layer = draw_plan(drawn, compared.best.walk, self.glyphs, is_under=True)
        draw_walk(layer, drawn, rooms, self.glyphs, self._faults(state), len(reached(state)))
        return layer
