"""The slide: get out over ice too smooth to stop on.

You are `@` and slide up, down, left or right until something stops you: a wall `#`, or the edge.
At the way out `!` you grab hold, and are out.
The fewer slides the better.
"""

from dungeon_tui.core.catalogue import Game


class Template(Game):
    """A small game to copy: docs/add-a-game.md. Names that begin with `_` are hidden in the menu and in the help."""

    name = "_template"
    title = "Slide"
    summary = "Get out over the ice."
    order = 99


GAME = Template()
