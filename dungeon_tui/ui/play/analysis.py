"""Exact play over the map: the value of every move, mistakes and refutations."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.lesson import faults_text, own_faults, unknown_text
from dungeon_tui.core.session import Variation
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import LETTERS, capitalised, counted, sentence
from dungeon_tui.ui.background import in_background
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.keys import LOOKING, TURNS, Command, Key
from dungeon_tui.ui.map.source import CellLayer, CellText, Layer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.hints import Hinting
from dungeon_tui.ui.play.overlay import Distances
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.play.replay import FASTER_OR_NEXT, SLOWER_OR_PREVIOUS, Replay
from dungeon_tui.ui.play.seats import Seats
from dungeon_tui.ui.widgets.message_log import LogLine
from dungeon_tui.ui.widgets.timeline import MISTAKE, SLIP

MAX_TURNS_AT_ONCE = 64  # judged immediately; more go to a thread
CHUNK = 2000  # turns judged between updates of the timeline
SLOW_CHUNK = 8  # the same if judging is slow
_MOST_NAMED = 3  # best moves in a sentence
JUDGING = Judgement("being judged ...", 0.5, False)

LATER = "lost later"  # of a move that loses the game, but not at once
FORGOES = "-$"  # the mark of a move that gives something up without losing
NO_FAULTS = "No mistakes or slips in this line."
TIMELINE_MARKS = "● this turn, ! mistake, ' slip, ┬ branch"
_SHOWN = {"mistake": f" ({MISTAKE})", "slip": f" ({SLIP})"}  # in the timeline
ANALYSIS = Key(
    "analysis",
    "A",
    "Analysis",
    f"mark the best moves, and what the others cost. In the timeline: {TIMELINE_MARKS}. Again: off",
    LOOKING,
    8,
)
WHY = Key("why", "c", "Best line", "show the best line from here; again: back", LOOKING, 12)
_WHY_OF_SEATS = replace(WHY, label="Why", help="show the refutation of the last move; again: back")
LEARN = Key("learn", "L", "Learn", "retry your mistakes and find better moves; again: back", TURNS)
PREVIOUS = replace(SLOWER_OR_PREVIOUS, help="during analysis or a lesson: previous mistake; otherwise slower")
NEXT = replace(FASTER_OR_NEXT, help="during analysis or a lesson: next mistake; otherwise faster")


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A legal move compared with the best one."""

    action: Any
    cell: Cell  # the cell to mark
    loss: int | None  # against the best move, in the game's unit; None: unknown
    losing: str = ""  # short text if it loses the game: "lost in 5"
    name: str = ""  # "←"
    unit: str = ""  # of the loss: "heart"
    forgoes: str = ""  # short text if it gives something up without losing: "less treasure"

    @property
    def is_best(self) -> bool:
        return self.loss == 0 and not self.losing

    @property
    def cost(self) -> str:
        known = "?" if self.loss is None else f"+{self.loss:,}" if self.loss else "0"
        return self.losing or (FORGOES if self.forgoes else known)

    @property
    def in_words(self) -> str:
        """The loss of the move: "2 worse", "1 heart worse"."""
        if self.cost[0] != "+":
            return self.forgoes or ("cost unknown" if self.cost == "?" else self.cost)
        return f"{counted(self.loss or 0, self.unit) if self.unit else self.cost[1:]} worse"

    @property
    def named(self) -> str:
        """The name and what the move loses: "← (2 worse)"."""
        return f"{self.name} ({self.in_words})"


