"""Distances over the map, or other numbers: as letters, digits, heat, arrows; or growing, step by step."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import partial
from typing import Any

from textual import work
from textual.timer import Timer

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.ui.background import UnexpectedError, in_background
from dungeon_tui.ui.map.source import Layer
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.play.map_screen import MapScreen
from dungeon_tui.ui.play.overlay import SPEEDS, Overlay
from dungeon_tui.ui.widgets.message_log import Line

MAX_FRAMES = 20  # a second, of what grows
AT_ONCE = 1 << 20  # cells whose distances take a few milliseconds


class DistanceScreen(MapScreen):
    """A map with distances over it."""

    def __init__(self, view: GameView, controller: TurnController[Any, Any, Any]) -> None:
        super().__init__(view, controller)
        self.overlay = Overlay(view.DISTANCE_KINDS, view.glyphs, view.WORDINGS)
        self._ticker: Timer | None = None
        self._compiled: set[tuple[str, bool]] = set()  # whose kernels have run
        self._computing: Hashable = None  # what the distances are that a worker computes
        self._announced: Line | None = None  # what to say once the distances are there
        self._explained = ""  # what was said last of a step

    def show_turn(self, changed_rows: Iterable[int] | None = None) -> None:
        """Shows the present turn, and its distances now or in a moment."""
        state = self.controller.state
        if self.overlay.needs(self.view.distance_key(state)):
            if changed_rows is None:
                self.overlay.forget()  # this may be another map, of another size
            picture = self.view.picture(state)
            self._keep_computing(picture.height * picture.width)
        super().show_turn(changed_rows)

    def notes(self, state: Any) -> list[str]:
        """What the distances mean, before all else."""
        return [self.overlay.legend(), *super().notes(state)]

    def map_layers(self, state: Any) -> list[Layer]:
        """The distances below all else."""
        distances = self.overlay.layer()
        return [*([] if distances is None else [distances]), *super().map_layers(state)]

    def cell_text(self, cell: Cell) -> str:
        """With how far it is, as far as that is shown."""
        text = super().cell_text(cell)
        distance = None if self.view.TELLS_DISTANCES else self.overlay.at(cell.row, cell.col)
        return text if distance is None else f"{text}, {self.overlay.wording.of_cell.format(distance)}"

    def focus_cell(self, state: Any) -> Cell:
        """While a computation is watched: the cell that it has come to."""
        step = self.overlay.explanation()
        return super().focus_cell(state) if step is None or self.cursor is not None else step.cell

    def cell_columns(self, state: Any) -> int:
        """Wide enough for whole numbers, where these are the map."""
        columns = super().cell_columns(state)
        return max(columns, self.overlay.columns) if columns else 0

    def action_cycle_overlay(self) -> None:
        """The next way to draw distances."""
        self.interrupt()
        self.overlay.cycle()
        self._announce(self.overlay.note())
        self.show_turn()

    def action_next_kind(self) -> None:
        """The other kind of distances."""
        self.interrupt()
        if not self.overlay.next_kind():
            self.mention("There is one kind of distances in this game.")
            return
        if not self.overlay.is_on:
            self.overlay.cycle()
        self._announce(self.overlay.note())
        self.show_turn()

    def action_watch_overlay(self) -> None:
        """Lets the frontier grow from the player; again: shows all."""
        self.interrupt()
        if self.overlay.frontier is None:
            self.overlay.start()
            self._announce("It grows: p pauses, [ ] step, { } change the speed, O ends it.", is_passing=True)
            self._tick()
        else:
            self.overlay.stop()
            self._announce(self.overlay.note())
        self.show_turn(())

    def _announce(self, text: str, *, is_passing: bool = False) -> None:
        """Says what is shown now, or will be as soon as it is computed; where it can't be, that alone is said."""
        self._announced = Line(self.glyphs.plain(text), is_passing=is_passing)
        if not self.overlay.needs(self.view.distance_key(self.controller.state)):
            self._say_announced()

    def _say_announced(self) -> None:
        line, self._announced = self._announced, None
        if line is not None:
            self.tell(line)

    @property
    def is_growing(self) -> bool:
        """Whether a frontier is watched, running or not."""
        return self.overlay.frontier is not None

    def action_play_pause(self) -> None:
        """Pauses the frontier, or lets it go on."""
        self.overlay.is_running = not self.overlay.is_running
        self.mention(self.overlay.progress())
        self._tick()
        self.show_turn(())

    def action_step(self, steps: int) -> None:
        """The frontier one step on or back."""
        self.overlay.is_running = False
        self.overlay.advance(steps)
        self._explain()
        self.show_turn(())

    def action_change_speed(self, places: int) -> None:
        """The frontier faster or more slowly."""
        self.mention(f"{counted(self.overlay.change_speed(places), 'step')} a second.")
        self._tick()
        self.show_turn(())

    def _tick(self) -> None:
        """Keeps the timer at the speed that was chosen."""
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        if self.overlay.is_running:
            per_second = SPEEDS[self.overlay.speed]
            frames = min(per_second, MAX_FRAMES)
            self._ticker = self.set_interval(1 / frames, partial(self._grow, max(1, per_second // frames)))

    def _grow(self, steps: int) -> None:
        if self.overlay.is_running:
            self.overlay.advance(steps)
            self._explain()
            self.show_turn(())
        elif self._ticker is not None:
            self._ticker.stop()

    def _explain(self) -> None:
        """Says what was computed last, where no panel does."""
        step = self.overlay.explanation()
        if step is not None and self.has_class("-narrow"):
            text = self.glyphs.plain(step.text)
            self.tell(Line(text), self._explained)
            self._explained = text

    def _keep_computing(self, cells: int) -> None:
        """Computes distances: at once where that takes a moment, else by a worker that is not busy with them yet."""
        state = self.controller.state
        kind, has_arrows, key = self.overlay.kind, self.overlay.has_arrows, self.view.distance_key(state)
        wanted = kind, has_arrows, key
        if (kind, has_arrows) in self._compiled and cells <= AT_ONCE:
            try:
                self.overlay.take(self.view.distances(state, kind, has_arrows), key)
                self._say_announced()
            except ValueError as error:
                self._give_up(error)
            except MemoryError as error:
                self._give_up(UnexpectedError(error))
        elif wanted != self._computing:
            self._computing = wanted
            self._compute_distances(state, *wanted)

    @work(exclusive=True, group="distances")
    async def _compute_distances(self, state: Any, kind: str, has_arrows: bool, key: Hashable) -> None:
        try:
            field = await in_background(self.view.distances, state, kind, has_arrows)
        except ValueError as error:
            self._computing = None
            self._give_up(error)
            return
        self._computing = None
        self._compiled.add((kind, has_arrows))
        if self.view.distance_key(self.controller.state) == key and self.overlay.kind == kind:
            self.overlay.take(field, key)
            self._say_announced()
            self.show_turn(())

    def _give_up(self, error: ValueError) -> None:
        """There is no such map, and why."""
        self.overlay.hide()
        self._announced = None
        self.say(sentence(str(error)), Meaning.FOE)
        self.call_later(self.show_turn, ())
