"""One side's strategy as the referee sees it: all its errors become forfeits."""

import time
from contextlib import AbstractContextManager
from dataclasses import replace
from threading import Lock

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.chase.ai.answers import NoMoveError, raised, read_site
from dungeon_tui.games.chase.ai.plans import Plan, plan
from dungeon_tui.games.chase.ai.strategies import Strategy
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.state import Action, Forfeit, Move, Side, State


class StrategyError(ValueError):
    """Raised when a strategy doesn't exist, can't be loaded, or can't play on a board; the message is one line."""


class Player(AbstractContextManager["Player"]):
    """One side's strategy, in this process. Only its thread's CPU time counts, however busy the machine is."""

    note = ""  # what the program says about itself on the board prepared last

    def __init__(self, side: Side, name: str, time_limit: float, strategy: Strategy) -> None:
        self.side = side
        self.name = name
        self.time_limit = time_limit  # seconds a move
        self._strategy = strategy
        self._level: Level | None = None  # the last one prepared
        self._thinking = Lock()  # an abandoned search may still run

    def prepare(self, level: Level) -> None:
        """Has the strategy choose a trial move once a board, so that compiling isn't timed. Raises StrategyError."""
        if level is self._level:
            return
        try:
            self._strategy(State(level, level.monster, level.rogue, self.side))
        except (ValueError, MemoryError) as error:
            raise StrategyError(f"{self.name} can't play on this board: {str(error) or 'too little memory'}") from None
        self._level = level

    def choose(self, state: State) -> Action:
        """A legal move, or a Forfeit with the reason; thread-safe."""
        try:
            with self._thinking:
                self.prepare(state.level)
                to = self.answer(state)
        except (NoMoveError, StrategyError) as fault:
            return Forfeit(str(fault))
        if not rules.is_legal_move(state.level, state.site, to):
            why = rules.fault(state.level, state.site, to)
            return Forfeit(f"moved from {(*state.site,)} to {(*to,)}, which is illegal: {why}")
        return Move(to)

    def plan(self, state: State) -> Plan:
        """The strategy's plan, as if it were to move. Raises ValueError if it has none."""
        return plan(replace(state, side=self.side), self.name)

    def answer(self, state: State) -> Cell:
        """The site that the strategy moves to, legal or not, on the board prepared last. Raises NoMoveError."""
        start = time.thread_time()
        try:
            answer = self._strategy(state)
        except Exception as error:
            raise raised(error) from None
        if time.thread_time() - start > self.time_limit:
            raise NoMoveError(f"took longer than {self.time_limit:g} s")
        return read_site(answer)

    def close(self) -> None:
        """Ends the strategy's process, if any; you may call `prepare` again."""
        return

    def __exit__(self, *_: object) -> None:
        self.close()
