"""Every monster against every rogue on every board, in several processes, compared with exact play."""

from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from pathlib import Path

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.text import printable
from dungeon_tui.engine import UNREACHED
from dungeon_tui.games.chase.ai import solver
from dungeon_tui.games.chase.ai.player import StrategyError
from dungeon_tui.games.chase.ai.referee import load_player, play, run_values
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.dungeon import pack_level, read_board
from dungeon_tui.games.chase.model.level import Level, read_level
from dungeon_tui.games.chase.model.state import Side
from dungeon_tui.workers import run_all


@dataclass(frozen=True, slots=True)
class Game:
    """One chase of a tournament, as another process needs it."""

    board: LevelFile
    name: str  # of the board
    moves: int
    monster: str
    rogue: str
    seed: int
    time_limit: float | None  # seconds per move; None: the referee's


@dataclass(frozen=True, slots=True)
class Tournament:
    """Boards, and the strategies that meet on each."""

    boards: tuple[Level, ...]
    monsters: tuple[str, ...]
    rogues: tuple[str, ...]
    seed: int = 0
    time_limit: float | None = None
    unread: tuple[str, ...] = ()  # the errors of boards that can't be read, a line each

    def games(self) -> list[Game]:
        """All chases, by board, monster and rogue."""
        return [
            Game(pack_level(level).files[0], level.name, level.moves, monster, rogue, self.seed, self.time_limit)
            for level, monster, rogue in product(self.boards, self.monsters, self.rogues)
        ]


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game, and the end under perfect play; the fields are the columns of the CSV."""

    board: str
    sites: int
    exact_outcome: str | None  # "captured" or "evades"; None: the board is too large to solve
    exact_monster_moves: int | None
    monster: str
    rogue: str
    outcome: str = "refused"  # if a strategy can't play on the board; else "captured", "evaded" or "forfeit"
    monster_moves: int = 0
    by: str | None = None  # who captured or forfeited
    reason: str | None = None  # of a forfeit or a refusal


def read_boards(names: Sequence[str], moves: int) -> tuple[tuple[Level, ...], tuple[str, ...]]:
    """The boards that can be read, each with a unique name; and a line with the error of each of the others."""
    boards, unread = [], []
    for name, label in zip(names, labels(names), strict=True):
        try:
            boards.append(replace(read_board(name, moves), name=label))
        except LevelError as error:
            unread.append(str(error))
    return tuple(boards), tuple(unread)


def labels(names: Sequence[str]) -> list[str]:
    """A name for each board: its file's stem, or the shortest end of the path that is unique.

    >>> labels(["open-room", "a/ring.txt", "b/ring.txt"])
    ['open-room', 'a/ring.txt', 'b/ring.txt']
    """
    endings = {name: _endings(name) for name in names}
    owners = Counter(ending for each in endings.values() for ending in set(each))
    return [printable(next((each for each in endings[name] if owners[each] == 1), name)) for name in names]


def results(games: Sequence[Game], jobs: int) -> Generator[tuple[int, Result], None, None]:
    """Yields index and result of each game as they finish, in `jobs` processes. Raises ProcessEndedError."""
    if min(jobs, len(games)) == 1:
        yield from enumerate(map(play_game, games))
    else:
        yield from run_all(play_game, games, jobs)


def play_game(game: Game) -> Result:
    """Plays a chase here: "refused" if a strategy can't play the board. Raises StrategyError if one can't be loaded."""
    # Solve the board, if it isn't too large.
    level = _read_board(game.board, game.name, game.moves)
    value = None
    with suppress(ValueError):  # too many sites
        value = solver.value(rules.start(level))
    outcome = None if value is None else "evades" if value == UNREACHED else "captured"
    moves, sites = None if value == UNREACHED else value, len(solver.move_graph(level))
    result = Result(game.name, sites, outcome, moves, game.monster, game.rogue)

    # Play it.
    with (
        load_player(Side.MONSTER, game.monster, game.time_limit) as monster,
        load_player(Side.ROGUE, game.rogue, game.time_limit) as rogue,
    ):
        try:
            values = run_values(play(level, monster, rogue, game.seed).turn.line())
        except StrategyError as error:
            return replace(result, reason=str(error))
    return replace(result, **{key: values[key] for key in ("outcome", "monster_moves", "by", "reason")})


@lru_cache(maxsize=2)
def _read_board(file: LevelFile, name: str, moves: int) -> Level:
    """The board of a game; the same object for all its chases, because graphs and solutions are cached by identity."""
    return replace(read_level(file, name), moves=moves)


def _endings(name: str) -> list[str]:
    """Possible names of a board, shortest first: `ring`, `ring.txt`, `a/ring.txt` ...; `-` is `standard input`."""
    if name == "-":
        return ["standard input"]
    parts = Path(name).parts
    return [Path(name).stem, *(str(Path(*parts[start:])) for start in reversed(range(len(parts))))]
