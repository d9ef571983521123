"""Backward induction, one layer after the other, on sets of the pursuer's sites as bits.

For every site of the evader two sets: LOST, the pursuer's sites from which it is caught in as many moves as there were
layers if the evader moves next, and WON, those where the pursuer does. A layer takes each site's LOST from the WON of
all sites that the evader can move to, since all its moves must lose; then it spreads what is new in LOST back along the
pursuer's moves into WON, since one move is enough. It looks only at words beside one that changed in the layer before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types, uint64
from numba.extending import intrinsic
from numpy.typing import NDArray

from dungeon_tui.engine._jit import kernel
from dungeon_tui.engine._pursuit_order import Layout
from dungeon_tui.engine._rows import Indices

Words = NDArray[np.uint64]

NONE, ONE = uint64(0), uint64(1)
WORD, SHIFT, BIT = uint64(64), uint64(6), uint64(63)  # a word's sites; a site's word is above, its bit below
EVADER, PLACE = uint64(7), uint64(127)  # an entry's evader is above, its word, one of 79 at most, below


class Sets(NamedTuple):
    """What is known so far; evaders in the order of the Layout."""

    won: Words  # (sites, words), flat
    lost: Words
    changed: Words  # (sites, words of words), flat: which words of WON the last layer changed
    entries: Indices  # where LOST is new
    news: Words  # and what


@kernel
def first_sets(layout: Layout, moves: Indices) -> Sets:
    """All that is known before the first move: the positions that are over, which are new in LOST."""
    sites = uint64(len(layout.sites))
    words = (sites + BIT) >> SHIFT
    wider = (words + BIT) >> SHIFT
    won, lost = np.zeros(sites * words, np.uint64), np.zeros(sites * words, np.uint64)
    changed = np.zeros(sites * wider, np.uint64)
    entries, news = np.empty(sites * (words + ONE), np.int32), np.empty(sites * (words + ONE), np.uint64)
    for evader in range(sites):
        moves[evader * (sites + ONE)] = 0
        word, bit = evader >> SHIFT, ONE << (evader & BIT)
        lost[evader * words + word] = bit
        won[evader * words + word] = bit
        changed[evader * wider + (word >> SHIFT)] = ONE << (word & BIT)
        entries[evader] = (evader << EVADER) | word
        news[evader] = bit
    return Sets(won, lost, changed, entries, news)


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


def _lowest(typing_context: Any, word: Any) -> Any:
    """The number of the lowest bit that is set in a 64-bit word other than 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def _how_many(typing_context: Any, word: Any) -> Any:
    """How many bits are set in a 64-bit word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


lowest: Any = intrinsic(_lowest)
how_many: Any = intrinsic(_how_many)


@kernel
def _all_lose(layout: Layout, sets: Sets, sites: np.uint64, waiting: np.uint64) -> np.uint64:
    """Adds to LOST, and to the entries behind those that wait; how many there are now."""
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
                word = (part << SHIFT) + lowest(near)
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
def _one_wins(
    layout: Layout, sets: Sets, sites: np.uint64, waiting: np.uint64, moves: Indices, layer: int
) -> np.uint64:
    """Spreads the entries into WON, says what changed there, and writes the moves; how many."""
    old, back_starts, origins = layout.sites, layout.back_starts, layout.origins
    block_starts, block_words, few = layout.block_starts, layout.block_words, layout.few
    turn_starts, turns = layout.turn_starts, layout.turns
    won, _, changed, entries, news = sets
    words = (sites + BIT) >> SHIFT
    wider = (words + BIT) >> SHIFT
    decided = NONE
    changed[:] = NONE
    for entry in range(waiting):
        evader, word, new = uint64(entries[entry]) >> EVADER, uint64(entries[entry]) & PLACE, news[entry]
        row = uint64(old[evader]) * sites
        if how_many(new) <= uint64(few[word]):
            while new:
                target = (word << SHIFT) + lowest(new)
                new &= new - ONE
                for index in range(uint64(back_starts[target]), uint64(back_starts[target + ONE])):
                    origin = uint64(origins[index])
                    other, bit = origin >> SHIFT, ONE << (origin & BIT)
                    if won[evader * words + other] & bit == NONE:
                        won[evader * words + other] |= bit
                        changed[evader * wider + (other >> SHIFT)] |= ONE << (other & BIT)
                        moves[row + uint64(old[origin])] = layer
                        decided += ONE
            continue
        for block in range(uint64(block_starts[word]), uint64(block_starts[word + ONE])):
            other = uint64(block_words[block])
            unknown = ~won[evader * words + other]
            if unknown == NONE:
                continue
            found = NONE
            for turn in range(uint64(turn_starts[block]), uint64(turn_starts[block + ONE])):
                rotation = turns[turn + turn]
                found |= ((new << rotation) | (new >> ((WORD - rotation) & BIT))) & turns[turn + turn + ONE]
            found &= unknown
            if found:
                won[evader * words + other] |= found
                changed[evader * wider + (other >> SHIFT)] |= ONE << (other & BIT)
                while found:
                    moves[row + uint64(old[(other << SHIFT) + lowest(found)])] = layer
                    found &= found - ONE
                    decided += ONE
    return decided
