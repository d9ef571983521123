"""Whatever a strategy does, the chase gets a move or a forfeit, and no process is left behind."""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from threading import Thread

import numpy as np
import pytest

from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.text import printable
from dungeon_tui.games.chase.ai import dialogue
from dungeon_tui.games.chase.ai.player import Player, StrategyError
from dungeon_tui.games.chase.ai.referee import TIME_LIMIT, load_player, play
from dungeon_tui.games.chase.ai.strategies import MONSTERS, ROGUES
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.state import Forfeit, Move, Side, State, Status
from tests.games.chase.boards import OPEN, after, board, prepared, written
from tests.processes import assert_ended, marked

LEVEL = board(*OPEN)
START = rules.start(LEVEL)
LOWER_RIGHT = Direction.DOWN_RIGHT
PATIENCE = 30.0  # seconds; never waited for in full


def in_house(strategy: Callable[[State], object], time_limit: float = TIME_LIMIT) -> Player:
    return Player(Side.MONSTER, "own", time_limit, strategy)


def in_play(strategy: Callable[[State], object], time_limit: float = TIME_LIMIT) -> Player:
    """Already prepared."""
    return prepared(Side.MONSTER, strategy, LEVEL, time_limit)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Player]]:
    """Makes a player of the function `go` of some code; no process of it may outlive the test."""
    monkeypatch.setenv("DUNGEON_TUI_TEST", str(tmp_path))
    players: list[Player] = []

    def load(code: str, time_limit: float = PATIENCE, side: Side = Side.MONSTER) -> Player:
        file = written(tmp_path / "own.py", dedent(code))
        players.append(load_player(side, f"{file}:go", time_limit))
        return players[-1]

    yield load
    for player in players:
        player.close()
    for process in marked(str(tmp_path)):
        assert_ended(process)


def reason(player: Player, state: State = START) -> str:
    """Of the forfeit, which a recording keeps as it is."""
    action = player.choose(state)
    assert isinstance(action, Forfeit), action
    assert rules.read_action(rules.action_text(action)) == action
    assert printable(action.reason) == action.reason
    return action.reason


# Strategies of ours


@pytest.mark.parametrize("side", Side)
def test_a_name_of_the_table_is_a_player(side: Side) -> None:
    for name, strategy in (MONSTERS if side is Side.MONSTER else ROGUES).items():
        with load_player(side, name) as player:
            assert (player.name, player.side) == (name, side)
            player.prepare(LEVEL)
            state = START if side is Side.MONSTER else after(START, START.site)
            assert player.choose(state) == Move(strategy(state))


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("flee", "'flee'"),
        ("", "''"),
        (":go", "':go'"),
        ("\x1b[31m", r"'\x1b[31m'"),
        ("own.py", "own.py: "),
        ("own.py:", "own.py:: "),
        ("none/own.py:go", "none/own.py: "),
        (".:go", ".: "),
    ],
)
def test_a_name_that_is_none_is_refused_in_one_line(name: str, named: str) -> None:
    with pytest.raises(StrategyError) as caught:
        load_player(Side.MONSTER, name)
    assert str(caught.value).startswith((named, f"there is no monster {named}: "))
    assert printable(str(caught.value)) == str(caught.value)


def spend(_: State) -> None:
    """Takes 0.02 s of this thread's own time."""
    start = time.thread_time()
    while time.thread_time() < start + 0.02:
        pass


def test_what_is_no_move_no_site_or_an_exception_is_a_forfeit() -> None:
    def fail(_: State) -> Cell:
        raise KeyError("no\x1b[31m way\nat all")

    assert "to (9, 9)" in reason(in_play(lambda _: Cell(9, 9)))
    assert "to (-1, 0)" in reason(in_play(lambda _: Cell(-1, 0)))
    odd = type("T", (), {"__repr__": lambda self: 1 / 0})()
    for answer in ("abc", "ab", None, 3, (1,), (1, 2, 3), (0.0, 1.0), {0, 1}, (0, 10**5000), odd, iter((0, 0))):
        assert reason(in_play(lambda _, answer=answer: answer)).startswith("returned ")
    for answer in ((1, 1), [1, 1], np.array([1, 1]), np.array([1, 1], np.uint8), START.site.neighbour(LOWER_RIGHT)):
        assert in_play(lambda _, answer=answer: answer).choose(START) == Move(Cell(1, 1))
    assert r"KeyError: 'no\x1b[31m way\nat all'" in reason(in_play(fail))


