"""The crawler's turn: a small case for every sentence of it, and random play beside the naive twin."""

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core import adventure
from dungeon_tui.core.adventure import StayReason
from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.rules import Event
from dungeon_tui.games.crawler.model import events, rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import Level
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.transcript import turn_lines
from tests.games.crawler.pictures import dungeon_of, levels
from tests.naive import Crawler

Picture = str  # rows parted by blanks, the adventurer as `o`


def play(dungeon: Dungeon, commands: str) -> tuple[State, tuple[Event, ...]]:
    """The state after the commands, and the events of the last one."""
    state, happened = rules.start(dungeon), ()
    for letter in commands:
        state, happened = rules.step(state, Action(letter))
    return state, happened


def rows_of(state: State) -> list[str]:
    return [row.tobytes().decode() for row in state.board.array()]


def picture_of(state: State) -> Picture:
    rows = [list(row) for row in rows_of(state)]
    row, col = state.adventurer
    if rows[row][col] == "-":
        rows[row][col] = "o"
    return " ".join("".join(row) for row in rows)


class Case(NamedTuple):
    sentence: str
    levels: tuple[Picture, ...] | Picture
    commands: str
    after: Picture
    treasure: int = 0
    status: Status = Status.PLAYING
    number: int = 1


CASES = [
    Case("a row's end does not lead to the next row", "-o --", "d", "-o --"),
    Case("a monster stops, and then kills", "oM", "d", "M-", status=Status.DIED),
    Case("treasure of an earlier level opens the way out", ("o$?", "o!"), "ddd", "-!", 1, Status.ESCAPED, 2),
    Case("each treasure counts", "o$$ -$$", "ddsa", "--- -o-", 4),
    Case("a door ends the level before monsters move", ("o?M", "o-"), "d", "o-", number=2),
    Case("monsters of the next level wait for a turn", ("o?", "o-M"), "d", "o-M", number=2),
    Case("a door on the last level ends the game", "o?", "d", "-?", status=Status.OUT_OF_LEVELS),
    Case("a way out ends the dungeon before monsters move", "$o! --M", "add", "--! --M", 1, Status.ESCAPED),
    Case("a way out ends the dungeon with levels to come", ("$o!", "o"), "add", "--!", 1, Status.ESCAPED),
    Case("monsters come from all four sides", "--M-- ----- M-o-M ----- --M--", "e", "----- --M-- -MoM- --M-- -----"),
    Case("monsters see where the adventurer is now", "--M o--", "d", "--M -o-"),
    Case("nearest first: the second takes the first one's place", "o-MM", "e", "oMM-"),
    Case("two monsters with a monster's room between, both sides", "M-M-o-M-M", "e", "-M-MoM-M-"),
    Case("monsters see through treasure, amulets, doors, ways out", "o-$@?!M", "e", "o-$@?M-"),
    Case("a pillar blocks sight upwards", "M + - o", "e", "M + - o"),
    Case("monsters in a row destroy once, then step on floor", "o-$MM", "e", "o-MM-"),
    Case("two monsters on one cell are one", "MoM", "e", "-M-", status=Status.DIED),
    Case("after the kill the other monsters still step", "Mo--M", "e", "-M-M-", status=Status.DIED),
    Case("treasure taken in the last turn counts", "o$M", "d", "-M-", 1, Status.DIED),
    Case("the adventurer stays in the upper left quarter", "-$ o@ +?", "d", "-$-$ -o-- +?+? -$-$ ---- +?+?"),
    Case("copied amulets double again", "o@@", "dd", "--o--@-----@ --@--@--@--@ -----@-----@ --@--@--@--@"),
    Case("treasure, doors, ways out, monsters and pillars are copied", "o@+$?!M", "d", "-o+$?!M--+$?!M --+$?!M--+$?!M"),
    Case("monsters move before the level doubles", "o@--M", "d", "-o-M----M- ---M----M-"),
    Case("the dead don't double", "o@M", "d", "-M-", status=Status.DIED),
    Case("a destroyed amulet doubles nothing", "o-@M ----", "es", "--M- o---"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.sentence)
def test_the_turn(case: Case) -> None:
    levels = (case.levels,) if isinstance(case.levels, str) else case.levels
    state, _ = play(dungeon_of(*levels, cell_limit=1000), case.commands)
    assert (picture_of(state), state.treasure, state.status, state.number, state.moves) == (
        case.after,
        case.treasure,
        case.status,
        case.number,
        len(case.commands),
    )


def test_monsters_move_in_the_order_up_down_left_right() -> None:
    _, happened = play(dungeon_of("--M-- ----- M-o-M ----- --M--"), "e")
    ways = [event.direction for event in happened if isinstance(event, events.MonstersAdvanced)]
    assert ways == [Direction.UP, Direction.DOWN, Direction.LEFT, Direction.RIGHT]


@pytest.mark.parametrize(
    ("limit", "after", "event"),
    [
        (11, "-o$", adventure.DoublingRefused(cells=12, limit=11)),  # and the amulet is gone
        (12, "-o$--$ --$--$", adventure.Doubled(height=2, width=6)),
    ],
)
def test_a_doubling_is_done_up_to_the_limit(limit: int, after: Picture, event: Event) -> None:
    state, happened = play(dungeon_of("o@$", cell_limit=limit), "d")
    assert (picture_of(state), happened[-1]) == (after, event)


HERE, RIGHT = Cell(0, 0), Direction.RIGHT
EVENTS: list[tuple[Picture, str, tuple[Event, ...]]] = [
    ("o-", "d", (adventure.Moved(Cell(0, 0), Cell(0, 1)),)),
    ("o-", "e", (adventure.Stayed(Cell(0, 0), StayReason.CHOSEN),)),
    ("o-", "a", (adventure.Stayed(Cell(0, 0), StayReason.EDGE),)),
    ("o+", "d", (adventure.Stayed(Cell(0, 0), StayReason.PILLAR),)),
    ("o!", "d", (adventure.Stayed(Cell(0, 0), StayReason.PRICE),)),
    (
        "oM",
        "d",
        (adventure.Stayed(HERE, StayReason.MONSTER), events.MonstersAdvanced(RIGHT, (1,), ()), events.Died(HERE)),
    ),
    ("o$", "d", (adventure.Moved(Cell(0, 0), Cell(0, 1)), adventure.TreasureTaken(1))),
    ("o@", "d", (adventure.Moved(Cell(0, 0), Cell(0, 1)), adventure.AmuletTaken(), adventure.Doubled(2, 4))),
    ("o?$", "d", (adventure.Moved(Cell(0, 0), Cell(0, 1)), events.DoorTaken())),
    ("$o!$$", "add", (adventure.Moved(Cell(0, 1), Cell(0, 2)), events.Escaped())),
    ("o-$M-M", "e", (adventure.Stayed(HERE, StayReason.CHOSEN), events.MonstersAdvanced(RIGHT, (3, 5), (ord("$"),)))),
    (
        "o-MM",
        "e",
        (adventure.Stayed(Cell(0, 0), StayReason.CHOSEN), events.MonstersAdvanced(Direction.RIGHT, (2, 3), ())),
    ),
    (
        "o@--M",
        "d",
        (
            adventure.Moved(HERE, Cell(0, 1)),
            adventure.AmuletTaken(),
            events.MonstersAdvanced(RIGHT, (3,), ()),
            adventure.Doubled(2, 10),
        ),
    ),
]


@pytest.mark.parametrize(("picture", "commands", "expected"), EVENTS, ids=lambda value: str(value)[:20])
def test_a_turn_tells_what_happened_in_order(picture: Picture, commands: str, expected: tuple[Event, ...]) -> None:
    assert play(dungeon_of(picture), commands)[1] == expected


MISSING = LevelError("can't be opened: gone", "x2.txt")


@pytest.mark.parametrize(
    ("dungeon", "commands", "name", "is_win"),
    [
        (dungeon_of("$o!"), "add", "escaped", True),
        (dungeon_of("oM"), "e", "died", False),
        (dungeon_of("o?"), "d", "out of levels", False),
        (dungeon_of("o?", missing=MISSING), "d", "out of levels", False),
    ],
    ids=["escaped", "died", "last door", "missing level"],
)
def test_the_outcome_and_its_reason(dungeon: Dungeon, commands: str, name: str, is_win: bool) -> None:
    outcome = rules.outcome(play(dungeon, commands)[0])
    assert (outcome.name, outcome.is_win) == (name, is_win)
    assert (str(MISSING) in outcome.reason) is (dungeon.missing is not None)


def test_a_line_has_a_moment_more_than_commands_and_ends_with_the_game() -> None:
    dungeon = dungeon_of("o-$?", "o-!")
    for commands in ("", "e", "ddwd", "dddd"):
        *_, end = moments = list(rules.moments(rules.start(dungeon), commands))
        assert [moment.moves for moment in moments] == list(range(len(commands) + 1))
        assert fingerprint(end) == fingerprint(play(dungeon, commands)[0])
    *_, end = moments = list(rules.moments(rules.start(dungeon), "dddddwasd"))
    assert (len(moments), end.status) == (6, Status.ESCAPED)
    with pytest.raises(ValueError, match="q"):
        list(rules.moments(rules.start(dungeon), "dq"))


def test_sight_lines_end_at_pillars_and_edges_and_not_at_monsters() -> None:
    state, _ = play(dungeon_of("--M-- --+-- M-o-M --M-- --M--"), "")
    assert rules.sight_lines(state) == {
        Direction.UP: (0, ()),
        Direction.DOWN: (2, (1, 2)),
        Direction.LEFT: (2, (2,)),
        Direction.RIGHT: (2, (2,)),
    }


@pytest.mark.parametrize(
    ("picture", "cells"),
    [
        ("--- -o- ---", []),
        ("oM", [(0, 0)]),  # to stay, or to bump
        ("o-M", [(0, 1)]),
        ("o--M", []),
        ("--M o--", []),
        ("-M o-", [(0, 0), (1, 1)]),
        ("o?M", []),
        ("MoM", [(0, 1)]),
    ],
)
def test_deadly_cells_are_those_where_the_next_turn_is_death(picture: Picture, cells: list[tuple[int, int]]) -> None:
    assert sorted(rules.deadly_cells(rules.start(dungeon_of(picture)))) == cells


def test_no_cell_is_deadly_once_the_game_is_over() -> None:
    assert rules.deadly_cells(play(dungeon_of("oM"), "e")[0]) == []


MIXES = st.sampled_from(
    [b"-+$@M?!", b"-----+$@M?!", b"M", b"-M", b"-MMM$", b"@", b"-@", b"@@M-", b"-$!", b"-?", b"-+M", b"------------M$@"]
)


@settings(max_examples=5 * settings().max_examples)
@given(
    made=st.lists(MIXES.flatmap(lambda mix: levels(mix, side=8)), min_size=1, max_size=3),
    cell_limit=st.sampled_from([1, 3, 4, 16, 48, 200, 1000]),
    commands=st.text("wasde", max_size=30),
)
def test_random_play_goes_as_in_the_naive_twin(made: list[Level], cell_limit: int, commands: str) -> None:
    twin = Crawler([([row.tobytes().decode() for row in level.tiles], level.start) for level in made], cell_limit)
    state = rules.start(Dungeon("random", tuple(made), level_count=len(made), cell_limit=cell_limit))
    seen = [(state, twin.rows())]
    for letter in commands:
        printed = twin.command(letter)
        before = state
        state, happened = rules.step(state, Action(letter))
        assert (state.number, rows_of(state), state.adventurer) == (twin.number, twin.rows(), (twin.row, twin.col))
        assert (state.treasure, state.moves, state.left_behind) == (twin.treasure, twin.moves, twin.left_behind)
        assert state.status.value == twin.status
        assert "".join(turn_lines(before, state, happened)) == printed
        seen.append((state, twin.rows()))
        if twin.status != "playing":
            break
    for earlier, rows in seen:
        assert rows_of(earlier) == rows
