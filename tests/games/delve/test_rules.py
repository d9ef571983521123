"""The delve's rules, one sentence after another."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.rules import Event, IllegalActionError, LevelBegun
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.delve.model import finds, rules
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import CORRIDOR, HEARTS, STAIRS_DOWN, Level, pack_level, unpack_level
from dungeon_tui.games.delve.model.maps import TUNNELLING, WALKING, distance_field
from dungeon_tui.games.delve.model.state import (
    KINDS,
    Ability,
    Action,
    Kind,
    Monster,
    MonsterKilled,
    RockWorn,
    StairsTaken,
    State,
    Status,
    Stayed,
)
from tests.games.delve.drawn import drawn_by_chance, level_of, state_of

STAY, RIGHT, LEFT = Action.STAY, Action.RIGHT, Action.LEFT


def after(state: State, *actions: Action) -> State:
    for action in actions:
        state, _ = rules.step(state, action)
    return state


def stays(state: State, turns: int) -> tuple[State, list[Event]]:
    told: list[Event] = []
    for _ in range(turns):
        state, events = rules.step(state, STAY)
        told += events
    return state, told


def cells(state: State) -> list[tuple[int, int]]:
    return [(monster.cell.row, monster.cell.col) for monster in state.monsters]


# The player


def test_only_open_cells_stairs_and_staying_are_legal() -> None:
    state = state_of("..X", ".@ ", ".>%", "    ", "0")
    assert {action.value for action in rules.legal_actions(state)} == set("ykhbj.")
    assert {action.value for action in rules.legal_actions(after(state, Action.DOWN))} == set("ykh.>")


@pytest.mark.parametrize(
    ("action", "fact"),
    [
        (Action.UP, "there is rock to the north"),
        (Action.RIGHT, "there is rock to the east"),
        (Action.LEFT, "there is rock to the west"),
        (Action.DESCEND, "down the stairs"),
        (Action.ASCEND, "up the stairs"),
    ],
)
def test_what_is_not_possible_says_why_and_costs_nothing(action: Action, fact: str) -> None:
    state = state_of("   ", "X@%", " . ", "   ", "0  ")
    with pytest.raises(IllegalActionError, match=fact):
        rules.step(state, action)


def test_moving_and_staying() -> None:
    state = state_of("@.", "  ", "0 ")
    moved, _ = rules.step(state, RIGHT)
    assert (moved.player, moved.turns, moved.time) == (Cell(1, 2), 1, 100)
    _, events = rules.step(moved, STAY)
    assert events == (Stayed(Cell(1, 2)),)


# The queue


@given(speeds=st.lists(st.integers(5, 20), min_size=1, max_size=5), turns=st.integers(1, 6))
def test_turns_come_in_the_order_of_time_and_then_of_number(speeds: list[int], turns: int) -> None:
    """A tunneller that wears rock says so in each of its turns: the events are the order of the turns."""
    lanes = [row for _ in speeds for row in (" " + "X" * 9, " " * 9 + "6")]
    state, told = stays(state_of("@", *lanes, speeds=tuple(speeds)), turns)
    acted = [event.monster.sequence for event in told if isinstance(event, RockWorn)]
    due = sorted(
        (turn * (1000 // speed), number)
        for number, speed in enumerate(speeds, 1)
        for turn in range(turns * 100)
        if turn * (1000 // speed) < turns * 100
    )
    assert acted == [number for _, number in due]
    assert state.time == turns * 100


# How monsters go


@pytest.mark.parametrize(("kind", "last_seen", "goes_to"), [("1", (4, 3), (4, 3)), ("0", None, (3, 6))])
def test_the_smart_go_where_they_saw_you_and_then_forget(
    kind: str, last_seen: tuple[int, int] | None, goes_to: tuple[int, int]
) -> None:
    state = state_of(".@    ", ".     ", f".    {kind}", "......")
    assert not rules.visible(state)[state.monsters[0].cell]
    remembered = replace(state.monsters[0], last_seen=last_seen and Cell(*last_seen))
    state, _ = stays(replace(state, monsters=(remembered,)), 4)
    assert (cells(state), state.monsters[0].last_seen) == ([goes_to], None)


def test_the_smart_remember_and_the_others_do_not() -> None:
    for kind, remembered in (("1", Cell(1, 1)), ("0", None), ("2", None)):
        state = after(state_of(f"@.....{kind}"), STAY)
        assert state.monsters[0].last_seen == remembered


@pytest.mark.parametrize(
    ("rows", "cell"), [(("@ 2",), (1, 3)), (("@", "X", "X8", "X"), (3, 2)), (("@", "X", "X", "6"), (4, 1))]
)
def test_a_monster_that_can_go_nowhere_stays(rows: tuple[str, ...], cell: Cell) -> None:
    """A walker behind rock, an erratic one that is walled in, and a tunneller before what nothing wears."""
    state, events = stays(state_of(*rows), 20)
    assert cells(state) == [cell]
    assert not [event for event in events if isinstance(event, RockWorn)]


@pytest.mark.parametrize("kind", ["8", "c"])
def test_the_erratic_go_anywhere_half_the_time(kind: str) -> None:
    """It can't know where the player is: every turn in which it does something is a random one."""
    state = state_of("@", "X", "X", "....", "....", f"..{kind}.", "....", "....", seed=5)
    turns = 200
    acted = 0
    for _ in range(turns):
        before = state
        state, events = rules.step(state, STAY)
        acted += state.monsters[0].cell != before.monsters[0].cell or any(
            isinstance(event, RockWorn) for event in events
        )
    assert turns * 0.38 < acted < turns * 0.62


