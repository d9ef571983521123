"""The solver is compiled before anybody waits for an answer, all of it."""

import json
import subprocess
import sys

import pytest

from tests.processes import PATIENCE, ROOT, environment

# In a process of its own: here other tests have compiled what they needed.
COUNT = """
import json, sys
from numba.core.dispatcher import Dispatcher
from dungeon_tui.games.crawler.model import rules
from dungeon_tui.games.crawler.ai import solver
from dungeon_tui.games.crawler.ai.solver import Planner
from dungeon_tui.games.crawler.model.dungeon import load_dungeon
from dungeon_tui.games.crawler.ai.par_search import ParetoFront

def compiled():
    modules = [module for name, module in sys.modules.items() if name.startswith("dungeon_tui.games.crawler")]
    kernels = {kernel for module in modules for kernel in vars(module).values() if isinstance(kernel, Dispatcher)}
    return {kernel.py_func.__qualname__: len(kernel.signatures) for kernel in kernels}

solver.prepare()
before, states = compiled(), 0
for name in ("tutorial", "gauntlet", "hard", "mirrors"):
    state = rules.start(load_dungeon(name))
    planner = Planner(state.dungeon)
    for treasure in (1, 4):
        planner.escape(state, treasure)
    for action in rules.legal_actions(state):
        planner.is_lost(rules.step(state, action)[0])
    frontier = ParetoFront(state, most_states=60_000)
    frontier.search()
    states += frontier.states
print(json.dumps([before, compiled(), states]))
"""


@pytest.mark.slow
def test_nothing_is_compiled_any_more() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COUNT], capture_output=True, cwd=ROOT, env=environment(), timeout=4 * PATIENCE
    )
    assert done.stderr == b""
    before, after, states = json.loads(done.stdout)
    assert states > 100_000  # so tables were enlarged
    assert len(before) > 20
    assert after == before
