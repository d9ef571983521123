"""The crawler: take treasure, mind the monsters, leave the dungeon.

You are `@` and walk up, down, left and right, a step a turn; staying and bumping into things cost a turn too.
`$` is treasure. `?` leads to the next level. `!` leads out of the dungeon, once you own treasure.
Walls stop everyone and block every view.
After you, every monster `M` that sees you along a row or a column steps towards you, and destroys what it steps on.
One on your cell is the end of you.
An amulet `"` doubles the level in both directions: the copies hold everything but you.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dungeon_tui.core.catalogue import Commands, Game, Levels, Opening

if TYPE_CHECKING:
    from dungeon_tui.core.rules import Rules
    from dungeon_tui.games.crawler.view.judged import CrawlerProblem
    from dungeon_tui.games.crawler.view.screen import CrawlerView


class Crawler(Game):
    """The crawler, with its parts."""

    name = "crawler"
    title = "Crawler"
    summary = "Take the treasure and get out alive."
    order = 1
    has_judge = True
    open_note = "Give the path of a level file, or the part before its number: caves opens caves1.txt, caves2.txt ..."
    has_editor = True

    def rules(self) -> Rules[Any, Any, Any]:
        """Module of the game's rules, imported when asked for."""
        from dungeon_tui.games.crawler.model import rules

        return rules

    def levels(self) -> Levels:
        """Module that lists, reads and packs the game's levels, imported when asked for."""
        from dungeon_tui.games.crawler.view import openings

        return openings

    def view(self) -> type[CrawlerView]:
        """Class of the game's view, imported when asked for."""
        from dungeon_tui.games.crawler.view.screen import CrawlerView

        return CrawlerView

    def commands(self) -> Commands:
        """Module of the game's commands, imported when asked for."""
        from dungeon_tui.games.crawler import commands

        return commands

    def editor(self, file: str = "") -> Opening:
        """Opening of the editor on a level file; on an empty level if there is none yet, or `file` is empty."""
        from dungeon_tui.games.crawler.view.editor.craft import CRAFT
        from dungeon_tui.ui.editor.late import editor_opening

        summary = "A level of your own. The solver says a moment after each change whether it can be won."
        return editor_opening(self, CRAFT, file, summary)

    def compile_kernels(self) -> None:
        """Compiles the kernels of the crawler's solver."""
        from dungeon_tui.games.crawler.ai.solver import prepare

        prepare()

    def problem(self) -> CrawlerProblem:
        """The game's problem for programs, imported when asked for."""
        from dungeon_tui.games.crawler.view.judged import CrawlerProblem

        return CrawlerProblem()


GAME = Crawler()
