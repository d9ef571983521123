"""Exact play over the map: the value of every move, mistakes, refutations; and the timeline, which shows them."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from dungeon_tui.core.grid import Cell
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
from dungeon_tui.ui.widgets.timeline import Timeline, lines_wanted

AT_ONCE = 64  # turns that are judged while a key waits
CHUNK = 2000  # turns that are judged in a thread before the timeline shows them
FEW = 8  # the same where each takes time
ASIDE = "not your game ({why} leads back)"
JUDGING = Judgement("being judged ...", 0.5, False)

_ANALYSIS = Key(
    "analysis", "A", "A", "Analysis", "what every move costs; along the turns ! marks a mistake, ' a slip", LOOKING, 11
)
_VALUES = Key("values", "E", "E", "Values", "the analysis with what each move leads to, instead of its cost", LOOKING)
_WHY = Key("why", "c", "c", "Why", "play out the best way from here; again: back", LOOKING, 12)
_WHY_OF_SEATS = replace(_WHY, help="play out what refutes the last move; again: back")
_PREVIOUS = replace(SLOWER_OR_PREVIOUS, help="while exact play is shown: the mistake before; else slower")
_NEXT = replace(FASTER_OR_NEXT, help="with exact play the next mistake, else faster")


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
        self._age = 0  # raised when all judgements are out of date

    def commands(self) -> Sequence[Command]:
        """The keys of the analysis, of values, of `why`, and from mistake to mistake."""
        return [
            Command(_PREVIOUS, partial(self.next_fault, -1)),
            Command(_NEXT, partial(self.next_fault, 1)),
            Command(_ANALYSIS, self.toggle),
            Command(_VALUES, self.switch_values),
            Command(_WHY_OF_SEATS if self._session.players else _WHY, self.why),
        ]

    # -- the scene

    def show(self, scene: Scene) -> None:
        """Adds the costs of all moves above the other layers, their meaning before all notes; judges new turns."""
        turn = scene.turn
        self._judge()
        if not self.analysis.takes_time and (self._looked is None or self._looked[0] is not turn):
            self._looked = self._look_at(turn)
        if self._looked is not None and self._looked[0] is turn:
            _, verdict, moves = self._looked
            picture = self._stage.view.picture(turn.state)
            scene.layers.append(moves_layer(moves, picture, scene.columns, self._stage.glyphs, self._is_valued))
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
        ways = [key for key, steps in (("{previous}", -1), ("{next}", 1)) if line.fault_beside(ply, steps) is not None]
        if len(ways) == 1:
            which = "it" if number == 1 else "the last one" if ways == ["{previous}"] else "the next one"
            return f"{counted(number, what)}: {ways[0]} goes to {which}."
        return f"{counted(number, what)}: {'{previous} and {next} go there' if ways else 'the last move'}."

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
        """Goes to the next mistake (steps > 0) or the one before, slips if there are none; says which.

        While no values are shown, changes the speed instead.
        """
        if not self.is_on or self._distances.is_growing:
            self._replay.change_pace(steps)
            return
        self._seats.leave_variation()
        line = self._session.line
        what, number = line.faults
        found = line.fault_beside(self._session.turn.ply, steps)
        if found is None:
            self._stage.mention(f"No {what if number else 'mistake'} {'after' if steps > 0 else 'before'} this turn.")
            return
        self._replay.seek(found)
        judgement = self.present()
        which = line.fault_number(found)
        self._stage.mention(f"{judgement.fault.capitalize()}, {which} of {number}: {judgement.text}.")

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
        self._stage.say(f"{what} {{why}} or undo leads back to turn {present.ply}.")


def moves_layer(
    moves: Sequence[MoveValue], picture: MapSource, columns: int, glyphs: Glyphs, is_valued: bool
) -> CellLayer:
    """Marks on the cells of moves: costs or values, the best ones bright on safe ground; who stands there stays.

    In a drawing, whose cells have no columns of their own, a mark takes as many cells as it has characters.
    """
    layer = CellLayer()
    for move in moves:
        text = move.value if is_valued else glyphs.cross if move.losing else move.cost
        number = text.removeprefix("+").replace(",", "")
        is_number = number.isascii() and number.isdigit()
        sign = (LETTERS[int(number)] if int(number) < len(LETTERS) else "+") if is_number else text[-1:]
        meaning = Meaning.PRIZE if move.is_best else Meaning.NOTE
        tint = Tint.DANGER if move.losing else Tint.SAFE if move.is_best else Tint.PATH
        cell = move.cell
        if not columns:
            for col, char in enumerate(text, cell.col - len(text) // 2):
                layer.mark(Cell(cell.row, col), char, meaning, tint)
        elif cell.is_inside(picture.height, picture.width) and (taken := _taken(picture, cell)):
            layer.mark(cell, None, None, tint, f"{taken}{text}")
        else:
            layer.mark(cell, sign, meaning, tint, text)
    return layer


def _taken(picture: MapSource, cell: Cell) -> str:
    """The glyph of somebody or something on a cell; empty for floor, and for a number, which a mark may replace."""
    shown = picture.row(cell.row, cell.col, cell.col + 1)
    is_bare = shown.meanings[0] == Meaning.FLOOR or (shown.texts and shown.meanings[0] != Meaning.YOU)
    return "" if is_bare else shown.glyphs[0]


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


class LineView(Part):
    """Shows the line in a recording, with an analysis, and where nobody plays by keys."""

    def __init__(self, stage: Stage, seats: Seats, replay: Replay, board: AnalysisBoard | None) -> None:
        self._stage = stage
        self._session = stage.session
        self._seats = seats
        self._replay = replay
        self._board = board
        self.widget = Timeline(stage.glyphs, id="timeline")

    @property
    def has_verdicts(self) -> bool:
        """True while the analysis is shown, and judges turns."""
        return self._board is not None and self._board.is_on

    def lines(self, height: int) -> int:
        """Lines of a terminal of this height that the timeline takes; 0: it is not shown."""
        return lines_wanted(height, self.has_verdicts) if self.is_on else 0

    def show(self, scene: Scene) -> None:
        """Shows the turns in the timeline; alerts to a variation where that has no room for words on it."""
        if self._session.variation is not None and self.lines(self._stage.app.size.height) < 2:
            scene.alerts.append(ASIDE)
        texts = tuple(self._stage.spell(text) for text in self.texts() if text)
        self.widget.show(self._session.line, self._session.turn.ply, texts)

    def texts(self) -> list[str]:
        """The words above the timeline, the most important first."""
        session, board = self._session, self._board
        progress = f"playing, {counted(SPEEDS[self._seats.pace], 'move')} a second" if self._seats.is_playing else ""
        rest = [session.trouble, progress]
        if board is not None and board.is_on:
            judgement = board.present()
            rest = [judgement.text, judgement.fault, *rest]
        if session.variation is None:
            return [self._replay.place(), *rest]
        what = "what refutes" if session.players else "the best way on from"
        return [ASIDE, f"{what} turn {session.variation.origin.ply}", self._replay.place(), *rest]

    def first_keys(self) -> tuple[str, ...]:
        """The ids of the keys that matter most while the timeline is shown."""
        first = "help", "leave", "play", "step.back", "step.on"
        if self.has_verdicts:
            return (*first, "previous", "next", "why", "analysis")
        return (*first, "go_to_turn", *(("recording",) if self._session.has_left_recording else ()))


def _judged(analysis: Analysis, turns: Sequence[Turn[Any, Any]]) -> list[Judgement]:
    return [analysis.judge(turn) for turn in turns]
