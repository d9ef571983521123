"""The words of the editor's panel."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import printable
from dungeon_tui.core.words import capitalised, counted, sentence
from dungeon_tui.games.crawler.model.level import (
    ADVENTURER,
    AMULET,
    DOOR,
    MONSTER,
    TILE_NAMES,
    TREASURE,
    WAY_OUT,
)
from dungeon_tui.games.crawler.view.editor.draft import Draft, Drawing
from dungeon_tui.games.crawler.view.editor.pen import BRUSHES
from dungeon_tui.games.crawler.view.editor.verdict import Verdict
from dungeon_tui.ui.widgets.side_panel import Facts

_COUNTED = {TREASURE: "Treasure", AMULET: "Amulets", MONSTER: "Monsters", DOOR: "Doors", WAY_OUT: "Ways out"}
_NAMES = TILE_NAMES | {ADVENTURER: "the start"}


@lru_cache(maxsize=1)
def _counts(draft: Draft) -> tuple[tuple[str, str], ...]:
    tiles = draft.board.array()
    numbers = {name: np.count_nonzero(tiles == tile) for tile, name in _COUNTED.items()}
    return tuple((name, f"{number:,}") for name, number in numbers.items() if number)


def facts(name: str, drawing: Drawing, cursor: Cell, brush: int, verdict: Verdict) -> Facts:
    """The panel's rows for a drawing."""
    draft = drawing.present
    state = "" if drawing.is_saved else "not saved"
    size, here = f"{draft.height} x {draft.width}", cursor.place
    points = [(f"{point.treasure:,}", counted(point.moves, "move")) for point in verdict.par.points]
    return Facts(
        title=printable(name),
        subtitle=state,
        rows=(
            ("Brush", BRUSHES[brush]),
            ("Cursor", here),
            ("Start", draft.start.place),
            ("Size", size),
            *_counts(draft),
        ),
        short=(*([state] if state else []), size, f"{here}: {_NAMES[draft[cursor]]}"),
        more=(("Treasure", "fewest moves"), *points) if len(points) > 1 else (),
    )


def notes(verdict: Verdict) -> tuple[str, ...]:
    """The panel's notes on all that is odd about the level."""
    texts = []
    for oddity in verdict.oddities:
        count = f" ({counted(oddity.cells.size, 'tile')})" if oddity.cells.size > 1 else ""
        texts.append(f"Odd: {oddity.message}{count}.")
    return tuple(texts)


def tile_text(draft: Draft, cell: Cell) -> str:
    """A cell's place and its tile."""
    return f"{capitalised(cell.place)}: {_NAMES[draft[cell]]}."


def cell_text(draft: Draft, cell: Cell, verdict: Verdict) -> str:
    """A cell's place, its tile, and what is odd about it."""
    flat = cell.row * draft.width + cell.col
    odd = [sentence(oddity.message) for oddity in verdict.oddities if flat in oddity.cells]
    return " ".join([tile_text(draft, cell), *odd])
