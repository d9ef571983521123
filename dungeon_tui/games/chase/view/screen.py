"""The chase on screen: glyphs, messages and features."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from threading import Lock

import numpy as np

from dungeon_tui.core.catalogue import Game
from dungeon_tui.core.grid import EIGHT_WAYS, Cell, Direction
from dungeon_tui.core.identity import ByIdentity
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.scores import Score
from dungeon_tui.core.session import Seats
from dungeon_tui.core.turns import Turn
from dungeon_tui.core.words import capitalised, counted
from dungeon_tui.engine import UNREACHED, farthest
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.ai.referee import load_player
from dungeon_tui.games.chase.ai.strategies import MONSTERS, ROGUES, STRATEGIES
from dungeon_tui.games.chase.ai.tasks import is_known
from dungeon_tui.games.chase.model import rules, tasks
from dungeon_tui.games.chase.model.level import CAPTURE, CORRIDOR, MOVES, ROOM, TILE_NAMES, WALL, Level
from dungeon_tui.games.chase.model.players import SAFETY, TITLES
from dungeon_tui.games.chase.model.state import Action, Ended, Forfeit, Move, Side, State, Status, own_moves
from dungeon_tui.games.chase.view.advice import LOOKS, advise
from dungeon_tui.games.chase.view.analysis import ChaseAnalysis
from dungeon_tui.games.chase.view.ending import ended, outlook, text
from dungeon_tui.games.chase.view.guide import ChaseGuide
from dungeon_tui.games.chase.view.picture import Picture
from dungeon_tui.judge.cage import CageError
from dungeon_tui.storage.settings import own_programs
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.keys import LOOKING, Key
from dungeon_tui.ui.map.distance_layer import DistanceField, Wording
from dungeon_tui.ui.map.source import CellLayer, Layer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play import features
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.motion import struck
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.side_panel import Facts

_KINDS = {f"from the {side.value}": side for side in Side}
_WORDINGS = {
    kind: Wording(f"The {side.value}'s moves to each cell", farthest="", of_cell=f"{{}} {kind}", arrows="")
    for kind, side in _KINDS.items()
}
_MAX_SITES = 2_000  # of a board that is solved before it is played
_NEAR = 3  # moves between the pieces, from which on travel stops when they come nearer
_PLAN = Key("plan", "", "Plan", "show the plan of your opponent", LOOKING)


class ChaseView(GameView):
    """The chase on screen."""

    has_diagonals = is_quiet = True

    def __init__(self, game: Game, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(game, glyphs)
        self.guide = ChaseGuide()
        self._players: dict[tuple[Side, str], Player] = {}
        self._loading = Lock()
        self._is_solved = False  # the board is small enough to be solved before it is played
        self._analysis = ChaseAnalysis(glyphs, self._opponent)
        self.features = (
            features.Strategies(seats(), self.choose, self.is_won, is_fixed=self.is_to_be_solved),
            features.Journeys(
                self.guide.landmarks, self.guide.route, reason_to_stop, reason_to_refuse=reason_to_refuse
            ),
            features.Hints(lambda state, step: advise(state, step, self._analysis)),
            features.ToggledLayer(
                replace(features.DANGER, label="Replies", help="your opponent's reply to each move; costs no star"),
                "Replies",
                self.replies_layer,
                "",
                also=self._replies,
                is_of_moves=True,
                is_kept=False,
            ),
            features.ToggledLayer(
                _PLAN,
                "The opponent's plan",
                self.plans_layer,
                "The strategy's plan: its path, and the cells that it heads for, or where the rogue is safe.",
                is_slow=lambda state: True,
                is_answer=True,
            ),
            features.Numbers(
                tuple(_KINDS),
                lambda state: (ByIdentity(state.level), state.monster, state.rogue, state.side),
                distances,
                _WORDINGS,
            ),
            self._analysis,
            features.Fate(lambda turn, _: outlook(self._analysis, turn), self._analysis.is_watched),
            features.Motions(lambda turn: struck(turn.state.monster) if turn.state.status is Status.CAPTURED else ()),
        )

    def choose(self, state: State, player: str) -> Action:
        """The move of a strategy, which is loaded on first use; a Forfeit with the reason if it gives none."""
        try:
            return self._player(state.side, player).choose(state)
        except (StrategyError, CageError) as error:
            return Forfeit(str(error))

    def _player(self, side: Side, name: str) -> Player:
        key = side, name
        with self._loading:
            if key not in self._players:
                self._players[key] = load_player(*key)
            return self._players[key]

    def is_to_be_solved(self, state: State) -> bool:
        """True if a person plays the side of a task against its opponent."""
        return state.level.task is not None and self.persons == (state.level.task.seat,)

    def _opponent(self) -> tuple[str, str] | None:
        """The seat and the strategy of the only person's opponent, on a board that is solved."""
        others = [(seat, name) for seat, name in self.players.items() if seat not in self.persons]
        return others[0] if self._is_solved and len(self.persons) == len(others) == 1 else None

    def is_won(self, state: State, outcome: Outcome, seats: Collection[str]) -> bool:
        """True if the person on these seats has won: the rogue also if nobody could survive longer."""
        goal = self._analysis.goal(state.level)
        if goal is not None and [*seats] == [goal.side.value]:
            return goal.is_open(state)
        return outcome.is_win == (Side.ROGUE.value in seats)  # the monster wins if the rogue does not

    def plans_layer(self, state: State) -> Layer:
        """The paths and target sites of the strategies that play. Raises ValueError if there is no plan."""
        strategies = [seat for seat in self.players if seat not in self.persons]
        if not strategies or state.status is not Status.PLAYING:
            raise ValueError("no strategy is to move")
        layer = CellLayer()
        for seat in strategies:
            plan = self._player(Side(seat), self.players[seat]).plan(state)
            layer.tint(plan.sites, Tint.SAFE)
            layer.tint(plan.way, Tint.FOE if seat == Side.MONSTER.value else Tint.PATH)
        return layer

    def close(self) -> None:
        for player in self._players.values():
            player.close()

    def picture(self, state: State) -> MapSource:
        return Picture(state, self.glyphs)

    def warning_layer(self, state: State) -> Layer:
        """Shades the cells on which the rogue would be safe if it is to reach one, and still can."""
        layer = CellLayer()
        layer.tint(solver.safe_sites(state) if self._is_shaded(state) else (), Tint.SAFE)
        return layer

    def _is_shaded(self, state: State) -> bool:
        goal = self._analysis.goal(state.level)
        return self._is_solved and goal is not None and goal.task.aim == SAFETY and goal.is_open(state)

    def turn_name(self, turn: Turn[State, Action]) -> str:
        """The name of a position before a reply to the only person; others by their number."""
        state, number = turn.state, own_moves(turn.state, turn.state.side.other)
        is_theirs = self.persons == (state.side.other.value,) and state.status is Status.PLAYING
        return f"move {number}, before the reply" if is_theirs and number else ""

    def focus_cell(self, state: State) -> Cell:
        """The site of the person's side, or of the side to move."""
        if len(self.persons) == 2:
            return state.site
        return state.monster if self.persons == (Side.MONSTER.value,) else state.rogue

    def greeting(self, level: Level) -> Iterable[LogLine]:
        opponent = self._opponent()
        if level.task is None and level.lesson and (opponent is None or opponent[1] == tasks.EXACT):
            yield LogLine(level.lesson)  # it holds for perfect play
        if len(self.persons) != 1:
            return
        keys = " ".join(f"{{move.{way.words}}}{self.glyphs.way(way)}" for way in EIGHT_WAYS[4:])
        cells = chr(CORRIDOR) if self.has_letters else "dotted"
        corridors = f" Corridors ({cells}) have no diagonal steps." * (CORRIDOR in level.tiles)
        yield LogLine(f"Keys: {keys}, {{stay}} stays.{corridors}")

    def _rule(self, level: Level) -> tuple[str, str]:
        """The way to play of the only person's opponent; what safety is, or when the game ends."""
        goal, opponent = self._analysis.goal(level), self._opponent()
        end = "" if goal is None or goal.moves < level.moves else tasks.ENDS.get(goal.task.aim, "")
        return "" if opponent is None else tasks.rule(*opponent), end

    def _piece(self, side: Side, level: Level) -> str:
        """A side as the map draws it: "rogue", or "rogue (@)" if it is a letter."""
        letter = "@" if side is Side.ROGUE else level.letter
        return f"{side.value} ({letter})" if self.has_letters else side.value

    def _goal(self, level: Level) -> str:
        if level.task is not None:
            return tasks.goal(level.task, level.moves)
        goal = self._analysis.goal(level)
        if goal is None:
            if self.persons != (Side.MONSTER.value,):
                return "Keep away from the monster." if self.persons else "The monster hunts the rogue."
            if (opponent := self._opponent()) is not None and is_known(level, *opponent):
                return f"Nobody can catch this rogue in {counted(level.moves, 'move')}."
            return f"Catch the rogue{', if it errs' * self._is_solved}."
        start = rules.start(level)
        if goal.side is Side.ROGUE:
            is_most = goal.moves < level.moves and self._analysis.is_watched(start)
            return f"Survive {counted(goal.moves, 'move')}{': the most against this monster' * is_most}."
        return f"Catch the rogue. Par: {counted(goal.ahead(start), 'move')}."

    def prepare(self, state: State) -> None:
        self.has_par = state.level.task is None
        self._is_solved = not self.is_preview and int(np.count_nonzero(state.level.tiles != WALL)) <= _MAX_SITES
        if (goal := self._analysis.goal(state.level)) is not None and not self.is_preview:
            goal.ahead(state)  # takes longest the first time

    def facts(self, turn: Turn[State, Action]) -> Facts:
        state = turn.state
        over = "game over" * (state.status is not Status.PLAYING)
        rule, end = self._rule(state.level)
        seats = self.persons if len(self.persons) == 1 else ()
        you = [("You are", f"the {self._piece(Side(seat), state.level)}") for seat in seats]
        who = [
            (capitalised(self._piece(Side(seat), state.level)), TITLES.get(player, player).partition(",")[0])
            for seat, player in self.players.items()
            if not you or (seat not in self.persons and not rule)
        ]
        if not you:
            who.append(("To move", over or state.side.value))
        goal = self._analysis.goal(state.level)
        own = own_moves(state, Side.ROGUE if self.persons == (Side.ROGUE.value,) else Side.MONSTER)
        limit = state.level.moves if goal is None else goal.moves
        lasts = f"{own} of {counted(limit, 'move')}" if limit != MOVES else counted(own, "move")
        return Facts(
            goal=(text := self._goal(state.level)),
            title=tasks.title(state.level),
            subtitle=rule,
            caption=f"{end}{' Shaded cells are safe now.' * self._is_shaded(state)}",
            rows=(*you, *who, ("Played", lasts), *self._stars(state)),
            short=(*[text, *(f"you are {piece}" for _, piece in you)] * (not self.is_preview), lasts, over),
        )

    def _stars(self, state: State) -> Sequence[tuple[str, str]]:
        """The stars that a win would bring now, and why; none without a task or a par, or if it is lost."""
        analysis, goal = self._analysis, self._analysis.goal(state.level)
        if (
            goal is None
            or self.persons != (goal.side.value,)
            or (analysis.is_watched(state) and not goal.is_open(state))
        ):
            return ()
        has_par = state.level.task is None and goal.side is Side.MONSTER
        is_caught = state.status is Status.CAPTURED
        if has_par and state.monster_moves - is_caught >= goal.ahead(rules.start(state.level)):
            return [(f"{self.glyphs.star} par missed", "")]
        stars = 3 if not self.used else 2 if has_par or not self.used.helps else 1
        why = "", "help used", "at par" if has_par else "no help", "no help, no undo"
        return [(f"{stars * self.glyphs.star} {why[stars]}", "")]

    def story(self, turn: Turn[State, Action]) -> Iterable[LogLine]:
        for event in turn.events:
            if isinstance(event, Ended):
                seats = self.persons if len(self.persons) == 1 else (Side.ROGUE.value,)
                has_won = self.is_won(turn.state, event.outcome, seats)
                text = self.end_text(turn.state, event.outcome)
                yield LogLine(text, Meaning.WAY_OUT if has_won else Meaning.FOE)

    def end_text(self, state: State, outcome: Outcome) -> str:
        return ended(state, outcome, self.persons)

    def cell_text(self, state: State, cell: Cell) -> str:
        if not cell.is_inside(state.level.size, state.level.size):
            return ""
        who = "the monster, " * (cell == state.monster) + "the rogue, " * (cell == state.rogue)
        tile = int(state.level.tiles[cell])
        return f"{capitalised(cell.text)}: {who}{TILE_NAMES[tile]}{', no diagonal steps' * (tile == CORRIDOR)}"

    def rules_text(self, state: State) -> str:
        return "\n\n".join(filter(None, [*self._rule(state.level), super().rules_text(state)]))

    def legend(self, state: State) -> Sequence[tuple[str, str]]:
        glyphs = self.glyphs
        return [
            ("@", "the rogue"),
            ("M", "the monster; on some boards another capital letter"),
            (CAPTURE, "the capture"),
            (glyphs.floor, TILE_NAMES[ROOM]),
            (chr(CORRIDOR), f"{TILE_NAMES[CORRIDOR]}: no diagonal steps"),
            (glyphs.rock, TILE_NAMES[WALL]),
        ]

    def replies_layer(self, state: State) -> Layer:
        """The reply to each of your moves, on its cell. Raises ValueError if replies aren't known."""
        layer, (seat, name) = CellLayer(), self._opponent() or ("", "random")
        if name == "random" or name not in STRATEGIES[Side(seat)] or state.status is not Status.PLAYING:
            raise ValueError("there are no replies to show here")
        other = state.rogue if state.side is Side.MONSTER else state.monster
        for to in rules.neighbours(state.level, state.site) if state.side.value != seat else ():
            if to != other and (sign := self._reply(state, to)) == CAPTURE:
                layer.mark_over(to, to != state.site, sign, Meaning.NOTE, Tint.DANGER)
            elif to not in (state.monster, state.rogue) and sign:
                layer.mark(to, sign, LOOKS[Side(seat)], None)
        return layer

    def _replies(self, state: State) -> str:
        """Explains the marks of replies, and tells the reply to staying; empty if it isn't your turn."""
        seat, _ = self._opponent() or (state.side.value, "")
        signs = f"{CAPTURE} onto you, " * (seat == Side.MONSTER.value) + f"{self.glyphs.stay} if it stays"
        text = f"Replies cost no star: the {seat}'s step if you go there, {signs}. Staying: "
        return "" if state.side.value == seat else f"{text}{self._reply(state, state.site) or 'the game ends'}."

    def _reply(self, state: State, to: Cell) -> str:
        """The sign of the opponent's reply to a move: its step, or a capture; none if the move ends the game."""
        after, _ = rules.step(state, Move(to))
        if after.status is not Status.PLAYING:
            return ""
        reply = STRATEGIES[after.side][self.players[after.side.value]](after)
        step = reply.row - after.site.row, reply.col - after.site.col
        return CAPTURE if reply == to else self.glyphs.way(Direction(step)) if any(step) else self.glyphs.stay

    def ending(self, state: State, outcome: Outcome, seconds: float) -> tuple[str, str]:
        return text(state, outcome, self.persons, self.is_won(state, outcome, self.persons))

    def figures(self, state: State) -> Sequence[tuple[str, Meaning]]:
        """The side that won."""
        outcome, seats = rules.outcome(state), self.persons or (Side.ROGUE.value,)
        is_rogue = outcome is not None and self.is_won(state, outcome, seats) == (Side.ROGUE.value in seats)
        return [("rogue", Meaning.YOU) if is_rogue else ("monster", Meaning.FOE)]

    def scores(self, state: State) -> Sequence[Score]:
        """The moves of a person who caught the rogue without a task; a rogue who wins is always at par."""
        if state.status is not Status.CAPTURED or self.persons != (Side.MONSTER.value,) or state.level.task is not None:
            return ()
        par = None if (goal := self._analysis.goal(state.level)) is None else goal.ahead(rules.start(state.level))
        return (Score("moves to the capture", state.monster_moves, par),)

    def is_flawless(self, state: State) -> bool:
        """True also for a goal without a par that was reached: a mistake would have lost it."""
        if (goal := self._analysis.goal(state.level)) is None or self.scores(state):
            return super().is_flawless(state)
        return self.persons == (goal.side.value,) and rules.outcome(state) is not None and goal.is_open(state)

    def action_towards(self, state: State, direction: Direction | None) -> Action:
        return Move(state.site if direction is None else state.site.neighbour(direction))

    def load_kernels(self, state: State) -> None:
        solver.walking_map(state, Side.MONSTER)


def seats() -> Seats:
    """The two sides, and their players: our strategies and the programs in the settings."""
    own = tuple(f"@{name}" for name in own_programs())
    return Seats({"monster": (*MONSTERS, *own), "rogue": (*ROGUES, *own)}, lambda state: state.side.value)


def reason_to_stop(before: State | None, after: State) -> str:
    """The reason to stop travel: the other side is near, and came nearer; else empty."""
    far = [solver.path_lengths(each.level, each.monster)(each.rogue) for each in (before, after) if each is not None]
    return f"The {after.side.other.value} is near." if far[-1] <= _NEAR and far[-1] < far[0] else ""


def reason_to_refuse(state: State, move: Move) -> str:
    """The reason why travel doesn't take a step: the monster could catch the rogue there; else empty."""
    is_near = state.side is Side.ROGUE and move.to in rules.neighbours(state.level, state.monster)
    return "There the monster can catch you." * (is_near and state.monster_moves < state.level.moves)


def distances(state: State, kind: str, has_arrows: bool) -> DistanceField:
    """The moves to a side from every site."""
    distance = solver.walking_map(state, _KINDS[kind])
    return DistanceField(kind, distance, None, UNREACHED, farthest(distance))
