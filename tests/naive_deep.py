"""The deep as docs/games/deep.md tells it, one sentence after the other: slow and obvious."""

from __future__ import annotations

WAYS = {"w": (-1, 0), "s": (1, 0), "a": (0, -1), "d": (0, 1)}
FOUR = [(-1, 0), (1, 0), (0, -1), (0, 1)]
HEADINGS = {"up-down": (1, 0), "left-right": (0, 1), "diagonal": (1, 1)}
WAKES = {"sleeper": 3, "mimic": 1}
ITEMS = {"[": "shield", ")": "sword", "k": "key", "h": "haste", "f": "frost", "b": "bomb", "s": "scroll"}
USED_BY = {"1": "haste", "3": "frost", "7": "bomb", "9": "scroll"}
MOST_CELLS = 2**14


class Level:
    """A level: rows of tiles, monsters as lists [kind, row, col, heading, awake], bombs as lists [row, col, turns]."""

    def __init__(self, rows, monsters, start, doors, shrinks=0):
        self.tiles = [list(row) for row in rows]
        self.monsters = [[kind, row, col, HEADINGS.get(kind), kind not in WAKES] for kind, row, col in monsters]
        self.start, self.doors, self.shrinks = start, doors, shrinks
        self.bombs, self.turns, self.rings, self.is_mapped = [], 0, 0, False

    def at(self, row, col):
        if 0 <= row < len(self.tiles) and 0 <= col < len(self.tiles[0]):
            return self.tiles[row][col]
        return "~"

    def monster(self, row, col):
        for monster in self.monsters:
            if monster[1:3] == [row, col]:
                return monster
        return None


