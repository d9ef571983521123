"""Tournaments: the same results in however many processes, beside exact values, and what stops them."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer

from dungeon_tui.games.chase import commands
from dungeon_tui.games.chase.ai import tournament
from dungeon_tui.games.chase.ai.strategies import MONSTERS, ROGUES
from dungeon_tui.games.chase.ai.tournament import Result, play_board, table_text
from dungeon_tui.games.chase.model.dungeon import read_boards, shipped_names
from tests import processes
from tests.games.chase.boards import DEAD_END, RING, TOO_LARGE, board
from tests.processes import call

DOCUMENT = Path(__file__).parents[3] / "docs" / "games" / "chase.md"
DEAD, ROUND, LARGE = (
    replace(board(*rows, moves=30), name=name)
    for name, rows in (("dead-end", DEAD_END), ("ring", RING), ("large", TOO_LARGE))
)

json_of = partial(processes.json_of, "chase", "tournament")


def test_all_meet_all_beside_the_exact_value() -> None:
    caught, evaded = (play_board(("greedy", "perfect"), ("flee", "perfect"), 0, None, level) for level in (DEAD, ROUND))
    pairs = [("greedy", "flee"), ("greedy", "perfect"), ("perfect", "flee"), ("perfect", "perfect")]
    assert [(each.monster, each.rogue) for each in caught] == pairs
    assert caught[-1] == Result("dead-end", 4, "captured", 3, "perfect", "perfect", "captured", 3, "monster", None)
    assert evaded[-1] == Result("ring", 8, "evades", None, "perfect", "perfect", "evaded", 30, None, None)
    assert table_text([caught, evaded], 30) == (
        "dead-end, 4 sites: captured in 3 moves\n"
        "  monster  flee  perfect\n"
        "  greedy   3     3\n"
        "  perfect  3     3\n"
        "\n"
        "ring, 8 sites: the rogue is safe forever\n"
        "  monster  flee    perfect\n"
        "  greedy   evaded  evaded\n"
        "  perfect  evaded  evaded\n"
        "\n"
        "Numbers: monster moves until the capture. Evaded: for 30 monster moves.\n"
    )


def test_forfeits_and_refusals_say_why(own: str) -> None:
    found = [play_board(("perfect", f"{own}:away"), ("flee",), 0, None, level) for level in (ROUND, LARGE)]
    evaded, forfeit, refused, _ = (result for results in found for result in results)
    assert [each.outcome for each in (evaded, forfeit, refused)] == ["evaded", "forfeit", "refused"]
    assert (forfeit.by, forfeit.monster_moves) == ("monster", 0)
    assert (refused.exact_outcome, refused.exact_monster_moves, refused.sites) == (None, None, 5184)
    text = table_text(found, 30)
    assert f"{own}:away against flee: forfeit by monster: {forfeit.reason}\n" in text
    assert f"perfect against flee: {refused.reason}\n" in text


def test_the_command_tells_the_same_in_one_process_and_in_two(dead_end: str, ring: str) -> None:
    names = (dead_end, ring, "--monster", "bfs,perfect", "--rogue", "flee", "--rogue", "perfect, random")
    one, two = (json_of(*names, "--moves", "40", "--jobs", jobs) for jobs in "12")
    assert one == two
    assert (one["moves"], one["seed"], len(one["games"])) == (40, 0, 12)
    assert [game["rogue"] for game in one["games"][:3]] == ["flee", "perfect", "random"]
    assert {game["reason"] for game in one["games"]} == {None}  # as `chase run` tells a chase without a forfeit


def test_ctrl_c_prints_the_boards_that_are_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], dead_end: str, ring: str
) -> None:
    def play(*arguments: Any) -> list[Result]:
        if arguments[-1].name == "ring":
            raise KeyboardInterrupt
        return play_board(*arguments)

    monkeypatch.setattr(tournament, "play_board", play)
    with pytest.raises(typer.Exit) as ended:
        commands.tournament([dead_end, ring], ["bfs"], ["flee"], jobs=1)
    assert ended.value.exit_code == 130
    assert "  bfs      " in capsys.readouterr().out


@pytest.mark.slow
def test_by_default_all_strategies_meet_on_all_shipped_boards() -> None:
    """As docs/games/chase.md shows it, without random players and dfs."""
    shown = [line.split() for line in DOCUMENT.read_text("utf-8").splitlines()]
    done = call("chase", "tournament")
    table = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    heads = [line.partition(",")[0] for line in table.splitlines() if " sites: " in line]
    assert tuple(heads) == shipped_names()
    monsters = [line.split()[0] for line in table.splitlines() if line.startswith("  ")]
    assert monsters == ["monster", *MONSTERS] * len(heads)
    rogues = [line.split()[1:] for line in table.splitlines() if line.startswith("  monster ")]
    assert rogues == [list(ROGUES)] * len(heads)
    for block in table.split("\n\n")[:-1]:
        head, _, _, *found = block.splitlines()
        name, sites, moves = re.fullmatch(r"(\S+), (\d+) sites: \D*(\d*)\D*", head).groups()
        cells = [cell.replace("evaded", "-") for line in found for cell in line.split()[2:5]]
        assert [name, sites, moves or "-", *cells] in shown, head


def test_boards_of_one_name_are_called_by_their_paths(ring: str, tmp_path: Path) -> None:
    other = tmp_path / "other" / "ring.txt"
    other.parent.mkdir()
    other.write_bytes(Path(ring).read_bytes())
    assert [level.name for level in read_boards([ring, "braid", str(other), ring], 9)] == [ring, "braid", str(other)]
