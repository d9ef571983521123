"""Plain, slow twins of what the project computes fast: lists of lists and obvious loops, sharing no code with it."""

CRAWLER_WAYS = {"w": (-1, 0), "s": (1, 0), "a": (0, -1), "d": (0, 1)}  # up, down, left, right: the monsters' order too


class Crawler:
    """The crawler as its rules are written in words. Each command changes the object and returns what is printed."""

    def __init__(self, levels: list[tuple[list[str], tuple[int, int]]], cell_limit: int = 2_147_483_647) -> None:
        self.levels = levels  # rows of tiles, and the start's row and column
        self.cell_limit = cell_limit
        self.number = 0
        self.treasure = 0
        self.moves = 0
        self.left_behind = 0
        self.status = "playing"
        self.enter_next_level()

    def enter_next_level(self) -> None:
        rows, (self.row, self.col) = self.levels[self.number]
        self.tiles = [list(row) for row in rows]
        self.number += 1

    def rows(self) -> list[str]:
        return ["".join(row) for row in self.tiles]

    def command(self, letter: str) -> str:
        """Plays one of w a s d e."""
        self.moves += 1
        row, col = self.row, self.col
        if letter in CRAWLER_WAYS:
            row += CRAWLER_WAYS[letter][0]
            col += CRAWLER_WAYS[letter][1]
        if self.stops(row, col):
            row, col = self.row, self.col
        if (row, col) == (self.row, self.col):
            status = f"You stayed at row {row} and column {col}\nYou didn't move. Are you lost?\n"
        else:
            status = f"You have moved to row {row} and column {col}\n"
        self.row, self.col = row, col
        tile = self.tiles[row][col]

        if tile == "?":
            printed = self.map() + status + "You go through the doorway into the unknown beyond...\n\n"
            self.left_behind += self.treasure_here()
            if self.number == len(self.levels):
                self.status = "out of levels"
            else:
                self.enter_next_level()
            return printed
        if tile == "!":
            self.left_behind += self.treasure_here()
            self.status = "escaped"
            status += "Congratulations, adventurer! You have escaped the dungeon!\n"
            status += f"You escaped with {self.treasures()} and in {self.moves} total moves.\n"
            return self.map() + status + "\n"

        self.tiles[row][col] = "-"
        if tile == "$":
            self.treasure += 1
            status += f"Well done, adventurer! You found some treasure.\nYou now have {self.treasures()}.\n"
        if tile == "@":
            status += "The magic amulet sparkles and crumbles into dust.\n"
            if not self.is_too_large_to_double():
                status += "The ground begins to rumble. Are the walls moving?\n"
        for down, right in CRAWLER_WAYS.values():
            self.move_monsters(down, right)
        if self.tiles[self.row][self.col] == "M":
            self.status = "died"
            return self.map() + "You died, adventurer! Better luck next time!\n"
        if tile == "@":
            self.double()
        return self.map() + status + "\n"

    def is_on_map(self, row: int, col: int) -> bool:
        return row >= 0 and col >= 0 and row < len(self.tiles) and col < len(self.tiles[0])

    def stops(self, row: int, col: int) -> bool:
        if not self.is_on_map(row, col):
            return True
        if self.tiles[row][col] == "+" or self.tiles[row][col] == "M":
            return True
        return self.tiles[row][col] == "!" and self.treasure == 0

    def move_monsters(self, down: int, right: int) -> None:
        row, col = self.row + down, self.col + right
        while self.is_on_map(row, col) and self.tiles[row][col] != "+":
            if self.tiles[row][col] == "M":
                self.tiles[row][col] = "-"
                self.tiles[row - down][col - right] = "M"
            row += down
            col += right

    def is_too_large_to_double(self) -> bool:
        return 4 * len(self.tiles) * len(self.tiles[0]) > self.cell_limit

    def double(self) -> None:
        if self.is_too_large_to_double():
            return
        self.tiles = [row + row for row in self.tiles] + [row + row for row in self.tiles]

    def treasure_here(self) -> int:
        return sum(row.count("$") for row in self.tiles)

    def treasures(self) -> str:
        return "1 treasure" if self.treasure == 1 else f"{self.treasure} treasures"

    def map(self) -> str:
        border = "+" + "---" * len(self.tiles[0]) + "+\n"
        text = border
        for row, tiles in enumerate(self.tiles):
            text += "|"
            for col, tile in enumerate(tiles):
                glyph = " " if tile == "-" else tile
                if (row, col) == (self.row, self.col) and tile != "M":
                    glyph = "o"
                text += " " + glyph + " "
            text += "|\n"
        return text + border
