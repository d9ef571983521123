"""Reads spoilt dungeon files, 100,000 or as many as asked: nothing but LevelError, and no more memory than bytes.

python -m tests.bench.fuzz_delve [COUNT] [SEED]
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections import Counter
from contextlib import suppress

from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.delve.model.dungeon import read_level
from tests.games.delve.crooked import spoiled_files

BATCH = 5000
BYTES_PER_BYTE = 200  # of memory for a byte of file, above what every map takes
BYTES_PER_MAP = 4_000_000


def main(count: int = 100_000, seed: int = 1) -> None:
    began = time.perf_counter()
    ends: Counter[str] = Counter()
    for first in range(0, count, BATCH):
        for data in spoiled_files(min(BATCH, count - first), seed + first):
            try:
                level = read_level(LevelFile("spoilt", data))
            except LevelError as error:
                ends[" ".join(error.message.split()[:2])] += 1
            else:
                ends["read with a warning" if level.warnings else "read"] += 1
    seconds = time.perf_counter() - began
    print(f"{count:,} files in {seconds:.1f} s, {1e6 * seconds / count:.0f} us each, making them included")
    for end, times in ends.most_common():
        print(f"{times:8,}  {end}")
    greatest = 0.0
    tracemalloc.start()
    for data in spoiled_files(500, seed):
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[1]
        with suppress(LevelError):
            read_level(LevelFile("spoilt", data))
        taken = tracemalloc.get_traced_memory()[1] - before
        assert taken <= BYTES_PER_MAP + BYTES_PER_BYTE * len(data), (taken, len(data))
        greatest = max(greatest, taken / max(len(data), 1000))
    print(f"at most {greatest:.0f} bytes of memory for a byte of file")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
