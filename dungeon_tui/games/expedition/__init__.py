"""The expedition: visit all rooms of a dungeon, or most of them, on the cheapest walk.

The party stands in a room; corridors lead to other rooms.
A step costs the corridor's cost and the cost of entering the room, every time.
You are done when you have visited enough rooms and, if the task says so, are in the right room.

Each step burns its cost from the torch. You lose on a step that costs more than is left, or once every step would.

On a route you know the map; par is the least cost.

When exploring, you see a room once you are next to it, and how many of its exits lead to unvisited rooms.
An exit may lead to any unvisited room, however far. Each hidden corridor has two ends: counting exits can prove one.
The best plan costs at most par, whatever the fog hides.
"""

from dungeon_tui.core.catalogue import Game


class Expedition(Game):
    """The expedition, with its parts."""

    name = "expedition"
    title = "Expedition"
    summary = "Plan a route, or explore by torchlight."
    on_card = "heavy-doors"
    order = 5
    open_note = "The path of a map file: JSON as networkx writes it, or GraphML."
    levels_in = "model.dungeon"
    problem_in = "ai.judged"


GAME = Expedition()
