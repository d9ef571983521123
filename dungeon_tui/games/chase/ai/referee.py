"""Asks strategies for their moves; whatever goes wrong with one becomes a forfeit."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Lock

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import printable
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.chase.ai.monsters import MONSTERS, Strategy
from dungeon_tui.games.chase.ai.rogues import ROGUES
from dungeon_tui.games.chase.ai.strategy_process import StrategyError, StrategyProcess
from dungeon_tui.games.chase.ai.strategy_server import NoMoveError, raised, read_site
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.state import Action, Forfeit, Move, Side, State

__all__ = ["LONGEST_LIMIT", "STRATEGIES", "TIME_LIMIT", "Player", "StrategyError", "load_player", "play"]

TIME_LIMIT = 1.0  # seconds a move
LONGEST_LIMIT = 86_400.0  # seconds; the clocks of some systems can't be set to much more

STRATEGIES = {Side.MONSTER: MONSTERS, Side.ROGUE: ROGUES}


class Player(AbstractContextManager["Player"]):
    """One side's strategy, as the referee meets it; a context manager that closes it."""

    def __init__(self, side: Side, name: str, time_limit: float) -> None:
        self.side = side
        self.name = name
        self.time_limit = min(time_limit, LONGEST_LIMIT)  # seconds a move
        self._thinking = Lock()  # a thought that nobody waits for any more takes no time from the next one

    @abstractmethod
    def prepare(self, level: Level) -> None:
        """Does what takes long and is not counted: compiling, solving, starting a process.

        Raises:
            StrategyError: the strategy can't play on this board.
        """

    def choose(self, state: State) -> Action:
        """A legal move, or a Forfeit that says what the strategy did instead. From any thread, one at a time."""
        try:
            with self._thinking:
                self.prepare(state.level)
                to = self._answer(state)
        except (NoMoveError, StrategyError) as fault:
            return Forfeit(str(fault))
        if not rules.is_legal_move(state.level, state.site, to):
            return Forfeit(f"moved from {state.site.place} to {to.place}, which is no move")
        return Move(to)

    @abstractmethod
    def close(self) -> None:
        """Ends the strategy's process, if it has one; `prepare` may be called again."""

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def _answer(self, state: State) -> Cell:
        """Site that the strategy goes to. Raises NoMoveError."""


class InHouse(Player):
    """A function of ours, in this process. Its time is the thread's own: a busy machine forfeits nobody."""

    def __init__(self, side: Side, name: str, time_limit: float, strategy: Strategy) -> None:
        super().__init__(side, name, time_limit)
        self._strategy = strategy
        self._level: Level | None = None

    def prepare(self, level: Level) -> None:
        """Chooses a first move, which compiles and solves."""
        if level is self._level:
            return
        try:
            self._strategy(State(level, level.monster, level.rogue, self.side))
        except (ValueError, MemoryError) as error:
            raise StrategyError(f"{self.name} can't play on this board: {str(error) or 'too little memory'}") from None
        self._level = level

    def close(self) -> None:
        """Nothing is left to end."""

    def _answer(self, state: State) -> Cell:
        start = time.thread_time()
        try:
            answer = self._strategy(state)
        except Exception as error:
            raise raised(error) from None
        if time.thread_time() - start > self.time_limit:
            raise NoMoveError(f"took longer than {self.time_limit:g} s")
        return read_site(answer)


class Guest(Player):
    """A function of the user's, in a process of its own; one that has ended is started anew when it is needed."""

    def __init__(self, side: Side, name: str, time_limit: float) -> None:
        """Loads the file.

        Raises:
            StrategyError: it can't be loaded, or has no such function.
        """
        super().__init__(side, name, time_limit)
        self._path, _, self._function = name.rpartition(":")
        self._process = StrategyProcess(self._path, self._function)
        self._level: Level | None = None

    def prepare(self, level: Level) -> None:
        """Shows the process the board."""
        if not self._process.is_alive:
            self._process = StrategyProcess(self._path, self._function)
            self._level = None
        if level is not self._level:
            try:
                self._process.show(level)
            except NoMoveError as fault:
                raise StrategyError(f"{printable(self.name)}: {fault}") from None
            self._level = level

    def close(self) -> None:
        """Ends the process."""
        self._process.close()

    def _answer(self, state: State) -> Cell:
        return self._process.ask(state, self.time_limit)


def load_player(side: Side, name: str, time_limit: float = TIME_LIMIT) -> Player:
    """The player of a name.

    Args:
        side: whose moves it makes.
        name: of the side's table, or FILE.py:function, which runs that file.
        time_limit: seconds a move; above LONGEST_LIMIT it is that.

    Raises:
        StrategyError: there is none of that name, or the file can't be loaded; one line that says why.
    """
    table = STRATEGIES[side]
    if name in table:
        return InHouse(side, name, time_limit, table[name])
    path, _, function = name.rpartition(":")
    if path and function:
        return Guest(side, name, time_limit)
    if name.removesuffix(":").endswith(".py"):
        raise StrategyError(
            f"{printable(name)}: say which function of the file: {printable(name.rstrip(':'))}:FUNCTION"
        )
    raise StrategyError(f"there is no {side.value} {printable(repr(name))}: {', '.join(table)} or FILE.py:FUNCTION")


def play(
    level: Level, monster: Player, rogue: Player, seed: int = 0, stop: Callable[[], bool] | None = None
) -> TurnController[Level, State, Action]:
    """A whole chase.

    Args:
        level: the board.
        monster: plays the monster.
        rogue: plays the rogue.
        seed: decides what the strategies leave to chance.
        stop: asked before every move; True ends the chase where it stands.

    Raises:
        StrategyError: one of the players can't play on this board.
    """
    players = {Side.MONSTER: monster, Side.ROGUE: rogue}
    for player in players.values():
        player.prepare(level)
    controller: TurnController[Level, State, Action] = TurnController(rules, level, seed)
    while controller.outcome is None and not (stop is not None and stop()):
        controller.apply(players[controller.state.side].choose(controller.state))
    return controller
