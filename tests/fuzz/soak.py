"""An hour's worth of random keys over all screens, in this process: sizes down to 10 x 5, clicks, pastes of 100 kB.

python -m tests.fuzz.soak --keys 18000 --seed 1

Apps are opened one after the other on one library, on the menu or a game, and left by whatever leaves them, or after
600 keys; then as many keys go to one app that can't be left. Prints the memory as it goes, and at the end of both how
many exceptions there were and if the memory levels off: the largest of the last quarter, beside the largest of the
second one.

Textual's caches hold what the widgets of earlier apps have drawn (StylesCache.get_inner_outer is an lru_cache of 1,024
entries that hold their widgets' lines): between two apps they are emptied, as nobody runs several in one process, and
all screens must be gone by then. Within one app they stay.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
import tempfile
import traceback
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from importlib import import_module
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

from textual import events
from textual.errors import NoWidget
from textual.pilot import OutOfBounds, Pilot
from textual.screen import Screen

from dungeon_tui.core.catalogue import Game, Opening, find_game
from dungeon_tui.storage.places import HOME
from dungeon_tui.ui.app import DungeonApp, WaitingScreen
from tests.ui.driving import rest

SIZES = [(80, 24), (110, 30), (200, 60), (10, 5), (30, 10), (40, 100), (100, 24), (11, 6)]
KEYS = [
    *"abcdefghijklmnoprstuvwxyz", *"ACFJLMOPRSTX", *"0123456789", "full_stop", "slash", "question_mark", "plus",
    "minus", "left_square_bracket", "right_square_bracket", "left_curly_bracket", "right_curly_bracket", "comma",
    "semicolon", "space", "up", "down", "left", "right", "enter", "enter", "enter", "tab", "shift+tab", "backspace",
    "delete", "home", "end", "pageup", "pagedown", "escape", "q", "ctrl+z", "ctrl+y", "ctrl+s", "ctrl+p", "f1", "f5",
    "ctrl+a", "ctrl+k",
]  # fmt: skip
MOVES = [*"wasdhjklyubn", "full_stop", "up", "down", "left", "right"]
TEXTS = ["a" * 100_000, "pasted \x1b[A\n" * 8_000, "漢字\u0301\u202e" * 10_000, "- + $ M\n" * 12_000, "x" * 20, "3"]
OPENINGS = [None, None, None, *(("crawler", place) for place in range(5)), *(("chase", place) for place in range(8)),
            *(("delve", place) for place in range(3)), *(("rescue", place) for place in range(3)),
            *(("expedition", place) for place in range(8))]  # fmt: skip
LIFE = 600  # keys, after which an app is left
PATIENCE = 120  # seconds that a thread may compute after its app was left
STEP = 500  # keys between two lines of the report
KEEPERS = "coverage.misc", "pycparser.c_ast"  # loaded late by numba: they keep the streams of that moment, an app's


@dataclass
class Tally:
    """The counts so far."""

    keys: int = 0
    apps: int = 0
    screens: Counter[str] = field(default_factory=Counter)
    memory: list[float] = field(default_factory=list)  # MB, after each STEP keys
    faults: list[str] = field(default_factory=list)
    is_one: bool = False  # one app, which can't be left


def resident() -> float:
    """The memory that this process holds, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def opened(chance: Random) -> tuple[Game | None, Opening | None]:
    """A game's opening, or none for the menu."""
    chosen = chance.choice(OPENINGS)
    game = find_game(chosen[0]) if chosen is not None else None
    if chosen is None or game is None:
        return None, None
    openings = game.levels().openings()
    return game, openings[chosen[1] % len(openings)]


async def act(app: DungeonApp, pilot: Pilot[Any], chance: Random) -> None:
    """Does one thing: most often presses keys."""
    for _ in range(100):
        if not isinstance(app.screen, WaitingScreen) or chance.random() < 0.01:
            break
        await asyncio.sleep(0.03)
    kind = chance.random()
    if kind < 0.03:
        await pilot.resize_terminal(*chance.choice(SIZES))
    elif kind < 0.04:
        app.post_message(events.Paste(chance.choice(TEXTS)))
    elif kind < 0.08:
        width, height = app.size
        with suppress(OutOfBounds, NoWidget):  # the pilot's: the screen has another size by now
            await pilot.click(offset=(chance.randrange(max(1, width)), chance.randrange(max(1, height))))
    elif kind < 0.09:
        for size in chance.choices(SIZES, k=8):  # a storm
            await pilot.resize_terminal(*size)
    else:
        await pilot.press(*chance.choices(MOVES if chance.random() < 0.5 else KEYS, k=chance.choice([1, 1, 4])))


