"""Takes the README's pictures from the app itself: python docs/pictures/take.py [NAME ...]."""

from __future__ import annotations

import asyncio
import re
import sys
from functools import partial
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parents[1]))

from dungeon_tui.core.catalogue import Opening, find_game  # noqa: E402
from dungeon_tui.games.chase import GAME as CHASE  # noqa: E402
from dungeon_tui.games.crawler import GAME as CRAWLER  # noqa: E402
from dungeon_tui.games.crawler.model.dungeon import find_prefix, level_path  # noqa: E402
from dungeon_tui.games.delve.model.generator import generate  # noqa: E402
from dungeon_tui.games.expedition.model.dungeon import read_map  # noqa: E402
from dungeon_tui.games.rescue import GAME as RESCUE  # noqa: E402
from dungeon_tui.ui.app import DungeonApp  # noqa: E402
from dungeon_tui.ui.editor.opening import editor_opening  # noqa: E402

PICTURES = {
    "editor": (
        "crawler",
        editor_opening(CRAWLER, str(level_path(find_prefix("hard"), 1))),
        ["0"] * 15 + ["/"] * 3,
        (112, 34),
    ),
    "chase": (
        "chase",
        CHASE.levels().named("five-good-moves"),
        "nljllA{[",
        (120, 36),
    ),
    "rescue": ("rescue", RESCUE.levels().named("there-and-back"), "///", (112, 34)),
    "home": ("", None, "d", (100, 32)),
    "expedition": ("expedition", Opening("", partial(read_map, "three-stairs")), ["up", "A"], (144, 34)),
    "delve": ("delve", Opening("seed 1", partial(generate, 1), seed=1), "ftoo", (112, 30)),
    "light": ("delve", Opening("seed 11", partial(generate, 11), seed=11), "fo", (112, 30)),
}


async def take(name: str) -> None:
    """Opens a game, presses the keys, writes NAME.svg without its web fonts."""
    game, opening, keys, size = PICTURES[name]
    app = DungeonApp(find_game(game), opening)
    if name == "light":
        app.theme = "dungeon-light"
    async with app.run_test(size=size) as pilot:
        while game and not hasattr(app.screen, "map"):
            await pilot.pause(0.1)
        await pilot.pause(0 if game else 2)
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.2)  # the other side answers
        await pilot.pause(2)
        picture = re.sub(r"@font-face\s*\{[^}]*\}", "", app.export_screenshot(title="dungeon_tui"))
    picture = re.sub(r"[ \t]+$", "", picture, flags=re.MULTILINE)
    (FOLDER / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":  # the editor's process reads this file, too
    for picture_name in sys.argv[1:] or PICTURES:
        asyncio.run(take(picture_name))
