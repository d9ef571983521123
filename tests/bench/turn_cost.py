"""The time that the journal adds to a turn, in each game and on the largest maps, and the cost of opening a game again.

python -m tests.bench.turn_cost [--turns 2000] [--folder DIR]

Every turn is committed to a library on the disk of DIR, where it stays however the machine ends; at most 2 ms are
allowed. "open" is paid once, in a thread: the level is written. "resumed": a game of so many turns is played again.
"""

import argparse
import sys
import tempfile
import tracemalloc
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from dungeon_tui.core.catalogue import Game, find_game
from dungeon_tui.core.session import Session
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import NAME, Library
from tests.bench.bench_crawler import write_level

ALLOWED = 2.0  # milliseconds a turn


LEVELS = {  # the game, and the arguments of `play`; none: a level that is written for this
    "crawler, the first lesson": ("crawler", "tutorial"),
    "crawler, 2048 x 2048": ("crawler", ""),
    "chase, braid": ("chase", "braid"),
    "chase, 100 x 100": ("chase", "--size 100 --seed 1"),
    "rescue, classic": ("rescue", "classic"),
    "delve, a new dungeon": ("delve", "--seed 1"),
    "expedition, undercity": ("expedition", "undercity"),
}


def load(title: str, folder: Path) -> tuple[Game, Any]:
    """The game and the level of a title."""
    name, arguments = LEVELS[title]
    game = find_game(name)
    assert game is not None
    if arguments:
        return game, game.levels().named(arguments).load()
    write_level(folder / "huge1.txt", 2048)
    return game, game.levels().open_file(str(folder / "huge1.txt")).load()


def random_turns(session: Session, turns: int, chance: Random) -> None:
    """Plays legal actions, and takes some back; begins anew where the game is over."""
    controller = session.controller
    rules = controller.rules
    for _ in range(turns):
        actions = [] if session.outcome is not None else list(rules.legal_actions(session.state))
        if actions and chance.random() < 0.9:
            session.play(chance.choice(actions))
        elif not session.undo():
            session.play(actions[0])


def measure(title: str, turns: int, folder: Path) -> float:
    """Prints a line of figures in milliseconds; returns the 95th percentile."""
    game, level = load(title, folder)
    library = Library(folder / NAME)
    session = Session(TurnController(game.rules(), level))
    start = perf_counter()
    journal = Journal(library, game, session, lambda _state, _outcome: False, title=title)
    opened = perf_counter() - start
    times = list[float]()
    keep = journal.keep

    def timed() -> None:
        begun = perf_counter()
        keep()
        times.append(perf_counter() - begun)

    journal.keep = timed
    random_turns(session, turns, Random(title))
    journal.keep = keep
    assert not journal.trouble, journal.trouble
    journal.close()
    library.close()
    cost = 1000 * np.array(times)
    p50, p95 = np.percentile(cost, [50, 95])
    figures = [cost[0], p50, p95, cost.max(), 1000 * opened]
    print(f"{title:26} {len(times):6}", *(f"{each:7.2f}" for each in figures), flush=True)
    return float(p95)


def measure_resume(title: str, turns: int, folder: Path) -> None:
    """Prints the time and the memory that going on with a long game takes."""
    game, level = load(title, folder)
    library = Library(folder / NAME)
    session = Session(TurnController(game.rules(), level))
    journal = Journal(library, game, session, lambda _state, _outcome: False, title=title)
    chance = Random(title)
    with library.writing():  # in one transaction: only the end is of interest
        while len(library.turns(journal.stored.id)) < turns:
            random_turns(session, 100, chance)
    journal.close()
    del session
    stored = library.games("id = ?", journal.stored.id)[0]
    del journal
    start = perf_counter()
    resumed = library.resume(stored)
    took = perf_counter() - start
    del resumed
    tracemalloc.start()
    resumed = library.resume(stored)
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert resumed.trouble == ""
    library.close()
    print(f"{title:26} {stored.turns:6} turns resumed in {took:6.2f} s, {size / 2**20:7.1f} MB", flush=True)


def main() -> None:
    """Measures all levels; the exit status is 1 if a level's 95th percentile is above what is allowed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=2000)
    parser.add_argument("--resumed", type=int, default=5000)
    parser.add_argument("--folder", type=Path, default=None)
    options = parser.parse_args()
    heads = ("first", "p50", "p95", "max", "open")
    print(f"{'ms':26} {'turns':>6}", *(f"{head:>7}" for head in heads))
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        slow = [title for title in LEVELS if measure(title, options.turns, Path(folder)) > ALLOWED]
        for title in LEVELS:
            measure_resume(title, options.resumed, Path(folder))
    sys.exit(bool(slow))


if __name__ == "__main__":
    main()
