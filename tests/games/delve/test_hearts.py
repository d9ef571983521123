"""The rules of three hearts: hits, the dark, the way down, the amulet; and where they are kept."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, PackedLevel
from dungeon_tui.core.turns import Turn
from dungeon_tui.games.delve.ai import solver
from dungeon_tui.games.delve.ai.solver import Aim, plan
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.generator import generate, named, openings
from dungeon_tui.games.delve.model.level import AMULET, COURSE, HEARTS, STAIRS_DOWN, pack_level, unpack_level
from dungeon_tui.games.delve.model.state import (
    Ability,
    Action,
    AmuletBroughtUp,
    AmuletTaken,
    Bomb,
    DungeonCleared,
    HeartGained,
    Mood,
    PlayerHit,
    State,
    Status,
)
from dungeon_tui.games.delve.view import words
from dungeon_tui.games.delve.view.analysis import DelveAnalysis
from dungeon_tui.ui.glyphs import UNICODE
from tests.games.delve.drawn import drawn_by_chance, state_of
from tests.processes import call
from tests.wording import numbers

STAY, RIGHT = Action.STAY, Action.RIGHT


def fair(*rows: str, hearts: int = 3, speeds: tuple[int, ...] = (), kinds: str = "") -> State:
    """The picture by the rules of hearts."""
    state = state_of(*rows, speeds=speeds, kinds=kinds)
    return replace(state, level=replace(state.level, rules=HEARTS), hearts=hearts)


def in_depth(depth: int, seed: int = 3) -> State:
    """The start of a dungeon of this depth, reached from the one above."""
    state = rules.start(replace(generate(seed), rules=HEARTS), seed)
    state = replace(state, depth=depth - 1, player=state.level.stairs_down[0])
    return rules.step(state, Action.DESCEND)[0]


# Hits


@pytest.mark.parametrize(
    ("rows", "col"),
    [(("@0..",), 3), (("@0X",), 2), (("@0",), 2), (("@00.",), 2)],
    ids=["open", "rock", "border", "taken"],
)
def test_a_hit_takes_a_heart_and_throws_the_attacker_back_where_it_can_be(rows: tuple[str, ...], col: int) -> None:
    state = fair(*rows)
    (attacker, *_) = state.monsters
    after, events = rules.step(state, STAY)
    assert PlayerHit(Cell(1, 1), attacker, 2) in events
    assert (after.hearts, after.player, after.status) == (2, state.player, Status.PLAYING)
    assert after.monsters[0].cell == (1, col)


def test_a_turn_costs_one_heart_at_most() -> None:
    state, events = rules.step(fair("000", "0@0", "000", speeds=(20,) * 8), STAY)
    assert sum(isinstance(event, PlayerHit) for event in events) == 1
    assert state.hearts == 2


@pytest.mark.parametrize(("row", "hearts"), [("X.", 3), ("..", 2)])
def test_nobody_strikes_out_of_the_dark(row: str, hearts: int) -> None:
    """A fast monster comes round the corner, or through a room: only one that was seen strikes in the same turn."""
    state = fair("@X", row, "2X", speeds=(20,))
    assert rules.step(state_of("@X", row, "2X", speeds=(20,)), STAY)[0].status is Status.DIED, "by the course's rules"
    assert bool(rules.visible(state)[3, 1]) == (hearts == 2)
    state = rules.step(state, STAY)[0]
    assert state.hearts == hearts
    if hearts == 3:
        assert state.monsters[0].cell == (2, 2)
        assert rules.step(state, Action.DOWN_RIGHT)[0].kills == 1, "the player has the first blow"


def test_the_game_goes_on_when_all_monsters_are_gone() -> None:
    state, events = rules.step(fair("@0.", speeds=(5,)), RIGHT)
    assert DungeonCleared() in events
    assert (state.status, rules.points(state)) == (Status.PLAYING, 10)


def test_a_fast_monster_that_would_hit_first_is_announced_and_can_be_let_come() -> None:
    state = fair("...@.2", speeds=(20,))
    threat = solver.attacker(state, STAY)
    assert threat == state.monsters[0]
    assert rules.step(state, STAY)[0].hearts == 2
    state = rules.step(state, plan(state).actions[0])[0]
    assert (state.hearts, plan(state).aim) == (3, "strike")
    for row, speed in ("@.2", 10), ("@..2", 20):
        assert solver.attacker(fair(row, speeds=(speed,)), STAY) is None


@pytest.mark.parametrize(
    ("row", "left"),
    [
        ("@.X02.", [((1, 5), 600), ((1, 4), 100)]),
        ("@.X22.", [((1, 4), 500), ((1, 5), 100)]),  # it waits behind one that hunts
        ("@..02.", [((1, 4), 100)]),
    ],
)
def test_monsters_out_of_sight_change_places_or_wait(row: str, left: list[tuple[Cell, int]]) -> None:
    state = fair(row, "...XXX")
    one, other = state.monsters
    state = replace(state, monsters=(replace(one, next_turn=500), other))
    assert [(each.cell, each.next_turn) for each in rules.step(state, STAY)[0].monsters] == left


# Archers and pursuers


@pytest.mark.parametrize(
    ("rows", "second", "hearts", "left"),
    [
        (("0.......@",), STAY, 2, 1),
        (("0........@",), STAY, 3, 1),  # too far: it draws a turn later
        (("0...@", "....."), Action.DOWN, 3, 1),
        (("0...@", "XX0XX"), STAY, 3, 1),  # the walker steps into the line
        (("0@",), Action.LEFT, 3, 0),
    ],
)
def test_an_archer_shoots_a_turn_after_it_draws(rows: tuple[str, ...], second: Action, hearts: int, left: int) -> None:
    state = rules.step(fair(*rows, kinds="j0"), STAY)[0]
    lines = [rules.arrow_path(state, archer) for archer in state.monsters]
    assert any(state.player in line for line in lines) == (len(rows[0]) < 10)
    state, _ = rules.step(state, second)
    assert (state.hearts, len(state.monsters)) == (hearts, left)


@pytest.mark.parametrize(("amulet", "turns"), [(False, 250), (False, 400), (True, 30), (True, 60)])
def test_a_pursuer_comes_late_and_gives_no_points(amulet: bool, turns: int) -> None:
    state = replace(fair("@.<"), time=100 * (turns - 1), has_amulet=amulet)
    assert rules.pursuer_turns(state) == 1
    state, events = rules.step(state, STAY)
    assert (events[-1].turns, [each.kind.name for each in state.monsters]) == (0, ["pursuer"])
    state = replace(state, monsters=(replace(state.monsters[0], cell=Cell(1, 2)),))
    assert (rules.step(state, RIGHT)[0].monsters, rules.step(state, RIGHT)[0].kills) == ((), 0)


# The way down, and up again


@pytest.mark.parametrize(("hearts", "left"), [(1, 2), (2, 3), (3, 3)])
def test_a_heart_gives_back_a_lost_one_else_it_stays(hearts: int, left: int) -> None:
    state = replace(fair("@..", hearts=hearts), things=((Cell(1, 2), "heart"),))
    assert solver.useful(state) == [Cell(1, 2)] * (hearts < 3)
    state, events = rules.step(state, RIGHT)
    assert (HeartGained(left) in events, len(state.things), state.hearts) == (hearts < 3, hearts == 3, left)


def test_each_depth_gives_points_and_only_the_amulet_opens_the_stairs_up() -> None:
    state = replace(rules.start(replace(generate(4), rules=HEARTS), 4), hearts=1)
    for _ in range(3):
        assert (state.level.stairs_up, Action.ASCEND in rules.legal_actions(state)) == ((), False)
        state, _ = rules.step(replace(state, player=state.level.stairs_down[0]), Action.DESCEND)
        assert (state.hearts, state.level.rules) == (1, HEARTS)
    assert (state.depth, rules.points(state)) == (4, 300)


def test_monsters_grow_faster_and_cleverer_with_depth() -> None:
    for depth in range(2, 10):
        monsters = drawn_by_chance(in_depth(depth))
        assert {5 <= monster.speed <= min(8 + 2 * depth, 20) for monster in monsters} == {True}
        abilities = [monster.kind.abilities for monster in monsters]
        assert depth >= 3 or not any(Ability.TUNNELLING in each for each in abilities)
        assert depth >= 4 or not any(Ability.TUNNELLING | Ability.TELEPATHIC in each for each in abilities)
    first = drawn_by_chance(rules.start(replace(generate(3), rules=HEARTS), 3))
    assert all(each.speed <= rules.PLAYER_SPEED and Ability.TELEPATHIC not in each.kind.abilities for each in first)


def test_a_file_without_stairs_has_some_in_the_farthest_cell() -> None:
    level = replace(state_of("@....", "XXXXX", ".....").level, rules=HEARTS)
    assert rules.start(level).level.stairs_down == (Cell(1, 5),)
    assert rules.start(replace(level, stairs_down=(Cell(3, 1),))).level.stairs_down == (Cell(3, 1), Cell(1, 5))
    assert rules.start(replace(level, stairs_down=(Cell(1, 3),))).level.stairs_down == (Cell(1, 3),)
    assert rules.start(replace(level, rules=COURSE)).level.stairs_down == ()
    last = rules.start(replace(level, depths=1))
    assert (last.amulet, last.level.stairs_up) == (Cell(1, 5), (last.player,))


def test_the_amulet_lies_on_the_last_depth_and_is_won_by_the_stairs_up() -> None:
    state = replace(in_depth(10), monsters=())
    assert state.amulet is not None
    assert (state.level.stairs_down, STAIRS_DOWN in state.terrain.copy()) == ((), False)
    beside = next(
        Cell(row, col)
        for row, col in np.argwhere(state.hardness.copy() == 0).tolist()
        if max(abs(row - state.amulet.row), abs(col - state.amulet.col)) == 1
    )
    state = replace(state, player=beside)
    state = rules.step(state, STAY)[0]
    assert solver.finds(state) == {state.amulet: AMULET}
    route = solver.route(state, state.amulet)
    assert not isinstance(route, str)
    cell, (asleep, *_) = state.amulet, in_depth(10).monsters
    woken, _ = rules.step(replace(state, monsters=(replace(asleep, mood=Mood.ASLEEP),)), route[0])
    assert [each.mood for each in woken.monsters] == [Mood.AWAKE, Mood.AWAKE]
    assert (woken.monsters[1].kind.name, woken.monsters[1].cell) == ("pursuer", state.level.stairs_up[0])
    state, events = rules.step(state, route[0])
    assert AmuletTaken(cell) in events
    assert (state.amulet, state.has_amulet, rules.pursuer_turns(state)) == (None, True, 30)
    state = replace(state, player=state.level.stairs_up[0])
    assert rules.outcome(state) is None
    state, events = rules.step(state, Action.ASCEND)
    assert events == (AmuletBroughtUp(),)
    outcome = rules.outcome(state)
    assert (outcome.name, outcome.is_win, rules.points(state)) == ("won", True, 1900)


def test_the_amulet_is_felt_by_all() -> None:
    state = fair("@.X.", "X.X.", "X..0")
    assert rules.step(state, STAY)[0].monsters[0].cell == (3, 4)
    state = rules.step(replace(state, has_amulet=True), STAY)[0]
    assert state.monsters[0].cell == (3, 3)


# Sounds


@pytest.mark.parametrize(
    ("rows", "speed", "told"),
    [
        (("@X2", "..."), 10, "footsteps to the east, close"),
        (("@XX0", "...."), 10, None),  # it stands
        (("@XX8", "...."), 10, "footsteps to the east, close"),
        (("@", " ", " ", " ", "6"), 5, "digging to the south, far off"),
        (("@", "X", "X", "6"), 5, None),  # it can't come
        (("@X........2", "..........."), 5, "footsteps to the east, far off"),
        (("@X.........2", "............"), 5, None),  # farther than twice its speed
    ],
)
def test_what_moves_is_heard_with_its_direction(rows: tuple[str, ...], speed: int, told: str | None) -> None:
    state = fair(*rows, speeds=(speed,))
    heard = [words.sound(state, each) for each in solver.noticed(state) if not rules.visible(state)[each.cell]]
    assert heard == ([] if told is None else [told])


# Plans


@pytest.mark.parametrize(
    ("rows", "aim", "action"),
    [
        (("@0.",), "strike", RIGHT),
        (("@.......0",), "wait", STAY),
        (("@.#...00",), "corridor", RIGHT),
        (("@.#....0",), "wait", STAY),
        (("#.@>....0", "........."), "goal", RIGHT),
        (("2X@.....>", "........."), "wait", STAY),  # here in 2 turns: no time for 6 moves
        (("@X", " ", "6"), "wait", STAY),
        (("@...", "XX.X", "X0.."), "explore", RIGHT),
    ],
)
def test_a_plan_is_made_of_what_is_near(rows: tuple[str, ...], aim: Aim, action: Action) -> None:
    found = plan(fair(*rows))
    assert (found.aim, found.actions[0]) == (aim, action)


# Mistakes


def test_a_heart_lost_in_vain_is_a_mistake_and_one_that_had_to_be_lost_is_none() -> None:
    analysis = DelveAnalysis(UNICODE)
    in_vain, helpless = fair(".@0"), fair("000", "0@0", "000", speeds=(20,) * 8)
    assert {move.name: move.cost for move in analysis.moves(in_vain)} == {"strike →": "0", "step ←": "0", "stay": "+1"}
    assert not analysis.moves(helpless)  # all are as bad
    for state, is_mistake in (in_vain, True), (helpless, False):
        after, events = rules.step(state, STAY)
        judged = analysis.judge(Turn(after, STAY, events, Turn(state)))
        assert (judged.is_mistake, numbers(judged.text)[:1]) == (is_mistake, [2])
    dying = {move.name: move.cost for move in analysis.moves(replace(in_vain, hearts=1))}
    assert dying == {"strike →": "0", "step ←": "0", "stay": "may kill"}
    assert not analysis.judge(Turn(in_vain)).is_mistake


def test_a_move_after_which_every_move_costs_a_heart_is_the_mistake() -> None:
    """Your own bomb needs two steps: who stays beside it has no way out in the turn of the blast."""
    analysis, state = DelveAnalysis(UNICODE), replace(fair("@...."), bombs=(Bomb(Cell(1, 1), 200),))
    assert {move.name: move.cost for move in analysis.moves(state)} == {"→": "0", "stay": "+1"}
    after, events = rules.step(state, STAY)
    assert analysis.judge(first := Turn(after, STAY, events, Turn(state))).is_mistake
    assert not analysis.moves(after)
    hit, events = rules.step(after, RIGHT)
    assert hit.hearts < after.hearts
    assert not analysis.judge(Turn(hit, RIGHT, events, first)).is_mistake


def test_an_erratic_monster_may_take_the_worst_way() -> None:
    """A walker two cells away whose dice lead it elsewhere: staying beside its reach is a risk all the same."""
    analysis, state = DelveAnalysis(UNICODE), fair("..@.8", "X...X", hearts=1, speeds=(20,))
    lucky = next(
        each
        for each in (replace(state, random=number) for number in range(1000))
        if rules.step(each, STAY)[0].hearts == rules.step(each, Action.LEFT)[0].hearts == 1
    )
    costs = {move.action: move.cost for move in analysis.moves(lucky)}
    assert (costs[STAY], costs[Action.LEFT]) == ("may kill", "0")
    assert solver.attacker(lucky, STAY) == lucky.monsters[0]
    unhurt, killed = replace(lucky, hearts=2), replace(lucky, random=unlucky(lucky))
    for each, (is_mistake, is_slip) in (unhurt, (False, True)), (lucky, (True, False)), (killed, (True, False)):
        after, events = rules.step(each, STAY)
        judged = analysis.judge(Turn(after, STAY, events, Turn(each)))
        assert (judged.is_mistake, judged.is_slip) == (is_mistake, is_slip)


def unlucky(state: State) -> int:
    """A position of the dice with which a player who stays dies."""
    return next(number for number in range(1000) if not rules.step(replace(state, random=number), STAY)[0].hearts)


def test_a_way_on_is_played_until_nothing_is_near() -> None:
    analysis = DelveAnalysis(UNICODE)
    line = analysis.why(Turn(fair("@..0", speeds=(10,))))
    assert line == [STAY, STAY, RIGHT]
    assert isinstance(analysis.why(Turn(replace(fair("@"), status=Status.DIED))), str)


# Where the rules are kept


def test_recordings_and_arguments_that_name_no_rules_are_the_courses() -> None:
    level = generate(1)
    assert unpack_level(pack_level(level)).rules == COURSE
    assert b"rules" not in pack_level(level).files[1].data
    packed = pack_level(replace(level, rules=HEARTS))
    assert unpack_level(packed).rules == HEARTS
    stored, places = packed.files
    data = json.dumps({**json.loads(places.data), "rules": "none"}).encode()
    with pytest.raises(LevelError, match="'none'"):
        unpack_level(PackedLevel((stored, replace(places, data=data)), packed.options))
    assert [named(f"--seed 1{by}").load().rules for by in ("", " --rules course", " --rules hearts")] == [
        HEARTS,
        COURSE,
        HEARTS,
    ]
    assert {opening.load().rules for opening in openings()} == {HEARTS}
    assert all(named(opening.arguments).load().rules == HEARTS for opening in openings())


@pytest.mark.parametrize(("options", "by"), [((), HEARTS), (("--rules", "course"), COURSE)])
def test_plain_text_has_the_rules_of_the_screen(tmp_path: Path, options: tuple[str, ...], by: str) -> None:
    path = tmp_path / "game.jsonl"
    played = call("delve", "play", "--seed", "1", *options, "--plain", "--record", str(path), given=b"..q")
    assert played.returncode == 0
    assert ("3 hearts" in played.stdout.decode()) == (by == HEARTS)
    header = json.loads(path.read_text().splitlines()[0])
    assert header["arguments"] == "--seed 1" + (" --rules course" if by == COURSE else "")
    verified = call("recording", "verify", str(path), "--json")
    assert json.loads(verified.stdout)["ok"] is True
