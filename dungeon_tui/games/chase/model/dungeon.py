"""Boards: the shipped ones and those of one's own; finding, reading and packing them."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import partial

from dungeon_tui.core.catalogue import Opening, Preview, levels_folder, shipped_level
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel, level_name, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.core.words import in_words
from dungeon_tui.games.chase.model.level import MOST_BYTES, MOVES, Level, level_text, read_level

PLAYERS = {"monster": "bfs"}  # unless someone else is chosen: the rogue is played by you
PREVIEW_COLOURS = {"@": "you", ".": "floor", "+": "path"}


def shipped_names() -> list[str]:
    """The boards that the project ships, in the order of their lessons (boards.toml)."""
    folder = levels_folder("chase")
    return list(tomllib.loads((folder / "boards.toml").read_text("utf-8"))["boards"])


def read_board(name: str, moves: int = MOVES) -> Level:
    """The shipped board of a name, or the board of a file; `-` is standard input.

    Raises:
        LevelError: it can't be read, or is no board.
    """
    shipped = shipped_level("chase", name, ".txt")
    level = read_level(read_level_file(shipped or name, MOST_BYTES), level_name(name))
    return replace(level, moves=moves)


def pack_level(level: Level) -> PackedLevel:
    """The board's file, with its name and the number of moves as options: all that a recording holds of it."""
    return PackedLevel(
        (LevelFile(f"{level.name}.txt", level_text(level).encode()),), {"name": level.name, "moves": level.moves}
    )


def unpack_level(packed: PackedLevel) -> Level:
    """The board that `pack_level` packed.

    Raises:
        LevelError: it can't be read, or there is none.
    """
    file = packed.only_file("board")
    moves = packed.options.get("moves", MOVES)
    if not isinstance(moves, int) or moves < 1:
        raise LevelError('the option "moves" must be a whole number above 0', "<recording>")
    level = read_level(file, printable(str(packed.options.get("name", "recording"))))
    return replace(level, moves=moves)


def openings() -> list[Opening]:
    """The shipped boards as the menu offers them, in the order of their lessons."""
    return [_opening(name) for name in shipped_names()]


def open_file(path: str) -> Opening:
    """The opening of a board file of the player's own, which is read only when the opening is loaded."""
    return Opening(title=level_name(path), load=partial(read_board, path), players=PLAYERS)


def _opening(name: str) -> Opening:
    level = read_board(name)
    return Opening(
        title=in_words(level.name),
        summary=level.lesson,
        load=partial(read_board, name),
        preview=partial(_preview, level),
        players=PLAYERS,
        arguments=name,
    )


def _preview(level: Level) -> list[Preview]:
    text = level_text(level).splitlines()
    return [
        Preview(
            title=f"{level.size} x {level.size}",
            caption=f"You are the rogue, @; {PLAYERS['monster']} is the monster, {level.letter}. m changes that.",
            lines=text[1 : level.size + 1],
            colours=PREVIEW_COLOURS | {level.letter: "foe"},
        )
    ]