class Analysis(ABC):
    """A game's exact judgement of positions; one object per screen."""

    name: str  # on screen, before the verdict: "Against perfect play"
    bars = "higher bars: better"  # of the timeline
    best_tint: ClassVar[Tint] = Tint.SAFE  # of the cells of best moves
    has_costs: ClassVar[bool] = True  # on the cells of moves; False: stars on the best ones
    takes_time: ClassVar[bool] = False  # `judge` and `moves` are slow, and only called in threads

    @abstractmethod
    def prepare(self, state: Any) -> None:
        """Solves the game, in a thread, before any other call. Raises ValueError ("too large: ...")."""

    def of_line(self, last: Any) -> "Analysis":
        """The analysis of a line with this last state; its own, unless it depends on the end."""
        return self

    @abstractmethod
    def judge(self, turn: Turn[Any, Any]) -> Judgement:
        """Judges a turn's state and the move that led to it. May run in a thread."""

    @abstractmethod
    def moves(self, state: Any) -> Sequence[MoveValue]:
        """Legal moves with their costs; none after the end. May run in a thread."""

    def legend(self, moves: Sequence[MoveValue]) -> str:
        """The legend of the marks on these moves."""
        example = next((counted(2, move.unit) if move.unit else "2" for move in moves if move.loss), "")
        marks = f"★: best{f', +2: {example} worse' * bool(example)}, ×: loses"
        given_up = "".join({f", {FORGOES}: {move.forgoes}" for move in moves if move.forgoes})
        marks += ", red: now" * ({LATER} < {move.losing for move in moves if move.losing})
        return marks + given_up + ", ?: unknown" * any(move.cost == "?" for move in moves)

    def blamed(self, turn: Turn[Any, Any]) -> Turn[Any, Any]:
        """The turn after the move to refute, or whose best line to show, up to a turn: its own. May run in a thread."""
        return turn

    @abstractmethod
    def why(self, turn: Turn[Any, Any]) -> Sequence[Any] | str:
        """Actions that refute the move that led to this turn, or the reason there are none."""

    def drawn(self, state: Any, is_answer: bool = False) -> Layer | None:
        """The rest of the line of `why` on the map, while it is shown; or as much of it as answers a lesson."""
        return None

    def reason(self, turn: Turn[Any, Any]) -> str:
        """Sentences that say why the line of `why` is best; empty: it speaks for itself. Called if there is a line."""
        return ""

    def explanation(self, state: Any, played: Any) -> str:
        """A sentence on why the best move is better than the one played, for a lesson; empty: its judgement says it.

        Called in a thread.
        """
        return ""


