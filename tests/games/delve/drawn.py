"""Small dungeons for the tests, drawn by hand."""

from dataclasses import replace

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.rules import Event
from dungeon_tui.core.words import sentences
from dungeon_tui.games.delve.model import rules
from dungeon_tui.games.delve.model.level import Level, Room
from dungeon_tui.games.delve.model.state import DRAWN, KINDS, Monster, State, Status
from dungeon_tui.games.delve.view import words

SOFT, HARD = 60, 200
HARDNESS = {"%": SOFT, " ": HARD, "X": 255}


def level_of(*rows: str, monsters: int = 1) -> Level:
    """The picture inside a border; `.` and `@` are in rooms of one cell, `#` is corridor, `%` soft rock, blank hard."""
    width = max(map(len, rows))
    picture = ["X" * (width + 2), *(f"X{row:<{width}}X" for row in rows), "X" * (width + 2)]
    cells = {glyph: [Cell(row, col) for row, col in _places(picture, glyph)] for glyph in ".@<>"}
    return Level(
        hardness=np.array([[HARDNESS.get(glyph, 0) for glyph in row] for row in picture], np.uint8),
        rooms=tuple(Room(*cell, 1, 1) for glyph in ".@<>" for cell in cells[glyph]),
        player=cells["@"][0] if cells["@"] else None,
        stairs_up=tuple(cells["<"]),
        stairs_down=tuple(cells[">"]),
        layout="drawn",
        name="drawn",
        monsters=monsters,
    )


def state_of(*rows: str, seed: int = 0, speeds: tuple[int, ...] = (), kinds: str = "") -> State:
    """A game on the picture, in which hexadecimal digits are monsters, numbered row by row.

    `speeds` are theirs, by number (10 where none is given); `kinds` replaces what their digits say, in base 36.
    """
    width = max(map(len, rows))
    digits = [
        (Cell(row + 1, col + 1), glyph)
        for row, line in enumerate(rows)
        for col, glyph in enumerate(line.ljust(width))
        if glyph in "0123456789abcdef"
    ]
    plain = ["".join("." if glyph in "0123456789abcdef" else glyph for glyph in row) for row in rows]
    monsters = tuple(
        Monster(
            number,
            KINDS[int(kinds[number - 1] if kinds else glyph, 36)],
            cell,
            speeds[number - 1] if number <= len(speeds) else 10,
        )
        for number, (cell, glyph) in enumerate(digits, 1)
    )
    state = rules.start(level_of(*plain), seed)
    return replace(state, monsters=monsters, status=Status.PLAYING)


def drawn_by_chance(state: State) -> list[Monster]:
    """All monsters but guards, packs, lookouts and those of further kinds."""
    return [monster for monster in state.monsters if monster.kind in KINDS[:DRAWN]]


def _places(picture: list[str], glyph: str) -> list[tuple[int, int]]:
    return [(row, col) for row, line in enumerate(picture) for col, tile in enumerate(line) if tile == glyph]


def event_text(event: Event, state: State | None = None) -> str:
    """The sentence of an event."""
    return "".join(sentences(words.EVENTS, event, state))
