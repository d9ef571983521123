"""Dialogues over the game: a question with a few answers, and a line to type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from dungeon_tui.core.words import sentence
from dungeon_tui.ui.key_bar import KeyBar, rows_of

_WIDEST, _FRAME = 76, 8  # columns of a choice, and those that its frame takes


@dataclass(frozen=True, slots=True)
class Answer:
    """One way out of a dialogue: its key, its label, and what it returns."""

    key: str
    label: str
    value: str


class ChoiceDialog(ModalScreen[str]):
    """A question with answers: each has a key, Enter gives the first one, Escape the last."""

    DEFAULT_CSS = """
    ChoiceDialog { align: center bottom; background: $map-back 30%; }
    ChoiceDialog > Vertical {
        width: auto; min-width: 36; max-width: 76; height: auto; padding: 1 3; margin-bottom: 1; background: $panel;
        border: round $frame;
    }
    ChoiceDialog .answers { width: auto; height: auto; margin-top: 1; }
    ChoiceDialog Label { width: auto; max-width: 68; }
    ChoiceDialog .title { text-style: bold; margin-bottom: 1; }
    ChoiceDialog KeyBar { dock: none; width: auto; padding: 0; }
    ChoiceDialog.-low > Vertical { padding: 0 3; margin-bottom: 0; }
    """
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]
    BINDINGS = [
        Binding("enter", "answer(0)", show=False),
        Binding("escape", "answer(-1)", show=False),
    ]

    def __init__(
        self, title: str, text: str, answers: Sequence[Answer], placed: Callable[[int], object] | None = None
    ) -> None:
        """What to ask.

        Args:
            title: the heading.
            text: the question.
            answers: how it can be left.
            placed: told the first line that the dialogue takes, each time it finds its place.
        """
        super().__init__()
        self._heading, self._text, self._answers, self._placed = title, text, tuple(answers), placed

    def compose(self) -> ComposeResult:
        """The text, and the answers in as many lines as they need."""
        with Vertical():
            yield Label(Content(self._heading), classes="title")
            yield Label(Content(self._text))
            entries = [
                (f"{answer.key}, Enter" if index == 0 else answer.key, answer.label, f"answer({index})")
                for index, answer in enumerate(self._answers)
            ]
            with Vertical(classes="answers"):
                for row in rows_of(entries, min(self.app.size.width, _WIDEST) - _FRAME):
                    yield KeyBar(row)

    def on_resize(self) -> None:
        """Tells where it stands, once it does."""
        if self._placed is not None:
            self.call_after_refresh(self._tell_place, self._placed)

    def _tell_place(self, placed: Callable[[int], object]) -> None:
        placed(self.query_one(Vertical).region.y)

    def on_key(self, event: events.Key) -> None:
        """An answer's own key, as a small letter or as the capital that it is elsewhere."""
        for answer in self._answers:
            if event.character in (answer.key, answer.key.upper()):
                event.stop()
                self.dismiss(answer.value)
                return

    def action_answer(self, index: int) -> None:
        """Gives an answer, by its place."""
        self.dismiss(self._answers[index].value)


class PasteInput(Input):
    """A line to type; of a text of several lines that is pasted all count, parted by blanks."""

    def _on_paste(self, event: events.Paste) -> None:
        self.replace(" ".join(event.text.split()), *self.selection)
        event.prevent_default()
        event.stop()


class LineDialog(ModalScreen[str | None]):
    """A line to type; None when it was left. What is wrong with it is said, and it can be typed again."""

    DEFAULT_CSS = """
    LineDialog { align: center bottom; background: $map-back 40%; }
    LineDialog > Vertical {
        width: 70; max-width: 90%; height: auto; padding: 1 3; margin-bottom: 1; background: $panel;
        border: round $frame;
    }
    LineDialog .title { text-style: bold; margin-bottom: 1; }
    LineDialog Input { margin-top: 1; border: none; height: 1; padding: 0 1; background: $map-back; }
    LineDialog Input:focus { border: none; }
    LineDialog .trouble { color: $foe; display: none; margin-top: 1; }
    """
    BINDINGS = [Binding("escape", "leave", show=False)]

    def __init__(
        self, title: str, text: str, placeholder: str = "", check: Callable[[str], object] | None = None
    ) -> None:
        """What to ask.

        Args:
            title: the heading.
            text: the question.
            placeholder: an example.
            check: raises ValueError, which says what is wrong with a line.
        """
        super().__init__()
        self._heading, self._text, self._placeholder, self._check = title, text, placeholder, check

    def compose(self) -> ComposeResult:
        """The question and the line."""
        with Vertical():
            yield Label(Content(self._heading), classes="title")
            yield Label(Content(self._text))
            yield PasteInput(placeholder=self._placeholder)
            yield Label(classes="trouble")

    def action_leave(self) -> None:
        """Nothing was typed."""
        self.dismiss(None)

    @on(Input.Submitted)
    def _done(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        if typed and self._check is not None:
            try:
                self._check(typed)
            except ValueError as error:
                trouble = self.query_one(".trouble", Label)
                trouble.update(Content(sentence(str(error))))
                trouble.display = True
                event.input.select_all()
                return
        self.dismiss(typed or None)
