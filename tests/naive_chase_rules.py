"""A slow, obvious twin of the chase: moves and values by plain loops."""

from dataclasses import dataclass, field
from itertools import product

from tests.naive_pursuit import solve_pursuit

Site = tuple[int, int]  # row, column
Position = tuple[Site, Site]  # monster, rogue


@dataclass
class Chase:
    """A board and where both stand; `move` changes it."""

    size: int
    sites: dict[Site, str]  # rooms "." and corridors "+"; what is not here is wall
    monster: Site
    rogue: Site
    turns: list[str] = field(default_factory=list)  # who has moved, in order

    def moves(self, site: Site) -> list[Site]:
        """Where a move from a site may lead."""
        allowed = []
        for to in product(range(self.size), repeat=2):
            if to not in self.sites:
                continue
            down, right = abs(to[0] - site[0]), abs(to[1] - site[1])
            is_straight = down + right == 1
            is_diagonal = down == 1 and right == 1 and self.sites[site] == "." and self.sites[to] == "."
            if to == site or is_straight or is_diagonal:
                allowed.append(to)
        return allowed

    def mover(self) -> str:
        return "rogue" if self.turns and self.turns[-1] == "monster" else "monster"

    def here(self) -> Site:
        return self.monster if self.mover() == "monster" else self.rogue

    def monster_moves(self) -> int:
        return self.turns.count("monster")

    def move(self, to: Site) -> None:
        assert to in self.moves(self.here())
        mover = self.mover()
        if mover == "monster":
            self.monster = to
        else:
            self.rogue = to
        self.turns.append(mover)

    def end(self, limit: int) -> str:
        """How it ended, if the monster may make that many moves."""
        if self.monster == self.rogue:
            return "captured"
        return "evaded" if self.turns.count("rogue") == limit else ""

    def rows(self) -> list[str]:
        """The board as the transcript shows it."""
        rows = []
        for row in range(self.size):
            line = ""
            for col in range(self.size):
                glyph = self.sites.get((row, col), " ")
                glyph = "@" if (row, col) == self.rogue else "M" if (row, col) == self.monster else glyph
                line += ("*" if (row, col) == self.rogue == self.monster else glyph) + " "
            rows.append(line)
        return rows


def values(chase: Chase) -> tuple[dict[Position, int], dict[Position, int]]:
    """Monster moves until the capture, by (monster, rogue): the monster to move, and the rogue to move."""
    sites = list(chase.sites)
    tables = solve_pursuit([[sites.index(to) for to in chase.moves(site)] for site in sites])
    hunting, fleeing = ({(sites[m], sites[r]): moves for (r, m), moves in table.items()} for table in tables)
    return hunting, fleeing
