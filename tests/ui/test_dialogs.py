"""Dialogues: what Enter gives, and what keys that were meant for the game can't do."""

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.events import Paste
from textual.widgets import Input

from dungeon_tui.ui.palette import themes
from dungeon_tui.ui.widgets.dialogs import QUIET, Answer, ChoiceDialog, LineDialog, Mood, PasteInput, Pause
from dungeon_tui.ui.widgets.key_bar import KeyBar
from tests.clock import Clock
from tests.ui.driving import (
    painted,
    running,
    shown_lines,
    wait_until,
    words,
)
from tests.ui.nim import nim

ANSWERS = Answer("r", "Replace it", "replace"), Answer("backspace,ctrl+z", "Undo", "undo"), Answer("n", "Keep", "keep")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(Pause, "clock", clock)
    return clock


async def test_each_key_gives_its_answer_and_enter_the_last_one() -> None:
    given: list[str | None] = []
    async with nim() as (pilot, _):
        for key in ("r", "R", "backspace", "ctrl+z", "n", "enter", "escape"):
            await pilot.app.push_screen(ChoiceDialog("This file exists", "It would be lost.", ANSWERS), given.append)
            await pilot.press("x", "right", key)
    assert given == ["replace", "replace", "undo", "undo", "keep", "keep", "keep"]


async def test_a_sudden_dialogue_takes_letters_at_once_and_other_keys_after_a_quiet_moment(clock: Clock) -> None:
    given: list[str | None] = []
    async with nim() as (pilot, _):
        for last in ("r", "enter"):
            question = ChoiceDialog("The end", "It is over.", ANSWERS, is_sudden=True)
            await pilot.app.push_screen(question, given.append)
            await painted(question)
            for key in ("enter", "escape", "backspace", "s"):  # the first one comes with the dialogue
                await pilot.press(key)
                clock.now += QUIET * 0.9
            assert len(given) == (last == "enter")
            clock.now += 2 * QUIET if last == "enter" else 0
            await pilot.press(last)
    assert given == ["replace", "keep"]


async def test_a_prompt_and_what_is_wrong_with_the_line_are_shown_whole() -> None:
    text = "To which file? NAME.txt, or NAME1.txt, NAME2.txt ... for the levels of a dungeon."
    trouble = "bad/tile1.txt:4:5: unknown tile 'x': the tiles are - + $ @ M ? !"

    def check(typed: str) -> None:
        raise ValueError(trouble)

    async with nim(size=(40, 24)) as (pilot, _):
        pilot.app.push_screen(LineDialog("Save the level", text, check=check))
        await wait_until(pilot, lambda: pilot.app.screen.query(Input))

        def inside() -> str:
            place = pilot.app.screen.query_one(Vertical).region
            return words(" ".join(line[place.x : place.right] for line in shown_lines(pilot.app)))

        await wait_until(pilot, lambda: text in inside())
        await pilot.press("x", "enter")
        await wait_until(pilot, lambda: trouble in inside())


class Lines(App[None]):
    """An app with a line to type."""

    def compose(self) -> ComposeResult:
        yield PasteInput("ab")


async def test_pasted_lines_are_one_line_that_has_an_end() -> None:
    app = Lines()
    async with running(app) as pilot:
        line = app.query_one(PasteInput)
        line.cursor_position = 1
        app.post_message(Paste("one\n\n two\t"))
        await wait_until(pilot, lambda: line.value == "aone twob")
        for text in ("x" * 100_000, "y" * 10):
            app.post_message(Paste(text))
            await pilot.pause()
            await wait_until(pilot, lambda: len(line.value) == PasteInput.MOST)
        assert "y" not in line.value
        line.select_all()
        app.post_message(Paste("other"))
        await wait_until(pilot, lambda: line.value == "other")


@pytest.mark.parametrize(
    ("rows", "is_above"),
    [
        (range(0), False),  # over the log rather than the map
        (range(3), False),
        (range(12, 15), False),
        (range(18, 21), True),
    ],
)
async def test_in_a_low_terminal_a_dialogue_has_nine_lines_at_most_and_leaves_the_rows_visible_that_matter(
    rows: range, is_above: bool
) -> None:
    async with nim(size=(80, 24)) as (pilot, _):
        question = ChoiceDialog("The end", "\n".join(["A result."] * 6), ANSWERS)
        question.rows_to_keep_visible = rows
        await pilot.app.push_screen(question)
        await painted(question)
        box = question.query_one("ChoiceDialog > Vertical")
        assert box.outer_size.height <= 9
        await wait_until(pilot, lambda: box.region.y == 0 if is_above else box.region.bottom == 24)


async def test_the_goal_has_one_place_the_panel_or_the_log() -> None:
    async with nim(size=(120, 24)) as (_, screen):
        goal = screen.view.facts(screen.session.turn).goal
        assert goal in str(screen.panel.render())
        assert goal not in screen.messages.texts
    async with nim(size=(80, 24)) as (_, screen):
        goal = screen.view.facts(screen.session.turn).goal
        assert (goal in screen.messages.texts, goal in str(screen.status.render())) == (True, False)


async def test_the_footer_leaves_out_what_would_be_refused() -> None:
    async with nim() as (pilot, screen):
        shown = [{label for _, label, _ in screen.query_one("#keys", KeyBar).entries}]
        await pilot.press("left")
        shown.append({label for _, label, _ in screen.query_one("#keys", KeyBar).entries})
        assert shown[1] - shown[0] == {"Undo", "Restart", "Why"}


async def test_a_triumph_has_its_pictures_in_our_themes_and_in_dark_and_light_ones_of_others() -> None:
    async with nim() as (pilot, _):
        for theme in (*(theme.name for theme in themes()), "nord", "textual-light"):
            pilot.app.theme = theme
            question = ChoiceDialog("You won", "", ANSWERS)
            question.dress(Mood.TRIUMPH, has_sprites=True)
            await pilot.app.push_screen(question)
            await painted(question)
            assert question.query(".figures")
            await pilot.press("n")
