"""Numbers over the map as letters, digits, heat or arrows, all shown together or growing step by step."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from textual.timer import Timer

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.words import counted, sentence
from dungeon_tui.storage.settings import Settings, Value
from dungeon_tui.ui.background import UnexpectedError, in_background
from dungeon_tui.ui.keys import LOOKING, Command, Key
from dungeon_tui.ui.map.distance_layer import DistanceField, DistanceLayer, Explanation, OverlayStyle, Wording
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.features import Numbers, Toggle
from dungeon_tui.ui.play.part import Part, Scene, Stage
from dungeon_tui.ui.widgets.message_log import LogLine

SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # steps per second
MAX_FRAMES = 20  # per second, while numbers grow
MAX_CELLS_AT_ONCE = 1 << 20  # up to this size, distances take milliseconds

_OVERLAY = Key("overlay", "o", "Distances", "distances as letters, digits, heat, arrows", LOOKING, 11)
_WATCH = Key("overlay.watch", "", "Watch", "watch the distances being computed", LOOKING)
_KIND = Key("overlay.kind", "t", "Other map", "show other distances", LOOKING)


def pace_in(settings: Settings) -> int:
    """The speed of automatic play in the settings, as an index into SPEEDS."""
    return SPEEDS.index(int(settings.speed))


class Distances(Part):
    """The overlay of numbers, recomputed when its key changes; complete or up to a frontier."""

    def __init__(self, stage: Stage, numbers: Numbers | None) -> None:
        super().__init__(stage)
        self._numbers = numbers or Numbers(("",), hash, _no_numbers)
        self._is_possible = numbers is not None
        self.style = OverlayStyle.NONE
        self.kind = self._numbers.kinds[0]
        self.frontier: int | None = None  # show numbers up to this step; None: all
        self.is_running = False  # the frontier advances by itself
        self.speed = self._wording_of(self.kind).speed  # index into SPEEDS
        self.computed = 0  # number of fields computed, for tests
        self._field: DistanceField | None = None
        self._field_key: Hashable = None
        self._ticker: Timer | None = None
        self._compiled: set[tuple[str, bool]] = set()  # (kind, has_arrows) whose kernels are compiled
        self._computing: Hashable = None  # what a worker is computing
        self._explained = ""  # step explained last in the log

    def commands(self) -> Sequence[Command]:
        kinds = self._numbers.kinds
        other = replace(_KIND, help=f"show other distances: {', '.join(kinds)}")
        own = [Command(_OVERLAY, self.cycle), Command(_WATCH, self.watch), Command(other, self.next_kind)]
        return own[: len(kinds) + 1] if self._is_possible else ()

    def toggles(self) -> Mapping[str, Toggle]:
        has_kinds = len(self._numbers.kinds) > 1 and not self._numbers.answers
        return {_KIND.id: Toggle(lambda: self.kind, self._turn_to)} if has_kinds else {}

    def _turn_to(self, value: Value) -> None:
        if value not in self._numbers.kinds:
            raise ValueError(f"it is one of {', '.join(self._numbers.kinds)}")
        self.kind = str(value)

    def hide(self) -> None:
        self._draw(OverlayStyle.NONE)

    def hide_answers(self) -> None:
        """Hides numbers that show a solution."""
        if self.kind in self._numbers.answers:
            self.hide()

    # -- the numbers

    def needs(self, key: Hashable) -> bool:
        if not self.is_on:
            return False
        if self._field is None or self._field_key != (self.kind, key):
            return True
        return self.style is OverlayStyle.ARROWS and self._field.steps is None

    def compute(self) -> None:
        """Computes the current turn's numbers if needed; drops those of a map of another size first."""
        state = self._session.state
        key = self._numbers.key(state)
        if not self.needs(key):
            return
        picture = self._view.picture(state)
        if self._field is not None and self._field.distance.shape != (picture.height, picture.width):
            self._field = self._field_key = None
        kind, has_arrows = self.kind, self.style is OverlayStyle.ARROWS
        if (kind, has_arrows) in self._compiled and picture.height * picture.width <= MAX_CELLS_AT_ONCE:
            try:
                self.take(self._numbers.field(state, kind, has_arrows), key)
            except (ValueError, MemoryError) as error:
                self._give_up(error if isinstance(error, ValueError) else UnexpectedError(error))
        elif (kind, has_arrows, key) != self._computing:
            self._computing = kind, has_arrows, key
            self._start(self._compute, state, kind, has_arrows, key, group="distances", exclusive=True)

    async def _compute(self, state: Any, kind: str, has_arrows: bool, key: Hashable) -> None:
        before = self.note()
        try:
            with self._stage.busy_message():
                field = await in_background(self._numbers.field, state, kind, has_arrows)
        except ValueError as error:
            self._computing = None
            self._give_up(error)
            return
        self._computing = None
        self._compiled.add((kind, has_arrows))
        if self._numbers.key(self._session.state) == key and self.kind == kind:
            self.take(field, key)
            if self.is_on and self.note() != before:  # now that the largest number is known
                self._tell(self._stage.spell(f"{before} {self._next()}"))  # a later message stays
            self._stage.refresh_turn()

    def take(self, field: DistanceField, key: Hashable) -> None:
        self._field, self._field_key = field, (field.kind, key)
        if field.kind in self._numbers.answers:
            self._stage.mark_helped("the numbers")
        self.computed += 1

    def _give_up(self, error: ValueError) -> None:
        note = self.note()
        self.hide()
        self._stage.say_line(LogLine(sentence(str(error)), Meaning.FOE, is_aside=True), note)
        self._stage.call_later(self._stage.refresh_turn)

    # -- the scene

    @property
    def _shown_field(self) -> DistanceField | None:
        return self._field if self.is_on and self._field is not None and self._field.kind == self.kind else None

    def layer(self) -> DistanceLayer | None:
        field = self._shown_field
        if field is None:
            return None
        return DistanceLayer(field, self.style, self._stage.glyphs, self.frontier, has_own=self._has_own)

    def at(self, row: int, col: int) -> int | None:
        """The number shown on a cell; None if there is none or the cell can't be reached."""
        field = self._shown_field
        if field is None or row >= field.distance.shape[0] or col >= field.distance.shape[1]:
            return None  # the map may be larger than the field
        distance = int(field.distance[row, col])
        if field.order is not None and self.frontier is not None and field.order[row, col] > self.frontier:
            return None  # not yet computed
        return None if distance == field.unreached else distance

    def cell_text(self, cell: Cell) -> str:
        number = None if self._numbers.is_in_cell_text else self.at(cell.row, cell.col)
        return "" if number is None else self._wording.of_cell.format(number)

    def show(self, scene: Scene) -> None:
        layer, field = self.layer(), self._field
        if layer is not None:
            scene.layers.insert(0, layer)
        scene.notes.append(self.legend())
        if scene.columns and field is not None and field.covers_things and self.style is OverlayStyle.DIGITS:
            scene.columns = max(scene.columns, field.columns + field.own_columns * self._has_own)  # all of a size
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
        """Style and kind in words, within 80 columns."""
        wording = self._wording
        if not self.is_on:
            return ""
        what = {
            OverlayStyle.LETTERS: "numbers" if self._has_room else "after 9 come a-z, A-Z",
            OverlayStyle.DIGITS: wording.digits if self._has_own else "numbers, in place of the cell's own",
            OverlayStyle.HEAT: wording.heat,
            OverlayStyle.ARROWS: f"{self._stage.glyphs.ways_text} {wording.arrows}",
        }[self.style]
        return f"{wording.name}: {what}."

    def legend(self) -> str:
        farthest = self._wording.farthest.format(self._field.farthest) if self._field is not None else "Computing ..."
        more = self.progress() if self.is_growing else self._next()
        return " ".join(filter(None, [self.note(), farthest, more]))

    def progress(self) -> str:
        how = f"{SPEEDS[self.speed]} steps per second" if self.is_running else "paused"
        said = f"{self._wording.frontier.format(self.frontier)}, {how}."
        explanation = self._explanation()
        return said if explanation is None else f"{said} {explanation.text}"

    def _explanation(self) -> Explanation | None:
        if self.frontier is None or self._field is None or self._field.explain is None:
            return None
        return self._field.explain(self.frontier)

    # -- its keys

    def _draw(self, style: OverlayStyle) -> None:
        self.style, self.is_on = style, style is not OverlayStyle.NONE
        self.frontier, self.is_running = None, False

    def _next_style(self) -> OverlayStyle:
        has = {OverlayStyle.LETTERS: self._wording.has_letters, OverlayStyle.ARROWS: self._wording.arrows}
        styles = [style for style in OverlayStyle if has.get(style, True)]
        is_same = self.style is OverlayStyle.LETTERS and self._has_room
        return styles[(styles.index(self.style) + 1 + is_same) % len(styles)]

    def _next(self) -> str:
        return f"{{overlay}}: {'next view' if self._next_style() is not OverlayStyle.NONE else 'off'}."

    @property
    def _has_room(self) -> bool:
        """True if cells have room for all numbers, so that letters and last digits look the same."""
        field, width = self._field, self._stage.map.cell_size[0]
        return field is not None and (field.farthest <= 9 or width >= field.columns)

    @property
    def _has_own(self) -> bool:
        """True if all cells have room for the numbers of things, too, or if the numbers have places of their own."""
        field, width = self._field, self._stage.map.cell_size[0]
        return field is None or field.places is not None or width >= field.columns + field.own_columns

    def cycle(self) -> None:
        if not self.is_on and self._asks_first(_OVERLAY):
            return
        self._draw(self._next_style())
        if self.is_on:
            self._tell()
        else:
            self._stage.messages.end_transient()
        self._stage.refresh_turn()

    def next_kind(self) -> None:
        kinds = self._numbers.kinds
        self.kind = kinds[(kinds.index(self.kind) + 1) % len(kinds)]
        if not self.is_on:
            self._draw(self._next_style())
        self._tell()
        self._stage.refresh_turn()

    def _tell(self, instead_of: str = "") -> None:
        self._stage.messages.end_transient(instead_of)
        if not self._stage.has_panel:  # which has it, too
            self._say(f"{self.note()} {self._next()}", transient=True)

    def _asks_first(self, key: Key) -> bool:
        """True for numbers that show a solution, once."""
        return self.kind in self._numbers.answers and self._stage.asks_first(key)

    def watch(self) -> None:
        if not self.is_on and self._asks_first(_WATCH):
            return
        if self.frontier is None:
            if not self.is_on:
                self._draw(OverlayStyle.DIGITS)
            self.frontier, self.is_running = 0, True
            text = "It grows: {play} pauses, {step.back} {step.on} step, {previous} {next} change the speed,"
            self._say(f"{text} {{overlay.watch}} ends it.", transient=True)
            self._tick()
        else:
            self._draw(self.style)
            self._tell()
        self._stage.refresh_turn()

    # -- the growing frontier

    @property
    def is_growing(self) -> bool:
        return self.frontier is not None

    def play_or_pause(self) -> None:
        self.is_running = not self.is_running
        self._say(self.progress(), transient=True)
        self._tick()
        self._stage.refresh_turn()

    def step(self, steps: int) -> None:
        self.is_running = False
        self.advance(steps)

    def change_speed(self, steps: int) -> None:
        self.speed = min(max(self.speed + steps, 0), len(SPEEDS) - 1)
        self._say(f"{counted(SPEEDS[self.speed], 'step')} per second.", transient=True)
        self._tick()
        self._stage.refresh_turn()

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
        """Moves the frontier and stops it at the end; without a panel, the log explains the step."""
        if self.frontier is not None and self._field is not None:  # otherwise the distances are still being computed
            last = self._field.last_step
            self.frontier = min(max(self.frontier + steps, 0), last)
            self.is_running &= self.frontier < last or steps <= 0
        step = self._explanation()
        if step is not None and not self._stage.has_panel:
            self._stage.say_line(LogLine(step.text, is_aside=True), self._explained)
            self._explained = step.text
        self._stage.refresh_turn()


def _no_numbers(state: Any, kind: str, has_arrows: bool) -> DistanceField:
    raise ValueError("this game has no numbers")
