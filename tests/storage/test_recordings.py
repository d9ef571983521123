"""Recordings that the player saved: named, never overwritten, and read again."""

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.recording import RecordingError, reexecute
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.recordings import folder, load, save


def played(moves: str = "dd") -> Session:
    game = find_game("crawler")
    rules, level = game.rules(), game.levels().openings()[0].load()
    controller: TurnController[Any, Any, Any] = TurnController(rules, level)
    for letter in moves:
        controller.apply(rules.read_action(letter))
    return Session(controller)


def test_what_is_saved_is_read_again_with_all_that_was_said_of_it(home: Path) -> None:
    session = played()
    session.players = {"monster": "bfs"}
    path = save(session, "crawler", "First / lesson: ..\\x")
    assert path.parent == home / "recordings" == folder()
    assert path.name.startswith("crawler-first-lesson-x-20")
    recording = load(path, "crawler")
    assert (recording.title, recording.strategies) == ("First / lesson: ..\\x", {"monster": "bfs"})
    assert reexecute(recording)[1].is_ok
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_any_turn_can_be_the_last_one_that_is_saved() -> None:
    session = played("ddd")
    middle = session.turn.line()[2]
    session.seek(0)
    recording = load(save(session, "crawler", "", middle))
    assert recording.actions == ("d", "d")
    assert reexecute(recording)[1].is_ok


def test_a_title_of_any_length_and_script_is_a_name() -> None:
    for title in ("", "x" * 1000, "\x1b[2J\n", "é漢字", "../../etc"):
        path = save(played(), "crawler", title)
        assert path.parent == folder()
        assert path.name.isprintable()
        assert not re.search(r"\s", path.name)
        assert len(path.name) < 70
        assert load(path).title == title


def test_the_date_of_a_title_is_not_named_twice() -> None:
    today = f"{datetime.now():%Y-%m-%d}"
    for title, stem in (
        (f"Daily dungeon, {today}", f"crawler-daily-dungeon-{today}"),
        ("Daily dungeon, 2026-11-20", f"crawler-daily-dungeon-2026-11-20-{today}"),
        ("Below the abbey", f"crawler-below-the-abbey-{today}"),
        ("", f"crawler-{today}"),
        ("x" * 32 + " y" * 9, f"crawler-{'x' * 32}-{today}"),
    ):
        assert re.fullmatch(rf"{stem}-\d{{6}}", save(played(), "crawler", title).stem)


def test_a_recording_of_another_game_is_refused() -> None:
    path = save(played(), "crawler", "")
    with pytest.raises(RecordingError) as caught:
        load(path, "delve")
    assert str(caught.value) == f"{path}:1:1: a recording of crawler, not of delve"
