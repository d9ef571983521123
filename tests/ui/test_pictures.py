"""A few pictures that matter, compared with what was approved: nothing moves, nothing blinks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.core.catalogue import Opening, find_game
from dungeon_tui.storage.recordings import load
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.menu.home import HomeScreen
from dungeon_tui.ui.play import hints
from dungeon_tui.ui.play import screen as play_screen
from dungeon_tui.ui.play.screen import PlayScreen
from tests.ui.driving import app_for, dialogue, painted, sees, wait_until, write_dungeon
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
WELL = (
    "-----+--$",
    "-o-$-+--@",
    "-----+---",
    "-++-----M",
    "M------!?",
)

Compare = Callable[..., bool]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine doesn't say so, and nothing is thought of before it is asked for."""
    monkeypatch.setattr(play_screen, "A_MOMENT", 60)
    monkeypatch.setattr(hints, "SOON", 3600)


def prepared(*keys: str, theme: str = "", until: str = "", seen: str = "") -> Callable[[Pilot[Any]], Any]:
    """Presses keys once the level is there, until a dialogue says one thing, or the screen another."""

    async def prepare(pilot: Pilot[Any]) -> None:
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        await painted(pilot.app.screen)
        if theme:
            pilot.app.theme = theme
        await pilot.press(*keys)
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


HINTED = partial(prepared, "left", "v", "x", "slash", seen="/ again: the move.")


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


def test_a_level_in_a_small_terminal(snap_compare: Compare, tmp_path: Path) -> None:
    assert snap_compare(well(tmp_path), terminal_size=(80, 24), run_before=prepared("right", "i", "right"))


def test_the_light_theme(snap_compare: Compare, tmp_path: Path) -> None:
    run = HINTED(theme="dungeon-light")
    assert snap_compare(well(tmp_path), terminal_size=(120, 34), run_before=run)


def test_death(snap_compare: Compare, tmp_path: Path) -> None:
    app = app_for(write_dungeon(tmp_path, ("o-M", "---"), sidecar=SIDECAR))
    assert snap_compare(app, terminal_size=(80, 24), run_before=prepared("e", "e", until="You were caught"))


def test_a_doubled_map(snap_compare: Compare, tmp_path: Path) -> None:
    app = app_for(write_dungeon(tmp_path, ("-+$-", "o@-+", "--!-"), sidecar=SIDECAR))
    assert snap_compare(app, terminal_size=(110, 30), run_before=prepared("right"))


def test_an_amulet_and_what_a_monster_is_about_to_break(snap_compare: Compare, tmp_path: Path) -> None:
    app = app_for(write_dungeon(tmp_path, ("---o--!M", "M-+@----", "-+-$--++"), sidecar=SIDECAR))
    assert snap_compare(app, terminal_size=(110, 30), run_before=prepared())


def test_the_line_out(snap_compare: Compare, tmp_path: Path) -> None:
    run = prepared("slash", "slash", "slash", seen="/ hides it.")
    assert snap_compare(well(tmp_path), terminal_size=(110, 30), run_before=run)


def test_ascii(snap_compare: Compare, tmp_path: Path) -> None:
    app = app_for(write_dungeon(tmp_path, WELL, sidecar=SIDECAR), ascii_only=True)
    assert snap_compare(app, terminal_size=(80, 24), run_before=prepared("v", "right", "T", seen="Go to turn"))


GOLDEN = Path(__file__).parents[1] / "recordings" / "crawler-hard-escaped.jsonl"


def test_a_replay(snap_compare: Compare) -> None:
    app = DungeonApp(find_game("crawler"), Opening("hard", partial(load, GOLDEN, "crawler")))
    app.animation_level = "none"
    steps = 30 * ["right_square_bracket"]
    keys = (*steps, *15 * ["left_square_bracket"], "down", *5 * ["left_square_bracket"])
    assert snap_compare(app, terminal_size=(120, 34), run_before=prepared(*keys))


def test_an_analysis(snap_compare: Compare) -> None:
    async def judged(pilot: Pilot[Any]) -> None:
        await prepared(*"left left right left right left left".split(), *3 * ["left_square_bracket"], "A")(pilot)
        await sees(pilot, "the first one wins")
        await painted(pilot.app.screen)

    assert snap_compare(nim_app(19), terminal_size=(110, 34), run_before=judged)


def test_who_plays(snap_compare: Compare) -> None:
    async def asked(pilot: Pilot[Any]) -> None:
        await prepared("m")(pilot)
        await sees(pilot, "Who plays?")
        await pilot.press("down", "right")
        await painted(pilot.app.screen)

    assert snap_compare(nim_app(9, second="perfect"), terminal_size=(80, 24), run_before=asked)
