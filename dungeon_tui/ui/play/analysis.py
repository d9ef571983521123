"""Exact play over the map: the value of every move, mistakes, refutations; and the timeline, which shows them."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.session import Variation
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import LETTERS, counted, sentence
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.keys import LOOKING, Command, Key
from dungeon_tui.ui.map.source import CellLayer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.overlay import SPEEDS, Distances
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.replay import FASTER_OR_NEXT, SLOWER_OR_PREVIOUS, Replay
from dungeon_tui.ui.play.seats import Seats

AT_ONCE = 64  # turns that are judged while a key waits
CHUNK = 2000  # turns that are judged in a thread before the timeline shows them
FEW = 8  # the same where each takes time
JUDGING = Judgement("being judged ...", 0.5, False)

_ANALYSIS = Key(
    "analysis", "A", "A", "Analysis", "what every move costs; along the turns ! marks a mistake, ' a slip", LOOKING, 11
)
_VALUES = Key("values", "E", "E", "Values", "the analysis with what each move leads to, instead of its cost", LOOKING)
_WHY = Key("why", "c", "c", "Why", "play out the best way from here; again: back", LOOKING, 12)
_WHY_OF_SEATS = replace(_WHY, help="play out what refutes the last move; again: back")
_PREVIOUS = replace(SLOWER_OR_PREVIOUS, help="while exact play is shown: before the mistake before; else slower")
NEXT = replace(FASTER_OR_NEXT, help="with exact play before the next mistake, else faster; in a lesson the next one")


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A legal move beside the best one."""

    action: Any
    cell: Cell  # on which it is marked
    loss: int | None  # what it costs against the best, in the game's own unit; 0: none is better; None: not known
    losing: str = ""  # in a few words, where it throws the game away: "lost in 5"
    value: str = ""  # what it leads to: "12"
    name: str = ""  # "←"

    @property
    def is_best(self) -> bool:
        """True if no move is better."""
        return self.loss == 0 and not self.losing

    @property
    def cost(self) -> str:
        """The loss in a few characters, or the word for it where the game is thrown away."""
        return self.losing or ("?" if self.loss is None else f"+{self.loss:,}" if self.loss else "0")


class Analysis(ABC):
    """A game's exact judgement of positions; one object a screen."""

    name: ClassVar[str]
    """Its name on screen: "Exact play"."""
    takes_time: ClassVar[bool] = False
    """True if `judge` and `moves` are more than a look into a table: then threads alone call them."""

    @abstractmethod
    def prepare(self, state: Any) -> None:
        """Solves the game that the state belongs to. In a thread, may take seconds; at once where it is solved already.

        Called before any of the others.

        Raises:
            ValueError: it can't be solved; the message says why ("too large: ...").
        """

    @abstractmethod
    def judge(self, turn: Turn[Any, Any]) -> Judgement:
        """The judgement of a turn's state and of the move that led there. Also called in threads."""

    @abstractmethod
    def moves(self, state: Any) -> Sequence[MoveValue]:
        """The legal moves with what each costs; none after the end. Also called in threads."""

    @abstractmethod
    def why(self, turn: Turn[Any, Any]) -> Sequence[Any] | str:
        """The actions that show, from a turn on, why the move that led there was wrong; or the reason why none do."""


