"""Your strategy, for both sides."""


def apart(one, other):
    """The steps between two sites if there were no walls. Is this a good measure?"""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def move(board, side, monster, rogue):
    """The site to go to; side is "monster" or "rogue"."""
    if side == "monster":
        return min(board.moves(monster), key=lambda to: apart(to, rogue))
    board.safe = [to for to in board.moves(rogue) if apart(to, monster) > 1]
    return max(board.moves(rogue), key=lambda to: apart(to, monster))
