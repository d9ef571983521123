"""A slow, obvious twin of the rescue: grids read number by number, walks played by plain sums, no engine."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

Grid = list[list[int]]


class InvalidError(Exception):
    """No grid: the line, counted from 1; 0 where the twin can't tell."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def is_value(text: str) -> bool:
    """Whether it is a whole number of 64 bits."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    return digits != "" and all(digit in "0123456789" for digit in digits) and -(2**63) <= int(text) < 2**63


def read(text: str) -> Grid:
    """The numbers of a grid's text: rows parted by line feeds, or JSON where the first character is a bracket."""
    if text.strip().startswith("["):
        return _read_json(text)
    grid: Grid = []
    for line, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        if "\r" in row.removesuffix("\r"):
            raise InvalidError(line)
        parts = [part.split() for part in row.split(",")]
        words = [word for part in parts for word in part]
        if not all(parts) or not all(map(is_value, words)) or (grid and len(words) != len(grid[0])):
            raise InvalidError(line)
        grid.append([int(word) for word in words])
    if not grid:
        raise InvalidError(0)
    return grid


def _read_json(text: str) -> Grid:
    try:
        values: Any = json.loads(text)
    except ValueError:
        raise InvalidError(0) from None
    for row in values:
        if not isinstance(row, list) or not row or len(row) != len(values[0]):
            raise InvalidError(0)
        if not all(type(value) is int and -(2**63) <= value < 2**63 for value in row):
            raise InvalidError(0)
    if not values:
        raise InvalidError(0)
    return [list(row) for row in values]


def read_or_error(text: str) -> Grid | InvalidError:
    """The same, the error as a value."""
    try:
        return read(text)
    except InvalidError as error:
        return error


@dataclass
class Rescue:
    """A grid, guesses, and a walk; `do` changes it."""

    grid: Grid
    guesses: list[int] = field(default_factory=list)
    initial: int = 0
    cells: list[tuple[int, int]] = field(default_factory=list)

    def healths(self) -> list[int]:
        """His health before the first cell, and after each one that he entered."""
        healths = [self.initial]
        for row, col in self.cells:
            healths.append(healths[-1] + self.grid[row][col])
        return healths

    def end(self) -> str:
        """How it ended."""
        if self.cells and self.healths()[-1] <= 0:
            return "died"
        return "saved" if self.cells and self.cells[-1] == (len(self.grid) - 1, len(self.grid[0]) - 1) else ""

    def do(self, action: str) -> bool:
        """Does what a recording's line says; False, and nothing, if it can't be done now."""
        if self.end():
            return False
        word, _, number = action.partition(" ")
        if word in ("guess", "health"):
            if self.cells or not 1 <= int(number) < 2**63:
                return False
            if word == "guess":
                self.guesses.append(int(number))
            else:
                self.initial = int(number)
                self.cells.append((0, 0))
            return True
        if not self.cells:
            return False
        row, col = self.cells[-1]
        row, col = (row + 1, col) if word == "down" else (row, col + 1)
        if row == len(self.grid) or col == len(self.grid[0]):
            return False
        self.cells.append((row, col))
        return True

    def answer(self, least: int) -> tuple[str, bool | None]:
        """What the last guess hears: too little, too much or right; and whether it is warmer than the one before."""
        guess = self.guesses[-1]
        verdict = "right" if guess == least else "too little" if guess < least else "too much"
        if len(self.guesses) == 1 or abs(guess - least) == abs(self.guesses[-2] - least):
            return verdict, None
        return verdict, abs(guess - least) < abs(self.guesses[-2] - least)
