"""The rescue on screen: what its states look like, in glyphs and words."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray
from textual.screen import Screen

from dungeon_tui import engine
from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import IllegalActionError, Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import capitalised, in_words, sentence
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model import rules
from dungeon_tui.games.rescue.model.level import Level
from dungeon_tui.games.rescue.model.rules import (
    BEYOND,
    Action,
    Answer,
    Entered,
    Guess,
    Guessed,
    SetOut,
    State,
    Status,
    Walk,
    least_health,
)
from dungeon_tui.games.rescue.view import late, picture, words
from dungeon_tui.games.rescue.view.advice import advise
from dungeon_tui.games.rescue.view.analysis import MOST_CELLS, RescueAnalysis, check_size, health_figure, need_field
from dungeon_tui.games.rescue.view.probe import PROBE, PROBE_WORDING, is_guessing, keep_secret, probe_field
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import ADVICE, LOOKING, MOVES, Key
from dungeon_tui.ui.map.distance_layer import DistanceField, Wording
from dungeon_tui.ui.map.source import Layer, MapSource
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.features import Asked, Question, ToggledLayer
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.motion import sparkling, struck
from dungeon_tui.ui.play.overlay import Same
from dungeon_tui.ui.widgets.message_log import Line
from dungeon_tui.ui.widgets.side_panel import Facts

NEED = "need"
AT_ONCE = 100_000  # cells whose best ways take a few milliseconds
_WORDS = {
    "move.up": ("Up", "no way for the knight; moves the mark while a cell is chosen"),
    "move.left": ("Left", "as up"),
    "stay": None,
    "overlay": ("Needs", "the need of each cell as numbers, heat, arrows"),
    "overlay.watch": ("Watch", "watch the needs computed, step by step"),
    "curve": ("Curve", "plot the health along your way and a best one"),
}
_WORDING = Wording(
    "Need, the least health to enter a cell with",
    farthest="The largest is {}.",
    frontier="Step {}",
    of_cell="need {}",
    heat="bright is little, dark is much",
    arrows="lead along a best way",
    has_letters=False,
    speed=1,  # there is a formula to read
)
_HEALTH = Key("health", "H", "H", "Health", "choose the health to set out with", MOVES, 5)
_GUESS = Key("guess", "G", "G", "Guess", "guess the least health that is enough", MOVES, 5)
_BEST = Key("best", "B", "B", "Best way", "show a best way", ADVICE, 8)
_ALL_BEST = Key("best.all", "W", "W", "All ways", "show the cells of all best ways", ADVICE)
_RACE = Key("race", "R", "R", "Race", "algorithms side by side on this level", LOOKING)
_COMPARE = Key("compare", "M", "M", "Compare", "measure the algorithms on growing levels", LOOKING)


class RescueView(GameView):
    """The rescue on screen."""

    moves_by_kernels = True  # what is told of each step

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self._made: dict[str, tuple[Level, Layer]] = {}  # by layer: what was made last, and of which level
        self.features = (
            features.KeyWords(_WORDS),
            features.WideCells(lambda state: picture.number_width(state.level) + 1),  # one for a sign before the number
            Asked(_HEALTH, health_question, lambda _, text: SetOut(words.read_health(text)), comes_first=is_ready),
            Asked(_GUESS, guess_question, lambda _, text: Guess(words.read_health(text))),
            features.Journeys(places, route, lambda before, after: ""),  # all of the way is known: nothing comes up
            features.Hints(partial(advise, glyphs)),
            ToggledLayer(
                _ALL_BEST, "All best ways", self.all_layer, lambda: _ALL_BEST_NOTE, self._are_all_slow, is_answer=True
            ),
            ToggledLayer(
                _BEST, "A best way", self.best_layer, lambda: _BEST_NOTE, partial(self._is_slow, "best"), is_answer=True
            ),
            features.Numbers(
                (NEED,),
                number_key,
                number_field,
                {NEED: _WORDING, PROBE: PROBE_WORDING},
                frozenset({NEED}),
                kind_of=lambda state: PROBE if is_guessing(state) else NEED,
            ),
            RescueAnalysis(),
            features.PerfectLine(perfect_line, begins=lambda turn: isinstance(turn.action, SetOut)),
            features.Curve(health_figure, is_answer=True),
            features.Finale(scores, layer=self.ending_layer),
            features.Motions(partial(motion, glyphs=glyphs)),
            features.Page(
                _RACE,
                self._race,
                is_answer=True,
                keys=partial(late.comparison_keys, "race"),
            ),
            features.Page(
                _COMPARE,
                lambda state: late.comparison_screen(state.level, self.glyphs, "measures"),
                keys=partial(late.comparison_keys, "measures"),
            ),
        )

    # -- what is seen

    def picture(self, state: State) -> MapSource:
        """The grid with the knight."""
        return picture.Picture(state, self.glyphs)

    def focus_cell(self, state: State) -> Cell:
        """The knight's cell."""
        return state.cell

    def changed_rows(self, before: State, after: State) -> Iterable[int] | None:
        """The rows that one step forward or back left and entered; None, for all, if the states are farther apart."""
        trails = before.trail, after.trail
        steps = [trail.before for trail in trails if trail is not None]
        if trails[0] is trails[1] or trails[0] in steps or trails[1] in steps:
            return {before.cell.row, after.cell.row}
        return None

    def greeting(self, level: Level) -> Iterable[Line]:
        """Rules of this grid, and the keys to begin with."""
        if level.fee is not None:
            power_ups = f"a power-up {level.fee}, once" if level.fee else "power-ups nothing, once"
            yield Line(f"A health costs 1 gold, {power_ups}; traps bite each time. {{health}} buys health.")
        elif level.is_guessed:
            yield Line("{guess} guesses, and hears too little or too much. {overlay} shows the last guess at work.")
        else:
            yield Line("{health} chooses his health, then walk right and down. {guess} guesses the least first.")

    def facts(self, turn: Turn[State, Action]) -> Facts:
        """The knight's health and the guesses so far, for the panel."""
        state, level = turn.state, turn.state.level
        rows, cols = level.grid.shape
        guessed = words.guesses_text(state)
        if level.is_guessed:
            table = [
                ("Guesses", f"{len(state.guesses or ())} of {rules.most_guesses(level)}"),
                ("Par", f"{solver.par(level)}"),
            ]
            if guessed:
                table.append(("It is", guessed))
        elif level.fee is not None:
            par = solver.par(level)
            table = [("Gold", f"{level.purse - state.spent} left, {state.spent} spent")]
            table += [] if par is None else [("Par", f"{par} spent")]
            table += [("Health", str(state.health) if state.initial else "to be bought, 1 gold each")]
            table += [("A power-up", f"{level.fee} gold, once")]
        elif state.status is Status.READY:
            table = [("Health", "not chosen yet")]
        else:
            table = [("Health", str(state.health)), ("Began with", str(state.initial)), ("Lowest", str(state.lowest))]
        short = [f"{name.lower()}: {value}" for name, value in table]
        if state.guesses and not level.is_guessed:
            table.append(("Guesses", f"{len(state.guesses)}: it is {guessed}"))
            short.append(f"guesses: {len(state.guesses)}")
        return Facts(
            goal=words.goal(level),
            title=in_words(state.level.name),
            subtitle=f"Grid of {rows} x {cols}",
            caption=state.level.lesson,
            rows=tuple(table),
            short=tuple(short),
        )

    def story(self, turn: Turn[State, Action]) -> Iterable[Line]:
        """Answers to guesses, what each cell does, and the end."""
        for event in turn.events:
            meaning = Meaning.NOTE
            match event:
                case Guessed(answer=Answer.RIGHT):
                    meaning = Meaning.WAY_OUT
                case Entered(value=value) if value:
                    meaning = Meaning.FOE if value < 0 else Meaning.PRIZE
            text = words.felt(event) if isinstance(event, Entered) else words.sentence_of(event, turn.state)
            if text:
                yield Line(text, meaning)
        outcome = rules.outcome(turn.state)
        if outcome is not None:
            yield Line(words.ended(turn.state, outcome), Meaning.WAY_OUT if outcome.is_win else Meaning.FOE)

    def cell_text(self, state: State, cell: Cell) -> str:
        """Words for a cell: place, effect of entering it, and the health left there if he was; empty off the grid."""
        rows, cols = state.level.grid.shape
        if not cell.is_inside(rows, cols):
            return ""
        value = state.value(cell)
        parts = [f"a trap, {value}" if value < 0 else f"a power-up, {value:+}" if value > 0 else "nothing, 0"]
        if cell == (rows - 1, cols - 1):
            parts.insert(0, "the princess")
        since = takewhile(lambda entered: entered.cell.row >= cell.row, state.trail or ())
        parts += [f"{entered.health} health left there" for entered in since if entered.cell == cell]
        return f"{capitalised(cell.place)}: {', '.join(parts)}"

    def legend(self) -> Sequence[tuple[str, str]]:
        """Glyphs and their meanings; numbers explain themselves."""
        ninths = [f"{signs[0]}-{signs[-1]}" for signs in (picture.POWER_UPS, picture.TRAPS)]
        return [
            (picture.KNIGHT, "the knight, with his health where there is room"),
            (picture.PRINCESS, "the princess"),
            (
                f"{picture.POWER_UPS[0]}-{picture.POWER_UPS[-1]}",
                "a power-up in a cell too small for numbers, by ninths of the largest",
            ),
            (ninths[1], "a trap there, by ninths of the worst"),
            (self.glyphs.floor, "nothing there"),
        ]

    def _race(self, state: State) -> Screen[None] | str:
        """The race on this level; a sentence where its end would tell what is asked for."""
        try:
            keep_secret(state)
        except ValueError as error:
            return sentence(str(error))
        return late.comparison_screen(state.level, self.glyphs, "race")

    def _is_slow(self, name: str, state: State) -> bool:
        """True if making that layer takes time: in a large grid, once."""
        known, _ = self._made.get(name, (None, None))
        return state.level.grid.size >= AT_ONCE and known is not state.level

    def _are_all_slow(self, state: State) -> bool:
        """True if finding all best ways takes time; False where the grid is too large, which is known at once."""
        return state.level.grid.size <= MOST_CELLS and self._is_slow("all", state)

    def _layer(self, name: str, signs: Callable[[Level], NDArray[np.str_]], level: Level) -> Layer:
        """The layer of that name, painted with `signs(level)`; kept until the level changes."""
        if self._made.get(name, (None,))[0] is not level:
            self._made[name] = level, picture.WayLayer(signs(level))
        return self._made[name][1]

    def best_layer(self, state: State) -> Layer:
        """Layer with the arrows of a best way, in a purchase of the cheapest one on from here.

        Once that is over it is the cheapest of all.

        Raises:
            ValueError: there is none, or the least health is beyond 64 bits; or it is a secret.
        """
        keep_secret(state)
        if state.level.fee is None:
            return self._layer("best", self._arrows, state.level)
        state = rules.start(state.level) if state.is_over else state
        found = solver.bargain_of(state)
        if found is None:
            raise ValueError("no way on is survived with the health and the gold that are left")
        here = () if state.status is Status.READY else (state.cell,)
        return picture.WayLayer(picture.arrows(state.level, (*here, *found.path), self.glyphs))

    def _arrows(self, level: Level) -> NDArray[np.str_]:
        return picture.arrows(level, solver.best_path(level), self.glyphs)

    def all_layer(self, state: State) -> Layer:
        """Layer with `*` on the cells of all best ways. Raises ValueError if the grid or a need is too large."""
        keep_secret(state)
        check_size(state.level)
        return self._layer("all", lambda level: np.where(solver.best_cells(level), "*", ""), state.level)

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        """The step in a direction, legal or not. Raises IllegalActionError without one: the knight can't wait."""
        if direction is None:
            raise IllegalActionError("you can't stay: the knight walks on")
        return Walk(direction)

    def prepare(self, state: State) -> None:
        """Finds the grid's least and largest number."""
        picture.extremes(state.level)

    def load_kernels(self, state: State) -> None:
        """Compiles the kernels that the first keys need."""
        smallest = np.zeros((1, 1), state.level.grid.dtype)
        engine.minimum_health_path(smallest)
        engine.need_table(smallest)

    # -- the end

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Title and text of the dialog at the end: the outcome, and his way beside a best one."""
        titles = {Status.SAVED: "The princess is saved", Status.FOUND: "Found", Status.MISSED: "Not found"}
        title = titles.get(state.status, "The knight has died")
        if state.status is Status.SAVED and state.level.fee is not None and state.spent == solver.par(state.level):
            title += " for the least gold"
        elif state.status is Status.FOUND and (par := solver.par(state.level) or 0) >= len(state.guesses or ()):
            title += " at par" if par == len(state.guesses or ()) else " below par"
        return title, "\n".join([words.ended(state, outcome), *words.compared(state)])

    def ending_layer(self, state: State) -> Layer | None:
        """Layer with the arrows of a best way; None if there is none within 64 bits, and in a purchase.

        There one wants to try again.
        """
        if state.level.fee is not None:
            return None
        try:
            return self.best_layer(state)
        except ValueError:
            return None


_BEST_NOTE = "A best way: the arrows; right where both ways are as good."
_ALL_BEST_NOTE = "All best ways: * marks each cell that is on one of them."
_ON_HIS_WAY = "The knight is on his way: {restart} takes him back to where his health is chosen."


def scores(state: State) -> Sequence[Score]:
    """Scores of a rescue: the health he set out with, and the guesses before it; the gold of a purchase."""
    if state.status is Status.FOUND:
        return (Score("guesses", len(state.guesses or ()), solver.par(state.level)),)
    if state.status is not Status.SAVED:
        return ()
    if state.level.fee is not None:
        return (Score("gold", state.spent, solver.par(state.level)),)
    return Score("health", state.initial, least_health(state.level)), Score("guesses", len(state.guesses or ()))


def perfect_line(state: State) -> Sequence[Action]:
    """Setting out with the least health, and a best way; the right guess, where that is all.

    Raises:
        ValueError: that health is beyond 64 bits, or more than the purse holds.
    """
    if state.level.is_guessed:
        return [Guess(least_health(state.level))]
    actions = solver.actions_on(rules.start(state.level))
    if not actions:
        raise ValueError("the purse holds too little gold for any way")
    return actions


def is_ready(state: State) -> bool:
    """True if the knight has still to set out."""
    return state.status is Status.READY and not state.level.is_guessed


def health_question(state: State) -> Question | str:
    """Question for the health to set out with; a sentence if he is on his way."""
    if state.level.is_guessed:
        return "He stays at home: {guess} guesses the least health."
    if not is_ready(state):
        return _ON_HIS_WAY
    if state.level.fee is not None:
        return Question("Buy health", f"1 gold each; the purse holds {state.level.purse}. How much does he buy?", "10")
    return Question("The knight's health", "With how much does he set out?", "10")


def guess_question(state: State) -> Question | str:
    """Question for the next guess at the least health, with the answers so far; a text that says why there is none."""
    if state.level.fee is not None:
        return "There is nothing to guess in a purchase: {health} buys health."
    if state.status is not Status.READY:
        return _ON_HIS_WAY
    known = words.guesses_text(state)
    if state.guesses and state.guesses.last == least_health(state.level):
        return f"That was guessed: {known} is the least. {{health}} lets him set out."
    so_far = f" It is {known}." if known else ""
    if state.level.is_guessed and not known:
        so_far = f" It is from 1 to {rules.most_health(state.level)}."
    return Question("Guess", f"What is the least health that is enough?{so_far}", "10")


def number_key(state: State) -> Hashable:
    """The things that the numbers depend on: the level, and the guess that is shown at work."""
    return (Same(state.level), state.guesses.last) if is_guessing(state) and state.guesses else Same(state.level)


def number_field(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """The numbers that `o` shows: needs, or where they are a secret the last guess at work. Raises ValueError."""
    return (probe_field if kind == PROBE else need_field)(state, kind, has_arrows)


def places(state: State) -> Sequence[tuple[str, Cell]]:
    """Places to travel to, each with its glyph: the princess's cell, and the knight's."""
    rows, cols = state.level.grid.shape
    return [(picture.PRINCESS, Cell(rows - 1, cols - 1)), (picture.KNIGHT, state.cell)]


def route(state: State, cell: Cell) -> Sequence[Action] | str:
    """Steps of the way to a cell that needs the least health; a sentence if none is survived, or he can't go there."""
    if state.status is Status.READY:
        return "The knight waits outside: {health} chooses his health."
    here = state.cell
    if cell == here:
        return "He is there."
    if state.level.fee is not None:
        return _free_route(state, cell)
    if cell.row < here.row or cell.col < here.col:
        return "The knight goes right or down only: there is no way back."
    part = state.level.grid[here.row : cell.row + 1, here.col : cell.col + 1]
    try:
        need, path = engine.minimum_health_path(part)
    except ValueError:
        need, path = BEYOND, np.empty((0, 2), np.int64)
    if state.health - int(part[0, 0]) < need:  # his health when he entered his cell
        return f"No way there is survived with {state.health} health."
    return [Walk(Direction((int(rows), int(cols)))) for rows, cols in np.diff(path, axis=0)]


def _free_route(state: State, cell: Cell) -> Sequence[Action] | str:
    """Steps of a shortest way in a purchase on which nothing happens before its end; a sentence if there is none."""
    ways: dict[Cell, tuple[Action, ...]] = {state.cell: ()}
    queue = deque([state.cell])
    while queue:
        here = queue.popleft()
        for direction in rules.ways(state.level):
            to = here.neighbour(direction)
            if to not in ways and to.is_inside(*state.level.grid.shape):
                ways[to] = (*ways[here], Walk(direction))
                if to == cell:
                    return ways[to]
                if not state.value(to):
                    queue.append(to)
    return "Traps and power-ups lie between: go there yourself."


def motion(turn: Turn[State, Action], glyphs: Glyphs) -> Sequence[features.Frame]:
    """Frames of what the cell does that the knight came into."""
    for event in turn.events:
        if isinstance(event, Entered) and event.value:
            return struck(event.cell) if event.value < 0 else sparkling(event.cell, glyphs)
    return ()
