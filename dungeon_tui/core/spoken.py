"""Play without looking: lines that are words, such as `look`, are answered in sentences, by direction and distance."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from heapq import nsmallest
from itertools import groupby, takewhile
from typing import Any, Generic, TextIO, cast

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.plain import TextAhead, begins
from dungeon_tui.core.rules import StateT
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import capitalised, counted, sentence

NEAR = "near"
WORDS = ("look", "who", NEAR, "hint", "undo", "restart", "quiet", "map", "help")
HELP = (
    "Words, each on a line of its own: look, all around you; who, those who see or hunt you; near WORD, the way to the"
    " nearest; hint; undo; restart; quiet, neither maps nor prompts; map, both again; help."
)
_MONSTER = "monster"
_SHOWN = 6  # things that are told at once


@dataclass(frozen=True, slots=True)
class Spoken(Generic[StateT]):
    """A game's answers in words. None depends on columns or colours."""

    keys: str  # its own commands, in a sentence
    look: Callable[[StateT], str]
    who: Callable[[StateT], str]
    """Those who see or hunt the player, in sentences; empty: nobody does."""
    near: Callable[[StateT, str], str]
    hint: Callable[[StateT], str]
    """The next commands and their reason; may take a while. ValueError: why there is none."""
    board: Callable[[StateT], str]
    commands: str = ""  # characters that play at once, without the end of a line
    is_taken: Callable[[StateT, str], bool] = lambda state, line: False
    """True for a line that means something else: a room of that name."""
    is_asked: Callable[[StateT], bool] = lambda state: True  # True where it is a person's move
    is_final: Callable[[StateT], bool] = lambda state: False  # True where nothing is taken back


class Words(Generic[StateT]):
    """The words of one game that is played in plain text.

    A line is a word if it is nothing else, or that after a `?`. What else the game takes is left alone: the first
    characters of a line that has not ended are held back only as long as it may become a word, and is no command.
    Once a word was asked, a line that is neither a word nor commands alone is refused as a whole: it was mistyped.

    Attributes:
        source: the input, from which the game reads its own commands.
        is_quiet: neither boards nor prompts are printed.
    """

    def __init__(
        self,
        spoken: Spoken[StateT],
        game: TurnController[Any, StateT, Any],
        source: TextIO,
        out: TextIO,
        players: Mapping[str, str] | None = None,
    ) -> None:
        """Begins the game from its present turn on, as `begins` does."""
        self._ahead = source if isinstance(source, TextAhead) else TextAhead(source.readline)
        self.source = cast(TextIO, self._ahead)
        self.is_quiet = self._has_asked = False
        self._spoken, self._game, self._out = spoken, game, out
        self._mark_helped = begins(game, players)

    def answered(self) -> bool:
        """Answers the next line if it is a word; False: the game's own command is next, or the end."""
        word, _, rest = self._taken().partition(" ")
        if word:
            self._has_asked = True
            text = self._answer(word.lower(), rest.strip())
            self._out.write(text if text.endswith("\n") else f"{text}\n")
        return bool(word)

    def prompt(self, text: str) -> None:
        """Prints a prompt, unless it is quiet, and lets all that was printed be read."""
        self._out.write("" if self.is_quiet else text)
        self._out.flush()

    def look(self) -> str:
        """A line with what is around the player."""
        return f"{self._spoken.look(self._game.state)}\n"

    def hunters(self) -> str:
        """A line with those who hunt the player, which a quiet game has in the board's place; empty: nobody does."""
        spoken, state = self._spoken, self._game.state
        who = spoken.who(state) if self._game.outcome is None and spoken.is_asked(state) else ""
        return f"{who}\n" if who else ""

    def _taken(self) -> str:
        """The next line without its `?`, taken from the input, if it is a word; else empty."""
        source, is_all = self._ahead, False
        while source.peek()[:1].isspace():
            source.read(1)
        if not source.is_line_start:
            return ""
        while True:
            text, newline, _ = source.peek().partition("\n")
            line = text.strip().removeprefix("?")
            if newline or is_all:
                word, _, rest = line.lower().partition(" ")
                is_word = word == NEAR or (word in WORDS and not rest)
                if not (is_word or self._is_mistyped(line)) or self._spoken.is_taken(self._game.state, text.strip()):
                    return ""
                source.readline()
                return line
            if not (_may_become_word(line.lower()) or self._is_mistyped(line)) or self._is_played(text):
                return ""
            is_all = not source.wait()

    def _is_played(self, text: str) -> bool:
        return {*"".join(text.split())} <= {*self._spoken.commands}

    def _is_mistyped(self, line: str) -> bool:
        return self._has_asked and bool(self._spoken.commands) and not self._is_played(line)

    def _answer(self, word: str, rest: str) -> str:
        spoken, state = self._spoken, self._game.state
        match word:
            case "look":
                return spoken.look(state)
            case "who":
                return spoken.who(state) or "Nobody sees or hunts you."
            case "near":
                return spoken.near(state, rest)
            case "hint":
                self._mark_helped()
                try:
                    return spoken.hint(state)
                except ValueError as error:
                    return sentence(str(error))
            case "undo" | "restart":
                return self._taken_back(word)
            case "quiet" | "map":
                self.is_quiet = word == "quiet"
                return "Quiet: map ends it." if self.is_quiet else spoken.board(state)
            case "help":
                return f"{spoken.keys} {HELP}"
            case _:
                meant = get_close_matches(word, WORDS, 1)
                return f"There is no word {word}. " + (
                    f"Did you mean {meant[0]}?" if meant else f"{spoken.keys} {HELP}"
                )

    def _taken_back(self, word: str) -> str:
        game, spoken = self._game, self._spoken
        if spoken.is_final(game.state):
            return "There is one life: nothing is taken back."
        asked = [turn.ply for turn in game.turn.line()[:-1] if spoken.is_asked(turn.state)]
        if not asked or not (game.restart() if word == "restart" else game.undo(game.turn.ply - asked[-1])):
            return "You are at the start."
        while not spoken.is_asked(game.state) and game.redo():
            pass
        return "Taken back.\n" + (spoken.look if self.is_quiet else spoken.board)(game.state)


