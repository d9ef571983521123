"""A game that is over, or lost: its prospects, and every key that gives advice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import sentence, until_turn
from dungeon_tui.games.crawler.ai.solver import Planner
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.state import Action, Status
from dungeon_tui.games.crawler.view.advice.hints import OVER
from dungeon_tui.games.crawler.view.advice.prospects import (
    WAY_LEFT,
    LastChance,
    Prospects,
    Watch,
    lost_text,
    mark_text,
)
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.games.crawler.view.analysis import ANALYSIS_OVER
from dungeon_tui.storage.places import HOME
from dungeon_tui.ui.palette import Tint
from dungeon_tui.ui.play.screen import PlayScreen
from tests.games.crawler.pictures import dungeon_of, played
from tests.ui.driving import (
    dialogue,
    kept,
    last_message,
    painted,
    playing,
    position,
    says,
    sees,
    shown,
    tinted,
    wait_until,
    words,
    write_dungeon,
)
from tests.wording import numbers

WON = (("o$!",), "dd", Status.ESCAPED)
DEAD = (("o-$-!-M", "-------"), "eeeeee", Status.DIED)
BY_DOOR = (("o$?",), "dd", Status.OUT_OF_LEVELS)
DOOMED = (("o----?M", "-------"), ("o$!",))
ENDS = pytest.mark.parametrize(("rows", "letters", "status"), [WON, DEAD, BY_DOOR])
LOST = lost_text(Status.PLAYING, LastChance(2, True))  # DOOMED after "sdwd"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is saved, is saved here."""
    monkeypatch.setenv(HOME, str(tmp_path / "home"))


async def play(pilot: Pilot[Any], screen: PlayScreen, letters: str) -> None:
    """Plays to the end, whose dialogue is left open."""
    await pilot.press(*letters)
    assert screen.controller.outcome is not None
    await dialogue(pilot)


@ENDS
def test_nothing_leads_on_from_a_game_that_is_over(rows: tuple[str, ...], letters: str, status: Status) -> None:
    made = dungeon_of(" ".join(rows))
    planner, state = Planner(made), played(rules.start(made), letters)
    assert state.status is status
    for found in (planner.escape(state, 1), planner.known(state, 1)):
        assert found is not None
        assert (found.moves, found.is_proven) == (None, True)
    assert planner.is_lost(state) is (status is Status.DIED)


@ENDS
async def test_the_line_out_ends_with_the_game_and_comes_back_with_it(
    tmp_path: Path, rows: tuple[str, ...], letters: str, status: Status
) -> None:
    async with playing(write_dungeon(tmp_path, rows)) as (pilot, screen):
        await pilot.press("P")
        await wait_until(pilot, lambda: tinted(screen, Tint.PATH))
        await play(pilot, screen, letters)
        assert screen.controller.state.status is status
        assert not tinted(screen, Tint.PATH)
        assert "The line out" not in words(str(screen.panel.render()))
        await pilot.press("backspace")
        await wait_until(pilot, lambda: pilot.app.screen is screen)
        screen.controller.go_to(screen.controller.first)
        if status is not Status.DIED:  # that none led out was said, and ended it
            await wait_until(pilot, lambda: tinted(screen, Tint.PATH))


@ENDS
async def test_every_key_that_advises_meets_the_end(
    tmp_path: Path, rows: tuple[str, ...], letters: str, status: Status
) -> None:
    async with playing(write_dungeon(tmp_path, rows)) as (pilot, screen):
        await play(pilot, screen, letters)
        await pilot.press("o")
        await wait_until(pilot, lambda: screen.board.is_on)
        for key, said in (("P", sentence(OVER)), ("slash", sentence(OVER)), ("c", ANALYSIS_OVER)):
            await pilot.press(key)
            await wait_until(pilot, says(screen, said))
        assert not screen.toggles.shown
        for key in ("N", "D", "D", "V", "V", "F", "v", "x", "o", "A", "A"):
            await pilot.press(key)
            await painted(screen)
        before = len(screen.messages.texts)
        await pilot.press("C")
        await wait_until(pilot, lambda: pilot.app.screen is not screen or len(screen.messages.texts) > before)
        assert screen.controller.state.status is status


# -- prospects


