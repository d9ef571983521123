"""Takes the README's pictures from the app itself: python docs/pictures/take.py [NAME ...]."""

from __future__ import annotations

import asyncio
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from textual.pilot import Pilot

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parents[1]))


from dungeon_tui.core.catalogue import find_game  # noqa: E402
from dungeon_tui.games.crawler import GAME as CRAWLER  # noqa: E402
from dungeon_tui.games.crawler.model.dungeon import find_prefix, level_path  # noqa: E402
from dungeon_tui.ui.app import DungeonApp  # noqa: E402
from dungeon_tui.ui.editor.opening import editor_opening  # noqa: E402

SIZE = 72, 24  # so that a phone, 390 pixels wide, shows letters that can be read
PICTURES = {  # game, level, keys, size
    "home": ("", None, "", (80, 30)),
    "crawler": ("crawler", "easy", "////", SIZE),
    "chase": ("chase", "just-in-time", "uhllAA{", (76, 24)),
    "rescue": ("rescue", "there-and-back", "////", SIZE),
    "delve": ("delve", "--seed 1", "ftoo", (80, 30)),
    "expedition": ("expedition", "ring-with-a-toll", "AA", SIZE),
    "deep": ("deep", "--seed 3", "///", SIZE),
    "editor": (
        "crawler",
        editor_opening(CRAWLER, str(level_path(find_prefix("hard"), 1))),
        ["0"] * 15 + ["/"] * 3,
        (80, 30),
    ),
}


GREEDY = """\
import sys

grid = []
for line in sys.stdin:
    grid.append([int(n) for n in line.split()])
row = col = 0
health = lowest = grid[0][0]
while True:
    ways = {}
    if row + 1 < len(grid):
        ways[row + 1, col] = grid[row + 1][col]
    if col + 1 < len(grid[0]):
        ways[row, col + 1] = grid[row][col + 1]
    if not ways:
        break
    # Take the better cell.
    row, col = max(ways, key=ways.get)
    health += grid[row][col]
    lowest = min(lowest, health)
print(max(1, 1 - lowest))
"""
TYPED = ("near treasure", "hint", "wwdd", "who")


async def settle(pilot: Pilot[None]) -> None:
    """Waits until the screen stays the same, and nothing on it is still being computed."""
    before = ""
    while before != (now := pilot.app.export_screenshot(title="")) or re.search("Compiling|[Tt]hinking", now):
        before = now
        await pilot.pause(1)


async def take(name: str) -> None:
    """Opens a game, presses the keys, writes NAME.svg."""
    name_of_game, level, keys, size = PICTURES[name]
    game = find_game(name_of_game)
    app = DungeonApp(game, game.levels().named(level) if game and isinstance(level, str) else level)
    async with app.run_test(size=size) as pilot:
        while game and not hasattr(app.screen, "map"):
            await pilot.pause(0.1)
        await pilot.pause(0 if game else 10)  # the cards of the menu are painted one after the other
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)  # the other side answers
        picture = app.export_screenshot(title="dungeon_tui")
    write(name, picture)


def write(name: str, picture: str) -> None:
    """Writes NAME.svg without its web fonts."""
    picture = re.sub(r"@font-face\s*\{[^}]*\}", "", picture)
    picture = re.sub(r"[ \t]+$", "", picture, flags=re.MULTILINE)
    (FOLDER / f"{name}.svg").write_text(picture, encoding="utf-8")


def take_break() -> None:
    """Writes break.svg: a program, and beside it the smallest grid that beats it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "greedy.py").write_text(GREEDY, encoding="utf-8")
        said = dungeon_tui("rescue", "break", "greedy.py", folder=folder)
    table = Table("greedy.py", "$ dungeon-tui rescue break greedy.py", box=SIMPLE)
    table.add_row(Syntax(GREEDY.strip(), "python", theme="ansi_dark", background_color="default"), Text(said))
    print_picture("break", table, 98)


def take_plain() -> None:
    """Writes plain.svg: a game in words, and what a player types."""
    said = Text().append("$ dungeon-tui crawler play easy --quiet\n", "bold")
    answers = [
        dungeon_tui("crawler", "play", "easy", "--quiet", typed="".join(f"{line}\n" for line in TYPED[:count]))
        for count in range(len(TYPED) + 1)
    ]
    answers = [answer.rpartition("Thank you for playing!")[0] for answer in answers]
    for typed, before, after in zip(("", *TYPED), ("", *answers), answers, strict=False):
        said.append(f"{typed}\n" if typed else "", "bold green").append(
            after.removeprefix(before).replace("\n\n", "\n")
        )
    print_picture("plain", said, 64)


def dungeon_tui(*arguments: str, folder: str | None = None, typed: str = "") -> str:
    """What a command prints."""
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parents[1])}
    command = [sys.executable, "-m", "dungeon_tui", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, input=typed, capture_output=True, text=True, check=True)
    return done.stdout


def print_picture(name: str, shown: Any, width: int) -> None:
    """Writes NAME.svg: what a terminal shows."""
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(shown)
    write(name, console.export_svg(title="dungeon_tui"))


if __name__ == "__main__":  # the editor's process reads this file, too
    with tempfile.TemporaryDirectory() as home:
        os.environ["DUNGEON_TUI_HOME"] = home
        for picture_name in sys.argv[1:] or (*PICTURES, "break", "plain"):
            if picture_name in PICTURES:
                asyncio.run(take(picture_name))
            else:
                take_break() if picture_name == "break" else take_plain()
