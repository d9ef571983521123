"""The delve: rooms, corridors and rock, and monsters that run downhill towards you, some of them through the rock.

`z` explores; while a monster awake is in sight, it waits for that.
Take the stairs `>` down to the last depth, fetch the amulet `"` there, and bring it back to that depth's stairs `<`.
Step onto a monster to kill it: let it come, then strike. A monster that steps onto you takes one of three hearts and is
thrown back. You lose at most one a turn, and none to a monster that you did not see when your turn began.
A monster that steps onto another kills it, too, if you see it; elsewhere they let each other pass.
While you take 10 turns a monster takes 5 to 20, by its speed. A message tells its habits when you see it.
Off the way lie a heap of gold `$`, a heart `+` that gives back a lost one, and two finds: haste `%`, frost `*` or bombs
`&`. Guards sleep beside them, and wake when you are within three steps.
A pursuer comes by the stairs after 250 turns on a depth; with the amulet one at once, and every 30 turns.
100 points for a depth, 10 for each monster that you kill, except pursuers, 1 for a piece of gold, 1,000 for the amulet.
"""

from dungeon_tui.core.catalogue import Game


class Delve(Game):
    """The delve, with its parts."""

    name = "delve"
    title = "Delve"
    summary = "Fetch the amulet from the last depth."
    order = 4
    open_note = "Give the path of a dungeon file, as text or as saved by the course's programs."
    levels_in = "model.generator"
    problem_in = "ai.judged"


GAME = Delve()
