"""A lesson on one's mistakes, by keys: in nim, and in games that are solved."""

from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.play.analysis import MoveValue
from dungeon_tui.ui.play.learn import Learn
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.key_bar import KeyBar
from dungeon_tui.ui.widgets.timeline import MISTAKE
from tests.ui.driving import (
    dialog_text,
    dialogue,
    do,
    glyphs,
    last_message,
    sees,
    wait_until,
)
from tests.ui.nim import RECORDED, nim, recorded, taken


def learn_of(screen: PlayScreen) -> Learn:
    """The part that teaches."""
    assert screen.learn is not None
    return screen.learn


async def put(pilot: Pilot[Any], screen: PlayScreen, number: int) -> None:
    """The mistake of a number is put before one, with what is known of its moves."""
    await wait_until(
        pilot,
        lambda: (
            (lesson := learn_of(screen).lesson) is not None and lesson.number == number and bool(learn_of(screen).moves)
        ),
    )


async def tried(pilot: Pilot[Any], screen: PlayScreen, count: int) -> None:
    """So many wrong moves were tried."""
    await wait_until(pilot, lambda: (lesson := learn_of(screen).lesson) is not None and len(lesson.tried) == count)


async def is_over(pilot: Pilot[Any], screen: PlayScreen) -> None:
    """The present mistake's better move was found or shown."""
    await wait_until(pilot, lambda: (lesson := learn_of(screen).lesson) is not None and lesson.is_over)


@pytest.mark.parametrize(
    ("loss", "losing", "unit", "text"),
    [
        (1, "", "", "1 worse"),
        (1, "", "heart", "1 heart worse"),
        (0, "", "heart", "0"),
        (None, "", "", "cost unknown"),
        (2, "lost in 5", "", "lost in 5"),
    ],
)
def test_a_mistake_is_named_with_its_loss_in_words(loss: int | None, losing: str, unit: str, text: str) -> None:
    move = MoveValue(1, Cell(0, 0), loss, losing, "Attic", unit)  # on a map "+1" is the cost of a room
    assert move.named == f"Attic ({text})"


async def test_ones_own_mistakes_are_mended_one_by_one_and_nothing_stays_of_it() -> None:
    async with nim(load=recorded) as (pilot, screen):
        played, star = MISTAKE, screen.glyphs.star
        await do(pilot, "go_to_turn", "2", "enter")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 4)
        before = screen.session.line.turns[:]
        branches = [turn.branches[:] for turn in before]
        await pilot.press("L")
        await put(pilot, screen, 1)
        await sees(pilot, "1 of 3, a mistake (!): ")
        assert screen.controller.turn is before[0]
        assert (glyphs(screen)[0][2], star in glyphs(screen)[0]) == (played, False)
        await pilot.press("right")  # what was played
        await tried(pilot, screen, 1)
        assert screen.controller.turn is before[0]
        assert star not in glyphs(screen)[0]
        await pilot.press("e")  # no move at all
        for key in ("c", "A", "backspace", "left_square_bracket", "r", "p"):  # they would lead out of it
            screen.messages.end_transient()
            await pilot.press(key)
            await wait_until(pilot, lambda: "The lesson has no such key" in last_message(screen))
            assert screen.controller.turn is before[0]
            assert learn_of(screen).lesson is not None
        await pilot.press("left")  # the better one
        await is_over(pilot, screen)
        assert taken(screen) == [1]
        await pilot.press("left")  # no move of the game
        assert taken(screen) == [1]

        await pilot.press("right_curly_bracket")
        await put(pilot, screen, 2)
        assert screen.controller.turn is before[4]
        await pilot.press("slash")
        await is_over(pilot, screen)
        assert glyphs(screen)[0][1:3] == played + star
        await pilot.press("right")  # too late to be counted
        await wait_until(pilot, lambda: taken(screen) == [*RECORDED[:4], 2])
        await pilot.press("enter")
        await put(pilot, screen, 3)
        assert screen.controller.turn is before[6]
        await pilot.press("right")
        await is_over(pilot, screen)
        await pilot.press("enter")
        await wait_until(pilot, lambda: learn_of(screen).lesson is None and "2 of 3" in last_message(screen))
        assert (screen.controller.turn, screen.session.line.turns) == (before[4], before)
        assert [turn.branches for turn in before] == branches
        assert screen.session.is_looking_back
        await sees(pilot, "Move 2 of 4")


