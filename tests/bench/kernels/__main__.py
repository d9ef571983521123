"""Races every kernel against its peers, those that are installed, in one interleaved run.

Run: python -m tests.bench.kernels [--quick] [TOPIC ...]

A new kernel's contests are one module here and one line in CONTESTS.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator

from tests.bench.kernels import distance, grid_dp, pursuit, roguelike, walks
from tests.bench.kernels.race import Contest, Result, race, table

CONTESTS: dict[str, Callable[[bool], Iterator[Contest]]] = {
    "distance": distance.contests,
    "roguelike": roguelike.contests,
    "pursuit": pursuit.contests,
    "least health": grid_dp.contests,
    "walks": walks.contests,
}
"""By topic: quick -> the contests."""


def measure(quick: bool, topics: list[str]) -> Iterator[Result]:
    """Times the kernels beside their peers, and prints on standard error which one is next."""
    for topic in topics:
        for contest in CONTESTS[topic](quick):
            print(f"{contest.kernel}, {contest.case}: {', '.join(contest.contestants)} ...", file=sys.stderr)
            yield race(contest, seconds=1.0 if quick else 8.0)


def main() -> None:
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the smaller inputs only, in some ten seconds")
    parser.add_argument("topics", nargs="*", choices=[*CONTESTS, []], metavar="TOPIC", help=f"of {', '.join(CONTESTS)}")
    given = parser.parse_args()
    print(table([*measure(given.quick, given.topics or [*CONTESTS])]))


if __name__ == "__main__":
    main()
