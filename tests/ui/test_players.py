"""Seats, strategies, undo over both sides, taking over; and the exact judgement of what was played. Shown by nim."""

from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.ui.play.overlay import SPEEDS
from dungeon_tui.ui.play.screen import PlayScreen
from dungeon_tui.ui.widgets.form_dialog import FieldList
from dungeon_tui.ui.widgets.timeline import MISTAKE, WIDEST, Timeline
from tests.ui.driving import dialogue, do, glyphs, last_message, painted, saved_recordings, sees, wait_until
from tests.ui.nim import ask_players, nim, ply_is, recorded, recording_of, seats, taken

FASTEST = len(SPEEDS) - 1


async def test_strategies_answer_and_begin_and_whoever_is_not_named_is_a_person() -> None:
    async with nim(second="perfect") as (pilot, screen):
        assert seats(screen) == {"first": "you", "second": "perfect"}
        await pilot.press("left")
        await ply_is(pilot, screen, 2)
        assert taken(screen) == [1, 1]
        await pilot.press("right")
        await ply_is(pilot, screen, 4)
        assert screen.view.asked == [(1, "perfect"), (3, "perfect")]
    async with nim(first="perfect") as (pilot, screen):
        await ply_is(pilot, screen, 1)
        assert taken(screen) == [1]
    async with nim() as (pilot, screen):
        await pilot.press("left", "right", "left")
        assert taken(screen) == [1, 2, 1]
        assert screen.view.asked == []


async def test_a_key_before_the_strategy_has_begun_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = PlayScreen._begin
    monkeypatch.setattr(PlayScreen, "_begin", lambda screen: None)
    async with nim(first="perfect") as (pilot, screen):
        await pilot.press("right")
        assert taken(screen) == []
        begin(screen)
        await ply_is(pilot, screen, 3)
        assert taken(screen) == [1, 2, 1]
        assert seats(screen) == {"first": "perfect", "second": "you"}


async def test_a_refused_move_is_reported_and_a_strategy_that_fails_gives_up_its_seat() -> None:
    async with nim(second="broken") as (pilot, screen):
        await pilot.press("up")
        assert last_message(screen) == "You can't take 9."
        assert (screen.controller.turn.ply, screen.view.asked) == (0, [])
        await pilot.press("left")
        await wait_until(pilot, lambda: last_message(screen) == "The broken one is broken.")
        await pilot.press("left")
        assert taken(screen) == [1, 1]
        assert seats(screen)["second"] == "you"


async def test_while_a_strategy_thinks_the_screen_lives_and_moves_wait_but_a_held_key_only_twice() -> None:
    async with nim(20, second="slow") as (pilot, screen):
        await pilot.press("left")
        await wait_until(pilot, lambda: screen.view.asked)
        said = len(screen.messages.texts)
        await pilot.press("left", "left", "left", "right")
        assert len(screen.messages.texts) == said
        assert taken(screen) == [1]
        screen.view.gate.set()
        await ply_is(pilot, screen, 8)
        assert taken(screen) == [1, 1, 1, 1, 1, 1, 2, 1]


@pytest.mark.parametrize("key", ["backspace", "slash"])
async def test_with_the_next_key_a_choice_comes_too_late_and_a_move_that_waits_is_forgotten(key: str) -> None:
    async with nim(20, second="slow") as (pilot, screen):
        await pilot.press("left")
        await wait_until(pilot, lambda: screen.view.asked)
        await pilot.press("right", key)
        screen.view.gate.set()
        await pilot.pause(0.05)
        assert 2 not in taken(screen)
        if key == "backspace":
            assert screen.controller.turn.ply == 0
            await pilot.press("right")
            await ply_is(pilot, screen, 2)
            assert taken(screen) == [2, 1]


async def test_a_strategy_thinks_anew_only_once_its_last_thought_has_ended() -> None:
    async with nim(20, second="slow") as (pilot, screen):
        for _ in range(4):
            await pilot.press("left", "backspace")
        await pilot.press("left")
        await pilot.pause(0.05)
        assert screen.view.thinking == 1
        assert taken(screen) == [1]
        screen.view.gate.set()
        await ply_is(pilot, screen, 2)
        assert screen.view.most_thinking == 1
        assert len(screen.view.asked) <= 2  # those in between were no longer wanted


