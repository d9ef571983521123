"""The table that finds a search's records again."""

import numpy as np

from dungeon_tui.games.crawler.ai.search import astar


def empty(words: np.ndarray, slots: int) -> astar.SearchNodes:
    none = np.zeros(1, np.int32)
    return astar.SearchNodes(words, np.zeros(slots, np.int64), none, none, np.zeros(11, np.int64))


def test_keys_with_the_same_hash_are_distinguished() -> None:
    words = np.random.default_rng(1).integers(1 << 62, size=400_000)  # so many that two share half of a hash
    table = empty(words, 1 << 20)
    marks: dict[int, int] = {}
    for key in range(1, len(words)):
        slot, mark = astar.find_slot(table, key, 1)
        if mark in marks:
            break
        marks[mark] = slot
        table.slots[slot] = mark << 32 | key
    else:
        raise AssertionError("no two share it")
    assert table.slots[slot] == 0
    assert slot != marks[mark]


def test_an_enlarged_table_finds_what_the_small_one_found() -> None:
    table = empty(np.arange(1, 12, dtype=np.int64) * 7, 16)
    for key in range(1, 10):
        slot, mark = astar.find_slot(table, key, 1)
        assert table.slots[slot] == 0
        table.slots[slot] = mark << 32 | key
    larger = table._replace(slots=astar.enlarged(table.slots, 64))
    for key in range(1, 10):
        slot, mark = astar.find_slot(larger, key, 1)
        assert larger.slots[slot] == mark << 32 | key
    slot, _ = astar.find_slot(larger, 10, 1)
    assert larger.slots[slot] == 0
