"""A line of turns as asciicast v2, the text format of terminal recordings.

Source:
    https://docs.asciinema.org/manual/asciicast/v2/
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from textwrap import shorten
from typing import Any

from dungeon_tui.core.rules import LevelBegun
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Turn
from dungeon_tui.ui.map.source import MapSource
from dungeon_tui.ui.palette import DARK, GROUNDS
from dungeon_tui.ui.play.game_view import GameView
from dungeon_tui.ui.snapshot import columns_of, runs

WIDTH = 80  # columns at least: the words below the map need them
BELOW = 2  # lines below the map: how it stands, what happened
CLEAR, RESET, TO_LINE_END = "\x1b[2J", "\x1b[0m", "\x1b[K"


def asciicast(view: GameView, line: Sequence[Turn[Any, Any]], title: str, per_second: float) -> Iterator[str]:
    """Yields the lines of the file: a header, what a terminal prints for each turn, and markers where levels begin.

    Args:
        view: how the game looks.
        line: the turns, the first one first.
        title: what to call it.
        per_second: turns a second.

    Cost:
        A turn writes the rows of the map that it changed.
    """
    pictures = [view.picture(turn.state) for turn in line]
    height = max(picture.height for picture in pictures)
    widest = max(picture.width for picture in pictures)
    columns = columns_of(view, [turn.state for turn in line], widest)
    width = max(WIDTH, widest * columns)
    yield json.dumps({"version": 2, "width": width, "height": height + BELOW, "title": printable(title)}) + "\n"
    before: Turn[Any, Any] | None = None
    for turn, picture in zip(line, pictures, strict=True):
        seconds = round(turn.ply / per_second, 3)
        rows = None if before is None else view.changed_rows(before.state, turn.state)
        shown = range(picture.height) if rows is None else rows
        parts = [CLEAR if rows is None else "", *_map(picture, shown, columns)]
        facts = view.facts(turn)
        said = " ".join(story.text for story in view.story(turn))
        for place, text in enumerate((", ".join((facts.title, *facts.short)), said)):
            parts += [_at(height + place), shorten(printable(text), width, placeholder=" ..."), TO_LINE_END]
        yield json.dumps([seconds, "o", "".join(parts)]) + "\n"
        for event in turn.events:
            if isinstance(event, LevelBegun):
                yield json.dumps([seconds, "m", f"Level {event.number}"]) + "\n"
        before = turn


def _map(picture: MapSource, rows: Iterable[int], columns: int) -> Iterator[str]:
    """Yields what a terminal prints for rows of a map: places, colours and glyphs; so many columns a cell."""
    for row in sorted(set(rows)):
        yield _at(row)
        for meaning, text in runs(picture, row, columns):
            ink = _colour(38, DARK.get(meaning.css, DARK["note"]))
            ground = _colour(48, DARK[GROUNDS[meaning]]) if meaning in GROUNDS else ""
            yield RESET + ink + ground + text
        yield RESET


def _at(row: int) -> str:
    return f"\x1b[{row + 1};1H"


def _colour(kind: int, colour: str) -> str:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return f"\x1b[{kind};2;{red};{green};{blue}m"
