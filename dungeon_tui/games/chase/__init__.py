"""The chase: a monster hunts a rogue through rooms and corridors, and exact play judges every move.

The monster moves first, then they move in turn; staying is a move too.
`.` is a room, `+` a corridor, a blank a wall; `@` is the rogue, the capital letter the monster.
A step leads to one of the eight cells around, diagonally only from room to room.
The monster wins once both share a site; the rogue wins by keeping away.
Either side can be played by you, by a simple strategy, or by one that never errs.
`A` shows what every move is worth: safe for ever, or captured in so many monster moves.
"""

from dungeon_tui.core.catalogue import Game

GAME = Game(
    name="chase",
    title="Chase",
    summary="A monster hunts a rogue; play either side, or watch, and see what perfect play would do.",
    order=2,
    screen="view.screen:ChaseView",
    openings="model.dungeon:openings",
    open_file="model.dungeon:open_file",
    open_note="Give the path of a board's file: a line with its size, then its rows, sites and blanks in turn.",
    codec="model.dungeon",
)
