"""Dialogues over the game: a question with a few answers, and a line to type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label


@dataclass(frozen=True, slots=True)
class Answer:
    """One way out of a dialogue: its key, its label, and what it returns."""

    key: str
    label: str
    value: str


class ChoiceDialog(ModalScreen[str]):
    """A question with answers; arrows and Enter choose, or an answer's own key. Escape gives the last answer."""

    DEFAULT_CSS = """
    ChoiceDialog { align: center middle; background: $map-back 60%; }
    ChoiceDialog > Vertical {
        width: auto; min-width: 36; max-width: 70; height: auto; padding: 1 3; background: $panel;
        border: round $wall;
    }
    ChoiceDialog Label { width: auto; max-width: 62; }
    ChoiceDialog .title { text-style: bold; color: $note; margin-bottom: 1; }
    ChoiceDialog Horizontal { width: auto; height: auto; margin-top: 1; }
    ChoiceDialog Button { margin-right: 2; min-width: 10; }
    """
    BINDINGS = [
        Binding("left,h", "app.focus_previous", show=False),
        Binding("right,l", "app.focus_next", show=False),
        Binding("escape", "last", show=False),
    ]

    def __init__(self, title: str, text: str, answers: Sequence[Answer]) -> None:
        super().__init__()
        self._heading, self._text, self._answers = title, text, tuple(answers)

    def compose(self) -> ComposeResult:
        """The text, and a button an answer."""
        with Vertical():
            yield Label(Content(self._heading), classes="title")
            yield Label(Content(self._text))
            with Horizontal():
                for index, answer in enumerate(self._answers):
                    label = Content.assemble(answer.label, " ", Content.styled(f"({answer.key})", "dim"))
                    yield Button(label, id=f"answer-{index}", compact=False)

    def on_mount(self) -> None:
        """Where the app draws in ASCII, so does the dialogue."""
        self.set_class(getattr(self.app, "is_ascii", False), "-ascii")

    def key_answers(self) -> dict[str, str]:
        """What each key returns."""
        return {answer.key: answer.value for answer in self._answers}

    def on_key(self, event: object) -> None:
        """An answer's own key."""
        value = self.key_answers().get(getattr(event, "character", None) or "")
        if value is not None:
            self.dismiss(value)

    def action_last(self) -> None:
        """The answer that changes nothing."""
        self.dismiss(self._answers[-1].value)

    @on(Button.Pressed)
    def _choose(self, event: Button.Pressed) -> None:
        self.dismiss(self._answers[int((event.button.id or "answer-0").removeprefix("answer-"))].value)


class LineDialog(ModalScreen[str | None]):
    """A line to type; None when it was left."""

    DEFAULT_CSS = """
    LineDialog { align: center middle; background: $map-back 60%; }
    LineDialog > Vertical {
        width: 70; max-width: 90%; height: auto; padding: 1 3; background: $panel; border: round $wall;
    }
    LineDialog .title { text-style: bold; margin-bottom: 1; }
    """
    BINDINGS = [Binding("escape", "leave", show=False)]

    def __init__(self, title: str, text: str, placeholder: str = "") -> None:
        super().__init__()
        self._heading, self._text, self._placeholder = title, text, placeholder

    def compose(self) -> ComposeResult:
        """The question and the line."""
        with Vertical():
            yield Label(Content(self._heading), classes="title")
            yield Label(Content(self._text))
            yield Input(placeholder=self._placeholder)

    def action_leave(self) -> None:
        """Nothing was typed."""
        self.dismiss(None)

    @on(Input.Submitted)
    def _done(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)
