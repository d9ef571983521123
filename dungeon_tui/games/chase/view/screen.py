"""The chase on screen: what its states look like, in glyphs and words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from threading import Lock

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.session import Seats
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import capitalised, counted, in_words
from dungeon_tui.engine import UNREACHED, farthest
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.ai.referee import load_player
from dungeon_tui.games.chase.ai.strategies import MONSTERS, ROGUES
from dungeon_tui.games.chase.model import rules, tasks
from dungeon_tui.games.chase.model.level import CAPTURE, CORRIDOR, MOVES, ROOM, TILE_NAMES, WALL, Level
from dungeon_tui.games.chase.model.players import TITLES
from dungeon_tui.games.chase.model.state import Action, Ended, Forfeit, Move, Moved, Settle, Side, State, Status
from dungeon_tui.games.chase.view import late
from dungeon_tui.games.chase.view.advice import advise
from dungeon_tui.games.chase.view.analysis import ChaseAnalysis
from dungeon_tui.games.chase.view.ending import Review, review
from dungeon_tui.games.chase.view.picture import Picture
from dungeon_tui.storage.settings import own_programs
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import LOOKING, Key
from dungeon_tui.ui.map.distance_layer import DistanceField, Wording
from dungeon_tui.ui.map.source import CellLayer, Layer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import (
    DANGER,
    Diagonals,
    Finale,
    Hints,
    Journeys,
    KeyWords,
    Motions,
    Numbers,
    Page,
    Question,
    Settlement,
    Strategies,
    ToggledLayer,
)
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.motion import struck
from dungeon_tui.ui.play.overlay import Same
from dungeon_tui.ui.widgets.message_log import Line
from dungeon_tui.ui.widgets.side_panel import Facts

_KINDS = {f"from the {side.value}": (solver.walking_map, side) for side in Side} | {
    f"by {side.value} site": (solver.capture_map, side) for side in Side
}
_WORDINGS = {
    f"from the {side.value}": Wording(
        f"Distances from the {side.value}", of_cell=f"{{}} from the {side.value}", arrows=f"lead to the {side.value}"
    )
    for side in Side
} | {
    f"by {side.value} site": Wording(
        f"Captures, were the {side.value} there",
        farthest="The last is in {} monster moves; where no number stands, the rogue is safe for ever.",
        frontier="Captured in {}",
        of_cell=f"captured in {{}} if the {side.value} were here",
        heat="bright is soon, dark is late",
        arrows=f"are the best moves of the {side.value}",
    )
    for side in Side
}
_PLAN = Key("plan", "P", "P", "Plan", "show what the strategy that plays against you is up to", LOOKING)
_DRAW = Key("draw", "ctrl+e", "ctrl+e", "Draw", "draw on a copy of this board, as it stands", LOOKING)


class ChaseView(GameView):
    """The chase on screen."""

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self._players: dict[tuple[Side, str], Player] = {}
        self._asked: dict[Side, str] = {}  # the strategy of a side that moved last
        self._loading = Lock()
        self._review = Review()  # of the chase that has ended
        self._analysis = ChaseAnalysis(glyphs)
        self.features = (
            KeyWords({"overlay.kind": ("Other map", "the other numbers: distances, or the capture by either's site")}),
            Diagonals(),
            Strategies(seats(), self.choose, is_won, TITLES),
            Journeys(
                lambda state: [(state.level.letter, state.monster), ("@", state.rogue)],
                route,
                lambda before, after: "",  # journeys are one move long
            ),
            Hints(partial(advise, glyphs=glyphs)),
            ToggledLayer(
                replace(DANGER, label="Reach", help="show where the monster can step next"),
                "The monster's reach",
                self.reach_layer,
                lambda: f"Danger: {glyphs.cross} marks where the monster can step next.",
            ),
            ToggledLayer(
                _PLAN,
                "What they are up to",
                self.plans_layer,
                lambda: "The strategy's plan: the way it has in mind, and where it heads for or believes it is safe.",
                is_slow=lambda state: True,
                is_answer=True,
            ),
            Numbers(
                tuple(_KINDS),
                lambda state: (Same(state.level), state.monster, state.rogue, state.side),
                distances,
                _WORDINGS,
                frozenset(kind for kind, (make, _) in _KINDS.items() if make is solver.capture_map),
            ),
            self._analysis,
            Finale(self.scores, self.prepare_ending),
            Settlement(settled, Settle()),
            Motions(lambda turn: struck(turn.state.monster) if turn.state.status is Status.CAPTURED else ()),
            Page(_DRAW, partial(late.editor_screen, game, glyphs), is_answer=True),
        )

    def choose(self, state: State, player: str) -> Action:
        """Move of a strategy, which is loaded when it is first asked; a Forfeit that says why if it gives none."""
        key = state.side, player
        self._asked[state.side] = player
        try:
            with self._loading:
                if key not in self._players:
                    self._players[key] = load_player(*key)
        except StrategyError as error:
            return Forfeit(str(error))
        return self._players[key].choose(state)

    def plans_layer(self, state: State) -> Layer:
        """The plans of the strategies that have moved: the ways that they have in mind, and the sites they head for.

        Raises:
            ValueError: none has moved yet, or one has no plan.
        """
        with self._loading:
            players = [self._players[key] for key in self._asked.items() if key in self._players]
        if not players or state.status is not Status.PLAYING:
            raise ValueError("no strategy is about to move")
        layer = CellLayer()
        for player in players:
            plan = player.plan(state)
            for cell in plan.sites:
                layer.mark(cell, None, None, Tint.SAFE)
            for cell in plan.way:
                layer.mark(cell, None, None, Tint.FOE if player.side is Side.MONSTER else Tint.PATH)
        return layer

    def close(self) -> None:
        """Ends the processes of people's own strategies."""
        for player in self._players.values():
            player.close()

    def picture(self, state: State) -> MapSource:
        """The board with both of them."""
        return Picture(state, self.glyphs)

    def focus_cell(self, state: State) -> Cell:
        """The site of the person's side; of two persons the one to move, of none the rogue."""
        if self.persons == (Side.MONSTER.value,):
            return state.monster
        return state.site if len(self.persons) == 2 else state.rogue

    def changed_rows(self, before: State, after: State) -> Iterable[int] | None:
        """Rows of the sites that were left and entered between two states; none if both sides stayed."""
        moves = (before.monster, after.monster), (before.rogue, after.rogue)
        return {cell.row for move in moves if move[0] != move[1] for cell in move}

    def greeting(self, level: Level) -> Iterable[Line]:
        """The ways of the opponent in a task, else the board's lesson, or a welcome if it has none."""
        yield Line(self._caption(level) or f"Welcome to {in_words(level.name)}.")

    def _caption(self, level: Level) -> str:
        return level.lesson if level.task is None else tasks.opponent(level.task)

    def _goal(self, level: Level) -> str:
        """The aim of the task; where there is none, of the side that the person plays."""
        if level.task is not None:
            return tasks.goal(level.task, level.moves)
        if self.persons == (Side.MONSTER.value,):
            return "Catch the rogue, in as few moves as you can."
        return "Keep away from the monster." if self.persons else "The monster hunts the rogue."

    def facts(self, turn: Turn[State, Action]) -> Facts:
        """The side to move, the moves so far, and the distance between both."""
        state = turn.state
        rows, cols = state.monster.row - state.rogue.row, state.monster.col - state.rogue.col
        apart = f"{counted(abs(rows), 'row')}, {counted(abs(cols), 'column')}"
        to_move = state.side.value if state.status is Status.PLAYING else "nobody: it is over"
        lasts = str(state.monster_moves)
        if state.level.moves != MOVES:  # else nobody waits for the last one
            lasts += f" of {state.level.moves}"
        return Facts(
            goal=self._goal(state.level),
            title=in_words(state.level.name),
            subtitle=f"Board of {state.level.size} x {state.level.size}",
            caption=self._caption(state.level),
            rows=(("To move", to_move), ("Moves", lasts), ("Apart", apart)),
            short=(f"to move: {to_move}", f"monster moves: {lasts}", f"apart: {apart}"),
        )

    def story(self, turn: Turn[State, Action]) -> Iterable[Line]:
        """Staying and the end in words; plain steps need none."""
        for event in turn.events:
            match event:
                case Moved(side, start, to) if start == to:
                    yield Line(f"The {side.value} stays where it is.")
                case Ended(outcome):
                    yield Line(outcome.reason, Meaning.WAY_OUT if outcome.is_win else Meaning.FOE)
                case _:
                    pass

    def cell_text(self, state: State, cell: Cell) -> str:
        """Words for a cell: its place, who stands there, its tile; empty off the board."""
        if not cell.is_inside(state.level.size, state.level.size):
            return ""
        who = "the monster, " if cell == state.monster else ""
        who += "the rogue, " if cell == state.rogue else ""
        return f"{capitalised(cell.place)}: {who}{TILE_NAMES[int(state.level.tiles[cell])]}"

    def legend(self) -> Sequence[tuple[str, str]]:
        """Glyphs and their meanings: the two sides, and the kinds of tile."""
        glyphs = self.glyphs
        return [
            ("@", "the rogue"),
            ("A-Z", "the monster, a capital letter"),
            (CAPTURE, "the monster has caught the rogue"),
            (glyphs.floor, TILE_NAMES[ROOM]),
            (glyphs.corridor, f"{TILE_NAMES[CORRIDOR]}: no diagonal steps"),
            (glyphs.rock, TILE_NAMES[WALL]),
        ]

    def reach_layer(self, state: State) -> Layer:
        """The sites that the monster can step onto next."""
        layer = CellLayer()
        for cell in rules.neighbours(state.level, state.monster):
            is_taken = cell in (state.monster, state.rogue)
            layer.mark(cell, None if is_taken else self.glyphs.cross, None if is_taken else Meaning.FOE, Tint.DANGER)
        return layer

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        """Title and text of the dialog at the end."""
        return self._review.told(state, outcome, self.persons)

    def prepare_ending(self, turn: Turn[State, Action]) -> None:
        """Looks at the chase for what to tell at its end."""
        self._review = review(self._analysis, turn, self.persons)

    def scores(self, state: State) -> Sequence[Score]:
        """Score of a person's chase against a strategy."""
        return self._review.scores(state, self.persons)

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        """The move to the neighbouring cell, or to stay if there is no direction; it need not be legal."""
        return Move(state.site if direction is None else state.site.neighbour(direction))

    def load_kernels(self, state: State) -> None:
        """Compiles the kernels of the first overlay."""
        solver.walking_map(state, Side.MONSTER)