class AnalysisBoard(Part):
    """Judges the line, shows the values, steps through mistakes, and plays out refutations."""

    def __init__(self, stage: Stage, analysis: Analysis, seats: Seats, replay: Replay, distances: Distances) -> None:
        self._stage = stage
        self._session = stage.session
        self.analysis = analysis
        self._seats = seats
        self._replay = replay
        self._distances = distances
        self._is_preparing = self._is_judging = False
        self._owes_count = False  # of mistakes, once all turns are judged
        self._is_valued = False  # values are shown instead of costs
        self._looked: tuple[Turn[Any, Any], str, Sequence[MoveValue]] | None = None  # a turn, its verdict, its moves
        self._looking: Turn[Any, Any] | None = None  # the one that is looked at now, where that takes time
        self._fault: Turn[Any, Any] | None = None  # the one that was gone to: the turn that it led to
        self.hidden_in: Variation | None = None  # in which one looks for a better move oneself
        self._age = 0  # raised when all judgements are out of date

    def commands(self) -> Sequence[Command]:
        """The keys of the analysis, of values, of `why`, and from mistake to mistake."""
        return [
            Command(_PREVIOUS, partial(self.next_fault, -1)),
            Command(NEXT, partial(self.next_fault, 1)),
            Command(_ANALYSIS, self.toggle),
            Command(_VALUES, self.switch_values),
            Command(_WHY_OF_SEATS if self._session.players else _WHY, self.why),
        ]

    # -- the scene

    def show(self, scene: Scene) -> None:
        """Adds the costs of all moves above the other layers, their meaning before all notes; judges new turns.

        Before a fault that was gone to, the move played and the better ones instead of costs.
        """
        turn = scene.turn
        if self.hidden_in is not None and self.hidden_in is self._session.variation:
            return
        self._judge()
        if not self.analysis.takes_time and (self._looked is None or self._looked[0] is not turn):
            self._looked = self._look_at(turn)
        if self._looked is not None and self._looked[0] is turn:
            _, verdict, moves = self._looked
            marks = MoveMarks(self._stage.view.picture(turn.state), scene.columns, self._stage.glyphs)
            if (fault := self._shown_fault) is not None:
                scene.layers.append(marks.faults(moves, [fault.action]))
            else:
                scene.layers.append(marks.costs(moves, is_valued=self._is_valued))
            scene.notes.insert(0, "\n".join(moves_told(self.analysis.name, verdict, moves, self._is_valued)))
        elif self._looking is not turn:
            self._looking = turn
            self._stage.run_worker(self._look(turn), group="look", exclusive=True)

    def _look_at(self, turn: Turn[Any, Any]) -> tuple[Turn[Any, Any], str, Sequence[MoveValue]]:
        judged = self._session.line.judgement(turn.ply) or self.analysis.judge(turn)
        return turn, judged.text, self.analysis.moves(turn.state)

    async def _look(self, turn: Turn[Any, Any]) -> None:
        looked = await self._stage.in_thread(self._look_at, turn)
        if self._looking is turn:
            self._looking, self._looked = None, looked
            self._stage.refresh_turn(())

    def present(self) -> Judgement:
        """The judgement of the present turn; JUDGING if that takes time and is not known yet."""
        turn = self._session.turn
        known = self._session.line.judgement(turn.ply)
        return known or (JUDGING if self.analysis.takes_time else self.analysis.judge(turn))

    @property
    def _shown_fault(self) -> Turn[Any, Any] | None:
        """The turn that the fault led to before which one is, if one went there by keys."""
        return self._fault if self._fault is not None and self._fault.parent is self._session.turn else None

    async def moves_of(self, turn: Turn[Any, Any]) -> Sequence[MoveValue]:
        """The moves of a turn with what each costs, found in a thread; none where that can't be told."""
        return await self._stage.in_thread(self.analysis.moves, turn.state) or ()

    # -- judging

    def _judge(self) -> None:
        """Judges the new turns of the line: a few at once, many in a thread."""
        turns = self._session.line.unjudged(AT_ONCE + 1)
        if len(turns) <= AT_ONCE and not self.analysis.takes_time:
            self._session.line.take(turns, _judged(self.analysis, turns))
        elif turns and not self._is_judging:
            self._is_judging = True
            self._stage.run_worker(self._judge_many(), group="judging")

    async def _judge_many(self) -> None:
        line = self._session.line
        try:
            chunk = FEW if self.analysis.takes_time else CHUNK
            while self.is_on and (turns := line.unjudged(chunk)):
                age = self._age
                judgements = await self._stage.in_thread(_judged, self.analysis, turns)
                if judgements is None:
                    return
                if age == self._age:
                    line.take(turns, judgements)
                if self.analysis.takes_time:
                    self._stage.refresh_turn(())  # the present turn may be among them
                else:
                    self._stage.refresh_facts()
        finally:
            self._is_judging = False
        if self._owes_count:
            self._stage.say(self.count())

    async def judge_all(self) -> bool:
        """Solves the game and judges the whole line, shown or not; False where it can't be done, which is said."""
        line = self._session.line
        try:
            with self._stage.told_to_take_long("Looking for mistakes ..."):
                await in_background(self.analysis.prepare, self._session.state)
                while turns := line.unjudged(FEW if self.analysis.takes_time else CHUNK):
                    line.take(turns, await in_background(_judged, self.analysis, turns))
        except ValueError as error:
            self._stage.say(sentence(str(error)), Meaning.FOE)
            return False
        self._stage.mark_helped()
        return True

    def forget(self) -> None:
        """Drops all judgements and layers, since they no longer hold; the next refresh judges anew."""
        self._age += 1
        self._session.line.forget_judgements()
        self._looked = self._looking = None

    def count(self) -> str:
        """A sentence with the number of mistakes among the turns, and the keys that lead there.

        Empty until all turns are judged; once they are, it is said in the log.
        """
        line = self._session.line
        self._owes_count = len(line.judgements) < len(line)
        if self._owes_count or len(line) == 1:
            return ""
        what, number = line.faults
        if number == 0:
            return "No mistakes on this line."
        ply = self._session.turn.ply
        ways = [key for key, steps in (("{previous}", -1), ("{next}", 1)) if self._fault_beside(ply, steps) is not None]
        if len(ways) == 1:
            which = "it" if number == 1 else "the last one" if ways == ["{previous}"] else "the next one"
            return f"{counted(number, what)}: {ways[0]} goes to {which}."
        return f"{counted(number, what)}: {{previous}} and {{next}} go there."

    def _fault_beside(self, ply: int, steps: int) -> int | None:
        """The ply of the next fault after a ply, or of the last one up to it (steps < 0); None: there is none."""
        return self._session.line.fault_beside(ply + (steps < 0), steps)

    # -- its keys

    def toggle(self) -> None:
        """Opens the analysis, closes it, or gives up its solving; says so."""
        if self._is_preparing:
            self._is_preparing = False
            self._stage.workers.cancel_group(self._stage, "analysis")
            self._stage.mention("No longer analysing.")
        elif self.is_on:
            self.is_on = False
            self._stage.say(f"{self.analysis.name}: hidden.")
            self._stage.refresh_turn()
        else:
            self._stage.run_worker(self.open(), group="analysis", exclusive=True)

    async def open(self) -> bool:
        """Solves the game in a thread and shows the analysis; False where it can't be solved, which is said."""
        self._is_preparing, turn = True, self._session.turn
        try:
            with self._stage.told_to_take_long("Analysing ..."):
                await in_background(self.analysis.prepare, turn.state)
                looked = await in_background(self._look_at, turn)
        except ValueError as error:
            self._stage.say(sentence(str(error)), Meaning.FOE)
            return False
        finally:
            self._is_preparing = False
        self.is_on = True
        self._stage.mark_helped()
        self._looked = looked
        self._stage.refresh_turn()
        shown = f"{self.analysis.name}: shown."
        if self._stage.is_narrow:
            verdict, *told = moves_told(self.analysis.name, looked[1], looked[2], self._is_valued)
            shown = f"{verdict} {sentence('; '.join(told))}" if told else verdict
        self._stage.say(f"{shown} {self.count()}".rstrip())
        return True

    def switch_values(self) -> None:
        """Shows what each move leads to instead of what it costs, or again what it costs; says so."""
        self._is_valued = not self._is_valued
        if self.is_on:
            self._stage.say("Each move with what it leads to." if self._is_valued else "Each move with what it costs.")
            self._stage.refresh_turn(())
        else:
            self._stage.run_worker(self.open(), group="analysis", exclusive=True)

    def next_fault(self, steps: int) -> None:
        """Goes before the next mistake (steps > 0) or the one before, slips if there are none; says what was better.

        While no values are shown, changes the speed instead.
        """
        if not self.is_on or self._distances.is_growing:
            self._replay.change_pace(steps)
            return
        self._seats.leave_variation()
        line, turn = self._session.line, self._session.turn
        what, number = line.faults
        is_before = self._shown_fault is not None  # the next one then is that after it
        found = self._fault_beside(turn.ply + (is_before and steps > 0), steps)
        if found is None:
            self._stage.mention(f"No {what if number else 'mistake'} {'after' if steps > 0 else 'before'} this turn.")
            return
        self._fault = line.turns[found]
        self._replay.seek(found - 1)
        self._stage.run_worker(self._tell_fault(found, number), group="fault", exclusive=True)

    async def _tell_fault(self, ply: int, number: int) -> None:
        turn, line = self._session.turn, self._session.line
        judgement, fault = line.judgement(ply), line.turns[ply]
        moves = await self.moves_of(turn)
        if judgement is None or self._session.turn is not turn:
            return
        name = f"{judgement.fault.capitalize()}, {line.fault_number(ply)} of {number}"
        played = [f"{move.name} ({move.cost})" for move in moves if move.action == fault.action]
        better = best_told(moves)
        told = f"{played[0]} was played, {better} is better" if played and better else judgement.text
        self._stage.mention(f"{name}: {told}.")

    # -- refutations

    def why(self) -> None:
        """Plays out, as a variation, the moves that refute the last one; while in a variation, leaves it instead."""
        self._stage.end_choosing()
        if not self._seats.leave_variation():
            self._stage.run_worker(self._why(), group="analysis", exclusive=True)

    async def _why(self) -> None:
        if not (self.is_on or await self.open()):
            return
        session, visit = self._session, self._stage.visit
        present, judged = session.turn, session.turn_to_judge()
        if session.players and self._shown_fault is not None:
            judged = self._shown_fault
        actions = await self._stage.in_thread(self.analysis.why, judged)
        if actions is None or self._stage.visit != visit or session.turn is not present:
            return
        if isinstance(actions, str):
            self._stage.say(actions)
            return
        self._seats.stop()
        variation = session.begin_variation(judged)
        for action in actions:
            variation.apply(action)
            await asyncio.sleep(1 / SPEEDS[self._seats.pace] if self._stage.is_animated else 0)
            if self._stage.visit != visit:
                return
        what = "This is why." if session.players else "This is the best way on."
        self._stage.say(f"{what} {{why}} or undo takes you back to turn {present.ply}.")