async def test_two_strategies_play_by_themselves_to_the_end_and_no_dialogue_opens() -> None:
    async with nim(first="greedy", second="perfect") as (pilot, screen):
        screen.seats.pace = FASTEST
        await wait_until(pilot, lambda: screen.controller.outcome and not screen.seats.is_playing)
        assert pilot.app.screen is screen
        assert screen.controller.outcome.reason in last_message(screen)
        assert {ply for ply, _ in screen.view.asked} == set(range(screen.controller.turn.ply))
        assert screen.query_one(Timeline).display
        before = screen.session.turn
        await ask_players(pilot)
        await pilot.press("left", "enter")  # others, after the end: they play from the start, not the old turns again
        await wait_until(pilot, lambda: screen.session.turn is not before and screen.session.outcome)
        assert seats(screen)["first"] == "perfect"
        assert before not in screen.session.line.turns


async def test_watching_goes_on_at_any_speed_pauses_and_steps_and_a_dialogue_holds_it_up() -> None:
    async with nim(400, first="greedy", second="greedy") as (pilot, screen):
        await sees(pilot, f"{SPEEDS[2]} moves a second")
        await do(pilot, "next")
        assert screen.seats.pace == 3
        await do(pilot, *len(SPEEDS) * ["previous"])
        assert screen.seats.is_playing
        assert screen.seats.pace == 0
        await pilot.press("p")
        assert not screen.seats.is_playing
        here = screen.controller.turn.ply
        await pilot.press("right_square_bracket")
        await ply_is(pilot, screen, here + 1)
        await pilot.press("left_square_bracket", "left_square_bracket")
        assert screen.controller.turn.ply == max(0, here - 1)
        screen.seats.pace = FASTEST
        await pilot.press("p")
        await wait_until(pilot, lambda: screen.controller.turn.ply > here + 2)
        await pilot.press("question_mark")
        await pilot.pause(0.05)
        here = screen.controller.turn.ply
        await pilot.pause(0.1)
        assert screen.controller.turn.ply <= here + 1
        await pilot.press("escape")
        await wait_until(pilot, lambda: screen.controller.turn.ply > here + 2)
        await pilot.press("p")


async def test_a_move_while_two_strategies_play_pauses_and_takes_over() -> None:
    async with nim(400, first="slow", second="slow") as (pilot, screen):
        await wait_until(pilot, lambda: screen.view.asked)
        await pilot.press("right")
        assert taken(screen) == [2]
        assert seats(screen) == {"first": "you", "second": "slow"}
        assert not screen.seats.is_playing
        screen.view.gate.set()
        await ply_is(pilot, screen, 2)
        assert taken(screen) == [2, 1]


async def test_players_are_chosen_by_keys_and_clicks_in_the_middle_of_a_game() -> None:
    async with nim(second="mine.py:hunt") as (pilot, screen):
        await ask_players(pilot)
        await sees(pilot, "mine.py:hunt")  # beyond the list
        await pilot.press("right", "escape")
        assert seats(screen) == {"first": "you", "second": "mine.py:hunt"}
        await ask_players(pilot)
        await pilot.click(FieldList, offset=(3, 1))
        await pilot.press("enter")
        await wait_until(pilot, lambda: seats(screen)["second"] == "you")
        await pilot.press("left")
        await ask_players(pilot)
        await pilot.press("down", "right", "right", "left", "enter")
        await ply_is(pilot, screen, 2)
        assert seats(screen) == {"first": "you", "second": "perfect"}
        assert screen.seats.who() in screen.messages.texts
        await sees(pilot, screen.seats.who())
        assert taken(screen) == [1, 1]


async def test_only_redo_goes_on_into_moves_taken_back() -> None:
    async with nim(second="perfect") as (pilot, screen):
        await pilot.press("left")
        await ply_is(pilot, screen, 2)
        for back in ("r", "backspace"):
            for key, ply in ((back, 0), ("p", 0), ("ctrl+y", 2)):
                await pilot.press(key)
                await ply_is(pilot, screen, ply)
                assert not screen.session.is_looking_back


async def test_who_takes_another_seat_begins_anew_and_the_same_seats_again_are_no_help() -> None:
    async with nim(second="perfect") as (pilot, screen):
        await pilot.press("left")
        await ply_is(pilot, screen, 2)
        await ask_players(pilot)
        await pilot.press("enter")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        assert screen.journal is not None
        assert not screen.journal.used(screen.session.turn)
        await ask_players(pilot)
        await pilot.press("down", "left", "enter")
        await wait_until(pilot, lambda: seats(screen)["second"] == "you")
        await ply_is(pilot, screen, 0)
        assert screen.view.persons == ("first", "second")


