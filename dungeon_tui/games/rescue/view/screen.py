"""The rescue on screen: glyphs, messages and features."""

from collections.abc import Collection, Iterable, Sequence
from functools import partial

import numpy as np
from textual.screen import Screen

from dungeon_tui import engine
from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.identity import ByIdentity
from dungeon_tui.core.rules import IllegalActionError, Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import capitalised, in_words
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.rules import Action, SetOut, State, Status
from dungeon_tui.games.rescue.view import overlays, picture, plan, words
from dungeon_tui.games.rescue.view.advice import advise
from dungeon_tui.games.rescue.view.analysis import RescueAnalysis, health_figure
from dungeon_tui.games.rescue.view.guide import KNIGHT, PRINCESS, RescueGuide
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import ADVICE, LOOKING, MOVES, Key
from dungeon_tui.ui.map.source import Layer, MapSource
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.features import Prompt, Question, ToggledLayer
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.motion import sparkling, struck
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.side_panel import Facts

FAST_CELLS = 100_000  # cells whose best paths take a few milliseconds
_WORDS = {
    "move.up": ("Up", "go up, if the level has gold"),
    "move.left": ("Left", "go left, if the level has gold"),
    "stay": None,
    "travel": ("Plan", "draw his path step by step, and see what it costs; Enter walks it"),
    "hint": ("Hint", "what to think of, then where he goes, then a path on the map"),
    "overlay": ("Needs", "show each cell's need as numbers, heat or arrows"),
    "overlay.watch": ("Watch", "compute the needs step by step"),
    "curve": ("Curve", "plot the health along your path, and a best one after a win"),
}
_HEALTH = Key("health", "H", "Health", "choose the health to set out with", MOVES, 5)
_ALL_BEST = Key("best.all", "", "All paths", "show the cells of all best paths", ADVICE)
_RACE = Key("race", "W", "Race", "watch algorithms step by step, and measure how they grow", LOOKING, 13)


