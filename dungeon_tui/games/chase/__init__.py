"""The chase: a monster hunts a rogue through rooms and corridors, and exact play judges every move.

The monster moves first, so as the rogue you begin after its first move. Staying is a move too.
Rooms are wide, corridors one cell across. As letters: `@` the rogue, a capital the monster, `+` a corridor.
A step leads to one of the eight cells around; diagonal ones only from room to room, also between two walls.
The monster wins when both stand on the same cell; the rogue wins by staying away from it.

If several moves are equal to your opponent, Replies shows which one it takes.
"""

from dungeon_tui.core.catalogue import Game
from dungeon_tui.games.chase.model.players import TITLES


class Chase(Game):
    """The chase, with its parts."""

    name = "chase"
    title = "Chase"
    summary = "Hunt the rogue, or be hunted."
    order = 2
    on_card = "two-yards --monster bfs --rogue cycle"
    open_note = "The path of a board file: a line with its size, then its rows, with a blank after each cell."
    editor_note = "Draw a board. After each change you see if perfect play catches the rogue, and when."
    player_titles = TITLES
    problem_in = "ai.judged"


GAME = Chase()
