"""The fewest moves out of dungeons: small cases, and the naive twin on random ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler import rules, solver
from dungeon_tui.games.crawler.dungeon import Dungeon
from dungeon_tui.games.crawler.level import MAX_CELLS, Level
from dungeon_tui.games.crawler.state import Action, Status
from tests.naive_escape import doublings, fewest_moves


def dungeon_of(*pictures: str, cell_limit: int = MAX_CELLS) -> Dungeon:
    levels = []
    for picture in pictures:
        rows = picture.split()
        row = next(row for row, tiles in enumerate(rows) if "o" in tiles)
        tiles = np.array([list(tiles.replace("o", "-").encode()) for tiles in rows], np.uint8)
        levels.append(Level("picture", tiles, Cell(row, rows[row].index("o"))))
    return Dungeon("picture", tuple(levels), asked=len(levels), cell_limit=cell_limit)


def assert_it_is_what_it_says(dungeon: Dungeon, found: solver.Escape, max_doublings: int | None = None) -> None:
    """Plays the line by the rules."""
    if found.moves is None:
        return
    state = rules.start(dungeon)
    for number, letters in enumerate(found.commands, 1):
        assert state.number == number
        for letter in letters:
            state, _ = rules.step(state, Action(letter))
            assert max_doublings is None or doublings(state) <= max_doublings
    assert state.status is Status.ESCAPED
    assert (state.moves, state.treasure) == (found.moves, found.treasure)
    assert found.treasure >= found.asked


@pytest.mark.parametrize(
    ("pictures", "treasure", "moves"),
    [
        (("o$!",), 1, 2),
        (("!$o$$",), 1, 2),
        (("!$o$$",), 2, 4),
        (("!$o$$",), 3, 6),
        (("!$o$$",), 4, None),
        (("o$?", "o!"), 1, 3),  # treasure of an earlier level opens the way out
        (("o?", "o!"), 1, None),
        (("o?", "$o!"), 1, 4),
        (("o$?", "o$!"), 2, 4),
        (("o$!?", "o$!"), 1, 2),  # it may be left on any level
        (("$o?", "o$! ---"), 2, 5),
        (("o$? --!", "o$!"), 1, 3),
        (("o$? --!", "o$!"), 2, 4),
        (("o?$!",), 1, None),  # nothing lies behind the last door
        (("!o@$",), 1, 3),
        (("$o@-!",), 2, 8),
        (("o!++ ++$@",), 1, None),
        (("oM!$",), 1, None),
        (("o+M-$ -+--- ---+! +++++",), 1, None),
    ],
)
def test_small_dungeons(pictures: tuple[str, ...], treasure: int, moves: int | None) -> None:
    dungeon = dungeon_of(*pictures)
    found = solver.escape(dungeon, treasure, max_doublings=1)
    assert fewest_moves(dungeon, treasure, 1, 50_000)[0] == moves
    assert found.moves == moves
    assert found.is_proven
    assert_it_is_what_it_says(dungeon, found, 1)


SMALL = st.sampled_from(b"------++$@M?!")


@st.composite
def dungeons(draw: st.DrawFn) -> Dungeon:
    """Up to two levels of up to 4 x 4 with everything in them; mostly, something leads on and there is treasure."""
    levels = []
    count = draw(st.integers(1, 2))
    for number in range(1, count + 1):
        height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
        tiles = draw(st.lists(SMALL, min_size=height * width, max_size=height * width))
        cells = draw(st.permutations(range(height * width)))
        for cell, tile in zip(cells, b"-!$@" if number == count else b"-?$", strict=False):
            tiles[cell] = tile
        grid = np.array(tiles, np.uint8).reshape(height, width)
        levels.append(Level("drawn", grid, Cell(*divmod(cells[0], width))))
    limit = draw(st.sampled_from([20, 40, MAX_CELLS]))
    return Dungeon("drawn", tuple(levels), asked=count, cell_limit=limit)


@settings(max_examples=150, deadline=None)
@given(dungeons(), st.integers(1, 4), st.integers(0, 1))
def test_random_dungeons_take_as_many_moves_as_by_the_naive_twin(dungeon: Dungeon, asked: int, cap: int) -> None:
    found = solver.escape(dungeon, asked, max_doublings=cap)
    moves, least = fewest_moves(dungeon, asked, cap, 3000)
    assert found.is_proven
    if moves is not None or least == -1:
        assert found.moves == moves
    else:
        assert found.moves is None or found.moves >= least
    assert_it_is_what_it_says(dungeon, found, cap)
    for treasure, fewest in found.frontier:
        assert fewest_moves(dungeon, treasure, cap, 3000)[0] in (fewest, None)
