"""A few pictures that matter, compared with what was approved: nothing moves, nothing blinks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.storage import journal as stopwatch
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.menu.home import HomeScreen
from dungeon_tui.ui.play import hints
from dungeon_tui.ui.play import part as play_part
from dungeon_tui.ui.play.screen import PlayScreen
from tests.ui.driving import app_for, dialogue, do, painted, sees, wait_until, write_dungeon
from tests.ui.nim import nim_app
from tests.ui.test_menu import is_drawn

SIDECAR = """
title = "The old well"
author = "An author"
summary = "Two monsters guard what fell in."
[[levels]]
name = "At the rim"
hint = "Mind the corners."
"""
WELL = ("-----+--$", "-o-$-+--@", "-----+---", "-++-----M", "M------!?")

Compare = Callable[..., bool]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine doesn't say so, no second passes, and nothing is thought of before it is asked for."""
    monkeypatch.setattr(stopwatch, "monotonic", lambda: 0.0)
    monkeypatch.setattr(play_part, "BUSY_MESSAGE_DELAY_S", 60)
    monkeypatch.setattr(hints, "THINK_AHEAD_DELAY_S", 3600)


def prepared(*keys: str, theme: str = "", until: str = "", seen: str = "") -> Callable[[Pilot[Any]], Any]:
    """Presses keys once the level is there, until a dialogue says one thing, or the screen another."""

    async def prepare(pilot: Pilot[Any]) -> None:
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        await painted(pilot.app.screen)
        if theme:
            pilot.app.theme = theme
        await do(pilot, *keys)
        if until:
            await dialogue(pilot)
            await sees(pilot, until)
        if seen:
            await sees(pilot, seen)
        await painted(pilot.app.screen)
        await pilot.pause()

    return prepare


def well(tmp_path: Path) -> DungeonApp:
    return app_for(write_dungeon(tmp_path, WELL, sidecar=SIDECAR))


HINTED = partial(prepared, "left", "v", "x", "slash", "slash", seen="/ again: the move.")


class Today(date):
    """The day on which the pictures were approved."""

    @classmethod
    def today(cls) -> Today:
        return cls(2026, 11, 21)


def test_the_menu(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dungeon_tui.ui.menu.home.date", Today)  # it names the day
    app = DungeonApp()
    app.animation_level = "none"

    async def drawn(pilot: Pilot[Any]) -> None:
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen) and is_drawn(app.screen))
        await pilot.pause()

    assert snap_compare(app, terminal_size=(80, 24), run_before=drawn)


def test_a_level(snap_compare: Compare, tmp_path: Path) -> None:
    assert snap_compare(well(tmp_path), terminal_size=(120, 34), run_before=HINTED())


def test_death(snap_compare: Compare, tmp_path: Path) -> None:
    app = app_for(write_dungeon(tmp_path, ("o-M", "---"), sidecar=SIDECAR))
    assert snap_compare(app, terminal_size=(80, 24), run_before=prepared("e", "e", until="You were caught"))


def test_ascii(snap_compare: Compare, tmp_path: Path) -> None:
    app = app_for(write_dungeon(tmp_path, WELL, sidecar=SIDECAR), ascii_only=True)
    assert snap_compare(app, terminal_size=(80, 24), run_before=prepared("v", "right", "go_to_turn", seen="Go to turn"))


def test_an_analysis(snap_compare: Compare) -> None:
    async def judged(pilot: Pilot[Any]) -> None:
        await prepared(*"left left right left right left left".split(), *3 * ["left_square_bracket"], "A", "A")(pilot)
        await sees(pilot, "the first one wins")
        await painted(pilot.app.screen)

    assert snap_compare(nim_app(19), terminal_size=(110, 34), run_before=judged)
