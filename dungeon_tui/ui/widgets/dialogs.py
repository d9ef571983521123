"""Dialogs over the game: a question with a few answers, and a line to type."""

import re
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from enum import Enum
from math import inf
from time import monotonic

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from dungeon_tui.core.words import sentence
from dungeon_tui.ui.glyphs import ASCII, UNICODE
from dungeon_tui.ui.keys import first_shown
from dungeon_tui.ui.map import sprites
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.widgets.key_bar import KeyBar, rows_of

_WIDEST, _FRAME, _FRAME_ASIDE = 76, 8, 6  # columns of a dialog, of its frame, and of the frame beside a map
_HIGH = 30  # lines of a terminal, from which on a dialog may be as high as it likes
_FRAME_LINES = 5  # of a dialog beside a map, and of the footer
_LOWEST, _LOW_FRAME = 9, 3  # lines of a dialog in others, and of its frame and title
QUIET = 0.3  # seconds


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: its keys, its label, and the dialog's result."""

    keys: str  # as Textual names them; small letters also as capitals; the first one is shown
    label: str
    value: str

    @property
    def shown(self) -> str:
        return first_shown(self.keys)

    def is_given_by(self, event: events.Key) -> bool:
        keys = self.keys.split(",")
        return event.key in keys or any(event.character in (key, key.upper()) for key in keys if len(key) == 1)


class Mood(Enum):
    """The occasion of a dialog, which colours and decorates it."""

    QUESTION = ""
    TRIUMPH = "-triumph"
    DEFEAT = "-defeat"


_FIGURES = {
    Mood.TRIUMPH: (("treasure", Meaning.PRIZE), ("hero", Meaning.YOU), ("treasure", Meaning.PRIZE)),
    Mood.DEFEAT: (("monster", Meaning.FOE),),
}


class Pause:
    """The time before a key. It tells a deliberate key from one that is held or came too early."""

    clock = staticmethod(monotonic)  # seconds
    _start = inf

    def __init__(self, least: float = QUIET) -> None:
        self._least = least  # seconds

    def was_long(self) -> bool:
        """True if the pause that ends now was long enough; the next one begins."""
        start, self._start = self._start, self.clock()
        return self._start - start >= self._least


class ChoiceDialog(ModalScreen[str]):
    """A question with answers. Enter and Esc give the last one, which must lose nothing, unless an answer has them.

    A dialog that opens by itself is `sudden`: keys meant for the game must not answer it. Its letters are none that
    move; it ignores other keys until none came for a moment.
    """

    rows_to_keep_visible = range(0)  # of the screen below, if there is room
    columns_aside = 0  # beside the map of the screen below, where the dialog then stands
    _figures: Sequence[tuple[str, Meaning]] = ()  # sprites above the question
    VERTICAL_BREAKPOINTS = [(0, "-low"), (_HIGH, "-high")]
    BINDINGS = [Binding("enter,escape", "answer(-1)", show=False)]

    def __init__(
        self,
        title: str,
        text: str,
        answers: Sequence[Answer],
        *,
        is_sudden: bool = False,
        is_leaving: bool = False,
    ) -> None:
        """Asks; `is_leaving`: whether to leave a screen with unsaved work."""
        super().__init__()
        self._heading, self._text, self._answers = title, text, tuple(answers)
        self._is_sudden, self.is_leaving = is_sudden, is_leaving
        self._pause = Pause()  # begins when it is shown

    def dress(self, mood: Mood, figures: Sequence[tuple[str, Meaning]] = (), *, has_sprites: bool) -> None:
        self.set_classes(mood.value)
        self._figures = (figures or _FIGURES.get(mood, ())) if has_sprites else ()

    def compose(self) -> ComposeResult:
        with Vertical():
            if self._figures:
                yield Static(sprites.picture(self._figures, self.app.theme_variables, "panel"), classes="figures")
            yield Label(Content(self._heading), classes="title")
            yield Label(Content(self._text), classes="text")
            yield Vertical(classes="answers")

    async def on_resize(self) -> None:
        if not self.query(".answers"):  # it was answered meanwhile
            return
        spell = (ASCII if self.app.has_class("-ascii") else UNICODE).plain
        has_enter = any("enter" in answer.keys.split(",") for answer in self._answers)
        last = -1 if has_enter else len(self._answers) - 1
        entries = [
            (spell(f"{answer.shown}, Enter" if index == last else answer.shown), answer.label, f"answer({index})")
            for index, answer in enumerate(self._answers)
            if answer.label
        ]
        width = self.columns_aside - _FRAME_ASIDE if self.columns_aside else min(self.app.size.width, _WIDEST) - _FRAME
        keys = rows_of(entries, width)
        high = sum(len(Content(text).wrap(width)) for text in (self._heading, self._text)) + len(keys) + _FRAME_LINES
        if self.columns_aside and high > self.app.size.height:
            self.columns_aside = 0
            await self.on_resize()
            return
        self.set_class(self.columns_aside > 0, "-aside")
        for label in self.query(Label):
            label.styles.max_width = width
        room = _LOWEST - _LOW_FRAME - len(keys)
        lines = self._text.split("\n")
        is_low = self.app.size.height < _HIGH and not self.columns_aside
        while is_low and len(lines) > 1 and len(Content("\n".join(lines)).wrap(width)) > room:
            lines[-2:] = [" ".join(lines[-2:])]  # the first lines stand alone as long as there is room
        self.query_one(".text", Label).update(Content("\n".join(lines)))
        rows = self.query_one(".answers")
        await rows.remove_children()
        await rows.mount_all(KeyBar(row) for row in keys)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        if not self.is_current:  # it was answered meanwhile
            return
        box = self.query_one("ChoiceDialog > Vertical")
        rows, width = self.rows_to_keep_visible, box.get_content_width(self.size, self.size)
        height = box.get_content_height(self.size, self.size, width) + box.gutter.height  # it has no size while hidden
        is_above = max(0, height - rows.start) < rows.stop + height - self.app.size.height  # there it covers fewer
        is_above &= not self.columns_aside  # where it covers the log
        self.styles.align_vertical = "top" if is_above else "bottom"
        self.styles.align_horizontal = "right" if self.columns_aside else "center"
        box.styles.visibility = "visible"
        self._pause.was_long()

    def on_key(self, event: events.Key) -> None:
        is_early = self._is_sudden and not self._pause.was_long()
        if is_early and not (event.character or "").isalpha():
            event.stop()
            event.prevent_default()
            return
        for answer in sorted(self._answers, key=lambda answer: event.key not in answer.keys.split(",")):
            if answer.is_given_by(event):
                event.stop()
                self.dismiss(answer.value)
                return

    def action_answer(self, index: int) -> None:
        self.dismiss(self._answers[index].value)


