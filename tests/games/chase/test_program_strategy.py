"""Programs that play by lines of text: their answers, however they are spelt, their faults, their plans."""

import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import indent

import pytest

from dungeon_tui.core.files import VISITOR
from dungeon_tui.core.grid import Cell
from dungeon_tui.games.chase.ai.dialogue import Dialogue
from dungeon_tui.games.chase.ai.player import StrategyError
from dungeon_tui.games.chase.ai.program_strategy import ProgramStrategy
from dungeon_tui.games.chase.ai.referee import load_player
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Forfeit, Move, Side
from dungeon_tui.judge.program import TALK, ProgramError
from dungeon_tui.ui.palette import Tint
from tests.games.chase.boards import OPEN, RING, after, board
from tests.processes import PATIENCE, json_of, printed, refused
from tests.ui.driving import do, opened, sees, tinted, wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no limits to hold a program in")
LEVEL = board(*OPEN, moves=50)
START = rules.start(LEVEL)

PROGRAM = """
import os, sys, time
seen = []
for line in sys.stdin:
    seen.append(line.rstrip("\\n"))
    word, *rest = line.split() or [""]
    if word == "protocol":
        print({greeting!r}, flush=True)
    elif word == "board":
        seen += [next(sys.stdin).rstrip("\\n") for _ in range(int(rest[0]))]
        print("ready", flush=True)
    elif word == "position":
        row, col = rest[2:4] if rest[0] == "monster" else rest[4:6]
{body}
        sys.stdout.flush()
"""


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., str]:
    """Writes a program that answers each position by some code, and returns its command."""

    def write(body: str = 'print("move", row, col)', greeting: str = "protocol chase 1") -> str:
        file = tmp_path / "own program.py"
        file.write_text(PROGRAM.format(greeting=greeting, body=indent(body, " " * 8)), "utf-8")
        return shlex.join([sys.executable, str(file)])

    return write


@pytest.fixture
def player(command: Callable[..., str]) -> Iterator[Callable[..., ProgramStrategy]]:
    players: list[ProgramStrategy] = []

    def load(body: str, time_limit: float = PATIENCE, side: Side = Side.MONSTER) -> ProgramStrategy:
        players.append(ProgramStrategy(side, "own", time_limit, command(body)))
        return players[-1]

    yield load
    for each in players:
        each.close()


def reason(player: ProgramStrategy) -> str:
    action = player.choose(START)
    assert isinstance(action, Forfeit), action
    return action.reason


@pytest.mark.parametrize(
    "answer",
    ["move 1 1", "  MOVE (1, 1)  ", "\n\nMove\t1,1\r", "hello\nname x\ninfo text y\ninfo\ninfo plan 1\nmove 1 1"],
)
def test_an_answer_is_read_however_it_is_spelt(player: Callable[..., ProgramStrategy], answer: str) -> None:
    assert player(f"print({answer!r})").choose(START) == Move(Cell(1, 1))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("print('move 9 9')", "moved from (0, 0) to (9, 9), which is illegal: that is more than one step"),
        ("print('move 1')", "sent no site: "),
        ("print('move up')", "sent no site: "),
        ("print('error out of ideas')", "said: out of ideas"),
        ("1 / 0", "ended with status 1: ZeroDivisionError: division by zero"),
        ("sys.exit()", "has ended"),
        ("print('thinking...')\nsys.stdout.flush()\ntime.sleep(1000)",
         "took longer than 0.5 s; printed 'thinking...', which is not in the protocol"),
        ("while True: print('x' * 1000)", "printed more than 16 MB; printed 'xxx"),
    ],
)  # fmt: skip
def test_whatever_goes_wrong_is_a_forfeit_and_it_is_started_anew(
    player: Callable[..., ProgramStrategy], body: str, words: str
) -> None:
    own = player(body, 0.5 if "longer" in words else PATIENCE)
    for _ in range(2):
        assert reason(own).startswith(words)


def test_one_program_plays_both_sides_on_several_boards_and_the_talk_is_stored(
    command: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TALK, str(tmp_path / "talk"))
    other = rules.start(board(*RING), seed=7)
    with Dialogue(command("print('move', row, col); sys.stderr.write('noted\\x1b\\n')")) as dialogue:
        for state in (START, after(START, (1, 1)), other, after(other, (0, 0))):
            assert dialogue.ask(state, PATIENCE)[0] == state.site
    lines = (tmp_path / "talk").read_text("utf-8").splitlines()
    assert [line[2:] for line in lines if line[0] == ">"] == [
        "protocol chase 1", "board 4 50", "M . . .", ". . . .", ". . . .", ". . . @", "position monster 0 0 0 3 3",
        "position rogue 1 1 1 3 3",
        "board 3 2000", "M + +", "+   +", "+ + @", "seed 7", "position monster 0 0 0 2 2",
        "position rogue 1 0 0 2 2",
        "quit",
    ]  # fmt: skip
    assert [line[2:] for line in lines if line[0] == "<"] == [
        "protocol chase 1", "ready", "move 0 0", "move 3 3", "ready", "move 0 0", "move 2 2"
    ]  # fmt: skip
    assert r"! noted\x1b" in lines
    monkeypatch.setenv(TALK, str(tmp_path))
    with pytest.raises(ProgramError, match="DUNGEON_TUI_TALK, can't be written: "):
        Dialogue(command())


