"""The plain transcript, character for character, and a person at the keyboard."""

import io
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from dungeon_tui.core.grid import Cell, Direction
from dungeon_tui.core.plain import FAREWELL, Console
from dungeon_tui.core.turns import TurnController
from dungeon_tui.games.chase.ai.player import Player
from dungeon_tui.games.chase.ai.strategies import STRATEGIES
from dungeon_tui.games.chase.model import rules
from dungeon_tui.games.chase.model.level import Level
from dungeon_tui.games.chase.model.state import Action, Forfeit, Move, Side, State
from dungeon_tui.games.chase.model.tasks import listed
from dungeon_tui.games.chase.view import transcript
from dungeon_tui.ui.play.moves import DIAGONAL_STEP_KEYS, STAY_KEY, STEP_KEYS
from tests.games.chase.boards import board, board_rows, prepared, twin_of

SMALL = board("M .", "+.@", " ..")


def run_text(level: Level, *actions: Action | tuple[int, int]) -> str:
    controller: transcript.Game = TurnController(rules, level)
    for action in actions:
        controller.apply(Move(Cell(*action)) if isinstance(action, tuple) else action)
    return transcript.run_text(controller.turn.line())


def lines(*rows: str) -> str:
    """Text whose lines are written with a stroke at the end, so that their blanks can be seen."""
    assert all(row.endswith("|") for row in rows)
    return "".join(f"{row[:-1]}\n" for row in rows)


def test_forfeits_show_no_board() -> None:
    assert run_text(SMALL, Forfeit("it slept")) == "Move 1\n\nForfeit by monster: it slept\n"
    shown = lines("M   . |", "+ . @ |", "  . . |", "|")
    assert run_text(SMALL, (0, 0), Forfeit("it fled")) == f"Move 1\n\n{shown}Forfeit by rogue: it fled\n"


@given(board_rows(), st.integers(1, 5), st.lists(st.integers(0, 8), max_size=12))
def test_the_transcript_is_that_of_the_slow_twin(rows: tuple[str, ...], limit: int, choices: list[int]) -> None:
    controller: transcript.Game = TurnController(rules, board(*rows, moves=limit))
    twin = twin_of(rows)
    expected = "Move 1\n\n"
    for choice in choices:
        legal = rules.legal_actions(controller.state)
        action = legal[choice % len(legal)]
        controller.apply(action)
        twin.move((action.to.row, action.to.col))
        expected += "".join(f"{row}\n" for row in twin.rows()) + "\n"
        ended = twin.end(limit)
        if ended:
            expected += "Caught by monster\n" if ended == "captured" else f"Evaded for {limit} moves\n"
            break
        if twin.mover() == "monster":
            expected += f"Move {twin.monster_moves() + 1}\n\n"
    assert transcript.run_text(controller.turn.line()) == expected


def fixed(*sites: tuple[int, int]) -> Callable[[State], Cell]:
    """Goes where it was told to, move after move, then stays."""
    left = list(sites)
    return lambda state: Cell(*left.pop(0)) if left else state.site


def played(
    typed: str, monster: Callable[[State], Cell] | None, rogue: Callable[[State], Cell] | None, level: Level = SMALL
) -> tuple[int, transcript.Game, str]:
    """Plays a chase; None is the person who types."""
    out = io.StringIO()
    seats: dict[Side, Player | None] = {Side.MONSTER: None, Side.ROGUE: None}
    for side, strategy in zip(Side, (monster, rogue), strict=True):
        if strategy is not None:
            seats[side] = prepared(side, strategy, level)
    end = transcript.play(level, seats, 3, Console(io.StringIO(typed), out))
    assert end.controller is not None
    return end.exit_status, end.controller, out.getvalue()


PROMPT = {side: f"{prompt}\n" for side, prompt in transcript.PROMPTS.items()}


def test_where_strategies_play_alone_it_is_the_transcript_of_a_run() -> None:
    status, controller, text = played("", fixed((1, 0), (1, 1), (1, 2)), fixed())
    assert (status, controller.seed) == (0, 3)
    assert controller.outcome is not None
    assert text == run_text(SMALL, (1, 0), (1, 2), (1, 1), (1, 2), (1, 2))


def test_a_person_plays_the_rogue() -> None:
    status, controller, text = played("w q", fixed((1, 0)), None)
    shown = run_text(SMALL, (1, 0), (0, 2)).split("Move 2\n\n")[0].split("\n\n")
    assert text == (
        f"{transcript.board_text(rules.start(SMALL))}\n"
        f"Move 1\n\n{shown[1]}\n\n{PROMPT[Side.ROGUE]}{shown[2]}\n\n"
        f"Move 2\n\n{shown[2]}\n\n{PROMPT[Side.ROGUE]}{FAREWELL}"
    )
    assert (status, controller.state.rogue, controller.outcome) == (0, Cell(0, 2), None)
    assert played("e", fixed(), None)[2] == played("eq", fixed(), None)[2]  # the end of the input is q


def test_a_solved_task_ends_with_its_idea_and_a_lost_one_without() -> None:
    task = listed()["single-pillar-1"]
    level, by_tracking, by_exact_play = task.level(), STRATEGIES[Side.MONSTER]["bfs"], STRATEGIES[Side.ROGUE]["perfect"]
    assert played("", by_tracking, by_exact_play, level)[2].endswith(f"\n{task.idea}\n")
    assert task.idea not in played("e" * level.moves, by_tracking, None, level)[2]


def test_the_keys_are_those_of_the_screen() -> None:
    centre = board(".....", ".....", "..@..", ".....", "....M")
    tried = set()
    for way, bound in {**STEP_KEYS, **DIAGONAL_STEP_KEYS, "": STAY_KEY}.items():
        for key in transcript.WAYS.keys() & set(bound.keys.replace("full_stop", ".").split(",")):
            there = Cell(2, 2).neighbour(Direction[way]) if way else Cell(2, 2)
            assert played(f"{key}q", fixed(), None, centre)[1].state.rogue == there
            tried.add(key)
    assert tried == set(transcript.WAYS)
