"""Backward induction, layer by layer, on sets of the pursuer's sites as bits.

Every site of the evader has two sets of the pursuer's sites. After n layers, the evader is caught within n moves from
LOST if it moves next, and from WON if the pursuer moves next. A layer takes each site's LOST from the WON
of all sites that the evader can move to, since all its moves must lose; then it spreads the additions to LOST back
along the pursuer's moves into WON, since one move is enough. It looks only at words next to a word that the layer
before changed.
"""

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from dungeon_tui.engine._rows import Indices
from dungeon_tui.engine.bits import NONE, ONE, lowest_bit
from dungeon_tui.engine.jit import kernel

Words = NDArray[np.uint64]

WORD = 64  # sites in one
SHIFT, BIT = uint64(6), uint64(63)  # a site's word is above, its bit below
EVADER, PLACE = uint64(7), uint64(127)  # an entry's evader is above, its word, one of 79 at most, below


class Layout(NamedTuple):
    """A graph for the kernels; all numbers except `sites` are in the new order."""

    sites: Indices  # by their new number, the sites as they were
    starts: Indices  # the moves from each
    targets: Indices
    back_starts: Indices  # the moves to each
    origins: Indices


def laid_out(starts: Indices, targets: Indices) -> Layout:
    """The graph with nearby sites in the same word.

    A board's word becomes a square of 8 x 8, a corridor's a stretch, so that few words change at a time.
    """
    sites, moves = len(starts) - 1, len(targets)
    cluster = np.full(sites, -1, np.int32)
    _cluster(starts, targets, cluster, np.empty(WORD, np.int32))
    order = np.argsort(cluster, kind="stable").astype(np.int32)
    numbers = np.empty(sites, np.int32)
    numbers[order] = np.arange(sites, dtype=np.int32)
    new_starts, back_starts = np.zeros_like(starts), np.zeros_like(starts)
    layout = Layout(order, new_starts, np.empty(moves, np.int32), back_starts, np.empty(moves, np.int32))
    np.cumsum(np.diff(starts)[order], out=new_starts[1:])
    np.cumsum(np.bincount(numbers[targets], minlength=sites), out=back_starts[1:])
    _renumber(starts, targets, numbers, layout, back_starts.copy())
    return layout


@kernel
def _cluster(starts: Indices, targets: Indices, cluster: Indices, queue: Indices) -> None:
    """Sets the number of each site's cluster: WORD nearby sites, found breadth first."""
    first = 0
    for done in range(0, len(cluster), WORD):
        head, tail, size = 0, 0, min(WORD, len(cluster) - done)
        while tail < size:
            if head == tail:
                while cluster[first] >= 0:
                    first += 1
                cluster[first] = done // WORD
                queue[tail] = first
                tail += 1
            site = queue[head]
            head += 1
            for index in range(starts[site], starts[site + 1]):
                other = targets[index]
                if cluster[other] < 0 and tail < size:
                    cluster[other] = done // WORD
                    queue[tail] = other
                    tail += 1


@kernel
def _renumber(starts: Indices, targets: Indices, numbers: Indices, layout: Layout, free: Indices) -> None:
    """Sets the moves from and to each site; `free` is a copy of the starts of the moves to each."""
    for new in range(len(layout.sites)):
        old = layout.sites[new]
        move = layout.starts[new]
        for index in range(starts[old], starts[old + 1]):
            target = numbers[targets[index]]
            layout.targets[move] = target
            move += 1
            layout.origins[free[target]] = new
            free[target] += 1


class Sets(NamedTuple):
    """The positions decided so far; evaders in the order of the Layout."""

    won: Words  # (sites, words), flat
    lost: Words
    changed: Words  # (sites, words of words), flat: which words of WON the last layer changed
    entries: Indices  # where LOST is new
    news: Words  # and what


def first_sets(sites: int) -> Sets:
    """The sets before the first layer: only positions with both on one site are decided, and new in LOST."""
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
def run_layers(layout: Layout, sets: Sets, moves: Indices) -> None:
    """Runs layers until nothing is new; writes the moves of all positions that they decide."""
    sites = uint64(len(layout.sites))
    waiting, layer = _all_lose(layout, sets, sites, sites), 1
    while waiting:
        _one_wins(layout, sets, sites, waiting, moves, layer)
        waiting = _all_lose(layout, sets, sites, NONE)
        layer += 1


@kernel
def _all_lose(layout: Layout, sets: Sets, sites: np.uint64, waiting: np.uint64) -> np.uint64:
    """Adds to LOST where all moves of the evader lose, and to the entries; returns the number of entries."""
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
def _one_wins(layout: Layout, sets: Sets, sites: np.uint64, waiting: np.uint64, moves: Indices, layer: int) -> None:
    """Spreads the entries into WON, notes changes, and writes the moves."""
    old, back_starts, origins = layout.sites, layout.back_starts, layout.origins
    won, _, changed, entries, news = sets
    words = (sites + BIT) >> SHIFT
    wider = (words + BIT) >> SHIFT
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