def test_an_early_line_answers_nothing(player: Callable[..., ProgramStrategy]) -> None:
    own = player("print('move', row, col, '\\nmove 9 9')")
    for state in (START, after(START, START.site, START.rogue)):
        assert own.choose(state) == Move(START.site)


@pytest.mark.parametrize(
    ("greeting", "words"),
    [
        ("protocol chase 2", "speaks protocol chase 2, not chase 1"),
        ("protocol", "speaks protocol none, not chase 1"),
        ("error no licence", "said: no licence"),
    ],
)
def test_who_does_not_greet_is_refused(command: Callable[..., str], greeting: str, words: str) -> None:
    with pytest.raises(ProgramError, match=words):
        Dialogue(command(greeting=greeting))


@pytest.mark.slow
def test_the_clock_of_the_start_is_another_than_that_of_a_move(command: Callable[..., str]) -> None:
    slow = f"sh -c 'sleep 1; exec \"$@\"' - {command()}"
    with ProgramStrategy(Side.MONSTER, "own", 0.9, slow) as own:
        assert own.choose(START) == Move(START.site)


def test_its_plan_and_what_it_believes_safe_are_reported(player: Callable[..., ProgramStrategy]) -> None:
    own = player("print('info plan 0 1 0 2 9 9\\ninfo safe 3 3\\nmove 0 1')")
    plan = own.plan(after(START, (0, 0)))  # whosever turn it is
    assert (plan.way, plan.sites) == ((Cell(0, 1), Cell(0, 2)), (Cell(3, 3),))
    with pytest.raises(ValueError, match="own has no plan"):
        player("print('move', row, col)").plan(START)


def test_a_command_plays_in_run_and_tournament(command: Callable[..., str]) -> None:
    own = command()
    assert json_of("chase", "run", "three-short-ways", "--rogue", own)["outcome"] == "captured"
    (game,) = json_of("chase", "tournament", "three-short-ways", "--monster", "bfs", "--rogue", own)["games"]
    assert (game["rogue"], game["outcome"]) == (own, "captured")
    assert "Forfeit by rogue: said: no\n" in printed(
        "chase", "play", "three-short-ways", "--plain", "--monster", "bfs", "--rogue", command("print('error no')")
    )


def test_a_name_of_the_settings_stands_for_a_command(command: Callable[..., str], home: Path) -> None:
    home.mkdir(parents=True)
    (home / "settings.toml").write_text(f"[programs]\nmine = '''{command()}'''\n", "utf-8")
    assert json_of("chase", "run", "three-short-ways", "--rogue", "@mine")["outcome"] == "captured"
    assert refused("chase", "run", "three-short-ways", "--rogue", "@yours") == (
        "the settings have no program @yours in their table [programs]: @mine\n"
    )


async def test_the_app_offers_it_and_shows_its_plan(command: Callable[..., str], home: Path) -> None:
    home.mkdir(parents=True)
    own = command("print('info safe 0 2\\ninfo plan 0 2\\nmove', row, col)")
    (home / "settings.toml").write_text(f"[programs]\nmine = '''{own}'''\n", "utf-8")
    async with opened("chase", board(*RING), players={"rogue": "@mine"}) as (pilot, screen):
        await pilot.press("s")
        await wait_until(pilot, lambda: screen.controller.turn.ply == 2)
        await do(pilot, "plan", "plan")  # it asks first
        await wait_until(pilot, lambda: tinted(screen, Tint.SAFE) | tinted(screen, Tint.PATH) == {(0, 2)})
        await pilot.press("m")
        await sees(pilot, "@mine")


def test_visitors_run_nothing(command: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VISITOR, "1")
    for name in (command(), "@mine", "own.py:go"):
        with pytest.raises(StrategyError, match="visitors can play against"):
            load_player(Side.ROGUE, name)
    load_player(Side.ROGUE, "flee").close()


def test_what_is_no_program_is_refused_in_one_line(tmp_path: Path) -> None:
    for name in ("none-of-that-name x", "./none", "'open", "false"):
        with pytest.raises(StrategyError, match="there is no rogue "):
            load_player(Side.ROGUE, name)
    assert "ended with status 1" in refused("chase", "run", "three-short-ways", "--rogue", "false now")
