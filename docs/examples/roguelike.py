"""A small roguelike: carry the amulet (") past three goblins to the stairs. They chase you, and flee when hurt.

Keys: h j k l y u b n move and attack; o explores; g does, too, or walks to the goal once it is seen; q quits."""

import curses

import numpy as np

from dungeon_tui.engine import STEPS, UNREACHED, distance_map, downhill, field_of_view, flee_map, path, path_to

KEYS = dict(zip("kjhlyubn.", STEPS.tolist(), strict=True))


class Game:
    def __init__(self, seed=None):
        rng = np.random.default_rng(seed)
        self.floor, self.unseen = np.zeros((21, 79), bool), np.ones((21, 79), bool)
        rooms = [(int(rng.integers(4, 17)), col) for col in range(7, 72, 16)]
        for (row, col), there in zip(rooms, rooms[1:] + rooms[-1:], strict=True):
            self.floor[row - rng.integers(1, 4) : row + 3, col - rng.integers(2, 6) : col + rng.integers(3, 7)] = True
            self.floor[tuple(path_to(np.ones_like(self.floor), (row, col), there, diagonal=False).T)] = True
        self.player, self.stairs, self.goal, self.goblins = rooms[0], rooms[0], rooms[-1], dict.fromkeys(rooms[2:], 3)
        self.health, self.news = 10, "Find the amulet."

    def target(self, key):
        goals = [self.goal] if key == "g" and not self.unseen[self.goal] else np.argwhere(self.unseen)
        distance = distance_map(self.floor | self.unseen, goals)  # what is unseen may be floor
        if key in ("o", "g") and distance[self.player] < UNREACHED:
            return tuple(path(distance, self.player)[1])
        return tuple(np.add(self.player, KEYS.get(key, (0, 0))))

    def act(self, key):
        target = self.target(key)
        if target in self.goblins:
            self.goblins[target], self.news = self.goblins[target] - 1, "You hit a goblin."
        elif self.floor[target]:
            self.player = target
        if self.player == self.goal != self.stairs:
            self.goal, self.news = self.stairs, "The amulet is yours. To the stairs!"
        self.view = field_of_view(self.floor, self.player, radius=9)
        self.unseen &= ~self.view
        chase, flee = (downhill(make(self.floor, [self.player])) for make in (distance_map, flee_map))
        self.goblins = {cell: health for cell, health in self.goblins.items() if health}
        for cell, health in list(self.goblins.items()):
            to = tuple(cell + STEPS[(chase if health > 1 else flee)[cell]]) if self.view[cell] else cell
            if to == self.player:
                self.health, self.news = self.health - 1, "A goblin hits you."
            elif to not in self.goblins:
                self.goblins[to] = self.goblins.pop(cell)

    def draw(self):
        rows = np.where(self.unseen, " ", np.where(self.floor, ".", "#"))
        things = {self.goal: '"', self.stairs: "<", **dict.fromkeys(self.goblins, "g"), self.player: "@"}
        for cell in filter(self.view.item, things):
            rows[cell] = things[cell]
        return "\n".join([*map("".join, rows), f"health {self.health}  {self.news:<40}"])


def play(window):
    game, key = Game(), "."
    while key != "q" and game.health > 0 and game.player != game.goal:
        game.act(key)
        window.addstr(0, 0, game.draw())
        key = window.getkey()
    return game.draw()


if __name__ == "__main__":
    print(curses.wrapper(play))