@pytest.mark.parametrize(
    ("levels", "letters", "is_lost", "back"),
    [
        (DOOMED, "", False, None),
        (DOOMED, "e", True, 0),
        (DOOMED, "sdwd", True, 2),
        ((WON[0],), WON[1], False, None),
        ((BY_DOOR[0],), BY_DOOR[1], False, None),
        ((DEAD[0],), DEAD[1], True, 0),
        ((("$o+!",),), "", True, None),
    ],
)
def test_prospects(levels: tuple[tuple[str, ...], ...], letters: str, is_lost: bool, back: int | None) -> None:
    controller = TurnController(rules, dungeon_of(*map(" ".join, levels)))
    for letter in letters:
        controller.apply(Action(letter))
    prospects = Prospects(Solving())
    found = prospects.outlook(controller.turn, True)
    assert (found.is_lost, bool(found.mark), bool(found.text)) == (is_lost, is_lost, True)
    assert (None if found.last_chance is None else found.last_chance.ply) == back
    while prospects.watch is not Watch.OFF:
        prospects.next_watch()
    assert prospects.outlook(controller.turn, False).text == ""


# -- when a lost game is told of


async def test_what_is_lost_is_told_when_asked_with_a_way_back(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, *DOOMED)) as (pilot, screen):
        await pilot.press("F")
        await wait_until(pilot, says(screen, WAY_LEFT))
        await pilot.press("down", "right", "up")  # into its sight
        await pilot.press("F")
        await wait_until(pilot, says(screen, LOST))
        mark = screen.spell(sentence(mark_text(LastChance(2, True))))
        assert mark in words(str(screen.panel.render()))
        await pilot.press("right", "X")
        await wait_until(pilot, lambda: numbers(last_message(screen)) == [2, 2])  # turn 2, 2 turns earlier
        assert screen.controller.turn.ply == 2
        assert position(screen) == (1, 1)
        assert mark not in words(str(screen.panel.render()))
        await pilot.press("X")
        await wait_until(pilot, says(screen, WAY_LEFT))
        assert screen.controller.turn.ply == 2
        await pilot.press("ctrl+y", "ctrl+y")
        assert screen.controller.turn.ply == 4


async def test_a_death_tells_until_when_one_could_have_won(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("o-$-!-M", "-------"))) as (pilot, screen):
        await pilot.press("e", "e", "e", "e", "e", "e")
        await dialogue(pilot)
        await sees(pilot, f"{until_turn(0)}.")
        await sees(pilot, "x Last chance")
        await pilot.press("x")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 0)
        await wait_until(pilot, lambda: numbers(last_message(screen)) == [6])  # turns earlier
        await pilot.press("right")
        assert screen.controller.turn.ply == 1


async def test_always_tells_of_every_doom_anew(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, *DOOMED)) as (pilot, screen):
        said = screen.spell(LOST)
        await pilot.press("V")
        assert Watch.ALWAYS.value in last_message(screen)
        for times, keys in ((1, ("down", "right", "up")), (2, ("ctrl+z", "up")), (3, ("X", "ctrl+y"))):
            await pilot.press(*keys)
            await wait_until(pilot, lambda times=times: screen.messages.texts.count(said) == times)  # type: ignore[misc]
        await pilot.press("down", "right", "N", "D")  # it stays lost; other switches tell nothing
        await painted(screen)
        assert screen.messages.texts.count(said) == 3
        for _ in range(3):
            await pilot.press("V")
        await wait_until(pilot, lambda: screen.messages.texts.count(said) == 4)  # of what is lost already


async def test_who_does_not_want_to_know_is_told_nothing_but_what_is_asked(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, DEAD[0])) as (pilot, screen):
        await pilot.press("V", "V")
        assert Watch.OFF.value in last_message(screen)
        await pilot.press("F")
        await wait_until(pilot, says(screen, WAY_LEFT))
        await pilot.press("e", "F")
        chance = LastChance(0, True)
        said = screen.spell(lost_text(Status.PLAYING, chance))
        await wait_until(pilot, lambda: said in screen.messages.texts)
        assert screen.spell(sentence(mark_text(chance))) not in words(str(screen.panel.render()))
        await pilot.press("X")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 0)
        await pilot.press(*DEAD[1])
        await dialogue(pilot)
        await sees(pilot, "You were caught")
        assert until_turn(0) not in words(str(pilot.app.screen.query("Label").last().render()))


# -- how it ended


# -- a line that is nobody's game


@pytest.mark.parametrize("size", [(80, 20), (56, 18)])
async def test_the_best_way_on_is_never_taken_for_ones_own_game(tmp_path: Path, size: tuple[int, int]) -> None:
    async with playing(write_dungeon(tmp_path, ("o-------$!",)), size) as (pilot, screen):
        await pilot.press(*"dded", "ctrl+z", "c")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 10)
        await wait_until(pilot, lambda: "not your game" in words(shown(pilot.app)).lower())
        assert "c takes you back" in words(shown(pilot.app))
        await pilot.press("c")
        await wait_until(pilot, lambda: "not your game" not in words(shown(pilot.app)).lower())
        assert screen.controller.turn.ply == 3
        await pilot.press("c")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 10)
        await pilot.press("q")
        await wait_until(pilot, lambda: not pilot.app._running)
    assert kept() == [(3, "")]