class AnalysisBoard(Part):
    """Judges the line, shows values, steps through mistakes and plays out refutations."""

    def __init__(
        self,
        stage: Stage,
        analysis: Analysis,
        seats: Seats,
        replay: Replay,
        distances: Distances,
        hints: Hinting | None,
    ) -> None:
        super().__init__(stage)
        self._analysis, self._judged_by = analysis, analysis
        self._hints = hints
        self._seats = seats
        self._replay = replay
        self._distances = distances
        self.is_preparing = self._is_judging = False
        self._owes_count = False  # log the number of mistakes when all turns are judged
        self._looked: tuple[Turn[Any, Any], str, Sequence[MoveValue]] | None = None  # turn, verdict, moves
        self._looking: Turn[Any, Any] | None = None  # the turn that a thread is looking at
        self._fault: Turn[Any, Any] | None = None  # turn after the mistake you went to
        self.hidden_in: Variation | None = None  # variation in which you search for the better move
        self._line: Variation | None = None  # that the analysis was opened for, to close with it
        self._line_text = ""  # said of a line
        self._age = 0  # incremented when all judgements become outdated

    def commands(self) -> Sequence[Command]:
        return [
            Command(PREVIOUS, partial(self.next_fault, -1)),
            Command(NEXT, partial(self.next_fault, 1)),
            Command(ANALYSIS, self.toggle),
            Command(_WHY_OF_SEATS if self._session.players else WHY, self.why),
        ]

    @property
    def analysis(self) -> Analysis:
        """The analysis of the line."""
        return self._analysis.of_line(self._session.last.state)

    # -- the scene

    @property
    def legend(self) -> str:
        """The marks on the moves of this turn, or on those of the mistake you went to."""
        if self.shown_fault is not None:
            return f"{self._stage.glyphs.star}: best, {MISTAKE} or {SLIP}: played"
        moves = () if self._looked is None else self._looked[2]
        if not moves:
            return ""
        marks = self.analysis.legend(moves)
        is_cut = self._stage.map.cell_size[0] == 1 and self._view.columns(self._session.state)
        return marks.replace("+", "") if is_cut else marks  # as the marks are drawn

    @property
    def best(self) -> str:
        """The best moves of this turn, in words; empty before a mistake you went to, which the log has."""
        looked, turn = self._looked, self._session.turn
        best = best_names(looked[2]) if looked is not None and looked[0] is turn and self.shown_fault is None else ""
        return f"now best: {best}" if best else ""

    @property
    def is_hidden(self) -> bool:
        """True in a lesson."""
        return self.hidden_in is not None and self.hidden_in is self._session.variation

    def show(self, scene: Scene) -> None:
        turn = scene.turn
        if self.is_hidden:
            return
        self._forget_another_line()
        self._judge()
        if not self.analysis.takes_time and (self._looked is None or self._looked[0] is not turn):
            self._looked = self._look_at(turn)
        if self._looked is not None and self._looked[0] is turn:
            _, verdict, moves = self._looked
            numbers = () if self.analysis.has_costs else tuple(scene.layers)  # stars leave those in sight
            picture, tint = self._view.picture(turn.state), self.analysis.best_tint
            marks = MoveMarks(picture, scene.columns, self._stage.glyphs, numbers, tint)
            if (fault := self.shown_fault) is not None:
                judged = self._session.line.judgement(fault.ply) or JUDGING
                scene.layers.append(marks.faults(moves, {fault.action: judged}))
            elif self._session.variation is not None and (line := self.analysis.drawn(turn.state)) is not None:
                scene.layers.append(line)
            else:
                scene.layers.append(marks.costs(moves) if self.analysis.has_costs else marks.faults(moves, {}))
            scene.notes.insert(0, "\n".join(move_lines(self.analysis.name, verdict, moves)))
        elif self._looking is not turn:
            self._looking = turn
            self._start(self._look, turn, group="look", exclusive=True)

    def _look_at(self, turn: Turn[Any, Any]) -> tuple[Turn[Any, Any], str, Sequence[MoveValue]]:
        judged = self._session.line.judgement(turn.ply) or self.analysis.judge(turn)
        return turn, judged.text, self.analysis.moves(turn.state)

    async def _look(self, turn: Turn[Any, Any]) -> None:
        looked = await self._stage.in_thread(self._look_at, turn)
        if self._looking is turn:
            self._looking, self._looked = None, looked
            self._stage.refresh_turn()

    def present(self) -> Judgement:
        """The judgement of the current turn. While you look at the next move's fault, it leaves out its own."""
        turn = self._session.turn
        known = self._session.line.judgement(turn.ply)
        judged = known or (JUDGING if self.analysis.takes_time else self.analysis.judge(turn))
        return judged if self.shown_fault is None else replace(judged, is_mistake=False, is_slip=False)

    @property
    def shown_fault(self) -> Turn[Any, Any] | None:
        """The turn after the mistake you went to, while you are just before it."""
        is_here = self._fault is not None and self._fault.parent is self._session.turn
        return self._fault if is_here and self._session.variation is None else None

    @property
    def _fault_ahead(self) -> Turn[Any, Any] | None:
        """The next turn, if it is a fault and this one is not."""
        line, ply = self._session.line, self._session.turn.ply
        is_ahead = self._fault_beside(ply, 1) == ply + 1 and self._fault_beside(ply, -1) != ply
        return line.turns[ply + 1] if is_ahead else None

    async def moves_of(self, turn: Turn[Any, Any]) -> Sequence[MoveValue]:
        return await self._stage.in_thread(self.analysis.moves, turn.state) or ()

    # -- judging

    def _judge(self) -> None:
        """Judges the line's new turns: a few immediately, many in a thread."""
        turns = self._session.line.unjudged(MAX_TURNS_AT_ONCE + 1)
        if len(turns) <= MAX_TURNS_AT_ONCE and not self.analysis.takes_time:
            self._session.line.take(turns, _judged(self.analysis, turns))
        elif turns and not self._is_judging:
            self._is_judging = True
            self._start(self._judge_many, group="judging")

    async def _judge_many(self) -> None:
        line = self._session.line
        try:
            chunk = SLOW_CHUNK if self.analysis.takes_time else CHUNK
            while self.is_on and (turns := line.unjudged(chunk)):
                age = self._age
                judgements = await self._stage.in_thread(_judged, self.analysis, turns)
                if judgements is None:
                    return
                if age == self._age:
                    line.take(turns, judgements)
                if self.analysis.takes_time:
                    self._stage.refresh_turn()  # the current turn may be among them
                else:
                    self._stage.refresh_facts()
        finally:
            self._is_judging = False
        if self._owes_count and self.is_on:
            self._tell_count()

    async def judge_all(self) -> bool:
        """Solves the game and judges the line for a lesson, which shows no answers; False if it can't be solved."""
        line = self._session.line
        self._forget_another_line()
        self._distances.hide_answers()
        try:
            with self._stage.busy_message("Looking for mistakes ..."):
                await in_background(self.analysis.prepare, self._session.state)
                while turns := line.unjudged(SLOW_CHUNK if self.analysis.takes_time else CHUNK):
                    line.take(turns, await in_background(_judged, self.analysis, turns))
        except ValueError as error:
            self._stage.say_error(error)
            return False
        return True

    def _forget_another_line(self) -> None:
        """Drops all judgements if those of this line differ from them."""
        if self._judged_by != self.analysis:
            self._judged_by = self.analysis
            self.forget()

    def forget(self) -> None:
        self._age += 1
        self._session.line.forget_judgements()
        self._looked = self._looking = None

    def count(self) -> str:
        """The faults of a lesson, and those of others, with the keys that go there; logged once all are judged."""
        line = self._session.line
        self._owes_count = len(line.judgements) < len(line)
        if self._owes_count or not self._session.own_moves(line.turns[-1]):
            return ""
        own, number, ply = own_faults(self._session), len(line.faults), self._session.turn.ply
        others = faults_text((line.judgements[each] for each in line.faults if line.turns[each] not in own), _SHOWN)
        unknown = unknown_text(line.judgements)
        if not number:
            return f"No mistakes or slips found; {unknown}." if unknown else NO_FAULTS
        said = faults_text(own.values(), _SHOWN) or "no mistake or slip"
        said = f"You: {said}. Your opponent: {others}" if others else capitalised(said)
        keys = [key for key, steps in (("{previous}", -1), ("{next}", 1)) if self._fault_beside(ply, steps) is not None]
        verb = "show" if keys[1:] else "shows"
        return f"{said}: {' and '.join(keys)} {verb} {'them' if number > 1 else 'it'}.{f' {unknown}.' * bool(unknown)}"

    def _fault_beside(self, ply: int, steps: int) -> int | None:
        beside = [each for each in self._session.line.faults if (each > ply) == (steps > 0)]
        return beside[0 if steps > 0 else -1] if beside else None

    # -- its keys

    def toggle(self) -> None:
        if self.is_preparing:
            self.is_preparing = False
            self._stage.workers.cancel_group(self._stage, "analysis")
            self._say("Analysis cancelled.", transient=True)
        elif self._session.variation is not None:
            self.why()  # back
        elif self.is_on:
            self.is_on = False
            where = f" You are at {self._session.turn_name(self._session.turn)}." * self._session.is_looking_back
            self._say(f"Analysis off.{where}", transient=True)
            self._stage.refresh_turn()
        elif not self._stage.asks_first(ANALYSIS, gives_solution=self._view.has_par):
            self._start(self.open, group="analysis", exclusive=True)

    def close(self) -> bool:
        if is_open := self.is_on or self.is_preparing:
            self.toggle()
        return is_open

    async def open(self, by: str = "the analysis") -> bool:
        """Solves the game in a thread and shows the analysis, a help `by` this name; False if it can't be solved."""
        if not await self._solve():
            return False
        self._stage.mark_helped(by)
        self.is_on = True
        self._stage.refresh_turn()
        self._tell_count()
        return True

    async def _solve(self) -> bool:
        self.is_preparing, turn = True, self._session.turn
        try:
            with self._stage.busy_message("Analysing ..."):
                await in_background(self.analysis.prepare, turn.state)
                self._looked = await in_background(self._look_at, turn)
        except ValueError as error:
            self._stage.say_error(error)
            return False
        finally:
            self.is_preparing = False
        self._stage.messages.end_transient()  # a hint's, or the warning
        if self._hints is not None:
            self._hints.hide()
        return True

    def _tell_count(self) -> None:
        legend = "" if self._stage.has_panel or not self.legend else sentence(self.legend)  # the panel has it in words
        if text := f"{self.count()} {legend}".strip():
            self._stage.say_line(LogLine(text, is_transient=True, is_aside=True))

    def next_fault(self, steps: int) -> None:
        """Goes to the next mistake and logs the better move. While the analysis is closed it changes the speed."""
        if not self.is_on or self._distances.is_growing:
            self._replay.change_pace(steps)
            return
        self._line = None  # it stays open
        self._stage.mark_helped("the analysis")
        self._seats.leave_variation()
        line, turn = self._session.line, self._session.turn
        is_before = self.shown_fault is not None  # skip the current one
        found = self._fault_beside(turn.ply + (is_before and steps > 0), steps)
        if found is None:
            self._say(f"No mistake or slip {'after' if steps > 0 else 'before'} this turn.", transient=True)
            return
        self._fault = line.turns[found]
        self._replay.seek(found - 1)
        self._start(self._tell_fault, found, group="fault", exclusive=True)

    async def _tell_fault(self, ply: int) -> None:
        turn, line = self._session.turn, self._session.line
        fault = line.turns[ply]
        moves = await self.moves_of(turn)
        if ply >= len(line.judgements) or self._session.turn is not turn:
            return
        judgement = line.judgements[ply]
        written = self._session.controller.rules.action_text(fault.action)
        played, better = played_text(moves, fault.action, written), best_names(moves)
        text = f"{better} is better" if better else judgement.text
        if played:
            text = f"{played} was played, {text}" if better else f"{played}: {text}"
        self._say(f"{judgement.fault.capitalize()}: {text}.", transient=True)

    # -- refutations

    def why(self) -> None:
        """Shows the best line, if you ask twice, or the refutation as a variation; or leaves that."""
        self._stage.end_choosing()
        if self._seats.leave_variation():
            self._say("Back in your game.", transient=True)
        elif WHY.id in self._view.unused_keys(self._session.state):
            self._say("There is no best line here.", transient=True)
        elif self.is_on or self._session.players or not self._stage.asks_first(WHY):
            self._start(self._why, group="analysis", exclusive=True)

    def update(self) -> None:
        """Closes the analysis that was opened for a line when you leave the line, and removes its message."""
        if self._line_text and self._session.variation is None:
            self._stage.messages.end_transient(self._line_text)
            self._line_text = ""
        if self._line is not None and self._session.variation is not self._line:
            self.is_on, self._line = False, None

    async def _why(self) -> None:
        if not (self.is_on or await self._solve()):
            return
        session, visit = self._session, self._stage.visit
        present, judged = session.turn, session.turn_to_judge()
        if session.players:
            self._judge()  # the next move may be one that you took back
        fault = (self.shown_fault or self._fault_ahead) if session.players else None
        judged = fault or self.analysis.blamed(judged)
        with self._stage.busy_message("Looking for the best line ..."):
            actions = await self._stage.in_thread(self.analysis.why, judged)
            reason = "" if isinstance(actions, str) else await self._stage.in_thread(self.analysis.reason, judged)
            moves = await self.moves_of(judged)
        if actions is None or self._stage.visit != visit or session.turn is not present:
            return
        # A refutation in a lost task shows no good move, and before your first move there is nothing to judge.
        if judged.parent is not None if isinstance(actions, str) else moves:
            self._stage.mark_helped("the analysis" if session.players else "the best line")
        if isinstance(actions, str):
            self._stage.say_line(LogLine(actions, is_transient=True, is_aside=True), actions)
            return
        self._seats.stop()
        is_open, self.is_on = self.is_on, True
        variation = session.begin_variation(judged)
        self._line = None if is_open else variation
        variation.extend(actions)
        is_drawn = self.analysis.drawn(judged.state) is not None
        session.seek(judged.ply + (not is_drawn))  # the drawn line, or its first move: the keys below show the others
        text = reason or ("This is why." if session.players else "This is the best line.")
        keys = " {play} plays it, {step.on} steps." * (session.turn is not session.line.turns[-1])
        self._line_text = self._stage.spell(f"{text}{keys}")
        self._say(self._line_text, transient=not reason)