async def test_after_a_right_answer_you_can_play_on_from_there() -> None:
    async with nim(load=recorded) as (pilot, screen):
        await pilot.press("L")
        await put(pilot, screen, 1)
        await pilot.press("right_curly_bracket")
        await put(pilot, screen, 2)
        await pilot.press("right")
        await is_over(pilot, screen)
        await pilot.press("p")
        await wait_until(pilot, lambda: len(taken(screen)) > 5)  # the strategy answers
        assert taken(screen)[:5] == [*RECORDED[:4], 2]
        assert not any("play on from here" in text for text in screen.messages.texts)  # it goes with the next turn
        session = screen.session
        assert (learn_of(screen).is_on, session.variation, session.is_looking_back) == (False, None, False)


@pytest.mark.parametrize("key", ["q", "go_to_turn"])
async def test_keys_that_lead_elsewhere_end_a_lesson(key: str) -> None:
    async with nim(load=recorded) as (pilot, screen):
        before = screen.session.line.turns[:]
        await pilot.press("L")
        await put(pilot, screen, 1)
        await pilot.press("left")
        await is_over(pilot, screen)
        await do(pilot, key, *(["4", "enter"] if key == "go_to_turn" else []))
        await wait_until(pilot, lambda: learn_of(screen).lesson is None and pilot.app.screen is screen)
        if key != "go_to_turn":
            await wait_until(pilot, lambda: "1 of 3" in last_message(screen))
        assert (screen.session.variation, screen.session.line.turns) == (None, before)
        assert screen.controller.turn.ply == (8 if key == "go_to_turn" else 0)
        await pilot.press("slash")  # a hint again
        await wait_until(pilot, lambda: last_message(screen) == "Leave three.")


async def test_the_end_page_comes_back_after_a_lesson_and_by_its_key() -> None:
    async with nim(4, second="you") as (pilot, screen):
        while screen.session.outcome is None:
            await pilot.press("left")
            await pilot.pause()
        for first, way_back in (("L", ["L"]), ("escape", ["left_square_bracket", "E"]), ("escape", ["L"])):
            await dialogue(pilot)
            await pilot.press(first)
            await wait_until(pilot, lambda: pilot.app.screen is screen)
            if way_back == ["L"]:
                if first == "escape":  # a lesson while you look back
                    await wait_until(pilot, lambda: screen.board.is_on)
                    await pilot.press("L")
                await put(pilot, screen, 1)
            await pilot.press(*way_back)
        await dialogue(pilot)
        assert screen.controller.turn is screen.session.line.turns[-1]
        await pilot.press("backspace")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        assert "command('end_page')" not in [action for *_, action in screen.query_one("#keys", KeyBar).entries]


async def test_the_end_page_says_that_there_is_nothing_to_learn_and_the_footer_offers_the_analysis_again() -> None:
    async with nim(2) as (pilot, screen):
        await pilot.press("right")
        await dialogue(pilot)
        await pilot.press("L")
        await wait_until(pilot, lambda: "Nothing to learn" in dialog_text(pilot.app.screen))
        await pilot.press("A")  # as Esc: it looks back first
        await wait_until(pilot, lambda: screen.board.is_on)
        await pilot.press("A")
        labels = [label for _, label, _ in screen.query_one("#keys", KeyBar).entries]
        assert labels[:6] == ["Help", "Leave", "Back", "End page", "Analysis", "Learn"]
