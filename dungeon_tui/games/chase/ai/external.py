"""A strategy that is a program of its own, in any language."""

from __future__ import annotations

from dataclasses import replace

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.text import printable
from dungeon_tui.games.chase.ai.dialogue import Dialogue
from dungeon_tui.games.chase.ai.plans import Plan
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.ai.strategy_server import NoMoveError
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.state import Side, State
from dungeon_tui.judge.program import CageError, ProgramError, caged


class External(Player):
    """A player that asks a program; one that has ended is started anew when it is needed."""

    is_counted = False

    def __init__(self, side: Side, name: str, time_limit: float, command: str) -> None:
        """Starts the program.

        Raises:
            StrategyError: it can't be started, or does not greet as it should.
        """
        super().__init__(side, name, time_limit, self.answer)
        self._command = command
        self._dialogue = self._started()

    def prepare(self, level: Level) -> None:
        """Sends the program the board, unless it has it.

        Raises:
            StrategyError: it can't be started, or does not take the board in time.
        """
        if not self._dialogue.is_open:
            self._dialogue = self._started()
            self._level = None
        if level is not self._level:
            try:
                self._dialogue.begin(level)
            except ProgramError as error:
                raise self._told(error) from None
            self._level = level

    def answer(self, state: State) -> Cell:
        """Site that the program moves to. Raises NoMoveError; one that didn't answer in time has been ended."""
        return self._asked(state)[0]

    def plan(self, state: State) -> Plan:
        """The plan that it tells beside its move.

        Raises:
            ValueError: it tells none.
        """
        with self._thinking:
            self.prepare(state.level)
            try:
                _, plan = self._asked(replace(state, side=self.side))
            except NoMoveError as fault:
                raise ValueError(f"{printable(self.name)}: {fault}") from None
        if plan == Plan():
            raise ValueError(f"{printable(self.name)} has no plan")
        return plan

    def close(self) -> None:
        """Ends the program, and all that it started."""
        self._dialogue.close()

    def _asked(self, state: State) -> tuple[Cell, Plan]:
        try:
            return self._dialogue.ask(state, self.time_limit)
        except ProgramError as error:
            raise NoMoveError(str(error)) from None

    def _started(self) -> Dialogue:
        try:
            return caged(lambda: Dialogue(self._command))
        except ProgramError as error:
            raise self._told(error) from error

    def _told(self, error: ProgramError) -> StrategyError:
        return StrategyError(f"{printable(self.name)}: {error}")


def refuse_uncaged(error: StrategyError) -> None:
    """Raises CageError where a program could not be caged, which is no fault of its own."""
    if isinstance(error.__cause__, CageError):
        raise error.__cause__ from None
