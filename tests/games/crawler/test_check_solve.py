"""`crawler check --solve`: words, JSON, what time leaves open, and wrong usage."""

import json
from pathlib import Path

from tests.processes import call
from tests.ui.driving import level_text


def written(path: Path, *rows: str) -> str:
    path.write_text(level_text(*rows))
    return str(path)


def test_what_levels_are_worth_as_json(tmp_path: Path) -> None:
    good, bad = written(tmp_path / "good.txt", "--o-M-$!", "?-------"), tmp_path / "bad.txt"
    bad.write_text("1 1\n0 0\nx\n")
    done = call("crawler", "check", "--solve", "--json", good, str(bad))
    first, second = json.loads(done.stdout)["files"]
    assert set(first) == set(second) == {"file", "ok", "errors", "warnings", "solved"}
    assert first["solved"] == {
        "max_doublings": 2,
        "can_be_won": True,
        "needs_treasure_brought": False,
        "with_treasure_brought": None,
        "moves": 3,
        "lower_bound": 3,
        "commands": first["solved"]["commands"],
        "most_treasure": 0,
        "treasure_known": 0,
        "amulet_needed": False,
        "shortest_solutions": 3,
        "shortest_solutions_counted_to": 1_000_000,
        "monsters": 1,
        "monsters_that_matter": [],
        "proven": dict.fromkeys(first["solved"]["proven"], True),
    }
    assert sorted(first["solved"]["commands"]) == ["a", "a", "s"]
    assert second["solved"] is None
    assert done.returncode == 1