class PasteInput(Input):
    """A line to type; joins the lines of a pasted text."""

    cursor_blink = reactive(False, init=False)  # a blink would write to the terminal forever

    MOST = 5_000  # characters; Textual keeps several copies of each

    def _on_paste(self, event: events.Paste) -> None:
        room = self.MOST - len(self.value) + len(self.selected_text)
        self.replace(" ".join(event.text.split())[: max(0, room)], *self.selection)
        event.prevent_default()
        event.stop()


class SearchInput(PasteInput):
    """A line to search with; `?` is left to the help."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return key != "question_mark" and super().check_consume_key(key, character)


class _Line(PasteInput):
    def on_mount(self) -> None:
        self.keys: list[events.Key] = []  # that came to the line itself

    def on_key(self, event: events.Key) -> None:
        self.keys.append(event)
        if not (self.screen.is_active and re.fullmatch(self.restrict or ".*", event.character or "")):
            event.prevent_default()  # the key may be for the screen below

    async def action_submit(self) -> None:
        await self.run_action("screen.submit")  # at once: the next key is for the screen below


class LineDialog(ModalScreen[str | None]):
    """Asks for a line until it is valid; None if you leave."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (56, "-tall")]
    BINDINGS = [Binding("escape", "leave", show=False)]

    def __init__(
        self,
        title: str,
        text: str,
        placeholder: str = "",
        check: Callable[[str], object] | None = None,
        *,
        typed: str = "",
        trouble: str = "",
        is_number: bool = False,
    ) -> None:
        """Asks. `check` takes the line you enter; if it raises ValueError, the dialog says why and asks again."""
        super().__init__()
        self._allowed = r"\d*" if is_number else None
        self._heading, self._text, self._placeholder, self._check = title, text, placeholder, check
        self._typed, self._trouble = typed, trouble

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_subtitle = "Enter OK, Esc back"
            yield Label(Content(self._heading), classes="title")
            yield from [Label(Content(self._text))] * bool(self._text)
            yield _Line(
                self._typed,
                placeholder=self._placeholder or "a number" * (self._allowed is not None),
                restrict=self._allowed,
                select_on_focus=self._allowed is None,  # the next digit goes on with a number
            )
            yield Label(classes="trouble")

    def on_mount(self) -> None:
        if self._trouble:
            self.refuse(self._trouble)

    def refuse(self, trouble: str) -> None:
        label = self.query_one(".trouble", Label)
        label.update(Content(sentence(trouble)))
        label.display = True

    def on_key(self, event: events.Key) -> None:
        """Gives the line a key that was pressed before the line had the focus; all keys keep their order."""
        line = self.query_one(_Line)
        if not any(event is each for each in line.keys):
            line.post_message(copy(event))
            event.stop()
        elif self.is_active and self._allowed and event.is_printable and not re.fullmatch(r"\d", event.character or ""):
            self.refuse("digits only")

    def action_leave(self) -> None:
        self.dismiss(None)

    @on(Input.Changed)
    def _forgive(self) -> None:
        self.query_one(".trouble", Label).display = False

    def action_submit(self) -> None:
        typed = self.query_one(_Line).value.strip()
        if self._check is not None and (typed or self._allowed is not None):
            try:
                self._check(typed)
            except ValueError as error:
                self.refuse(str(error))
                self.query_one(_Line).select_all()
                return
        self.dismiss(typed or None)