@dataclass(frozen=True, slots=True)
class MoveMarks:
    """Marks of moves on a picture."""

    picture: MapSource
    columns: int  # width of a cell; 0: a drawing, one character per cell
    glyphs: Glyphs
    layers: Sequence[Layer] = ()  # with numbers that marks leave in sight
    best_tint: Tint = Tint.SAFE

    def costs(self, moves: Sequence[MoveValue]) -> CellLayer:
        """Layer with the cost of each move on its cell; the best are bright."""
        layer = CellLayer()
        for move in moves:
            text = self.glyphs.cross if move.losing else self.glyphs.star if move.is_best else move.cost
            number = text.removeprefix("+").replace(",", "")
            is_number = number.isascii() and number.isdigit()
            sign = (LETTERS[int(number)] if int(number) < len(LETTERS) else "+") if is_number else text[:1]
            meaning = Meaning.PRIZE if move.is_best else Meaning.NOTE
            plain = self.best_tint if move.is_best else Tint.PATH
            tint = Tint.DANGER if move.losing and move.losing != LATER else plain
            self._mark(layer, move.cell, sign, text, meaning, tint)
        return layer

    def faults(self, moves: Sequence[MoveValue], wrong: Mapping[Any, Judgement], shows_best: bool = True) -> CellLayer:
        """Layer with a mistake's or slip's mark on each wrong action's cell and a star on each best move's cell."""
        layer, glyphs = CellLayer(), self.glyphs
        for move in moves:
            if move.action in wrong:
                mark = MISTAKE if wrong[move.action].is_mistake else SLIP
                self._mark(layer, move.cell, mark, mark, Meaning.FOE, Tint.DANGER if mark == MISTAKE else Tint.PATH)
            elif shows_best and move.is_best:
                self._mark(layer, move.cell, glyphs.star, glyphs.star, Meaning.PRIZE, self.best_tint)
        return layer

    def _mark(self, layer: CellLayer, cell: Cell, sign: str, text: str, meaning: Meaning, tint: Tint) -> None:
        """Marks a cell; an occupant stays visible."""
        picture = self.picture
        if not self.columns:
            first = cell.col - len(text) // 2
            beside = picture.row(cell.row, first + len(text), first + len(text) + 1).glyphs
            for col, char in enumerate(text, first - (text[-1].isdigit() and "".join(beside).isdigit())):
                layer.mark(Cell(cell.row, col), char, meaning, tint)
        elif cell.is_inside(picture.height, picture.width) and (taken := _taken(picture, cell, self.layers)):
            gap = "|" * (str(taken)[-1].isdigit() and text[-1].isdigit())
            number, mark = (taken.number, f"{taken.mark}{gap}{text}") if taken.number else (f"{gap}{text}", "")
            layer.mark(cell, None, None, tint, taken._replace(number=number, mark=mark))
        else:
            layer.mark(cell, sign, meaning, tint, CellText(text))


