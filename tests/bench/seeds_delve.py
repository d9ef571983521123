"""Generates dungeons, of 10,000 seeds or as many as asked, checks every promise, and says how long they take.

python -m tests.bench.seeds_delve [COUNT] [FIRST]
"""

import sys
import time
from collections import Counter

import numpy as np

from dungeon_tui.games.delve.model.generator import generate
from tests.games.delve.test_generator import check


def main(count: int = 10_000, first: int = 0) -> None:
    generate(first)  # compiles
    times = []
    rooms: Counter[int] = Counter()
    for seed in range(first, first + count):
        began = time.perf_counter()
        level = generate(seed)
        times.append(1000 * (time.perf_counter() - began))
        check(level)
        rooms[len(level.rooms)] += 1
    print(f"{count:,} dungeons keep every promise; rooms: {dict(sorted(rooms.items()))}")
    print(f"{np.median(times):.2f} ms each (median), {max(times):.1f} ms at most")
    for height, width in ((105, 160), (500, 500)):
        began = time.perf_counter()
        level = generate(first, height, width)
        seconds = time.perf_counter() - began
        check(level, height, width)
        print(f"{height} x {width}: {len(level.rooms)} rooms in {1000 * seconds:.0f} ms")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
