"""The way of a key press through the code: calls of our own functions, their files, moves between the screen's files.

    python tests/bench/key_path.py [--list]

For a step, `o`, `A` and `/` in every game: from the key's arrival until the screen rests, painting included, traced by
sys.setprofile. Each key is pressed once before it is counted, so that nothing is loaded, compiled or made for the
first time. --list names the files of each path.
"""

import asyncio
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import dungeon_tui
from dungeon_tui.core.catalogue import find_games
from dungeon_tui.ui.app import DungeonApp

PACKAGE = str(Path(dungeon_tui.__file__).parent)
LEVELS = {  # arguments of `GAME play`
    "crawler": "easy",
    "chase": "open-room",
    "rescue": "classic",
    "delve": "--seed 1 --rules course",
    "expedition": "path",
}
STEPS = {
    "crawler": ("d", "a"),
    "chase": ("d", "a"),
    "rescue": ("d", "s"),
    "delve": ("h", "l"),
    "expedition": ("d", "a"),
}
KEYS = {"overlay": "o", "analysis": "A", "hint": "slash"}


class KeyPath:
    """The calls of one key press."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()  # by file
        self.moves = 0  # between different files of the screen
        self._last = ""

    def __call__(self, frame: Any, event: str, _: object) -> None:
        if event == "call" and (name := frame.f_code.co_filename).startswith(PACKAGE):
            name = name[len(PACKAGE) + 1 :]
            self.calls[name] += 1
            if name.startswith("ui/play"):
                self.moves += self._last not in ("", name)
                self._last = name


async def rest(pilot: Any) -> None:
    for _ in range(3):
        await pilot.pause()
        await asyncio.sleep(0.02)


async def traced(pilot: Any, key: str) -> KeyPath:
    path = KeyPath()
    threading.setprofile(None)
    sys.setprofile(path)
    try:
        await pilot.press(key)
        await rest(pilot)
    finally:
        sys.setprofile(None)
    return path


async def paths(name: str) -> dict[str, KeyPath]:
    game = next(game for game in find_games() if game.name == name)
    opening = game.levels().named(LEVELS[name])
    app = DungeonApp(game, opening)
    app.animation_level = "none"
    async with app.run_test(size=(120, 40)) as pilot:
        from dungeon_tui.ui.play.screen import PlayScreen

        while not (isinstance(app.screen, PlayScreen) and app.screen.query("MapView")):
            await pilot.pause()
        await asyncio.sleep(1)
        if name == "rescue":
            await pilot.press("H", *"1000", "enter")
            await rest(pilot)
        on, back = STEPS[name]
        await pilot.press(on)
        await rest(pilot)
        if name != "rescue":
            await pilot.press(back)
            await rest(pilot)
        found = {"step": await traced(pilot, on)}
        screen: Any = app.screen
        for label, key in KEYS.items():
            if not any(each.id == label for each in screen.keys):
                continue
            for _ in range(5 if label == "overlay" else 2):  # compiled, and off again
                await pilot.press(key)
                for _ in range(100):
                    await pilot.pause()
                    await asyncio.sleep(0.02)
                    if not screen.workers._workers:
                        break
            found[label] = await traced(pilot, key)
        return found


def main() -> None:
    for game in STEPS:
        for key, path in asyncio.run(paths(game)).items():
            print(f"{game:<11}{key:<9}{path.calls.total():5} calls {len(path.calls):3} files {path.moves:3} moves")
            if "--list" in sys.argv:
                print("   ", ", ".join(f"{file} {number}" for file, number in path.calls.most_common()))


if __name__ == "__main__":
    main()
