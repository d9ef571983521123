"""Takes all screens in all sizes and looks: python docs/pictures/sheet.py FOLDER [WORD ...].

With words only the pictures whose name has each of them: `crawler 80x24`, `home`, `ascii`.
FOLDER/index.html shows them.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from html import escape
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.games.crawler.model.dungeon import load_dungeon
from dungeon_tui.ui.app import DungeonApp
from dungeon_tui.ui.palette import themes

SIZES = (80, 24), (120, 40), (200, 60)
LOOKS = *(theme.name for theme in themes()), "ascii", "no-colour"
MENU = {
    "home": "", "levels": "1", "all levels": "/", "games": "g", "statistics": "t", "settings": ",", "help": "?",
}  # fmt: skip
GAMES = {
    "crawler": ("mirrors", {"play": "dd", "overlay": "ddoo", "hint": "dd///", "analysis": "ddA", "help": "?"}),
    "crawler end": ("hard", {"lost": load_dungeon("hard").notes[0].solution[:61] + "eee"}),
    "crawler won": ("tutorial", {"won": "".join(note.solution for note in load_dungeon("tutorial").notes)}),
    "chase": (
        "five-good-moves",
        {"play": "nl", "overlay": "oo", "analysis": "nljllA", "danger": "x", "plan": "P", "editor": "\x05"},
    ),
    "rescue": (
        "three-rivers",
        {"play": "H90\nds", "needs": "o", "way": "B", "race": "R", "comparison": "M", "growing": "O]]]]"},
    ),
    "delve": ("--seed 302 --rules hearts", {"play": "zzz", "overlay": "zfo", "danger": "zzzx", "large": "z++++"}),
    "expedition": ("ruins", {"play": "dw", "analysis": "dwA", "hint": "///"}),
}
"""By game (and a word): arguments of `GAME play`, and keys to press by the picture's name."""
_KEYS = {
    "/": "slash",
    "?": "question_mark",
    ",": "comma",
    "]": "right_square_bracket",
    "+": "plus",
    "\n": "enter",
    "\x05": "ctrl+e",
}


def pictures() -> dict[str, tuple[str, str, str, tuple[int, int], str]]:
    """Game, arguments, keys, size and look of each picture, by its name; no game: the menu's."""
    screens = {name: ("", "", keys) for name, keys in MENU.items()}
    for game, (arguments, views) in GAMES.items():
        screens |= {f"{game} {name}": (game.split()[0], arguments, keys) for name, keys in views.items()}
    return {
        f"{name} {size[0]}x{size[1]} {look}": (*screen, size, look)
        for (name, screen), size, look in product(screens.items(), SIZES, LOOKS)
    }


async def take(game: str, arguments: str, keys: str, size: tuple[int, int], look: str) -> str:
    """The picture as SVG."""
    found = find_game(game)
    opening = found.levels().named(arguments) if found is not None else None
    os.environ.pop("NO_COLOR", None)
    if look == "no-colour":
        os.environ["NO_COLOR"] = "1"
    app = DungeonApp(found, opening, ascii_only=look == "ascii")
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        if look.startswith("dungeon"):
            app.theme = look
        while game and not hasattr(app.screen, "map"):
            await pilot.pause(0.05)
        await pilot.pause(0.3 if game else 1.5)
        if not game:  # the cards are drawn by workers, late where kernels are compiled first
            await app.workers.wait_for_complete()
            await pilot.pause(0.1)
        for key in keys:
            await pilot.press(_KEYS.get(key, key))
            await pilot.pause(0.1)
        await pilot.pause(1)
        return re.sub(r"@font-face\s*\{[^}]*\}", "", app.export_screenshot(title="dungeon_tui"))


def main(folder: Path, words: list[str]) -> None:
    """Writes the pictures and the sheet."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = {name: how for name, how in pictures().items() if all(word in name for word in words)}
    figures, screen = list[str](), ""
    for done, (name, how) in enumerate(chosen.items(), 1):
        if (heading := name.rsplit(" ", 2)[0]) != screen:
            screen = heading
            figures.append(f"<h2>{escape(screen)}</h2>")
        file = name.replace(" ", "-") + ".svg"
        (folder / file).write_text(asyncio.run(take(*how)), encoding="utf-8")
        figures.append(f'<figure><img src="{file}" loading="lazy"><figcaption>{escape(name)}</figcaption></figure>')
        print(f"{done} of {len(chosen)}: {name}", flush=True)
    columns = "display:grid;grid-template-columns:repeat(auto-fill,minmax(34em,1fr))"
    style = f"body{{{columns}}} h2{{grid-column:1/-1}} img{{width:100%}}"
    page = f"<!doctype html><meta charset=utf-8><title>All screens</title><style>{style}</style>{''.join(figures)}"
    (folder / "index.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:  # nobody's library, nobody's settings
        os.environ["DUNGEON_TUI_HOME"] = empty
        main(Path(sys.argv[1]), sys.argv[2:])
