"""Analysis of the deep: a mistake loses the goal's door; a slip costs treasure or, unless points count, moves."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from dungeon_tui.core.adventure import treasures
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.identity import remembered
from dungeon_tui.core.turns import Judgement, Turn
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.games.deep.ai.aim import goal_of
from dungeon_tui.games.deep.ai.solver import Escape, LineFinder, door_of, escape, followed, is_lost
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.state import STEPS, Action, State, Status
from dungeon_tui.games.deep.view import words
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.play.analysis import LATER, Analysis, MoveValue

_FATE_TIME_LIMIT_S, _MOVE_TIME_LIMIT_S = 1.0, 0.3


class DeepAnalysis(Analysis):
    """Judges each move by the way that hints show, or by whether the level can still be left alive."""

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
        state, before = turn.state, None if turn.parent is None else turn.parent.state
        judged = self._judgement(turn, None if before is None else self._quick_lines.onward(before, _FATE_TIME_LIMIT_S))
        is_new = before is None or before.level is not state.level
        if state.status is Status.PLAYING and is_new and not judged.is_slip:  # from now on
            found = self._quick_lines.onward(state, _FATE_TIME_LIMIT_S)
            judged = replace(judged, text=words.way_text(state, found)) if found.line else judged
        return judged

    def _judgement(self, turn: Turn[State, Action], found: Escape | None) -> Judgement:
        """A turn judged by the line found before it; if that cannot tell, by whether a door can be reached."""
        if found and found.line and (judged := self._compared(turn, found, found.line)):
            return judged
        fate = self._is_lost(turn.state)
        if fate is None:
            return Judgement(words.UNKNOWN, 0.5, False, is_unknown=True)
        is_mistake = fate and turn.parent is not None and self._is_lost(turn.parent.state) is False
        text = "you can't reach any door alive" if fate else "you can still reach a door alive"
        return Judgement(text, 1.0 - fate, is_mistake, is_unknown=not fate)

    def _compared(self, turn: Turn[State, Action], found: Escape, line: Sequence[Action]) -> Judgement | None:
        """A move compared with a line from the state before it; None if its way on is unknown or lost."""
        parent, action, after = turn.parent, turn.action, turn.state
        if parent is None or action is None:
            return None
        before, (last, _) = parent.state, followed(parent.state, found)
        door, held, others = door_of(last, found), last.adventurer, goal_of(before).others
        aim, is_descent = words.reached(before, found), before.campaign.is_descent
        if line[0] is action:
            text = words.way_text(after, replace(found, line=tuple(line[1:]))) if line[1:] else aim
            return Judgement(text, 1.0, False)
        if after.status is Status.DIED or (_has_left(before, after) and self._is_lost(after)):
            return None
        if _has_left(before, after):
            is_choice = before.room.tile(rules.destination(before, action)) in others
            is_choice |= is_descent and any(door.to == before.level.name for door in after.level.doors.values())
            left = 0 if is_choice else max(held.treasure - before.adventurer.treasure, 0)
            text = f"{treasures(left)} left behind" if left else "through another door"
            return Judgement(text, 1.0, False, is_slip=left > 0)
        doors, name, limit = bytes([door, *others]), self._name(action), _MOVE_TIME_LIMIT_S
        to = partial(escape, treasure=held.treasure, needs_key="key" in held.items, time_limit=limit)
        other = to(after, doors)
        if other.line is not None:
            straight = to(after, bytes([door])) if others else other  # you may choose a farther door
            self._quick_lines.follow(after, straight)
            if not found.has_most:
                return Judgement(aim, 1.0, False, is_unknown=not is_descent)
            ways = [(len(line), straight)]
            ways += [(len(to(before, bytes([tile])).line or ()), to(after, bytes([tile]))) for tile in others]
            losses = [(len(way.line) + 1 - least, way) for least, way in ways if way.line and least]
            loss, way = min(losses, key=lambda each: each[0], default=(0, other))
            loss, is_slip = max(loss, 0), loss > 0 and not is_descent  # moves cost no points
            cost = f"{name} cost {counted(loss, 'move')}; " * (loss > 0)
            return Judgement(cost + words.way_text(after, way), 1.0, False, is_slip=is_slip, loss=loss)
        if not other.is_decided or self._is_lost(after):
            return None
        is_shut = escape(after, doors, time_limit=limit, greed=4).is_lost
        text = f"after {name} no way leads to {words.the_name(last, door) if is_shut else aim}"
        return Judgement(text, 0.25 if is_shut else 0.75, is_shut, is_slip=not is_shut)

    def moves(self, state: State) -> Sequence[MoveValue]:
        """Each action compared with the way of the hints, except for other doors, unless they leave treasure."""
        if state.status is not Status.PLAYING:
            return ()
        state, values = state.apart(), []
        found = self._lines.onward(state)
        for action in rules.legal_actions(state):
            after, happened = rules.step(state, action)
            judged = self._judgement(Turn(after, action, happened, Turn(state), 1), found)
            is_lost = judged.is_mistake or not judged.height
            if _has_left(state, after) and action not in (found.line or ())[:1] and not (is_lost or judged.is_slip):
                continue  # your choice
            losing = "deadly now" if after.status is Status.DIED else LATER * is_lost
            forgoes = "less treasure" * (judged.is_slip and not judged.loss and not is_lost)
            loss = None if losing or forgoes or judged.is_unknown else judged.loss
            cell = rules.destination(state, action)
            values.append(MoveValue(action, cell, loss, losing, self._name(action), "move", forgoes))
        return values

    def _name(self, action: Action) -> str:
        here = Cell(0, 0)
        return self._glyphs.step(here, here.neighbour(STEPS[action])) if action in STEPS else action.name.lower()

    def why(self, turn: Turn[State, Action]) -> Sequence[Action] | str:
        if turn.state.status is not Status.PLAYING:
            return "The game is over: step back to see the best line from there."
        found = self._lines.onward(turn.state)
        line, after = found.line, followed(turn.state, found)[1]
        if line is None:
            return words.no_door(found)
        if after.campaign.is_descent and after.level.name not in {*turn.state.left, turn.state.level.name}:
            line = line[:-1]  # it ends before the door: you have not seen the depth behind it
        return line or self.reason(turn)

    def reason(self, turn: Turn[State, Action]) -> str:
        return sentence(words.way_text(turn.state, self._lines.onward(turn.state)))


def _has_left(before: State, after: State) -> bool:
    return after.level is not before.level or after.status is Status.WON
