"""Analysis of the deep: after a mistake no door can be reached alive; a slip costs moves in a level with a par."""

from collections.abc import Sequence
from functools import partial

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.identity import remembered
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import counted
from dungeon_tui.games.deep.ai.aim import aim_of
from dungeon_tui.games.deep.ai.solver import Escape, LineFinder, door_of, escape, followed, is_lost
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.state import STEPS, Action, State, Status
from dungeon_tui.games.deep.view import words
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import Analysis, MoveValue

_FATE_TIME_LIMIT_S, _LINE_TIME_LIMIT_S, _MOVE_TIME_LIMIT_S, _SLIP_TIME_LIMIT_S = 1.0, 2.5, 0.3, 0.2


class DeepAnalysis(Analysis):
    """Judges each turn by whether the level can still be left alive, and moves by the way that hints show."""

    name = "This level"
    takes_time = True

    def __init__(self, lines: LineFinder, glyphs: Glyphs) -> None:
        self._lines, self._glyphs = lines, glyphs
        self._quick_lines = LineFinder()  # of its own: hints cache better lines, which take longer
        self._is_lost = remembered(partial(is_lost, time_limit=_FATE_TIME_LIMIT_S), 512)

    def prepare(self, state: State) -> None:
        if self._is_lost(state) is None:
            raise ValueError(words.UNKNOWN)

    def judge(self, turn: Turn[State, Action]) -> Judgement:
        fate = self._is_lost(turn.state)
        if fate is None:
            return Judgement(words.UNKNOWN, 0.5, False, is_unknown=True)
        is_mistake = fate and turn.parent is not None and self._is_lost(turn.parent.state) is False
        lost = None if fate else self._moves_lost(turn)
        text = f"{'no' if fate else 'a'} door can be reached alive"
        if lost is not None and turn.action is not None:
            name = self._name(turn.action)
            text = f"{name} cost {counted(lost, 'move')}" if lost else "on a shortest way with all treasure"
        return Judgement(text, 1.0 - fate, is_mistake, is_slip=bool(lost), loss=lost or 0)

    def _moves_lost(self, turn: Turn[State, Action]) -> int | None:
        """The moves that a turn in a level with a par added to the proven shortest way; None if that is unknown."""
        after, before = turn.state, turn.parent and turn.parent.state
        if not before or before.level is not after.level or not after.level.par or after.status is not Status.PLAYING:
            return None
        found = self._quick_lines.onward(before, _SLIP_TIME_LIMIT_S)
        if not found.is_decided or not found.line:
            return None
        # A line with less treasure than lies here is no way to the par.
        has_all = followed(before, found)[0].adventurer.treasure == before.adventurer.treasure + aim_of(before).coins
        return None if not has_all else 0 if found.line[0] is turn.action else _moves_added(before, found, after)

    def moves(self, state: State) -> Sequence[MoveValue]:
        """Each action with the moves that it adds to the way of the hints, except for other doors than its own."""
        if state.status is not Status.PLAYING:
            return ()
        state, values = state.apart(), []
        found = self._lines.onward(state, _LINE_TIME_LIMIT_S)
        line = found.line or ()
        for action in rules.legal_actions(state):
            after, _ = rules.step(state, action)
            losing, loss = "lost" if self._is_lost(after) else "", None
            if action in line[:1]:
                loss = 0
            elif line and not losing:
                if after.level is not state.level or after.status is not Status.PLAYING:
                    continue
                loss = _moves_added(state, found, after)
            values.append(MoveValue(action, rules.destination(state, action), loss, losing, self._name(action), "move"))
        return values

    def _name(self, action: Action) -> str:
        here = Cell(0, 0)
        return self._glyphs.step(here, here.neighbour(STEPS[action])) if action in STEPS else action.name.lower()

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        if turn.state.status is not Status.PLAYING:
            return "The game is over: step back to see the best line from there."
        found = self._lines.onward(turn.state, _LINE_TIME_LIMIT_S)
        line, after = found.line, followed(turn.state, found)[1]
        if line is None:
            return words.no_door(found)
        if after.campaign.is_descent and after.level.name not in {*turn.state.left, turn.state.level.name}:
            line = line[:-1]  # it ends before the door: you have not seen the depth behind it
        return line or words.line_text(turn.state, found)

    def reason(self, turn: Turn[State, Action]) -> str:
        return words.line_text(turn.state, self._lines.onward(turn.state, _LINE_TIME_LIMIT_S))


def _moves_added(before: State, found: Escape, after: State) -> int | None:
    """The moves that a step adds to a line, for the same door with as much treasure; None if unknown."""
    last, _ = followed(before, found)
    held, door = last.adventurer, bytes([door_of(last, found)])
    limit, needs_key = _MOVE_TIME_LIMIT_S, "key" in held.items
    other = escape(after, door, held.treasure, time_limit=limit, needs_key=needs_key).line
    return None if other is None else max(len(other) + 1 - len(found.line or ()), 0)
