"""Recordings: written, read, re-executed; every change to one is noticed, and none breaks the reader."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dungeon_tui.core import recording as recording_module
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.core.recording import (
    Recording,
    RecordingError,
    open_replay,
    read_recording,
    record,
    recording_text,
    reexecute,
)
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import Level
from dungeon_tui.games.crawler.model.state import Action
from tests.wording import numbers

ROWS = ["--------", "-+++-+--", "--$-@+--", "------!-"]


def played(commands: str, rows: list[str] = ROWS) -> TurnController[Any, Any, Any]:
    level = Level("made", np.array([list(row.encode()) for row in rows], np.uint8), Cell(0, 0))
    controller: TurnController[Any, Any, Any] = TurnController(rules, Dungeon("made", (level,), level_count=1), seed=5)
    for letter in commands:
        controller.apply(Action(letter))
    return controller


WANDERING = "dddaaasssdddwaddwwddddsseeawdsawdsaweee"  # 39 turns, the treasure in turn 14, the amulet in turn 16
ESCAPING = "sssddwdsddd"  # takes the treasure, leaves by the way out


def text_of(commands: str) -> str:
    return recording_text(record(played(commands), "crawler"))


def read(text: str | bytes) -> Recording:
    return read_recording(LevelFile("a.rec", text if isinstance(text, bytes) else text.encode()))


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def text_from(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_a_recording_is_json_line_by_line_with_a_hash_every_few_turns() -> None:
    header, *turns, closing = lines_of(text_of(WANDERING))
    assert (header["format"], header["game"], header["seed"]) == ("dungeon-tui recording", "crawler", 5)
    assert header["level"][0]["text"].startswith("4 8\n0 0\n")
    assert [turn["action"] for turn in turns] == list(WANDERING)
    assert [number for number, turn in enumerate(turns, 1) if "hash" in turn] == [16, 32]
    assert "hash" in header
    assert (closing["outcome"], closing["turns"]) == ("unfinished", 39)


Change = Callable[[list[dict[str, Any]]], object]


def setting(index: int, key: str, value: object) -> Change:
    def change(lines: list[dict[str, Any]]) -> None:
        lines[index][key] = value

    return change


def removing(index: int, turns: int) -> Change:
    def change(lines: list[dict[str, Any]]) -> None:
        del lines[index]
        lines[-1]["turns"] = turns

    return change


def one_turn_more(lines: list[dict[str, Any]]) -> None:
    lines.insert(-1, {"action": "e"})
    lines[-1]["turns"] += 1


def of_levels(*texts: str) -> Change:
    def change(lines: list[dict[str, Any]]) -> None:
        lines[0]["level"] = [{"name": "x", "text": text} for text in texts]
        lines[0]["sha256"] = hashlib.sha256("".join(texts).encode()).hexdigest()

    return change


DIVERGING: dict[str, tuple[str, Change, int, str]] = {
    "another action before the first hash": (WANDERING, setting(13, "action", "e"), 16, "differs"),
    "another action after the last hash": (WANDERING, setting(39, "action", "s"), 39, "differs"),
    "another hash at the start": (WANDERING, setting(0, "hash", "0"), 0, "differs"),
    "a hash where none was": (WANDERING, setting(7, "hash", "0"), 7, "differs"),
    "another hash at the end": (WANDERING, setting(-1, "hash", "0"), 39, "differs"),
    "another outcome": (WANDERING, setting(-1, "outcome", "escaped"), 39, "recorded 'escaped', came out 'unfinished'"),
    "an unfinished game that ended": (ESCAPING, setting(-1, "outcome", "unfinished"), 11, "came out 'escaped'"),
    "an unknown action": (WANDERING, setting(5, "action", "x"), 5, "'x' is not an action of crawler"),
    "a turn too few": (WANDERING, removing(4, 38), 15, "differs"),
    "a turn after the end": (ESCAPING, one_turn_more, 12, "the game is over"),
    "other rules": (WANDERING, setting(0, "rules", 999), 0, "recorded by rules 999, these are rules"),
    "a level that can't be read": (WANDERING, of_levels("1 1 0 0"), 0, "x:1:8: too few tiles"),
    "no level": (WANDERING, of_levels(), 0, "at least one level"),
    "a level that is another one": (ESCAPING, setting(0, "level", [{"name": "x", "text": "y"}]), 0, "its SHA-256"),
    "another SHA-256": (ESCAPING, setting(0, "sha256", "0"), 0, "does not match its SHA-256"),
    "fewer turns": (ESCAPING, setting(-1, "turns", 4), 4, "4 turns were recorded, 11 are here"),
    "more turns": (ESCAPING, setting(-1, "turns", 12), 11, "12 turns were recorded, 11 are here"),
}


@pytest.mark.parametrize(("commands", "change", "turn", "message"), DIVERGING.values(), ids=DIVERGING.keys())
def test_a_changed_recording_is_found_out_at_its_turn(commands: str, change: Change, turn: int, message: str) -> None:
    lines = lines_of(text_of(commands))
    change(lines)
    verdict = reexecute(read(text_from(lines)))[1]
    assert not verdict.is_ok
    assert verdict.diverged_at == turn
    assert message in verdict.message
    assert verdict.turns in (turn, turn - 1) or "were recorded" in message
    assert verdict.line in (turn + 1, len(lines))


@pytest.mark.parametrize(("opens_at", "ply"), [(14, 14), (-1, 0), (99, len(WANDERING))])
def test_a_recording_may_say_at_which_turn_it_opens(opens_at: int, ply: int) -> None:
    kept = recording_text(replace(read(text_of(WANDERING)), opens_at=opens_at))
    controller, trouble = open_replay(read(kept))
    assert (controller.turn.ply, trouble) == (ply, "")
    while controller.redo():
        pass
    assert controller.turn.ply == len(WANDERING)


def test_a_replay_that_diverges_opens_up_to_there_and_says_where() -> None:
    lines = lines_of(text_of(WANDERING))
    lines[20]["action"] = "x"
    controller, trouble = open_replay(read(text_from(lines)))
    assert numbers(trouble) == [20, 21]  # the turn, and its line of the file
    while controller.redo():
        pass
    assert controller.turn.ply == 19


def test_what_has_no_first_turn_is_no_replay() -> None:
    lines = lines_of(text_of(WANDERING))
    of_levels(lines[0]["level"][0]["text"].replace("$", "-"))(lines)
    lines[0]["hash"] = "0"
    with pytest.raises(RecordingError, match=r"recorded") as caught:
        open_replay(read(text_from(lines)))
    assert (caught.value.file, caught.value.line) == ("a.rec", 1)


def test_a_title_and_a_date_travel_along_and_may_be_absent() -> None:
    recording = record(played("dd"), "crawler", {"rogue": "you"}, "A \x1b title", "2025-03-01 20:15")
    again = read(recording_text(recording))
    assert again == recording
    assert (again.title, again.saved, again.file) == ("A \x1b title", "2025-03-01 20:15", "a.rec")
    assert "title" not in lines_of(text_of("dd"))[0]


def only_line(index: int) -> Change:
    def change(lines: list[dict[str, Any]]) -> None:
        lines[:] = [lines[index]]

    return change


def header_that_closes(lines: list[dict[str, Any]]) -> None:
    lines[:] = [lines[0] | lines[-1]]


MALFORMED: dict[str, tuple[Change, int, str]] = {
    "another format": (setting(0, "format", "chess"), 1, 'not a recording: "format" is not "dungeon-tui recording"'),
    "no format": (lambda lines: lines[0].pop("format"), 1, '"format" is missing or not a text'),
    "a later version": (setting(0, "version", 99), 1, "recordings of version 99 can't be read, only 2"),
    "a version that is true": (setting(0, "version", True), 1, '"version" is missing or not a whole number'),
    "a game we don't have": (setting(0, "game", "chess"), 1, "there is no game 'chess'"),
    "options that are a list": (setting(0, "options", []), 1, '"options" is missing or not an object'),
    "an option that is a list": (setting(0, "options", {"cell_limit": []}), 1, 'option "cell_limit" is neither'),
    "an option with a control character": (setting(0, "options", {"\x1b[2J": []}), 1, r'option "\x1b[2J" is neither'),
    "levels that are a text": (setting(0, "level", "x"), 1, '"level" is missing or not a list'),
    "a level that is a text": (setting(0, "level", ["x"]), 1, "has a name, and text or base64"),
    "a level without content": (setting(0, "level", [{"name": "x"}]), 1, "has a name, and text or base64"),
    "a level of broken base64": (setting(0, "level", [{"name": "x", "base64": "?"}]), 1, "base64 is broken"),
    "a seed that is a fraction": (setting(0, "seed", 1.5), 1, '"seed" is missing or not a whole number'),
    "strategies that are a list": (setting(0, "strategies", []), 1, '"strategies" is missing or not an object'),
    "a turn without an action": (lambda lines: lines[3].pop("action"), 4, '"action" is missing or not a text'),
    "a hash that is a number": (setting(2, "hash", 3), 3, '"hash" is missing or not a text'),
    "no closing line": (lambda lines: lines.pop(), 6, "the closing line with the outcome is missing"),
    "only a header": (only_line(0), 1, "the closing line with the outcome is missing"),
    "only a closing line": (only_line(-1), 1, '"format" is missing'),
    "a header that closes": (header_that_closes, 1, "the closing line with the outcome is missing"),
    "a closing hash that is missing": (lambda lines: lines[-1].pop("hash"), 7, '"hash" is missing or not a text'),
    "an outcome that is a number": (setting(-1, "outcome", 1), 7, '"outcome" is missing or not a text'),
}  # fmt: skip


@pytest.mark.parametrize(("change", "line", "message"), MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_recording_is_refused_with_its_line(change: Change, line: int, message: str) -> None:
    lines = lines_of(text_of("ddsaw"))
    change(lines)
    with pytest.raises(RecordingError) as caught:
        read(text_from(lines))
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line) == ("a.rec", line)


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (1, "", "the recording is empty"),
        (1, "\n \r\n", "the recording is empty"),
        (1, "hello", "not JSON"),
        (1, '{"format": oops}', "not JSON"),
        (1, "[]", "not a JSON object"),
        (1, "[" * 200_000, "not JSON"),
        (1, '{"version": ' + "1" * 5000 + "}", "not JSON"),
        (2, '{"format": "dungeon-tui recording", "version": 2, "game": "crawler", "level": []}\n{"a"', "not JSON"),
        (2, '{"format": "dungeon-tui recording"}\n\0', "not text: byte 36 is 0x00"),
        (1, b"\xff\xfe", "not text: byte 0 is 0xff"),
    ],
    ids=range(10),
)
def test_what_is_no_json_is_refused_with_its_line(line: int, text: str | bytes, message: str) -> None:
    with pytest.raises(RecordingError) as caught:
        read(text)
    assert message in caught.value.message
    assert caught.value.line == line
    assert "oops" not in str(text) or caught.value.column == 12


def test_characters_that_only_look_like_line_ends_don_t_part_lines() -> None:
    lines = lines_of(text_of("dd"))
    lines[0]["strategies"] = {"rogue": "a\u2028b\x85c"}
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    assert read(text).strategies == {"rogue": "a\u2028b\x85c"}


def test_cutting_a_recording_anywhere_but_its_last_line_end_is_noticed() -> None:
    text = text_of("ddsaw").encode()
    for length in range(len(text) - 1):
        with pytest.raises(RecordingError):
            read(text[:length])


@pytest.mark.parametrize(("most", "is_read"), [(3, True), (2, False)])
def test_a_recording_has_as_many_turns_as_the_limit_and_no_more(
    most: int, is_read: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = text_of("dda")
    monkeypatch.setattr(recording_module, "MOST_TURNS", most)
    if is_read:
        assert len(read(text).actions) == 3
    else:
        with pytest.raises(RecordingError, match="more than 2 turns"):
            read(text)
