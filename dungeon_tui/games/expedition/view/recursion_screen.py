"""The memoised recursion at work: the tree of its questions grows, and one sees where it believes too early."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from dungeon_tui.core.words import counted, in_words
from dungeon_tui.games.expedition.ai.recursion import Kind, Question
from dungeon_tui.games.expedition.model.level import Level
from dungeon_tui.games.expedition.view.recursion import (
    INTRODUCTION,
    Happening,
    answer_text,
    happenings,
    line_text,
    question_text,
    verdict_text,
)
from dungeon_tui.ui.keys import LOOKING, Key, as_bound, footer_of
from dungeon_tui.ui.widgets.key_bar import KeyBar

_TICK = 0.15  # seconds


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
    """The questions as a tree, as far as they were asked; the present one stays in view."""

    DEFAULT_CSS = """
    RecursionScreen { background: $map-back; color: $note; }
    RecursionScreen Static { padding: 0 1; }
    RecursionScreen #title { text-style: bold; }
    RecursionScreen #tree { height: 1fr; margin-top: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    RecursionScreen #now { color: $path; height: 3; }
    """
    BINDINGS = [key.binding() for key in KEYS]

    def __init__(self, level: Level, asked: list[Question]) -> None:
        super().__init__()
        self._level, self._asked = level, asked
        self._happenings: list[Happening] = [*happenings(asked)]
        self.at = 0  # the present happening
        self.is_playing = False
        self._scrolled = 0  # lines away from the present one

    def compose(self) -> ComposeResult:
        """Yields the title, the tree, what happens now, and the keys."""
        yield Static(f"The memoised recursion: {in_words(self._level.name)}", id="title", markup=False)
        yield Static(INTRODUCTION, markup=False)
        yield Static(id="tree", markup=False)
        yield Static(id="now", markup=False)
        yield KeyBar([])

    def on_mount(self) -> None:
        """Starts the clock."""
        self.set_interval(_TICK, self._tick)
        self.settings_changed()

    def on_resize(self) -> None:
        """Shows as much of the tree as there is room for."""
        self.call_after_refresh(self._show)

    def settings_changed(self) -> None:
        """Shows the keys by their names as they are bound now."""
        shown = footer_of(as_bound(self, KEYS))
        self.query_one(KeyBar).show([(key.shown, key.label, key.action) for key in shown])

    @property
    def present(self) -> Happening:
        """The question of the present step, and whether it is answered now."""
        return self._happenings[self.at]

    def action_leave(self) -> None:
        """Closes the screen."""
        self.dismiss(None)

    def action_play_pause(self) -> None:
        """Lets it go on by itself, or stops that."""
        self.is_playing = not self.is_playing

    def action_step(self, steps: int) -> None:
        """Goes so many steps on, or back if below 0."""
        self.is_playing = False
        self.action_go_to(self.at + steps)

    def action_finish(self) -> None:
        """Goes to the end."""
        self.action_go_to(len(self._happenings) - 1)

    def action_next_slip(self) -> None:
        """Goes on to the next answer that is kept and wrong; without any to the end."""
        self.is_playing = False
        later = range(self.at + 1, len(self._happenings))
        wrong = (at for at in later if self._happenings[at][1] and self._happenings[at][0].is_wrong)
        self.action_go_to(next(wrong, len(self._happenings) - 1))

    def action_go_to(self, at: int) -> None:
        """Shows the tree as it was after so many steps."""
        self.at, self._scrolled = min(max(0, at), len(self._happenings) - 1), 0
        self._show()

    def action_scroll(self, lines: int) -> None:
        """Shows other lines of the tree, as far as there are some."""
        self._scrolled += lines
        self._show()

    def _tick(self) -> None:
        if self.is_playing:
            self.is_playing = self.at < len(self._happenings) - 1
            self.action_go_to(self.at + 1)

    def _show(self) -> None:
        room = max(1, self.query_one("#tree").size.height)
        now, is_answered = self.present
        passed = self._happenings[: self.at + 1]
        asked = [question for question, answered in passed if not answered]
        answers = {question.number for question, answered in passed if answered or question.kind is not Kind.ASKED}
        middle = max(0, min(now.number - room // 2, len(asked) - room))
        first = max(0, min(middle + self._scrolled, len(asked) - room))
        self._scrolled = first - middle
        lines = [self._line(each, each.number in answers, each is now) for each in asked[first : first + room]]
        self.query_one("#tree", Static).update(Content("\n").join(lines))
        self.query_one("#now", Static).update("\n".join(self._told(now, is_answered, passed)))

    def _line(self, question: Question, is_answered: bool, is_now: bool) -> Content:
        style = "$note"
        if is_answered and question.kind is Kind.CIRCLE:
            style = "$magic"
        elif is_answered:
            style = "$foe" if question.is_wrong else "$way-out"
        text = line_text(self._level, question, is_answered)
        return Content.styled(f"{'>' if is_now else ' '} {text}", f"bold {style}" if is_now else style)

    def _told(self, now: Question, is_answered: bool, passed: list[Happening]) -> Iterator[str]:
        """Lines on the present step, and how it stands."""
        what = question_text(self._level, now)
        if is_answered:
            yield f"Answered: {what} = {answer_text(now)}."
        elif now.kind is Kind.ASKED:
            yield f"Asked: {what}. Its neighbours are asked first."
        else:
            yield f"Asked: {what} = {answer_text(now)}."
        kept = [question for question, answered in passed if answered]
        wrong = sum(question.is_wrong for question in kept)
        if self.at == len(self._happenings) - 1:
            yield verdict_text(self._asked)
        else:
            yield f"Step {self.at + 1} of {len(self._happenings)}: {counted(len(kept), 'answer')} kept, {wrong} wrong."
