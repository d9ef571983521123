"""Dialogues over the game: a question with a few answers, and a line to type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from time import monotonic

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from dungeon_tui.core.words import sentence
from dungeon_tui.ui.glyphs import UNICODE, Glyphs
from dungeon_tui.ui.map import sprites
from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.widgets.key_bar import KeyBar, rows_of

_WIDEST, _FRAME = 76, 8  # columns of a choice, and those that its frame takes
QUIET = 0.3  # seconds without a key, after which keys are meant for a dialogue that opened by itself
_SHOWN = {"backspace": "⌫"}  # keys that are no characters


@dataclass(frozen=True, slots=True)
class Answer:
    """One way out of a dialogue: its keys, its label, and what it returns."""

    keys: str  # as Textual names them; a small letter also as the capital that it is elsewhere; the first one is shown
    label: str
    value: str

    @property
    def shown(self) -> str:
        """Its first key as people read it."""
        key = self.keys.split(",")[0]
        return _SHOWN.get(key, key)

    def is_given_by(self, event: events.Key) -> bool:
        """True if the key pressed gives this answer."""
        keys = self.keys.split(",")
        return event.key in keys or any(event.character in (key, key.upper()) for key in keys if len(key) == 1)


class Mood(Enum):
    """The occasion of a dialogue, which colours and adorns it."""

    QUESTION = ""
    TRIUMPH = "-triumph"
    DEFEAT = "-defeat"


_FIGURES = {
    Mood.TRIUMPH: (("treasure", Meaning.PRIZE), ("hero", Meaning.YOU), ("treasure", Meaning.PRIZE)),
    Mood.DEFEAT: (("monster", Meaning.FOE),),
}


class ChoiceDialog(ModalScreen[str]):
    """A question with answers: each has a key; Enter gives the last one, and Escape too if it isn't another one's.

    Those must lose nothing.

    A dialogue that opens by itself while somebody plays is `sudden`: keys that were meant for the game must not answer
    it. None of its keys is one of those that move, and it takes keys only when there was none for a moment.
    """

    clock = staticmethod(monotonic)  # seconds
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]
    BINDINGS = [
        Binding("enter,escape", "answer(-1)", show=False),
    ]

    def __init__(
        self,
        title: str,
        text: str,
        answers: Sequence[Answer],
        *,
        is_sudden: bool = False,
        is_leaving: bool = False,
        glyphs: Glyphs = UNICODE,
        spared: range = range(0),
        mood: Mood = Mood.QUESTION,
        has_sprites: bool = False,
    ) -> None:
        """Asks a question.

        Args:
            title: the heading.
            text: the question.
            answers: how it can be left; the last one loses nothing.
            is_sudden: whether it opens by itself.
            is_leaving: True if it asks whether the screen below may be left.
            glyphs: spell the names of keys.
            spared: lines of the terminal that it doesn't cover where it can lie above them instead of below.
            mood: its occasion.
            has_sprites: whether its occasion is drawn, too.
        """
        super().__init__(classes=mood.value)
        self._figures = _FIGURES.get(mood, ()) if has_sprites else ()
        self._heading, self._text, self._answers, self._spared = title, text, tuple(answers), spared
        self._is_sudden, self.is_leaving, self._glyphs = is_sudden, is_leaving, glyphs
        self._heard: float | None = None  # when a key came last, at first when it was shown; None: it is not shown yet

    def compose(self) -> ComposeResult:
        """Yields title, text, and room for the answers."""
        with Vertical():
            if self._figures:
                yield Static(sprites.picture(self._figures, self.app.theme_variables, "panel"), classes="figures")
            yield Label(Content(self._heading), classes="title")
            yield Label(Content(self._text))
            yield Vertical(classes="answers")

    async def on_resize(self) -> None:
        """Lays the answers out in rows that fit, and the dialogue where it hides least, seen once it has its place."""
        spell = self._glyphs.plain
        last = len(self._answers) - 1
        entries = [
            (spell(f"{answer.shown}, Enter" if index == last else answer.shown), answer.label, f"answer({index})")
            for index, answer in enumerate(self._answers)
        ]
        width = min(self.app.size.width, _WIDEST) - _FRAME
        for label in self.query(Label):
            label.styles.max_width = width
        rows = self.query_one(".answers")
        await rows.remove_children()
        await rows.mount_all(KeyBar(row) for row in rows_of(entries, width))
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Shows the dialogue, and notes the time: keys that come too soon after it are ignored."""
        if not self.is_current:  # it was answered meanwhile
            return
        box = self.query_one("ChoiceDialog > Vertical")
        covered = self.app.size.height - box.outer_size.height
        is_above = bool(self._spared) and covered < self._spared.stop and self._spared.start >= box.outer_size.height
        self.styles.align_vertical = "top" if is_above else "bottom"
        box.styles.visibility = "visible"
        if self._heard is None:
            self._heard = self.clock()

    def _is_quiet(self) -> bool:
        """True if no key came for a moment before this one; the next is measured from here on."""
        before, self._heard = self._heard, self.clock()
        return before is not None and self._heard - before >= QUIET

    def on_key(self, event: events.Key) -> None:
        """Closes the dialogue with the answer of a key; a sudden one ignores keys that come too soon, Enter too."""
        if self._is_sudden and not self._is_quiet():
            event.stop()
            event.prevent_default()
            return
        for answer in self._answers:
            if answer.is_given_by(event):
                event.stop()
                self.dismiss(answer.value)
                return

    def action_answer(self, index: int) -> None:
        """Closes the dialogue with an answer, by its place; -1: the last one."""
        self.dismiss(self._answers[index].value)


class PasteInput(Input):
    """A line to type; of a text of several lines that is pasted all count, parted by blanks, until the line is full."""

    MOST = 5_000  # characters, more than any path, name or code has: Textual keeps several copies of each as drawn

    def _on_paste(self, event: events.Paste) -> None:
        room = self.MOST - len(self.value) + len(self.selected_text)
        self.replace(" ".join(event.text.split())[: max(0, room)], *self.selection)
        event.prevent_default()
        event.stop()


class LineDialog(ModalScreen[str | None]):
    """A line to type; None when it was left. What is wrong with it is said, and it can be typed again."""

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
    ) -> None:
        """Asks a question.

        Args:
            title: the heading.
            text: the question.
            placeholder: an example.
            check: raises ValueError, which says what is wrong with a line.
            typed: a line that was typed before.
            trouble: what was wrong with that.
        """
        super().__init__()
        self._heading, self._text, self._placeholder, self._check = title, text, placeholder, check
        self._typed, self._trouble = typed, trouble

    def compose(self) -> ComposeResult:
        """Yields the question, the line to type, and room for what is wrong with it."""
        with Vertical():
            yield Label(Content(self._heading), classes="title")
            yield Label(Content(self._text))
            yield PasteInput(self._typed, placeholder=self._placeholder)
            yield Label(classes="trouble")

    def on_mount(self) -> None:
        """Says what was wrong with the line typed before, if there was one."""
        if self._trouble:
            self._refuse(self._trouble)

    def _refuse(self, trouble: str) -> None:
        """Says what is wrong with the line, which can be typed again."""
        label = self.query_one(".trouble", Label)
        label.update(Content(sentence(trouble)))
        label.display = True
        self.query_one(Input).select_all()

    def action_leave(self) -> None:
        """Closes the dialogue; its result is None."""
        self.dismiss(None)

    @on(Input.Submitted)
    def _done(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        if typed and self._check is not None:
            try:
                self._check(typed)
            except ValueError as error:
                self._refuse(str(error))
                return
        self.dismiss(typed or None)