def test_thinking_is_counted_but_neither_waiting_nor_preparing() -> None:
    def think(state: State) -> Cell:
        spend(state)
        return state.site

    def wait(state: State) -> Cell:
        time.sleep(0.02)
        return state.site

    def prepare(state: State) -> Cell:
        calls.append(spend(state) if not calls else None)
        return state.site

    calls: list[None] = []
    assert "0.01 s" in reason(in_play(think, time_limit=0.01))
    assert in_play(wait, time_limit=0.01).choose(START) == Move(START.site)
    assert in_house(prepare, time_limit=0.01).choose(START) == Move(START.site)
    assert len(calls) == 2


def test_too_little_memory_is_reported() -> None:
    def swallow(_: State) -> Cell:
        raise MemoryError

    with pytest.raises(StrategyError, match=r"^own .* memory$"):
        in_house(swallow).prepare(LEVEL)


# Whole chases


def test_a_chase_is_played_to_its_end_or_to_a_forfeit() -> None:
    with load_player(Side.MONSTER, "bfs") as monster, load_player(Side.ROGUE, "flee") as rogue:
        controller = play(LEVEL, monster, rogue, seed=7)
        assert controller.seed == controller.state.seed == 7
        assert (controller.state.status, controller.state.by) == (Status.CAPTURED, Side.MONSTER)
        state = play(LEVEL, in_house(lambda _: Cell(9, 9)), rogue).state
        assert (state.status, state.by) == (Status.FORFEIT, Side.MONSTER)


# Strategies of the user's


def test_it_sees_the_same_state_and_the_level_only_once(own: Callable[..., Player]) -> None:
    code = """
    from functools import lru_cache
    from dungeon_tui.core.fingerprints import fingerprint
    from dungeon_tui.games.chase.ai.solver import best_moves
    from dungeon_tui.games.chase.model.state import State

    @lru_cache
    def number(level):
        return number.cache_info().misses

    def go(state):
        assert type(state) is State
        assert not state.level.tiles.flags.writeable
        raise ValueError(f"{fingerprint(state)} {state.level.moves} {number(state.level)}, {best_moves(state)}")
    """
    player = own(code)
    other = rules.start(board(*OPEN, moves=77), seed=2**63)
    for state, number in ((START, 1), (after(START, (1, 1)), 1), (other, 2), (rules.start(LEVEL, seed=5), 3)):
        assert f"{fingerprint(state)} {state.level.moves} {number}, [Cell(" in reason(player, state)


def test_whatever_comes_back_or_is_raised_is_a_forfeit(own: Callable[..., Player]) -> None:
    table = {
        "return lambda: 0": "returned <function go.<locals>.<lambda> at ",
        "return 0.5, 'x' * 1000": "returned (0.5, 'xxx",
        "raise ValueError('no\\nway')": "raised ValueError: no way (own.py:",
        "raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})": "raised E (own.py:",
        "raise KeyboardInterrupt": "raised KeyboardInterrupt (own.py:",
        "sys.exit(3)": "raised SystemExit: 3 (own.py:",
        "input()": "raised EOFError: EOF when reading a line (own.py:",
        "return go(state)": "raised RecursionError: ",
    }
    branches = "".join(f"    if state.seed == {number}:\n        {body}\n" for number, body in enumerate(table))
    player = own(f"import sys\ndef go(state):\n{branches}")
    for number, words in enumerate(table.values()):
        text = reason(player, rules.start(LEVEL, seed=number))
        assert text.startswith(words)
        assert len(text) < 300


