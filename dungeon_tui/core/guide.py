"""Games in words: your surroundings, the way to the nearest thing, the monsters that hunt you, the next commands."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import groupby, takewhile
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.rules import StateT
from dungeon_tui.core.words import capitalised, counted

StateT_contra = TypeVar("StateT_contra", contravariant=True)
_SHOWN = 6  # things in a list
_MOST_ROUTES = 200  # to find the nearest


class Guide(Protocol[StateT_contra]):
    """A game's answers in words, independent of columns and colours."""

    @property
    def commands(self) -> str:
        """The game's commands, in a sentence."""

    def look(self, state: StateT_contra) -> str:
        """Your surroundings and the state of the game."""

    def near(self, state: StateT_contra, word: str) -> str:
        """The way to the nearest thing whose name contains the word. If nothing matches: the names you can ask for."""

    def who(self, state: StateT_contra) -> str:
        """The monsters that hunt you, and the moves that would kill you; empty without any."""

    def hint(self, state: StateT_contra) -> str:
        """The next commands and their reason; may take seconds. Raises ValueError with the reason if there are none."""


class MapGuide(ABC, Generic[StateT]):
    """The guide for games on a map of cells, used by the screen and in plain text."""

    commands: str = ""
    keys: ClassVar[Mapping[Direction, str]]
    """The command of a step in each direction."""
    names: ClassVar[Mapping[str, str]]
    """Each command in words."""

    @abstractmethod
    def here(self, state: StateT) -> Cell:
        """The player's cell."""

    @abstractmethod
    def name(self, state: StateT, cell: Cell) -> str:
        """The thing on a cell in a few words, "edge" off the map; empty if the cell is open."""

    @abstractmethod
    def landmarks(self, state: StateT) -> Sequence[tuple[str, Cell]]:
        """Cells that you may want to go to, the nearest first, each with its glyph."""

    @abstractmethod
    def route(self, state: StateT, cell: Cell) -> Sequence[Any] | str:
        """The actions of a shortest way to a cell, or a sentence that says why there is none."""

    @abstractmethod
    def standing(self, state: StateT) -> str:
        """The score and the goal, in sentences."""

    @abstractmethod
    def hint(self, state: StateT) -> str: ...

    def typed(self, state: StateT, actions: Sequence[Any]) -> str:
        """The commands of actions, one character each."""
        return "".join(action.value for action in actions)

    def ways(self, state: StateT) -> Sequence[Direction]:
        """The directions to look in."""
        return [*self.keys]

    def things(self, state: StateT) -> Sequence[tuple[str, Cell]]:
        """The things that `look` and `near` mention, with their cells; by default the landmarks."""
        return [(self.name(state, cell), cell) for _, cell in self.landmarks(state)]

    def monsters(self, state: StateT) -> Sequence[Cell]:
        """The cells of all monsters; `near monster` finds them by any name."""
        return ()

    def underfoot(self, state: StateT) -> str:
        """A sentence about the thing under you; empty if there is none."""
        return ""

    def hunters(self, state: StateT) -> Sequence[str]:
        """The monsters that see or hunt you, the nearest first, each with its direction."""
        return ()

    def deadly(self, state: StateT) -> Sequence[Any]:
        """The actions that would kill you."""
        return ()

    def look(self, state: StateT) -> str:
        here = self.here(state)
        ways = [f"{capitalised(way.words)}: {self._along(state, way)}." for way in self.ways(state)]
        things = [(name, cell) for name, cell in self.things(state) if cell != here]
        things.sort(key=lambda thing: self._away(here, thing[1]))
        near = listed([f"{name}: {apart(here, cell)}" for name, cell in things[:_SHOWN]], len(things))
        return " ".join(filter(None, [self.underfoot(state), *ways, near, self.standing(state)]))

    def near(self, state: StateT, word: str) -> str:
        here, monsters, word = self.here(state), {*self.monsters(state)}, word.lower()
        things = [(name, cell) for name, cell in self.things(state) if cell != here]
        names = sorted({name.partition(",")[0] for name, _ in things} | {"monster" for _ in monsters})
        goals = [
            (self._away(here, cell), name, cell)
            for name, cell in things
            if word and word in name + " monster" * (cell in monsters)
        ]
        if not goals:
            none = f"You know of no {word}. " if word else ""
            return f"{none}Ask for: {', '.join(names)}." if names else f"{none}There is nothing to go to."
        best, found, answer = 0, False, ""
        for away, name, cell in sorted(goals)[:_MOST_ROUTES]:
            if found and away >= best:
                break  # no way to a cell is shorter than that
            way = self.route(state, cell)
            where = f"{capitalised(name)}: {apart(here, cell)}"
            if isinstance(way, str):
                answer = answer or f"{where}. {way}"
            elif not found or len(way) < best:
                best, found, key = len(way), True, self.typed(state, way[:1])
                answer = f"{where}; {counted(best, 'step')}, first {self.names[key]}: {key}."
        return answer

    def who(self, state: StateT) -> str:
        hunters = self.hunters(state)
        return " ".join(filter(None, [listed(hunters, len(hunters)), self.deadly_text(state)]))

    def deadly_text(self, state: StateT) -> str:
        deadly = [self.names[self.typed(state, [action])].replace("stay", "staying") for action in self.deadly(state)]
        ways = " and ".join(filter(None, [", ".join(deadly[:-1]), *deadly[-1:]]))
        return f"{capitalised(ways)} {'are' if deadly[1:] else 'is'} deadly now." if deadly else ""

    def runs(self, keys: str) -> str:
        """Commands in words, with repeats counted: "right 2, down 1"."""
        return ", ".join(f"{self.names[key]} {len([*same])}" for key, same in groupby(keys))

    def _along(self, state: StateT, way: Direction) -> str:
        here = self.here(state)
        names = (self.name(state, here.neighbour(way, steps)) for steps in range(1, 1 << 30))
        steps = sum(1 for _ in takewhile(lambda name: not name, names))
        name = self.name(state, here.neighbour(way, steps + 1))
        return f"{steps} open, then {name}" if steps else name

    def _away(self, here: Cell, cell: Cell) -> int:
        rows, cols = abs(cell.row - here.row), abs(cell.col - here.col)
        return max(rows, cols) if Direction.UP_LEFT in self.keys else rows + cols


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
    """A sentence with the first six of `count` things; empty without any.

    >>> listed(["hunter: 2 up", "door: here"], 3)
    'Hunter: 2 up; door: here; and 1 more.'
    """
    shown = things[:_SHOWN]
    more = [f"and {count - len(shown)} more"] if count > len(shown) else []
    return f"{capitalised('; '.join([*shown, *more]))}." if things else ""
