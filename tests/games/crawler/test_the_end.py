"""A game that is over, or lost: its prospects, and every key that gives advice."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from dungeon_tui.core.last_chance import LastChance
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.crawler.ai.solver import Planner
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.state import Action, Status
from dungeon_tui.games.crawler.view.advice.prospects import LOST as GONE
from dungeon_tui.games.crawler.view.advice.prospects import WAY_LEFT, Prospects, lost_text
from dungeon_tui.games.crawler.view.advice.solving import Solving
from dungeon_tui.storage.folders import HOME
from dungeon_tui.ui.play.screen import PlayScreen
from tests.games.crawler.pictures import dungeon_of, played
from tests.ui import driving as ui
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
    await ui.dialogue(pilot)


@ENDS
def test_nothing_leads_on_from_a_game_that_is_over(rows: tuple[str, ...], letters: str, status: Status) -> None:
    made = dungeon_of(" ".join(rows))
    planner, state = Planner(made), played(rules.start(made), letters)
    assert state.status is status
    found = planner.escape(state, 1)
    assert (found.moves, found.is_proven) == (None, True)
    assert planner.is_lost(state) is (status is Status.DIED)


async def test_a_lost_lesson_says_at_once_which_move_did_it_and_how_to_take_it_back() -> None:
    made = dungeon_of(*(" ".join(rows) for rows in DOOMED))
    made = replace(made, sidecar=replace(made.sidecar, is_lesson=True))
    async with ui.opened("crawler", made) as (pilot, screen):
        await pilot.press(*"sdw")
        await ui.sees(pilot, "Your move 3 did that: U goes back.")
        await pilot.press("backspace")
        assert screen.fate is not None
        assert not screen.fate.is_doomed


async def test_stars_ask_for_treasure_and_a_win_counts_until_it_is_taken_back() -> None:
    made = dungeon_of("$o$!")
    made = replace(made, sidecar=replace(made.sidecar, treasure=2))
    async with ui.opened("crawler", made) as (pilot, screen):
        await ui.sees(pilot, "★★: 2 treasures at par, the fewest moves.")
        await play(pilot, screen, "dd")
        await ui.sees(pilot, "Par: 2 treasures in 4 moves.")
        assert screen.view.scores(screen.controller.state)[1].par == 2
        assert screen.board.analysis.carried_out == 1
        await pilot.press("backspace")
        assert screen.board.analysis.carried_out == 0


@pytest.mark.parametrize(
    ("levels", "letters", "is_lost", "back"),
    [
        (DOOMED, "", False, None),
        (DOOMED, "e", True, 0),
        (DOOMED, "sdwd", True, 2),
        ((WON[0],), WON[1], False, None),
        ((BY_DOOR[0],), BY_DOOR[1], False, None),
        ((("o?",), ("o?!",)), "dd", True, None),  # the door of the last level leads nowhere
        ((DEAD[0],), DEAD[1], True, 0),
        ((("$o+!",),), "", True, None),
    ],
)
def test_prospects(levels: tuple[tuple[str, ...], ...], letters: str, is_lost: bool, back: int | None) -> None:
    controller = TurnController(rules, dungeon_of(*map(" ".join, levels)))
    for letter in letters:
        controller.apply(Action(letter))
    prospects = Prospects(Solving(), lambda: 1)
    found = prospects.outlook(controller.turn, True)
    assert (found.is_lost, bool(found.mark), bool(found.text)) == (is_lost, is_lost, True)
    assert (None if found.last_chance is None else found.last_chance.ply) == back
    assert bool(found.better) == (back is not None)


async def test_what_is_lost_is_shown_on_request_with_a_way_back(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, *DOOMED)) as (pilot, screen):
        await ui.do(pilot, "outlook")
        await ui.wait_until(pilot, ui.says(screen, WAY_LEFT))
        await pilot.press("down", "right", "up")  # into its sight
        await ui.do(pilot, "outlook")
        await ui.wait_until(pilot, ui.says(screen, LOST))
        mark = screen.spell(f"{GONE}, {{last_chance}} goes back.")
        assert mark in ui.words(str(screen.panel.render()))
        await ui.do(pilot, "right", "last_chance")
        await ui.wait_until(pilot, lambda: numbers(ui.last_message(screen)) == [3])  # before your move 3
        assert screen.controller.turn.ply == 2
        assert ui.position(screen) == (1, 1)
        assert mark not in ui.words(str(screen.panel.render()))
        await ui.do(pilot, "last_chance")
        await ui.wait_until(pilot, ui.says(screen, WAY_LEFT))
        assert screen.controller.turn.ply == 2
        await pilot.press("ctrl+y", "ctrl+y")
        assert screen.controller.turn.ply == 4


async def test_always_tells_of_every_doom_anew(tmp_path: Path) -> None:
    async with ui.playing(ui.write_dungeon(tmp_path, *DOOMED)) as (pilot, screen):
        lost = "No way out is left"

        def said() -> int:
            return sum(text.startswith(lost) for text in screen.messages.texts)

        screen.preferences.change({("lost",): "at once"})
        for back, keys in ((), ("down", "right", "up")), (("ctrl+z",), ("up",)), (("last_chance",), ("ctrl+y",)):
            await ui.do(pilot, *back)
            await ui.wait_until(pilot, lambda: not said())  # it is no longer true
            await ui.do(pilot, *keys)
            await ui.wait_until(pilot, lambda: said() == 1)
        await ui.do(pilot, "down", "right", "aim")  # it stays lost; other switches tell nothing
        await ui.painted(screen)
        assert said() == 1
        assert not screen.view.facts(screen.session.turn).goal  # nothing is left to reach
        for setting in ("never", "at once"):
            screen.preferences.change({("lost",): setting})
            screen.settings_changed()
        await ui.wait_until(pilot, lambda: said() == 2)  # of what is lost already
