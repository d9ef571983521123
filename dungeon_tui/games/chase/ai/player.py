"""One side's strategy as the referee meets it: whatever goes wrong with it becomes a forfeit."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from dataclasses import replace
from threading import Lock

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.chase.ai.plans import PLANS, Plan
from dungeon_tui.games.chase.ai.strategies import Strategy
from dungeon_tui.games.chase.ai.strategy_server import NoMoveError, raised, read_site
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.state import Action, Forfeit, Move, Side, State


class StrategyError(ValueError):
    """Raised when there is no such strategy, it can't be loaded, or can't play on a board; the message is one line."""


class Player(AbstractContextManager["Player"]):
    """One side's strategy; a context manager that closes it.

    Its function runs in this process. The time it takes is the thread's own: a busy machine forfeits nobody.
    """

    is_counted = True  # the cells that it looks at can be counted

    def __init__(self, side: Side, name: str, time_limit: float, strategy: Strategy) -> None:
        self.side = side
        self.name = name
        self.time_limit = time_limit  # seconds a move
        self._strategy = strategy
        self._level: Level | None = None  # prepared last
        self._thinking = Lock()  # a thought that nobody waits for any more takes no time from the next one

    def prepare(self, level: Level) -> None:
        """Has the strategy choose a first move, not to be played: compiling and solving don't count. Once a board.

        Raises:
            StrategyError: the strategy can't play on this board.
        """
        if level is self._level:
            return
        try:
            self._strategy(State(level, level.monster, level.rogue, self.side))
        except (ValueError, MemoryError) as error:
            raise StrategyError(f"{self.name} can't play on this board: {str(error) or 'too little memory'}") from None
        self._level = level

    def choose(self, state: State) -> Action:
        """A legal move, or a Forfeit that says what the strategy did instead; threads that ask at once take turns."""
        try:
            with self._thinking:
                self.prepare(state.level)
                to = self.answer(state)
        except (NoMoveError, StrategyError) as fault:
            return Forfeit(str(fault))
        if not rules.is_legal_move(state.level, state.site, to):
            why = rules.fault(state.level, state.site, to)
            return Forfeit(f"moved from {(*state.site,)} to {(*to,)}, which is no move: {why}")
        return Move(to)

    def plan(self, state: State) -> Plan:
        """The plan it would have if it were its turn.

        Raises:
            ValueError: it has none, or tells none.
        """
        known = PLANS.get((self.side, self.name))
        if known is None:
            raise ValueError(f"{self.name} has no plan")
        return known(replace(state, side=self.side))

    def answer(self, state: State) -> Cell:
        """Site that the strategy goes to, legal or not, on the board prepared last. Raises NoMoveError if late."""
        start = time.thread_time()
        try:
            answer = self._strategy(state)
        except Exception as error:
            raise raised(error) from None
        if time.thread_time() - start > self.time_limit:
            raise NoMoveError(f"took longer than {self.time_limit:g} s")
        return read_site(answer)

    def close(self) -> None:
        """Ends the strategy's process, if it has one; `prepare` may be called again."""
        return

    def __exit__(self, *_: object) -> None:
        self.close()
