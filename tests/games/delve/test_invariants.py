"""What holds in every turn of the delve, whoever plays."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.rules import Event
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import CORRIDOR, Level
from dungeon_tui.games.delve.model.state import UNSEEN, Ability, Action, MonsterKilled, RockWorn, State, Status

WEIGHTS = [1] * 85 + [2] * 86 + [3] * 84 + [0]


@cache
def dungeon(seed: int) -> Level:
    return replace(generate(seed, 15, 40), monsters=12)


Played = tuple[State, State, tuple[Event, ...]]


def play(seed: int, choices: list[int]) -> Iterator[Played]:
    """Turns of a random game, without stairs."""
    state = rules.start(dungeon(seed % 8), seed)
    for choice in choices:
        legal = [action for action in rules.legal_actions(state) if action not in (Action.ASCEND, Action.DESCEND)]
        if not legal:
            return
        before = state
        state, events = rules.step(state, legal[choice % len(legal)])
        yield before, state, events


turns = given(seed=st.integers(0, 2**32), choices=st.lists(st.integers(0, 8), min_size=10, max_size=40))


@pytest.mark.slow
@turns
def test_what_holds_after_every_turn(seed: int, choices: list[int]) -> None:
    for before, state, events in play(seed, choices):
        cells = [monster.cell for monster in state.monsters]
        assert len(set(cells)) == len(cells)
        assert (state.player in cells) == (state.status is Status.DIED)
        assert all(state.hardness[cell] == 0 for cell in [state.player, *cells])
        check_rock(before, state, events)
        check_clocks(before, state, events)
        seen, looks, visible = state.seen.copy(), state.terrain.copy(), rules.visible(state)
        assert (seen[before.seen.copy() != UNSEEN] != UNSEEN).all()
        assert (seen[visible] == looks[visible]).all()
        assert (seen[~visible] == before.seen.copy()[~visible]).all()


def check_rock(before: State, state: State, events: tuple[Event, ...]) -> None:
    """Rock changes by what is told, and in no other way."""
    hardness, looks = before.hardness.copy(), before.terrain.copy()
    for event in events:
        if isinstance(event, RockWorn):
            assert Ability.TUNNELLING in event.monster.kind.abilities
            assert event.hardness == max(0, int(hardness[event.cell]) - 85)
            assert 0 < hardness[event.cell] < 255
            hardness[event.cell] = event.hardness
            if event.hardness == 0:
                looks[event.cell] = CORRIDOR
    assert np.array_equal(hardness, state.hardness.copy())
    assert np.array_equal(looks, state.terrain.copy())


def check_clocks(before: State, state: State, events: tuple[Event, ...]) -> None:
    """Whoever is gone was killed, and the clocks go on."""
    killed = [event.monster.sequence for event in events if isinstance(event, MonsterKilled)]
    alive = [monster.sequence for monster in state.monsters]
    assert sorted(alive + killed) == [monster.sequence for monster in before.monsters]
    assert alive == sorted(alive)
    assert state.time == before.time + 100
    for monster in state.monsters if state.status is not Status.DIED else ():
        assert monster.next_turn - 1000 // monster.speed < state.time <= monster.next_turn
        assert monster.next_turn % (1000 // monster.speed) == 0
    assert (state.status is Status.WON) == (not state.monsters)
