"""The shipped campaigns: they can be won as their sidecars say, and their hints are true."""

from collections import Counter
from dataclasses import replace

import pytest

from dungeon_tui.core.adventure import AmuletTaken, Doubled, DoublingRefused, TreasureTaken
from dungeon_tui.core.board import Board
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.crawler.ai.solver import Solver
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import alone, load_dungeon, shipped
from dungeon_tui.games.crawler.model.events import Escaped, MonstersAdvanced
from dungeon_tui.games.crawler.model.level import AMULET, DOOR, TREASURE, WAY_OUT
from dungeon_tui.games.crawler.model.state import Action, Status

LEVELS = {"tutorial": 6, "easy": 3, "mirrors": 3, "gauntlet": 3, "toll": 3, "hard": 4}  # hard: 3, and the secret
LAST = {"tutorial": 6, "easy": 3, "hard": 3, "mirrors": 3, "gauntlet": 3, "toll": 3}  # where the solutions escape
TO_THE_SECRET = (  # of hard3, through the door in the far corner
    "ddddddssssssddssssddssdddddddsssssssssddddddssssddwwdddddddddssddssddddddwwddssssddddddddddddddd"
)


def test_the_campaigns_and_their_order() -> None:
    assert [*shipped()] == list(LEVELS)
    for name, count in LEVELS.items():
        dungeon = load_dungeon(name)
        assert (len(dungeon.levels), len(dungeon.sidecar.notes), dungeon.missing) == (count, count, None)
        assert dungeon.warnings == ()


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_has_a_name_a_hint_and_a_solution(name: str) -> None:
    dungeon = load_dungeon(name)
    assert dungeon.sidecar.title
    assert dungeon.sidecar.summary
    for number in range(1, len(dungeon.levels) + 1):
        note = dungeon.notes[number - 1]
        assert note.name
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
    ("name", "number", "doublings"), [("tutorial", 6, 1), ("mirrors", 1, 1), ("mirrors", 2, 2), ("mirrors", 3, 1)]
)
def test_so_many_doublings_lead_out_and_no_fewer(name: str, number: int, doublings: int) -> None:
    dungeon = alone(load_dungeon(name).levels[number - 1])
    state = replace(rules.start(dungeon), treasure=1)
    for cap in (doublings - 1, doublings):
        found = Solver(dungeon, by_door=True, max_doublings=cap).escape(state, 0)
        assert (found.is_proven, found.moves is None) == (True, cap < doublings)


@pytest.mark.parametrize(
    ("name", "number", "commands", "status", "broken"),
    [
        ("tutorial", 3, "ddddd", Status.DIED, set()),  # a monster steps where it sees you
        ("easy", 1, "dddd", Status.PLAYING, {TREASURE}),  # walk straight on, and it treads on the gold
        ("easy", 2, "wddwwwwaassddssddsddddddee", Status.DIED, set()),  # between the guards
        ("gauntlet", 1, "ddddddd", Status.PLAYING, {DOOR}),  # unless it steps on gold
        ("gauntlet", 2, "ddddddd", Status.DIED, {AMULET}),
        ("gauntlet", 3, "ddddddddd", Status.OUT_OF_LEVELS, set()),  # a door to nowhere
    ],
)
def test_hints_are_true(name: str, number: int, commands: str, status: Status, broken: set[int]) -> None:
    state, heard = rules.start(load_dungeon(name)), []
    level = state.dungeon.levels[number - 1]
    state = replace(state, number=number, board=Board.of(level.tiles), adventurer=level.start)
    for command in commands:
        state, events = rules.step(state, Action(command))
        heard += [tile for event in events if isinstance(event, MonstersAdvanced) for tile in event.destroyed]
    assert (state.status, set(heard)) == (status, broken)
