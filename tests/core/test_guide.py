"""Surroundings in words: how far each way is open, what lies near, the first step to the nearest."""

from collections.abc import Iterable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import FOUR_WAYS, Cell, Direction
from dungeon_tui.core.guide import MapGuide

NAMES = {"#": "wall", "$": "treasure", "M": "monster", ".": "", "o": ""}
KEYS = dict(zip(FOUR_WAYS, "wsad", strict=True))


class Around(MapGuide[dict[Cell, str]]):
    """A guide to tiles by cell; its actions are commands."""

    keys = KEYS
    names = {key: way.words for way, key in KEYS.items()}

    def here(self, state: dict[Cell, str]) -> Cell:
        return next(cell for cell, tile in state.items() if tile == "o")

    def name(self, state: dict[Cell, str], cell: Cell) -> str:
        return NAMES[state[cell]] if cell in state else "edge"

    def landmarks(self, state: dict[Cell, str]) -> Sequence[tuple[str, Cell]]:
        return [(tile, cell) for cell, tile in state.items() if tile in "$M"]

    def route(self, state: dict[Cell, str], cell: Cell) -> str | Sequence[str]:
        ways, queue = {self.here(state): ""}, [self.here(state)]
        for each in queue:
            for way, key in KEYS.items():
                if (beside := each.neighbour(way)) not in ways and state.get(beside, "#") != "#":
                    ways[beside] = ways[each] + key
                    queue.append(beside)
        return [*ways[cell]] if cell in ways else "No way leads there."

    def typed(self, state: dict[Cell, str], actions: Sequence[str]) -> str:
        return "".join(actions)

    def standing(self, state: dict[Cell, str]) -> str:
        return ""

    def hint(self, state: dict[Cell, str]) -> str:
        return ""

    def hunters(self, state: dict[Cell, str]) -> Sequence[str]:
        return ["monster: 2 up"]

    def deadly(self, state: dict[Cell, str]) -> Sequence[str]:
        return ["w", "d"]


GUIDE = Around()


def tiles(*rows: Iterable[str]) -> dict[Cell, str]:
    return {Cell(row, col): tile for row, line in enumerate(rows) for col, tile in enumerate(line)}


def test_looking_tells_how_far_each_way_is_open_and_what_is_near() -> None:
    said = GUIDE.look(tiles("$.#.", "#o..", "M..$"))
    assert said.startswith("Up: 1 open, then edge. Down: 1 open, then edge. Left: wall. Right: 2 open, then edge.")
    assert said.endswith("Treasure: 1 up, 1 left; monster: 1 down, 1 left; treasure: 1 down, 2 right.")


def test_the_nearest_is_reported_with_its_direction_and_the_first_step_to_it() -> None:
    around = tiles("$#..", "##o#", "$..#", "M###")
    assert GUIDE.near(around, "Treasure") == "Treasure: 1 down, 2 left; 3 steps, first down: s."
    assert GUIDE.near(around, "gold") == "You know of no gold. Ask for: monster, treasure."
    assert GUIDE.near(tiles("$#o"), "treasure") == "Treasure: 2 left. No way leads there."


def test_hunters_are_reported_with_the_moves_that_would_be_the_last() -> None:
    assert GUIDE.who({}) == "Monster: 2 up. Up and right are deadly now."


@given(st.lists(st.text(".#$", min_size=4, max_size=4), min_size=1, max_size=4), st.integers(0, 3))
def test_the_nearest_is_the_one_with_the_shortest_route(rows: list[str], col: int) -> None:
    rows[0] = f"{rows[0][:col]}o{rows[0][col + 1 :]}"
    around = tiles(*rows)
    routes = [GUIDE.route(around, cell) for _, cell in GUIDE.landmarks(around)]
    lengths = [len(route) for route in routes if not isinstance(route, str)]
    said = GUIDE.near(around, "treasure")
    assert (f"; {min(lengths)} step" in said) if lengths else ("step" not in said)


def test_eight_ways_count_the_longer_side() -> None:
    class Diagonal(Around):
        keys = {**KEYS, Direction.UP_LEFT: "y"}

    assert "Treasure: 2 down, 2 right; monster" in Diagonal().look(tiles("o..M", "....", "..$."))
