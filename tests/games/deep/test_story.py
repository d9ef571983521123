"""The shipped campaigns: each ending is played to, each level's par is held by a search, and no one gets stuck."""

from dataclasses import replace

import numpy as np
import pytest

from dungeon_tui.core.catalogue import levels_folder
from dungeon_tui.core.level import read_level_file
from dungeon_tui.core.recording import read_recording
from dungeon_tui.games.deep.ai.solver import escape
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import MOST_BYTES, Campaign, read_campaign
from dungeon_tui.games.deep.model.items import ITEM_OF_TILE, ITEMS
from dungeon_tui.games.deep.model.kinds import KINDS
from dungeon_tui.games.deep.model.room import OPEN, TREASURE
from dungeon_tui.games.deep.view.words import goal
from tests.games.deep.campaigns import entered, played
from tests.libraries import RECORDINGS


def campaign_named(name: str) -> Campaign:
    return read_campaign(read_level_file(levels_folder("deep") / f"{name}.toml", MOST_BYTES))


STORY, TUTORIAL = campaign_named("story"), campaign_named("tutorial")

ENDINGS = {
    **{ending: (STORY, read_recording(read_level_file(RECORDINGS / f"deep-story-{ending}.jsonl")).actions)
       for ending in ("daylight", "peace")},
    "home": (TUTORIAL, "ddswwdddsddddddwwddssssddwwddddddeedddwsswddddddddddwsswd"
             "aaaaassaddwwdddddddddw7sswddwsswdddddddwwwwdaaass"),
}  # fmt: skip

# The door one comes in by, the one that leads on, and the treasure: all there is, an amulet's copies with it.
WAYS = {
    "eye": ("1", "2", 4), "chest": ("1", "2", 6), "bone": ("1", "2", 3), "mill": ("1", "2", 4), "loom": ("1", "2", 4),
    "quarry": ("1", "2", 4), "sluice": ("1", "2", 4), "fuse": ("1", "2", 4), "dormitory": ("1", "2", 4),
    "watch": ("1", "2", 3), "larder": ("1", "2", 4), "warren": ("1", "2", 4), "grindstone": ("1", "2", 4),
    "archive": ("1", "2", 6), "mirror": ("1", "1", 10), "causeway": ("1", "2", 3), "lighthouse": ("1", "2", 3),
    "crown": ("1", "2", 3), "heart": ("1", "9", 0),
}  # fmt: skip
LONG = {"quarry", "mirror", "crown", "warren", "archive", "sluice", "larder", "fuse"}  # a second to a minute


def coins_of(campaign: Campaign) -> int:
    return sum(int(np.count_nonzero(level.tiles == TREASURE)) for level in campaign.levels.values())


@pytest.mark.parametrize("ending", ENDINGS)
def test_each_ending_is_played_to(ending: str) -> None:
    campaign, letters = ENDINGS[ending]
    state, names, goals = rules.start(campaign), set[str](), list[str]()
    level = None
    for letter in letters:
        if state.level is not level:
            level = state.level
            names.add(level.name)
            goals.append(goal(state))
        state = played(state, letter)
    outcome = rules.outcome(state)
    assert (outcome.name, outcome.is_win) == (ending, True)
    assert names == set(campaign.levels) or ending == "daylight"
    asked = "2 treasures to door 1" if ending == "home" else "15 treasures to way out 9"
    assert goals[0].startswith(f"Carry {asked}.")
    assert max(map(len, goals)) <= 72
    assert " way out " in goals[-1]


def test_the_story_holds_all_there_is() -> None:
    tiles = {tile for level in STORY.levels.values() for tile in level.tiles.flat}
    kinds = {monster.kind for level in STORY.levels.values() for monster in level.monsters}
    assert {ITEM_OF_TILE[tile] for tile in tiles if tile in ITEM_OF_TILE} == set(ITEMS)
    assert kinds == set(KINDS)
    assert len(STORY.levels) == 20
    assert all(level.text for level in STORY.levels.values())
    shapes = {level.tiles.shape for level in STORY.levels.values()}
    assert max(height for height, _ in shapes) <= 14
    assert max(width for _, width in shapes) <= 22


@pytest.mark.parametrize("campaign", [STORY, TUTORIAL], ids=["story", "tutorial"])
def test_whoever_pays_every_price_can_still_pay_the_last(campaign: Campaign) -> None:
    doors = [door for level in campaign.levels.values() for door in level.doors.values()]
    prices = sum(door.cost for door in doors if not door.ending)
    assert prices + max(max(door.carry, door.cost) for door in doors) <= coins_of(campaign)


@pytest.mark.parametrize("campaign", [STORY, TUTORIAL], ids=["story", "tutorial"])
def test_an_ending_can_be_reached_from_every_level(campaign: Campaign) -> None:
    reached: set[str] = set()
    for _ in campaign.levels:
        reached |= {
            name
            for name, level in campaign.levels.items()
            if any(door.ending or door.to in reached for door in level.doors.values())
        }
    assert reached == set(campaign.levels)


@pytest.mark.parametrize("campaign", [STORY, TUTORIAL], ids=["story", "tutorial"])
def test_whoever_comes_in_by_any_door_with_empty_hands_can_leave_again(campaign: Campaign) -> None:
    for name, level in campaign.levels.items():
        for door in (chr(tile) for tile in level.doors if level.doors[tile].to):
            assert escape(entered(campaign, name, door)).line is not None, f"{name}, door {door}"


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in WAYS])
def test_the_search_of_the_game_finds_the_same_pars(name: str) -> None:
    door, way_out, coins = WAYS[name]
    answer = escape(entered(STORY, name, door, treasure=24), way_out.encode(), 24 + coins)
    assert answer.line is not None
    assert (len(answer.line), answer.is_decided) == (STORY.levels[name].par, True)


@pytest.mark.parametrize("name", TUTORIAL.levels)
def test_the_pars_of_the_tutorial_are_those_of_the_search(name: str) -> None:
    level = TUTORIAL.levels[name]
    answer = escape(entered(TUTORIAL, name), b"1", level.tiles.tobytes().count(TREASURE))
    assert answer.line is not None
    assert (len(answer.line), answer.is_decided) == (level.par, True)


@pytest.mark.parametrize(
    ("name", "item"), [("bone", "shield"), ("causeway", "haste"), ("sluice", "bomb"), ("fuse", "bomb")]
)
def test_without_its_item_a_level_keeps_some_of_its_treasure(name: str, item: str) -> None:
    door, way_out, coins = WAYS[name]
    state = entered(STORY, name, door)
    place = state.room.cell_of(ITEMS[item].tile)
    assert place is not None
    without = replace(state, room=state.room.with_tile(place, OPEN))
    assert escape(without, way_out.encode(), coins).is_lost


def test_in_the_larder_a_mimic_that_blocks_the_dog_is_needed_for_all_treasure() -> None:
    state = entered(STORY, "larder", "1")
    monsters = [each for each in state.room.monsters if each.cell != (7, 6)]
    without = replace(state, room=replace(state.room, monsters=tuple(monsters)))
    assert escape(without, b"2", 4).is_lost


def test_two_levels_are_optional() -> None:
    on_the_way = {STORY.levels[name].doors[ord(way_out)].to for name, (_, way_out, _) in WAYS.items()}
    on_the_way |= {door.to for door in STORY.levels["well"].doors.values()}
    assert set(STORY.levels) - on_the_way == {"fuse", "larder"}