def test_a_monster_removes_what_it_steps_on() -> None:
    state = state_of("@..22", speeds=(5, 20))
    state, events = rules.step(state, STAY)
    killed = [event for event in events if isinstance(event, MonsterKilled)]
    assert [(event.monster.sequence, event.by.sequence if event.by else 0) for event in killed] == [(1, 2)]
    assert [monster.sequence for monster in state.monsters] == [2]
    assert state.kills == 0


# Rock


@pytest.mark.parametrize(("hardness", "turns"), [(1, 1), (85, 1), (86, 2), (170, 2), (171, 3), (254, 3)])
def test_a_tunneller_wears_rock_and_steps_in_when_nothing_is_left(hardness: int, turns: int) -> None:
    level = level_of("@ .")
    grid = level.hardness.copy()
    grid[1, 2] = hardness
    state = rules.start(replace(level, hardness=grid), 0)
    state = replace(state, monsters=(Monster(1, KINDS[6], Cell(1, 3), 10),))
    left = hardness
    for _ in range(turns):
        assert cells(state) == [(1, 3)]
        state, events = rules.step(state, STAY)
        (worn,) = [event for event in events if isinstance(event, RockWorn)]
        left = max(0, left - 85)
        assert (worn.cell, worn.hardness, state.hardness[Cell(1, 2)]) == (Cell(1, 2), left, left)
    assert cells(state) == [(1, 2)]
    assert state.terrain[Cell(1, 2)] == CORRIDOR
    assert RIGHT in rules.legal_actions(state)


def test_the_maps_follow_the_rock() -> None:
    """A walker behind the wall comes through as soon as the tunneller has opened it."""
    state = state_of("@....", "XX%XX", "XX6XX", "XX2XX", speeds=(10, 5))
    assert rules.distances(state, WALKING).distance[3, 3] == UNREACHED
    assert not rules.visible(state)[3, 3]
    weight = int(rules.distances(state, TUNNELLING).distance[3, 3])
    state = after(state, STAY)
    assert cells(state) == [(2, 3), (3, 3)], "the walker, whose turn is later at the same time, has followed"
    assert rules.distances(state, WALKING).distance[3, 3] == 3
    assert rules.distances(state, TUNNELLING).distance[3, 3] == weight == 3
    assert rules.visible(state)[2, 3]


def test_stairs_that_lay_in_the_rock_are_stairs_once_it_is_open() -> None:
    level = level_of("@ .")
    level = replace(level, stairs_down=(Cell(1, 2),))
    state = rules.start(level, 0)
    state = replace(state, monsters=(Monster(1, KINDS[6], Cell(1, 3), 10),))
    state, _ = stays(state, 3)
    assert state.terrain[Cell(1, 2)] == STAIRS_DOWN


# The maps, once for all


def test_all_monsters_of_a_kind_share_one_map_a_turn() -> None:
    state = state_of("@..........2.2.2.2.2", seed=77)
    state = replace(state, monsters=tuple(replace(monster, next_turn=100) for monster in state.monsters))
    begun = distance_field.cache_info().misses
    for made in (0, 1, 1, 1):  # nobody has a turn; they have; neither the player nor the rock has changed
        state = after(state, STAY)
        assert distance_field.cache_info().misses == begun + made


# Stairs


