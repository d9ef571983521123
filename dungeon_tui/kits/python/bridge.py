"""Speaks the protocol with dungeon-tui. Change strategy.py, not this file."""

import sys
import traceback

import strategy


class Board:
    """A board. A site is (row, col), both from 0. The game shows the sites in `plan` and `safe`."""

    def __init__(self, rows):
        self.size = len(rows)
        self.tiles = [row[::2].ljust(self.size) for row in rows]
        self.plan, self.safe = [], []

    def is_site(self, row, col):
        """True on the board, except on walls."""
        return 0 <= row < self.size and 0 <= col < self.size and self.tiles[row][col] != " "

    def is_room(self, row, col):
        """True in rooms, False in corridors."""
        return self.is_site(row, col) and self.tiles[row][col] != "+"

    def moves(self, site):
        """All legal moves from a site: stay, step up, down, left or right, and diagonally from room to room."""
        row, col = site
        near = [(row + down, col + right) for down in (0, -1, 1) for right in (0, -1, 1)]
        sites = [to for to in near if self.is_site(*to)]
        return [to for to in sites if row == to[0] or col == to[1] or (self.is_room(*site) and self.is_room(*to))]


def main():
    """Answers the lines on standard input."""
    answers, sys.stdout = sys.stdout, sys.stderr  # keep the strategy's output apart from the answers
    for line in sys.stdin:
        match line.split():
            case ["protocol", *_]:
                print("name Python\nprotocol chase 1", file=answers, flush=True)
            case ["board", size, *_]:
                board = Board([next(sys.stdin).rstrip("\r\n") for _ in range(int(size))])
                print("ready", file=answers, flush=True)
            case ["position", side, _, *sites]:
                row, col, other_row, other_col = map(int, sites)
                board.plan, board.safe = [], []
                try:
                    to = strategy.move(board, side, (row, col), (other_row, other_col))
                    for kind in ("plan", "safe"):
                        print("info", kind, *(number for site in getattr(board, kind) for number in site), file=answers)
                    print("move", *to, file=answers, flush=True)
                except Exception as error:
                    traceback.print_exc()
                    print(f"error raised {error!r}", file=answers, flush=True)
            case ["quit"]:
                break


if __name__ == "__main__":
    main()