@dataclass(frozen=True, slots=True)
class MoveMarks:
    """Marks of moves on a picture of the game, whose cells have some columns each."""

    picture: MapSource
    columns: int  # 0: a drawing, in which a text takes as many cells as it has characters
    glyphs: Glyphs

    def costs(self, moves: Sequence[MoveValue], *, is_valued: bool) -> CellLayer:
        """Layer with what moves cost, or lead to, on their cells; the best ones bright, on safe ground."""
        layer = CellLayer()
        for move in moves:
            text = move.value if is_valued else self.glyphs.cross if move.losing else move.cost
            number = text.removeprefix("+").replace(",", "")
            is_number = number.isascii() and number.isdigit()
            sign = (LETTERS[int(number)] if int(number) < len(LETTERS) else "+") if is_number else text[-1:]
            meaning = Meaning.PRIZE if move.is_best else Meaning.NOTE
            tint = Tint.DANGER if move.losing else Tint.SAFE if move.is_best else Tint.PATH
            self._mark(layer, move.cell, sign, text, meaning, tint)
        return layer

    def faults(self, moves: Sequence[MoveValue], wrong: Sequence[Any], *, shows_best: bool = True) -> CellLayer:
        """Layer with a cross on the cells of wrong actions, and a star on those of the best moves."""
        layer, glyphs = CellLayer(), self.glyphs
        for move in moves:
            if move.action in wrong:
                self._mark(layer, move.cell, glyphs.cross, glyphs.cross, Meaning.FOE, Tint.DANGER)
            elif shows_best and move.is_best:
                self._mark(layer, move.cell, glyphs.star, glyphs.star, Meaning.PRIZE, Tint.SAFE)
        return layer

    def _mark(self, layer: CellLayer, cell: Cell, sign: str, text: str, meaning: Meaning, tint: Tint) -> None:
        """Marks a cell; who or what stands there stays."""
        picture = self.picture
        if not self.columns:
            for col, char in enumerate(text, cell.col - len(text) // 2):
                layer.mark(Cell(cell.row, col), char, meaning, tint)
        elif cell.is_inside(picture.height, picture.width) and (taken := _taken(picture, cell)):
            layer.mark(cell, None, None, tint, f"{taken}{text}")
        else:
            layer.mark(cell, sign, meaning, tint, text)


def _taken(picture: MapSource, cell: Cell) -> str:
    """The glyph of somebody or something on a cell; empty for floor, and for a number, which a mark may replace."""
    shown = picture.row(cell.row, cell.col, cell.col + 1)
    is_bare = shown.meanings[0] == Meaning.FLOOR or (shown.texts and shown.meanings[0] != Meaning.YOU)
    return "" if is_bare else shown.glyphs[0]


def best_told(moves: Sequence[MoveValue]) -> str:
    """The names of the best moves: "← or ↓"; empty without any."""
    return " or ".join(move.name for move in moves if move.is_best)


def moves_told(name: str, verdict: str, moves: Sequence[MoveValue], is_valued: bool) -> list[str]:
    """The verdict as a sentence, then a line for each cost: the best moves, the others by cost, the losing ones last.

    >>> moves = [MoveValue(1, Cell(0, 0), 2, name="up"), MoveValue(2, Cell(0, 0), 0, name="stay")]
    >>> moves_told("Exact play", "safe", [*moves, MoveValue(3, Cell(0, 0), None, "lost in 5", name="left")], False)
    ['Exact play: safe.', 'best: stay', '+2: up', 'lost in 5: left']
    """
    ways: dict[str, list[str]] = {}
    for move in sorted(moves, key=lambda move: (bool(move.losing), move.loss is None, move.loss or 0, move.losing)):
        label = "best" if move.is_best else move.cost
        if is_valued:
            label = f"best, {move.value}" if move.is_best else move.value
        ways.setdefault(label, []).append(move.name)
    return [sentence(f"{name}: {verdict}"), *(f"{label}: {', '.join(names)}" for label, names in ways.items())]


def _judged(analysis: Analysis, turns: Sequence[Turn[Any, Any]]) -> list[Judgement]:
    return [analysis.judge(turn) for turn in turns]