def forget_drawn() -> None:
    """Empties the caches of Textual and Rich."""
    gc.collect()
    for each in gc.get_objects():
        if isinstance(each, _lru_cache_wrapper) and each.__module__.startswith(("textual", "rich")):
            each.cache_clear()
    gc.collect()


def left_over() -> Counter[str]:
    """The apps and screens that are alive though none should be, by class."""
    gc.collect()
    return Counter(type(each).__name__ for each in gc.get_objects() if isinstance(each, (DungeonApp, Screen)))


async def stay() -> None:
    """Does nothing, in place of leaving an app."""


async def live(tally: Tally, chance: Random, most: int, deadline: float) -> None:
    """Runs one app for at most so many keys."""
    if tally.is_one:
        app = DungeonApp()
        setattr(app, "action_quit", stay)  # noqa: B010
    else:
        app = DungeonApp(*opened(chance), ascii_only=chance.random() < 0.1)
    app.animation_level = chance.choice(["none", "full"])
    async with app.run_test(size=chance.choice(SIZES)) as pilot:
        for number in range(most):
            if not app.is_running or app._exit or app._exception is not None or monotonic() > deadline:
                break
            await act(app, pilot, chance)
            tally.keys += 1
            if number % 10 == 0 and app.screen_stack:
                tally.screens[type(app.screen).__name__] += 1
            if tally.keys % STEP == 0:
                gc.collect()
                tally.memory.append(resident())
                print(f"{tally.keys:7,} keys, {tally.apps:4} apps: {tally.memory[-1]:7.1f} MB", flush=True)
        await rest()
    app.library.close()


def run(keys: int, seed: int, minutes: float = 600.0, *, is_one: bool = False) -> Tally:
    """Presses so many keys, unless so many minutes are over before."""
    tally = Tally(is_one=is_one)
    before, folder = os.environ.get(HOME), Path.cwd()
    deadline = monotonic() + 60 * minutes
    with tempfile.TemporaryDirectory() as home:
        os.environ[HOME] = home
        os.chdir(home)
        try:
            while tally.keys < keys and monotonic() < deadline:
                tally.apps += 1
                chance = Random(f"{seed} {tally.apps}")
                try:
                    asyncio.run(
                        live(tally, chance, keys - tally.keys if is_one else min(LIFE, keys - tally.keys), deadline)
                    )
                except Exception:
                    tally.faults.append(f"app {tally.apps}, after {tally.keys} keys:\n{traceback.format_exc()[-3000:]}")
                    print(tally.faults[-1], flush=True)
                forget_drawn()
        finally:
            os.chdir(folder)
            if before is None:
                os.environ.pop(HOME, None)
            else:
                os.environ[HOME] = before
    return tally


def main() -> None:
    """Prints the curve of the memory, and the exceptions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=18_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600.0)
    options = parser.parse_args()
    for name in KEEPERS:
        with suppress(ImportError):
            import_module(name)
    has_faults = False
    for is_one in (False, True):
        tally = run(options.keys, options.seed, options.minutes, is_one=is_one)
        report(tally)
        deadline = monotonic() + PATIENCE
        while (left := left_over()) and monotonic() < deadline:  # a thread may compute for one that was left
            sleep(1)
        print(f"alive after them: {dict(left) or 'no app, no screen'}", flush=True)
        has_faults = has_faults or bool(tally.faults or left)
    sys.exit(has_faults)


def report(tally: Tally) -> None:
    """Prints the figures of a run."""
    quarter = max(1, len(tally.memory) // 4)
    second, last = max(tally.memory[quarter : 2 * quarter], default=0), max(tally.memory[-quarter:], default=0)
    print(f"screens: {', '.join(f'{name} {count}' for name, count in tally.screens.most_common())}")
    print(f"{tally.keys:,} keys in {tally.apps} apps: {len(tally.faults)} exceptions")
    print(f"memory: at most {second:.0f} MB in the second quarter, {last:.0f} MB in the last one")


if __name__ == "__main__":
    main()
