"""Boards that tests draw, and the slow twin's; files of boards and of people's strategies."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelFile
from dungeon_tui.games.chase.ai.player import Player
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level, read_level
from dungeon_tui.games.chase.model.state import Move, Side, State
from tests import naive_chase_rules as naive

OPEN = ("M...", "....", "....", "...@")
DEAD_END = ("M++@", "    ", "    ", "    ")  # captured in 3
RING = ("M++", "+ +", "++@")  # evades for ever
POCKET = ("++M  ", "+ +  ", "++@++", "     ", "     ")  # the same ring, and a dead end
TOO_LARGE = ("M@" + "." * 70, *["." * 72] * 71)  # to be solved: 5,184 sites


def prepared(side: Side, strategy: Callable[[State], object], level: Level, time_limit: float = 1.0) -> Player:
    """A player whose strategy is first asked for the first move."""
    is_preparing = iter([True])
    player = Player(side, "own", time_limit, lambda state: None if next(is_preparing, False) else strategy(state))
    player.prepare(level)
    return player


def text_of(*rows: str) -> str:
    """The file of a board of rows without the blanks between their sites."""
    return f"{len(rows)}\n" + "".join(" ".join(row).rstrip() + "\n" for row in rows)


def board(*rows: str, moves: int = 2000) -> Level:
    """A board of rows without the blanks between their sites."""
    return replace(read_level(LevelFile("drawn.txt", text_of(*rows).encode())), moves=moves)


def start(*rows: str, seed: int = 0) -> State:
    """The monster to move on such a board."""
    return rules.start(board(*rows), seed)


def after(state: State, *sites: tuple[int, int]) -> State:
    """The state once the sides have gone to sites in turn."""
    for site in sites:
        state, _ = rules.step(state, Move(Cell(*site)))
    return state


def twin_of(rows: tuple[str, ...]) -> naive.Chase:
    """The slow twin of such a board."""
    sites = {(row, col): tile for row, line in enumerate(rows) for col, tile in enumerate(line) if tile != " "}
    monster, rogue = (next(site for site, tile in sites.items() if tile == piece) for piece in "M@")
    return naive.Chase(len(rows), {site: "+" if tile == "+" else "." for site, tile in sites.items()}, monster, rogue)


def written(path: Path, text: str) -> str:
    """Name of a file that is written."""
    path.write_text(text, "utf-8")
    return str(path)


@st.composite
def board_rows(draw: st.DrawFn, least: int = 2, most: int = 5) -> tuple[str, ...]:
    """The rows of a small board, some wall, some corridor."""
    size = draw(st.integers(least, most))
    chance = random.Random(draw(st.integers(0, 2**32)))
    weights = draw(st.sampled_from([(1, 0, 0), (6, 2, 2), (3, 3, 3), (5, 0, 4), (0, 3, 2)]))
    sites = chance.choices(".+ ", weights, k=size * size)
    monster, rogue = chance.sample(range(size * size), 2)
    sites[monster], sites[rogue] = "M", "@"
    return tuple("".join(sites[row * size : (row + 1) * size]) for row in range(size))