async def test_the_end_waits_until_no_other_dialogue_is_open() -> None:
    async with nim(2, second="slow") as (pilot, screen):
        await pilot.press("left")
        await wait_until(pilot, lambda: screen.view.asked)
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: pilot.app.screen is not screen)
        above = pilot.app.screen
        screen.view.gate.set()
        await wait_until(pilot, lambda: screen.controller.outcome)
        await pilot.pause(0.15)
        assert pilot.app.screen is above
        await pilot.press("escape")
        await dialogue(pilot)
        await pilot.press("q")
        await wait_until(pilot, lambda: not pilot.app.is_running)
        assert screen.view.is_closed


async def test_a_replays_title_is_reported_and_stored() -> None:
    made = replace(recording_of([1, 1, 1], {}), title="The great pile", file="pile.jsonl")
    async with nim(load=lambda: made) as (pilot, screen):
        assert "The great pile" in last_message(screen)
        for keys in (("ctrl+s",), (*3 * ["right_square_bracket"], "ctrl+s")):
            await pilot.press(*keys)
            assert "pile.jsonl" in last_message(screen)
        assert saved_recordings() == []
        await pilot.press("left_square_bracket", "right", "ctrl+s")
        (found,) = saved_recordings()
        assert (found.title, len(found.actions)) == ("The great pile", 3)


async def analysed(pilot: Pilot[Any], screen: PlayScreen) -> None:
    await pilot.press("A")
    await wait_until(pilot, lambda: screen.board.is_on)
    await painted(screen)


@pytest.mark.parametrize("key", ["A", "escape"])
async def test_preparing_freezes_nothing_and_can_be_given_up(key: str) -> None:
    async with nim() as (pilot, screen):
        screen.view.analysis.gate.clear()
        await pilot.press("A", "A")
        await wait_until(pilot, lambda: last_message(screen) == "Analysing ...")
        await pilot.press("left")
        assert taken(screen) == [1]
        await pilot.press(key)
        assert last_message(screen) == "Analysis cancelled."
        screen.view.analysis.gate.set()
        await pilot.pause(0.05)
        assert not screen.board.is_on
        await pilot.press("A")
        await analysed(pilot, screen)


async def test_what_is_too_large_says_so() -> None:
    async with nim(10_001) as (pilot, screen):
        await pilot.press("A", "A")
        await wait_until(pilot, lambda: "10001" in last_message(screen))
        assert not screen.board.is_on
        assert not screen.query_one(Timeline).display


async def test_braces_change_no_speed_while_nothing_plays() -> None:
    async with nim() as (pilot, screen):
        await pilot.press("right_curly_bracket")
        assert (screen.seats.pace, last_message(screen).startswith("Nothing plays now")) == (2, True)


async def test_mistakes_are_marked_and_braces_go_from_one_to_the_next() -> None:
    async with nim(load=recorded) as (pilot, screen):
        await analysed(pilot, screen)
        mistakes = [ply for ply, judgement in enumerate(screen.session.line.judgements) if judgement.is_mistake]
        assert mistakes == [1, 2, 5, 6, 7]
        marks = screen.query_one(Timeline).render().plain.split("\n")[-1]
        assert marks[::WIDEST] == "●!!──!!!─"
        plies = [0, 1, 4, 5, 6, 6, 5, 4, 1, 0, 0]  # before each; it stops at both ends
        for ply, key in zip(plies, 6 * ["right_curly_bracket"] + 5 * ["left_curly_bracket"], strict=True):
            await pilot.press(key)
            assert screen.controller.turn.ply == ply
            fault = screen.session.line.turns[ply + 1]
            assert glyphs(screen)[0][fault.action] == MISTAKE
            assert glyphs(screen)[0][3 - fault.action] == screen.glyphs.star
            assert "one's mistake" not in screen.query_one(Timeline).render().plain  # that of the move before
            await wait_until(
                pilot,
                lambda fault=fault: (
                    f"{fault.action} (lost)" in last_message(screen) or last_message(screen).startswith("No mistake ")
                ),
            )


async def test_long_games_are_judged_behind_the_keys_and_each_turn_once() -> None:
    long = recording_of(5000 * [1], {}, 9000)
    async with nim(load=lambda: long) as (pilot, screen):
        await analysed(pilot, screen)
        await wait_until(pilot, lambda: len(screen.session.line.judgements) == 5001)
        judged = screen.view.analysis.judged
        assert judged <= 5001 + 10
        await pilot.press(*10 * ["right_square_bracket"], "right_curly_bracket", "left_square_bracket")
        assert screen.view.analysis.judged == judged
        await pilot.press("right")
        assert screen.view.analysis.judged <= judged + 2
