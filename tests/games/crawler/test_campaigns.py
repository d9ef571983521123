"""The shipped campaigns: they can be won as their sidecars say, and their hints are true."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from dungeon_tui.core.board import Board
from dungeon_tui.core.rules import Event
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.crawler.ai.solver import Solver
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, alone, load_dungeon, shipped
from dungeon_tui.games.crawler.model.level import DOOR, MONSTER, OPEN, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.state import (
    Action,
    AmuletTaken,
    Doubled,
    DoublingRefused,
    Escaped,
    MonstersAdvanced,
    State,
    Status,
    TreasureTaken,
)

LEVELS = {"tutorial": 4, "easy": 3, "hard": 4, "mirrors": 3, "gauntlet": 3}  # hard: 3, and the secret
LAST = {"tutorial": 4, "easy": 3, "hard": 3, "mirrors": 3, "gauntlet": 3}  # where the solutions escape
TO_THE_SECRET = (  # of hard3, through the door in the far corner
    "ddddddssssssddssssddssdddddddsssssssssddddddssssddwwdddddddddssddssddddddwwddssssddddddddddddddd"
)

Events = tuple[Event, ...]


def begin(dungeon: Dungeon, number: int, treasure: int = 0) -> State:
    level = dungeon.levels[number - 1]
    return State(dungeon, number, Board.of(level.tiles), level.start, treasure)


def play(state: State, commands: str) -> tuple[State, list[Event]]:
    heard: list[Event] = []
    for command in commands:
        state, events = rules.step(state, Action(command))
        heard += events
    return state, heard


def destroyed(events: Iterable[Event]) -> bytes:
    return bytes(tile for event in events if isinstance(event, MonstersAdvanced) for tile in event.destroyed)


def has_no_monster_moved(events: Events) -> bool:
    return not any(isinstance(event, MonstersAdvanced) for event in events)


def with_guard_at(state: State, old: tuple[int, int], new: tuple[int, int]) -> State:
    """The state with the monster moved: as it stands once it was drawn there."""
    tiles = state.board.copy()
    assert tiles[old] == MONSTER
    tiles[old] = OPEN
    tiles[new] = MONSTER
    return replace(state, board=Board.of(tiles))


def can_be_left(start: State, is_allowed: Callable[[State, Events], bool]) -> bool:
    """Whether some line of allowed turns leaves the level for the next one, or the dungeon; all lines are tried."""
    queue, seen = deque([start]), set()
    while queue:
        state = queue.popleft()
        for action in rules.legal_actions(state):
            after, events = rules.step(state, action)
            if not is_allowed(state, events):
                continue
            if after.status is Status.ESCAPED or after.number != start.number:
                return True
            key = (after.board.copy().tobytes(), after.board.width, after.adventurer, after.treasure > 0)
            if after.status is Status.PLAYING and key not in seen:
                seen.add(key)
                queue.append(after)
    return False


def test_the_campaigns_and_their_order() -> None:
    assert [*shipped()] == list(LEVELS)
    for name, count in LEVELS.items():
        dungeon = load_dungeon(name)
        assert (len(dungeon.levels), len(dungeon.sidecar.notes), dungeon.missing) == (count, count, None)
        assert dungeon.warnings == ()


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_has_a_name_an_author_a_hint_and_a_solution(name: str) -> None:
    dungeon = load_dungeon(name)
    assert dungeon.sidecar.title
    assert dungeon.sidecar.summary
    for number in range(1, len(dungeon.levels) + 1):
        note = dungeon.notes[number - 1]
        assert note.name
        assert note.author == "dungeon_tui authors"
        assert 0 < len(note.hint) <= 100
        assert set(note.solution) <= set("wasde")


@pytest.mark.parametrize("name", LEVELS)
def test_the_solutions_take_treasure_and_escape_and_no_doubling_is_refused(name: str) -> None:
    dungeon = load_dungeon(name)
    controller, heard = TurnController(rules, dungeon), []
    for number in range(1, LAST[name] + 1):
        assert controller.state.number == number
        for command in dungeon.notes[number - 1].solution:
            controller.apply(Action(command))
            heard += controller.turn.events
    assert controller.outcome.name == "escaped"
    assert isinstance(heard[-1], Escaped)
    count = Counter(map(type, heard))
    assert count[TreasureTaken] >= 1
    assert (count[DoublingRefused], count[AmuletTaken]) == (0, count[Doubled])


def test_the_secret_is_found_and_left() -> None:
    dungeon = load_dungeon("hard")
    assert {DOOR, WAY_OUT} <= set(dungeon.levels[2].tiles.flat)
    *gold, secret = (int((level.tiles == TREASURE).sum()) for level in dungeon.levels)
    assert secret > sum(gold)  # it is worth it
    assert dungeon.notes[3].name.startswith("Secret: ")
    controller = TurnController(rules, dungeon)
    for commands in (dungeon.notes[0].solution, dungeon.notes[1].solution, TO_THE_SECRET, dungeon.notes[3].solution):
        for command in commands:
            controller.apply(Action(command))
    assert controller.state.number == 4
    assert controller.outcome.name == "escaped"


@pytest.mark.parametrize(
    ("name", "number", "commands", "status", "broken"),
    [
        pytest.param("tutorial", 3, "ddddd", Status.DIED, b"", id="the watchman catches who walks straight"),
        pytest.param("easy", 1, "dddd", Status.PLAYING, b"$", id="the monster is first at the gold"),
        pytest.param("gauntlet", 1, "ddddddd", Status.PLAYING, b"?", id="who walks past it has the door broken"),
        pytest.param("gauntlet", 2, "d" * 7, Status.DIED, b"@", id="the straight way is death"),
        pytest.param("gauntlet", 3, "d" * 9, Status.OUT_OF_LEVELS, b"", id="the false door leads nowhere"),
    ],
)
def test_what_becomes_of_a_first_thought(name: str, number: int, commands: str, status: Status, broken: bytes) -> None:
    state, events = play(begin(load_dungeon(name), number), commands)
    assert (state.status, destroyed(events)) == (status, broken)


def test_easy_who_lingers_between_the_guards_is_caught() -> None:
    dungeon = load_dungeon("easy")
    state, commands = begin(dungeon, 2), deque(dungeon.notes[1].solution)
    while state.adventurer.col < 10:
        state, _ = rules.step(state, Action(commands.popleft()))
    assert play(state, "dd")[0].status is Status.PLAYING
    assert play(state, "ee")[0].status is Status.DIED


@pytest.mark.parametrize("number", [1, 2])
def test_hard_the_guards_cannot_be_passed_unseen(number: int) -> None:
    assert not can_be_left(begin(load_dungeon("hard"), number), lambda state, events: has_no_monster_moved(events))


@pytest.mark.parametrize(
    ("name", "number", "doublings"), [("tutorial", 4, 1), ("mirrors", 1, 1), ("mirrors", 2, 2), ("mirrors", 3, 1)]
)
def test_so_many_doublings_lead_out_and_no_fewer(name: str, number: int, doublings: int) -> None:
    dungeon = alone(load_dungeon(name).levels[number - 1])
    state = replace(rules.start(dungeon), treasure=1)
    for cap in (doublings - 1, doublings):
        found = Solver(dungeon, by_door=True, max_doublings=cap).escape(state, 0)
        assert (found.is_proven, found.moves is None) == (True, cap < doublings)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_mirrors_the_solutions_double(number: int) -> None:
    dungeon = load_dungeon("mirrors")
    _, events = play(begin(dungeon, number, treasure=1), dungeon.notes[number - 1].solution)
    doublings = [event for event in events if isinstance(event, Doubled)]
    assert len(doublings) == (2 if number == 2 else 1)


@pytest.mark.parametrize("row", [6, 7])  # of the guard in its passage; nothing can draw it further down
def test_mirrors_the_guard_must_be_out_of_its_passage_before_the_amulet(row: int) -> None:
    start = with_guard_at(begin(load_dungeon("mirrors"), 3, treasure=1), (7, 7), (row, 7))
    height = start.board.height

    def is_allowed(state: State, events: Events) -> bool:
        return state.board.height > height or has_no_monster_moved(events)

    assert not can_be_left(start, is_allowed)


@pytest.mark.parametrize(("number", "broken"), [(1, b"$"), (2, b"@"), (3, b"?")])
def test_gauntlet_something_must_be_broken(number: int, broken: bytes) -> None:
    dungeon = load_dungeon("gauntlet")
    _, events = play(begin(dungeon, number), dungeon.notes[number - 1].solution)
    assert broken in destroyed(events)
    assert not can_be_left(begin(dungeon, number, treasure=1), lambda state, events: not destroyed(events))


def test_gauntlet_the_caged_twin_makes_the_amulet_a_trap() -> None:
    start = begin(load_dungeon("gauntlet"), 2, treasure=1)
    assert not can_be_left(start, lambda state, events: b"@" not in destroyed(events))


@pytest.mark.parametrize(("steps", "is_winnable"), [(4, True), (5, True), (6, False)])
def test_gauntlet_a_step_too_far_loses_the_way_out(steps: int, is_winnable: bool) -> None:
    start = begin(load_dungeon("gauntlet"), 3)
    assert start.adventurer.row == 1 + 5
    drawn = with_guard_at(start, (1, 11), (1 + steps, 11))
    assert can_be_left(drawn, lambda state, events: True) is is_winnable
