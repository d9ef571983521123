"""A graph numbered anew, so that neighbours share machine words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

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
    block_starts: Indices  # by word: its blocks, one for each word from which a move leads into it
    block_words: Indices
    few: Indices  # by word: of so many sites in it the moves one by one are quicker than its turns
    turn_starts: Indices  # by block: its turns
    turns: NDArray[np.uint64]  # in pairs: rotate the word so far to the left; these bits of it are right


@kernel
def laid_out(starts: Indices, targets: Indices) -> Layout:
    """Sites near one another in the same word, and how a set of sites spreads to those that can move into it.

    A board's word becomes a square of 8 x 8, a corridor's a stretch, so that few words change at a time.
    """
    sites, numbers = _clustered(starts, targets)
    new_starts = np.zeros(len(starts), np.int32)
    new_targets = np.empty(len(targets), np.int32)
    move = 0
    for new in range(len(sites)):
        old = sites[new]
        for index in range(starts[old], starts[old + 1]):
            new_targets[move] = numbers[targets[index]]
            move += 1
        new_starts[new + 1] = move
    back_starts, origins = _reversed(new_starts, new_targets)
    blocks = _spreading(back_starts, origins)
    return Layout(sites, new_starts, new_targets, back_starts, origins, *blocks)


@kernel
def _clustered(starts: Indices, targets: Indices) -> tuple[Indices, Indices]:
    """The sites in their new order, and the new number of each.

    Cluster by cluster: each the sites first reached from one that has none yet, in their old order.
    """
    count = len(starts) - 1
    cluster = np.full(count, -1, np.int32)
    queue = np.empty(WORD, np.int32)
    first = 0
    for done in range(0, count, WORD):
        head, tail, size = 0, 0, min(WORD, count - done)
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
    sites, numbers = np.empty(count, np.int32), np.empty(count, np.int32)
    filled = np.zeros((count + WORD - 1) // WORD, np.int32)
    for site in range(count):
        number = WORD * cluster[site] + filled[cluster[site]]
        filled[cluster[site]] += 1
        sites[number] = site
        numbers[site] = number
    return sites, numbers


@kernel
def _reversed(starts: Indices, targets: Indices) -> tuple[Indices, Indices]:
    """The moves that lead to each site."""
    back_starts = np.zeros(len(starts), np.int32)
    for target in targets:
        back_starts[target + 1] += 1
    for site in range(1, len(starts)):
        back_starts[site] += back_starts[site - 1]
    free = back_starts.copy()
    origins = np.empty(len(targets), np.int32)
    for site in range(len(starts) - 1):
        for index in range(starts[site], starts[site + 1]):
            origins[free[targets[index]]] = site
            free[targets[index]] += 1
    return back_starts, origins


@kernel
def _spreading(back_starts: Indices, origins: Indices) -> tuple[Indices, Indices, Indices, Indices, NDArray[np.uint64]]:
    """The blocks and turns of every word: moves that lead equally far within their words share a turn."""
    count = len(back_starts) - 1
    words = (count + WORD - 1) // WORD
    block_starts = np.zeros(words + 1, np.int32)
    block_words = np.empty(min(len(origins), words * words), np.int32)
    few = np.empty(words, np.int32)
    turn_starts = np.zeros(len(block_words) + 1, np.int32)
    turns = np.empty(2 * min(len(origins), WORD * words * words), np.uint64)
    right = np.zeros(WORD * words, np.uint64)  # the bits by word and rotation
    block, turn = 0, 0
    for word in range(words):
        first, last = WORD * word, min(WORD * (word + 1), count)
        for target in range(first, last):
            for index in range(back_starts[target], back_starts[target + 1]):
                origin = origins[index]
                place = origin // WORD * WORD + (origin - target) % WORD
                right[place] |= uint64(1) << uint64(origin % WORD)
        for other in range(words):
            before = turn
            for rotation in range(WORD):
                place = WORD * other + rotation
                if right[place]:
                    turns[2 * turn] = rotation
                    turns[2 * turn + 1] = right[place]
                    right[place] = 0
                    turn += 1
            if turn > before:
                block_words[block] = other
                block += 1
                turn_starts[block] = turn
        block_starts[word + 1] = block
        moves = max(1, back_starts[last] - back_starts[first])
        few[word] = max(1, (last - first) * (turn - turn_starts[block_starts[word]]) // (2 * moves))
    return block_starts, block_words, few, turn_starts, turns
