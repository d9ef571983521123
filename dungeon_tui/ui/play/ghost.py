"""Ghosts: one's best run, or the perfect one, beside the present game, where turns correspond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import LevelBegun
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import counted
from dungeon_tui.ui.keys import LOOKING, Command, Key
from dungeon_tui.ui.map.source import CellLayer, GrownMap, MapSource
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import Diagonals, PerfectLine, WideCells
from dungeon_tui.ui.play.part import Part, Scene, Stage

MARK = "&"
_BEST, _PERFECT = "Your best run", "The perfect run"
_GHOST = Key("ghost", "I", "I", "Ghost", "show where your best run stood by now, the perfect one, or none", LOOKING)


@dataclass(frozen=True, slots=True)
class _Place:
    """A turn's place in a run: turns correspond that have the same one."""

    stretch: int = 0  # its number; the first turn of a level begins another one
    level: int = 0  # the number of the level, where levels have one
    move: int = 0  # since the stretch began


class Ghost(Part):
    """Plays a run again, and shows its turn that corresponds to the present one. It is on while it has a run."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._session = stage.session
        self._perfect = stage.view.feature(PerfectLine)
        self._kinds = ("", _BEST) if self._perfect is None else ("", _BEST, _PERFECT)
        self._kind = ""  # asked for last; empty: none
        self._run: dict[_Place, Any] = {}  # its states
        self._lengths: dict[int, _Place] = {}  # by stretch: the last place
        self._places: dict[Turn[Any, Any], _Place] = {}  # of turns of the present game

    def commands(self) -> Sequence[Command]:
        """The key that goes on to the next run, after the last one to none."""
        return [Command(_GHOST, self.switch)]

    async def switch(self) -> None:
        """Shows the next run, or hides the last one; where there is no such run, says why."""
        kind = self._kinds[(self._kinds.index(self._kind) + 1) % len(self._kinds)]
        if not kind and not self.is_on:  # there is nothing to be hidden
            kind = self._kinds[1]
        self._kind, self.is_on = kind, False
        if not kind:
            self._stage.say("The ghost is hidden.")
        else:
            journal = self._stage.journal
            best = [] if journal is None or kind != _BEST else journal.best_run()
            if (run := await self._stage.thought(self._played, kind, best)) is not None:
                self._take(run)
                if kind == _PERFECT:
                    self._stage.mark_helped()
                self._stage.say(f"{kind}: {MARK} marks where it stood by now, a tint where there is something.")
        self._stage.refresh_turn(())

    def show(self, scene: Scene) -> None:
        """Adds a mark where the run stood, and a note on it; the note alone where the map was another one."""
        place = self._place(scene.turn)
        last, state = self._lengths.get(place.stretch), self._run.get(place)
        is_end = place.stretch + 1 == len(self._lengths)
        moves = 0 if last is None else last.move + (not is_end)  # the one that leaves the level begins the next one
        if last is None or last.level != place.level:
            text = "on another level"
        elif state is None:
            text = f"{'over' if is_end else 'gone from here'} after {counted(moves, 'step')}"
        else:
            text = f"step {place.move:,} of {moves:,}, {self._mark(scene, state)}"
        (scene.alerts if self._stage.is_narrow else scene.notes).append(f"{self._kind}: {text}")

    def _mark(self, scene: Scene, state: Any) -> str:
        """Marks the place of a run's state on the present map, as far as it is the same one; says in words where."""
        view, present = self._stage.view, scene.turn.state
        picture = view.picture(present)
        if _size(picture) != _size(view.picture(state)):
            return "on a map of another size"
        cell, mine = view.focus_cell(state), view.focus_cell(present)
        if cell == mine:
            return "here"
        wide = view.feature(WideCells)
        is_drawing = wide is not None and not wide.columns(present)  # its cells are no steps
        is_free = is_drawing or picture.row(cell.row, cell.col, cell.col + 1).glyphs == [self._stage.glyphs.floor]
        layer = CellLayer()
        layer.mark(cell, MARK if is_free else None, Meaning.REMEMBERED if is_free else None, Tint.FRESH)
        scene.layers.append(layer)
        return "elsewhere" if is_drawing else f"{counted(self._steps(cell, mine), 'cell')} away"

    def _steps(self, one: Cell, other: Cell) -> int:
        rows, cols = abs(one.row - other.row), abs(one.col - other.col)
        return rows + cols if self._stage.view.feature(Diagonals) is None else max(rows, cols)

    # -- runs

    def _played(self, kind: str, best: Sequence[str]) -> list[Turn[Any, Any]]:
        """The turns of a run, from the first one on. Raises ValueError if there is none, or it can't be played."""
        own = self._session.controller
        controller = TurnController(own.rules, own.level, own.seed)
        if kind == _BEST:
            if not best:
                raise ValueError("no game of yours has ended here with a result as yet")
            controller.apply_texts(best)
        elif self._perfect is not None:
            for action in self._perfect.line(controller.state):
                controller.apply(action)
        if controller.outcome is None:  # rules change, and libraries are damaged
            raise ValueError("that run can't be played again: it comes to no end")
        return controller.turn.line()

    def _take(self, run: Sequence[Turn[Any, Any]]) -> None:
        """Takes a run's states by their places, and is on from here on."""
        self._run, self._lengths, place = {}, {}, None
        for turn in run:
            place = self._next(place, turn)
            self._run[place] = turn.state
            self._lengths[place.stretch] = place
        self.is_on = True

    def _place(self, turn: Turn[Any, Any]) -> _Place:
        """The place of a turn of the present game."""
        way: list[Turn[Any, Any]] = []
        each: Turn[Any, Any] | None = turn
        while each is not None and each not in self._places:
            way.append(each)
            each = each.parent
        for each in reversed(way):
            self._places[each] = self._next(None if each.parent is None else self._places[each.parent], each)
        return self._places[turn]

    def _next(self, before: _Place | None, turn: Turn[Any, Any]) -> _Place:
        """The place of a turn, by that of the turn before."""
        if before is None:
            return _Place()
        for event in turn.events:
            if isinstance(event, LevelBegun):
                return _Place(before.stretch + 1, event.number)
        if self._perfect is not None and self._perfect.begins(turn):
            return _Place(before.stretch + 1, before.level)
        return _Place(before.stretch, before.level, before.move + 1)


def _size(picture: MapSource) -> tuple[int, int]:
    return picture.there if isinstance(picture, GrownMap) else (picture.height, picture.width)