def _taken(picture: MapSource, cell: Cell, layers: Sequence[Layer]) -> CellText | None:
    """The text in a cell, before a mark: its number or its glyph; None for floor."""
    shown = picture.row(cell.row, cell.col, cell.col + 1)
    is_floor = shown.meanings[0] == Meaning.FLOOR
    for layer in layers:
        layer.paint(cell.row, shown)
    text = shown.texts.get(0)
    if text is not None and any(map(str.isdigit, str(text))):
        return text._replace(mark="") if layers else text
    return None if is_floor else CellText(before=shown.glyphs[0])


def played_text(moves: Sequence[MoveValue], action: Any, written: str) -> str:
    """The move played, with its cost: "← (2 worse)". A move not listed is `written`; empty if that is only a key."""
    found = next((move for move in moves if move.action == action), None)
    if found is None:
        return written if len(written) > 1 else ""
    return found.named


def best_names(moves: Sequence[MoveValue]) -> str:
    """Names of the best moves, a few if there are many; empty if there are none.

    >>> moves = [MoveValue(name, Cell(0, 0), 0, name=name) for name in "abcd"]
    >>> best_names(moves[:3]), best_names(moves)
    ('a or b or c', 'any of 4 moves, such as a or b')
    """
    names = [move.name for move in moves if move.is_best]
    which = "" if len(names) <= _MOST_NAMED else f"any of {len(names)} moves, such as "
    return which + " or ".join(names[: 2 if which else _MOST_NAMED])


