"""Numbers over the map: as letters, digits, heat or arrows; or growing, step by step."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from textual.timer import Timer

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.storage.settings import Value
from dungeon_tui.ui.background import UnexpectedError, in_background
from dungeon_tui.ui.keys import LOOKING, Command, Key
from dungeon_tui.ui.map.distance_layer import DistanceField, DistanceLayer, Explanation, OverlayStyle, Wording
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import FRAME_TIME, Numbers
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.widgets.message_log import Line

SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # steps a second
MAX_FRAMES = 20  # a second, of a growing frontier
BREATH = 5  # frames in which heat spreads
AT_ONCE = 1 << 20  # cells whose distances take a few milliseconds

_OVERLAY = Key("overlay", "o", "o", "Distances", "distances as letters, digits, heat, arrows", LOOKING, 10)
_WATCH = Key("overlay.watch", "O", "O", "Watch", "watch these computed, step by step", LOOKING)
_KIND = Key("overlay.kind", "t", "t", "Other map", "the other distances", LOOKING)


class Same:
    """Equal to itself alone, as a part of a key: for what is large and never changes."""

    def __init__(self, thing: object) -> None:
        self._thing = thing  # held, so that no other one can take its place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self._thing is other._thing

    def __hash__(self) -> int:
        return id(self._thing)


class Distances(Part):
    """The overlay of numbers, recomputed when the things that they depend on change; all, or up to a frontier."""

    def __init__(self, stage: Stage, numbers: Numbers | None) -> None:
        self._stage = stage
        self._numbers = numbers or Numbers(("",), hash, _no_numbers)
        self._is_possible = numbers is not None
        self.style = OverlayStyle.NONE
        self._kind = self._numbers.kinds[0]
        self.frontier: int | None = None  # the numbers grow up to it; None: all are shown
        self.is_running = False  # it moves by itself
        self.speed = self._wording_of(self._kind).speed  # a place in SPEEDS
        self.computed = 0  # how many fields were taken over; tests count them
        self._field: DistanceField | None = None
        self._field_key: Hashable = None
        self._ticker: Timer | None = None
        self._breath: Timer | None = None
        self._breaths = BREATH  # frames of the heat that are over
        self._compiled: set[tuple[str, bool]] = set()  # (kind, with arrows) whose kernels have run
        self._computing: Hashable = None  # the numbers that a worker computes
        self._announced: Line | None = None  # said once the numbers are there
        self._explained = ""  # the last step that was explained in the log

    def commands(self) -> Sequence[Command]:
        """The keys of style, watching, and kind where there are several; none in games without numbers."""
        kinds = self._numbers.kinds
        other = replace(_KIND, help=f"the other distances: {', '.join(kinds)}")
        own = [Command(_OVERLAY, self.cycle), Command(_WATCH, self.watch), Command(other, self.next_kind)]
        return own[: len(kinds) + 1] if self._is_possible else ()

    def toggles(self) -> Mapping[str, Value]:
        """The style, and the kind where there are several; none where some show a solution: that is asked for anew."""
        if not self._is_possible or self._numbers.answers:
            return {}
        style: dict[str, Value] = {_OVERLAY.id: self.style.value}
        return style | ({_KIND.id: self.kind} if len(self._numbers.kinds) > 1 else {})

    def turn_to(self, name: str, value: Value) -> None:
        """Shows numbers in a style, or of a kind, and says nothing."""
        values = self._numbers.kinds if name == _KIND.id else tuple(style.value for style in self._styles())
        if value not in values:
            raise ValueError(f"it is one of {', '.join(values)}")
        if name == _KIND.id:
            self._kind = str(value)
        else:
            self._draw(OverlayStyle(value))

    # -- the numbers

    @property
    def kind(self) -> str:
        """The kind of numbers that is shown, or would be."""
        return self._kind if self._numbers.kind_of is None else self._numbers.kind_of(self._stage.session.state)

    def needs(self, key: Hashable) -> bool:
        """True if numbers are to be shown, and those for this key (what they depend on) have yet to be computed."""
        if not self.is_on:
            return False
        if self._field is None or self._field_key != (self.kind, key):
            return True
        return self.style is OverlayStyle.ARROWS and self._field.steps is None

    def compute(self, is_same_map: bool) -> None:
        """Computes the numbers of the present turn if they are shown and not there yet: at once, or in a worker.

        Those of another map are dropped before that.
        """
        state = self._stage.session.state
        key = self._numbers.key(state)
        if not self.needs(key):
            return
        if not is_same_map:
            self._field = self._field_key = None  # this may be another map, of another size
        picture = self._stage.view.picture(state)
        kind, has_arrows = self.kind, self.style is OverlayStyle.ARROWS
        if (kind, has_arrows) in self._compiled and picture.height * picture.width <= AT_ONCE:
            try:
                self.take(self._numbers.field(state, kind, has_arrows), key)
            except (ValueError, MemoryError) as error:
                self._give_up(error if isinstance(error, ValueError) else UnexpectedError(error))
        elif (kind, has_arrows, key) != self._computing:
            self._computing = kind, has_arrows, key
            compute: Callable[[], Any] = partial(self._compute, state, kind, has_arrows, key)
            self._stage.run_worker(compute, group="distances", exclusive=True)

    async def _compute(self, state: Any, kind: str, has_arrows: bool, key: Hashable) -> None:
        try:
            with self._stage.told_to_take_long():
                field = await in_background(self._numbers.field, state, kind, has_arrows)
        except ValueError as error:
            self._computing = None
            self._give_up(error)
            return
        self._computing = None
        self._compiled.add((kind, has_arrows))
        if self._numbers.key(self._stage.session.state) == key and self.kind == kind:
            self.take(field, key)
            self._stage.refresh_turn(())

    def take(self, field: DistanceField, key: Hashable) -> None:
        """Takes over a field to be shown from now on, computed for this key."""
        self._field, self._field_key = field, (field.kind, key)
        if field.kind in self._numbers.answers:
            self._stage.mark_helped()
        self.computed += 1
        self._say_announced()

    def _give_up(self, error: ValueError) -> None:
        self._draw(OverlayStyle.NONE)
        self._announced = None
        self._stage.say(sentence(str(error)), Meaning.FOE)
        self._stage.call_later(self._stage.refresh_turn, ())

    # -- the scene

    @property
    def _shown_field(self) -> DistanceField | None:
        return self._field if self.is_on and self._field is not None and self._field.kind == self.kind else None

    def layer(self) -> DistanceLayer | None:
        """The layer of numbers over the map; None while none are shown, or they have yet to be computed."""
        field = self._shown_field
        if field is None:
            return None
        spread = self.frontier
        if spread is None and self._breaths < BREATH:
            spread = field.last_step * (self._breaths + 1) // (BREATH + 1)
        return DistanceLayer(field, self.style, self._stage.glyphs, spread)

    def at(self, row: int, col: int) -> int | None:
        """The number shown on a cell; None where none is shown, or no way leads there."""
        field = self._shown_field
        if field is None or row >= field.distance.shape[0] or col >= field.distance.shape[1]:
            return None  # the map may show more than there are numbers for
        distance = int(field.distance[row, col])
        if field.order is not None and self.frontier is not None and field.order[row, col] > self.frontier:
            return None  # not yet computed
        return None if distance == field.unreached else distance

    def cell_text(self, cell: Cell) -> str:
        """The overlay's number on a cell, in words; empty where none is shown."""
        number = None if self._numbers.is_told_by_cell_text else self.at(cell.row, cell.col)
        return "" if number is None else self._wording.of_cell.format(number)

    def show(self, scene: Scene) -> None:
        """Adds the numbers below all other layers, their meaning to the notes; keeps an explained cell in view."""
        layer, field = self.layer(), self._field
        if layer is not None:
            scene.layers.insert(0, layer)
        scene.notes.append(self.legend())
        if scene.columns and field is not None and field.covers_things and self.style is OverlayStyle.DIGITS:
            scene.columns = max(scene.columns, field.columns)
        step = self._explanation()
        if step is not None:
            scene.focus = step.cell

    # -- in words

    @property
    def _wording(self) -> Wording:
        return self._wording_of(self.kind)

    def _wording_of(self, kind: str) -> Wording:
        return self._numbers.wordings.get(kind) or Wording(f"Distances, {kind}")

    def note(self) -> str:
        """The style and kind in words; short enough for a line of 80 columns."""
        wording = self._wording
        if not self.is_on:
            return f"{wording.name.partition(',')[0]}: hidden."
        what = {
            OverlayStyle.LETTERS: "0-9, a-z, A-Z for 0 to 61, beyond that the map",
            OverlayStyle.DIGITS: "numbers, in small cells the last digits",
            OverlayStyle.HEAT: wording.heat,
            OverlayStyle.ARROWS: f"{self._stage.glyphs.ways_text} {wording.arrows}",
        }[self.style]
        return f"{wording.name}: {what}."

    def legend(self) -> str:
        """Style, kind and largest number in words, and the progress of a frontier."""
        farthest = self._wording.farthest.format(self._field.farthest) if self._field is not None else "Computing ..."
        return " ".join([self.note(), farthest, *([self.progress()] if self.is_growing else [])])

    def progress(self) -> str:
        """The frontier's reach, its speed, and the explanation of its step, in words."""
        how = f"{SPEEDS[self.speed]} steps a second" if self.is_running else "paused"
        said = f"{self._wording.frontier.format(self.frontier)}, {how}."
        explanation = self._explanation()
        return said if explanation is None else f"{said} {explanation.text}"

    def _explanation(self) -> Explanation | None:
        """The explanation of the step that is watched; None if none is, or the field explains none."""
        if self.frontier is None or self._field is None or self._field.explain is None:
            return None
        return self._field.explain(self.frontier)

    def _announce(self, text: str, *, is_passing: bool = False) -> None:
        """Says the text, once the numbers are there; where they can't be computed, that alone is said."""
        self._announced = Line(text, is_passing=is_passing, is_aside=True)
        if not self.needs(self._numbers.key(self._stage.session.state)):
            self._say_announced()

    def _say_announced(self) -> None:
        line, self._announced = self._announced, None
        if line is not None:
            self._stage.tell(line)

    # -- its keys

    def _draw(self, style: OverlayStyle) -> None:
        """Draws the numbers in a style, all of them."""
        self.style, self.is_on = style, style is not OverlayStyle.NONE
        self.frontier, self.is_running = None, False

    def _styles(self) -> list[OverlayStyle]:
        has = {OverlayStyle.LETTERS: self._wording.has_letters, OverlayStyle.DIGITS: self._wording.has_digits}
        return [style for style in OverlayStyle if has.get(style, True)]

    def _next_style(self) -> OverlayStyle:
        styles = self._styles()
        return styles[(styles.index(self.style) + 1) % len(styles)]

    def cycle(self) -> None:
        """Draws the numbers in the next style this game has, hides them after the last; says so."""
        self._draw(self._next_style())
        self._breathe()
        self._announce(self.note())
        self._stage.refresh_turn()

    def next_kind(self) -> None:
        """Shows the next kind of numbers, and says so."""
        kinds = self._numbers.kinds
        self._kind = kinds[(kinds.index(self.kind) + 1) % len(kinds)]
        if not self.is_on:
            self._draw(self._next_style())
        self._announce(self.note())
        self._stage.refresh_turn()

    def watch(self) -> None:
        """Lets the numbers appear step by step from the player on; again: shows all of them."""
        if self.frontier is None:
            if not self.is_on:
                self._draw(OverlayStyle.DIGITS if self._wording.has_digits else OverlayStyle.LETTERS)
            self.frontier, self.is_running = 0, True
            text = "It grows: {play} pauses, {step.back} {step.on} step, {previous} {next} change the speed,"
            self._announce(f"{text} {{overlay.watch}} ends it.", is_passing=True)
            self._tick()
        else:
            self._draw(self.style)
            self._announce(self.note())
        self._stage.refresh_turn(())

    def _breathe(self) -> None:
        """Lets heat spread over the map for a moment; any other style is there at once."""
        if self._breath is not None:
            self._breath.stop()
        self._breaths = BREATH
        if self.style is OverlayStyle.HEAT and self._stage.is_animated:
            self._breaths = 0
            self._breath = self._stage.set_interval(FRAME_TIME, self._spread)

    def _spread(self) -> None:
        self._breaths += 1
        if self._breaths >= BREATH and self._breath is not None:
            self._breath.stop()
        if self.is_on and not self.is_growing:
            self._stage.refresh_turn(())

    # -- the growing frontier

    @property
    def is_growing(self) -> bool:
        """True while numbers are shown step by step, paused or not."""
        return self.frontier is not None

    def play_or_pause(self) -> None:
        """Pauses the numbers that appear step by step, or lets them go on; says so."""
        self.is_running = not self.is_running
        self._announced = None  # this says more than what waited for the numbers
        self._stage.mention(self.progress())
        self._tick()
        self._stage.refresh_turn(())

    def step(self, steps: int) -> None:
        """Pauses the numbers that appear step by step, and shows so many steps more, or fewer if negative."""
        self.is_running = False
        self.advance(steps)

    def change_speed(self, places: int) -> None:
        """Lets numbers appear faster or more slowly, by places in SPEEDS; says the speed."""
        self.speed = min(max(self.speed + places, 0), len(SPEEDS) - 1)
        self._stage.mention(f"{counted(SPEEDS[self.speed], 'step')} a second.")
        self._tick()
        self._stage.refresh_turn(())

    def _tick(self) -> None:
        if self._ticker is not None:
            self._ticker.stop()
        if self.is_running:
            per_second = SPEEDS[self.speed]
            frames = min(per_second, MAX_FRAMES)
            self._ticker = self._stage.set_interval(1 / frames, partial(self._grow, max(1, per_second // frames)))

    def _grow(self, steps: int) -> None:
        if self.is_running:
            self.advance(steps)
        elif self._ticker is not None:
            self._ticker.stop()

    def advance(self, steps: int) -> None:
        """Moves the frontier on by so many steps, back if negative; at the last one it no longer runs.

        Without room for a panel, the log explains the step.
        """
        if self.frontier is not None and self._field is not None:  # else it waits for the distances
            last = self._field.last_step
            self.frontier = min(max(self.frontier + steps, 0), last)
            self.is_running &= self.frontier < last or steps <= 0
        step = self._explanation()
        if step is not None and self._stage.is_narrow:
            self._stage.tell(Line(step.text, is_aside=True), self._explained)
            self._explained = step.text
        self._stage.refresh_turn(())


def _no_numbers(state: Any, kind: str, has_arrows: bool) -> DistanceField:
    raise ValueError("this game has no numbers")
