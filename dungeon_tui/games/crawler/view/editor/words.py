"""What the editor's panel says of a drawing."""

from __future__ import annotations

import numpy as np

from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import printable
from dungeon_tui.core.words import capitalised, counted, sentence
from dungeon_tui.games.crawler.model.level import (
    ADVENTURER,
    AMULET,
    DOOR,
    MONSTER,
    OPEN,
    PILLAR,
    TILE_NAMES,
    TREASURE,
    WAY_OUT,
)
from dungeon_tui.games.crawler.view.editor.draft import Draft, Drawing
from dungeon_tui.games.crawler.view.editor.verdict import Verdict
from dungeon_tui.ui.widgets.side_panel import Facts

BRUSHES = {
    OPEN: "floor",
    PILLAR: "pillar",
    TREASURE: "treasure",
    AMULET: "amulet",
    MONSTER: "monster",
    DOOR: "door",
    WAY_OUT: "way out",
    ADVENTURER: "start",
}
_COUNTED = {TREASURE: "Treasure", AMULET: "Amulets", MONSTER: "Monsters", DOOR: "Doors", WAY_OUT: "Ways out"}
_NAMES = TILE_NAMES | {ADVENTURER: "the start"}

Rows = tuple[tuple[str, str], ...]


def counts(draft: Draft) -> Rows:
    """How much of everything there is, as rows of the panel."""
    numbers = np.bincount(draft.board.array().reshape(-1), minlength=max(_COUNTED) + 1)
    return tuple((name, f"{numbers[tile]:,}") for tile, name in _COUNTED.items() if numbers[tile])


def facts(name: str, drawing: Drawing, cursor: Cell, brush: int, numbers: Rows, verdict: Verdict) -> Facts:
    """How the drawing stands; `numbers` are its draft's counts."""
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
            *numbers,
        ),
        short=(*([state] if state else []), size, f"{here}: {_NAMES[draft[cursor]]}"),
        more=(("Treasure", "fewest moves"), *points) if len(points) > 1 else (),
    )


def notes(verdict: Verdict) -> tuple[str, ...]:
    """What is odd about the level."""
    texts = []
    for oddity in verdict.oddities:
        count = f" ({counted(oddity.cells.size, 'tile')})" if oddity.cells.size > 1 else ""
        texts.append(f"Odd: {oddity.message}{count}.")
    return tuple(texts)


def tile_text(draft: Draft, cell: Cell) -> str:
    """Where, and what stands there."""
    return f"{capitalised(cell.place)}: {_NAMES[draft[cell]]}."


def cell_text(draft: Draft, cell: Cell, verdict: Verdict) -> str:
    """Where, what stands there, and what is odd about it."""
    flat = cell.row * draft.width + cell.col
    odd = [sentence(oddity.message) for oddity in verdict.oddities if flat in oddity.cells]
    return " ".join([tile_text(draft, cell), *odd])
