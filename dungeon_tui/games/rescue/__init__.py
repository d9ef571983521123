"""The rescue: how much health does a knight need to reach the princess?

The knight walks right or down, from the top left cell to the bottom right one, where the princess waits.
Entering a cell, the first one included, adds its number to his health: traps take, power-ups give.
His health must stay above 0 at every step.
`G` guesses the least health that is enough; `H` chooses a health, with which you then walk.
The need of a cell is the least health to enter it with: the need of its better neighbour less its own number,
but at least 1.
"""

from dungeon_tui.core.catalogue import Game


class Rescue(Game):
    """The rescue, with its parts."""

    name = "rescue"
    title = "Rescue"
    summary = "Save the princess with the least health."
    order = 3
    open_note = "The path of a grid file, or the grid itself: [[-2, -3, 3], [-5, -10, 1], [10, 30, -5]]."
    levels_in = "model.dungeon"
    problem_in = "ai.judged"


GAME = Rescue()