class Deep:
    """A game of the deep. `command` changes it."""

    def __init__(self, levels):
        self.levels = levels  # by name; the game begins in the first
        self.name = next(iter(levels))
        self.row, self.col = self.level.start
        self.treasure, self.items, self.haste, self.frost = 0, [], 0, 0
        self.paid, self.moves, self.status, self.ending = set(), 0, "playing", ""

    @property
    def level(self):
        return self.levels[self.name]

    def command(self, letter):
        self.moves += 1
        is_first_half = self.haste > 0 and self.haste % 2 == 0
        self.haste = max(0, self.haste - 1)
        self.level_doubles = False
        if letter in USED_BY:
            self.use(USED_BY[letter])
        elif letter in WAYS and self.walk(self.row + WAYS[letter][0], self.col + WAYS[letter][1]) == "left":
            return
        if not is_first_half:
            self.move_monsters()
            if self.status == "playing":
                self.burn_bombs()
        if self.status == "playing" and self.level_doubles:
            self.double()
        if self.status == "playing" and not is_first_half:
            self.fall()

    def use(self, item):
        self.items.remove(item)
        if item == "haste":
            self.haste = 10
        if item == "frost":
            self.frost = 5
        if item == "bomb":
            self.level.bombs.append([self.row, self.col, 3])
        if item == "scroll":
            self.level.is_mapped = True

    def walk(self, row, col):
        tile = self.level.at(row, col)
        if tile in "~+":
            return None
        foe = self.level.monster(row, col)
        if foe and "sword" not in self.items:
            return None
        if tile in "123456789?!":
            return self.go_through(row, col, tile)
        if foe:
            self.items.remove("sword")
            self.level.monsters.remove(foe)
        self.row, self.col = row, col
        self.level.tiles[row][col] = "-"
        if tile == "$":
            self.treasure += 1
        if tile == "@":
            self.level_doubles = True
        if tile in ITEMS:
            self.items.append(ITEMS[tile])
        return None

    def go_through(self, row, col, tile):
        door = self.level.doors[tile]
        cost, wants_key = door.get("cost", 0), door.get("key", False)
        is_paid = (self.name, tile) in self.paid
        if self.treasure < door.get("carry", 0):
            return None
        if not is_paid and (self.treasure < cost or (wants_key and "key" not in self.items)):
            return None
        place = None
        if "to" in door:
            place = self.behind(self.levels[door["to"]], door.get("door"))
            if place is None:
                return None
        if not is_paid:
            self.treasure -= cost
            if wants_key:
                self.items.remove("key")
            if cost or wants_key:
                self.paid.add((self.name, tile))
        if place is None:
            self.row, self.col, self.status, self.ending = row, col, "won", door["ending"]
        else:
            self.name, (self.row, self.col) = door["to"], place
        return "left"

    def behind(self, level, door):
        place = level.start
        if door:
            places = [(r, c) for r, row in enumerate(level.tiles) for c, tile in enumerate(row) if tile == door]
            place = places[0] if places else None
        if place is None or level.monster(*place) or level.at(*place) in "~+":
            return None
        return place

    def move_monsters(self):
        if self.frost:
            self.frost -= 1
            return
        order = sorted(self.level.monsters, key=lambda foe: (self.away(foe), foe[1], foe[2]))
        for foe in order:
            if not foe[4]:
                foe[4] = self.away(foe) <= WAKES[foe[0]]
                continue
            for _ in range(2 if foe[0] == "sprinter" else 1):
                if self.status == "playing":
                    before = foe[1:3]
                    self.move_monster(foe)
                    if foe[1:3] == before:
                        break
            if self.status == "died":
                return

    def away(self, foe):
        return abs(foe[1] - self.row) + abs(foe[2] - self.col)

    def move_monster(self, foe):
        if foe[0] in ("hunter", "sprinter", "mimic"):
            way = self.seen_from(foe)
        elif foe[0] in ("tracker", "sleeper"):
            way = self.downhill(foe)
        else:
            way = foe[3]
            if not self.can_enter(foe[1] + way[0], foe[2] + way[1]):
                way = foe[3] = (-way[0], -way[1])
        if way is None or not self.can_enter(foe[1] + way[0], foe[2] + way[1]):
            return
        row, col = foe[1] + way[0], foe[2] + way[1]
        if (row, col) == (self.row, self.col):
            if self.strike(foe[0]):
                foe[1:3] = row, col
            return
        foe[1:3] = row, col
        self.level.tiles[row][col] = "-"

    def can_enter(self, row, col):
        if (row, col) == (self.row, self.col):
            return True
        return self.level.at(row, col) not in "+~123456789" and not self.level.monster(row, col)

    def seen_from(self, foe):
        for down, right in FOUR:
            row, col = foe[1] + down, foe[2] + right
            while self.level.at(row, col) != "+" and 0 <= row < 200 and 0 <= col < 200:
                if (row, col) == (self.row, self.col):
                    return down, right
                row, col = row + down, col + right
        return None

    def downhill(self, foe):
        steps, size = {(self.row, self.col): 0}, 0
        while len(steps) > size:
            size = len(steps)
            for (row, col), count in list(steps.items()):
                for down, right in FOUR:
                    beside = row + down, col + right
                    if self.level.at(*beside) not in "+~123456789" and steps.get(beside, 10**6) > count + 1:
                        steps[beside] = count + 1
        here = steps.get((foe[1], foe[2]), 0)
        for down, right in FOUR:
            cell = foe[1] + down, foe[2] + right
            if steps.get(cell, 10**6) < here and self.can_enter(*cell):
                return down, right
        return None

    def strike(self, killer):
        """True if it killed."""
        if "shield" in self.items:
            self.items.remove("shield")
            return False
        self.status, self.ending = "died", killer
        return True

    def burn_bombs(self):
        for bomb in self.level.bombs:
            bomb[2] -= 1
        for bomb in list(self.level.bombs):
            if bomb[2] == 0 and self.status == "playing":
                self.level.bombs.remove(bomb)
                for row in range(bomb[0] - 1, bomb[0] + 2):
                    for col in range(bomb[1] - 1, bomb[1] + 2):
                        if self.level.at(row, col) == "+":
                            self.level.tiles[row][col] = "-"
                        if foe := self.level.monster(row, col):
                            self.level.monsters.remove(foe)
                if abs(bomb[0] - self.row) <= 1 and abs(bomb[1] - self.col) <= 1:
                    self.strike("bomb")

    def double(self):
        level = self.level
        height, width = len(level.tiles), len(level.tiles[0])
        if 4 * height * width > MOST_CELLS:
            return
        shifts = [(down, right) for down in (0, height) for right in (0, width)]
        level.tiles = [row + row for row in level.tiles + level.tiles]
        level.tiles = [list(row) for row in level.tiles]
        level.monsters = [[f[0], f[1] + d, f[2] + r, f[3], f[4]] for d, r in shifts for f in level.monsters]
        level.bombs = [[b[0] + d, b[1] + r, b[2]] for d, r in shifts for b in level.bombs]

    def fall(self):
        level = self.level
        level.turns += 1
        if not level.shrinks or level.turns % level.shrinks:
            return
        height, width, ring = len(level.tiles), len(level.tiles[0]), level.rings
        inner = {(r, c) for r in range(ring + 1, height - ring - 1) for c in range(ring + 1, width - ring - 1)}
        fallen = {(r, c) for r in range(height) for c in range(width)} - inner
        if 2 * ring >= min(height, width):
            return
        level.rings += 1
        for row, col in fallen:
            level.tiles[row][col] = "~"
        level.monsters = [foe for foe in level.monsters if (foe[1], foe[2]) not in fallen]
        level.bombs = [bomb for bomb in level.bombs if (bomb[0], bomb[1]) not in fallen]
        if (self.row, self.col) in fallen:
            self.status, self.ending = "died", "chasm"
