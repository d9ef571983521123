"""Steps from the player over a map, and the cells on which the next turn is deadly."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from dungeon_tui import engine
from dungeon_tui.core.grid import Cell
from dungeon_tui.ui.glyphs import Glyphs
from dungeon_tui.ui.map.distance_layer import DistanceField
from dungeon_tui.ui.map.source import CellLayer
from dungeon_tui.ui.palette import Meaning, Tint


def walking_field(
    kind: str, passable: NDArray[np.bool_], here: Cell, has_arrows: bool, shown: NDArray[np.bool_] | None = None
) -> DistanceField:
    """Steps from the player in four directions, with arrows back; the farthest of the shown cells sets the scale."""
    distance = engine.distance_map(passable, np.array([here]), diagonal=False)
    steps = engine.downhill(distance, diagonal=False) if has_arrows else None
    known = distance if shown is None else np.where(shown, distance, engine.UNREACHED)
    return DistanceField(kind, distance, steps, engine.UNREACHED, engine.farthest(known))


def deadly_layer(cells: Iterable[Cell], is_bare: Callable[[Cell], bool], glyphs: Glyphs) -> CellLayer:
    """Crosses on the deadly cells that are bare, and a tint on all of them."""
    layer = CellLayer()
    for cell in cells:
        layer.mark_over(cell, is_bare(cell), glyphs.cross, Meaning.FOE, Tint.DANGER)
    return layer