def _may_become_word(text: str) -> bool:
    return text.startswith(f"{NEAR} ") or any(word.startswith(text) for word in WORDS)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The cells around somebody, to be told of."""

    here: Cell
    name: Callable[[Cell], str]  # of what stands on a cell; empty: it is open
    things: Sequence[tuple[str, Cell]]  # with their names, wherever they are
    steps: Callable[[Cell], Iterable[Cell]]  # cells to which one can go from a cell
    keys: Mapping[Direction, str]  # the command of each way
    monsters: Collection[Cell] = ()  # of the things, those that the word "monster" means, too

    def look(self, ways: Iterable[Direction] | None = None) -> str:
        """The ways, by default all: open for how many cells, and then what; and the things that are nearest."""
        told = [f"{capitalised(way.words)}: {self._along(way)}." for way in ways or self.keys]
        return " ".join([*told, self._list()]).rstrip()

    def near(self, word: str) -> str:
        """The nearest thing with a word in its name: its direction, the steps to it, the first one's command."""
        names = sorted({name.partition(",")[0] for name, _ in self.things} | {_MONSTER for _ in self.monsters})
        word = word.lower()
        goals = {
            cell: name for name, cell in self.things if word and word in f"{name}{_MONSTER * (cell in self.monsters)}"
        }
        if not goals:
            none = f"There is no {word} that you know of. " if word else ""
            return f"{none}Ask for: {', '.join(names)}." if names else f"{none}There is nothing to go to."
        if way := _walk(self.here, goals, self.steps):
            keys = {direction.value: (direction.words, key) for direction, key in self.keys.items()}
            words, key = keys[way[0].row - self.here.row, way[0].col - self.here.col]
            steps = f"{counted(len(way), 'step')}, first {words}: {key}"
            return f"{capitalised(goals[way[-1]])}: {apart(self.here, way[-1])}; {steps}."
        cell = min(goals, key=self._away)
        return f"{capitalised(goals[cell])}: {apart(self.here, cell)}; no way leads there."

    def _along(self, way: Direction) -> str:
        cells = (self.here.neighbour(way, steps) for steps in range(1, 1 << 30))
        steps = sum(1 for _ in takewhile(lambda cell: not self.name(cell), cells))
        name = self.name(self.here.neighbour(way, steps + 1))
        return f"{steps} open, then {name}" if steps else name

    def _list(self) -> str:
        nearest = nsmallest(_SHOWN, self.things, lambda thing: self._away(thing[1]))
        return listed([f"{name}: {apart(self.here, cell)}" for name, cell in nearest], len(self.things))

    def _away(self, cell: Cell) -> int:
        return abs(cell.row - self.here.row) + abs(cell.col - self.here.col)


def apart(here: Cell, there: Cell) -> str:
    """The direction and the distance from one cell to another.

    >>> apart(Cell(4, 4), Cell(1, 6)), apart(Cell(4, 4), Cell(4, 4))
    ('3 up, 2 right', 'here')
    """
    rows, cols = there.row - here.row, there.col - here.col
    parts = [f"{abs(rows)} {'up' if rows < 0 else 'down'}"] * (rows != 0)
    parts += [f"{abs(cols)} {'left' if cols < 0 else 'right'}"] * (cols != 0)
    return ", ".join(parts) or "here"


def listed(things: Sequence[str], count: int) -> str:
    """A sentence with the first of so many things, six at most; empty without any.

    >>> listed(["hunter: 2 up", "door: here"], 3)
    'Hunter: 2 up; door: here; and 1 more.'
    """
    shown = things[:_SHOWN]
    more = [f"and {count - len(shown)} more"] if count > len(shown) else []
    return f"{capitalised('; '.join([*shown, *more]))}." if things else ""


def in_runs(keys: str, names: Mapping[str, str]) -> str:
    """Commands in words, those that repeat once.

    >>> in_runs("dds", {"d": "right", "s": "down"})
    'right 2, down 1'
    """
    return ", ".join(f"{names[key]} {len([*same])}" for key, same in groupby(keys))


def _walk(here: Cell, goals: Mapping[Cell, str], steps: Callable[[Cell], Iterable[Cell]]) -> list[Cell]:
    """The cells of a shortest walk to the nearest goal, without the first one; empty where none is reached."""
    before, queue = {here: here}, [here]
    for cell in queue:
        for beside in steps(cell):
            if beside in before:
                continue
            before[beside] = cell
            queue.append(beside)
            if beside in goals:
                way = [beside]
                while before[way[-1]] != here:
                    way.append(before[way[-1]])
                return way[::-1]
    return []
