"""The delve: rooms, corridors and rock, and monsters that run downhill towards you, some of them through the rock.

On the last depth lies an amulet: take the stairs `>` down, take it, and carry it up `<` once.
You are `@` and walk in eight directions: `y` `u` `b` `n` or the number pad for the diagonals. Step onto a monster to
kill it. A monster that steps onto another kills it, too, but only if you see it; elsewhere they let each other pass.
You have three hearts: a monster that steps onto you takes one and is thrown back. You lose at most one a turn, and none
to a monster that you did not see when your turn began.
100 points for a depth, 10 for each monster that you kill, 1 for a piece of gold, 1,000 for the amulet. A pursuer, for
which you get none, comes after 250 turns on a depth.
Off the way lie a heap of gold `$`, a heart `+` that gives back a lost one, and two finds: haste `%`, frost `*` or bombs
`&`. A bomb opens rock, and hurts you, too: get two steps away. Sleepers guard these things.
Monsters come when they see you, or always know where you are; some dig, and erratic ones move at random half the time.
You have 10 turns in the time in which a monster has 5 to 20, by its speed. A lookout that sees you runs for help.
Jackals close in together in a room, in a corridor one by one. An archer in line with you draws, then shoots along it,
and never steps onto you.
`--rules course`, or Rules in New dungeon: the course's game. One hit is death, you win when all monsters are gone, and
there is nothing to find.
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
