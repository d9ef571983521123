"""The crawler: take treasure, mind the monsters, leave the dungeon.

You walk up, down, left and right, a step a turn; staying and bumping into things cost a turn too.
`$` is treasure. `?` leads to the next level. `!` leads out of the dungeon, once you own treasure.
`+` stops everyone and blocks every view.
After you, every monster `M` that sees you along a row or a column steps towards you, and destroys what it steps on.
One on your cell is the end of you.
An amulet `@` doubles the level in both directions: the copies hold everything but you.
"""

from dungeon_tui.core.catalogue import Game

GAME = Game(
    name="crawler",
    title="Crawler",
    summary="Take the treasure and leave the dungeon before a monster takes you.",
    order=1,
    screen="view.screen:CrawlerView",
    openings="view.openings:openings",
    open_file="view.openings:open_file",
    open_note="Give the path of a level file, or the part before its number: caves opens caves1.txt, caves2.txt ...",
    editor="view.editor.draft:opening",
    codec="model.dungeon",
    kernels="ai.solver:prepare",
)
