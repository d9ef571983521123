"""The rescue on screen: what its states look like, in glyphs and words."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from dungeon_tui import engine
from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import IllegalActionError, Outcome
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import capitalised
from dungeon_tui.games.rescue.ai import solver
from dungeon_tui.games.rescue.model.dungeon import title
from dungeon_tui.games.rescue.model.level import MOST, Level
from dungeon_tui.games.rescue.model.maps import BEYOND, least_health
from dungeon_tui.games.rescue.model.state import (
    Action,
    Guess,
    SetOut,
    State,
    Status,
    Walk,
)
from dungeon_tui.games.rescue.view.analysis import MOST_CELLS, RescueAnalysis, check_size, health_figure, need_field
from dungeon_tui.games.rescue.view.picture import (
    KNIGHT,
    POWER_UPS,
    PRINCESS,
    TRAPS,
    MaskLayer,
    Picture,
    WayLayer,
    extremes,
    number_width,
)
from dungeon_tui.games.rescue.view.story import compared, guess_count, guesses_text, told_events
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map.distance_layer import DistanceField, Wording
from dungeon_tui.ui.map.source import Layer, MapSource
from dungeon_tui.ui.play.game_view import GameView, Question
from dungeon_tui.ui.play.keys import Use
from dungeon_tui.ui.play.overlay import Same
from dungeon_tui.ui.widgets.figure import Figure
from dungeon_tui.ui.widgets.message_log import Line
from dungeon_tui.ui.widgets.side_panel import Facts

NEED = "need"
AT_ONCE = 100_000  # cells whose best ways take a few milliseconds
_WALKS = {Direction.RIGHT, Direction.DOWN}


class RescueView(GameView):
    """How the rescue looks."""

    USES = frozenset({Use.HEALTH, Use.CURVE, Use.ALGORITHMS})
    KEY_WORDS = {
        "move.up": ("Up", "no way for the knight; moves the mark while a cell is chosen"),
        "move.left": ("Left", "as up"),
        "stay": None,
        "overlay": ("Needs", "the need of each cell as numbers, heat, arrows"),
        "overlay.watch": ("Watch", "watch the needs computed, step by step"),
        "curve": ("Curve", "plot the health along your way and a best one"),
    }
    DISTANCE_KINDS = (NEED,)
    WORDINGS = {
        NEED: Wording(
            "Need, the least health to enter a cell with",
            farthest="The largest is {}.",
            frontier="Step {}",
            of_cell="need {}",
            heat="bright is little, dark is much",
            arrows="lead along a best way",
            has_letters=False,
            speed=1,  # there is a formula to read
        )
    }
    LAYERS = {"all best": "All best ways", "best": "A best way"}

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self._analysis = RescueAnalysis()
        self._ways_of: dict[str, Level] = {}  # by layer: whose ways were found last

    @property
    def analysis(self) -> RescueAnalysis:
        """Exact needs."""
        return self._analysis

    # -- what is seen

    def picture(self, state: State) -> MapSource:
        """The grid with the knight."""
        return Picture(state, self.glyphs)

    def cell_columns(self, state: State) -> int:
        """As wide as the widest number, and one for what may stand before it."""
        return number_width(state.level) + 1

    def focus_cell(self, state: State) -> Cell:
        """The knight's cell."""
        return state.cell

    def changed_rows(self, before: State, after: State) -> Iterable[int] | None:
        """The rows that a step left and entered; None for a leap."""
        trails = before.trail, after.trail
        steps = [trail.before for trail in trails if trail is not None]
        if trails[0] is trails[1] or trails[0] in steps or trails[1] in steps:
            return {before.cell.row, after.cell.row}
        return None

    def greeting(self, level: Level) -> Iterable[Line]:
        """What there is to do."""
        yield Line("How much health must the knight have to reach the princess? G guesses, H lets him set out.")

    def facts(self, turn: Turn[State, Action]) -> Facts:
        """His health, and what was guessed."""
        state = turn.state
        rows, cols = state.level.grid.shape
        guessed = guesses_text(state)
        if state.status is Status.READY:
            table = [("Health", "not chosen yet")]
            short = ["health not chosen yet"]
        else:
            table = [
                ("Health", str(state.health)),
                ("Began with", str(state.initial)),
                ("Lowest", str(state.lowest)),
            ]
            short = [f"health: {state.health}", f"began with: {state.initial}", f"lowest: {state.lowest}"]
        if guessed:
            table.append(("Guesses", f"{len(state.guesses)}: it is {guessed}"))
            short.append(guess_count(state))
        return Facts(
            title=title(state.level),
            subtitle=f"Grid of {rows} x {cols}",
            caption=state.level.lesson,
            rows=tuple(table),
            short=tuple(short),
        )

    def story(self, turn: Turn[State, Action]) -> Iterable[Line]:
        """Answers to guesses, what each cell does, and the end."""
        return told_events(turn)

    def cell_text(self, state: State, cell: Cell) -> str:
        """Where, what entering it does, and what was left of the health there."""
        rows, cols = state.level.grid.shape
        if not cell.is_inside(rows, cols):
            return ""
        value = int(state.level.grid[cell])
        parts = [f"a trap, {value}" if value < 0 else f"a power-up, {value:+}" if value > 0 else "nothing, 0"]
        if cell == (rows - 1, cols - 1):
            parts.insert(0, "the princess")
        trail = state.trail
        while trail is not None and trail.cell.row >= cell.row:
            if trail.cell == cell:
                parts.append(f"{trail.health} health left there")
                break
            trail = trail.before
        return f"{capitalised(cell.place)}: {', '.join(parts)}"

    def legend(self) -> Sequence[tuple[str, str]]:
        """The signs; numbers explain themselves."""
        return [
            (KNIGHT, "the knight, with his health where there is room"),
            (PRINCESS, "the princess"),
            (f"{POWER_UPS[0]}-{POWER_UPS[-1]}", "a power-up in a cell too small for numbers, by ninths of the largest"),
            (f"{TRAPS[0]}-{TRAPS[-1]}", "a trap there, by ninths of the worst"),
            (self.glyphs.floor, "nothing there"),
        ]

    def is_slow(self, name: str, state: State) -> bool:
        """The best ways of a large grid take time, once; that it is too large for all of them is known at once."""
        cells = state.level.grid.size
        is_refused = name != "best" and cells > MOST_CELLS
        return cells >= AT_ONCE and not is_refused and self._ways_of.get(name) is not state.level

    def make_layer(self, name: str, state: State) -> Layer:
        """A best way, or the cells of all of them. Raises ValueError where there is none, or too much of them."""
        layer: Layer
        if name == "best":
            layer = _best_way(state.level, self.glyphs)
        else:
            check_size(state.level)
            layer = MaskLayer(state.level, solver.best_cells(state.level))
        self._ways_of[name] = state.level
        return layer

    def layer_note(self, name: str) -> str:
        """What arrows and stars mean."""
        if name == "best":
            return "A best way: the arrows; right where both ways are as good."
        return "All best ways: * marks each cell that is on one of them."

    def flash_layer(self, turn: Turn[State, Action]) -> Layer | None:
        """Nothing."""
        return None

    def hint(self, state: State) -> str:
        """How to find out by oneself, and where to look it up."""
        if state.status is Status.READY:
            return "Begin at the princess: what must he have to enter her cell, and the one before? O shows the steps."
        return "More health at the end is no use: the lowest point of the way counts. B shows a best way."

    # -- questions

    def first_question(self, state: State) -> str:
        """The health, before he sets out."""
        return "health" if state.status is Status.READY else ""

    def question(self, state: State, name: str) -> Question | str:
        """The health to set out with, or a guess."""
        if state.status is not Status.READY:
            return "The knight is on his way: r takes him back to where his health is chosen."
        if name == "health":
            return Question("The knight's health", "With how much does he set out?", "10")
        known = guesses_text(state)
        if least_health(state.level) in state.guesses:
            return f"That was guessed: {known} is the least. H lets him set out."
        so_far = f" It is {known}." if known else ""
        return Question("Guess", f"What is the least health that is enough?{so_far}", "10")

    def answer(self, state: State, name: str, text: str) -> Action:
        """The action of a number. Raises ValueError for what is none from 1 on."""
        digits = text.removeprefix("+")
        if not (digits.removeprefix("-").isascii() and digits.removeprefix("-").isdigit()):
            raise ValueError("a health is a whole number, such as 10")
        if len(digits) > len(str(MOST)) or int(digits) > MOST:
            raise ValueError(f"nobody has that much: {MOST} is the most")
        if int(digits) < 1:
            raise ValueError("nobody lives without health: 1 is the least")
        return Guess(int(digits)) if name == "guess" else SetOut(int(digits))

    # -- moves

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        """A step; the rules say whether there is room for it."""
        if direction is None:
            raise IllegalActionError("the knight can't wait: he goes right or down")
        if direction not in _WALKS:
            raise IllegalActionError("the knight goes right or down only")
        return Walk(direction)

    def places(self, state: State) -> Sequence[tuple[str, Cell]]:
        """The princess, and the knight."""
        rows, cols = state.level.grid.shape
        return [(PRINCESS, Cell(rows - 1, cols - 1)), (KNIGHT, state.cell)]

    def route(self, state: State, cell: Cell) -> Sequence[Action] | str:
        """The way there that needs the least health, if he survives it."""
        if state.status is Status.READY:
            return "The knight waits outside: H chooses his health."
        here = state.cell
        if cell == here:
            return "He is there."
        if cell.row < here.row or cell.col < here.col:
            return "The knight goes right or down only: there is no way back."
        part = state.level.grid[here.row : cell.row + 1, here.col : cell.col + 1]
        try:
            need, path = engine.minimum_health_path(part)
        except ValueError:
            need, path = BEYOND, np.empty((0, 2), np.int64)
        if state.health - int(part[0, 0]) < need:  # what he entered his cell with
            return f"No way there is survived with {state.health} health."
        return [Walk(Direction((int(rows), int(cols)))) for rows, cols in np.diff(path, axis=0)]

    def reason_to_stop(self, before: State | None, after: State) -> str:
        """Nothing comes up on the way: all of it is known."""
        return ""

    # -- needs

    def prepare(self, state: State) -> None:
        """Compiles what the first keys need, and looks for the widest number."""
        extremes(state.level)
        smallest = np.zeros((1, 1), state.level.grid.dtype)
        engine.minimum_health_path(smallest)
        engine.need_table(smallest)

    def distance_key(self, state: State) -> Hashable:
        """The grid's alone, wherever the knight is."""
        return Same(state.level)

    def distances(self, state: State, kind: str, has_arrows: bool) -> DistanceField:
        """The need of every cell, from the last one backwards, row by row."""
        return need_field(state.level, kind, has_arrows)

    # -- the end

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """His way beside a best one."""
        title = "The princess is saved" if outcome.is_win else "The knight has died"
        return title, "\n".join([outcome.reason, *compared(state)])

    def ending_layer(self, state: State) -> Layer | None:
        """A best way."""
        try:
            return _best_way(state.level, self.glyphs)
        except ValueError:
            return None

    def page(self, name: str, state: State) -> Any:
        """The race on this grid, or the measures on growing ones."""
        mode = "race" if name == "race" else "measures"
        return self.game.load("view.comparison_screen").ComparisonScreen(state.level, self.glyphs, mode)

    def curve(self, state: State) -> Figure | str:
        """The health along the way so far, and along a best one."""
        return health_figure(state)


@lru_cache(maxsize=4)
def _best_way(level: Level, glyphs: Glyphs) -> WayLayer:
    return WayLayer(level, solver.best_path(level), glyphs)
