"""Dialogue with a program that plays the chase, in lines of text: docs/protocol.md."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from time import monotonic

from dungeon_tui.core.grid import Cell
from dungeon_tui.games.chase.ai.answers import shortened
from dungeon_tui.games.chase.ai.plans import Plan
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level, level_text
from dungeon_tui.games.chase.model.state import State
from dungeon_tui.judge.program import GUARD, Limits, Program, ProgramError

VERSION = 1
LIMITS = Limits(cpu=3600)  # for whole chases; each move has its own time limit
START_LIMIT_OF_OURS_S = 60.0  # our bridge may have to compile kernels first
_QUIT_TIME_S = 0.5  # for a program to exit by itself
_BLANKS = re.compile(r"[\s,;:()\[\]]+")


class Dialogue(AbstractContextManager["Dialogue"]):
    """A program that speaks the protocol; it takes boards and answers positions for either side, in any order."""

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        is_ours: bool = False,
        hidden: tuple[str, ...] | None = None,
        shown: tuple[str, ...] = (),
    ) -> None:
        """Starts the program and awaits its greeting. Raises ProgramError, or CageError if it has not run.

        With `hidden`, files and folders out of its reach, the program is sealed; for `shown` see Limits.
        """
        self._is_ours = is_ours
        self._start_limit = START_LIMIT_OF_OURS_S if is_ours else LIMITS.start
        self._level: Level | None = None
        self._seed = 0
        self._plan = Plan()  # received since the last request
        self.uses_engine = False
        self.note = ""  # its last `info text`
        limits = replace(LIMITS, hidden=hidden or (), shown=shown)
        self._program = Program(command, limits, prints_errors=is_ours, is_sealed=hidden is not None)
        self._program.send(f"protocol chase {VERSION}")
        version = self._await("protocol", self._start_limit)
        if version != ["chase", str(VERSION)]:
            self.close()
            theirs = shortened(" ".join(version)) or "none"
            raise ProgramError(f"speaks protocol {theirs}, not chase {VERSION}")

    @property
    def is_open(self) -> bool:
        """False if the program has ended."""
        return self._program.is_open

    def begin(self, level: Level) -> None:
        """Starts a new chase on a board. Raises ProgramError if the program is not ready in time."""
        size, *rows = level_text(level).splitlines()[: level.size + 1]
        self._program.send("\n".join([f"board {size} {level.moves}", *rows]))
        self._await("ready", self._start_limit)
        self._level = level

    def ask(self, state: State, seconds: float) -> tuple[Cell, Plan]:
        """The program's move, legal or not, and its plan. Raises ProgramError without one."""
        if state.level is not self._level:
            self.begin(state.level)
        sites = " ".join(map(str, state.monster + state.rogue))
        lines = [f"position {state.side.value} {state.monster_moves} {sites}"]
        if state.seed != self._seed:
            lines.insert(0, f"seed {state.seed}")
            self._seed = state.seed
        self._program.send("\n".join(lines))
        self._plan = Plan()
        moves = _sites(self._await("move", seconds))
        if len(moves) != 1:
            raise ProgramError("sent no site: a move is `move ROW COLUMN`")
        return moves[0], self._plan

    def close(self) -> None:
        """Asks the program to quit, then ends it and all its processes."""
        self._program.send("quit")
        self._program.wait(_QUIT_TIME_S)
        self._program.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _await(self, wanted: str, seconds: float) -> list[str]:
        """The words after the next line that begins with `wanted`; handles other lines of the protocol on the way."""
        began, odd = monotonic(), ""
        while True:
            try:
                line = self._program.receive(seconds, began, GUARD if wanted == "move" else 1)
            except ProgramError as error:
                # Add the strange line, or the last line of the program's errors.
                last = [text for text in self._program.log.splitlines() if text.strip() and not text[0].isspace()]
                found = f"; printed {odd!r}, which is not in the protocol" if odd else ""
                found += f": {shortened(last[-1])}" if last and "longer" not in str(error) else ""
                raise ProgramError(f"{error}{found}") from None
            first, *words = [word for word in _BLANKS.split(line) if word] or [""]
            match first.casefold():
                case kind if kind == wanted:
                    return [word.casefold() for word in words]
                case "error":
                    said = shortened(line.strip()[6:])
                    raise ProgramError(said if self._is_ours else f"said: {said}")
                case "info":
                    kind, *rest = words or [""]
                    match kind.casefold():  # all others are for the log
                        case "plan":
                            self._plan = Plan(self._known(rest), self._plan.sites)
                        case "safe":
                            self._plan = Plan(self._plan.way, self._known(rest))
                        case "engine":
                            self.uses_engine = True
                        case "text":
                            self.note = shortened(line.strip()[10:].strip())
                case "name" | "":
                    pass
                case _:
                    odd = odd or shortened(line.strip())[:40]

    def _known(self, words: list[str]) -> tuple[Cell, ...]:
        level = self._level
        return () if level is None else tuple(site for site in _sites(words) if rules.is_site(level, site))


def _sites(words: list[str]) -> list[Cell]:
    """Sites from pairs of numbers; empty if the words aren't such pairs."""
    if len(words) % 2 or not all(re.fullmatch(r"[+-]?[0-9]{1,6}", word) for word in words):
        return []
    numbers = [int(word) for word in words]
    return [Cell(row, col) for row, col in zip(numbers[::2], numbers[1::2], strict=True)]
