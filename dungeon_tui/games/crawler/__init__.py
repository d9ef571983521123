"""The crawler: take treasure, mind the monsters, leave the dungeon.

You walk up, down, left and right, one step a turn; staying and bumping into things cost a turn too.
A door leads to the next level. A gate leads out of the dungeon, once you have treasure.
Walls stop everyone and block every view.
After you, every monster that sees you along a row or a column steps towards you, and destroys what it steps on.
If one reaches your cell, you are dead.
An amulet doubles the level in both directions: the copies hold everything but you.
"""

from dungeon_tui.core.catalogue import Game


class Crawler(Game):
    """The crawler, with its parts."""

    name = "crawler"
    title = "Crawler"
    summary = "Take treasure and get out in few moves."
    on_card = "gauntlet"
    order = 1
    open_note = "Give the path of a level file, or the part before its number: caves opens caves1.txt, caves2.txt ..."
    editor_note = "Draw a level. After each change the solver checks whether it can be won."
    problem_in = "view.judged"

    def compile_kernels(self) -> None:
        from dungeon_tui.games.crawler.ai.solver import prepare

        prepare()


GAME = Crawler()
