"""The memoised recursion at work: the tree of its questions grows, and wrong answers stand out."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from dungeon_tui.core.words import counted, in_words
from dungeon_tui.games.expedition.ai.recursion import Happening, Kind, Question
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.view import recursion as words
from dungeon_tui.ui.keys import LOOKING, Key, as_bound, footer_of
from dungeon_tui.ui.widgets.key_bar import KeyBar

_STEP_TIME_S = 0.15


def _key(id: str, keys: str, shown: str, label: str, action: str, footer: int = 0) -> Key:
    return Key(f"watch.{id}", keys, shown, label, "", LOOKING, footer, action)


KEYS = (
    _key("leave", "q,escape", "q", "Leave", "leave", 1),
    _key("on", "right_square_bracket,right,l", "]", "Step", "step(1)", 2),
    _key("back", "left_square_bracket,left,h", "[", "Back", "step(-1)", 3),
    _key("up", "up,k", "↑", "Up", "scroll(-1)"),
    _key("down", "down,j", "↓", "Down", "scroll(1)"),
    _key("play", "p,space", "p", "Play, pause", "play_pause", 4),
    _key("slip", "w", "w", "Next wrong answer", "next_slip", 5),
    _key("begin", "r,home", "r", "Restart", "go_to(0)", 6),
    _key("end", "end", "End", "The end", "finish", 7),
)


class RecursionScreen(Screen[None]):
    """The tree of the questions asked so far; the current one stays in view."""

    DEFAULT_CSS = """
    RecursionScreen { background: $map-back; color: $note; }
    RecursionScreen Static { padding: 0 1; }
    RecursionScreen #title { text-style: bold; }
    RecursionScreen #tree { height: 1fr; margin-top: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    RecursionScreen #now { color: $path; height: 3; }
    """
    BINDINGS = [key.binding() for key in KEYS]

    def __init__(self, level: Level, happenings: Sequence[Happening]) -> None:
        super().__init__()
        self._level, self._happenings = level, happenings
        self.at = 0  # index of the current event
        self.is_playing = False
        self._scrolled = 0  # lines away from the current question

    def compose(self) -> ComposeResult:
        yield Static(f"The memoised recursion: {in_words(self._level.name)}", id="title", markup=False)
        yield Static(words.INTRODUCTION, markup=False)
        yield Static(id="tree", markup=False)
        yield Static(id="now", markup=False)
        yield KeyBar([])

    def on_mount(self) -> None:
        self.set_interval(_STEP_TIME_S, self._tick)
        self.settings_changed()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def settings_changed(self) -> None:
        shown = footer_of(as_bound(self, KEYS))
        self.query_one(KeyBar).show([(key.shown, key.label, key.action) for key in shown])

    @property
    def present(self) -> Happening:
        """The current event."""
        return self._happenings[self.at]

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_play_pause(self) -> None:
        self.is_playing = not self.is_playing

    def action_step(self, steps: int) -> None:
        self.is_playing = False
        self.action_go_to(self.at + steps)

    def action_finish(self) -> None:
        self.action_go_to(len(self._happenings) - 1)

    def action_next_slip(self) -> None:
        """Goes to the next wrong answer that is stored; if there is none, to the end."""
        self.is_playing = False
        later = range(self.at + 1, len(self._happenings))
        wrong = (at for at in later if self._happenings[at][1] and self._happenings[at][0].is_wrong)
        self.action_go_to(next(wrong, len(self._happenings) - 1))

    def action_go_to(self, at: int) -> None:
        self.at, self._scrolled = min(max(0, at), len(self._happenings) - 1), 0
        self._show()

    def action_scroll(self, lines: int) -> None:
        self._scrolled += lines
        self._show()

    def _tick(self) -> None:
        if self.is_playing:
            self.is_playing = self.at < len(self._happenings) - 1
            self.action_go_to(self.at + 1)

    def _show(self) -> None:
        # Show the part of the tree around the current question, or where you scrolled to.
        room = max(1, self.query_one("#tree").size.height)
        now, is_answered = self.present
        passed = self._happenings[: self.at + 1]
        questions = [question for question, answered in passed if not answered]
        stored = [question for question, answered in passed if answered]
        known = {question.number for question in stored}
        middle = max(0, min(now.number - room // 2, len(questions) - room))
        first = max(0, min(middle + self._scrolled, len(questions) - room))
        self._scrolled = first - middle
        lines = [self._line(each, each.number in known, each is now) for each in questions[first : first + room]]
        self.query_one("#tree", Static).update(Content("\n").join(lines))

        # Put the current event and the count so far in words.
        text = f"{words.question_text(self._level, now)} = {words.answer_text(now)}."
        if now.kind is Kind.ASKED and not is_answered:
            text = f"{words.question_text(self._level, now)}. It asks its neighbours first."
        count = words.verdict_text(self._happenings)
        if self.at < len(self._happenings) - 1:
            wrong = sum(question.is_wrong for question in stored)
            answers = counted(len(stored), "answer")
            count = f"Step {self.at + 1} of {len(self._happenings)}: {answers} stored, {wrong} wrong."
        self.query_one("#now", Static).update(f"{'Answered' if is_answered else 'Asked'}: {text}\n{count}")

    def _line(self, question: Question, is_stored: bool, is_now: bool) -> Content:
        is_answered, style = is_stored or question.kind is not Kind.ASKED, "$note"
        if is_answered and question.kind is Kind.CIRCLE:
            style = "$magic"
        elif is_answered:
            style = "$foe" if question.is_wrong else "$way-out"
        text = words.line_text(self._level, question, is_stored)
        return Content.styled(f"{'>' if is_now else ' '} {text}", f"bold {style}" if is_now else style)
