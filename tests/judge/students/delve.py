"""Both distance maps of a dungeon file, as a student might compute them; words name mistakes, or how to print."""

import heapq
import sys

words = sys.argv[1:]
data = sys.stdin.buffer.read()
ROWS, COLS = 21, 80
LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
col, row = data[20], data[21]
if "swapped-player" in words:
    col, row = row, col
hardness = [data[22 + COLS * r : 22 + COLS * (r + 1)] for r in range(ROWS)]


def weight(rock):
    if "divides-wrongly" in words:
        return 1 + rock // 85
    if "signed-bytes" in words and rock > 127:
        rock -= 256
    if "free-floor" in words and rock == 0:
        return 0
    return 1 if rock <= 84 else 2 if rock <= 170 else 3


def distances(is_tunnelling):
    found, heap = {(row, col): 0}, [(0, row, col)]
    while heap:
        far, r, c = heapq.heappop(heap)
        if far > found[r, c]:
            continue
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                there = r + down, c + right
                if "four-ways" in words and down and right:
                    continue
                if not (0 <= there[0] < ROWS and 0 <= there[1] < COLS):
                    continue
                rock = hardness[there[0]][there[1]]
                if (rock == 255 and "digs-the-border" not in words) or (rock and not is_tunnelling):
                    continue
                ahead = far + weight(rock if "pays-to-enter" in words else hardness[r][c])
                if "first-come" in words and there in found:
                    continue
                if ahead < found.get(there, ahead + 1):
                    found[there] = ahead
                    heapq.heappush(heap, (ahead, *there))
    return found


def shown(found, r, c):
    if "numbers" in words:
        return str(found.get((r, c), -1))
    if (r, c) == (row, col):
        return "@"
    if "digits" in words:
        return str(found[r, c] % 10) if (r, c) in found else "X" if hardness[r][c] == 255 else " "
    return LETTERS[found[r, c]] if found.get((r, c), 99) < 62 else " "


for is_tunnelling in (False, True):
    found = distances(is_tunnelling)
    if "titles" in words:
        print("Tunnelling:" if is_tunnelling else "Walking:")
    for r in range(ROWS):
        print((" " if "numbers" in words else "").join(shown(found, r, c) for c in range(COLS)))
    if "gaps" in words and not is_tunnelling:
        print()
    if "one-map" in words:
        break
