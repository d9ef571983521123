"""The expedition: see all rooms of a dungeon, or most of them, on the cheapest walk.

The party stands in a room; corridors lead to other rooms.
A step costs the corridor's cost and the cost of entering the room, every time.
You are done when you have seen enough rooms and, if the task says so, are in the right room.
The cheapest walk often leads back through rooms you have already seen.
"""

from dungeon_tui.core.catalogue import Game


class Expedition(Game):
    """The expedition, with its parts."""

    name = "expedition"
    title = "Expedition"
    summary = "See every room on the cheapest walk."
    order = 5
    open_note = "The path of a map file: JSON as networkx writes it, or GraphML."
    levels_in = "model.dungeon"
    problem_in = "ai.judged"


GAME = Expedition()