@pytest.mark.parametrize(("glyph", "action", "depths"), [(">", Action.DESCEND, [2, 3]), ("<", Action.ASCEND, [1, 1])])
def test_stairs_lead_to_new_dungeons(glyph: str, action: Action, depths: list[int]) -> None:
    state = state_of(f"@{glyph}", "X", "X0", seed=4)
    state = replace(after(state, RIGHT), kills=3)
    for depth in depths:
        stairs = state.level.stairs_down if glyph == ">" else state.level.stairs_up
        state = replace(state, player=stairs[0])
        before = state
        state, events = rules.step(state, action)
        assert events == (StairsTaken(glyph == ">", depth), LevelBegun(depth))
        assert (state.depth, state.dungeons, state.turns) == (depth, before.dungeons + 1, before.turns + 1)
        assert (state.kills, state.time, state.level.name) == (3, 0, "drawn")
        assert len(drawn_by_chance(state)) == 1 + 2 * (depth - 1)
        assert state.level.layout == "generated"
        assert fingerprint(rules.step(before, action)[0]) == fingerprint(state)


@pytest.mark.parametrize(
    ("state", "size"), [(state_of("@>", "X", "X0"), (21, 80)), (rules.start(generate(3, 42, 90), 3), (42, 90))]
)
def test_dungeons_are_as_large_as_the_one_before_if_they_can_be(state: State, size: tuple[int, int]) -> None:
    state = after(replace(state, player=state.level.stairs_down[0]), Action.DESCEND)
    assert (state.height, state.width) == size


# The start


def test_monsters_begin_in_rooms_out_of_sight_and_far_off() -> None:
    for seed in range(20):
        state = rules.start(generate(seed), seed)
        assert [monster.sequence for monster in state.monsters] == list(range(1, 11))
        assert len({monster.cell for monster in state.monsters}) == 10
        seen = rules.visible(state)
        for monster in state.monsters:
            assert not seen[monster.cell]
            assert max(abs(monster.cell.row - state.player.row), abs(monster.cell.col - state.player.col)) >= 10
            assert any(
                room.row <= monster.cell.row < room.row + room.height
                and room.col <= monster.cell.col < room.col + room.width
                for room in state.level.rooms
            )
            assert 5 <= monster.speed <= 20


def test_there_are_all_kinds_and_speeds() -> None:
    monsters = rules.start(replace(generate(1, 42, 160), monsters=400), 1).monsters
    assert set(Counter(KINDS.index(monster.kind) for monster in monsters)) == set(range(16))
    assert set(Counter(monster.speed for monster in monsters)) == set(range(5, 21))
    assert {monster.kind.glyph for monster in monsters} == set("0123456789abcdef")


def test_a_further_kind_comes_from_its_depth_on_and_leaves_all_else_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    level = replace(generate(1), rules=HEARTS)
    first = rules.start(level, 1)
    first = replace(first, player=first.level.stairs_down[0])
    second = after(first, Action.DESCEND)
    further = Kind("gnawer", "g", "g", Ability.SMART | Ability.TUNNELLING, "mole", first_depth=2)
    monkeypatch.setattr(finds, "KINDS", (*KINDS, further))
    assert rules.start(level, 1).monsters == first.monsters
    with_it = after(first, Action.DESCEND)
    assert with_it.monsters[:-1] == second.monsters
    assert with_it.monsters[-1].kind == further
    assert (with_it.things, with_it.random) == (second.things, second.random)


def test_deeper_dungeons_have_faster_monsters() -> None:
    state = rules.start(generate(1), 1)
    state = replace(state, depth=14, player=state.level.stairs_down[0])
    state = after(state, Action.DESCEND)
    assert len(drawn_by_chance(state)) == 10 + 2 * 14
    assert min(monster.speed for monster in state.monsters) >= 19


def test_no_more_monsters_than_there_is_space_for() -> None:
    state = rules.start(level_of("@.. .", monsters=50), 0)
    assert len(state.monsters) == 3
    assert state.player not in {monster.cell for monster in state.monsters}


@pytest.mark.parametrize("level", [level_of("@", monsters=5), level_of("@..", monsters=0)])
def test_a_dungeon_without_monsters_is_won_at_once(level: Level) -> None:
    state = rules.start(level, 0)
    assert state.status is Status.WON
    assert rules.legal_actions(state) == ()


def test_the_seed_places_a_player_whom_the_level_does_not() -> None:
    level = level_of("...", "   ", "...")
    assert level.player is None
    assert len({rules.start(level, seed).player for seed in range(30)}) > 3


# Recordings


def test_the_number_of_monsters_is_packed() -> None:
    packed = pack_level(level_of("@..", monsters=7))
    assert unpack_level(packed).monsters == 7
    assert unpack_level(replace(packed, options={})).monsters == 10
    for wrong in (-1, "7"):
        with pytest.raises(LevelError, match="monsters must be a number"):
            unpack_level(replace(packed, options={"monsters": wrong}))
