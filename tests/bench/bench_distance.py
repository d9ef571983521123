"""Distance maps beside their peers; `python tests/bench/bench_distance.py [--quick | --large] [--json]`."""

from __future__ import annotations

import argparse
import json
import sys

from dungeon_tui.bench import as_json, race, table
from dungeon_tui.bench.distance import contests


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="80 x 21 and 512 x 512 only")
    parser.add_argument("--large", action="store_true", help="4096 x 4096 too")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = []
    for contest in contests(options.quick, options.large):
        print(f"{contest.kernel}, {contest.case} ...", file=sys.stderr)
        results.append(race(contest, seconds=1.0 if options.quick else 8.0))
        if not options.json:
            print(table(results[-1:]), flush=True)
    if options.json:
        print(json.dumps(as_json(results)))


if __name__ == "__main__":
    main()
