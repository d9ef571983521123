"""The rescue: for how little does a knight reach the princess?

The knight sets out at the top left; the princess waits in the bottom right cell. Entering a cell, the first one
included, adds its number to his health: traps take, power-ups give. His health must stay above 0 at every step.

With gold, he walks in all four directions. You buy health before he sets out, 1 gold each, and a power-up by entering
it: then it is gone. Traps bite each time.

Without gold, he walks right or down only, and you choose his health: the least that is enough. The need of a cell is
the least health to enter it with: the need of its better neighbour less its own number, but at least 1.
"""

from dungeon_tui.core.catalogue import Game


class Rescue(Game):
    """The rescue, with its parts."""

    name = "rescue"
    title = "Rescue"
    summary = "Save the princess for the least gold."
    order = 3
    open_note = "The path of a grid file, or the grid itself: [[-2, -3, 3], [-5, -10, 1], [10, 30, -5]]."
    levels_in = "model.dungeon"
    problem_in = "ai.judged"
    problem_bounds = "low", "high", "rows", "cols"


GAME = Rescue()
