"""The numbers over a map as they are shown: style, kind, and a frontier that grows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.distance_layer import DistanceField, DistanceLayer, Explanation, OverlayStyle, Wording

SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # steps a second


class Same:
    """Equal to itself alone, as a part of a key: for what is large and never changes."""

    def __init__(self, thing: object) -> None:
        self._thing = thing  # held, so that no other one can take its place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self._thing is other._thing

    def __hash__(self) -> int:
        return id(self._thing)


class Overlay:
    """The shown distances: style, kind, and the reach of a growing frontier. Computes nothing."""

    def __init__(self, kinds: tuple[str, ...], glyphs: Glyphs, wordings: Mapping[str, Wording] | None = None) -> None:
        self.style = OverlayStyle.NONE
        self.kind = kinds[0] if kinds else ""
        self.frontier: int | None = None  # None: all distances
        self.is_running = False
        self.computed = 0  # how many fields were taken over; tests count them
        self._kinds = kinds
        self._glyphs = glyphs
        self._wordings = wordings or {}
        self.speed = self.wording.speed  # a place in SPEEDS
        self._field: DistanceField | None = None
        self._field_key: Hashable = None

    @property
    def wording(self) -> Wording:
        """The words for the numbers."""
        return self._wordings.get(self.kind) or Wording(f"Distances, {self.kind}")

    @property
    def is_on(self) -> bool:
        """True if distances are to be shown."""
        return self.style is not OverlayStyle.NONE

    @property
    def _left_out(self) -> set[OverlayStyle]:
        has = {OverlayStyle.LETTERS: self.wording.has_letters, OverlayStyle.DIGITS: self.wording.has_digits}
        return {style for style, is_there in has.items() if not is_there}

    def cycle(self) -> None:
        """The next style; the last one is followed by none."""
        styles = [style for style in OverlayStyle if style not in self._left_out]
        self.style = styles[(styles.index(self.style) + 1) % len(styles)]
        self.stop()

    def hide(self) -> None:
        """Shows nothing."""
        self.style = OverlayStyle.NONE
        self.stop()

    def next_kind(self) -> bool:
        """The other kind of distances; False where there is one only."""
        if len(self._kinds) < 2:
            return False
        self.kind = self._kinds[(self._kinds.index(self.kind) + 1) % len(self._kinds)]
        return True

    @property
    def has_arrows(self) -> bool:
        """True if the steps downhill are needed too: on large maps they take longer than the distances."""
        return self.style is OverlayStyle.ARROWS

    def needs(self, key: Hashable) -> bool:
        """True if a field for this key (the things distances depend on) has yet to be computed."""
        if not self.is_on:
            return False
        is_same = self._field is not None and self._field_key == (self.kind, key)
        return not is_same or (self.has_arrows and self._field is not None and self._field.steps is None)

    def take(self, field: DistanceField, key: Hashable) -> None:
        """A field that was computed for this key."""
        self._field, self._field_key = field, (field.kind, key)
        self.computed += 1

    def forget(self) -> None:
        """Drops the field, which says nothing of the map that is shown now."""
        self._field = self._field_key = None

    def layer(self) -> DistanceLayer | None:
        """The layer over the map; None where there is none."""
        if not self.is_on or self._field is None or self._field.kind != self.kind:
            return None
        return DistanceLayer(self._field, self.style, self._glyphs, self.frontier)

    def at(self, row: int, col: int) -> int | None:
        """The distance of a cell; None where none is shown or none leads there."""
        field = self._field
        if not self.is_on or field is None or field.kind != self.kind:
            return None
        if row >= field.distance.shape[0] or col >= field.distance.shape[1]:
            return None  # the map shows more than is there
        distance = int(field.distance[row, col])
        if field.order is not None and self.frontier is not None and field.order[row, col] > self.frontier:
            return None  # not yet computed
        return None if distance == field.unreached else distance

    def explanation(self) -> Explanation | None:
        """The explanation of the step that is watched, where the field has one."""
        if self.frontier is None or self._field is None or self._field.explain is None:
            return None
        return self._field.explain(self.frontier)

    @property
    def columns(self) -> int:
        """Columns a cell needs where the numbers are the map; 1 where things stay visible."""
        field = self._field
        is_wide = self.style is OverlayStyle.DIGITS and field is not None and field.covers_things
        return field.columns if field is not None and is_wide else 1

    # -- the growing frontier

    def start(self) -> None:
        """Lets the frontier grow from the player."""
        if not self.is_on:
            self.style = OverlayStyle.DIGITS if self.wording.has_digits else OverlayStyle.LETTERS
        self.frontier, self.is_running = 0, True

    def stop(self) -> None:
        """Shows all distances again."""
        self.frontier, self.is_running = None, False

    def advance(self, steps: int) -> None:
        """Moves the frontier, outward or back; it stops at the farthest distance."""
        if self.frontier is None or self._field is None:
            return  # it waits for the distances
        last = self._field.last_step
        self.frontier = min(max(self.frontier + steps, 0), last)
        if self.frontier == last and steps > 0:
            self.is_running = False

    def change_speed(self, places: int) -> int:
        """Faster or slower; returns steps a second."""
        self.speed = min(max(self.speed + places, 0), len(SPEEDS) - 1)
        return SPEEDS[self.speed]

    def note(self) -> str:
        """The style and kind in words; short enough for a line of 80 columns."""
        wording = self.wording
        if not self.is_on:
            return f"{wording.name.partition(',')[0]}: hidden."
        what = {
            OverlayStyle.LETTERS: "0-9, a-z, A-Z for 0 to 61, beyond that the map",
            OverlayStyle.DIGITS: "numbers, in small cells the last digits",
            OverlayStyle.HEAT: wording.heat,
            OverlayStyle.ARROWS: f"{self._glyphs.ways_text} {wording.arrows}",
        }[self.style]
        return f"{wording.name}: {what}."

    def legend(self) -> str:
        """The overlay and its reach in words; empty where nothing is shown."""
        if not self.is_on:
            return ""
        farthest = self.wording.farthest.format(self._field.farthest) if self._field is not None else "Computing ..."
        return " ".join([self.note(), farthest, *([self.progress()] if self.frontier is not None else [])])

    def progress(self) -> str:
        """The frontier's reach, in words."""
        how = f"{SPEEDS[self.speed]} steps a second" if self.is_running else "paused"
        said = f"{self.wording.frontier.format(self.frontier)}, {how}."
        explanation = self.explanation()
        return said if explanation is None else f"{said} {explanation.text}"
