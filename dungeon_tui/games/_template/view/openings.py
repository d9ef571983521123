"""The levels: of the menu, of the command line, and in recordings."""

from functools import partial

from dungeon_tui.core.catalogue import Opening
from dungeon_tui.core.level import LevelFile, PackedLevel, level_name, read_level_file
from dungeon_tui.core.options import Form, Given
from dungeon_tui.games._template.model.options import LEVELS, OPTIONS
from dungeon_tui.games._template.model.rules import Level, read_level


def openings() -> list[Opening]:
    return [named(name) for name in LEVELS]


def forms() -> tuple[Form, ...]:
    return ()  # for levels made from a seed


def named(arguments: str) -> Opening:
    return opening(OPTIONS.read(arguments))


def opening(given: Given) -> Opening:
    if given.is_ours:
        file = LevelFile(given.name, LEVELS[given.name].encode())
        return Opening(f"The {given.name}", partial(read_level, file), arguments=given.arguments)
    return Opening(level_name(given.name), lambda: read_level(read_level_file(given.name)))


def open_file(path: str) -> Opening:
    return opening(OPTIONS.given(path))


def pack_level(level: Level) -> PackedLevel:
    return PackedLevel((level.file,))


def unpack_level(packed: PackedLevel) -> Level:
    return read_level(packed.only_file("level"))
