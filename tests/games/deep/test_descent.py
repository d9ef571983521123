"""The descent's levels: what each promises, its proof played by the rules, and the same levels everywhere."""

import hashlib
from dataclasses import astuple, replace
from itertools import pairwise

import numpy as np
import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Turn
from dungeon_tui.games.deep import GAME
from dungeon_tui.games.deep.ai.solver import can_leave, escape
from dungeon_tui.games.deep.model import rules
from dungeon_tui.games.deep.model.campaign import Campaign, Level
from dungeon_tui.games.deep.model.descent import (
    DEPTHS,
    KEY_DEPTH,
    PROMISES,
    VAULT,
    deepest,
    descent,
    entered,
    exit_of,
    meets_the_promised,
    score,
    toll,
)
from dungeon_tui.games.deep.model.events import DoorTaken
from dungeon_tui.games.deep.model.kinds import Look
from dungeon_tui.games.deep.model.room import AMULET, OPEN, TREASURE
from dungeon_tui.games.deep.model.state import State, Status
from dungeon_tui.games.deep.view import words
from dungeon_tui.games.deep.view.screen import DeepView

DIGEST = "d1a899ab6dac0eecc5e0733f6b451c884db7adc451b3e11240200c80c76b8243"
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))]


@pytest.fixture(scope="module", params=SEEDS)
def campaign(request: pytest.FixtureRequest) -> Campaign:
    return descent(request.param, can_leave)


def line_out(state: State, door: int, treasure: int) -> str:
    line = escape(state, bytes([door]), treasure, greed=3).line
    assert line is not None
    return "".join(action.value for action in line)


def test_levels_hold_together(campaign: Campaign) -> None:
    assert list(campaign.levels)[:DEPTHS] == [str(depth) for depth in range(1, DEPTHS + 1)]
    for name, level in campaign.levels.items():
        assert level.name == name
        assert level.tiles[level.start] == OPEN
        cells = [monster.cell for monster in level.monsters]
        assert len({*cells, level.start}) == len(cells) + 1
        assert all(level.tiles[cell] == OPEN for cell in cells)
        assert not (level.shrinks and AMULET in level.tiles)
        for tile, door in level.doors.items():
            assert tile in level.tiles
            assert door.ending or door.to in campaign.levels
            assert not door.door or ord(door.door) in campaign.levels[door.to].tiles


def test_each_depth_is_left_with_its_toll(campaign: Campaign) -> None:
    """The rules play each proof, one level after the other, and pay no heed to what the prover said."""
    for depth in range(1, DEPTHS + 1):
        level = campaign.levels[str(depth)]
        state = replace(entered(level, toll(depth - 1)), campaign=campaign, level=level)
        for letter in line_out(state, exit_of(level), toll(depth)):
            assert state.level is level
            state, events = rules.step(state, rules.read_action(letter))
        if depth == DEPTHS:
            assert state.status is Status.WON
        else:
            assert DoorTaken(str(depth + 1), False) in events
        assert state.adventurer.treasure >= toll(depth)


def test_the_first_depths_keep_their_promises(campaign: Campaign) -> None:
    for depth in range(1, PROMISES + 1):
        level = campaign.levels[str(depth)]
        assert level.text
        assert meets_the_promised(level, toll(depth - 1)), level.text
    level = campaign.levels[str(KEY_DEPTH)]
    assert level.doors[VAULT].key
    assert can_leave(entered(level, toll(KEY_DEPTH - 1)), VAULT, 0)


def test_vaults_pay(campaign: Campaign) -> None:
    vaults = [level for name, level in campaign.levels.items() if not name.isdecimal()]
    for vault in vaults:
        above = campaign.levels[vault.doors[ord("1")].to]
        (way_in,) = [door for door in above.doors.values() if door.to == vault.name] or [None]
        if way_in is not None:
            there = replace(rules.start(campaign), level=above)
            assert f"vault ({vault.tiles.tobytes().count(TREASURE)}$, " in words.tile_text(there, ord("2"))
            state = entered(vault, 0)
            for letter in line_out(state, ord("1"), way_in.cost + 1):
                state, _ = rules.step(state, rules.read_action(letter))
            assert state.adventurer.treasure > way_in.cost
            assert state.status is Status.WON


@pytest.mark.slow
def test_it_grows_harder() -> None:
    campaigns = [descent(seed, can_leave) for seed in range(4)]
    monsters = [np.mean([len(each.levels[str(depth)].monsters) for each in campaigns]) for depth in (1, 4, 7, 10)]
    assert all(less < more for less, more in pairwise(monsters))


def test_levels_are_made_on_request() -> None:
    asked: list[str] = []

    def prove(state: State, door: int, treasure: int) -> bool:
        asked.append(state.level.name)
        return can_leave(state, door, treasure)

    state = rules.start(descent(0, prove))
    DeepView(GAME).facts(Turn(state))
    assert set(asked) == {"1"}


def test_a_prover_that_finds_little_gets_emptier_levels() -> None:
    level = descent(0, lambda state, door, treasure: not state.level.monsters).levels["10"]
    assert not level.monsters


def test_score_is_treasure_and_depth(campaign: Campaign) -> None:
    state = rules.start(campaign)
    assert (deepest(state), score(state)) == (1, 10)
    state = replace(
        state,
        level=campaign.levels["2"],
        left={"1": state.room},
        adventurer=replace(state.adventurer, cell=Cell(0, 0), treasure=3),
    )
    assert (deepest(state), score(state)) == (2, 23)


def text_of(level: Level) -> str:
    monsters = [(each.kind, tuple(each.cell), each.heading and each.heading.name) for each in level.monsters]
    doors = [(tile, *astuple(door)) for tile, door in sorted(level.doors.items())]
    return repr((level.name, level.tiles.tolist(), tuple(level.start), monsters, doors, level.is_foggy, level.shrinks))


@pytest.mark.slow
def test_the_same_levels_on_every_machine() -> None:
    levels = descent(7, can_leave).levels
    found = [text_of(levels[name]) for name in levels]
    again = descent(7, can_leave).levels
    assert [text_of(again[name]) for name in reversed(list(again))] == found[::-1]
    assert hashlib.sha256("\n".join(found).encode()).hexdigest() == DIGEST


def test_runners_are_put_where_they_run(campaign: Campaign) -> None:
    for level in campaign.levels.values():
        state = entered(level, 0)
        look = Look(state.room, Cell(-9, -9))
        for monster in level.monsters:
            kind = campaign.kinds[monster.kind]
            assert kind.heading is None or kind.move(look, monster).cell != monster.cell, (level.name, monster)
