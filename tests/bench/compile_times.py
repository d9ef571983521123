"""CPU seconds that compiling takes from cold, by family of kernels; `python tests/bench/compile_times.py`.

Three tables: all kernels by the folder they lie in, what a game's first overlay runs, and a first exact answer on the
command line, start and imports included. Each overlay and answer starts with an empty cache of its own.
"""

import json
import os
import resource
import subprocess
import sys
from collections import defaultdict
from tempfile import TemporaryDirectory
from typing import Any

MAPS = """
import numpy as np
from dungeon_tui import engine
floor, goal = np.ones((9, 9), bool), [(4, 4)]
rock = floor.view(np.uint8)
"""
OVERLAYS = {
    "crawler": "engine.farthest(engine.distance_map(floor, goal))",
    "delve": "engine.distance_map(floor, goal); engine.farthest(engine.tunnelling_distance_map(rock, goal))",
    "chase": "engine.solve_pursuit([0, 2, 4], [0, 1, 0, 1])",
    "rescue": "engine.need_table(rock)",
    "expedition": "engine.cheapest_costs(engine.WalkProblem([0, 1, 2], [1, 0]))",
}
ANSWERS = {
    "crawler": "solve tutorial 4",
    "chase": "solve braid",
    "rescue": "solve --rows 10 --cols 10",
    "expedition": "solve ring",
}


def families() -> dict[str, float]:
    """Seconds in each family's kernels, what they call counted where it is compiled first, and how many compile."""
    script = "from tests.bench.compile_times import compile_all; compile_all()"
    told: dict[str, float] = json.loads(run_cold([sys.executable, "-c", script])[1])
    return told


def compile_all() -> None:
    """Runs every kernel of the program in this process; prints the seconds by family as JSON."""
    from time import process_time

    from numba.core import event

    from dungeon_tui.core.catalogue import find_games
    from dungeon_tui.engine.warmup import warm_up

    seconds: dict[str, float] = defaultdict(float)
    started: list[float] = []

    class Listener(event.Listener):
        def on_start(self, told: Any) -> None:
            started.append(process_time())

        def on_end(self, told: Any) -> None:
            took = process_time() - started.pop()
            if not started:
                module = told.data["dispatcher"].py_func.__module__.removeprefix("dungeon_tui.")
                seconds[".".join(module.split(".")[:2])] += took

    event.register("numba:compile", Listener())
    warm_up(more={game.title: game.compile_kernels for game in find_games()})
    print(json.dumps(seconds))


def run_cold(command: list[str]) -> tuple[float, str]:
    """CPU seconds of a command with an empty cache, and what it printed."""
    with TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        printed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, printed


def main() -> None:
    compiled = families()
    measured = {
        "families": {**compiled, "all": sum(compiled.values())},
        "first overlay": {game: run_cold([sys.executable, "-c", MAPS + run])[0] for game, run in OVERLAYS.items()},
        "first answer": {
            game: run_cold([sys.executable, "-m", "dungeon_tui", game, *words.split(), "--json"])[0]
            for game, words in ANSWERS.items()
        },
    }
    for name, rows in measured.items():
        print(name)
        for key, value in rows.items():
            print(f"  {key:24}{value:8.2f} s")


if __name__ == "__main__":
    main()
