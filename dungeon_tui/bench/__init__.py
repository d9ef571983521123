"""Every kernel beside its peers: who else can do it, and how long they take.

A new kernel's contests are one module here and one line in CONTESTS. Peers are optional: those installed take part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dungeon_tui.bench import distance, grid_dp, pursuit, walks
from dungeon_tui.bench.race import Contest, Result, as_json, race, table

CONTESTS: dict[str, Callable[[bool, bool], Iterator[Contest]]] = {
    "distance": distance.contests,
    "pursuit": pursuit.contests,
    "least health": grid_dp.contests,
    "walks": walks.contests,
}
"""By topic: (quick, large) -> the contests."""


def measure(*, quick: bool = False, large: bool = False, progress: Callable[[str], None] | None = None) -> list[Result]:
    """Times every kernel beside its peers: one result a contest, in the order of CONTESTS.

    Args:
        quick: the smaller inputs only, in some ten seconds.
        large: the largest inputs too, in some five minutes instead of two.
        progress: told before each contest, in words, what is measured next.
    """
    results = []
    for contests in CONTESTS.values():
        for contest in contests(quick, large):
            if progress is not None:
                progress(f"{contest.kernel}, {contest.case}: {', '.join(contest.contestants)}")
            results.append(race(contest, seconds=1.0 if quick else 8.0))
    return results


__all__ = ["CONTESTS", "Contest", "Result", "as_json", "measure", "race", "table"]
