"""The rescue: how much health must a knight have to reach the princess?

The knight walks right or down, from the top left cell to the bottom right one, where the princess waits.
Entering a cell, the first one included, adds its number to his health: traps take, power-ups give.
His health must stay above 0 at every step.
Guess the least health that is enough, or choose one and find the way.
The need of a cell is the least health to enter it with: at least 1, and what its better neighbour needs, less its own
number.
"""

from dungeon_tui.core.catalogue import Game

GAME = Game(
    name="rescue",
    title="Rescue",
    summary="How much health does a knight need to reach the princess? Guess, walk, and see it computed.",
    order=3,
    screen="view.screen:RescueView",
    openings="model.dungeon:openings",
    open_file="model.dungeon:open_file",
    open_note="Give the path of a grid's file, or paste the grid itself: [[-2, -3, 3], [-5, -10, 1], [10, 30, -5]].",
    codec="model.dungeon",
)
