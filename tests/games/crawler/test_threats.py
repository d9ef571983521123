"""What monsters are about to break for good: tables of small boards, and playing out."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.turns import Turn
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon
from dungeon_tui.games.crawler.model.level import DOOR
from dungeon_tui.games.crawler.model.rules import Threat, crushed_cells, threats
from dungeon_tui.games.crawler.model.state import Action, State, Status
from dungeon_tui.games.crawler.view.screen import threat_lines
from dungeon_tui.games.crawler.view.words import threat_text
from tests.games.crawler.pictures import level_of, levels


def state_of(*rows: str, treasure: int = 0, more: bool = False) -> State:
    """The beginning of a dungeon of this level; with `more` another one follows."""
    levels = (level_of(*rows), *([level_of("o$!")] if more else []))
    start = rules.start(Dungeon("made", levels, level_count=len(levels)))
    return State(start.dungeon, 1, start.board, start.adventurer, treasure)


def named(state: State) -> dict[tuple[int, int], str]:
    """The threatened cells, each with the commands that let it happen."""
    return {tuple(threat.cell): "".join(action.value for action in threat.actions) for threat in threats(state)}


@pytest.mark.parametrize(
    ("rows", "treasure", "more", "expected"),
    [
        pytest.param(("o--!M", "----?"), 1, False, {(0, 3): "wade"}, id="the last level's door leads nowhere"),
        pytest.param(("o?M", "---"), 0, True, {(0, 1): "wae"}, id="who goes through the door saves it"),
        pytest.param(("o--@M", "+++++", "$!---"), 0, False, {(0, 3): "wasde"}, id="the amulet, for want of a way"),
        pytest.param(("o--@M", "-++++", "$!---"), 0, False, {}, id="a way leads out without it"),
        pytest.param(("o--@M@", "++++++", "$!----"), 0, False, {}, id="another amulet is left"),
        pytest.param(("o@-@M", "+++++", "$!---"), 0, False, {}, id="who takes an amulet needs no other"),
        pytest.param(("o--!M", "-----", "-----", "?M---"), 1, True, {}, id="two that can't fall in one turn"),
        pytest.param(("o!M", "?--", "M--"), 1, True, {(0, 1): "wae", (1, 0): "wae"}, id="two that fall in one turn"),
    ],
)  # fmt: skip
def test_small_boards(rows: tuple[str, ...], treasure: int, more: bool, expected: dict[tuple[int, int], str]) -> None:
    assert named(state_of(*rows, treasure=treasure, more=more)) == expected


@pytest.mark.parametrize(("cols", "is_looked_through"), [(2**15, True), (2**15 + 1, False)])
def test_ways_out_are_looked_for_on_boards_of_up_to_65536_tiles(cols: int, is_looked_through: bool) -> None:
    """On larger ones a way out counts as reached, and the last amulet as no loss."""
    state = state_of("o--@M+".ljust(cols, "-"), "+++++++!".ljust(cols, "+"), treasure=1)
    assert (named(state) != {}) is is_looked_through


def test_the_last_door_is_no_loss_where_an_earlier_level_had_a_way_out() -> None:
    levels = (level_of("o?!"), level_of("o--?M", "-----"))
    behind_the_door, _ = rules.step(rules.start(Dungeon("made", levels, level_count=2)), Action.RIGHT)
    assert named(behind_the_door) == {}


def announced(*rows: str, play: str = "", treasure: int = 0) -> list[list[str]]:
    """What is said at the start and after each command."""
    turn: Turn[State, Action] = Turn(state_of(*rows, treasure=treasure, more=True))
    said = [[line.text for line in threat_lines(turn)]]
    for letter in play:
        state, events = rules.step(turn.state, Action(letter))
        turn = Turn(state, Action(letter), events, turn, turn.ply + 1)
        said.append([line.text for line in threat_lines(turn)])
    return said


LAST_DOOR = threat_text(state_of("----?M", "o-----", more=True), Threat(Cell(0, 4), DOOR, (Action.UP,)))


def test_a_threat_is_told_as_long_as_it_lasts() -> None:
    assert announced("----?M", "o-----", "------", play="esw") == [[LAST_DOOR], [LAST_DOOR], [], [LAST_DOOR]]


@st.composite
def moments(draw: st.DrawFn) -> State:
    """A board of up to 5 x 5, with treasure in hand or without."""
    made = draw(levels(b"--------+$@MM?!", side=5))
    more = (made, level_of("o$!")) if draw(st.booleans()) else (made,)
    dungeon = Dungeon("made", more, level_count=len(more), cell_limit=1)  # no doubling: what is gone stays gone
    return replace(rules.start(dungeon), treasure=draw(st.integers(0, 1)))


def usable(state: State) -> int:
    """How many ways out could be used."""
    tiles = state.board.copy()
    treasure = state.treasure + int(np.count_nonzero(tiles == ord("$")))
    never_had_one = not np.any(state.dungeon.levels[-1].tiles == ord("!"))
    doors = int(np.count_nonzero(tiles == ord("?"))) if state.number < len(state.dungeon.levels) or never_had_one else 0
    return doors + (int(np.count_nonzero(tiles == ord("!"))) if treasure else 0)


@given(moments())
def test_it_is_as_playing_out_shows(state: State) -> None:
    expected: dict[Cell, str] = {}
    for action in rules.legal_actions(state):
        after, _ = rules.step(state, action)
        before_tiles = state.board.copy()
        goes_on = after.status is Status.PLAYING and after.number == state.number
        if not goes_on:
            assert crushed_cells(state, action) == {}
            continue
        tiles = after.board.copy()
        gone = [
            Cell(int(row), int(col))
            for row, col in np.argwhere(before_tiles != tiles)
            if chr(before_tiles[row, col]) in "$@?!" and tiles[row, col] == ord("M")
        ]
        assert crushed_cells(state, action) == {cell: before_tiles[cell] for cell in gone}
        has_no_treasure = after.treasure == 0 and not np.any(tiles == ord("$"))
        for cell in gone:
            tile = chr(before_tiles[cell])
            could_be_used = tile == "?" or (tile == "!" and (state.treasure or np.any(before_tiles == ord("$"))))
            if could_be_used and usable(state) and not usable(after):
                is_idle_door = (
                    tile == "?"
                    and state.number == len(state.dungeon.levels)
                    and np.any(state.dungeon.levels[-1].tiles == ord("!"))
                )
                if not is_idle_door:
                    expected[cell] = expected.get(cell, "") + action.value
            elif tile == "$" and has_no_treasure:
                expected[cell] = expected.get(cell, "") + action.value
    found = {threat.cell: threat for threat in threats(state) if chr(threat.tile) != "@"}
    assert {cell: "".join(action.value for action in threat.actions) for cell, threat in found.items()} == expected
