"""Talk with a program that plays the chase, by lines of text: docs/protocol.md."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from time import monotonic

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.chase.ai.plans import Plan
from dungeon_tui.games.chase.ai.strategy_server import shortened
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level, level_text
from dungeon_tui.games.chase.model.state import State
from dungeon_tui.judge.program import CageError, Limits, Program, ProgramError

VERSION = 1
PATIENT = Limits(cpu=3600)  # for whole chases; moves have clocks of their own
_GRACE = 0.5  # seconds to leave by itself
_BLANKS = re.compile(r"[\s,;:()\[\]]+")


class Dialogue(AbstractContextManager["Dialogue"]):
    """A program that has greeted us; it takes boards and answers positions, for either side, in any order."""

    def __init__(self, command: str, limits: Limits = PATIENT) -> None:
        """Starts the program and waits for its greeting.

        Raises:
            ProgramError: it can't be started, says nothing in time, or speaks another version.
        """
        self._limits = limits
        self._level: Level | None = None
        self._seed = 0
        self._plan = Plan()  # heard since it was last asked
        self._program = Program(command, limits)
        self._program.send(f"protocol chase {VERSION}")
        version = self._await("protocol", limits.start)
        if version != ["chase", str(VERSION)]:
            self.close()
            theirs = shortened(" ".join(version)) or "none"
            raise ProgramError(f"speaks protocol {theirs}, not chase {VERSION}")

    @property
    def is_open(self) -> bool:
        """False once it has ended, or was ended because it did not answer."""
        return self._program.is_open

    def begin(self, level: Level) -> None:
        """Gives it a board, for a new chase; one that it has is given again.

        Raises:
            ProgramError: it is not ready in time.
        """
        size, *rows = level_text(level).splitlines()[: level.size + 1]
        self._program.send("\n".join([f"board {size} {level.moves}", *rows]))
        self._await("ready", self._limits.start)
        self._level = level

    def ask(self, state: State, seconds: float) -> tuple[Cell, Plan]:
        """Its move for the side to move, legal or not, and the plan that it tells; a board it has not is given first.

        Raises:
            ProgramError: it has none, or tells none in time.
        """
        if state.level is not self._level:
            self.begin(state.level)
        lines = [
            f"position {state.side.value} {state.monster_moves} " + " ".join(map(str, state.monster + state.rogue))
        ]
        if state.seed != self._seed:
            lines.insert(0, f"seed {state.seed}")
            self._seed = state.seed
        self._program.send("\n".join(lines))
        self._plan = Plan()
        sites = _sites(self._await("move", seconds))
        if len(sites) != 1:
            raise ProgramError("answered with no site: a move is `move ROW COLUMN`")
        return sites[0], self._plan

    def close(self) -> None:
        """Lets it leave, then ends it and all that it has started."""
        self._program.send("quit")
        self._program.wait(_GRACE)
        self._program.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _await(self, wanted: str, seconds: float) -> list[str]:
        """The words of the next line that begins with one; what else the protocol knows is heard on the way."""
        began, odd = monotonic(), ""
        while True:
            try:
                line = self._program.receive(seconds, began)
            except CageError:
                raise
            except ProgramError as error:
                last = [text for text in self._program.log.splitlines() if text.strip() and not text[0].isspace()]
                found = f"; printed {odd!r}, which is no line of the protocol" if odd else ""
                found += f": {shortened(last[-1])}" if last and "longer" not in str(error) else ""
                raise ProgramError(f"{error}{found}") from None
            first, *words = [word for word in _BLANKS.split(line) if word] or [""]
            match first.casefold():
                case kind if kind == wanted:
                    return [word.casefold() for word in words]
                case "error":
                    raise ProgramError(f"said: {shortened(line.strip()[6:])}")
                case "info":
                    self._hear(words)
                case "name" | "":
                    pass
                case _:
                    odd = odd or shortened(line.strip())[:40]

    def _hear(self, words: list[str]) -> None:
        kind, *rest = words or [""]
        match kind.casefold():
            case "plan":
                self._plan = Plan(self._known(rest), self._plan.sites)
            case "safe":
                self._plan = Plan(self._plan.way, self._known(rest))
            case _:  # text: Program keeps it, where it is wanted
                pass

    def _known(self, words: list[str]) -> tuple[Cell, ...]:
        level = self._level
        return () if level is None else tuple(site for site in _sites(words) if rules.is_site(level, site))


def _sites(words: list[str]) -> list[Cell]:
    """Sites by pairs of numbers; none if they are no such pairs."""
    if len(words) % 2 or not all(re.fullmatch(r"[+-]?[0-9]{1,6}", word) for word in words):
        return []
    numbers = [int(word) for word in words]
    return [Cell(row, col) for row, col in zip(numbers[::2], numbers[1::2], strict=True)]
