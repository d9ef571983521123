"""The expedition: see all rooms of a dungeon, or most of them, as cheaply as can be.

The party stands in one room; a corridor leads it to the next one.
A step costs what the corridor costs, and what entering the room costs, seen before or not.
The quest is done once enough rooms are seen; where that is asked, also back at the start, or in the room to end in.
Walking back through rooms already seen is often the cheapest way on.
"""

from dungeon_tui.core.catalogue import Game

GAME = Game(
    name="expedition",
    title="Expedition",
    summary="Rooms, corridors, costs: see them all on the cheapest walk, which a planner knows.",
    order=5,
    screen="view.screen:ExpeditionView",
    openings="model.dungeon:openings",
    open_file="model.dungeon:open_file",
    open_note="Give the path of a map's file: JSON as networkx writes it, or GraphML.",
    codec="model.dungeon",
)
