"""Boards: finding, reading and packing shipped boards and board files."""

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from dungeon_tui.core.catalogue import levels_folder, shipped_level
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel, level_name, read_level_file
from dungeon_tui.core.text import printable
from dungeon_tui.games.chase.model.level import MOST_BYTES, MOVES, Level, Task, level_text, read_level
from dungeon_tui.games.chase.model.players import AIMS


@cache
def shipped_names() -> tuple[str, ...]:
    """The names of the shipped boards, in the order of their lessons (boards.toml)."""
    folder = levels_folder("chase")
    return tuple(tomllib.loads((folder / "boards.toml").read_text("utf-8"))["boards"])


def read_board(name: str, moves: int = MOVES) -> Level:
    """The shipped board of a name, or of a file; `-` is standard input. Raises LevelError if it can't be read."""
    shipped = shipped_level("chase", name, ".txt")
    level = read_level(read_level_file(shipped or name, MOST_BYTES), level_name(name))
    return replace(level, moves=moves)


def read_boards(names: Iterable[str], moves: int) -> list[Level]:
    """The boards of some names, each once, named by its path if another has the same name. Raises LevelError."""
    boards = {name: read_board(name, moves) for name in dict.fromkeys(names)}
    count = Counter(board.name for board in boards.values())
    return [board if count[board.name] == 1 else replace(board, name=printable(name)) for name, board in boards.items()]


def pack_level(level: Level) -> PackedLevel:
    """The board's file, with its name, number of moves and task as options."""
    options: dict[str, int | str] = {"name": level.name, "moves": level.moves}
    if level.task is not None:
        options["task"] = f"{level.task.aim} {level.task.opponent}"
    return PackedLevel((LevelFile(f"{level.name}.txt", level_text(level).encode()),), options)


def unpack_level(packed: PackedLevel) -> Level:
    """The board that `pack_level` packed. Raises LevelError if the file can't be read, or is missing."""
    file = packed.only_file("board")
    moves = packed.options.get("moves", MOVES)
    if not isinstance(moves, int) or moves < 1:
        raise LevelError('the option "moves" must be a whole number above 0', "<recording>")
    level = read_level(file, printable(str(packed.options.get("name", "recording"))))
    aim, _, opponent = str(packed.options.get("task", "")).partition(" ")
    if aim not in ("", *AIMS):
        raise LevelError(f'the option "task" must begin with one of {", ".join(AIMS)}', "<recording>")
    return replace(level, moves=moves, task=Task(aim, printable(opponent)) if aim else None)
