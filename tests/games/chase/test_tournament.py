"""Tournaments: the same results in whatever order they come, beside exact values, and what stops them."""

import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.games.chase.ai import tournament
from dungeon_tui.games.chase.ai.strategies import MONSTERS, ROGUES
from dungeon_tui.games.chase.ai.tournament import Result, Tournament, play_game
from dungeon_tui.games.chase.model.dungeon import shipped_names
from dungeon_tui.games.chase.view.standings import table_text
from tests import processes
from tests.games.chase.boards import DEAD_END, RING, TOO_LARGE, board, written
from tests.processes import PATIENCE, call, command, environment, read_until
from tests.wording import numbers

DOCUMENT = Path(__file__).parents[3] / "docs" / "games" / "chase.md"
SHORT = ("--monster", "bfs", "--rogue", "flee", "--moves", "5", "--jobs", "1")
BOARDS = tuple(
    replace(board(*rows, moves=30), name=name)
    for name, rows in (("dead-end", DEAD_END), ("ring", RING), ("large", TOO_LARGE))
)
HERE = Tournament(BOARDS[:2], ("greedy", "perfect"), ("flee", "perfect"))

json_of = partial(processes.json_of, "chase", "tournament")


@pytest.fixture
def files(dead_end: str, ring: str) -> list[str]:
    return [dead_end, ring]


def test_all_meet_all_board_after_board() -> None:
    games = HERE.games()
    assert [(game.name, game.monster, game.rogue) for game in games] == [
        (board, monster, rogue)
        for board in ("dead-end", "ring")
        for monster in ("greedy", "perfect")
        for rogue in ("flee", "perfect")
    ]
    assert {(game.moves, game.seed) for game in games} == {(30, 0)}


def test_a_game_is_reported_beside_the_exact_value() -> None:
    caught, evaded = (play_game(game) for game in HERE.games() if (game.monster, game.rogue) == ("perfect", "perfect"))
    assert caught == Result("dead-end", 4, "captured", 3, "perfect", "perfect", "captured", 3, "monster", None)
    assert evaded == Result("ring", 8, "evades", None, "perfect", "perfect", "evaded", 30, None, None)


def test_forfeits_and_refusals_say_why(own: str) -> None:
    chosen = Tournament(BOARDS[1:], ("perfect", f"{own}:away"), ("flee",))
    found = {number: play_game(game) for number, game in enumerate(chosen.games())}
    assert [result.outcome for result in found.values()] == ["evaded", "forfeit", "refused", "forfeit"]
    assert (found[1].by, found[1].monster_moves) == ("monster", 0)
    assert (found[2].exact_outcome, found[2].exact_monster_moves, found[2].sites) == (None, None, 5184)
    assert "5184 sites" in f"{found[2].reason}"
    text = table_text(chosen, found)
    assert f"{own}:away against flee: forfeit by monster: {found[1].reason}\n" in text
    assert f"perfect against flee: {found[2].reason}\n" in text


def test_the_table_shows_what_was_played_and_what_was_not() -> None:
    found = {number: play_game(game) for number, game in enumerate(HERE.games()) if number != 1}
    assert table_text(HERE, found) == (
        "dead-end, 4 sites: captured in 3 monster moves\n"
        "  monster  flee  perfect\n"
        "  greedy   3     -\n"
        "  perfect  3     3\n"
        "\n"
        "ring, 8 sites: the rogue is safe forever\n"
        "  monster  flee    perfect\n"
        "  greedy   evaded  evaded\n"
        "  perfect  evaded  evaded\n"
        "\n"
        "Numbers: monster moves until the capture. Evaded: for 30 monster moves.\n"
    )
    assert "dead-end\n  monster  flee  perfect\n  greedy   -     -\n" in table_text(HERE, {})


@pytest.mark.slow
def test_processes_give_the_results_of_this_one_whoever_is_first() -> None:
    games = HERE.games()
    alone = {number: play_game(game) for number, game in enumerate(games)}
    for jobs in (1, 3):
        assert dict(tournament.results(games, jobs)) == alone


