"""Numbers over the map: as letters, digits, heat or arrows; or growing, step by step."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any

from textual.timer import Timer

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.ui.background import UnexpectedError, in_background
from dungeon_tui.ui.keys import LOOKING, Command, Key
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import Numbers
from dungeon_tui.ui.play.overlay import SPEEDS, Overlay
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.widgets.message_log import Line

MAX_FRAMES = 20  # a second, of a growing frontier
AT_ONCE = 1 << 20  # cells whose distances take a few milliseconds

_OVERLAY = Key("overlay", "o", "o", "Distances", "distances as letters, digits, heat, arrows", LOOKING, 10)
_WATCH = Key("overlay.watch", "O", "O", "Watch", "watch these computed, step by step", LOOKING)
_KIND = Key("overlay.kind", "t", "t", "Other map", "the other distances", LOOKING)


class Distances(Part):
    """The overlay of numbers, recomputed when the things that they depend on change."""

    def __init__(self, stage: Stage, numbers: Numbers) -> None:
        self._stage = stage
        self._numbers = numbers
        self.overlay = Overlay(numbers.kinds, stage.glyphs, numbers.wordings)
        self._ticker: Timer | None = None
        self._compiled: set[tuple[str, bool]] = set()  # (kind, with arrows) whose kernels have run
        self._computing: Hashable = None  # the numbers that a worker computes
        self._announced: Line | None = None  # said once the numbers are there
        self._explained = ""  # the last step that was explained in the log

    def commands(self) -> Sequence[Command]:
        """o, O, and t where there are several kinds."""
        kinds = ", ".join(self._numbers.kinds)
        other = Key(_KIND.id, _KIND.keys, _KIND.shown, _KIND.label, f"the other distances: {kinds}", LOOKING)
        return [
            Command(_OVERLAY, self.cycle),
            Command(_WATCH, self.watch),
            *([Command(other, self.next_kind)] if len(self._numbers.kinds) > 1 else []),
        ]

    # -- the scene

    def compute(self, is_same_map: bool) -> None:
        """Computes the numbers of the present turn where they are not there yet: at once, or in a worker."""
        state = self._stage.session.state
        key = self._numbers.key(state)
        if not self.overlay.needs(key):
            return
        if not is_same_map:
            self.overlay.forget()  # this may be another map, of another size
        picture = self._stage.view.picture(state)
        kind, has_arrows = self.overlay.kind, self.overlay.has_arrows
        if (kind, has_arrows) in self._compiled and picture.height * picture.width <= AT_ONCE:
            try:
                self.overlay.take(self._numbers.field(state, kind, has_arrows), key)
                self._say_announced()
            except ValueError as error:
                self._give_up(error)
            except MemoryError as error:
                self._give_up(UnexpectedError(error))
        elif (kind, has_arrows, key) != self._computing:
            self._computing = kind, has_arrows, key
            self._stage.run_worker(self._compute(state, kind, has_arrows, key), group="distances", exclusive=True)

    async def _compute(self, state: Any, kind: str, has_arrows: bool, key: Hashable) -> None:
        try:
            field = await in_background(self._numbers.field, state, kind, has_arrows)
        except ValueError as error:
            self._computing = None
            self._give_up(error)
            return
        self._computing = None
        self._compiled.add((kind, has_arrows))
        if self._numbers.key(self._stage.session.state) == key and self.overlay.kind == kind:
            self.overlay.take(field, key)
            self._say_announced()
            self._stage.refresh_turn(())

    def _give_up(self, error: ValueError) -> None:
        self.overlay.hide()
        self.is_on = False
        self._announced = None
        self._stage.say(sentence(str(error)), Meaning.FOE)
        self._stage.call_later(self._stage.refresh_turn, ())

    def show(self, scene: Scene) -> None:
        """The numbers below all other layers; their meaning among the notes."""
        layer = self.overlay.layer()
        if layer is not None:
            scene.layers.insert(0, layer)
        scene.notes.append(self.overlay.legend())
        if scene.columns:
            scene.columns = max(scene.columns, self.overlay.columns)
        step = self.overlay.explanation()
        if step is not None:
            scene.focus = step.cell

    def cell_text(self, cell: Cell) -> str:
        """The overlay's number on a cell, in words; empty where none is shown."""
        if self._numbers.is_told_by_cell_text or (number := self.overlay.at(cell.row, cell.col)) is None:
            return ""
        return self.overlay.wording.of_cell.format(number)

    # -- its keys

    def cycle(self) -> None:
        """Draws the numbers in the next style."""
        self.overlay.cycle()
        self.is_on = self.overlay.is_on
        self._announce(self.overlay.note())
        self._stage.refresh_turn()

    def next_kind(self) -> None:
        """Shows the other kind of numbers."""
        self.overlay.next_kind()
        if not self.overlay.is_on:
            self.overlay.cycle()
        self.is_on = True
        self._announce(self.overlay.note())
        self._stage.refresh_turn()

    def watch(self) -> None:
        """Lets the frontier grow from the player; again: shows all."""
        if self.overlay.frontier is None:
            self.overlay.start()
            self.is_on = True
            text = "It grows: {play} pauses, {step.back} {step.on} step, {previous} {next} change the speed,"
            self._announce(f"{text} {{overlay.watch}} ends it.", is_passing=True)
            self._tick()
        else:
            self.overlay.stop()
            self._announce(self.overlay.note())
        self._stage.refresh_turn(())

    def _announce(self, text: str, *, is_passing: bool = False) -> None:
        """Says the text, once the numbers are there; where they can't be computed, that alone is said."""
        self._announced = Line(text, is_passing=is_passing)
        if not self.overlay.needs(self._numbers.key(self._stage.session.state)):
            self._say_announced()

    def _say_announced(self) -> None:
        line, self._announced = self._announced, None
        if line is not None:
            self._stage.tell(line)

    # -- the growing frontier

    @property
    def is_growing(self) -> bool:
        """True while a frontier is watched, running or not."""
        return self.overlay.frontier is not None

    def play_or_pause(self) -> None:
        """Pauses the frontier, or lets it go on."""
        self.overlay.is_running = not self.overlay.is_running
        self._stage.mention(self.overlay.progress())
        self._tick()
        self._stage.refresh_turn(())

    def step(self, steps: int) -> None:
        """Moves the frontier on or back."""
        self.overlay.is_running = False
        self.overlay.advance(steps)
        self._explain()
        self._stage.refresh_turn(())

    def change_speed(self, places: int) -> None:
        """Lets the frontier grow faster or more slowly."""
        self._stage.mention(f"{counted(self.overlay.change_speed(places), 'step')} a second.")
        self._tick()
        self._stage.refresh_turn(())

    def _tick(self) -> None:
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        if self.overlay.is_running:
            per_second = SPEEDS[self.overlay.speed]
            frames = min(per_second, MAX_FRAMES)
            self._ticker = self._stage.set_interval(1 / frames, partial(self._grow, max(1, per_second // frames)))

    def _grow(self, steps: int) -> None:
        if self.overlay.is_running:
            self.overlay.advance(steps)
            self._explain()
            self._stage.refresh_turn(())
        elif self._ticker is not None:
            self._ticker.stop()

    def _explain(self) -> None:
        """Says in the log the step that was computed last, where no panel does."""
        step = self.overlay.explanation()
        if step is not None and self._stage.is_narrow:
            self._stage.tell(Line(step.text), self._explained)
            self._explained = step.text
