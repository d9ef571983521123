"""A slow, obvious twin of the field of view: fractions and recursion, a wedge at a time."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

HALF = Fraction(1, 2)


def field_of_view(
    transparent: Sequence[Sequence[bool]], origin: tuple[int, int], radius: int | None = None
) -> set[tuple[int, int]]:
    """The cells in view: those whose column is scanned in one of the four wedges."""
    height, width = len(transparent), len(transparent[0])
    seen = {origin}

    def scan(axis: tuple[int, int], side: tuple[int, int], depth: int, start: Fraction, end: Fraction) -> None:
        """Scans the row at this depth between two slopes, and what lies behind its gaps."""
        places = range(floor(depth * start + HALF), ceil(depth * end - HALF) + 1)
        was_floor: bool | None = None
        for place in places:
            row = origin[0] + depth * axis[0] + place * side[0]
            col = origin[1] + depth * axis[1] + place * side[1]
            is_on_grid = 0 <= row < height and 0 <= col < width
            is_floor = is_on_grid and transparent[row][col]
            is_near = radius is None or depth**2 + place**2 <= radius**2
            if is_on_grid and is_near and (not is_floor or depth * start <= place <= depth * end):
                seen.add((row, col))
            edge = Fraction(2 * place - 1, 2 * depth)
            if was_floor is False and is_floor:
                start = edge
            if was_floor and not is_floor:
                scan(axis, side, depth + 1, start, edge)
            was_floor = is_floor
        if was_floor:
            scan(axis, side, depth + 1, start, end)

    for axis, side in (((-1, 0), (0, 1)), ((1, 0), (0, 1)), ((0, -1), (1, 0)), ((0, 1), (1, 0))):
        scan(axis, side, 1, Fraction(-1), Fraction(1))
    return seen