def test_the_command_tells_the_same_as_json_csv_and_table(files: list[str], tmp_path: Path) -> None:
    names = ("--monster", "bfs,perfect", "--rogue", "flee", "--rogue", "perfect, random", "--moves", "40")
    names += ("--jobs", "1")
    values = json_of(*files, *names)
    assert (values["moves"], values["seed"], len(values["games"])) == (40, 0, 12)
    assert [game["rogue"] for game in values["games"][:3]] == ["flee", "perfect", "random"]
    assert {game["reason"] for game in values["games"]} == {None}  # as `chase run` tells a chase without a forfeit
    path = tmp_path / "results.csv"
    table = call("chase", "tournament", *files, *names, "--csv", str(path)).stdout.decode()
    assert path.read_bytes() == call("chase", "tournament", *files, *names, "--csv", "-").stdout
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert rows == [
        {key: "" if value is None else str(value) for key, value in game.items()} for game in values["games"]
    ]
    assert list(rows[0]) == [field.name for field in fields(Result)]
    assert "\n  monster  flee  perfect  random\n" in table
    assert table.endswith(" 40 monster moves.\n")


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


class Running:
    """`dungeon-tui chase tournament` on a terminal, where all its processes hear Ctrl-C; the bar is there, too."""

    def __init__(self, *arguments: str) -> None:
        self.master, self.slave = pty.openpty()
        self.player = subprocess.Popen(
            command("chase", "tournament", *arguments, "--moves", "9999"),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.slave,
            env=environment(TERM="xterm", COLUMNS="80"), start_new_session=True,
        )  # fmt: skip

    def interrupted_at(self, bar: bytes, last: bytes) -> list[str]:
        """Ctrl-C once the bar stands somewhere: the lines on standard output. No traceback comes before `last`."""
        read_until(self.master, bar)
        os.killpg(self.player.pid, signal.SIGINT)
        out, _ = self.player.communicate(timeout=PATIENCE)
        assert self.player.returncode == 130
        os.write(self.slave, b"That is all.")
        assert b"Traceback" not in read_until(self.master, last)
        for descriptor in (self.master, self.slave):
            os.close(descriptor)
        return out.decode().splitlines()


@pytest.mark.slow
def test_ctrl_c_shows_what_was_played(own: str, ring: str) -> None:
    names = ("--monster", f"bfs,{own}:slow", "--rogue", "perfect", "--jobs", "2")
    lines = Running(ring, *names).interrupted_at(b"1/2", b"Stopped: 1 of 2 chases were played.")
    assert (lines[0].partition(",")[0], numbers(lines[0])) == ("ring", [8])
    assert [line.split()[-1] for line in lines[1:4]] == ["perfect", "evaded", "-"]


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (["a/x.txt", "b/y.txt", "-"], ["x", "y", "standard input"]),
        (["a/x.txt", "a/x.board"], ["x.txt", "x.board"]),
        (["x.txt", "a/x.txt", "b/a/x.txt"], ["x.txt", "a/x.txt", "b/a/x.txt"]),
        (["/b/a/x.txt", "c/a/x.txt"], ["b/a/x.txt", "c/a/x.txt"]),
        (["x.txt", "./x.txt"], ["x.txt", "./x.txt"]),
        (["x", "./x.txt"], ["x", "x.txt"]),
        (["a\x1b.txt"], ["a\\x1b"]),
    ],
)
def test_boards_are_called_by_as_much_as_tells_them_apart(names: list[str], labels: list[str]) -> None:
    assert tournament.labels(names) == labels


@given(st.lists(st.text("ab./", min_size=1, max_size=7), unique=True, max_size=6))
def test_no_two_boards_are_called_the_same(names: list[str]) -> None:
    assert len(set(tournament.labels(names))) == len(names)


def test_boards_that_can_not_be_read_are_left_out_and_reported(files: list[str], tmp_path: Path) -> None:
    bad = written(tmp_path / "bad.txt", "2\n.@\nM\n")
    boards = (files[0], bad, "nowhere", files[1])
    done = call("chase", "tournament", *boards, *SHORT, "--json")
    wrong = done.stderr.decode().splitlines()
    assert (done.returncode, len(wrong)) == (1, 2)
    assert wrong[0].startswith(f"{bad}:2:2: ")
    assert wrong[1].startswith("nowhere:1:1: ")
    values = json.loads(done.stdout)
    assert [game["board"] for game in values["games"]] == ["dead-end", "ring"]
    assert (values["unread"], values["interrupted"]) == (wrong, False)
    table = call("chase", "tournament", *boards, *SHORT).stdout.decode()
    assert [line.partition(": ")[2] for line in table.splitlines() if line.startswith("Not played")] == wrong
    nothing = call("chase", "tournament", bad, "nowhere", *SHORT)
    assert (nothing.returncode, nothing.stdout, nothing.stderr.decode().splitlines()) == (1, b"", wrong)
