"""Find a way out of the deep: levels joined by doors, with monsters of different habits.

You go up, down, left or right, stay, or use an item that you carry; each is one turn. Treasure opens doors: some
require that you carry it, some that you pay it, and some take a key. Levels stay as you leave them. Monsters destroy
anything they step on, and kill you when they reach you, unless you carry a shield. Some levels shrink: their rim falls
away, ring by ring.
"""

from dungeon_tui.core.catalogue import Game


class Deep(Game):
    """The deep, with its parts."""

    name = "deep"
    title = "Deep"
    summary = "Find a way out of a place with many doors."
    order = 6
    open_note = "Give the path of a campaign file (.toml). Draw a level makes one, and opens any to change it."
    editor_note = "Draw a campaign, level by level. After each change the solver checks how it can be left."


GAME = Deep()
