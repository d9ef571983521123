"""Gold and finds, sleepers, packs and lookouts: only in games with hearts."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event, IllegalActionError
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.ai.solver import Aim, plan
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.finds import FINDS
from dungeon_tui.games.delve.model.generator import generate
from dungeon_tui.games.delve.model.level import HEARTS
from dungeon_tui.games.delve.model.maps import WALKING, apart
from dungeon_tui.games.delve.model.state import (
    JACKAL,
    LOOKOUT,
    SLEEPER,
    Action,
    Bomb,
    BombBlewUp,
    FrostEnded,
    Kind,
    MonstersCalled,
    MonsterWoke,
    Mood,
    PlayerHit,
    RockWorn,
    State,
    Status,
    ThingTaken,
)
from dungeon_tui.games.delve.view import transcript, words
from dungeon_tui.games.delve.view.guide import DelveGuide
from tests.bench.bots_delve import careful, games, waiter
from tests.games.delve.test_hearts import fair

STAY, RIGHT, LEFT, HASTE, FROST, BOMB = (
    Action.STAY, Action.RIGHT, Action.LEFT, Action.HASTE, Action.FROST, Action.BOMB
)  # fmt: skip


def equipped(*rows: str, kind: Kind | None = None, mood: Mood = Mood.AWAKE, speed: int = 10, hearts: int = 3) -> State:
    """The picture by the rules of hearts, with one find of each; all monsters of a kind and in a mood."""
    state = fair(*rows, hearts=hearts)
    monsters = tuple(replace(each, kind=kind or each.kind, mood=mood, speed=speed) for each in state.monsters)
    return replace(state, monsters=monsters, carried=tuple(FINDS))


def played(state: State, *actions: Action) -> tuple[State, list[Event]]:
    told: list[Event] = []
    for action in actions:
        state, events = rules.step(state, action)
        told += events
    return state, told


def columns(state: State) -> list[int]:
    return [monster.cell.col for monster in state.monsters]


@pytest.mark.parametrize(
    ("actions", "col"),
    [
        ((STAY, STAY, STAY), 7),
        ((HASTE, STAY, STAY), 8),
        ((HASTE, *[STAY] * 11), 3),  # ten quick moves, and one as usual
        ((FROST, *[STAY] * 4), 10),
        ((FROST, *[STAY] * 5), 9),
        ((FROST, HASTE, STAY, STAY), 10),
    ],
)
def test_haste_and_frost_give_turns(actions: tuple[Action, ...], col: int) -> None:
    assert columns(played(equipped("@........0"), *actions)[0]) == [col]


def test_frost_lasts_five_turns_and_what_is_frozen_can_be_struck() -> None:
    state, events = played(equipped("@.0.", "...."), FROST, STAY, STAY, STAY)
    assert (solver.frost_turns(state), FrostEnded() in events) == (1, False)
    assert played(state, RIGHT, RIGHT)[0].kills == 1
    assert FrostEnded() in played(state, STAY)[1]


@pytest.mark.parametrize(
    ("actions", "hearts", "player"), [((STAY, STAY), 2, 3), ((LEFT, STAY), 2, 2), ((LEFT, LEFT), 3, 1)]
)
def test_a_bomb_blows_up_rock_monsters_and_you(actions: tuple[Action, ...], hearts: int, player: int) -> None:
    state = equipped("...X0.", "..@%XX", "...XX8", kind=SLEEPER, mood=Mood.ASLEEP)
    state, events = played(state, BOMB, *actions)
    assert BombBlewUp(Cell(2, 3)) in events
    assert (state.hearts, state.player) == (hearts, (2, player))
    assert (state.hardness[Cell(2, 4)], state.hardness[Cell(1, 4)], state.bombs) == (0, 255, ())
    assert not any(isinstance(event, RockWorn) for event in events)
    near = replace(equipped("..", "@0", kind=SLEEPER, mood=Mood.ASLEEP), bombs=(Bomb(Cell(1, 1), 100),))
    assert played(near, STAY)[0].kills == 1


def test_a_bomb_can_kill_you_and_takes_no_second_heart_in_a_turn() -> None:
    state = replace(equipped("@.", hearts=1), bombs=(Bomb(Cell(1, 1), 100),))
    assert played(state, STAY)[1][-1] == PlayerHit(Cell(1, 1), None, 0)
    assert "bomb" in words.ending(played(state, STAY)[0])[0]
    state = replace(equipped("@0."), bombs=(Bomb(Cell(1, 1), 100),))
    assert sum(isinstance(event, PlayerHit) for event in played(state, STAY)[1]) == 1


def test_what_you_do_not_carry_can_not_be_used() -> None:
    state = equipped("@..")
    for action in HASTE, FROST, BOMB:
        after = rules.step(state, action)[0]
        assert len(after.carried) == 2
        with pytest.raises(IllegalActionError, match=f"no {action.name.lower()}"):
            rules.step(after, action)


def test_things_are_taken_by_stepping_on_them_and_go_down_with_you() -> None:
    state = rules.start(replace(generate(2), rules=HEARTS), 2)
    things, state = state.things, replace(state, hearts=2)
    for cell, name in things:
        beside = next(each for each in solver.cells_of(np.argwhere(state.hardness.copy() == 0)) if near(each, cell))
        state = replace(state, player=beside, monsters=())
        way = solver.route(state, cell, is_foggy=False)
        state, events = rules.step(state, way[0])
        assert ThingTaken(cell, name, 20 * (name == "gold")) in events or name == "heart"
    assert (state.things, state.gold, len(state.carried), state.hearts) == ((), 60, 2, 3)
    assert rules.points(state) == 60
    below = rules.step(replace(state, player=state.level.stairs_down[0], haste=4), Action.DESCEND)[0]
    assert (below.gold, below.carried, below.haste, len(below.things)) == (60, state.carried, 3, 6)


def near(one: Cell, other: Cell) -> bool:
    return apart(one, other) == 1


@pytest.mark.parametrize("seed", range(12))
def test_dungeons_keep_their_terrain_and_monsters_and_things_lie_off_the_way(seed: int) -> None:
    level = generate(seed)
    course, state = rules.start(level, seed), rules.start(replace(level, rules=HEARTS), seed)
    assert (course.things, {each.kind.is_stocked for each in course.monsters}) == ((), {False})
    assert (course.terrain.copy() != state.terrain.copy()).sum() == len(level.stairs_up), "which hearts need not"
    assert [each.cell for each in state.monsters[:10]] == [each.cell for each in course.monsters]
    added = state.monsters[10:]
    assert [each.sequence for each in added] == [*range(11, 11 + len(added))]
    assert len({each.cell for each in state.monsters}) == len(state.monsters)
    below = rules.step(replace(state, player=state.level.stairs_down[0]), Action.DESCEND)[0]
    packs = [sum(each.kind is JACKAL for each in there.monsters) for there in (state, below)]
    assert (packs[0], packs[1] in (6, 9)) == (0, True)
    gold = next(cell for cell, name in below.things if name == "gold")
    guards = Counter(each.kind.name for each in below.monsters if apart(each.cell, gold) <= 2)
    assert guards >= Counter(jackal=3) or guards >= Counter(archer=1, guard=1)
    sleepers = [each for each in added if each.kind is SLEEPER]
    assert {each.mood for each in sleepers} == {Mood.ASLEEP}
    guarded = [sum(apart(each.cell, cell) <= 2 for each in sleepers) for cell, _ in state.things[:4]]
    assert [name for _, name in state.things][3:] == ["heart", "gold", "gold"]
    assert guarded == [2, 1, 1, 1], "most at the gold"
    heap = [cell for cell, name in state.things if name == "gold"]
    assert all(apart(heap[0], cell) <= 2 for cell in heap)
    away = rules.distances(state, WALKING).distance
    assert all(state.hardness[cell] == 0 and away[cell] >= 6 for cell, _ in state.things)


@pytest.mark.parametrize("kind", [SLEEPER, JACKAL])
@pytest.mark.parametrize(("row", "wakes"), [("@..0", True), ("@...0", False)])
def test_what_sleeps_wakes_three_steps_away_and_needs_its_turn_for_it(row: str, wakes: bool, kind: Kind) -> None:
    state = equipped(row, kind=kind, mood=Mood.ASLEEP)
    assert (solver.noticed(state), "wakes" in words.sighting(state.monsters)) == ((), True)
    after, events = played(state, STAY)
    assert any(isinstance(event, MonsterWoke) for event in events) == wakes
    assert columns(after) == columns(state)
    assert bool(solver.noticed(after)) == wakes


@pytest.mark.parametrize(
    ("hearts", "thing", "aim"), [(3, "gold", "explore"), (2, "gold", "goal"), (3, "heart", "goal")]
)
def test_the_advice_looks_for_things_past_sleepers_with_all_hearts(hearts: int, thing: str, aim: str) -> None:
    state = equipped("@>...0..X", "XXXXXXX.X", "XXXX....X", kind=SLEEPER, mood=Mood.ASLEEP, hearts=hearts)
    assert solver.plan(replace(state, things=((Cell(3, 5), thing),))).aim == aim


def test_jackals_keep_apart_in_a_corridor_and_close_in_together_in_a_room() -> None:
    corridor = equipped("@########0000", kind=JACKAL)
    closest, arrived = [], []
    for _ in range(9):
        corridor = rules.step(corridor, STAY)[0]
        cols = sorted(columns(corridor))
        closest += [cols[1] - cols[0]] if cols[0] > 2 else []
    assert min(closest[3:]) >= 2
    aside, _ = played(equipped("......", "@...00", "......", kind=JACKAL), STAY)
    assert {each.cell for each in aside.monsters} == {Cell(2, 4), Cell(1, 6)}, "the one behind steps aside"
    room = equipped(*["." * 13] * 5, "@............", *["." * 13] * 3, "..........0.0", *["." * 13] * 2, kind=JACKAL)
    room = replace(room, turns=1)
    while not arrived:
        room = rules.step(room, STAY)[0]
        arrived = [each for each in room.monsters if near(each.cell, room.player)]
    assert len(arrived) == 2 or room.turns % 4 == 1


def test_a_jackal_passes_those_that_sleep() -> None:
    state = equipped("......0.", "@....0.0", "......0.", kind=JACKAL, speed=15)
    *asleep, awake = sorted(state.monsters, key=lambda each: each.cell == (2, 8))
    state = replace(state, monsters=(*(replace(each, mood=Mood.ASLEEP) for each in asleep), awake))
    assert min(columns(played(state, *[STAY] * 6)[0])) < 6


def test_jackals_search_the_place_where_one_saw_you_together_and_all_give_up_there() -> None:
    state = equipped("@X00......", "XX........", kind=JACKAL)
    idle, hunting = state.monsters
    place = Cell(idle.cell.row, idle.cell.col + 6)
    state = replace(state, monsters=(idle, replace(hunting, last_seen=place)))
    after, _ = played(state, STAY)
    assert [each.last_seen for each in after.monsters] == [place, place]
    searched, _ = played(after, *[STAY] * 8)
    assert [each.last_seen for each in searched.monsters] == [None, None]
    assert min(columns(searched)) > idle.cell.col


def test_one_jackal_that_sees_you_tells_the_others_near_it() -> None:
    state = equipped("@....", "XX...", "XX.00", kind=JACKAL)
    unseen, seen = sorted(state.monsters, key=lambda each: bool(rules.visible(state)[each.cell]))
    assert (rules.visible(state)[unseen.cell], rules.visible(state)[seen.cell]) == (False, True)
    assert played(state, STAY)[0].monsters[0].last_seen == state.player


def test_a_cornered_lookout_calls_the_one_next_to_it_and_one_that_sees_nobody_is_calm() -> None:
    cornered = equipped("@...0", "XXX2X", kind=LOOKOUT)
    lookout, other = cornered.monsters
    _, told = played(replace(cornered, monsters=(lookout, replace(other, kind=SLEEPER, mood=Mood.ASLEEP))), STAY)
    assert [event.number for event in told if isinstance(event, MonstersCalled)] == [1]
    calm, _ = played(equipped("@XX0", "....", kind=LOOKOUT), STAY)
    assert calm.monsters[0].mood is Mood.AWAKE


def test_a_lookout_runs_calls_and_comes_back_with_others() -> None:
    state = equipped("@..0" + "." * 20, "X" * 16 + "." * 8, "X" * 16 + "..2.....", kind=LOOKOUT)
    lookout, other = state.monsters
    state = replace(state, monsters=(lookout, replace(other, kind=JACKAL, speed=10)))
    told: list[Event] = []
    least = 3
    while not any(isinstance(event, MonstersCalled) for event in told):
        before = state
        state, told = played(state, STAY)
        least = min(least, before.monsters[0].cell.col - 1)
        assert state.turns < 40
    assert least == 3, "it never came nearer"
    assert state.monsters[0].mood is Mood.BOLD
    assert state.monsters[1].last_seen == state.player
    state, _ = played(state, *[STAY] * 12)
    assert {*columns(state)} < {*range(2, 18)}, "both come"


@pytest.mark.parametrize(
    ("state", "aim", "action"),
    [
        (equipped("00@00", "00000", hearts=1), "ahead", FROST),
        (replace(equipped("..@.0", "....."), hearts=3), "wait", STAY),
        (replace(equipped("@.$", "..."), things=((Cell(1, 3), "bomb"),)), "take", RIGHT),
        (replace(equipped("...."), player=Cell(1, 2), bombs=(Bomb(Cell(1, 1), 200),)), "leave", RIGHT),
        (replace(equipped("@...0"), frozen_until=500), "strike", RIGHT),
    ],
)
def test_advice_knows_finds_bombs_and_frost(state: State, aim: Aim, action: Action) -> None:
    found = plan(state)
    assert (found.aim, found.actions[0]) == (aim, action)


def test_plain_text_shows_and_names_the_new_things() -> None:
    state = replace(
        equipped("@..", "..0", kind=SLEEPER, mood=Mood.ASLEEP, hearts=1),
        things=((Cell(1, 3), "frost"),),
        bombs=(Bomb(Cell(2, 1), 100),),
    )
    assert transcript.board_text(state, is_foggy=True).splitlines()[1:3] == [" @.* ", " &.z "]
    guide = DelveGuide(lambda: True)
    assert {"frost", "sleeping guard"} == {name for name, _ in guide.things(state)}
    assert STAY in guide.deadly(state)
    assert "haste 1 (key S), frost 1 (key F), bomb 1 (key B), bomb in 1 turn" in words.score(state)


@pytest.mark.slow
@given(seed=st.integers(0, 30), choices=st.lists(st.integers(0, 40), min_size=20, max_size=80))
def test_what_holds_in_every_turn_of_a_game_with_hearts(seed: int, choices: list[int]) -> None:
    state = rules.start(replace(generate(seed, 15, 40), rules=HEARTS, monsters=4), seed)
    state = replace(state, carried=tuple(FINDS) * 3)
    for choice in choices:
        legal = rules.legal_actions(state)
        if not legal:
            return
        before, action = state, legal[choice % len(legal)]
        state, events = rules.step(before, action)
        lost = before.hearts - state.hearts + any(type(event).__name__ == "HeartGained" for event in events)
        assert lost in (0, 1)
        assert lost <= solver.is_risky(before, action), "the analysis and the danger marks know every risk"
        cells = [monster.cell for monster in state.monsters]
        assert len({*cells}) == len(cells)
        assert all(state.hardness[cell] == 0 for cell, _ in state.things)
        costs = solver.costs_at_worst(state)
        assert rules.outcome(state) or costs[plan(state).actions[0]] == min(costs.values()), "a hint is never a slip"
        if state.dungeons == before.dungeons:
            assert state.gold - before.gold == 20 * state.depth * (len(before.things) - len(state.things)) or (
                state.gold == before.gold
            )
            assert all(bomb.time > state.time for bomb in state.bombs)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_waiting_and_striking_is_not_enough_and_the_advice_is() -> None:
    seeds = range(20)
    assert sum(game.state.status is Status.DIED for game in games(waiter, seeds, 4)) >= 14
    assert sum(game.state.depth >= 6 for game in games(careful, seeds, 6)) >= 8
