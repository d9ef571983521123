"""Seconds of a newcomer's first minutes: to the home screen, and in each game to its map, a move, numbers and a hint.

python -m tests.bench.first_minutes [--warm]

Each line is a start with an empty cache of kernels and a new library; --warm: with the present cache. Each key is
pressed as soon as the one before is answered. "silent": the longest wait in which nothing said why; a second at most.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from tempfile import TemporaryDirectory
from time import time

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.ui.app import DungeonApp, WaitingScreen
from dungeon_tui.ui.background import COMPILING
from dungeon_tui.ui.play.screen import PlayScreen
from tests.terminal import Terminal

GAMES = {  # arguments of `GAME play`, and keys of the first move
    "crawler": ("tutorial", "d"),
    "chase": ("braid", "a"),
    "rescue": ("classic", "H 7 enter d"),
    "delve": ("--seed 1 --rules hearts", "l"),
    "expedition": ("ring", "d"),
    "deep": ("story", "d"),
}
STEPS = "map", "move", "numbers", "hint", "silent"


async def play(name: str, began: float) -> dict[str, float]:
    """Seconds to each step in a game, which is opened as the command line does it."""
    game = find_game(name)
    assert game is not None
    arguments, move = GAMES[name]
    app, seconds, silent = DungeonApp(game, game.levels().named(arguments), warms_up=True), [], [0.0]

    async def wait(is_done: Callable[[PlayScreen], bool], since: float) -> None:
        spoke = None
        while not (isinstance(app.screen, PlayScreen) and app.screen.is_mounted and is_done(app.screen)):
            await asyncio.sleep(0.01)
            if isinstance(app.screen, WaitingScreen):
                is_told = app.screen.has_class("-shown")
            else:
                is_told = isinstance(app.screen, PlayScreen) and {COMPILING, "Thinking ..."} & {
                    *app.screen.messages.texts
                }
            if is_told and spoke is None:
                spoke = time()
        silent.append((spoke or time()) - since)
        seconds.append(time() - since)

    async with app.run_test(size=(110, 36)) as pilot:
        await wait(lambda screen: bool(screen.map.region), began)
        began = time()
        screen = app.screen
        assert isinstance(screen, PlayScreen)
        pressed = asyncio.create_task(pilot.press(*move.split()))
        await wait(lambda screen: screen.controller.turn.ply > 0, began)
        await pressed
        began = time()
        pressed = asyncio.create_task(pilot.press("o"))  # it waits for all that is computed
        await wait(lambda screen: screen.distances.computed > 0, began)
        began, said = time(), [*screen.messages.texts, COMPILING, "Thinking ..."]
        await pressed
        began = time()
        pressed = asyncio.create_task(pilot.press("slash"))
        await wait(lambda screen: screen.messages.texts[-1] not in said, began)
        await pressed
    return dict(zip(STEPS, [*seconds, max(silent)], strict=True))


def home(**environment: str) -> float:
    """Seconds to the home screen, in a terminal."""
    began = time()
    terminal = Terminal(**environment)
    terminal.wait_for("Crawler")
    seconds = time() - began
    terminal.end(0)
    return seconds


def main() -> None:
    print(f"{'':12}" + "".join(f"{step:>9}" for step in STEPS))
    for name in ("home", *GAMES):
        with TemporaryDirectory() as folder:
            changes = {"DUNGEON_TUI_HOME": folder} | ({} if "--warm" in sys.argv else {"NUMBA_CACHE_DIR": folder})
            if name == "home":
                told = {"map": home(**changes)}
            else:
                command = [sys.executable, "-m", "tests.bench.first_minutes", name, str(time())]
                done = subprocess.run(
                    command, env={**os.environ, **changes}, check=True, capture_output=True, text=True
                )
                told = json.loads(done.stdout)
        print(f"{name:12}" + "".join(f"{told[step]:9.2f}" if step in told else "" for step in STEPS), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in GAMES:
        print(json.dumps(asyncio.run(play(sys.argv[1], float(sys.argv[2])))))
    else:
        main()