def seats() -> Seats:
    """The two sides, and who can play each: our strategies, and the programs that the settings name."""
    own = tuple(f"@{name}" for name in own_programs())
    return Seats({"monster": (*MONSTERS, *own), "rogue": (*ROGUES, *own)}, lambda state: state.side.value)


def is_won(state: State, outcome: Outcome, seats: Collection[str]) -> bool:
    """True if the person on these seats has won; the monster wins when the rogue does not."""
    return outcome.is_win == (Side.ROGUE.value in seats)


def settled(turn: Turn[State, Action]) -> Question | None:
    """The question if a chase that could go on for ever ends here: the rogue is safe, and they stood so before."""
    state, level = turn.state, turn.state.level
    if level.task is not None or level.moves != MOVES or level.is_safe is None:
        return None
    place = state.monster, state.rogue, state.side
    if not any((each.state.monster, each.state.rogue, each.state.side) == place for each in turn.line()[:-1]):
        return None
    if not level.is_safe(state):
        return None
    return Question("Round and round", "They stood so before, and the rogue is safe: exact play never catches it.")


def route(state: State, cell: Cell) -> Sequence[Action] | str:
    """The first move of a shortest way to a cell, no more as the other side is next; or a sentence: there is none."""
    if not rules.is_site(state.level, cell):
        return "That is a wall."
    to = solver.first_step(state, cell)
    return "No way leads there." if to is None else [Move(to)]


def distances(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """Numbers of a kind for every site: moves from a side's own, or until the capture if the side stood there."""
    make, side = _KINDS[kind]
    distance, steps = make(state, side)
    return DistanceField(kind, distance, steps, UNREACHED, farthest(distance))
