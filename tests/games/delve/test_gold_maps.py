"""Distance maps on files of every layout, by the slow twin, from bytes that a writer of our own wrote."""

import json
from pathlib import Path

import pytest

from dungeon_tui.engine import UNREACHED, WEIGHTS
from tests import naive_distance as naive
from tests.games.delve.crooked import LAYOUTS, build, rock
from tests.processes import call

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
CASES = [*((layout, "ranges") for layout in LAYOUTS), ("S2016", "div60"), ("S2019", "div85")]
ROW, COL = 12, 41  # in a room

Map = list[list[int]]


def by_twin(rows: list[bytearray], weights: str) -> dict[str, Map]:
    """The walkers' and the tunnellers' map."""
    hardness = [list(row) for row in rows]
    passable = [[cell == 0 for cell in row] for row in hardness]
    table = WEIGHTS[weights].tolist()
    return {
        "walking": naive.distance_map(passable, [(ROW, COL)]),
        "tunnelling": naive.tunnelling_distance_map(hardness, [(ROW, COL)], table),
    }


@pytest.mark.parametrize(("layout", "weights"), CASES)
def test_distances_and_letters_are_those_of_the_slow_twin(layout: str, weights: str, tmp_path: Path) -> None:
    rows = rock(105, 160) if layout == "S2017" else rock()
    twins = by_twin(rows, weights)
    file = tmp_path / "course.rlg327"
    file.write_bytes(build(layout))
    options = (str(file), "--at", f"{ROW},{COL}")

    for kind in twins:
        more = ("--tunnelling", "--weights", weights) if kind == "tunnelling" else ()
        told = json.loads(call("delve", "distances", *options, *more, "--json").stdout)["distances"]
        assert [[UNREACHED if steps is None else steps for steps in row] for row in told] == twins[kind]

    shown = call("delve", "show", *options, "--weights", weights).stdout.decode().splitlines()
    for number, twin in enumerate(twins.values(), 1):
        for row in range(len(rows)):
            for col in range(len(rows[0])):
                if twin[row][col] < len(LETTERS) and (row, col) != (ROW, COL):
                    assert shown[number * len(rows) + row][col] == LETTERS[twin[row][col]]
