"""The fewest moves out of dungeons: small cases, and the naive twin on random ones."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from signal import SIGINT, pthread_kill

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.crawler import rules, solver
from dungeon_tui.games.crawler.dungeon import Dungeon, load_dungeon, pack_level, shipped_names
from dungeon_tui.games.crawler.level import MAX_CELLS, Level
from dungeon_tui.games.crawler.state import Action, Status
from tests.naive_escape import doublings, fewest_moves
from tests.processes import call


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


@pytest.mark.parametrize("name", shipped_names())
def test_shipped_dungeons_are_won_at_least_as_fast_as_by_their_authors(name: str) -> None:
    dungeon = load_dungeon(name)
    found = solver.escape(dungeon)
    assert found.is_proven
    assert found.moves is not None
    solutions = [note.solution for note in dungeon.sidecar.notes]
    assert found.moves <= sum(map(len, solutions))
    assert_it_is_what_it_says(dungeon, found)


def test_a_level_that_never_ends_is_not_called_impossible() -> None:
    """The way out lies above the corridor, if copies of both are looked at, and nothing lies above the first."""
    found = solver.escape(dungeon_of("o@@$ ++++ !---"), memory=1 << 28)
    assert found.ended in ("memory", "size")
    assert found.moves is None
    assert not found.is_proven
    assert solver.escape(dungeon_of("o@@$ ++++ !---"), max_doublings=3).is_proven


def test_no_copy_helps_where_pillars_shut_the_level_off_on_all_sides() -> None:
    found = solver.escape(dungeon_of("++++++ +o@@$+ ++++++ +-!--+ ++++++"))
    assert found.moves is None
    assert found.is_proven


def test_time_and_a_stop_end_the_search_without_a_claim() -> None:
    dungeon = load_dungeon("hard")
    stop = threading.Event()
    stop.set()
    for found, why in ((solver.escape(dungeon, time_limit=0), "time"), (solver.escape(dungeon, stop=stop), "stopped")):
        assert found.ended == why
        assert found.moves is None
        assert found.lower_bound is not None
        assert found.lower_bound <= 163
        assert not found.is_proven


def test_where_the_shortest_line_is_not_found_in_time_some_line_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "_PATIENCE", 0)
    monkeypatch.setattr(solver, "_SLICE", 500)
    dungeon, stop = Dungeon("vault", load_dungeon("hard").levels[3:], asked=1), threading.Event()
    told: list[int] = []

    def progress(asked: int, states: int, bound: int) -> None:
        told.append(states)
        if len(told) == 40:
            stop.set()

    found = solver.escape(dungeon, 6, stop=stop, progress=progress)
    assert found.ended == "stopped"
    assert found.moves is not None
    assert found.lower_bound is not None
    assert 39 <= found.lower_bound <= 40 <= found.moves
    assert_it_is_what_it_says(dungeon, found)


def test_it_is_told_how_the_search_stands() -> None:
    told: list[tuple[int, int, int]] = []
    found = solver.escape(load_dungeon("hard"), 2, progress=lambda *values: told.append(values))
    assert [asked for asked, _, _ in told] == sorted(asked for asked, _, _ in told)
    assert [states for _, states, _ in told] == sorted(states for _, states, _ in told)
    assert all(bound <= (found.moves or 0) for _, _, bound in told)


def test_nobody_leaves_without_treasure() -> None:
    with pytest.raises(ValueError, match="at least 1, not 0"):
        solver.escape(dungeon_of("o$!"), 0)


def written(folder: Path, *pictures: str) -> str:
    for file in pack_level(dungeon_of(*pictures)).files:
        (folder / file.name).write_bytes(file.data)
    return str(folder / "picture")


def test_the_answer_as_json(tmp_path: Path) -> None:
    done = call("crawler", "solve", written(tmp_path, "$o?", "o$!"), "2", "--treasure", "2", "--json")
    assert json.loads(done.stdout) == {
        "moves": 5,
        "treasure": 2,
        "commands": ["add", "dd"],
        "proven_minimal": True,
        "lower_bound": 5,
        "frontier": [{"treasure": 1, "moves": 3}, {"treasure": 2, "moves": 5}],
    }
    assert (done.returncode, done.stderr) == (0, b"")


def test_no_way_out_as_json(tmp_path: Path) -> None:
    done = call("crawler", "solve", written(tmp_path, "o$+!"), "--json")
    assert json.loads(done.stdout) == {
        "moves": None,
        "treasure": None,
        "commands": None,
        "proven_minimal": True,
        "lower_bound": None,
        "frontier": [],
    }
    assert done.returncode == 0


def test_the_answer_in_words(tmp_path: Path) -> None:
    prefix = written(tmp_path, "$o?", "o$!")
    done = call("crawler", "solve", prefix)
    assert done.stdout.decode().splitlines()[:-1] == [
        "Out with 1 treasure in 3 moves, and no line is shorter.",
        "Level 1: d",
        "Level 2: dd",
        "Fewest moves with 1 treasure: 3",
    ]
    done = call("crawler", "solve", prefix, "--treasure", "3", "--max-doublings", "1")
    assert done.stdout.decode().splitlines()[:2] == [
        "No line leads out with 3 treasures: that is proven.",
        "Lines that double a level more than 1 time are left out.",
    ]
    done = call("crawler", "solve", prefix, "--timeout", "0")
    assert done.stdout.decode().startswith(
        "No line out with 1 treasure is known, since the time is over; none has fewer"
    )
    assert done.returncode == 0


def test_a_dungeon_that_is_not_there(tmp_path: Path) -> None:
    prefix = written(tmp_path, "o$?")
    done = call("crawler", "solve", prefix, "2", "--json")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == f"{prefix}2.txt:1:1: can't be opened: no such file or directory\n"


def test_ctrl_c_shows_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    escape = solver.escape

    def interrupted(*arguments: object, **options: object) -> solver.Escape:
        pthread_kill(threading.main_thread().ident or 0, SIGINT)
        return escape(*arguments, **options)  # type: ignore[arg-type]

    solver.prepare()
    monkeypatch.setattr(solver, "prepare", lambda: None)
    monkeypatch.setattr(solver, "escape", interrupted)
    done = call("crawler", "solve", "hard", "--json")
    assert not json.loads(done.stdout)["proven_minimal"]
    assert done.stderr == b"Stopped: this is what was known.\n"
    assert done.returncode == 130
