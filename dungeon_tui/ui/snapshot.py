"""A state's map away from its screen: as text, in a preview, as SVG."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from dungeon_tui.core.catalogue import Game, Opening
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.text import printable
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.storage.library import Library
from dungeon_tui.storage.shelf import Item, played
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.source import MapSource
from dungeon_tui.ui.palette import DARK, GROUNDS, Meaning
from dungeon_tui.ui.play.features import WideCells
from dungeon_tui.ui.play.game_view import GameView

if TYPE_CHECKING:
    from dungeon_tui.ui.map.view import MapView

MOST_TURNS = 20_000  # of a game that is played again for its picture
WIDEST = 200  # columns, up to which cells are as wide as their texts


def columns_of(view: GameView, states: Sequence[Any], widest: int, most: int = WIDEST) -> int:
    """Columns a cell, so that its text fits; 1, of glyphs alone, where `widest` cells would need more than `most`."""
    wide = view.feature(WideCells)
    columns = 1 if wide is None else max(1, *(wide.columns(state) for state in states))
    return columns if widest * columns <= most else 1


def runs(picture: MapSource, row: int, columns: int, start: int = 0, stop: int | None = None) -> Iterator[
    tuple[Meaning, str]
]:  # fmt: skip
    """Yields a row of a map as texts of one meaning each; so many columns a cell."""
    cells = picture.row(row, start, picture.width if stop is None else stop)
    if columns > 1:
        for place, text in cells.texts.items():
            cells.glyphs[place] = text if len(text) <= columns else cells.glyphs[place]
        cells.glyphs[:] = [text.center(columns) for text in cells.glyphs]
    for meaning, run in groupby(zip(cells.meanings, cells.glyphs, strict=True), key=lambda cell: cell[0]):
        yield Meaning(meaning), printable("".join(glyph for _, glyph in run))


def map_text(view: GameView, state: Any) -> str:
    """The whole map of a state as lines of text."""
    picture = view.picture(state)
    columns = columns_of(view, [state], picture.width)
    lines = ("".join(text for _, text in runs(picture, row, columns)) for row in range(picture.height))
    return "\n".join(line.rstrip() for line in lines)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A state's map as a MapView shows it."""

    source: MapSource
    focus: Cell
    columns: int  # a cell
    trouble: str = ""  # that came up when it was played again

    def show_on(self, shown: MapView) -> None:
        """Shows it there."""
        shown.show(self.source, self.focus, columns=self.columns)


def _drawn(game: Game, state: Any, glyphs: Glyphs, trouble: str = "") -> Drawn:
    view: GameView = game.view()(game, glyphs)
    view.prepare(state)
    picture = view.picture(state)
    return Drawn(picture, view.focus_cell(state), columns_of(view, [state], picture.width), trouble)


def beginning(game: Game, opening: Opening, glyphs: Glyphs) -> Drawn | None:
    """The map on which an opening begins; None of one that is not played. For a thread.

    Raises:
        ValueError: it can't be read.
    """
    if opening.screen is not None:
        return None
    controller = TurnController(game.rules(), opening.load(), opening.seed)
    controller.apply_texts(opening.actions)
    return _drawn(game, controller.state, glyphs)


def position(item: Item, library: Library | None, glyphs: Glyphs) -> Drawn | None:
    """The map of a game or recording where it stands, and what went wrong when it was played again; for a thread.

    None where it is too long to be played again for a picture, or of no game that is here.

    Raises:
        LevelError: not even its start can be shown.
    """
    if item.game is None or item.source.turns > MOST_TURNS:
        return None
    controller, trouble = played(item, library)
    return _drawn(item.game, controller.state, glyphs, trouble)


def svg(view: GameView, turn: Turn[Any, Any], title: str) -> str:
    """A turn's map as SVG, with how it stands and what happened below it, as rich draws it."""
    picture = view.picture(turn.state)
    columns = columns_of(view, [turn.state], picture.width)
    width = max(40, picture.width * columns)
    file = io.StringIO()
    console = Console(record=True, width=width, file=file, force_terminal=True, color_system="truecolor")
    for row in range(picture.height):
        line = Text(no_wrap=True)
        for meaning, text in runs(picture, row, columns):
            ground = f" on {DARK[GROUNDS[meaning]]}" if meaning in GROUNDS else ""
            line.append(text, DARK.get(meaning.css, DARK["note"]) + ground)
        console.print(line)
    facts = view.facts(turn)
    for said in (", ".join((facts.title, *facts.short)), " ".join(story.text for story in view.story(turn))):
        console.print(Text(printable(said), DARK["note"]))
    back, ink = _rgb(DARK["map-back"]), _rgb(DARK["note"])
    return console.export_svg(title=printable(title), theme=TerminalTheme(back, ink, [ink] * 8))


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue
