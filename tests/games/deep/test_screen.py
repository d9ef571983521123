"""The deep on screen: keys to the end, items, doors, fog, hints, one life."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from textual.pilot import Pilot

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.deep import GAME
from dungeon_tui.games.deep.model.campaign import Campaign, read_campaign
from dungeon_tui.games.deep.model.state import Status
from dungeon_tui.games.deep.view import picture, words
from dungeon_tui.games.deep.view.screen import DeepView, reason_to_stop, route
from dungeon_tui.ui.glyphs import UNICODE
from dungeon_tui.ui.palette import Tint
from dungeon_tui.ui.play.screen import PlayScreen
from tests.games.deep.campaigns import campaign_of, campaign_text, played, state_of
from tests.games.deep.test_story import DAYLIGHT, STORY
from tests.ui.driving import dialogue, glyphs, opened, sees, tinted, wait_until


@asynccontextmanager
async def playing(campaign: Campaign) -> AsyncIterator[tuple[Pilot[str], PlayScreen]]:
    async with opened("deep", campaign) as (pilot, screen):
        yield pilot, screen


async def test_a_campaign_is_played_to_its_end_by_keys() -> None:
    async with playing(campaign_of("o$-9")) as (pilot, screen):
        assert glyphs(screen) == ["@$·9"]
        await pilot.press("d", "right", "l")
        await dialogue(pilot)
        await sees(pilot, "1 treasure, 3 moves")
        assert screen.controller.state.status is Status.WON


async def test_the_story_is_played_to_an_ending_by_keys() -> None:
    async with playing(STORY) as (pilot, screen):
        for letter in "".join(DAYLIGHT.split()):
            await pilot.press(letter)
        await dialogue(pilot)
        assert (screen.controller.state.status, screen.controller.state.ending) == (Status.WON, "daylight")


async def test_number_keys_use_items_and_the_others_move() -> None:
    async with playing(campaign_of("oh-b- ----- ----9")) as (pilot, screen):
        await pilot.press("6")
        await sees(pilot, "1 haste")
        await pilot.press("1")
        assert screen.controller.state.adventurer.haste == 10
        await pilot.press("3")  # none is carried
        assert screen.controller.turn.ply == 2
        await pilot.press("6", "6", "7")
        assert [bomb.cell for bomb in screen.controller.state.room.bombs] == [Cell(0, 3)]
        await pilot.press("backspace")
        assert screen.controller.state.room.bombs == ()


async def test_one_travels_to_a_door_by_its_number() -> None:
    async with playing(campaign_of("o---9")) as (pilot, screen):
        await pilot.press("g", "9", "enter")
        await wait_until(pilot, lambda: screen.controller.state.status is Status.WON)
        await dialogue(pilot)


async def test_a_hint_leads_to_a_door_and_says_where_none_can_be_reached() -> None:
    async with playing(campaign_of("o--9")) as (pilot, screen):
        for _ in range(3):
            await pilot.press("slash")
        await wait_until(pilot, lambda: len(tinted(screen, Tint.PATH)) == 3)
    async with playing(campaign_of("oM9 +++")) as (pilot, screen):
        await pilot.press("slash")
        await sees(pilot, "No door can be reached alive")


async def test_one_life_takes_nothing_back_but_in_practice() -> None:
    text = campaign_text({"1": ("o-M9", '[levels.1.doors]\n9 = {ending = "out"}')})
    campaign = replace(read_campaign(LevelFile("descent", text.encode())), is_descent=True)
    async with playing(campaign) as (pilot, screen):
        await pilot.press("d")
        assert screen.controller.state.status is Status.DIED
        await dialogue(pilot)
        await pilot.press("o", "backspace", "X", "left_square_bracket", "d")
        assert screen.controller.state.moves <= 1
        assert len(screen.controller.turn.line()) <= 2
        await pilot.press("U", "right_square_bracket", "backspace", "e")
        assert screen.controller.state.moves == 1
        assert screen.controller.state.status is Status.PLAYING


async def test_fate_tells_since_when_a_level_is_lost() -> None:
    async with playing(campaign_of("ob---+9 +++++++")) as (pilot, screen):
        await pilot.press("d", "F")
        await sees(pilot, words.STILL_OPEN)
        await pilot.press("7", "e", "F")
        await sees(pilot, "since turn 2")
        await pilot.press("X")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 1)


def test_fog_shows_what_is_near_and_along_rows_and_columns() -> None:
    state = state_of("o-------- --------- +-------- --------- --------9", "fog = true")
    shown = picture.seen(state)
    assert shown is not None
    assert shown[0].all()
    assert shown[:4, 1:4].all()
    assert not shown[3:, 4:].any()
    assert not shown[4:, 0].any()  # behind the pillar, farther than three
    assert picture.seen(state_of("o-9")) is None


def test_a_mimic_looks_like_treasure_until_it_wakes() -> None:
    view, state = DeepView(GAME), state_of("o----C 9-----")
    row = picture.Picture(state, UNICODE).row(0, 0, 6)
    assert row.glyphs[-1] == "$"
    assert "treasure" in view.cell_text(state, Cell(0, 5))
    assert "mimic" not in view.cell_text(state, Cell(0, 5))


def test_danger_is_where_the_next_turn_would_be_the_last() -> None:
    layer = picture.danger_layer(state_of("o-M9"), UNICODE)
    assert set(layer.rows()) == {0}
    assert reason_to_stop(None, state_of("o-M9"))
    assert not reason_to_stop(None, state_of("o-9"))


def test_routes_go_round_doors_and_monsters_do_not_matter() -> None:
    state = state_of("o9-$ ----")
    found = route(state, Cell(0, 3))
    assert not isinstance(found, str)
    assert len(found) == 5
    for cell in (Cell(0, 0), Cell(9, 9)):
        assert isinstance(route(state, cell), str)


def test_the_ring_that_falls_next_is_marked() -> None:
    state = state_of("o---- ----- --9-- ----- -----", "shrinks = 2")
    assert picture.warning_layer(state, UNICODE) is None
    layer = picture.warning_layer(played(state, "e"), UNICODE)
    assert layer is not None
    assert sorted(layer.rows()) == [0, 1, 2, 3, 4]
    assert reason_to_stop(None, played(state, "e"))