def test_what_it_prints_goes_to_standard_error(own: Callable[..., Player], capfd: pytest.CaptureFixture[str]) -> None:
    code = """
    import os, subprocess, sys
    print("loading é")
    def go(state):
        print("printed")
        print("complained", file=sys.stderr)
        os.write(1, b"written\\xff\\n")
        subprocess.run([sys.executable, "-c", "print('by a child')"])
        sys.stdout.write("x" * 3_000_000)
        return state.site
    """
    player = own(code)
    assert player.choose(START) == Move(START.site)
    player.close()
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("x") >= 3_000_000
    for words in ("loading é\n", "printed\n", "complained\n", "written\\xff\n", "by a child\n"):
        assert words in err


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def go(state:\n    pass", "raised SyntaxError: '(' was never closed (own.py:1)"),
        ("x = 1\ny = x / 0", "raised ZeroDivisionError: division by zero (own.py:2)"),
        ("def f():\n    return z\ndef g():\n    f()\n\ng()", "raised NameError: name 'z' is not defined (own.py:2)"),
        ("import json\njson.loads('')", "raised JSONDecodeError: Expecting value: line 1 column 1 (char 0) (own.py:2)"),
        ("import none_of_that_name", "raised ModuleNotFoundError: No module named 'none_of_that_name' (own.py:1)"),
        ("import sys\nsys.exit()", "raised SystemExit (own.py:2)"),
        ("import os\nos._exit(4)", "ended with status 4"),
        ("x = '\0'", "raised "),
        ("def went(state): ...", "has no function 'go'"),
        ("go = 3", "has no function 'go'"),
    ],
)  # fmt: skip
def test_a_file_that_can_not_be_loaded_is_refused(own: Callable[..., Player], code: str, words: str) -> None:
    with pytest.raises(StrategyError) as caught:
        own(code)
    file, _, what = str(caught.value).partition(".py: ")
    assert file.endswith("own")
    assert what.startswith(words)


def test_loading_for_ever_is_refused_too(own: Callable[..., Player], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogue, "START_LIMIT_OF_OURS_S", 0.5)
    with pytest.raises(StrategyError, match=r"own\.py: took longer than 0\.5 s"):
        own("while True: pass")


def test_files_beside_it_can_be_imported(own: Callable[..., Player], tmp_path: Path) -> None:
    (tmp_path / "beside_own.py").write_text("def site(state): return state.site\n")
    code = """
    from dataclasses import dataclass
    from beside_own import site

    @dataclass
    class Plan:
        "Looks for its module by name."
        site: tuple

    def go(state):
        return Plan(site(state)).site
    """
    assert own(code).choose(START) == Move(START.site)


def test_it_can_answer_in_a_thread_and_be_closed_from_another(own: Callable[..., Player]) -> None:
    player = own("import time\ndef go(state):\n    print('asked', flush=True)\n    time.sleep(1000)\n")
    player.prepare(LEVEL)
    answers: list[object] = []
    thread = Thread(target=lambda: answers.append(player.choose(START)))
    thread.start()
    player.close()
    thread.join(PATIENCE)
    assert len(answers) == 1
    assert isinstance(answers[0], Forfeit)


def test_ctrl_c_while_it_thinks_ends_it(own: Callable[..., Player]) -> None:
    player = own("import time\ndef go(state): time.sleep(1000)\n")
    player.prepare(LEVEL)
    kept = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(KeyboardInterrupt):
            player.choose(START)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, kept)


def test_a_thought_that_was_given_up_takes_no_time_from_the_next_one(own: Callable[..., Player]) -> None:
    """After an undo the same player is asked anew while it still thinks; each answer goes to its own question."""
    player = own("import time\n\ndef go(state):\n    time.sleep(0.6)\n    return state.monster\n", time_limit=1.0)
    player.prepare(LEVEL)
    states = [START, after(START, (0, 1), (3, 2))]
    answers: dict[int, object] = {}
    threads = [Thread(target=lambda n=n: answers.update({n: player.choose(states[n])})) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert answers == {0: Move(START.monster), 1: Move(Cell(0, 1))}
