"""The homework's dungeon crawler, as a student might write it; a word names the mistake to make."""

import sys
from pathlib import Path

mistake = sys.argv[1] if len(sys.argv) > 1 else ""
words = iter(sys.stdin.read().split())
STEPS = {"w": (-1, 0), "a": (0, -1), "s": (1, 0), "d": (0, 1), "e": (0, 0)}


def show():
    border = "+" + "---" * len(level[0]) + "+"
    print(border)
    for r, line in enumerate(level):
        tiles = [" " if tile == "-" else tile for tile in line]
        if r == row and tiles[col] != "M":
            tiles[col] = "o"
        print("|" + "".join(f" {tile} " for tile in tiles) + "|")
    print(border)
    print()


def monsters_move():
    """True if one has come to the adventurer."""
    for down, right in ((-1, 0), (0, -1), (1, 0), (0, 1)):
        r, c = row + down, col + right
        if mistake == "farthest-first":
            cells = []
            while 0 <= r < len(level) and 0 <= c < len(level[0]) and level[r][c] != "+":
                cells.append((r, c))
                r, c = r + down, c + right
            for r, c in cells[::-1]:
                if level[r][c] == "M":
                    level[r][c], level[r - down][c - right] = "-", "M"
            continue
        while 0 <= r < len(level) and 0 <= c < len(level[0]):
            if level[r][c] == "+" and mistake != "sees-through-pillars":
                break
            if level[r][c] == "M":
                level[r][c], level[r - down][c - right] = "-", "M"
                if mistake == "one-monster-a-ray":
                    break
            r, c = r + down, c + right
    return level[row][col] == "M"


print("Welcome!")
print("Please enter the dungeon name and number of levels: ", end="")
name, count = next(words), int(next(words))
treasure = moves = 0
for number in range(1, count + 1):
    print(f"Level {number}")
    numbers = Path(f"{name}{number}.txt").read_text().split()
    height, width, row, col = map(int, numbers[:4])
    tiles = "".join(numbers[4:])
    level = [[*tiles[width * r : width * (r + 1)]] for r in range(height)]
    show()
    while True:
        print("Enter command (w,a,s,d: move, e: stay still, q: quit): ", end="")
        command = next(words)
        if command == "q":
            print("Thank you for playing!")
            sys.exit()
        if command not in STEPS:
            print("I did not understand your command, adventurer!")
            continue
        r, c = row + STEPS[command][0], col + STEPS[command][1]
        is_inside = 0 <= r < len(level) and 0 <= c < len(level[0])
        if mistake == "walks-off" and not is_inside:
            r, c, is_inside = r % len(level), c % len(level[0]), True
        tile = level[r][c] if is_inside else "+"
        is_stopped = command == "e" or tile in "+M" or (tile == "!" and not treasure and mistake != "leaves-poor")
        moves += 1
        said = []
        if is_stopped:
            said = [f"You stayed at row {row} and column {col}", "You didn't move. Are you lost?"]
            tile = "-"
        else:
            row, col = r, c
            said = [f"You have moved to row {row} and column {col}"]
            level[row][col] = "-"
        if tile == "$":
            treasure += 1
            thing = "treasures" if mistake == "plural" or treasure != 1 else "treasure"
            said += ["Well done, adventurer! You found some treasure.", f"You now have {treasure} {thing}."]
        elif tile == "@":
            said += ["The magic amulet sparkles and crumbles into dust."]
            said += ["The ground begins to rumble. Are the walls moving?"]
        elif tile == "?":
            said += ["You go through the doorway into the unknown beyond..."]
        elif tile == "!":
            thing = "treasure" if treasure == 1 else "treasures"
            said += ["Congratulations, adventurer! You have escaped the dungeon!"]
            said += [f"You escaped with {treasure} {thing} and in {moves} total moves."]
        if tile in "?!":
            level[row][col] = tile
        if tile not in "?!" and monsters_move():
            show()
            print("You died, adventurer! Better luck next time!")
            sys.exit()
        if tile == "@":
            level = [line + line for line in level] + [line + line for line in level]
            if mistake == "copies-itself":
                level[row + len(level) // 2][col] = "o"
            level = level[: len(level) // 2] * 2 if mistake == "shares-rows" else [[*line] for line in level]
        show()
        print("\n".join(said))
        print()
        if tile == "!":
            sys.exit()
        if tile == "?":
            break
