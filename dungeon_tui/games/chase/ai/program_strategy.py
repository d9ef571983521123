"""Strategies that run as programs: in any language, or as a Python function."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

from dungeon_tui.core.files import refuse_claimed
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.text import printable
from dungeon_tui.games.chase.ai.answers import NoMoveError
from dungeon_tui.games.chase.ai.dialogue import Dialogue
from dungeon_tui.games.chase.ai.plans import Plan
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.state import Side, State
from dungeon_tui.judge.cage import caged
from dungeon_tui.judge.program import ProgramError

_BRIDGE = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from dungeon_tui.games.chase.ai.python_bridge import main
main(*sys.argv[2:])
"""

_PACKAGE = Path(__file__).parents[3]
_RULES = "__init__.py", "core", *(f"games/{name}" for name in ("__init__.py", "chase/__init__.py", "chase/model"))
_BRIDGES = tuple(f"games/chase/ai/{name}.py" for name in ("__init__", "answers", "python_bridge"))

Hidden = tuple[str, ...] | None
"""Folders out of a command's reach, which finds neither this package nor our environment; None: it is not sealed."""


class ProgramStrategy(Player):
    """A player that asks a program, and restarts it if it has ended."""

    def __init__(
        self, side: Side, name: str, time_limit: float, command: str, function: str = "", *, hidden: Hidden = None
    ) -> None:
        """Starts a command, or our bridge with a file's function. Raises StrategyError, or CageError if not run."""
        super().__init__(side, name, time_limit, self.answer)
        self._command, self._function, self._hidden = command, function, hidden
        self._dialogue = self._started()

    def prepare(self, level: Level) -> None:
        """Sends the program a new board, after a restart if it has ended. Raises StrategyError or CageError."""
        if not self._dialogue.is_open:
            self._dialogue = self._started()
            self._level = None
        if level is not self._level:
            try:
                self._dialogue.begin(level)
            except ProgramError as error:
                raise StrategyError(f"{printable(self.name)}: {error}") from None
            self._level = level
            self.note = self._dialogue.note

    def answer(self, state: State) -> Cell:
        """The site that the program moves to. Raises NoMoveError, and ends a program that is late."""
        return self._ask(state)[0]

    def plan(self, state: State) -> Plan:
        """The plan that the program sends with its move."""
        with self._thinking:
            self.prepare(state.level)
            try:
                _, plan = self._ask(replace(state, side=self.side))
            except NoMoveError as fault:
                raise ValueError(f"{printable(self.name)}: {fault}") from None
        if plan == Plan():
            raise ValueError(f"{printable(self.name)} has no plan")
        return plan

    def close(self) -> None:
        """Ends the program and all its processes."""
        self._dialogue.close()

    def _ask(self, state: State) -> tuple[Cell, Plan]:
        try:
            return self._dialogue.ask(state, self.time_limit)
        except ProgramError as error:
            raise NoMoveError(str(error)) from None

    def _started(self) -> Dialogue:
        file, command = (self._command, self._bridge()) if self._function else ("", self._command)
        try:
            shown = _seen_by(file) if file else ()
            dialogue = caged(lambda: Dialogue(command, is_ours=bool(file), hidden=self._hidden, shown=shown))
        except ProgramError as error:
            raise StrategyError(f"{printable(file or self.name)}: {error}") from None
        if dialogue.uses_engine:
            from dungeon_tui.engine.warmup import warm_up

            warm_up()  # the caged program can load compiled kernels but not store them
        return dialogue

    def _bridge(self) -> list[str]:
        """The command that runs the bridge. Raises StrategyError if the program is about to overwrite the file."""
        try:
            refuse_claimed(self._command)
        except OSError:  # our program reports it
            pass
        except ValueError as error:
            raise StrategyError(f"{printable(self._command)}: {error}") from None
        paths = json.dumps([os.path.abspath(folder) for folder in sys.path])
        return [sys.executable, "-c", _BRIDGE, paths, self._command, self._function]


def _seen_by(file: str) -> tuple[str, ...]:
    """The paths that a judged function sees: its folder, Python and its packages, our rules, but no solver."""
    packages = [path for path in sys.path if path.endswith("-packages")]
    parts = [str(_PACKAGE / name) for name in (*_RULES, *_BRIDGES)]
    return (os.path.abspath(file), sys.executable, *packages, *parts)
