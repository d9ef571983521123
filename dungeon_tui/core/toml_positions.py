"""TOML files: their values, and the positions of values, for messages with line and column."""

import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.words import midway

Keys = tuple[str, ...]
"""Keys that lead to a value: ("keys", "move", "up")."""

_DEEP_KEY = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}"""
)  # tomllib takes quadratic time for these
_KEY = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_KEYS = rf"{_KEY}(?:[ \t]*+\.[ \t]*+{_KEY})*+"
_LINE = re.compile(rf"^[ \t]*+(?:\[\[?[ \t]*+({_KEYS})[ \t]*+\]|({_KEYS})[ \t]*+=[ \t]*+(\{{.*)?)", re.MULTILINE)
_INLINE = re.compile(rf"[{{,][ \t]*+({_KEYS})[ \t]*+=[ \t]*+")


def read_toml(file: LevelFile) -> dict[str, Any]:
    """The values of a TOML file. Raises LevelError, with the position of the error, if it is no text or no TOML."""
    file.refuse_what_is_not_text()
    text = file.data[file.text_start :].decode()
    if deep := _DEEP_KEY.search(text):
        raise file.error(file.text_start + len(text[: deep.start()].encode()), "this key is nested too deeply")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # no TOML, or too long a number, or too deep brackets
        position = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        end = len(file.data) if "(at end of document)" in str(error) else 0
        line, column = (int(position[1]), int(position[2])) if position else file.position(end)
        reason = str(error).partition(" (at ")[0]
        raise LevelError(f"not TOML: {midway(reason)}", file.name, line, column) from None


def leaves(values: dict[str, Any], above: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Yields all values that are no tables, each with its path."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from leaves(value, (*above, key))
        else:
            yield (*above, key), value


def offsets(text: str) -> dict[Keys, tuple[int, int]]:
    r"""The offsets, in characters, of keys and their values, by path; for a table both are its heading's.

    Looks at the beginnings of lines and into inline tables, but not into tables within these, or into arrays.

    Args:
        text: valid TOML.

    >>> offsets('a = 1\n[b]\nc.d = {e = "}"}\n')[("b", "c", "d", "e")]
    (17, 21)
    """
    found: dict[Keys, tuple[int, int]] = {}
    table: Keys = ()
    for line in _LINE.finditer(text):
        with suppress(ValueError):  # no key, but a line of a longer text
            if line[1]:
                table = _path(line[1])
                found.setdefault(table, (line.start(), line.start()))
                continue
            path = table + _path(line[2])
            found.setdefault(path, (line.start(2), line.start(3) if line[3] else line.end()))
            for pair in _INLINE.finditer(line[3] or ""):
                at = line.start(3)
                found.setdefault(path + _path(pair[1]), (at + pair.start(1), at + pair.end()))
    return found


def _path(key: str) -> Keys:
    parts, value = [], tomllib.loads(f"{key} = 0")
    while isinstance(value, dict):
        part, value = next(iter(value.items()))
        parts.append(part)
    return tuple(parts)
