"""Backward induction, one layer after the other, on sets of the pursuer's sites as bits.

For every site of the evader two sets: LOST, the pursuer's sites from which it is caught in as many moves as there were
layers if the evader moves next, and WON, the same if the pursuer does. A layer takes each site's LOST from the WON of
all sites that the evader can move to, since all its moves must lose; then it spreads what is new in LOST back along the
pursuer's moves into WON, since one move is enough. It looks only at words beside one that changed in the layer before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine.bits import NONE, ONE, lowest_bit
from dungeon_tui.engine.pursuit.order import WORD, Layout

Words = NDArray[np.uint64]

SHIFT, BIT = uint64(6), uint64(63)  # a site's word is above, its bit below
EVADER, PLACE = uint64(7), uint64(127)  # an entry's evader is above, its word, one of 79 at most, below


class Sets(NamedTuple):
    """The positions decided so far; evaders in the order of the Layout."""

    won: Words  # (sites, words), flat
    lost: Words
    changed: Words  # (sites, words of words), flat: which words of WON the last layer changed
    entries: Indices  # where LOST is new
    news: Words  # and what


def first_sets(sites: int) -> Sets:
    """The sets before the first move: the positions that are over, new in LOST."""
    words = -(-sites // WORD)
    evaders = np.arange(sites)
    bits = np.uint64(1) << (evaders % WORD).astype(np.uint64)
    won = np.zeros((sites, words), np.uint64)
    won[evaders, evaders // WORD] = bits
    changed = np.zeros((sites, -(-words // WORD)), np.uint64)
    changed[evaders, evaders // WORD // WORD] = np.uint64(1) << (evaders // WORD % WORD).astype(np.uint64)
    entries, news = np.empty(sites * (words + 1), np.int32), np.empty(sites * (words + 1), np.uint64)
    entries[:sites] = evaders << 7 | evaders // WORD
    news[:sites] = bits
    return Sets(won.reshape(-1), won.reshape(-1).copy(), changed.reshape(-1), entries, news)


@kernel
def run_layers(layout: Layout, sets: Sets, moves: Indices, layer: int, work: int) -> tuple[int, np.uint64, bool]:
    """Runs layers until that many entries were spread, or nothing is new.

    Returns:
        How many layers have run, how many positions these decided, and whether there is more to do.
    """
    sites = uint64(len(layout.sites))
    waiting = sites if layer == 0 else NONE
    spread, decided = NONE, NONE
    while spread < work:
        waiting = _all_lose(layout, sets, sites, waiting)
        if waiting == NONE:
            return layer, decided, False
        layer += 1
        decided += _one_wins(layout, sets, sites, waiting, moves, layer)
        spread += waiting
        waiting = NONE
    return layer, decided, True


@kernel
def _all_lose(layout: Layout, sets: Sets, sites: np.uint64, waiting: np.uint64) -> np.uint64:
    """Adds to LOST, and to the entries behind those that wait; returns how many there are now."""
    starts, targets = layout.starts, layout.targets
    won, lost, changed, entries, news = sets
    words = (sites + BIT) >> SHIFT
    wider = (words + BIT) >> SHIFT
    for evader in range(sites):
        first, last = uint64(starts[evader]), uint64(starts[evader + ONE])
        for part in range(wider):
            near = NONE
            for index in range(first, last):
                near |= changed[uint64(targets[index]) * wider + part]
            while near:
                word = (part << SHIFT) + lowest_bit(near)
                near &= near - ONE
                new = ~lost[evader * words + word]
                for index in range(first, last):
                    new &= won[uint64(targets[index]) * words + word]
                    if new == NONE:
                        break
                if new:
                    lost[evader * words + word] |= new
                    entries[waiting] = (evader << EVADER) | word
                    news[waiting] = new
                    waiting += ONE
    return waiting


@kernel
def _one_wins(layout: Layout, sets: Sets, sites: np.uint64, waiting: np.uint64, moves: Indices, layer: int) -> Any:
    """Spreads the entries into WON, notes what changed there, and writes the moves; returns how many."""
    old, back_starts, origins = layout.sites, layout.back_starts, layout.origins
    won, _, changed, entries, news = sets
    words = (sites + BIT) >> SHIFT
    wider = (words + BIT) >> SHIFT
    decided = NONE
    changed[:] = NONE
    for entry in range(waiting):
        evader, word, new = uint64(entries[entry]) >> EVADER, uint64(entries[entry]) & PLACE, news[entry]
        row = uint64(old[evader]) * sites
        while new:
            target = (word << SHIFT) + lowest_bit(new)
            new &= new - ONE
            for index in range(uint64(back_starts[target]), uint64(back_starts[target + ONE])):
                origin = uint64(origins[index])
                other, bit = origin >> SHIFT, ONE << (origin & BIT)
                if won[evader * words + other] & bit == NONE:
                    won[evader * words + other] |= bit
                    changed[evader * wider + (other >> SHIFT)] |= ONE << (other & BIT)
                    moves[row + uint64(old[origin])] = layer
                    decided += ONE
    return decided
