"""Every monster against every rogue on every board, in several processes, beside what exact play would come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.text import printable
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.guest import end_all
from dungeon_tui.games.chase.ai.player import StrategyError
from dungeon_tui.games.chase.ai.referee import load_player, play
from dungeon_tui.games.chase.ai.work import Work
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import pack_level, read_board
from dungeon_tui.games.chase.model.level import Level, read_level
from dungeon_tui.games.chase.model.state import Side, Status
from dungeon_tui.workers import run_all


@dataclass(frozen=True, slots=True)
class Game:
    """One chase of a tournament: all that another process needs to play it."""

    board: LevelFile
    name: str  # of the board
    moves: int
    monster: str
    rogue: str
    seed: int
    time_limit: float | None  # seconds a move; None: the referee's
    has_work: bool = False  # it is measured


@dataclass(frozen=True, slots=True)
class Tournament:
    """Boards, and the strategies that meet on each."""

    boards: tuple[Level, ...]
    monsters: tuple[str, ...]
    rogues: tuple[str, ...]
    seed: int = 0
    time_limit: float | None = None
    unread: tuple[str, ...] = ()  # what is wrong with boards that were left out, a line each
    has_work: bool = False  # it is measured

    def games(self) -> list[Game]:
        """All chases: board after board, monster after monster, rogue after rogue."""
        return [
            Game(
                pack_level(level).files[0],
                level.name,
                level.moves,
                monster,
                rogue,
                self.seed,
                self.time_limit,
                self.has_work,
            )
            for level, monster, rogue in product(self.boards, self.monsters, self.rogues)
        ]


@dataclass(frozen=True, slots=True)
class Result:
    """End of a game, beside the one that exact play leads to; the fields are the columns of the CSV."""

    board: str
    sites: int
    exact_outcome: str | None  # "captured" or "evades"; None: the board is too large to be solved
    exact_monster_moves: int | None
    monster: str
    rogue: str
    outcome: str = "refused"  # a strategy can't play on this board; else "captured", "evaded", "forfeit"
    monster_moves: int = 0
    by: str | None = None  # who captured or forfeited
    reason: str | None = None  # of a forfeit or a refusal
    work: dict[str, dict[str, float | int | None]] | None = None  # by side; None: it was not measured

    def values(self) -> dict[str, Any]:
        """The result by its columns, as CSV and JSON have them; work only where it was measured."""
        told = asdict(self)
        work = told.pop("work")
        return told if work is None else told | {"work": work}


def read_boards(names: Sequence[str], moves: int) -> tuple[tuple[Level, ...], tuple[str, ...]]:
    """The boards that can be read, each under a name of its own; and a line of error for each of the others."""
    boards, unread = [], []
    for name, label in zip(names, labels(names), strict=True):
        try:
            boards.append(replace(read_board(name, moves), name=label))
        except LevelError as error:
            unread.append(str(error))
    return tuple(boards), tuple(unread)


def labels(names: Sequence[str]) -> list[str]:
    """Name of each board: its file's; where several are called so, the shortest end of the path that no other has.

    >>> labels(["open-room", "a/ring.txt", "b/ring.txt"])
    ['open-room', 'a/ring.txt', 'b/ring.txt']
    """
    endings = {name: _endings(name) for name in names}
    owners = Counter(ending for each in endings.values() for ending in set(each))
    return [printable(next((each for each in endings[name] if owners[each] == 1), name)) for name in names]


def results(games: Sequence[Game], jobs: int) -> Generator[tuple[int, Result], None, None]:
    """Plays all games: yields the index of a game and its result, whichever is ready first.

    One job is done in this process, more are done by others. Whoever stops early closes the iterator; they end at
    once then, and when this process ends in whatever way.

    Raises:
        ProcessEndedError: one of the processes was killed.
    """
    if min(jobs, len(games)) == 1:
        yield from enumerate(map(play_game, games))
    else:
        yield from run_all(play_game, games, jobs, leave=end_all)


def play_game(game: Game) -> Result:
    """Plays one chase, in this process; "refused" is the outcome where a strategy can't play on the board.

    Raises:
        StrategyError: a strategy can't be loaded.
    """
    level = _read_board(game.board, game.name, game.moves)
    value = None
    with suppress(ValueError):  # too many sites
        value = solver.value(rules.start(level))
    result = Result(
        board=game.name,
        sites=len(solver.move_graph(level)),
        exact_outcome=None if value is None else "evades" if value == UNREACHED else "captured",
        exact_monster_moves=None if value == UNREACHED else value,
        monster=game.monster,
        rogue=game.rogue,
    )
    works = {side: Work() for side in Side} if game.has_work else None
    with (
        load_player(Side.MONSTER, game.monster, game.time_limit) as monster,
        load_player(Side.ROGUE, game.rogue, game.time_limit) as rogue,
    ):
        try:
            state = play(level, monster, rogue, game.seed, works).state
        except StrategyError as error:
            return replace(result, reason=str(error))
    return replace(
        result,
        outcome=state.status.value,
        monster_moves=state.monster_moves,
        by=state.by.value if state.by else None,
        reason=state.reason if state.status is Status.FORFEIT else None,
        work=None if works is None else {side.value: work.values() for side, work in works.items()},
    )


@lru_cache(maxsize=2)
def _read_board(file: LevelFile, name: str, moves: int) -> Level:
    """The board of a game; the same object for all its chases, because graphs and solutions are cached by it."""
    return replace(read_level(file, name), moves=moves)


def _endings(name: str) -> list[str]:
    """Possible names of a board, the shortest first: `ring`, `ring.txt`, `a/ring.txt` ...; `-` is `standard input`."""
    if name == "-":
        return ["standard input"]
    parts = Path(name).parts
    return [Path(name).stem, *(str(Path(*parts[start:])) for start in reversed(range(len(parts))))]
