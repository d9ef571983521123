"""Boards: the shipped ones and those of one's own; finding, reading and packing them."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache

from dungeon_tui.core.catalogue import levels_folder, shipped_level
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel, level_name, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.games.chase.model.level import MOST_BYTES, MOVES, Level, Task, level_text, read_level
from dungeon_tui.games.chase.model.players import AIMS


@cache
def shipped_names() -> tuple[str, ...]:
    """The boards that the project ships, in the order of their lessons (boards.toml)."""
    folder = levels_folder("chase")
    return tuple(tomllib.loads((folder / "boards.toml").read_text("utf-8"))["boards"])


def read_board(name: str, moves: int = MOVES) -> Level:
    """The shipped board of a name, or the board of a file; `-` is standard input.

    Raises:
        LevelError: it can't be read, or is no board.
    """
    shipped = shipped_level("chase", name, ".txt")
    level = read_level(read_level_file(shipped or name, MOST_BYTES), level_name(name))
    return replace(level, moves=moves)


def pack_level(level: Level) -> PackedLevel:
    """The board's file, with its name, the number of moves and its task as options: all that a recording holds."""
    options: dict[str, int | str] = {"name": level.name, "moves": level.moves}
    if level.task is not None:
        options["task"] = f"{level.task.aim} {level.task.opponent}"
    return PackedLevel((LevelFile(f"{level.name}.txt", level_text(level).encode()),), options)


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
    aim, _, opponent = str(packed.options.get("task", "")).partition(" ")
    if aim not in ("", *AIMS):
        raise LevelError(f'the option "task" must begin with one of {", ".join(AIMS)}', "<recording>")
    return replace(level, moves=moves, task=Task(aim, printable(opponent)) if aim else None)
