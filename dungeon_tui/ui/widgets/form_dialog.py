"""A dialog with a few fields, such as who plays, or the options of a level."""

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label, Static

from dungeon_tui.core.options import Choice, Field, NumberField
from dungeon_tui.core.words import sentence
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.widgets.key_bar import KeyBar

_ROOM = 52  # columns for all values of a field; if they need more, one is shown at a time
_LONGEST = 18  # digits


class FieldList(Static):
    """A line for each field; a click takes its next value."""

    async def on_click(self, event: events.Click) -> None:
        await self.screen.run_action(f"take({event.y})")


class FormDialog(ModalScreen[tuple[str, ...] | None]):
    """Up and down choose a field, left and right its value, digits type a number; returns None if you leave."""

    BINDINGS = [
        Binding("up,w,k,8", "field(-1)", show=False),
        Binding("down,s,j,2,tab,space", "field(1)", show=False),
        Binding("left,a,h,4", "value(-1)", show=False),
        Binding("right,d,l,6", "value(1)", show=False),
        Binding("backspace", "erase", show=False),
        Binding("enter", "accept", show=False),
        Binding("escape,q,m", "leave", show=False),
    ]

    def __init__(
        self,
        title: str,
        fields: Sequence[Field],
        values: Sequence[str],
        glyphs: Glyphs,
        *,
        check: Callable[[Sequence[str]], object] | None = None,
        trouble: str = "",
    ) -> None:
        """Asks; `check` raises ValueError for invalid values, `trouble` says why earlier ones failed."""
        super().__init__()
        self._heading, self._fields, self._values = title, tuple(fields), list(values)
        self._glyphs, self._check, self._trouble = glyphs, check, trouble
        self._row = 0
        self._is_typed = False  # a number, since its field was chosen

    def compose(self) -> ComposeResult:
        up, down, left, right = list("wsad" if self._glyphs.is_ascii else self._glyphs.ways[:4])
        with Vertical():
            yield Label(Content(self._heading))
            yield FieldList()
            yield Static(classes="trouble")
            yield KeyBar([
                ("Enter", "Play", "accept"),
                (f"{left} {right}", "Change", "value(1)"),
                *[(f"{up} {down}", "Choose", "field(1)")] * (len(self._fields) > 1),
                ("Esc", "Back", "leave"),
            ])  # fmt: skip

    def on_mount(self) -> None:
        self._show()

    def on_key(self, event: events.Key) -> None:
        if event.character in tuple("-0123456789") and isinstance(self._fields[self._row], NumberField):
            event.stop()
            event.prevent_default()  # these are the number pad's ways, too
            before = self._values[self._row] if self._is_typed else ""
            self._is_typed = True
            self._values[self._row] = (before + event.character)[:_LONGEST]
            self._show()

    def action_field(self, steps: int) -> None:
        self._row, self._is_typed = (self._row + steps) % len(self._fields), False
        self._show()

    def action_value(self, steps: int) -> None:
        field, value = self._fields[self._row], self._values[self._row]
        if isinstance(field, Choice):
            words = [each for each, _ in field.values]
            self._values[self._row] = words[(words.index(value) + steps) % len(words)]
        else:
            number = int(value) + steps if value.removeprefix("-").isdigit() else field.least - (steps < 0)
            is_empty = number < field.least and field.if_empty  # that comes before the least number
            self._values[self._row] = "" if is_empty else str(min(max(number, field.least), field.most))
            self._is_typed = False  # digits write a new number
        self._show()

    def action_erase(self) -> None:
        if isinstance(self._fields[self._row], NumberField):
            self._values[self._row] = self._values[self._row][:-1]
            self._is_typed = True
            self._show()

    def action_take(self, row: int) -> None:
        """Chooses the field on a line, and takes its next value if it is a choice."""
        self._row, self._is_typed = min(row, len(self._fields) - 1), False
        if isinstance(self._fields[self._row], Choice):
            self.action_value(1)
        else:
            self._show()

    def action_accept(self) -> None:
        values = tuple(self._values)
        if self._check is not None:
            try:
                self._check(values)
            except ValueError as error:
                self._trouble = str(error)
                self._show()
                return
        self.dismiss(values)

    def action_leave(self) -> None:
        self.dismiss(None)

    def _show(self) -> None:
        width = max(len(field.label) for field in self._fields)
        lines = [self._line(row, field, width) for row, field in enumerate(self._fields)]
        self.query_one(FieldList).update(Content("\n").join(lines))
        trouble = self.query_one(".trouble", Static)
        trouble.update(Content(sentence(self._trouble)) if self._trouble else "")
        trouble.display = bool(self._trouble)
        self._trouble = ""

    def _line(self, row: int, field: Field, width: int) -> Content:
        is_chosen, value = row == self._row, self._values[row]
        parts: list[Content | str] = [Content.styled(f"{field.label:<{width}}  ", "bold $path")]
        taken = _CHOSEN if is_chosen else "bold $you"
        if isinstance(field, NumberField):
            parts.append(Content.styled(f" {value or field.if_empty} ", taken))
            if is_chosen:
                parts.append(Content.styled(f"  {field.least:,} to {field.most:,}", "$note 55%"))
        elif sum(len(words) + 3 for words, _ in field.values) > _ROOM:
            parts.append(Content.styled(f" {value} ", taken))
        else:
            for words, _ in field.values:
                parts += [Content.styled(f" {words} ", taken if words == value else "$note 55%"), " "]
        return Content.assemble(">" if is_chosen else " ", " ", *parts)


_CHOSEN = "bold $tint-cursor-text on $tint-cursor"
