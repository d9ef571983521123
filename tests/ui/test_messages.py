"""Messages that pass: they go with what is said or done next, and never contradict what is shown."""

from pathlib import Path

import pytest

from dungeon_tui.ui.palette import Meaning
from dungeon_tui.ui.play.seats import LAST_TURN
from dungeon_tui.ui.widgets.message_log import LogLine, MessageLog
from tests.ui.driving import playing, sees, sees_no, wait_until, write_dungeon
from tests.ui.nim import nim

FACT, OTHER = LogLine("A fact."), LogLine("Another one.")
PROMPT, REFUSAL = (LogLine(text, is_transient=True, is_aside=True) for text in ("Where to?", "Not there."))
ALARM = LogLine("Up is deadly now.", Meaning.FOE, is_transient=True)


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        ((FACT, PROMPT), ["A fact.", "Where to?"]),
        ((FACT, PROMPT, REFUSAL), ["A fact.", "Not there."]),
        ((PROMPT, FACT, OTHER), ["A fact.", "Another one."]),
        ((REFUSAL, REFUSAL, REFUSAL), ["Not there."]),
        ((ALARM, PROMPT, FACT), ["Up is deadly now.", "A fact."]),
    ],
)
def test_a_passing_message_gives_way_to_the_next_one(lines: tuple[LogLine, ...], kept: list[str]) -> None:
    log = MessageLog()
    for line in lines:
        log.say(line)
    assert log.texts == kept
    log.new_turn(is_played=False)
    assert log.texts == [text for text in kept if text not in (PROMPT.text, REFUSAL.text)]
    log.new_turn()
    assert log.texts == [text for text in kept if LogLine(text) in lines]


def test_only_the_passing_message_that_is_meant_is_ended() -> None:
    log = MessageLog()
    log.say(FACT)
    log.end_transient()
    log.say(REFUSAL)
    log.end_transient(PROMPT.text)
    assert log.texts == ["A fact.", "Not there."]
    log.end_transient(REFUSAL.text)
    assert log.texts == ["A fact."]


def test_a_message_takes_the_place_of_one_of_its_turn() -> None:
    log = MessageLog()
    for line in (FACT, OTHER):
        log.say(line)
    log.say(LogLine("A fact. You stop."), FACT.text)
    assert log.texts == ["A fact. You stop.", "Another one."]
    log.new_turn()
    log.say(FACT, "A fact. You stop.")  # of an earlier turn, and not the last
    assert log.texts == ["A fact. You stop.", "Another one.", "A fact."]
    log.new_turn()
    log.say(LogLine("Another one. A fact."))
    log.say(LogLine("A fact. You stop."), FACT.text)
    assert log.texts[-2:] == ["Another one.", "A fact. You stop."]


async def test_a_refusal_goes_with_the_next_turn() -> None:
    async with nim() as (pilot, screen):
        await pilot.press("left", "left", "]")
        await sees(pilot, LAST_TURN)
        await pilot.press("[")
        await sees_no(pilot, LAST_TURN)
        assert screen.messages.texts[-1] == "Move 1 of 1."
        await pilot.press("]")
        assert "Move 1 of 1." not in screen.messages.texts


@pytest.mark.parametrize(("way_out", "ply"), [("enter", 2), ("escape", 0)])
async def test_a_prompt_goes_with_its_choice(tmp_path: Path, way_out: str, ply: int) -> None:
    async with playing(write_dungeon(tmp_path, ("o-----$!",))) as (pilot, screen):
        await pilot.press("g")
        await sees(pilot, "Where to?")
        await pilot.press("right", "right", "e")  # no turn
        await sees(pilot, "You are choosing a cell")
        await pilot.press(way_out)
        await sees_no(pilot, "Where to?")
        await wait_until(pilot, lambda: screen.controller.turn.ply == ply)


async def test_undo_brings_back_the_messages_of_that_turn(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o$$--!",))) as (pilot, screen):
        await pilot.press("right")
        before = screen.messages.texts
        await pilot.press("right")
        after = screen.messages.texts
        await pilot.press("backspace")
        assert screen.messages.texts[: len(before)] == before != after
        await pilot.press("ctrl+y")
        assert set(after) <= set(screen.messages.texts)


async def test_the_oldest_messages_of_a_turn_go_if_lines_lack_and_alarms_last(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o---$!",))) as (pilot, screen):
        log = screen.messages
        log.styles.height = 1
        await pilot.pause()
        log.new_turn()
        log.say(FACT)
        log.say(OTHER)
        await pilot.pause()
        assert log.render().plain == OTHER.text
        log.say(LogLine("Alarm! " * 20, Meaning.FOE))
        assert log.render().plain.startswith("Alarm!")
        assert log.render().plain.endswith("Alarm! ...")
        log.clear()
        log.say(FACT)
        log.say(OTHER)
        log.styles.height = 2
        await pilot.pause()
        assert log.render().plain == "A fact.\nAnother one."


async def test_old_messages_go_and_the_newest_goal_stays(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o---$!",))) as (_, screen):
        log, goals = screen.messages, [LogLine(text, Meaning.WAY_OUT) for text in ("Go there.", "Go here.")]
        for line in (FACT, *goals):
            log.new_turn()
            log.say(line)
        assert [text in log.render().plain for text in ("A fact.", "Go there.", "Go here.")] == [True, False, True]
        for _ in range(20):
            log.new_turn()
        assert log.render().plain == "Go here."
        log.is_open = True
        assert "A fact.\nGo there.\nGo here." in log.render().plain


async def test_a_single_line_shows_only_what_the_last_command_brought(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o---$!",))) as (pilot, screen):
        log = screen.messages
        await pilot.press("right")
        log.say(FACT)
        log.new_turn()  # of the same command, such as a journey
        for key, text in (("", "A fact."), ("right", "")):
            await pilot.press(*key.split())
            assert "A fact." in log.render().plain
            log.styles.height = 1
            await pilot.pause()
            assert log.render().plain == text
        log.say(FACT)
        assert log.render().plain == "A fact."


async def test_the_log_opens_and_closes(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o---$!",))) as (pilot, screen):
        usual = screen.messages.size.height
        for number in range(30):
            screen.say(f"Message {number}.")
        screen.action_command("log")
        await wait_until(pilot, lambda: screen.messages.size.height > usual)
        await pilot.press("escape")
        await wait_until(pilot, lambda: screen.messages.size.height == usual)


async def test_layers_and_distances_leave_nothing_in_the_log_once_they_are_off(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o--?", "----", "--M-"))) as (pilot, screen):
        before = screen.messages.texts
        for key in "xvoooo":
            await pilot.press(key)
            assert len(screen.messages.texts) <= len(before) + 1
        await pilot.press("o", "x", "x", "x")
        assert screen.messages.texts[:-1] == before  # the last line says that the layer is off
