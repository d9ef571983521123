"""A graph numbered anew, so that neighbours share machine words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine._rows import Indices

WORD = 64  # sites in one


class Layout(NamedTuple):
    """A graph as the kernels want it; all but sites are numbers in the new order."""

    sites: Indices  # by their new number, the sites as they were
    starts: Indices  # the moves from each
    targets: Indices
    back_starts: Indices  # the moves to each
    origins: Indices


def laid_out(starts: Indices, targets: Indices) -> Layout:
    """The graph with sites near one another in the same word.

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
    """Sets the cluster of each site: WORD of them, first reached from one that has none yet."""
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
    """Sets the moves from and to each site; `free` is a copy of where those to each begin."""
    for new in range(len(layout.sites)):
        old = layout.sites[new]
        move = layout.starts[new]
        for index in range(starts[old], starts[old + 1]):
            target = numbers[targets[index]]
            layout.targets[move] = target
            move += 1
            layout.origins[free[target]] = new
            free[target] += 1