class RescueView(GameView):
    """The rescue on screen."""

    key_words = _WORDS
    is_quiet = True
    moves_by_kernels = True  # for the messages of each step

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self.guide = RescueGuide()
        self.features = (
            Prompt(_HEALTH, health_question, words.setting_out, comes_first=lambda state: state.status is Status.READY),
            features.Journeys(
                lambda state: (),
                self.guide.route,
                lambda before, after: "",  # nothing surprises him
                sketch=self.sketch,
                begin=plan.begin,
                opening=plan.opening,
            ),
            features.Hints(partial(advise, glyphs)),
            ToggledLayer(
                _ALL_BEST,
                "All best paths",
                self.all_layer,
                "All best paths: * marks their cells.",
                is_slow=lambda state: state.level.grid.size >= FAST_CELLS,
                is_answer=True,
            ),
            features.Numbers(
                (overlays.NEED,),
                lambda state: ByIdentity(state.level),
                overlays.need_field,
                {overlays.NEED: overlays.NEED_WORDING},
                frozenset({overlays.NEED}),
            ),
            RescueAnalysis(glyphs),
            features.PerfectLine(perfect_line, begins=lambda turn: isinstance(turn.action, SetOut)),
            features.Curve(health_figure),
            features.Motions(partial(motion, glyphs=glyphs)),
            features.Page(_RACE, self._race, is_answer=True, keys=_race_keys),
        )

    # -- the picture and the panel

    def picture(self, state: State) -> MapSource:
        return picture.Picture(state, self.glyphs)

    def columns(self, state: State) -> int:
        return picture.number_width(state.level) + 1  # for a sign before the number

    def focus_cell(self, state: State) -> Cell:
        return state.cell

    def sketch(self, state: State, ahead: State) -> tuple[Layer, str]:
        return plan.PlanLayer(state, ahead, self.glyphs), plan.words(state, ahead)

    def rules_text(self, state: State) -> str:
        _, grid, gold, walk = super().rules_text(state).split("\n\n")
        return f"{grid}\n\n{walk if state.level.fee is None else gold}"

    def unused_keys(self, state: State) -> Collection[str]:
        return {"overlay", "overlay.watch", _ALL_BEST.id, _RACE.id} if state.level.fee is not None else ()

    def greeting(self, level: Level) -> Iterable[LogLine]:
        if level.lesson:
            yield LogLine(level.lesson)
        if level.fee is None:
            yield LogLine("He walks right and down only. Cells add to his health; at 0 he dies.")
            yield LogLine("Plan his path: {travel}. Or choose his health: {health}, then walk.", is_transient=True)
            return
        yield LogLine(f"Traps bite each time{', power-ups (+) work once' * bool((level.grid > 0).any())}.")
        yield LogLine(
            "Plan his path: {travel}. Or buy health: {health}, then walk by arrows; at 0 he dies.", is_transient=True
        )

    def facts(self, turn: Turn[State, Action]) -> Facts:
        state, level = turn.state, turn.state.level
        is_out, has_gold = state.status is not Status.READY, level.fee is not None
        table = [("Health", str(state.health))] * is_out
        if has_gold:
            table += [("Gold", f"{level.purse - state.spent} of {level.purse}")]
            table += [("Health", "1 gold each")] * (not is_out)
            table += [("Power-up", f"{level.fee} gold each")] * bool((level.grid > 0).any())
        elif is_out:
            table += [("Began with", str(state.initial)), ("Lowest", str(state.lowest))]
        ends = ("First cell", level.grid[0, 0]), ("Her cell", level.grid[-1, -1])
        table += [(name, f"{value:+}") for name, value in ends if value and not is_out and level.grid.size > 1]
        return Facts(
            goal=words.goal(level),
            title=in_words(state.level.name),
            subtitle="",
            rows=tuple(table),
            short=tuple(f"{name.lower()}: {value}" for name, value in table),
        )

    def story(self, turn: Turn[State, Action]) -> Iterable[LogLine]:
        if (outcome := rules.outcome(turn.state)) is not None:  # before it the panel has all
            yield LogLine(words.ended(turn.state, outcome), Meaning.WAY_OUT if outcome.is_win else Meaning.FOE)

    def cell_text(self, state: State, cell: Cell) -> str:
        if not cell.is_inside(*state.level.grid.shape):
            return ""
        parts = [self.guide.name(state, cell)]
        if cell == picture.knight_cell(state):
            parts = ["the knight", *parts * (parts != ["nothing"])]
        return f"{capitalised(cell.text)}: {', '.join(parts)}"

    def legend(self, state: State) -> Sequence[tuple[str, str]]:
        return [
            (KNIGHT, "the knight, with his health"),
            (PRINCESS, "the princess"),
            ("1-9, a-i", "in tiny cells: power-ups and traps, by size"),
            ("red", "a step that would kill him; in Learn a mistake"),
        ]

    def _race(self, state: State) -> Screen[None] | str:
        if state.level.fee is not None:
            return "The algorithms are for walks: how low can you go?"
        from dungeon_tui.games.rescue.view.comparison_screen import ComparisonScreen  # loads the plotting library

        return ComparisonScreen(state.level, self.glyphs)

    def all_layer(self, state: State) -> Layer:
        """A `*` on the cells of all best paths. Raises ValueError if the grid or a need is too large."""
        overlays.check_size(state.level)
        cells = solver.best_cells(state.level).nonzero()
        return picture.WayLayer(dict.fromkeys(map(Cell, *(each.tolist() for each in cells)), "*"))

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        if direction is None:
            raise IllegalActionError("the knight can't stay in place")
        return rules.Walk(direction)

    def prepare(self, state: State) -> None:
        picture.extremes(state.level)

    def load_kernels(self, state: State) -> None:
        smallest = np.zeros((1, 1), state.level.grid.dtype)
        engine.minimum_health_path(smallest)
        engine.need_table(smallest)

    # -- the end

    def prepare_ending(self, turn: Turn[State, Action]) -> None:
        list(words.compared(turn.state))  # remembers the searches for the least gold

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        title = "The princess is saved" if state.status is Status.SAVED else "The knight has died"
        if self.is_flawless(state):
            title += " with the least health" if state.level.fee is None else " for the least gold"
        return title, "\n".join([words.ended(state, outcome), *words.compared(state)])

    def figures(self, state: State) -> Sequence[tuple[str, Meaning]]:
        is_saved = state.status is Status.SAVED
        return ("knight", Meaning.YOU), ("princess", Meaning.WAY_OUT) if is_saved else ("trap", Meaning.FOE)

    def scores(self, state: State) -> Sequence[Score]:
        """Scores of a rescue: the initial health, or the gold of a purchase."""
        level = state.level
        if state.status is not Status.SAVED:
            return ()
        if level.fee is not None:
            return (Score("gold", state.spent, solver.par(level)),)
        return (Score("health", state.initial, rules.least_health(level)),)


def perfect_line(state: State) -> Sequence[Action]:
    """Setting out with the least health, and a best path."""
    actions = solver.actions_on(rules.start(state.level))
    if not actions:
        raise ValueError("the purse holds too little gold")
    return actions


def health_question(state: State) -> Question | str:
    """The prompt for his health, or why there is none."""
    if state.status is not Status.READY:
        return "He has set out: {restart} lets you choose his health again."
    return Question("How much health?", f"1 gold each; you have {state.level.purse}." * (state.level.fee is not None))


def motion(turn: Turn[State, Action], glyphs: Glyphs) -> Sequence[Layer]:
    """Frames of a trap or a power-up in the cell that the knight entered."""
    for event in turn.events:
        if isinstance(event, rules.Entered) and event.value:
            return struck(event.cell) if event.value < 0 else sparkling(event.cell, glyphs)
    return ()


def _race_keys() -> Sequence[Key]:
    from dungeon_tui.games.rescue.view.comparison_screen import KEYS

    return KEYS
