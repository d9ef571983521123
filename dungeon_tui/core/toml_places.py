"""TOML files: their values, and the places of these, for messages that name line and column."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.core.words import midway

Keys = tuple[str, ...]
"""Keys that lead to a value: ("keys", "move", "up")."""

_DEEP_KEY = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}"""
)  # tomllib takes the square of the time
_BLANK = re.compile(r"(?:[\s,]++|#[^\n]*+)*+")
_KEY = re.compile(r"""[ \t]*+("(?:[^"\\]|\\.)*+"|'[^']*+'|[\w-]++)[ \t]*+""")
_TEXT = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\]|\\.)*+"|\'[^\']*+\'|[^,\]}#\n]*+', re.DOTALL
)  # or a number, a date, true or false


def read_toml(file: LevelFile) -> dict[str, Any]:
    """The values of a TOML file.

    Raises:
        LevelError: it is not text, or not TOML; names the place where it stops to be.
    """
    file.refuse_what_is_not_text()
    text = file.data[file.text_start :].decode()
    if deep := _DEEP_KEY.search(text):
        raise file.error(file.text_start + len(text[: deep.start()].encode()), "this key is nested too deeply")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not TOML, a number of thousands of digits, or brackets as deep
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        end = len(file.data) if "(at end of document)" in str(error) else 0
        line, column = (int(place[1]), int(place[2])) if place else file.position(end)
        reason = str(error).partition(" (at ")[0]
        raise LevelError(f"not TOML: {midway(reason)}", file.name, line, column) from None


def leaves(values: dict[str, Any], above: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Yields all values that are no tables, each with the keys that lead there."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from leaves(value, (*above, key))
        else:
            yield (*above, key), value


def offsets(text: str) -> dict[Keys, tuple[int, int]]:
    r"""The offsets, in characters, of keys and their values, by the keys that lead there; a table has but one place.

    Args:
        text: TOML that parses.

    >>> offsets('a = 1\n[b]\nc.d = {e = "}"}\n')[("b", "c", "d", "e")]
    (17, 21)
    """
    found: dict[Keys, tuple[int, int]] = {}
    table: Keys = ()
    at = _after_blanks(text, 0)
    while at < len(text):
        if text[at] == "[":
            opening = 2 if text.startswith("[[", at) else 1
            table, end = _path(text, at + opening)
            found.setdefault(table, (at, at))
            at = end + opening
        else:
            at = _pair(text, at, table, found)
        at = _after_blanks(text, at)
    return found


def _pair(text: str, at: int, above: Keys, found: dict[Keys, tuple[int, int]]) -> int:
    """Notes a key and its value; returns the offset after them."""
    path, end = _path(text, at)
    start = _after_blanks(text, end + 1)
    path = above + path
    found.setdefault(path, (at, start))
    return _value(text, start, path, found)


def _value(text: str, at: int, path: Keys, found: dict[Keys, tuple[int, int]]) -> int:
    """Notes the keys within a value; returns the offset after it."""
    if text[at] not in "[{":
        return _match(_TEXT, text, at).end()
    closing, is_table = "]}"[text[at] == "{"], text[at] == "{"
    at = _after_blanks(text, at + 1)
    while text[at] != closing:
        at = _pair(text, at, path, found) if is_table else _value(text, at, path, found)
        at = _after_blanks(text, at)
    return at + 1


def _path(text: str, at: int) -> tuple[Keys, int]:
    """The parts of a dotted key that begins at an offset, and the offset after it."""
    parts: list[str] = []
    while True:
        part = _match(_KEY, text, at)
        at = part.end()
        parts.append(next(iter(tomllib.loads(f"{part[1]} = 0"))) if part[1][0] in "\"'" else part[1])
        if text[at] != ".":
            return tuple(parts), at
        at += 1


def _after_blanks(text: str, at: int) -> int:
    return _match(_BLANK, text, at).end()


def _match(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    found = pattern.match(text, at)
    assert found is not None, "this is no TOML"
    return found
