"""Par: what lies beside the shipped levels is true, is read with care, and is told in the right words."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.crawler.ai import par_search, solver
from dungeon_tui.games.crawler.ai.par import (
    Par,
    Point,
    StoredPar,
    curve_rows,
    levels_hash,
    par_of,
    par_path,
    par_text,
    read_par,
    result_text,
)
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.model.dungeon import Dungeon, alone, load_dungeon, shipped
from dungeon_tui.games.crawler.model.level import TREASURE, Level
from dungeon_tui.games.crawler.model.state import Action, Status
from dungeon_tui.games.crawler.view.figure import figure
from tests.games.crawler.pictures import dungeon_of
from tests.naive_escape import fewest_moves
from tests.processes import ROOT, call
from tests.ui.driving import dialogue, do, playing, resize, sees, words, write_dungeon

QUICK = 20_000  # states, up to which what is stored is proven again each time

NAMES = list(shipped())


# -- what lies beside the shipped levels


def test_each_shipped_dungeon_has_par() -> None:
    for name in NAMES:
        stored = par_of(load_dungeon(name))
        assert stored.warning == ""
        assert stored.par.points[0].is_proven


def test_the_page_tells_what_is_shipped() -> None:
    page = (ROOT / "docs" / "games" / "crawler.md").read_text("utf-8")
    rows = re.findall(r"^(\w+) +(\d+) +(\d+) +(\d+)\+? +(\d+) +[\d,]+ +[\d.]+$", page, re.MULTILINE)
    expected = []
    for name in NAMES:
        par = par_of(load_dungeon(name)).par
        last = [point for point in par.points if point.is_proven][-1]
        expected.append((name, par.points[0].moves, par.points[0].treasure, last.treasure, last.moves))
    assert sorted((name, *map(int, figures)) for name, *figures in rows) == sorted(expected)


@pytest.mark.parametrize("name", NAMES)
def test_each_line_is_what_it_says_and_only_the_end_is_unproven(name: str) -> None:
    start = rules.start(load_dungeon(name))
    par = par_of(start.dungeon).par
    assert all(point.is_proven for point in par.points[:-1])
    assert par.points[-1].is_proven or not par.is_all
    for point in par.points:
        state = start
        for number, letters in enumerate(point.commands, 1):
            assert state.number == number
            for letter in letters:
                state, _ = rules.step(state, Action(letter))
        assert state.status is Status.ESCAPED
        assert (state.moves, state.treasure) == (point.moves, point.treasure)


@pytest.mark.parametrize("most_states", [QUICK, pytest.param(par_search.STATES, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_proven_is_proven_again(name: str, most_states: int) -> None:
    """Finds the points again, as far as they took no more states, and that there is nothing between or beyond them."""
    start = rules.start(load_dungeon(name))
    par, asking, asked = par_of(start.dungeon).par, solver.Solver(start.dungeon), 1
    for point in par.points:
        if point.is_proven and point.states <= most_states:
            for treasure in range(asked, point.treasure + 1):
                found = asking.escape(start, treasure)
                assert found.is_proven
                assert found.moves == point.moves
            asked = point.treasure + 1
    if par.is_all and par.points[-1].states <= most_states:
        found = asking.escape(start, asked)
        assert (found.moves, found.lower_bound) == (None, None)


# -- found


def points(par: Par | None) -> list[tuple[int, int]]:
    return [(point.treasure, point.moves) for point in par.points]


def par_found(dungeon: Dungeon, most_states: int = par_search.STATES) -> Par:
    return par_search.solved(dungeon, most_states).par


def test_the_frontier_of_a_dungeon() -> None:
    par = par_found(dungeon_of("$o$--?", "$o!--?"))
    assert points(par) == [(1, 5), (2, 7), (3, 9)]
    assert par.is_all
    assert par.points[1].commands == ("dddd", "add")


@pytest.mark.parametrize(
    ("picture", "found"),
    [
        ("$o-!", [(1, 4)]),  # only with its own treasure
        ("$o-?", [(0, 2), (1, 4)]),  # the last level's door counts where there is nothing else
        ("?o$!", [(1, 2)]),
    ],
)
def test_the_frontier_of_a_level_alone(picture: str, found: list[tuple[int, int]]) -> None:
    assert points(par_found(dungeon_of(picture))) == found


def test_no_way_out_is_proven() -> None:
    par = par_found(dungeon_of("$o+!"))
    assert par == Par(levels_hash(dungeon_of("$o+!").levels), (), True)


def test_the_search_ends_after_so_many_states_and_says_that_more_may_be_possible() -> None:
    front = par_search.ParetoFront(rules.start(load_dungeon("easy")), most_states=5000)
    front.search()
    par, states, found = front.par, front.states, front.par.points
    assert not par.is_all
    assert 5000 <= states < 50_000
    assert all(point.is_proven for point in found[:-1])
    whole = par_of(load_dungeon("easy")).par
    assert 3 < len(found) < len(points(whole)) + 1
    assert points(whole)[: len(found) - 1] == [(point.treasure, point.moves) for point in found[:-1]]


@given(st.integers(0, 2**32 - 1))
def test_the_frontier_is_the_naive_one(seed: int) -> None:
    chance = np.random.default_rng(seed)
    tiles = chance.choice(np.frombuffer(b"-----++$$$MM?!!", np.uint8), (3, 4))
    tiles[1, 1] = ord("-")
    dungeon = alone(Level("random", tiles, Cell(1, 1)))
    front = par_search.ParetoFront(rules.start(dungeon))
    front.search()
    found = front.par.points
    assert front.par.is_all
    best = [
        fewest_moves(rules.start(dungeon), asked, 0, 200_000)[0] for asked in range(1, 1 + np.sum(tiles == TREASURE))
    ]
    known = [
        next((point.moves for point in found if point.treasure >= asked), None) for asked in range(1, 1 + len(best))
    ]
    assert known == best
    assert [point.moves for point in found] == sorted({moves for moves in best if moves is not None})


# -- beside the levels


def test_what_is_written_is_read_again() -> None:
    par = par_found(dungeon_of("$o$--?", "$o!--?"))
    assert read_par(LevelFile("x", par_text(par).encode())) == par


HEADER = {"format": "dungeon-tui par", "version": 2, "rules": 1, "sha256": "0", "more": "unknown"}
POINT = {"treasure": 0, "moves": 1, "bound": 1, "states": 9, "commands": ["d"]}
NEXT = POINT | {"treasure": 1, "moves": 2, "bound": 2, "commands": ["dd"]}


@pytest.mark.parametrize(
    "lines",
    [
        [], [{}], [{"format": "other"}], [[1]], [{"format": "dungeon-tui par", "rules": 1}], [HEADER | {"version": 9}],
        [HEADER, {"treasure": 1}], *([HEADER, POINT, NEXT | wrong] for wrong in (
            {"commands": ["d", 1]}, {"moves": "2"}, {"moves": 3}, {"bound": 3}, {"bound": -1}, {"treasure": 0},
        )),
    ],
)  # fmt: skip
def test_wrong_par_is_refused_at_its_line(lines: list[object]) -> None:
    with pytest.raises(LevelError) as caught:
        read_par(LevelFile("x", "\n".join(map(json.dumps, lines)).encode()))
    assert (caught.value.line, caught.value.column) == (max(1, len(lines)), 1)


@pytest.fixture
def made(tmp_path: Path) -> str:
    """A dungeon of two levels with par beside it."""
    name = write_dungeon(tmp_path, ("$o$--?",), ("$o!--?",))
    assert call("crawler", "par", name).returncode == 0
    return name


def test_par_counts_for_the_levels_it_was_found_for(made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert points(par_of(load_dungeon(made)).par) == [(1, 5), (2, 7), (3, 9)]
    assert par_of(load_dungeon(made, 1)).par is None
    assert par_of(load_dungeon(made, cell_limit=100)) == StoredPar()
    with monkeypatch.context() as context:
        context.setattr(rules, "VERSION", rules.VERSION + 1)
        assert par_of(load_dungeon(made)) == StoredPar()
    path = Path(f"{made}2.txt")
    path.write_text(path.read_text() + "\n")  # blanks are for the eye
    assert par_of(load_dungeon(made)).par is not None
    path.write_text(path.read_text().replace("$", "-"))
    assert par_of(load_dungeon(made)).par is None
    par_path(made).unlink()
    assert par_of(load_dungeon(made)) == StoredPar()


# -- in words

OPEN_END = Par("", (Point(1, 23, 23, 9, ()), Point(3, 30, 25, 9, ())), False)


# -- in the menu, in the game, plotted


async def test_the_game_shows_par_and_its_end_says_how_one_did(made: str) -> None:
    whole = par_of(load_dungeon(made)).par
    async with playing(made) as (pilot, screen):
        assert words(" ".join(map(" ".join, curve_rows(whole, 0)))) in words(str(screen.panel.render()))
        await pilot.press(*"eddd")
        assert not any(text.startswith("Level 1: ") for text in screen.messages.texts)
        await pilot.press("d")
        assert screen.messages.texts[-2].startswith("Level 1: 5 moves, par 4.")
        await do(pilot, "curve")
        await sees(pilot, "so far: 5 moves, 1")
        await pilot.press("escape", "d")
        await dialogue(pilot)
        await sees(pilot, result_text(whole, 1, 6))
        await sees(pilot, "1 treasure in 6 moves")
        await pilot.press("backspace", *"ad", "d")
        await dialogue(pilot)
        await sees(pilot, result_text(whole, 2, 8))
        assert [score.par for score in screen.view.scores(screen.controller.state)] == [7, None]
        await pilot.press("backspace")
        await resize(pilot, 80, 24)
        await sees(pilot, "level 2/2: 2 moves, par 3 · treasure 2, aim 1")


async def test_without_stored_par_the_front_is_searched_behind_the_game(tmp_path: Path) -> None:
    async with playing(write_dungeon(tmp_path, ("$o$-!" + 120 * "-",))) as (pilot, screen):
        screen.map.scroll_to(20, 0, animate=False, force=True, immediate=True)
        await pilot.pause()
        scrolled = screen.map.scroll_offset
        assert scrolled.x > 0
        await sees(pilot, "1 treasure 3 moves")
        assert screen.map.scroll_offset == scrolled
        shown = screen.view.curve(screen.controller.state)
        assert [(list(series.x), list(series.y)) for series in shown.series] == [([1, 2], [3, 5])]
        assert shown.y.limits([163, 254])[0] > 150  # 0 says nothing here
        await do(pilot, "curve")
        await sees(pilot, "so far: 0 moves, 0")


def test_what_is_not_proven_is_not_plotted() -> None:
    state = rules.start(load_dungeon("tutorial"))
    for each in (state, replace(state, treasure=2, status=Status.ESCAPED)):
        assert [series.y for series in figure(each, OPEN_END, 1).series] == [[23]]
    for nothing in (Par("", (), False), Par("", (), True)):
        assert isinstance(figure(state, nothing, 1), str)


# -- the command


def test_the_command_goes_on_behind_what_it_cannot_read_or_write(tmp_path: Path) -> None:
    good, bad, shut = (write_dungeon(tmp_path, ("o$-!",), name=name) for name in ("good", "bad", "shut"))
    (tmp_path / "bad2.txt").write_text("1 1 0 0 x")
    (tmp_path / "shut.par.jsonl").mkdir()
    done = call("crawler", "par", bad, str(tmp_path / "none"), shut, good)
    assert done.returncode == 1
    assert done.stdout.decode().splitlines()[1].split()[:5] == ["good", "3", "1", "1", "3"]
    unknown, absent, unwritable, written = done.stderr.decode().splitlines()
    assert unknown.startswith(f"{bad}2.txt:1:9: ")
    assert absent.startswith(f"{tmp_path}/none1.txt")
    assert unwritable.startswith(f"{shut}.par.jsonl: ")
    assert written == f"{good}.par.jsonl written"