def move_lines(name: str, verdict: str, moves: Sequence[MoveValue]) -> list[str]:
    """The verdict as a sentence, then one line per cost: best moves first, losing ones last.

    >>> moves = [MoveValue(1, Cell(0, 0), 2, name="up"), MoveValue(2, Cell(0, 0), 0, name="stay")]
    >>> move_lines("Exact play", "safe", [*moves, MoveValue(3, Cell(0, 0), None, "lost in 5", name="left")])
    ['Exact play: safe.', 'Best: stay.', '2 worse: up.', 'Lost in 5: left.']
    """
    ways: dict[str, list[str]] = {}
    for move in sorted(moves, key=lambda move: (bool(move.losing), move.loss is None, move.loss or 0, move.losing)):
        label = "best" if move.is_best else move.in_words
        ways.setdefault(label, []).append(move.name)
    if len(ways) == 1 and len(moves) > 2:
        ways = {label: ["every move"] for label in ways}
    costs = (sentence(f"{label}: {', '.join(names)}") for label, names in ways.items())
    return [*[sentence(f"{name}: {verdict}")] * bool(verdict), *costs]


def _judged(analysis: Analysis, turns: Sequence[Turn[Any, Any]]) -> list[Judgement]:
    return [analysis.judge(turn) for turn in turns]
