"""Ghosts: your best run, or the perfect one, shown in the current game."""

from collections.abc import Sequence
from typing import Any

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import LevelBegun
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import counted
from dungeon_tui.ui.keys import LOOKING, Command, Key
from dungeon_tui.ui.map.source import CellLayer, MapSource
from dungeon_tui.ui.palette import Meaning, Tint
from dungeon_tui.ui.play.features import PerfectLine
from dungeon_tui.ui.play.part import Part, Scene, Stage

MARK = "&"
_BEST, _PERFECT = "Your best run", "The perfect run"
_Stretch = tuple[int, list[Any]]  # the number of the level, if levels have one, and its states
_GHOST = Key("ghost", "", "Ghost", "show your best run, the perfect run, or none", LOOKING)


class Ghost(Part):
    """Replays another run along with the current game. On while there is a run."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._perfect = stage.view.feature(PerfectLine)
        self._kinds = ("", _BEST) if self._perfect is None else ("", _BEST, _PERFECT)
        self._kind = ""  # kind of run shown; empty: none
        self._run: list[_Stretch] = []

    def commands(self) -> Sequence[Command]:
        return [Command(_GHOST, self.switch)]

    async def switch(self) -> None:
        """Shows the next kind of run or hides the ghost; logs the reason if there is no such run."""
        kind = self._kinds[(self._kinds.index(self._kind) + 1) % len(self._kinds)]
        if not kind and not self.is_on:  # nothing to hide
            kind = self._kinds[1]
        self._kind, self.is_on = kind, False
        if not kind:
            self._say("Ghost: hidden.")
        else:
            journal = self._stage.journal
            best = [] if journal is None or kind != _BEST else journal.best_run()
            if (run := await self._stage.thought(self._played, kind, best)) is not None:
                self._run, self.is_on = self._stretches(run), True
                if kind == _PERFECT:
                    self._stage.mark_helped("the ghost")
                self._say(f"{kind}: {MARK} marks its position, a tint if the cell is occupied.")
        self._stage.refresh_turn()

    def show(self, scene: Scene) -> None:
        own = self._stretches(scene.turn.line())
        level, move = own[-1][0], len(own[-1][1]) - 1
        found, states = self._run[len(own) - 1] if len(own) <= len(self._run) else (None, [])
        is_end = len(own) == len(self._run)
        moves = len(states) - is_end  # leaving the level starts the next stretch
        if found != level:
            text = "on another level"
        elif move >= len(states):
            text = f"{'over' if is_end else 'gone from here'} after {counted(moves, 'step')}"
        else:
            text = f"step {move:,} of {moves:,}, {self._mark(scene, states[move])}"
        (scene.notes if self._stage.has_panel else scene.alerts).append(f"{self._kind}: {text}")

    def _mark(self, scene: Scene, state: Any) -> str:
        """Marks a run's position if the maps have the same size; returns it in words."""
        view, present = self._view, scene.turn.state
        picture = view.picture(present)
        if _size(picture) != _size(view.picture(state)):
            return "on a map of another size"
        cell, mine = view.focus_cell(state), view.focus_cell(present)
        if cell == mine:
            return "here"
        is_drawing = not view.columns(present)  # cells of a drawing are not steps
        is_free = is_drawing or picture.row(cell.row, cell.col, cell.col + 1).glyphs == [self._stage.glyphs.floor]
        layer = CellLayer()
        layer.mark(cell, MARK if is_free else None, Meaning.REMEMBERED if is_free else None, Tint.FRESH)
        scene.layers.append(layer)
        return "elsewhere" if is_drawing else f"{counted(self._steps(cell, mine), 'cell')} away"

    def _steps(self, one: Cell, other: Cell) -> int:
        rows, cols = abs(one.row - other.row), abs(one.col - other.col)
        return max(rows, cols) if self._view.has_diagonals else rows + cols

    # -- runs

    def _played(self, kind: str, best: Sequence[str]) -> list[Turn[Any, Any]]:
        """Turns of a run. Raises ValueError if there is none or it can't be replayed."""
        own = self._session.controller
        controller = TurnController(own.rules, own.level, own.seed)
        if kind == _BEST:
            if not best:
                raise ValueError("you have not finished a game here yet")
            controller.apply_texts(best)
        elif self._perfect is not None:
            for action in self._perfect.line(controller.state):
                controller.apply(action)
        if controller.outcome is None:  # the rules may have changed
            raise ValueError("that run can't be replayed: it never ends")
        return controller.turn.line()

    def _stretches(self, line: Sequence[Turn[Any, Any]]) -> list[_Stretch]:
        """The stretches of a line: levels, or what the perfect run counts its moves from."""
        found: list[_Stretch] = [(0, [])]
        for turn in line:
            number = next((event.number for event in turn.events if isinstance(event, LevelBegun)), None)
            if number is not None or (self._perfect is not None and self._perfect.begins(turn)):
                found.append((found[-1][0] if number is None else number, []))
            found[-1][1].append(turn.state)
        return found


def _size(picture: MapSource) -> tuple[int, int]:
    return picture.there or (picture.height, picture.width)
